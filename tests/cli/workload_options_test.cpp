// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which workload the options of redtune tune name.
#include "cli/workload_options.hpp"

#include <gmock/gmock.h>

#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tuner/workload/standard_set.hpp"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Words = std::vector<std::string>;

Options options_of(const Words& words) {
  Words all{"tune"};
  all.insert(all.end(), words.begin(), words.end());
  const Command& command = find_command(all);
  return parse(command, all);
}

std::optional<Workload> named_by(const Words& words) {
  return named_workload(options_of(words));
}

std::vector<std::string> problems_named_by(const Words& words) {
  std::vector<std::string> lines;
  const Workload workload = named_by(words).value();
  for (const WorkloadItem& item : workload.items) {
    lines.push_back(describe(item.problem));
  }
  return lines;
}

void expect_refused(const Words& words, const std::string& why) {
  EXPECT_THAT([&] { (void)named_by(words); }, ThrowsMessage<UsageError>(HasSubstr(why)));
}

TEST(NamedWorkload, TakesWhatIsUsualWhereOneThingIsNamed) {
  EXPECT_EQ(problems_named_by({"--op", "min"}), Words{"min f32 2^24 cold"});
  EXPECT_EQ(problems_named_by({"--op", "sum"}), Words{"sum f32 2^24 cold"});
  EXPECT_EQ(problems_named_by({"--type", "f16"}), Words{"sum f16 2^24 cold"});
  EXPECT_EQ(problems_named_by({"--count", "1000"}), Words{"sum f32 1000 cold"});
  EXPECT_EQ(
      problems_named_by({"--count", "5", "--cache-mode", "warm", "--order", "any", "--acc", "f64"}),
      Words{"sum f32 5 warm acc f64 any order"});
}

TEST(NamedWorkload, IsTheProductOfLists) {
  EXPECT_EQ(
      problems_named_by({"--op", "sum,min", "--type", "f32,f16", "--count", "2^8..2^12:4"}).size(),
      2u * 2 * 3);
  const auto workload = named_by({"--op", "sum,bit_or", "--type", "f32,i32"});
  EXPECT_EQ(workload->items.size(), 3u);
  EXPECT_THAT(workload->left_out, HasSubstr("bit_or of f32"));
  EXPECT_EQ(workload->items[0].budget, "");
}

TEST(NamedWorkload, TakesListsAndRangesOfArrays) {
  EXPECT_EQ(problems_named_by({"--shape", "4096x1024,65536x64", "--axis", "1"}),
            (Words{"sum f32 2^12x[2^10] cold", "sum f32 2^16x[64] cold"}));
  EXPECT_EQ(problems_named_by({"--shape", "2^4..2^6:4x8", "--axis", "0", "--op", "max"}),
            (Words{"max f32 [16]x8 cold", "max f32 [64]x8 cold"}));
  EXPECT_EQ(problems_named_by({"--shape", "8x6,9x5", "--axis", "-1", "--strides", "7,1"}),
            (Words{"sum f32 8x[6] outer_pitch 7 cold", "sum f32 9x[5] outer_pitch 7 cold"}));
  EXPECT_EQ(problems_named_by({"--shape", "8x6,48"}), Words{"sum f32 48 cold"});
  EXPECT_EQ(
      named_by({"--shape", "8x6,9x5", "--axis", "1", "--op", "sum,bit_or", "--type", "f32,i32"})
          ->items.size(),
      2U * 3);
}

TEST(NamedWorkload, TakesRowsOfATotal) {
  EXPECT_EQ(problems_named_by({"--row-lengths", "3,2^2..2^6:4", "--total", "1000"}),
            (Words{"sum f32 333x[3] cold", "sum f32 250x[4] cold", "sum f32 62x[16] cold",
                   "sum f32 15x[64] cold"}));
  EXPECT_EQ(problems_named_by({"--row-lengths", "2^10"}), Words{"sum f32 2^18x[2^10] cold"});
  EXPECT_EQ(problems_named_by({"--row-lengths", "2^10", "--total", "2^10", "--type", "f16"}),
            Words{"sum f16 2^10 cold"});
}

TEST(NamedWorkload, RefusesShapesThatCannotBe) {
  expect_refused({"--shape", ""}, "'' is not the shape of an array");
  expect_refused({"--shape", "4x5,"}, "an entry with nothing in it");
  expect_refused({"--shape", "4x8..2", "--axis", "1"}, "upside down; write 2..8");
  expect_refused({"--shape", "4x5,6", "--axis", "1"}, "6 has no axis 1");
  expect_refused({"--shape", "2^40x2^40"}, "more than 64 bits can index");
  expect_refused({"--shape", "8x6,9x8", "--axis", "1", "--strides", "7,1"},
                 "outer_pitch is 7, less than the 8 elements");
  expect_refused({"--shape", "8x6,9", "--axis", "0", "--strides", "7,1"},
                 "9 has 1 axes and 2 strides");
  expect_refused({"--row-lengths", ""}, "'' is not a count");
  expect_refused({"--row-lengths", "8..4"}, "upside down; write 4..8");
  expect_refused({"--row-lengths", "0"}, "rows of 0 elements have no total");
  expect_refused({"--row-lengths", "4,9", "--total", "8"},
                 "a row of 9 is more than the total of 8");
  expect_refused({"--row-lengths", "4", "--total", "2^62"}, "more bytes than 64 bits can index");
  expect_refused({"--row-lengths", "4", "--total", "2^63"}, "'2^63' is not a count");
}

TEST(NamedWorkload, RefusesShapesThatAreSaidTwiceOrNotAtAll) {
  expect_refused({"--count", "4", "--shape", "4x5"}, "--count and --shape both say");
  expect_refused({"--count", "4", "--row-lengths", "4"}, "--count and --row-lengths both say");
  expect_refused({"--shape", "4x5", "--row-lengths", "4"}, "--shape and --row-lengths both say");
  expect_refused({"--total", "8"}, "--total is of rows; name their lengths by --row-lengths");
  expect_refused({"--shape", "4x5", "--total", "8"}, "--total is of rows");
  expect_refused({"--axis", "0"}, "--axis is of an array; name its extents by --shape");
  expect_refused({"--row-lengths", "4", "--axis", "0"}, "--axis is of an array");
  expect_refused({"--row-lengths", "4", "--strides", "4"}, "--strides is of an array");
}

TEST(NamedWorkload, IsNoneWhereNothingIsNamed) {
  EXPECT_FALSE(named_by({}));
  EXPECT_FALSE(named_by({"--device", "host", "--budget", "5s", "--fresh", "--list"}));
}

TEST(NamedWorkload, RefusesChoicesForProblemsThatAreNotNamed) {
  expect_refused({"--acc", "f64"}, "--acc is of problems that are named");
  expect_refused({"--cache-mode", "cold"}, "--cache-mode is of problems that are named");
  expect_refused({"--cache-mode", "hot"}, "known: cold, warm");
}

TEST(NamedWorkload, RefusesWhatIsSaidTwice) {
  const std::vector<std::pair<std::string, std::string>> options{
      {"--op", "sum"}, {"--type", "f32"},      {"--count", "5"}, {"--shape", "4x5"},
      {"--axis", "1"}, {"--row-lengths", "4"}, {"--acc", "f32"}, {"--order", "any"}};
  for (const auto& [option, value] : options) {
    expect_refused({"--workload", "w.toml", option, value},
                   "--workload and " + option + " both say");
  }
  expect_refused({"--op", "sum", "--op-source", "x"}, "--op or its text by --op-source");
}

TEST(NamedWorkload, RefusesBadLists) {
  expect_refused({"--op", "sum,"}, "an entry with nothing in it");
  expect_refused({"--type", "f32,f61"}, "did you mean 'f64'");
  expect_refused({"--count", "2^9..2^8"}, "upside down");
  expect_refused({"--op", "bit_or"}, "bit_or is for integers");
}

TEST(NamedWorkload, ComesFromAFile) {
  const checks::ScratchFolder folder;
  const std::string file = (folder / "w.toml").string();
  cache::testing::write_text(file, "[[problem]]\nop='sum,max'\ntype='f32'\ncount=5\nbudget='2s'\n");
  const auto workload = named_by({"--workload", file});
  ASSERT_EQ(workload->items.size(), 2u);
  EXPECT_EQ(workload->name, file);
  EXPECT_EQ(workload->items[1].budget, "2s");
  cache::testing::write_text(file, "[[problem]]\nop='smu'\n");
  expect_refused({"--workload", file}, file + ":2:4: unknown operator 'smu'");
  expect_refused({"--workload", (folder / "none.toml").string()}, "cannot read");
  expect_refused({"--workload", (folder / "").string()}, "not a regular file");
  expect_refused({"--workload", ""}, "cannot read");
}

TEST(NamedWorkload, TakesOneOperatorOfOnesOwnWithManyTypesAndCounts) {
  const checks::ScratchFolder folder;
  const std::string file = (folder / "mine.hpp").string();
  cache::testing::write_text(file,
                             "struct custom {\n"
                             "  static accumulator identity() { return 0; }\n"
                             "  static accumulator combine(accumulator a, accumulator b) "
                             "{ return a + b; }\n};\n");
  const auto workload = named_by({"--op-source", file, "--type", "f32,i32", "--count", "1..4"});
  ASSERT_EQ(workload->items.size(), 6u);
  EXPECT_EQ(workload->items[0].problem.op, Op::custom);
  EXPECT_EQ(problems_named_by({"--op-source", file}), Words{file + " f32 2^24 cold"});
}

TEST(WorkloadOnADevice, IsTheStandardSetWhereNothingIsNamed) {
  const DeviceClass device_class = cache::testing::sample_device().device_class;
  const Workload workload = workload_on(device_class, options_of({}), std::nullopt);
  EXPECT_EQ(workload.name, "the standard set of GPUs");
  EXPECT_EQ(workload.items.size(), standard_set(device_class).items.size());
}

TEST(WorkloadOnADevice, IsInOrderAndHasTheBudgetOfTheCommandLine) {
  DeviceClass device_class = cache::testing::sample_device().device_class;
  device_class.last_level_cache_bytes = 1 << 20;
  const Options options = options_of({"--count", "2^19,2^20,2^21"});
  const Workload workload = workload_on(device_class, options, named_workload(options));
  EXPECT_EQ(workload.items.at(0).problem.count, 1 << 20);
  EXPECT_EQ(workload.items.at(1).problem.count, 1 << 19);
  EXPECT_EQ(workload.items.at(0).budget, "");

  const Workload own{.name = "w", .items = {{make_problem(Op::sum, DType::f32, 1), "2s"}}};
  EXPECT_EQ(workload_on(device_class, options_of({}), own).items.at(0).budget, "2s");
  EXPECT_EQ(workload_on(device_class, options_of({"--budget", "5"}), own).items.at(0).budget, "5");
}

TEST(BudgetOfARun, IsWithoutLimitForARecording) {
  EXPECT_EQ(budget_of(options_of({})), "auto");
  EXPECT_EQ(budget_of(options_of({"--record"})), "unlimited");
  EXPECT_EQ(budget_of(options_of({"--record", "--budget", "5"})), "5");
}

}  // namespace
}  // namespace redtune::cli
