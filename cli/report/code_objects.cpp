// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/code_objects.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>

#include "cache/keys/sha256.hpp"
#include "kernel_templates/family/argument_layout.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"

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

/// The widest stride of slots.
constexpr int slot_alignment = 128;

bool is_indexed(const Problem& problem) {
  return info(problem.op).shape == ResultShape::indexed;
}

/// The members of a result: a number, a number and its index, or several numbers.
Json layout_of(const Problem& problem, DType type) {
  Json members = Json::array();
  for (const std::string_view name : value_names(problem.op)) {
    members.push_back(
        {{"name", name}, {"type", to_string(type)}, {"offset", members.size() * size_of(type)}});
  }
  if (is_indexed(problem)) {
    members.push_back({{"name", "index"}, {"type", "i64"}, {"offset", sizeof(std::int64_t)}});
  }
  return members;
}

/// Of a partial result: where it has several members, they are the kernels' own affair.
Json layout_of_partial(const Problem& problem) {
  if (!is_joint(problem.op)) return layout_of(problem, problem.acc);
  return Json::array({{{"name", "words"},
                       {"type", "u32"},
                       {"offset", 0},
                       {"count", accumulator_bytes(problem) / sizeof(std::uint32_t)}}});
}

std::size_t alignment_of(const Problem& problem, DType type) {
  return is_indexed(problem) ? alignof(std::int64_t) : size_of(type);
}

Json buffers_of(const Problem& problem) {
  const std::size_t partial = accumulator_bytes(problem);
  return {{"in",
           {{"elements", "count"},
            {"element_bytes", size_of(problem.in)},
            {"alignment", size_of(problem.in)},
            {"initially", "the input; only read; nothing beyond its ends is touched"}}},
          {"out",
           {{"elements", "1"},
            {"element_bytes", result_bytes(problem)},
            {"alignment", alignment_of(problem, problem.out)},
            {"layout", layout_of(problem, problem.out)},
            {"initially", "anything: the launches write all of it"},
            {"afterwards", "the result, complete when the last launch has ended"}}},
          {"partials",
           {{"elements", "grid"},
            {"element_bytes", partial},
            {"alignment",
             is_joint(problem.op) ? sizeof(std::uint64_t) : alignment_of(problem, problem.acc)},
            {"layout", layout_of_partial(problem)},
            {"initially", "anything"}}},
          {"slots",
           {{"elements", "slots.bytes + slots.bytes_per_block * grid, of the config"},
            {"element_bytes", 1},
            {"alignment", slot_alignment},
            {"initially", "zero before the first launch; the kernels leave it zero again"}}},
          {"counter",
           {{"elements", "1"},
            {"element_bytes", sizeof(std::uint32_t)},
            {"alignment", sizeof(std::uint32_t)},
            {"initially", "zero before the first launch; the kernels leave it zero again"}}}};
}

std::string type_of(Argument argument, const Problem& problem) {
  const auto shaped = [&](DType type) {
    if (is_indexed(problem)) return fmt::format("{{{}, i64}}*", to_string(type));
    if (info(problem.op).shape == ResultShape::pair)
      return fmt::format("{{{0}, {0}}}*", to_string(type));
    return fmt::format("{}*", to_string(type));
  };
  switch (argument) {
    case Argument::in:
      return fmt::format("const {}*", to_string(problem.in));
    case Argument::begins:
    case Argument::ends:
      return fmt::format("const i{}*", problem.offset_bits);
    case Argument::out:
      return shaped(problem.out);
    case Argument::partials:
      return is_joint(problem.op) ? "words*" : shaped(problem.acc);
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

/// The grid of the launch that reads the input, as the planner has it: to check a launcher with.
Json example_of(const CodeObject& object, const Settings& settings, std::int64_t count, int units) {
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

/// Throws UsageError for a family whose launches follow from more than a count.
kernels::PlanRules rules_of(const CodeObject& object, const Settings& settings) {
  const auto rules = object.family->planner(settings, object.problem, object.limits)->rules();
  if (rules) return *rules;
  throw UsageError(fmt::format("code objects of {} cannot be described for other launchers yet",
                               object.family->name()));
}

Json grid_of(const CodeObject& object, const Settings& settings) {
  const kernels::GridRule rule = rules_of(object, settings).grid;
  Json examples = Json::array();
  for (const std::int64_t count : {std::int64_t{0}, rule.tile, rule.tile + 1,
                                   std::int64_t{1'000'003}, (std::int64_t{1} << 28) + 1}) {
    for (const int units : {1, 104}) {
      examples.push_back(example_of(object, settings, count, units));
    }
  }
  return {{"tile", rule.tile},
          {"blocks_per_unit", rule.blocks_per_unit},
          {"most_blocks", rule.most_blocks},
          {"multiple_of", rule.multiple_of},
          {"runs", rule.runs == kernels::Runs::of_tiles},
          {"examples", examples}};
}

/// A launch whose grid does not follow from the count always has the same.
Json launches_of(const CodeObject& object, const CompiledConfig& config,
                 const device::LaunchNotes& notes) {
  const auto planner = object.family->planner(config.settings, object.problem, object.limits);
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

Json slots_of(const CodeObject& object, const Settings& settings) {
  const kernels::SlotRule rule = rules_of(object, settings).slots;
  return {{"bytes_per_block", rule.bytes_per_block}, {"bytes", rule.bytes}};
}

Json question_of(const Problem& problem) {
  Json question = json_of(problem);
  question.erase("count");  // the kernels take any
  question.erase("cache_mode");
  return question;
}

}  // namespace

Json json_of(const CodeObject& object, std::span<const CompiledConfig> configs) {
  const std::string_view bytes(reinterpret_cast<const char*>(object.binary.data()),
                               object.binary.size());
  const device::LaunchNotes notes = object.compiler->launch_notes(object.binary);
  Json rows = Json::array();
  for (const CompiledConfig& config : configs) {
    rows.push_back({{"settings", json_of(config.settings)},
                    {"grid", grid_of(object, config.settings)},
                    {"slots", slots_of(object, config.settings)},
                    {"launches", launches_of(object, config, notes)}});
  }
  return {
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
      {"problem", question_of(object.problem)},
      {"buffers", buffers_of(object.problem)},
      {"grid_in_words", grid_in_words},
      {"own_grid_in_words", own_grid_in_words},
      {"order",
       "the launches of a config run one after another, each when the one before has "
       "ended; in the order of the list on one stream. Where early_start is true the kernel may be "
       "launched with programmatic stream serialization, if all of its arch can: it waits itself"},
      {"configs", rows}};
}

namespace {

void write_beside(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return;
  throw IoError(
      fmt::format("cannot write {}; is the folder writable and the disk not full?", path.string()));
}

std::string stem_of(const CodeObject& object, std::size_t number) {
  std::string stem = fmt::format("{}:{}-{:03}", object.platform, object.arch, number);
  std::ranges::replace(stem, ':', '_');
  return stem;
}

}  // namespace

void write_code_objects(const std::filesystem::path& folder, CodeObject object,
                        std::span<const BinaryConfig> configs) {
  std::error_code ignored;  // writing into it tells
  std::filesystem::create_directories(folder, ignored);
  std::vector<const std::vector<std::byte>*> binaries;  // in the order of their first config
  std::map<const void*, std::vector<CompiledConfig>> of_binary;
  for (const BinaryConfig& one : configs) {
    auto& list = of_binary[one.binary.get()];
    if (list.empty()) binaries.push_back(one.binary.get());
    list.push_back(one.config);
  }
  for (std::size_t i = 0; i < binaries.size(); ++i) {
    const std::string stem = stem_of(object, i);
    object.file = stem + ".co";
    object.binary = *binaries[i];
    write_beside(folder / object.file,
                 {reinterpret_cast<const char*>(object.binary.data()), object.binary.size()});
    const Json document = json_of(object, of_binary.at(binaries[i]));
    write_beside(folder / (stem + ".json"),
                 document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
  }
}

}  // namespace redtune::cli
