// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What readers of descriptions promise, whatever they read.
#pragma once

#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {

using kernels::KernelDescription;

/// What every reader of descriptions promises.
inline void read_description_by(KernelDescription (*read)(std::string_view, const std::string&),
                                std::string_view bytes) {
  try {
    const KernelDescription description = read(bytes, "k");
    promise(!description.launches.empty(), "a description has a launch");
    promise(!description.checks.empty(), "a description has a check");
    for (const kernels::Tunable& tunable : description.tunables) {
      promise(tunable.default_index < tunable.values.size(), "a tunable has a default");
    }
    for (const kernels::KernelLaunch& launch : description.launches) {
      for (const std::size_t argument : launch.arguments) {
        promise(argument < description.arguments.size(), "a launch has arguments that there are");
      }
    }
    promise(read(bytes, "k") == description, "a text means one thing");
  } catch (const UsageError& error) {
    const std::string_view why = error.what();
    promise(why.starts_with("k:"), "a refusal says where");
    promise(why.find('\n') == std::string_view::npos, "a refusal is one line");
  }
}

}  // namespace redtune::fuzz
