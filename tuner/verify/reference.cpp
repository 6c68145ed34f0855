// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/reference.hpp"

#include <algorithm>
#include <vector>

#include "tuner/verify/fold.hpp"
#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

/// Elements that are generated at a time: they stay in the nearest cache.
constexpr std::size_t generated_bytes = std::size_t{1} << 15;

/// fold_piece(begin, end, into) for pieces of count elements on all cores, as one.
template <class FoldPiece>
Reference merged(const Problem& problem, std::size_t count, const FoldPiece& fold_piece) {
  std::vector<Reference> parts(pieces_of(count), nothing_of(problem));
  for_each_piece(count, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    fold_piece(begin, end, parts[piece]);
  });
  Reference all = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) merge(problem, parts[i], all);
  return all;
}

}  // namespace

Reference reference_of(const Problem& problem, std::span<const std::byte> data) {
  const std::size_t element = size_of(problem.in);
  return merged(problem, data.size() / element,
                [&](std::size_t begin, std::size_t end, Reference& into) {
                  fold(problem,
                       {data.subspan(begin * element, (end - begin) * element),
                        static_cast<std::int64_t>(begin)},
                       into);
                });
}

Reference reference_of(const Problem& problem, const Recipe& recipe, std::int64_t first) {
  const std::size_t element = size_of(problem.in);
  const auto fold_piece = [&](std::size_t begin, std::size_t end, Reference& into) {
    std::vector<std::byte> buffer(std::min(generated_bytes, (end - begin) * element));
    while (begin < end) {
      const std::size_t bytes = std::min(buffer.size(), (end - begin) * element);
      const auto data = std::span(buffer).first(bytes);
      generate(recipe, first + static_cast<std::int64_t>(begin), data);
      fold(problem, {data, static_cast<std::int64_t>(begin)}, into);
      begin += bytes / element;
    }
  };
  return merged(problem, static_cast<std::size_t>(problem.count), fold_piece);
}

Reference reference_around(const Problem& problem, const Recipe& recipe, std::int64_t first,
                           const KnownPart& part) {
  const std::int64_t end = first + problem.count;
  const std::int64_t part_end = part.first + part.count;
  if (part.first < first || part_end > end) return reference_of(problem, recipe, first);
  const auto of_range = [&](std::int64_t begin, std::int64_t count) {
    Problem range = problem;
    range.count = count;
    return reference_of(range, recipe, begin);
  };
  // Each counts its indices from its own beginning.
  const auto append = [&](Reference behind, std::int64_t begin, Reference& all) {
    if (behind.index >= 0) behind.index += begin - first;
    if (behind.second_index >= 0) behind.second_index += begin - first;
    merge(problem, behind, all);
  };
  Reference all = of_range(first, part.first - first);
  append(part.reference, part.first, all);
  append(of_range(part_end, end - part_end), part_end, all);
  return all;
}

}  // namespace redtune::tuner
