// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compiled units on disk: which file holds the kernels of a config, so that they are compiled once
// for a machine and not once a run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tuner/worker/compile_pool.hpp"

namespace redtune::tuner {

class BinaryShelf {
 public:
  /// Of a target without binaries it is empty and stays so.
  explicit BinaryShelf(const CompileTarget& target) : target_(target) {}

  [[nodiscard]] std::optional<CompiledUnit> take(const CompileUnit& unit);
  void put(const CompileUnit& unit, const CompiledUnit& compiled);

 private:
  using Binary = std::shared_ptr<const std::vector<std::byte>>;

  [[nodiscard]] std::string key_of(const CompileUnit& unit) const;
  [[nodiscard]] Binary binary_of(const std::string& key);

  const CompileTarget& target_;
  std::string text_hash_;
  std::map<std::string, Binary> loaded_;             // by the key of its content
  std::map<const void*, std::string> keys_of_kept_;  // of what put() has written
};

}  // namespace redtune::tuner
