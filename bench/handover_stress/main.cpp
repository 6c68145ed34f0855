// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Are hand-overs by slots and counted words right on a busy device? A million launches of each of
// many configurations, every result checked. Usage: handover_stress --help
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <unistd.h>

#include "bench/exit_code.hpp"
#include "bench/handover_stress/groups.hpp"
#include "bench/handover_stress/load.hpp"
#include "bench/handover_stress/report.hpp"
#include "bench/handover_stress/stress.hpp"
#include "device/registry.hpp"
#include "redtune/error.hpp"
#include "runtime/load_config.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {
namespace {

namespace fs = std::filesystem;

/// A folder that goes away.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "redtune-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw IoError("cannot make a folder " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Of what a case is launched, two Reducers at the same time launch each.
constexpr std::int64_t pair_share = 4;
/// Of groups by key, whose results are as many as their input, every so many launches.
constexpr std::int64_t groups_share = 10;

/// Prints as it goes, and keeps. What became of broken-off workspaces is one line at the end,
/// unless something is wrong.
class Findings {
 public:
  explicit Findings(bool is_json) : is_json_(is_json) {
    if (!is_json_) fmt::print("{}", table_head());
  }
  void add(Finding finding) {
    const bool is_worth_a_line = finding.kind != Kind::broken_off || !finding.tally.is_right();
    if (!is_json_ && is_worth_a_line) fmt::print("{}", row_of(finding));
    std::fflush(stdout);
    all_.push_back(std::move(finding));
  }
  /// The exit code.
  [[nodiscard]] int end(std::string_view device) const {
    fmt::print("{}", is_json_ ? json_of(all_, device) : verdict_of(all_));
    return is_all_right(all_) ? 0 : 1;
  }

 private:
  bool is_json_;
  std::vector<Finding> all_;
};

class Program {
 public:
  explicit Program(const StressOptions& options)
      : options_(options),
        selection_(runtime::registry().select(options.device)),
        device_(device::open(selection_)),
        cases_(cases_of(options, device_->limits())),
        watchdog_(options.patience),
        findings_(options.is_json) {
    if (options.has_load) load_.emplace(selection_);
  }

  int run() {
    // Cases of one problem stand together: its inputs are made and its kernels compiled once.
    for (auto first = cases_.begin(); first != cases_.end();) {
      const auto end = std::find_if(first, cases_.end(), [&](const StressCase& one) {
        return one.problem != first->problem;
      });
      run_problem({first, end});
      first = end;
    }
    if (!options_.problem) run_groups_by_key();
    return findings_.end(device_->identity().name);
  }

 private:
  [[nodiscard]] Endurance endurance() const { return {options_.launches, options_.most_time}; }

  void run_problem(std::span<const StressCase> cases) {
    const Problem& problem = cases.front().problem;
    const kernels::Family& family = kernels::family_of(problem);
    std::vector<runtime::ConfigChoice> choices;
    for (const StressCase& one : cases) {
      choices.push_back({&family, problem, one.settings, device_->limits()});
    }
    auto configs = runtime::load_configs(*selection_.platform, *device_, std::move(choices));
    const auto inputs = exact_inputs(problem, 1);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (const auto* failure = std::get_if<device::CompileFailure>(&configs[i])) {
        runtime::throw_failure(problem, *failure);
      }
      run_case(cases[i], std::get<runtime::LoadedConfig>(configs[i]), inputs);
    }
    run_pairs(cases);
  }

  void run_case(const StressCase& one, const runtime::LoadedConfig& config,
                const std::vector<ExactInput>& inputs) {
    Stressed stressed(*device_, config, inputs, watchdog_);
    findings_.add({.kind = Kind::stream, .what = one, .tally = stressed.run(endurance())});
    const BrokenOff broken = stressed.run_in_broken_off(options_.launches);
    findings_.add({.kind = Kind::broken_off,
                   .what = one,
                   .tally = broken.after,
                   .launches_before = broken.launches_before,
                   .wrong_before = broken.wrong_before});
    if (load_) load_->require_running();
  }

  /// Of the first configuration of each finish.
  void run_pairs(std::span<const StressCase> cases) {
    std::vector<std::string> done;
    for (const StressCase& one : cases) {
      const std::string finish = value_of(one.settings, "finish");
      if (std::ranges::find(done, finish) != done.end()) continue;
      done.push_back(finish);
      Endurance some = endurance();
      some.launches = std::max<std::int64_t>(1, some.launches / pair_share);
      findings_.add(
          {.kind = Kind::pair,
           .what = one,
           .tally = run_pair(one, options_.device, scratch_.path(), some, options_.patience)});
      if (load_) load_->require_running();
    }
  }

  void run_groups_by_key() {
    Endurance some = endurance();
    some.launches = std::max<std::int64_t>(1, some.launches / groups_share);
    for (const StressCase& one : cases_of_groups(device_->limits())) {
      findings_.add({.kind = Kind::groups,
                     .what = one,
                     .tally = run_groups(one, options_.device, some, options_.patience)});
      if (load_) load_->require_running();
    }
  }

  const StressOptions& options_;
  Scratch scratch_;
  device::Selection selection_;
  std::unique_ptr<device::Device> device_;
  std::vector<StressCase> cases_;
  Watchdog watchdog_;
  Findings findings_;
  std::optional<Load> load_;
};

int run(int argc, char** argv) {
  const auto options = read_stress_options(argc, argv);
  return options ? Program(*options).run() : 0;
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  return redtune::bench::run(argc, argv);
} catch (const boost::program_options::error& error) {
  fmt::print(stderr, "handover_stress: {}\n", error.what());
  return redtune::bench::exit_usage;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "handover_stress: {}\n", error.what());
  return redtune::bench::exit_code_of(error);
} catch (const std::exception& error) {
  fmt::print(stderr, "handover_stress: {}\n", error.what());
  return redtune::bench::exit_failed;
}
