// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/subprocess.hpp"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include "redtune/error.hpp"

extern char** environ;

namespace redtune::device::host {
namespace {

constexpr std::size_t most_output = 64 * 1024;

/// Reads to the end; what is beyond the limit is read and dropped, so that the writer never blocks.
std::string read_all(int descriptor) {
  std::string output;
  char part[4096];
  while (true) {
    const ssize_t got = read(descriptor, part, sizeof(part));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return output;
    output.append(part, std::min(static_cast<std::size_t>(got), most_output - output.size()));
  }
}

int spawn(const std::vector<std::string>& command, int output, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Finished run_program(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw IoError("cannot make a pipe to a program");
  pid_t child = 0;
  const int error = spawn(command, ends[1], child);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    throw IoError(fmt::format("cannot run {}: {}", command[0], std::strerror(error)));
  }
  Finished finished;
  finished.output = read_all(ends[0]);
  close(ends[0]);
  while (waitpid(child, &finished.status, 0) < 0 && errno == EINTR) {
  }
  return finished;
}

bool is_on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/bin:/bin";
  while (!folders.empty()) {
    const auto end = std::min(folders.find(':'), folders.size());
    const std::string candidate = fmt::format("{}/{}", folders.substr(0, end), program);
    if (access(candidate.c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

}  // namespace redtune::device::host
