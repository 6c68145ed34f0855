// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Pages of devices, and of two side by side: which results, borders and answers are on them, and
// that nothing on them is of anybody else's making.
#include "cli/report/device_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

#include "cli/report/compare_page.hpp"
#include "cli/report/page_assets.hpp"
#include "cli/report/shape_maps.hpp"
#include "runtime/resolve.hpp"
#include "runtime/space_key.hpp"
#include "tests/cache/samples.hpp"
#include "tests/cli/page_checks.hpp"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A store of one device, or of more.
class DeviceStore {
 public:
  void add(const Problem& problem, int block_size, double time,
           const DeviceIdentity& device = cache::testing::sample_device()) {
    cache::RunStart start = cache::testing::sample_start();
    start.problem = problem;
    start.device = device;
    const kernels::Family& family = kernels::family_of(problem);
    start.family = family.name();
    start.space_key = runtime::space_key(family);
    const cache::RunId run = store.begin(start);
    store.record(run, cache::ReadPeaks{1000, 2000});
    cache::Best best = cache::testing::sample_best();
    const Problem like =
        is_whole_array(problem) ? make_problem(problem.op, problem.in, 1 << 16) : problem;
    best.settings = family.default_settings(like, runtime::limits_of(device));
    for (Setting& setting : best.settings) {
      if (setting.name == "block_size") setting.value = std::to_string(block_size);
    }
    best.time_us = {0.99 * time, time, 1.01 * time};
    best.default_us = 2 * time;
    best.gain = {1.9, 2, 2.1};
    best.gigabytes_per_second = family.bytes_moved(problem) / time / 1e3;
    store.publish(run, best);
    store.finish(run, cache::RunState::done, "winner");
  }
  [[nodiscard]] DevicesReport report(const std::string& text = "") const {
    return {device_stories(store, text), store.bests(), {}};
  }

  cache::Store store = cache::Store::in_memory();
};

Problem sum_of(std::int64_t count, DType type = DType::f32) {
  return make_problem(Op::sum, type, count);
}

DeviceIdentity other_device(const std::string& name) {
  DeviceIdentity device = cache::testing::sample_device();
  device.device_class.isa = "gfx942";
  device.name = name;
  return device;
}

TEST(DevicePage, ShowsResultsAsSharesOfThePeakBesideTheDefault) {
  DeviceStore made;
  made.add(sum_of(1 << 20), 128, 4.194304 / 0.8);
  made.add(sum_of(1 << 22), 64, 16.777216 / 0.9);
  made.add(sum_of(1 << 22, DType::f64), 64, 33.554432 / 0.7);
  const std::string page = page_of(made.report());
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("2.00× as fast as the default in the geometric mean of 3 results"));
  EXPECT_THAT(page,
              HasSubstr("% of the read peak over bytes of the input. f32, the default: 40 at 2^22, "
                        "45 at 2^24; f32: 80 at 2^22, 90 at 2^24; f64, the "
                        "default: 35 at 2^25; f64: 70 at 2^25;"));
  EXPECT_THAT(page, Not(HasSubstr("far above the peak")));
  made.add(sum_of(1 << 18), 64, 1.048576 / 2);
  EXPECT_THAT(page_of(made.report()), HasSubstr("far above the peak"));
}

TEST(DevicePage, MapsRowsAndColumnsWhereBothDiffer) {
  DeviceStore made;
  const auto add = [&](std::int64_t rows, std::int64_t columns, double share) {
    const Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(rows, columns));
    const double bytes = kernels::family_of(problem).bytes_moved(problem);
    made.add(problem, 128, bytes / 1e6 / share);
  };
  add(1 << 10, 1 << 12, 0.8);
  EXPECT_TRUE(shape_maps(made.report().devices.front()).empty()) << "of one shape nothing is told";
  add(1 << 10, 1 << 14, 0.5);
  EXPECT_TRUE(shape_maps(made.report().devices.front()).empty());
  add(1 << 14, 1 << 12, 0.25);
  const auto maps = shape_maps(made.report().devices.front());
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(maps[0].title, "sum of rows, f32");
  EXPECT_EQ(maps[0].rows, (std::vector<std::string>{"2^10", "2^14"}));
  EXPECT_EQ(maps[0].columns, (std::vector<std::string>{"2^12", "2^14"}));
  EXPECT_NEAR(*maps[0].at(0, 0).ratio, 1.25, 1e-6);
  EXPECT_NEAR(*maps[0].at(0, 1).ratio, 2, 1e-6);
  EXPECT_NEAR(*maps[0].at(1, 0).ratio, 4, 1e-6);
  EXPECT_FALSE(maps[0].at(1, 1).is_tried) << "nothing is guessed";
  const std::string page = page_of(made.report());
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("as a multiple of what reading at the peak takes"));
}

/// Arrays of fewer elements are slower, whatever their shape: a line would tell of that.
TEST(DevicePage, JoinsShapesOfAsManyElementsOnly) {
  for (const bool are_alike : {true, false}) {
    DeviceStore made;
    made.add(make_problem(Op::sum, DType::f32, Shape::columns(1 << 10, 1 << 10)), 128, 6);
    made.add(
        make_problem(Op::sum, DType::f32, Shape::columns(are_alike ? 1 << 8 : 1 << 9, 1 << 12)),
        128, 3);
    const std::string page = page_of(made.report());
    const std::regex line("curve c\\d\" d=\"M[^\"]*L");  // the legend's have no corner
    EXPECT_EQ(std::regex_search(page, line), are_alike);
  }
}

TEST(DevicePage, ComparesTypesAndOrdersApart) {
  DeviceStore made;
  const DeviceIdentity other = other_device("Other");
  Problem any = sum_of(1 << 20);
  any.order = Order::any;
  for (const Problem& problem : {sum_of(1 << 20), any}) {
    made.add(problem, 128, 6);
    made.add(problem, 128, 3, other);
  }
  const DevicesReport report = made.report();
  ASSERT_EQ(report.devices.size(), 2U);
  const std::string page = page_of(report.devices[0], report.devices[1]);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("f32, order any"));
}

TEST(DevicePage, JoinsNeighboursWithOneConfigAndShowsBorders) {
  DeviceStore made;
  made.add(sum_of(1 << 12), 64, 2);
  made.add(sum_of(1 << 14), 64, 2);
  made.add(sum_of(1 << 20), 128, 6);
  const DevicesReport report = made.report();
  auto classes = size_classes(report.devices.front());
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].results, 2U);
  EXPECT_FALSE(classes[0].to);
  DeviceStory device = report.devices.front();
  device.borders.push_back({.question = device.results[1].stored.question,
                            .border = {.above = 1 << 20, .first = 99'000}});
  classes = size_classes(device);
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].to, 98'999);
  EXPECT_EQ(classes[1].from, 99'000);
}

TEST(DevicePage, KnowsHowEverySizeIsAnswered) {
  DeviceStore made;
  made.add(sum_of(1 << 16), 64, 3);
  const auto rows = coverage_of(made.store.bests(), made.report().devices.front());
  const auto row = std::ranges::find(rows, "sum f32", &CoverageRow::name);
  ASSERT_NE(row, rows.end());
  const auto counts = coverage_counts();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 1 << 16) {
      EXPECT_EQ(row->matches[i], Match::exact);
    } else {
      EXPECT_NE(row->matches[i], Match::exact) << counts[i];
    }
  }
  EXPECT_EQ(row->matches.back(), Match::fallback);
  EXPECT_EQ(row->matches[5], Match::near);
}

TEST(DevicePage, KeepsNamesOfDevicesAsText) {
  DeviceStore made;
  DeviceIdentity device = other_device(hostile);
  device.toolchain = {hostile, hostile, hostile};
  made.add(sum_of(1 << 16), 64, 3, device);
  made.add(sum_of(1 << 16), 64, 3);
  DevicesReport report = made.report();
  report.peers.push_back(
      {.file = hostile, .device = hostile + "x", .library = hostile, .mode = hostile});
  report.peers.push_back({.file = "f",
                          .device = hostile,
                          .library = hostile,
                          .mode = hostile,
                          .times = {{sum_of(1 << 16), 3, 3, 90}}});
  for (const std::string& page : {page_of(report), page_of(report.devices[0], report.devices[1])}) {
    expect_sound(page);
    for (const std::string piece : {"<script", "</script", "<style", "</style", "<title>"}) {
      EXPECT_EQ(occurrences(page, piece), 1U) << piece;
    }
    EXPECT_THAT(page, Not(HasSubstr("<img")));
  }
}

TEST(DevicePage, TakesThoseDevicesThatATextNames) {
  DeviceStore made;
  made.add(sum_of(1 << 16), 64, 3);
  made.add(sum_of(1 << 16), 64, 3, other_device("Invented 300"));
  EXPECT_EQ(made.report().devices.size(), 2U);
  EXPECT_EQ(made.report("invented 300").devices.size(), 1U);
  EXPECT_EQ(made.report("GFX942").devices.size(), 1U);
  EXPECT_TRUE(made.report("nothing").devices.empty());
  expect_sound(page_of(made.report()));
}

TEST(ComparePage, OfDevicesHasWhatWasTunedOnBoth) {
  DeviceStore made;
  made.add(sum_of(1 << 16), 64, 4);
  made.add(sum_of(1 << 20), 64, 9);
  made.add(sum_of(1 << 16), 64, 2, other_device("Invented 300"));
  const DevicesReport report = made.report();
  ASSERT_EQ(report.devices.size(), 2U);
  const bool is_first_old = report.devices[0].device.name == "Invented 250";
  const std::string page =
      page_of(report.devices[is_first_old ? 0 : 1], report.devices[is_first_old ? 1 : 0]);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("B is 2.00× as fast as A in the geometric mean of 1 problem"));
  EXPECT_THAT(page, HasSubstr("<dt>Only on A</dt><dd>1 result</dd>"));
}

TEST(DevicePage, OfTenThousandResultsIsMade) {
  DeviceStory device;
  device.device = cache::testing::sample_device();
  for (int i = 0; i < 10'000; ++i) {
    cache::StoredBest stored{.generation = i,
                             .run = {},
                             .question = {},
                             .device_name = "d",
                             .at = "",
                             .best = cache::testing::sample_best()};
    stored.question.problem = sum_of(1000 + i);
    device.results.push_back({stored, "sum", "block_size=64", 4e3, {}});
  }
  const std::string page = page_of(DevicesReport{{device}, {}, {}});
  EXPECT_GT(occurrences(page, "<tr>"), 10'000U);
}

}  // namespace
}  // namespace redtune::cli
