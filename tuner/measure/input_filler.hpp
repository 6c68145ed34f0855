// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Brings a generated input to device memory: large ones by a kernel, small ones and those of
// devices that cannot compile it in pieces from the host, which never holds the whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "device/device.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/verify/input.hpp"

namespace redtune::tuner {

/// Below it, a copy takes less time than compiling.
inline constexpr std::size_t least_filled_bytes = std::size_t{1} << 22;

class InputFiller {
 public:
  /// count elements of a recipe. compiler: for kernels::fill_text(); null: copies from the host.
  InputFiller(device::Device& device, Recipe recipe, std::int64_t count,
              const CompilePool* compiler);

  [[nodiscard]] std::size_t bytes() const;
  /// Writes the input to each of these addresses.
  void write(std::span<std::byte* const> places) const;
  /// Whether a kernel writes it.
  [[nodiscard]] bool is_on_device() const { return kernel_.has_value(); }

 private:
  void try_kernel(const CompilePool& compiler);
  void launch(void* to, std::int64_t first, std::int64_t count) const;
  [[nodiscard]] bool agrees_with_the_host() const;
  void copy(std::span<std::byte* const> places) const;

  device::Device& device_;
  Recipe recipe_;
  std::int64_t count_;
  std::unique_ptr<device::Module> module_;
  std::optional<device::Kernel> kernel_;
};

}  // namespace redtune::tuner
