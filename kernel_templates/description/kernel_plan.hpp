// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A description with numbers in the place of names: for a config, sizes and a device it says what
// to launch. Configs are points of a space, one axis for each tunable.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel_templates/description/kernel_description.hpp"
#include "redtune/limits.hpp"
#include "redtune/settings.hpp"
#include "search/space.hpp"

namespace redtune::kernels {

/// A value for each size of a description.
using SizeValues = std::vector<std::int64_t>;

struct PlannedLaunch {
  std::string kernel;  ///< a name expression
  std::array<std::int64_t, 3> block{1, 1, 1};
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::vector<std::size_t> arguments;

  [[nodiscard]] std::int64_t threads() const { return block[0] * block[1] * block[2]; }
};

struct KernelPlan {
  std::vector<PlannedLaunch> launches;
  std::vector<PlannedLaunch> references;
  /// Of each argument: a buffer's elements, or a scalar's value where it is no fraction.
  std::vector<std::int64_t> amounts;
  std::optional<double> traffic;  ///< bytes
};

/// Whether the kernels of references are meant, too: those are run with the default alone.
enum class WithReferences { no, yes };

/// Name expressions of the kernels that a plan launches, and behind them those of its references.
[[nodiscard]] std::vector<std::string> kernels_of(const KernelPlan& plan,
                                                  WithReferences references);

/// All combinations of the sizes' values, the last size changing first. One without sizes.
[[nodiscard]] std::vector<SizeValues> problems_of(const KernelDescription& description);

/// The config of all defaults.
[[nodiscard]] search::Point default_config(const KernelDescription& description);
[[nodiscard]] Settings settings_of(const KernelDescription& description,
                                   const search::Point& config);
/// Combinations of the tunables' values.
[[nodiscard]] double combinations_of(const KernelDescription& description);

/// Throws UsageError with the place of what cannot be calculated, or is no extent.
[[nodiscard]] KernelPlan plan_kernel(const KernelDescription& description,
                                     const search::Point& config, const SizeValues& sizes,
                                     const Limits& limits);

/// One line where a config may not run: a requirement that it does not meet, or a launch that the
/// device does not take. Throws as plan_kernel().
[[nodiscard]] std::string why_invalid(const KernelDescription& description,
                                      const search::Point& config, const SizeValues& sizes,
                                      const Limits& limits);

/// The configs that may run. Throws as plan_kernel(), and as Space for too many.
[[nodiscard]] search::Space space_of(const KernelDescription& description, const SizeValues& sizes,
                                     const Limits& limits);

/// Lines that define the tunables which no launched kernel has as a template argument.
[[nodiscard]] std::string macros_of(const KernelDescription& description,
                                    const search::Point& config);

}  // namespace redtune::kernels
