// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels that a family offers for an operation on an architecture, whatever the shape, each as
// one config, and few of them: every two values that go together, and those that fill registers.
// For every family alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "tests/support/samples.hpp"

namespace redtune::checks {

/// Whole arrays, rows, columns, channels and segments of extents between which spaces change.
[[nodiscard]] inline std::vector<Shape> shapes_of_all_kinds() {
  std::vector<Shape> shapes;
  for (const int log2 : {10, 16, 20, 24, 30}) {
    shapes.push_back({.count = std::int64_t{1} << log2});
  }
  for (const std::int64_t length : {1, 3, 8, 16, 33, 128, 512, 2048, 8192, 1 << 16}) {
    for (const std::int64_t many : {2, 64, 1 << 20}) shapes.push_back(Shape::rows(many, length));
  }
  for (const std::int64_t columns : {3, 33, 1 << 12}) {
    shapes.push_back(Shape::columns(1 << 20, columns));
  }
  for (const std::int64_t length : {3, 16, 49, 512, 3136, 1 << 16}) {
    for (const std::int64_t batch : {2, 256}) {
      shapes.push_back(Shape::channels(batch, 64, length));
      shapes.push_back(Shape::channels(batch, 1 << 14, length));
    }
  }
  for (const std::int64_t length : {1, 4, 16, 100, 1000, 1 << 14}) {
    for (const Skew skew : {Skew::uniform, Skew::zipf}) {
      shapes.push_back(Shape::segments(length << 16, 1 << 16, 32, skew));
    }
  }
  return shapes;
}

/// The same kernel but for how it ends: all with all would be many that differ in nothing else.
[[nodiscard]] inline bool takes_turns(std::string_view tunable) {
  constexpr std::string_view ends[] = {"slot_stride", "slot_reader", "slot_wait", "exact_tiles"};
  return std::ranges::count(ends, tunable) > 0;
}

/// Whether no kernel differs in it: it is given at launch.
[[nodiscard]] inline bool is_of_launches(std::string_view tunable) {
  constexpr std::string_view given[] = {"blocks_per_unit",   "tile_order",         "blocks_per_row",
                                        "blocks_per_column", "blocks_per_channel", "early_start"};
  return std::ranges::count(given, tunable) > 0;
}

/// One config for each kernel of the spaces of these shapes; of those that differ in what takes
/// turns one. The problem's own shape is of no account.
[[nodiscard]] inline std::vector<Settings> offered_kernels(
    const kernels::Family& family, Problem problem, const Limits& limits,
    const std::vector<Shape>& shapes = shapes_of_all_kinds()) {
  std::vector<Setting> firsts;
  for (const kernels::TunableInfo& tunable : family.tunables()) {
    if (takes_turns(tunable.name)) firsts.push_back({tunable.name, tunable.values.front()});
  }
  std::map<std::vector<std::string>, std::set<std::vector<std::string>>> ends_of;
  std::map<std::vector<std::string>, Settings> all;
  std::set<search::Point> seen;
  for (const Shape& shape : shapes) {
    static_cast<Shape&>(problem) = shape;
    if (!family.serves(problem)) continue;
    const search::Space space = family.space(problem, limits);
    for (const search::Point& point : space.points()) {
      search::Point kernel = point;
      for (std::size_t axis = 0; axis < kernel.size(); ++axis) {
        if (is_of_launches(space.axes()[axis].name)) kernel.set(axis, 0);
      }
      if (!seen.insert(kernel).second) continue;
      Settings settings = family.settings_at(point);
      auto names = family.name_expressions(settings, problem, limits.wave_size);
      if (all.contains(names)) continue;
      Settings common = settings;
      for (Setting& setting : common) {
        const auto first = std::ranges::find(firsts, setting.name, &Setting::name);
        if (first != firsts.end()) setting = *first;
      }
      ends_of[family.name_expressions(common, problem, limits.wave_size)].insert(names);
      all.emplace(std::move(names), std::move(settings));
    }
  }
  std::vector<Settings> kernels;
  for (const auto& [common, ends] : ends_of) {
    const auto turn = static_cast<std::ptrdiff_t>(kernels.size() % ends.size());
    kernels.push_back(all.at(*std::next(ends.begin(), turn)));
  }
  return kernels;
}

/// What a family makes name expressions for. Where its kernels depend on more than settings and
/// types, both kinds in turn: segments with offsets of 32 and of 64 bits, small and large arrays.
[[nodiscard]] inline Problem with_shapes_in_turn(const kernels::Family& family,
                                                 const Problem& problem, std::size_t turn) {
  Problem shaped = problem;
  // Two kernels in a row often differ in their loads alone: both are for arrays of one size.
  for (const Shape& shape : {Shape::segments(1, 1, turn % 2 == 0 ? 32 : 64),
                             Shape{.count = std::int64_t{1} << (turn / 2 % 2 == 0 ? 10 : 30)}}) {
    static_cast<Shape&>(shaped) = shape;
    if (family.serves(shaped)) return shaped;
  }
  return problem;
}

/// What samples of kernels go by.
[[nodiscard]] inline Axes compiled_values(const Settings& settings) {
  Axes values;
  for (const Setting& setting : settings) {
    if (!is_of_launches(setting.name)) values.push_back(setting.value);
  }
  return values;
}

/// Few of them in which every two values of tunables occur together that do in any.
[[nodiscard]] inline std::vector<Settings> pairs_among(const std::vector<Settings>& kernels) {
  return every_pair(kernels, compiled_values);
}

/// The first from a place on, of those that a device with four fifths of the registers would not
/// allow: where compilers run out of them, if anywhere. A thread may have as many as before: by
/// that rules know whose device it is.
[[nodiscard]] inline std::optional<Settings> full_one(const std::vector<Settings>& kernels,
                                                      const kernels::Family& family,
                                                      const Problem& problem, Limits limits,
                                                      std::size_t place) {
  limits.registers_per_unit = limits.registers_per_unit / 5 * 4;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Settings& settings = kernels[(place + i) % kernels.size()];
    if (!family.why_invalid(settings, problem, limits).empty()) return settings;
  }
  return std::nullopt;
}

}  // namespace redtune::checks
