// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compile requests and results as bytes, for the border between the tuner and a compile worker
// (CBOR).
#pragma once

#include <string>
#include <string_view>

#include "device/compiler.hpp"

namespace redtune::tuner {

[[nodiscard]] std::string encode(const device::CompileRequest& request);
[[nodiscard]] std::string encode(const device::CompileResult& result);
/// Both throw Error when the bytes are not what encode() made in this version.
[[nodiscard]] device::CompileRequest decode_request(std::string_view bytes);
[[nodiscard]] device::CompileResult decode_result(std::string_view bytes);

}  // namespace redtune::tuner
