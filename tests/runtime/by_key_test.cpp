// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key through the application's handle on the host.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "redtune/reduce_by_key.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

ReducerOptions on_host() {
  return {.device = "host:wave32", .lookup = ResultsFile().options(Match::fallback)};
}

/// As a loop on the host finds them.
template <class Key>
Groups<Key, std::int64_t> expected_sums(const std::vector<Key>& keys,
                                        const std::vector<std::int32_t>& values) {
  Groups<Key, std::int64_t> groups;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      groups.keys.push_back(keys[i]);
      groups.values.push_back(0);
    }
    groups.values.back() += values[i];
  }
  return groups;
}

std::vector<std::int32_t> some_values(std::size_t count) {
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int32_t>(i * 31 % 257) - 99;
  return values;
}

template <class Key>
std::vector<Key> keys_of_runs(std::size_t count, auto length) {
  std::vector<Key> keys;
  for (std::size_t group = 0; keys.size() < count; ++group) {
    keys.resize(std::min(count, keys.size() + length(group)), static_cast<Key>(group % 5) - 2);
  }
  return keys;
}

template <class Key>
void expect_sums(ByKeyReducer& reducer, const std::vector<Key>& keys) {
  const std::vector<std::int32_t> values = some_values(keys.size());
  const auto expected = expected_sums(keys, values);
  const auto found = reducer.reduce<std::int64_t>(std::span<const Key>(keys),
                                                  std::span<const std::int32_t>(values));
  EXPECT_EQ(found.keys, expected.keys);
  EXPECT_EQ(found.values, expected.values);
}

template <class Key>
void expect_any_keys(const Shape& shape, ByKeyWay way) {
  ByKeyReducer reducer(make_problem(Op::sum, DType::i32, shape), 8 * sizeof(Key), on_host(),
                       {.way = way});
  EXPECT_EQ(reducer.answer().family, "reduce_segments");
  EXPECT_EQ(reducer.way(), way);
  for (const std::size_t count : {0, 1, 2, 255, 256, 257, 5000, 1 << 16}) {
    expect_sums(reducer, keys_of_runs<Key>(count, [](std::size_t) { return 1U; }));
    expect_sums(reducer, std::vector<Key>(count, 77));
    expect_sums(reducer, keys_of_runs<Key>(count, [](std::size_t i) { return 1 + i * 7 % 29; }));
    expect_sums(reducer,
                keys_of_runs<Key>(count, [](std::size_t i) { return 3000 / (i + 1) + 1; }));
  }
}

TEST(ByKeyReducer, ReducesAnyKeysAndCounts) {
  for (const ByKeyWay way : {ByKeyWay::segments, ByKeyWay::tiles}) {
    expect_any_keys<std::int32_t>(Shape::segments(1 << 16, 1 << 4), way);
    expect_any_keys<std::int64_t>(Shape::segments(1 << 16, 1 << 13, 64, Skew::zipf), way);
  }
}

ByKeyWay way_of(const std::string& device, const Shape& shape) {
  ReducerOptions options = on_host();
  options.device = device;
  return ByKeyReducer(make_problem(Op::sum, DType::f32, shape), 32, options).way();
}

TEST(ByKeyReducer, ChoosesByTheExpectedLengthOfGroups) {
  const Shape short_ones = Shape::segments(1 << 16, 1 << 12);
  EXPECT_EQ(way_of("host:wave32", short_ones), ByKeyWay::tiles);
  EXPECT_EQ(way_of("host:wave32", Shape::segments(1 << 16, 1 << 6)), ByKeyWay::segments);
  EXPECT_EQ(way_of("host:wave32", Shape::segments(1 << 16, 0)), ByKeyWay::tiles)
      << "who knows nothing gets what is never far behind";
  EXPECT_EQ(way_of("host", short_ones), ByKeyWay::segments);
}

TEST(ByKeyReducer, SaysWhatTilesItHas) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1000, 100));
  const ByKeyReducer tiles(problem, 32, on_host(),
                           {.way = ByKeyWay::tiles, .tiles = parse_settings("block_size=64")});
  EXPECT_NE(to_string(tiles.settings()).find("block_size=64"), std::string::npos);
  const ByKeyReducer segments(problem, 32, on_host(), {.way = ByKeyWay::segments});
  EXPECT_EQ(segments.settings(), segments.answer().settings);
  EXPECT_GT(segments.bytes(), 4 * 1000U) << "an offset for each element";
  for (const char* const wrong : {"block_size=48", "block_size=1024 items_per_thread=32", "x=1"}) {
    EXPECT_THROW(ByKeyReducer(problem, 32, on_host(),
                              {.way = ByKeyWay::tiles, .tiles = parse_settings(wrong)}),
                 UsageError)
        << wrong;
  }
  for (const ByKeyWay way : {ByKeyWay::by_length, ByKeyWay::tiles, ByKeyWay::segments}) {
    EXPECT_EQ(parse_by_key_way(to_string(way)), way);
  }
  EXPECT_THROW((void)parse_by_key_way("bins"), UsageError);
  for (const ByKeyWay way : {ByKeyWay::by_length, ByKeyWay::segments}) {
    EXPECT_THROW(ByKeyReducer(problem, 32, on_host(),
                              {.way = way, .tiles = parse_settings("block_size=64")}),
                 UsageError)
        << "they would be left out in silence";
  }
}

/// Tiles are not tuned: nothing is known of them that could be demanded.
TEST(ByKeyReducer, DemandsOfSegmentsWhatIsDemanded) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1000, 100));
  ReducerOptions strict = on_host();
  strict.lookup.strict = true;
  EXPECT_EQ(ByKeyReducer(problem, 32, strict, {.way = ByKeyWay::tiles}).way(), ByKeyWay::tiles);
  EXPECT_THROW(ByKeyReducer(problem, 32, strict, {.way = ByKeyWay::segments}), UnmetMatch);
}

TEST(ByKeyReducer, FindsSeveralValuesOfEachGroup) {
  const std::vector<std::int32_t> keys{4, 4, 4, 7, 4, 4};
  const std::vector<float> values{1, 2, 3, 9, -1, 1};
  const auto moments =
      reduce_by_key<MeanVariance<float>>(Op::mean_variance, std::span<const std::int32_t>(keys),
                                         std::span<const float>(values), on_host());
  EXPECT_EQ(moments.keys, (std::vector<std::int32_t>{4, 7, 4}));
  ASSERT_EQ(moments.values.size(), 3U);
  EXPECT_FLOAT_EQ(moments.values[0].mean, 2);
  EXPECT_FLOAT_EQ(moments.values[0].variance, 2.0F / 3);
  EXPECT_FLOAT_EQ(moments.values[1].mean, 9);
  const auto largest = reduce_by_key<IndexedValue<float>>(
      Op::argmax, std::span<const std::int32_t>(keys), std::span<const float>(values), on_host());
  EXPECT_EQ(largest.values[0], (IndexedValue<float>{3, 2})) << "counted from the group's first";
  EXPECT_EQ(largest.values[2], (IndexedValue<float>{1, 1}));
}

/// Zeros of both signs are two keys, and NaN is one: bits are compared.
TEST(ByKeyReducer, ComparesKeysByTheirBits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> keys{0.0F, -0.0F, -0.0F, nan, nan};
  const std::vector<std::int32_t> values{1, 2, 3, 4, 5};
  const auto sums = reduce_by_key<std::int64_t>(Op::sum, std::span<const float>(keys),
                                                std::span<const std::int32_t>(values), on_host());
  EXPECT_EQ(sums.values, (std::vector<std::int64_t>{1, 5, 9}));
}

TEST(ByKeyReducer, WritesNoKeysWhereThereIsNoPlaceForThem) {
  ByKeyReducer reducer(make_problem(Op::sum, DType::i32, Shape::segments(100, 10)), 32, on_host());
  const auto keys = keys_of_runs<std::int32_t>(100, [](std::size_t) { return 50U; });
  const auto values = some_values(100);
  std::vector<std::int64_t> out(3, -7);
  std::int64_t groups = -1;
  reducer.launch(keys.data(), values.data(), 100, nullptr, out.data(), &groups);
  reducer.synchronize();
  EXPECT_EQ(groups, 2);
  EXPECT_EQ(out[0], expected_sums(keys, values).values[0]);
  EXPECT_EQ(out[2], -7);
}

TEST(ByKeyReducer, RefusesWhatItIsNotFor) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(100, 10));
  EXPECT_THROW(ByKeyReducer(make_problem(Op::sum, DType::i32, 100), 32, on_host()), UsageError);
  EXPECT_THROW(ByKeyReducer(problem, 8, on_host()), UsageError);
  ReducerOptions pinned = on_host();
  pinned.pinned = true;
  EXPECT_THROW(ByKeyReducer(problem, 32, pinned), UsageError);
  ByKeyReducer reducer(problem, 32, on_host());
  const std::vector<std::int32_t> keys(101, 1);
  const std::vector<std::int64_t> wide(100, 1);
  const std::vector<std::int32_t> values(101, 1);
  std::vector<std::int64_t> out(101);
  std::int64_t groups = 0;
  EXPECT_THROW(reducer.launch(keys.data(), values.data(), 101, nullptr, out.data(), &groups),
               UsageError);
  EXPECT_THROW(reducer.launch(keys.data(), values.data(), 100, nullptr, out.data(), nullptr),
               UsageError);
  EXPECT_THROW(reducer.launch(wide.data(), values.data(), 100, nullptr, out.data(), &groups),
               UsageError);
  EXPECT_THROW(reducer.launch(keys.data(), wide.data(), 100, nullptr, out.data(), &groups),
               UsageError);
  EXPECT_THROW((void)reducer.reduce<std::int64_t>(std::span<const std::int32_t>(keys).first(5),
                                                  std::span<const std::int32_t>(values).first(6)),
               UsageError);
}

}  // namespace
}  // namespace redtune
