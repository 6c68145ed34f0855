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

namespace redtune::code_object {
namespace {

using device::hip::KernelNotes;
using device::hip::KernelParameter;
using tuner::cli::Words;

std::map<std::string, KernelNotes> notes_of(const std::filesystem::path& file) {
  const std::string text = cache::testing::read_text(file);
  return device::hip::read_code_object(std::as_bytes(std::span(text)));
}

std::vector<KernelParameter> parameters_of(const Document& launch) {
  std::vector<KernelParameter> parameters;
  for (const Document& argument : launch.at("arguments")) {
    parameters.push_back({argument.at("offset"), argument.at("bytes")});
  }
  return parameters;
}

void expect_agreement(const Document& launch, const KernelNotes& notes, int wave_size) {
  EXPECT_EQ(parameters_of(launch), notes.parameters) << launch.dump(1);
  EXPECT_EQ(launch.at("argument_bytes"),
            notes.parameters.back().offset + notes.parameters.back().bytes);
  EXPECT_EQ(notes.wave_size, wave_size);
  EXPECT_GE(notes.max_block_size, launch.at("block").get<int>());
  EXPECT_EQ(notes.resources.shared_bytes, launch.at("static_shared_bytes").get<int>());
}

/// Every kernel of every binary; the finishes that were seen.
std::set<std::string> check_all(const CompiledFolder& folder) {
  std::set<std::string> finishes;
  for (auto file : folder.files(".json")) {
    const Document document = read_document(file);
    const auto notes = notes_of(file.replace_extension(".co"));
    for (const Document& config : document.at("configs")) {
      finishes.insert(config.at("settings").at("finish"));
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

/// One config of each finish, for processors with waves of 64 and of 32.
Words words_for(const std::string& op, std::string_view type) {
  Words words{"--op", op, "--type", std::string(type), "--order", "any", "--count", "100000"};
  for (const char* target : {"hip:gfx906", "hip:gfx90a:sramecc+:xnack-", "hip:gfx1030"}) {
    words.insert(words.end(), {"--target", target});
  }
  for (const char* setting : {"block_size=128", "items_per_thread=4", "vector_width=2",
                              "load=cached", "blocks_per_unit=0"}) {
    words.insert(words.end(), {"--set", setting});
  }
  return words;
}

class HipLayout : public testing::TestWithParam<DTypeInfo> {};

TEST_P(HipLayout, OfSumsIsTheMetadatas) {
  const auto finishes = check_all(CompiledFolder(words_for("sum", GetParam().name)));
  EXPECT_TRUE(finishes.contains("second_pass"));
  EXPECT_TRUE(finishes.contains("last_block"));
}

TEST_P(HipLayout, OfIndexedResultsIsTheMetadatas) {
  const auto finishes = check_all(CompiledFolder(words_for("argmax", GetParam().name)));
  EXPECT_TRUE(finishes.contains("second_pass"));
}

INSTANTIATE_TEST_SUITE_P(Types, HipLayout,
                         testing::ValuesIn(all_dtypes().begin(), all_dtypes().end()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace redtune::code_object
