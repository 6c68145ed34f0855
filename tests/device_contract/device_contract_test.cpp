// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every operator, type and finish, with every value of every tunable, gives the right result on a
// GPU. DeviceContract takes up to a few tiles and suits sanitizers; DeviceContractLarge takes more
// tiles than blocks.
#include <array>
#include <numeric>
#include <set>

#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract.hpp"
#include "tests/kernels/contract_cells.hpp"

namespace redtune {
namespace {

using checks::Place;

using checks::Cell;

class OnCell : public OnTestDevice, public testing::WithParamInterface<Cell> {
 protected:
  /// The config samples of the cell.
  [[nodiscard]] std::vector<checks::Runner> loaded_samples() const {
    const Problem& problem = GetParam().problem;
    const auto configs = checks::covering(kernels::find_family("reduce"), problem,
                                          device().limits(), GetParam().number);
    return loaded(problem, sampled(configs, GetParam().number));
  }
};

/// The shape of a config, in elements.
struct BlockShape {
  std::int64_t wave;
  std::int64_t block;
  std::int64_t vector;
  std::int64_t tile;

  BlockShape(const checks::Runner& runner, const Limits& limits)
      : wave(limits.wave_size),
        block(checks::number_of(runner, "block_size")),
        vector(checks::number_of(runner, "vector_width")),
        tile(block * checks::number_of(runner, "items_per_thread")) {}

  /// About the borders of what threads share: waves, blocks and tiles.
  [[nodiscard]] std::set<std::int64_t> counts() const {
    std::set<std::int64_t> all{0, 1, 3 * tile + 1, 2 * tile + tile / 2 + 3};
    for (const std::int64_t border : {wave, block, tile}) {
      all.insert({border - 1, border, border + 1});
    }
    return all;
  }
  static constexpr std::int64_t few = 1100;  ///< elements, of which every place is tried

  /// Two tiles, a third that is not whole, and a rest.
  [[nodiscard]] std::int64_t ragged() const { return 2 * tile + tile / 2 + vector / 2 + 3; }
  /// In the head, at both ends of tiles, in the last tile and in the rest of ragged() elements.
  [[nodiscard]] std::vector<std::int64_t> positions() const {
    std::vector<std::int64_t> all{0, 1, vector, tile - 1, tile, tile + 1, 2 * tile + 1};
    for (const std::int64_t from_end : {vector + 1, std::int64_t{2}, std::int64_t{1}}) {
      all.push_back(std::max<std::int64_t>(0, ragged() - from_end));
    }
    return all;
  }
};

class DeviceContract : public OnCell {
 protected:
  template <class In>
  void expect_kept(checks::Runner& runner, std::size_t turn) {
    checks::Contract<In> contract(device(), runner);
    const BlockShape shape(runner, device().limits());
    constexpr std::size_t places = std::size(checks::all_places);
    for (const std::int64_t count : shape.counts()) {
      const Place one = checks::all_places[turn++ % places];
      if (count <= BlockShape::few) {
        contract.expect_right(count, checks::all_places);
      } else {
        contract.expect_right(count, {&one, 1});
      }
    }
    contract.expect_right_inputs(std::array<std::int64_t, 2>{1, 33}, std::array{Place::at_end});
    contract.expect_right_at_whole_tiles();
    contract.expect_right_inputs(std::array{shape.tile + 1}, std::array{Place::one_behind});
    contract.expect_every_position_seen(shape.positions(), shape.ragged(), Place::two_behind);
    contract.expect_same_bits_again(shape.ragged(), 33);
  }
};

TEST_P(DeviceContract, IsRightForEveryCountPlaceAndInput) {
  std::vector<checks::Runner> runners = loaded_samples();
  ASSERT_FALSE(runners.empty());
  std::size_t turn = GetParam().number;
  for (checks::Runner& runner : runners) {
    visit_dtype(GetParam().problem.in,
                [&]<class In>(std::type_identity<In>) { expect_kept<In>(runner, turn++); });
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceContract, testing::ValuesIn(checks::cells_of_many_tiles()),
                         [](const auto& cell) { return cell.param.name(); });

class DeviceContractLarge : public OnCell {
 protected:
  template <class In>
  void expect_kept(std::vector<checks::Runner>& runners, std::int64_t count) {
    const Problem& problem = GetParam().problem;
    const std::vector<In> values = checks::make_input(checks::ordinary<In>(problem.op), count);
    const checks::Expectation expected(problem, std::span(values));
    for (const Place place : {Place::aligned, Place::three_behind}) {
      const checks::PlacedInput<In> input(device(), values, place);
      for (checks::Runner& runner : runners) {
        checks::Contract<In>(device(), runner)
            .expect_met(expected, input.data(), count, std::string(to_string(place)));
      }
    }
  }
};

/// The larger count gives two tiles to some block on devices of up to 170 compute units, also when
/// a tile has the most elements and there is one block per unit.
TEST_P(DeviceContractLarge, IsRightWhereBlocksTakeSeveralTiles) {
  std::vector<checks::Runner> runners = loaded_samples();
  ASSERT_FALSE(runners.empty());
  visit_dtype(GetParam().problem.in, [&]<class In>(std::type_identity<In>) {
    expect_kept<In>(runners, (std::int64_t{1} << 20) + 7);
    if (!test_device().is_host) expect_kept<In>(runners, 3 * (std::int64_t{1} << 22) + 11);
  });
}

INSTANTIATE_TEST_SUITE_P(All, DeviceContractLarge, testing::ValuesIn(checks::cells_of_many_tiles()),
                         [](const auto& cell) { return cell.param.name(); });

}  // namespace
}  // namespace redtune
