// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is read from really compiled cubins and their logs, and that damaged ones do no harm.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "cuda_texts.hpp"
#include "device/cuda/cubin.hpp"

namespace redtune::device::cuda::testing {
namespace {

using Binary = std::vector<std::byte>;
using Resources = std::map<std::string, KernelResources>;

/// As the assembler of CUDA 13 writes it, shortened in width only.
constexpr std::string_view log_text =
    R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5plainPf' for 'sm_90'
ptxas info    : Function properties for _Z5plainPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 256 bytes smem
ptxas info    : Compile time = 2.821 ms
ptxas info    : Compiling entry function '_Z5callsPfi' for 'sm_90'
ptxas info    : Function properties for _Z5callsPfi
    752 bytes stack frame, 852 bytes spill stores, 1620 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 752 bytes cumulative stack size
ptxas info    : Compile time = 58.224 ms
ptxas info    : Function properties for _Z3farfi
    8 bytes stack frame, 44 bytes spill stores, 44 bytes spill loads
)";

TEST(CubinLog, TellsWhatEachKernelNeeds) {
  const Resources kernels = read_resources({}, log_text);
  ASSERT_EQ(kernels.size(), 2U);
  const KernelResources& plain = kernels.at("_Z5plainPf");
  EXPECT_EQ(plain.vector_registers, 10);
  EXPECT_EQ(plain.shared_bytes, 256);
  EXPECT_EQ(plain.spills, 0);
  EXPECT_EQ(plain.scratch_bytes, 0);
  EXPECT_EQ(plain.code_bytes, std::nullopt);
  EXPECT_EQ(plain.scalar_registers, std::nullopt);
}

TEST(CubinLog, WhatACalledFunctionNeedsIsNotTakenForTheKernels) {
  const KernelResources calls = read_resources({}, log_text).at("_Z5callsPfi");
  EXPECT_EQ(calls.scratch_bytes, 752);
  EXPECT_EQ(calls.spills, 852 / 4);
  EXPECT_EQ(calls.vector_registers, 32);
  EXPECT_EQ(calls.shared_bytes, 0);  // no word about it
}

TEST(CubinLog, TextBesideTheAssemblersIsIgnored) {
  EXPECT_TRUE(read_resources({}, "").empty());
  EXPECT_TRUE(read_resources({}, "\n\n\nUsed 32 registers\n").empty());
  const std::string warned =
      "redtune.cu(7): warning #177-D: variable \"registers\" was declared but never referenced\n" +
      std::string(log_text) + "warning : Used many registers\n";
  EXPECT_EQ(read_resources({}, warned).at("_Z5plainPf").vector_registers, 10);
}

TEST(CubinLog, NumbersThatAreNoneStayUnknown) {
  for (const char* used : {"Used  registers", " registers", "Used 99999999999999999999 registers",
                           "Used x registers", "Used 3", ""}) {
    const std::string log = std::string("Compiling entry function 'k' for 'sm_90'\n") + used;
    EXPECT_EQ(read_resources({}, log).at("k").vector_registers, std::nullopt) << used;
  }
}

TEST(CubinLog, ALogThatEndsEarlyTellsTheTruthOrNothing) {
  const Resources whole = read_resources({}, log_text);
  for (std::size_t length = 0; length <= log_text.size(); ++length) {
    // A copy that ends where the text ends, so that a sanitizer sees the first byte read beyond.
    const std::vector<char> first(log_text.begin(), log_text.begin() + static_cast<long>(length));
    for (const auto& [symbol, kernel] : read_resources({}, {first.data(), first.size()})) {
      const auto full = whole.find(symbol);
      if (full == whole.end()) continue;  // half a name
      for (const auto field : {&KernelResources::vector_registers, &KernelResources::spills,
                               &KernelResources::scratch_bytes}) {
        EXPECT_EQ((kernel.*field).value_or(*(full->second.*field)), full->second.*field) << length;
      }
    }
  }
}

class CubinTest : public NvrtcArchTest {
 protected:
  void SetUp() override {
    NvrtcArchTest::SetUp();
    if (!IsSkipped()) program_ = compiled(request_for(GetParam()));
  }
  CompiledProgram program_;
};

TEST_P(CubinTest, TheCompilerTellsWhatEachKernelNeeds) {
  ASSERT_EQ(program_.kernels.size(), 4U);
  const KernelResources& small = program_.kernels[0].resources;
  const KernelResources& large = program_.kernels[1].resources;
  const KernelResources& hold = program_.kernels[2].resources;
  const KernelResources& crowd = program_.kernels[3].resources;
  EXPECT_EQ(small.shared_bytes, 64 * 4);
  EXPECT_EQ(large.shared_bytes, 256 * 8);
  EXPECT_EQ(hold.shared_bytes, 0);
  EXPECT_EQ(small.scratch_bytes, 0);
  EXPECT_EQ(small.spills, 0);
  EXPECT_GE(hold.scratch_bytes, 4000);
  EXPECT_EQ(hold.spills, 0);  // an array in memory by nature is none
  EXPECT_EQ(crowd.vector_registers, 64);
  EXPECT_GE(crowd.spills, 120 - 64);
  for (const CompiledKernel& kernel : program_.kernels) {
    EXPECT_GT(kernel.resources.vector_registers, 0) << kernel.symbol;
    EXPECT_LE(kernel.resources.vector_registers, 255) << kernel.symbol;
    EXPECT_GE(kernel.resources.code_bytes, 128) << kernel.symbol;
    EXPECT_EQ(kernel.resources.scalar_registers, std::nullopt) << kernel.symbol;
  }
}

/// Bytes of code by symbol; checked to be possible.
std::map<std::string, int> code_of(const Binary& binary) {
  std::map<std::string, int> sizes;
  for (const auto& [symbol, kernel] : read_resources(binary, "")) {
    EXPECT_FALSE(kernel.vector_registers || kernel.spills || kernel.shared_bytes) << symbol;
    sizes[symbol] = kernel.code_bytes.value_or(-1);
    EXPECT_GE(sizes[symbol], 0) << symbol;
    EXPECT_LE(sizes[symbol], static_cast<int>(binary.size())) << symbol;
  }
  return sizes;
}

TEST_P(CubinTest, CodeSizesNeedNoLog) {
  const auto sizes = code_of(program_.binary);
  ASSERT_EQ(sizes.size(), 4U);
  for (const CompiledKernel& kernel : program_.kernels) {
    EXPECT_EQ(sizes.at(kernel.symbol), kernel.resources.code_bytes);
  }
}

TEST_P(CubinTest, TruncationsTellNothing) {
  const auto end = program_.binary.begin();
  for (std::size_t bytes = 0; bytes < program_.binary.size(); bytes += bytes < 4096 ? 1 : 61) {
    const auto sizes = code_of({end, end + static_cast<long>(bytes)});
    // The section headers end the file; the last of them may be of no kernel.
    EXPECT_TRUE(sizes.empty() || bytes * 4 > program_.binary.size() * 3) << bytes;
  }
}

TEST_P(CubinTest, FlippedBitsNeverHurt) {
  std::mt19937_64 random(20260101);
  std::size_t headers = 0;
  std::memcpy(&headers, program_.binary.data() + 40, sizeof(headers));  // e_shoff
  ASSERT_LT(headers, program_.binary.size());
  const std::size_t tables = program_.binary.size() - headers;
  for (int round = 0; round < 4000; ++round) {
    Binary damaged = program_.binary;
    for (std::uint64_t flips = 1 + random() % 8; flips > 0; --flips) {
      const std::size_t at = random() % 2 == 0 ? random() % 64 : headers + random() % tables;
      damaged[at] ^= std::byte{1} << (random() % 8);
    }
    (void)code_of(damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CubinTest,
                         ::testing::Values("sm_80", "sm_90", "sm_100", "sm_120"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Cubin, OtherFilesTellNothing) {
  EXPECT_TRUE(read_resources({}, "").empty());
  EXPECT_TRUE(read_resources(Binary(1000, std::byte{0}), "").empty());
  EXPECT_TRUE(read_resources(Binary(1000, std::byte{0x7f}), "").empty());
}

}  // namespace
}  // namespace redtune::device::cuda::testing
