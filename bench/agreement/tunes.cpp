// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/agreement/tunes.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/agreement/kept_file.hpp"
#include "cache/store/store.hpp"
#include "device/host/child.hpp"
#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json json_of(const Tune& tune, const std::vector<std::string>& words) {
  return {{"words", words},
          {"seed", tune.seed},
          {"seconds", tune.seconds},
          {"device", tune.device},
          {"settings", to_string(tune.settings)},
          {"reason", tune.reason},
          {"told_us", bench::json_of(tune.told_us)}};
}

Tune tune_of(const json& document) {
  return {.seed = document.at("seed").get<std::uint64_t>(),
          .seconds = document.at("seconds").get<double>(),
          .device = document.at("device").get<std::string>(),
          .settings = parse_settings(document.at("settings").get<std::string>()),
          .reason = document.at("reason").get<std::string>(),
          .told_us = interval_of(document.at("told_us"))};
}

/// What of a command decides what is tuned: not how many compilers are at work.
std::vector<std::string> question_in(std::vector<std::string> words) {
  const auto jobs = std::ranges::find(words, "--jobs");
  if (jobs != words.end()) words.erase(jobs, jobs + 2);
  return words;
}

/// The winner that the only run of a store has published.
void read_winner(Tune& tune, const fs::path& store) {
  const auto results = cache::Store::copy_of(store).history();
  if (results.empty()) {
    tune.went_wrong = "the tune has stored nothing";
    return;
  }
  const cache::StoredBest& stored = results.front().stored;
  tune.device = stored.device_name;
  tune.settings = stored.best.settings;
  tune.reason = stored.best.reason;
  tune.told_us = stored.best.time_us;
}

/// The whole command: everything that redtune keeps goes into the folder.
std::vector<std::string> command_of(const AgreementOptions& options,
                                    const std::vector<std::string>& words, const fs::path& folder) {
  std::vector<std::string> command{"env",
                                   "-u",
                                   "REDTUNE_CACHE",
                                   "XDG_DATA_HOME=" + (folder / "data").string(),
                                   "XDG_STATE_HOME=" + (folder / "state").string(),
                                   "XDG_CACHE_HOME=" + (folder / "cache").string(),
                                   options.program.string()};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--cache", (folder / "results.db").string(), "--json"});
  return command;
}

Tune make_tune(const AgreementOptions& options, const std::vector<std::string>& words,
               const fs::path& folder, int stop) {
  fs::remove_all(folder);  // what a tune that did not come to its end has left
  fs::create_directories(folder);
  Tune tune;
  const auto begin = std::chrono::steady_clock::now();
  const auto finished =
      device::host::run_program(command_of(options, words, fs::absolute(folder)),
                                {.most_output = std::size_t{16} << 20, .stop = stop});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  tune.seconds = took.count();
  write_text(folder / "said.json", finished.output);
  write_text(folder / "said.log", finished.errors);
  fs::remove_all(folder / "cache");  // kernels: of no more use, and most of the bytes
  if (finished.stopped) throw tuner::Stopped("stopped in a tune; what was tuned before is kept");
  if (finished.succeeded()) {
    read_winner(tune, folder / "results.db");
  } else {
    const std::string said = device::host::last_line(finished.errors);
    tune.went_wrong = finished.ending() + (said.empty() ? "" : ": " + said);
  }
  return tune;
}

}  // namespace

std::string file_name_of(const Problem& problem) {
  return fmt::format("{}-{}-{}-{}", to_string(problem.op), to_string(problem.in), problem.count,
                     to_string(problem.cache_mode));
}

std::vector<std::string> words_of(const AgreementOptions& options, const Problem& problem,
                                  std::uint64_t seed) {
  std::vector<std::string> words{"tune",
                                 "--device",
                                 options.device,
                                 "--op",
                                 std::string(to_string(problem.op)),
                                 "--type",
                                 std::string(to_string(problem.in)),
                                 "--count",
                                 std::to_string(problem.count),
                                 "--cache-mode",
                                 std::string(to_string(problem.cache_mode)),
                                 "--seed",
                                 std::to_string(seed)};
  if (!options.budget.empty()) words.insert(words.end(), {"--budget", options.budget});
  if (options.jobs > 0) words.insert(words.end(), {"--jobs", std::to_string(options.jobs)});
  return words;
}

std::vector<Tune> tunes_of(const AgreementOptions& options, const Problem& problem,
                           const fs::path& folder, int stop) {
  std::vector<Tune> tunes;
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
    const fs::path own = folder / fmt::format("seed-{}", seed);
    const auto words = words_of(options, problem, seed);
    if (const auto kept = read_json(own / "tune.json")) {
      if (question_in(kept->at("words")) != question_in(words)) {
        throw UsageError(fmt::format(
            "{} holds a tune by another command: name another folder, or remove it", own.string()));
      }
      tunes.push_back(tune_of(*kept));
      continue;
    }
    if (options.steps == Steps::time) {
      throw UsageError(fmt::format("there is no tune in {}: leave --only-time out", own.string()));
    }
    Tune tune = make_tune(options, words, own, stop);
    tune.seed = seed;
    if (tune.went_wrong.empty()) write_text(own / "tune.json", json_of(tune, words).dump(1));
    fmt::print(stderr, "{}, seed {}: {:.1f} s, {}\n", describe(problem), seed, tune.seconds,
               tune.went_wrong.empty() ? to_string(tune.settings) : tune.went_wrong);
    tunes.push_back(std::move(tune));
  }
  return tunes;
}

}  // namespace redtune::bench
