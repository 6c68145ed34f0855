// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every finish, operator and type gives the right result on host devices of every wave size, in
// every lane order, for counts and inputs that break careless kernels.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "tests/kernels/broken_text.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/support/samples.hpp"

namespace redtune {
namespace {

using checks::Place;
using device::host::HostOptions;
using device::host::LaneOrder;

constexpr int wave_sizes[] = {1, 32, 64};
constexpr LaneOrder orders[] = {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random};
constexpr std::int64_t counts[] = {0, 1, 31, 32, 33, 1000};
constexpr std::int64_t large_count = (std::int64_t{1} << 16) + 7;
constexpr std::int64_t read_backwards = kernels::most_forward_bytes + 1;
constexpr std::size_t configs_per_cell = 9;  // the default, and one of each finish

/// Three compute units: grids are then no powers of two.
HostOptions options_of(int wave_size, LaneOrder order) {
  return {.wave_size = wave_size, .order = order, .seed = 11, .threads = 3};
}

/// A cell on a host device of a wave size, which takes its turn from cell to cell.
struct WaveCell {
  int wave_size = 1;
  checks::Cell cell;
  bool backwards = false;  ///< by the kernels of large inputs

  [[nodiscard]] Limits limits() const {
    return host_limits(options_of(wave_size, LaneOrder::forward));
  }
  [[nodiscard]] std::vector<Settings> configs() const {
    return checks::sample(kernels::find_family("reduce"), cell.problem, limits(),
                          cell.number / std::size(wave_sizes), configs_per_cell);
  }
  [[nodiscard]] std::string name() const {
    return fmt::format("wave{}_{}{}", wave_size, cell.name(), backwards ? "_backwards" : "");
  }
  friend void PrintTo(const WaveCell& one, std::ostream* out) { *out << one.name(); }
};

std::vector<WaveCell> all_cells() {
  std::vector<WaveCell> cells;
  for (const checks::Cell& cell : checks::contract_cells(read_backwards)) {
    cells.push_back({wave_sizes[cell.number % std::size(wave_sizes)], cell, true});
  }
  for (const checks::Cell& cell : checks::contract_cells(large_count)) {
    // Which wave size is first takes turns: of cells that bring as much, samples take the first.
    for (std::size_t i = 0; i < std::size(wave_sizes); ++i) {
      cells.push_back({wave_sizes[(cell.number + i) % std::size(wave_sizes)], cell});
    }
  }
  return cells;
}

/// Every operator with shuffles, without which it is the less, every type on every wave size, and
/// every choice of a caller. Backwards every operator, type and wave size.
checks::Axes axes_of(const WaveCell& one) {
  const Problem& problem = one.cell.problem;
  if (one.backwards) {
    return {fmt::format("{} backwards", to_string(problem.op)),
            fmt::format("{} backwards", to_string(problem.in)),
            fmt::format("backwards on {}", one.wave_size)};
  }
  return {one.wave_size > 1 ? std::string(to_string(problem.op)) : "alone",
          fmt::format("{} on {}", to_string(problem.in), one.wave_size),
          fmt::format("{} in {}", to_string(problem.in), to_string(problem.acc)),
          fmt::format("gives {}", to_string(problem.out)),
          problem.order == Order::any ? "any order" : "one order"};
}

/// Each cell has axes of its own.
checks::Axes all_axes_of(const WaveCell& one) {
  checks::Axes axes = axes_of(one);
  axes.push_back(one.name());
  return axes;
}

const std::vector<WaveCell>& some_cells() {
  static const auto cells = checks::every_value(all_cells(), axes_of);
  return cells;
}

class ReduceContract : public testing::TestWithParam<WaveCell> {
 protected:
  ReduceContract() : program_(kernels::find_family("reduce"), problem_, GetParam().limits()) {
    program_.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                     GetParam().configs(), "native");
  }

  template <class In>
  void expect_kept(checks::Runner& runner, std::size_t turn) {
    checks::Contract<In> contract(*device_, runner);
    for (const std::int64_t count : counts) {
      contract.expect_right(count, checks::all_places);
    }
    const Place place = checks::all_places[turn % std::size(checks::all_places)];
    contract.expect_right(large_count, {&place, 1});
    contract.expect_right_at_whole_tiles();
    contract.expect_right_inputs(std::array<std::int64_t, 2>{1, 33}, std::array{Place::at_end});
    contract.expect_right_inputs(std::array<std::int64_t, 1>{1000}, std::array{Place::one_behind});
    contract.expect_every_position_seen(std::array<std::int64_t, 5>{0, 1, 500, 998, 999}, 1000,
                                        place);
    contract.expect_same_bits_again(9001, 33);
  }

  Problem problem_ = GetParam().cell.problem;
  checks::ConfigProgram program_;
  std::unique_ptr<device::Device> device_;
};

/// In samples one order takes its turn from cell to cell of a wave size.
bool is_tried(LaneOrder order, const WaveCell& one) {
  if (checks::is_full_run()) return true;
  std::size_t turn = 0;
  for (const WaveCell& other : some_cells()) {
    if (other.name() == one.name()) break;
    turn += other.wave_size == one.wave_size ? 1 : 0;
  }
  return order == orders[turn % std::size(orders)];
}

TEST_P(ReduceContract, IsRightForEveryCountPlaceAndInput) {
  std::size_t turn = 0;
  for (const LaneOrder order : orders) {
    if (!is_tried(order, GetParam())) continue;
    SCOPED_TRACE(fmt::format("lane order {}", static_cast<int>(order)));
    device_ = device::host::make_host_device(options_of(GetParam().wave_size, order));
    std::vector<checks::Runner> runners = program_.load(*device_);
    for (checks::Runner& runner : runners) {
      visit_dtype(problem_.in,
                  [&]<class In>(std::type_identity<In>) { expect_kept<In>(runner, turn++); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, ReduceContract, testing::ValuesIn(some_cells()),
                         [](const auto& cell) { return cell.param.name(); });
INSTANTIATE_TEST_SUITE_P(Full, ReduceContract,
                         testing::ValuesIn(checks::all_but(some_cells(), all_cells(), all_axes_of)),
                         [](const auto& cell) { return cell.param.name(); });

/// Kernels of large inputs, on small ones.
class BackwardsKernel : public testing::Test {
 protected:
  static void expect_kept(Op op, const std::string& text) {
    const Problem problem = make_problem(op, DType::i32, read_backwards);
    const auto device = device::host::make_host_device(options_of(32, LaneOrder::forward));
    checks::ConfigProgram program(kernels::find_family("reduce"), problem, device->limits());
    program.set_text(text);
    std::vector<Settings> configs;
    for (const char* grid :
         {"blocks_per_unit=0", "blocks_per_unit=1", "blocks_per_unit=1 tile_order=chunked"}) {
      configs.push_back(parse_settings(fmt::format(
          "finish=last_block block_size=64 items_per_thread=4 vector_width=4 {}", grid)));
    }
    program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on), configs,
                    "native");
    std::vector<checks::Runner> runners = program.load(*device);
    for (checks::Runner& runner : runners) {
      checks::Contract<std::int32_t> contract(*device, runner);
      for (const std::int64_t count : {255, 256, 257, 768, 1000, 5000}) {
        contract.expect_right(count, checks::all_places);
      }
      contract.expect_right_inputs(std::array<std::int64_t, 1>{5000}, std::array{Place::aligned});
      contract.expect_every_position_seen(
          std::array<std::int64_t, 6>{0, 255, 256, 2000, 4863, 4999}, 5000, Place::aligned);
    }
  }
};

TEST_F(BackwardsKernel, ThatGoesWrongIsNoticed) {
  struct Break {
    std::string right;
    std::string wrong;
    std::vector<Op> noticed_by;
  };
  const std::vector<Op> both{Op::sum, Op::argmax};
  const std::vector<Break> breaks = {
      {"first = end_of_whole(tile) - tile - first;", "first = end_of_whole(tile) - first;", both},
      {"step = -step;", "step = -2 * step;", both},
      {"return takes_odd && end > 0 ? end_of_whole(tile) : end;", "return end;", both},
      {"return takes_odd && end > 0 ? end_of_whole(tile) : end;", "return end_of_whole(tile);",
       both},
      {"return shorter < end ? shorter : first;", "return first;", {Op::argmax}},
      {"u64(first) < u64(best.first)", "best.first < 0", {Op::argmax}},
  };
  for (const Op op : both) {
    const std::string whole =
        kernels::find_family("reduce").device_text(make_problem(op, DType::i32, read_backwards));
    expect_kept(op, whole);
    for (const Break& one : breaks) {
      if (std::ranges::count(one.noticed_by, op) == 0) continue;
      const std::string text = checks::broken_text(whole, one.right, one.wrong);
      EXPECT_TRUE(checks::is_noticed([&] { expect_kept(op, text); }))
          << one.wrong << " by " << to_string(op);
    }
  }
}

bool holds(const std::vector<Settings>& configs, const Setting& value) {
  return std::ranges::any_of(
      configs, [&](const Settings& config) { return std::ranges::count(config, value) > 0; });
}

TEST(ReduceContractSamples, HoldEveryFinishThatACellAllows) {
  const kernels::Family& family = kernels::find_family("reduce");
  search::Rng rng(1);
  for (const WaveCell& one : some_cells()) {
    const auto configs = one.configs();
    for (const Setting& value : checks::all_values(family)) {
      if (value.name != "finish") continue;
      if (!checks::draw(family, one.cell.problem, one.limits(), {value}, rng)) continue;
      EXPECT_TRUE(holds(configs, value)) << value.value << " in " << one.name();
    }
  }
}

/// Every cell holds every finish, so every finish is tried in every order on every wave size.
TEST(ReduceContractSamples, HoldEveryLaneOrderOnEveryWaveSize) {
  for (const int wave_size : wave_sizes) {
    for (const LaneOrder order : orders) {
      const auto tried = std::ranges::count_if(some_cells(), [&](const WaveCell& one) {
        return one.wave_size == wave_size && is_tried(order, one);
      });
      EXPECT_GE(tried, 5) << static_cast<int>(order) << " on " << wave_size;
    }
  }
}

TEST(ReduceContractSamples, HoldEveryValueThatADeviceAllows) {
  const kernels::Family& family = kernels::find_family("reduce");
  for (const int wave_size : wave_sizes) {
    std::set<Setting> held;
    for (const WaveCell& one : some_cells()) {
      if (one.wave_size != wave_size) continue;
      for (const Settings& config : one.configs()) held.insert(config.begin(), config.end());
    }
    const WaveCell any{wave_size, {0, make_problem(Op::sum, DType::u32, large_count)}};
    search::Rng rng(1);
    std::size_t allowed = 0;
    for (const Setting& value : checks::all_values(family)) {
      if (!checks::draw(family, any.cell.problem, any.limits(), {value}, rng)) continue;
      ++allowed;
      EXPECT_TRUE(held.contains(value)) << value.name << '=' << value.value << " on " << wave_size;
    }
    EXPECT_GT(allowed, 25U);
  }
}

/// What the contract on GPUs tries, on GPUs that are only imagined; in samples of one type of each
/// size.
TEST(CoveringSamples, HoldEveryValueThatADeviceAllowsWithEveryFinish) {
  const kernels::Family& family = kernels::find_family("reduce");
  const auto values = checks::all_values(family);
  for (const int wave_size : {32, 64}) {
    const Limits limits{
        .min_block_size = 64, .wave_size = wave_size, .compute_units = 132, .max_cluster_size = 8};
    std::set<std::size_t> sizes;
    for (const DTypeInfo& in : all_dtypes()) {
      if (!sizes.insert(in.bytes).second && !checks::is_full_run()) continue;
      const Problem problem = make_problem(Op::sum, in.dtype, large_count);
      const auto configs = checks::covering(family, problem, limits, 1);
      EXPECT_LT(configs.size(), 90U) << in.name;
      for (const Setting& finish : values) {
        if (finish.name != "finish") continue;
        std::set<Setting> held;
        for (const Settings& config : configs) {
          if (std::ranges::count(config, finish) > 0) held.insert(config.begin(), config.end());
        }
        search::Rng rng(2);
        for (const Setting& value : values) {
          if (value.name == finish.name) continue;
          if (!checks::draw(family, problem, limits, {finish, value}, rng)) continue;
          EXPECT_TRUE(held.contains(value))
              << value.name << '=' << value.value << " of " << in.name << " with " << finish.value;
        }
      }
    }
  }
}

}  // namespace
}  // namespace redtune
