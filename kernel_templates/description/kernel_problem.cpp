// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/kernel_problem.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>

#include "kernel_templates/description/code_tokens.hpp"
#include "kernel_templates/description/code_words.hpp"
#include "kernel_templates/description/describe_in_text.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

constexpr std::size_t extents_of_shape = 3;

std::string text_of(const std::array<Formula, 3>& formulas) {
  std::string text;
  for (const Formula& formula : formulas) text += formula.expression.text() + ", ";
  return text;
}

std::string meaning_of(const KernelDescription& description, const KernelLaunch& launch) {
  std::string text =
      fmt::format("launch {} block {} grid {} shared {} args", launch.kernel, text_of(launch.block),
                  text_of(launch.grid), launch.shared.expression.text());
  for (const std::size_t number : launch.arguments) {
    text += ' ' + description.arguments[number].name;
  }
  return text + '\n';
}

std::string meaning_of(const KernelArgument& argument) {
  return fmt::format("arg {} {} {}[{}]{} {} {} {} {} {} {}\n", static_cast<int>(argument.kind),
                     to_string(argument.type), argument.name, argument.amount.expression.text(),
                     argument.fraction ? fmt::format(" {}", *argument.fraction) : "",
                     to_string(argument.access), static_cast<int>(argument.fill.kind),
                     argument.fill.low, argument.fill.high, argument.fill.formula.expression.text(),
                     argument.fill.path);
}

/// Smallest first: what the extents of a shape can be.
[[noreturn]] void refuse_sizes(const KernelDescription& description, const SizeValues& sizes,
                               std::string_view why) {
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", description.sizes[i].name, sizes[i]);
  }
  throw UsageError(fmt::format("{}: {}: {}", description.name, text, why));
}

/// Of the sizes that no extents are: " taps=5".
std::string further_sizes(const KernelDescription& description, const SizeValues& sizes,
                          std::string_view before) {
  std::string text;
  for (std::size_t i = extents_of_shape; i < sizes.size(); ++i) {
    text += fmt::format("{}{}={}", before, description.sizes[i].name, sizes[i]);
  }
  return text;
}

/// Of the first buffer that is read, or written; f32 where there is none.
DType first_type(const KernelDescription& description, bool is_output) {
  for (const KernelArgument& argument : description.arguments) {
    if (argument.kind == ArgumentKind::buffer && argument.is_output() == is_output) {
      return argument.type.dtype;
    }
  }
  return DType::f32;
}

}  // namespace

namespace {

/// All but the code.
std::string meaning_of(const KernelDescription& description) {
  std::string meaning;
  for (const Tunable& tunable : description.tunables) meaning += "tune " + tunable.name + '\n';
  for (const NamedSize& size : description.sizes) meaning += "size " + size.name + '\n';
  for (const KernelLaunch& launch : description.launches) {
    meaning += meaning_of(description, launch);
  }
  for (const KernelLaunch& launch : description.references) {
    meaning += "reference " + meaning_of(description, launch);
  }
  for (const KernelArgument& argument : description.arguments) meaning += meaning_of(argument);
  for (const OutputCheck& check : description.checks) {
    meaning += "check " + to_string(description, check) + '\n';
  }
  return meaning;
}

}  // namespace

std::string meaning_of(const KernelDescription& description, const std::string& text) {
  return meaning_of(description) + code_tokens(text);
}

std::string former_meaning_of(const KernelDescription& description, const std::string& text) {
  return meaning_of(description) + code_words(text);
}

Problem kernel_problem(const KernelDescription& description, const std::string& key,
                       const SizeValues& sizes, CacheMode cache_mode) {
  std::array<std::int64_t, extents_of_shape> extents{1, 1, 1};
  std::int64_t product = 1;
  std::string names;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1) refuse_sizes(description, sizes, "a size is 1 or more");
    if (i >= extents_of_shape) continue;
    extents[i] = sizes[i];
    names += (i == 0 ? "" : ", ") + description.sizes[i].name;
    if (__builtin_mul_overflow(product, sizes[i], &product)) {
      refuse_sizes(description, sizes, "their product is beyond 2^63");
    }
  }
  Problem problem;
  problem.op = Op::kernel;
  problem.in = first_type(description, false);
  problem.out = first_type(description, true);
  problem.acc = problem.out;
  problem.count = extents[0];
  problem.outer = extents[1];
  problem.inner = extents[2];
  problem.cache_mode = cache_mode;
  problem.custom = {.name = fmt::format("{}({}{})", description.name, names,
                                        further_sizes(description, sizes, ", ")),
                    .source = key + further_sizes(description, sizes, " ")};
  return problem;
}

SizeValues sizes_of(const KernelDescription& description, const Problem& problem) {
  if (problem.op != Op::kernel) {
    throw UsageError(fmt::format("{} is no problem of a kernel", describe(problem)));
  }
  const std::array extents{problem.count, problem.outer, problem.inner};
  SizeValues sizes;
  for (std::size_t i = 0; i < description.sizes.size(); ++i) {
    if (i < extents_of_shape) {
      sizes.push_back(extents[i]);
      continue;
    }
    const std::string& source = problem.custom.source;
    const std::string name = fmt::format(" {}=", description.sizes[i].name);
    const std::size_t found = source.find(name);
    std::int64_t value = 0;
    const char* const end = source.data() + source.size();
    if (found == std::string::npos ||
        std::from_chars(source.data() + found + name.size(), end, value).ec != std::errc{}) {
      throw UsageError(fmt::format("the problem of {} does not tell its size {}", description.name,
                                   description.sizes[i].name));
    }
    sizes.push_back(value);
  }
  return sizes;
}

}  // namespace redtune::kernels
