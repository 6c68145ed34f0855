// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A sample of the matrix that ./dev matrix compiles as a whole: of every operator and type on every
// architecture the default, or one of the configs with most registers, and one more; in a full run
// as many more as it takes that over all of them every two values of tunables occur together that
// may.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "device/hip/hip_arch.hpp"
#include "device/hip/hip_facts.hpp"
#include "hip_texts.hpp"
#include "kernel_templates/family/family.hpp"
#include "tests/device/hip_architectures.hpp"
#include "tests/device/kernel_inspection.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/kernels/kernel_configs.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::hip::testing {
namespace {

/// Also of an architecture that the installed HIP does not know.
Limits imagined(const std::string& arch) {
  return checks::with_units(architecture_limits(arch).value());
}

/// What the kernel that reads the input needs, of a sample config with this finish.
KernelResources needs_of(Op op, DType type, const std::string& finish, const std::string& arch) {
  const kernels::Family& reduce = kernels::find_family("reduce");
  const Settings settings = parse_settings(
      "block_size=256 items_per_thread=16 vector_width=4 load=cached finish=" + finish);
  const Problem problem = make_problem(op, type, std::int64_t{1} << 24);
  const auto names = reduce.name_expressions(settings, problem, imagined(arch).wave_size);
  const auto program = compiled({reduce.device_text(Problem{}), names, arch});
  return program.kernels.empty() ? KernelResources{} : program.kernels.front().resources;
}

/// The finishes that a problem has. Cells of one size of elements that have the same ones have one
/// space, but for few kernels.
std::vector<bool> finishes_of(const Problem& problem, const Limits& limits) {
  kernels::ReduceConfig config = kernels::default_config(problem, limits);
  std::vector<bool> found;
  for (int i = 0; i <= static_cast<int>(kernels::Finish::counted); ++i) {
    config.finish = static_cast<kernels::Finish>(i);
    found.push_back(checks::as_launched(config, problem, limits).has_value());
  }
  return found;
}

/// Of each cell on an architecture.
const std::vector<std::vector<bool>>& all_finishes(const std::string& arch) {
  static std::map<std::string, std::vector<std::vector<bool>>> known;
  auto& found = known[arch];
  if (found.empty()) {
    for (const checks::Cell& cell : checks::cells_of_many_tiles()) {
      found.push_back(finishes_of(cell.problem, imagined(arch)));
    }
  }
  return found;
}

std::size_t number_of(const std::string& arch, const Architectures& known) {
  return static_cast<std::size_t>(std::ranges::find(known, arch) - known.begin());
}

/// Of a cell on an architecture, among all of its kind on all architectures.
struct Turn {
  std::size_t number = 0;
  std::size_t of = 0;
};

Turn turn_of(const checks::Cell& cell, const std::string& arch, const Architectures& known) {
  const auto& finishes = all_finishes(arch);
  Turn turn{.number = number_of(arch, known)};
  for (const checks::Cell& other : checks::cells_of_many_tiles()) {
    if (size_of(other.problem.in) != size_of(cell.problem.in)) continue;
    if (finishes[other.number] != finishes[cell.number]) continue;
    if (other.number < cell.number) turn.number += known.size();
    turn.of += known.size();
  }
  return turn;
}

constexpr std::size_t configs_of_samples = 2;

/// One of those that hold every pair, the default or one of the fullest, and more of the first
/// where so few cells are of this kind that they would not come to each of them twice: not all of
/// them have each pair.
std::vector<AskedKernel> sample(const checks::Cell& cell, const std::string& arch,
                                const Architectures& known,
                                const std::vector<kernels::ReduceConfig>& all) {
  const Limits limits = imagined(arch);
  const auto full = checks::fullest(all);
  const auto pairs = checks::covering_pairs(all);
  const Turn turn = turn_of(cell, arch, known);
  const std::size_t mixed = cell.number + number_of(arch, known);
  std::vector<AskedKernel> found{{pairs[turn.number % pairs.size()], cell.problem, limits},
                                 {mixed % 4 == 0 ? full[mixed / 4 % full.size()]
                                                 : kernels::default_config(cell.problem, limits),
                                  cell.problem, limits}};
  for (std::size_t i = turn.number + turn.of; i < 2 * pairs.size(); i += turn.of) {
    found.push_back({pairs[i % pairs.size()], cell.problem, limits});
  }
  return found;
}

/// Every fourth cell of an operator, of each architecture other ones; all in a full run.
std::vector<checks::Cell> cells_of(const std::string& arch, Op op, const Architectures& known) {
  std::vector<checks::Cell> found = checks::cells_of_many_tiles();
  std::erase_if(found, [&](const checks::Cell& cell) { return cell.problem.op != op; });
  return checks::every_nth(found, 4, number_of(arch, known) + static_cast<std::size_t>(op));
}

using Kernels = std::tuple<std::string, Op>;
class HipReduce : public ::testing::TestWithParam<Kernels> {};

TEST_P(HipReduce, KernelsAreAsAskedFor) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  const auto& [arch, op] = GetParam();
  const kernels::Family& reduce = kernels::find_family("reduce");
  std::vector<AskedKernel> asked;
  const Architectures known = architectures();
  for (const checks::Cell& cell : cells_of(arch, op, known)) {
    auto some = sample(cell, arch, known, checks::kernel_configs(cell.problem, imagined(arch)));
    if (!checks::is_full_run()) some.resize(configs_of_samples);
    std::ranges::move(some, std::back_inserter(asked));
  }
  std::vector<std::vector<std::string>> units;
  std::vector<std::string> names;
  for (const AskedKernel& one : asked) {
    units.push_back(reduce.name_expressions(kernels::settings_of(one.config), one.problem,
                                            one.limits.wave_size));
    names.insert(names.end(), units.back().begin(), units.back().end());
  }
  const auto program = compiled({reduce.device_text(Problem{}), names, arch});
  ASSERT_EQ(program.kernels.size(), names.size());
  const auto notes = read_code_object(program.binary);
  const auto code = checks::machine_code(program.binary);
  auto kernel = program.kernels.begin();
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const std::string& name : units[i]) {
      const std::string& symbol = (kernel++)->symbol;
      ASSERT_TRUE(code.contains(symbol)) << symbol;
      EXPECT_EQ(fault_of(code.at(symbol), notes.at(symbol), asked[i].limits), "") << name;
      if (name != units[i][0]) continue;
      EXPECT_EQ(fault_of(code.at(symbol), notes.at(symbol), asked[i]), "") << name;
    }
  }
}

/// The second launch does.
TEST(HipReduceCode, TheFirstLaunchOfTwoLooksForNoIndex) {
  for (const char* arch : {"gfx90a", "gfx1030"}) {
    for (const auto& [op, type] : {std::pair(Op::argmin, DType::f32), {Op::argmax, DType::f16}}) {
      const auto two_launches = needs_of(op, type, "second_pass", arch);
      const auto one_launch = needs_of(op, type, "last_block", arch);
      ASSERT_TRUE(two_launches.code_bytes && one_launch.code_bytes);
      EXPECT_LT(*two_launches.code_bytes, 0.7 * *one_launch.code_bytes) << arch;
      EXPECT_LT(two_launches.shared_bytes, one_launch.shared_bytes) << arch;
    }
  }
}

std::vector<Op> operators() {
  std::vector<Op> found;
  for (const checks::Cell& cell : checks::cells_of_many_tiles()) {
    if (std::ranges::count(found, cell.problem.op) == 0) found.push_back(cell.problem.op);
  }
  return found;
}

std::vector<Kernels> all_kernels(const Architectures& known) {
  std::vector<Kernels> all;
  for (const std::string& arch : known) {
    for (const Op op : operators()) all.emplace_back(arch, op);
  }
  return all;
}

checks::Axes axes_of(const Kernels& one) {
  return {std::get<0>(one), std::string(to_string(std::get<1>(one)))};
}

std::vector<Kernels> some_kernels(const Architectures& known) {
  return checks::every_value(all_kernels(known), axes_of);
}

constexpr auto name_of_kernels = [](const auto& test) {
  return name_of(std::get<0>(test.param)) + "_" + std::string(to_string(std::get<1>(test.param)));
};
INSTANTIATE_TEST_SUITE_P(Some, HipReduce, ::testing::ValuesIn(some_kernels(architectures())),
                         name_of_kernels);
INSTANTIATE_TEST_SUITE_P(Full, HipReduce,
                         ::testing::ValuesIn(checks::all_but(some_kernels(architectures()),
                                                             all_kernels(architectures()),
                                                             axes_of)),
                         name_of_kernels);

/// The compile matrix has one of each two.
TEST(FullHipTwins, HaveTheSameKernels) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  const kernels::Family& reduce = kernels::find_family("reduce");
  for (const auto& [first, other] : twins()) {
    std::vector<std::string> names;
    for (const checks::Cell& cell : checks::cells_of_many_tiles()) {
      const auto all = checks::kernel_configs(cell.problem, imagined(first));
      ASSERT_EQ(all.size(), checks::kernel_configs(cell.problem, imagined(other)).size());
      const auto& config = all[cell.number * 7919 % all.size()];
      std::ranges::move(reduce.name_expressions(kernels::settings_of(config), cell.problem,
                                                imagined(first).wave_size),
                        std::back_inserter(names));
    }
    const auto code_for = [&](const std::string& arch) {
      auto code =
          checks::machine_code(compiled({reduce.device_text(Problem{}), names, arch}).binary);
      code.erase("");  // names the file
      return code;
    };
    const auto code = code_for(first);
    EXPECT_GT(code.size(), 227U) << "some of two kernels, some the same";
    EXPECT_EQ(code, code_for(other)) << first << " and " << other;
  }
}

/// Of pairs, whichever values they hold: axis * 16 + number.
std::bitset<256> values_in(const std::bitset<checks::most_pairs>& pairs) {
  std::bitset<256> values;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    if (!pairs[pair]) continue;
    values.set((pair >> 12) * 16 + (pair >> 4) % 16);
    values.set((pair >> 8) % 16 * 16 + pair % 16);
  }
  return values;
}

/// What samples hold on a list of architectures.
struct Held {
  std::bitset<checks::most_pairs> possible;
  std::bitset<checks::most_pairs> by_all;
  std::bitset<checks::most_pairs> by_some;
  std::set<DType> types_of_some;
};

Held held_on(const Architectures& known) {
  Held held;
  const std::vector<Kernels> some = some_kernels(known);
  for (const std::string& arch : known) {
    for (const checks::Cell& cell : checks::cells_of_many_tiles()) {
      const auto is_this = [&](const checks::Cell& one) { return one.number == cell.number; };
      const Op op = cell.problem.op;
      const bool is_of_some = std::ranges::count(some, Kernels(arch, op)) > 0 &&
                              std::ranges::any_of(cells_of(arch, op, known), is_this);
      if (is_of_some) held.types_of_some.insert(cell.problem.in);
      const auto all = checks::kernel_configs(cell.problem, imagined(arch));
      for (const auto& config : all) {
        for (const auto& pair : checks::pairs_of(config)) held.possible.set(pair);
      }
      const auto asked = sample(cell, arch, known, all);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        for (const auto& pair : checks::pairs_of(asked[i].config)) {
          held.by_all.set(pair);
          if (is_of_some && i < configs_of_samples) held.by_some.set(pair);
        }
      }
    }
  }
  return held;
}

void expect_held_on(const Architectures& known) {
  const Held held = held_on(known);
  EXPECT_GT(held.possible.count(), 200u);
  EXPECT_EQ((held.possible & ~held.by_all).count(), 0u);
  EXPECT_GT(values_in(held.possible).count(), 20u);
  EXPECT_EQ(values_in(held.by_some), values_in(held.possible));
  EXPECT_EQ(held.types_of_some.size(), all_dtypes().size());
}

TEST(FullHipReduceSample, HoldsEveryTwoValuesThatGoTogetherAndInEveryRunEveryValue) {
  expect_held_on(architectures());
}

/// Whichever HIP is installed.
TEST(FullHipReduceSample, HoldsThemAlsoOnWhatOtherHipsKnow) {
  expect_held_on(architectures_of_every_hip());
}

TEST(FullHipReduceSample, HoldsEveryTwoValuesThatGoTogetherOnFewArchitectures) {
  for (const Architectures& known : {Architectures{"gfx900"},
                                     {"gfx1201"},
                                     {"gfx90a", "gfx1030"},
                                     {"gfx908", "gfx942", "gfx1100"}}) {
    const Held held = held_on(known);
    EXPECT_GT(held.possible.count(), 200u);
    EXPECT_EQ((held.possible & ~held.by_all).count(), 0u) << known.front();
  }
}

}  // namespace
}  // namespace redtune::device::hip::testing
