// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_rows': each row of an array to a value.
#pragma once

#include "kernel_templates/family/config_family.hpp"
#include "kernel_templates/rows/config.hpp"

namespace redtune::kernels {

class RowsFamily final : public ConfigFamily<RowsConfig> {
 public:
  [[nodiscard]] std::string_view name() const override { return "reduce_rows"; }
  [[nodiscard]] std::string_view summary() const override {
    return "each row of an array to a value";
  }
  /// Rows of neighbouring elements, with or without gaps between them.
  [[nodiscard]] bool serves(const Problem& problem) const override { return are_rows(problem); }
  /// Threads and loads of a row are for its length. As long as they keep a device busy, how many
  /// rows there are hardly matters.
  [[nodiscard]] ExtentWeights extent_weights() const override {
    return {.count = 1.9, .outer = 0.1};
  }
  [[nodiscard]] std::uint32_t regime(const Shape& shape, std::size_t element_bytes,
                                     const Limits& limits) const override;
  [[nodiscard]] bool tells_of(const Shape& tuned, const Shape& asked,
                              std::size_t element_bytes) const override;
  /// Rows an odd number of elements apart begin at all places of a vector anyway.
  [[nodiscard]] bool is_timed_displaced(const Problem& problem) const override;
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
  [[nodiscard]] std::string why_not(const RowsConfig& config, const Problem& problem,
                                    const Limits& limits) const override;
  [[nodiscard]] std::string why_outside(const RowsConfig& config, const Problem& problem,
                                        const Limits& limits) const override;
};

}  // namespace redtune::kernels
