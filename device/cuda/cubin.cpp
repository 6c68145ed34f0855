// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The log's lines are the assembler's own words for people; what they do not say stays unknown.
#include "device/cuda/cubin.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <elf.h>
#include <optional>

namespace redtune::device::cuda {
namespace {

/// The whole number that ends right before what follows it, e.g. 32 of "Used 32 registers".
std::optional<int> number_before(std::string_view line, std::string_view what) {
  const auto at = line.find(what);
  if (at == std::string_view::npos) return std::nullopt;
  const auto begin = line.substr(0, at).find_last_not_of("0123456789") + 1;
  int value = 0;
  const auto [end, error] = std::from_chars(line.data() + begin, line.data() + at, value);
  if (error != std::errc{} || end != line.data() + at) return std::nullopt;
  return value;
}

/// What stands between quotes, e.g. the symbol of "Compiling entry function 'symbol' for 'sm_90'".
std::string quoted(std::string_view line) {
  const auto begin = std::min(line.find('\'') + 1, line.size());
  return std::string(line.substr(begin, line.find('\'', begin) - begin));
}

void read_line(std::string_view line, KernelResources& kernel) {
  if (const auto bytes = number_before(line, " bytes stack frame")) kernel.scratch_bytes = *bytes;
  if (const auto bytes = number_before(line, " bytes spill stores")) kernel.spills = *bytes / 4;
  if (const auto count = number_before(line, " registers")) {
    kernel.vector_registers = *count;
    // A kernel without shared memory is told without a word about it.
    kernel.shared_bytes = number_before(line, " bytes smem").value_or(0);
  }
}

template <class T>
std::optional<T> read(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// Bytes of machine code: the section ".text.SYMBOL" of each kernel.
std::map<std::string, int> code_bytes_of(std::span<const std::byte> cubin) {
  std::map<std::string, int> sizes;
  const auto header = read<Elf64_Ehdr>(cubin, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return sizes;
  const auto section = [&](std::uint64_t i) {
    return read<Elf64_Shdr>(cubin, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  if (!names) return sizes;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto one = section(i);
    const std::uint64_t at = one ? names->sh_offset + one->sh_name : cubin.size();
    if (at >= cubin.size() || one->sh_size > cubin.size()) continue;
    const auto* begin = reinterpret_cast<const char*>(cubin.data() + at);
    const std::string_view name(begin, strnlen(begin, cubin.size() - at));
    constexpr std::string_view prefix = ".text.";
    if (name.starts_with(prefix)) {
      sizes[std::string(name.substr(prefix.size()))] = static_cast<int>(one->sh_size);
    }
  }
  return sizes;
}

}  // namespace

std::map<std::string, KernelResources> read_resources(std::span<const std::byte> cubin,
                                                      std::string_view log) {
  std::map<std::string, KernelResources> kernels;
  KernelResources* kernel = nullptr;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    constexpr std::string_view function = "Function properties for ";
    if (line.find("Compiling entry function") != std::string_view::npos) {
      kernel = &kernels[quoted(line)];
    } else if (const auto at = line.find(function); at != std::string_view::npos) {
      // Functions that a kernel calls are told after it; what they need is not the kernel's.
      const auto found = kernels.find(std::string(line.substr(at + function.size())));
      kernel = found == kernels.end() ? nullptr : &found->second;
    } else if (kernel != nullptr) {
      read_line(line, *kernel);
    }
  }
  for (const auto& [symbol, bytes] : code_bytes_of(cubin)) kernels[symbol].code_bytes = bytes;
  return kernels;
}

}  // namespace redtune::device::cuda
