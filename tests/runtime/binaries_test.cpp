// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels that were compiled once are loaded, and never those of another compiler or what is left
// of them.
#include "cache/binaries/binaries.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "cache/files/paths.hpp"
#include "device/registry.hpp"
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

TEST(Binaries, OfNewConfigsAreCompiledWithoutTheOld) {
  NullGpu gpu;
  (void)gpu.reducer();
  gpu.publish(1 << 20, "64");
  (void)gpu.reducer();
  ASSERT_EQ(gpu.compiled().size(), 2U);
  EXPECT_EQ(gpu.compiled()[1].find(" & "), std::string::npos) << gpu.compiled()[1];
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
    const Settings settings = family.default_settings(NullGpu::problem(count), device->limits());
    all.insert(family.name_expressions(settings, problem, 1));
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

}  // namespace
}  // namespace redtune
