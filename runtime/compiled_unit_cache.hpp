// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compiled units on disk: which file holds the kernels of a config, so that they are compiled once
// for a machine, by the tuner or by whichever application needs them first.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cache/binaries/binaries.hpp"
#include "redtune/device_identity.hpp"
#include "runtime/compiled_unit.hpp"

namespace redtune::runtime {

/// What a binary depends on beside its text and the names in it.
struct BinaryOrigin {
  std::string platform;
  std::string arch;       ///< as the compiler is asked for it
  std::string toolchain;  ///< see toolchain_text
};

/// What compiles and loads a binary for a device, and for which: after an upgrade of the compiler,
/// the runtime or the driver nothing old is loaded.
[[nodiscard]] std::string toolchain_text(const DeviceIdentity& identity);

class CompiledUnitCache {
 public:
  /// binaries: null or of no folder: it is empty and stays so.
  CompiledUnitCache(const cache::Binaries* binaries, BinaryOrigin origin, std::string_view text)
      : binaries_(binaries), origin_(std::move(origin)), text_(text) {}

  [[nodiscard]] std::optional<CompiledUnit> take(const CompileUnit& unit);
  void put(const CompileUnit& unit, const CompiledUnit& compiled);
  /// Under which a unit is kept.
  [[nodiscard]] std::string key_of(const CompileUnit& unit);

 private:
  using Binary = std::shared_ptr<const std::vector<std::byte>>;

  [[nodiscard]] Binary binary_of(const std::string& key);

  const cache::Binaries* binaries_;
  BinaryOrigin origin_;
  std::string_view text_;
  std::string text_hash_;
  std::map<std::string, Binary> loaded_;             // by the key of its content
  std::map<const void*, std::string> keys_of_kept_;  // of what put() has written
};

}  // namespace redtune::runtime
