// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What each call of device/gpu is named in the HIP runtime; HIP 5.2 to 7.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "device/gpu/api.hpp"
#include "device/hip/hip_runtime.hpp"

namespace redtune::device::hip {

struct HipApi {
  using Status = hipError_t;
  using Context = int;  ///< HIP's current device is an ordinal; its primary context is implied
  using Module = hipModule_t;
  using Function = hipFunction_t;
  using Stream = hipStream_t;
  using Event = hipEvent_t;
  using Graph = hipGraph_t;
  using Executable = hipGraphExec_t;

  static constexpr Status success = hipSuccess;
  static std::string name_of(Status status) { return hipGetErrorName(status); }
  static std::string description_of(Status status) { return hipGetErrorString(status); }
  static bool is_out_of_memory(Status status) { return status == hipErrorOutOfMemory; }
  static bool is_lost(Status status) {
    constexpr std::array errors{hipErrorDeinitialized,  hipErrorECCNotCorrectable,
                                hipErrorIllegalAddress, hipErrorLaunchTimeOut,
                                hipErrorAssert,         hipErrorLaunchFailure};
    return std::ranges::find(errors, status) != errors.end();
  }

  static Status device_count(int* count) { return hipGetDeviceCount(count); }

  static Status open_context(Context* context, int ordinal) {
    *context = ordinal;
    return hipSuccess;
  }
  static Status close_context(Context, int) { return hipSuccess; }
  static Status current_context(Context* context) { return hipGetDevice(context); }
  static Status make_current(Context context) { return hipSetDevice(context); }
  /// Not every runtime knows hipStreamLegacy, 1. To all of them null is the same stream.
  static Stream stream_of(void* handle) {
    return reinterpret_cast<std::uintptr_t>(handle) == 1 ? nullptr : static_cast<Stream>(handle);
  }
  static constexpr bool stream_names_context(Stream) { return false; }

  static constexpr bool two_streams_delay_starts = false;  // no AMD GPU has been asked yet

  static Status memory_info(std::size_t* free, std::size_t* total) {
    return hipMemGetInfo(free, total);
  }
  static Status allocate(void** data, std::size_t bytes) { return hipMalloc(data, bytes); }
  static Status free(void* data) { return hipFree(data); }
  static Status copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream);
  }
  static Status copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream);
  }
  static Status copy_within(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
  }
  static Status fill(void* to, std::byte value, std::size_t bytes, Stream stream) {
    return hipMemsetAsync(to, std::to_integer<int>(value), bytes, stream);
  }

  static Status load_module(Module* module, const void* image) {
    return hipModuleLoadData(module, image);
  }
  static Status unload_module(Module module) { return hipModuleUnload(module); }
  static Status find_function(Function* function, Module module, const char* symbol) {
    return hipModuleGetFunction(function, module, symbol);
  }
  static Status find_variable(void** data, std::size_t* bytes, Module module, const char* symbol) {
    return hipModuleGetGlobal(data, bytes, module, symbol);
  }
  /// AMD's GPUs give a block what there is.
  static Status allow_shared(Function, int) { return hipSuccess; }
  static Status launch(Function function, gpu::Shape shape, Stream stream, void** arguments) {
    const Depth& depth = shape.depth;
    return hipModuleLaunchKernel(
        function, shape.blocks, static_cast<unsigned>(depth.grid_y),
        static_cast<unsigned>(depth.grid_z), shape.threads, static_cast<unsigned>(depth.block_y),
        static_cast<unsigned>(depth.block_z), static_cast<unsigned>(depth.shared_bytes), stream,
        arguments, nullptr);
  }

  // In order with the legacy default stream: a null stream from an application becomes this one,
  // and the application's work before and after must stay before and after.
  static Status create_stream(Stream* stream) { return hipStreamCreate(stream); }
  static Status destroy_stream(Stream stream) { return hipStreamDestroy(stream); }
  static Status synchronize_stream(Stream stream) { return hipStreamSynchronize(stream); }
  static Status create_event(Event* event) { return hipEventCreate(event); }
  static Status destroy_event(Event event) { return hipEventDestroy(event); }
  static Status record_event(Event event, Stream stream) { return hipEventRecord(event, stream); }
  static Status synchronize_event(Event event) { return hipEventSynchronize(event); }
  static Status elapsed_ms(float* milliseconds, Event begin, Event end) {
    return hipEventElapsedTime(milliseconds, begin, end);
  }

  static Status begin_capture(Stream stream) {
    return hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal);
  }
  static bool is_capturing(Stream stream) {
    hipStreamCaptureStatus status{};
    return hipStreamIsCapturing(stream, &status) != hipSuccess ||
           status != hipStreamCaptureStatusNone;
  }
  static Status end_capture(Graph* graph, Stream stream) {
    return hipStreamEndCapture(stream, graph);
  }
  static Status instantiate(Executable* executable, Graph graph) {
    return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
  }
  static Status launch_graph(Executable executable, Stream stream) {
    return hipGraphLaunch(executable, stream);
  }
  static Status destroy_graph(Graph graph) { return hipGraphDestroy(graph); }
  static Status destroy_executable(Executable executable) {
    return hipGraphExecDestroy(executable);
  }
};

static_assert(gpu::Api<HipApi>);

}  // namespace redtune::device::hip
