// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/reduce_by_key.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "device/registry.hpp"
#include "runtime/by_key_launches.hpp"
#include "runtime/launch_types.hpp"
#include "runtime/resolve.hpp"
#include "runtime/wanted.hpp"

namespace redtune {
namespace {

const Problem& checked_segments(const Problem& problem, int key_bits,
                                const ReducerOptions& options) {
  if (!is_segmented(problem)) {
    throw UsageError(
        fmt::format("groups of keys are segments, as many as are expected, and {} has none: make "
                    "the problem with Shape::segments()",
                    describe(problem)));
  }
  if (key_bits != 32 && key_bits != 64) {
    throw UsageError(fmt::format("keys have 32 or 64 bits, not {}", key_bits));
  }
  if (options.pinned) {
    throw UsageError("reductions by key are not pinned: one Reducer keeps its configuration");
  }
  return problem;
}

Answer asked(const Problem& problem, const device::Device& device, const LookupOptions& lookup) {
  return runtime::resolve_any(problem, device.identity(), device.limits(), lookup).answer;
}

constexpr ByKeyWay all_ways[] = {ByKeyWay::by_length, ByKeyWay::tiles, ByKeyWay::segments};

}  // namespace

std::string_view to_string(ByKeyWay way) {
  switch (way) {
    case ByKeyWay::by_length:
      return "by_length";
    case ByKeyWay::tiles:
      return "tiles";
    case ByKeyWay::segments:
      return "segments";
  }
  return "?";
}

ByKeyWay parse_by_key_way(std::string_view name) {
  std::string known;
  for (const ByKeyWay way : all_ways) {
    if (to_string(way) == name) return way;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(way));
  }
  throw UsageError(fmt::format("unknown way of groups '{}'; known: {}", name, known));
}

struct ByKeyReducer::State {
  State(const Problem& its_problem, int bits, const ReducerOptions& options,
        const ByKeyOptions& by_key)
      : problem(checked_segments(its_problem, bits, options)),
        key_bits(bits),
        selection(runtime::registry().select(options.device)),
        device(device::open(selection)),
        lookup(runtime::completed(options.lookup)),
        launches(*selection.platform, *device, asked(problem, *device, lookup), bits, by_key) {
    if (launches.way() == ByKeyWay::tiles) return;  // which nothing that was looked up is used for
    runtime::want(launches.answer(), device->identity());
    runtime::require_match(launches.answer(), lookup);
  }

  [[nodiscard]] std::size_t key_bytes(std::int64_t many) const {
    return static_cast<std::size_t>(many) * static_cast<std::size_t>(key_bits / 8);
  }

  Problem problem;
  int key_bits;
  device::Selection selection;
  std::unique_ptr<device::Device> device;
  LookupOptions lookup;
  runtime::ByKeyLaunches launches;
  bool is_broken_off = false;  // the last launch failed: what must be zero may not be
  // Of reductions of host memory; they grow.
  device::Buffer keys;
  device::Buffer in;
  device::Buffer keys_of_groups;
  device::Buffer out;
  device::Buffer groups;
};

ByKeyReducer::ByKeyReducer(const Problem& problem, int key_bits, const ReducerOptions& options)
    : ByKeyReducer(problem, key_bits, options, {}) {}
ByKeyReducer::ByKeyReducer(const Problem& problem, int key_bits, const ReducerOptions& options,
                           const ByKeyOptions& by_key)
    : state_(std::make_unique<State>(problem, key_bits, options, by_key)) {}
ByKeyReducer::ByKeyReducer(ByKeyReducer&&) noexcept = default;
ByKeyReducer& ByKeyReducer::operator=(ByKeyReducer&&) noexcept = default;
ByKeyReducer::~ByKeyReducer() = default;

const Answer& ByKeyReducer::answer() const {
  return state_->launches.answer();
}

ByKeyWay ByKeyReducer::way() const {
  return state_->launches.way();
}

const Settings& ByKeyReducer::settings() const {
  return state_->launches.settings();
}

const DeviceIdentity& ByKeyReducer::device() const {
  return state_->device->identity();
}

std::size_t ByKeyReducer::bytes() const {
  return state_->launches.bytes();
}

void ByKeyReducer::launch_bytes(const Addresses& addresses, Stream stream) {
  State& state = *state_;
  if (addresses.count < 0 || addresses.count > state.problem.count) {
    throw UsageError(fmt::format("there are {} elements; this Reducer is for {} at most",
                                 addresses.count, state.problem.count));
  }
  if (addresses.groups == nullptr) {
    throw UsageError("the place for the number of groups is a null pointer");
  }
  const device::Stream queue{stream.handle()};
  if (state.is_broken_off) {
    state.launches.clear(*state.device, queue);
    // A graph clears when it is launched, which may be after the next launch.
    state.is_broken_off = state.device->is_capturing(queue);
  }
  try {
    runtime::launch_all(
        *state.device,
        state.launches.launches({addresses.keys, addresses.in, addresses.keys_of_groups,
                                 addresses.out, addresses.groups},
                                addresses.count),
        queue);
  } catch (...) {
    state.is_broken_off = true;
    throw;
  }
}

void ByKeyReducer::synchronize(Stream stream) const {
  state_->device->synchronize({stream.handle()});
}

std::int64_t ByKeyReducer::reduce_bytes(const void* keys, const void* values, std::int64_t count) {
  State& state = *state_;
  device::Device& device = *state.device;
  if (count < 0 || count > state.problem.count) {
    throw UsageError(fmt::format("there are {} elements; this Reducer is for {} at most", count,
                                 state.problem.count));
  }
  const auto grow = [&](device::Buffer& buffer, std::size_t bytes) {
    if (buffer.bytes() >= bytes && buffer.data() != nullptr) return;
    buffer = {};
    buffer = device.allocate(bytes);
  };
  const auto many = static_cast<std::size_t>(count);
  const std::size_t in_bytes = many * size_of(state.problem.in);
  grow(state.keys, state.key_bytes(count));
  grow(state.in, in_bytes);
  grow(state.keys_of_groups, state.key_bytes(count));
  grow(state.out, many * result_bytes(state.problem));
  grow(state.groups, sizeof(std::int64_t));
  if (count > 0) {
    device.copy_to_device(state.keys.data(), keys, state.key_bytes(count));
    device.copy_to_device(state.in.data(), values, in_bytes);
  }
  launch_bytes({state.keys.data(), state.in.data(), count, state.keys_of_groups.data(),
                state.out.data(), static_cast<std::int64_t*>(state.groups.data())},
               {});
  synchronize();
  std::int64_t groups = 0;
  device.copy_to_host(&groups, state.groups.data(), sizeof(groups));
  return groups;
}

void ByKeyReducer::copy_groups(std::int64_t groups, void* keys, void* values) const {
  const State& state = *state_;
  if (groups == 0) return;
  if (keys != nullptr) {
    state.device->copy_to_host(keys, state.keys_of_groups.data(), state.key_bytes(groups));
  }
  if (values != nullptr) {
    state.device->copy_to_host(values, state.out.data(),
                               static_cast<std::size_t>(groups) * result_bytes(state.problem));
  }
}

void ByKeyReducer::require_types(const detail::LaunchTypes& types, int key_bits) const {
  const Problem& problem = state_->problem;
  if (types != runtime::launch_types_of(problem)) {
    throw UsageError(
        fmt::format("this Reducer is for {}, and neither elements of {} nor results of "
                    "{} in another shape are its own",
                    describe(problem), to_string(types.in), to_string(types.out)));
  }
  if (key_bits != state_->key_bits) {
    throw UsageError(
        fmt::format("this Reducer is for keys of {} bits, not of {}", state_->key_bits, key_bits));
  }
}

void ByKeyReducer::require_as_many(std::size_t keys, std::size_t values) {
  if (keys == values) return;
  throw UsageError(
      fmt::format("there are {} keys and {} values; each value has a key", keys, values));
}

}  // namespace redtune
