// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels on a device: taken from disk where anybody compiled them before, else compiled, all in
// one program, and kept.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cache/binaries/binaries.hpp"
#include "device/platform.hpp"
#include "runtime/compiled_unit_cache.hpp"

namespace redtune::runtime {

/// The kernels of a config, loaded.
struct LoadedUnit {
  std::shared_ptr<const device::Module> module;
  std::vector<device::Kernel> kernels;  ///< one per name expression
};

using LoadResult = std::variant<LoadedUnit, device::CompileFailure>;

class KernelLoader {
 public:
  /// text: the whole program that the units are instantiations of. Platform and device must live
  /// as long as this object.
  KernelLoader(const device::Platform& platform, device::Device& device, std::string text);
  KernelLoader(const KernelLoader&) = delete;
  KernelLoader& operator=(const KernelLoader&) = delete;

  /// One result for each unit, in order. Throws DeviceError where the device takes no binary that
  /// was compiled just now.
  [[nodiscard]] std::vector<LoadResult> load(std::span<const CompileUnit> units);

 private:
  using Missing = std::span<const std::size_t>;  // indices of units

  [[nodiscard]] std::optional<LoadedUnit> from_disk(const CompileUnit& unit);
  [[nodiscard]] LoadedUnit on_device(const CompiledUnit& compiled);
  void compile(std::span<const CompileUnit> units, Missing missing,
               std::vector<std::optional<LoadResult>>& results);

  const device::Platform& platform_;
  device::Device& device_;
  std::string text_;
  cache::Binaries binaries_;
  CompiledUnitCache unit_cache_;
  // A binary serves several units and is loaded once.
  std::map<std::shared_ptr<const std::vector<std::byte>>, std::shared_ptr<const device::Module>>
      modules_;
};

}  // namespace redtune::runtime
