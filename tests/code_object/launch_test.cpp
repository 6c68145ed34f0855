// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Code objects are run by nothing but the JSON beside them, and give the right values.
#include "kernel_templates/family/family.hpp"
#include "tests/code_object/host_launcher_api.hpp"
#include "tests/code_object/launch_checks.hpp"
#include "tests/code_object/shape_checks.hpp"
#include "tests/support/samples.hpp"

namespace redtune::code_object {
namespace {

using cli::Words;

const std::set<std::string> all_finishes{"single_block", "last_block", "last_wave", "second_pass",
                                         "atomic",       "slots"};  // counted is for integers

/// Configs of a few threads, launched in each way that the kernels of a config can be.
std::vector<Words> ways(const Words& problem) {
  std::vector<Words> all;
  for (const Words& way :
       {Words{"--set", "blocks_per_unit=0", "--count", "400"}, Words{"--set", "blocks_per_unit=2"},
        Words{"--set", "tile_order=chunked"}}) {
    Words words{"--target", "host:native", "--set", "block_size=4",  "--set", "items_per_thread=4",
                "--set",    "load=cached", "--set", "vector_width=4"};
    words.insert(words.end(), way.begin(), way.end());
    words.insert(words.end(), problem.begin(), problem.end());
    all.push_back(words);
  }
  return all;
}

TEST(CodeObjectLaunch, NeedsNothingButTheJson) {
  std::set<std::string> finishes;
  for (const Words& words : ways({"--op", "sum", "--order", "any"})) {
    finishes.merge(run_sums(host_launcher_api(), CompiledFolder(words)));
  }
  EXPECT_EQ(finishes, all_finishes);
  EXPECT_EQ(still_held(), 0);
}

TEST(CodeObjectLaunch, GivesAValueAndItsIndex) {
  std::set<std::string> finishes;
  for (const Words& words : checks::every_nth(ways({"--op", "argmin"}), 2)) {
    finishes.merge(run_argmins(host_launcher_api(), CompiledFolder(words)));
  }
  EXPECT_TRUE(finishes.contains("second_pass"));
  EXPECT_EQ(still_held(), 0);
}

/// The ways that ran, by family.
using Ways = std::map<std::string, std::set<std::string>>;

TEST(CodeObjectLaunch, NeedsNothingButTheJsonForShapes) {
  Ways ways;
  for (const LaunchedFamily& family : launched_families()) {
    const CompiledFolder folder(family.options("host:native", "4", false));
    ways[family.name].merge(run_shapes(host_launcher_api(), folder, family, {1, 3, 77}));
  }
  EXPECT_EQ(still_held(), 0);
  for (const kernels::Family* family : kernels::all_families()) {
    if (family->name() == "reduce") continue;  // above
    const std::vector<std::string> all = family->tunables().front().values;
    std::set<std::string> offered(all.begin(), all.end());
    offered.erase("bins");  // of segments with a plan, which no code objects are made for
    EXPECT_EQ(ways[std::string(family->name())], offered) << family->name();
  }
}

TEST(CodeObjectLaunch, ComputesTheGridOfEveryExample) {
  const CompiledFolder folder({"--target", "host:native", "--set", "block_size=8", "--set",
                               "items_per_thread=16", "--set", "vector_width=4", "--set",
                               "load=cached"});
  std::size_t examples = 0;
  for (const auto& file : folder.files(".json")) {
    const Document document = read_document(file);
    for (const Document& config : document.at("configs")) {
      expect_examples(config);
      const Document& rule = config.at("grid");
      for (const Document& example : rule.at("examples")) {
        const Geometry geometry =
            geometry_of(rule, example.at("count"), example.at("compute_units"));
        EXPECT_EQ(geometry.grid, example.at("grid")) << config.dump();
        EXPECT_EQ(geometry.run, example.at("run")) << config.dump();
        ++examples;
      }
    }
  }
  EXPECT_GT(examples, 20U);
}

TEST(CodeObjectLaunch, RefusesAnotherFormat) {
  const cli::Home home;
  cache::testing::write_text(home / "a.json", R"({"format": "redtune code object 2"})");
  EXPECT_THROW((void)read_document(home / "a.json"), std::runtime_error);
}

TEST(CodeObjectFolder, EveryBinaryHasAJsonThatKnowsItsBytes) {
  const CompiledFolder folder({"--target", "host:native", "--set", "block_size=1", "--set",
                               "items_per_thread=8", "--set", "load=cached"});
  ASSERT_FALSE(folder.files(".co").empty());
  for (auto file : folder.files(".co")) {
    const auto binary = file;
    const Document document = read_document(file.replace_extension(".json"));
    EXPECT_EQ(document.at("file"), binary.filename().string());
    EXPECT_EQ(document.at("file_bytes"), std::filesystem::file_size(binary));
    EXPECT_FALSE(document.at("configs").empty());
    EXPECT_TRUE(document.at("abi_version").is_null()) << "of AMD's code objects alone";
    for (const Document& config : document.at("configs")) {
      for (const Document& launch : config.at("launches")) {
        EXPECT_TRUE(launch.at("hidden_arguments").is_null());
      }
    }
  }
  EXPECT_EQ(folder.files(".json").size(), folder.files(".co").size());
}

TEST(CodeObjectFolder, OneLineTellsThatAFolderCannotBeWritten) {
  const cli::Home home;
  cache::testing::write_text(home / "file", "");
  const auto said = home.run({"kernels", "compile", "--target", "host:native", "--set",
                              "block_size=1", "--set", "items_per_thread=8", "--set", "load=cached",
                              "--set", "vector_width=8", "--out", (home / "file").string()});
  EXPECT_NE(said.code, 0);
  EXPECT_TRUE(said.says("cannot write")) << said.err;
}

}  // namespace
}  // namespace redtune::code_object
