// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Stores as a tuner would have left them, made without tuning.
#pragma once

#include <filesystem>
#include <string>

#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "runtime/resolve.hpp"
#include "runtime/space_key.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {

inline const kernels::Family& made_family() {
  return kernels::find_family("reduce");
}

/// A search on an invented GPU.
inline cache::RunStart made_start(std::int64_t count = 1 << 20, Op op = Op::sum) {
  cache::RunStart start = cache::testing::sample_start();
  start.space_key = runtime::space_key(made_family());
  start.problem = make_problem(op, DType::f32, count);
  return start;
}

/// A valid config of that GPU, with another block size than the default's.
inline Settings made_settings(const cache::RunStart& start, const std::string& block_size = "128") {
  Settings settings =
      made_family().default_settings(start.problem, runtime::limits_of(start.device));
  for (Setting& setting : settings) {
    if (setting.name == "block_size") setting.value = block_size;
  }
  return settings;
}

/// Adds a finished run of two trials, and publishes a result.
inline void add_run(cache::Store& store, const cache::RunStart& start,
                    const std::string& block_size = "128") {
  const cache::RunId run = store.begin(start);
  cache::Trial good = cache::testing::sample_trial(0);
  good.settings = made_settings(start, block_size);
  store.record(run, good);
  store.record(run, {.sequence = 1,
                     .settings = made_settings(start, "512"),
                     .phase = "search",
                     .status = "compile_failed",
                     .detail = "error: too many\nregisters",
                     .compile_ms = 7});
  cache::Best best = cache::testing::sample_best();
  best.settings = good.settings;
  best.measurement = R"({"finalists":[1,2.5,true,null]})";
  store.publish(run, best);
  store.finish(run, cache::RunState::done, "winner");
}

/// A home with a store of two results, of which the second replaced an older one, and an exclusion.
class StoreHome {
 public:
  StoreHome() {
    cache::Store store = cache::Store::open(store_file());
    add_run(store, made_start(1 << 10, Op::max));
    cache::RunStart start = made_start();
    add_run(store, start, "64");
    start.seed = 2;
    add_run(store, start, "128");
    store.exclude({question_of(start), made_settings(start, "1024"), cache::ExclusionScope::device,
                   "crashed", "it went down"});
  }
  [[nodiscard]] std::filesystem::path store_file() const {
    return home_ / ("data/redtune/" + std::string(cache::store_name));
  }
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (home_ / name).string();
  }
  [[nodiscard]] const Home& home() const { return home_; }
  [[nodiscard]] Said run(const Words& words, const Words& environment = {}) const {
    return home_.run(words, environment);
  }
  /// The block size that is answered for a sum.
  [[nodiscard]] std::string answer(const std::filesystem::path& file) const {
    const auto best = cache::Store::copy_of(file).best(question_of(made_start()));
    return best ? best->best.settings[1].value : "none";
  }

 private:
  Home home_;
};

}  // namespace redtune::cli
