// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config owes, on any device: the right result for every count, place and input,
// and the same bits again. The host's test and the GPU's are two drivers of these checks.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include "tests/kernels/reduction_checks.hpp"

namespace redtune::checks {

/// Of a tunable of a loaded config.
[[nodiscard]] inline std::int64_t number_of(const Runner& runner, std::string_view name) {
  std::int64_t number = 0;
  for (const Setting& setting : runner.config().choice().settings) {
    if (setting.name != name) continue;
    std::from_chars(setting.value.data(), setting.value.data() + setting.value.size(), number);
  }
  return number;
}

/// The checks of one config; after a failure the rest is passed over.
template <class In>
class Contract {
 public:
  Contract(device::Device& device, Runner& runner) : device_(device), runner_(runner) {}

  void expect_right(const Pattern<In>& pattern, std::int64_t count, std::span<const Place> places) {
    if (testing::Test::HasFailure()) return;
    const std::vector<In> values = make_input(pattern, count);
    const Expectation expected(problem(), std::span(values));
    for (const Place place : places) {
      const PlacedInput<In> input(device_, values, place);
      expect_met(expected, input.data(), count,
                 fmt::format("{}, {}", pattern.name, to_string(place)));
    }
  }

  /// Where exact_tiles has a way of its own, and where it has not for an element or an address.
  void expect_right_at_whole_tiles() {
    const std::int64_t tile =
        number_of(runner_, "block_size") * number_of(runner_, "items_per_thread");
    for (const std::int64_t count : {tile, 3 * tile, 3 * tile + 1}) {
      expect_right(count, std::array{Place::aligned});
    }
    expect_right(3 * tile, std::array{Place::one_behind});
  }

  /// On what the operator is most sensitive to.
  void expect_right(std::int64_t count, std::span<const Place> places) {
    expect_right(ordinary<In>(problem().op), count, places);
  }

  /// Every pattern, at every count.
  void expect_right_inputs(std::span<const std::int64_t> counts, std::span<const Place> places) {
    for (const Pattern<In>& pattern : adversarial<In>()) {
      for (const std::int64_t count : counts) expect_right(pattern, count, places);
    }
  }

  /// Wherever it stands, an element that decides the result decides it.
  void expect_every_position_seen(std::span<const std::int64_t> positions, std::int64_t count,
                                  Place place) {
    const std::vector<In> values = make_input(ordinary<In>(problem().op), count);
    const PlacedInput<In> input(device_, values, place);
    const In deciding = decisive<In>(problem().op);
    for (const std::int64_t position : positions) {
      if (testing::Test::HasFailure()) return;
      std::vector<In> changed = values;
      In& element = changed.at(static_cast<std::size_t>(position));
      const In before = std::exchange(element, deciding);
      device_.copy_to_device(input.data() + position, &deciding, sizeof(In));
      expect_met(Expectation(problem(), std::span<const In>(changed)), input.data(), count,
                 fmt::format("decided by element {}, {}", position, to_string(place)));
      device_.copy_to_device(input.data() + position, &before, sizeof(In));
    }
  }

  /// Also after another count has used the workspace: the ticket must stand at zero again.
  void expect_same_bits_again(std::int64_t count, std::int64_t other_count) {
    if (testing::Test::HasFailure() || problem().order == Order::any) return;
    const std::vector<In> values =
        make_input(ordinary<In>(problem().op), std::max(count, other_count));
    const PlacedInput<In> input(device_, values, Place::three_behind);
    const Output first = runner_.run(input.data(), count);
    EXPECT_EQ(runner_.run(input.data(), count), first) << settings();
    static_cast<void>(runner_.run(input.data(), other_count));
    EXPECT_EQ(runner_.run(input.data(), count), first) << settings();
  }

  /// Runs on what lies on the device already.
  void expect_met(const Expectation& expected, const In* data, std::int64_t count,
                  const std::string& what) {
    if (testing::Test::HasFailure()) return;
    const Output output = runner_.run(data, count);
    const kernels::LaunchPlan plan = runner_.config().plan({.count = count});
    EXPECT_TRUE(expected.met_by(output, runner_.config().longest_chain({.count = count})))
        << fmt::format("{} of {} {} elements: {}; {}", to_string(problem().op), count,
                       to_string(problem().in), what, settings());
    for (const kernels::KernelCall& call : plan.calls) {
      EXPECT_GE(call.grid, 1);
      EXPECT_LE(call.grid, device_.limits().max_grid);
      EXPECT_LE(call.grid, std::max<std::int64_t>(8, count));  // a cluster has up to 8 blocks
    }
  }

 private:
  [[nodiscard]] const Problem& problem() const { return runner_.config().choice().problem; }
  [[nodiscard]] std::string settings() const {
    return to_string(runner_.config().choice().settings);
  }
  device::Device& device_;
  Runner& runner_;
};

}  // namespace redtune::checks
