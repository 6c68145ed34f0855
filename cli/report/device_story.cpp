// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/device_story.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "cli/cache_common.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"

namespace redtune::cli {
namespace {

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

bool is_named(const cache::StoredBest& result, const std::string& text) {
  const DeviceClass& what = result.question.device_class;
  const std::string wanted = in_lower_case(text);
  const auto says = [&](const std::string& name) {
    return in_lower_case(name).find(wanted) != std::string::npos;
  };
  return says(result.device_name) || says(what.platform) || says(what.isa);
}

double bytes_moved(const Problem& problem) {
  try {
    return kernels::family_of(problem).bytes_moved(problem);
  } catch (const Error&) {
    return 0;  // only the file of a user's kernel tells
  }
}

Peak peak_of_result(const cache::StoredBest& stored, const std::optional<cache::ReadPeaks>& peaks) {
  if (!peaks || stored.best.gigabytes_per_second <= 0) return {};
  try {
    return peak_for(stored.question.problem, *peaks,
                    stored.question.device_class.last_level_cache_bytes);
  } catch (const Error&) {
    return {};
  }
}

/// Whole arrays first; then what differs in the order in which people look for it.
auto order_of(const cache::StoredBest& stored) {
  const Problem& problem = stored.question.problem;
  return std::tuple(kind_of_shape(problem) != "whole arrays", kind_of_shape(problem), problem.op,
                    problem.custom.name, problem.in, problem.acc, problem.out, problem.order,
                    problem.cache_mode, problem.count, problem.outer, problem.inner, problem.batch,
                    problem.segment_count, -stored.generation);
}

/// The same but for the count.
bool is_same_kind(const cache::Question& one, cache::Question other) {
  other.problem.count = one.problem.count;
  return one == other;
}

constexpr std::array coverage_powers{8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};

bool go_together(const OpInfo& op, const DTypeInfo& type) {
  const bool is_float = type.kind == DTypeKind::floating;
  return op.takes == Takes::any || (op.takes == Takes::floats) == is_float;
}

}  // namespace

double KnownResult::default_gbps() const {
  const cache::Best& best = stored.best;
  if (best.default_us <= 0 || best.time_us.median <= 0) return 0;
  return best.gigabytes_per_second * best.time_us.median / best.default_us;
}

std::vector<DeviceStory> device_stories(const cache::Store& store, const std::string& text) {
  const cache::Snapshot answers = store.bests();
  std::map<DeviceClass, std::vector<const cache::StoredBest*>> devices;
  for (const cache::StoredBest& entry : answers.entries) {
    if (is_named(entry, text)) devices[entry.question.device_class].push_back(&entry);
  }
  std::vector<DeviceStory> stories;
  for (auto& [device_class, entries] : devices) {
    const cache::StoredBest& newest = **std::ranges::max_element(
        entries, {}, [](const cache::StoredBest* entry) { return entry->generation; });
    DeviceStory story{.device = {.device_class = device_class,
                                 .toolchain = newest.question.toolchain,
                                 .name = newest.device_name},
                      .peaks = store.newest_peaks(device_class),
                      .results = {},
                      .borders = {}};
    std::ranges::stable_sort(entries, {}, [](const auto* entry) { return order_of(*entry); });
    std::set<Toolchain> toolchains;
    for (const cache::StoredBest* entry : entries) {
      const Problem& problem = entry->question.problem;
      toolchains.insert(entry->question.toolchain);
      story.results.push_back({.stored = *entry,
                               .name = describe(problem),
                               .differences = short_text(*entry),
                               .bytes = bytes_moved(problem),
                               .peak = peak_of_result(*entry, story.peaks)});
    }
    for (const cache::StoredBorder& border : answers.borders) {
      if (border.question.device_class == device_class) story.borders.push_back(border);
    }
    for (const cache::StoredPrediction& prediction : answers.predictions) {
      story.predictions += prediction.question.device_class == device_class ? 1U : 0U;
    }
    story.toolchains = toolchains.size();
    stories.push_back(std::move(story));
  }
  return stories;
}

std::vector<SizeClass> size_classes(const DeviceStory& device) {
  std::vector<SizeClass> classes;
  const auto border_above = [&](const KnownResult& result) -> const cache::Border* {
    const auto found =
        std::ranges::find(device.borders, result.stored.question, &cache::StoredBorder::question);
    return found == device.borders.end() ? nullptr : &found->border;
  };
  const KnownResult* before = nullptr;
  for (const KnownResult& result : device.results) {
    if (!is_whole_array(result.stored.question.problem)) continue;
    const bool follows =
        before != nullptr && is_same_kind(result.stored.question, before->stored.question);
    const cache::Border* border = follows ? border_above(*before) : nullptr;
    if (border != nullptr && border->above != result.stored.question.problem.count)
      border = nullptr;
    if (follows && before->stored.best.settings == result.stored.best.settings) {
      classes.back().last = &result;
      ++classes.back().results;
    } else {
      if (border != nullptr) classes.back().to = border->first - 1;
      classes.push_back({.first = &result, .last = &result, .results = 1, .from = {}, .to = {}});
      if (border != nullptr) classes.back().from = border->first;
    }
    before = &result;
  }
  return classes;
}

std::vector<std::int64_t> coverage_counts() {
  std::vector<std::int64_t> counts;
  for (const int power : coverage_powers) counts.push_back(std::int64_t{1} << power);
  return counts;
}

std::vector<CoverageRow> coverage_of(const cache::Snapshot& answers, const DeviceStory& device) {
  const std::vector<cache::LoadedLayer> layers{
      {cache::Layer{.name = "report", .snapshot = "report", .trust = cache::Trust::named},
       cache::open_snapshot(cache::to_bytes(answers), "report")}};
  const Limits limits = runtime::limits_of(device.device);
  std::vector<CoverageRow> rows;
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& type : all_dtypes()) {
      if (!go_together(op, type)) continue;
      CoverageRow row{.name = fmt::format("{} {}", op.name, type.name), .matches = {}};
      for (const std::int64_t count : coverage_counts()) {
        const Problem problem = make_problem(op.op, type.dtype, count);
        row.matches.push_back(
            runtime::resolve_in(layers, problem, {device.device, limits}, {}).answer.match);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string operator_name(const Problem& problem) {
  return is_users_own(problem.op) ? problem.custom.name : std::string(to_string(problem.op));
}

std::string variant_of(const Problem& problem) {
  std::string name(to_string(problem.in));
  if (!is_users_own(problem.op)) {
    const Problem usual = make_problem(problem.op, problem.in, 1);
    if (problem.acc != usual.acc) name += fmt::format(" in {}", to_string(problem.acc));
    if (problem.out != usual.out) name += fmt::format(" to {}", to_string(problem.out));
  }
  if (problem.order != Order::fixed) name += fmt::format(", order {}", to_string(problem.order));
  if (problem.cache_mode != CacheMode::cold) name += ", warm";
  if (is_segmented(problem) && problem.skew != Skew::uniform) {
    name += fmt::format(", {}", to_string(problem.skew));
  }
  return name;
}

std::string kind_of_shape(const Shape& shape) {
  if (is_whole_array(shape)) return "whole arrays";
  if (is_segmented(shape)) return "segments";
  if (shape.batch != 1) return "channels of batches";
  if (are_rows(shape)) return "rows";
  return shape.outer == 1 ? "columns" : "middle axes";
}

double size_for_chart(const KnownResult& result) {
  const Problem& problem = result.stored.question.problem;
  if (is_whole_array(problem)) return static_cast<double>(input_bytes(problem));
  return static_cast<double>(is_segmented(problem) ? mean_length(problem)
                                                   : elements_of_result(problem));
}

}  // namespace redtune::cli
