// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/code_objects.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <tuple>
#include <utility>

#include "cache/keys/sha256.hpp"
#include "kernel_templates/family/argument_layout.hpp"
#include "redtune/version.hpp"
#include "vocabulary/described.hpp"

namespace redtune::cli {
namespace {

using kernels::Argument;

constexpr std::string_view grid_in_words =
    "tiles = ceil(count / tile); largest = most_blocks where blocks_per_unit is 0, else "
    "blocks_per_unit * compute units, at least 1, at most most_blocks; grid = max(1, tiles) where "
    "tiles <= largest, else ceil(tiles / ceil(tiles / largest)); grid is rounded up to a multiple "
    "of multiple_of; run = ceil(tiles / grid) where runs is true, else 0; partial_count = grid";

constexpr std::string_view own_grid_in_words =
    "any other grid from 1 to most_blocks that is a multiple of multiple_of is right as well, "
    "with run = 0, which deals the tiles round-robin, or with run = ceil(tiles / grid), where each "
    "block takes so many in a row; with a smaller run that is not 0 elements are left out. Floats "
    "are added in another order than in redtune's grid";

constexpr std::string_view sizes_in_words =
    "each formula is an expression of Python in whole numbers, none of them negative: of extents, "
    "compute_units (at least 1) and names of formulas before it. ceil_div(a, b) is a / b rounded "
    "up; power_up(a) and power_down(a) are the next power of two that is not less, and not more; "
    "gcd, min and max are as usual. A launch whose grid is 'grid' has that of the formulas; an "
    "argument that is no buffer has the extent or the formula of its name";

/// The widest stride of slots.
constexpr int slot_alignment = 128;

bool is_indexed(const Operation& problem) {
  return info(problem.op).shape == ResultShape::indexed;
}

/// The members of a result: a number, a number and its index, or several numbers.
Json layout_of(const Operation& problem) {
  Json members = Json::array();
  for (const auto& [name, type, offset] : values_of_result(problem)) {
    members.push_back({{"name", name}, {"type", to_string(type)}, {"offset", offset}});
  }
  if (is_indexed(problem)) {
    members.push_back({{"name", "index"}, {"type", "i64"}, {"offset", sizeof(std::int64_t)}});
  }
  return members;
}

/// Of a partial result: where it has several members, they are the kernels' own affair.
Json layout_of_partial(const Problem& problem) {
  Operation of_partials = problem;
  of_partials.out = problem.acc;
  if (!is_joint(problem)) return layout_of(of_partials);
  return Json::array({{{"name", "words"},
                       {"type", "u32"},
                       {"offset", 0},
                       {"count", accumulator_bytes(problem) / sizeof(std::uint32_t)}}});
}

std::size_t alignment_of(const Problem& problem, DType type) {
  return is_indexed(problem) ? alignof(std::int64_t) : size_of(type);
}

std::size_t alignment_of_result(const Problem& problem) {
  std::size_t widest = alignment_of(problem, problem.out);
  for (const ResultValue& value : values_of_result(problem)) {
    widest = std::max(widest, size_of(value.type));
  }
  return widest;
}

constexpr std::string_view zero_at_first =
    "zero before the first launch; the kernels leave it zero again";

/// Where each segment begins, or ends.
Json offsets_of(const Problem& problem, std::string_view side) {
  return {
      {"elements", "segments"},
      {"element_bytes", problem.offset_bits / 8},
      {"alignment", problem.offset_bits / 8},
      {"initially", fmt::format("the index in the input where each segment {}; only read", side)}};
}

/// Where a launcher may have grids of its own there is a partial result for each block; elsewhere
/// what lies there is the kernels' own affair.
Json partials_of(const Problem& problem, bool has_own_grids) {
  if (!has_own_grids) {
    return {{"elements", "partials_bytes"},
            {"element_bytes", 1},
            {"alignment", slot_alignment},
            {"initially", "anything"}};
  }
  return {
      {"elements", "grid"},
      {"element_bytes", accumulator_bytes(problem)},
      {"alignment", is_joint(problem) ? sizeof(std::uint64_t) : alignment_of(problem, problem.acc)},
      {"layout", layout_of_partial(problem)},
      {"initially", "anything"}};
}

Json buffers_of(const Problem& problem, const kernels::SizeRules& rules, bool has_own_grids) {
  Json buffers{{"in",
                {{"elements", rules.in_elements},
                 {"element_bytes", size_of(problem.in)},
                 {"alignment", size_of(problem.in)},
                 {"initially", "the input; only read; nothing beyond its ends is touched"}}},
               {"out",
                {{"elements", rules.results},
                 {"element_bytes", result_bytes(problem)},
                 {"alignment", alignment_of_result(problem)},
                 {"layout", layout_of(problem)},
                 {"initially", "anything: the launches write all of it"},
                 {"afterwards", "the results, complete when the last launch has ended"}}},
               {"partials", partials_of(problem, has_own_grids)},
               {"slots",
                {{"elements", "slots_bytes"},
                 {"element_bytes", 1},
                 {"alignment", slot_alignment},
                 {"initially", zero_at_first}}},
               {"counter",
                {{"elements", "1"},
                 {"element_bytes", sizeof(std::uint32_t)},
                 {"alignment", sizeof(std::uint32_t)},
                 {"initially", zero_at_first}}}};
  if (is_segmented(problem)) {
    buffers["begins"] = offsets_of(problem, "begins");
    buffers["ends"] = offsets_of(problem, "ends");
  }
  return buffers;
}

std::string type_of(Argument argument, const Problem& problem) {
  const auto shaped = [&](DType type) {
    if (is_indexed(problem)) return fmt::format("{{{}, i64}}*", to_string(type));
    return fmt::format("{}*", to_string(type));
  };
  const auto several = [&] {
    std::string types;
    for (const ResultValue& value : values_of_result(problem)) {
      types += fmt::format("{}{}", types.empty() ? "" : ", ", to_string(value.type));
    }
    return fmt::format("{{{}}}*", types);
  };
  switch (argument) {
    case Argument::in:
      return fmt::format("const {}*", to_string(problem.in));
    case Argument::begins:
    case Argument::ends:
      return fmt::format("const i{}*", problem.offset_bits);
    case Argument::out:
      return values_of_result(problem).size() > 1 ? several() : shaped(problem.out);
    case Argument::partials:
      return is_joint(problem) ? "words*" : shaped(problem.acc);
    case Argument::slots:
      return "u64*";
    case Argument::counter:
      return "u32*";
    case Argument::plan:  // no kernel that is compiled to a file has one
    case Argument::scalar:
      break;
  }
  return "?";
}

Json arguments_of(const kernels::KernelCall& call, const kernels::Scalars& scalars,
                  const Problem& problem) {
  Json arguments = Json::array();
  for (const auto& [argument, offset, bytes] : kernels::layout_of(call, scalars)) {
    const bool is_scalar = kernels::scalar_index(argument).has_value();
    arguments.push_back(
        {{"index", arguments.size()},
         {"name", name_of(argument, scalars)},
         {"offset", offset},
         {"bytes", bytes},
         {"alignment", bytes},
         {"type", is_scalar ? fmt::format("i{}", 8 * bytes) : type_of(argument, problem)},
         {"meaning", kernels::meaning_of(argument, scalars)}});
  }
  return arguments;
}

/// Null where the compiler does not tell.
Json number(const std::optional<int>& value) {
  return value ? Json(*value) : Json();
}

/// Null where the binary does not tell.
Json hidden_arguments_of(const std::string& symbol, const device::LaunchNotes& notes) {
  const auto found = notes.hidden_arguments.find(symbol);
  if (found == notes.hidden_arguments.end()) return {};
  Json arguments = Json::array();
  for (const auto& [kind, offset, bytes] : found->second) {
    arguments.push_back({{"kind", kind}, {"offset", offset}, {"bytes", bytes}});
  }
  return arguments;
}

Json kernel_of(const std::string& name, const device::CompiledKernel& kernel) {
  const device::KernelResources& needs = kernel.resources;
  return {{"symbol", kernel.symbol},
          {"name", name},
          {"static_shared_bytes", number(needs.shared_bytes)},
          {"dynamic_shared_bytes", 0},
          {"vector_registers", number(needs.vector_registers)},
          {"scalar_registers", number(needs.scalar_registers)},
          {"spills", number(needs.spills)},
          {"scratch_bytes", number(needs.scratch_bytes)},
          {"code_bytes", number(needs.code_bytes)}};
}

std::unique_ptr<const kernels::Planner> planner_of(const CodeObject& object,
                                                   const Settings& settings) {
  return object.family->planner(settings, object.problem, object.limits);
}

/// The grid of the launch that reads the input, as the planner has it: to check a launcher with.
Json grid_example_of(const CodeObject& object, const Settings& settings, std::int64_t count,
                     int units) {
  Limits limits = object.limits;
  limits.compute_units = units;
  const auto plan =
      object.family->planner(settings, object.problem, limits)->plan({.count = count});
  return {{"count", count},
          {"compute_units", units},
          {"grid", plan.value_of("partial_count")},
          {"run", plan.value_of("run")},
          {"slots_bytes", plan.workspace.slots},
          {"partials_bytes", plan.workspace.partials}};
}

constexpr int example_units[] = {1, 104};

Json grid_of(const CodeObject& object, const Settings& settings, const kernels::GridRule& rule) {
  Json examples = Json::array();
  for (const std::int64_t count : {std::int64_t{0}, rule.tile, rule.tile + 1,
                                   std::int64_t{1'000'003}, (std::int64_t{1} << 28) + 1}) {
    for (const int units : example_units) {
      examples.push_back(grid_example_of(object, settings, count, units));
    }
  }
  return {{"tile", rule.tile},
          {"blocks_per_unit", rule.blocks_per_unit},
          {"most_blocks", rule.most_blocks},
          {"multiple_of", rule.multiple_of},
          {"runs", rule.runs == kernels::Runs::of_tiles},
          {"examples", examples}};
}

bool is_extent(const kernels::SizeRules& rules, std::string_view name) {
  return std::ranges::find(rules.extents, name, &kernels::Extent::name) != rules.extents.end();
}

/// What the planner says of a shape, in the names of the formulas.
Json example_of(const CodeObject& object, const Settings& settings, const Shape& shape, int units) {
  Limits limits = object.limits;
  limits.compute_units = units;
  const auto planner = object.family->planner(settings, object.problem, limits);
  const kernels::SizeRules rules = planner->size_rules();
  const kernels::LaunchPlan plan = planner->plan(shape);
  Json extents = Json::object();
  for (const kernels::Extent& extent : rules.extents) {
    extents[std::string(extent.name)] = extent.of(shape);
  }
  Json sizes{{"slots_bytes", plan.workspace.slots}, {"partials_bytes", plan.workspace.partials}};
  for (const kernels::KernelCall& call : plan.calls) {
    if (call.kernel == 0) sizes["grid"] = call.grid;
  }
  for (std::size_t i = 0; i < plan.scalars.size(); ++i) {
    const std::string_view name = plan.scalars[i].name;
    if (!is_extent(rules, name)) sizes[std::string(name)] = plan.values[i];
  }
  return {{"extents", extents}, {"compute_units", units}, {"sizes", sizes}};
}

/// Of the shape that was asked for, and of some of those at which the config may go wrong.
Json examples_of(const CodeObject& object, const Settings& settings) {
  constexpr std::size_t some = 4;
  const auto edges = object.family->edge_shapes(settings, object.problem, object.limits);
  const std::size_t step = (edges.size() + some - 1) / some;
  std::vector<Shape> shapes{object.problem};
  for (std::size_t i = 0; i < edges.size(); i += step) shapes.push_back(edges[i]);
  Json examples = Json::array();
  for (const Shape& shape : shapes) {
    for (const int units : example_units) {
      examples.push_back(example_of(object, settings, shape, units));
    }
  }
  return examples;
}

Json formulas_of(const kernels::SizeRules& rules) {
  Json formulas = Json::array();
  for (const kernels::SizeFormula& one : rules.sizes) {
    formulas.push_back({{"name", one.name}, {"formula", one.text}});
  }
  return formulas;
}

Json extents_of(const kernels::SizeRules& rules) {
  Json extents = Json::array();
  for (const kernels::Extent& one : rules.extents) {
    extents.push_back({{"name", one.name}, {"meaning", one.meaning}});
  }
  return extents;
}

/// A launch whose grid does not follow from the extents always has the same.
Json launches_of(const CodeObject& object, const CompiledConfig& config,
                 const device::LaunchNotes& notes) {
  const auto planner = planner_of(object, config.settings);
  Json launches = Json::array();
  for (const kernels::KernelCall& call : planner->calls()) {
    Json launch = kernel_of(config.names[call.kernel], config.kernels[call.kernel]);
    const auto layout = kernels::layout_of(call, planner->scalars());
    launch["block"] = call.block;
    launch["grid"] = call.kernel == 0 ? Json("grid") : Json(call.grid);
    launch["early_start"] = call.start == kernels::CallStart::early;
    launch["argument_bytes"] = layout.back().offset + layout.back().bytes;
    launch["arguments"] = arguments_of(call, planner->scalars(), object.problem);
    launch["hidden_arguments"] = hidden_arguments_of(config.kernels[call.kernel].symbol, notes);
    launches.push_back(std::move(launch));
  }
  return launches;
}

Json slots_of(const kernels::SlotRule& rule) {
  return {{"bytes_per_block", rule.bytes_per_block}, {"bytes", rule.bytes}};
}

/// What the kernels are made for; they take any extents.
Json question_of(const Problem& problem) {
  Json question = json_of(problem);
  std::apply([&](const auto&... member) { (question.erase(std::string(member.name)), ...); },
             Described<Shape>::members);
  if (is_segmented(problem)) question["offset_bits"] = problem.offset_bits;
  question.erase("cache_mode");
  return question;
}

Json config_of(const CodeObject& object, const CompiledConfig& config,
               const device::LaunchNotes& notes) {
  const auto planner = planner_of(object, config.settings);
  Json row{{"settings", json_of(config.settings)},
           {"sizes", formulas_of(planner->size_rules())},
           {"examples", examples_of(object, config.settings)},
           {"launches", launches_of(object, config, notes)}};
  if (const auto rules = planner->rules()) {
    row["grid"] = grid_of(object, config.settings, rules->grid);
    row["slots"] = slots_of(rules->slots);
  }
  return row;
}

}  // namespace

Json json_of(const CodeObject& object, std::span<const CompiledConfig> configs) {
  const std::string_view bytes(reinterpret_cast<const char*>(object.binary.data()),
                               object.binary.size());
  const device::LaunchNotes notes = object.compiler->launch_notes(object.binary);
  Json rows = Json::array();
  for (const CompiledConfig& config : configs) rows.push_back(config_of(object, config, notes));
  const auto planner = planner_of(object, configs.front().settings);
  const bool has_own_grids = planner->rules().has_value();
  const kernels::SizeRules rules = planner->size_rules();  // what stands here is the same for all
  Json document{
      {"format", code_object_format},
      {"written_by", fmt::format("redtune {}", version)},
      {"file", object.file},
      {"file_bytes", object.binary.size()},
      {"file_sha256", cache::sha256_hex(bytes)},
      {"platform", object.platform},
      {"arch", object.arch},
      {"compiler", object.compiler->version()},
      {"abi_version", number(notes.abi_version)},
      {"wave_size", object.limits.wave_size},
      {"family", object.family->name()},
      {"problem", question_of(object.problem)},
      {"extents", extents_of(rules)},
      {"buffers", buffers_of(object.problem, rules, has_own_grids)},
      {"sizes_in_words", sizes_in_words},
      {"order",
       "the launches of a config run one after another, each when the one before has "
       "ended; in the order of the list on one stream. Where early_start is true the kernel may be "
       "launched with programmatic stream serialization, if all of its arch can: it waits itself"},
      {"configs", rows}};
  if (has_own_grids) {
    document["grid_in_words"] = grid_in_words;
    document["own_grid_in_words"] = own_grid_in_words;
  }
  return document;
}

}  // namespace redtune::cli
