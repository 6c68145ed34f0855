// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Layouts: the ELF specification and "Code Object Metadata" (version 5) of LLVM's AMDGPU user
// guide. Counts of registers are invented, and marked so.
#include "packed_program.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace redtune::testing::hip {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::byte>;

constexpr Elf64_Half amdgpu_machine = 224;  // EM_AMDGPU
constexpr unsigned char amdhsa_abi = 64;    // ELFOSABI_AMDGPU_HSA
constexpr Elf64_Word metadata_note = 32;    // NT_AMDGPU_METADATA
constexpr std::string_view isa_prefix = "amdgcn-amd-amdhsa--";
constexpr std::string_view object_section = ".redtune_test_object";

enum Section : Elf64_Word { none, note, symbols, names, object, section_names, sections };

template <class T>
void append(Bytes& bytes, const T& value) {
  const auto* data = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), data, data + sizeof(T));
}

void append_text(Bytes& bytes, std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), data, data + text.size());
}

void pad(Bytes& bytes, std::size_t alignment) {
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

Json metadata_of(const Program& program) {
  Json kernels = Json::array();
  for (const KernelShape& kernel : program.kernels) {
    const auto offsets = offsets_of(kernel);
    Json arguments = Json::array();
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      arguments.push_back({{".offset", offsets[i]},
                           {".size", kernel.sizes[i]},
                           {".redtune_test.alignment", kernel.alignments[i]},
                           {".value_kind", "by_value"}});
      bytes = offsets[i] + kernel.sizes[i];
    }
    kernels.push_back({{".name", kernel.symbol},
                       {".symbol", kernel.symbol + ".kd"},
                       {".args", arguments},
                       {".kernarg_segment_size", bytes},
                       {".kernarg_segment_align", 8},
                       {".wavefront_size", program.wave_size},
                       {".group_segment_fixed_size", 0},
                       {".private_segment_fixed_size", 0},
                       {".vgpr_count", 32},
                       {".sgpr_count", 32},
                       {".vgpr_spill_count", 0},
                       {".sgpr_spill_count", 0},
                       {".max_flat_workgroup_size", 1024},
                       {".redtune_test.registers_are_invented", true}});
  }
  return {{"amdhsa.target", std::string(isa_prefix) + program.isa},
          {"amdhsa.version", {1, 2}},
          {"amdhsa.kernels", kernels}};
}

Bytes note_of(const Program& program) {
  constexpr std::string_view owner{"AMDGPU\0\0", 8};  // seven bytes and one to fill
  const std::vector<std::uint8_t> text = Json::to_msgpack(metadata_of(program));
  Bytes bytes;
  append(bytes, Elf64_Nhdr{7, static_cast<Elf64_Word>(text.size()), metadata_note});
  append_text(bytes, owner);
  append_text(bytes, {reinterpret_cast<const char*>(text.data()), text.size()});
  pad(bytes, 4);
  return bytes;
}

/// A file in the making: sections one behind the other, then their headers.
class File {
 public:
  File() : bytes_(sizeof(Elf64_Ehdr)) { headers_.resize(sections); }

  void add(Section which, Elf64_Word type, std::string_view name, const Bytes& content) {
    pad(bytes_, 16);
    Elf64_Shdr& header = headers_[which];
    header.sh_type = type;
    header.sh_name = name_of(name);
    header.sh_offset = bytes_.size();
    header.sh_size = content.size();
    header.sh_addralign = 16;
    bytes_.insert(bytes_.end(), content.begin(), content.end());
  }
  Elf64_Shdr& header(Section which) { return headers_[which]; }

  Bytes finish() {
    (void)name_of(".shstrtab");
    add(section_names, SHT_STRTAB, ".shstrtab", names_);
    pad(bytes_, 16);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = amdhsa_abi;
    header.e_ident[EI_ABIVERSION] = 3;  // code object version 5
    header.e_type = ET_DYN;
    header.e_machine = amdgpu_machine;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shoff = bytes_.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = sections;
    header.e_shstrndx = section_names;
    std::memcpy(bytes_.data(), &header, sizeof(header));
    for (const Elf64_Shdr& one : headers_) append(bytes_, one);
    return bytes_;
  }

 private:
  Elf64_Word name_of(std::string_view name) {
    const std::string_view known{reinterpret_cast<const char*>(names_.data()), names_.size()};
    const std::string wanted = std::string(name) + '\0';
    const auto at = known.find(wanted);
    if (at != std::string_view::npos) return static_cast<Elf64_Word>(at);
    const auto begin = names_.size();
    append_text(names_, wanted);
    return static_cast<Elf64_Word>(begin);
  }

  Bytes bytes_;
  Bytes names_{std::byte{0}};
  std::vector<Elf64_Shdr> headers_;
};

std::string_view text_of(const nlohmann::json& value) {
  return value.get_ref<const std::string&>();
}

Program program_of(const nlohmann::json& metadata) {
  Program program;
  program.isa = text_of(metadata.at("amdhsa.target")).substr(isa_prefix.size());
  for (const auto& kernel : metadata.at("amdhsa.kernels")) {
    KernelShape shape{kernel.at(".name"), {}, {}};
    for (const auto& argument : kernel.at(".args")) {
      shape.sizes.push_back(argument.at(".size"));
      shape.alignments.push_back(argument.at(".redtune_test.alignment"));
    }
    program.wave_size = kernel.at(".wavefront_size");
    program.kernels.push_back(std::move(shape));
  }
  return program;
}

}  // namespace

std::vector<std::size_t> offsets_of(const KernelShape& kernel) {
  std::vector<std::size_t> offsets;
  std::size_t at = 0;
  for (std::size_t i = 0; i < kernel.sizes.size(); ++i) {
    const std::size_t alignment = kernel.alignments[i];
    at = (at + alignment - 1) / alignment * alignment;
    offsets.push_back(at);
    at += kernel.sizes[i];
  }
  return offsets;
}

std::vector<std::byte> pack(const Program& program) {
  Bytes symbol_names{std::byte{0}};
  Bytes table;
  append(table, Elf64_Sym{});
  for (const KernelShape& kernel : program.kernels) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(symbol_names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = object;
    append(table, symbol);
    append_text(symbol_names, kernel.symbol + '\0');
  }
  File file;
  file.add(note, SHT_NOTE, ".note", note_of(program));
  file.add(symbols, SHT_SYMTAB, ".symtab", table);
  file.header(symbols).sh_link = names;
  file.header(symbols).sh_info = 1;
  file.header(symbols).sh_entsize = sizeof(Elf64_Sym);
  file.add(names, SHT_STRTAB, ".strtab", symbol_names);
  file.add(object, SHT_PROGBITS, object_section, {program.object.begin(), program.object.end()});
  return file.finish();
}

std::optional<Program> unpack(const std::byte* image) {
  Elf64_Ehdr header;
  if (image == nullptr || std::memcmp(image, ELFMAG, SELFMAG) != 0) return std::nullopt;
  std::memcpy(&header, image, sizeof(header));
  if (header.e_machine != amdgpu_machine || header.e_shnum != sections) return std::nullopt;
  std::vector<Elf64_Shdr> headers(sections);
  std::memcpy(headers.data(), image + header.e_shoff, sections * sizeof(Elf64_Shdr));
  const auto* all_names = reinterpret_cast<const char*>(image + headers[section_names].sh_offset);
  if (all_names + headers[object].sh_name != object_section) return std::nullopt;
  Elf64_Nhdr owner;
  const std::byte* at = image + headers[note].sh_offset;
  std::memcpy(&owner, at, sizeof(owner));
  const auto* text = reinterpret_cast<const std::uint8_t*>(at + sizeof(owner) + 8);
  const auto metadata = nlohmann::json::from_msgpack(text, text + owner.n_descsz, true, false);
  if (metadata.is_discarded()) return std::nullopt;
  Program program = program_of(metadata);
  program.object = {image + headers[object].sh_offset, headers[object].sh_size};
  return program;
}

bool runs_on(std::string_view target, std::string_view device_isa) {
  const auto next = [](std::string_view& text) {
    const auto end = std::min(text.find(':'), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
  };
  if (next(target) != next(device_isa)) return false;
  while (!target.empty()) {
    const std::string wanted = ":" + std::string(next(target)) + ":";
    if ((":" + std::string(device_isa) + ":").find(wanted) == std::string::npos) return false;
  }
  return true;
}

}  // namespace redtune::testing::hip
