// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/job.hpp"

#include <algorithm>

#include "tuner/verify/one_result.hpp"
#include "tuner/verify/operator_samples.hpp"
#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

/// One element is skipped at the beginning, and a few are left over at the end.
InputPart unaligned_part(Shape shape) {
  if (is_segmented(shape)) {
    shape.segment_count = std::max<std::int64_t>(0, shape.segment_count - 1);
    return {shape, 0};
  }
  if (shape.batch > 1) shape.batch_pitch = batch_step_of(shape);
  if (shape.outer > 1) {
    --shape.outer;
  } else if (shape.inner > 1) {
    shape.count = std::max<std::int64_t>(0, shape.count - 1);
  } else if (shape.batch > 1) {
    --shape.batch;
  } else if (shape.count >= 16) {
    shape.count -= 6;
  } else {
    return {shape, 0};
  }
  return {shape, elements_of(shape) == 0 ? 0 : 1};
}

}  // namespace

std::string shape_text(const Shape& shape) {
  return is_whole_array(shape) ? std::to_string(shape.count) : describe_shape(shape);
}

Job::Job(device::Device& device, const kernels::Family& family, const Problem& problem,
         std::uint64_t seed, const CompilePool& compiler)
    : problem_(problem),
      recipe_(recipe_of(problem, seed)),
      parts_{{problem, 0}, unaligned_part(problem)},
      offsets_(segment_offsets(problem)),
      custom_(sound_operator(device, family, problem, compiler)),
      oracle_(custom_ ? device_oracle(*custom_) : host_oracle(problem)) {}

void Job::lay_out(const Shape& shape, const Adversary& adversary, InputMemory& memory) const {
  Problem problem = problem_;
  static_cast<Shape&>(problem) = shape;
  tuner::lay_out(problem, adversary, memory);
}

std::vector<std::unique_ptr<const Expected>> Job::expected(
    std::span<const AdversarialInput> inputs) const {
  std::vector<std::unique_ptr<const Expected>> all(inputs.size());
  std::vector<std::size_t> side_by_side;
  std::size_t work = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // Where there are no segments all results are alike: one is worked out.
    const Shape& shape = inputs[i].shape;
    const std::size_t own =
        is_segmented(shape) ? work_of(shape) : static_cast<std::size_t>(elements_of_result(shape));
    if (custom_ || pieces_of(own) > 1) {  // of which cores take parts, or the device is asked
      all[i] = expected(inputs[i]);
    } else {
      side_by_side.push_back(i);
      work += own;
    }
  }
  for_each_of(side_by_side.size(), work, [&](std::size_t i) {
    const std::size_t at = side_by_side[i];
    all[at] = expected(inputs[at]);
  });
  return all;
}

std::unique_ptr<const Expected> Job::expected(const AdversarialInput& input) const {
  const auto& [shape, adversary] = input;
  if (is_segmented(shape)) {
    Problem problem = problem_;
    static_cast<Shape&>(problem) = shape;
    const std::vector<std::byte> elements = adversarial_input(problem, adversary);
    const std::vector<std::int64_t> offsets = segment_offsets(shape);
    device::Buffer there;  // for who does not know the operator but by the device
    if (custom_) {
      there = custom_->device().allocate(std::max<std::size_t>(elements.size(), 1));
      custom_->device().copy_to_device(there.data(), elements.data(), elements.size());
    }
    return oracle_->of_elements({shape, there.data(), offsets}, elements);
  }
  return oracle_->of_alike(shape, adversarial_input(one_of(problem_, shape), adversary));
}

}  // namespace redtune::tuner
