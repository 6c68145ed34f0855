// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A GPU of any vendor, written once over the vendor's Api.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/context.hpp"

namespace redtune::device::gpu {

using device::Facts;

/// A binary loaded onto a GPU.
template <Api A>
class GpuModule final : public Module {
 public:
  GpuModule(const std::shared_ptr<const Context<A>>& context, std::span<const std::byte> binary,
            int max_shared_bytes)
      : context_(context),
        max_shared_bytes_(max_shared_bytes),
        binary_(binary.begin(), binary.end()),
        module_(context, load(*context, binary_)) {}

  [[nodiscard]] Kernel kernel(const std::string& symbol) const override {
    const auto current = context_->enter();
    typename A::Function function{};
    const auto status = A::find_function(&function, module_.get(), symbol.c_str());
    if (status != A::success) fail<A>(status, fmt::format("find the kernel '{}'", symbol));
    return Kernel{function};
  }
  [[nodiscard]] Variable variable(const std::string& symbol) const override {
    const auto current = context_->enter();
    Variable found;
    const auto status = A::find_variable(&found.data, &found.bytes, module_.get(), symbol.c_str());
    if (status != A::success) fail<A>(status, fmt::format("find the variable '{}'", symbol));
    return found;
  }
  void allow_shared(const Kernel& kernel) const override {
    const auto current = context_->enter();
    const auto function = static_cast<typename A::Function>(kernel.handle);
    check<A>(A::allow_shared(function, max_shared_bytes_), "give a kernel more shared memory");
  }

 private:
  static typename A::Module load(const Context<A>& context, std::span<const std::byte> binary) {
    if (binary.empty()) throw DeviceError("cannot load a binary of 0 bytes");
    const auto current = context.enter();
    typename A::Module module{};
    check<A>(A::load_module(&module, binary.data()), "load a binary onto the device");
    return module;
  }

  std::shared_ptr<const Context<A>> context_;
  int max_shared_bytes_;
  // Kept as long as the module: HIP goes on reading the image where it was when it was loaded.
  std::vector<std::byte> binary_;
  OwnedModule<A> module_;
};

/// Copies and fills are over when they return, and are in order with launches on the device's own
/// stream; with other streams the caller synchronizes.
template <Api A>
class GpuDevice final : public Device {
 public:
  GpuDevice(int ordinal, Facts facts)
      : facts_(std::move(facts)),
        context_(std::make_shared<const Context<A>>(ordinal)),
        stream_(create_stream<A>(context_)),
        begin_(create_event<A>(context_)),
        end_(create_event<A>(context_)) {}

  [[nodiscard]] const DeviceIdentity& identity() const override { return facts_.identity; }
  [[nodiscard]] const Limits& limits() const override { return facts_.limits; }
  [[nodiscard]] std::size_t free_memory() const override;

  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void copy_to_device(void* to, const void* from, std::size_t bytes) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes) override;
  void copy_within(void* to, const void* from, std::size_t bytes) override;
  void fill(void* to, std::byte value, std::size_t bytes) override;
  void clear(void* to, std::size_t bytes, Stream stream) override;

  [[nodiscard]] std::unique_ptr<Module> load(std::span<const std::byte> binary) override {
    return std::make_unique<GpuModule<A>>(context_, binary, facts_.limits.max_shared_bytes);
  }
  void launch(std::span<const Launch> launches, Stream stream) override;
  void synchronize(Stream stream) override;
  [[nodiscard]] bool is_capturing(Stream stream) override {
    const auto current = context_->enter();
    return A::is_capturing(native(stream));
  }
  [[nodiscard]] Stream second_stream() override {
    if (!second_stream_) {  // made in place: an owner does not move
      second_stream_.reset(
          new OwnedStream<A>(create_stream<A>(context_, "create a second stream")));
    }
    return {second_stream_->get()};
  }
  [[nodiscard]] bool two_streams_delay_starts() const override {
    return A::two_streams_delay_starts;
  }
  [[nodiscard]] BatchTime time(std::span<const Launch> launches) override;
  [[nodiscard]] Batching batching() const override { return Batching::graph; }
  [[nodiscard]] std::unique_ptr<Batch> prepare(std::span<const Launch> launches) override;

 protected:
  void release(void* data, std::size_t) noexcept override {
    context_->give_back([data] { return A::free(data); });
  }

 private:
  [[nodiscard]] typename A::Stream native(Stream stream) const {
    return stream.handle == nullptr ? stream_.get() : A::stream_of(stream.handle);
  }
  [[nodiscard]] static bool starts_early(Start start, typename A::Stream stream) {
    return start == Start::early ||
           (start == Start::early_outside_graphs && !A::is_capturing(stream));
  }
  [[nodiscard]] typename A::Status try_enqueue(const Launch& launch,
                                               typename A::Stream stream) const;
  void enqueue(const Launch& launch, typename A::Stream stream) const {
    const auto status = try_enqueue(launch, stream);
    if (status != A::success) fail_to(launch, status);
  }
  // Apart from try_enqueue(), which is a part of every launch and needs no room for their texts.
  [[noreturn, gnu::noinline]] void refuse(const Launch& launch) const;
  [[noreturn, gnu::noinline]] static void fail_to(const Launch& launch, typename A::Status status);
  /// Times what the action queues on the device's own stream.
  template <class Action>
  [[nodiscard]] BatchTime time_queued(Action&& action) const;
  void wait(typename A::Stream stream) const {
    check<A>(A::synchronize_stream(stream), "finish the work queued on the device");
  }

  class GraphBatch;

  Facts facts_;
  std::shared_ptr<const Context<A>> context_;
  OwnedStream<A> stream_;
  std::unique_ptr<OwnedStream<A>> second_stream_;
  OwnedEvent<A> begin_;
  OwnedEvent<A> end_;
};

template <Api A>
std::size_t GpuDevice<A>::free_memory() const {
  const auto current = context_->enter();
  std::size_t free = 0;
  std::size_t total = 0;
  check<A>(A::memory_info(&free, &total), "ask how much device memory is free");
  return free;
}

template <Api A>
Buffer GpuDevice<A>::allocate(std::size_t bytes) {
  const auto current = context_->enter();
  void* data = nullptr;
  // Vendors answer a request for 0 bytes with an error or with no address.
  const auto status = A::allocate(&data, std::max<std::size_t>(bytes, 1));
  if (status != A::success) fail<A>(status, fmt::format("allocate {} bytes on the device", bytes));
  return Buffer(*this, data, bytes);
}

template <Api A>
void GpuDevice<A>::copy_to_device(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const auto current = context_->enter();
  check<A>(A::copy_to_device(to, from, bytes, stream_.get()), "copy to the device");
  wait(stream_.get());
}

template <Api A>
void GpuDevice<A>::copy_to_host(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const auto current = context_->enter();
  check<A>(A::copy_to_host(to, from, bytes, stream_.get()), "copy from the device");
  wait(stream_.get());
}

template <Api A>
void GpuDevice<A>::copy_within(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const auto current = context_->enter();
  check<A>(A::copy_within(to, from, bytes, stream_.get()), "copy on the device");
  wait(stream_.get());
}

template <Api A>
void GpuDevice<A>::fill(void* to, std::byte value, std::size_t bytes) {
  if (bytes == 0) return;
  const auto current = context_->enter();
  check<A>(A::fill(to, value, bytes, stream_.get()), "fill device memory");
  wait(stream_.get());
}

template <Api A>
void GpuDevice<A>::clear(void* to, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  const auto current = context_->enter();
  check<A>(A::fill(to, std::byte{0}, bytes, native(stream)), "clear device memory");
}

template <Api A>
typename A::Status GpuDevice<A>::try_enqueue(const Launch& launch,
                                             typename A::Stream stream) const {
  const Limits& limits = facts_.limits;
  if (launch.grid < 1 || launch.grid > limits.max_grid || launch.block < 1 ||
      !launch.depth.is_possible() || launch.depth.threads(launch.block) > limits.max_block_size) {
    refuse(launch);
  }
  auto arguments = launch.arguments.addresses();
  const Shape shape{static_cast<unsigned>(launch.grid), static_cast<unsigned>(launch.block),
                    limits.early_start == EarlyStart::present && starts_early(launch.start, stream),
                    launch.depth};
  return A::launch(static_cast<typename A::Function>(launch.kernel.handle), shape, stream,
                   arguments.data());
}

template <Api A>
void GpuDevice<A>::refuse(const Launch& launch) const {
  throw DeviceError(fmt::format(
      "cannot launch {} blocks of {} threads: the device takes 1 to {} blocks of 1 to {} threads",
      launch.depth.blocks(launch.grid), launch.depth.threads(launch.block), facts_.limits.max_grid,
      facts_.limits.max_block_size));
}

template <Api A>
void GpuDevice<A>::fail_to(const Launch& launch, typename A::Status status) {
  fail<A>(status, fmt::format("launch {} blocks of {} threads", launch.depth.blocks(launch.grid),
                              launch.depth.threads(launch.block)));
}

template <Api A>
void GpuDevice<A>::launch(std::span<const Launch> launches, Stream stream) {
  const typename A::Stream queue = native(stream);
  if (A::stream_names_context(queue)) {
    // Looking at the current context first would be a good part of what a launch costs.
    while (!launches.empty() && try_enqueue(launches.front(), queue) == A::success) {
      launches = launches.subspan(1);
    }
    if (launches.empty()) return;
  }
  // What was refused, and what comes after it.
  const auto current = context_->enter();
  for (const Launch& launch : launches) enqueue(launch, queue);
}

template <Api A>
void GpuDevice<A>::synchronize(Stream stream) {
  const auto current = context_->enter();
  wait(native(stream));
}

template <Api A>
template <class Action>
BatchTime GpuDevice<A>::time_queued(Action&& action) const {
  using Clock = std::chrono::steady_clock;
  const auto current = context_->enter();
  const auto before = Clock::now();
  check<A>(A::record_event(begin_.get(), stream_.get()), "record the start of a batch");
  std::forward<Action>(action)();
  check<A>(A::record_event(end_.get(), stream_.get()), "record the end of a batch");
  check<A>(A::synchronize_event(end_.get()), "finish a timed batch");
  const std::chrono::duration<double, std::micro> host = Clock::now() - before;
  float milliseconds = 0;
  check<A>(A::elapsed_ms(&milliseconds, begin_.get(), end_.get()), "read the time of a batch");
  return BatchTime{.device_us = static_cast<double>(milliseconds) * 1e3, .host_us = host.count()};
}

template <Api A>
BatchTime GpuDevice<A>::time(std::span<const Launch> launches) {
  return time_queued([&] {
    for (const Launch& launch : launches) enqueue(launch, stream_.get());
  });
}

/// Launches captured into a graph.
template <Api A>
class GpuDevice<A>::GraphBatch final : public Batch {
 public:
  GraphBatch(const GpuDevice& device, std::span<const Launch> launches)
      : device_(device), executable_(device.context_, capture(device, launches)) {}

  [[nodiscard]] BatchTime time() override {
    return device_.time_queued([this] {
      check<A>(A::launch_graph(executable_.get(), device_.stream_.get()), "launch a graph");
    });
  }

 private:
  static typename A::Executable capture(const GpuDevice& device, std::span<const Launch> launches) {
    const auto current = device.context_->enter();
    const typename A::Stream stream = device.stream_.get();
    check<A>(A::begin_capture(stream), "begin to capture a graph");
    typename A::Graph captured{};
    try {
      for (const Launch& launch : launches) device.enqueue(launch, stream);
    } catch (const Error&) {
      // The stream takes no other work before its capture has ended.
      if (A::end_capture(&captured, stream) == A::success) (void)A::destroy_graph(captured);
      throw;
    }
    check<A>(A::end_capture(&captured, stream), "capture a graph");
    const OwnedGraph<A> graph(device.context_, captured);
    typename A::Executable executable{};
    check<A>(A::instantiate(&executable, captured), "make a graph ready to run");
    return executable;
  }

  const GpuDevice& device_;
  OwnedExecutable<A> executable_;
};

template <Api A>
std::unique_ptr<Batch> GpuDevice<A>::prepare(std::span<const Launch> launches) {
  return std::make_unique<GraphBatch>(*this, launches);
}

}  // namespace redtune::device::gpu
