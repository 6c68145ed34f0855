// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What ships with redtune to guide a first search.
#include "tuner/shipped/shipped_trials.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "cli/simulate/start.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "tuner/session/sources.hpp"

namespace redtune::tuner {
namespace {

using Times = std::map<Settings, double>;

/// What every recording says of configs that there still are, by what was tuned.
std::map<Problem, Times> recorded() {
  std::map<Problem, Times> all;
  for (const auto& entry : std::filesystem::directory_iterator(REDTUNE_SPACES "/tuned")) {
    if (entry.path().extension() != ".gz") continue;
    const cache::SharedRun run = cli::read_own_run(entry.path());
    const kernels::Family& family = kernels::find_family(run.start.family);
    for (const auto& [trial, at] : run.trials) {
      if (!kernels::known_point(family, trial.settings)) continue;
      if (trial.time_us) all[run.start.problem][trial.settings] = trial.time_us->median;
    }
  }
  return all;
}

TEST(ShippedTrials, AreOfEveryRecordingItsCheapestAndOthersOfAllSorts) {
  const auto recordings = recorded();
  ASSERT_EQ(shipped_trials().size(), recordings.size());
  for (const ShippedTrials& shipped : shipped_trials()) {
    ASSERT_TRUE(recordings.contains(shipped.question.problem));
    const Times& times = recordings.at(shipped.question.problem);
    std::vector<double> all;
    for (const auto& [settings, us] : times) all.push_back(us);
    std::ranges::sort(all);
    ASSERT_EQ(shipped.trials.size(), std::min<std::size_t>(160, all.size()));
    std::vector<double> told;
    for (const cache::Trial& trial : shipped.trials) {
      ASSERT_TRUE(times.contains(trial.settings)) << to_string(trial.settings);
      EXPECT_NEAR(trial.time_us->median, times.at(trial.settings), 1e-5 * trial.time_us->median);
      told.push_back(trial.time_us->median);
    }
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_NEAR(told[79], all[79], 1e-5 * all[79]);
    EXPECT_GT(told.back(), all[all.size() * 9 / 10]);
  }
}

/// Where this fails a family has changed: recordings are of another version, and so is what ships.
TEST(ShippedTrials, AreOfConfigsThatFamiliesHave) {
  for (const ShippedTrials& shipped : shipped_trials()) {
    const kernels::Family& family = kernels::find_family(shipped.question.family);
    const Settings all = family.default_settings(shipped.question.problem, Limits());
    for (const cache::Trial& trial : shipped.trials) {
      EXPECT_EQ(trial.settings.size(), all.size()) << "it knows no value of some tunable";
      EXPECT_NO_THROW((void)family.point_of(trial.settings)) << to_string(trial.settings);
    }
  }
}

TEST(ShippedTrials, GuideProblemsOfTheSamePlatform) {
  const cache::Question shipped = shipped_trials().front().question;
  const kernels::Family& family = kernels::find_family(shipped.family);
  cache::Question asked = shipped;
  asked.space_key = "of this version";
  EXPECT_EQ(shipped_sources(asked, family).size(), shipped_trials().size());
  EXPECT_EQ(shipped_sources(asked, family)[0].nearness, 1) << "the very problem";
  const auto sources = shipped_sources(asked, family);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    EXPECT_EQ(sources[i].observations.size(), shipped_trials()[i].trials.size());
  }
  const auto is_asked = [&](const cache::Question& one) { return one.problem == asked.problem; };
  EXPECT_EQ(shipped_sources(asked, family, is_asked).size(), shipped_trials().size() - 1);
  asked.device_class.isa = "sm_80";
  const auto of_another = shipped_sources(asked, family);
  ASSERT_EQ(of_another.size(), shipped_trials().size());
  EXPECT_LT(of_another[0].nearness, 0.05);
  asked.device_class.platform = "hip";
  EXPECT_TRUE(shipped_sources(asked, family).empty()) << "nothing was recorded there";
}

std::string text(const std::string& format, const std::string& trials) {
  return R"({"format": ")" + format + R"(", "family": "reduce",
    "problem": {"op": "sum", "in": "f32", "acc": "f32", "out": "f32", "count": "1024",
                "cache_mode": "cold"},
    "device_class": {"platform": "cuda", "isa": "sm_90", "model": "x", "partition": "",
                     "compute_units": "1", "wave_size": "32", "last_level_cache_bytes": "1",
                     "memory_bytes": "1"},
    "tunables": ["block_size"], "trials": )" +
         trials + "}";
}

TEST(ShippedTrials, AreRefusedWhereTheirFileIsNot) {
  const std::string format = "redtune trials 1";
  const ShippedTrials good = trials_from(text(format, "[[1.5, 64], [2, 128]]"));
  ASSERT_EQ(good.trials.size(), 2U);
  EXPECT_EQ(good.trials[1].settings, (Settings{{"block_size", "128"}}));
  EXPECT_EQ(good.trials[0].time_us->median, 1.5);
  for (const std::string& bad :
       {std::string("{"), std::string("{}"), text("redtune trials 2", "[[1.5, 64]]"),
        text(format, "1"), text(format, "[[1.5]]"), text(format, "[[1.5, 64, 64]]"),
        text(format, "[[0, 64]]"), text(format, "[[\"fast\", 64]]"), text(format, "[[1.5, [64]]]"),
        text(format, "[1.5]")}) {
    EXPECT_THROW((void)trials_from(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace redtune::tuner
