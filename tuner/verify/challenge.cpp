// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/challenge.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::tuner {
namespace {

constexpr std::size_t margin = 256;
constexpr std::size_t alignment = 256;

/// Inputs that are placed together: as many as these bytes hold, and a quarter of what is free, one
/// at least.
constexpr std::size_t most_placed_bytes = std::size_t{16} << 20;
/// An input that is larger is laid out on the device, by copies within its memory.
constexpr std::size_t most_staged_bytes = std::size_t{1} << 19;

/// Of an input with its surroundings, wherever it begins.
std::size_t stride_of(std::size_t bytes, std::size_t most_skipped) {
  return (2 * margin + most_skipped + bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::string Challenge::why_wrong(const Runnable& candidate) {
  const auto& [family, problem, settings, limits] = candidate.config.choice();
  const std::vector<Adversary> adversaries = job_.adversaries();
  const std::vector<Shape> shapes = family->edge_shapes(settings, problem, limits);
  if (!job_.asks_device()) work_out(shapes, adversaries);
  const std::size_t most_bytes =
      std::min(most_placed_bytes, (device_.free_memory() + memory_.bytes()) / 4);
  for (const Shape& shape : shapes) {
    if (job_.asks_device()) work_out({&shape, 1}, adversaries);
    const std::size_t bytes = static_cast<std::size_t>(span_of(shape)) * job_.element_bytes();
    const std::size_t of_two = 2 * stride_of(bytes, job_.element_bytes());
    const std::size_t at_a_time = std::max<std::size_t>(most_bytes / of_two, 1);
    for (std::size_t i = 0; i < adversaries.size(); i += at_a_time) {
      const auto some =
          std::span(adversaries).subspan(i, std::min(at_a_time, adversaries.size() - i));
      std::string why = why_wrong_on(candidate, shape, some);
      if (!why.empty()) return why;
    }
  }
  return {};
}

GuardedOutput& Challenge::output_for(std::size_t bytes, std::size_t places) {
  if (!output_ || output_->most_bytes() < bytes || output_->places() < places) {
    output_.emplace(device_, bytes, places);
  }
  return *output_;
}

/// Before a candidate runs: of an operator that does not return for an input this says so, while
/// the candidate would be blamed.
void Challenge::work_out(std::span<const Shape> shapes, std::span<const Adversary> adversaries) {
  std::vector<AdversarialInput> inputs;
  for (const Shape& shape : shapes) {
    for (const Adversary& adversary : adversaries) {
      if (!known_.contains({adversary, shape})) inputs.push_back({shape, adversary});
    }
  }
  auto expected = job_.expected(inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    known_[{inputs[i].adversary, inputs[i].shape}].expected = std::move(expected[i]);
  }
}

std::string Challenge::Known::why_wrong(std::span<const std::byte> results, std::int64_t chain) {
  if (chain >= longest_chain && !right.empty() && std::ranges::equal(results, right)) return {};
  std::string why = expected->why_wrong(results.data(), chain);
  if (why.empty()) {
    right.assign(results.begin(), results.end());
    longest_chain = chain;
  }
  return why;
}

void Challenge::lay_out(const Shape& shape, std::span<const Attempt> attempts,
                        InputMemory& memory) const {
  const std::size_t bytes = static_cast<std::size_t>(span_of(shape)) * job_.element_bytes();
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    if (i > 0 && attempts[i - 1].adversary == attempt.adversary) {
      if (bytes > 0) memory.copy(attempt.begin, attempts[i - 1].begin, bytes);
      continue;
    }
    PartOfMemory part(memory, attempt.begin);
    job_.lay_out(shape, attempt.adversary, part);
  }
}

void Challenge::place_small(const Shape& shape, std::span<const Attempt> attempts,
                            std::size_t bytes) {
  staged_.assign(bytes, in_gaps);
  HostInputMemory memory(staged_);
  lay_out(shape, attempts, memory);
  device_.copy_to_device(memory_.data(), staged_.data(), staged_.size());
}

void Challenge::place_large(const Shape& shape, std::span<const Attempt> attempts,
                            std::size_t bytes) {
  device_.fill(memory_.data(), in_gaps, bytes);
  DeviceInputMemory memory(device_, memory_.data());
  lay_out(shape, attempts, memory);
}

std::vector<Challenge::Attempt> Challenge::place(const Shape& shape,
                                                 std::span<const Adversary> adversaries) {
  const std::size_t bytes = static_cast<std::size_t>(span_of(shape)) * job_.element_bytes();
  const std::size_t stride = stride_of(bytes, job_.element_bytes());
  std::vector<Attempt> attempts;
  for (const Adversary& adversary : adversaries) {
    for (const bool is_aligned : {true, false}) {
      const std::size_t skipped = is_aligned ? 0 : job_.element_bytes();
      attempts.push_back({.adversary = adversary,
                          .is_aligned = is_aligned,
                          .begin = attempts.size() * stride + margin + skipped,
                          .known = &known_.at({adversary, shape})});
    }
  }
  const std::size_t together = attempts.size() * stride;
  if (memory_.bytes() < together) {
    memory_ = {};
    memory_ = device_.allocate(together);
  }
  if (bytes > most_staged_bytes) {
    place_large(shape, attempts, together);
  } else {
    place_small(shape, attempts, together);
  }
  if (is_segmented(shape)) {
    const auto offsets = packed_offsets(segment_offsets(shape), shape);
    offsets_ = {};
    offsets_ = device_.allocate(offsets.size());
    device_.copy_to_device(offsets_.data(), offsets.data(), offsets.size());
  }
  return attempts;
}

std::string Challenge::why_wrong_on(const Runnable& candidate, const Shape& shape,
                                    std::span<const Adversary> adversaries) {
  const std::vector<Attempt> attempts = place(shape, adversaries);
  const runtime::LoadedConfig& config = candidate.config;
  const std::size_t bytes = job_.output_bytes(shape);
  GuardedOutput& output = output_for(bytes, attempts.size());
  output.poison();
  const auto* const memory = static_cast<const std::byte*>(memory_.data());
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    device_.launch(config.launches(operands_of(shape, memory + attempts[i].begin, offsets_.data(),
                                               output.address(i)),
                                   candidate.workspace()),
                   {});
  }
  device_.synchronize({});
  output.fetch();
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    std::string why = output.why_beside(i, bytes);
    if (why.empty()) {
      const std::span results(static_cast<const std::byte*>(output.value(i)), bytes);
      why = attempt.known->why_wrong(results, config.longest_chain(shape));
    }
    if (why.empty()) continue;
    return fmt::format("{} (of {} elements, {}{})", why, shape_text(shape),
                       to_string(attempt.adversary),
                       attempt.is_aligned ? "" : ", one element off the alignment");
  }
  return {};
}

}  // namespace redtune::tuner
