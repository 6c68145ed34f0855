// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce': a whole array to one value.
#pragma once

#include "kernel_templates/family/config_family.hpp"
#include "kernel_templates/reduce/config.hpp"

namespace redtune::kernels {

class ReduceFamily final : public ConfigFamily<ReduceConfig> {
 public:
  [[nodiscard]] std::string_view name() const override { return "reduce"; }
  [[nodiscard]] std::string_view summary() const override { return "a whole array to one value"; }
  /// One row among any number of them is a row.
  [[nodiscard]] bool serves(const Problem& problem) const override {
    return is_whole_array(problem) && !is_batch_invariant(problem);
  }
  [[nodiscard]] double bytes_moved(const Problem& problem) const override;
  [[nodiscard]] std::string device_text(const Problem& problem) const override;
  [[nodiscard]] std::vector<search::Product> products() const override;
  [[nodiscard]] search::Space space(const Problem& problem, const Limits& limits) const override;
  [[nodiscard]] Settings default_settings(const Problem& problem,
                                          const Limits& limits) const override;
  [[nodiscard]] Settings impossible_values(const Problem& problem) const override;
  [[nodiscard]] std::vector<Settings> known_shapes(const Problem& problem, const Limits& limits,
                                                   std::string_view isa) const override;
  [[nodiscard]] std::optional<Settings> of_same_bytes(const Settings& settings, const Problem& from,
                                                      const Problem& to) const override;
  [[nodiscard]] std::optional<std::int64_t> elements_at_once(const Settings& settings,
                                                             const Limits& limits) const override;
  [[nodiscard]] bool is_for_its_count(const Settings& settings,
                                      const Limits& limits) const override;
  [[nodiscard]] std::optional<std::int64_t> last_before_jump(const Settings& settings,
                                                             const Problem& problem,
                                                             const Limits& limits) const override;
  [[nodiscard]] Settings completed(const Settings& stored, const Limits& limits) const override;
  [[nodiscard]] std::vector<Shape> edge_shapes(const Settings& settings, const Problem& problem,
                                               const Limits& limits) const override;
  [[nodiscard]] std::vector<FloorKernel> floor_kernels(const Settings& like, const Problem& problem,
                                                       const Limits& limits) const override;
  [[nodiscard]] std::optional<std::int64_t> first_of_other_kernels(
      const Problem& problem) const override;
  [[nodiscard]] std::vector<std::string> name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const override;
  [[nodiscard]] std::unique_ptr<const Planner> planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const override;

 protected:
  [[nodiscard]] std::string why_not(const ReduceConfig& config, const Problem& problem,
                                    const Limits& limits) const override;
  [[nodiscard]] std::string why_outside(const ReduceConfig& config, const Problem& problem,
                                        const Limits& limits) const override;
};

}  // namespace redtune::kernels
