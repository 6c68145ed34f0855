// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/process_mark.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace redtune::cache {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

struct ProcessStatus {
  std::string state;
  std::string start;
};

/// From /proc/<pid>/stat, see proc(5): state is field 3, start time field 22. The name (field 2)
/// may hold spaces and brackets, so counting begins after its last bracket.
std::optional<ProcessStatus> status_of(std::int64_t pid) {
  const std::string line = first_line("/proc/" + std::to_string(pid) + "/stat");
  const auto bracket = line.rfind(')');
  if (bracket == std::string::npos) return std::nullopt;
  std::istringstream words(line.substr(bracket + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
  if (fields.size() < 20) return std::nullopt;
  return ProcessStatus{.state = fields[0], .start = fields[19]};
}

}  // namespace

ProcessMark mark_of_this_process() {
  ProcessMark mark{
      .host = host_name(), .boot = first_line("/proc/sys/kernel/random/boot_id"), .pid = getpid()};
  std::error_code ignored;
  mark.pid_namespace = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  if (const auto status = status_of(mark.pid)) mark.start = status->start;
  return mark;
}

Liveness liveness(const ProcessMark& mark) {
  const ProcessMark here = mark_of_this_process();
  if (mark.host != here.host || mark.boot.empty() || mark.pid <= 0) return Liveness::unknown;
  if (mark.boot != here.boot) return Liveness::gone;
  if (mark.pid_namespace != here.pid_namespace) return Liveness::unknown;
  if (kill(static_cast<pid_t>(mark.pid), 0) != 0 && errno == ESRCH) return Liveness::gone;
  const auto status = status_of(mark.pid);
  if (!status) return Liveness::unknown;  // another user's, and hidden
  const bool ended = status->state == "Z" || status->state == "X";
  return ended || status->start != mark.start ? Liveness::gone : Liveness::alive;
}

}  // namespace redtune::cache
