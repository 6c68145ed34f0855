// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The JSON beside AMD's code objects says what the code objects' own metadata says.
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sys/wait.h>

#include "device/hip/code_object.hpp"
#include "redtune/dtype.hpp"
#include "tests/code_object/compiled_folder.hpp"
#include "tests/code_object/json_launcher.hpp"
#include "tests/code_object/shape_checks.hpp"
#include "tests/support/samples.hpp"

namespace redtune::code_object {
namespace {

using cli::Words;
using device::hip::KernelNotes;
using device::hip::KernelParameter;

std::map<std::string, KernelNotes> notes_of(const std::filesystem::path& file) {
  const std::string text = cache::testing::read_text(file);
  return device::hip::read_code_object(std::as_bytes(std::span(text)));
}

int abi_version_in(const std::filesystem::path& file) {
  const std::string text = cache::testing::read_text(file);
  return device::hip::abi_version_of(std::as_bytes(std::span(text)));
}

std::vector<KernelParameter> parameters_of(const Document& launch) {
  std::vector<KernelParameter> parameters;
  for (const Document& argument : launch.at("arguments")) {
    parameters.push_back({argument.at("offset"), argument.at("bytes")});
  }
  return parameters;
}

std::vector<device::HiddenArgument> hidden_arguments_of(const Document& launch) {
  std::vector<device::HiddenArgument> arguments;
  for (const Document& argument : launch.at("hidden_arguments")) {
    arguments.push_back({argument.at("kind"), argument.at("offset"), argument.at("bytes")});
  }
  return arguments;
}

void expect_agreement(const Document& launch, const KernelNotes& notes, int wave_size) {
  EXPECT_EQ(parameters_of(launch), notes.parameters) << launch.dump(1);
  EXPECT_EQ(launch.at("argument_bytes"),
            notes.parameters.back().offset + notes.parameters.back().bytes);
  EXPECT_EQ(hidden_arguments_of(launch), notes.hidden) << launch.dump(1);
  EXPECT_EQ(notes.wave_size, wave_size);
  EXPECT_GE(notes.max_block_size, launch.at("block").get<int>());
  EXPECT_EQ(notes.resources.shared_bytes, launch.at("static_shared_bytes").get<int>());
}

/// Every kernel of every binary; the finishes that were seen, which are ways of a family of shapes.
std::set<std::string> check_all(const CompiledFolder& folder) {
  std::set<std::string> finishes;
  for (auto file : folder.files(".json")) {
    const Document document = read_document(file);
    const auto notes = notes_of(file.replace_extension(".co"));
    EXPECT_EQ(document.at("abi_version"), abi_version_in(file));
    for (const Document& config : document.at("configs")) {
      const Document& settings = config.at("settings");
      finishes.insert(settings.at(settings.contains("finish") ? "finish" : "way"));
      for (const Document& launch : config.at("launches")) {
        const auto kernel = notes.find(launch.at("symbol"));
        if (kernel == notes.end()) {
          ADD_FAILURE() << "not in the binary: " << launch.at("symbol");
          continue;
        }
        expect_agreement(launch, kernel->second, document.at("wave_size"));
      }
    }
  }
  return finishes;
}

/// Processors with waves of 64 and of 32: in turn from type to type, in a full run all of them.
std::vector<std::string> targets_for(const std::string& type) {
  const std::vector<std::string> all{"hip:gfx906", "hip:gfx90a:sramecc+:xnack-", "hip:gfx1030"};
  const auto number =
      std::ranges::find(all_dtypes(), type, &DTypeInfo::name) - all_dtypes().begin();
  return checks::every_nth(all, all.size(), static_cast<std::size_t>(number));
}

/// One config of each finish, of slots one for each reader; in a full run slots in every way.
Words words_for(const std::string& op, const std::string& type) {
  Words words{"--op", op, "--type", type, "--order", "any", "--count", "100000"};
  for (const std::string& target : targets_for(type)) {
    words.insert(words.end(), {"--target", target});
  }
  for (const char* setting : {"block_size=128", "items_per_thread=4", "vector_width=2",
                              "load=cached", "blocks_per_unit=0"}) {
    words.insert(words.end(), {"--set", setting});
  }
  if (!checks::is_full_run()) {
    words.insert(words.end(), {"--set", "slot_stride=8", "--set", "slot_wait=all"});
  }
  return words;
}

using Cell = std::tuple<std::string, std::string>;  // operator and type

/// A sum has the finishes that need no index, an operator with one fewer.
std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (const DTypeInfo& type : all_dtypes()) {
    for (const char* op : {"sum", "argmax"}) cells.emplace_back(op, type.name);
  }
  return cells;
}

checks::Axes axes_of(const Cell& cell) {
  return {std::get<0>(cell), std::get<1>(cell)};
}

std::vector<Cell> some_cells() {
  return checks::every_value(all_cells(), axes_of);
}

class HipLayout : public testing::TestWithParam<Cell> {};

TEST_P(HipLayout, IsTheMetadatas) {
  const auto& [op, type] = GetParam();
  const auto finishes = check_all(CompiledFolder(words_for(op, type)));
  EXPECT_TRUE(finishes.contains("second_pass"));
  EXPECT_TRUE(finishes.contains("slots"));
  if (op == "sum") {
    EXPECT_TRUE(finishes.contains("last_block"));
  }
}

TEST(HipLayoutOfShapes, IsTheMetadatas) {
  const auto families = launched_families();
  for (std::size_t i = 0; i < families.size(); ++i) {
    const char* const arch = i % 2 == 0 ? "gfx90a" : "gfx1030";
    const CompiledFolder folder(families[i].options(fmt::format("hip:{}", arch), "128", true));
    EXPECT_FALSE(check_all(folder).empty()) << families[i].name;
  }
}

constexpr auto cell_name = [](const auto& test) {
  return std::get<0>(test.param) + "_" + std::get<1>(test.param);
};
INSTANTIATE_TEST_SUITE_P(Some, HipLayout, testing::ValuesIn(some_cells()), cell_name);
INSTANTIATE_TEST_SUITE_P(Full, HipLayout,
                         testing::ValuesIn(checks::all_but(some_cells(), all_cells(), axes_of)),
                         cell_name);

}  // namespace
}  // namespace redtune::code_object
