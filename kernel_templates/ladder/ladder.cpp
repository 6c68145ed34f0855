// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/ladder/ladder.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {
namespace {

using enum LadderEnd;
using enum LadderFold;

constexpr std::string_view plain = "{in}, {acc}, {block}";
constexpr std::string_view with_wave = "{in}, {acc}, {block}, {wave}";
constexpr std::string_view with_number = "{in}, {acc}, {block}, {wave}, {number}";

/// Blocks of 256 threads, as the documents have them.
const std::vector<LadderVariant> usual{{.block_size = 256}};

/// The pairs of document 004, in its order.
const std::vector<LadderVariant> sweep{{256, 512, 0, "512 x 256"},   {256, 1024, 0, "1024 x 256"},
                                       {256, 2048, 0, "2048 x 256"}, {512, 1024, 0, "1024 x 512"},
                                       {512, 512, 0, "512 x 512"},   {512, 1536, 0, "1536 x 512"},
                                       {512, 2048, 0, "2048 x 512"}, {512, 3072, 0, "3072 x 512"}};

std::vector<LadderStep> make_steps() {
  return {
      {"atomic_per_element", "every thread adds its element to one address", "004 step 0", atomic,
       none, 1, 1, plain, usual},
      {"shared_serial", "one thread adds up the block's tile, one atomic per block", "004 step 1",
       atomic, serial, 1, 1, plain, usual},
      {"tree_interleaved", "a tree in shared memory: every second, fourth, eighth thread adds",
       "003 naive; 004 step 2", relaunched, tree, 1, 1, plain, usual},
      {"tree_less_divergence", "the same additions by the first threads: whole waves fall idle",
       "003", relaunched, tree, 1, 1, plain, usual},
      {"tree_conflict_free", "upper half onto lower half: no two lanes meet at a bank", "003",
       relaunched, tree, 1, 1, plain, usual},
      {"tree_first_add", "each thread adds two elements while it loads", "003 upper half",
       relaunched, tree, 2, 1, plain, usual},
      {"tree_last_wave", "the last wave waits for itself, not for the block", "003", relaunched,
       tree, 2, 1, with_wave, usual},
      {"tree_unrolled", "all loops unrolled: distances are constants", "003", relaunched, tree, 2,
       1, with_wave, usual},
      {"wave_tail", "the last wave shuffles in registers", "003", relaunched, tree, 2, 1, with_wave,
       usual},
      {"wave_first", "waves shuffle first, shared memory only between waves", "003; 000 v1; 002",
       relaunched, waves, 2, 1, with_wave, usual},
      {"items_per_thread",
       "each thread folds several neighbours first",
       "003 amortize",
       relaunched,
       waves,
       0,
       1,
       with_number,
       {{.block_size = 256, .number = 4}}},
      {"halving",
       "no cooperation: fold a few neighbours, launch again on the rest",
       "001 v1, v2",
       relaunched,
       none,
       0,
       0,
       "{in}, {acc}, {block}, {number}",
       {{256, 0, 2, "2 per thread"}, {256, 0, 4, "4 per thread"}}},
      {"block_atomic", "waves, shared memory, then one atomic per block", "002 FP32; 004 step 3",
       atomic, waves, 1, 1, with_wave, usual},
      {"block_atomic_x4",
       "the same with 4 elements per thread in one load, 64 threads",
       "002 FP32x4",
       atomic,
       waves,
       4,
       1,
       with_wave,
       {{.block_size = 64}}},
      {"multi_kernel", "launches on the blocks' sums instead of the atomic", "004 step 4; 000 v1",
       relaunched, waves, 1, 1, with_wave, usual},
      {"grid_stride",
       "a fixed grid walks over the input, two launches",
       "004 step 5; 000 v2; 003 two-pass",
       two_pass,
       waves,
       1,
       1,
       with_wave,
       {{.block_size = 256, .blocks = 1024}}},
      {"grid_stride_tuned", "the same, blocks x threads swept", "004 step 6", two_pass, waves, 1, 1,
       with_wave, sweep, "grid_stride"},
      {"vectorized",
       "loads of 16 bytes, remainder handled",
       "004 step 7",
       two_pass,
       waves,
       1,
       1,
       with_wave,
       {{.block_size = 512, .blocks = 2048}}},
      {"more_ilp",
       "several loads in flight, an accumulator for each",
       "004 after step 7",
       two_pass,
       waves,
       1,
       1,
       with_number,
       {{.block_size = 512, .blocks = 2048, .number = 4}}},
      {"tuned", "what redtune tune found", "-", tuned, waves, 1, 1, "", {{}}},
  };
}

}  // namespace

std::string LadderStep::file() const {
  return end == tuned ? "reduce.hip.h" : fmt::format("ladder/{}.hip.h", name);
}

std::string LadderStep::page() const {
  return fmt::format("docs/ladder/{}.md", name);
}

std::span<const LadderStep> ladder_steps() {
  static const std::vector<LadderStep> steps = make_steps();
  return steps;
}

const LadderStep& find_ladder_step(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LadderStep& step : ladder_steps()) {
    if (step.name == name) return step;
    names.push_back(step.name);
  }
  throw UsageError(
      fmt::format("unknown step '{}'{}; known: {}", name, suggest(name, names), join(names)));
}

std::vector<DType> ladder_types() {
  std::vector<DType> types;
  for (const DTypeInfo& type : all_dtypes()) {
    if (type.kind != DTypeKind::floating || type.bytes > 2) types.push_back(type.dtype);
  }
  return types;
}

const std::string& ladder_text() {
  static const std::string text = [] {
    std::vector<std::string> files{"ladder/set_zero.hip.h"};
    for (const LadderStep& step : ladder_steps()) {
      if (step.end != tuned) files.push_back(step.file());
    }
    const std::vector<std::string_view> paths(files.begin(), files.end());
    return program_text(paths);
  }();
  return text;
}

std::string_view ladder_accumulator(const Problem& problem) {
  const bool is_float = info(problem.acc).kind == DTypeKind::floating;
  return device_type(is_float ? problem.acc : DType::u64);
}

}  // namespace redtune::kernels
