// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a kernel writes is what the host computes, bit for bit; who cannot compile gets copies.
#include "tuner/measure/input_filler.hpp"

#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/probe/fill.hpp"
#include "tests/tuner/problems.hpp"

namespace redtune::tuner {
namespace {

class InputFillerTest : public testing::Test {
 protected:
  [[nodiscard]] CompilePool pool(const std::string& text) const {
    return CompilePool({&compiler_, "host", "native", text}, {}, 2);
  }
  /// What a filler writes to a place, and whether it wrote one byte more.
  std::vector<std::byte> written_by(const InputFiller& filler) {
    constexpr std::byte before{0x3c};
    const std::size_t bytes = filler.bytes();
    const device::Buffer memory = device_->allocate(2 * (bytes + 8));
    device_->fill(memory.data(), before, memory.bytes());
    auto* const first = static_cast<std::byte*>(memory.data());
    std::byte* const places[] = {first, first + bytes + 8};
    filler.write(places);
    std::vector<std::byte> all(memory.bytes());
    device_->copy_to_host(all.data(), memory.data(), all.size());
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(bytes + 8);
    EXPECT_TRUE(std::equal(all.begin(), middle, middle)) << "the places differ";
    EXPECT_TRUE(std::all_of(middle - 8, middle, [&](std::byte b) { return b == before; }));
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bytes)};
  }

  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 2});
  device::host::HostCompiler compiler_;
};

TEST_F(InputFillerTest, WritesOnTheDeviceWhatTheHostWould) {
  const CompilePool filling = pool(kernels::fill_text());
  for (const Problem& problem : all_pairs(8192 + 5)) {
    // One operator of each pattern.
    const bool is_first = problem.op == Op::sum || problem.op == Op::product ||
                          problem.op == Op::min_ignore_nan || problem.op == Op::bit_and ||
                          problem.op == Op::bit_or || problem.op == Op::all ||
                          problem.op == Op::any || problem.op == Op::count_nonzero;
    if (!is_first) continue;
    const InputFiller filler(*device_, recipe_of(problem, 6), problem.count, &filling);
    EXPECT_TRUE(filler.is_on_device()) << describe(problem);
    EXPECT_EQ(written_by(filler), make_input(problem, 6)) << describe(problem);
  }
}

TEST_F(InputFillerTest, WritesElementsOfEachResultToTheirPlaces) {
  const CompilePool filling = pool(kernels::fill_text());
  for (const Shape& shape :
       {Shape::rows(9, 33, 40), Shape{.count = 7, .outer = 5, .inner = 3, .outer_pitch = 30},
        Shape::channels(4, 5, 33),
        Shape{.count = 33, .outer = 5, .outer_pitch = 35, .batch = 4, .batch_pitch = 181}}) {
    const Problem problem = make_problem(Op::any, DType::u16, shape);
    const InputFiller filler(*device_, recipe_of(problem, 6), span_of(shape), &filling);
    EXPECT_TRUE(filler.is_on_device()) << describe(problem);
    EXPECT_EQ(written_by(filler), make_input(problem, 6)) << describe(problem);
  }
}

TEST_F(InputFillerTest, CopiesWithoutACompiler) {
  for (const std::int64_t count : {0, 1, 1000}) {
    const Problem problem = make_problem(Op::sum, DType::f16, count);
    const InputFiller filler(*device_, recipe_of(problem, 6), count, nullptr);
    EXPECT_FALSE(filler.is_on_device());
    EXPECT_EQ(written_by(filler), make_input(problem, 6));
  }
}

TEST_F(InputFillerTest, CopiesInPiecesThatFitTogether) {
  const Problem problem = make_problem(Op::sum, DType::u8, (std::int64_t{1} << 26) + 3);
  const InputFiller filler(*device_, recipe_of(problem, 6), problem.count, nullptr);
  EXPECT_TRUE(written_by(filler) == make_input(problem, 6));
}

TEST_F(InputFillerTest, CopiesWhereTheKernelDoesNotCompile) {
  const std::string text = "there is no program here";
  const CompilePool broken = pool(text);
  const Problem problem = make_problem(Op::sum, DType::f32, 5000);
  const InputFiller filler(*device_, recipe_of(problem, 6), problem.count, &broken);
  EXPECT_FALSE(filler.is_on_device());
  EXPECT_EQ(written_by(filler), make_input(problem, 6));
}

TEST_F(InputFillerTest, CopiesWhereADeviceMakesOtherNumbers) {
  std::string text = kernels::fill_text();
  const auto at = text.find("0x1p-52 - 1.0");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 13, "0x1p-52 - 0.9");
  const CompilePool wrong = pool(text);
  const Problem problem = make_problem(Op::sum, DType::f32, 5000);
  const InputFiller filler(*device_, recipe_of(problem, 6), problem.count, &wrong);
  EXPECT_FALSE(filler.is_on_device());
  EXPECT_EQ(written_by(filler), make_input(problem, 6));
}

}  // namespace
}  // namespace redtune::tuner
