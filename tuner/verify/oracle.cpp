// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/oracle.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <vector>

#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/fold.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

/// The problem of one result.
Problem one_of(Problem problem, const Shape& shape) {
  static_cast<Shape&>(problem) = {.count = shape.count};
  return problem;
}

/// What each result is compared with, in their order.
template <class Known>
class ExpectedResults final : public Expected {
 public:
  ExpectedResults(const Problem& of_one, std::vector<Known> known)
      : of_one_(of_one), known_(std::move(known)) {}

  [[nodiscard]] std::string why_wrong(const void* results,
                                      std::int64_t longest_chain) const override {
    const auto* at = static_cast<const std::byte*>(results);
    for (std::size_t i = 0; i < known_.size(); ++i, at += result_bytes(of_one_)) {
      std::string why = tuner::why_wrong(of_one_, known_[i], longest_chain, at);
      if (why.empty()) continue;
      if (known_.size() == 1) return why;
      return fmt::format("result {} of {}: {}", i, known_.size(), why);
    }
    return {};
  }

 private:
  Problem of_one_;
  std::vector<Known> known_;
};

/// Writes as many elements of an input as the span holds, from an index on.
using WriteElements = std::function<void(std::int64_t index, std::span<std::byte> data)>;

/// Of the results behind one index of the outer axis.
void fold_slice(const Problem& of_one, const Shape& shape, std::int64_t outer,
                const WriteElements& write, std::span<Reference> references) {
  const std::size_t element = size_of(of_one.in);
  const auto inner = static_cast<std::size_t>(shape.inner);
  // As many lines of the slice at a time as stay in the nearest cache.
  const auto lines =
      std::max<std::int64_t>(1, (1 << 15) / static_cast<std::int64_t>(inner * element));
  std::vector<std::byte> elements(static_cast<std::size_t>(lines) * inner * element);
  std::vector<std::byte> of_result(static_cast<std::size_t>(lines) * element);
  for (std::int64_t line = 0; line < shape.count; line += lines) {
    const auto here = static_cast<std::size_t>(std::min(lines, shape.count - line));
    write((outer * shape.count + line) * shape.inner,
          std::span(elements).first(here * inner * element));
    for (std::size_t i = 0; i < inner; ++i) {
      for (std::size_t k = 0; k < here; ++k) {
        std::memcpy(&of_result[k * element], &elements[(k * inner + i) * element], element);
      }
      fold(of_one, {std::span(of_result).first(here * element), line}, references[i]);
    }
  }
}

/// Of all results of a shape, in their order.
std::vector<Reference> references_of(const Problem& of_one, const Shape& shape,
                                     const WriteElements& write) {
  std::vector<Reference> references(static_cast<std::size_t>(results_of(shape)),
                                    nothing_of(of_one));
  const auto inner = static_cast<std::size_t>(shape.inner);
  for (std::int64_t outer = 0; outer < shape.outer; ++outer) {
    fold_slice(of_one, shape, outer, write,
               std::span(references).subspan(static_cast<std::size_t>(outer) * inner, inner));
  }
  return references;
}

class HostOracle final : public Oracle {
 public:
  explicit HostOracle(const Problem& problem) : problem_(problem) {}

  [[nodiscard]] std::unique_ptr<const Expected> of_generated(const PlacedInput& input,
                                                             const Recipe& recipe,
                                                             std::int64_t first) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, recipe, first)});
    return expected(one, references_of(one, input.shape, [&](std::int64_t index, auto data) {
                      generate(recipe, first + index, data);
                    }));
  }
  [[nodiscard]] std::unique_ptr<const Expected> of_elements(
      const PlacedInput& input, std::span<const std::byte> elements) const override {
    const Problem one = one_of(problem_, input.shape);
    if (is_whole_array(input.shape)) return expected(one, {reference_of(one, elements)});
    const std::size_t bytes = size_of(one.in);
    return expected(one, references_of(one, input.shape, [&](std::int64_t index, auto data) {
                      std::memcpy(data.data(), &elements[static_cast<std::size_t>(index) * bytes],
                                  data.size());
                    }));
  }

 private:
  static std::unique_ptr<const Expected> expected(const Problem& one,
                                                  std::vector<Reference> references) {
    return std::make_unique<ExpectedResults<Reference>>(one, std::move(references));
  }

  Problem problem_;
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
    const device::Buffer moved = shape.inner == 1 ? device::Buffer() : results_in_a_row(input);
    const auto* in = static_cast<const std::byte*>(shape.inner == 1 ? input.in : moved.data());
    const std::size_t bytes =
        static_cast<std::size_t>(shape.count) * size_of(program_.problem().in);
    std::vector<CustomReference> references;
    for (std::int64_t i = 0; i < results_of(shape); ++i, in += bytes) {
      references.push_back(custom_reference(program_, in, shape.count));
    }
    return std::make_unique<ExpectedResults<CustomReference>>(one_of(program_.problem(), shape),
                                                              std::move(references));
  }

  /// On the device, with the elements of each result beside each other: the check kernels read no
  /// others.
  [[nodiscard]] device::Buffer results_in_a_row(const PlacedInput& input) const {
    const Shape& shape = input.shape;
    const std::size_t element = size_of(program_.problem().in);
    const auto inner = static_cast<std::size_t>(shape.inner);
    const auto count = static_cast<std::size_t>(shape.count);
    std::vector<std::byte> there(static_cast<std::size_t>(elements_of(shape)) * element);
    if (there.empty()) return program_.device().allocate(1);
    program_.device().copy_to_host(there.data(), input.in, there.size());
    std::vector<std::byte> moved(there.size());
    for (std::size_t result = 0; result < static_cast<std::size_t>(results_of(shape)); ++result) {
      const std::size_t first = result / inner * count * inner + result % inner;
      for (std::size_t k = 0; k < count; ++k) {
        std::memcpy(&moved[(result * count + k) * element], &there[(first + k * inner) * element],
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
