// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/oracle.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "tuner/verify/fold.hpp"
#include "tuner/verify/one_result.hpp"
#include "tuner/verify/parallel.hpp"
#include "tuner/verify/reference.hpp"
#include "tuner/verify/result_folder.hpp"
#include "tuner/verify/results_alike.hpp"

namespace redtune::tuner {
namespace {

/// What each result is compared with, in their order.
class KnownResults final : public Expected {
 public:
  KnownResults(const Problem& of_one, std::vector<Reference> references)
      : of_one_(of_one), references_(std::move(references)) {}

  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    const auto* const first = static_cast<const std::byte*>(results);
    for (std::size_t i = 0; i < references_.size(); ++i) {
      std::string why = why_result_wrong(i, first + i * result_bytes(of_one_), longest_chain);
      if (!why.empty()) return why;
    }
    return {};
  }
  [[nodiscard]] std::string why_result_wrong(std::size_t number, const void* result,
                                             std::int64_t longest_chain) const override {
    return with_number(tuner::why_wrong(of_one_, references_[number], longest_chain, result),
                       number, references_.size());
  }
  [[nodiscard]] bool fill_references(std::size_t first,
                                     std::span<Reference> references) const override {
    std::ranges::copy(std::span(references_).subspan(first, references.size()), references.begin());
    return true;
  }

 private:
  Problem of_one_;
  std::vector<Reference> references_;
};

/// Few results are not enough for all cores: each folds some lines of all of them.
std::vector<Reference> references_by_lines(const Problem& of_one, const Shape& shape,
                                           const WriteElements& write) {
  const auto results = static_cast<std::size_t>(results_of(shape));
  const auto count = static_cast<std::size_t>(elements_of_result(shape));
  const std::size_t pieces = pieces_of(work_of(shape));
  std::vector<std::vector<Reference>> parts(pieces);
  for_each_piece(work_of(shape), [&](std::size_t piece, std::size_t, std::size_t) {
    parts[piece].assign(results, nothing_of(of_one));
    ResultFolder(of_one, shape, write)
        .fold_some(0, count * piece / pieces, count * (piece + 1) / pieces, parts[piece]);
  });
  std::vector<Reference> all = std::move(parts.front());
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    for (std::size_t i = 0; i < results; ++i) merge(of_one, parts[piece][i], all[i]);
  }
  return all;
}

/// Of all results of a shape, in their order.
std::vector<Reference> references_of(const Problem& of_one, const PlacedInput& input,
                                     const WriteElements& write) {
  constexpr std::int64_t few = 1024;
  const Shape& shape = input.shape;
  if (!is_segmented(shape) && results_of(shape) <= few && elements_of_result(shape) >= few) {
    return references_by_lines(of_one, shape, write);
  }
  std::vector<Reference> references(static_cast<std::size_t>(results_of(shape)));
  for_each_piece_of_results(shape, [&](std::size_t, std::size_t begin, std::size_t end) {
    ResultFolder(of_one, shape, write, input.offsets)
        .fold_results(begin, std::span(references).subspan(begin, end - begin));
  });
  return references;
}

/// Of more results references are not kept: they would be many times as large as the input. Those
/// of generated inputs are compared by the device, but for few.
constexpr std::int64_t most_kept_results = std::int64_t{1} << 20;
constexpr std::int64_t most_kept_of_generated = std::int64_t{1} << 14;

/// Folds the input again for each comparison.
class RecomputedResults final : public Expected {
 public:
  RecomputedResults(const Problem& of_one, const PlacedInput& input, WriteElements write)
      : of_one_(of_one), shape_(input.shape), offsets_(input.offsets), write_(std::move(write)) {}

  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    std::vector<std::string> whys(pieces_of(work_of(shape_)));
    for_each_piece_of_results(shape_, [&](std::size_t piece, std::size_t begin, std::size_t end) {
      whys[piece] =
          why_some_wrong(begin, end, static_cast<const std::byte*>(results), longest_chain);
    });
    const auto first = std::ranges::find_if(whys, [](const auto& why) { return !why.empty(); });
    return first == whys.end() ? std::string() : *first;
  }
  [[nodiscard]] std::string why_result_wrong(std::size_t number, const void* result,
                                             std::int64_t longest_chain) const override {
    Reference reference;
    ResultFolder(of_one_, shape_, write_, offsets_).fold_results(number, {&reference, 1});
    return with_number(tuner::why_wrong(of_one_, reference, longest_chain, result), number, all());
  }
  [[nodiscard]] bool fill_references(std::size_t first,
                                     std::span<Reference> references) const override {
    ResultFolder(of_one_, shape_, write_, offsets_).fold_results(first, references);
    return true;
  }

 private:
  [[nodiscard]] std::size_t all() const { return static_cast<std::size_t>(results_of(shape_)); }

  /// Of the results from begin to end, some at a time.
  [[nodiscard]] std::string why_some_wrong(std::size_t begin, std::size_t end,
                                           const std::byte* results,
                                           std::int64_t longest_chain) const {
    constexpr std::size_t at_a_time = 4096;
    ResultFolder folder(of_one_, shape_, write_, offsets_);
    std::vector<Reference> references(std::min(at_a_time, end - begin));
    for (; begin < end; begin += references.size()) {
      references.resize(std::min(references.size(), end - begin));
      folder.fold_results(begin, references);
      for (std::size_t i = 0; i < references.size(); ++i) {
        const std::byte* const result = results + (begin + i) * result_bytes(of_one_);
        std::string why = tuner::why_wrong(of_one_, references[i], longest_chain, result);
        if (!why.empty()) return with_number(std::move(why), begin + i, all());
      }
    }
    return {};
  }

  Problem of_one_;
  Shape shape_;
  std::span<const std::int64_t> offsets_;
  WriteElements write_;
};

class HostOracle final : public Oracle {
 public:
  explicit HostOracle(const Problem& problem) : problem_(problem) {}

  /// A whole array that holds the part behind it is computed from that part, and from what lies
  /// before and behind: where there are billions of elements, this is what a problem begins with.
  [[nodiscard]] std::vector<std::unique_ptr<const Expected>> of_parts(
      std::span<const GeneratedPart> parts, const Recipe& recipe) const override {
    const bool are_whole = std::ranges::all_of(
        parts, [](const GeneratedPart& part) { return is_whole_array(part.input.shape); });
    if (!are_whole) return Oracle::of_parts(parts, recipe);
    std::vector<std::unique_ptr<const Expected>> all(parts.size());
    std::optional<KnownPart> known;
    for (std::size_t i = parts.size(); i-- > 0;) {
      const Problem one = one_of(problem_, parts[i].input.shape);
      const std::int64_t first = parts[i].first;
      known = KnownPart{
          first, one.count,
          known ? reference_around(one, recipe, first, *known) : reference_of(one, recipe, first)};
      all[i] = expected(one, {known->reference});
    }
    return all;
  }

  [[nodiscard]] std::unique_ptr<const Expected> of_generated(const PlacedInput& input,
                                                             const Recipe& recipe,
                                                             std::int64_t first) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, recipe, first)});
    return expected(
        one, input,
        [recipe, first](std::int64_t index, auto data) { generate(recipe, first + index, data); },
        most_kept_of_generated);
  }
  [[nodiscard]] std::unique_ptr<const Expected> of_elements(
      const PlacedInput& input, std::span<const std::byte> elements) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, elements)});
    const std::size_t bytes = size_of(one.in);
    return expected(
        one, input,
        [elements, bytes](std::int64_t index, auto data) {
          std::memcpy(data.data(), &elements[static_cast<std::size_t>(index) * bytes], data.size());
        },
        most_kept_results);
  }
  [[nodiscard]] std::unique_ptr<const Expected> of_alike(
      const Shape& shape, std::span<const std::byte> elements) const override {
    const Problem one = one_of(problem_, shape);
    return std::make_unique<ResultsAlike<Reference>>(
        one, static_cast<std::size_t>(results_of(shape)), reference_of(one, elements));
  }

 private:
  static std::unique_ptr<const Expected> expected(const Problem& one,
                                                  std::vector<Reference> references) {
    return std::make_unique<KnownResults>(one, std::move(references));
  }
  static std::unique_ptr<const Expected> expected(const Problem& one, const PlacedInput& input,
                                                  WriteElements write, std::int64_t most_kept) {
    if (results_of(input.shape) > most_kept) {
      return std::make_unique<RecomputedResults>(one, input, std::move(write));
    }
    return expected(one, references_of(one, input, write));
  }

  Problem problem_;
};

}  // namespace

std::vector<std::unique_ptr<const Expected>> Oracle::of_parts(std::span<const GeneratedPart> parts,
                                                              const Recipe& recipe) const {
  std::vector<std::unique_ptr<const Expected>> all;
  for (const GeneratedPart& part : parts) {
    all.push_back(of_generated(part.input, recipe, part.first));
  }
  return all;
}

std::unique_ptr<const Oracle> host_oracle(const Problem& problem) {
  return std::make_unique<HostOracle>(problem);
}

}  // namespace redtune::tuner
