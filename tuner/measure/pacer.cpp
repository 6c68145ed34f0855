// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/pacer.hpp"

#include <algorithm>
#include <cmath>

#include "kernel_templates/pace.hpp"

namespace redtune::tuner {
namespace {

/// Long enough for a clock that ticks every half microsecond to tell one per cent.
constexpr double wanted_us = 60;
constexpr std::int32_t first_turns = 1000;
constexpr std::int32_t most_turns = 1 << 20;

}  // namespace

Pacer::Pacer(device::Device& device, const CompilePool& compiler) : device_(device) {
  if (device.batching() == device::Batching::queued) return;
  const CompileUnit unit{kernels::pace_name(device.limits())};
  const auto results = compiler.with_text(kernels::pace_text()).compile({&unit, 1});
  const auto* compiled = std::get_if<CompiledUnit>(&results[0]);
  if (compiled == nullptr) return;
  module_ = device.load(*compiled->binary);
  kernel_ = module_->kernel(compiled->kernels[0].symbol);
  out_ = device.allocate(sizeof(std::uint32_t) *
                         static_cast<std::size_t>(device.limits().min_block_size));
  choose_turns();
}

void Pacer::choose_turns() {
  const auto make = [&](std::int32_t turns) {
    device::Launch launch{.kernel = kernel_, .block = device_.limits().min_block_size};
    launch.arguments.append(out_.data());
    launch.arguments.append(turns);
    batch_ = device_.prepare({&launch, 1});
    (void)batch_->time();
    return batch_->time().device_us;
  };
  const double us = make(first_turns);
  if (!std::isfinite(us) || us <= 0) {
    batch_.reset();  // such a clock is judged by what is timed with it
    return;
  }
  (void)make(static_cast<std::int32_t>(
      std::clamp(first_turns * wanted_us / us, 1.0, static_cast<double>(most_turns))));
}

std::optional<double> Pacer::pace_us() {
  if (!batch_) return std::nullopt;
  return batch_->time().device_us;
}

}  // namespace redtune::tuner
