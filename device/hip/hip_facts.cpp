// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/hip/hip_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace redtune::device::hip {
namespace {

template <std::size_t n>
bool is_one_of(std::string_view processor, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), processor) != names.end();
}

/// gfx9 with vector and accumulation registers in one file: CDNA 2 and later.
bool is_cdna_2_or_later(std::string_view processor) {
  constexpr std::array<std::string_view, 6> processors = {"gfx90a", "gfx940", "gfx941",
                                                          "gfx942", "gfx950", "gfx9-4-generic"};
  return is_one_of(processor, processors);
}

/// Which additions of floats the memory does by itself.
/// Source: AMD's public ISA documents, global_atomic_add_f32 and global_atomic_add_f64.
FloatAtomics float_atomics(std::string_view processor) {
  if (is_cdna_2_or_later(processor)) return FloatAtomics::present;
  const bool adds_f32 = processor == "gfx908" || generation_of(processor) >= 11;
  return adds_f32 ? FloatAtomics::f32_only : FloatAtomics::absent;
}

/// 32-bit registers of a compute unit: what the threads of one block share.
/// Source: AMD's public ISA documents (CDNA 1 to 4, Vega, RDNA 1 to 4) and LLVM's AMDGPU user
/// guide.
int registers_per_unit(std::string_view processor) {
  constexpr std::array<std::string_view, 5> large = {"gfx1100", "gfx1101", "gfx1151", "gfx1200",
                                                     "gfx1201"};
  // gfx9 and before: a compute unit is 4 SIMDs x 256 registers x 64 lanes, or 512.
  if (generation_of(processor) < 10) return 4 * (is_cdna_2_or_later(processor) ? 512 : 256) * 64;
  // gfx10 and later: 2 SIMDs x 1024 registers x 32 lanes; 1536 on the large dies of gfx11 and on
  // gfx12. HIP counts pairs of them as multiprocessors, but builds kernels that keep a block in
  // one.
  return 2 * (is_one_of(processor, large) ? 1536 : 1024) * 32;
}

struct CacheSize {
  std::string_view processor;
  int mebibytes;
};

// Infinity Cache (or L2 where there is none), as AMD's product data sheets state it: of the largest
// product, where the kernel does not tell. Others of the same processor have less: RX 7900 XT 80,
// RX 7900 GRE 64 (gfx1100), RX 7700 XT 48 (gfx1101).
constexpr std::array<CacheSize, 13> last_level_caches = {{
    {"gfx90a", 8},     // Instinct MI210/MI250/MI250X: L2 of one die
    {"gfx940", 256},   // Instinct MI300 series
    {"gfx941", 256},   // Instinct MI300 series
    {"gfx942", 256},   // Instinct MI300A/MI300X/MI325X
    {"gfx950", 256},   // Instinct MI350X/MI355X
    {"gfx1030", 128},  // Radeon RX 6800 to 6950 XT
    {"gfx1031", 96},   // Radeon RX 6700 XT
    {"gfx1032", 32},   // Radeon RX 6600 XT
    {"gfx1034", 16},   // Radeon RX 6500 XT
    {"gfx1100", 96},   // Radeon RX 7900 XTX
    {"gfx1101", 64},   // Radeon RX 7800 XT
    {"gfx1102", 32},   // Radeon RX 7600
    {"gfx1201", 64},   // Radeon RX 9070 XT
}};

}  // namespace

std::string_view processor_of(std::string_view arch) {
  return arch.substr(0, arch.find(':'));
}

int generation_of(std::string_view processor) {
  if (!processor.starts_with("gfx")) return 0;
  std::string_view digits = processor.substr(3);
  const auto dash = digits.find('-');
  // The last two characters are minor version and stepping, one hexadecimal digit each.
  digits = dash != std::string_view::npos
               ? digits.substr(0, dash)
               : digits.substr(0, std::max<std::size_t>(digits.size(), 2) - 2);
  int generation = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), generation);
  return generation;
}

int lanes_of(std::string_view arch) {
  return generation_of(processor_of(arch)) < 10 ? 64 : 32;
}

std::optional<Limits> architecture_limits(std::string_view arch) {
  if (generation_of(processor_of(arch)) == 0) return std::nullopt;
  Limits limits;
  limits.wave_size = lanes_of(arch);
  limits.min_block_size = 64;
  limits.max_block_size = 1024;
  limits.max_vector_bytes = 16;  // global_load_dwordx4
  limits.compute_units = 1;      // an architecture comes in many sizes: only a device can tell
  limits.registers_per_unit = registers_per_unit(processor_of(arch));
  limits.max_registers_per_thread = 256;  // what an instruction can address
  limits.float_atomics = float_atomics(processor_of(arch));
  // HIP launches fewer than 2^32 threads, counted in threads (documentation of
  // hipModuleLaunchKernel); this holds for the largest block too.
  limits.max_grid = 0xffffffffLL / limits.max_block_size;
  // Local data share of a workgroup: the ISA guides, and "AMD CDNA 4 Architecture" white paper.
  limits.max_shared_bytes = (processor_of(arch) == "gfx950" ? 160 : 64) * 1024;
  return limits;
}

int dies_of(std::string_view arch, int compute_units) {
  // Active compute units of an accelerator die: "AMD CDNA 3 Architecture" white paper (MI300X: 304
  // on 8 dies, MI300A: 228 on 6), data sheets of MI350X and MI355X (256 on 8).
  const std::string_view processor = processor_of(arch);
  const bool is_cdna3 = processor.starts_with("gfx94");
  const bool is_cdna4 = processor == "gfx950";
  if (!is_cdna3 && !is_cdna4) return 1;  // one die with compute units, or one device for each
  const int per_die = is_cdna3 ? 38 : 32;
  return compute_units % per_die == 0 ? compute_units / per_die : 0;
}

int transfers_per_clock(std::string_view arch) {
  // HBM2 and DDR4: two. HBM3: the clock is the controller's, 1300 MHz on MI300A and MI300X, whose
  // 8192 bits reach 5.3 TB/s by their data sheets: four. Not known of HBM3E in gfx950, nor of GDDR.
  const std::string_view processor = processor_of(arch);
  if (processor.starts_with("gfx90")) return 2;
  return processor.starts_with("gfx94") ? 4 : 0;
}

std::int64_t last_level_cache_bytes(std::string_view arch, std::int64_t l2_bytes) {
  const std::string_view processor = processor_of(arch);
  for (const CacheSize& cache : last_level_caches) {
    if (cache.processor == processor) {
      return std::max(l2_bytes, std::int64_t{cache.mebibytes} << 20);
    }
  }
  return l2_bytes;
}

}  // namespace redtune::device::hip
