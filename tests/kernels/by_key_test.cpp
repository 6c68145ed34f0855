// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key find every group, its key and its result: of keys of both sizes, every operator
// and type, on host devices of every wave size, in every lane order.
#include <algorithm>
#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "kernel_templates/segments/planned.hpp"
#include "tests/device/host_programs.hpp"
#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/host_cells.hpp"
#include "tests/kernels/keyed_launches.hpp"

namespace redtune {
namespace {

using device::host::HostCompiler;
using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::size_t configs_per_cell = 5;
constexpr std::size_t configs_of_some = 3;  // tiles, and shares of both kinds
// Elements of a launch are at most as many.
constexpr Shape shapes[] = {Shape::segments(1 << 14, 1 << 10), Shape::segments(1 << 14, 4, 64),
                            Shape::segments(1 << 14, 1 << 8, 32, Skew::zipf)};

const checks::HostCells& cells() {
  static const auto cells =
      checks::cells_of(kernels::counted_segments(), shapes, {configs_per_cell, configs_of_some});
  return cells;
}

const HostCompiler& compiler() {
  static const HostCompiler compiler(device::host::AlignmentCheck::on);
  return compiler;
}

class ByKey : public testing::TestWithParam<checks::HostCell> {};

TEST_P(ByKey, FindsEveryGroupAndItsResult) {
  GetParam().check(
      [](device::Device& device, const runtime::LoadedConfig& config, std::size_t turn) {
        const checks::Target target{device, compiler(), "native"};
        visit_dtype(config.choice().problem.in, [&]<class In>(std::type_identity<In>) {
          if (turn % 2 == 0) {
            checks::expect_groups_kept<In, std::uint32_t>(target, config, turn);
          } else {
            checks::expect_groups_kept<In, std::uint64_t>(target, config, turn);
          }
        });
      });
}

INSTANTIATE_TEST_SUITE_P(Some, ByKey, testing::ValuesIn(cells().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, ByKey, testing::ValuesIn(cells().others),
                         [](const auto& cell) { return cell.param.name(); });

constexpr Shape shapes_of_tiles[] = {Shape::segments(1 << 16, 1 << 13)};

/// Every operator and type, where blocks start in order, and most on waves of several lanes.
std::vector<checks::HostCell> all_in_order() {
  auto all = checks::host_cells(kernels::counted_segments(), shapes_of_tiles, 1);
  std::erase_if(all, [](const checks::HostCell& one) { return one.order != LaneOrder::forward; });
  const auto fewest_lanes_last = [](const checks::HostCell& one) {
    return static_cast<int>(one.cell.number % 2 == 0 ? one.wave_size == 32 : one.wave_size == 64);
  };
  std::ranges::stable_sort(all, std::ranges::greater(), fewest_lanes_last);
  return all;
}

class ByKeyInTiles : public testing::TestWithParam<checks::HostCell> {};

/// Tiles of different sizes, most of them small, and both ways in which elements come to threads,
/// in turns.
kernels::KeyedTilesConfig tiles_in_turn(const kernels::KeyedTilesConfig& usual, std::size_t turn) {
  kernels::KeyedTilesConfig config = usual;
  if (turn % 2 == 1) config.bring = kernels::Bring::by_stage;
  if (turn % 6 != 0) config.block_size = turn % 6 == 5 ? 128 : 64;
  if (turn % 5 == 1) config.items_per_thread = std::min(3, usual.items_per_thread);
  if (turn % 5 == 3) config.items_per_thread = 1;
  if (turn % 4 >= 2) {
    config.at_heads = kernels::AtHeads::by_branches;
    config.look_back = turn % 4 == 2 ? 4 : 2;
    config.registers = kernels::Registers::free;
  }
  return config;
}

TEST_P(ByKeyInTiles, FindsEveryGroupAndItsResult) {
  GetParam().check([](device::Device& device, const runtime::LoadedConfig& config,
                      std::size_t turn) {
    const checks::Target target{device, compiler(), "native"};
    const Problem& problem = config.choice().problem;
    const auto check = [&]<class In, class Key>(std::type_identity<In>, std::type_identity<Key>) {
      constexpr int key_bits = 8 * sizeof(Key);
      const auto usual = kernels::default_keyed_tiles(key_bits, problem, config.choice().limits);
      const auto tiles = tiles_in_turn(usual, turn);
      ASSERT_EQ(kernels::why_not_in_tiles(tiles, key_bits, problem, config.choice().limits), "");
      checks::expect_groups_kept_in_tiles<In, Key>(
          target, config, {tiles, kernels::keyed_tiles_text(problem)}, turn);
    };
    visit_dtype(problem.in, [&]<class In>(std::type_identity<In> in) {
      if (turn % 2 == 0) {
        check(in, std::type_identity<std::uint32_t>());
      } else {
        check(in, std::type_identity<std::uint64_t>());
      }
    });
  });
}

const checks::HostCells& cells_in_order() {
  static const checks::HostCells cells = [] {
    const auto all = all_in_order();
    auto some = checks::some_of(all, 1);
    auto rest = checks::others(some, all);
    return checks::HostCells{std::move(some), std::move(rest)};
  }();
  return cells;
}

INSTANTIATE_TEST_SUITE_P(Some, ByKeyInTiles, testing::ValuesIn(cells_in_order().some),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, ByKeyInTiles, testing::ValuesIn(cells_in_order().others),
                         [](const auto& cell) { return cell.param.name(); });

/// More groups and elements than a block looks at a time, in runs of several blocks.
void expect_many_groups(const std::string& kernel, const std::string& grouping) {
  const HostOptions options = checks::options_of(32, LaneOrder::random);
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1 << 17, 1 << 13));
  const Settings settings = parse_settings(
      "way=tickets block_size=64 threads_per_segment=4 loads_per_thread=1 blocks_per_unit=4");
  const auto program =
      checks::compiled(kernels::counted_segments(), problem, options, {{settings}, kernel});
  const auto device = device::host::make_host_device(options);
  checks::Lengths lengths{"many", {}};
  std::int64_t left = 3 << 15;
  for (std::int64_t i = 0; left > 0; left -= lengths.all.back(), ++i) {
    lengths.all.push_back(std::min(left, 1 + (i % 100 == 7 ? 90 : i % 3)));
  }
  lengths.all.insert(lengths.all.end(), {2, 2, 1});  // in the only mark of the last word
  for (const checks::Runner& runner : program.load(*device)) {
    checks::KeyedLaunches<std::uint32_t> launches({*device, compiler(), "native"}, runner.config(),
                                                  grouping);
    checks::SegmentsContract<std::int32_t> contract(*device, runner.config(), std::ref(launches));
    for (const std::size_t turn : {1, 2}) {  // keys aligned, then not
      contract.expect_right(lengths, turn);
    }
  }
}

std::string counted_text() {
  return kernels::counted_segments().device_text(make_problem(Op::sum, DType::i32, 1));
}

/// Of kernels that are right, and of those that are wrong in one place each.
TEST(ByKeyItself, NoticesWhatIsBrokenInRunsOfManyBlocks) {
  expect_many_groups(counted_text(), kernels::group_text());
  const auto is_noticed = [](const char* right, const char* wrong) {
    const std::string broken = checks::broken_text(kernels::group_text(), right, wrong);
    return checks::is_noticed([&] { expect_many_groups(counted_text(), broken); });
  };
  EXPECT_TRUE(is_noticed("first == 0 ? Key(~other) :", "first == 0 ? other :"));
  EXPECT_TRUE(is_noticed("first == 0 ? 0 : first - 1]", "first]"));
  EXPECT_TRUE(is_noticed("if (left <= 0) return 0;", "if (left <= 0) return 1;"));
  EXPECT_TRUE(is_noticed("one < end && one <= last", "one < end && one < last"));
  EXPECT_TRUE(is_noticed("thread_index() * keys_of_word +", "thread_index() * keys_of_mark +"));
  EXPECT_TRUE(is_noticed("place += i64(found.all);", ""));
  EXPECT_TRUE(is_noticed("i64 place = i64(counts[block_index()]);", "i64 place = 0;"));
  EXPECT_TRUE(is_noticed("i < left ? i : left - 1", "i < left ? i : 0"));
  EXPECT_TRUE(
      is_noticed("offsets[*groups] = Offset(count);", "offsets[*groups] = Offset(count - 1);"));
  EXPECT_TRUE(checks::is_noticed([] {
    expect_many_groups(
        checks::broken_text(counted_text(), "begins, ends, *segment_count};\n  const i64 equal",
                            "begins, ends, *segment_count - 1};\n  const i64 equal"),
        kernels::group_text());
  }));
}

using SomeTiles = checks::InTiles<std::uint32_t>;
using SomeLaunches = checks::KeyedLaunches<std::uint32_t, SomeTiles>;

/// Launches of one memory, in tiles of 256 elements unless others are asked for.
class TilesOnTheHost {
 public:
  explicit TilesOnTheHost(const SomeTiles::Choice& choice)
      : tiles_(choice.config),
        program_(checks::compiled(
            kernels::counted_segments(), problem(), options(),
            {{kernels::counted_segments().default_settings(problem(), host_limits(options()))},
             {}})),
        runners_(program_.load(*device_)),
        launches_({*device_, compiler(), "native"}, config(), choice) {}
  explicit TilesOnTheHost(const std::string& text, kernels::Bring bring = kernels::Bring::by_thread)
      : TilesOnTheHost(
            SomeTiles::Choice{{.bring = bring, .block_size = 128, .items_per_thread = 2}, text}) {}

  [[nodiscard]] static Problem problem() {
    return make_problem(Op::sum, DType::i32, Shape::segments(1 << 14, 1 << 10));
  }
  [[nodiscard]] static std::string right_text() { return kernels::keyed_tiles_text(problem()); }

  [[nodiscard]] device::Device& device() { return *device_; }
  [[nodiscard]] const runtime::LoadedConfig& config() const { return runners_.front().config(); }
  [[nodiscard]] const kernels::KeyedTilesConfig& tiles() const { return tiles_; }
  [[nodiscard]] SomeLaunches& launches() { return launches_; }
  [[nodiscard]] const checks::TileWords& words() const { return launches_.way().words(); }
  [[nodiscard]] std::uint64_t* word(std::int64_t place) const {
    return static_cast<std::uint64_t*>(launches_.way().tiles().words()) + place;
  }
  /// Of so many tiles and some more elements.
  void expect_right(std::int64_t many) {
    const std::int64_t tile = kernels::tile_of_keys(tiles_);
    checks::Lengths lengths{"some", {}};
    for (std::int64_t left = many * tile + 9; left > 0; left -= lengths.all.back()) {
      lengths.all.push_back(std::min(left, lengths.all.size() % 5 == 3 ? 2 * tile : 70));
    }
    checks::SegmentsContract<std::int32_t>(*device_, config(), std::ref(launches_))
        .expect_right(lengths, 0);
  }

 private:
  [[nodiscard]] static HostOptions options() { return checks::options_of(32, LaneOrder::forward); }

  kernels::KeyedTilesConfig tiles_;
  checks::ConfigProgram program_;
  std::unique_ptr<device::Device> device_ = device::host::make_host_device(options());
  std::vector<checks::Runner> runners_;
  SomeLaunches launches_;
};

/// Launches of one memory one after another, of ever other numbers of tiles.
void expect_tiles(const std::string& text, kernels::Bring bring) {
  TilesOnTheHost host(text, bring);
  const std::int64_t tile = kernels::tile_of_keys(host.tiles());
  checks::Lengths short_ones{"short", {}};
  for (std::int64_t i = 0; i < 2 * tile; ++i) short_ones.all.push_back(1 + i % 3);
  try {
    checks::expect_groups_kept<std::int32_t>(
        host.device(), host.config(), host.launches(),
        {short_ones,
         {"as tiles", {tile + 1, 1, 3 * tile, 70, 5, tile, 33}},
         {"all equal", {5 * tile}},
         {"less than a tile", {7, 20}},
         short_ones},
        0);
  } catch (const DeviceError& error) {  // a block waits for what nobody stores
    ADD_FAILURE() << error.what();
  }
}

bool is_noticed_in_tiles(const char* right, const char* wrong) {
  const std::string broken = checks::broken_text(TilesOnTheHost::right_text(), right, wrong);
  return checks::is_noticed([&] { expect_tiles(broken, kernels::Bring::by_stage); });
}

TEST(ByKeyItself, NoticesWhatIsBrokenInTiles) {
  expect_tiles(TilesOnTheHost::right_text(), kernels::Bring::by_thread);
  expect_tiles(TilesOnTheHost::right_text(), kernels::Bring::by_stage);
  EXPECT_TRUE(is_noticed_in_tiles("before = Key(~my_keys[0]);", "before = my_keys[0];"));
  EXPECT_TRUE(is_noticed_in_tiles("i32(counted.all) - (is_last ? 0 : 1)", "i32(counted.all) - 1"));
  EXPECT_TRUE(is_noticed_in_tiles("if (is_head) value = entered;", ""));
  EXPECT_TRUE(is_noticed_in_tiles("if (is_cut == 0) mine = all_behind;", ""));
}

/// Where a block says what all tiles up to its own have.
constexpr const char* tells_of_all = "} else if (block_index() > 0) {";

/// What the next launch would begin with.
TEST(ByKeyItself, NoticesWhatTilesLeaveBehind) {
  const char* const clears_own = "store_slot_words(others + state_words * block_index(), 0, 0);";
  const char* const clears_further = "store_slot_words(others + state_words * i, 0, 0);";
  const char* const next = "u64(grid_size()) << 1 | ((of_launch + 1) & 1)";
  EXPECT_TRUE(is_noticed_in_tiles(clears_own, ";"));
  EXPECT_TRUE(is_noticed_in_tiles(clears_further, ""));
  EXPECT_TRUE(is_noticed_in_tiles("told > grid_size() ? told : i64(grid_size())", "grid_size()"));
  EXPECT_TRUE(is_noticed_in_tiles(next, "u64(grid_size()) << 1 | (of_launch & 1)"));
  EXPECT_TRUE(is_noticed_in_tiles(next, "u64(grid_size() - 1) << 1 | ((of_launch + 1) & 1)"));
  EXPECT_TRUE(is_noticed_in_tiles(
      "Layout::store(slots + i64(index) * Layout::stride, empty);\n    value", "value"));
  EXPECT_TRUE(is_noticed_in_tiles("what | found.behind_last);", "what | found.many);"));
  EXPECT_TRUE(is_noticed_in_tiles(tells_of_all, "} else if (false) {"))
      << "blocks would look back further than they have to";
}

/// Tiles that tell nobody of all before them: each block looks back to the first tile, in as many
/// turns as that takes, and the results are the same.
void expect_right_in_many_turns(const std::string& text, int states_of_lane) {
  const std::string untold = checks::broken_text(text, tells_of_all, "} else if (false) {");
  TilesOnTheHost host(SomeTiles::Choice{
      {.block_size = 64, .items_per_thread = 1, .look_back = states_of_lane}, untold, false});
  try {
    for (const std::int64_t tiles : {31, 32, 33, 63, 64, 65, 66, 130, 200}) {
      host.expect_right(tiles);
    }
  } catch (const DeviceError& error) {
    ADD_FAILURE() << error.what();
  }
}

TEST(ByKeyItself, LooksBackInAsManyTurnsAsItTakes) {
  const std::string right = TilesOnTheHost::right_text();
  for (const int states : {1, 2, 4}) expect_right_in_many_turns(right, states);
  const auto is_noticed = [&](const char* wrong) {
    return checks::is_noticed([&] {
      expect_right_in_many_turns(checks::broken_text(right, "nearest -= some * wave_size", wrong),
                                 1);
    });
  };
  EXPECT_TRUE(is_noticed("nearest -= some * wave_size - 1")) << "a tile would count twice";
  EXPECT_TRUE(is_noticed("nearest -= some * wave_size + 1")) << "a tile would be left out";
  EXPECT_TRUE(is_noticed("nearest -= tile + 1")) << "the second turn would not come";
}

/// A word of somebody else's, at every kind of place.
TEST(ByKeyItself, NoticesAForeignWordBetweenLaunches) {
  TilesOnTheHost host(TilesOnTheHost::right_text());
  host.expect_right(7);
  const std::uint64_t next = host.words().first() & 1;
  const auto state = [&](std::uint64_t which, std::int64_t tile) {
    return host.words().place_of_state(which, tile);
  };
  for (const std::int64_t place :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{15}, state(next, 0), state(next, 3) + 1,
        state(next, 40), state(next ^ 1, 2), state(next ^ 1, 9) + 1,
        host.words().place_of_values() + 4}) {
    std::uint64_t* const word = host.word(place);
    std::uint64_t before = 0;
    host.device().copy_to_host(&before, word, sizeof(before));
    const std::uint64_t foreign = before ^ (std::uint64_t{2} << 62 | 2);
    EXPECT_FALSE(
        checks::is_noticed([&] { host.words().expect_in(host.device(), host.word(0), "before"); }));
    host.device().copy_to_device(word, &foreign, sizeof(foreign));
    EXPECT_TRUE(checks::is_noticed([&] {
      host.words().expect_in(host.device(), host.word(0), "then");
    })) << place;
    host.device().copy_to_device(word, &before, sizeof(before));
  }
  host.expect_right(11);
}

/// Of kernels one block of which tells nothing: the launch is reported, and words that it leaves
/// are not taken for those of a whole one. Once they are cleared the next launch is right.
TEST(ByKeyItself, IsRightAgainOnceALaunchThatBrokeOffIsCleared) {
  const std::string silent =
      checks::broken_text(checks::broken_text(TilesOnTheHost::right_text(), "if (has_last_head) {",
                                              "if (has_last_head && block_index() != 5) {"),
                          tells_of_all, "} else if (block_index() != 5) {");
  TilesOnTheHost host(TilesOnTheHost::right_text());
  host.expect_right(7);
  const checks::LoadedKernels broken(
      host.device(), compiler(),
      {silent,
       {kernels::keyed_tiles_kernel(host.tiles(), 32, TilesOnTheHost::problem(), 32)},
       "native"});
  const runtime::KeyedTiles& tiles = host.launches().way().tiles();
  const std::int64_t elements = 9 * kernels::tile_of_keys(host.tiles());
  const device::host::Numbers<std::uint32_t> keys(host.device(),
                                                  static_cast<std::size_t>(elements));
  const device::host::Numbers<std::int64_t> out(host.device(), static_cast<std::size_t>(elements));
  std::int64_t groups = 0;
  for (std::uint32_t i = 0; i < elements; ++i) keys.data()[i] = i;
  const auto launch = tiles.launch(
      broken.all().front(), {keys.data(), keys.data(), nullptr, out.data(), &groups}, elements);
  try {
    host.device().launch(std::array{launch}, {});
    ADD_FAILURE() << "blocks waited in vain, and nobody noticed";
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("block 6 hangs"));
    EXPECT_THAT(error.what(), testing::HasSubstr("wait for what no block stores; 2 other"));
  }
  EXPECT_TRUE(checks::is_noticed(
      [&] { host.words().expect_in(host.device(), host.word(0), "after a launch"); }));
  host.launches().way().clear(host.device());
  host.expect_right(7);
  host.expect_right(20);
}

}  // namespace
}  // namespace redtune
