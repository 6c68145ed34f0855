// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Recorded search spaces of whoever, packed and plain.
#include "search/replay/read_space.hpp"

#include <algorithm>

#include "redtune/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {
namespace {

constexpr const char* t4 = R"({"schema_version": "1.0.0", "results": [
{"configuration": {"a": 1, "b": "x", "c": true}, "invalidity": "correct", "objectives": ["time"],
 "times": {"compilation": 5, "framework": 1, "runtimes": [1.5, 2]},
 "measurements": [{"name": "time", "value": 1.75, "unit": ""}]},
{"configuration": {"a": 2.5, "b": "y", "c": true}, "invalidity": "compile",
 "measurements": [{"name": "time", "value": "CompilationFailedConfig", "unit": ""}]}]})";

constexpr const char* kernel_tuner = R"({"tune_params": {"a": [1, 2], "b": [1]}, "cache": {
"1,1": {"a": 1, "b": 1, "time": 2.5, "times": [2, 3], "compile_time": 5},
"2,1": {"a": 2, "b": 1, "time": "RuntimeFailedConfig", "framework_time": 5}}})";

/// As gzip stores what cannot be made shorter.
constexpr char packed[] =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x01\x0e\x00\xf1\xff{\"results\":[]}"
    "\x0a\x27\x7c\x9e\x0e\x00\x00\x00";

}  // namespace

void read_space(std::string_view bytes) {
  search::RecordedSpace space;
  try {
    space = search::read_space(std::string(bytes));
  } catch (const UsageError& error) {
    promise(*error.what() != '\0', "a refusal says why");
    return;
  }
  promise(space.points.size() >= 2 && space.points.size() == space.records.size(),
          "there is something to search");
  promise(std::is_sorted(space.points.begin(), space.points.end()) &&
              std::adjacent_find(space.points.begin(), space.points.end()) == space.points.end(),
          "points are in order, none twice");
  for (std::size_t i = 0; i < space.points.size(); ++i) {
    promise(space.points[i].size() == space.axes.size(), "a point has a value of each axis");
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      promise(space.points[i][axis] < space.axes[axis].values.size(), "of those that there are");
    }
    const search::Record& record = space.records[i];
    promise(record.cost.value_or(1) > 0 && record.seconds.value_or(0) >= 0, "times are times");
  }
  (void)space.fingerprint();
}

std::vector<std::string> space_samples() {
  return {t4, kernel_tuner, std::string(packed, sizeof(packed) - 1),
          R"({"format": "redtune results 1", "results": []})"};
}

}  // namespace redtune::fuzz
