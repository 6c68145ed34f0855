// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A compiled binary, and what somebody else's launcher or emulator must know to run its kernels:
// the JSON beside it. docs/reference/code_objects.md is its description.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/names.hpp"
#include "device/compiler.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// Raised when a reader of older files would misread newer ones.
inline constexpr std::string_view code_object_format = "redtune code object 1";

/// A config and its kernels, one for each of the family's name expressions, in order.
struct CompiledConfig {
  Settings settings;
  std::vector<std::string> names;
  std::vector<device::CompiledKernel> kernels;
};

/// A binary and what it was made for.
struct CodeObject {
  std::string file;  ///< name of the binary, without its folder
  std::span<const std::byte> binary;
  std::string_view platform;
  std::string arch;  ///< as it was given to the compiler, with features
  const device::Compiler* compiler = nullptr;
  const kernels::Family* family = nullptr;
  Problem problem;
  Limits limits;  ///< of any device of the architecture
};

[[nodiscard]] Json json_of(const CodeObject& object, std::span<const CompiledConfig> configs);

}  // namespace redtune::cli
