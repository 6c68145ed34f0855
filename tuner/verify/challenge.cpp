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

Challenge::Challenge(device::Device& device, const Problem& problem, const OperatorProgram* custom)
    : device_(device), problem_(problem), output_(device), custom_(custom) {}

std::string Challenge::why_wrong(const Runnable& candidate) {
  const auto& choice = candidate.config.choice();
  for (const std::int64_t count : edge_counts(choice.settings, choice.limits)) {
    Problem problem = problem_;
    problem.count = count;
    for (const Adversary& adversary : adversaries_of(problem)) {
      std::string why = why_wrong_on(candidate, problem, adversary);
      if (!why.empty()) return why;
    }
  }
  return {};
}

void Challenge::place(std::span<const std::byte> input, std::size_t offset) {
  const std::size_t needed = 2 * margin + offset + input.size();
  if (memory_.bytes() < needed) memory_ = device_.allocate(needed);
  device_.fill(memory_.data(), surroundings, needed);
  auto* const at = static_cast<std::byte*>(memory_.data()) + margin + offset;
  if (!input.empty()) device_.copy_to_device(at, input.data(), input.size());
}

const CustomReference& Challenge::custom_reference_of(const Adversary& adversary, const void* in,
                                                      std::int64_t count) {
  const auto [known, is_new] = custom_references_.try_emplace({adversary, count});
  if (is_new) known->second = custom_reference(*custom_, in, count);
  return known->second;
}

std::string Challenge::why_wrong_on(const Runnable& candidate, const Problem& problem,
                                    const Adversary& adversary) {
  const auto data = adversarial_input(problem, adversary);
  const auto [known, is_new] = references_.try_emplace({adversary, problem.count});
  if (is_new && custom_ == nullptr) known->second = reference_of(problem, data);
  const runtime::LoadedConfig& config = candidate.config;
  for (const std::size_t skipped : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t offset = skipped * size_of(problem.in);
    place(data, offset);
    const auto* in = static_cast<const std::byte*>(memory_.data()) + margin + offset;
    // First the reference: of an operator that does not return for this input it says so, while a
    // candidate would be blamed.
    const CustomReference* expected =
        custom_ == nullptr ? nullptr : &custom_reference_of(adversary, in, problem.count);
    output_.poison();
    device_.launch(config.launches({in, problem.count, output_.address()}, candidate.workspace()),
                   {});
    device_.synchronize({});
    std::string why = output_.read(problem);
    const std::int64_t chain = config.longest_chain(problem.count);
    if (why.empty()) {
      why = expected == nullptr ? tuner::why_wrong(problem, known->second, chain, output_.value())
                                : tuner::why_wrong(problem, *expected, chain, output_.value());
    }
    if (why.empty()) continue;
    return fmt::format("{} (of {} elements, {}{})", why, problem.count, to_string(adversary),
                       skipped == 0 ? "" : ", one element off the alignment");
  }
  return {};
}

}  // namespace redtune::tuner
