// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Programs are made of the kernel files, each once, and each file is accepted alone by a compiler.
#include "kernel_templates/text/device_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "device/host/subprocess.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(DeviceText, HasNoIncludeAndNothingOfTheStandardLibrary) {
  for (const Family* family : all_families()) {
    const std::string text = family->device_text(Problem{});
    EXPECT_EQ(times(text, "#include"), 0U) << family->name();
    EXPECT_EQ(times(text, "#pragma once"), 0U) << family->name();
    EXPECT_EQ(times(text, "std::"), 0U) << family->name();
    for (const char* name : {"uint32_t", "uint64_t", "int32_t", "int64_t", "size_t", "warpSize"}) {
      EXPECT_EQ(times(text, name), 0U) << name << " in " << family->name();
    }
  }
}

TEST(DeviceText, HoldsEachFileOnceAndNamesItsLines) {
  const std::string text = program_text("reduce.hip.h");
  EXPECT_EQ(times(text, "#line 1 \"reduce.hip.h\"\n"), 1U);
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == "reduce.hip.h") continue;
    const std::string start = fmt::format("#line 1 \"{}\"\n", file.path);
    const bool is_block = file.path.starts_with("device_code/");
    EXPECT_LE(times(text, start), is_block ? 1U : 0U) << file.path;
  }
  EXPECT_EQ(times(text, "struct split_input {"), 1U);
}

/// Lines keep their numbers: line n of the program after a mark is line n of the file.
TEST(DeviceText, KeepsTheLineNumbersOfEveryFile) {
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string text = program_text(file.path);
    const auto own = text.rfind(fmt::format(" \"{}\"\n", file.path));
    ASSERT_NE(own, std::string::npos);
    const auto mark = text.rfind("#line ", own);
    const auto number = std::stol(text.substr(mark + 6));
    const auto after = text.substr(text.find('\n', mark) + 1);
    const auto whole = std::ranges::count(file.text, '\n');
    EXPECT_EQ(number - 1 + std::ranges::count(after, '\n'), whole) << file.path;
  }
}

TEST(DeviceText, RefusesAFileThatIsNotThere) {
  EXPECT_THROW(static_cast<void>(program_text("nothing.hip.h")), Error);
  EXPECT_THROW(static_cast<void>(program_text("")), Error);
  EXPECT_THROW(static_cast<void>(program_text("device_code/")), Error);
}

TEST(DeviceText, IsWhatStandsInTheSourceFolder) {
  for (const EmbeddedFile& file : embedded_files()) {
    std::ifstream source(std::filesystem::path(REDTUNE_SOURCE_DIR) / "kernel_templates" /
                         file.path);
    const std::string text{std::istreambuf_iterator<char>(source), {}};
    EXPECT_EQ(text, file.text) << file.path;
  }
}

class KernelFile : public testing::TestWithParam<std::string> {};

TEST_P(KernelFile, IsAcceptedAloneByACompiler) {
  const auto path = std::filesystem::path(REDTUNE_SOURCE_DIR) / "kernel_templates" / GetParam();
  const auto compiled = device::host::run_program(
      {REDTUNE_TEST_CXX, "-std=c++20", "-fsyntax-only", "-x", "c++", path.string()});
  EXPECT_TRUE(compiled.succeeded()) << compiled.errors;
}

std::vector<std::string> all_files() {
  std::vector<std::string> files;
  for (const EmbeddedFile& file : embedded_files()) files.emplace_back(file.path);
  return files;
}

INSTANTIATE_TEST_SUITE_P(All, KernelFile, testing::ValuesIn(all_files()), [](const auto& file) {
  std::string name = file.param.substr(0, file.param.find('.'));
  std::ranges::replace(name, '/', '_');
  return name;
});

}  // namespace
}  // namespace redtune::kernels
