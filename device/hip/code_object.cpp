// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Layouts: the ELF specification and "Code Object Metadata" of LLVM's AMDGPU user guide.
// Nothing in the bytes is believed: every offset, count and type is checked before it is used.
#include "device/hip/code_object.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "redtune/error.hpp"
#include "vocabulary/json_bounds.hpp"

namespace redtune::device::hip {
namespace {

using Bytes = std::span<const std::byte>;
using Json = nlohmann::json;

constexpr std::uint32_t metadata_note = 32;    // NT_AMDGPU_METADATA
constexpr std::uint16_t amdgpu_machine = 224;  // EM_AMDGPU; elf.h of older systems lacks it
constexpr std::size_t max_depth = 16;          // real metadata is five levels deep

[[noreturn]] void refuse(std::string_view why) {
  throw DeviceError(fmt::format("not a usable AMD code object: {}", why));
}

Bytes slice(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) refuse("it ends too early");
  return bytes.subspan(offset, size);
}

template <class T>
T read(Bytes bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, slice(bytes, offset, sizeof(T)).data(), sizeof(T));
  return value;
}

std::string_view text_at(Bytes table, std::uint64_t offset) {
  if (offset >= table.size()) refuse("a name lies outside its table");
  const auto rest = table.subspan(offset);
  const auto* begin = reinterpret_cast<const char*>(rest.data());
  const std::size_t length = strnlen(begin, rest.size());
  if (length == rest.size()) refuse("a name does not end");
  return {begin, length};
}

Elf64_Ehdr header_of(Bytes binary) {
  const auto header = read<Elf64_Ehdr>(binary, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) refuse("it is not an ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != amdgpu_machine) {
    refuse("it is for another machine");
  }
  return header;
}

std::vector<Elf64_Shdr> sections_of(Bytes binary) {
  const Elf64_Ehdr header = header_of(binary);
  if (header.e_shentsize != sizeof(Elf64_Shdr)) refuse("its section headers have an unknown size");
  std::vector<Elf64_Shdr> sections;
  const Bytes table =
      slice(binary, header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    sections.push_back(read<Elf64_Shdr>(table, i * sizeof(Elf64_Shdr)));
  }
  return sections;
}

Json metadata_of(Bytes text) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(text.data());
  // Deeper nesting would overflow the stack of a recursive parser.
  const JsonFit fit = JsonBounds(max_depth, text.size())
                          .fit_of({reinterpret_cast<const char*>(begin), text.size()},
                                  Json::input_format_t::msgpack);
  if (fit != JsonFit::fits) refuse("its metadata is damaged");
  return Json::from_msgpack(begin, begin + text.size(), true, false);
}

/// The first AMDGPU metadata note of a note section; discarded when there is none.
Json metadata_in(Bytes notes) {
  const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
  std::uint64_t at = 0;
  while (at < notes.size()) {
    const auto header = read<Elf64_Nhdr>(notes, at);
    const std::uint64_t name_at = at + sizeof(header);
    const std::uint64_t text_at = name_at + padded(header.n_namesz);
    if (header.n_type == metadata_note) return metadata_of(slice(notes, text_at, header.n_descsz));
    at = text_at + padded(header.n_descsz);
  }
  return Json(Json::value_t::discarded);
}

Json find_metadata(Bytes binary, const std::vector<Elf64_Shdr>& sections) {
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_NOTE) continue;
    Json metadata = metadata_in(slice(binary, section.sh_offset, section.sh_size));
    if (!metadata.is_discarded()) return metadata;
  }
  refuse("it has no metadata");
}

/// A count that fits an int; nothing when the compiler did not write it.
std::optional<int> count(const Json& kernel, const char* key) {
  const auto found = kernel.find(key);
  if (found == kernel.end()) return std::nullopt;
  if (!found->is_number_unsigned()) refuse(fmt::format("{} is not a number", key));
  const auto value = found->get<std::uint64_t>();
  if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    refuse(fmt::format("{} is out of range", key));
  }
  return static_cast<int>(value);
}

std::optional<int> sum(std::optional<int> a, std::optional<int> b) {
  if (!a && !b) return std::nullopt;
  const std::int64_t total = std::int64_t{a.value_or(0)} + b.value_or(0);
  if (total > std::numeric_limits<int>::max()) refuse("a count of spills is out of range");
  return static_cast<int>(total);
}

/// All in order, with the kind of each. None when the list is not as this was written for: nothing
/// that runs depends on it.
std::vector<HiddenArgument> arguments_of(const Json& kernel) {
  std::vector<HiddenArgument> arguments;
  const auto list = kernel.find(".args");
  if (list == kernel.end() || !list->is_array()) return {};
  for (const Json& argument : *list) {
    const auto kind = argument.is_object() ? argument.find(".value_kind") : argument.end();
    if (kind == argument.end() || !kind->is_string()) return {};
    const auto offset = count(argument, ".offset");
    const auto bytes = count(argument, ".size");
    if (!offset || !bytes) return {};
    arguments.push_back({kind->get<std::string>(), *offset, *bytes});
  }
  return arguments;
}

KernelNotes notes_of(const Json& kernel) {
  KernelNotes notes;
  for (HiddenArgument& argument : arguments_of(kernel)) {
    if (argument.kind.starts_with("hidden_")) {
      notes.hidden.push_back(std::move(argument));
    } else {
      notes.parameters.push_back({argument.offset, argument.bytes});
    }
  }
  notes.max_block_size = count(kernel, ".max_flat_workgroup_size");
  notes.wave_size = count(kernel, ".wavefront_size");
  KernelResources& needs = notes.resources;
  needs.vector_registers = count(kernel, ".vgpr_count");
  needs.scalar_registers = count(kernel, ".sgpr_count");
  needs.scratch_bytes = count(kernel, ".private_segment_fixed_size");
  needs.spills = count(kernel, ".vgpr_spill_count");
  // Without memory for any, scalars have found lanes of vector registers: instructions, no access.
  if (needs.scratch_bytes != 0)
    needs.spills = sum(needs.spills, count(kernel, ".sgpr_spill_count"));
  needs.shared_bytes = count(kernel, ".group_segment_fixed_size");
  return notes;
}

/// Fills in the code sizes of the kernels that a symbol table names.
void add_code_sizes(Bytes symbols, Bytes names, std::map<std::string, KernelNotes>& kernels) {
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = read<Elf64_Sym>(symbols, at);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
    const auto kernel = kernels.find(std::string(text_at(names, symbol.st_name)));
    if (kernel == kernels.end()) continue;
    if (symbol.st_size > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
      refuse("a kernel's size is out of range");
    }
    kernel->second.resources.code_bytes = static_cast<int>(symbol.st_size);
  }
}

}  // namespace

int abi_version_of(Bytes binary) {
  return header_of(binary).e_ident[EI_ABIVERSION];
}

std::map<std::string, KernelNotes> read_code_object(Bytes binary) {
  const std::vector<Elf64_Shdr> sections = sections_of(binary);
  const Json metadata = find_metadata(binary, sections);
  if (!metadata.is_object()) refuse("its metadata is not a map");
  const auto list = metadata.find("amdhsa.kernels");
  if (list == metadata.end() || !list->is_array()) refuse("its metadata lists no kernels");
  std::map<std::string, KernelNotes> kernels;
  for (const Json& kernel : *list) {
    const auto name = kernel.is_object() ? kernel.find(".name") : kernel.end();
    if (name == kernel.end() || !name->is_string()) refuse("a kernel has no name");
    kernels[name->get<std::string>()] = notes_of(kernel);
  }
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) refuse("a symbol table has no names");
    const Elf64_Shdr& names = sections[section.sh_link];
    add_code_sizes(slice(binary, section.sh_offset, section.sh_size),
                   slice(binary, names.sh_offset, names.sh_size), kernels);
  }
  return kernels;
}

}  // namespace redtune::device::hip
