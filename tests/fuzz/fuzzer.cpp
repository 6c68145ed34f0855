// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// libFuzzer's way into one target, and, with no input yet, its samples as the first inputs:
//   fuzz_json CORPUS -max_total_time=60
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/targets.hpp"

namespace {

const redtune::fuzz::Target& target() {
  for (const auto& one : redtune::fuzz::targets()) {
    if (one.name == REDTUNE_FUZZ_NAME) return one;
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  if (*count < 2 || (*words)[1][0] == '-') return 0;
  const std::filesystem::path corpus = (*words)[1];
  std::filesystem::create_directories(corpus);
  int number = 0;
  for (const std::string& sample : target().samples()) {
    std::ofstream(corpus / ("sample" + std::to_string(++number)), std::ios::binary) << sample;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  target().read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
