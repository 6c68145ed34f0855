// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/known_numbers.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "cache/snapshot/generations.hpp"
#include "cli/cache_common.hpp"
#include "cli/names.hpp"
#include "cli/report/run_facts.hpp"
#include "redtune/error.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

/// More than anybody reads.
constexpr std::size_t most_numbers = 200;

using Numbers = std::vector<std::string>;

std::string number_and_text(std::int64_t number, const std::string& text) {
  return fmt::format("{}\t{}", number, printable(text));
}

Numbers runs_of(const Options& options) {
  Numbers all;
  for (const cache::RunSummary& run : copy_store(options).runs()) {
    all.push_back(number_and_text(number_of_run(run.id),
                                  fmt::format("{} on {}, {}", describe(run.start.problem),
                                              run.start.device.name, to_string(run.state))));
  }
  return all;
}

Numbers results_of_store(const Options& options) {
  Numbers all;
  for (const cache::PastResult& one : copy_store(options).history()) {
    all.push_back(number_and_text(
        one.stored.generation,
        fmt::format("{} on {}", describe(one.stored.question.problem), one.stored.device_name)));
  }
  return all;
}

Numbers generations_of(const Options& options) {
  Numbers all;
  for (const auto& one : cache::kept_generations(cache::snapshot_of(existing_store(options)))) {
    all.push_back(number_and_text(one.number, one.file.string()));
  }
  return all;
}

struct Kind {
  std::string_view name;
  std::string_view argument;
  Numbers (*numbers)(const Options&);
};

constexpr std::array kinds_of_numbers{Kind{"runs", "RUN", runs_of},
                                      Kind{"results", "ID", results_of_store},
                                      Kind{"generations", "GENERATION", generations_of}};

std::int64_t number_in(const std::string& line) {
  return std::stoll(line.substr(0, line.find('\t')));
}

}  // namespace

std::string_view numbers_meant_by(std::string_view argument) {
  const auto kind = std::ranges::find(kinds_of_numbers, argument, &Kind::argument);
  return kind == kinds_of_numbers.end() ? std::string_view{} : kind->name;
}

bool are_numbers(std::string_view kind) {
  return std::ranges::find(kinds_of_numbers, kind, &Kind::name) != kinds_of_numbers.end();
}

std::vector<std::string> known_numbers(std::string_view kind, const Options& options) {
  try {
    Numbers all = std::ranges::find(kinds_of_numbers, kind, &Kind::name)->numbers(options);
    std::ranges::sort(all, std::ranges::greater{}, number_in);
    if (all.size() > most_numbers) all.resize(most_numbers);
    return all;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace redtune::cli
