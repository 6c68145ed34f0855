// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What 'redtune help' and 'redtune version' say.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

std::string help_of(std::vector<std::string> words) {
  if (words.empty()) return help_of_all();
  if (words.size() == 1 && is_group(words[0])) return help_of_group(words[0]);
  const Command& command = find_command(words);
  if (words.empty()) return help(command);
  throw UsageError(
      fmt::format("'{}' is not expected after '{}'; see: redtune help", words[0], command.words));
}

}  // namespace

int run_help(const Options& options) {
  const std::string text = help_of(options.words());
  if (options.has("json")) {
    print_json({{"help", text}});
  } else {
    fmt::print("{}", text);
  }
  return 0;
}

int run_version(const Options& options) {
  if (options.has("json")) {
    print_json({{"version", version}});
  } else {
    fmt::print("redtune {}\n", version);
  }
  return 0;
}

}  // namespace redtune::cli
