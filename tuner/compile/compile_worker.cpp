// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/compile/compile_worker.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/compile/compile_frame.hpp"
#include "tuner/compile/interrupted.hpp"

namespace redtune::tuner {
namespace {

using device::host::Deadline;
using device::host::StandardStream;
using device::host::SteadyClock;

/// Of a compiler's data; the largest program here takes a few hundred MiB.
constexpr std::size_t most_worker_memory = std::size_t{8} << 30;
constexpr std::size_t most_errors = 64 * 1024;
/// How long a killed program may take to go.
constexpr auto reaping = std::chrono::seconds(5);

/// A worker that lives is not one that can be believed.
void require_kernels(const device::CompileResult& result, std::size_t expressions) {
  const auto* program = std::get_if<device::CompiledProgram>(&result);
  if (program == nullptr || program->kernels.size() == expressions) return;
  throw Error(fmt::format("a compile worker sent {} kernels, {} were asked for",
                          program->kernels.size(), expressions));
}

void give(device::host::Descriptor& to, std::string_view& message) {
  const ssize_t sent = send(to.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (sent < 0)
    message = {};  // it has ended, which its output tells
  else
    message.remove_prefix(static_cast<std::size_t>(sent));
}

}  // namespace

CompileWorker::CompileWorker(const std::vector<std::string>& command)
    : command_(command), child_(command) {
  child_.limit_memory(most_worker_memory);
}

CompileWorker::Answer CompileWorker::ask(const device::CompileRequest& request,
                                         std::chrono::milliseconds timeout, int stop) {
  ++requests_;
  take_errors();  // of the request before
  errors_.clear();
  const std::string frame = encode(request);
  const Deadline until = SteadyClock::now() + timeout;
  try {
    const auto answer = converse(message_header(frame.size()) + frame, until, stop);
    if (!answer) return crash(until);
    auto result = decode_result(*answer);
    require_kernels(result, request.name_expressions.size());
    return result;
  } catch (const Stopped&) {
    (void)child_.kill_group(reaping);
    throw;
  } catch (const Error& error) {
    (void)child_.kill_group(reaping);
    return CompileCrash{error.what()};
  }
}

std::optional<std::string> CompileWorker::converse(std::string_view request, const Deadline& until,
                                                   int stop) {
  auto& in = child_.channel(StandardStream::input);
  auto& out = child_.channel(StandardStream::output);
  auto& errors = child_.channel(StandardStream::errors);
  std::string answer;
  std::optional<std::size_t> bytes;
  while (out.is_open()) {
    std::array<pollfd, 4> waiting{{{request.empty() ? -1 : in.get(), POLLOUT, 0},
                                   {out.get(), POLLIN, 0},
                                   {errors.get(), POLLIN, 0},
                                   {stop, POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), device::host::milliseconds_left(until));
    if (ready == 0) return std::nullopt;
    if (ready < 0) continue;  // a signal
    if (waiting[3].revents != 0) throw Stopped("stopped while compiling");
    if (waiting[0].revents != 0) give(in, request);
    if (waiting[2].revents != 0) device::host::take_output(errors, errors_, most_errors);
    if (waiting[1].revents == 0) continue;
    device::host::take_output(out, answer, std::size_t{1} << 31);
    if (!bytes) bytes = message_bytes(answer);
    if (bytes && answer.size() >= *bytes) return answer.substr(message_header_bytes);
  }
  return std::nullopt;
}

/// What it has printed by now.
void CompileWorker::take_errors() {
  auto& errors = child_.channel(StandardStream::errors);
  while (errors.is_open() && errors_.size() < most_errors) {
    pollfd waiting{errors.get(), POLLIN, 0};
    if (poll(&waiting, 1, 0) <= 0) break;
    device::host::take_output(errors, errors_, most_errors);
  }
}

/// It has closed its output, or is late.
CompileCrash CompileWorker::crash(const Deadline& until) {
  const bool is_late = !child_.wait(until);
  if (is_late) (void)child_.kill_group(reaping);
  take_errors();
  const std::string ending = is_late ? "no answer before its deadline"
                                     : device::host::ending_text(child_.status().value_or(0));
  const std::string said = device::host::last_line(errors_);
  // One line for people, then all that was said: a cause may come before a trace of the stack.
  return {fmt::format("the compiler ended with {}{}{}{}{}", ending, said.empty() ? "" : ": ", said,
                      said.empty() ? "" : "\n", said.empty() ? "" : errors_)};
}

namespace {

/// Compilers take and give back as much again for each program, and to do so is most of what the
/// system has to do for them.
void keep_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

void give_memory_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

/// Nobody is left to be told.
class EndOfCompileRequests : public Error {
 public:
  using Error::Error;
};

/// Who has not been asked for so long gives back what is kept for the next program.
constexpr int memory_is_kept_for_ms = 5000;

/// Bytes that standard input has by now, at least one.
std::string some_input() {
  std::array<char, 65536> part;
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (poll(&waiting, 1, memory_is_kept_for_ms) == 0) give_memory_back();
  while (true) {
    const ssize_t got = read(STDIN_FILENO, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw EndOfCompileRequests("the tuner has closed the channel");
    return {part.data(), static_cast<std::size_t>(got)};
  }
}

/// The next message; what came of the one after it stays.
std::string next_message(std::string& came) {
  while (true) {
    const auto bytes = message_bytes(came);
    if (bytes && came.size() >= *bytes) {
      std::string message = came.substr(message_header_bytes, *bytes - message_header_bytes);
      came.erase(0, *bytes);
      return message;
    }
    came += some_input();
  }
}

void write_all_of(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw EndOfCompileRequests("the tuner has closed the channel");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

int serve_compile_requests(const device::Compiler& compiler) {
  keep_memory();
  // What compilers print must not get between messages.
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw IoError("cannot keep the channel to the tuner; too many open files?");
  }
  device::host::ChannelWatch watch;
  std::string came;
  try {
    while (true) {
      const std::string message = next_message(came);
      const std::string answer = [&] {
        const auto at_work = watch.begin_work();
        return encode(compiler.compile(decode_request(message)));
      }();
      write_all_of(answers, message_header(answer.size()) + answer);
    }
  } catch (const EndOfCompileRequests&) {
    return came.empty() ? 0 : 1;
  }
}

}  // namespace redtune::tuner
