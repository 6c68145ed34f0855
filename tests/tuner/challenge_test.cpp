// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finalists on inputs made to find mistakes: right ones pass, and a mistake that ordinary inputs
// do not show is found.
#include "tuner/verify/challenge.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/tuner/broken_family.hpp"
#include "tests/tuner/host_evaluator.hpp"

namespace redtune::tuner {
namespace {

/// Right for what a trial measures: thousands of ordinary numbers.
constexpr const char* cunning_kernels = R"(
namespace redtune {
inline void adds(const float* in, i64 first, i64 count, float* out) {
  float total = 0;
  for (i64 i = first; i < count; ++i) total += in[i];
  out[0] = total;
}
REDTUNE_BROKEN(is_right) { adds(in, 0, count, out); }
REDTUNE_BROKEN(skips_nan) {
  float total = 0;
  for (i64 i = 0; i < count; ++i) total += in[i] == in[i] ? in[i] : 0;
  out[0] = total;
}
REDTUNE_BROKEN(fails_on_nothing) { if (count > 0) adds(in, 0, count, out); }
REDTUNE_BROKEN(fails_below_a_block) { adds(in, count == 63 ? 1 : 0, count, out); }
REDTUNE_BROKEN(reads_too_far) { adds(in, 0, count == 65 ? 66 : count, out); }
REDTUNE_BROKEN(fails_off_alignment) {
  adds(in, __builtin_bit_cast(u64, in) % 16 != 0 && count < 100 ? 1 : 0, count, out);
}
REDTUNE_BROKEN(fails_when_large) { adds(in, count > 100000 ? 1 : 0, count, out); }
REDTUNE_BROKEN(writes_two) { adds(in, 0, count, out); if (count < 100) out[1] = 0; }
}
)";

constexpr const char* plain_config =
    "finish=single_block block_size=64 items_per_thread=4 vector_width=4 blocks_per_unit=0";
constexpr const char* other =
    "finish=last_block block_size=16 items_per_thread=8 vector_width=2 blocks_per_unit=2";

class ChallengeTest : public testing::Test {
 protected:
  /// What becomes of a kernel that took the trial well.
  std::optional<Outcome> failure_of(const std::string& kernel, bool right_first = false) {
    breaks_ = kernel;
    EXPECT_TRUE(cost_of(evaluator_->evaluate(std::vector{evaluator_.default_point()})[0].outcome));
    const std::vector points{family_.point_of(parse_settings(plain_config)),
                             family_.point_of(parse_settings(other))};
    for (const Evaluation& evaluation : evaluator_->evaluate(points)) {
      EXPECT_TRUE(cost_of(evaluation.outcome)) << detail_of(evaluation.outcome);
    }
    if (right_first) {
      EXPECT_FALSE(evaluator_->challenge(points[1]));
    }
    const auto found = evaluator_->challenge(points[0]);
    const auto right = evaluator_->challenge(points[1]);
    EXPECT_FALSE(right) << detail_of(right->outcome);
    if (!found) return std::nullopt;
    EXPECT_EQ(found->point, points[0]);
    return found->outcome;
  }
  std::string why(const std::string& kernel) {
    const auto failure = failure_of(kernel);
    return failure ? std::string(status_of(*failure)) + ": " + detail_of(*failure) : "";
  }

  std::string breaks_;
  BrokenFamily family_{[this](const Settings& settings) {
                         return settings[1].value == "64" ? breaks_ : std::string();
                       },
                       cunning_kernels};
  HostEvaluator evaluator_{family_, make_problem(Op::sum, DType::f32, 10000)};
};

TEST_F(ChallengeTest, PassesWhatIsRight) {
  EXPECT_EQ(why("is_right"), "");
}

TEST_F(ChallengeTest, FindsAKernelThatOverlooksNaN) {
  EXPECT_NE(why("skips_nan").find("wrong_result: expected NaN, got "), std::string::npos)
      << why("skips_nan");
}

TEST_F(ChallengeTest, FindsAKernelThatDoesNothingForNothing) {
  EXPECT_NE(why("fails_on_nothing").find("(of 0 elements"), std::string::npos);
}

TEST_F(ChallengeTest, FindsWhatIsWrongBehindWhatIsRight) {
  const auto failure = failure_of("fails_on_nothing", true);
  ASSERT_TRUE(failure);
  EXPECT_EQ(status_of(*failure), "wrong_result");
}

/// Who finds everything right, and counts how often it is asked.
class Lenient final : public Expected {
 public:
  explicit Lenient(int& asked) : asked_(asked) {}
  [[nodiscard]] std::string why_wrong(const void*, std::int64_t) const override {
    ++asked_;
    return {};
  }
  [[nodiscard]] std::string why_result_wrong(std::size_t, const void*,
                                             std::int64_t) const override {
    return {};
  }

 private:
  int& asked_;
};

TEST(ChallengeKnown, LooksAgainAtOtherResultsAndAtShorterChains) {
  int asked = 0;
  Challenge::Known known{.expected = std::make_unique<Lenient>(asked)};
  const std::vector<std::byte> one(8, std::byte{1});
  const std::vector<std::byte> other(8, std::byte{2});
  const auto asked_of = [&](const std::vector<std::byte>& results, std::int64_t chain) {
    const int before = asked;
    EXPECT_EQ(known.why_wrong(results, chain), "");
    return asked - before;
  };
  EXPECT_EQ(asked_of(one, 10), 1);
  EXPECT_EQ(asked_of(one, 10), 0);
  EXPECT_EQ(asked_of(one, 11), 0) << "what may be further off is right as well";
  EXPECT_EQ(asked_of(one, 9), 1) << "of fewer additions less is accepted";
  EXPECT_EQ(asked_of(other, 11), 1);
  EXPECT_EQ(asked_of(one, 11), 1) << "the last results are known, not all";
  EXPECT_EQ(asked_of({}, 11), 1);
}

TEST_F(ChallengeTest, FindsAKernelThatFailsBelowABlock) {
  EXPECT_NE(why("fails_below_a_block").find("(of 63 elements"), std::string::npos);
}

TEST_F(ChallengeTest, FindsAKernelThatReadsPastItsInput) {
  EXPECT_NE(why("reads_too_far").find("(of 65 elements"), std::string::npos);
}

TEST_F(ChallengeTest, FindsAKernelThatNeedsAnAlignment) {
  EXPECT_NE(why("fails_off_alignment").find("one element off the alignment"), std::string::npos);
}

/// So large that its input is laid out on the device.
TEST_F(ChallengeTest, TriesLargeShapesAsWell) {
  family_.further_edges = {{.count = 200'003}};
  EXPECT_EQ(why("is_right"), "");
}

TEST_F(ChallengeTest, FindsAKernelThatFailsOnLargeShapes) {
  family_.further_edges = {{.count = 200'003}};
  EXPECT_NE(why("fails_when_large").find("(of 200003 elements"), std::string::npos);
}

TEST_F(ChallengeTest, FindsAWriteBesideTheOutput) {
  EXPECT_NE(why("writes_two").find("wrote past its output (of 0 elements"), std::string::npos);
}

}  // namespace
}  // namespace redtune::tuner
