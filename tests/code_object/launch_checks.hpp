// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs what a folder of code objects holds by the JSON beside each, on inputs whose results are
// known.
#pragma once

#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "tests/code_object/compiled_folder.hpp"
#include "tests/code_object/json_launcher.hpp"

namespace redtune::code_object {

inline constexpr std::int64_t compute_units = 3;

/// Small whole numbers, so that sums are exact in any order; the least is the last of them.
inline std::vector<float> numbers(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 31 % 64 + 1);
  if (!values.empty()) values.back() = -5;
  return values;
}

template <class T>
T value_at(const std::vector<std::byte>& bytes, const Document& layout, const std::string& name) {
  for (const Document& member : layout) {
    if (member.at("name") != name) continue;
    T value{};
    std::memcpy(&value, bytes.data() + member.at("offset").get<std::size_t>(), sizeof value);
    return value;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

/// Runs every config of every binary on these counts, in the grid by the formulas and in
/// others, twice each, and hands over what came out. The finishes that ran.
template <class Check>
std::set<std::string> run_all(const LauncherApi& api, const CompiledFolder& folder, Check check) {
  std::set<std::string> finishes;
  for (const auto& file : folder.files(".json")) {
    JsonLauncher launcher(api, file);
    const Document& layout = launcher.document().at("buffers").at("out").at("layout");
    for (const Document& config : launcher.document().at("configs")) {
      finishes.insert(config.at("settings").at("finish"));
      for (const std::int64_t count : {1, 15, 16, 17, 1000, 4099}) {
        const std::vector<float> input = numbers(count);
        SCOPED_TRACE(config.at("settings").dump() + std::to_string(count));
        std::vector<Names> geometries{sizes_of(config, {{"count", count}}, compute_units)};
        for (const Geometry& own : own_geometries(config.at("grid"), count)) {
          geometries.push_back(sizes_of(config, {{"count", count}}, compute_units,
                                        {{"grid", own.grid}, {"run", own.run}}));
        }
        for (const Names& names : geometries) {
          SCOPED_TRACE(fmt::format("grid {}, run {}", names.at("grid"), names.at("run")));
          for (const auto& result :
               launcher.run(config, names, {{"in", std::as_bytes(std::span(input))}}, 2)) {
            check(input, result, layout);
          }
        }
      }
    }
  }
  return finishes;
}

/// Of sums of f32. The finishes that ran.
inline std::set<std::string> run_sums(const LauncherApi& api, const CompiledFolder& folder) {
  return run_all(api, folder, [](const auto& input, const auto& result, const Document& layout) {
    float sum = 0;
    for (const float x : input) sum += x;
    EXPECT_EQ(value_at<float>(result, layout, "value"), sum);
  });
}

/// Of argmin of f32. The finishes that ran.
inline std::set<std::string> run_argmins(const LauncherApi& api, const CompiledFolder& folder) {
  return run_all(api, folder, [](const auto& input, const auto& result, const Document& layout) {
    EXPECT_EQ(value_at<float>(result, layout, "value"), -5);
    EXPECT_EQ(value_at<std::int64_t>(result, layout, "index"),
              static_cast<std::int64_t>(input.size()) - 1);
  });
}

}  // namespace redtune::code_object
