// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device's clock and its other users can do to a result. The numbers are those of
// docs/explanation/reliability.md.
#include "cache/store/store.hpp"
#include "tests/reliability/simulated_home.hpp"

namespace redtune::cli {
namespace {

TEST(Fault01, TimesThatAreZeroNegativeOrNoNumberAreImplausibleAndCannotWin) {
  const json expected = winner_without_some_kernels();
  for (const char* what : {"zero:", "negative:", "nan:"}) {
    const SimulatedHome home;
    const Said said = home.tune(std::string(what) + some_kernels, same_points);
    EXPECT_EQ(said.code, 0) << what << said.err;
    EXPECT_GT(home.count("implausible"), 0U) << what;
    EXPECT_EQ(home.winner(), expected) << what;
  }
}

TEST(Fault02, AMeasurementThatReactsToNothingEndsTheRunAndNothingIsPublished) {
  const SimulatedHome home;
  const Said said = home.tune("inert");
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
  EXPECT_TRUE(home.winner().is_null());
}

TEST(Fault03, AClockThatTellsHalfOfEveryTimeIsNotBelieved) {
  const SimulatedHome home;
  const Said said = home.tune("halved");
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_TRUE(said.says("clock")) << said.err;
  EXPECT_TRUE(home.winner().is_null());
}

TEST(Fault09, AProcessThatComesDuringTheFinalKeepsTheResultFromBeingPublished) {
  const SimulatedHome home;
  const Said said = home.tune("users_later:python");
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_TRUE(said.says("4712 (python)")) << said.err;
  EXPECT_TRUE(home.winner().is_null());
}

TEST(Fault09, ADeviceThatOthersUseIsRefusedUnlessItIsAccepted) {
  const SimulatedHome home;
  const Said refused = home.tune("users:python");
  EXPECT_EQ(refused.code, 75) << refused.err;
  EXPECT_TRUE(refused.says("4711 (python)") && refused.says("--allow-shared")) << refused.err;
  const Said accepted = home.tune("users:python", {"--allow-shared"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(home.winner().is_null()) << "it was published";
}

TEST(Fault09, AProcessThatWasThereAtTheBeginningHasDisturbedAlsoWhenItIsGone) {
  const SimulatedHome home;
  const Said said = home.tune("users_at_first:python", {"--allow-shared"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(home.winner().is_null()) << "it was published";
}

/// What is kept with the only result.
json stored_measurement(const SimulatedHome& home) {
  const cache::Store store = cache::Store::open(home.home() / "data/redtune/results-v1.db");
  const cache::Snapshot all = store.bests();
  EXPECT_EQ(all.entries.size(), 1U);
  const auto best = all.entries.empty() ? std::nullopt : store.best(all.entries[0].question);
  EXPECT_TRUE(best.has_value());
  return best ? json::parse(best->best.measurement) : json::object();
}

TEST(Readings, AreKeptWithTheResult) {
  const SimulatedHome home;
  EXPECT_EQ(home.tune().code, 0);
  EXPECT_EQ(stored_measurement(home).at("readings").at("temperature_c"), 55);
}

TEST(Readings, TellOwnSharesWithoutWhatTheKernelsOfOthersTake) {
  const SimulatedHome home;
  EXPECT_EQ(home.tune("", cli::with(same_points, {"--cache-mode", "warm"})).code, 0);
  const json figures = stored_measurement(home).at("figures");
  // Nothing overlaps there: a kernel takes as long between others as in a row of itself.
  const double row_us = figures.at("row_us");
  EXPECT_GE(row_us, 20);
  for (const char* surrounding : {"small_kernel", "producer"}) {
    EXPECT_NEAR(figures.at("shares_us").at(surrounding).get<double>(), row_us, 0.001)
        << surrounding;
  }
}

TEST(Fault10, ASecondTunerOfOneDeviceIsTurnedAwayAndToldWhoHoldsIt) {
  const SimulatedHome home;
  const Said first = [&] {
    // The first one is at work, as long as the second asks.
    Running running(home.home(), SimulatedHome::words({"--budget", "400"}),
                    home.environment("real_time:1"));
    EXPECT_TRUE(await_trials(home.home(), 1));
    const Said second = home.tune("", {"--op", "max", "--fresh"});
    EXPECT_EQ(second.code, 75) << second.err;
    EXPECT_TRUE(second.says(std::to_string(running.id()))) << second.err;
    EXPECT_EQ(count_of(second.err, "error: "), 1U) << second.err;
    return running.end_with(SIGKILL);
  }();
  EXPECT_EQ(first.code, -SIGKILL);
}

TEST(Fault11, TheLeaseOfATunerThatWasKilledIsFreeAtOnce) {
  const SimulatedHome home;
  Running running(home.home(), SimulatedHome::words({"--budget", "400"}),
                  home.environment("real_time:1"));
  ASSERT_TRUE(await_trials(home.home(), 1));
  (void)running.end_with(SIGKILL);
  const Said next = home.tune();
  EXPECT_EQ(next.code, 0) << next.err;
}

}  // namespace
}  // namespace redtune::cli
