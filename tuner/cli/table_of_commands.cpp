// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/cli/commands.hpp"

namespace redtune::tuner::cli {
namespace {

constexpr OptionRow device{"device", "NAME", "auto, host, hip:0, cuda:0, host:wave32", "auto"};
constexpr OptionRow op{"op", "NAME", "operator: sum, min, max", "sum"};
constexpr OptionRow type{"type", "NAME", "element type: f32, f64, i32, i64, u32, u64", "f32"};
constexpr OptionRow count{"count", "N", "elements: 16777216, 2^24 or 16M", "2^24"};
constexpr OptionRow cache_mode{"cache-mode", "NAME",
                               "input outside (cold) or inside (warm) the caches", "cold"};
constexpr OptionRow cache{"cache", "FILE", "results file instead of the user's own"};
constexpr OptionRow set{"set", "NAME=VALUE", "only configs with this value; may be repeated"};
constexpr OptionRow family{"family", "NAME", "kernel family", "reduce"};

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table{
      {"devices", "", "list devices, and why a platform has none", {}, run_devices},
      {"tune",
       "",
       "find the best configuration of a reduction on a device",
       {op,
        type,
        count,
        device,
        cache_mode,
        {"strategy", "NAME", "grid, random, hill_climbing", "hill_climbing"},
        {"seed", "N", "of everything random", "1"},
        {"budget", "N|TIME", "evaluations, time or both: 200, 30s, 200,30s", "128,90s"},
        {"jobs", "N", "compilers at work at a time; 0: one per processor", "0"},
        {"fresh", "", "start over, also where the answer is known"},
        cache},
       run_tune},
      {"query",
       "",
       "show the best known configuration and how it was found",
       {op,
        type,
        count,
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
        type,
        {"count", "N", "reduce so many generated numbers instead of a file"},
        device,
        {"seed", "N", "of the generated numbers", "1"},
        cache},
       run_reduce},
      {"kernels list",
       "",
       "list kernel families, tunables, operators, types and strategies",
       {},
       run_kernels_list},
      {"kernels show",
       "",
       "show a family's space on a device, or its device text",
       {family, op, type, count, device, {"text", "", "print the whole device program"}},
       run_kernels_show},
      {"kernels compile",
       "",
       "compile the configs of a space for targets that need not be here",
       {family,
        op,
        type,
        {"count", "N", "elements the space is made for", "2^20"},
        {"target", "PLATFORM:ARCH", "e.g. hip:gfx90a, cuda:sm_90, host:native; may be repeated"},
        set,
        {"jobs", "N", "compilers at work at a time; 0: one per processor", "0"},
        {"out", "DIR", "write the binaries there"}},
       run_kernels_compile},
      {"compile-worker",
       "PLATFORM",
       "one compile request from standard input",
       {},
       run_compile_worker,
       true},
  };
  return table;
}

}  // namespace redtune::tuner::cli
