// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/challenge.hpp"

#include <fmt/format.h>

namespace redtune::tuner {
namespace {

/// Around an input lies what would be seen in a result: neither zeros nor all ones.
constexpr std::byte surroundings{0xb7};
constexpr std::size_t margin = 256;

}  // namespace

std::string Challenge::why_wrong(const Runnable& candidate) {
  const auto& [family, problem, settings, limits] = candidate.config.choice();
  for (const Shape& shape : family->edge_shapes(settings, problem, limits)) {
    for (const Adversary& adversary : job_.adversaries()) {
      std::string why = why_wrong_on(candidate, shape, adversary);
      if (!why.empty()) return why;
    }
  }
  return {};
}

const void* Challenge::place(std::span<const std::byte> input, std::size_t offset) {
  const std::size_t needed = 2 * margin + offset + input.size();
  if (memory_.bytes() < needed) memory_ = device_.allocate(needed);
  device_.fill(memory_.data(), surroundings, needed);
  auto* const at = static_cast<std::byte*>(memory_.data()) + margin + offset;
  if (!input.empty()) device_.copy_to_device(at, input.data(), input.size());
  return at;
}

GuardedOutput& Challenge::output_for(std::size_t bytes) {
  if (!output_ || output_->most_bytes() < bytes) output_.emplace(device_, bytes);
  return *output_;
}

const Expected& Challenge::expected(const Adversary& adversary, const PlacedInput& input,
                                    std::span<const std::byte> elements) {
  auto& known = expected_[{adversary, input.shape}];
  if (!known) known = job_.oracle().of_elements(input, elements);
  return *known;
}

std::string Challenge::why_wrong_on(const Runnable& candidate, const Shape& shape,
                                    const Adversary& adversary) {
  const auto elements = job_.elements(shape, adversary);
  const runtime::LoadedConfig& config = candidate.config;
  const std::size_t bytes = job_.output_bytes(shape);
  GuardedOutput& output = output_for(bytes);
  for (const std::size_t skipped : {std::size_t{0}, std::size_t{1}}) {
    const void* const in = place(elements, skipped * job_.element_bytes());
    // First what is expected: of an operator that does not return for this input it says so, while
    // a candidate would be blamed.
    const Expected& right = expected(adversary, {shape, in}, elements);
    output.poison();
    device_.launch(config.launches({in, shape, output.address()}, candidate.workspace()), {});
    device_.synchronize({});
    std::string why = output.read(bytes);
    if (why.empty()) why = right.why_wrong(output.value(), config.longest_chain(shape));
    if (why.empty()) continue;
    return fmt::format("{} (of {} elements, {}{})", why, shape_text(shape), to_string(adversary),
                       skipped == 0 ? "" : ", one element off the alignment");
  }
  return {};
}

}  // namespace redtune::tuner
