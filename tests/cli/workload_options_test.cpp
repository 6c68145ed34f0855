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
  for (const char* option : {"--op", "--type", "--count", "--acc", "--order"}) {
    const std::string value = option == std::string("--op")      ? "sum"
                              : option == std::string("--count") ? "5"
                              : option == std::string("--order") ? "any"
                                                                 : "f32";
    expect_refused({"--workload", "w.toml", option, value},
                   std::string("--workload and ") + option + " both say");
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
