// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What kernels see on the host: lanes, barriers and shuffles as on a GPU, every block once, in any
// order of lanes and blocks.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <thread>

#include "tests/device/host_programs.hpp"

namespace redtune::device::host {
namespace {

constexpr const char* text = R"(
REDTUNE_KERNEL(1024) visit(u32* visits, u32* grids) {
  if (thread_index() == 0) {
    visits[block_index()] += 1;
    grids[block_index()] = u32(grid_size());
  }
}
REDTUNE_KERNEL(1024) rotate(i32* out, i32 lanes, i32 rounds) {
  REDTUNE_SHARED i32 slots[1024];
  i32 value = thread_index();
  for (i32 round = 0; round < rounds; ++round) {
    slots[thread_index()] = value;
    block_barrier();
    value = slots[(thread_index() + 1) % lanes];
    block_barrier();
  }
  out[block_index() * lanes + thread_index()] = value;
}
template <int wave_size>
REDTUNE_KERNEL(1024) shuffle(u32* out, i32 distance, i32 lanes) {
  const u32 value = 1000u + u32(thread_index());
  out[block_index() * lanes + thread_index()] = shuffle_down_word<wave_size>(value, distance);
}
REDTUNE_KERNEL(1024) order(i32* turns, i32* next) {
  turns[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = thread_index();
}
REDTUNE_KERNEL(1024) order_of_waiting(i32* turns, i32* next) {
  for (i32 pass = 0; pass < 3; ++pass) {
    turns[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = thread_index();
    block_barrier();
  }
}
REDTUNE_KERNEL(1024) block_order(i32* turns, i32* next) {
  if (thread_index() == 0) turns[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = block_index();
}
REDTUNE_KERNEL(1024) skip(i32 odd_block, i32 odd_lane) {
  if (block_index() != odd_block || thread_index() != odd_lane) block_barrier();
}
template <int wave_size>
REDTUNE_KERNEL(1024) half_shuffle(u32* out) {
  if (thread_index() % 2 == 0) out[0] = shuffle_down_word<wave_size>(1u, 1);
}
REDTUNE_KERNEL(1024) chain(u64* words, i32 silent) {
  const i32 block = block_index();
  if (thread_index() == 0) {
    while (block > 0 && load_slot_word(words + block - 1) == 0) before_looking_again();
    if (block != silent) store_slot_word(words + block, u64(block + 1));
  }
  block_barrier();
}
REDTUNE_KERNEL(1024) ring(u64* words) {
  const i32 before = (block_index() + grid_size() - 1) % grid_size();
  while (load_slot_word(words + before) == 0) before_looking_again();
  store_slot_word(words + block_index(), 1);
}
REDTUNE_KERNEL(1024) stuck_ahead(u64* words, i32 stuck) {
  if (block_index() == stuck) {
    if (thread_index() == 0) block_barrier();
    return;
  }
  if (block_index() > stuck) {
    while (load_slot_word(words + stuck) == 0) before_looking_again();
  }
}
REDTUNE_KERNEL(1024) ping_pong(u64* words, i32 turns) {
  if (thread_index() != 0) return;
  for (i32 i = 1; i <= turns; ++i) {
    if (block_index() == 0) store_slot_word(words, u64(i));
    while (load_slot_word(words + 1 - block_index()) < u64(i)) before_looking_again();
    if (block_index() == 1) store_slot_word(words + 1, u64(i));
  }
}
REDTUNE_KERNEL(1024) own_block(u64* word, i32 lanes) {
  const i32 who = i32(load_slot_word(word + 1));
  if (thread_index() == who) store_slot_word(word, 1);
  if (thread_index() == lanes - 1 - who) {
    while (load_slot_word(word) == 0) before_looking_again();
  }
}
REDTUNE_KERNEL(1024) add(i64* out, i64 a, i32 b, float c, double d, u32 e, u64 f, i32 g) {
  if (thread_index() == 0) *out = a + b + i64(c) + i64(d) + i64(e) + i64(f) + g;
}
)";

enum Kernels : std::size_t {
  visit,
  rotate,
  shuffle,
  order,
  order_of_waiting,
  block_order,
  skip,
  half_shuffle,
  chain,
  ring,
  stuck_ahead,
  ping_pong,
  own_block,
  add
};

struct Variant {
  int wave_size = 1;
  LaneOrder lane_order = LaneOrder::forward;
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.wave_size << '/' << static_cast<int>(variant.lane_order);
}

/// Compiled once per wave size and process.
const CompiledProgram& program_of(int wave_size) {
  static std::map<int, CompiledProgram> programs;
  auto& program = programs[wave_size];
  if (program.binary.empty()) {
    program = compile_kernels(text, {"visit", "rotate", fmt::format("shuffle<{}>", wave_size),
                                     "order", "order_of_waiting", "block_order", "skip",
                                     fmt::format("half_shuffle<{}>", wave_size), "chain", "ring",
                                     "stuck_ahead", "ping_pong", "own_block", "add"});
  }
  return program;
}

class HostKernels : public testing::TestWithParam<Variant> {
 protected:
  template <class... Values>
  void run(Kernels kernel, std::int64_t grid, int block, Values... values) {
    const std::string& symbol = program_of(GetParam().wave_size).kernels[kernel].symbol;
    const Launch launch = launch_of(module_->kernel(symbol), grid, block, values...);
    device_->launch({&launch, 1}, {});
    device_->synchronize({});
  }

  std::unique_ptr<Device> device_ = make_host_device(
      {.wave_size = GetParam().wave_size, .order = GetParam().lane_order, .seed = 3, .threads = 3});
  std::unique_ptr<Module> module_ = device_->load(program_of(GetParam().wave_size).binary);
};

TEST_P(HostKernels, RunEveryBlockOnce) {
  for (const std::int64_t grid : {1, 2, 3, 7, 64, 1000, 1009}) {
    const auto blocks = static_cast<std::size_t>(grid);
    const Numbers<std::uint32_t> visits(*device_, blocks);
    const Numbers<std::uint32_t> grids(*device_, blocks);
    run(visit, grid, GetParam().wave_size, visits.data(), grids.data());
    EXPECT_EQ(visits.read(), std::vector<std::uint32_t>(blocks, 1U)) << grid;
    EXPECT_EQ(grids.read(), std::vector<std::uint32_t>(blocks, static_cast<std::uint32_t>(grid)));
  }
}

TEST_P(HostKernels, SeeAllWritesBeforeABarrierAfterIt) {
  constexpr int rounds = 5;
  for (const int lanes : {GetParam().wave_size, 64, 256, 1024}) {
    const Numbers<std::int32_t> out(*device_, static_cast<std::size_t>(4 * lanes));
    run(rotate, 4, lanes, out.data(), lanes, rounds);
    const auto values = out.read();
    for (int i = 0; i < 4 * lanes; ++i) {
      ASSERT_EQ(values[static_cast<std::size_t>(i)], (i + rounds) % lanes) << i << " of " << lanes;
    }
  }
}

TEST_P(HostKernels, GetTheirOwnValueFromAShufflePastTheWave) {
  const int wave_size = GetParam().wave_size;
  // Of a block that is no multiple of waves the last wave is a part of one.
  for (const int lanes : {wave_size, 128, 1, (wave_size + 1) / 2, 128 + (wave_size + 1) / 2}) {
    for (const int distance : {0, 1, wave_size / 2, wave_size - 1, wave_size, wave_size + 5}) {
      const Numbers<std::uint32_t> out(*device_, static_cast<std::size_t>(lanes));
      run(shuffle, 1, lanes, out.data(), distance, lanes);
      const auto values = out.read();
      for (int i = 0; i < lanes; ++i) {
        const bool inside = i % wave_size + distance < wave_size && i + distance < lanes;
        ASSERT_EQ(values[static_cast<std::size_t>(i)],
                  static_cast<std::uint32_t>(1000 + i + (inside ? distance : 0)))
            << "lane " << i << " of " << lanes << ", distance " << distance;
      }
    }
  }
}

TEST_P(HostKernels, TakeTheirTurnsInTheOrderAsked) {
  const auto turns_of = [&](Kernels kernel, std::int64_t grid, int block, std::size_t count) {
    const Numbers<std::int32_t> turns(*device_, count);
    const Numbers<std::int32_t> next(*device_, 1);
    run(kernel, grid, block, turns.data(), next.data());
    return turns.read();
  };
  // Lanes that wait for each other take them in each pass anew.
  const auto passes = turns_of(order_of_waiting, 1, 64, 3 * 64);
  for (auto pass = passes.begin(); pass != passes.end(); pass += 64) {
    std::vector<std::int32_t> turns(pass, pass + 64);
    if (GetParam().lane_order == LaneOrder::reverse) std::ranges::reverse(turns);
    EXPECT_EQ(std::ranges::is_sorted(turns), GetParam().lane_order != LaneOrder::random);
    std::ranges::sort(turns);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(turns[static_cast<std::size_t>(i)], i);
  }
  auto lanes = turns_of(order, 1, 64, 64);
  if (GetParam().lane_order == LaneOrder::forward) {
    EXPECT_TRUE(std::ranges::is_sorted(lanes));
  }
  if (GetParam().lane_order == LaneOrder::reverse) {
    EXPECT_TRUE(std::ranges::is_sorted(lanes, std::greater<>()));
  }
  if (GetParam().lane_order == LaneOrder::random) {
    EXPECT_FALSE(std::ranges::is_sorted(lanes));
  }
  auto blocks = turns_of(block_order, 200, GetParam().wave_size, 200);
  std::ranges::sort(lanes);
  std::ranges::sort(blocks);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(lanes[static_cast<std::size_t>(i)], i);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(blocks[static_cast<std::size_t>(i)], i);
}

TEST_P(HostKernels, ReceiveEveryKindOfArgument) {
  const Numbers<std::int64_t> out(*device_, 1);
  run(add, 1, GetParam().wave_size, out.data(), std::int64_t{-1} << 40, std::int32_t{-5}, 2.0F, 3.0,
      std::uint32_t{4000000000U}, std::uint64_t{1} << 50, std::int32_t{7});
  EXPECT_EQ(out.read()[0], (std::int64_t{-1} << 40) + (std::int64_t{1} << 50) + 4000000007);
}

TEST_P(HostKernels, ThatHangAreReportedAndTheNextOnesRun) {
  const int lanes = std::max(2, GetParam().wave_size);
  for (int turn = 0; turn < 3; ++turn) {
    try {
      run(skip, 5, lanes, std::int32_t{3}, std::int32_t{1});
      ADD_FAILURE() << "the hang went unnoticed";
    } catch (const DeviceError& error) {
      const auto expected = fmt::format(
          "block 3 hangs: of {} lanes {} wait at a barrier, 0 at a "
          "shuffle, 1 have ended",
          lanes, lanes - 1);
      EXPECT_EQ(error.what(), expected);
    }
    const Numbers<std::int32_t> out(*device_, 256);
    run(rotate, 1, 256, out.data(), std::int32_t{256}, std::int32_t{1});
    EXPECT_EQ(out.read()[255], 0);
  }
}

TEST_P(HostKernels, ThatShuffleInHalfAWaveAreReported) {
  const Numbers<std::uint32_t> out(*device_, 1);
  const int wave_size = GetParam().wave_size;
  if (wave_size == 1) {  // a wave of one lane waits for nobody
    run(half_shuffle, 1, wave_size, out.data());
    EXPECT_EQ(out.read()[0], 1U);
  } else {
    EXPECT_THROW(run(half_shuffle, 1, wave_size, out.data()), DeviceError);
  }
}

/// What a launch fails with; empty where it does not.
std::string error_of(const std::function<void()>& launch) {
  try {
    launch();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return {};
}

/// On devices whose blocks begin by index.
class HostKernelsInOrder : public HostKernels {};

/// Each waits for the one before it.
TEST_P(HostKernelsInOrder, OfBlocksThatWaitForEachOtherEnd) {
  constexpr std::int32_t blocks = 200;
  const Numbers<std::uint64_t> words(*device_, blocks);
  run(chain, blocks, GetParam().wave_size, words.data(), std::int32_t{-1});
  for (std::uint64_t i = 0; i < blocks; ++i) EXPECT_EQ(words.read()[i], i + 1);
}

TEST_P(HostKernels, OfBlocksThatWaitInVainAreReportedAndTheNextOnesRun) {
  const int lanes = GetParam().wave_size;
  const std::string first = lanes == 1 ? "waits for what no block stores"
                                       : fmt::format(
                                             "hangs: of {} lanes {} wait at a barrier, 0 "
                                             "at a shuffle, 0 have ended, 1 wait for what "
                                             "no block stores",
                                             lanes, lanes - 1);
  const auto message = [&](int block, const char* others) {
    return fmt::format("block {} {}{}", block, first, others);
  };
  const Numbers<std::uint64_t> words(*device_, 50);
  const auto error = [&](std::int64_t grid, std::int32_t silent) {
    device_->fill(words.data(), std::byte{0}, 50 * sizeof(std::uint64_t));
    return error_of([&] { run(chain, grid, lanes, words.data(), silent); });
  };
  for (int turn = 0; turn < 3; ++turn) {
    if (GetParam().lane_order == LaneOrder::forward) {
      EXPECT_EQ(error(50, 20), message(21, "; 2 other blocks wait as well, 26 have not begun"));
      EXPECT_EQ(error(50, 46), message(47, "; 2 other blocks wait as well"));
      EXPECT_EQ(error(50, 47), message(48, "; 1 other block waits as well"));
      EXPECT_EQ(error(50, 48), message(49, ""));
      EXPECT_EQ(error(50, 45), message(46, "; 2 other blocks wait as well, 1 has not begun"));
      EXPECT_EQ(error(50, 49), "") << "for which nobody waits";
    } else {
      EXPECT_THAT(error(50, 20), testing::HasSubstr(first)) << "whom they wait for has no place";
    }
    const Numbers<std::int32_t> out(*device_, 256);
    run(rotate, 1, 256, out.data(), std::int32_t{256}, std::int32_t{1});
    EXPECT_EQ(out.read()[255], 0);
  }
}

TEST_P(HostKernels, ThatWaitInARingAreReported) {
  for (const std::int64_t grid : {1, 2, 3, 4, 100}) {
    const Numbers<std::uint64_t> words(*device_, static_cast<std::size_t>(grid));
    EXPECT_THAT(error_of([&] { run(ring, grid, GetParam().wave_size, words.data()); }),
                testing::HasSubstr("for what no block stores"))
        << grid;
  }
}

/// The block that is stuck is told, not those that wait for it.
TEST_P(HostKernelsInOrder, ThatWaitForABlockThatHangsLeaveTheReportToIt) {
  const int lanes = std::max(2, GetParam().wave_size);
  const Numbers<std::uint64_t> words(*device_, 8);
  EXPECT_THAT(
      error_of([&] { run(stuck_ahead, 8, lanes, words.data(), std::int32_t{3}); }),
      testing::StartsWith(fmt::format("block 3 hangs: of {} lanes 1 wait at a barrier", lanes)));
}

/// None of their waits is in vain, though nobody comes to a barrier in 400 turns.
TEST_P(HostKernels, ThatStoreForEachOtherInTurnsEnd) {
  const Numbers<std::uint64_t> words(*device_, 2);
  run(ping_pong, 2, GetParam().wave_size, words.data(), std::int32_t{400});
  EXPECT_EQ(words.read(), (std::vector<std::uint64_t>{400, 400}));
}

TEST_P(HostKernels, WaitForLanesOfTheirOwnBlock) {
  const int lanes = std::max(2, GetParam().wave_size);
  for (const std::int32_t who : {0, lanes - 1}) {
    const Numbers<std::uint64_t> word(*device_, 2);
    const std::uint64_t number = static_cast<std::uint64_t>(who);
    device_->copy_to_device(word.data() + 1, &number, sizeof(number));
    run(own_block, 1, lanes, word.data(), std::int32_t{lanes});
    EXPECT_EQ(word.read()[0], 1U);
  }
}

TEST_P(HostKernels, RunOnTwoDevicesAtTheSameTime) {
  const auto other = make_host_device({.wave_size = GetParam().wave_size, .threads = 2});
  const auto other_module = other->load(program_of(GetParam().wave_size).binary);
  const std::string& symbol = program_of(GetParam().wave_size).kernels[rotate].symbol;
  const auto work = [&](Device& device, const Module& module, int lanes, bool& right) {
    for (int turn = 0; turn < 20; ++turn) {
      const Numbers<std::int32_t> out(device, static_cast<std::size_t>(8 * lanes));
      const Launch launch = launch_of(module.kernel(symbol), 8, lanes, out.data(), lanes, turn);
      device.launch({&launch, 1}, {});
      const auto values = out.read();
      for (int i = 0; i < 8 * lanes; ++i) {
        right = right && values[static_cast<std::size_t>(i)] == (i + turn) % lanes;
      }
    }
  };
  bool first_right = true;
  bool second_right = true;
  std::thread beside([&] { work(*other, *other_module, 128, second_right); });
  work(*device_, *module_, 64, first_right);
  beside.join();
  EXPECT_TRUE(first_right);
  EXPECT_TRUE(second_right);
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const int wave_size : {1, 32, 64}) {
    for (const LaneOrder lane_order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random}) {
      variants.push_back({wave_size, lane_order});
    }
  }
  return variants;
}

std::string name_of(const testing::TestParamInfo<Variant>& info) {
  constexpr const char* names[] = {"forward", "reverse", "random"};
  return fmt::format("wave{}_{}", info.param.wave_size,
                     names[static_cast<int>(info.param.lane_order)]);
}

INSTANTIATE_TEST_SUITE_P(All, HostKernels, testing::ValuesIn(all_variants()), name_of);
INSTANTIATE_TEST_SUITE_P(All, HostKernelsInOrder,
                         testing::Values(Variant{1}, Variant{32}, Variant{64}), name_of);

}  // namespace
}  // namespace redtune::device::host
