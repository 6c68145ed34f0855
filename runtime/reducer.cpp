// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/reducer.hpp"

#include <fmt/format.h>

#include "device/registry.hpp"
#include "runtime/loaded_config.hpp"
#include "runtime/resolve.hpp"

namespace redtune {
namespace {

runtime::LoadedConfig load(device::Platform& platform, device::Device& device,
                           const Answer& answer) {
  return runtime::load_config(
      platform, device,
      {&kernels::find_family(answer.family), answer.problem, answer.settings, device.limits()});
}

}  // namespace

struct Reducer::State {
  State(const Problem& problem, const ReducerOptions& options)
      : selection(runtime::registry().select(options.device)),
        device(device::open(selection)),
        answer(
            runtime::resolve(problem, device->identity(), device->limits(), options.lookup).answer),
        config(load(*selection.platform, *device, answer)),
        workspace(config.make_workspace(*device)),
        result(device->allocate(result_bytes(problem))) {}

  device::Selection selection;
  std::unique_ptr<device::Device> device;
  Answer answer;
  runtime::LoadedConfig config;
  runtime::Workspace workspace;
  device::Buffer result;  // of reductions of host memory
  device::Buffer input;   // likewise; grows
};

Reducer::Reducer(const Problem& problem, const ReducerOptions& options)
    : state_(std::make_unique<State>(problem, options)) {}
Reducer::Reducer(Reducer&&) noexcept = default;
Reducer& Reducer::operator=(Reducer&&) noexcept = default;
Reducer::~Reducer() = default;

const Answer& Reducer::answer() const {
  return state_->answer;
}

const DeviceIdentity& Reducer::device() const {
  return state_->device->identity();
}

void Reducer::launch(const void* in, std::int64_t count, void* out, StreamRef stream) {
  if (count < 0) throw UsageError(fmt::format("the count is {}; it must be 0 or more", count));
  state_->device->launch(state_->config.launches({in, count, out}, state_->workspace),
                         {stream.handle});
}

void Reducer::synchronize(StreamRef stream) {
  state_->device->synchronize({stream.handle});
}

void Reducer::require_types(DType in, DType out, ResultShape shape) const {
  const Problem& problem = state_->answer.problem;
  const ResultShape own_shape = info(problem.op).shape;
  if (problem.in == in && problem.out == out && own_shape == shape) return;
  const auto text = [](DType type, ResultShape one) {
    return one == ResultShape::value ? std::string(to_string(type))
                                     : fmt::format("IndexedValue of {}", to_string(type));
  };
  throw UsageError(fmt::format("this Reducer turns {} into {}, not {} into {}",
                               to_string(problem.in), text(problem.out, own_shape), to_string(in),
                               text(out, shape)));
}

void Reducer::reduce_host(const void* values, std::int64_t count, void* out) {
  State& state = *state_;
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(state.answer.problem.in);
  if (state.input.bytes() < bytes) {
    state.input = {};
    state.input = state.device->allocate(bytes);
  }
  state.device->copy_to_device(state.input.data(), values, bytes);
  launch(state.input.data(), count, state.result.data());
  synchronize();
  state.device->copy_to_host(out, state.result.data(), result_bytes(state.answer.problem));
}

}  // namespace redtune
