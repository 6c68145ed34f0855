// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether AMD's compiler made of a config what it asks for: in the notes of the code object and in
// the machine code.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "device/hip/code_object.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "tests/device/machine_code.hpp"

namespace redtune::device::hip::testing {

/// What was asked for.
struct AskedKernel {
  kernels::ReduceConfig config;
  Problem problem;
  Limits limits;
};

/// Bytes that the text declares as shared: a value of each wave and the flag of the last block
/// (block_reduce.hip.h, finish_last_block.hip.h); of indices, for each wave, a value with its place
/// in a tile, one with its index and an index alone, and what the block found (find_extreme.hip.h);
/// the first of two launches looks for no index.
[[nodiscard]] inline int declared_shared_bytes(const AskedKernel& asked) {
  const Op op = asked.problem.op;
  const int waves = asked.config.block_size / asked.limits.wave_size;
  const int value = static_cast<int>(size_of(asked.problem.acc));
  const int of_all = asked.config.finish == kernels::Finish::last_block ? 1 : 0;
  if (info(op).shape != ResultShape::indexed) {
    const int kept = static_cast<int>(accumulator_bytes(asked.problem));
    return (waves > 1 ? waves * kept : 0) + of_all;
  }
  const int placed = value == 8 ? 16 : 8;
  if (asked.config.finish == kernels::Finish::second_pass) {
    return waves > 1 ? waves * (placed + 16) : 0;
  }
  const int of_wave = placed + 16 + 8;
  return (waves > 1 ? waves * of_wave : 0) + value + 8 + 1 + of_all;
}

/// What loads of so many bytes are called up to gfx10, and from gfx11 on.
[[nodiscard]] inline std::vector<std::string> load_names(int bytes) {
  static const std::map<int, std::vector<std::string>> names{
      {1,
       {"load_ubyte", "load_sbyte", "load_u8", "load_i8", "load_d16_u8", "load_d16_i8",
        "load_d16_hi_u8", "load_d16_hi_i8"}},
      {2,
       {"load_ushort", "load_sshort", "load_short_d16", "load_u16", "load_i16", "load_d16_b16",
        "load_d16_hi_b16"}},
      {4, {"load_dword ", "load_b32"}},
      {8, {"load_dwordx2", "load_b64"}},
      {16, {"load_dwordx4", "load_b128"}}};
  return names.at(bytes);
}

/// Loads from memory of so many bytes.
[[nodiscard]] inline std::vector<std::string> loads_of(const std::string& code, int bytes) {
  std::vector<std::string> found;
  for (const std::string& name : load_names(bytes)) {
    std::ranges::move(checks::lines_with(code, "global_" + name), std::back_inserter(found));
  }
  return found;
}

/// Whether a load passes the caches by: slc to gfx11, nt on gfx940 to gfx950, a word from gfx12 on.
[[nodiscard]] inline bool passes_by(const std::string& line) {
  return line.find(" slc") != std::string::npos || line.find(" nt") != std::string::npos ||
         line.find("th:TH_LOAD_NT") != std::string::npos;
}

/// What is wrong with any kernel, empty: nothing.
[[nodiscard]] inline std::string fault_of(const std::string& code, const KernelNotes& notes,
                                          const Limits& limits) {
  const KernelResources& needs = notes.resources;
  if (notes.wave_size != limits.wave_size) return "its waves have another size";
  if (needs.spills != 0) return "it spills registers";
  if (needs.scratch_bytes != 0) return "it has scratch memory";
  if (needs.vector_registers.value_or(0) < 1) return "it does not tell its registers";
  for (const char* name : {"flat_load", "flat_store", "flat_atomic", "scratch_", "cmpswap"}) {
    if (const auto lines = checks::lines_with(code, name); !lines.empty()) return lines[0];
  }
  return code.find("s_endpgm") == std::string::npos ? "it has no end" : "";
}

/// What is wrong with the kernel of a config, or one of its kernels, empty: nothing.
[[nodiscard]] inline std::string fault_of(const std::string& code, const KernelNotes& notes,
                                          const AskedKernel& asked) {
  if (auto fault = fault_of(code, notes, asked.limits); !fault.empty()) return fault;
  const kernels::ReduceConfig& config = asked.config;
  constexpr int most_padding = 15;  // the largest shared value is aligned to 8 or 16 bytes
  const int declared = declared_shared_bytes(asked);
  const int shared = notes.resources.shared_bytes.value_or(-1);
  if (shared < declared || shared > declared + most_padding) {
    return fmt::format("{} bytes are shared, the text declares {}", shared, declared);
  }
  if (config.finish == kernels::Finish::slots) {
    // Nothing is published to the device but the words themselves: no cache that it shares is
    // written back or emptied. (What a barrier does to the caches of a block is its own.)
    for (const char* name : {"buffer_wb", "buffer_inv sc1", "buffer_gl1_inv"}) {
      if (const auto lines = checks::lines_with(code, name); !lines.empty()) return lines[0];
    }
  }
  const int bytes = config.vector_width * static_cast<int>(size_of(asked.problem.in));
  const int in_flight = config.items_per_thread / config.vector_width;
  const auto loads = loads_of(code, bytes);
  const auto passing = std::ranges::count_if(loads, passes_by);
  const bool is_streaming = config.load == kernels::Load::streaming;
  // The compiler of HIP 6.4 forgets the hint of a thread's only load on gfx11 (argmin of i64).
  const bool are_hinted = is_streaming && in_flight > 1;
  if ((are_hinted ? passing : static_cast<std::ptrdiff_t>(loads.size())) < in_flight) {
    return fmt::format("{} loads of {} bytes in flight, {} of them pass the caches by",
                       loads.size(), bytes, passing);
  }
  if (!is_streaming && passing > 0) return "cached loads pass the caches by";
  return {};
}

}  // namespace redtune::device::hip::testing
