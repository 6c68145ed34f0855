// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Readers of what others wrote, each as a function of bytes that must come back whatever they are,
// and the samples their fuzzing begins with. libFuzzer and the tests run the same functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::fuzz {

struct Target {
  std::string_view name;
  /// Ends the program when what was read breaks a promise.
  void (*read)(std::string_view bytes);
  std::vector<std::string> (*samples)();
};

#define REDTUNE_FUZZ_TARGET(name)           \
  void read_##name(std::string_view bytes); \
  [[nodiscard]] std::vector<std::string> name##_samples();
#include "tests/fuzz/targets.def"
#undef REDTUNE_FUZZ_TARGET

/// In the order of targets.def.
[[nodiscard]] std::span<const Target> targets();

/// Ends the program with a text when a promise is broken.
void promise(bool kept, const char* what);

}  // namespace redtune::fuzz
