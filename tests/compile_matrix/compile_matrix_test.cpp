// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run of the matrix can be stopped at any time, and goes on where it was.
#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tests/compile_matrix/matrix_file.hpp"
#include "tests/compile_matrix/matrix_target.hpp"
#include "tests/kernels/offered_kernels.hpp"

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
  const MatrixCell cell = matrix_cells().front();
  EXPECT_EQ(key_of(target, cell), key_of(parse_target("host:native"), cell));
  EXPECT_NE(key_of(target, cell), key_of(narrow, cell));
  EXPECT_NE(key_of(target, cell), key_of(other_text, cell));
}

TEST(MatrixCells, AreOfEveryFamilyEachByItsOwnName) {
  std::set<std::string> names;
  std::map<const kernels::Family*, std::size_t> many;
  for (const MatrixCell& cell : matrix_cells()) {
    names.insert(cell.name());
    ++many[cell.family];
  }
  EXPECT_EQ(names.size(), matrix_cells().size());
  for (const kernels::Family* family : kernels::all_families()) {
    EXPECT_EQ(many[family], contract_cells(0).size()) << family->name();
  }
}

/// Else kernels would be left out.
TEST(MatrixCells, DifferInNothingThatIsGivenAtLaunch) {
  const Problem problem = make_problem(Op::sum, DType::i32, 1);
  for (const kernels::Family* family : kernels::all_families()) {
    const std::vector<kernels::TunableInfo> tunables = family->tunables();
    for (const std::string& way : tunables.front().values) {
      const Settings settings{{tunables.front().name, way}};
      const auto names = family->name_expressions(settings, problem, 64);
      for (const auto& [name, values] : tunables) {
        if (!is_of_launches(name)) continue;
        for (const std::string& value : values) {
          const Settings changed{settings.front(), {name, value}};
          EXPECT_EQ(family->name_expressions(changed, problem, 64), names) << name << value;
        }
      }
    }
  }
}

TEST(MatrixCells, OfSegmentsHaveOffsetsOfBothWidths) {
  std::set<bool> are_wide;
  const Target target = parse_target("host:native");
  for (const MatrixCell& cell : matrix_cells()) {
    if (cell.name() != "reduce_segments/sum_f32") continue;
    for (const tuner::CompileUnit& unit : units_of(target, cell)) {
      EXPECT_NE(unit[0].find("long long") != unit[0].npos, unit[0].find(", int, ") != unit[0].npos)
          << unit[0];
      are_wide.insert(unit[0].find("long long") != unit[0].npos);
    }
  }
  EXPECT_EQ(are_wide.size(), 2U);
}

TEST(MatrixCells, OfWholeArraysAreForSmallAndLargeOnes) {
  const Target target = parse_target("host:native");
  int backwards = 0;
  int forwards = 0;
  for (const MatrixCell& cell : matrix_cells()) {
    if (cell.name() != "reduce/sum_f32") continue;
    for (const tuner::CompileUnit& unit : units_of(target, cell)) {
      backwards += unit[0].starts_with("redtune::reduce_backwards<") ? 1 : 0;
      forwards += unit[0].starts_with("redtune::reduce<") ? 1 : 0;
    }
  }
  EXPECT_GT(backwards, 10);
  EXPECT_GT(forwards, 10);
}

TEST(MatrixCells, HaveTheSameSampleEachTime) {
  const Target target = parse_target("host:native");
  MatrixCell cell = matrix_cells().front();
  const std::string key = key_of(target, cell);
  cell.sample = 5;
  const std::vector<tuner::CompileUnit> some = units_of(target, cell);
  ASSERT_EQ(some.size(), 5U);
  EXPECT_EQ(units_of(target, cell), some);
  EXPECT_NE(key_of(target, cell), key);
  cell.seed = 1;
  EXPECT_NE(units_of(target, cell), some);
}

TEST_F(MatrixFileTest, OfACellThatWasBadIsGoneOnWith) {
  const auto said_after = [&](const CellTotals& totals) {
    MatrixFile(path_).add(key_of(parse_target("host:native"), matrix_cells().front()), totals);
    return device::host::run_program({REDTUNE_COMPILE_MATRIX, "--target", "host:native", "--shard",
                                      "1/10000", "--seconds", "1", "--redtune", "/bin/false",
                                      "--out", path_})
        .output;
  };
  EXPECT_NE(said_after({.kernels = 7, .failures = 1}).find(" of 1 cells"), std::string::npos);
  EXPECT_NE(said_after({.kernels = 7}).find(" of 0 cells"), std::string::npos);
}

/// What a run says of a family and an operation at the host, and the file that it wrote.
std::string said_of_one(const std::string& path, const std::vector<std::string>& more) {
  std::vector<std::string> words{REDTUNE_COMPILE_MATRIX, "--target", "host:native", "--out", path};
  words.insert(words.end(), more.begin(), more.end());
  return device::host::run_program(words).output;
}

TEST_F(MatrixFileTest, HoldsTheOperationThatWasAskedForAlone) {
  const std::string said = said_of_one(
      path_, {"--operation", "argmin_f64", "--family", "reduce_columns", "--sample", "1"});
  EXPECT_EQ(said.find("1 of 1 cells"), 0U) << said;
  const std::string text = read_text(path_);
  EXPECT_NE(text.find("\nhost:native,reduce_columns/argmin_f64,"), text.npos) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
}

class EveryKernel : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      (void)parse_target(GetParam());
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

/// Of the commonest operation for whole arrays: some thousand, minutes of a core.
TEST_P(EveryKernel, CompilesWithoutSpills) {
  const cache::testing::ScratchFolder scratch;
  const std::string path = (scratch / "matrix.csv").string();
  const auto finished =
      device::host::run_program({REDTUNE_COMPILE_MATRIX, "--target", GetParam(), "--family",
                                 "reduce", "--operation", "sum_f32", "--jobs", "1", "--out", path});
  EXPECT_EQ(finished.ending(), "exit status 0") << finished.errors;
  EXPECT_EQ(finished.output.find("1 of 1 cells"), 0U) << finished.output;
  std::vector<std::string> fields;
  const std::string text = read_text(path);
  boost::split(fields, text.substr(text.find('\n') + 1), boost::is_any_of(","));
  EXPECT_GT(std::stoi(fields.at(3)), 500) << "kernels in: " << text;
}

INSTANTIATE_TEST_SUITE_P(Full, EveryKernel,
                         ::testing::Values("hip:gfx90a", "hip:gfx1030", "hip:gfx906", "cuda:sm_90"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

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
  expect({"--target", "host:native", "--operation", "sum_f3"}, "no line is of 'sum_f3'");
  expect({"--target", "host:native", "--redtune", "/none"}, "name one by --redtune");
  expect({"--target", "host:native", "--out", "/none/matrix.csv"}, "cannot write /none/matrix.csv");
}

}  // namespace
}  // namespace redtune::checks
