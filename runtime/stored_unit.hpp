// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is kept on disk of a compiled unit beside its binary (CBOR).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/compiler.hpp"

namespace redtune::runtime {

struct StoredUnit {
  std::string binary_key;  ///< of the file that holds the binary
  std::vector<device::CompiledKernel> kernels;
};

[[nodiscard]] std::string encode(const StoredUnit& unit);
/// Throws Error when the bytes are not what encode() made in this version.
[[nodiscard]] StoredUnit decode_stored_unit(std::string_view bytes);

}  // namespace redtune::runtime
