// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/compiled_unit_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cache/keys/key.hpp"
#include "cache/keys/sha256.hpp"
#include "redtune/error.hpp"
#include "runtime/stored_unit.hpp"

namespace redtune::runtime {
namespace {

/// Raised by one whenever the same text compiles to something else, e.g. with another option.
constexpr int binary_revision = 1;

}  // namespace

std::string toolchain_text(const DeviceIdentity& identity) {
  const Toolchain& tools = identity.toolchain;
  // "native" is another architecture on another processor.
  return fmt::format("{}; {}; {}; {}; {}", tools.compiler, tools.runtime, tools.driver,
                     identity.device_class.model, identity.device_class.isa);
}

std::string CompiledUnitCache::key_of(const CompileUnit& unit) {
  if (text_hash_.empty()) text_hash_ = cache::sha256_hex(text_);
  return cache::make_key("binary", {{"revision", std::to_string(binary_revision)},
                                    {"platform", origin_.platform},
                                    {"arch", origin_.arch},
                                    {"toolchain", origin_.toolchain},
                                    {"text", text_hash_},
                                    {"names", fmt::format("{}", fmt::join(unit, "\n"))}})
      .hash;
}

/// Neighbours of a batch share a binary; it is read once.
CompiledUnitCache::Binary CompiledUnitCache::binary_of(const std::string& key) {
  auto& known = loaded_[key];
  if (known) return known;
  const auto content = binaries_->get(key);
  if (!content) return nullptr;
  const auto* data = reinterpret_cast<const std::byte*>(content->data());
  known = std::make_shared<const std::vector<std::byte>>(data, data + content->size());
  return known;
}

std::optional<CompiledUnit> CompiledUnitCache::take(const CompileUnit& unit) {
  if (binaries_ == nullptr) return std::nullopt;
  const auto content = binaries_->get(key_of(unit));
  if (!content) return std::nullopt;
  try {
    StoredUnit stored = decode_stored_unit(*content);
    if (stored.kernels.size() != unit.size()) return std::nullopt;
    CompiledUnit compiled{binary_of(stored.binary_key), std::move(stored.kernels), 0};
    if (!compiled.binary) return std::nullopt;
    return compiled;
  } catch (const Error&) {
    return std::nullopt;  // of another version: it is compiled and written again
  }
}

void CompiledUnitCache::put(const CompileUnit& unit, const CompiledUnit& compiled) {
  if (binaries_ == nullptr) return;
  std::string& key = keys_of_kept_[compiled.binary.get()];
  if (key.empty()) {
    const auto& bytes = *compiled.binary;
    const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    key = cache::sha256_hex(content);
    binaries_->put(key, content);
  }
  binaries_->put(key_of(unit), encode(StoredUnit{key, compiled.kernels}));
}

}  // namespace redtune::runtime
