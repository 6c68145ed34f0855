// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches a code object by nothing but the JSON beside it, as somebody would who has read
// docs/reference/code_objects.md and has none of redtune. Includes nothing of redtune.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "tests/code_object/launcher_api.hpp"

namespace redtune::code_object {

using Document = nlohmann::json;

/// The values that a count and a device give.
struct Geometry {
  std::int64_t grid = 1;
  std::int64_t run = 0;
};

/// rule: "grid" of a config.
[[nodiscard]] Geometry geometry_of(const Document& rule, std::int64_t count,
                                   std::int64_t compute_units);

/// Grids of a launcher's own, by the rule's words: the least and most blocks, and some between,
/// each with both runs.
[[nodiscard]] std::vector<Geometry> own_geometries(const Document& rule, std::int64_t count);

/// Reads the JSON. Throws std::runtime_error for another format.
[[nodiscard]] Document read_document(const std::filesystem::path& file);

class JsonLauncher {
 public:
  /// file: the JSON; its binary lies beside it. Throws std::runtime_error for what fails.
  JsonLauncher(const LauncherApi& api, const std::filesystem::path& file);
  ~JsonLauncher();
  JsonLauncher(const JsonLauncher&) = delete;
  JsonLauncher& operator=(const JsonLauncher&) = delete;

  [[nodiscard]] const Document& document() const { return document_; }
  /// Elements of an input.
  [[nodiscard]] std::int64_t count_of(std::span<const std::byte> input) const;
  /// The bytes of the result of each of the times that the config ran on this input, one after
  /// another in the same buffers.
  [[nodiscard]] std::vector<std::vector<std::byte>> run(const Document& config,
                                                        std::span<const std::byte> input,
                                                        const Geometry& geometry, int times);

 private:
  class Memory;
  struct Buffers;
  void launch(const Document& launch, const Buffers& buffers, const Geometry& geometry) const;

  LauncherApi api_;
  Document document_;
  std::vector<char> binary_;
  void* module_ = nullptr;
};

}  // namespace redtune::code_object
