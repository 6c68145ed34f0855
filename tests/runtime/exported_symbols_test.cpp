// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The functions that libredtune.so shows are those of a list, exported_symbols.txt: one that goes,
// or gets other parameters, breaks programs that were built before. What is recorded anew by
// REDTUNE_TEST_RECORD_SYMBOLS=1 is looked at in the difference.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "device/host/subprocess.hpp"

namespace redtune {
namespace {

/// Mangled name and the same for people.
using Symbols = std::map<std::string, std::string>;

std::vector<std::string> nm(std::vector<std::string> more) {
  std::vector<std::string> command{REDTUNE_NM, "-D", "--defined-only", REDTUNE_LIBRARY};
  command.insert(command.begin() + 1, more.begin(), more.end());
  const device::host::Finished said = device::host::run_program(command);
  EXPECT_TRUE(said.succeeded()) << said.errors;
  std::istringstream stream(said.output);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Functions and data. Type information and tables of virtual functions are weak: every program
/// has its own, and which of them a library has too is its compiler's choice.
Symbols shown() {
  constexpr std::size_t name_at = 19;  // behind address and type
  const auto mangled = nm({});
  const auto readable = nm({"-C"});  // in the same order
  EXPECT_EQ(mangled.size(), readable.size());
  Symbols found;
  for (std::size_t i = 0; i < std::min(mangled.size(), readable.size()); ++i) {
    if (mangled[i].size() <= name_at) continue;
    const char type = mangled[i][name_at - 2];
    if (type == 'V' || type == 'W') continue;
    found[mangled[i].substr(name_at)] = readable[i].substr(name_at);
  }
  return found;
}

Symbols recorded() {
  Symbols found;
  std::ifstream file(REDTUNE_SYMBOLS_FILE);
  for (std::string line; std::getline(file, line);) {
    const auto space = std::min(line.find(' '), line.size());
    found[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
  }
  return found;
}

void record(const Symbols& symbols) {
  std::ofstream file(REDTUNE_SYMBOLS_FILE);
  for (const auto& [mangled, readable] : symbols) file << mangled << ' ' << readable << '\n';
  ASSERT_TRUE(file.flush()) << "cannot write " REDTUNE_SYMBOLS_FILE;
}

/// The readable names of what is in one and not in the other.
std::vector<std::string> only_in(const Symbols& one, const Symbols& other) {
  std::vector<std::string> names;
  for (const auto& [mangled, readable] : one) {
    if (!other.contains(mangled)) names.push_back(fmt::format("{} ({})", readable, mangled));
  }
  return names;
}

TEST(ExportedSymbols, AreThoseOfTheList) {
  const Symbols now = shown();
  ASSERT_GT(now.size(), 50U);
  if (std::getenv("REDTUNE_TEST_RECORD_SYMBOLS") != nullptr) record(now);
  const auto gone = only_in(recorded(), now);
  const auto added = only_in(now, recorded());
  EXPECT_TRUE(gone.empty()) << fmt::format(
      "programs built before need these: bring them back, or raise REDTUNE_ABI in CMakeLists.txt "
      "and record the list anew (see the top of this test)\n  {}",
      fmt::join(gone, "\n  "));
  EXPECT_TRUE(added.empty()) << fmt::format(
      "these are new: record the list anew (see the top of this test)\n  {}",
      fmt::join(added, "\n  "));
}

}  // namespace
}  // namespace redtune
