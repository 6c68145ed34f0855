// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What AMD's compiler makes of the kernels: no spills, and loads as wide as asked.
#include <gtest/gtest.h>

#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "tests/cli/custom_operators.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tests/device/machine_code.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cli {
namespace {

constexpr const char* targets[] = {"hip:gfx90a", "hip:gfx1030", "hip:gfx906"};

/// Of many compiled in turn: all targets in a full run, else one after the other.
std::vector<std::string> next_targets() {
  static std::size_t turn = 0;
  if (checks::is_full_run()) return {std::begin(targets), std::end(targets)};
  return {targets[turn++ % std::size(targets)]};
}

/// The JSON of kernels compile for these targets and settings.
json compiled(const Home& home, const std::vector<std::string>& for_targets, const Words& settings,
              const Words& more = {}) {
  Words words{"kernels", "compile", "--json"};
  for (const std::string& target : for_targets) words.insert(words.end(), {"--target", target});
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), more.begin(), more.end());
  const Said said = home.run(words);
  EXPECT_EQ(said.code, 0) << said.err;
  json documents = said.document().at("targets");
  EXPECT_EQ(documents.size(), for_targets.size());
  return documents;
}

/// Every kernel of every config: registers are known, nothing is kept in memory.
void expect_no_spills(const json& documents) {
  for (const json& target : documents) {
    ASSERT_GT(target.at("configs").size(), 0u);
    for (const json& config : target.at("configs")) {
      ASSERT_TRUE(config.contains("kernels")) << config.dump();
      for (const json& kernel : config.at("kernels")) {
        EXPECT_EQ(kernel.at("spills"), 0) << target.at("target") << kernel.dump();
        EXPECT_EQ(kernel.at("scratch_bytes"), 0) << target.at("target") << kernel.dump();
        EXPECT_GT(kernel.at("vector_registers"), 0) << kernel.dump();
        EXPECT_GT(kernel.at("code_bytes"), 0) << kernel.dump();
      }
    }
  }
}

TEST(HipCompile, TellsTheRegistersOfACommonConfigForThreeTargets) {
  const Home home;
  Words settings{"block_size=256", "items_per_thread=16"};
  if (!checks::is_full_run()) {
    settings.insert(settings.end(),
                    {"load=cached", "tile_order=strided", "blocks_per_unit=2", "slot_stride=8",
                     "slot_wait=all", "exact_tiles=off", "vector_width=4"});
  }
  expect_no_spills(compiled(home, {std::begin(targets), std::end(targets)}, settings));
}

/// Where registers are scarcest. Sums fold small integers in 32 bits, extremes lane by lane.
TEST(HipCompile, CompilesLargeBlocksOfSmallIntegersWithoutSpills) {
  const Home home;
  const std::vector<std::pair<const char*, const char*>> problems = {
      {"sum", "i8"}, {"max", "u8"}, {"sum", "u16"}, {"min", "i16"}};
  for (const auto& [op, type] : checks::every_nth(problems, 3)) {
    expect_no_spills(compiled(home, next_targets(),
                              {"block_size=1024", "finish=second_pass", "load=cached"},
                              {"--op", op, "--type", type}));
  }
}

bool may_accumulate(Op op, DType in, DType acc) {
  if (!why_not_taken(op, in).empty()) return false;
  try {
    return make_problem(op, in, 0, {.acc = acc}).acc == acc;
  } catch (const UsageError&) {
    return false;
  }
}

/// Compilers widen more elements at a time than they need: of tiles that a single block folds one
/// after another on gfx906, of loads of four on gfx1010, of loads of two i16 on gfx1030.
TEST(HipCompile, CompilesLargeBlocksThatWidenWithoutSpills) {
  const Home home;
  std::vector<Words> problems;
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& in : all_dtypes()) {
      const bool in_f64 = may_accumulate(op.op, in.dtype, DType::f64);
      if (size_of(in.dtype) != 2 || (!in_f64 && op.accumulates != TypeRule::magnitude)) continue;
      problems.push_back({"--op", std::string(op.name), "--type", std::string(in.name)});
      if (in_f64) problems.back().insert(problems.back().end(), {"--acc", "f64"});
    }
  }
  EXPECT_GT(problems.size(), 0u);
  // Every twenty-third: of each type one operator.
  for (const Words& problem : checks::every_nth(problems, 23)) {
    expect_no_spills(compiled(home, {"hip:gfx906"},
                              {"finish=single_block", "load=cached", "vector_width=8"}, problem));
    expect_no_spills(compiled(home, {"hip:gfx1010"},
                              {"finish=second_pass", "load=cached", "vector_width=4",
                               "block_size=512", "block_size=1024"},
                              problem));
  }
  expect_no_spills(compiled(
      home, {"hip:gfx1030"},
      {"finish=second_pass", "load=cached", "vector_width=2", "block_size=512", "block_size=1024"},
      {"--op", "sum_of_squares", "--type", "i16"}));
}

/// The operators of the how-to; GPUs' words are neither needed nor in the way.
TEST(HipCompile, CompilesCustomOperatorsOfEveryType) {
  const Home home;
  const std::string source = (home / "op.hpp").string();
  const Words some = settings_for_custom();
  for (const auto& [name, type] : custom_cells()) {
    cache::testing::write_text(source, custom_operators().at(name));
    const Words words{"--op-source", source, "--type", type};
    expect_no_spills(compiled(home, next_targets(), some, words));
  }
}

/// For launchers that know no text: the members of the user's struct, and words between blocks.
TEST(HipCompile, DescribesTheMembersOfACustomOperator) {
  const Home home;
  const std::string source = (home / "op.hpp").string();
  cache::testing::write_text(source, custom_operators().at("mean_and_deviation.hpp"));
  const auto folder = home / "binaries";
  (void)compiled(home, {"hip:gfx90a"},
                 {"block_size=256", "finish=last_block", "load=cached", "items_per_thread=16",
                  "vector_width=4", "tile_order=strided", "blocks_per_unit=2", "fence=full"},
                 {"--op-source", source, "--out", folder.string()});
  int described = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const json buffers = json::parse(cache::testing::read_text(entry.path())).at("buffers");
    const json& out = buffers.at("out");
    EXPECT_EQ(out.at("element_bytes"), 8);
    EXPECT_EQ(out.at("layout"), json::parse(R"([
        {"name": "mean", "type": "f32", "offset": 0},
        {"name": "deviation", "type": "f32", "offset": 4}])"));
    EXPECT_EQ(buffers.at("partials").at("element_bytes"), 16);
    EXPECT_EQ(buffers.at("partials").at("layout").at(0).at("name"), "words");
    ++described;
  }
  EXPECT_GE(described, 1);
}

TEST(HipCompile, TellsTheLineOfACustomOperatorThatDoesNotCompile) {
  const Home home;
  expect_errors_of_custom_operators(home, "hip:gfx90a", "use of undeclared identifier 'y'");
}

/// The machine code of each reduce kernel of gfx90a with these settings.
std::vector<std::string> code_of(const Words& settings, Words more = {}) {
  const Home home;
  const auto folder = home / "binaries";
  more.insert(more.end(), {"--out", folder.string()});
  const json documents = compiled(home, {"hip:gfx90a"}, settings, more);
  std::map<std::string, std::string> functions;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".co") functions.merge(checks::machine_code(entry.path()));
  }
  std::vector<std::string> code;
  for (const json& config : documents.at(0).at("configs")) {
    const std::string symbol = config.at("kernels").at(0).at("symbol");
    EXPECT_TRUE(functions.contains(symbol)) << symbol;
    code.push_back(functions[symbol]);
  }
  return code;
}

TEST(HipCompile, VectorWidthFourLoadsSixteenBytes) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  Words settings{"vector_width=4", "block_size=256", "items_per_thread=16"};
  if (!checks::is_full_run()) {
    settings.insert(settings.end(), {"slot_stride=8", "slot_wait=all"});
  }
  for (const std::string load : {"cached", "streaming"}) {
    const auto kernels = code_of(with(settings, {"load=" + load}));
    ASSERT_GE(kernels.size(), 3u) << load;
    for (const std::string& code : kernels) {
      const auto of_kernel = checks::lines_with(code, "global_load_dwordx4");
      // Four loads of a whole tile in flight.
      EXPECT_GE(of_kernel.size(), 4u) << load;
      for (const std::string& line : of_kernel) {
        const bool passes_by =
            line.find(" slc") != std::string::npos || line.find(" nt") != std::string::npos;
        EXPECT_EQ(passes_by, load == "streaming") << line;
      }
    }
  }
}

TEST(HipCompile, SumsFourBytesOrTwoHalvesByOneInstruction) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  for (const std::string type : {"i8", "u8", "i16", "u16"}) {
    const bool bytes = type.ends_with("8");
    const auto kernels = code_of({bytes ? "vector_width=16" : "vector_width=8", "block_size=256",
                                  bytes ? "items_per_thread=64" : "items_per_thread=32",
                                  "finish=second_pass", "exact_tiles=off"},
                                 {"--type", type});
    ASSERT_GE(kernels.size(), 1u);
    for (const std::string& code : kernels) {
      EXPECT_GE(checks::lines_with(code, "global_load_dwordx4").size(), 4u) << type;
      // Sixteen words of a whole tile and as many of the last one.
      EXPECT_EQ(checks::lines_with(code, bytes ? "v_sad_u8" : "v_sad_u16").size(), 32u) << type;
    }
  }
}

}  // namespace
}  // namespace redtune::cli
