// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is right by the device itself, one thread after the other: for operators given as text,
// which the host does not know.
#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/one_result.hpp"
#include "tuner/verify/oracle.hpp"
#include "tuner/verify/results_alike.hpp"

namespace redtune::tuner {
namespace {

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
  [[nodiscard]] std::optional<std::vector<std::size_t>> known_numbers() const override {
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
  [[nodiscard]] std::unique_ptr<const Expected> of_alike(
      const Shape& shape, std::span<const std::byte> elements) const override {
    const device::Buffer there = program_.device().allocate(elements.size());
    program_.device().copy_to_device(there.data(), elements.data(), elements.size());
    return std::make_unique<ResultsAlike<CustomReference>>(
        one_of(program_.problem(), shape), static_cast<std::size_t>(results_of(shape)),
        custom_reference(program_, there.data(), elements_of_result(shape)));
  }

 private:
  [[nodiscard]] std::unique_ptr<const Expected> expected(const PlacedInput& input) const {
    const Shape& shape = input.shape;
    if (is_segmented(shape)) return expected_of_segments(input);
    const bool is_in_place = are_rows(shape);
    const device::Buffer moved = is_in_place ? device::Buffer() : results_in_a_row(input);
    const auto* in = static_cast<const std::byte*>(is_in_place ? input.in : moved.data());
    const std::int64_t count = elements_of_result(shape);
    const std::size_t bytes = static_cast<std::size_t>(is_in_place ? slice_of(shape) : count) *
                              size_of(program_.problem().in);
    std::map<std::size_t, CustomReference> references;
    for (const std::size_t result : asked_of(static_cast<std::size_t>(results_of(shape)))) {
      references.emplace(result, custom_reference(program_, in + result * bytes, count));
    }
    return std::make_unique<ExpectedOfSome>(one_of(program_.problem(), shape),
                                            static_cast<std::size_t>(results_of(shape)),
                                            std::move(references));
  }

  [[nodiscard]] std::unique_ptr<const Expected> expected_of_segments(
      const PlacedInput& input) const {
    const auto* const in = static_cast<const std::byte*>(input.in);
    const std::size_t element = size_of(program_.problem().in);
    const auto results = static_cast<std::size_t>(results_of(input.shape));
    std::map<std::size_t, CustomReference> references;
    for (const std::size_t result : asked_of(results)) {
      const std::int64_t begin = input.offsets[result];
      references.emplace(result,
                         custom_reference(program_, in + static_cast<std::size_t>(begin) * element,
                                          input.offsets[result + 1] - begin));
    }
    return std::make_unique<ExpectedOfSome>(one_of(program_.problem(), input.shape), results,
                                            std::move(references));
  }

  /// On the device, with the elements of each result beside each other: the check kernels read no
  /// others.
  [[nodiscard]] device::Buffer results_in_a_row(const PlacedInput& input) const {
    const Shape& shape = input.shape;
    const std::size_t element = size_of(program_.problem().in);
    const auto inner = static_cast<std::size_t>(shape.inner);
    const auto count = static_cast<std::size_t>(shape.count);
    const auto batch = static_cast<std::size_t>(shape.batch);
    const auto batch_step = static_cast<std::size_t>(batch_step_of(shape));
    std::vector<std::byte> there(static_cast<std::size_t>(span_of(shape)) * element);
    if (there.empty()) return program_.device().allocate(1);
    program_.device().copy_to_host(there.data(), input.in, there.size());
    std::vector<std::byte> moved(static_cast<std::size_t>(elements_of(shape)) * element);
    const auto step = static_cast<std::size_t>(step_of(shape));
    const auto slice = static_cast<std::size_t>(slice_of(shape));
    for (std::size_t result = 0; result < static_cast<std::size_t>(results_of(shape)); ++result) {
      const std::size_t first = result / inner * slice + result % inner;
      for (std::size_t k = 0; k < batch * count; ++k) {
        const std::size_t from = first + k / count * batch_step + k % count * step;
        std::memcpy(&moved[(result * batch * count + k) * element], &there[from * element],
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

std::unique_ptr<const Oracle> device_oracle(const OperatorProgram& program) {
  return std::make_unique<DeviceOracle>(program);
}

}  // namespace redtune::tuner
