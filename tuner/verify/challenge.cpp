// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/challenge.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::tuner {
namespace {

/// Around an input lies what would be seen in a result: neither zeros nor all ones.
constexpr std::byte surroundings{0xb7};
constexpr std::size_t margin = 256;
constexpr std::size_t alignment = 256;

/// Inputs that are placed together: as many as these bytes hold, and a quarter of what is free, one
/// at least.
constexpr std::size_t most_placed_bytes = std::size_t{16} << 20;

/// Of an input with its surroundings, wherever it begins.
std::size_t stride_of(std::size_t bytes, std::size_t most_skipped) {
  return (2 * margin + most_skipped + bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::string Challenge::why_wrong(const Runnable& candidate) {
  const auto& [family, problem, settings, limits] = candidate.config.choice();
  const std::vector<Adversary> adversaries = job_.adversaries();
  const std::size_t most_bytes =
      std::min(most_placed_bytes, (device_.free_memory() + memory_.bytes()) / 4);
  for (const Shape& shape : family->edge_shapes(settings, problem, limits)) {
    const auto elements = static_cast<std::size_t>(elements_of(shape));
    const std::size_t bytes = 2 * stride_of(elements * job_.element_bytes(), job_.element_bytes());
    const std::size_t at_a_time = std::max<std::size_t>(most_bytes / bytes, 1);
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

const Expected& Challenge::expected(const Adversary& adversary, const PlacedInput& input,
                                    std::span<const std::byte> elements) {
  auto& known = expected_[{adversary, input.shape}];
  if (!known) known = job_.oracle().of_elements(input, elements);
  return *known;
}

std::vector<Challenge::Attempt> Challenge::place(const Shape& shape,
                                                 std::span<const Adversary> adversaries) {
  std::vector<std::vector<std::byte>> inputs;
  std::vector<Attempt> attempts;
  for (const Adversary& adversary : adversaries) {
    inputs.push_back(job_.elements(shape, adversary));
    for (const std::size_t skipped : {std::size_t{0}, job_.element_bytes()}) {
      attempts.push_back({.adversary = adversary, .skipped = skipped});
    }
  }
  const std::size_t stride = stride_of(inputs.front().size(), job_.element_bytes());
  staged_.assign(attempts.size() * stride, surroundings);
  if (memory_.bytes() < staged_.size()) {
    memory_ = {};
    memory_ = device_.allocate(staged_.size());
  }
  const auto* const memory = static_cast<const std::byte*>(memory_.data());
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const std::size_t begin = i * stride + margin + attempts[i].skipped;
    std::ranges::copy(inputs[i / 2], staged_.begin() + static_cast<std::ptrdiff_t>(begin));
    attempts[i].in = memory + begin;
  }
  device_.copy_to_device(memory_.data(), staged_.data(), staged_.size());
  // Before a candidate runs: of an operator that does not return for an input this says so, while
  // the candidate would be blamed.
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    attempts[i].right = &expected(attempts[i].adversary, {shape, attempts[i].in}, inputs[i / 2]);
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
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    device_.launch(
        config.launches({attempts[i].in, shape, output.address(i)}, candidate.workspace()), {});
  }
  device_.synchronize({});
  output.fetch();
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Attempt& attempt = attempts[i];
    std::string why = output.why_beside(i, bytes);
    if (why.empty()) why = attempt.right->why_wrong(output.value(i), config.longest_chain(shape));
    if (why.empty()) continue;
    return fmt::format("{} (of {} elements, {}{})", why, shape_text(shape),
                       to_string(attempt.adversary),
                       attempt.skipped == 0 ? "" : ", one element off the alignment");
  }
  return {};
}

}  // namespace redtune::tuner
