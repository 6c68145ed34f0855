// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How a configuration runs for a count: which instantiations, with which grids and arguments. Plain
// data: whoever holds the loaded kernels binds the arguments and launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::kernels {

/// The meaning of a kernel argument.
enum class Argument {
  in,             ///< const In*, element-aligned
  count,          ///< i64, elements
  out,            ///< Out*
  partials,       ///< Acc*, one for each block of the launch that writes them
  counter,        ///< u32*, zero before the first launch, zero again after each
  run,            ///< i64, tiles each block takes in a row; 0: dealt round-robin
  partial_count,  ///< i32, blocks of the launch before
};

[[nodiscard]] std::string_view to_string(Argument argument);

struct KernelCall {
  std::size_t kernel = 0;  ///< index into the name expressions
  std::int64_t grid = 1;   ///< blocks
  int block = 1;           ///< threads per block
  std::vector<Argument> arguments;
};

struct LaunchPlan {
  std::vector<KernelCall> calls;   ///< in this order on one stream
  std::int64_t partial_count = 0;  ///< accumulators the workspace must hold
  std::int64_t run = 0;            ///< tiles each block takes in a row; 0: dealt round-robin
  std::int64_t longest_chain = 0;  ///< additions any element's value passes through, at most
};

}  // namespace redtune::kernels
