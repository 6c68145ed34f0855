// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A problem as those see it who run and check configs: what is read, what is written, and who knows
// what must be. They know no operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"
#include "tuner/verify/adversary.hpp"
#include "tuner/verify/offsets.hpp"
#include "tuner/verify/oracle.hpp"

namespace redtune::tuner {

/// A part of a job's input that is an input itself: the elements of its shape from one on. Of
/// segments all elements, and the first segments.
struct InputPart {
  Shape shape;
  std::int64_t first = 0;
};

/// The launch of a part of a problem's input, which begins there.
[[nodiscard]] inline runtime::Operands operands_of(const Problem& problem, const InputPart& part,
                                                   const void* in, void* out) {
  const std::size_t ahead = static_cast<std::size_t>(part.first) * size_of(problem.in);
  return operands_in(problem, part.shape, static_cast<const std::byte*>(in) + ahead, out);
}

/// An input made to find mistakes.
struct AdversarialInput {
  Shape shape;
  Adversary adversary;
};

/// For people: a number of elements, or the extents.
[[nodiscard]] std::string shape_text(const Shape& shape);

class Job {
 public:
  /// Finds out whether a custom operator is one. seed: of the input. compiler: for the family's
  /// text. Throws UsageError, DeviceError.
  Job(device::Device& device, const kernels::Family& family, const Problem& problem,
      std::uint64_t seed, const CompilePool& compiler);

  [[nodiscard]] const Shape& shape() const { return problem_; }
  [[nodiscard]] CacheMode cache_mode() const { return problem_.cache_mode; }
  [[nodiscard]] std::size_t element_bytes() const { return size_of(recipe_.type); }
  /// Of the whole input, with its offsets behind where it has segments.
  [[nodiscard]] std::size_t input_bytes() const { return bytes_with_offsets(problem_); }
  /// Where segments of the input begin and end; those of a part are the first of them.
  [[nodiscard]] std::span<const std::int64_t> offsets() const { return offsets_; }
  /// The launch of a part of an input that begins there.
  [[nodiscard]] runtime::Operands operands(const InputPart& part, const void* in, void* out) const {
    return operands_of(problem_, part, in, out);
  }
  [[nodiscard]] std::size_t output_bytes(const Shape& shape) const {
    return static_cast<std::size_t>(results_of(shape)) * result_bytes(problem_);
  }
  /// How the elements of the input come to be; each result has an element that decides it.
  [[nodiscard]] const Recipe& recipe() const { return recipe_; }
  /// What a candidate is checked on: the whole input, and a part of it that begins off the
  /// alignment of vectors and ends in the middle of a tile.
  [[nodiscard]] const std::vector<InputPart>& parts() const { return parts_; }
  [[nodiscard]] std::vector<Adversary> adversaries() const { return adversaries_of(problem_); }
  /// Into memory that is full of in_gaps.
  void lay_out(const Shape& shape, const Adversary& adversary, InputMemory& memory) const;
  /// Of each input in turn; by several cores, unless the device is asked. Throws UsageError where a
  /// custom operator is at fault.
  [[nodiscard]] std::vector<std::unique_ptr<const Expected>> expected(
      std::span<const AdversarialInput> inputs) const;
  [[nodiscard]] const Oracle& oracle() const { return *oracle_; }
  /// Whether the device says what is right: of custom operators.
  [[nodiscard]] bool asks_device() const { return custom_ != nullptr; }

 private:
  [[nodiscard]] std::unique_ptr<const Expected> expected(const AdversarialInput& input) const;

  Problem problem_;
  Recipe recipe_;
  std::vector<InputPart> parts_;  // the first is all of it
  std::vector<std::int64_t> offsets_;
  std::unique_ptr<const OperatorProgram> custom_;
  std::unique_ptr<const Oracle> oracle_;
};

}  // namespace redtune::tuner
