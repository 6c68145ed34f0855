// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every config of every family, operator and type through a run-time compiler, for architectures
// that need not be here. Hours on few processors: it can be stopped, split and taken up again.
#include <algorithm>
#include <atomic>
#include <boost/program_options.hpp>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <poll.h>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>

#include "kernel_templates/family/family.hpp"
#include "tests/compile_matrix/matrix_file.hpp"
#include "tests/compile_matrix/matrix_target.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::checks {
namespace {

namespace po = boost::program_options;

struct Choices {
  std::vector<std::string> targets;
  std::string file;
  std::string redtune;
  std::string family;     ///< empty: all
  std::string operation;  ///< "sum_f32"; empty: all
  std::size_t shard = 1;
  std::size_t shards = 1;
  std::size_t sample = 0;
  std::size_t seed = 0;
  unsigned jobs = 0;
  unsigned seconds = 0;
};

struct Job {
  const Target* target = nullptr;
  MatrixCell cell;
  std::string key;
};

/// Becomes readable after so many seconds; -1: never.
int alarm_after(unsigned seconds) {
  if (seconds == 0) return -1;
  const int descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  itimerspec when{};
  when.it_value.tv_sec = seconds;
  timerfd_settime(descriptor, 0, &when, nullptr);
  return descriptor;
}

/// The cells of this shard that the file does not hold as good; targets one after another.
std::vector<Job> jobs_of(const std::vector<Target>& targets, const Choices& choices,
                         const MatrixFile& file) {
  std::vector<Job> jobs;
  for (const Target& target : targets) {
    for (MatrixCell cell : matrix_cells()) {
      if (cell.number % choices.shards != choices.shard - 1) continue;
      if (!choices.family.empty() && choices.family != cell.family->name()) continue;
      if (!choices.operation.empty() && choices.operation != cell.operation.name()) continue;
      cell.sample = choices.sample;
      cell.seed = choices.seed;
      std::string key = key_of(target, cell);
      if (!file.holds(key)) jobs.push_back({&target, cell, std::move(key)});
    }
  }
  return jobs;
}

void take_most(int& most, const std::optional<int>& value) {
  most = std::max(most, value.value_or(0));
}

CellTotals totals_of(const std::vector<tuner::UnitResult>& results) {
  CellTotals totals;
  for (const tuner::UnitResult& result : results) {
    const auto* unit = std::get_if<tuner::CompiledUnit>(&result);
    if (unit == nullptr) {
      ++totals.failures;
      continue;
    }
    totals.seconds += unit->milliseconds / 1000;
    for (const device::CompiledKernel& kernel : unit->kernels) {
      const device::KernelResources& needs = kernel.resources;
      ++totals.kernels;
      totals.spilling += needs.spills.value_or(0) > 0 ? 1 : 0;
      totals.with_scratch += needs.scratch_bytes.value_or(0) > 0 ? 1 : 0;
      take_most(totals.most_vector_registers, needs.vector_registers);
      take_most(totals.most_scalar_registers, needs.scalar_registers);
      take_most(totals.most_shared_bytes, needs.shared_bytes);
      take_most(totals.most_code_bytes, needs.code_bytes);
    }
  }
  return totals;
}

/// The first kernel that is not as it should be, for the person at the terminal.
std::string complaint(const std::vector<tuner::UnitResult>& results,
                      const std::vector<tuner::CompileUnit>& units) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const auto* failure = std::get_if<device::CompileFailure>(&results[i])) {
      return units[i][0] + " does not compile: " + failure->log;
    }
    if (const auto* crash = std::get_if<tuner::CompileCrash>(&results[i])) {
      return units[i][0] + ": " + crash->why;
    }
    for (const device::CompiledKernel& kernel : std::get<tuner::CompiledUnit>(results[i]).kernels) {
      const auto& needs = kernel.resources;
      if (needs.spills.value_or(0) + needs.scratch_bytes.value_or(0) > 0) {
        return units[i][0] + " keeps registers in memory";
      }
    }
  }
  return "";
}

CellTotals compile(const Job& job, const std::string& redtune, int stop) {
  const std::vector<tuner::CompileUnit> units = units_of(*job.target, job.cell);
  const tuner::CompilePool pool({.platform = job.target->platform,
                                 .arch = job.target->arch,
                                 .text = job.cell.family->device_text(job.cell.operation.problem),
                                 .stop = stop},
                                {redtune, "compile-worker"}, 1);
  const auto results = pool.compile(units);
  const CellTotals totals = totals_of(results);
  if (!totals.is_good()) {
    std::cerr << fmt::format("{}: {}\n", job.key, complaint(results, units));
  }
  return totals;
}

/// True when all is compiled and as it should be.
bool run(const Choices& choices) {
  std::vector<Target> targets;
  for (const std::string& text : choices.targets) targets.push_back(parse_target(text));
  MatrixFile file(choices.file);  // not before all words are understood
  const std::vector<Job> jobs = jobs_of(targets, choices, file);
  const int stop = alarm_after(choices.seconds);
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::atomic<bool> is_good{true};
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < jobs.size(); i = next++) {
        const CellTotals totals = compile(jobs[i], choices.redtune, stop);
        file.add(jobs[i].key, totals);
        ++done;
        if (!totals.is_good()) is_good = false;
      }
    } catch (const tuner::Stopped&) {
    } catch (const std::exception& error) {
      std::cerr << fmt::format("compile_matrix: error: {}\n", error.what());
      is_good = false;
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < choices.jobs; ++i) workers.emplace_back(work);
  }
  std::cout << fmt::format("{} of {} cells compiled into {}{}\n", done.load(), jobs.size(),
                           choices.file,
                           done < jobs.size() ? "; the same command goes on with the others" : "");
  return is_good;
}

std::pair<std::size_t, std::size_t> parse_shard(const std::string& text) {
  std::size_t shard = 0;
  std::size_t shards = 0;
  char slash = 0;
  std::istringstream stream(text);
  if (!(stream >> shard >> slash >> shards) || slash != '/' || shard < 1 || shard > shards) {
    throw UsageError(fmt::format("'{}' is no shard; write e.g. 2/8 for the second of eight", text));
  }
  return {shard, shards};
}

/// Throws UsageError for one that no line has.
void check_operation(const std::string& name) {
  const std::vector<Cell> cells = contract_cells(0);
  if (std::ranges::find(cells, name, &Cell::name) != cells.end()) return;
  throw UsageError(fmt::format("no line is of '{}'; write e.g. sum_f32 or argmin_f16", name));
}

/// Nothing when only help was asked for.
std::optional<Choices> parse(int argc, char** argv) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  Choices choices;
  std::string shard;
  po::options_description rows("usage: compile_matrix --target PLATFORM:ARCH ... [options]");
  auto add = rows.add_options();
  add("help", "this text");
  add("target", po::value(&choices.targets), "e.g. hip:gfx90a; may be repeated");
  add("family", po::value(&choices.family), "of this family alone, e.g. reduce_rows");
  add("operation", po::value(&choices.operation), "this alone, as lines name it, e.g. sum_f32");
  add("shard", po::value(&shard)->default_value("1/1"), "the i-th of n parts of the cells, i/n");
  add("sample", po::value(&choices.sample)->default_value(0),
      "so many kernels of each cell, drawn from all; 0: all");
  add("seed", po::value(&choices.seed)->default_value(0), "of what is drawn");
  add("out", po::value(&choices.file)->default_value("compile_matrix.csv"),
      "results, a line for each cell; those that it holds as good are not compiled again");
  add("seconds", po::value(&choices.seconds)->default_value(0), "stop after; 0: when all is done");
  add("jobs", po::value(&choices.jobs)->default_value(std::thread::hardware_concurrency()),
      "compilers that run at a time");
  add("redtune", po::value(&choices.redtune)->default_value((here / "redtune").string()),
      "the program whose compile workers are used");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, rows), values);
  po::notify(values);
  if (values.contains("help")) {
    std::cout << rows;
    return std::nullopt;
  }
  if (choices.targets.empty()) throw UsageError("name at least one --target, e.g. hip:gfx90a");
  if (!choices.family.empty()) (void)kernels::find_family(choices.family);
  if (!choices.operation.empty()) check_operation(choices.operation);
  if (access(choices.redtune.c_str(), X_OK) != 0) {
    throw UsageError(fmt::format("{} is no program; name one by --redtune", choices.redtune));
  }
  std::tie(choices.shard, choices.shards) = parse_shard(shard);
  choices.jobs = std::max(1U, choices.jobs);
  return choices;
}

}  // namespace
}  // namespace redtune::checks

int main(int argc, char** argv) {
  try {
    const auto choices = redtune::checks::parse(argc, argv);
    return !choices || redtune::checks::run(*choices) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << fmt::format("compile_matrix: error: {}\n", error.what());
    return 2;
  }
}
