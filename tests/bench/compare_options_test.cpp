// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "bench/compare/options.hpp"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

Options parse(const std::vector<std::string_view>& words) {
  return parse_options(words);
}

/// What parsing complains about; empty when it does not.
std::string complaint(const std::vector<std::string_view>& words) {
  try {
    (void)parse(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(CompareOptions, AskForEverythingWarmUnlessTold) {
  const Options options = parse({});
  EXPECT_EQ(options.ops.size(), all_ops().size());
  EXPECT_EQ(options.types.size(), all_dtypes().size());
  EXPECT_EQ(options.modes, (std::vector{Mode::between, Mode::behind, Mode::stream}));
  EXPECT_EQ(options.peers, (std::vector{Peer::library, Peer::fixed, Peer::narrow, Peer::thrust}));
  EXPECT_EQ(options.offsets, std::vector<std::int64_t>{0});
  EXPECT_EQ(options.asked, CacheMode::warm);
  EXPECT_EQ(options.lookup.minimum, Match::fallback);
  const auto problems = problems_of(options);
  std::size_t taken = 0;
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& type : all_dtypes()) taken += why_not_taken(op.op, type.dtype).empty();
  }
  EXPECT_LT(taken, all_ops().size() * all_dtypes().size());
  EXPECT_EQ(problems.size(), taken * 26);
  EXPECT_EQ(problems.front().count, 1 << 8);
  EXPECT_EQ(problems.back().count, std::int64_t{1} << 33);
}

TEST(CompareOptions, TakeTheirValueBehindABlankOrAnEqualsSign) {
  const Options options =
      parse({"--types", "i32,f32,i32", "--ops=max", "--modes", "stream", "--peers=thrust",
             "--rounds", "3", "--json=a=b", "--require", "exact", "--cache", "db", "--offset=1"});
  EXPECT_EQ(options.types, (std::vector{DType::i32, DType::f32}));
  EXPECT_EQ(options.ops, std::vector{Op::max});
  EXPECT_EQ(options.modes, std::vector{Mode::stream});
  EXPECT_EQ(options.peers, std::vector{Peer::thrust});
  EXPECT_EQ(options.rounds, 3);
  EXPECT_EQ(options.json_file, "a=b");
  EXPECT_EQ(options.lookup.minimum, Match::exact);
  EXPECT_EQ(options.lookup.cache_file, "db");
  EXPECT_EQ(options.offsets, std::vector<std::int64_t>{1});
}

TEST(CompareOptions, TakeSegmentsOfCounts) {
  const auto problems =
      problems_of(parse({"--types=f32", "--ops=sum", "--count=100,200", "--segments=3,2^4..2^5",
                         "--skew=giant", "--offset-bits=64"}));
  ASSERT_EQ(problems.size(), 6U);
  EXPECT_EQ(Shape(problems.front()), Shape::segments(100, 3, 64, Skew::giant));
  EXPECT_EQ(Shape(problems.back()), Shape::segments(200, 32, 64, Skew::giant));
  EXPECT_NE(complaint({"--segments", "3"}).find("say how many"), std::string::npos);
  EXPECT_NE(complaint({"--count", "9", "--skew", "zipf"}).find("of --segments"), std::string::npos);
  EXPECT_NE(complaint({"--count", "9", "--segments", "3", "--skew", "odd"}).find("unknown skew"),
            std::string::npos);
}

TEST(CompareOptions, TakeRowsOfMatrices) {
  const auto shapes = [](std::vector<std::string_view> more) {
    more.insert(more.end(), {"--types=f32", "--ops=sum"});
    std::vector<Shape> found;
    for (const Problem& problem : problems_of(parse(more))) found.push_back(problem);
    return found;
  };
  EXPECT_EQ(shapes({"--segments=2^10,2^12", "--degrees=rmat"}),
            (std::vector{Shape::segments(1 << 14, 1 << 10, 32, Skew::zipf),
                         Shape::segments(1 << 16, 1 << 12, 32, Skew::zipf)}));
  EXPECT_EQ(shapes({"--segments=100", "--degrees=mesh", "--offset-bits=64"}),
            std::vector{Shape::segments(460, 100, 64)});
  EXPECT_EQ(shapes({"--segments=100", "--degrees=lognormal", "--skew=uniform"}),
            std::vector{Shape::segments(14400, 100)});
  EXPECT_EQ(shapes({"--count=1000", "--segments=100", "--degrees=half-empty"}),
            std::vector{Shape::segments(1000, 100)});
  EXPECT_EQ(parse({"--count=9", "--segments=3", "--degrees=equal"}).degrees, Degrees::equal);
  EXPECT_EQ(parse({"--count=9", "--segments=3"}).degrees, std::nullopt);
  const auto expect_told = [](const std::vector<std::string_view>& words, const char* why) {
    EXPECT_NE(complaint(words).find(why), std::string::npos) << complaint(words);
  };
  expect_told({"--segments=3", "--degrees=equal"}, "say how many these are");
  expect_told({"--segments=3", "--degrees=half-empty"}, "say how many these are");
  expect_told({"--count=9", "--degrees=rmat"}, "of --segments");
  expect_told({"--segments=0", "--degrees=rmat"}, "below 1 segment");
  expect_told({"--segments=3", "--degrees=rmat", "--row-lengths=4"}, "choose one");
  expect_told({"--count=9", "--segments=3", "--degrees=odd"},
              "known: equal, rmat, mesh, lognormal, half-empty");
}

TEST(CompareOptions, TakePlansOrKeysOfSegments) {
  EXPECT_TRUE(parse({"--count=9", "--segments=3", "--plans"}).with_plans);
  EXPECT_TRUE(parse({"--count=9", "--segments=3", "--by-key"}).by_key);
  EXPECT_NE(complaint({"--count=9", "--plans"}).find("of --segments"), std::string::npos);
  EXPECT_NE(complaint({"--count=9", "--by-key"}).find("of --segments"), std::string::npos);
  EXPECT_NE(complaint({"--count=9", "--segments=3", "--by-key", "--plans"}).find("choose one"),
            std::string::npos);
}

TEST(CompareOptions, AskForColdConfigurationsOfAColdInputUnlessTold) {
  EXPECT_EQ(parse({"--cold"}).asked, CacheMode::cold);
  EXPECT_EQ(parse({"--cache-mode", "warm", "--cold"}).asked, CacheMode::warm);
  EXPECT_EQ(parse({"--cache-mode", "warm", "--cold"}).input, CacheMode::cold);
  EXPECT_EQ(parse({"--cache-mode=cold"}).input, CacheMode::warm);
  EXPECT_EQ(problems_of(parse({"--cold"})).front().cache_mode, CacheMode::cold);
}

TEST(CompareOptions, WalkTheCountsInSteps) {
  const auto counts = [](const std::vector<std::string_view>& words) {
    std::vector<std::int64_t> found;
    Options options = parse(words);
    options.ops = {Op::sum};
    options.types = {DType::f32};
    for (const Problem& problem : problems_of(options)) found.push_back(problem.count);
    return found;
  };
  EXPECT_EQ(counts({"--from", "1000", "--to", "8000"}),
            (std::vector<std::int64_t>{1000, 2000, 4000, 8000}));
  EXPECT_EQ(counts({"--from=1", "--to=2^9", "--step=4"}), (std::vector<std::int64_t>{1, 16, 256}));
  EXPECT_EQ(counts({"--from=5", "--to=5"}), std::vector<std::int64_t>{5});
  EXPECT_EQ(counts({"--from=5", "--to=5", "--step=99"}), std::vector<std::int64_t>{5});
}

TEST(CompareOptions, TakeCountsAndOffsetsAsOftenAsTheyAreGiven) {
  const Options options =
      parse({"--count", "2^10,7", "--count=7,9", "--offset", "0", "--offset", "1,3"});
  EXPECT_EQ(options.counts, (std::vector<std::int64_t>{1024, 7, 9}));
  EXPECT_EQ(options.offsets, (std::vector<std::int64_t>{0, 1, 3}));
}

TEST(CompareOptions, GiveEveryTypeTheSameBytes) {
  const auto problems =
      problems_of(parse({"--types", "f32,u8,f16,i64", "--ops", "sum", "--bytes=2^30"}));
  ASSERT_EQ(problems.size(), 4U);
  for (const Problem& problem : problems) {
    EXPECT_EQ(problem.count * static_cast<std::int64_t>(size_of(problem.in)), 1 << 30)
        << describe(problem);
  }
  EXPECT_EQ(problems[1].count, 1 << 30);
}

TEST(CompareOptions, WalkRangesOfCounts) {
  EXPECT_EQ(parse({"--count", "7,2^3..2^5,16"}).counts, (std::vector<std::int64_t>{7, 8, 16, 32}));
  EXPECT_EQ(parse({"--count", "3..3"}).counts, std::vector<std::int64_t>{3});
  EXPECT_EQ(complaint({"--count=8..4"}), "--count: '8..4' is no range: it goes up, from 1 or more");
  EXPECT_EQ(complaint({"--count=0..4"}), "--count: '0..4' is no range: it goes up, from 1 or more");
}

TEST(CompareOptions, ReduceAxesOfArrays) {
  const Options options = parse({"--shape", "2^18x1000,8x4096", "--axis=-1", "--shape=3x5",
                                 "--types", "f32,u8", "--ops", "sum,max", "--cold"});
  EXPECT_EQ(options.shapes,
            (std::vector{Shape::rows(1 << 18, 1000), Shape::rows(8, 4096), Shape::rows(3, 5)}));
  const auto problems = problems_of(options);
  ASSERT_EQ(problems.size(), 12U);
  EXPECT_EQ(problems[1], make_problem(Op::sum, DType::f32, Shape::rows(8, 4096)));
  EXPECT_EQ(problems[11], make_problem(Op::max, DType::u8, Shape::rows(3, 5)));
  EXPECT_EQ(parse({"--shape=4x6", "--axis=0"}).shapes, std::vector{Shape::columns(4, 6)});
  EXPECT_EQ(parse({"--shape=4x6"}).shapes, std::vector{Shape{.count = 24}});
  EXPECT_EQ(parse({"--shape=4x6", "--axis=1", "--strides=8,1"}).shapes,
            std::vector{Shape::rows(4, 6, 8)});
  EXPECT_EQ(parse({"--shape=1x6x4", "--axis=1", "--strides=9,9,1"}).shapes,
            std::vector{Shape::columns(6, 4, 9)});
}

TEST(CompareOptions, MakeRowsOfAFixedTotal) {
  EXPECT_EQ(parse({"--row-lengths", "3,2^1..2^3", "--total", "1000"}).shapes,
            (std::vector{Shape::rows(333, 3), Shape::rows(500, 2), Shape::rows(250, 4),
                         Shape::rows(125, 8)}));
  EXPECT_EQ(parse({"--row-lengths", "2^2..70:4", "--total", "1000"}).shapes,
            (std::vector{Shape::rows(250, 4), Shape::rows(62, 16), Shape::rows(15, 64)}));
  EXPECT_EQ(complaint({"--row-lengths=2..8:1"}),
            "--row-lengths: '2..8:1' is no range: its step is a factor from 2 on");
  EXPECT_EQ(parse({"--row-lengths=2"}).shapes, std::vector{Shape::rows(1 << 27, 2)});
  EXPECT_TRUE(is_whole_array(parse({"--row-lengths=2^28"}).shapes.front()));
}

TEST(CompareOptions, SayWhatIsWrongWithShapes) {
  EXPECT_EQ(complaint({"--axis=1"}),
            "--axis and --strides are of arrays; name their extents by --shape");
  EXPECT_EQ(complaint({"--count=8", "--strides=1"}),
            "--axis and --strides are of arrays; name their extents by --shape");
  EXPECT_EQ(complaint({"--total=8"}), "--total is of rows; name their lengths by --row-lengths");
  EXPECT_EQ(complaint({"--row-lengths=9", "--total=8"}),
            "--row-lengths: a row of 9 is more than all of them, --total 8");
  EXPECT_EQ(complaint({"--row-lengths=0"}),
            "--row-lengths: there is nothing to time below 1 element");
  EXPECT_EQ(complaint({"--shape=4x0", "--axis=1"}),
            "--shape: there is nothing to time below 1 element");
  EXPECT_EQ(complaint({"--shape=4x5", "--axis=2"}).substr(0, 9), "--shape: ");
  EXPECT_EQ(complaint({"--shape=4y5"}).substr(0, 9), "--shape: ");
}

TEST(CompareOptions, LeaveOutWhatAnOperatorDoesNotTake) {
  const auto problems =
      problems_of(parse({"--types", "f32,u8", "--ops", "bit_or,sum", "--count=10"}));
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].op, Op::sum);  // of f32
  EXPECT_EQ(problems[1].op, Op::bit_or);
}

TEST(CompareOptions, SayWhyNothingIsLeft) {
  const auto why = [](const std::vector<std::string_view>& words) -> std::string {
    try {
      (void)problems_of(parse(words));
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(why({"--types=f32", "--ops=bit_or"}),
            "there is nothing to do: " + why_not_taken(Op::bit_or, DType::f32));
  EXPECT_EQ(why({"--types=f32", "--ops=sum", "--bytes=1002"}),
            "--bytes: 1002 bytes are not a whole number of f32");
  EXPECT_EQ(why({"--types=f32", "--ops=sum", "--bytes=0"}),
            "--bytes: 0 bytes are not a whole number of f32");
}

TEST(CompareOptions, SayInOneLineWhatIsWrong) {
  EXPECT_EQ(complaint({"--foo"}), "unrecognised option '--foo'; --help lists all options");
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"f32"}, {"--cold=yes"}, {"--rounds"}, {"--json="}}) {
    EXPECT_NE(complaint(words).find("; --help lists all options"), std::string::npos);
  }
  EXPECT_NE(complaint({"--rounds"}).find("'--rounds'"), std::string::npos);
  EXPECT_EQ(complaint({"--rounds", "0"}), "--rounds: '0' is not a whole number from 1");
  EXPECT_EQ(complaint({"--seed", "1x"}), "--seed: '1x' is not a whole number from 0");
  EXPECT_EQ(complaint({"--modes", "between,"}),
            "--modes: unknown name ''; known: between, behind, stream, row");
  EXPECT_EQ(
      complaint({"--require=best"}),
      "--require: unknown name 'best'; known: exact, drift, sibling, near, predicted, default");
  EXPECT_NE(complaint({"--types", "f33"}).find("--types: unknown type 'f33'"), std::string::npos);
  EXPECT_EQ(complaint({"--from=0"}), "--from: there is nothing to time below 1 element");
  EXPECT_EQ(complaint({"--count=5,0"}), "--count: there is nothing to time below 1 element");
  for (const std::vector<std::string_view>& words :
       {std::vector<std::string_view>{"--count=8", "--bytes=8"},
        {"--count=8", "--step=2"},
        {"--bytes=8", "--from=2^8"},
        {"--shape=8x8", "--count=8"},
        {"--row-lengths=8", "--shape=8x8"}}) {
    EXPECT_EQ(complaint(words),
              "choose one: --count, --bytes, --shape, --row-lengths, or --from, --to and --step");
  }
  EXPECT_EQ(complaint({"--peers=rocprim"}),
            "--peers: unknown name 'rocprim'; known: cub, fixed, narrow, thrust");
  EXPECT_EQ(complaint({"--to=2"}), "--to is below --from: there is nothing to do");
}

TEST(CompareOptions, AreAllInTheHelp) {
  for (const char* name :
       {"--from",       "--to",      "--step",        "--count", "--bytes",  "--shape",
        "--axis",       "--strides", "--row-lengths", "--total", "--types",  "--ops",
        "--modes",      "--peers",   "--rounds",      "--seed",  "--offset", "--cold",
        "--cache-mode", "--require", "--cache ",      "--json",  "--help"}) {
    EXPECT_NE(help_text().find(std::string("  ") + name), std::string::npos) << name;
  }
  EXPECT_TRUE(parse({"--help"}).help);
}

}  // namespace
}  // namespace redtune::compare
