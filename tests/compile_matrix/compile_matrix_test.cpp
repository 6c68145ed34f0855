// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run of the matrix can be stopped at any time, and goes on where it was.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tests/compile_matrix/matrix_file.hpp"
#include "tests/compile_matrix/matrix_target.hpp"

namespace redtune::checks {
namespace {

using cache::testing::read_text;
using cache::testing::write_text;

class MatrixFileTest : public ::testing::Test {
 protected:
  const cache::testing::ScratchFolder folder_;
  const std::string path_ = (folder_ / "matrix.csv").string();
};

TEST_F(MatrixFileTest, HoldsWhatARunBeforeHasWritten) {
  MatrixFile(path_).add("hip:gfx90a:xnack-,sum_f32,abc",
                        {.kernels = 7, .most_vector_registers = 40});
  MatrixFile again(path_);
  EXPECT_TRUE(again.holds("hip:gfx90a:xnack-,sum_f32,abc"));
  EXPECT_FALSE(again.holds("hip:gfx90a:xnack-,sum_f32,abd")) << "another compiler or text";
  EXPECT_FALSE(again.holds("hip:gfx90a:xnack-,sum_f64,abc"));
}

TEST_F(MatrixFileTest, HoldsNoCellWhoseLastLineIsBad) {
  const std::string key = "hip:gfx90a,sum_f32,abc";
  const CellTotals good{.kernels = 7};
  for (const CellTotals& bad : {CellTotals{.failures = 1}, CellTotals{.kernels = 7, .spilling = 1},
                                CellTotals{.kernels = 7, .with_scratch = 1}}) {
    MatrixFile(path_).add(key, bad);
    EXPECT_FALSE(MatrixFile(path_).holds(key));
    MatrixFile(path_).add(key, good);
    EXPECT_TRUE(MatrixFile(path_).holds(key));
  }
}

TEST_F(MatrixFileTest, DoesNotBelieveALineThatWasCutOff) {
  MatrixFile(path_).add("hip:gfx90a,sum_f32,abc", {.kernels = 7});
  const std::string whole = read_text(path_);
  for (std::size_t end = whole.find('\n') + 1; end < whole.size(); ++end) {
    write_text(path_, whole.substr(0, end));
    MatrixFile file(path_);
    EXPECT_FALSE(file.holds("hip:gfx90a,sum_f32,abc")) << end;
    file.add("hip:gfx90a,max_f32,abc", {.kernels = 8});
    EXPECT_TRUE(MatrixFile(path_).holds("hip:gfx90a,max_f32,abc")) << end;
  }
}

TEST_F(MatrixFileTest, SaysWhereItCannotWrite) {
  EXPECT_THROW(MatrixFile((folder_ / "none/matrix.csv").string()), IoError);
}

TEST(MatrixTarget, HasAnotherKeyWhenTheRulesAllowOtherKernels) {
  const Target target = parse_target("host:native");
  Target narrow = target;
  narrow.limits.max_vector_bytes /= 2;
  Target other_text = target;
  other_text.version += " ";
  const Cell cell = contract_cells(0).front();
  EXPECT_EQ(key_of(target, cell), key_of(parse_target("host:native"), cell));
  EXPECT_NE(key_of(target, cell), key_of(narrow, cell));
  EXPECT_NE(key_of(target, cell), key_of(other_text, cell));
}

TEST_F(MatrixFileTest, OfACellThatWasBadIsGoneOnWith) {
  const auto said_after = [&](const CellTotals& totals) {
    MatrixFile(path_).add(key_of(parse_target("host:native"), contract_cells(0).front()), totals);
    return device::host::run_program({REDTUNE_COMPILE_MATRIX, "--target", "host:native", "--shard",
                                      "1/1000", "--seconds", "1", "--redtune", "/bin/false",
                                      "--out", path_})
        .output;
  };
  EXPECT_NE(said_after({.kernels = 7, .failures = 1}).find(" of 1 cells"), std::string::npos);
  EXPECT_NE(said_after({.kernels = 7}).find(" of 0 cells"), std::string::npos);
}

/// What the program says about words that it cannot follow; its exit code is 2, and it writes no
/// file.
std::string refusal_of(const std::vector<std::string>& words) {
  const cache::testing::ScratchFolder scratch;
  const std::filesystem::path folder = scratch / "work";
  std::filesystem::create_directory(folder);
  std::vector<std::string> command{"/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.string(),
                                   REDTUNE_COMPILE_MATRIX};
  command.insert(command.end(), words.begin(), words.end());
  const auto finished = device::host::run_program(command);
  EXPECT_EQ(finished.ending(), "exit status 2") << finished.output;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  return finished.errors;
}

TEST(CompileMatrix, SaysInOneLineWhatItCannotDo) {
  const auto expect = [](const std::vector<std::string>& words, const std::string& part) {
    const std::string said = refusal_of(words);
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  };
  expect({}, "name at least one --target");
  expect({"--target", "gfx90a"}, "write PLATFORM:ARCH");
  expect({"--target", "host:native", "--shard", "3/2"}, "'3/2' is no shard");
  expect({"--target", "host:native", "--shard", "2"}, "'2' is no shard");
  expect({"--target", "host:native", "--redtune", "/none"}, "name one by --redtune");
  expect({"--target", "host:native", "--out", "/none/matrix.csv"}, "cannot write /none/matrix.csv");
}

}  // namespace
}  // namespace redtune::checks
