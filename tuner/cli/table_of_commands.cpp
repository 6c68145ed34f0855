// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/ladder.hpp"
#include "redtune/dtype.hpp"
#include "redtune/op.hpp"
#include "redtune/suggest.hpp"
#include "search/registry.hpp"
#include "tuner/cli/commands.hpp"
#include "tuner/cli/question.hpp"

namespace redtune::tuner::cli {
namespace {

/// The names of a registry's rows, for help texts.
template <class Rows>
std::string names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return join(names);
}

std::string names_of_types(const std::vector<DType>& types) {
  std::vector<std::string_view> names;
  for (const DType type : types) names.push_back(to_string(type));
  return join(names);
}

const OptionRow device{"device", "NAME", "auto, host, hip:0, cuda:0, host:wave32", "auto"};
const OptionRow op{"op", "NAME", "operator; 'redtune kernels list' shows all",
                   std::string(default_op)};
const OptionRow op_source{"op-source", "FILE", "a struct 'custom' in a file, instead of --op"};
const OptionRow acc{"acc", "NAME", "type to accumulate in, instead of the operator's own"};
const OptionRow out{"out", "NAME", "type of the result, instead of the operator's own"};
const OptionRow order{"order", "NAME", "fixed: the same bits each time; any: may be faster",
                      "fixed"};
const OptionRow type{"type", "NAME", names_of(all_dtypes()), "f32"};
const OptionRow count{"count", "N", "elements: 16777216, 2^24 or 16M", "2^24"};
const OptionRow cache_mode{"cache-mode", "NAME", "input outside (cold) or inside (warm) the caches",
                           "cold"};
const OptionRow cache{"cache", "FILE", "results file instead of the user's own"};
const OptionRow set{"set", "NAME=VALUE", "only configs with this value; may be repeated"};
const OptionRow family{"family", "NAME", "kernel family", "reduce"};
const OptionRow strategy{"strategy", "NAME", names_of(search::strategies()), "hill_climbing"};

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table{
      {"devices", "", "list devices, and why a platform has none", {}, run_devices},
      {"doctor",
       "",
       "examine devices, folders and environment: what is wrong, and what to do",
       {{"device", "NAME", "only this one; without it all"},
        {"measure", "", "also measure by how much times differ; takes the device for seconds"},
        {"bundle", "FILE", "pack report, devices, results and logs into FILE, a .tar.gz to send"},
        cache},
       run_doctor},
      {"probe", "", "measure how fast a device can read, copy and launch", {device}, run_probe},
      {"tune",
       "",
       "find the best configuration of a reduction on a device",
       {op,
        op_source,
        type,
        acc,
        out,
        count,
        order,
        device,
        cache_mode,
        strategy,
        {"seed", "N", "of everything random", "1"},
        {"budget", "N|TIME", "evaluations, time or both: 200, 30s, 200,30s", "128,90s"},
        {"jobs", "N", "compilers at work at a time; 0: one per processor", "0"},
        {"fresh", "", "start over, also where the answer is known"},
        {"allow-shared", "", "also while others use the device; the result is not stored"},
        {"force-noisy", "", "also where times differ too much to tell configs apart"},
        cache},
       run_tune},
      {"query",
       "",
       "show the best known configuration and how it was found",
       {op,
        op_source,
        type,
        acc,
        out,
        count,
        order,
        device,
        cache_mode,
        {"min-match", "NAME", "exit 4 below it: exact, drift, sibling, near, default", "default"},
        {"explain", "", "show every place that was looked at, and what differs"},
        cache},
       run_query},
      {"log",
       "[RUN]",
       "list tuning runs, or show one: what was tried, what won, what failed",
       {cache},
       run_log},
      {"reduce",
       "[FILE]",
       "reduce raw binary numbers, or generated ones, with the tuned configuration",
       {op,
        op_source,
        type,
        acc,
        out,
        {"count", "N", "reduce so many generated numbers instead of a file"},
        order,
        device,
        {"seed", "N", "of the generated numbers", "1"},
        cache},
       run_reduce},
      {"ladder",
       "",
       "time the classic steps of optimising a sum, from the naive one to the tuned one",
       {{"type", "NAME", names_of_types(kernels::ladder_types()), "f32"},
        {"count", "N", "elements; without it 2^28, on the host 2^20"},
        device,
        {"step", "NAME", "only this step; may be repeated"},
        {"svg", "FILE", "write a bar chart there"},
        cache},
       run_ladder},
      {"kernels list",
       "",
       "list kernel families, tunables, operators, types and strategies",
       {},
       run_kernels_list},
      {"kernels show",
       "",
       "show a family's space on a device, or its device text",
       {family,
        op,
        op_source,
        type,
        acc,
        out,
        count,
        order,
        device,
        {"text", "", "print the whole device program"}},
       run_kernels_show},
      {"kernels compile",
       "",
       "compile the configs of a space for targets that need not be here",
       {family,
        op,
        op_source,
        type,
        acc,
        {"out-type", "NAME", out.help},
        {"count", "N", "elements the space is made for", "2^20"},
        order,
        {"target", "PLATFORM:ARCH", "e.g. hip:gfx90a, host:native; may be repeated"},
        set,
        {"jobs", "N", "compilers at work at a time; 0: one per processor", "0"},
        {"out", "DIR", "write the binaries there, each with a JSON that tells how to launch it"}},
       run_kernels_compile},
      {"compile-worker",
       "PLATFORM",
       "one compile request from standard input",
       {},
       run_compile_worker,
       true},
      {"device-worker",
       "",
       "what the tuner asks of a device, from standard input",
       {},
       run_device_worker,
       true},
  };
  return table;
}

}  // namespace redtune::tuner::cli
