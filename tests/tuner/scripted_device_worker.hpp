// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device worker that is a piece of shell: it says and does what a test wants.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "tests/cache/samples.hpp"
#include "tuner/worker/device_worker.hpp"
#include "tuner/worker/frame.hpp"

namespace redtune::tuner {

/// The frame of a device that was found.
[[nodiscard]] inline std::string found_frame() {
  return frame_of({{"ok", encode(FoundDevice{.selection = "hip:0", .platform = "hip"})}});
}

/// Starts a worker that is a piece of shell, in a folder with the file "found": a frame that says
/// what the device is. $$ is written to the file "pid".
class ScriptedDeviceWorker {
 public:
  ScriptedDeviceWorker() { cache::testing::write_text(folder_ / "found", found_frame()); }

  [[nodiscard]] WorkerCommand command(const std::string& script) const {
    return {.words = {"/bin/sh", "-c",
                      fmt::format("cd {}; echo $$ > pid; {}", (folder_ / "").string(), script)},
            .device = "hip:0",
            .timeouts = {.open = std::chrono::seconds(5), .reaping = std::chrono::seconds(2)}};
  }
  /// What starting such a worker, and asking it once, comes to.
  [[nodiscard]] std::optional<BenchMishap> mishap(const WorkerCommand& command) const {
    try {
      DeviceWorker worker(command);
      (void)worker.ask("anything", json::object(), std::chrono::milliseconds(500));
    } catch (const BenchMishap& found) {
      return found;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool is_gone() const {
    pid_t pid = 0;
    std::ifstream(folder_ / "pid") >> pid;
    for (int turn = 0; turn < 100; ++turn) {
      if (pid > 0 && (kill(pid, 0) != 0 || is_zombie(pid))) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_ / name;
  }

 private:
  /// Dead, and nobody has asked how yet.
  [[nodiscard]] static bool is_zombie(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    return line.find(") Z ") != std::string::npos;
  }

  cache::testing::ScratchFolder folder_;
};

}  // namespace redtune::tuner
