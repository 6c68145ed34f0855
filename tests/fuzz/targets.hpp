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

void read_snapshot(std::string_view bytes);
void read_json(std::string_view bytes);
void read_options(std::string_view bytes);
void read_compile_frame(std::string_view bytes);
void read_worker_frame(std::string_view bytes);

[[nodiscard]] std::vector<std::string> snapshot_samples();
[[nodiscard]] std::vector<std::string> json_samples();
[[nodiscard]] std::vector<std::string> option_samples();
[[nodiscard]] std::vector<std::string> compile_frame_samples();
[[nodiscard]] std::vector<std::string> worker_frame_samples();

/// A new reader is a row here and a name in CMakeLists.txt.
[[nodiscard]] std::span<const Target> targets();

/// Ends the program with a text when a promise is broken.
void promise(bool kept, const char* what);

}  // namespace redtune::fuzz
