// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune kernels list | show: the families, and a family's space on a device.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "kernel_templates/family/family.hpp"
#include "search/registry.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

Json document_of_all() {
  Json document;
  for (const kernels::Family* family : kernels::all_families()) {
    Json tunables = Json::object();
    for (const auto& tunable : family->tunables()) tunables[tunable.name] = tunable.values;
    document["families"].push_back(
        {{"name", family->name()}, {"summary", family->summary()}, {"tunables", tunables}});
  }
  for (const OpInfo& op : all_ops()) {
    document["operators"].push_back({{"name", op.name}, {"summary", op.summary}});
  }
  for (const DTypeInfo& type : all_dtypes()) document["types"].push_back(type.name);
  for (const auto& row : search::strategies()) {
    document["strategies"].push_back({{"name", row.name}, {"summary", row.summary}});
  }
  return document;
}

}  // namespace

int run_kernels_list(const Options& options) {
  if (options.has("json")) {
    print_json(document_of_all());
    return 0;
  }
  for (const kernels::Family* family : kernels::all_families()) {
    fmt::print("family {}: {}\n", family->name(), family->summary());
    for (const auto& tunable : family->tunables()) {
      fmt::print("  {:<18} {}\n", tunable.name, fmt::join(tunable.values, " "));
    }
  }
  fmt::print("\noperators\n");
  for (const OpInfo& op : all_ops()) fmt::print("  {:<21} {}\n", op.name, op.summary);
  fmt::print("\ntypes\n ");
  for (const DTypeInfo& type : all_dtypes()) fmt::print(" {}", type.name);
  fmt::print("\n\nstrategies\n");
  for (const auto& row : search::strategies()) fmt::print("  {:<18} {}\n", row.name, row.summary);
  return 0;
}

int run_kernels_show(const Options& options) {
  const Problem problem = problem_of(options);
  const kernels::Family& family = family_of(options, problem);
  if (options.has("text")) {
    fmt::print("{}", family.device_text(problem));
    return 0;
  }
  const OpenDevice opened = open_device(options);
  const Limits& limits = opened.device->limits();
  const Settings settings = family.default_settings(problem, limits);
  const auto names = family.name_expressions(settings, problem, limits.wave_size);
  const auto plan = family.planner(settings, problem, limits)->plan(problem);
  const std::size_t size = family.space(problem, limits).size();
  if (options.has("json")) {
    Json calls = Json::array();
    for (const auto& call : plan.calls) {
      Json arguments = Json::array();
      for (const auto argument : call.arguments)
        arguments.push_back(name_of(argument, plan.scalars));
      calls.push_back({{"name", names[call.kernel]},
                       {"grid", call.grid},
                       {"block", call.block},
                       {"arguments", arguments}});
    }
    print_json({{"family", family.name()},
                {"problem", json_of(problem)},
                {"device", opened.device->identity().name},
                {"space_size", size},
                {"default", json_of(settings)},
                {"launches", calls}});
    return 0;
  }
  say("family   {}: {}\nproblem  {}\ndevice   {}\nspace    {} configs\ndefault  {}\n",
      family.name(), family.summary(), describe(problem), opened.device->identity().name, size,
      to_string(settings));
  for (const auto& call : plan.calls) {
    say("launch   {} blocks of {}: {}\n", call.grid, call.block, names[call.kernel]);
  }
  return 0;
}

}  // namespace redtune::cli
