// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/ladder/bound_step.hpp"

#include <fmt/format.h>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::tuner {

using kernels::LadderCall;
using kernels::LadderPlace;

BoundStep::BoundStep(device::Device& device, kernels::LadderPlan plan, const LadderKernels& kernels,
                     const Problem& problem)
    : plan_(std::move(plan)),
      element_bytes_(static_cast<std::int64_t>(size_of(problem.in))),
      accumulator_bytes_(static_cast<std::int64_t>(size_of(problem.acc))) {
  for (const LadderCall& call : plan_.calls) {
    const auto found = kernels.find(call.kernel);
    if (found == kernels.end()) throw Error(fmt::format("{} was not compiled", call.kernel));
    kernels_.push_back(found->second);
  }
  const auto bytes = [&](std::int64_t count) {
    return static_cast<std::size_t>(count * accumulator_bytes_);
  };
  front_ = device.allocate(bytes(plan_.front_count));
  back_ = device.allocate(bytes(plan_.back_count));
}

std::uint64_t BoundStep::address(LadderPlace place, std::int64_t offset, const void* in,
                                 void* out) const {
  const void* base = in;
  if (place == LadderPlace::front) base = front_.data();
  if (place == LadderPlace::back) base = back_.data();
  if (place == LadderPlace::out) base = out;
  const std::int64_t bytes = place == LadderPlace::in ? element_bytes_ : accumulator_bytes_;
  return reinterpret_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(offset * bytes);
}

std::vector<device::Launch> BoundStep::launches(const void* in, void* out) const {
  std::vector<device::Launch> launches;
  for (std::size_t i = 0; i < plan_.calls.size(); ++i) {
    const LadderCall& call = plan_.calls[i];
    device::Launch& launch = launches.emplace_back();
    launch.kernel = kernels_[i];
    launch.grid = call.grid;
    launch.block = call.block;
    launch.start = device::Start::early;  // every step waits for what is ahead
    if (call.from) {
      launch.arguments.append(address(call.from->place, call.from->offset, in, out));
      launch.arguments.append(call.from->count);
    }
    launch.arguments.append(address(call.to, call.to_offset, in, out));
  }
  return launches;
}

}  // namespace redtune::tuner
