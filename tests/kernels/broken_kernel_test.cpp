// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The host device shows what is wrong with a kernel: a missing barrier, a read past the end, a
// barrier that not every lane reaches. The kernels are the real ones with one line changed.
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "tests/kernels/reduction_checks.hpp"

namespace redtune {
namespace {

using device::host::HostOptions;
using device::host::LaneOrder;

constexpr LaneOrder orders[] = {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random};

/// The reduce program with a line replaced; throws Error when it does not stand there exactly once.
std::string changed_program(const std::string& from, const std::string& to) {
  std::string text = kernels::program_text("reduce.hip.h");
  const auto at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    throw Error("not in the kernel text exactly once: " + from);
  }
  return text.replace(at, from.size(), to);
}

/// The line of fold_odd_elements that says how many there are.
std::string odd_count(const std::string& more, const std::string& what = "odd_count()") {
  return "odd = input." + what + more +
         ";\n  REDTUNE_ROLLED\n  for (i32 i = thread_index(); i < odd; i += block_size) {\n"
         "    const Acc entered = Op::template enter";
}

class BrokenKernel : public testing::Test {
 protected:
  std::vector<checks::Runner> load(const std::string& text, const std::string& settings,
                                   LaneOrder order) {
    device_ =
        device::host::make_host_device({.wave_size = 32, .order = order, .seed = 5, .threads = 2});
    checks::ConfigProgram program(kernels::find_family("reduce"), problem_, device_->limits());
    program.set_text(text);
    program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                    {parse_settings(settings)}, "native");
    return program.load(*device_);
  }

  /// In how many lane orders a program gives the right result of `problem_.count` elements. A hang
  /// is none.
  int right_orders(const std::string& text, const std::string& settings) {
    int right = 0;
    const auto values = checks::make_input(checks::mixed<std::uint32_t>(), problem_.count);
    for (const LaneOrder order : orders) {
      auto runners = load(text, settings, order);
      const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::aligned);
      try {
        const checks::Output output = runners.front().run(input.data(), problem_.count);
        right += checks::is_right<std::uint32_t>(problem_, values, output, 0) ? 1 : 0;
      } catch (const DeviceError&) {
      }
    }
    return right;
  }

  void expect_needed(const std::string& line, const std::string& without,
                     const std::string& blocks_per_unit = "0") {
    const std::string settings =
        "finish=last_block block_size=128 items_per_thread=1 vector_width=1 blocks_per_unit=" +
        blocks_per_unit;
    EXPECT_EQ(right_orders(kernels::program_text("reduce.hip.h"), settings), 3);
    EXPECT_LT(right_orders(changed_program(line, without), settings), 3);
  }

  Problem problem_ = make_problem(Op::sum, DType::u32, 1000);
  std::unique_ptr<device::Device> device_;
};

TEST_F(BrokenKernel, WithoutTheBarrierBetweenWavesIsWrongInSomeLaneOrder) {
  expect_needed("if (lane == 0) partial[wave] = value;\n    block_barrier();",
                "if (lane == 0) partial[wave] = value;");
}

TEST_F(BrokenKernel, WithoutTheBarrierAfterTheTicketIsWrongInSomeLaneOrder) {
  expect_needed("block_barrier();\n    if (!is_last) return {", "if (!is_last) return {");
}

TEST_F(BrokenKernel, WithoutTheBarrierBeforeTheIndexIsWrongInSomeLaneOrder) {
  problem_ = make_problem(Op::argmin, DType::u32, 1000);
  // Of several tiles, or nothing is looked up.
  expect_needed("block_barrier();\n    if (!is_last) return;", "if (!is_last) return;", "1");
}

TEST_F(BrokenKernel, ThatLosesItsTicketResetIsFoundAfterTheFirstLaunch) {
  const std::string reset = "if (ticket == blocks - 1) __atomic_store_n(counter, 0u,";
  const std::string text = changed_program(reset, "if (false) __atomic_store_n(counter, 0u,");
  auto runners = load(text, "finish=last_block block_size=32 blocks_per_unit=0", {});
  const auto values = checks::make_input(checks::mixed<std::uint32_t>(), problem_.count);
  const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::aligned);
  EXPECT_THROW(static_cast<void>(runners.front().run(input.data(), problem_.count)), Error);
}

TEST_F(BrokenKernel, ThatLeavesASlotEmptyIsReportedAsAHangInEveryOrder) {
  const std::string store = "if (thread_index() == 0) {\n        u64 words";
  const std::string text =
      changed_program(store, "if (thread_index() == 0 && block_index() != 2) {\n        u64 words");
  const auto values = checks::make_input(checks::mixed<std::uint32_t>(), problem_.count);
  for (const char* reader : {"wave", "block"}) {
    for (const char* wait : {"all", "missing"}) {
      const std::string settings = fmt::format(
          "finish=slots block_size=64 items_per_thread=1 vector_width=1 blocks_per_unit=0 "
          "slot_reader={} slot_wait={}",
          reader, wait);
      EXPECT_EQ(right_orders(kernels::program_text("reduce.hip.h"), settings), 3) << settings;
      for (const LaneOrder order : orders) {
        auto runners = load(text, settings, order);
        const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::aligned);
        try {
          static_cast<void>(runners.front().run(input.data(), problem_.count));
          ADD_FAILURE() << "the hang went unnoticed";
        } catch (const DeviceError& error) {
          EXPECT_NE(std::string(error.what()).find("no block stores"), std::string::npos)
              << error.what();
        }
      }
    }
  }
}

TEST_F(BrokenKernel, ThatDoesNotClearItsSlotsIsFoundAfterTheFirstLaunch) {
  const std::string clear = "Layout::store(slots + i64(index) * Layout::stride, empty);";
  auto runners =
      load(changed_program(clear, ""), "finish=slots block_size=32 blocks_per_unit=0", {});
  const auto values = checks::make_input(checks::mixed<std::uint32_t>(), problem_.count);
  const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::aligned);
  EXPECT_THROW(static_cast<void>(runners.front().run(input.data(), problem_.count)), Error);
}

TEST_F(BrokenKernel, ThatDropsTheRestOfTheInputIsWrong) {
  const std::string text = changed_program(odd_count(""), odd_count("", "head_count"));
  problem_.count = 1003;
  EXPECT_EQ(right_orders(text, "block_size=32 vector_width=4"), 0);
}

/// Ended by the kernel for touching memory that is not its own.
bool died_of_access(int status) {
#if defined(__SANITIZE_ADDRESS__)
  if (WIFEXITED(status)) return WEXITSTATUS(status) != 0;
#endif
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

TEST_F(BrokenKernel, ThatReadsOneElementPastTheEndDies) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the device has threads
  problem_.count = 1003;                           // not whole vectors
  const std::string text = changed_program(odd_count(""), odd_count(" + 1"));
  const auto sum = [&](const std::string& program, const char* settings) {
    auto runners = load(program, settings, LaneOrder::forward);
    const auto values = checks::make_input(checks::mixed<std::uint32_t>(), problem_.count);
    const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::at_end);
    static_cast<void>(runners.front().run(input.data(), problem_.count));
  };
  sum(kernels::program_text("reduce.hip.h"), "block_size=32");
  EXPECT_EXIT(sum(text, "block_size=32"), died_of_access, "");
}

TEST_F(BrokenKernel, InWhichOneLaneSkipsABarrierIsReportedAsAHang) {
  const std::string text = changed_program(
      "if (lane == 0) partial[wave] = value;\n    block_barrier();",
      "if (lane == 0) partial[wave] = value;\n    if (thread_index() != 7) block_barrier();");
  for (const LaneOrder order : orders) {
    auto runners = load(text, "finish=single_block block_size=64 blocks_per_unit=0", order);
    const auto values = checks::make_input(checks::mixed<std::uint32_t>(), 100);
    const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::aligned);
    try {
      static_cast<void>(runners.front().run(input.data(), 100));
      ADD_FAILURE() << "the hang went unnoticed";
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find("block 0 hangs"), std::string::npos) << error.what();
    }
  }
}

TEST_F(BrokenKernel, LeavesTheDeviceUsableAfterAHang) {
  const std::string text = changed_program(
      "if (lane == 0) partial[wave] = value;\n    block_barrier();",
      "if (lane == 0) partial[wave] = value;\n    if (thread_index() != 7) block_barrier();");
  const std::string settings = "finish=single_block block_size=64 blocks_per_unit=0";
  device_ = device::host::make_host_device({.wave_size = 32, .threads = 1});
  const kernels::Family& family = kernels::find_family("reduce");
  const auto values = checks::make_input(checks::mixed<std::uint32_t>(), 100);
  const checks::PlacedInput<std::uint32_t> input(*device_, values, checks::Place::aligned);
  for (const bool hangs : {true, false, true, false}) {
    checks::ConfigProgram program(family, problem_, device_->limits());
    if (hangs) program.set_text(text);
    program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                    {parse_settings(settings)}, "native");
    auto runners = program.load(*device_);  // unloaded at the end of each turn
    if (hangs) {
      EXPECT_THROW(static_cast<void>(runners.front().run(input.data(), 100)), DeviceError);
    } else {
      const checks::Output output = runners.front().run(input.data(), 100);
      EXPECT_TRUE(checks::is_right<std::uint32_t>(problem_, values, output, 0));
    }
  }
}

}  // namespace
}  // namespace redtune
