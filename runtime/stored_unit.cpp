// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/stored_unit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "redtune/error.hpp"
#include "runtime/kernel_rows.hpp"

namespace redtune::runtime {
namespace {

using nlohmann::json;

/// Raised by one whenever what is kept on disk changes.
constexpr int stored_unit_version = 1;

}  // namespace

std::string encode(const StoredUnit& unit) {
  std::string bytes;
  json::to_cbor(json{{"version", stored_unit_version},
                     {"binary_key", unit.binary_key},
                     {"kernels", encode_kernels(unit.kernels)}},
                bytes);
  return bytes;
}

StoredUnit decode_stored_unit(std::string_view bytes) {
  try {
    const json value = json::from_cbor(bytes, true, false);
    if (!value.is_object() || value.value("version", 0) != stored_unit_version) {
      throw Error("this is not a compiled unit of this version");
    }
    return {value.at("binary_key").get<std::string>(), decode_kernels(value.at("kernels"))};
  } catch (const json::exception& error) {
    throw Error(fmt::format("broken compiled unit: {}", error.what()));
  }
}

}  // namespace redtune::runtime
