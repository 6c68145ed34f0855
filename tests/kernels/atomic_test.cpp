// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Atomic changes lose nothing when blocks make them at the same time.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "tests/device/host_programs.hpp"
#include "tests/kernels/atomic_kernels.hpp"

namespace redtune::checks {
namespace {

constexpr int block_size = 64;
constexpr std::int64_t blocks = 200;

/// All kernels, compiled once.
class Atomics : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto result =
        device::host::HostCompiler().compile({atomic_text(), atomic_names(), "native"});
    const auto* program = std::get_if<device::CompiledProgram>(&result);
    ASSERT_NE(program, nullptr) << std::get<device::CompileFailure>(result).log;
    program_ = *program;
  }

  template <class T>
  T run(const std::string& change, const std::string& type, const std::vector<T>& in, T start) {
    const auto names = atomic_names();
    const auto at = std::ranges::find(names, atomic_name(change, type)) - names.begin();
    const device::host::Numbers<T> input(*device_, in.size());
    const device::host::Numbers<T> out(*device_, 1);
    device_->copy_to_device(input.data(), in.data(), in.size() * sizeof(T));
    device_->copy_to_device(out.data(), &start, sizeof(T));
    const auto& symbol = program_.kernels[static_cast<std::size_t>(at)].symbol;
    const auto launch = device::host::launch_of(module_->kernel(symbol), blocks, block_size,
                                                input.data(), out.data());
    device_->launch({&launch, 1}, {});
    device_->synchronize({});
    return out.read()[0];
  }

  /// Whole numbers of both signs where the type has them.
  template <class T>
  static std::vector<T> numbers() {
    std::vector<T> values(block_size * blocks);
    std::uint64_t state = 1;
    for (T& value : values) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(static_cast<int>(state >> 60) - 5);
      } else {
        value = static_cast<T>(state >> 7);
      }
    }
    return values;
  }

  template <class T>
  void expect_exact(const std::string& change, const std::string& type, T start,
                    const std::function<T(T, T)>& combine) {
    const auto in = numbers<T>();
    T expected = start;
    for (const T value : in) expected = combine(expected, value);
    EXPECT_EQ(run<T>(change, type, in, start), expected) << change << ' ' << type;
  }

  template <class T>
  void expect_exact_integers(const std::string& type) {
    expect_exact<T>("add", type, 7, [](T a, T b) {
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    });
    const auto limits = std::numeric_limits<T>{};
    expect_exact<T>("min", type, limits.max(), [](T a, T b) { return std::min(a, b); });
    expect_exact<T>("max", type, limits.lowest(), [](T a, T b) { return std::max(a, b); });
    expect_exact<T>("xor", type, 5, [](T a, T b) { return static_cast<T>(a ^ b); });
  }

  /// Every thread clears or sets a bit of its own, over and over: none is lost.
  template <class T>
  void expect_every_bit(const std::string& type) {
    std::vector<T> bits(block_size * blocks);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      bits[i] = static_cast<T>(T{1} << (i % (8 * sizeof(T))));
    }
    EXPECT_EQ(run<T>("or", type, bits, 0), static_cast<T>(~T{0}));
    for (T& mask : bits) mask = static_cast<T>(~mask);
    EXPECT_EQ(run<T>("and", type, bits, static_cast<T>(~T{0})), T{0});
  }

  static device::CompiledProgram program_;
  std::unique_ptr<device::Device> device_ =
      device::host::make_host_device({.wave_size = 32, .threads = 4});
  std::unique_ptr<device::Module> module_ = device_->load(program_.binary);
};

device::CompiledProgram Atomics::program_;

TEST_F(Atomics, LoseNoIntegerOfAnyThread) {
  expect_exact_integers<std::uint32_t>("u32");
  expect_exact_integers<std::int32_t>("i32");
  expect_exact_integers<std::uint64_t>("u64");
  expect_exact_integers<std::int64_t>("i64");
}

TEST_F(Atomics, LoseNoBitOfAnyThread) {
  expect_every_bit<std::uint32_t>("u32");
  expect_every_bit<std::int32_t>("i32");
  expect_every_bit<std::uint64_t>("u64");
  expect_every_bit<std::int64_t>("i64");
}

TEST_F(Atomics, LoseNoFloatOfAnyThread) {
  expect_exact<float>("add", "float", 3, std::plus<float>{});
  expect_exact<double>("add", "double", -3, std::plus<double>{});
}

}  // namespace
}  // namespace redtune::checks
