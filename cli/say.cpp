// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/say.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>

#include "redtune/error.hpp"

namespace redtune::cli {

int flush_output() {
  // A stream that could not be written forgets what it had, and the next time all is well.
  static std::atomic<int> first_failure = 0;
  int none = 0;
  if (std::fflush(stdout) != 0) (void)first_failure.compare_exchange_strong(none, errno);
  return first_failure;
}

void write_file(const std::string& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (stream) return;
  throw IoError(
      fmt::format("cannot write {}; is its folder writable and the disk not full?", file));
}

}  // namespace redtune::cli
