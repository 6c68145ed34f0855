// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/pacer.hpp"

#include "kernel_templates/probe/pace.hpp"

namespace redtune::tuner {
namespace {

/// Always as many, since the pace is compared from one worker to the next: some 60 microseconds on
/// an H100; a clock that ticks every half microsecond tells one per cent of them.
constexpr std::int32_t turns = 4000;

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
  device::Launch launch{.kernel = kernel_, .block = device.limits().min_block_size};
  launch.arguments.append(out_.data());
  launch.arguments.append(turns);
  batch_ = device_.prepare({&launch, 1});
}

std::optional<double> Pacer::pace_us() {
  if (!batch_) return std::nullopt;
  return batch_->time().device_us;
}

}  // namespace redtune::tuner
