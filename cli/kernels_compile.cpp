// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune kernels compile: every config of a space through the run-time compiler of a target, no
// device needed; what each kernel costs in registers, memory and code.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/question.hpp"
#include "cli/report/write_code_objects.hpp"
#include "cli/say.hpp"
#include "cli/set_option.hpp"
#include "cli/terminal.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/json.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/text/table.hpp"
#include "tuner/verify/operator_program.hpp"

namespace redtune::cli {
namespace {

/// A config that compiles to something of its own, with its settings for people.
struct CompileJob {
  Settings settings;
  CompileUnit unit;
};

struct Target {
  std::string text;  ///< as typed
  device::Platform* platform = nullptr;
  std::string arch;
  std::vector<CompileJob> jobs = {};
};

Target parse_target(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size()) {
    throw UsageError(
        fmt::format("'{}' is not a target; write PLATFORM:ARCH, e.g. hip:gfx90a", text));
  }
  Target target{text, &runtime::registry().platform(text.substr(0, colon)), text.substr(colon + 1)};
  target.platform->compiler().check_arch(target.arch);
  return target;
}

/// Compute units of the imagined device: any number above one gives the same kernels.
constexpr int imagined_units = 64;

/// The configs of a space that differ in their kernels; launch parameters alone make none. Throws
/// UsageError where none has the settings that are wanted.
std::vector<CompileJob> jobs_for(const kernels::Family& family, const Problem& problem,
                                 const Target& target, const Settings& wanted) {
  Limits limits = target.platform->limits_of(target.arch);
  limits.compute_units = imagined_units;
  std::map<CompileUnit, Settings> jobs;
  const search::Space space = family.space(problem, limits);
  for (const search::Point& point : space.points()) {
    const Settings settings = family.settings_at(point);
    if (fits(settings, wanted)) {
      jobs.try_emplace(family.name_expressions(settings, problem, limits.wave_size), settings);
    }
  }
  if (jobs.empty()) {
    throw UsageError(
        fmt::format("no config of the space for {} has {}", target.text, to_string(wanted)));
  }
  std::vector<CompileJob> list;
  for (auto& [unit, settings] : jobs) list.push_back({settings, unit});
  return list;
}

struct Compiled {
  CompileJob job;
  UnitResult result;
};

std::vector<Compiled> compile(const Options& options, const Problem& problem,
                              const Target& target) {
  const kernels::Family& family = family_of(options, problem);
  const CompilePool pool({&target.platform->compiler(), std::string(target.platform->name()),
                          target.arch, family.device_text(problem)},
                         worker_command(), jobs_of(options));
  if (problem.op == Op::custom) {  // one error instead of a thousand
    const auto first = pool.compile({&target.jobs.front().unit, 1});
    (void)require_compiled(problem, first[0]);
  }
  std::vector<CompileUnit> units;
  for (const CompileJob& job : target.jobs) units.push_back(job.unit);
  ProgressLine progress;
  auto results = pool.compile(units, [&](std::size_t done) {
    progress.show(
        static_cast<double>(done) / static_cast<double>(units.size()),
        fmt::format("{}: {} of {} compiled", target.text, done, counted(units.size(), "config")));
  });
  std::vector<Compiled> all;
  for (std::size_t i = 0; i < target.jobs.size(); ++i) {
    all.push_back({target.jobs[i], std::move(results[i])});
  }
  return all;
}

std::string why_failed(const UnitResult& result) {
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) return failure->log;
  if (const auto* crash = std::get_if<CompileCrash>(&result)) return crash->why;
  return {};
}

std::string number_text(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "-";
}

void print_text(const Target& target, const std::vector<Compiled>& all) {
  std::vector<std::vector<std::string>> rows{
      {"vgprs", "sgprs", "spills", "scratch", "shared", "code", "config"}};
  std::size_t failed = 0;
  int spilling = 0;
  for (const Compiled& one : all) {
    const auto* unit = std::get_if<CompiledUnit>(&one.result);
    if (unit == nullptr) {
      ++failed;
      continue;
    }
    const device::KernelResources& r = unit->kernels[0].resources;
    spilling += r.spills.value_or(0) > 0 || r.scratch_bytes.value_or(0) > 0 ? 1 : 0;
    rows.push_back({number_text(r.vector_registers), number_text(r.scalar_registers),
                    number_text(r.spills), number_text(r.scratch_bytes),
                    number_text(r.shared_bytes), number_text(r.code_bytes),
                    to_string(one.job.settings)});
  }
  fmt::print("target {}\n{}{}: {} compiled, {} failed, {} with spills\n\n", printable(target.text),
             table(rows), printable(target.text), counted(all.size() - failed, "config"), failed,
             spilling);
}

Json document_of(const Target& target, const std::vector<Compiled>& all) {
  Json rows = Json::array();
  for (const Compiled& one : all) {
    Json row{{"settings", json_of(one.job.settings)}};
    if (const auto* unit = std::get_if<CompiledUnit>(&one.result)) {
      for (std::size_t k = 0; k < unit->kernels.size(); ++k) {
        const auto& r = unit->kernels[k].resources;
        Json kernel{{"name", one.job.unit[k]}, {"symbol", unit->kernels[k].symbol}};
        const auto add = [&](const char* name, const std::optional<int>& value) {
          if (value) kernel[name] = *value;
        };
        add("vector_registers", r.vector_registers);
        add("scalar_registers", r.scalar_registers);
        add("spills", r.spills);
        add("scratch_bytes", r.scratch_bytes);
        add("shared_bytes", r.shared_bytes);
        add("code_bytes", r.code_bytes);
        row["kernels"].push_back(std::move(kernel));
      }
    } else {
      row["failed"] = why_failed(one.result);
    }
    rows.push_back(std::move(row));
  }
  return {{"target", target.text}, {"configs", rows}};
}

void write_binaries(const std::filesystem::path& folder, const Options& options,
                    const Problem& problem, const Target& target,
                    const std::vector<Compiled>& all) {
  std::vector<BinaryConfig> configs;
  for (const Compiled& one : all) {
    if (const auto* unit = std::get_if<CompiledUnit>(&one.result)) {
      configs.push_back({unit->binary, {one.job.settings, one.job.unit, unit->kernels}});
    }
  }
  write_code_objects(folder,
                     {.platform = target.platform->name(),
                      .arch = target.arch,
                      .compiler = &target.platform->compiler(),
                      .family = &family_of(options, problem),
                      .problem = problem,
                      .limits = target.platform->limits_of(target.arch)},
                     configs);
}

}  // namespace

int run_kernels_compile(const Options& options) {
  const Problem problem = problem_of(options, "out-type");
  const kernels::Family& family = family_of(options, problem);
  const Settings wanted = set_values(options);
  require_known(wanted, family);
  std::vector<Target> targets;
  for (const std::string& text : options.all("target")) targets.push_back(parse_target(text));
  if (targets.empty()) throw UsageError("name at least one --target, e.g. --target hip:gfx90a");
  for (Target& target : targets) target.jobs = jobs_for(family, problem, target, wanted);
  Json documents = Json::array();
  bool any_failed = false;
  for (const Target& target : targets) {
    const auto all = compile(options, problem, target);
    if (options.has("out")) write_binaries(options.text("out"), options, problem, target, all);
    if (options.has("json"))
      documents.push_back(document_of(target, all));
    else
      print_text(target, all);
    for (const Compiled& one : all) {
      const std::string why = why_failed(one.result);
      if (!why.empty() && !any_failed) {
        spdlog::error("{}: {} does not compile: {}", target.text, to_string(one.job.settings), why);
      }
      any_failed = any_failed || !why.empty();
    }
  }
  if (options.has("json")) print_json({{"targets", documents}});
  return static_cast<int>(any_failed ? ExitCode::failed : ExitCode::done);
}

int run_compile_worker(const Options& options) {
  // Most compile ahead, beside one who checks and measures: that one is not to wait for a core.
  (void)setpriority(PRIO_PROCESS, 0, 4);
  const std::string platform = options.words().empty() ? "" : options.words()[0];
  return serve_compile_requests(runtime::registry().platform(platform).compiler());
}

}  // namespace redtune::cli
