// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is read from really compiled code objects, and that damaged ones are refused, not believed.
#include <cstring>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "device/hip/code_object.hpp"
#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "redtune/error.hpp"

namespace redtune::device::hip::testing {
namespace {

using Binary = std::vector<std::byte>;

/// Reads it, or refuses it as the header promises; anything else fails the test.
bool survives(std::span<const std::byte> binary) {
  try {
    (void)read_code_object(binary);
    return true;
  } catch (const DeviceError&) {
    return false;
  }
}

/// A copy that ends where the bytes end, so that a sanitizer sees the first byte read beyond.
Binary first(const Binary& binary, std::size_t bytes) {
  return {binary.begin(), binary.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

const Elf64_Shdr* note_section(const Binary& binary) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(binary.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(binary.data() + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type == SHT_NOTE) return &sections[i];
  }
  ADD_FAILURE() << "no notes";
  return sections;
}

class CodeObjectTest : public ::testing::TestWithParam<const char*> {
 protected:
  const CompiledProgram& program_ = compiled_once(request_for(GetParam()));
};

TEST_P(CodeObjectTest, TellsWhatEachKernelNeeds) {
  ASSERT_EQ(program_.kernels.size(), 3U);
  const auto notes = read_code_object(program_.binary);
  EXPECT_EQ(notes.size(), 3U);
  const KernelNotes& small = notes.at(program_.kernels[0].symbol);
  const KernelNotes& large = notes.at(program_.kernels[1].symbol);
  const KernelNotes& hold = notes.at(program_.kernels[2].symbol);
  EXPECT_EQ(small.resources.shared_bytes, 64 * 4);
  EXPECT_EQ(large.resources.shared_bytes, 256 * 8);
  EXPECT_EQ(small.resources.scratch_bytes, 0);
  EXPECT_EQ(small.resources.spills, 0);
  EXPECT_GE(hold.resources.scratch_bytes, 4000);  // an array indexed by data lives in memory
  for (const auto& [symbol, kernel] : notes) {
    EXPECT_GT(kernel.resources.vector_registers, 0) << symbol;
    EXPECT_GT(kernel.resources.scalar_registers, 0) << symbol;
    EXPECT_GE(kernel.resources.code_bytes, 16) << symbol;
    EXPECT_LT(kernel.resources.code_bytes, static_cast<int>(program_.binary.size())) << symbol;
    EXPECT_EQ(kernel.wave_size, wave_size(GetParam())) << symbol;
  }
}

TEST_P(CodeObjectTest, TheCompilerPassesThemOn) {
  const auto notes = read_code_object(program_.binary);
  for (const CompiledKernel& kernel : program_.kernels) {
    EXPECT_EQ(kernel.resources.code_bytes, notes.at(kernel.symbol).resources.code_bytes);
    EXPECT_EQ(kernel.resources.shared_bytes, notes.at(kernel.symbol).resources.shared_bytes);
  }
}

TEST_P(CodeObjectTest, EveryTruncationIsRefused) {
  ASSERT_TRUE(survives(program_.binary));
  // The section headers end the file, so nothing shorter can be whole.
  for (std::size_t bytes = 0; bytes < program_.binary.size(); ++bytes) {
    EXPECT_FALSE(survives(first(program_.binary, bytes))) << bytes;
  }
}

TEST_P(CodeObjectTest, FlippedBitsNeverHurt) {
  std::mt19937_64 random(20260101);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    Binary damaged = program_.binary;
    for (std::uint64_t flips = 1 + random() % 8; flips > 0; --flips) {
      damaged[random() % damaged.size()] ^= std::byte{1} << (random() % 8);
    }
    if (!survives(damaged)) ++refused;
  }
  EXPECT_GT(refused, 100);
}

TEST_P(CodeObjectTest, FlippedBitsInTheHeadersAndNotesNeverHurt) {
  const auto* notes = note_section(program_.binary);
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(program_.binary.data());
  const std::size_t tables = header->e_shoff;
  const std::array<std::pair<std::size_t, std::size_t>, 3> parts = {
      {{0, sizeof(Elf64_Ehdr)},
       {notes->sh_offset, notes->sh_offset + notes->sh_size},
       {tables, program_.binary.size()}}};
  int refused = 0;
  for (const auto& [begin, end] : parts) {
    for (std::size_t bit = begin * 8; bit < end * 8; ++bit) {
      Binary damaged = program_.binary;
      damaged[bit / 8] ^= std::byte{1} << (bit % 8);
      if (!survives(damaged)) ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

/// The binary with its notes declared to be somewhere else.
Binary with_notes_at(Binary binary, std::uint64_t offset, std::uint64_t size) {
  const auto at = reinterpret_cast<const std::byte*>(note_section(binary)) - binary.data();
  Elf64_Shdr section;
  std::memcpy(&section, binary.data() + at, sizeof(section));
  section.sh_offset = offset;
  section.sh_size = size;
  std::memcpy(binary.data() + at, &section, sizeof(section));
  return binary;
}

TEST_P(CodeObjectTest, SizesThatWrapAroundAreRefused) {
  const std::uint64_t half = std::uint64_t{1} << 63;
  EXPECT_FALSE(survives(with_notes_at(program_.binary, half, half + 100)));
}

TEST_P(CodeObjectTest, NestingWithoutEndIsRefused) {
  const Binary lists = {std::byte{0x91}};                  // a list of one list of one list ...
  const Binary maps = {std::byte{0x81}, std::byte{0xa0}};  // a map of "" to a map of "" to ...
  const Elf64_Nhdr note{0, 4'000'000, 32};
  for (const Binary& nested : {lists, maps}) {
    const std::size_t end = program_.binary.size();
    Binary bomb = with_notes_at(program_.binary, end, sizeof(note) + note.n_descsz);
    bomb.resize(end + sizeof(note));
    std::memcpy(bomb.data() + end, &note, sizeof(note));
    for (std::size_t i = 0; i < note.n_descsz; ++i) bomb.push_back(nested[i % nested.size()]);
    EXPECT_FALSE(survives(bomb));
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CodeObjectTest,
                         ::testing::Values("gfx906", "gfx90a", "gfx1030"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CodeObject, TellsWhatTheCompilerAppendsToArguments) {
  const CompiledProgram program = compiled(
      {"__global__ void appended(long* out) { *out = *(long*)__builtin_amdgcn_implicitarg_ptr(); }",
       {"appended"},
       "gfx90a"});
  const LaunchNotes notes = HipCompiler().launch_notes(program.binary);
  EXPECT_GE(notes.abi_version, 1);  // version 3, of 2019, and later
  const auto& hidden = notes.hidden_arguments.at(program.kernels.at(0).symbol);
  ASSERT_FALSE(hidden.empty());
  int end = 8;  // of the pointer
  for (const HiddenArgument& argument : hidden) {
    EXPECT_THAT(argument.kind, ::testing::StartsWith("hidden_"));
    EXPECT_GE(argument.offset, end);
    EXPECT_GT(argument.bytes, 0);
    end = argument.offset + argument.bytes;
  }
  const auto kernels = read_code_object(program.binary);
  EXPECT_EQ(kernels.at(program.kernels.at(0).symbol).parameters,
            std::vector{(KernelParameter{0, 8})});
  const LaunchNotes none = HipCompiler().launch_notes(first(program.binary, 1000));
  EXPECT_TRUE(none.hidden_arguments.empty());
  EXPECT_EQ(none.abi_version, std::nullopt);
}

TEST(CodeObject, OtherFilesAreRefusedWithTheReason) {
  const auto why = [](const Binary& binary) -> std::string {
    try {
      (void)read_code_object(binary);
    } catch (const DeviceError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_THAT(why({}), ::testing::HasSubstr("ends too early"));
  EXPECT_THAT(why(Binary(1000, std::byte{0})), ::testing::HasSubstr("not an ELF file"));
  Binary host(1000, std::byte{0});
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_X86_64;
  std::memcpy(host.data(), &header, sizeof(header));
  EXPECT_THAT(why(host), ::testing::HasSubstr("another machine"));
}

}  // namespace
}  // namespace redtune::device::hip::testing
