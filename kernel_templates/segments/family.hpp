// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_segments': each segment of an array to a value.
#pragma once

#include "kernel_templates/family/config_family.hpp"
#include "kernel_templates/segments/config.hpp"

namespace redtune::kernels {

/// What kernels of segments are called, by the way that segments are dealt out.
struct SegmentKernelNames {
  std::string_view tiles = "reduce_segments";
  std::string_view shares = "reduce_segment_shares";
  std::string_view bins = "reduce_segment_bins";
};
/// The name expression of a config's kernel, of one of these names.
[[nodiscard]] std::string segment_kernel(const SegmentKernelNames& names,
                                         const SegmentsConfig& config, const Problem& problem,
                                         int wave_size);
/// The type of an offset of 32 or 64 bits.
[[nodiscard]] std::string_view offset_type(std::int64_t bits);

class SegmentsFamily : public ConfigFamily<SegmentsConfig> {
 public:
  [[nodiscard]] std::string_view name() const override { return "reduce_segments"; }
  [[nodiscard]] std::string_view summary() const override {
    return "each segment of an array to a value";
  }
  [[nodiscard]] bool serves(const Problem& problem) const override { return is_segmented(problem); }
  /// Threads and loads are for the mean length; how many there are says how much there is to share.
  [[nodiscard]] ExtentWeights extent_weights() const override {
    return {.count = 1.3, .outer = 0.3, .inner = 1, .batch = 1};
  }
  [[nodiscard]] std::uint32_t regime(const Shape& shape, std::size_t element_bytes,
                                     const Limits& limits) const override;
  [[nodiscard]] std::vector<Shape> typical_shapes(const Limits& limits) const override;
  [[nodiscard]] std::string device_text(const Problem& problem) const override;
  [[nodiscard]] std::vector<search::Product> products() const override;
  [[nodiscard]] search::Space space(const Problem& problem, const Limits& limits) const override;
  [[nodiscard]] Settings default_settings(const Problem& problem,
                                          const Limits& limits) const override;
  [[nodiscard]] std::vector<Settings> known_shapes(const Problem& problem, const Limits& limits,
                                                   std::string_view isa) const override;
  [[nodiscard]] std::vector<Shape> edge_shapes(const Settings& settings, const Problem& problem,
                                               const Limits& limits) const override;
  [[nodiscard]] std::vector<std::string> name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const override;
  [[nodiscard]] std::unique_ptr<const Planner> planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const override;

 protected:
  [[nodiscard]] std::string why_not(const SegmentsConfig& config, const Problem& problem,
                                    const Limits& limits) const override;
  [[nodiscard]] std::string why_outside(const SegmentsConfig& config, const Problem& problem,
                                        const Limits& limits) const override;
};

}  // namespace redtune::kernels
