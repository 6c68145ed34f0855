// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key as the contract of segments takes launches: keys are made for its segments, and
// what is found of groups is looked at.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "runtime/by_key_memory.hpp"
#include "runtime/by_key_tiles.hpp"
#include "tests/kernels/planned_launches.hpp"
#include "tests/support/samples.hpp"

namespace redtune::checks {

/// Keys of which neighbours differ in their highest bits or their lowest, and which come again.
template <class Key>
[[nodiscard]] Key key_of_group(std::size_t group) {
  const auto low = static_cast<Key>(group % 3);
  return group % 2 == 0 ? low : static_cast<Key>(~low);
}

/// The three launches that find segments and reduce them.
template <class Key>
class ByMarks {
 public:
  /// text: that of the kernels that find groups.
  ByMarks(const Target& target, const runtime::LoadedConfig& config,
          const std::string& text = kernels::group_text())
      : grouping_(target.device, target.compiler,
                  {text,
                   kernels::group_kernels(8 * sizeof(Key), config.choice().problem.offset_bits,
                                          config.choice().limits),
                   target.arch}),
        memory_(target.device, config) {}

  void launch(device::Device& device, const runtime::KeyedOperands& operands,
              std::int64_t elements) {
    device.launch(memory_.launches(grouping_.all(), operands, elements), {});
  }
  [[nodiscard]] const runtime::Workspace& workspace() const { return memory_.workspace(); }

 private:
  LoadedKernels grouping_;
  runtime::ByKeyMemory memory_;
};

/// The words of launches in tiles as they must be (tile_states.hip.h), told by the host from the
/// keys alone: what each launch leaves is what the next one takes for granted.
class TileWords {
 public:
  /// Zero, for so many tiles at most.
  TileWords(const kernels::KeyedTilesConfig& config, const Problem& problem)
      : tile_(kernels::tile_of_keys(config)),
        room_(kernels::keyed_tiles_grid(config, problem.count)),
        words_(static_cast<std::size_t>(kernels::keyed_tiles_bytes(problem, room_)) / 8) {}

  [[nodiscard]] std::size_t bytes() const { return words_.size() * 8; }
  void clear() { std::ranges::fill(words_, 0); }
  /// After one more launch. The set of states that it had tells of its tiles, the other of none,
  /// the first word which is next; places of values are empty again.
  template <class Key>
  void launched(const std::vector<Key>& keys) {
    const std::uint64_t which = words_[0] & 1;
    const auto elements = static_cast<std::int64_t>(keys.size());
    const std::int64_t tiles = std::max<std::int64_t>(1, (elements + tile_ - 1) / tile_);
    clear();
    words_[0] = static_cast<std::uint64_t>(tiles) << 1 | (which ^ 1);
    Heads all;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      Heads own;
      const std::int64_t end = std::min(elements, (tile + 1) * tile_);
      for (std::int64_t i = tile * tile_; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (at > 0 && keys[at] == keys[at - 1]) continue;
        ++own.many;
        own.behind_last = static_cast<std::uint64_t>(i) + 1;
      }
      all = {all.many + own.many, std::max(all.behind_last, own.behind_last)};
      // Nobody looks back at the last tile.
      const bool is_of_all = tile == 0 || tile + 1 < tiles;
      tell(which, tile, is_of_all ? of_all : of_tile, is_of_all ? all : own);
    }
  }
  /// Whether they are right; a failure where they are not.
  bool expect_in(device::Device& device, const void* words, const char* when) const {
    std::vector<std::uint64_t> found(words_.size());
    device.copy_to_host(found.data(), words, bytes());
    const auto wrong = std::ranges::mismatch(found, words_).in1 - found.begin();
    EXPECT_EQ(found, words_) << when << ": " << name_of(wrong) << ", of " << room_ << " tiles";
    return found == words_;
  }
  [[nodiscard]] std::int64_t place_of_state(std::uint64_t which, std::int64_t tile) const {
    return before_states + state_words * (static_cast<std::int64_t>(which) * room_ + tile);
  }
  [[nodiscard]] std::int64_t place_of_values() const { return place_of_state(2, 0); }
  [[nodiscard]] std::uint64_t first() const { return words_[0]; }

 private:
  static constexpr std::int64_t before_states = 16;
  static constexpr std::int64_t state_words = 2;
  static constexpr std::uint64_t of_tile = std::uint64_t{1} << 62;
  static constexpr std::uint64_t of_all = std::uint64_t{2} << 62;

  struct Heads {
    std::uint64_t many = 0;
    std::uint64_t behind_last = 0;
  };

  void tell(std::uint64_t which, std::int64_t tile, std::uint64_t kind, const Heads& heads) {
    const auto at = static_cast<std::size_t>(place_of_state(which, tile));
    words_[at] = kind | heads.many;
    words_[at + 1] = kind | heads.behind_last;
  }
  [[nodiscard]] std::string name_of(std::ptrdiff_t word) const {
    if (word < before_states) return fmt::format("word {}", word);
    if (word >= place_of_values()) return fmt::format("value {}", word - place_of_values());
    const std::int64_t state = (word - before_states) / state_words;
    return fmt::format("word {} of tile {} in set {}", word % state_words, state % room_,
                       state / room_);
  }

  std::int64_t tile_;
  std::int64_t room_;
  std::vector<std::uint64_t> words_;
};

/// The one launch in tiles. Its words are looked at before each launch and after it. Before every
/// third launch another one is refused, and every sixth begins with words that were cleared.
template <class Key>
class InTiles {
 public:
  struct Choice {
    kernels::KeyedTilesConfig config;
    std::string text;
    bool looks_at_words = true;
  };

  InTiles(const Target& target, const runtime::LoadedConfig& config, const Choice& choice)
      : kernel_(
            target.device, target.compiler,
            {choice.text,
             {kernels::keyed_tiles_kernel(choice.config, 8 * sizeof(Key), config.choice().problem,
                                          config.choice().limits.wave_size)},
             target.arch}),
        tiles_(target.device, config.choice().problem, choice.config),
        words_(choice.config, config.choice().problem),
        looks_at_words_(choice.looks_at_words),
        zeros_(target.device.allocate(runtime::Workspace::counter_bytes)),
        none_(zeros_.data(), {}) {
    target.device.fill(zeros_.data(), std::byte{0}, zeros_.bytes());
    EXPECT_EQ(words_.bytes(), tiles_.bytes());
  }

  void launch(device::Device& device, const runtime::KeyedOperands& operands,
              std::int64_t elements) {
    ++turn_;
    if (turn_ % 6 == 3) clear(device);
    const device::Launch launch = tiles_.launch(kernel_.all().front(), operands, elements);
    if (turn_ % 3 == 2) expect_refused(device, launch);
    // What is launched on wrong words may write anywhere.
    if (looks_at_words_ && !words_.expect_in(device, tiles_.words(), "before a launch")) return;
    device.launch(std::array{launch}, {});
    if (!looks_at_words_) return;
    std::vector<Key> keys(static_cast<std::size_t>(elements));
    device.copy_to_host(keys.data(), operands.keys, keys.size() * sizeof(Key));
    words_.launched(keys);
    words_.expect_in(device, tiles_.words(), "after a launch");
  }
  /// As at first, whatever has become of launches.
  void clear(device::Device& device) {
    tiles_.clear(device, {});
    words_.clear();
  }
  [[nodiscard]] const runtime::KeyedTiles& tiles() const { return tiles_; }
  /// As launches so far must have left them.
  [[nodiscard]] const TileWords& words() const { return words_; }
  /// Of the device, and not of the launch, whose words have a form of their own.
  [[nodiscard]] const runtime::Workspace& workspace() const { return none_; }

 private:
  /// As a launch that the device does not take: nothing of it runs, and no word changes.
  static void expect_refused(device::Device& device, device::Launch launch) {
    launch.block = 2 * device.limits().max_block_size;
    EXPECT_THROW(device.launch(std::array{launch}, {}), DeviceError);
  }

  LoadedKernels kernel_;
  runtime::KeyedTiles tiles_;
  TileWords words_;
  bool looks_at_words_;
  std::size_t turn_ = 0;
  device::Buffer zeros_;
  runtime::Workspace none_;
};

template <class Key, class Way = ByMarks<Key>>
class KeyedLaunches {
 public:
  template <class... About>
  KeyedLaunches(const Target& target, const runtime::LoadedConfig& config, const About&... about)
      : device_(target.device), config_(config), way_(target, config, about...) {}

  [[nodiscard]] Way& way() { return way_; }
  [[nodiscard]] const Way& way() const { return way_; }

  /// Of segments one behind the other, none of which is empty; keys begin behind an aligned address
  /// in turns.
  const runtime::Workspace& operator()(const runtime::Operands& operands) {
    const Shape& shape = operands.shape;
    const std::vector<Key> expected = keys_of_groups(shape.segment_count);
    const std::vector<Key> keys = keys_of(operands, expected);
    const std::size_t skipped = turn_++ % 3;
    const device::Buffer all = device_.allocate((keys.size() + skipped) * sizeof(Key));
    Key* const first = static_cast<Key*>(all.data()) + skipped;
    if (!keys.empty()) device_.copy_to_device(first, keys.data(), keys.size() * sizeof(Key));
    const device::Buffer of_groups = device_.allocate((expected.size() + 1) * sizeof(Key));
    const device::Buffer number = device_.allocate(sizeof(std::int64_t));
    device_.fill(of_groups.data(), poison, of_groups.bytes());
    device_.fill(number.data(), poison, number.bytes());
    way_.launch(device_,
                {first, operands.in, of_groups.data(), operands.out,
                 static_cast<std::int64_t*>(number.data())},
                shape.count);
    device_.synchronize({});
    std::int64_t groups = 0;
    device_.copy_to_host(&groups, number.data(), sizeof(groups));
    EXPECT_EQ(groups, shape.segment_count);
    std::vector<Key> found(expected.size() + 1);
    device_.copy_to_host(found.data(), of_groups.data(), of_groups.bytes());
    Key behind;
    std::memset(&behind, static_cast<int>(poison), sizeof(behind));
    EXPECT_EQ(found.back(), behind);
    found.pop_back();
    const auto wrong = std::ranges::mismatch(found, expected).in1 - found.begin();
    EXPECT_EQ(found, expected) << "group " << wrong << " of " << found.size() << " of "
                               << shape.count << " elements";
    return way_.workspace();
  }

 private:
  static constexpr std::byte poison{0xa5};

  [[nodiscard]] static std::vector<Key> keys_of_groups(std::int64_t groups) {
    std::vector<Key> keys;
    for (std::int64_t i = 0; i < groups; ++i) {
      keys.push_back(key_of_group<Key>(static_cast<std::size_t>(i)));
    }
    return keys;
  }
  [[nodiscard]] std::vector<Key> keys_of(const runtime::Operands& operands,
                                         const std::vector<Key>& of_groups) const {
    std::vector<Key> keys;
    const std::size_t each = config_.choice().problem.offset_bits == 64 ? 8 : 4;
    std::vector<std::byte> ends(of_groups.size() * each);
    if (!ends.empty()) device_.copy_to_host(ends.data(), operands.ends, ends.size());
    for (std::size_t i = 0; i < of_groups.size(); ++i) {
      std::int64_t end = 0;
      std::memcpy(&end, &ends[i * each], each);
      keys.resize(static_cast<std::size_t>(end), of_groups[i]);
    }
    return keys;
  }

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  Way way_;
  std::size_t turn_ = 0;
};

/// Groups of every kind: none, one, one for each element, 2^k and one more or less of them, equal
/// ones, random ones and some by Zipf's law.
[[nodiscard]] inline std::vector<Lengths> groups_in_question() {
  std::vector<Lengths> sets{{"none", {}}, {"one of one", {1}}, {"all equal", {4097}}};
  for (const std::int64_t many : {2, 7, 8, 9, 255, 256, 257, 1024}) {
    sets.push_back({"all different", std::vector<std::int64_t>(static_cast<std::size_t>(many), 1)});
    sets.push_back({"all equal", {many}});
  }
  for (const std::int64_t length : {63, 64, 65}) {
    sets.push_back({"of like length", std::vector<std::int64_t>(33, length)});
  }
  Lengths random{"random", {}};
  std::uint32_t state = 12345;
  for (int i = 0; i < 300; ++i) {
    state = state * 1664525U + 1013904223U;
    random.all.push_back(1 + (state >> 24) % 23);
  }
  sets.push_back(random);
  Lengths zipf = zipf_lengths(200, 900);
  for (std::int64_t& length : zipf.all) length = std::max<std::int64_t>(length, 1);
  sets.push_back(zipf);
  return sets;
}

template <class In, class Launches>
void expect_groups_kept(device::Device& device, const runtime::LoadedConfig& config,
                        Launches& launches, const std::vector<Lengths>& sets, std::size_t turn) {
  SegmentsContract<In> contract(device, config, std::ref(launches));
  for (const Lengths& lengths : sets) contract.expect_right(lengths, turn++ % 4);
  contract.expect_decided(sets.back(), turn % 3);
  contract.expect_same_bits_again(sets[sets.size() - 2]);
}

template <class In, class Key>
void expect_groups_kept(const Target& target, const runtime::LoadedConfig& config,
                        std::size_t turn) {
  KeyedLaunches<Key> launches(target, config);
  expect_groups_kept<In>(target.device, config, launches, groups_in_question(), turn);
}

/// Groups that end at and around the borders of tiles, and that are longer than some of them; of
/// samples behind the border or before it, in turns.
[[nodiscard]] inline std::vector<Lengths> groups_at_tiles(std::int64_t tile, std::size_t turn) {
  std::vector<Lengths> sets;
  for (const std::int64_t off : {-1, 0, 1}) {
    const std::int64_t near = tile + off;
    if (near < 1 || (!is_full_run() && off == (turn % 2 == 0 ? -1 : 1))) continue;
    sets.push_back({"as long as a tile", {near}});
    sets.push_back({"as long as tiles", {2 * near, 1, near, near, 2, 3 * near}});
    sets.push_back({"ends at a tile", {near - 1 > 0 ? near - 1 : 1, 1, 1, near, 5}});
    sets.push_back({"as many as a tile has elements",
                    std::vector<std::int64_t>(static_cast<std::size_t>(2 * near), 1)});
    sets.push_back({"as many as tiles have elements",
                    std::vector<std::int64_t>(static_cast<std::size_t>(near), 2)});
  }
  Lengths giant{"a giant among tiny", std::vector<std::int64_t>(301, 1)};
  for (std::size_t i = 0; i < giant.all.size(); i += 7) giant.all[i] = 3;
  giant.all[150] = 9 * tile + 2;
  sets.push_back(giant);
  return sets;
}

/// By launches of one memory one after another, of ever other numbers of tiles.
template <class In, class Key>
void expect_groups_kept_in_tiles(const Target& target, const runtime::LoadedConfig& config,
                                 const typename InTiles<Key>::Choice& choice, std::size_t turn) {
  KeyedLaunches<Key, InTiles<Key>> launches(target, config, choice);
  std::vector<Lengths> sets = groups_at_tiles(kernels::tile_of_keys(choice.config), turn);
  const std::vector<Lengths> others = groups_in_question();
  for (std::size_t i = 0; i < others.size(); ++i) {
    sets.insert(sets.begin() + static_cast<std::ptrdiff_t>((2 * i) % sets.size()), others[i]);
  }
  sets.push_back(others.back());
  expect_groups_kept<In>(target.device, config, launches, sets, turn);
}

}  // namespace redtune::checks
