// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Messages between the tuner and the worker that owns a device: a header with a version, then one
// JSON document as CBOR.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "redtune/error.hpp"

namespace redtune::tuner {

/// Raised by one whenever a message changes.
inline constexpr std::uint32_t frame_version = 3;
/// The largest message; what claims to be larger is no message.
inline constexpr std::uint64_t most_frame_bytes = std::uint64_t{1} << 30;

/// What came is no frame of this version; the text says what it is.
class BadFrame : public Error {
 public:
  using Error::Error;
};

/// Reads exactly so many bytes to the given place.
using ReadBytes = std::function<void(char* to, std::size_t bytes)>;

[[nodiscard]] std::string frame_of(const nlohmann::json& document);
/// Reads one frame. Throws BadFrame, and what reading throws.
[[nodiscard]] nlohmann::json read_frame(const ReadBytes& read);

}  // namespace redtune::tuner
