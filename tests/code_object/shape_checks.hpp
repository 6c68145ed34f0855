// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs what a folder of code objects holds by the JSON beside each on arrays whose elements are
// told to a launcher by the extents that the JSON asks for: rows, columns, channels and segments.
#pragma once

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "tests/code_object/compiled_folder.hpp"
#include "tests/code_object/json_launcher.hpp"

namespace redtune::code_object {

/// Extents as the JSON names them, and the elements of each result: a launcher's own bookkeeping.
struct LaunchedShape {
  Names extents;
  std::size_t span = 0;  ///< elements of memory
  std::vector<std::vector<std::size_t>> results;
  std::vector<std::int64_t> begins = {};  ///< of segments
  std::vector<std::int64_t> ends = {};
};

/// A family's code objects: how they are compiled, and what they are launched for.
struct LaunchedFamily {
  std::string name;  ///< as the JSON has it
  cli::Words problem;
  cli::Words few_of_gpus;  ///< settings that leave one or a few configs of each way
  std::vector<LaunchedShape> shapes;

  /// What is compiled of it: blocks of so many threads.
  [[nodiscard]] cli::Words options(const std::string& target, const std::string& block_size,
                                   bool is_gpu) const {
    const bool is_of_rows = std::ranges::count(problem, "rows") > 0;  // one by one then
    cli::Words words{"--target", target};
    words.insert(words.end(), problem.begin(), problem.end());
    cli::Words settings{"block_size=" + block_size, "load=cached",
                        is_gpu ? "loads_per_thread=4" : "loads_per_thread=2",
                        is_of_rows ? "vector_width=1" : "vector_width=4"};
    if (is_gpu) settings.insert(settings.end(), few_of_gpus.begin(), few_of_gpus.end());
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    return words;
  }
};

/// Results in the order of their outer and inner index, each of `count` elements in every array.
inline std::vector<std::vector<std::size_t>> strided(std::size_t outer, std::size_t outer_step,
                                                     std::size_t count, std::size_t count_step,
                                                     std::size_t inner = 1, std::size_t batch = 1,
                                                     std::size_t batch_step = 0) {
  std::vector<std::vector<std::size_t>> results;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      auto& elements = results.emplace_back();
      for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t k = 0; k < count; ++k) {
          elements.push_back(b * batch_step + o * outer_step + k * count_step + i);
        }
      }
    }
  }
  return results;
}

/// Elements up to the last that a result has.
inline LaunchedShape with_span(LaunchedShape shape) {
  for (const auto& elements : shape.results) {
    for (const std::size_t element : elements) shape.span = std::max(shape.span, element + 1);
  }
  return shape;
}

inline LaunchedShape rows_of(std::int64_t rows, std::int64_t count, std::int64_t pitch) {
  const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return with_span({.extents = {{"rows", rows}, {"count", count}, {"pitch", pitch}},
                    .results = strided(size(rows), size(pitch), size(count), 1)});
}

inline LaunchedShape columns_of(std::int64_t slices, std::int64_t count, std::int64_t inner,
                                std::int64_t pitch, std::int64_t slice_pitch) {
  const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return with_span(
      {.extents = {{"slices", slices},
                   {"count", count},
                   {"inner", inner},
                   {"pitch", pitch},
                   {"slice_pitch", slice_pitch}},
       .results = strided(size(slices), size(slice_pitch), size(count), size(pitch), size(inner))});
}

inline LaunchedShape channels_of(std::int64_t arrays, std::int64_t channels, std::int64_t count,
                                 std::int64_t pitch, std::int64_t batch_pitch) {
  const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return with_span({.extents = {{"arrays", arrays},
                                {"channels", channels},
                                {"count", count},
                                {"pitch", pitch},
                                {"batch_pitch", batch_pitch}},
                    .results = strided(size(channels), size(pitch), size(count), 1, 1, size(arrays),
                                       size(batch_pitch))});
}

/// Segments of these lengths, one behind the other, in an array that ends behind the last.
inline LaunchedShape segments_of(const std::vector<std::int64_t>& lengths) {
  LaunchedShape shape;
  std::int64_t at = 0;
  for (const std::int64_t length : lengths) {
    shape.begins.push_back(at);
    auto& elements = shape.results.emplace_back();
    for (const std::int64_t end = at + length; at < end; ++at) {
      elements.push_back(static_cast<std::size_t>(at));
    }
    shape.ends.push_back(at);
  }
  shape.span = static_cast<std::size_t>(at);
  shape.extents = {{"count", at}, {"segments", static_cast<std::int64_t>(lengths.size())}};
  return shape;
}

inline std::vector<LaunchedShape> odd_segments() {
  std::vector<std::int64_t> many;
  for (int i = 0; i < 301; ++i) many.push_back(i * 37 % 11 * (i % 3));
  return {segments_of({5}), segments_of({0, 1, 77, 0, 0, 4099, 3, 1001}), segments_of(many),
          segments_of({0, 0, 0})};
}

/// Every family of shapes with odd extents, with gaps and without, and both widths of offsets.
inline std::vector<LaunchedFamily> launched_families() {
  const std::vector<LaunchedShape> rows{rows_of(1, 1, 1),        rows_of(7, 33, 33),
                                        rows_of(13, 1001, 1003), rows_of(3, 0, 0),
                                        rows_of(301, 5, 5),      rows_of(2, 4099, 4111)};
  const std::vector<LaunchedShape> columns{
      columns_of(1, 33, 7, 7, 231),       columns_of(1, 1001, 3, 5, 5005),
      columns_of(3, 17, 35, 35, 600),     columns_of(1, 515, 77, 81, 41715),
      columns_of(2, 0, 3, 3, 0),          columns_of(1, 3, 1025, 1025, 3075),
      columns_of(1, 4099, 2, 2, 2 * 4099)};
  const std::vector<LaunchedShape> channels{
      channels_of(3, 7, 33, 33, 231), channels_of(5, 3, 1001, 1003, 3100),
      channels_of(2, 301, 1, 1, 301), channels_of(33, 1, 49, 49, 51), channels_of(2, 3, 0, 0, 0)};
  return {
      {"reduce_rows",
       {"--shape", "3x4000", "--axis", "1"},
       {"threads_per_row=32", "threads_per_row=128", "rows_per_thread=1"},
       rows},
      {"reduce_rows", {"--shape", "1000x5", "--axis", "1"}, {"way=staged"}, rows},
      {"reduce_rows",
       {"--shape", "3x4000", "--axis", "1", "--order", "rows"},
       {"threads_per_row=128"},
       rows},
      {"reduce_columns", {"--shape", "4000x3", "--axis", "0"}, {"vectors_per_thread=1"}, columns},
      {"reduce_columns",
       {"--shape", "4000x3", "--axis", "0", "--order", "rows"},
       {"vectors_per_thread=1"},
       columns},
      {"reduce_channels",
       {"--shape", "5x3x1333", "--axis", "0,2"},
       {"threads_per_span=32", "spans_per_thread=1"},
       channels},
      {"reduce_segments",
       {"--segments", "1000", "--count", "77000"},
       {"threads_per_segment=8", "segments_per_thread=1"},
       odd_segments()},
      {"reduce_segments",
       {"--segments", "1000", "--count", "77000", "--offset-bits", "64"},
       {"threads_per_segment=8", "segments_per_thread=1"},
       odd_segments()}};
}

/// Small whole numbers, so that sums are exact in any order.
inline std::vector<float> small_numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 31 % 63 + 1);
  return values;
}

/// Offsets as wide as the JSON says.
inline std::vector<std::byte> offset_bytes(const std::vector<std::int64_t>& offsets,
                                           std::size_t width) {
  std::vector<std::byte> bytes(offsets.size() * width);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::memcpy(bytes.data() + i * width, &offsets[i], width);  // the low bytes come first
  }
  return bytes;
}

/// Sums of f32 of a shape, twice, by one config.
inline void expect_sums(JsonLauncher& launcher, const Document& config, const LaunchedShape& shape,
                        std::int64_t compute_units) {
  SCOPED_TRACE(config.at("settings").dump() + Document(shape.extents).dump());
  const std::vector<float> input = small_numbers(shape.span);
  Contents contents{{"in", std::as_bytes(std::span(input))}};
  std::vector<std::byte> begins;
  std::vector<std::byte> ends;
  const Document& buffers = launcher.document().at("buffers");
  if (buffers.contains("begins")) {
    begins = offset_bytes(shape.begins, buffers.at("begins").at("element_bytes"));
    ends = offset_bytes(shape.ends, buffers.at("ends").at("element_bytes"));
    contents["begins"] = begins;
    contents["ends"] = ends;
  }
  const Names names = sizes_of(config, shape.extents, compute_units);
  for (const auto& result : launcher.run(config, names, contents, 2)) {
    std::vector<float> sums(result.size() / sizeof(float));
    std::memcpy(sums.data(), result.data(), result.size());
    ASSERT_EQ(sums.size(), shape.results.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      float expected = 0;
      for (const std::size_t element : shape.results[i]) expected += input[element];
      ASSERT_EQ(sums[i], expected) << i;
    }
  }
}

/// What redtune itself would launch is what the formulas give.
inline void expect_examples(const Document& config) {
  EXPECT_GE(config.at("examples").size(), 4U);
  for (const Document& example : config.at("examples")) {
    const Names names = sizes_of(config, example.at("extents"), example.at("compute_units"));
    for (const auto& [name, size] : example.at("sizes").items()) {
      EXPECT_EQ(names.at(name), size) << name << example.dump() << config.at("settings").dump();
    }
  }
}

/// Every config of every binary. The ways that ran, which are values of a family's first tunable.
inline std::set<std::string> run_shapes(const LauncherApi& api, const CompiledFolder& folder,
                                        const LaunchedFamily& family,
                                        const std::vector<std::int64_t>& compute_units) {
  std::set<std::string> ways;
  for (const auto& file : folder.files(".json")) {
    JsonLauncher launcher(api, file);
    EXPECT_EQ(launcher.document().at("family"), family.name);
    for (const Document& config : launcher.document().at("configs")) {
      ways.insert(config.at("settings").at("way"));
      expect_examples(config);
      for (const std::int64_t units : compute_units) {
        for (const LaunchedShape& shape : family.shapes) {
          expect_sums(launcher, config, shape, units);
        }
      }
    }
  }
  return ways;
}

}  // namespace redtune::code_object
