// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A result's place notices what a kernel does beside it, and what it does not do at all.
#include "tuner/verify/guarded_output.hpp"

#include <gtest/gtest.h>

#include "device/host/host_platform.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

class GuardedOutputTest : public ::testing::Test {
 protected:
  /// What a kernel does: writes one byte at an offset from the result's first.
  void write(std::ptrdiff_t offset) {
    static_cast<std::byte*>(output_.address())[offset] = std::byte{0x11};
  }

  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 1});
  GuardedOutput output_{*device_, 16};
};

TEST_F(GuardedOutputTest, HandsOverWhatWasWrittenAtItsPlace) {
  output_.poison();
  const double written = 1.5;
  device_->copy_to_device(output_.address(), &written, sizeof(written));
  EXPECT_EQ(output_.read(result_bytes(make_problem(Op::sum, DType::f64, 1))), "");
  EXPECT_EQ(*static_cast<const double*>(output_.value()), 1.5);
}

TEST_F(GuardedOutputTest, NoticesAWriteBeforeIt) {
  for (const std::ptrdiff_t offset : {-1, -8, -256}) {
    output_.poison();
    write(offset);
    EXPECT_EQ(output_.read(result_bytes(make_problem(Op::sum, DType::f32, 1))),
              "wrote before its output")
        << offset;
  }
}

TEST_F(GuardedOutputTest, NoticesAWritePastItsLastByteForEveryProblem) {
  for (const Problem& problem : all_pairs(1)) {
    const auto bytes = static_cast<std::ptrdiff_t>(result_bytes(problem));
    output_.poison();
    write(bytes - 1);
    EXPECT_EQ(output_.read(result_bytes(problem)), "") << describe(problem);
    for (const std::ptrdiff_t offset : {bytes, bytes + 1, std::ptrdiff_t{256}}) {
      output_.poison();
      write(offset);
      EXPECT_EQ(output_.read(result_bytes(problem)), "wrote past its output")
          << describe(problem) << " " << offset;
    }
  }
}

TEST_F(GuardedOutputTest, GuardsEachOfSeveralPlaces) {
  const Problem problem = make_problem(Op::sum, DType::f32, 1);
  GuardedOutput output(*device_, 4, 3);
  ASSERT_EQ(output.places(), 3U);
  output.poison();
  for (std::size_t place = 0; place < 3; ++place) {
    const float value = 1.5F + static_cast<float>(place);
    device_->copy_to_device(output.address(place), &value, sizeof value);
  }
  EXPECT_EQ(output.read(result_bytes(problem)), "");
  for (std::size_t place = 0; place < 3; ++place) {
    float value = 0;
    std::memcpy(&value, output.value(place), sizeof value);
    EXPECT_EQ(value, 1.5F + static_cast<float>(place));
  }
  device_->fill(static_cast<std::byte*>(output.address(1)) + sizeof(float), std::byte{0}, 1);
  EXPECT_EQ(output.read(result_bytes(problem)), "wrote past its output");
}

TEST_F(GuardedOutputTest, TellsWhetherPlacesAreTheSameToTheLastByte) {
  GuardedOutput output(*device_, 1000, 3);
  output.poison();
  for (std::size_t place = 0; place < 3; ++place) {
    device_->fill(output.address(place), std::byte{7}, 1000);
  }
  device_->fill(static_cast<std::byte*>(output.address(2)) + 999, std::byte{8}, 1);
  EXPECT_EQ(output.read(1000), "");
  EXPECT_TRUE(output.are_same(0, 1));
  EXPECT_FALSE(output.are_same(0, 2));
}

TEST_F(GuardedOutputTest, MakesAKernelThatWritesNothingWrong) {
  for (const Problem& problem : all_problems(0)) {
    output_.poison();
    EXPECT_EQ(output_.read(result_bytes(problem)), "");
    EXPECT_NE(
        why_wrong(problem, reference_of(problem, std::span<const std::byte>{}), 1, output_.value()),
        "")
        << describe(problem);
  }
}

TEST_F(GuardedOutputTest, ForgetsTheLastResultWhenItIsPoisonedAgain) {
  output_.poison();
  write(0);
  ASSERT_EQ(output_.read(result_bytes(make_problem(Op::max, DType::i32, 1))), "");
  const auto first = *static_cast<const std::byte*>(output_.value());
  output_.poison();
  ASSERT_EQ(output_.read(result_bytes(make_problem(Op::max, DType::i32, 1))), "");
  EXPECT_NE(*static_cast<const std::byte*>(output_.value()), first);
}

}  // namespace
}  // namespace redtune::tuner
