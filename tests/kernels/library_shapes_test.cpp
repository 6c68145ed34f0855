// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a caller of the vendor's library would get is a point of every space, and among the first.
#include "kernel_templates/reduce/library_shapes.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "kernel_templates/family/family.hpp"
#include "kernel_templates/reduce/shapes.hpp"

namespace redtune::kernels {
namespace {

/// A device of this processor: waves of 64 up to gfx9, a small one for the rest.
Limits limits_for(std::string_view processor) {
  const bool is_large = processor.starts_with("gfx9");
  return {.wave_size = is_large ? 64 : 32,
          .compute_units = is_large ? 104 : 30,
          .registers_per_unit = 65536,
          .max_registers_per_thread = 256,
          .max_grid = 0xffffffffLL / 1024};
}

bool has(const std::vector<ReduceConfig>& configs, const LibraryShape& shape) {
  return std::ranges::any_of(configs, [&](const ReduceConfig& config) {
    return config.block_size == shape.block_size &&
           config.items_per_thread == shape.items_per_thread;
  });
}

class LibraryShapes : public testing::TestWithParam<LibraryRow> {};

TEST_P(LibraryShapes, AreInTheSpaceOfEveryProblemAndComeFirst) {
  const std::string_view processor = GetParam().processor;
  const Limits limits = limits_for(processor);
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& in : all_dtypes()) {
      if (!why_not_taken(op.op, in.dtype).empty()) continue;
      for (const std::int64_t count : {1 << 16, 1 << 24, 1 << 30}) {
        const Problem problem = make_problem(op.op, in.dtype, count);
        auto known = known_shapes(problem, limits, processor);
        const auto shapes = library_shapes(processor, problem.acc);
        ASSERT_GE(known.size(), shapes.size());
        known.resize(shapes.size());
        for (const LibraryShape& shape : shapes) {
          EXPECT_TRUE(has(known, shape))
              << describe(problem) << ": " << shape.block_size << " x " << shape.items_per_thread;
        }
      }
    }
  }
}

TEST_P(LibraryShapes, AreAlsoFoundBehindFeatures) {
  const std::string whole = std::string(GetParam().processor) + ":sramecc+:xnack-";
  for (const DTypeInfo& in : all_dtypes()) {
    EXPECT_EQ(library_shapes(whole, in.dtype), library_shapes(GetParam().processor, in.dtype));
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, LibraryShapes, testing::ValuesIn(library_rows()),
                         [](const auto& row) { return std::string(row.param.processor); });

TEST(LibraryShape, IsThatOfTheTableThenThatOfOldVersionsEachOnce) {
  EXPECT_EQ(library_shapes("gfx90a", DType::f32), (std::vector<LibraryShape>{{128, 8}, {256, 16}}));
  EXPECT_EQ(library_shapes("gfx90a", DType::u64), (std::vector<LibraryShape>{{256, 4}, {256, 8}}));
  EXPECT_EQ(library_shapes("gfx1201", DType::bf16), (std::vector<LibraryShape>{{256, 16}}));
}

TEST(LibraryShape, IsThatOfUnknownProcessorsForOneThatIsNotInTheTable) {
  EXPECT_EQ(library_shapes("gfx1101", DType::f32), library_shapes("gfx", DType::f32));
}

TEST(LibraryShape, IsNoneWhereTheLibraryDoesNotRun) {
  for (const char* isa : {"", "sm_90", "x86-64-v4"}) {
    EXPECT_TRUE(library_shapes(isa, DType::f32).empty()) << isa;
  }
}

TEST(LibraryShape, OfOneTileIsASingleBlock) {
  const Problem problem = make_problem(Op::sum, DType::f32, 300);
  const auto known = known_shapes(problem, limits_for("gfx90a"), "gfx90a");
  ASSERT_TRUE(has(known, {128, 8}));
  EXPECT_EQ(known[0].finish, Finish::single_block);
}

}  // namespace
}  // namespace redtune::kernels
