// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The worker's side of compiling: one request after another, and an end with whoever asks.
#include "tuner/compile/compile_worker.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/compile/compile_frame.hpp"

namespace redtune::tuner {
namespace {

/// Answers with the text as the binary, says it aloud as well, and never comes back from "sleep".
class TalkingCompiler final : public device::Compiler {
 public:
  [[nodiscard]] std::string version() const override { return "talking 1"; }
  void check_arch(std::string_view) const override {}
  [[nodiscard]] int wave_size(std::string_view) const override { return 1; }
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    std::puts(request.text.c_str());
    std::fflush(stdout);
    while (request.text == "sleep") pause();
    device::CompiledProgram program;
    for (const char c : request.text) program.binary.push_back(static_cast<std::byte>(c));
    for (const auto& name : request.name_expressions) program.kernels.push_back({name, {}});
    return program;
  }
};

/// A process that serves, from the other end of its channel.
class ServingProcess {
 public:
  ServingProcess() {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    id_ = fork();
    if (id_ == 0) {
      close(ends[0]);
      dup2(ends[1], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      close(ends[1]);
      try {
        _exit(serve_compile_requests(TalkingCompiler()));
      } catch (const Error&) {
        _exit(3);
      }
    }
    close(ends[1]);
    channel_ = ends[0];
  }
  ServingProcess(const ServingProcess&) = delete;
  ServingProcess& operator=(const ServingProcess&) = delete;
  ~ServingProcess() {
    if (channel_ >= 0) close(channel_);
    if (is_there_) kill(id_, SIGKILL);
    if (is_there_) waitpid(id_, nullptr, 0);
  }

  void send(std::string_view bytes) const {
    ASSERT_EQ(write(channel_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] device::CompileResult answer() const {
    std::string came;
    std::optional<std::size_t> bytes;
    while (!bytes || came.size() < *bytes) {
      std::array<char, 100> part{};
      const std::size_t wanted = bytes ? *bytes - came.size() : message_header_bytes - came.size();
      const ssize_t got = read(channel_, part.data(), std::min(part.size(), wanted));
      if (got <= 0) return device::CompileFailure{"it has ended"};
      came.append(part.data(), static_cast<std::size_t>(got));
      bytes = message_bytes(came);
    }
    return decode_result(std::string_view(came).substr(message_header_bytes));
  }
  void leave() { close(std::exchange(channel_, -1)); }
  /// How it ends within 10 s; -1: it does not.
  [[nodiscard]] int ending() {
    for (int i = 0; i < 1000; ++i) {
      int status = 0;
      if (waitpid(id_, &status, WNOHANG) == id_) {
        is_there_ = false;
        return status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }

 private:
  pid_t id_ = -1;
  int channel_ = -1;
  bool is_there_ = true;
};

std::string message_of(const std::string& text) {
  const std::string frame = encode(device::CompileRequest{text, {"k"}, "arch"});
  return message_header(frame.size()) + frame;
}

std::string binary_of(const device::CompileResult& result) {
  const auto* program = std::get_if<device::CompiledProgram>(&result);
  if (program == nullptr) return "none";
  return {reinterpret_cast<const char*>(program->binary.data()), program->binary.size()};
}

TEST(CompileRequests, AreServedOneAfterAnotherHoweverTheyCome) {
  ServingProcess process;
  process.send(message_of("one"));
  EXPECT_EQ(binary_of(process.answer()), "one") << "what compilers print is no answer";
  process.send(message_of("two") + message_of("three"));
  EXPECT_EQ(binary_of(process.answer()), "two");
  EXPECT_EQ(binary_of(process.answer()), "three");
  const std::string four = message_of("four");
  for (const char c : four) process.send({&c, 1});
  EXPECT_EQ(binary_of(process.answer()), "four");
  process.leave();
  EXPECT_EQ(process.ending(), 0);
}

TEST(CompileRequests, EndWithWhoeverAsksAlsoAtWork) {
  ServingProcess process;
  process.send(message_of("sleep"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  process.leave();
  const int ending = process.ending();
  EXPECT_TRUE(WIFEXITED(ending) && WEXITSTATUS(ending) == 1) << ending;
}

TEST(CompileRequests, ThatAreNoneEndTheProcess) {
  ServingProcess process;
  process.send("GET / HTTP/1.1\r\n");
  const int ending = process.ending();
  EXPECT_TRUE(WIFEXITED(ending) && WEXITSTATUS(ending) == 3) << ending;
}

TEST(CompileRequests, OfWhichHalfCameAreAnError) {
  ServingProcess process;
  process.send(message_of("one").substr(0, 20));
  process.leave();
  const int ending = process.ending();
  EXPECT_TRUE(WIFEXITED(ending) && WEXITSTATUS(ending) == 1) << ending;
}

}  // namespace
}  // namespace redtune::tuner
