// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Invented devices, runs and results, and scratch folders, for the tests of the cache.
#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "cache/keys/records.hpp"
#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "tests/support/scratch_folder.hpp"

namespace redtune::cache::testing {

/// A place where a sync costs nothing, for tests with thousands of them.
inline std::filesystem::path memory_folder() {
  const bool is_there = access("/dev/shm", W_OK | X_OK) == 0;
  return is_there ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
}

using checks::ScratchFolder;

inline DeviceIdentity sample_device() {
  return {.device_class = {.platform = "hip",
                           .isa = "gfx90a:sramecc+:xnack-",
                           .model = "1002:740c:0b0c",
                           .partition = "SPX",
                           .compute_units = 104,
                           .wave_size = 64,
                           .last_level_cache_bytes = 8 << 20,
                           .memory_bytes = std::int64_t{64} << 30},
          .toolchain = {.driver = "6.3", .runtime = "6.3.1", .compiler = "hiprtc 6.3"},
          .name = "Invented 250",
          .address = "0000:03:00.0"};
}

inline Problem sample_problem(std::int64_t count = 1 << 24) {
  return make_problem(Op::sum, DType::f32, count);
}

inline RunStart sample_start() {
  return {.family = "reduce",
          .space_key = "space-1",
          .problem = sample_problem(),
          .device = sample_device(),
          .strategy = "random",
          .seed = 0xfedcba9876543210,
          .budget = "200",
          .program_version = "0.1.0",
          .command_line = "redtune tune"};
}

inline Settings sample_settings(int block_size = 256) {
  return {{"finish", "last_block"}, {"block_size", std::to_string(block_size)}};
}

inline Trial sample_trial(std::int64_t sequence, int block_size = 256) {
  return {.sequence = sequence,
          .settings = sample_settings(block_size),
          .phase = "search",
          .status = "ok",
          .time_us = Interval{10.25, 10.5, 11.125},
          .samples = 30,
          .detail = "",
          .compile_ms = 120.5,
          .wall_ms = 12.25};
}

inline Best sample_best(int block_size = 256) {
  return {.settings = sample_settings(block_size),
          .time_us = {10.25, 10.5, 11.125},
          .default_us = 12.6,
          .gain = {1.125, 1.2, 1.23},
          .gigabytes_per_second = 6391.3,
          .reason = "winner"};
}

inline StoredBest sample_entry(std::int64_t generation = 1) {
  return {.generation = generation,
          .run = RunId{7},
          .question = question_of(sample_start()),
          .device_name = "Invented 250",
          .at = "2026-01-02T03:04:05.678Z",
          .best = sample_best()};
}

inline Query sample_query() {
  return {.family = "reduce",
          .space_key = "space-1",
          .problem = sample_problem(),
          .device = sample_device()};
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Runs work(0), work(1), ... each in a process of its own, all released at the same moment.
/// Returns their exit statuses; minus the signal for one that was killed.
inline std::vector<int> in_children(int count, const std::function<int(int)>& work) {
  int gate[2];
  if (pipe(gate) != 0) return {};
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is stopped leaves nobody behind
    close(gate[1]);
    char byte = 0;
    (void)!read(gate[0], &byte, 1);  // comes back when the parent closes its end
    try {
      _exit(work(i));
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(99);
    }
  }
  close(gate[1]);
  close(gate[0]);
  std::vector<int> results;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    results.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  }
  return results;
}

/// Runs work in another process; returns its exit status, or minus the signal that ended it.
inline int in_child(const std::function<int()>& work) {
  return in_children(1, [&](int) { return work(); }).at(0);
}

}  // namespace redtune::cache::testing
