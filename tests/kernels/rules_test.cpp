// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every family, problem and device: the default may run, spaces hold only what may run and nothing
// twice, and settings survive every form they take.
#include "kernel_templates/reduce/rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unordered_set>

#include "device/host/host_identity.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "tests/kernels/family_devices.hpp"
#include "tests/kernels/family_space.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::kernels {
namespace {

struct Case {
  std::size_t number = 0;
  std::string name;
  const Family* family = nullptr;
  Limits limits;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

std::vector<Case> all_cases() {
  std::map<std::string, Limits> limits;
  for (const int wave_size : {1, 32, 64}) {
    limits[fmt::format("host{}", wave_size)] =
        device::host::host_limits({.wave_size = wave_size, .threads = 6});
  }
  limits["one_unit"] = device::host::host_limits({.wave_size = 1, .threads = 1});
  limits["gpu32"] = {.min_block_size = 64, .wave_size = 32, .compute_units = 132};
  limits["gpu_of_all"] = {.min_block_size = 64,
                          .wave_size = 32,
                          .compute_units = 132,
                          .early_start = EarlyStart::present,
                          .float_atomics = FloatAtomics::present,
                          .max_cluster_size = 8};
  limits["gpu64"] = {.min_block_size = 64,
                     .wave_size = 64,
                     .compute_units = 304,
                     .registers_per_unit = 4 * 32768,
                     .max_registers_per_thread = 512};
  std::vector<Case> cases;
  for (const Family* family : all_families()) {
    for (const auto& [name, of] : limits) {
      cases.push_back({cases.size(), fmt::format("{}_{}", family->name(), name), family, of});
    }
  }
  return cases;
}

std::vector<Problem> all_problems(const std::vector<std::int64_t>& counts) {
  std::vector<Problem> all;
  for (const auto& [op, type] : checks::operator_cells()) {
    for (const std::int64_t count : counts) all.push_back(make_problem(op, type, count));
  }
  return all;
}

/// For what walks whole spaces: counts take turns, and so do the cases of a family, each of which
/// has a fifth of the problems; all in a full run.
std::vector<Problem> sampled_problems(const std::vector<std::int64_t>& counts, const Case& one) {
  if (checks::is_full_run()) return all_problems(counts);
  std::vector<Problem> some;
  for (const auto& [op, type] : checks::some_operator_cells()) {
    some.push_back(make_problem(op, type, counts[some.size() % counts.size()]));
  }
  return checks::every_nth(some, 5, one.number);
}

class Rules : public testing::TestWithParam<Case> {
 protected:
  const Family& family_ = *GetParam().family;
  const Limits& limits_ = GetParam().limits;
};

TEST_P(Rules, AllowTheDefaultForEveryProblem) {
  for (const Problem& problem : all_problems({0, 1, 31, 1000, 4096, 65543, std::int64_t{1} << 24,
                                              std::int64_t{1} << 32, std::int64_t{1} << 40})) {
    const Settings settings = family_.default_settings(problem, limits_);
    EXPECT_EQ(family_.why_invalid(settings, problem, limits_), "") << describe(problem);
    for (const Setting& setting : settings) EXPECT_FALSE(setting.value.empty());
    EXPECT_EQ(settings.size(), family_.tunables().size());
  }
}

TEST_P(Rules, HaveTheDefaultInTheSpaceOfEveryProblem) {
  for (const Problem& problem :
       sampled_problems({0, 1, 65543, std::int64_t{1} << 40}, GetParam())) {
    const auto point = family_.point_of(family_.default_settings(problem, limits_));
    EXPECT_TRUE(family_.space(problem, limits_).contains(point)) << describe(problem);
  }
}

TEST_P(Rules, GiveOnlyPointsThatMayRunAndThatSettingsName) {
  for (const Problem& problem : sampled_problems({0, 65543, std::int64_t{1} << 28}, GetParam())) {
    const search::Space space = family_.space(problem, limits_);
    EXPECT_FALSE(space.empty()) << describe(problem);
    checks::expect_told_as_listed(family_, problem, limits_, space);
    const std::size_t step = checks::is_full_run() ? 7 : 31;
    for (std::size_t rank = 0; rank < space.size(); rank += step) {
      const search::Point point = space[rank];
      const Settings settings = family_.settings_at(point);
      ASSERT_EQ(family_.why_invalid(settings, problem, limits_), "") << to_string(settings);
      ASSERT_EQ(family_.point_of(settings), point) << to_string(settings);
    }
  }
}

TEST_P(Rules, TellASearchTheNumbersOfItsAxes) {
  const Problem problem = make_problem(all_ops().front().op, all_dtypes().front().dtype, 65543);
  const search::Space space = family_.space(problem, limits_);
  const Settings settings = family_.settings_at(space[space.size() / 2]);
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    const auto& [name, size, kind, values] = space.axes()[axis];
    ASSERT_EQ(values.empty(), kind == search::AxisKind::categorical) << name;
    if (values.empty()) continue;
    const std::size_t index = space[space.size() / 2][axis];
    EXPECT_EQ(fmt::format("{}", values[index]), settings[axis].value) << name;
  }
}

/// What runs, whole: two points with the same text are the same kernels with the same launches.
std::string what_runs(const Family& family, const Settings& settings, const Problem& problem,
                      const Limits& limits) {
  const LaunchPlan plan = family.planner(settings, problem, limits)->plan(problem);
  std::string text = fmt::format(
      "{}|{}|{}|{}", fmt::join(family.name_expressions(settings, problem, limits.wave_size), "|"),
      fmt::join(plan.values, " "), plan.workspace.slots, plan.workspace.partials);
  for (const KernelCall& call : plan.calls) {
    text += fmt::format("|{} {} {} {}", call.kernel, call.grid, call.block,
                        call.start == CallStart::early ? "early" : "");
    for (const Argument argument : call.arguments) text += name_of(argument, plan.scalars);
  }
  return text;
}

TEST_P(Rules, NeverGiveTheSameKernelsAndLaunchesTwice) {
  std::set<std::size_t> sizes;
  for (const DTypeInfo& in : all_dtypes()) {
    // Types of one size have one space; in samples counts take turns.
    const bool is_new = sizes.insert(size_of(in.dtype)).second;
    if (!is_new && !checks::is_full_run()) continue;
    const std::vector<std::int64_t> counts{65543, std::int64_t{1} << 26, 1};
    for (const std::int64_t count : checks::every_nth(counts, counts.size(), sizes.size())) {
      const Problem problem = make_problem(all_ops().front().op, in.dtype, count);
      std::unordered_set<std::string> seen;
      const search::Space space = family_.space(problem, limits_);
      for (const search::Point& point : space.points()) {
        const Settings settings = family_.settings_at(point);
        ASSERT_TRUE(seen.insert(what_runs(family_, settings, problem, limits_)).second)
            << describe(problem) << ": " << to_string(settings);
      }
    }
  }
}

TEST_P(Rules, GiveAResultFromBeforeATunableWhatWasDoneThen) {
  const Problem problem = make_problem(all_ops().front().op, all_dtypes().front().dtype, 65543);
  const Settings whole = family_.default_settings(problem, limits_);
  EXPECT_EQ(family_.completed(whole, limits_), whole);
  Settings older = whole;
  std::erase_if(older, [](const Setting& one) {
    return one.name == "early_start" || one.name.starts_with("slot_");
  });
  // Other families are younger than the tunable.
  const bool was_early = limits_.early_start == EarlyStart::present && family_.name() == "reduce";
  Settings expected = whole;
  // A family that never had the tunable is the same without it.
  const auto early = std::ranges::find(expected, "early_start", &Setting::name);
  if (early != expected.end()) early->value = was_early ? "on" : "off";
  EXPECT_EQ(family_.completed(older, limits_), expected);
  EXPECT_EQ(family_.why_invalid(expected, problem, limits_), "");
  EXPECT_THROW((void)family_.completed({{"no_such", "1"}}, limits_), UsageError);
}

TEST_P(Rules, PlanEveryConfigForEveryCount) {
  const Problem tuned = make_problem(all_ops().front().op, all_dtypes().front().dtype, 65543);
  const search::Space space = family_.space(tuned, limits_);
  for (std::size_t rank = 0; rank < space.size(); rank += 37) {
    const Settings settings = family_.settings_at(space[rank]);
    const auto names = family_.name_expressions(settings, tuned, limits_.wave_size);
    const auto planner = family_.planner(settings, tuned, limits_);
    std::int64_t most_partials = 0;
    std::int64_t most_slot_bytes = 0;
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 20,
                                     std::int64_t{1} << 40, std::int64_t{1} << 60}) {
      const LaunchPlan plan = planner->plan({.count = count});
      for (const KernelCall& call : plan.calls) {
        ASSERT_GE(call.grid, 1);
        ASSERT_LE(call.grid, limits_.max_grid);
        ASSERT_LE(call.block, limits_.max_block_size);
        ASSERT_LT(call.kernel, names.size());
      }
      ASSERT_GE(planner->longest_chain({.count = count}), 1);
      // The workspace of the largest count serves all.
      ASSERT_GE(plan.workspace.partials, most_partials);
      ASSERT_GE(planner->largest_workspace().partials, plan.workspace.partials);
      ASSERT_GE(planner->largest_workspace().slots, plan.workspace.slots);
      most_partials = plan.workspace.partials;
      ASSERT_GE(plan.workspace.slots, most_slot_bytes);
      ASSERT_LE(plan.workspace.slots, std::int64_t{1} << 20);
      most_slot_bytes = plan.workspace.slots;
    }
  }
}

TEST_P(Rules, ReadSettingsBackFromTheirText) {
  const Problem problem = make_problem(all_ops().front().op, all_dtypes().front().dtype, 65543);
  const search::Space space = family_.space(problem, limits_);
  for (const search::Point& point : space.points()) {
    const Settings settings = family_.settings_at(point);
    ASSERT_EQ(parse_settings(to_string(settings)), settings);
  }
}

TEST_P(Rules, NameTheCloseOneForAMistypedTunableOrValue) {
  const Problem problem = make_problem(all_ops().front().op, all_dtypes().front().dtype, 65543);
  for (const TunableInfo& tunable : family_.tunables()) {
    const auto refusal = [&](const Setting& wrong) {
      try {
        static_cast<void>(family_.point_of({wrong}));
      } catch (const UsageError& error) {
        return std::string(error.what());
      }
      return std::string("not refused");
    };
    const std::string name = refusal({tunable.name + "x", tunable.values.front()});
    EXPECT_NE(name.find(fmt::format("did you mean '{}'", tunable.name)), std::string::npos) << name;
    for (const std::string& value : tunable.values) {
      const std::string text = refusal({tunable.name, value + "x"});
      EXPECT_NE(text.find(tunable.name), std::string::npos) << text;
      EXPECT_NE(text.find(value + "x"), std::string::npos) << text;
      EXPECT_NE(text.rfind(value), std::string::npos) << text;
      for (const char* before : {"0", "+", " "}) {
        EXPECT_NE(refusal({tunable.name, before + value}), "not refused") << before + value;
      }
    }
    EXPECT_NE(family_.why_invalid({{tunable.name, "x"}}, problem, limits_), "");
    EXPECT_NE(family_.why_invalid({{tunable.name, ""}}, problem, limits_), "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

/// Whether the space for so many f32 has a value.
bool has_value(std::int64_t count, const Limits& limits, const Setting& value) {
  const Family& reduce = find_family("reduce");
  const search::Space space = reduce.space(make_problem(Op::sum, DType::f32, count), limits);
  return std::ranges::any_of(space.points(), [&](const search::Point& point) {
    const Settings settings = reduce.settings_at(point);
    return std::ranges::find(settings, value) != settings.end();
  });
}

/// docs/decisions/0100, 0117; what is known to win begins with the loads that are left.
TEST(Reduce, LoadsLargeInputsThroughTheCacheAndFromTheEndOnNvidiaGpus) {
  const Limits nvidia = family_devices()[1];
  const Limits amd = family_devices()[2];
  constexpr std::int64_t most = std::int64_t{1} << 26;  // 256 MiB
  const Family& reduce = find_family("reduce");
  for (const Setting& value : {Setting{"load", "streaming"}, Setting{"tile_order", "chunked"}}) {
    EXPECT_TRUE(has_value(most, nvidia, value)) << value.name;
    EXPECT_FALSE(has_value(most + 1, nvidia, value)) << value.name;
    EXPECT_TRUE(has_value(most + 1, amd, value)) << value.name;
  }
  EXPECT_TRUE(has_value(most + 1, family_devices()[0], {"tile_order", "chunked"})) << "processors";
  // Shapes that are known to win past the cache are known through it.
  const Problem large = make_problem(Op::sum, DType::f32, std::int64_t{1} << 28);
  const auto known = reduce.known_shapes(large, nvidia, "");
  for (const char* const shape :
       {"block_size=512 items_per_thread=16 blocks_per_unit=4 tile_order=strided",
        "block_size=1024 items_per_thread=32 blocks_per_unit=32 tile_order=strided"}) {
    const Settings asked = parse_settings(fmt::format("finish=last_block load=cached {}", shape));
    EXPECT_TRUE(std::ranges::any_of(known, [&](const Settings& one) {
      return std::ranges::all_of(asked, [&](const Setting& setting) {
        return std::ranges::find(one, setting) != one.end();
      });
    })) << shape;
  }
}

/// docs/decisions/0117: the kernel for exact tiles reads forwards, and so do one block and
/// clusters.
TEST(Reduce, ReadsLargeInputsBackwardsByAKernelOfTheirOwn) {
  const Family& reduce = find_family("reduce");
  const Limits gpu = family_devices()[1];
  const auto kernel = [&](std::int64_t count, const char* settings) {
    const Problem problem = make_problem(Op::sum, DType::u8, count);
    return reduce.name_expressions(parse_settings(settings), problem, gpu.wave_size).front();
  };
  for (const TunableInfo& tunable : reduce.tunables()) {
    if (tunable.name != "finish") continue;
    for (const std::string& finish : tunable.values) {
      const std::string settings = "finish=" + finish;
      const bool may_be = finish != "single_block" && finish != "cluster";
      const std::string small = kernel(most_forward_bytes, settings.c_str());
      const std::string large = kernel(most_forward_bytes + 1, settings.c_str());
      EXPECT_EQ(small != large, may_be) << finish;
      EXPECT_EQ(large.starts_with("redtune::reduce_backwards<"), may_be) << large;
    }
  }
  EXPECT_TRUE(
      kernel(2 * most_forward_bytes, "exact_tiles=on").starts_with("redtune::reduce_exact<"))
      << "as results have it that were stored before";
  for (const DTypeInfo& in : all_dtypes()) {  // names change where Reducers change kernels
    const auto name_for = [&](std::int64_t count) {
      const Problem problem = make_problem(Op::max, in.dtype, count);
      return reduce.name_expressions({{"finish", "slots"}}, problem, gpu.wave_size).front();
    };
    const auto first = reduce.first_of_other_kernels(make_problem(Op::max, in.dtype, 1)).value();
    EXPECT_EQ(name_for(first - 1), name_for(1)) << in.name;
    EXPECT_NE(name_for(first), name_for(1)) << in.name;
  }
  constexpr std::int64_t largest = most_forward_bytes / sizeof(float);
  const Setting exact{"exact_tiles", "on"};
  EXPECT_TRUE(has_value(largest, gpu, exact));
  EXPECT_FALSE(has_value(2 * largest, gpu, exact));
}

/// docs/decisions/0109.
TEST(Reduce, HasOneBlockByDefaultThatFitsTheCount) {
  const Limits gpu{.min_block_size = 64, .wave_size = 32, .compute_units = 132};
  const Family& reduce = find_family("reduce");
  const auto shape = [&](DType type, std::int64_t count, const Limits& limits) {
    const Settings usual = reduce.default_settings(make_problem(Op::max, type, count), limits);
    std::string text;
    for (const char* const name : {"finish", "block_size", "items_per_thread", "vector_width"}) {
      text += " " + std::ranges::find(usual, name, &Setting::name)->value;
    }
    return text.substr(1);
  };
  EXPECT_EQ(shape(DType::f32, 0, gpu), "single_block 64 1 1");
  EXPECT_EQ(shape(DType::f32, 64, gpu), "single_block 64 1 1");
  EXPECT_EQ(shape(DType::f32, 65, gpu), "single_block 64 2 1");
  EXPECT_EQ(shape(DType::f32, 512, gpu), "single_block 64 8 2");
  EXPECT_EQ(shape(DType::f32, 513, gpu), "single_block 128 8 1");
  EXPECT_EQ(shape(DType::f32, 1024, gpu), "single_block 128 8 1");
  EXPECT_EQ(shape(DType::f16, 1024, gpu), "single_block 128 8 2");
  EXPECT_EQ(shape(DType::f32, 1025, gpu), "single_block 128 16 4");
  EXPECT_EQ(shape(DType::f32, 4096, gpu), "single_block 128 32 4");
  EXPECT_EQ(shape(DType::f64, 1024, gpu), "single_block 128 8 1");
  EXPECT_EQ(shape(DType::f64, 4096, gpu), "single_block 128 32 2");
  EXPECT_EQ(shape(DType::f16, 8192, gpu), "single_block 128 64 8");
  EXPECT_EQ(shape(DType::u8, 8192, gpu), "single_block 256 32 8");
  EXPECT_EQ(shape(DType::u8, 16384, gpu), "single_block 256 64 16");
  EXPECT_EQ(shape(DType::f32, 4097, gpu), "last_block 256 16 4");
  const Limits processor = family_devices()[0];
  ASSERT_EQ(processor.wave_size, 1);
  EXPECT_EQ(shape(DType::f32, 100, processor), shape(DType::f32, 1000, processor));
  EXPECT_FALSE(reduce.elements_at_once(
      reduce.default_settings(make_problem(Op::max, DType::f32, 1), processor), processor));
  const Limits larger{.min_block_size = 256, .wave_size = 64, .compute_units = 104};
  for (const Limits& limits : {gpu, larger}) {
    for (const auto& [op, type] : checks::operator_cells()) {
      for (const std::int64_t count : {0, 1, 64, 65, 512, 513, 1000, 2049, 3000, 4096, 16384}) {
        const Problem problem = make_problem(op, type, count);
        const Settings usual = reduce.default_settings(problem, limits);
        const auto at_once = reduce.elements_at_once(usual, limits);
        EXPECT_GE(at_once.value_or(count), count) << describe(problem);
        EXPECT_TRUE(reduce.is_in_space(usual, problem, limits)) << describe(problem);
      }
    }
  }
}

/// Behind what one block takes at once, and behind a count that is one whole tile for each block.
TEST(Families, SayBehindWhichCountAWinnerJumps) {
  const Limits limits = family_devices()[1];
  const Family& reduce = find_family("reduce");
  const Problem problem = make_problem(Op::sum, DType::f32, 1 << 20);
  const auto last = [&](const std::string& settings) {
    return reduce.last_before_jump(parse_settings(settings), problem, limits);
  };
  const std::string tiles = "finish=last_block block_size=128 items_per_thread=16 ";
  EXPECT_EQ(last(tiles + "exact_tiles=on"), problem.count);
  EXPECT_EQ(last(tiles + "exact_tiles=off"), std::nullopt);
  EXPECT_EQ(last("finish=single_block block_size=128 items_per_thread=16"), 2048);
  EXPECT_EQ(reduce.last_before_jump(parse_settings(tiles + "exact_tiles=on"), problem,
                                    family_devices()[0]),
            std::nullopt)
      << "a processor";
  const auto is_for_its_count = [&](const std::string& settings, int device) {
    return reduce.is_for_its_count(parse_settings(settings), family_devices()[device]);
  };
  EXPECT_TRUE(is_for_its_count(tiles + "exact_tiles=on", 1));
  EXPECT_FALSE(is_for_its_count(tiles + "exact_tiles=off", 1));
  EXPECT_FALSE(is_for_its_count(tiles + "exact_tiles=on", 0)) << "a processor";
  const Family& rows = find_family("reduce_rows");
  const Problem of_rows = make_problem(Op::sum, DType::f32, Shape::rows(1 << 10, 1 << 10));
  EXPECT_EQ(rows.last_before_jump(rows.default_settings(of_rows, limits), of_rows, limits),
            std::nullopt);
}

/// Where rows begin at all places of a vector anyway there is nothing to find out.
TEST(Families, SayWhoseFinalistsAreTimedOffTheAlignmentOfVectors) {
  const Family& rows = find_family("reduce_rows");
  const auto is_timed = [&](DType type, const Shape& shape) {
    return rows.is_timed_displaced(make_problem(Op::sum, type, shape));
  };
  EXPECT_TRUE(is_timed(DType::f32, Shape::rows(1 << 10, 64)));
  EXPECT_TRUE(is_timed(DType::bf16, Shape::rows(1 << 10, 100))) << "at two of four places";
  EXPECT_FALSE(is_timed(DType::u8, Shape::rows(1 << 10, 65)));
  EXPECT_FALSE(is_timed(DType::f32, Shape::rows(1'023, 64))) << "one row less may be a wave less";
  for (const Family* family : all_families()) {
    const Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(1 << 10, 64));
    EXPECT_EQ(family->is_timed_displaced(problem), family == &rows) << family->name();
  }
}

TEST(Families, SayWhatAProblemCannotHaveByTheirTunables) {
  for (const Family* family : all_families()) {
    const auto tunables = family->tunables();
    for (const auto& [op, type] : checks::operator_cells()) {
      for (const Setting& one : family->impossible_values(make_problem(op, type, 1000))) {
        const auto tunable = std::ranges::find(tunables, one.name, &TunableInfo::name);
        ASSERT_NE(tunable, tunables.end()) << one.name;
        EXPECT_NE(std::ranges::find(tunable->values, one.value), tunable->values.end());
      }
    }
  }
}

TEST(Reduce, SaysWhatAProblemCannotHave) {
  const Family& reduce = find_family("reduce");
  const Limits gpu{.min_block_size = 64, .wave_size = 32, .compute_units = 132};
  for (const auto& [op, type] : checks::operator_cells()) {
    const Problem problem = make_problem(op, type, 1 << 20);
    const Settings never = reduce.impossible_values(problem);
    Settings counted = parse_settings(
        "finish=counted block_size=256 items_per_thread=16 vector_width=1 blocks_per_unit=0");
    const bool may_run = reduce.why_invalid(counted, problem, gpu).empty();
    EXPECT_EQ(never.empty(), may_run) << describe(problem);
    if (never.empty()) continue;
    EXPECT_EQ(to_string(never), "finish=counted") << describe(problem);
  }
}

TEST(Families, AreFoundByNameAndSuggested) {
  for (const Family* family : all_families()) {
    EXPECT_EQ(&find_family(family->name()), family);
    EXPECT_FALSE(family->summary().empty());
  }
  EXPECT_THROW(static_cast<void>(find_family("")), UsageError);
  try {
    static_cast<void>(find_family("reduc"));
    ADD_FAILURE() << "found";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'reduce'"), std::string::npos);
  }
}

}  // namespace
}  // namespace redtune::kernels
