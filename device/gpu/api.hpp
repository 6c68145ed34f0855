// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What device/gpu needs of a vendor: an Api only says what each call is named.
// device/hip/hip_api.hpp is one; a CUDA one names driver API calls (cuModuleLoadData,
// cuLaunchKernel, ...) in the same way.
#pragma once

#include <concepts>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>

#include "device/device.hpp"
#include "redtune/error.hpp"

namespace redtune::device::gpu {

/// The shape of a launch.
struct Shape {
  unsigned blocks = 1;
  unsigned threads = 1;  ///< per block
  bool early = false;    ///< starts before the work ahead of it has ended; only where devices can
  Depth depth = {};
};

/// Calls answer with the vendor's status and write what they make through a pointer, as the vendors
/// do. Everything but the contexts is asked for with the device's context current; launches on a
/// stream that names its context may be without.
template <class A>
concept Api = std::is_pointer_v<typename A::Function> &&
    std::equality_comparable<typename A::Context> &&
    requires(typename A::Status status, typename A::Context context, typename A::Module module,
             typename A::Function function, typename A::Stream stream, typename A::Event event,
             typename A::Graph graph, typename A::Executable executable, int ordinal,
             std::size_t bytes, void* data, const void* source, std::byte value, const char* symbol,
             Shape shape, void** arguments, float milliseconds) {
  { A::success } -> std::convertible_to<typename A::Status>;
  { A::name_of(status) } -> std::convertible_to<std::string>;
  { A::description_of(status) } -> std::convertible_to<std::string>;
  { A::is_out_of_memory(status) } -> std::same_as<bool>;
  // Errors after which every call of the process to the device fails.
  { A::is_lost(status) } -> std::same_as<bool>;
  // Starts the driver when it is not started yet.
  { A::device_count(&ordinal) } -> std::same_as<typename A::Status>;
  // The primary context of a device, shared with everybody in the process.
  { A::open_context(&context, ordinal) } -> std::same_as<typename A::Status>;
  { A::close_context(context, ordinal) } -> std::same_as<typename A::Status>;
  { A::current_context(&context) } -> std::same_as<typename A::Status>;
  { A::make_current(context) } -> std::same_as<typename A::Status>;
  // A caller's handle that is not null; 1 is the platform's default stream.
  { A::stream_of(data) } -> std::same_as<typename A::Stream>;
  // Whether a launch on the stream is in the stream's own context or refused, whichever is current.
  { A::stream_names_context(stream) } -> std::same_as<bool>;
  // Whether every kernel starts later once some were queued on two streams, as far as is known.
  { A::two_streams_delay_starts } -> std::convertible_to<bool>;
  // Memory. Copies and fills are queued on the stream.
  { A::memory_info(&bytes, &bytes) } -> std::same_as<typename A::Status>;
  { A::allocate(&data, bytes) } -> std::same_as<typename A::Status>;
  { A::free(data) } -> std::same_as<typename A::Status>;
  { A::copy_to_device(data, source, bytes, stream) } -> std::same_as<typename A::Status>;
  { A::copy_to_host(data, source, bytes, stream) } -> std::same_as<typename A::Status>;
  { A::copy_within(data, source, bytes, stream) } -> std::same_as<typename A::Status>;
  { A::fill(data, value, bytes, stream) } -> std::same_as<typename A::Status>;
  // Code.
  { A::load_module(&module, source) } -> std::same_as<typename A::Status>;
  { A::unload_module(module) } -> std::same_as<typename A::Status>;
  { A::find_function(&function, module, symbol) } -> std::same_as<typename A::Status>;
  { A::find_variable(&data, &bytes, module, symbol) } -> std::same_as<typename A::Status>;
  // From then on launches may have so many bytes of shared memory, with what the function declares.
  { A::allow_shared(function, ordinal) } -> std::same_as<typename A::Status>;
  { A::launch(function, shape, stream, arguments) } -> std::same_as<typename A::Status>;
  // Order and time.
  { A::create_stream(&stream) } -> std::same_as<typename A::Status>;
  { A::destroy_stream(stream) } -> std::same_as<typename A::Status>;
  { A::synchronize_stream(stream) } -> std::same_as<typename A::Status>;
  { A::create_event(&event) } -> std::same_as<typename A::Status>;
  { A::destroy_event(event) } -> std::same_as<typename A::Status>;
  { A::record_event(event, stream) } -> std::same_as<typename A::Status>;
  { A::synchronize_event(event) } -> std::same_as<typename A::Status>;
  { A::elapsed_ms(&milliseconds, event, event) } -> std::same_as<typename A::Status>;
  // Graphs: what this thread queues on the stream between begin and end of a capture.
  { A::begin_capture(stream) } -> std::same_as<typename A::Status>;
  // Whether the stream is being captured, by whomever, or may be.
  { A::is_capturing(stream) } -> std::same_as<bool>;
  { A::end_capture(&graph, stream) } -> std::same_as<typename A::Status>;
  { A::instantiate(&executable, graph) } -> std::same_as<typename A::Status>;
  { A::launch_graph(executable, stream) } -> std::same_as<typename A::Status>;
  { A::destroy_graph(graph) } -> std::same_as<typename A::Status>;
  { A::destroy_executable(executable) } -> std::same_as<typename A::Status>;
};

/// "hipErrorInvalidValue (invalid argument)".
template <Api A>
[[nodiscard]] std::string describe(typename A::Status status) {
  std::string name = A::name_of(status);
  const std::string description = A::description_of(status);
  if (description.empty() || description == name) return name;
  return fmt::format("{} ({})", name, description);
}

template <Api A>
[[noreturn]] void fail(typename A::Status status, std::string_view doing) {
  const std::string text = fmt::format("cannot {}: {}", doing, describe<A>(status));
  if (A::is_out_of_memory(status)) throw OutOfMemory(text);
  if (A::is_lost(status)) throw DeviceLost(text);
  throw DeviceError(text);
}

/// Throws OutOfMemory, DeviceLost or DeviceError unless the call succeeded. doing completes "cannot
/// ...".
template <Api A>
void check(typename A::Status status, std::string_view doing) {
  if (status != A::success) fail<A>(status, doing);
}

}  // namespace redtune::device::gpu
