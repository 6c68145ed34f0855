// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Tests on a GPU that does nothing (bench/null_module.cpp), with a home for results and binaries of
// their own. What is compiled is told by a log.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "redtune/reducer.hpp"
#include "tests/cache/samples.hpp"
#include "tests/runtime/published.hpp"

namespace redtune::testing_runtime {

class NullGpu {
 public:
  NullGpu() {
    setenv("REDTUNE_MODULE_PATH", REDTUNE_NULL_MODULES, 1);
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    setenv("REDTUNE_NULL_LOG", (folder_ / "compiled").c_str(), 1);
    unsetenv("REDTUNE_NULL_COMPILER");
    unsetenv("REDTUNE_NULL_REFUSES");
  }

  [[nodiscard]] Reducer reducer(bool pinned = false) const {
    return Reducer(problem(), {.device = "cuda:0", .lookup = results.options(), .pinned = pinned});
  }
  [[nodiscard]] static Problem problem(std::int64_t count = 1 << 20) {
    return make_problem(Op::sum, DType::f32, count);
  }
  void publish(std::int64_t count, const char* block_size) {
    Settings settings = parse_settings(
        "finish=last_block block_size=256 items_per_thread=16 vector_width=4 blocks_per_unit=4 "
        "tile_order=strided load=cached fence=full cluster_size=1 early_start=off "
        "slot_stride=8 slot_reader=wave slot_wait=all exact_tiles=off");
    settings[1].value = block_size;
    results.publish(problem(count), identify_device("cuda:0"), settings);
  }
  /// One line for each program that was compiled.
  [[nodiscard]] std::vector<std::string> compiled() const {
    std::vector<std::string> lines;
    std::ifstream file(folder_ / "compiled");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  [[nodiscard]] std::filesystem::path binaries() const { return folder_ / "cache/redtune"; }

  ResultsFile results;

 private:
  cache::testing::ScratchFolder folder_;
};

}  // namespace redtune::testing_runtime
