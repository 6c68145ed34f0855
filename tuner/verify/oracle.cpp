// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/oracle.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <vector>

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

/// The results from one on that are looked at.
struct Results {
  const std::byte* first;
  std::size_t number;  ///< of the first
  std::size_t all;
};

/// What is wrong with results, of which so many are known.
template <class Known>
std::string why_results_wrong(const Problem& of_one, std::span<const Known> known,
                              std::int64_t longest_chain, const Results& results) {
  const std::byte* at = results.first;
  for (std::size_t i = 0; i < known.size(); ++i, at += result_bytes(of_one)) {
    std::string why = tuner::why_wrong(of_one, known[i], longest_chain, at);
    if (why.empty()) continue;
    if (results.all == 1) return why;
    return fmt::format("result {} of {}: {}", results.number + i, results.all, why);
  }
  return {};
}

/// What each result is compared with, in their order.
template <class Known>
class ExpectedResults final : public Expected {
 public:
  ExpectedResults(const Problem& of_one, std::vector<Known> known)
      : of_one_(of_one), known_(std::move(known)) {}

  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    return why_results_wrong<Known>(of_one_, known_, longest_chain,
                                    {static_cast<const std::byte*>(results), 0, known_.size()});
  }

 private:
  Problem of_one_;
  std::vector<Known> known_;
};

/// Writes as many elements of an input as the span holds, from an index on.
using WriteElements = std::function<void(std::int64_t index, std::span<std::byte> data)>;

/// Folds results one after the other, in memory that is taken once.
class ResultFolder {
 public:
  ResultFolder(const Problem& of_one, const Shape& shape, const WriteElements& write)
      : of_one_(of_one),
        shape_(shape),
        write_(write),
        element_(size_of(of_one.in)),
        inner_(static_cast<std::size_t>(shape.inner)),
        // As many lines at a time as stay in the nearest cache.
        lines_(std::clamp<std::int64_t>((1 << 15) / static_cast<std::int64_t>(inner_ * element_), 1,
                                        std::max<std::int64_t>(shape.count, 1))),
        elements_(static_cast<std::size_t>(lines_) * inner_ * element_),
        of_result_(static_cast<std::size_t>(lines_) * element_) {}

  /// Of the results behind one outer index.
  void fold_slice(std::int64_t outer, std::span<Reference> references) {
    std::ranges::fill(references, nothing_of(of_one_));
    for (std::int64_t line = 0; line < shape_.count; line += lines_) {
      const auto here = static_cast<std::size_t>(std::min(lines_, shape_.count - line));
      write_lines(outer * slice_of(shape_) + line * step_of(shape_), here);
      for (std::size_t i = 0; i < inner_; ++i) {
        fold(of_one_, {elements_of_result(i, here), line}, references[i]);
      }
    }
  }

 private:
  void write_lines(std::int64_t first, std::size_t lines) {
    if (step_of(shape_) == shape_.inner) {
      return write_(first, std::span(elements_).first(lines * inner_ * element_));
    }
    for (std::size_t line = 0; line < lines; ++line) {
      write_(first + static_cast<std::int64_t>(line) * step_of(shape_),
             std::span(elements_).subspan(line * inner_ * element_, inner_ * element_));
    }
  }
  [[nodiscard]] std::span<const std::byte> elements_of_result(std::size_t i, std::size_t lines) {
    if (inner_ == 1) return std::span(elements_).first(lines * element_);
    for (std::size_t k = 0; k < lines; ++k) {
      std::memcpy(&of_result_[k * element_], &elements_[(k * inner_ + i) * element_], element_);
    }
    return std::span(of_result_).first(lines * element_);
  }

  const Problem& of_one_;
  const Shape& shape_;
  const WriteElements& write_;
  std::size_t element_;
  std::size_t inner_;
  std::int64_t lines_;
  std::vector<std::byte> elements_;
  std::vector<std::byte> of_result_;
};

/// Calls work(piece, begin, end) for pieces of the outer axis, on all cores where there is much to
/// do.
template <class Work>
void for_each_outer_piece(const Shape& shape, Work&& work) {
  const auto elements = static_cast<std::size_t>(elements_of(shape) + results_of(shape));
  for_each_piece(elements, [&](std::size_t piece, std::size_t, std::size_t) {
    const auto pieces = static_cast<std::int64_t>(pieces_of(elements));
    const auto number = static_cast<std::int64_t>(piece);
    const std::int64_t each = shape.outer / pieces;
    const std::int64_t rest = shape.outer % pieces;
    const std::int64_t begin = number * each + std::min(number, rest);
    work(piece, begin, begin + each + (number < rest ? 1 : 0));
  });
}

/// Of all results of a shape, in their order.
std::vector<Reference> references_of(const Problem& of_one, const Shape& shape,
                                     const WriteElements& write) {
  std::vector<Reference> references(static_cast<std::size_t>(results_of(shape)));
  const auto inner = static_cast<std::size_t>(shape.inner);
  for_each_outer_piece(shape, [&](std::size_t, std::int64_t begin, std::int64_t end) {
    ResultFolder folder(of_one, shape, write);
    for (std::int64_t outer = begin; outer < end; ++outer) {
      folder.fold_slice(
          outer, std::span(references).subspan(static_cast<std::size_t>(outer) * inner, inner));
    }
  });
  return references;
}

/// Of more results references are not kept: they would be many times as large as the input.
constexpr std::int64_t most_kept_results = std::int64_t{1} << 20;

/// Folds the input again for each comparison.
class RecomputedResults final : public Expected {
 public:
  RecomputedResults(const Problem& of_one, const Shape& shape, WriteElements write)
      : of_one_(of_one), shape_(shape), write_(std::move(write)) {}

  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    const auto all = static_cast<std::size_t>(results_of(shape_));
    const auto inner = static_cast<std::size_t>(shape_.inner);
    std::vector<std::string> whys(pieces_of(static_cast<std::size_t>(elements_of(shape_)) + all));
    for_each_outer_piece(shape_, [&](std::size_t piece, std::int64_t begin, std::int64_t end) {
      ResultFolder folder(of_one_, shape_, write_);
      std::vector<Reference> references(inner);
      for (std::int64_t outer = begin; outer < end && whys[piece].empty(); ++outer) {
        folder.fold_slice(outer, references);
        const std::size_t number = static_cast<std::size_t>(outer) * inner;
        whys[piece] = why_results_wrong<Reference>(
            of_one_, references, longest_chain,
            {static_cast<const std::byte*>(results) + number * result_bytes(of_one_), number, all});
      }
    });
    const auto first = std::ranges::find_if(whys, [](const auto& why) { return !why.empty(); });
    return first == whys.end() ? std::string() : *first;
  }

 private:
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
    return expected(one, input.shape, [recipe, first](std::int64_t index, auto data) {
      generate(recipe, first + index, data);
    });
  }
  [[nodiscard]] std::unique_ptr<const Expected> of_elements(
      const PlacedInput& input, std::span<const std::byte> elements) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, elements)});
    const std::size_t bytes = size_of(one.in);
    return expected(one, input.shape, [elements, bytes](std::int64_t index, auto data) {
      std::memcpy(data.data(), &elements[static_cast<std::size_t>(index) * bytes], data.size());
    });
  }

 private:
  /// Rows that are folded by all cores each.
  static bool is_few_long_rows(const Shape& shape) {
    return shape.inner == 1 && step_of(shape) == 1 && shape.count / 16 >= shape.outer;
  }
  static std::unique_ptr<const Expected> expected(const Problem& one,
                                                  std::vector<Reference> references) {
    return std::make_unique<ExpectedResults<Reference>>(one, std::move(references));
  }
  static std::unique_ptr<const Expected> expected(const Problem& one, const Shape& shape,
                                                  WriteElements write) {
    if (results_of(shape) > most_kept_results) {
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
      std::string why = why_results_wrong<CustomReference>(
          of_one_, {&reference, 1}, longest_chain,
          {first + number * result_bytes(of_one_), number, all_});
      if (!why.empty()) return why;
    }
    return {};
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
