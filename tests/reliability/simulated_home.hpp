// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune as users run it, in a home of its own, on a simulated GPU that does what it is told.
#pragma once

#include <map>
#include <set>
#include <string>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {

/// A part of the kernels' names that some configs of a short search have, and the default has not.
inline constexpr const char* some_kernels = "last_wave<";

class SimulatedHome {
 public:
  SimulatedHome() { std::filesystem::create_directory(home_ / "simulated"); }

  [[nodiscard]] const Home& home() const { return home_; }
  /// The environment of a GPU with these directives (tests/simulated_gpu/world.hpp).
  [[nodiscard]] Words environment(const std::string& directives = "") const {
    return {"REDTUNE_MODULE_PATH=" REDTUNE_SIMULATED_MODULES, "REDTUNE_SIMULATED=" + directives,
            "REDTUNE_SIMULATED_STATE=" + (home_ / "simulated").string()};
  }
  [[nodiscard]] Said tune(const std::string& directives = "", const Words& more = {}) const {
    return home_.run(words(more), environment(directives));
  }
  [[nodiscard]] Said run(const Words& all) const { return home_.run(all, environment()); }
  [[nodiscard]] static Words words(const Words& more = {}) {
    return cli::with(
        {"tune", "--device", "hip:0", "--count", "10000", "--budget", "24", "--jobs", "2"}, more);
  }

  /// The stored answer; null when there is none.
  [[nodiscard]] json winner() const {
    const Said said =
        run({"query", "--device", "hip:0", "--count", "10000", "--min-match", "exact", "--json"});
    return said.code == 0 ? said.document().at("settings") : json();
  }
  /// Of the newest run, as the store has them.
  [[nodiscard]] json trials() const {
    const json runs = run({"log", "--json"}).document().at("runs");
    if (runs.empty()) return json::array();
    const std::string number = std::to_string(runs[0].at("run").get<int>());
    return run({"log", number, "--json"}).document().at("all_trials");
  }
  /// How many of them ended so.
  [[nodiscard]] std::size_t count(const std::string& status) const {
    std::size_t found = 0;
    for (const json& trial : trials()) found += trial.at("status") == status ? 1 : 0;
    return found;
  }
  /// A number that the simulated GPU keeps.
  [[nodiscard]] int kept(const std::string& name) const {
    std::error_code none;
    const auto counted = std::filesystem::file_size(home_ / "simulated" / (name + ".count"), none);
    if (!none) return static_cast<int>(counted);
    int value = 0;
    std::ifstream(home_ / "simulated" / name) >> value;
    return value;
  }

 private:
  Home home_;
};

/// process: its folder in /proc.
[[nodiscard]] inline bool belongs_to(const SimulatedHome& home,
                                     const std::filesystem::path& process) {
  std::ifstream file(process / "environ", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find((home.home() / "simulated").string()) != std::string::npos;
}

[[nodiscard]] inline std::size_t processes_of(const SimulatedHome& home) {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    found += belongs_to(home, entry.path()) ? 1 : 0;
  }
  return found;
}

inline void expect_no_processes(const SimulatedHome& home) {
  for (int turn = 0; turn < 100 && processes_of(home) > 0; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(processes_of(home), 0U) << "orphans";
}

/// Of a run over many problems: how many are in each state.
using States = std::map<std::string, std::size_t>;

[[nodiscard]] inline States states_of(const Said& said) {
  States states;
  const json document = said.document();
  for (const json& one : document.at("problems")) ++states[one.at("state").get<std::string>()];
  return states;
}

/// For runs that are compared: a strategy that learns goes another way each time, as times differ.
inline const Words same_points{"--strategy", "random"};

/// What one config of them has alone, a shape that every search tries early. It is their winner, so
/// that others win only if it cannot; a few deaths are no epidemic.
inline constexpr const char* few_kernels = "last_wave<redtune::acq_rel_fence>, 128, 64,";

/// Whether a config's kernel is one of few_kernels.
[[nodiscard]] inline bool is_culprit(const json& settings) {
  return settings.at("finish") == "last_wave" && settings.at("fence") == "acq_rel" &&
         settings.at("block_size") == "128" && settings.at("items_per_thread") == "64";
}

/// The winner of a search of the same points in which those kernels do not even compile.
[[nodiscard]] inline json winner_without_some_kernels() {
  const SimulatedHome home;
  EXPECT_EQ(home.tune(std::string("compile_refuse:") + some_kernels, same_points).code, 0);
  EXPECT_GT(home.count("compile_failed"), 0U);
  return home.winner();
}

}  // namespace redtune::cli
