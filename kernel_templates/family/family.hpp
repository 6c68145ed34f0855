// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One kernel template with its config, its validity rule and its launch geometry, seen from outside
// as points, settings and plans. A new family is one implementation and one row in registry.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/family/launch_plan.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "search/space.hpp"

namespace redtune::kernels {

/// A tunable as people see it.
struct TunableInfo {
  std::string name;
  std::vector<std::string> values;
};

/// A kernel that does what every config must do at least, and gives no result: arguments are in,
/// the number of all elements and a place of so many bytes to leave values in.
struct FloorKernel {
  std::string name;   ///< a name expression
  std::string shape;  ///< for people
  std::int64_t grid = 1;
  int block = 1;
  std::size_t bytes = 0;
};

/// Gaps matter little, but for whether there are any and for the alignment of what lies behind
/// them: other lanes load it then, and no result of one class is one for another.
[[nodiscard]] std::uint32_t gap_class(const Shape& shape);

class Family {
 public:
  virtual ~Family() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// Whether its kernels do what a problem asks for.
  [[nodiscard]] virtual bool serves(const Problem& problem) const = 0;
  /// Bytes that the device's memory has to move, whatever the config: speeds are told by them.
  /// The input, all results and offsets, unless a family says otherwise.
  [[nodiscard]] virtual double bytes_moved(const Problem& problem) const;
  /// Bytes of the device's memory that inputs and results of a problem take, the config aside.
  [[nodiscard]] virtual std::size_t bytes_held(const Problem& problem) const;
  /// How far apart two shapes are, for whoever looks for the nearest that is known: 0 for the same,
  /// and for each factor of two in one of their extents twice its weight.
  [[nodiscard]] virtual double distance(const Shape& one, const Shape& other) const;
  /// What a factor of two in each extent counts in it.
  struct ExtentWeights {
    double count = 1;
    double outer = 1;
    double inner = 1;
    double batch = 1;
  };
  [[nodiscard]] virtual ExtentWeights extent_weights() const { return {}; }
  /// The regime that a shape of elements of so many bytes is in: what is best in one says nothing
  /// of another, however near two shapes are.
  [[nodiscard]] virtual std::uint32_t regime(const Shape&, std::size_t /*element_bytes*/,
                                             const Limits&) const {
    return 0;
  }
  /// Whether what was tuned for one shape of a regime is worth more than the default for another,
  /// of elements of so many bytes.
  [[nodiscard]] virtual bool tells_of(const Shape& /*tuned*/, const Shape& /*asked*/,
                                      std::size_t /*element_bytes*/) const {
    return true;
  }
  /// Shapes whose defaults do for all shapes: each for those of its regime that are nearest to it.
  /// None where one default does for all.
  [[nodiscard]] virtual std::vector<Shape> typical_shapes(const Limits&) const { return {}; }
  /// The whole device program, includes resolved, ready for a run-time compiler: the same for all
  /// built-in operators. Throws UsageError for a custom operator's text that cannot be one.
  [[nodiscard]] virtual std::string device_text(const Problem& problem) const = 0;
  /// What stands before it for a config, where not all of its tunables are template arguments.
  [[nodiscard]] virtual std::string config_text(const Settings&) const { return {}; }
  [[nodiscard]] virtual std::vector<TunableInfo> tunables() const = 0;

  /// Tunables, by their places, whose product counts by itself.
  [[nodiscard]] virtual std::vector<search::Product> products() const { return {}; }
  /// The valid configs for a problem on a device of these limits.
  [[nodiscard]] virtual search::Space space(const Problem& problem, const Limits& limits) const = 0;
  /// The config used where nothing is tuned; always valid.
  [[nodiscard]] virtual Settings default_settings(const Problem& problem,
                                                  const Limits& limits) const = 0;
  /// Configs worth trying first: those of the vendor's own library on a device of this ISA, and
  /// what is known from other devices. All in the space, possibly none.
  [[nodiscard]] virtual std::vector<Settings> known_shapes(const Problem&, const Limits&,
                                                           std::string_view /*isa*/) const {
    return {};
  }
  /// What reads `to`'s input in pieces of as many bytes as these settings read `from`'s. The
  /// settings themselves where elements are of one size; nothing where no config does.
  [[nodiscard]] virtual std::optional<Settings> of_same_bytes(const Settings& settings,
                                                              const Problem& from,
                                                              const Problem& to) const {
    if (size_of(from.in) != size_of(to.in)) return std::nullopt;
    return settings;
  }
  [[nodiscard]] virtual Settings settings_at(const search::Point& point) const = 0;
  /// Throws UsageError for unknown names and values.
  [[nodiscard]] virtual search::Point point_of(const Settings& settings) const = 0;
  /// All tunables of a stored result. One from before a tunable existed gets what was done then on
  /// a device of these limits. Throws UsageError for unknown names and values.
  [[nodiscard]] virtual Settings completed(const Settings& stored, const Limits& limits) const = 0;
  /// Empty when the config may run, else why it may not; the rule every stored config passes again.
  [[nodiscard]] virtual std::string why_invalid(const Settings& settings, const Problem& problem,
                                                const Limits& limits) const = 0;
  /// Whether the space for a problem has a config, without listing it: not where it is known to be
  /// unable to win there, or to be the same as another. Else the space has all that may run.
  [[nodiscard]] virtual bool is_in_space(const Settings& settings, const Problem& problem,
                                         const Limits& limits) const {
    return why_invalid(settings, problem, limits).empty();
  }
  /// Values of tunables that no config of a problem's operator and types has, whatever its shape
  /// and the device, as far as predictions had better know of them: its trials say nothing of
  /// these.
  [[nodiscard]] virtual Settings impossible_values(const Problem&) const { return {}; }
  /// What one block takes at once, where it takes all; behind that it goes around again, which has
  /// never won on a GPU: docs/decisions/0103, 0109. Nothing where more elements have more blocks,
  /// and on processors, where a block may be one thread, which goes around all its life.
  [[nodiscard]] virtual std::optional<std::int64_t> elements_at_once(
      const Settings& /*settings*/, const Limits& /*limits*/) const {
    return std::nullopt;
  }
  /// Whether a config that won at a count folds each other one in another way, so that it says
  /// little of them: what does is tuned beside it, see tuner/session/border_search.hpp.
  [[nodiscard]] virtual bool is_for_its_count(const Settings& /*settings*/,
                                              const Limits& /*limits*/) const {
    return false;
  }
  /// The count behind which a config that won at a problem's is slower by a jump, since what comes
  /// next is folded in another way. Nothing where none is known.
  [[nodiscard]] virtual std::optional<std::int64_t> last_before_jump(const Settings& settings,
                                                                     const Problem& /*problem*/,
                                                                     const Limits& limits) const {
    return elements_at_once(settings, limits);
  }
  /// Whether configs that are equally fast may differ by much where an input begins within a
  /// vector, so that finalists had better be timed there, too.
  [[nodiscard]] virtual bool is_timed_displaced(const Problem&) const { return false; }
  /// Shapes at which a config may go wrong, small enough to be tried by the dozen: nothing, one
  /// element, around everything that it does at a time. problem's shape is of no account.
  [[nodiscard]] virtual std::vector<Shape> edge_shapes(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const = 0;

  /// What bounds the times of all configs from below, in the shape of this config and others that
  /// are worth trying; none where nobody knows.
  [[nodiscard]] virtual std::vector<FloorKernel> floor_kernels(const Settings&, const Problem&,
                                                               const Limits&) const {
    return {};
  }
  /// The smallest count for which the same settings have other kernels, if there is one. Both are
  /// right for any count.
  [[nodiscard]] virtual std::optional<std::int64_t> first_of_other_kernels(const Problem&) const {
    return std::nullopt;
  }
  /// The instantiations a config needs, as name expressions for a run-time compiler: for the
  /// problem's operator and types, and on which side of first_of_other_kernels() its count is.
  [[nodiscard]] virtual std::vector<std::string> name_expressions(const Settings& settings,
                                                                  const Problem& problem,
                                                                  int wave_size) const = 0;
  /// How the config runs, for every shape; problem's is of no account. Throws UsageError for
  /// unknown names and values.
  [[nodiscard]] virtual std::unique_ptr<const Planner> planner(const Settings& settings,
                                                               const Problem& problem,
                                                               const Limits& limits) const = 0;
};

/// The point of stored settings; nothing for those that only another version of redtune knows.
[[nodiscard]] std::optional<search::Point> known_point(const Family& family,
                                                       const Settings& settings);

/// All families of reductions; names are unique.
[[nodiscard]] std::span<const Family* const> all_families();

/// Adds a family that serves one kernel of a user's to those below, for as long as the process
/// lives: it stands before one of the same name that came earlier, which stays valid.
const Family& adopt_family(std::unique_ptr<const Family> family);

/// Throws UsageError that lists the known names.
[[nodiscard]] const Family& find_family(std::string_view name);

/// The first that serves a problem. Throws UsageError when none does.
[[nodiscard]] const Family& family_of(const Problem& problem);

}  // namespace redtune::kernels
