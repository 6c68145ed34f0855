// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The probe's kernels read and copy every word, and no other: inputs and outputs end at guard
// pages.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "kernel_templates/probe/probe.hpp"
#include "tests/device/host_programs.hpp"

namespace redtune::kernels {
namespace {

using device::host::LaneOrder;
using Words = std::vector<std::uint32_t>;

constexpr int loads = 4;

/// The widest loads of processors and of GPUs.
int vector_width(int block_size) {
  return block_size == 1 ? 16 : 4;
}

struct Variant {
  int block_size = 1;
  LaneOrder lane_order = LaneOrder::forward;
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.block_size << '/' << static_cast<int>(variant.lane_order);
}

enum Kernels : std::size_t { read, copy, empty };

/// Compiled once per block size and process; a vector that is not aligned is a crash.
const device::CompiledProgram& program_of(int block_size) {
  static std::map<int, device::CompiledProgram> programs;
  auto& program = programs[block_size];
  if (program.binary.empty()) {
    const Limits limits{.min_block_size = block_size,
                        .max_vector_bytes = 4 * vector_width(block_size)};
    const ProbeShape shape{.block_size = block_size, .loads = loads};
    const device::host::HostCompiler compiler(device::host::AlignmentCheck::on);
    program = std::get<device::CompiledProgram>(
        compiler.compile({probe_text(),
                          {probe_name(ProbeKind::read, shape, limits),
                           probe_name(ProbeKind::copy, shape, limits), empty_probe_name(limits)},
                          "native"}));
  }
  return program;
}

/// Device memory for aligned words as near as can be to its last byte; the host device guards what
/// follows. No more than one vector lies between, and is looked at.
class AtTheEnd {
 public:
  AtTheEnd(device::Device& device, std::size_t count)
      : device_(device),
        buffer_(device.allocate((count * 4 + 255) / 256 * 256 + 256)),
        count_(count) {
    device.fill(buffer_.data(), std::byte{0xee}, buffer_.bytes());
  }
  [[nodiscard]] std::uint32_t* data() const { return start() + before(); }
  void write(const Words& words) const {
    device_.copy_to_device(data(), words.data(), words.size() * 4);
  }
  [[nodiscard]] Words read() const {
    const Words all = everything();
    return {all.begin() + static_cast<std::ptrdiff_t>(before()),
            all.begin() + static_cast<std::ptrdiff_t>(before() + count_)};
  }
  /// Whether the bytes around the words are still what they were.
  [[nodiscard]] bool is_alone() const {
    const Words all = everything();
    const auto other = static_cast<std::size_t>(std::ranges::count(all, 0xeeeeeeee));
    const Words mine = read();
    return other - static_cast<std::size_t>(std::ranges::count(mine, 0xeeeeeeee)) ==
           all.size() - count_;
  }

 private:
  static constexpr std::size_t widest = 16;  // words of a vector

  [[nodiscard]] std::uint32_t* start() const { return static_cast<std::uint32_t*>(buffer_.data()); }
  [[nodiscard]] std::size_t before() const {
    return buffer_.bytes() / 4 - (count_ + widest - 1) / widest * widest;
  }
  [[nodiscard]] Words everything() const {
    Words all(buffer_.bytes() / 4);
    device_.copy_to_host(all.data(), start(), all.size() * 4);
    return all;
  }

  device::Device& device_;
  device::Buffer buffer_;
  std::size_t count_;
};

/// Words that no two sums confuse by accident.
Words some_words(std::size_t count) {
  Words words(count);
  std::uint32_t word = 12345;
  for (auto& one : words) one = word = word * 1664525u + 1013904223u;
  return words;
}

class ProbeKernels : public testing::TestWithParam<Variant> {
 protected:
  template <class... Values>
  void run(Kernels kernel, std::int64_t grid, Values... values) {
    const std::string& symbol = program_of(GetParam().block_size).kernels[kernel].symbol;
    const auto launch =
        device::host::launch_of(module_->kernel(symbol), grid, GetParam().block_size, values...);
    device_->launch({&launch, 1}, {});
    device_->synchronize({});
  }
  /// Nothing, less than a vector, around one tile, and many tiles that deal out unevenly.
  [[nodiscard]] std::vector<std::size_t> counts() const {
    const auto tile = static_cast<std::size_t>(GetParam().block_size * loads *
                                               vector_width(GetParam().block_size));
    return {0,
            1,
            3,
            4,
            5,
            16,
            17,
            47,
            48,
            tile - 1,
            tile,
            tile + 1,
            tile + 7,
            3 * tile + 2,
            19 * tile + 13};
  }

  std::unique_ptr<device::Device> device_ =
      device::host::make_host_device({.wave_size = GetParam().block_size,
                                      .order = GetParam().lane_order,
                                      .seed = 3,
                                      .threads = 2});
  std::unique_ptr<device::Module> module_ = device_->load(program_of(GetParam().block_size).binary);
};

TEST_P(ProbeKernels, ReadEveryWordInEveryPass) {
  for (const std::size_t count : counts()) {
    const Words words = some_words(count);
    const AtTheEnd in(*device_, count);
    in.write(words);
    const std::uint32_t sum = std::accumulate(words.begin(), words.end(), 0u);
    for (const std::int64_t grid : {1, 2, 3, 4, 7, 40}) {
      for (const std::int32_t chunked : {0, 1}) {
        for (const std::int32_t passes : {1, 3}) {
          const AtTheEnd out(*device_, static_cast<std::size_t>(grid * GetParam().block_size));
          run(read, grid, in.data(), static_cast<std::int64_t>(count), out.data(), passes, chunked);
          const Words sums = out.read();
          ASSERT_EQ(std::accumulate(sums.begin(), sums.end(), 0u),
                    static_cast<std::uint32_t>(passes) * sum)
              << count << " words, " << grid << " blocks, chunked " << chunked;
          ASSERT_TRUE(out.is_alone());
        }
      }
    }
  }
}

TEST_P(ProbeKernels, CopyEveryWordAndNotOneMore) {
  for (const std::size_t count : counts()) {
    const Words words = some_words(count);
    const AtTheEnd in(*device_, count);
    in.write(words);
    for (const std::int64_t grid : {1, 2, 3, 7, 40}) {
      for (const std::int32_t chunked : {0, 1}) {
        const AtTheEnd out(*device_, count);
        run(copy, grid, in.data(), static_cast<std::int64_t>(count), out.data(), chunked);
        ASSERT_EQ(out.read(), words) << count << " words, " << grid << " blocks";
        ASSERT_TRUE(out.is_alone()) << count << " words, " << grid << " blocks";
      }
    }
  }
}

TEST_P(ProbeKernels, DoNothingWhenNothingIsAsked) {
  EXPECT_NO_THROW(run(empty, 1));
  EXPECT_NO_THROW(run(empty, 5));
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const int block_size : {1, 32, 64}) {
    for (const LaneOrder order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random}) {
      variants.push_back({block_size, order});
    }
  }
  return variants;
}

std::string name_of(const testing::TestParamInfo<Variant>& info) {
  constexpr const char* names[] = {"forward", "reverse", "random"};
  return fmt::format("lanes{}_{}", info.param.block_size,
                     names[static_cast<int>(info.param.lane_order)]);
}

INSTANTIATE_TEST_SUITE_P(All, ProbeKernels, testing::ValuesIn(all_variants()), name_of);

/// Devices as different as they come.
std::vector<Limits> some_limits() {
  return {Limits{},
          {.min_block_size = 1,
           .max_vector_bytes = 64,
           .compute_units = 2,
           .streaming_loads = StreamingLoads::absent},
          {.min_block_size = 32, .max_block_size = 128, .wave_size = 32, .compute_units = 132},
          {.min_block_size = 64, .max_vector_bytes = 4, .max_grid = 100}};
}

TEST(ProbeShapes, FitEveryDevice) {
  for (const Limits& limits : some_limits()) {
    for (const ProbeKind kind : {ProbeKind::read, ProbeKind::cached_read, ProbeKind::copy}) {
      const auto shapes = probe_shapes(kind, limits);
      ASSERT_FALSE(shapes.empty());
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        EXPECT_GE(shapes[i].block_size, limits.min_block_size);
        EXPECT_LE(shapes[i].block_size, limits.max_block_size);
        EXPECT_TRUE(shapes[i].load == Load::cached ||
                    limits.streaming_loads == StreamingLoads::present);
        EXPECT_EQ(std::ranges::count(shapes, shapes[i]), 1) << to_string(shapes[i]);
        for (const std::int64_t words : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 40}) {
          const std::int64_t grid = probe_grid(shapes[i], words, limits);
          EXPECT_GE(grid, 1);
          EXPECT_LE(grid, limits.max_grid);
        }
      }
    }
  }
}

TEST(ProbeShapes, LaunchNoMoreBlocksThanThereAreTiles) {
  const Limits limits{.compute_units = 100};
  const ProbeShape shape{.block_size = 256, .loads = 4, .blocks_per_unit = 8};
  EXPECT_EQ(probe_grid(shape, 256 * 4 * 4 * 10, limits), 10);
  EXPECT_EQ(probe_grid(shape, 256 * 4 * 4 * 5000, limits), 800);
}

}  // namespace
}  // namespace redtune::kernels
