// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A family whose config is a struct with a field table: what follows from the table alone.
#pragma once

#include <string>
#include <vector>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {

template <class Config>
class ConfigFamily : public Family {
 public:
  [[nodiscard]] std::vector<TunableInfo> tunables() const override {
    std::vector<TunableInfo> infos;
    for_each_field<Config>([&](const auto& row, std::size_t) {
      TunableInfo& info = infos.emplace_back(std::string(row.name));
      for (const auto& value : row.values) info.values.push_back(value_text(value));
    });
    return infos;
  }
  [[nodiscard]] Settings settings_at(const search::Point& point) const override {
    return settings_of(config_at<Config>(point));
  }
  [[nodiscard]] search::Point point_of(const Settings& settings) const override {
    return kernels::point_of(config_of(settings));
  }
  [[nodiscard]] Settings completed(const Settings& stored, const Limits&) const override {
    return settings_of(config_of(stored));
  }
  [[nodiscard]] std::string why_invalid(const Settings& settings, const Problem& problem,
                                        const Limits& limits) const override {
    try {
      return why_not(config_of(settings), problem, limits);
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  [[nodiscard]] bool is_in_space(const Settings& settings, const Problem& problem,
                                 const Limits& limits) const override {
    return why_invalid(settings, problem, limits).empty() &&
           why_outside(config_of(settings), problem, limits).empty();
  }

 protected:
  /// Why a config cannot run; empty: it can.
  [[nodiscard]] virtual std::string why_not(const Config& config, const Problem& problem,
                                            const Limits& limits) const = 0;
  /// Why the space does not have a config that can run; empty: it has. As space().
  [[nodiscard]] virtual std::string why_outside(const Config& /*config*/,
                                                const Problem& /*problem*/,
                                                const Limits& /*limits*/) const {
    return {};
  }

  /// The defaults with these settings in their places. Throws UsageError for unknown names and
  /// values.
  [[nodiscard]] static Config config_of(const Settings& settings) {
    Config config;
    for (const Setting& setting : settings) apply(config, setting);
    return config;
  }
};

}  // namespace redtune::kernels
