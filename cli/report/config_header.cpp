// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/config_header.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

#include "cli/report/kernel_constants.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "redtune/version.hpp"
#include "runtime/resolve.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view vocabulary = R"(
#include <cstdint>

namespace tuned_reductions {

/// How a kernel is launched that reads so many elements.
struct geometry {
  std::int64_t grid;  ///< blocks; as many partial results must fit into 'partials'
  std::int64_t run;   ///< tiles each block takes in a row; 0: dealt round-robin
  std::int64_t slot_bytes;  ///< that 'slots' must have
};

/// What was fastest for about so many elements. Right for any count, fastest near its own.
struct config {
  std::int64_t up_to;  ///< the largest count that it is meant for
  std::int64_t count;  ///< that it was tuned with
  int block;           ///< threads of a block
  std::int64_t tile;   ///< elements that a block loads at a time
  int blocks_per_unit;       ///< 0: a block for each tile
  std::int64_t most_blocks;  ///< of any grid
  int multiple_of;           ///< blocks of a cluster
  bool in_runs;              ///< blocks take runs of tiles
  std::int64_t slot_bytes_per_block;  ///< of 'slots'
  std::int64_t slot_bytes;            ///< and these, whatever the grid
  const char* settings;      ///< for people

  constexpr geometry launch_for(std::int64_t elements, int compute_units) const {
    const std::int64_t tiles = (elements + tile - 1) / tile;
    std::int64_t most = std::int64_t{blocks_per_unit} * compute_units;
    most = blocks_per_unit == 0 || most > most_blocks ? most_blocks : (most < 1 ? 1 : most);
    std::int64_t grid = tiles < 1 ? 1 : tiles;
    if (tiles > most) {
      const std::int64_t each = (tiles + most - 1) / most;
      grid = (tiles + each - 1) / each;
    }
    grid = (grid + multiple_of - 1) / multiple_of * multiple_of;
    return {grid, in_runs ? (tiles + grid - 1) / grid : 0,
            slot_bytes + slot_bytes_per_block * grid};
  }
};

/// Index of the config that is meant for a count: of neighbours the one on its side of the border
/// that was measured between them, or else the nearer one on a log scale.
template <class Reduction>
constexpr int index_for(std::int64_t count) {
  int index = 0;
  while (Reduction::configs[index].up_to < count) ++index;
  return index;
}

)";

/// Results of one kind of problem, which differ in their counts only.
using ByCount = std::map<std::int64_t, cache::StoredBest>;

/// All that tells a problem from others but its count, as a name.
std::string name_of(const Problem& problem) {
  const Problem usual = make_problem(problem.op, problem.in, problem.count);
  std::string name = fmt::format("{}_{}", to_string(problem.op), to_string(problem.in));
  if (problem.acc != usual.acc) name += fmt::format("_in_{}", to_string(problem.acc));
  if (problem.out != usual.out) name += fmt::format("_to_{}", to_string(problem.out));
  if (problem.order != Order::fixed) name += fmt::format("_{}_order", to_string(problem.order));
  if (problem.cache_mode != CacheMode::cold) name += "_warm";
  return name;
}

/// Where two counts are equally far on the scale of look-up, log2(count + 1).
std::int64_t middle(std::int64_t low, std::int64_t high) {
  const double product = (static_cast<double>(low) + 1) * (static_cast<double>(high) + 1);
  return std::clamp(static_cast<std::int64_t>(std::sqrt(product)) - 1, low, high - 1);
}

/// The largest count that the smaller's config is meant for.
std::int64_t last_of(const cache::StoredBest& low, const cache::StoredBest& high,
                     std::span<const cache::StoredBorder> borders) {
  const auto measured = std::ranges::find_if(borders, [&](const cache::StoredBorder& border) {
    return cache::is_between(border, low, high) && cache::is_plausible(border);
  });
  if (measured != borders.end()) return measured->border.first - 1;
  return middle(low.question.problem.count, high.question.problem.count);
}

std::string config_text(const cache::StoredBest& result, const std::string& up_to,
                        const Limits& limits) {
  const Problem& problem = result.question.problem;
  const auto planner =
      kernels::find_family(result.question.family).planner(result.best.settings, problem, limits);
  const auto [rule, slots] = planner->rules().value();
  const auto reads = std::ranges::find(planner->calls(), 0u, &kernels::KernelCall::kernel);
  return fmt::format("      {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {},\n       \"{}\"}},\n", up_to,
                     problem.count, reads->block, rule.tile, rule.blocks_per_unit, rule.most_blocks,
                     rule.multiple_of, rule.runs == kernels::Runs::of_tiles, slots.bytes_per_block,
                     slots.bytes, to_string(result.best.settings));
}

std::string_view argument_text(std::string_view name) {
  if (name == "run") return "how.run";
  return name == "partial_count" ? "static_cast<int>(how.grid)" : name;
}

/// The launches of one config, as a case of a switch.
std::string case_text(int index, const cache::StoredBest& result, const Limits& limits) {
  const kernels::Family& family = kernels::find_family(result.question.family);
  const Problem& problem = result.question.problem;
  const auto names = family.name_expressions(result.best.settings, problem, limits.wave_size);
  const auto planner = family.planner(result.best.settings, problem, limits);
  std::string text = fmt::format("      case {}:\n", index);
  for (const kernels::KernelCall& call : planner->calls()) {
    text += fmt::format("        launch(&{},\n               {}, {}", names[call.kernel],
                        call.kernel == 0 ? "how.grid" : fmt::format("{}", call.grid), call.block);
    for (const kernels::Argument argument : call.arguments) {
      text += fmt::format(", {}", argument_text(name_of(argument, planner->scalars())));
    }
    text += ");\n";
  }
  return text + "        break;\n";
}

std::string reduction_text(const std::string& name, const ByCount& results,
                           std::span<const cache::StoredBorder> borders) {
  const cache::StoredBest& first = results.begin()->second;
  const Limits limits = runtime::limits_of(
      {.device_class = first.question.device_class, .toolchain = first.question.toolchain});
  std::string configs;
  std::string cases;
  int index = 0;
  for (auto at = results.begin(); at != results.end(); ++at, ++index) {
    const auto next = std::next(at);
    const std::string up_to = next == results.end()
                                  ? "INT64_MAX"
                                  : fmt::format("{}", last_of(at->second, next->second, borders));
    configs += config_text(at->second, up_to, limits);
    cases += case_text(index, at->second, limits);
  }
  return fmt::format(R"(struct {0} {{
  static constexpr config configs[] = {{
{1}  }};
  static constexpr const config& for_count(std::int64_t count) {{
    return configs[index_for<{0}>(count)];
  }}

#if defined(REDTUNE_KERNEL)
  /// Calls launch(kernel, grid, block, arguments...) once or twice: the launches of a reduction, to
  /// be queued one after another. All pointers are to device memory; 'slots' and 'counter' are zero
  /// before the first launch, and again after each. 'slots' is aligned to 128 bytes.
  template <class Launch, class In, class Out, class Partial>
  static void reduce(const Launch& launch, int compute_units, const In* in, std::int64_t count,
                     Out* out, Partial* partials, unsigned long long* slots, unsigned* counter) {{
    const int index = index_for<{0}>(count);
    const geometry how = configs[index].launch_for(count, compute_units);
    switch (index) {{
{2}    }}
    (void)partials;
    (void)slots;
    (void)counter;
  }}
#endif
}};

)",
                     name, configs, cases);
}

/// In a comment nothing must end the line.
std::string comment(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == '\\'; }, '?');
  return text;
}

std::string head_text(const cache::StoredBest& result) {
  const DeviceClass& what = result.question.device_class;
  return comment(fmt::format("for {}, {} {}, {} compute units, waves of {}", result.device_name,
                             what.platform, what.isa, what.compute_units, what.wave_size));
}

/// Whether its launches follow from a count alone, as a header can tell them.
bool has_rules(const cache::StoredBest& result) {
  const cache::Question& question = result.question;
  const Limits limits =
      runtime::limits_of({.device_class = question.device_class, .toolchain = question.toolchain});
  return kernels::find_family(question.family)
      .planner(result.best.settings, question.problem, limits)
      ->rules()
      .has_value();
}

void require_one_device(std::span<const cache::StoredBest> results) {
  std::set<DeviceClass> classes;
  std::set<std::string> names;
  for (const cache::StoredBest& result : results) {
    if (!classes.insert(result.question.device_class).second) continue;
    names.insert(fmt::format("{} {}", result.device_name, result.question.device_class.isa));
  }
  if (classes.empty()) throw UsageError("there is no result to write; run: redtune tune");
  if (classes.size() == 1) return;
  const std::vector<std::string_view> list(names.begin(), names.end());
  throw UsageError(fmt::format("a header is for one device; choose one of {} with --device: {}",
                               classes.size(), join(list)));
}

std::string reductions_text(const DeviceClass& device,
                            const std::map<std::string, ByCount>& reductions,
                            std::span<const cache::StoredBorder> borders) {
  std::string text(vocabulary);
  text += fmt::format(
      "/// Of the device that this was tuned on.\ninline constexpr int compute_units = {};\n",
      device.compute_units);
  text += fmt::format("inline constexpr int wave_size = {};\n\n", device.wave_size);
  for (const auto& [name, by_count] : reductions) text += reduction_text(name, by_count, borders);
  return text + "}  // namespace tuned_reductions\n";
}

}  // namespace

std::string header_text(std::span<const cache::StoredBest> results,
                        std::span<const cache::StoredBorder> borders) {
  require_one_device(results);
  std::map<std::string, ByCount> reductions;
  const KernelConstants kernels(results);
  std::string left_out;
  for (const std::string& one : kernels.left_out()) {
    left_out += comment(fmt::format("// Left out: {}", one)) + '\n';
  }
  for (const cache::StoredBest& result : results) {
    const Problem& problem = result.question.problem;
    if (problem.op == Op::kernel) continue;
    if (problem.op == Op::custom || !has_rules(result)) {
      left_out += comment(fmt::format("// Left out: {}", describe(problem))) + '\n';
      continue;
    }
    const auto [at, is_new] = reductions[name_of(problem)].try_emplace(problem.count, result);
    if (!is_new && at->second.generation < result.generation) at->second = result;
  }
  std::string text = fmt::format(
      "// Fastest {} {}.\n// Written by redtune {} (redtune cache export --format c++); "
      "write it again instead of changing it.\n{}#pragma once\n",
      reductions.empty() && !kernels.is_empty() ? "kernels" : "reductions",
      head_text(results.front()), version, left_out);
  if (!reductions.empty() || kernels.is_empty()) {
    text += reductions_text(results.front().question.device_class, reductions, borders);
  }
  if (!kernels.is_empty()) text += kernels.text();
  return text;
}

}  // namespace redtune::cli
