// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compile requests and results as bytes, for the border between the tuner and a compile worker
// (CBOR), and where one ends and the next begins.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "device/compiler.hpp"

namespace redtune::tuner {

[[nodiscard]] std::string encode(const device::CompileRequest& request);
[[nodiscard]] std::string encode(const device::CompileResult& result);
/// Both throw Error when the bytes are not what encode() made in this version.
[[nodiscard]] device::CompileRequest decode_request(std::string_view bytes);
[[nodiscard]] device::CompileResult decode_result(std::string_view bytes);

/// What stands in front of so many bytes of a message.
[[nodiscard]] std::string message_header(std::size_t bytes);
/// How many bytes the message has, its header included, that these begin; nothing: they are too few
/// to tell. Throws Error when they begin none.
[[nodiscard]] std::optional<std::size_t> message_bytes(std::string_view begin);
inline constexpr std::size_t message_header_bytes = 16;

}  // namespace redtune::tuner
