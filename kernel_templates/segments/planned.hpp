// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_segments' for launches that know more than offsets: with a plan, or with a
// number of segments that only the device knows. Its configs are those of the family; no tune has
// a plan, so they are in no registry and have no space of their own.
#pragma once

#include "kernel_templates/segments/family.hpp"

namespace redtune::kernels {

/// Shares begin where the plan says, and bins are its lists.
class PlannedSegments final : public SegmentsFamily {
 public:
  [[nodiscard]] std::string device_text(const Problem& problem) const override;
  [[nodiscard]] std::vector<std::string> name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const override;
  [[nodiscard]] std::unique_ptr<const Planner> planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const override;

 protected:
  [[nodiscard]] std::string why_not(const SegmentsConfig& config, const Problem& problem,
                                    const Limits& limits) const override;
};

[[nodiscard]] const SegmentsFamily& planned_segments();

/// The number of segments lies in the device's memory; shapes tell how many are expected.
class CountedSegments final : public SegmentsFamily {
 public:
  [[nodiscard]] std::string device_text(const Problem& problem) const override;
  [[nodiscard]] std::vector<std::string> name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const override;
  [[nodiscard]] std::unique_ptr<const Planner> planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const override;
};

[[nodiscard]] const SegmentsFamily& counted_segments();

/// The settings of a launch with a plan: those that were found for launches without one, or made
/// for equal shares or for bins.
enum class PlannedWay { as_found, shares, bins };
[[nodiscard]] Settings planned_settings(const Settings& found, PlannedWay way,
                                        const Problem& problem, const Limits& limits);

/// What a plan of a config holds.
enum class PlanContent { nothing, starts, bins };
[[nodiscard]] PlanContent plan_content(const Settings& settings);

}  // namespace redtune::kernels
