// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_columns': an axis of an array that is not the innermost one.
#pragma once

#include "kernel_templates/columns/config.hpp"
#include "kernel_templates/family/config_family.hpp"

namespace redtune::kernels {

class ColumnsFamily final : public ConfigFamily<ColumnsConfig> {
 public:
  [[nodiscard]] std::string_view name() const override { return "reduce_columns"; }
  [[nodiscard]] std::string_view summary() const override {
    return "each column of an array, or of each of its slices, to a value";
  }
  /// Elements of a result that do not lie side by side, with or without gaps.
  [[nodiscard]] bool serves(const Problem& problem) const override {
    return problem.batch == 1 && (problem.inner != 1 || step_of(problem) != 1);
  }
  [[nodiscard]] bool tells_of(const Shape& tuned, const Shape& asked,
                              std::size_t element_bytes) const override;
  [[nodiscard]] double distance(const Shape& one, const Shape& other) const override;
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
  [[nodiscard]] std::string why_not(const ColumnsConfig& config, const Problem& problem,
                                    const Limits& limits) const override;
  [[nodiscard]] std::string why_outside(const ColumnsConfig& config, const Problem& problem,
                                        const Limits& limits) const override;
};

}  // namespace redtune::kernels
