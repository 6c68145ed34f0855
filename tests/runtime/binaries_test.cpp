// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels that were compiled once are loaded, and never those of another compiler or what is left
// of them.
#include "cache/binaries/binaries.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <sstream>

#include "cache/files/paths.hpp"
#include "device/registry.hpp"
#include "redtune/reduce_by_key.hpp"
#include "runtime/compiled_unit_cache.hpp"
#include "runtime/resolve.hpp"
#include "tests/runtime/null_gpu.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune {
namespace {

using testing_runtime::NullGpu;
namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);  // folders have them in any order
  return files;
}

TEST(Binaries, AreCompiledOnceInOneProgram) {
  NullGpu gpu;
  for (const char* block : {"64", "128", "256", "512"}) {
    gpu.publish(std::int64_t{1} << (block[0] - '0' + 12), block);
  }
  (void)gpu.reducer();
  EXPECT_EQ(gpu.compiled().size(), 1U);
  (void)gpu.reducer();
  EXPECT_EQ(gpu.compiled().size(), 1U) << gpu.compiled().back();
}

/// The kernels of a program, without their template arguments, with the block size that tells
/// whose they are: "reduce 64".
std::multiset<std::string> kernels_of(const std::string& program) {
  std::multiset<std::string> found;
  std::istringstream names(program);
  for (std::string name; std::getline(names, name, '&');) {
    const auto begin = name.find("redtune::") + std::string_view("redtune::").size();
    for (const char* const block : {"64", "128", "256"}) {
      const std::string shape = std::string(", ") + block + ", 16, 4, ";
      if (name.find(shape) == std::string::npos) continue;
      found.insert(name.substr(begin, name.find('<') - begin) + ' ' + block);
    }
  }
  return found;
}

TEST(Binaries, OfNewConfigsAreCompiledWithoutTheOld) {
  NullGpu gpu;
  (void)gpu.reducer();
  gpu.publish(1 << 20, "64");
  (void)gpu.reducer();
  gpu.publish(1 << 28, "128");
  (void)gpu.reducer();
  ASSERT_EQ(gpu.compiled().size(), 3U);
  // What was tuned for 2^20 answers up to its other kernels, and behind them up to 2^24.
  EXPECT_EQ(kernels_of(gpu.compiled()[1]),
            (std::multiset<std::string>{"reduce 64", "reduce_backwards 64"}));
  EXPECT_EQ(kernels_of(gpu.compiled()[2]), std::multiset<std::string>{"reduce_backwards 128"});
}

TEST(Fault36, AnUpgradedCompilerLoadsNothingOld) {
  NullGpu gpu;
  (void)gpu.reducer();
  setenv("REDTUNE_NULL_COMPILER", "null compiler 2", 1);
  (void)gpu.reducer();
  EXPECT_EQ(gpu.compiled().size(), 2U);
  setenv("REDTUNE_NULL_COMPILER", "null compiler 1", 1);
  (void)gpu.reducer();
  EXPECT_EQ(gpu.compiled().size(), 2U);
}

TEST(Fault36, EveryFieldOfAToolchainIsPartOfTheKey) {
  const DeviceIdentity device = cache::testing::sample_device();
  const std::string before = runtime::toolchain_text(device);
  for (const auto field : {&Toolchain::driver, &Toolchain::runtime, &Toolchain::compiler}) {
    DeviceIdentity upgraded = device;
    upgraded.toolchain.*field += ".1";
    EXPECT_NE(runtime::toolchain_text(upgraded), before);
  }
}

class DamagedBinaries : public testing::TestWithParam<const char*> {};

TEST_P(DamagedBinaries, AreCompiledAnew) {
  std::size_t files = 2;  // a binary, and units that point to it
  for (std::size_t i = 0; i < files; ++i) {
    // What is compiled anew is kept in another file: each is damaged where nothing was before.
    NullGpu gpu;
    (void)gpu.reducer();
    const auto all = files_of(gpu.binaries());
    ASSERT_GE(all.size(), files);
    files = all.size();
    const fs::path& file = all[i];
    const auto whole = cache::testing::read_text(file);
    const std::string how = GetParam();
    std::string damaged = whole;
    if (how == "flipped") damaged.back() = static_cast<char>(damaged.back() ^ 1);
    if (how == "cut") damaged.resize(damaged.size() / 2);
    if (how == "empty") damaged.clear();
    cache::testing::write_text(file, damaged);
    const std::size_t before = gpu.compiled().size();
    (void)gpu.reducer();
    EXPECT_EQ(gpu.compiled().size(), before + 1) << file;
    (void)gpu.reducer();
    EXPECT_EQ(gpu.compiled().size(), before + 1) << "kept again";
  }
}

INSTANTIATE_TEST_SUITE_P(All, DamagedBinaries, testing::Values("flipped", "cut", "empty"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Binaries, OfAFolderThatOthersMayWriteAreNotLoaded) {
  NullGpu gpu;
  (void)gpu.reducer();
  fs::permissions(gpu.binaries(), fs::perms::all);
  (void)gpu.reducer();
  EXPECT_EQ(gpu.compiled().size(), 2U);
}

TEST(Binaries, AreNotNeeded) {
  NullGpu gpu;
  unsetenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string kept = home != nullptr ? home : "";
  unsetenv("HOME");
  EXPECT_NO_THROW((void)gpu.reducer());
  EXPECT_NO_THROW((void)gpu.reducer());
  EXPECT_EQ(gpu.compiled().size(), 2U);
  setenv("XDG_CACHE_HOME", "/proc/no/folder", 1);
  EXPECT_NO_THROW((void)gpu.reducer());
  if (!kept.empty()) setenv("HOME", kept.c_str(), 1);
}

TEST(Binaries, OfTheTunerServeTheLibrary) {
  NullGpu home;
  const device::Selection host = runtime::registry().select("host");
  const auto device = device::open(host);
  const kernels::Family& family = kernels::find_family("reduce");
  const Problem problem = NullGpu::problem(1000);
  // The default configs of all counts, in one batch with another that nobody asks for.
  std::set<tuner::CompileUnit> all{
      family.name_expressions(testing_runtime::unusual_settings(), problem, 1)};
  for (std::int64_t count = 1; count < (std::int64_t{1} << 40); count *= 2) {
    const Problem of_count = NullGpu::problem(count);
    const Settings settings = family.default_settings(of_count, device->limits());
    all.insert(family.name_expressions(settings, of_count, 1));
  }
  const cache::Binaries binaries(cache::binaries_folder());
  tuner::CompileTarget target =
      tuner::target_of(*host.platform, device->identity(), family.device_text(problem));
  target.binaries = &binaries;
  target.toolchain = runtime::toolchain_text(device->identity());
  const std::vector<tuner::CompileUnit> units(all.begin(), all.end());
  (void)tuner::CompilePool(target, {}, 1).compile(units);

  const auto kept = files_of(home.binaries());
  ASSERT_EQ(kept.size(), units.size() + 1);
  Reducer sum(problem, {.device = "host", .lookup = home.results.options()});
  EXPECT_EQ(files_of(home.binaries()).size(), kept.size()) << "something was compiled";
  const std::vector<float> ones(1000, 1.0F);
  EXPECT_EQ(sum.reduce<float>(std::span<const float>(ones)), 1000.0F);
}

TEST(StoredConfig, ThatDoesNotCompileIsAnsweredByTheDefault) {
  NullGpu gpu;
  gpu.publish(1 << 20, "64");
  setenv("REDTUNE_NULL_REFUSES", ", 64, 16, 4", 1);
  const Reducer reducer = gpu.reducer();
  EXPECT_EQ(reducer.answer().match, Match::fallback);
  EXPECT_NE(reducer.answer().explanation.find("does not compile"), std::string::npos)
      << reducer.answer().explanation;
  EXPECT_THROW(
      Reducer(NullGpu::problem(), {.device = "cuda:0", .lookup = gpu.results.options(Match::near)}),
      UnmetMatch);
}

TEST(StoredConfig, OfWhichOneKernelDoesNotCompileAnswersByTheOther) {
  NullGpu gpu;
  gpu.publish(1 << 20, "64");
  constexpr std::int64_t large = (std::int64_t{1} << 23) + 1;  // f32: 32 MiB and one
  setenv("REDTUNE_NULL_REFUSES",
         "reduce_backwards<redtune::sum, float, float, float, "
         "redtune::last_block<redtune::full_fence>, 64, 16, 4",
         1);
  const Reducer reducer = gpu.reducer();
  EXPECT_EQ(reducer.answer(large - 1).match, Match::near);
  EXPECT_EQ(reducer.answer(large).match, Match::fallback);
  EXPECT_NE(reducer.answer(large).explanation.find("does not compile"), std::string::npos);
}

TEST(DefaultConfig, ThatDoesNotCompileIsAnError) {
  const NullGpu gpu;
  setenv("REDTUNE_NULL_REFUSES", "reduce", 1);
  try {
    (void)gpu.reducer();
    ADD_FAILURE() << "compiled";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("refused"), std::string::npos) << error.what();
  }
}

/// A result for segments in shares, which has a kernel of its own for launches with a plan, and one
/// for those by key.
class StoredShares : public testing::Test {
 protected:
  StoredShares() { gpu_.results.publish(problem_, identify_device("cuda:0"), shares_); }

  [[nodiscard]] ReducerOptions options(Match minimum = Match::fallback) const {
    return {.device = "cuda:0", .lookup = gpu_.results.options(minimum)};
  }
  [[nodiscard]] Reducer reducer(Match minimum = Match::exact) const {
    return Reducer(problem_, options(minimum));
  }
  /// Without the kernel that stored shares have there.
  static void expect_default(const Answer& answer) {
    EXPECT_EQ(answer.match, Match::fallback);
    EXPECT_EQ(answer.explanation, "the stored configuration does not compile here: refused");
    EXPECT_EQ(answer.settings.front(), (Setting{"way", "tiles"}));
    EXPECT_EQ(answer.time_us, std::nullopt);
  }

  NullGpu gpu_;
  const Problem problem_ = make_problem(Op::sum, DType::f32, Shape::segments(1 << 20, 1 << 14));
  const Settings shares_ = parse_settings(
      "way=slots staging=off block_size=128 threads_per_segment=8 segments_per_thread=2 "
      "loads_per_thread=1 vector_width=4 blocks_per_unit=4 load=cached early_start=off");
  // Nobody reads them.
  const SegmentOffsets offsets_{&problem_, &problem_, 1 << 14, 32};
};

TEST_F(StoredShares, ThatDoNotCompileWithAPlanAreAnsweredByTheDefault) {
  setenv("REDTUNE_NULL_REFUSES", "reduce_planned_shares", 1);
  const Reducer tuned = reducer(Match::fallback);
  EXPECT_EQ(tuned.answer().settings, shares_) << "without a plan they do";
  const SegmentPlan plan = tuned.plan_segments(1 << 20, offsets_);
  expect_default(plan.answer());
  EXPECT_THROW((void)reducer().plan_segments(1 << 20, offsets_), UnmetMatch);
  unsetenv("REDTUNE_NULL_REFUSES");
  EXPECT_EQ(reducer().plan_segments(1 << 20, offsets_).answer().settings, shares_);
}

TEST_F(StoredShares, LeaveRoomForThePlanOfTheDefault) {
  setenv("REDTUNE_NULL_REFUSES", "reduce_planned_shares", 1);
  const Reducer tuned = reducer(Match::fallback);
  SegmentPlanOptions given;
  given.bytes = tuned.segment_plan_bytes(1 << 20, 1 << 14);
  const auto memory = std::make_unique<std::byte[]>(given.bytes + 256);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.get());
  given.memory = reinterpret_cast<void*>((address + 255) / 256 * 256);
  expect_default(tuned.plan_segments(1 << 20, offsets_, given).answer());
}

TEST_F(StoredShares, InAWayThatDoesNotCompileAreAnsweredByThatOfTheDefault) {
  const Reducer tuned = reducer(Match::fallback);
  const SegmentPlanOptions in_shares{.way = PlanWay::shares};
  setenv("REDTUNE_NULL_REFUSES", "reduce_planned_shares", 1);
  EXPECT_THROW((void)tuned.plan_segments(1 << 20, offsets_, in_shares), DeviceError)
      << "the default's are refused as well";
  setenv("REDTUNE_NULL_REFUSES", ", 128, 8, 2, 1, 4,", 1);
  const Answer answer = tuned.plan_segments(1 << 20, offsets_, in_shares).answer();
  EXPECT_EQ(answer.explanation, "the stored configuration does not compile here: refused");
  EXPECT_NE(answer.settings, shares_);
  EXPECT_NE(answer.settings.front(), (Setting{"way", "tiles"}));
}

TEST_F(StoredShares, ThatDoNotCompileByKeyAreAnsweredByTheDefault) {
  const ByKeyOptions as_segments{.way = ByKeyWay::segments};
  setenv("REDTUNE_NULL_REFUSES", "reduce_counted", 1);
  EXPECT_THROW(ByKeyReducer(problem_, 32, options(), as_segments), DeviceError)
      << "nor does the default";
  setenv("REDTUNE_NULL_REFUSES", "reduce_counted_shares", 1);
  expect_default(ByKeyReducer(problem_, 32, options(), as_segments).answer());
  EXPECT_THROW(ByKeyReducer(problem_, 32, options(Match::near), as_segments), UnmetMatch);
  unsetenv("REDTUNE_NULL_REFUSES");
  const ByKeyReducer tuned(problem_, 32, options(Match::exact), as_segments);
  EXPECT_EQ(tuned.answer().settings, shares_);
  EXPECT_EQ(tuned.settings(), shares_);
}

TEST_F(StoredShares, TakeThePlaceOfTilesThatDoNotCompile) {
  setenv("REDTUNE_NULL_REFUSES", "reduce_tiles_by_key", 1);
  const ByKeyReducer as_segments(problem_, 32, options());
  EXPECT_EQ(as_segments.way(), ByKeyWay::segments);
  EXPECT_EQ(as_segments.settings(), shares_);
  EXPECT_THROW(ByKeyReducer(problem_, 32, options(), {.way = ByKeyWay::tiles}), DeviceError);
  unsetenv("REDTUNE_NULL_REFUSES");
  EXPECT_EQ(ByKeyReducer(problem_, 32, options()).way(), ByKeyWay::tiles);
}

}  // namespace
}  // namespace redtune
