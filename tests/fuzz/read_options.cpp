// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Command lines, one word a line, and the small languages of their values.
#include <sstream>

#include "cli/command.hpp"
#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "search/budget.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::cli {

/// The rows of a program of its own: the real ones would bring the whole tuner along.
std::span<const Command> commands() {
  static const std::vector<Command> rows{
      {"tune",
       "[FILE]",
       "a command with every kind of option",
       {{"count", "N", "a value", "2^24"},
        {"set", "NAME=VALUE", "a value that may come often", {}, {}, cli::Repeated::lists},
        {"json", "", "a flag"}}}};
  return rows;
}

}  // namespace redtune::cli

namespace redtune::fuzz {
namespace {

/// Runs an action that may refuse its input, but only in the way that is told to people.
template <class Action>
void may_refuse(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    promise(*error.what() != '\0', "a refusal says why");
  }
}

}  // namespace

void read_options(std::string_view bytes) {
  std::vector<std::string> words;
  std::istringstream lines{std::string(bytes)};
  for (std::string word; std::getline(lines, word);) words.push_back(word);
  may_refuse([&] {
    const auto& command = cli::commands()[0];
    const cli::Options options = cli::parse(command, words);
    promise(options.all("set").size() <= words.size(), "no option comes from nowhere");
    (void)options.number("count");
  });
  for (const std::string& word : words) {
    may_refuse([&] { promise(parse_count(word) >= 0, "a count is not negative"); });
    may_refuse([&] {
      const search::Budget budget = search::parse_budget(word);
      (void)search::to_string(budget);
    });
    may_refuse([&] { (void)parse_settings(word); });
    may_refuse([&] { (void)parse_op(word); });
    may_refuse([&] { (void)parse_dtype(word); });
  }
}

std::vector<std::string> options_samples() {
  return {"--count\n1000\n--set\nblock_size=256\n--json",
          "--count=2^24\nnumbers.bin",
          "200,10m\n1.5s\n2h",
          "2^31-1\n10M\n1Gi",
          "finish=last_block block_size=256",
          "sum\nargmax_ignore_nan\nf32\nbf16",
          "--conut\n5\n--\n-h"};
}

}  // namespace redtune::fuzz
