// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches a code object by nothing but the JSON beside it, as somebody would who has read
// docs/reference/code_objects.md and has none of redtune. Includes nothing of redtune.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "tests/code_object/formula.hpp"
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

/// What the extents of a shape and a device give: these, and all that the formulas of a config
/// name. own: what a launcher has chosen instead of a formula.
[[nodiscard]] Names sizes_of(const Document& config, const Names& extents,
                             std::int64_t compute_units, const Names& own = {});

/// What buffers hold before the first launch, of those that the caller fills.
using Contents = std::map<std::string, std::span<const std::byte>>;

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
  /// The bytes of the results of each of the times that the config ran with sizes_of() something,
  /// one after another in the same buffers.
  [[nodiscard]] std::vector<std::vector<std::byte>> run(const Document& config, const Names& names,
                                                        const Contents& contents, int times);

 private:
  class Memory;
  using Buffers = std::map<std::string, std::unique_ptr<Memory>>;
  void launch(const Document& launch, const Buffers& buffers, const Names& names) const;
  [[nodiscard]] std::size_t bytes_of(const std::string& buffer, const Names& names) const;

  LauncherApi api_;
  Document document_;
  std::vector<char> binary_;
  void* module_ = nullptr;
};

}  // namespace redtune::code_object
