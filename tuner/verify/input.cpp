// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/input.hpp"

#include <cstring>
#include <string>

#include "kernel_templates/generate.hip.h"
#include "redtune/error.hpp"
#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

template <class Visitor>
void visit_words(DType dtype, Visitor&& visitor) {
  switch (dtype) {
#define REDTUNE_DTYPE(name, type, kind, wide, magnitude) \
  case DType::name:                                      \
    return visitor(name##_words{});
#include "redtune/dtypes.def"
#undef REDTUNE_DTYPE
  }
}

template <class Words, class Pattern>
void write(const Recipe& recipe, std::int64_t first, std::span<std::byte> data) {
  using Word = typename Words::word;
  const result_places places{static_cast<std::uint64_t>(recipe.count),
                             static_cast<std::uint64_t>(recipe.step),
                             static_cast<std::uint64_t>(recipe.slice)};
  const std::uint64_t seed = recipe.seed;  // a copy, which data cannot alias
  const auto decisive = static_cast<std::uint64_t>(recipe.decisive);
  const auto begin = static_cast<std::uint64_t>(first);
  for (std::size_t i = 0; i < data.size() / sizeof(Word); ++i) {
    const Word word = generated<Words, Pattern>(begin + i, seed, decisive, places);
    std::memcpy(&data[i * sizeof(Word)], &word, sizeof(Word));
  }
}

using Writer = void (*)(const Recipe&, std::int64_t, std::span<std::byte>);

template <class Words>
Writer writer_of(std::string_view pattern) {
#define REDTUNE_PATTERN(name) \
  if (pattern == #name) return &write<Words, name>;
  REDTUNE_PATTERN(numbers)
  REDTUNE_PATTERN(numbers_and_nan)
  REDTUNE_PATTERN(factors)
  REDTUNE_PATTERN(small_factors)
  REDTUNE_PATTERN(some_zeros)
  REDTUNE_PATTERN(one_zero)
  REDTUNE_PATTERN(one_nonzero)
  REDTUNE_PATTERN(one_lowest)
  REDTUNE_PATTERN(one_highest)
  REDTUNE_PATTERN(one_lowest_and_nan)
  REDTUNE_PATTERN(one_highest_and_nan)
  REDTUNE_PATTERN(mostly_set)
  REDTUNE_PATTERN(mostly_clear)
#undef REDTUNE_PATTERN
  throw Error("no pattern of inputs has the name '" + std::string(pattern) + "'");
}

std::string_view pattern_of(const Problem& problem) {
  switch (problem.op) {
    case Op::product:
      return rounds(problem) ? "small_factors" : "factors";
    case Op::min_ignore_nan:
    case Op::max_ignore_nan:
      return "numbers_and_nan";
    case Op::argmin:
      return "one_lowest";
    case Op::argmax:
      return "one_highest";
    case Op::argmin_ignore_nan:
      return "one_lowest_and_nan";
    case Op::argmax_ignore_nan:
      return "one_highest_and_nan";
    case Op::bit_and:
      return "mostly_set";
    case Op::bit_or:
      return "mostly_clear";
    case Op::all:
      return "one_zero";
    case Op::any:
      return "one_nonzero";
    case Op::count_nonzero:
      return "some_zeros";
    default:
      return "numbers";
  }
}

}  // namespace

Recipe recipe_of(const Problem& problem, std::uint64_t seed) {
  Recipe recipe{.type = problem.in, .pattern = pattern_of(problem), .seed = hash(seed)};
  if (elements_of(problem) == 0) return recipe;
  if (is_whole_array(problem)) {
    const auto count = static_cast<std::uint64_t>(problem.count);
    recipe.decisive = static_cast<std::int64_t>(hash(~recipe.seed) % count);
  } else {
    recipe.count = problem.count;
    recipe.step = step_of(problem);
    recipe.slice = slice_of(problem);
  }
  return recipe;
}

void generate(const Recipe& recipe, std::int64_t first, std::span<std::byte> data) {
  visit_words(recipe.type,
              [&]<class Words>(Words) { writer_of<Words>(recipe.pattern)(recipe, first, data); });
}

std::vector<std::byte> make_input(const Problem& problem, std::uint64_t seed) {
  const Recipe recipe = recipe_of(problem, seed);
  const std::size_t element = size_of(problem.in);
  const auto count = static_cast<std::size_t>(span_of(problem));
  std::vector<std::byte> bytes(count * element);
  for_each_piece(count, [&](std::size_t, std::size_t begin, std::size_t end) {
    generate(recipe, static_cast<std::int64_t>(begin),
             std::span(bytes).subspan(begin * element, (end - begin) * element));
  });
  return bytes;
}

}  // namespace redtune::tuner
