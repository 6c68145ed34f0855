// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/say.hpp"

#include <fmt/format.h>
#include <fstream>

#include "redtune/error.hpp"

namespace redtune::cli {

void write_file(const std::string& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (stream) return;
  throw IoError(
      fmt::format("cannot write {}; is its folder writable and the disk not full?", file));
}

}  // namespace redtune::cli
