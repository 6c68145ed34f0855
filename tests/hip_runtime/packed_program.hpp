// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Code objects of the HIP runtime for tests: outside as those of AMD's compiler, with the metadata
// that tools read; inside a shared object for the processor of this machine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::testing::hip {

struct KernelShape {
  std::string symbol;
  std::vector<unsigned> sizes;       ///< of its parameters, in bytes
  std::vector<unsigned> alignments;  ///< likewise
};

struct Program {
  std::string isa;  ///< "gfx90a:sramecc+:xnack-"
  int wave_size = 64;
  std::vector<KernelShape> kernels;
  std::span<const std::byte> object;  ///< for the processor
};

[[nodiscard]] std::vector<std::byte> pack(const Program& program);

/// Where each parameter begins in a buffer of packed arguments.
[[nodiscard]] std::vector<std::size_t> offsets_of(const KernelShape& kernel);

/// What pack made; the object is a part of the image, which tells its own size. Nothing for any
/// other image.
[[nodiscard]] std::optional<Program> unpack(const std::byte* image);

/// Whether a device runs code for this target: the same processor, and no feature otherwise.
[[nodiscard]] bool runs_on(std::string_view target, std::string_view device_isa);

}  // namespace redtune::testing::hip
