// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many results are compared where they lie: a device that finds what is planted is believed, no
// other; what a config does wrong is noticed as if the host had looked.
#include "tuner/verify/device_comparison.hpp"

#include <cstring>
#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "tests/tuner/watched_device.hpp"
#include "tuner/worker/device_bench.hpp"

namespace redtune::tuner {
namespace {

using Numbers = std::vector<std::size_t>;

/// A row for each way of comparing: words of every size, floats, elements with their indices.
const std::vector<Problem>& every_kind(std::int64_t rows) {
  static std::map<std::int64_t, std::vector<Problem>> known;
  std::vector<Problem>& kinds = known[rows];
  if (!kinds.empty()) return kinds;
  const Shape shape = Shape::rows(rows, 3, 4);
  for (const auto& [op, type] : {std::pair{Op::any, DType::f32},
                                 {Op::max, DType::i16},
                                 {Op::min, DType::u32},
                                 {Op::sum, DType::i8},
                                 {Op::max, DType::bf16},
                                 {Op::min_ignore_nan, DType::f64},
                                 {Op::argmax, DType::f16},
                                 {Op::argmin, DType::i64},
                                 {Op::sum, DType::f32},
                                 {Op::mean, DType::i32},
                                 {Op::l2_norm, DType::bf16},
                                 {Op::product, DType::f64},
                                 {Op::min_max, DType::f16},
                                 {Op::mean_variance, DType::f32},
                                 {Op::softmax_stats, DType::bf16}}) {
    kinds.push_back(make_problem(op, type, shape));
  }
  kinds.push_back(make_problem(Op::sum, DType::f16, shape, {.out = DType::f16}));
  kinds.push_back(make_problem(Op::mean, DType::bf16, shape, {.out = DType::bf16}));
  return kinds;
}

class DeviceComparisonTest : public testing::Test {
 protected:
  [[nodiscard]] CompilePool pool(const std::string& text) const {
    return CompilePool({&compiler_, "host", "native", text}, {}, 2);
  }
  [[nodiscard]] std::unique_ptr<const Expected> expected_of(const Problem& problem) const {
    return host_oracle(problem)->of_generated({problem, nullptr}, recipe_of(problem, 1), 0);
  }
  /// results_ are right ones then.
  std::unique_ptr<const DeviceComparison> comparison_of(const ComparisonKernel& kernel,
                                                        const Problem& problem) {
    results_ = device_.allocate(output_bytes(problem));
    return DeviceComparison::make(kernel, *expected_of(problem), problem, results_.data());
  }
  /// Whether a device with this text is believed.
  bool is_believed(const std::string& text, const Problem& problem) {
    const ComparisonKernel kernel(device_, problem, pool(text));
    return comparison_of(kernel, problem) != nullptr;
  }
  static std::string changed(const std::string& what, const std::string& into) {
    std::string text = kernels::compare_text();
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), into);
  }

  WatchedDevice device_{device::host::make_host_device({.threads = 2})};
  device::host::HostCompiler compiler_;
  device::Buffer results_;
};

TEST_F(DeviceComparisonTest, FindsEachWrongResultAlone) {
  constexpr std::int64_t rows = 1009;
  for (const Problem& problem : every_kind(rows)) {
    const ComparisonKernel kernel(device_, problem, pool(kernels::compare_text()));
    const auto comparison = comparison_of(kernel, problem);
    ASSERT_TRUE(comparison) << describe(problem);
    EXPECT_EQ(comparison->uncertain(results_.data(), 3), Numbers{}) << describe(problem);
    std::vector<std::byte> results(results_.bytes());
    device_.copy_to_host(results.data(), results_.data(), results.size());
    EXPECT_EQ(expected_of(problem)->why_wrong(results.data(), 3), "") << describe(problem);
    const std::size_t bytes = result_bytes(problem);
    for (std::size_t number = 0; number < rows; number += 56) {
      std::vector<std::byte> wrong = results;
      wrong[number * bytes + size_of(problem.out) - 1] ^= std::byte{0x41};
      EXPECT_NE(expected_of(problem)->why_wrong(wrong.data(), 3), "") << describe(problem);
      EXPECT_EQ(comparison->uncertain(wrong.data(), 3), Numbers{number}) << describe(problem);
    }
  }
}

TEST_F(DeviceComparisonTest, LeavesItToTheHostWhenManyAreWrong) {
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(5000, 3));
  const ComparisonKernel kernel(device_, problem, pool(kernels::compare_text()));
  const auto comparison = comparison_of(kernel, problem);
  ASSERT_TRUE(comparison);
  device_.fill(results_.data(), std::byte{0xa5}, results_.bytes() / 10);
  EXPECT_EQ(comparison->uncertain(results_.data(), 3)->size(), 500U);
  device_.fill(results_.data(), std::byte{0xa5}, results_.bytes());
  EXPECT_FALSE(comparison->uncertain(results_.data(), 3));
}

TEST_F(DeviceComparisonTest, BelievesNoKernelThatOverlooksAResult) {
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(5000, 3));
  EXPECT_TRUE(is_believed(kernels::compare_text(), problem));
  EXPECT_FALSE(is_believed("there is no program here", problem));
  EXPECT_FALSE(is_believed(changed("i < count; i +=", "i < count - 1; i +="), problem));
  EXPECT_FALSE(is_believed(changed("++looked_at;", "looked_at += i != 7;"), problem));
  EXPECT_FALSE(is_believed(changed("<= allowed", "<= allowed + 1e30"), problem));
  EXPECT_FALSE(is_believed(changed("<= allowed", "< -1"), problem)) << "takes all for wrong";
  EXPECT_FALSE(is_believed(changed("= u64(i);", "= u64(i) + 1;"), problem));
  const Problem indexed = make_problem(Op::argmax, DType::f32, Shape::rows(5000, 3));
  EXPECT_TRUE(is_believed(kernels::compare_text(), indexed));
  EXPECT_FALSE(is_believed(changed(" && got.index == expected.index", ""), indexed));
  EXPECT_FALSE(is_believed(changed("is_same_value(got.value, expected.value) &&", ""), indexed));
}

TEST_F(DeviceComparisonTest, KeepsToAQuarterOfTheFreeMemory) {
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(5000, 3));
  const ComparisonKernel kernel(device_, problem, pool(kernels::compare_text()));
  device_.free_bytes = 4 * 5000 * sizeof(kernels::NearValue);
  EXPECT_TRUE(comparison_of(kernel, problem));
  device_.free_bytes = *device_.free_bytes - 1;
  EXPECT_FALSE(comparison_of(kernel, problem));
}

/// Kernels in the place of one that takes rows by groups of threads.
constexpr const char* spoilt_rows = R"(
namespace redtune {
inline void sum_rows(const float* in, i64 rows, i64 count, i64 pitch, float* out) {
  for (i64 row = block_index(); row < rows; row += grid_size()) {
    if (thread_index() != 0) continue;
    float total = 0;
    for (i64 i = 0; i < count; ++i) total += in[row * pitch + i];
    out[row] = total;
  }
}
#define REDTUNE_ROWS(name) \
  inline void name(const float* in, i64 rows, i64 count, i64 pitch, float* out)
REDTUNE_ROWS(is_right) { sum_rows(in, rows, count, pitch, out); }
REDTUNE_ROWS(spoils_one) {
  sum_rows(in, rows, count, pitch, out);
  if (block_index() == 12345 % grid_size() && thread_index() == 0) out[12345] += 1;
}
REDTUNE_ROWS(spoils_all) { sum_rows(in + 1, rows - 1, count, pitch, out); }
REDTUNE_ROWS(leaves_out_the_last) { sum_rows(in, rows - 1, count, pitch, out); }
REDTUNE_ROWS(writes_one_more) {
  sum_rows(in, rows, count, pitch, out);
  if (block_index() == 0 && thread_index() == 0) out[rows] = 1;
}
REDTUNE_ROWS(writes_one_before) {
  sum_rows(in, rows, count, pitch, out);
  if (block_index() == 0 && thread_index() == 0) out[-1] = 1;
}
}
)";

class BenchOfManyResults : public DeviceComparisonTest {
 protected:
  std::string why_wrong(const std::string& kernel) {
    const CompilePool compiler = pool(family_.device_text(problem_) + spoilt_rows);
    const CompileUnit unit{"redtune::" + kernel};
    const auto compiled = std::get<CompiledUnit>(compiler.compile({&unit, 1})[0]);
    if (!bench_) bench_.emplace(BenchSetup{&device_, &family_, problem_, 1}, compiler);
    constexpr CandidateId id{0};
    bench_->load(id, {family_.default_settings(problem_, device_.limits()), compiled});
    device_.copied_to_host = 0;
    return bench_->why_wrong(id);
  }
  /// While it is timed, too.
  std::string why_wrong_when_timed() {
    constexpr CandidateId id{0};
    (void)bench_->sample({.candidate = id, .executions = 2});
    device_.copied_to_host = 0;
    return bench_->why_wrong_when_timed(id);
  }

  const kernels::Family& family_ = kernels::find_family("reduce_rows");
  Problem problem_ = make_problem(Op::sum, DType::f32, Shape::rows(100'000, 5));
  std::optional<DeviceBench> bench_;
};

TEST_F(BenchOfManyResults, BringsNoResultsThatAreRight) {
  EXPECT_EQ(why_wrong("is_right"), "");
  EXPECT_LT(device_.copied_to_host, output_bytes(problem_) / 10);
  EXPECT_EQ(why_wrong_when_timed(), "");
  EXPECT_LT(device_.copied_to_host, output_bytes(problem_) / 10);
}

/// Rows off the alignment of vectors have other results, which were checked before.
TEST_F(BenchOfManyResults, ChecksNothingBehindABatchOfAPart) {
  EXPECT_EQ(why_wrong("is_right"), "");
  EXPECT_EQ(why_wrong_when_timed(), "");
  const auto is_displaced = [](std::uint64_t input) { return input % 16 == sizeof(float); };
  EXPECT_TRUE(std::ranges::none_of(device_.timed_inputs, is_displaced));
  device_.timed_inputs.clear();
  const Sample sample = bench_->sample({.executions = 2, .is_displaced = true});
  EXPECT_EQ(sample.executions, 2U);
  EXPECT_TRUE(std::ranges::any_of(device_.timed_inputs, is_displaced));
  EXPECT_EQ(bench_->why_wrong_when_timed(CandidateId{0}), "");
  EXPECT_EQ(why_wrong_when_timed(), "") << "all of it again";
}

TEST_F(BenchOfManyResults, NamesTheOneThatIsWrong) {
  const std::string why = why_wrong("spoils_one");
  EXPECT_TRUE(why.starts_with("result 12345 of 100000: expected ")) << why;
  EXPECT_LT(device_.copied_to_host, output_bytes(problem_) / 10);
  EXPECT_TRUE(why_wrong_when_timed().starts_with("result 12345 of 100000: expected "));
}

TEST_F(BenchOfManyResults, NoticesWhateverElseIsWrong) {
  EXPECT_TRUE(why_wrong("spoils_all").starts_with("result 0 of 100000: expected "));
  EXPECT_TRUE(why_wrong("leaves_out_the_last").starts_with("result 99999 of 100000: expected "));
  EXPECT_TRUE(why_wrong("writes_one_more").starts_with("wrote past its output"));
  EXPECT_TRUE(why_wrong("writes_one_before").starts_with("wrote before its output"));
  EXPECT_EQ(why_wrong("is_right"), "");
}

/// The host compares then, and says the same.
TEST_F(BenchOfManyResults, DoesWithoutMemoryForIt) {
  device_.free_bytes = std::size_t{1} << 16;
  EXPECT_EQ(why_wrong("is_right"), "");
  EXPECT_GE(device_.copied_to_host, output_bytes(problem_));
  EXPECT_TRUE(why_wrong("spoils_one").starts_with("result 12345 of 100000: expected "));
  EXPECT_TRUE(why_wrong("writes_one_more").starts_with("wrote past its output"));
}

/// Of which the host knows some.
TEST_F(BenchOfManyResults, BringsTheKnownOnesOfACustomOperator) {
  const CustomOp adds{.name = "adds", .source = R"(struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
};)"};
  problem_ = make_problem(adds, DType::f32, Shape::rows(1 << 15, 2));
  EXPECT_EQ(why_wrong("is_right"), "");
  EXPECT_LT(device_.copied_to_host, output_bytes(problem_) / 4);
  EXPECT_TRUE(why_wrong("leaves_out_the_last").starts_with("result 32767 of 32768: expected "));
  EXPECT_TRUE(why_wrong("writes_one_more").starts_with("wrote past its output"));
}

}  // namespace
}  // namespace redtune::tuner
