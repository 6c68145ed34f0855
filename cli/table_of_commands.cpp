// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/completions.hpp"
#include "cli/question.hpp"
#include "kernel_templates/ladder/ladder.hpp"
#include "redtune/dtype.hpp"
#include "redtune/op.hpp"
#include "redtune/suggest.hpp"
#include "search/registry.hpp"

namespace redtune::cli {
namespace {

/// For help texts.
template <class Rows>
std::string names_of(const Rows& rows) {
  const Choices names = names_in(rows);
  return join(std::vector<std::string_view>(names.begin(), names.end()));
}

const OptionRow device{"device", "NAME", "auto, host, hip:0, cuda:0, host:wave32", "auto",
                       device_names()};
const OptionRow op{"op", "NAME", "operator; 'redtune kernels list' shows all", "sum",
                   names_in(all_ops())};
const OptionRow op_source{"op-source", "FILE", "a struct 'custom' in a file, instead of --op"};
const OptionRow acc{"acc",
                    "NAME",
                    "type to accumulate in, instead of the operator's own",
                    {},
                    names_in(all_dtypes())};
const OptionRow out{
    "out", "NAME", "type of the result, instead of the operator's own", {}, names_in(all_dtypes())};
const OptionRow order{"order",
                      "NAME",
                      "fixed: the same bits each time; any: may be faster",
                      "fixed",
                      {"fixed", "any"}};
const OptionRow type{"type", "NAME", names_of(all_dtypes()), "f32", names_in(all_dtypes())};
const OptionRow count{"count", "N", "elements: 16777216, 2^24 or 16M", "2^24"};
const OptionRow ops{"op", "NAME,...", "operators: sum,min; 'redtune kernels list' shows all",
                    op.fallback, op.choices};
const OptionRow types{"type", "NAME,...", type.help, type.fallback, type.choices};
const OptionRow counts{"count", "N,...",
                       "elements: 2^24, 16M; a list: 1000,2^20; a range: 2^8..2^30, 2^8..2^30:4",
                       count.fallback};
const OptionRow cache_mode{"cache-mode",
                           "NAME",
                           "input outside (cold) or inside (warm) the caches",
                           "cold",
                           {"cold", "warm"}};
const OptionRow cache{"cache", "FILE", "results file instead of the user's own"};
const OptionRow only_op{"op", "NAME", "only results of this operator", {}, names_in(all_ops())};
const OptionRow only_type{
    "type", "NAME", "only results for elements of this type", {}, names_in(all_dtypes())};
const OptionRow only_device{"device", "TEXT", "only devices with TEXT in name, platform or ISA"};
const OptionRow set{
    "set", "NAME=VALUE",    "only configs with this value, or one of several given for a name",
    {},    every_setting(), Repeated::lists,
};
const OptionRow family{"family", "NAME", "kernel family", "reduce", family_names()};
const OptionRow strategy{"strategy", "NAME", names_of(search::strategies()), "auto",
                         names_in(search::strategies())};

/// The words that a command may begin with, as choices of 'help'.
std::vector<Command> with_choices_of_help(std::vector<Command> table) {
  Choices first;
  for (const Command& command : table) {
    const std::string word(command.words.substr(0, command.words.find(' ')));
    if (!command.is_hidden && std::ranges::count(first, word) == 0) first.push_back(word);
  }
  std::ranges::find(table, "help", &Command::words)->operand_choices = std::move(first);
  return table;
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table = with_choices_of_help({
      {"devices", "", "list devices, and why a platform has none", {}, run_devices},
      {"doctor",
       "",
       "examine devices, folders and environment: what is wrong, and what to do",
       {{"device", "NAME", "only this device; without it all", {}, device_names()},
        {"measure", "", "also measure how much times vary; uses the device for a few seconds"},
        {"bundle", "FILE", "pack report, devices, results and logs into FILE, a .tar.gz to send"},
        cache},
       run_doctor},
      {"probe", "", "measure how fast a device can read, copy and launch", {device}, run_probe},
      {"tune",
       "",
       "find the best configurations on a device: of a reduction, of many, or of the standard set",
       {ops,
        op_source,
        types,
        acc,
        out,
        counts,
        {"workload", "FILE",
         "TOML that names problems; without it and --op, --type, --count: a standard set"},
        {"list", "", "show what would be tuned, what is known, and how long it is likely to take"},
        order,
        device,
        cache_mode,
        strategy,
        {"seed", "N", "seed of everything random", "1"},
        {"budget", "N|TIME",
         "evaluations, time or both: 200, 30s; auto: 128 and 90s at most, or until nothing better is "
         "found for long [auto; with --record unlimited]"},
        {"jobs", "N", "compilers that run at a time; 0: one per processor", "0"},
        {"fresh", "", "start over, even if the answer is known"},
        {"no-warm-start", "",
         "do not learn from similar problems, nor from trials that ship with redtune"},
        {"record", "",
         "time slow configs in full too, and write all trials to a file for simulate"},
        {"allow-shared", "", "tune even while others use the device; the result is not stored"},
        {"force-noisy", "", "tune even if times vary too much to tell configs apart"},
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
        {"min-match", "NAME", "exit 4 below it: exact, drift, sibling, near, predicted, default",
         "default", match_names()},
        {"explain", "", "show every place that was looked at, and what differs"},
        cache},
       run_query},
      {"log",
       "[RUN]",
       "list tuning runs, or show one: what was tried, what won, what failed",
       {{"time", "", "say where the seconds of the run went"}, cache},
       run_log},
      {"cache path",
       "",
       "show where results, logs and binaries are kept, and what is there",
       {cache},
       run_cache_path},
      {"cache list",
       "",
       "list the best known results, and which of them fit this machine",
       {only_op,
        only_type,
        only_device,
        {"all", "", "older and revoked results too"},
        {"excluded", "", "list the configs that are never tried again instead"},
        cache},
       run_cache_list},
      {"cache show",
       "ID",
       "show all that is known of a result: how it was measured, where, by which run",
       {cache},
       run_cache_show},
      {"cache explain",
       "",
       "show how a question is answered: every place that is looked at, and what differs",
       {op, op_source, type, acc, out, count, order, device, cache_mode, cache},
       run_cache_explain},
      {"cache verify",
       "",
       "check the store, every result in it, and what applications see of it",
       {cache},
       run_cache_verify},
      {"cache export",
       "",
       "write the best known results, or what a run tried, in a format for others",
       {{"format",
         "NAME",
         "json: for other stores; t4: a run's trials; c++: a header",
         "json",
         {"json", "t4", "c++"}},
        {"out", "FILE", "write it there instead of printing it"},
        {"run", "ID", "with t4: the run; without it the newest"},
        only_op,
        only_type,
        only_device,
        cache},
       run_cache_export},
      {"cache import",
       "FILE...",
       "take over what 'cache export' wrote as json or t4, and snapshots",
       {cache},
       run_cache_import},
      {"cache merge",
       "STORE...",
       "take over all runs, trials and results of other stores",
       {cache},
       run_cache_merge},
      {"cache restore",
       "[GENERATION]",
       "list the kept generations of answers, or bring back one of them, or a snapshot file",
       {cache},
       run_cache_restore},
      {"cache revoke",
       "ID",
       "take a result back: the one before it answers again, or the default",
       {{"reason", "TEXT", "why, for those who read the store"},
        {"restore", "", "take the revocation back instead"},
        {"excluded", "", "ID is one of 'cache list --excluded': its config may be tried again"},
        cache},
       run_cache_revoke},
      {"cache gc",
       "",
       "remove what can be made again: old binaries, and trials when asked; never results",
       {{"binaries-days", "N", "remove binaries older than N days", "90"},
        {"binaries-mib", "N", "remove the oldest binaries beyond N MiB", "4096"},
        {"keep", "DAYS",
         "also remove trials of runs, and stores put aside, that are older than DAYS"},
        {"dry-run", "", "only say what would be removed"},
        cache},
       run_cache_gc},
      {"reduce",
       "[FILE]",
       "reduce raw binary numbers, or generated ones, with the tuned configuration",
       {op,
        op_source,
        type,
        acc,
        out,
        {"count", "N", "reduce N generated numbers instead of a file"},
        order,
        device,
        {"seed", "N", "seed of the generated numbers", "1"},
        cache},
       run_reduce},
      {"ladder",
       "",
       "time the classic steps of optimising a sum, from the naive one to the tuned one",
       {{"type", "NAME", names_of(kernels::ladder_types()), "f32",
         names_in(kernels::ladder_types())},
        {"count", "N", "elements; without it 2^28, on the host 2^20"},
        device,
        {"step", "NAME", "only this step", {}, names_in(kernels::ladder_steps()), Repeated::lists},
        {"svg", "FILE", "write a bar chart there"},
        cache},
       run_ladder},
      {"simulate",
       "[FILE...]",
       "score search strategies on recorded search spaces; needs no device",
       {{"space",
         "FILE",
         "T4 or cache of Kernel Tuner, also .gz; more files may follow",
         {},
         {},
         Repeated::lists},
        {"strategy", "NAME", "only this one", {}, names_in(search::strategies()), Repeated::lists},
        {"runs", "N", "of each strategy on each space", "100"},
        {"budget", "N", "evaluations of a run, or seconds; without it what the score needs"},
        {"until-percentile", "P", "score runs until random search reaches this percentile", "0.95"},
        {"seed", "N", "seed of everything random", "1"},
        {"batch", "N", "points that a strategy is asked for at a time", "1"},
        {"start",
         "NAME",
         "begin as a tune does, on redtune's own recordings; shapes: with known shapes; shipped: "
         "also guided by trials that ship; winners: having tuned the other files",
         "none",
         {"none", "shapes", "shipped", "winners"}},
        {"noise",
         "NAME",
         "replay: tell strategies a recorded launch, not the mean",
         "none",
         {"none", "replay"}},
        {"cost",
         "NAME",
         "what a budget counts: evaluations, or recorded seconds",
         "evaluations",
         {"evaluations", "seconds"}},
        {"out", "FILE", "write the JSON document with every evaluation there"},
        {"plot", "FILE", "write curves of the best found, as SVG"}},
       run_simulate},
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
       "compile the configs of a space; no device is needed",
       {family,
        op,
        op_source,
        type,
        acc,
        {"out-type", "NAME", out.help, {}, out.choices},
        {"count", "N", "elements the space is made for", "2^20"},
        order,
        {"target",
         "PLATFORM:ARCH",
         "e.g. hip:gfx90a, host:native",
         {},
         {"host:native"},
         Repeated::lists},
        set,
        {"jobs", "N", "compilers that run at a time; 0: one per processor", "0"},
        {"out", "DIR", "write the binaries there, each with a JSON file on how to launch it"}},
       run_kernels_compile},
      {"completions",
       "SHELL",
       "print a script that completes redtune's commands, options and names",
       {},
       run_completions,
       false,
       completion_shells()},
      {"help", "[COMMAND...]", "list the commands, or show the options of one", {}, run_help},
      {"version", "", "show the version", {}, run_version},
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
  });
  return table;
}

}  // namespace redtune::cli
