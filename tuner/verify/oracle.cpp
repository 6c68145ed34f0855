// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/oracle.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <utility>

#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/fold.hpp"
#include "tuner/verify/parallel.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

/// The problem of one result.
Problem one_of(Problem problem, const Shape& shape) {
  static_cast<Shape&>(problem) = {.count = shape.count};
  return problem;
}

/// "expected 1, got 2", of one result or of one of many.
std::string with_number(std::string why, std::size_t number, std::size_t all) {
  if (why.empty() || all == 1) return why;
  return fmt::format("result {} of {}: {}", number, all, why);
}

/// Writes as many elements of an input as the span holds, from an index on.
using WriteElements = std::function<void(std::int64_t index, std::span<std::byte> data)>;

/// Folds results one after the other, in memory that is taken once.
class ResultFolder {
 public:
  ResultFolder(const Problem& of_one, const Shape& shape, const WriteElements& write)
      : of_one_(of_one), shape_(shape), write_(write), element_(size_of(of_one.in)) {}

  /// Of results from one on.
  void fold_results(std::size_t first, std::span<Reference> references) {
    if (references.empty()) return;
    std::ranges::fill(references, nothing_of(of_one_));
    if (shape_.inner == 1 && step_of(shape_) == 1) return fold_rows(first, references);
    const auto inner = static_cast<std::size_t>(shape_.inner);
    while (!references.empty()) {
      const std::size_t column = first % inner;
      const std::size_t here = std::min({references.size(), inner - column, columns()});
      const auto slice = static_cast<std::int64_t>(first / inner) * slice_of(shape_);
      fold_columns(slice + static_cast<std::int64_t>(column), references.first(here));
      first += here;
      references = references.subspan(here);
    }
  }

 private:
  /// What stays in the nearest cache, in elements.
  [[nodiscard]] std::size_t most_elements() const { return (std::size_t{1} << 15) / element_; }
  /// So many at a time that each has some elements to fold.
  [[nodiscard]] std::size_t columns() const {
    constexpr std::int64_t some = 256;
    const auto lines = static_cast<std::size_t>(std::clamp<std::int64_t>(shape_.count, 1, some));
    return std::max<std::size_t>(1, most_elements() / lines);
  }

  /// Several short rows at a time, or parts of a long one.
  void fold_rows(std::size_t first, std::span<Reference> references) {
    const auto slice = static_cast<std::size_t>(std::max<std::int64_t>(slice_of(shape_), 1));
    const auto count = static_cast<std::size_t>(shape_.count);
    const std::size_t rows = std::clamp<std::size_t>(most_elements() / slice, 1, references.size());
    for (std::size_t row = 0; row < references.size(); row += rows) {
      const std::size_t here = std::min(rows, references.size() - row);
      for (std::size_t k = 0; k < count; k += most_elements()) {
        const std::size_t length = std::min(count - k, most_elements());
        const auto index = static_cast<std::int64_t>((first + row) * slice + k);
        const auto written = written_elements(index, (here - 1) * slice + length);
        for (std::size_t i = 0; i < here; ++i) {
          fold(of_one_,
               {written.subspan(i * slice * element_, length * element_),
                static_cast<std::int64_t>(k)},
               references[row + i]);
        }
      }
    }
  }

  /// Of neighbouring results, as many as references, of which the first begins at an element.
  void fold_columns(std::int64_t begin, std::span<Reference> references) {
    const std::size_t width = references.size();
    const std::size_t lines = std::max<std::size_t>(1, most_elements() / width);
    const auto count = static_cast<std::size_t>(shape_.count);
    for (std::size_t line = 0; line < count; line += lines) {
      const std::size_t here = std::min(lines, count - line);
      const std::int64_t first = begin + static_cast<std::int64_t>(line) * step_of(shape_);
      const auto written = written_lines(first, here, width);
      for (std::size_t i = 0; i < width; ++i) {
        fold(of_one_, {column(written, i, width), static_cast<std::int64_t>(line)}, references[i]);
      }
    }
  }

  std::span<const std::byte> written_elements(std::int64_t index, std::size_t elements) {
    elements_.resize(std::max(elements_.size(), elements * element_));
    const auto here = std::span(elements_).first(elements * element_);
    write_(index, here);
    return here;
  }
  /// Without what lies between them.
  std::span<const std::byte> written_lines(std::int64_t first, std::size_t lines,
                                           std::size_t width) {
    if (step_of(shape_) == static_cast<std::int64_t>(width)) {
      return written_elements(first, lines * width);
    }
    elements_.resize(std::max(elements_.size(), lines * width * element_));
    const auto here = std::span(elements_).first(lines * width * element_);
    for (std::size_t line = 0; line < lines; ++line) {
      write_(first + static_cast<std::int64_t>(line) * step_of(shape_),
             here.subspan(line * width * element_, width * element_));
    }
    return here;
  }
  std::span<const std::byte> column(std::span<const std::byte> lines, std::size_t i,
                                    std::size_t width) {
    column_.resize(lines.size() / width);
    visit_dtype(of_one_.in, [&]<class T>(std::type_identity<T>) {
      for (std::size_t k = 0; k < column_.size() / sizeof(T); ++k) {
        std::memcpy(&column_[k * sizeof(T)], &lines[(k * width + i) * sizeof(T)], sizeof(T));
      }
    });
    return column_;
  }

  const Problem& of_one_;
  const Shape& shape_;
  const WriteElements& write_;
  std::size_t element_;
  std::vector<std::byte> elements_;
  std::vector<std::byte> column_;
};

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
  [[nodiscard]] bool find(std::size_t first, std::span<Reference> references) const override {
    std::ranges::copy(std::span(references_).subspan(first, references.size()), references.begin());
    return true;
  }

 private:
  Problem of_one_;
  std::vector<Reference> references_;
};

/// Of all results of a shape, in their order.
std::vector<Reference> references_of(const Problem& of_one, const Shape& shape,
                                     const WriteElements& write) {
  std::vector<Reference> references(static_cast<std::size_t>(results_of(shape)));
  for_each_piece_of_results(shape, [&](std::size_t, std::size_t begin, std::size_t end) {
    ResultFolder(of_one, shape, write)
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
  RecomputedResults(const Problem& of_one, const Shape& shape, WriteElements write)
      : of_one_(of_one), shape_(shape), write_(std::move(write)) {}

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
    ResultFolder(of_one_, shape_, write_).fold_results(number, {&reference, 1});
    return with_number(tuner::why_wrong(of_one_, reference, longest_chain, result), number, all());
  }
  [[nodiscard]] bool find(std::size_t first, std::span<Reference> references) const override {
    ResultFolder(of_one_, shape_, write_).fold_results(first, references);
    return true;
  }

 private:
  [[nodiscard]] std::size_t all() const { return static_cast<std::size_t>(results_of(shape_)); }

  /// Of the results from begin to end, some at a time.
  [[nodiscard]] std::string why_some_wrong(std::size_t begin, std::size_t end,
                                           const std::byte* results,
                                           std::int64_t longest_chain) const {
    constexpr std::size_t at_a_time = 4096;
    ResultFolder folder(of_one_, shape_, write_);
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
  WriteElements write_;
};

class HostOracle final : public Oracle {
 public:
  explicit HostOracle(const Problem& problem) : problem_(problem) {}

  [[nodiscard]] std::unique_ptr<const Expected> of_generated(const PlacedInput& input,
                                                             const Recipe& recipe,
                                                             std::int64_t first) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, recipe, first)});
    if (is_few_long_rows(input.shape)) {
      std::vector<Reference> references;
      for (std::int64_t row = 0; row < input.shape.outer; ++row) {
        references.push_back(reference_of(one, recipe, first + row * slice_of(input.shape)));
      }
      return expected(one, std::move(references));
    }
    return expected(
        one, input.shape,
        [recipe, first](std::int64_t index, auto data) { generate(recipe, first + index, data); },
        most_kept_of_generated);
  }
  [[nodiscard]] std::unique_ptr<const Expected> of_elements(
      const PlacedInput& input, std::span<const std::byte> elements) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, elements)});
    const std::size_t bytes = size_of(one.in);
    return expected(
        one, input.shape,
        [elements, bytes](std::int64_t index, auto data) {
          std::memcpy(data.data(), &elements[static_cast<std::size_t>(index) * bytes], data.size());
        },
        most_kept_results);
  }

 private:
  /// Rows that are folded by all cores each.
  static bool is_few_long_rows(const Shape& shape) {
    return shape.inner == 1 && step_of(shape) == 1 && shape.count / 16 >= shape.outer;
  }
  static std::unique_ptr<const Expected> expected(const Problem& one,
                                                  std::vector<Reference> references) {
    return std::make_unique<KnownResults>(one, std::move(references));
  }
  static std::unique_ptr<const Expected> expected(const Problem& one, const Shape& shape,
                                                  WriteElements write, std::int64_t most_kept) {
    if (results_of(shape) > most_kept) {
      return std::make_unique<RecomputedResults>(one, shape, std::move(write));
    }
    return expected(one, references_of(one, shape, write));
  }

  Problem problem_;
};

/// The device is asked for one result after the other: of many, for so many from the first to the
/// last at even steps.
std::vector<std::size_t> asked_of(std::size_t results) {
  constexpr std::size_t most = 1024;
  std::vector<std::size_t> asked;
  const std::size_t many = std::min(most, results);
  for (std::size_t i = 0; i < many; ++i) {
    asked.push_back(many == results ? i : i * (results - 1) / (many - 1));
  }
  return asked;
}

/// Some of the results are compared.
class ExpectedOfSome final : public Expected {
 public:
  ExpectedOfSome(const Problem& of_one, std::size_t all,
                 std::map<std::size_t, CustomReference> known)
      : of_one_(of_one), all_(all), known_(std::move(known)) {}

  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    const auto* const first = static_cast<const std::byte*>(results);
    for (const auto& [number, reference] : known_) {
      std::string why =
          why_result_wrong(number, first + number * result_bytes(of_one_), longest_chain);
      if (!why.empty()) return why;
    }
    return {};
  }
  [[nodiscard]] std::string why_result_wrong(std::size_t number, const void* result,
                                             std::int64_t longest_chain) const override {
    return with_number(tuner::why_wrong(of_one_, known_.at(number), longest_chain, result), number,
                       all_);
  }
  [[nodiscard]] std::optional<std::vector<std::size_t>> some() const override {
    std::vector<std::size_t> numbers;
    for (const auto& [number, reference] : known_) numbers.push_back(number);
    return numbers;
  }

 private:
  Problem of_one_;
  std::size_t all_;
  std::map<std::size_t, CustomReference> known_;
};

class DeviceOracle final : public Oracle {
 public:
  explicit DeviceOracle(const OperatorProgram& program) : program_(program) {}

  [[nodiscard]] std::unique_ptr<const Expected> of_generated(const PlacedInput& input,
                                                             const Recipe&,
                                                             std::int64_t) const override {
    return expected(input);
  }
  [[nodiscard]] std::unique_ptr<const Expected> of_elements(
      const PlacedInput& input, std::span<const std::byte>) const override {
    return expected(input);
  }

 private:
  [[nodiscard]] std::unique_ptr<const Expected> expected(const PlacedInput& input) const {
    const Shape& shape = input.shape;
    const bool are_rows = shape.inner == 1 && step_of(shape) == 1;
    const device::Buffer moved = are_rows ? device::Buffer() : results_in_a_row(input);
    const auto* in = static_cast<const std::byte*>(are_rows ? input.in : moved.data());
    const std::size_t bytes = static_cast<std::size_t>(are_rows ? slice_of(shape) : shape.count) *
                              size_of(program_.problem().in);
    std::map<std::size_t, CustomReference> references;
    for (const std::size_t result : asked_of(static_cast<std::size_t>(results_of(shape)))) {
      references.emplace(result, custom_reference(program_, in + result * bytes, shape.count));
    }
    return std::make_unique<ExpectedOfSome>(one_of(program_.problem(), shape),
                                            static_cast<std::size_t>(results_of(shape)),
                                            std::move(references));
  }

  /// On the device, with the elements of each result beside each other: the check kernels read no
  /// others.
  [[nodiscard]] device::Buffer results_in_a_row(const PlacedInput& input) const {
    const Shape& shape = input.shape;
    const std::size_t element = size_of(program_.problem().in);
    const auto inner = static_cast<std::size_t>(shape.inner);
    const auto count = static_cast<std::size_t>(shape.count);
    std::vector<std::byte> there(static_cast<std::size_t>(span_of(shape)) * element);
    if (there.empty()) return program_.device().allocate(1);
    program_.device().copy_to_host(there.data(), input.in, there.size());
    std::vector<std::byte> moved(static_cast<std::size_t>(elements_of(shape)) * element);
    const auto step = static_cast<std::size_t>(step_of(shape));
    const auto slice = static_cast<std::size_t>(slice_of(shape));
    for (std::size_t result = 0; result < static_cast<std::size_t>(results_of(shape)); ++result) {
      const std::size_t first = result / inner * slice + result % inner;
      for (std::size_t k = 0; k < count; ++k) {
        std::memcpy(&moved[(result * count + k) * element], &there[(first + k * step) * element],
                    element);
      }
    }
    device::Buffer buffer = program_.device().allocate(moved.size());
    program_.device().copy_to_device(buffer.data(), moved.data(), moved.size());
    return buffer;
  }

  const OperatorProgram& program_;
};

}  // namespace

std::unique_ptr<const Oracle> host_oracle(const Problem& problem) {
  return std::make_unique<HostOracle>(problem);
}

std::unique_ptr<const Oracle> device_oracle(const OperatorProgram& program) {
  return std::make_unique<DeviceOracle>(program);
}

}  // namespace redtune::tuner
