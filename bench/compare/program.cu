// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune's tuned reductions beside those of a library, in one process, in turns on the same input:
// compare_cub and compare_rocprim. docs/how-to/compare_with_cub.md and compare_with_rocprim.md tell
// how to build and use them, also without CMake.
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compare/contest.hpp"
#include "bench/compare/measure.cuh"
#include "bench/compare/report.hpp"
#include "bench/compare/summary.hpp"
#include "bench/exit_code.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

void write_json(const Findings& findings) {
  const std::string& path = findings.options.json_file;
  if (path.empty()) return;
  std::ofstream file(path);
  file << json_of(findings) << std::flush;
  if (!file) throw IoError("cannot write " + path);
}

/// The problems, each with all offsets in a row: what is compared shall be near in time.
std::vector<Task> tasks_of(const std::vector<Problem>& problems, const Options& options) {
  std::vector<Task> tasks;
  for (const Problem& problem : problems) {
    for (const std::int64_t offset : options.offsets) tasks.push_back({problem, offset});
  }
  return tasks;
}

/// Results are a part of what moves where there are many: memory that is written gives less.
class MixPeaks {
 public:
  [[nodiscard]] double of(const Problem& problem) {
    const double written =
        static_cast<double>(results_of(problem)) * static_cast<double>(result_bytes(problem));
    const double share = written / static_cast<double>(moved_bytes(problem));
    const int percent = static_cast<int>(100 * share + 0.5);
    if (percent == 0 || !(share < 1)) return 0;
    const auto [known, is_new] = peaks_.try_emplace(percent, 0);
    if (is_new) known->second = measure_mix_peak(percent / 100.0);
    return known->second;
  }

 private:
  std::map<int, double> peaks_;
};

int run(const Options& options) {
  const std::vector<Problem> problems = problems_of(options);
  Findings findings{.options = options, .machine = open_machine()};
  require_matches(problems, options);
  findings.machine.read_peak = measure_read_peak(findings.machine.cache_bytes);
  std::cout << head_of(findings) << std::flush;
  const std::vector<Task> tasks = tasks_of(problems, options);
  MixPeaks mix_peaks;
  for (const Task& task : tasks) {
    std::cerr << '[' << findings.cells.size() + 1 << '/' << tasks.size() << "] "
              << describe(task.problem)
              << (task.offset == 0 ? "" : " +" + std::to_string(task.offset)) << '\n';
    const double mix_peak = options.by_key ? 0 : mix_peaks.of(task.problem);  // keys are read, too
    findings.cells.push_back(measure(task, options, findings.machine));
    findings.cells.back().mix_peak = mix_peak;
  }
  for (const Mode mode : options.modes) std::cout << '\n' << table_of(findings, mode);
  std::cout << '\n' << summary_of(findings) << std::flush;
  write_json(findings);
  const bool all_right = std::ranges::all_of(findings.cells, [](const Cell& cell) {
    return cell.state == CellState::measured || cell.state == CellState::skipped;
  });
  return all_right ? 0 : bench::exit_failed;
}

int run_program(int argc, char** argv) try {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const auto options = parse_options(words);
  if (!options.help) return run(options);
  std::cout << help_text();
  return 0;
} catch (const Error& error) {
  std::cerr << contest().program << ": " << error.what() << '\n';
  return bench::exit_code_of(error);
} catch (const std::exception& error) {
  std::cerr << contest().program << ": " << error.what() << '\n';
  return bench::exit_failed;
}

}  // namespace
}  // namespace redtune::compare

int main(int argc, char** argv) {
  return redtune::compare::run_program(argc, argv);
}
