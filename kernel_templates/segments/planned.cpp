// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/planned.hpp"

#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/segments/defaults.hpp"
#include "kernel_templates/segments/planner.hpp"
#include "kernel_templates/segments/rules.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view planned_file = "reduce_planned_segments.hip.h";
constexpr std::string_view counted_file = "reduce_counted_segments.hip.h";

SegmentsConfig segments_config(const Settings& settings) {
  SegmentsConfig config;
  for (const Setting& setting : settings) apply(config, setting);
  return config;
}

}  // namespace

std::string PlannedSegments::device_text(const Problem& problem) const {
  static const std::string text = program_text(planned_file);
  return problem.op == Op::custom ? custom_program(planned_file, problem) : text;
}

std::vector<std::string> PlannedSegments::name_expressions(const Settings& settings,
                                                           const Problem& problem,
                                                           int wave_size) const {
  const SegmentsConfig config = config_of(settings);
  const SegmentKernelNames names = is_planned(config)
                                       ? SegmentKernelNames{.shares = "reduce_planned_shares"}
                                       : SegmentKernelNames{};
  return {segment_kernel(names, config, problem, wave_size)};
}

std::unique_ptr<const Planner> PlannedSegments::planner(const Settings& settings,
                                                        const Problem& problem,
                                                        const Limits& limits) const {
  return std::make_unique<SegmentsPlanner>(config_of(settings), problem, limits,
                                           SegmentSource::planned);
}

std::string PlannedSegments::why_not(const SegmentsConfig& config, const Problem& problem,
                                     const Limits& limits) const {
  return why_unbuildable(config, problem, limits);
}

const SegmentsFamily& planned_segments() {
  static const PlannedSegments family;
  return family;
}

std::string CountedSegments::device_text(const Problem& problem) const {
  static const std::string text = program_text(counted_file);
  return problem.op == Op::custom ? custom_program(counted_file, problem) : text;
}

std::vector<std::string> CountedSegments::name_expressions(const Settings& settings,
                                                           const Problem& problem,
                                                           int wave_size) const {
  return {segment_kernel({.tiles = "reduce_counted_segments", .shares = "reduce_counted_shares"},
                         config_of(settings), problem, wave_size)};
}

std::unique_ptr<const Planner> CountedSegments::planner(const Settings& settings,
                                                        const Problem& problem,
                                                        const Limits& limits) const {
  return std::make_unique<SegmentsPlanner>(config_of(settings), problem, limits,
                                           SegmentSource::counted);
}

const SegmentsFamily& counted_segments() {
  static const CountedSegments family;
  return family;
}

Settings planned_settings(const Settings& found, PlannedWay way, const Problem& problem,
                          const Limits& limits) {
  switch (way) {
    case PlannedWay::shares:
      return settings_of(in_shares(segments_config(found), problem, limits));
    case PlannedWay::bins:
      return settings_of(in_bins(problem, limits));
    case PlannedWay::as_found:
      break;
  }
  return found;
}

PlanContent plan_content(const Settings& settings) {
  const SegmentsConfig config = segments_config(settings);
  if (config.way == SegmentWay::bins) return PlanContent::bins;
  return is_planned(config) ? PlanContent::starts : PlanContent::nothing;
}

}  // namespace redtune::kernels
