// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// README as a newcomer follows it: its program and its 'reduce' find what its 'tune' has found.
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

std::string page(const std::string& file) {
  return cache::testing::read_text(std::filesystem::path(REDTUNE_SOURCE_DIR) / file);
}

/// What stands between two texts, after a third.
std::string between(const std::string& text, const std::string& begin, const std::string& end,
                    const std::string& after = "") {
  const auto from = text.find(begin, text.find(after));
  EXPECT_NE(from, text.npos) << begin;
  if (from == text.npos) return {};
  const auto start = from + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

Words split(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// "redtune COMMAND ..." of README, on the host.
Words command_of_readme(const std::string& command) {
  return with(split(command + between(page("README.md"), "$ redtune " + command, "\n")),
              {"--device", "host"});
}

/// Runs a command in a home.
Said run_in(const Home& home, const Words& command) {
  Words all = home.command({}, {});
  all.pop_back();
  all.insert(all.end(), command.begin(), command.end());
  return run_command(all);
}

void expect_program_finds_it(const Home& home) {
  const std::string body = between(page("README.md"), "```cpp\n", "```", "In a program");
  EXPECT_NE(page("examples/tuned_sum.cpp").find(body), std::string::npos) << "another program";
  const std::string source = (home / "program.cpp").string();
  const std::string program = (home / "program").string();
  cache::testing::write_text(source,
                             "#include <iostream>\n#include <redtune/reducer.hpp>\n"
                             "#include <vector>\nint main(int argc, char** argv) {\n" +
                                 body + "}\n");
  const std::filesystem::path library = REDTUNE_LIBRARY;
  Words compile{"/usr/bin/env",
                REDTUNE_CXX,
                "-std=c++20",
                "-I" REDTUNE_SOURCE_DIR "/include",
                "-I" REDTUNE_GENERATED_HEADERS,
                source,
                library.string(),
                "-Wl,-rpath," + library.parent_path().string(),
                "-o",
                program};
  const std::string sanitizers = REDTUNE_SANITIZERS;
  if (!sanitizers.empty()) compile.push_back("-fsanitize=" + sanitizers);
  const Said compiled = run_command(compile);
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const Said said = run_in(home, {program, "host"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("match: exact\n")) << said.out;
  EXPECT_TRUE(said.says("sum: 2.51658e+07\n")) << said.out;
}

void expect_file_is_reduced_as_shown(const Home& home) {
  const std::vector<float> values(1 << 24, 1.5F);
  cache::testing::write_text(home / "numbers", {reinterpret_cast<const char*>(values.data()),
                                                values.size() * sizeof(float)});
  Words words = command_of_readme("reduce");
  std::ranges::replace(words, std::string("numbers"), (home / "numbers").string());
  const Said said = home.run(words);
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string shown = between(page("README.md"), "$ redtune reduce", "```");
  std::istringstream lines(shown.substr(shown.find('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(said.says(line + '\n')) << line << " is not in:\n" << said.out;
  }
}

TEST(Readme, ItsStepsJoinUp) {
  const Home home;
  const Said tuned = home.run(with(command_of_readme("tune"), {"--budget", "1", "--force-noisy"}));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  expect_program_finds_it(home);
  expect_file_is_reduced_as_shown(home);
}

}  // namespace
}  // namespace redtune::cli
