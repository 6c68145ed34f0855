// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/input.hpp"

#include <algorithm>
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

template <class Word>
void put(Word word, std::size_t i, std::span<std::byte> data) {
  std::memcpy(&data[i * sizeof(Word)], &word, sizeof(Word));
}

/// Of one result.
template <class Words, class Pattern>
void write_one(const Recipe& recipe, std::uint64_t first, std::span<std::byte> data) {
  const std::uint64_t seed = recipe.seed;  // a copy, which data cannot alias
  const auto decisive = static_cast<std::uint64_t>(recipe.decisive);
  for (std::size_t i = 0; i < data.size() / sizeof(typename Words::word); ++i) {
    put(generated<Words, Pattern>(first + i, seed, decisive), i, data);
  }
}

/// Of several results, in runs: of one row, or of neighbouring columns.
template <class Words, class Pattern>
void write_several(const Recipe& recipe, std::uint64_t first, std::span<std::byte> data) {
  const auto step = static_cast<std::uint64_t>(recipe.step);
  const auto slice = static_cast<std::uint64_t>(recipe.slice);
  const auto count = static_cast<std::uint64_t>(recipe.count);
  const result_places places{count, step, slice, static_cast<std::uint64_t>(recipe.in_array),
                             static_cast<std::uint64_t>(recipe.batch_step)};
  const std::uint64_t seed = recipe.seed;  // copies, which data cannot alias
  const std::size_t all = data.size() / sizeof(typename Words::word);
  for (std::size_t done = 0; done < all;) {
    const std::uint64_t at = first + done;
    const std::uint64_t in_batch = places.batch_step == 0 ? at : at % places.batch_step;
    const std::uint64_t within = in_batch % slice;
    std::uint64_t to_end = std::min<std::uint64_t>(all - done, slice - within);
    if (places.batch_step != 0) {
      to_end = std::min<std::uint64_t>(to_end, places.batch_step - in_batch);
      if (within < places.in_array)
        to_end = std::min<std::uint64_t>(to_end, places.in_array - within);
    }
    const std::uint64_t run = step == 1 ? to_end : std::min(to_end, step - within % step);
    const std::uint64_t result = result_at(at, places);
    const std::uint64_t line = index_at(at, places);
    for (std::uint64_t i = 0; i < run; ++i, ++done) {
      put(step == 1 ? generated_of<Words, Pattern>(result, line + i, seed, count)
                    : generated_of<Words, Pattern>(result + i, line, seed, count),
          done, data);
    }
  }
}

template <class Words, class Pattern>
void write_elements(const Recipe& recipe, std::int64_t first, std::span<std::byte> data) {
  const auto from = static_cast<std::uint64_t>(first);
  if (recipe.slice == 0) return write_one<Words, Pattern>(recipe, from, data);
  write_several<Words, Pattern>(recipe, from, data);
}

using Writer = void (*)(const Recipe&, std::int64_t, std::span<std::byte>);

template <class Words>
Writer writer_of(std::string_view pattern) {
#define REDTUNE_PATTERN(name) \
  if (pattern == #name) return &write_elements<Words, name>;
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
    case Op::softmax_stats:  // whose elements all count
    case Op::logsumexp:
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
  if (is_segmented(problem)) {
    // Where segments begin is not known here: as many runs of elements as there are segments have a
    // decisive one each. No order of multiplying them all overflows, though.
    if (problem.op != Op::product) {
      recipe.count = std::max<std::int64_t>(mean_length(problem), 1);
      recipe.slice = recipe.count;
    }
  } else if (is_whole_array(problem)) {
    const auto count = static_cast<std::uint64_t>(problem.count);
    recipe.decisive = static_cast<std::int64_t>(hash(~recipe.seed) % count);
  } else {
    recipe.count = elements_of_result(problem);
    recipe.step = step_of(problem);
    recipe.slice = slice_of(problem);
    if (problem.batch != 1) {
      recipe.in_array = problem.count;
      recipe.batch_step = batch_step_of(problem);
    }
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
