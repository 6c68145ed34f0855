// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Walks the notes that the dynamic linker has mapped; they were written by the linker, not by
// others.
#include "device/gpu/build_id.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <link.h>
#include <span>
#include <string_view>

namespace redtune::device::gpu {
namespace {

struct Question {
  std::uintptr_t address = 0;
  std::string answer;
};

bool holds(const dl_phdr_info& library, std::uintptr_t address) {
  for (const ElfW(Phdr) & segment : std::span(library.dlpi_phdr, library.dlpi_phnum)) {
    const std::uintptr_t begin = library.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address - begin < segment.p_memsz) {
      return true;
    }
  }
  return false;
}

std::string build_id_in(std::span<const unsigned char> notes, std::size_t alignment) {
  constexpr std::string_view gnu{"GNU\0", 4};
  const auto padded = [alignment](std::size_t n) {
    return (n + alignment - 1) / alignment * alignment;
  };
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= notes.size()) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data() + at, sizeof(header));
    const std::size_t name_at = at + sizeof(header);
    const std::size_t id_at = name_at + padded(header.n_namesz);
    const std::size_t next = id_at + padded(header.n_descsz);
    if (next > notes.size()) break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == gnu.size() &&
        std::memcmp(notes.data() + name_at, gnu.data(), gnu.size()) == 0) {
      std::string id;
      for (const unsigned char byte : notes.subspan(id_at, header.n_descsz)) {
        id += fmt::format("{:02x}", byte);
      }
      return id.substr(0, 12);
    }
    at = next;
  }
  return {};
}

int visit(dl_phdr_info* library, std::size_t, void* data) {
  auto& question = *static_cast<Question*>(data);
  if (!holds(*library, question.address)) return 0;
  for (const ElfW(Phdr) & segment : std::span(library->dlpi_phdr, library->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE || !question.answer.empty()) continue;
    const auto* begin =
        reinterpret_cast<const unsigned char*>(library->dlpi_addr + segment.p_vaddr);
    question.answer = build_id_in({begin, segment.p_memsz}, segment.p_align == 8 ? 8 : 4);
  }
  return 1;
}

}  // namespace

std::string build_id_of(const void* address) {
  Question question{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(visit, &question);
  return question.answer;
}

}  // namespace redtune::device::gpu
