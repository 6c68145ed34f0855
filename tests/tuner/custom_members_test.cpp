// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Custom operators with accumulators of several members: broken promises and wrong results are told
// with the member that is wrong, and what lies between members is nobody's.
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <span>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "redtune/error.hpp"
#include "redtune/find_best.hpp"
#include "tests/support/operators_of_the_docs.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tests/tuner/host_evaluator.hpp"
#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/operator_samples.hpp"

namespace redtune::tuner {
namespace {

class CustomMembers : public testing::Test {
 protected:
  [[nodiscard]] OperatorProgram program(const Problem& problem) const {
    const kernels::Family& family = kernels::find_family("reduce");
    return {*device_, family, problem,
            CompilePool({&compiler_, "host", "native", family.device_text(problem)}, {}, 1)};
  }
  /// What is said of an operator that is tried on samples; empty: nothing.
  [[nodiscard]] std::string complaint(const std::string& text, DType in) const {
    try {
      require_sound(program(make_problem(CustomOp{"my.hpp", text}, in, 1000)), 1);
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  template <class T>
  [[nodiscard]] CustomReference reference_of(const Problem& problem, std::span<const T> in) const {
    const device::Buffer memory = device_->allocate(in.size_bytes() + 1);
    device_->copy_to_device(memory.data(), in.data(), in.size_bytes());
    return custom_reference(program(problem), memory.data(), static_cast<std::int64_t>(in.size()));
  }

  device::host::HostCompiler compiler_;
  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 2});
};

/// Sum, least and count, whose bodies tests replace.
std::string statistics(const std::string& word = "", const std::string& other = "") {
  std::string text = R"(struct custom {
  struct accumulator { double sum; element least; u32 count; };
  struct result { u8 is_there; double sum; element least; i64 count; };
  static accumulator identity() { return {0, 1 / 0.0f, 0}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.sum + b.sum, a.least < b.least ? a.least : b.least, a.count + b.count};
  }
  static accumulator transform(element x) { return {x, x, 1}; }
  static result finish(accumulator a, i64) { return {a.count > 0, a.sum, a.least, a.count}; }
};
)";
  if (!word.empty()) text.replace(text.find(word), word.size(), other);
  return text;
}

const std::string top_two = R"(struct custom {
  struct accumulator { element first, second; };
  static accumulator identity() { return {-1 / element(0), -1 / element(0)}; }
  static accumulator combine(accumulator a, accumulator b) {
    const element low = a.first < b.first ? a.first : b.first;
    const element seconds = a.second < b.second ? b.second : a.second;
    return {a.first < b.first ? b.first : a.first, low < seconds ? seconds : low};
  }
  static accumulator transform(element x) { return {x, -1 / element(0)}; }
};
)";

TEST_F(CustomMembers, LetsSoundOperatorsPass) {
  for (const DType in : {DType::f32, DType::f64, DType::f16}) {
    EXPECT_EQ(complaint(statistics(), in), "") << to_string(in);
    EXPECT_EQ(complaint(top_two, in), "") << to_string(in);
  }
  const auto of_docs = checks::operators_of_the_docs();
  EXPECT_EQ(complaint(of_docs.at("bounding_box.hpp"), DType::u64), "");
  for (const DTypeInfo& in : all_dtypes()) {
    EXPECT_EQ(complaint(of_docs.at("mean_and_deviation.hpp"), in.dtype), "") << in.name;
  }
}

TEST_F(CustomMembers, TellsTheMemberThatBreaksAPromise) {
  EXPECT_EQ(complaint(statistics("0.0f, 0}", "0.0f, 1}"), DType::f32),
            "my.hpp: identity() is not neutral in 'count': combine(identity(), identity()) is {sum "
            "0, least inf, count 2}, not {sum 0, least inf, count 1}");
  EXPECT_EQ(complaint(statistics("a.count + b.count", "a.count"), DType::f32),
            "my.hpp: identity() is not neutral in 'count': combine(identity(), {sum 1, least 1, "
            "count 1}) is {sum 1, least 1, count 0}, not {sum 1, least 1, count 1}");
  EXPECT_EQ(complaint(statistics("a.least < b.least", "a.count > 0"), DType::f32),
            "my.hpp: not commutative in 'least': combine({sum 1, least 1, count 1}, {sum 2, least "
            "2, count 1}) is {sum 3, least 1, count 2}, combine({sum 2, least 2, count 1}, {sum 1, "
            "least 1, count 1}) is {sum 3, least 2, count 2}");
  EXPECT_EQ(complaint(statistics("a.sum + b.sum", "fabs(a.sum - b.sum)"), DType::f32).substr(0, 64),
            "my.hpp: not associative in 'sum': combine(combine({sum 1, least ");
  // What infinities hide elsewhere they do not hide here: a second that is forgotten.
  EXPECT_EQ(complaint(
                [] {
                  std::string text = top_two;
                  const std::string word = "low < seconds ? seconds : low";
                  return text.replace(text.find(word), word.size(), "low");
                }(),
                DType::f32)
                .substr(0, 40),
            "my.hpp: not associative in 'second': com");
}

/// The product of quaternions goes by the order of its factors, which kernels do not keep.
TEST_F(CustomMembers, RefusesWhatGoesByTheOrder) {
  const std::string said = complaint(R"(struct custom {
  struct accumulator { double w, x, y, z; };
  static accumulator identity() { return {1, 0, 0, 0}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  static accumulator transform(element q) {
    return {1, double(i8(q)), double(i8(q >> 8)), double(i8(q >> 16))};
  }
};
)",
                                     DType::i32);
  EXPECT_EQ(said.substr(0, 27), "my.hpp: not commutative in ") << said;
}

/// A sum that loses a ten-thousandth is no rounding, whatever the others do.
TEST_F(CustomMembers, SeesSmallViolationsInOneOfSeveral) {
  const std::string said = complaint(
      statistics("a.sum + b.sum", "a.sum + b.sum + a.sum * b.sum * (a.sum - b.sum) * 1e-4"),
      DType::f64);
  EXPECT_NE(said.find("in 'sum'"), std::string::npos) << said;
}

/// As the text has it, with room behind the first value.
struct Statistics {
  std::uint8_t is_there;
  double sum;
  float least;
  std::int64_t count;
};
static_assert(sizeof(Statistics) == 32);

/// Every byte between values is of a kind that no kernel writes.
Statistics statistics_of(std::uint8_t is_there, double sum, float least, std::int64_t count) {
  Statistics all;
  std::memset(static_cast<void*>(&all), 0x5a, sizeof(all));
  all.is_there = is_there;
  all.sum = sum;
  all.least = least;
  all.count = count;
  return all;
}

TEST_F(CustomMembers, ComparesEachValueAndNothingBetweenThem) {
  const Problem problem = make_problem(CustomOp{"my.hpp", statistics()}, DType::f32, 1000);
  EXPECT_EQ(result_bytes(problem), sizeof(Statistics));
  std::vector<float> in;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    in.push_back(static_cast<float>(i % 17) + 0.1F);
    sum += static_cast<double>(in.back());
  }
  const CustomReference reference = reference_of<float>(problem, in);
  const auto judged = [&](const Statistics& got) {
    return why_wrong(problem, reference, 100, &got);
  };
  EXPECT_EQ(judged(statistics_of(1, sum, 0.1F, 1000)), "");
  EXPECT_EQ(judged(statistics_of(1, sum * (1 + 1e-15), 0.1F, 1000)), "") << "rounding";
  EXPECT_EQ(judged(statistics_of(0, sum, 0.1F, 1000)), "is_there: expected 1, got 0");
  EXPECT_EQ(judged(statistics_of(1, sum + 1, 0.1F, 1000)).substr(0, 23), "sum: expected 8079.0001");
  EXPECT_EQ(judged(statistics_of(1, sum, 0.2F, 1000)).substr(0, 19), "least: expected 0.1");
  EXPECT_EQ(judged(statistics_of(1, sum, 0.1F, 1001)), "count: expected 1000, got 1001")
      << "an integer that no float has a part in is exact";
  EXPECT_EQ(judged(statistics_of(1, std::nan(""), 0.1F, 1000)).substr(0, 13), "sum: expected");
}

TEST_F(CustomMembers, KnowsNothingAndOneAndNan) {
  const Problem problem = make_problem(CustomOp{"my.hpp", statistics()}, DType::f32, 1000);
  const auto judged = [&](const std::vector<float>& in, const Statistics& got) {
    return why_wrong(problem, reference_of<float>(problem, in), 100, &got);
  };
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(judged({}, statistics_of(0, 0, infinite, 0)), "");
  EXPECT_EQ(judged({}, statistics_of(0, 0, 0, 0)), "least: expected inf, got 0");
  EXPECT_EQ(judged({2.5F}, statistics_of(1, 2.5, 2.5F, 1)), "");
  EXPECT_EQ(judged({2.5F}, statistics_of(1, 2.5, 2.5F, 2)), "count: expected 1, got 2");
  const std::vector<float> with_nan{1, std::nanf(""), 3};
  EXPECT_EQ(judged(with_nan, statistics_of(1, std::nan(""), 3, 3)), "");
  EXPECT_EQ(judged(with_nan, statistics_of(1, 4, 3, 3)), "sum: expected NaN, got 4");
}

/// What samples do not show, the input may.
TEST_F(CustomMembers, RefusesIntegersThatDependOnTheOrderWithTheirName) {
  const std::string text = R"(struct custom {
  struct accumulator { i64 sum, differences; };
  static accumulator identity() { return {0, 0}; }
  static accumulator combine(accumulator a, accumulator b) {
    return {a.sum + b.sum, a.differences - b.differences};
  }
  static accumulator transform(element x) { return {x, x}; }
};
)";
  std::vector<std::int32_t> in(100);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i);
  try {
    (void)reference_of<std::int32_t>(make_problem(CustomOp{"my.hpp", text}, DType::i32, 100), in);
    FAIL() << "not noticed";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 62),
              "my.hpp: not associative: 100 elements come to a differences of");
  }
}

/// One that writes a wrong count where 16 threads fold, and what is right elsewhere.
constexpr const char* wrong_count = R"(
namespace redtune {
typedef redtune_custom::given::type::result wrong_result;
inline void writes_a_wrong_count(const float* in, i64 count, wrong_result* out, void*, u32*, i64) {
  if (block_index() != 0 || thread_index() != 0) return;
  typedef custom_operator Op;
  typedef shaped<Op, float>::type Kept;
  Kept value = Op::identity<Kept>();
  for (i64 i = 0; i < count; ++i) value = Op::combine<Kept>(value, Op::enter<Kept>(in[i]));
  *out = Op::leave<wrong_result>(value, count);
  out->count -= 1;
}
}
)";

TEST_F(CustomMembers, FindsAConfigThatIsWrongInOneMember) {
  const Problem problem = make_problem(CustomOp{"my.hpp", statistics()}, DType::f32, 10000);
  const BrokenFamily family(
      [](const Settings& settings) {
        return value_of(settings, "block_size") == "64" ? "writes_a_wrong_count" : "";
      },
      wrong_count, BrokenFamily::Text::alone);
  HostEvaluator evaluator(family, problem);
  const std::vector points{
      family.point_of(parse_settings("finish=single_block block_size=64 blocks_per_unit=0")),
      family.point_of(parse_settings("finish=last_block block_size=16 blocks_per_unit=2")),
      family.point_of(parse_settings("finish=slots block_size=32 blocks_per_unit=2"))};
  const auto evaluations = evaluator->evaluate(points);
  EXPECT_EQ(status_of(evaluations[0].outcome), "wrong_result");
  EXPECT_NE(detail_of(evaluations[0].outcome).find("count: expected 10000, got 9999"),
            std::string::npos)
      << detail_of(evaluations[0].outcome);
  for (const std::size_t right : {1U, 2U}) {
    EXPECT_TRUE(cost_of(evaluations[right].outcome)) << detail_of(evaluations[right].outcome);
    const auto challenged = evaluator->challenge(points[right]);
    EXPECT_FALSE(challenged) << detail_of(challenged->outcome);
  }
}

}  // namespace
}  // namespace redtune::tuner
