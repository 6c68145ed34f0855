// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_channels': each channel of a batch of arrays to a value.
#pragma once

#include "kernel_templates/channels/config.hpp"
#include "kernel_templates/family/config_family.hpp"

namespace redtune::kernels {

class ChannelsFamily final : public ConfigFamily<ChannelsConfig> {
 public:
  [[nodiscard]] std::string_view name() const override { return "reduce_channels"; }
  [[nodiscard]] std::string_view summary() const override {
    return "each channel of a batch of arrays to a value";
  }
  /// Neighbours in each array of a batch, with or without gaps between channels and arrays; also
  /// where there is one array alone.
  [[nodiscard]] bool serves(const Problem& problem) const override {
    return problem.inner == 1 && step_of(problem) == 1 && !is_segmented(problem);
  }
  /// Threads and loads are for the length of what a channel has in an array; how many there are of
  /// it, and of channels, says how much there is to share.
  [[nodiscard]] ExtentWeights extent_weights() const override {
    return {.count = 1.3, .outer = 0.2, .inner = 1, .batch = 0.5};
  }
  [[nodiscard]] std::uint32_t regime(const Shape& shape, std::size_t element_bytes,
                                     const Limits& limits) const override;
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
  [[nodiscard]] std::string why_not(const ChannelsConfig& config, const Problem& problem,
                                    const Limits& limits) const override;
  [[nodiscard]] std::string why_outside(const ChannelsConfig& config, const Problem& problem,
                                        const Limits& limits) const override;
};

}  // namespace redtune::kernels
