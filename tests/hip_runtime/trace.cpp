// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Lines are written at once: those of a process that is killed are all there.
#include "trace.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace redtune::testing::hip {
namespace {

int open_trace() {
  if (trace_folder().empty()) return -1;
  const std::string file = fmt::format("{}/{}.calls", trace_folder(), getpid());
  return open(file.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::string text;
  for (std::string word; std::getline(file, word, '\0');) text += (text.empty() ? "" : " ") + word;
  return text;
}

void append(int file, const std::string& line) {
  if (write(file, line.data(), line.size()) < 0) std::abort();  // a test without its record is none
}

}  // namespace

const std::string& trace_folder() {
  static const std::string& folder = *new std::string([] {
    const char* named = std::getenv("REDTUNE_TEST_HIP_TRACE");
    return named == nullptr ? "" : named;
  }());
  return folder;
}

void write_trace(std::string_view line) {
  static const int file = [] {
    const int opened = open_trace();
    if (opened < 0) return opened;
    append(opened, fmt::format("process\t{}\n", command_line()));
    std::atexit([] { write_trace("end"); });
    return opened;
  }();
  if (file >= 0) append(file, fmt::format("{}\n", line));
}

}  // namespace redtune::testing::hip
