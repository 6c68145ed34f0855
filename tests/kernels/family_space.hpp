// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the space of every family owes: its points may run, what is known is in it, and the rules of
// its first axes leave out nothing that the whole rule takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <span>
#include <vector>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/family/family.hpp"
#include "search/space.hpp"
#include "tests/kernels/family_devices.hpp"

namespace redtune::checks {

/// What is told of one config is what the list says: of some points, and of all that differ from
/// them in one axis.
inline void expect_told_as_listed(const kernels::Family& family, const Problem& problem,
                                  const Limits& limits, const search::Space& space) {
  constexpr std::size_t some = 8;
  for (std::size_t i = 0; i < space.size(); i += space.size() / some + 1) {
    const search::Point point = space[i];
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
      for (std::size_t value = 0; value < space.axes()[axis].size; ++value) {
        const search::Point other = point.with(axis, value);
        const Settings settings = family.settings_at(other);
        ASSERT_EQ(family.is_in_space(settings, problem, limits), space.contains(other))
            << describe(problem) << ": " << to_string(settings);
      }
    }
  }
}

inline void expect_points_that_may_run(const kernels::Family& family,
                                       std::span<const Shape> shapes) {
  for (const Limits& limits : kernels::family_devices()) {
    for (const Shape& shape : shapes) {
      for (const DType in : {DType::f32, DType::u8, DType::f64}) {
        const Problem problem = make_problem(Op::sum, in, shape);
        const search::Space space = family.space(problem, limits);
        EXPECT_TRUE(space.contains(family.point_of(family.default_settings(problem, limits))));
        ASSERT_GT(space.size(), 20U) << describe(problem) << " on " << limits.wave_size;
        expect_told_as_listed(family, problem, limits, space);
        EXPECT_LT(space.size(), 40'000U) << describe(problem) << " on " << limits.wave_size;
        for (std::size_t i = 0; i < space.size(); i += 7) {
          const Settings settings = family.settings_at(space.points()[i]);
          ASSERT_EQ(family.why_invalid(settings, problem, limits), "") << to_string(settings);
        }
        const auto known = family.known_shapes(problem, limits, "");
        EXPECT_FALSE(known.empty()) << describe(problem) << " on " << limits.wave_size;
        for (const Settings& settings : known) {
          EXPECT_TRUE(space.contains(family.point_of(settings))) << to_string(settings);
        }
      }
    }
  }
}

/// sizes: how many of the first values of each axis are looked at.
template <class Config>
void expect_nothing_left_out(const kernels::Family& family, std::span<const Shape> shapes,
                             std::span<const std::size_t> sizes) {
  const Limits limits = kernels::family_devices()[1];
  for (const Shape& shape : shapes) {
    const Problem problem = make_problem(Op::sum, DType::f32, shape);
    const search::Space space = family.space(problem, limits);
    std::vector<search::Axis> axes = kernels::axes_of<Config>();
    ASSERT_EQ(axes.size(), sizes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      axes[i].size = sizes[i];
      axes[i].values.resize(std::min(axes[i].values.size(), sizes[i]));
    }
    std::size_t all = 0;
    const search::Space everything(axes);
    for (const search::Point& point : everything.points()) {
      const auto config = kernels::config_at<Config>(point);
      if (!why_outside_space(config, problem, limits).empty()) continue;
      ++all;
      ASSERT_TRUE(space.contains(point));
    }
    EXPECT_GT(all, 0U);
  }
}

}  // namespace redtune::checks
