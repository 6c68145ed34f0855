// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/tune_job.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cache/files/paths.hpp"
#include "cli/question.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "runtime/resolve.hpp"
#include "runtime/space_key.hpp"
#include "search/registry.hpp"

namespace redtune::cli {
namespace {

/// The words this program was called with.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  std::ranges::replace(words, '\0', ' ');
  return words.substr(0, words.find_last_not_of(' ') + 1);
}

/// Enough to come near the optimum in a minute or two; a recording is of the whole space.
std::string budget_of(const Options& options) {
  if (options.has("budget")) return options.text("budget");
  return options.has("record") ? "unlimited" : "128,90s";
}

/// What is known already helps, also where nothing can be added to it.
cache::Store copy_of_what_can_be_read(const std::filesystem::path& path) {
  try {
    return cache::Store::look_at(path);
  } catch (const Error&) {
    return cache::Store::in_memory();
  }
}

}  // namespace

OpenStore open_store(const std::string& option) {
  const auto path = cache::store_path(option);
  if (!path) return {cache::Store::in_memory(), "neither XDG_DATA_HOME nor HOME is set"};
  try {
    return {cache::Store::open(*path), {}};
  } catch (const IoError& error) {
    return {copy_of_what_can_be_read(*path), error.what()};
  }
}

Job job_of(const Options& options) {
  Job job;
  job.budget = search::parse_budget(budget_of(options));
  job.jobs = jobs_of(options);
  job.problem = problem_of(options);
  job.family = &runtime::family_of(job.problem);
  job.start = {.family = std::string(job.family->name()),
               .space_key = runtime::space_key(*job.family),
               .problem = job.problem,
               .strategy = options.text("strategy"),
               .seed = options.number("seed"),
               .budget = budget_of(options),
               .program_version = version,
               .command_line = command_line()};
  // A wrong name must be refused before the minutes of work, and before the device is touched.
  const search::Space nowhere({});
  (void)search::make_strategy(job.start.strategy, nowhere, {});
  return job;
}

}  // namespace redtune::cli
