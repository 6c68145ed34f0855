// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The machine code of a code object, as the disassembler of LLVM writes it.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "device/host/subprocess.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::checks {

/// A disassembler for code objects, the newest; empty when this machine has none.
[[nodiscard]] inline const std::string& disassembler() {
  static const std::string found = [] {
    std::vector<std::string> candidates{"/opt/rocm/llvm/bin/llvm-objdump"};
    for (int version = 30; version >= 11; --version) {
      candidates.push_back(fmt::format("/usr/lib/llvm-{}/bin/llvm-objdump", version));
    }
    for (const std::string& candidate : candidates) {
      if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return std::string(device::host::is_on_path("llvm-objdump") ? "llvm-objdump" : "");
  }();
  return found;
}

[[nodiscard]] inline bool has_disassembler() {
  return !disassembler().empty();
}

/// The machine code of each function, by its symbol; one instruction a line.
[[nodiscard]] inline std::map<std::string, std::string> machine_code(
    const std::filesystem::path& binary) {
  const auto listing = device::host::run_program({disassembler(), "-d", binary.string()},
                                                 {.most_output = std::size_t{1} << 28});
  std::map<std::string, std::string> functions;
  std::istringstream lines(listing.output);
  std::string symbol;
  for (std::string line; std::getline(lines, line);) {
    const auto open = line.find(" <");
    if (line.ends_with(">:") && open != std::string::npos) {
      symbol = line.substr(open + 2, line.size() - open - 4);
    } else {
      functions[symbol] += line.substr(0, line.find("//")) + '\n';
    }
  }
  return functions;
}

[[nodiscard]] inline std::map<std::string, std::string> machine_code(
    std::span<const std::byte> binary) {
  const cache::testing::ScratchFolder folder;
  const std::filesystem::path path = folder / "code.co";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(binary.data()),
             static_cast<std::streamsize>(binary.size()));
  return machine_code(path);
}

/// The lines of a text with this piece of text.
[[nodiscard]] inline std::vector<std::string> lines_with(const std::string& text,
                                                         std::string_view piece) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(piece) != std::string::npos) found.push_back(line);
  }
  return found;
}

[[nodiscard]] inline bool has_instruction(const std::string& code, std::string_view name) {
  return code.find(name) != std::string::npos;
}

}  // namespace redtune::checks
