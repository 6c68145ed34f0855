// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A sample of the matrix that ./dev matrix compiles as a whole: of every operator and type on every
// architecture the default, or one of the configs with most registers, and one more. Over all of
// them every two values of tunables occur together that may.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "kernel_templates/family/family.hpp"
#include "tests/device/hip_architectures.hpp"
#include "tests/device/kernel_inspection.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/kernels/kernel_configs.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::hip::testing {
namespace {

Limits imagined(const std::string& arch) {
  return checks::with_units(limits_of(arch));
}

std::vector<checks::Cell> cells() {
  return checks::contract_cells(std::int64_t{1} << 24);
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

/// Different ones for each cell and architecture.
std::vector<AskedKernel> sample(const checks::Cell& cell, const std::string& arch,
                                const std::vector<kernels::ReduceConfig>& all) {
  const std::vector<std::string> known = architectures();
  const auto number = static_cast<std::size_t>(std::ranges::find(known, arch) - known.begin());
  const Limits limits = imagined(arch);
  const auto full = checks::fullest(all);
  const auto pairs = checks::covering_pairs(all);
  const std::size_t turn = cell.number + number;
  return {
      {pairs[(cell.number * known.size() + number) % pairs.size()], cell.problem, limits},
      {turn % 4 == 0 ? full[turn / 4 % full.size()] : kernels::default_config(cell.problem, limits),
       cell.problem, limits}};
}

/// Every fourth cell of an operator, of each architecture other ones; all in a full run.
std::vector<checks::Cell> cells_of(const std::string& arch, Op op) {
  const std::vector<std::string> known = architectures();
  std::vector<checks::Cell> found = cells();
  std::erase_if(found, [&](const checks::Cell& cell) { return cell.problem.op != op; });
  const auto turn = std::ranges::find(known, arch) - known.begin() + static_cast<long>(op);
  return checks::every_nth(found, 4, static_cast<std::size_t>(turn));
}

using Kernels = std::tuple<std::string, Op>;
class HipReduce : public ::testing::TestWithParam<Kernels> {};

TEST_P(HipReduce, KernelsAreAsAskedFor) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  const auto& [arch, op] = GetParam();
  const kernels::Family& reduce = kernels::find_family("reduce");
  std::vector<AskedKernel> asked;
  for (const checks::Cell& cell : cells_of(arch, op)) {
    const auto all = checks::kernel_configs(cell.problem, imagined(arch));
    std::ranges::move(sample(cell, arch, all), std::back_inserter(asked));
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
  for (const checks::Cell& cell : cells()) {
    if (std::ranges::count(found, cell.problem.op) == 0) found.push_back(cell.problem.op);
  }
  return found;
}

std::vector<Kernels> all_kernels() {
  std::vector<Kernels> all;
  for (const std::string& arch : architectures()) {
    for (const Op op : operators()) all.emplace_back(arch, op);
  }
  return all;
}

checks::Axes axes_of(const Kernels& one) {
  return {std::get<0>(one), std::string(to_string(std::get<1>(one)))};
}

std::vector<Kernels> some_kernels() {
  return checks::every_value(all_kernels(), axes_of);
}

constexpr auto name_of_kernels = [](const auto& test) {
  return name_of(std::get<0>(test.param)) + "_" + std::string(to_string(std::get<1>(test.param)));
};
INSTANTIATE_TEST_SUITE_P(Some, HipReduce, ::testing::ValuesIn(some_kernels()), name_of_kernels);
INSTANTIATE_TEST_SUITE_P(Full, HipReduce,
                         ::testing::ValuesIn(checks::all_but(some_kernels(), all_kernels(),
                                                             axes_of)),
                         name_of_kernels);

/// The compile matrix has one of each two.
TEST(FullHipTwins, HaveTheSameKernels) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  const kernels::Family& reduce = kernels::find_family("reduce");
  for (const auto& [first, other] : twins()) {
    std::vector<std::string> names;
    for (const checks::Cell& cell : cells()) {
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

/// Cells of one size of elements have one space, but for what their operators need. 16 seconds.
TEST(FullHipReduceSample, HoldsEveryTwoValuesThatGoTogetherAndInEveryRunEveryValue) {
  std::bitset<checks::most_pairs> possible;
  std::bitset<checks::most_pairs> held;
  std::bitset<checks::most_pairs> held_by_some;
  std::set<DType> types;
  const std::vector<Kernels> some = some_kernels();
  for (const std::string& arch : architectures()) {
    for (const checks::Cell& cell : cells()) {
      const auto is_this = [&](const checks::Cell& one) { return one.number == cell.number; };
      const bool is_of_some = std::ranges::count(some, Kernels(arch, cell.problem.op)) > 0 &&
                              std::ranges::any_of(cells_of(arch, cell.problem.op), is_this);
      if (is_of_some) types.insert(cell.problem.in);
      const auto all = checks::kernel_configs(cell.problem, imagined(arch));
      for (const auto& config : all) {
        for (const auto& pair : checks::pairs_of(config)) possible.set(pair);
      }
      for (const AskedKernel& one : sample(cell, arch, all)) {
        for (const auto& pair : checks::pairs_of(one.config)) {
          held.set(pair);
          if (is_of_some) held_by_some.set(pair);
        }
      }
    }
  }
  EXPECT_GT(possible.count(), 200u);
  EXPECT_EQ((possible & ~held).count(), 0u);
  EXPECT_GT(values_in(possible).count(), 20u);
  EXPECT_EQ(values_in(held_by_some), values_in(possible));
  EXPECT_EQ(types.size(), all_dtypes().size());
}

}  // namespace
}  // namespace redtune::device::hip::testing
