// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that come as text, in the library: reduced, looked up by their text, refused with their
// lines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

const std::string magnitudes = R"(struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
  static accumulator transform(element x) { return x < 0 ? -accumulator(x) : accumulator(x); }
};
)";

ReducerOptions on_host(const testing_runtime::ResultsFile& results) {
  return {.device = "host", .lookup = results.options()};
}

TEST(CustomOperatorInLibrary, ReducesHostMemory) {
  const testing_runtime::ResultsFile results;
  const std::vector<std::int32_t> values{1, -2, 3, -4};
  Reducer sum(make_problem(CustomOp{"magnitudes", magnitudes}, DType::i32, 4), on_host(results));
  EXPECT_EQ(sum.reduce<std::int64_t>(std::span<const std::int32_t>(values)), 10);
  EXPECT_EQ(sum.reduce<std::int64_t>(std::span<const std::int32_t>()), 0);
  EXPECT_THROW((void)sum.reduce<float>(std::span<const std::int32_t>(values)), UsageError);
}

const std::string statistics = R"(struct custom {
  struct accumulator { i64 sum; element least; };
  struct result { u8 is_there; i64 sum; element least; };
  static accumulator identity() { return {0, 2147483647}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.sum + b.sum, a.least < b.least ? a.least : b.least};
  }
  static accumulator transform(element x) { return {x, x}; }
  static result finish(accumulator a, i64 count) { return {count > 0, a.sum, a.least}; }
};
)";
struct Statistics {
  std::uint8_t is_there;
  std::int64_t sum;
  std::int32_t least;
};

TEST(CustomOperatorInLibrary, FillsStructsOfAProgram) {
  const testing_runtime::ResultsFile results;
  const std::vector<std::int32_t> values{4, -2, 3, -4, 7, 1};
  const std::span<const std::int32_t> in(values);
  const CustomOp op{"statistics", statistics};
  Reducer reducer(make_problem(op, DType::i32, 6), on_host(results));
  const auto all = reducer.reduce<Statistics>(in);
  EXPECT_EQ(all.is_there, 1);
  EXPECT_EQ(all.sum, 9);
  EXPECT_EQ(all.least, -4);
  EXPECT_EQ(reducer.reduce<Statistics>(in.first(0)).is_there, 0);

  struct Smaller {
    std::int64_t sum;
    std::int32_t least;
  };
  try {
    (void)reducer.reduce<Smaller>(in);
    FAIL() << "a struct of other members";
  } catch (const UsageError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "this Reducer turns i32 into a struct of 24 bytes, not i32 into a struct of 16 bytes");
  }
  EXPECT_THROW((void)reducer.reduce<std::int64_t>(in), UsageError);
  EXPECT_THROW((void)reducer.reduce<MinMax<std::int64_t>>(in), UsageError);

  Reducer rows(make_problem(op, DType::i32, Shape::rows(3, 2)), on_host(results));
  std::vector<Statistics> of_rows(3);
  rows.launch(values.data(), Shape::rows(3, 2), of_rows.data());
  rows.synchronize();
  EXPECT_EQ(of_rows[1].sum, -1);
  EXPECT_EQ(of_rows[2].least, 1);
}

TEST(CustomOperatorInLibrary, FindsWhatWasTunedForTheSameTextByAnyName) {
  testing_runtime::ResultsFile results;
  const DeviceIdentity device = identify_device("host");
  const Problem tuned = make_problem(CustomOp{"a.hpp", magnitudes}, DType::f32, 1 << 20);
  results.publish(tuned, device, testing_runtime::unusual_settings());
  const Problem renamed = make_problem(CustomOp{"b", magnitudes}, DType::f32, 1 << 20);
  EXPECT_EQ(find_best(renamed, device, results.options()).match, Match::exact);
  const Problem near = make_problem(CustomOp{"b", magnitudes}, DType::f32, 1 << 21);
  EXPECT_EQ(find_best(near, device, results.options()).match, Match::near);
  for (const std::string& source : {magnitudes + " ", std::string("struct custom {};")}) {
    const Problem other = make_problem(CustomOp{"a.hpp", source}, DType::f32, 1 << 20);
    EXPECT_EQ(find_best(other, device, results.options()).match, Match::fallback);
  }
  const Problem sum = make_problem(Op::sum, DType::f32, 1 << 20);
  EXPECT_EQ(find_best(sum, device, results.options()).match, Match::fallback);
  // And it runs as it was tuned.
  Reducer reducer(renamed, on_host(results));
  const std::vector<float> values(5000, -1.5F);
  EXPECT_EQ(reducer.answer().match, Match::exact);
  EXPECT_EQ(reducer.reduce<float>(std::span<const float>(values)), 7500.0F);
}

/// On the host what a kernel throws comes out of its launch, as an error of a driver would.
TEST(CustomOperatorInLibrary, ALaunchThatBreaksOffLeavesAWorkspaceThatWorks) {
  const std::string throws_at_seven = R"(struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
  static accumulator transform(element x) { if (x == 7) throw 7; return x; }
};
)";
  const Problem problem = make_problem(CustomOp{"seven", throws_at_seven}, DType::i32, 4000);
  for (const char* finish : {"last_block", "slots"}) {
    testing_runtime::ResultsFile results;
    results.publish(problem, identify_device("host"),
                    parse_settings(fmt::format("finish={} block_size=1 items_per_thread=4 "
                                               "vector_width=1 blocks_per_unit=0",
                                               finish)));
    Reducer sum(problem, on_host(results));
    ASSERT_EQ(sum.answer().match, Match::exact);
    std::vector<std::int32_t> values(4000, 1);
    EXPECT_EQ(sum.reduce<std::int64_t>(std::span<const std::int32_t>(values)), 4000);
    values[5] = 7;
    EXPECT_ANY_THROW((void)sum.reduce<std::int64_t>(std::span<const std::int32_t>(values)));
    values[5] = 1;
    EXPECT_EQ(sum.reduce<std::int64_t>(std::span<const std::int32_t>(values)), 4000) << finish;
    EXPECT_EQ(sum.reduce<std::int64_t>(std::span<const std::int32_t>(values)), 4000) << finish;
  }
}

/// What a Reducer says of a text.
std::string refusal(const std::string& source) {
  const testing_runtime::ResultsFile results;
  try {
    const Reducer reducer(make_problem(CustomOp{"my text", source}, DType::f32, 1000),
                          on_host(results));
    return "accepted";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(CustomOperatorInLibrary, RefusesTextsWithTheirLines) {
  EXPECT_EQ(refusal(magnitudes), "accepted");
  EXPECT_EQ(refusal("struct custom {};"), "my text: custom has no function identity()");
  EXPECT_EQ(refusal(""),
            "my text: it is empty; write a struct 'custom' with identity() and "
            "combine()");
  EXPECT_EQ(refusal(magnitudes + "}"), "my text:6: this '}' closes nothing");
  EXPECT_EQ(refusal("\n\nint x = y;" + magnitudes).substr(0, 10), "my text:3:");
}

/// A name that would end the directive it stands in.
TEST(CustomOperatorInLibrary, RefusesStructsThatCannotBe) {
  std::string text = statistics;
  text.replace(text.find("i64 sum;"), 8, "i64 sum[4];");
  EXPECT_THROW((void)make_problem(CustomOp{"large", text}, DType::i32, 4), UsageError);
}

TEST(CustomOperatorInLibrary, TakesAnyName) {
  const testing_runtime::ResultsFile results;
  for (const std::string name : {"", "a\"b", "a\\", "two\nlines", "C:\\ops\\sum.hpp"}) {
    Reducer sum(make_problem(CustomOp{name, magnitudes}, DType::f32, 4), on_host(results));
    const std::vector<float> values{1, -2};
    EXPECT_EQ(sum.reduce<float>(std::span<const float>(values)), 3.0F) << name;
  }
}

}  // namespace
}  // namespace redtune
