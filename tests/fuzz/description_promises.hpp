// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What readers of descriptions promise, whatever they read.
#pragma once

#include <optional>

#include "kernel_templates/description/code_tokens.hpp"
#include "kernel_templates/description/code_words.hpp"
#include "kernel_templates/description/kernel_problem.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {

using kernels::KernelDescription;

/// The problem of the first values of all sizes tells them again, where there is one.
inline void promise_problem_of(const KernelDescription& description) {
  kernels::SizeValues sizes;
  for (const kernels::NamedSize& size : description.sizes) sizes.push_back(size.values.front());
  std::optional<Problem> problem;
  try {
    problem = kernels::kernel_problem(description, "key", sizes, CacheMode::cold);
  } catch (const UsageError&) {
    return;  // a size of 0, or too many elements
  }
  promise(kernels::sizes_of(description, *problem) == sizes, "a problem tells its sizes");
}

inline std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

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
    const std::string meaning = kernels::meaning_of(description, std::string(bytes));
    promise(
        without_blanks(kernels::code_tokens(bytes)) == without_blanks(kernels::code_words(bytes)),
        "tokens have other blanks and nothing else");
    promise(kernels::meaning_of(description, kernels::code_tokens(bytes)) == meaning,
            "what is left of a text means the same");
    promise_problem_of(description);
  } catch (const UsageError& error) {
    const std::string_view why = error.what();
    promise(why.starts_with("k:"), "a refusal says where");
    promise(why.find('\n') == std::string_view::npos, "a refusal is one line");
  }
}

}  // namespace redtune::fuzz
