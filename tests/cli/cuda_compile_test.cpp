// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVIDIA's compiler makes of the kernels: configs compile without spills.
#include <gtest/gtest.h>

#include "tests/cli/custom_operators.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cli {
namespace {

Words compile_words(const Words& targets, const Words& settings, const Words& more = {}) {
  Words words{"kernels", "compile"};
  for (const std::string& target : targets) words.insert(words.end(), {"--target", target});
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The settings of a single config, quickly compiled.
const Words one_config{"block_size=64", "finish=single_block", "items_per_thread=1", "load=cached"};

class CudaCompile : public ::testing::Test {
 protected:
  void SetUp() override {
    const Said said = home_.run(compile_words({"cuda:sm_90"}, one_config));
    if (said.code == 6 && said.says("no NVRTC here")) GTEST_SKIP() << said.err;
  }
  /// Those of the targets that the NVRTC of this machine knows.
  [[nodiscard]] Words known(const Words& targets) const {
    Words found;
    for (const std::string& target : targets) {
      // Refused is refused; what does not compile is for the test to find.
      if (home_.run(compile_words({target}, one_config)).code != 2) found.push_back(target);
    }
    return found;
  }
  /// The JSON of kernels compile.
  [[nodiscard]] json compiled(const Words& targets, const Words& settings, Words more = {}) const {
    more.emplace_back("--json");
    const Said said = home_.run(compile_words(targets, settings, more));
    EXPECT_EQ(said.code, 0) << said.err;
    return said.document().at("targets");
  }

  Home home_;
};

/// Every kernel of every config: what it needs is known, nothing is kept in memory.
void expect_no_spills(const json& target) {
  ASSERT_GT(target.at("configs").size(), 0u);
  for (const json& config : target.at("configs")) {
    ASSERT_TRUE(config.contains("kernels")) << config.dump();
    for (const json& kernel : config.at("kernels")) {
      EXPECT_EQ(kernel.at("spills"), 0) << target.at("target") << kernel.dump();
      EXPECT_EQ(kernel.at("scratch_bytes"), 0) << target.at("target") << kernel.dump();
      EXPECT_GT(kernel.at("vector_registers"), 0) << kernel.dump();
      EXPECT_LE(kernel.at("vector_registers"), 255) << kernel.dump();
      EXPECT_GE(kernel.at("shared_bytes"), 0) << kernel.dump();
      EXPECT_GT(kernel.at("code_bytes"), 0) << kernel.dump();
      EXPECT_FALSE(kernel.contains("scalar_registers")) << kernel.dump();
    }
  }
}

TEST_F(CudaCompile, TellsTheRegistersOfACommonConfigForEveryTarget) {
  const Words targets =
      known({"cuda:sm_80", "cuda:sm_86", "cuda:sm_89", "cuda:sm_90", "cuda:sm_100", "cuda:sm_120"});
  ASSERT_GE(targets.size(), 4u);  // NVRTC 12.0 knows the first four
  Words settings{"block_size=256", "items_per_thread=16"};
  if (!checks::is_full_run()) {
    settings.insert(settings.end(), {"load=cached", "tile_order=strided", "blocks_per_unit=2",
                                     "slot_stride=8", "slot_reader=wave", "slot_wait=all",
                                     "exact_tiles=off", "early_start=off", "vector_width=4"});
  }
  const json documents = compiled(targets, settings);
  ASSERT_EQ(documents.size(), targets.size());
  for (const json& target : documents) expect_no_spills(target);
}

/// The operators of the how-to; GPUs' words are neither needed nor in the way.
TEST_F(CudaCompile, CompilesCustomOperatorsOfEveryType) {
  const std::string source = (home_ / "op.hpp").string();
  const Words some = settings_for_custom();
  const std::vector<std::string> targets{"cuda:sm_80", "cuda:sm_90"};
  std::size_t turn = 0;
  for (const auto& [name, type] : custom_cells()) {
    cache::testing::write_text(source, custom_operators().at(name));
    for (const json& target : compiled(checks::every_nth(targets, targets.size(), turn++), some,
                                       {"--op-source", source, "--type", type})) {
      expect_no_spills(target);
    }
  }
}

TEST_F(CudaCompile, TellsTheLineOfACustomOperatorThatDoesNotCompile) {
  expect_errors_of_custom_operators(home_, "cuda:sm_90", "identifier \"y\" is undefined");
}

TEST_F(CudaCompile, TheTableSaysTheSameAsTheDocument) {
  const Words settings{"block_size=256", "items_per_thread=16", "vector_width=4",
                       "load=cached",    "finish=second_pass",  "exact_tiles=off"};
  const Said said = home_.run(compile_words({"cuda:sm_90"}, settings));
  ASSERT_EQ(said.code, 0) << said.err;
  const json configs = compiled({"cuda:sm_90"}, settings)[0].at("configs");
  ASSERT_EQ(configs.size(), 1u);
  const json& kernel = configs[0].at("kernels")[0];
  std::istringstream lines(said.out);
  std::string target, head, vgprs, sgprs;
  std::getline(lines, target);
  std::getline(lines, head);
  int spills = -1, scratch = -1, shared = -1, code = -1;
  lines >> vgprs >> sgprs >> spills >> scratch >> shared >> code;
  EXPECT_EQ(target, "target cuda:sm_90");
  EXPECT_EQ(vgprs, std::to_string(kernel.at("vector_registers").get<int>()));
  EXPECT_EQ(sgprs, "-");  // there are none
  EXPECT_EQ(spills, kernel.at("spills"));
  EXPECT_EQ(scratch, kernel.at("scratch_bytes"));
  EXPECT_EQ(shared, kernel.at("shared_bytes"));
  EXPECT_EQ(code, kernel.at("code_bytes"));
  EXPECT_TRUE(said.says("cuda:sm_90: 1 config compiled, 0 failed, 0 with spills")) << said.out;
}

TEST_F(CudaCompile, BinariesAreOfTheirArchitecture) {
  const auto folder = home_ / "binaries";
  (void)compiled({"cuda:sm_90"}, one_config, {"--out", folder.string()});
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".co") continue;
    const std::string bytes = cache::testing::read_text(entry.path());
    EXPECT_TRUE(bytes.starts_with("\177ELF")) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 1);
}

TEST_F(CudaCompile, AnUnknownArchitectureIsToldWithTheKnownOnes) {
  const Said unknown = home_.run(compile_words({"cuda:sm_71"}, {}));
  EXPECT_EQ(unknown.code, 2) << unknown.err;
  EXPECT_TRUE(unknown.says("it knows ")) << unknown.err;
  EXPECT_TRUE(unknown.says("sm_90")) << unknown.err;
  const Said other = home_.run(compile_words({"cuda:gfx90a"}, {}));
  EXPECT_EQ(other.code, 2) << other.err;
  EXPECT_TRUE(other.says("write it as in sm_90")) << other.err;
}

}  // namespace
}  // namespace redtune::cli
