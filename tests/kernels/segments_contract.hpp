// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config of segments owes, on any device: each segment's result, whatever their
// lengths, their number and the place of the array; nothing else read into it, nothing else
// written.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/segments/rules.hpp"
#include "tests/kernels/reduction_checks.hpp"
#include "tests/kernels/reduction_inputs.hpp"

namespace redtune::checks {

/// Segments by their lengths, with so many elements in none before each, and before all of them.
struct Lengths {
  std::string name;
  std::vector<std::int64_t> all;
  std::int64_t gap = 0;
  std::int64_t lead = 0;

  [[nodiscard]] std::vector<std::int64_t> begins() const {
    std::vector<std::int64_t> begins;
    std::int64_t at = lead;
    for (const std::int64_t length : all) {
      begins.push_back(at + gap);
      at += gap + length;
    }
    begins.push_back(at + gap);  // where the array ends
    return begins;
  }
};

/// So many by Zipf's law, in no order, the longest that long.
[[nodiscard]] inline Lengths zipf_lengths(std::int64_t many, std::int64_t longest) {
  Lengths lengths{"zipf", {}};
  for (std::int64_t i = 0; i < many; ++i) lengths.all.push_back(longest / (i * 37 % many + 1));
  return lengths;
}

/// What a block, a group and a wave change their ways at, and what should change nothing.
[[nodiscard]] inline std::vector<Lengths> lengths_in_question(std::int64_t of_group,
                                                              std::int64_t of_wave) {
  const auto some = [](std::int64_t limit) { return std::min<std::int64_t>(limit, 1500); };
  std::vector<Lengths> sets{
      {"none", {}},
      {"nothing in one", {0}},
      {"nothing in many", std::vector<std::int64_t>(67, 0)},
      {"one of one", {1}},
      {"primes", {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 127, 131, 257, 509}},
      {"around a group",
       {some(of_group) - 1, some(of_group), some(of_group) + 1, 0, 1, some(of_group) + 2}},
      {"around a wave", {some(of_wave) - 1, 3, some(of_wave), some(of_wave) + 1, 0}},
      {"a giant among tiny", std::vector<std::int64_t>(99, 1)},
      {"a giant alone", {4099}},
      {"giants", {0, 2053, 0, 0, 2027, 1, 0}},
      zipf_lengths(61, 700)};
  sets[7].all[40] = 3001;
  Lengths half_empty{"half empty", {}};
  for (std::int64_t i = 0; i < 130; ++i) half_empty.all.push_back(i % 2 == 0 ? 0 : i % 9);
  sets.push_back(half_empty);
  sets.push_back({"behind others", {3, 7, 0, 11}, 0, 10});
  sets.push_back({"nothing behind others", {0, 0, 300, 0}, 0, 1});
  sets.push_back({"far behind others", {3, 0, 17, 1, 300, 0, 5}, 0, 2500});
  sets.push_back({"apart", {3, 0, 17, 1, 300, 0, 5}, 3});
  sets.push_back({"far apart", {1, 2, 700}, 500});
  return sets;
}

/// Lengths at which a config changes its ways: so many elements that groups and waves leave a
/// segment to others, segments around a tile, tiles that just fit into a stage, and ends of
/// segments at those of shares. Of most elements and segments together, or left out.
[[nodiscard]] inline std::vector<Lengths> lengths_at_limits(const kernels::SegmentsConfig& config,
                                                            const Limits& limits,
                                                            std::int64_t most) {
  std::vector<Lengths> sets;
  const auto add = [&](std::string name, std::vector<std::int64_t> all) {
    const auto elements = std::accumulate(all.begin(), all.end(), std::int64_t{0});
    if (elements + static_cast<std::int64_t>(all.size()) > most) return;
    sets.push_back({std::move(name), std::move(all)});
  };
  for (const std::int64_t left : {most_of_group(config), most_of_wave(config, limits)}) {
    add(fmt::format("around {} elements", left), {left - 1, left, 1, left + 1, 0});
  }
  const std::int64_t tile = tile_of_segments(config);
  const std::int64_t stage = stage_of_segments(config);
  for (const std::int64_t off : {-1, 0, 1}) {
    std::vector<std::int64_t> around_tile;
    for (std::int64_t i = 0; i < 2 * tile + off; ++i) around_tile.push_back(i % 3);
    add(fmt::format("{} segments", around_tile.size()), std::move(around_tile));
    if (stage == 0) continue;
    std::vector<std::int64_t> of_stage(static_cast<std::size_t>(tile), stage / tile);
    of_stage.back() += stage % tile + off;
    add(fmt::format("a tile of {}", stage + off), std::move(of_stage));
  }
  if (config.staging == kernels::Staging::stream) {
    const std::int64_t of_wave = stream_tile(config, limits);
    add("around a wave's tile", {of_wave - 1, of_wave, 1, of_wave + 1, 0, 2 * of_wave, 1});
    const std::int64_t at_once = std::int64_t{limits.wave_size} * config.segments_per_thread;
    const std::int64_t shares = std::int64_t{config.blocks_per_unit} *
                                std::max(1, limits.compute_units) * config.block_size /
                                limits.wave_size;
    for (const std::int64_t number : {at_once - 1, at_once, 12 * at_once + 1}) {
      const auto many = static_cast<std::size_t>(number);
      add(fmt::format("{} ends", many), std::vector<std::int64_t>(many, 1));
      std::vector<std::int64_t> nothing(many, 0);
      nothing.insert(nothing.end(), {5, 0, of_wave});
      nothing.insert(nothing.end(), many, 0);
      nothing.insert(nothing.end(), {3, 0});
      add(fmt::format("{} ends of nothing", many), std::move(nothing));
      // The first share ends in the segment behind a heap.
      std::vector<std::int64_t> heaps{3 * of_wave + 5};
      for (std::int64_t share = 0; share < shares && std::ssize(heaps) < most; ++share) {
        heaps.insert(heaps.end(), many, 0);
        heaps.push_back(share == 0 ? of_wave - of_wave / 8 : 3 * of_wave + 5);
      }
      add(fmt::format("heaps of {} ends", many), std::move(heaps));
      Lengths apart{fmt::format("{} ends apart", many), {}, 1};
      for (std::size_t i = 0; i < many; ++i) apart.all.push_back(i % 3);
      if (2 * number < most) sets.push_back(std::move(apart));
    }
  }
  if (!is_shared(config.way)) return sets;
  const std::int64_t s = std::int64_t{config.block_size} * config.vector_width;  // a share
  const std::int64_t room = s * config.blocks_per_unit * limits.compute_units;
  const auto add_shares = [&](const std::string& name, std::vector<std::int64_t> all,
                              std::int64_t lead = 0) {
    std::int64_t steps = lead;  // as many as keep shares that short
    if (steps > std::min(room, most)) return;
    std::erase_if(all, [&](std::int64_t length) {
      if (length < 0 || steps + length + 1 > std::min(room, most)) return true;
      steps += length + 1;
      return false;
    });
    sets.push_back({fmt::format("{} shares of {}", name, s), std::move(all), 0, lead});
  };
  add_shares("ends at", {s - 2, 0, s - 1, s, s - 2, 2 * s - 1, 0, s - 3, 1});
  add_shares("begins at", {s - 2, s, s - 2, 1, 3 * s - 1, s, 2});
  for (const std::int64_t lead : {s - 1, s, 3 * s + 1}) {
    add_shares(fmt::format("{} before", lead), {0, 2, s - 3, 5}, lead);
  }
  return sets;
}

/// With as many loads and ends at a time as it is its turn for, as far as there is room.
[[nodiscard]] inline Settings stream_settings(const Problem& problem, const Limits& limits,
                                              std::size_t turn) {
  const kernels::Family& family = kernels::find_family("reduce_segments");
  for (const int loads : {8 >> turn % 3, 2, 1}) {
    for (const int width : {16 / static_cast<int>(size_of(problem.in)), 1}) {
      const Settings settings = parse_settings(fmt::format(
          "way={} staging=stream block_size={} threads_per_segment=1 segments_per_thread={} "
          "loads_per_thread={} vector_width={} blocks_per_unit={}",
          turn % 2 == 0 && limits.block_order == BlockOrder::by_index ? "slots" : "tickets",
          std::max(64, limits.wave_size), 1 << turn % 3, loads, width, 1 + turn % 2));
      if (family.why_invalid(settings, problem, limits).empty()) return settings;
    }
  }
  return {};
}

/// The checks of one config; after a failure the rest is passed over.
template <class In>
class SegmentsContract {
 public:
  explicit SegmentsContract(device::Device& device, const runtime::LoadedConfig& config)
      : device_(device), config_(config), workspace_(config.make_workspace(device)) {
    launch_ = [this](const runtime::Operands& operands) -> const runtime::Workspace& {
      device_.launch(config_.launches(operands, workspace_), {});
      return workspace_;
    };
  }
  /// launch: what else is made of operands, and the workspace that it leaves.
  using LaunchSegments = std::function<const runtime::Workspace&(const runtime::Operands&)>;
  SegmentsContract(device::Device& device, const runtime::LoadedConfig& config,
                   LaunchSegments launch)
      : device_(device), config_(config), launch_(std::move(launch)) {}

  /// Results of a pattern each, the first element so many behind an aligned address. What lies
  /// between and around the segments would decide the results.
  void expect_right(const Pattern<In>& pattern, const Lengths& lengths, std::size_t skipped) {
    if (testing::Test::HasFailure()) return;
    place(pattern, lengths, skipped);
    expect_all_met(lengths, fmt::format("{}, {} behind", pattern.name, skipped));
  }
  void expect_right(const Lengths& lengths, std::size_t skipped) {
    expect_right(ordinary<In>(problem().op), lengths, skipped);
  }

  /// An element that decides its own result decides that of no other: the first, the last or one
  /// between, of all segments but each third.
  void expect_decided(const Lengths& lengths, std::size_t skipped) {
    if (testing::Test::HasFailure()) return;
    place(ordinary<In>(problem().op), lengths, skipped);
    for (std::size_t i = 0; i < lengths.all.size(); ++i) {
      const std::int64_t length = lengths.all[i];
      const std::int64_t places[] = {-1, 0, length - 1, length / 2, -1, length / 3};
      const std::int64_t at = places[i % std::size(places)];
      if (at >= 0 && at < length) array_[index_of(i, at)] = decisive<In>(problem().op);
    }
    expect_all_met(lengths, "decided by one element");
  }

  void expect_same_bits_again(const Lengths& lengths) {
    if (testing::Test::HasFailure() || problem().order == Order::any) return;
    place(ordinary<In>(problem().op), lengths, 1);
    const std::vector<std::byte> first = run(lengths);
    EXPECT_EQ(run(lengths), first) << settings();
  }

 private:
  static constexpr std::size_t margin = 64;
  static constexpr std::byte poison{0xa5};

  [[nodiscard]] const Problem& problem() const { return config_.choice().problem; }
  [[nodiscard]] std::string settings() const { return to_string(config_.choice().settings); }
  [[nodiscard]] std::size_t index_of(std::size_t segment, std::int64_t k) const {
    return margin + skipped_ + static_cast<std::size_t>(begins_[segment] + k);
  }
  [[nodiscard]] Shape shape_of(const Lengths& lengths) const {
    return Shape::segments(begins_.back(), static_cast<std::int64_t>(lengths.all.size()),
                           problem().offset_bits, problem().skew);
  }

  void place(const Pattern<In>& pattern, const Lengths& lengths, std::size_t skipped) {
    skipped_ = skipped;
    begins_ = lengths.begins();
    array_.assign(2 * margin + skipped + static_cast<std::size_t>(begins_.back()),
                  decisive<In>(problem().op));
    for (std::size_t i = 0; i < lengths.all.size(); ++i) {
      for (std::int64_t k = 0; k < lengths.all[i]; ++k) {
        // Of each segment others, where the pattern goes by more than the place.
        const std::int64_t index = pattern.name == "mixed" ? begins_[i] + k : k;
        array_[index_of(i, k)] = pattern.at(index, lengths.all[i]);
      }
    }
  }

  template <class Offset>
  [[nodiscard]] device::Buffer on_device(const std::vector<std::int64_t>& offsets) const {
    const std::vector<Offset> there(offsets.begin(), offsets.end());
    device::Buffer buffer =
        device_.allocate(std::max<std::size_t>(1, there.size()) * sizeof(Offset));
    if (!there.empty()) {
      device_.copy_to_device(buffer.data(), there.data(), there.size() * sizeof(Offset));
    }
    return buffer;
  }
  [[nodiscard]] device::Buffer offsets_on_device(const std::vector<std::int64_t>& offsets) const {
    return problem().offset_bits == 64 ? on_device<std::int64_t>(offsets)
                                       : on_device<std::int32_t>(offsets);
  }

  /// The bytes of all results. What is around them, and the input, stay as they were, and the
  /// workspace is left as the next launch needs it.
  [[nodiscard]] std::vector<std::byte> run(const Lengths& lengths) {
    const std::size_t in_bytes = array_.size() * sizeof(In);
    const device::Buffer in = device_.allocate(in_bytes);
    device_.copy_to_device(in.data(), array_.data(), in_bytes);
    std::vector<std::int64_t> first_ones = begins_;
    first_ones.pop_back();
    std::vector<std::int64_t> last_ones = first_ones;
    for (std::size_t i = 0; i < last_ones.size(); ++i) last_ones[i] += lengths.all[i];
    // Where segments follow upon each other ends may be the next ones' begins, whatever the first.
    const bool is_one_array = lengths.gap == 0 && (lengths.lead > 0 || skipped_ % 2 == 0);
    const device::Buffer begins = offsets_on_device(is_one_array ? begins_ : first_ones);
    const device::Buffer own_ends = offsets_on_device(last_ones);
    const auto offset_bytes = static_cast<std::size_t>(problem().offset_bits / 8);
    const void* const ends = is_one_array
                                 ? static_cast<const std::byte*>(begins.data()) + offset_bytes
                                 : own_ends.data();
    const std::size_t bytes = lengths.all.size() * result_bytes(problem());
    const device::Buffer out = device_.allocate(2 * margin + bytes);
    device_.fill(out.data(), poison, out.bytes());
    auto* const first = static_cast<In*>(in.data()) + margin + skipped_;
    auto* const result = static_cast<std::byte*>(out.data()) + margin;
    const runtime::Workspace& workspace =
        launch_({first, shape_of(lengths), result, begins.data(), ends});
    device_.synchronize({});

    std::vector<In> input(array_.size());
    device_.copy_to_host(input.data(), in.data(), in_bytes);
    EXPECT_EQ(std::memcmp(input.data(), array_.data(), in_bytes), 0) << settings();
    std::vector<std::byte> zeros(workspace.zero_bytes());
    device_.copy_to_host(zeros.data(), workspace.counter(), zeros.size());
    EXPECT_TRUE(std::ranges::all_of(zeros, [](std::byte b) { return b == std::byte{0}; }))
        << "the workspace after " << settings();
    std::vector<std::byte> all(out.bytes());
    device_.copy_to_host(all.data(), out.data(), all.size());
    const auto is_poison = [](std::byte b) { return b == poison; };
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(margin + bytes);
    EXPECT_TRUE(std::all_of(all.begin(), all.begin() + margin, is_poison)) << settings();
    EXPECT_TRUE(std::all_of(end, all.end(), is_poison)) << settings();
    return {all.begin() + margin, end};
  }

  void expect_all_met(const Lengths& lengths, const std::string& what) {
    const std::vector<std::byte> results = run(lengths);
    for (std::size_t i = 0; i < lengths.all.size(); ++i) {
      const std::span elements(array_.data() + index_of(i, 0),
                               static_cast<std::size_t>(lengths.all[i]));
      const std::byte* const at = results.data() + i * result_bytes(problem());
      Output output{};
      const bool is_pair = info(problem().op).shape == ResultShape::pair;
      std::memcpy(output.data(), at, is_pair ? result_bytes(problem()) : size_of(problem().out));
      if (info(problem().op).shape == ResultShape::indexed) {
        std::memcpy(&output[1], at + sizeof(std::uint64_t), sizeof(std::uint64_t));
      }
      Shape any = shape_of(lengths);
      any.skew = Skew::giant;
      EXPECT_TRUE(Expectation(problem(), std::span<const In>(elements))
                      .met_by(output, config_.longest_chain(any)))
          << fmt::format("{} of {}, segment {} of {}, {} elements: {}, {}; {}",
                         to_string(problem().op), to_string(problem().in), i, lengths.all.size(),
                         lengths.all[i], lengths.name, what, settings());
      if (testing::Test::HasFailure()) return;
    }
  }

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  runtime::Workspace workspace_;
  LaunchSegments launch_;
  std::vector<In> array_;
  std::vector<std::int64_t> begins_;  // and where the array ends
  std::size_t skipped_ = 0;
};

/// All of it, for a config; turn: places take turns from config to config.
template <class In>
void expect_segments_kept(SegmentsContract<In>& contract, const runtime::LoadedConfig& config,
                          std::size_t turn, std::int64_t most_at_limits = 1 << 13) {
  kernels::SegmentsConfig limits_of;
  for (const Setting& setting : config.choice().settings) kernels::apply(limits_of, setting);
  std::vector<Lengths> sets = lengths_in_question(most_of_group(limits_of),
                                                  most_of_wave(limits_of, config.choice().limits));
  if (limits_of.way == kernels::SegmentWay::bins) {
    const std::int64_t most = std::min<std::int64_t>(most_of_block(limits_of), 2048);
    const std::int64_t of_thread = most_of_thread(limits_of);
    sets.push_back({"around a block", {most - 1, most, most + 1, 0, 2 * most, 2 * most + 1, 1}});
    sets.push_back({"around a thread", {of_thread - 1, of_thread, of_thread + 1}});
  }
  for (const Lengths& lengths : sets) contract.expect_right(lengths, turn++ % 4);
  for (const Lengths& lengths :
       lengths_at_limits(limits_of, config.choice().limits, most_at_limits)) {
    contract.expect_right(lengths, turn++ % 4);
  }
  for (const Pattern<In>& pattern : adversarial<In>()) {
    contract.expect_right(pattern, sets[turn % sets.size()], turn % 3);
    ++turn;
  }
  contract.expect_decided(zipf_lengths(23, 600), turn % 3);
  contract.expect_decided(sets.back(), 1);
  contract.expect_same_bits_again(zipf_lengths(31, 900));
}
template <class In>
void expect_segments_kept(device::Device& device, const runtime::LoadedConfig& config,
                          std::size_t turn, std::int64_t most_at_limits = 1 << 13) {
  SegmentsContract<In> contract(device, config);
  expect_segments_kept(contract, config, turn, most_at_limits);
}

/// So many segments of nothing, or of nothing but the last: of a config of the largest u8, whose
/// results are bytes. Offsets take 4 bytes each; where all are empty begins and ends are the same.
inline void expect_many_of_nothing(device::Device& device, const runtime::LoadedConfig& config,
                                   std::int64_t many) {
  const auto count = static_cast<std::size_t>(many);
  const std::vector<std::uint8_t> elements{3, 0, 7, 1, 2};
  const auto last = static_cast<std::int32_t>(elements.size());
  const device::Buffer in = device.allocate(elements.size());
  const device::Buffer offsets = device.allocate((count + 1) * sizeof(std::int32_t));
  const device::Buffer out = device.allocate(count);
  device.copy_to_device(in.data(), elements.data(), elements.size());
  device.fill(offsets.data(), std::byte{0}, offsets.bytes());
  auto* const begins = static_cast<std::int32_t*>(offsets.data());
  device.copy_to_device(begins + count, &last, sizeof last);
  const runtime::Workspace workspace = config.make_workspace(device);
  constexpr std::size_t at_a_time = std::size_t{1} << 26;
  std::vector<std::uint8_t> part;
  for (const bool has_last : {false, true}) {
    device.fill(out.data(), std::byte{0xa5}, count);
    device.launch(config.launches({in.data(), Shape::segments(last, many), out.data(), begins,
                                   has_last ? begins + 1 : begins},
                                  workspace),
                  {});
    device.synchronize({});
    for (std::size_t from = 0; from < count; from += part.size()) {
      part.resize(std::min(at_a_time, count - from));
      device.copy_to_host(part.data(), static_cast<std::byte*>(out.data()) + from, part.size());
      if (has_last && from + part.size() == count) {
        ASSERT_EQ(part.back(), 7) << to_string(config.choice().settings);
        part.back() = 0;
      }
      const auto wrong = std::ranges::find_if(part, [](std::uint8_t value) { return value != 0; });
      ASSERT_EQ(wrong, part.end())
          << "result " << from + static_cast<std::size_t>(wrong - part.begin()) << ", "
          << to_string(config.choice().settings);
    }
  }
}

}  // namespace redtune::checks
