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
    if (name == shared_name) return Value(limits_.max_shared_bytes);
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

/// A name as the kernel's text has it; nothing for a name of the text's own.
std::optional<std::string> text_of_name(const KernelDescription& description,
                                        const search::Point& config,
                                        const Surroundings& surroundings, std::string_view name) {
  for (std::size_t i = 0; i < description.tunables.size(); ++i) {
    const Tunable& tunable = description.tunables[i];
    if (tunable.name == name) return value_at(tunable, i, config).text;
  }
  const auto value = surroundings.value_of(name);
  return value ? std::optional(to_string(*value)) : std::nullopt;
}

/// A formula with the values that are the same for all configs in their places.
class BoundFormula {
 public:
  BoundFormula(const KernelDescription& description, const Formula& formula,
               const Surroundings& surroundings)
      : description_(&description), formula_(&formula) {
    for (const std::string& name : formula.expression.names()) {
      std::size_t axis = 0;
      while (axis < description.tunables.size() && description.tunables[axis].name != name) ++axis;
      if (axis < description.tunables.size()) asked_.push_back({values_.size(), axis});
      values_.push_back(surroundings.value_of(name).value_or(Value()));
    }
  }

  /// Axes that decide it, from the first one on.
  [[nodiscard]] std::size_t axes() const {
    std::size_t needed = 0;
    for (const Asked& one : asked_) needed = std::max(needed, one.axis + 1);
    return needed;
  }
  // Throw UsageError with the place.
  [[nodiscard]] Value value(const search::Point& config) {
    if (known_) return *known_;
    for (const Asked& one : asked_) {
      values_[one.place] =
          value_at(description_->tunables[one.axis], one.axis, config).number.value_or(Value());
    }
    const Value value = formula_->value(values_);
    if (asked_.empty()) known_ = value;
    return value;
  }
  [[nodiscard]] std::int64_t whole(const search::Point& config) {
    const Value number = value(config);
    return number.is_whole() ? number.numerator() : formula_->whole(values_);  // which says why not
  }

 private:
  struct Asked {
    std::size_t place;  // among the values
    std::size_t axis;
  };

  const KernelDescription* description_;
  const Formula* formula_;
  std::vector<Asked> asked_;
  std::vector<Value> values_;
  std::optional<Value> known_;  // of all configs
};

/// The geometry of a launch for any config.
class BoundLaunch {
 public:
  BoundLaunch(const KernelDescription& description, const KernelLaunch& launch,
              const Surroundings& surroundings)
      : shared_(description, launch.shared, surroundings) {
    for (std::size_t axis = 0; axis < launch.block.size(); ++axis) {
      block_.emplace_back(description, launch.block[axis], surroundings);
      grid_.emplace_back(description, launch.grid[axis], surroundings);
    }
  }

  /// Without its kernel and its arguments.
  [[nodiscard]] PlannedLaunch geometry(const search::Point& config) {
    PlannedLaunch plan;
    for (std::size_t axis = 0; axis < block_.size(); ++axis) {
      plan.block[axis] = block_[axis].whole(config);
      plan.grid[axis] = grid_[axis].whole(config);
    }
    plan.shared_bytes = shared_.whole(config);
    return plan;
  }

 private:
  std::vector<BoundFormula> block_;
  std::vector<BoundFormula> grid_;
  BoundFormula shared_;
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

PlannedLaunch planned(const KernelDescription& description, const KernelLaunch& launch,
                      const search::Point& config, const Surroundings& surroundings) {
  PlannedLaunch plan = BoundLaunch(description, launch, surroundings).geometry(config);
  plan.kernel = with_arguments(launch.kernel, [&](const std::string& name) {
    return text_of_name(description, config, surroundings, name).value_or(name);
  });
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
  if (launch.shared_bytes < 0 || launch.shared_bytes > limits.max_shared_bytes) {
    return fmt::format("{} bytes of shared memory are not there; a block of the device has 0 to {}",
                       launch.shared_bytes, limits.max_shared_bytes);
  }
  return {};
}

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

std::vector<std::string> kernels_of(const KernelPlan& plan, WithReferences references) {
  std::vector<std::string> names;
  for (const PlannedLaunch& launch : plan.launches) names.push_back(launch.kernel);
  if (references == WithReferences::no) return names;
  for (const PlannedLaunch& launch : plan.references) names.push_back(launch.kernel);
  return names;
}

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
  const Surroundings surroundings(description, sizes, limits);
  const auto bound = [&](const Formula& formula) {
    return BoundFormula(description, formula, surroundings);
  };
  KernelPlan plan;
  for (const KernelLaunch& launch : description.launches) {
    plan.launches.push_back(planned(description, launch, config, surroundings));
  }
  for (const KernelLaunch& launch : description.references) {
    plan.references.push_back(planned(description, launch, config, surroundings));
  }
  for (const KernelArgument& argument : description.arguments) {
    const std::int64_t amount = argument.fraction ? 0 : bound(argument.amount).whole(config);
    constexpr std::int64_t most_elements = std::int64_t{1} << 48;
    if (argument.is_memory() && (amount < 0 || amount > most_elements)) {
      refuse_at(argument.amount.place,
                fmt::format("{} has {} elements, which is no extent", argument.name, amount));
    }
    plan.amounts.push_back(amount);
  }
  if (description.traffic) {
    const Value bytes = bound(*description.traffic).value(config);
    plan.traffic =
        static_cast<double>(bytes.numerator()) / static_cast<double>(bytes.denominator());
  }
  return plan;
}

std::string why_invalid(const KernelDescription& description, const search::Point& config,
                        const SizeValues& sizes, const Limits& limits) {
  const Surroundings surroundings(description, sizes, limits);
  for (const Formula& requirement : description.requirements) {
    if (BoundFormula(description, requirement, surroundings).value(config).is_true()) continue;
    return fmt::format("it does not meet the requirement {}", requirement.expression.text());
  }
  for (const KernelLaunch& launch : description.launches) {
    const PlannedLaunch plan = BoundLaunch(description, launch, surroundings).geometry(config);
    std::string why = why_not_launched(plan, limits);
    if (!why.empty()) return why;
  }
  return {};
}

search::Space space_of(const KernelDescription& description, const SizeValues& sizes,
                       const Limits& limits) {
  std::vector<search::Axis> axes;
  for (const Tunable& tunable : description.tunables) axes.push_back(axis_of(tunable));
  // Without axes there is one config, and no prefix of it.
  if (axes.empty()) {
    return search::Space({}, [&](const search::Point& config) {
      return why_invalid(description, config, sizes, limits).empty();
    });
  }
  const Surroundings surroundings(description, sizes, limits);
  std::vector<search::Prefix> prefixes;
  for (const Formula& requirement : description.requirements) {
    BoundFormula bound(description, requirement, surroundings);
    const std::size_t needed = std::max<std::size_t>(bound.axes(), 1);
    prefixes.push_back({needed, [bound](const search::Point& config) mutable {
                          return bound.value(config).is_true();
                        }});
  }
  std::ranges::stable_sort(prefixes, {}, &search::Prefix::axes);
  std::vector<BoundLaunch> launches;
  for (const KernelLaunch& launch : description.launches) {
    launches.emplace_back(description, launch, surroundings);
  }
  const auto valid = [&](const search::Point& config) {
    return std::ranges::all_of(launches, [&](BoundLaunch& launch) {
      return why_not_launched(launch.geometry(config), limits).empty();
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
