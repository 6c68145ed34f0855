// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A kernel that somebody described, as those see it who search, keep and look up: a family that
// serves this one kernel. How it is run is in its description (kernel_plan.hpp), not in a Planner.
#pragma once

#include <string>

#include "kernel_templates/description/kernel_problem.hpp"
#include "kernel_templates/description/kernel_text.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "kernel_templates/family/family.hpp"

namespace redtune::kernels {

class DescribedFamily final : public Family {
 public:
  /// Of a file on a device of these limits. Throws as description_in(), text_with_includes().
  struct Parts {
    DescriptionSource source;
    KernelDescription description;
    std::string text;  ///< of the kernel's file, with what it includes
    KernelWords words = KernelWords::known;
    Limits limits;
  };
  /// key: of what the kernel means, see meaning_of(): its beginning is a part of the name.
  /// former_key: likewise of former_meaning_of().
  DescribedFamily(Parts parts, std::string key, std::string former_key = {});

  /// Whether it would be the same, made of these.
  [[nodiscard]] bool is_made_of(const Parts& parts) const;
  [[nodiscard]] const KernelDescription& description() const { return parts_.description; }
  [[nodiscard]] const DescriptionSource& source() const { return parts_.source; }
  /// Throws UsageError, see kernel_problem().
  [[nodiscard]] Problem problem(const SizeValues& sizes, CacheMode cache_mode) const;
  /// What a problem of it was called when the former key was the key.
  struct Former {
    std::string family;
    Problem problem;
  };
  [[nodiscard]] Former former(const Problem& problem) const;
  /// How a config runs. Throws UsageError.
  [[nodiscard]] KernelPlan plan(const Settings& settings, const Problem& problem) const;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view summary() const override { return summary_; }
  [[nodiscard]] bool serves(const Problem& problem) const override;
  /// What the description says of the default; 0 where it does not.
  [[nodiscard]] double bytes_moved(const Problem& problem) const override;
  [[nodiscard]] std::size_t bytes_held(const Problem& problem) const override;
  [[nodiscard]] std::string device_text(const Problem& problem) const override;
  [[nodiscard]] std::string config_text(const Settings& settings) const override;
  [[nodiscard]] std::vector<TunableInfo> tunables() const override;
  [[nodiscard]] search::Space space(const Problem& problem, const Limits& limits) const override;
  [[nodiscard]] Settings default_settings(const Problem& problem,
                                          const Limits& limits) const override;
  [[nodiscard]] Settings settings_at(const search::Point& point) const override;
  [[nodiscard]] search::Point point_of(const Settings& settings) const override;
  [[nodiscard]] Settings completed(const Settings& stored, const Limits& limits) const override;
  [[nodiscard]] std::string why_invalid(const Settings& settings, const Problem& problem,
                                        const Limits& limits) const override;
  [[nodiscard]] std::vector<Shape> edge_shapes(const Settings& settings, const Problem& problem,
                                               const Limits& limits) const override;
  /// Of its launches, and behind those of the default the kernels that it is compared with.
  [[nodiscard]] std::vector<std::string> name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const override;
  /// Throws Error: there is none.
  [[nodiscard]] std::unique_ptr<const Planner> planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const override;

 private:
  Parts parts_;
  std::string key_;
  std::string former_key_;
  std::string name_;
  std::string summary_;
};

/// The family as a described one; null for a built-in one.
[[nodiscard]] const DescribedFamily* as_described(const Family& family);

}  // namespace redtune::kernels
