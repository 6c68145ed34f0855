// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/workload_options.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string_view>

#include "cli/question.hpp"
#include "redtune/error.hpp"
#include "tuner/workload/lists.hpp"
#include "tuner/workload/order.hpp"
#include "tuner/workload/standard_set.hpp"
#include "tuner/workload/workload_file.hpp"

namespace redtune::cli {
namespace {

/// Options that name problems, and those that say more of problems that are named.
constexpr std::array<std::string_view, 12> naming{"op",    "op-source", "type",    "count",
                                                  "shape", "axis",      "strides", "row-lengths",
                                                  "total", "segments",  "skew",    "offset-bits"};
/// Options of which one says how many elements.
constexpr std::array<std::string_view, 3> sizing{"count", "shape", "row-lengths"};
constexpr std::array<std::string_view, 4> choosing{"acc", "out", "order", "cache-mode"};

/// The first of them that is given; empty: none is.
std::string_view first_given(const Options& options, std::span<const std::string_view> names) {
  const auto first = std::ranges::find_if(
      names, [&](const std::string_view name) { return options.is_given(name); });
  return first == names.end() ? std::string_view() : *first;
}

/// --wanted says all of it.
void require_nothing_named(const Options& options) {
  if (options.has("workload")) {
    throw UsageError("--wanted and --workload both say what is to be tuned; leave one of them out");
  }
  for (const auto names : std::array<std::span<const std::string_view>, 2>{naming, choosing}) {
    const std::string_view given = first_given(options, names);
    if (given.empty()) continue;
    throw UsageError(fmt::format(
        "--wanted and --{} both say what is to be tuned; leave one of them out", given));
  }
}

Workload workload_of_file(const Options& options) {
  for (const auto names : std::array<std::span<const std::string_view>, 2>{naming, choosing}) {
    const std::string_view given = first_given(options, names);
    if (given.empty()) continue;
    throw UsageError(fmt::format(
        "--workload and --{} both say what is to be tuned; leave one of them out", given));
  }
  const std::string file = options.text("workload");
  return workload_from_toml(read_text(file), file);
}

void require_one_size(const Options& options) {
  std::string_view first;
  if (options.is_given("segments") && options.is_given("row-lengths")) {
    throw UsageError(
        "--row-lengths and --segments both say what is reduced; leave one of them out");
  }
  for (const std::string_view name : sizing) {
    if (!options.is_given(name)) continue;
    if (!first.empty()) {
      throw UsageError(fmt::format(
          "--{} and --{} both say how many elements; leave one of them out", first, name));
    }
    first = name;
  }
}

std::vector<Shape> shapes_named(const Options& options) {
  require_one_size(options);
  if (options.is_given("total") && !options.has("row-lengths")) {
    throw UsageError("--total is of rows; name their lengths by --row-lengths");
  }
  if (options.has("shape")) {
    (void)segments_of(options, 0);  // of an array they are a mistake
    return shapes_of_arrays(parse_arrays(options.text("shape")), array_axes_of(options));
  }
  (void)shape_of(options);  // axes of nothing are a mistake
  if (options.has("row-lengths")) {
    return rows_of_total(parse_counts(options.text("row-lengths")),
                         parse_count(options.text("total")));
  }
  const std::vector<std::int64_t> counts = parse_counts(options.text("count"));
  std::vector<Shape> shapes;
  if (!options.has("segments")) {
    (void)segments_of(options, 0);  // what is of segments is a mistake
    for (const std::int64_t count : counts) shapes.push_back({.count = count});
    return shapes;
  }
  return segments_of_counts(counts, parse_counts(options.text("segments")),
                            {offset_bits_of(options), skew_of(options)});
}

Workload workload_of_lists(const Options& options, const ProblemChoices& choices) {
  ProblemLists lists{.ops = {},
                     .types = parse_dtypes(options.text("type")),
                     .counts = {},
                     .choices = choices,
                     .shapes = shapes_named(options)};
  require_one_operator(options);
  if (options.has("op-source")) {
    lists.ops = {read_operator(options.text("op-source"))};
  } else {
    for (const Op op : parse_ops(options.text("op"))) lists.ops.emplace_back(op);
  }
  ListedProblems listed = problems_of(lists);
  Workload workload{.name = "the command line", .items = {}, .left_out = listed.left_out};
  for (Problem& problem : listed.problems) workload.items.push_back({std::move(problem)});
  return workload;
}

}  // namespace

std::optional<Workload> named_workload(const Options& options) {
  if (options.has("wanted")) {
    require_nothing_named(options);
    return std::nullopt;
  }
  if (options.has("wanted-in")) {
    throw UsageError("--wanted-in is a folder for --wanted: give both, or neither");
  }
  if (options.has("untried")) {
    throw UsageError("--untried leaves out some of what --wanted names: give both, or neither");
  }
  const ProblemChoices choices = choices_of(options);  // an unknown name is the first mistake
  if (options.has("workload")) return workload_of_file(options);
  if (!first_given(options, naming).empty()) return workload_of_lists(options, choices);
  if (const std::string_view chosen = first_given(options, choosing); !chosen.empty()) {
    throw UsageError(fmt::format(
        "--{} is of problems that are named; name them by --op, --type, --count, --shape or "
        "--row-lengths",
        chosen));
  }
  return std::nullopt;
}

Workload workload_on(const DeviceClass& device_class, const Options& options,
                     const std::optional<Workload>& named) {
  Workload workload = named ? *named : standard_set(device_class);
  workload.items = in_order_of_tuning(workload.items, device_class.last_level_cache_bytes);
  if (options.is_given("budget")) {
    for (WorkloadItem& item : workload.items) item.budget = options.text("budget");
  }
  return workload;
}

std::string budget_of(const Options& options) {
  if (options.is_given("budget")) return options.text("budget");
  return options.has("record") ? "unlimited" : "auto";  // a recording is of the whole space
}

}  // namespace redtune::cli
