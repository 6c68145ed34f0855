// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of a config, compiled.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/compiler.hpp"

namespace redtune::runtime {

/// The instantiations of one config; they end up in one binary.
using CompileUnit = std::vector<std::string>;

struct CompiledUnit {
  std::shared_ptr<const std::vector<std::byte>> binary;  ///< may be shared with other units
  std::vector<device::CompiledKernel> kernels;           ///< one per name expression
  double milliseconds = 0;  ///< this unit's share of the batch; 0: it was on disk
};

}  // namespace redtune::runtime
