// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/kernel_plan.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <limits>

#include "kernel_templates/description/parts.hpp"

namespace redtune::kernels {
namespace {

/// What names stand for, but for those of tunables.
class Surroundings {
 public:
  Surroundings(const KernelDescription& description, const SizeValues& sizes, const Limits& limits)
      : description_(description), sizes_(sizes), limits_(limits) {}

  [[nodiscard]] std::optional<Value> value_of(std::string_view name) const {
    if (name == wave_name) return Value(limits_.wave_size);
    if (name == units_name) return Value(limits_.compute_units);
    if (name == shared_name) return Value(most_shared_bytes);
    for (std::size_t i = 0; i < description_.sizes.size(); ++i) {
      if (description_.sizes[i].name == name) return Value(sizes_[i]);
    }
    if (!name.starts_with(element_prefix)) return std::nullopt;
    const auto* argument = find_named(description_.arguments, name.substr(element_prefix.size()));
    if (argument == nullptr) return std::nullopt;
    return Value(static_cast<std::int64_t>(argument->type.bytes()));
  }

 private:
  const KernelDescription& description_;
  const SizeValues& sizes_;
  const Limits& limits_;
};

const TunableValue& value_at(const Tunable& tunable, std::size_t axis,
                             const search::Point& config) {
  return tunable.values[config[axis]];
}

/// What names stand for, those of tunables included.
class ConfigNames {
 public:
  ConfigNames(const KernelDescription& description, const search::Point& config,
              const SizeValues& sizes, const Limits& limits)
      : description_(description), config_(config), surroundings_(description, sizes, limits) {}

  /// Of a name that the description was found to know.
  [[nodiscard]] Value value_of(std::string_view name) const {
    for (std::size_t i = 0; i < description_.tunables.size(); ++i) {
      const Tunable& tunable = description_.tunables[i];
      if (tunable.name == name) return value_at(tunable, i, config_).number.value_or(Value());
    }
    return surroundings_.value_of(name).value_or(Value());
  }

  /// As the kernel's text has it; nothing for a name of the text's own.
  [[nodiscard]] std::optional<std::string> text_of(std::string_view name) const {
    for (std::size_t i = 0; i < description_.tunables.size(); ++i) {
      const Tunable& tunable = description_.tunables[i];
      if (tunable.name == name) return value_at(tunable, i, config_).text;
    }
    const auto value = surroundings_.value_of(name);
    return value ? std::optional(to_string(*value)) : std::nullopt;
  }

 private:
  const KernelDescription& description_;
  const search::Point& config_;
  Surroundings surroundings_;
};

/// Replaces each name of a kernel's template arguments by what use makes of it.
template <class Use>
std::string with_arguments(const std::string& kernel, const Use& use) {
  const std::size_t open = std::min(kernel.find('<'), kernel.size());
  const auto is_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::string text = kernel.substr(0, open);
  for (std::size_t at = open; at < kernel.size();) {
    std::size_t end = at;
    while (end < kernel.size() && is_of_word(kernel[end])) ++end;
    if (end == at) {
      text += kernel[at++];
      continue;
    }
    text += use(kernel.substr(at, end - at));
    at = end;
  }
  return text;
}

/// The launches of a description, its references included.
template <class Use>
void for_each_launch(const KernelDescription& description, const Use& use) {
  for (const KernelLaunch& launch : description.launches) use(launch);
  for (const KernelLaunch& launch : description.references) use(launch);
}

/// Without its kernel and its arguments.
PlannedLaunch geometry_of(const KernelLaunch& launch, const ConfigNames& names) {
  const ValueOf value_of = [&](std::string_view name) { return names.value_of(name); };
  PlannedLaunch plan;
  for (std::size_t axis = 0; axis < plan.block.size(); ++axis) {
    plan.block[axis] = launch.block[axis].whole(value_of);
    plan.grid[axis] = launch.grid[axis].whole(value_of);
  }
  plan.shared_bytes = launch.shared.whole(value_of);
  return plan;
}

PlannedLaunch planned(const KernelLaunch& launch, const ConfigNames& names) {
  PlannedLaunch plan = geometry_of(launch, names);
  plan.kernel = with_arguments(
      launch.kernel, [&](const std::string& name) { return names.text_of(name).value_or(name); });
  plan.arguments = launch.arguments;
  return plan;
}

/// The product of extents; nothing where one is none, or it is beyond what devices know.
std::optional<std::int64_t> volume_of(const std::array<std::int64_t, 3>& extents) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::int64_t volume = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 1 || extent > most / volume) return std::nullopt;
    volume *= extent;
  }
  return volume;
}

std::string extents_text(const std::array<std::int64_t, 3>& extents) {
  if (extents[1] == 1 && extents[2] == 1) return fmt::format("{}", extents[0]);
  if (extents[2] == 1) return fmt::format("{} x {}", extents[0], extents[1]);
  return fmt::format("{} x {} x {}", extents[0], extents[1], extents[2]);
}

std::string why_not_launched(const PlannedLaunch& launch, const Limits& limits) {
  const auto threads = volume_of(launch.block);
  const auto blocks = volume_of(launch.grid);
  if (!threads || *threads > limits.max_block_size) {
    return fmt::format("{} threads are no block; the device takes 1 to {}",
                       extents_text(launch.block), limits.max_block_size);
  }
  constexpr std::int64_t most_lines = 65535;
  if (!blocks || *blocks > limits.max_grid || launch.grid[1] > most_lines ||
      launch.grid[2] > most_lines) {
    return fmt::format("{} blocks are no grid; the device takes 1 to {}, and {} along y and z",
                       extents_text(launch.grid), limits.max_grid, most_lines);
  }
  if (launch.shared_bytes < 0 || launch.shared_bytes > most_shared_bytes) {
    return fmt::format("{} bytes of shared memory are not there; a block has 0 to {}",
                       launch.shared_bytes, most_shared_bytes);
  }
  return {};
}

/// Requirements that only need the first axes, so that what they exclude is not gone through.
std::size_t axes_needed(const KernelDescription& description, const Formula& requirement) {
  std::size_t needed = 0;
  for (const std::string& name : requirement.expression.names()) {
    for (std::size_t i = 0; i < description.tunables.size(); ++i) {
      if (description.tunables[i].name == name) needed = std::max(needed, i + 1);
    }
  }
  return needed;
}

/// A requirement with the values that are the same for all configs in their places.
class BoundRequirement {
 public:
  BoundRequirement(const KernelDescription& description, const Formula& formula,
                   const Surroundings& surroundings)
      : description_(description), formula_(formula) {
    for (const std::string& name : formula.expression.names()) {
      std::size_t axis = 0;
      while (axis < description.tunables.size() && description.tunables[axis].name != name) ++axis;
      axes_.push_back(axis);
      values_.push_back(surroundings.value_of(name).value_or(Value()));
    }
  }

  [[nodiscard]] bool holds(const search::Point& config) {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i] == description_.tunables.size()) continue;
      values_[i] = *value_at(description_.tunables[axes_[i]], axes_[i], config).number;
    }
    return formula_.holds(values_);
  }

 private:
  const KernelDescription& description_;
  const Formula& formula_;
  std::vector<std::size_t> axes_;
  std::vector<Value> values_;
};

search::Axis axis_of(const Tunable& tunable) {
  search::Axis axis{.name = tunable.name, .size = tunable.values.size()};
  bool is_ascending = true;
  for (const TunableValue& value : tunable.values) {
    if (!value.number || value.number->is_truth()) {
      axis.values.clear();
      axis.kind = search::AxisKind::categorical;
      return axis;
    }
    const double number = static_cast<double>(value.number->numerator()) /
                          static_cast<double>(value.number->denominator());
    is_ascending = is_ascending && (axis.values.empty() || axis.values.back() < number);
    axis.values.push_back(number);
  }
  if (!is_ascending) axis.kind = search::AxisKind::categorical;
  return axis;
}

}  // namespace

std::vector<SizeValues> problems_of(const KernelDescription& description) {
  std::vector<SizeValues> problems{{}};
  for (const NamedSize& size : description.sizes) {
    std::vector<SizeValues> longer;
    for (const SizeValues& values : problems) {
      for (const std::int64_t value : size.values) {
        longer.push_back(values);
        longer.back().push_back(value);
      }
    }
    problems = std::move(longer);
  }
  return problems;
}

search::Point default_config(const KernelDescription& description) {
  search::Point config = search::Point::of_size(description.tunables.size());
  for (std::size_t i = 0; i < description.tunables.size(); ++i) {
    config.set(i, description.tunables[i].default_index);
  }
  return config;
}

Settings settings_of(const KernelDescription& description, const search::Point& config) {
  Settings settings;
  for (std::size_t i = 0; i < description.tunables.size(); ++i) {
    settings.push_back(
        {description.tunables[i].name, value_at(description.tunables[i], i, config).text});
  }
  return settings;
}

double combinations_of(const KernelDescription& description) {
  double combinations = 1;
  for (const Tunable& tunable : description.tunables) {
    combinations *= static_cast<double>(tunable.values.size());
  }
  return combinations;
}

KernelPlan plan_kernel(const KernelDescription& description, const search::Point& config,
                       const SizeValues& sizes, const Limits& limits) {
  const ConfigNames names(description, config, sizes, limits);
  const ValueOf value_of = [&](std::string_view name) { return names.value_of(name); };
  KernelPlan plan;
  for (const KernelLaunch& launch : description.launches) {
    plan.launches.push_back(planned(launch, names));
  }
  for (const KernelLaunch& launch : description.references) {
    plan.references.push_back(planned(launch, names));
  }
  for (const KernelArgument& argument : description.arguments) {
    const std::int64_t amount = argument.fraction ? 0 : argument.amount.whole(value_of);
    constexpr std::int64_t most_elements = std::int64_t{1} << 48;
    if (argument.is_memory() && (amount < 0 || amount > most_elements)) {
      refuse_at(argument.amount.place,
                fmt::format("{} has {} elements, which is no extent", argument.name, amount));
    }
    plan.amounts.push_back(amount);
  }
  if (description.traffic) {
    const Value bytes = description.traffic->value(value_of);
    plan.traffic =
        static_cast<double>(bytes.numerator()) / static_cast<double>(bytes.denominator());
  }
  return plan;
}

std::string why_invalid(const KernelDescription& description, const search::Point& config,
                        const SizeValues& sizes, const Limits& limits) {
  const Surroundings surroundings(description, sizes, limits);
  for (const Formula& requirement : description.requirements) {
    if (BoundRequirement(description, requirement, surroundings).holds(config)) continue;
    return fmt::format("it does not meet the requirement {}", requirement.expression.text());
  }
  const ConfigNames names(description, config, sizes, limits);
  for (const KernelLaunch& launch : description.launches) {
    std::string why = why_not_launched(geometry_of(launch, names), limits);
    if (!why.empty()) return why;
  }
  return {};
}

search::Space space_of(const KernelDescription& description, const SizeValues& sizes,
                       const Limits& limits) {
  std::vector<search::Axis> axes;
  for (const Tunable& tunable : description.tunables) axes.push_back(axis_of(tunable));
  const Surroundings surroundings(description, sizes, limits);
  std::vector<search::Prefix> prefixes;
  for (const Formula& requirement : description.requirements) {
    BoundRequirement bound(description, requirement, surroundings);
    prefixes.push_back(
        {std::max<std::size_t>(axes_needed(description, requirement), 1),
         [bound](const search::Point& config) mutable { return bound.holds(config); }});
  }
  std::ranges::stable_sort(prefixes, {}, &search::Prefix::axes);
  // Without axes there is one config, and no prefix of it.
  const bool asks_all = axes.empty();
  if (asks_all) prefixes.clear();
  const auto valid = [&](const search::Point& config) {
    if (asks_all) return why_invalid(description, config, sizes, limits).empty();
    const ConfigNames names(description, config, sizes, limits);
    return std::ranges::all_of(description.launches, [&](const KernelLaunch& launch) {
      return why_not_launched(geometry_of(launch, names), limits).empty();
    });
  };
  return search::Space(std::move(axes), valid, {}, prefixes);
}

std::string macros_of(const KernelDescription& description, const search::Point& config) {
  std::vector<std::string> arguments;
  for_each_launch(description, [&](const KernelLaunch& launch) {
    (void)with_arguments(launch.kernel, [&](const std::string& name) {
      arguments.push_back(name);
      return name;
    });
  });
  std::string lines;
  for (std::size_t i = 0; i < description.tunables.size(); ++i) {
    const Tunable& tunable = description.tunables[i];
    if (std::ranges::find(arguments, tunable.name) != arguments.end()) continue;
    lines += fmt::format("#define {} {}\n", tunable.name, value_at(tunable, i, config).text);
  }
  return lines;
}

}  // namespace redtune::kernels
