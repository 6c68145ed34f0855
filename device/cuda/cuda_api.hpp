// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What each call of device/gpu is named in the CUDA driver API; CUDA 12 and later.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "device/cuda/driver.hpp"
#include "device/gpu/api.hpp"

namespace redtune::device::cuda {

struct CudaApi {
  using Status = CUresult;
  using Context = CUcontext;
  using Module = CUmodule;
  using Function = CUfunction;
  using Stream = CUstream;
  using Event = CUevent;
  using Graph = CUgraph;
  using Executable = CUgraphExec;

  static constexpr Status success = CUDA_SUCCESS;
  static std::string name_of(Status status) { return text(find_driver()->GetErrorName, status); }
  static std::string description_of(Status status) {
    return text(find_driver()->GetErrorString, status);
  }
  static bool is_out_of_memory(Status status) { return status == CUDA_ERROR_OUT_OF_MEMORY; }
  static bool is_lost(Status status) {
    constexpr std::array errors{CUDA_ERROR_DEINITIALIZED,
                                CUDA_ERROR_ECC_UNCORRECTABLE,
                                CUDA_ERROR_ILLEGAL_ADDRESS,
                                CUDA_ERROR_LAUNCH_TIMEOUT,
                                CUDA_ERROR_ASSERT,
                                CUDA_ERROR_HARDWARE_STACK_ERROR,
                                CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                CUDA_ERROR_MISALIGNED_ADDRESS,
                                CUDA_ERROR_INVALID_PC,
                                CUDA_ERROR_INVALID_ADDRESS_SPACE,
                                CUDA_ERROR_LAUNCH_FAILED};
    return std::ranges::find(errors, status) != errors.end();
  }

  static Status device_count(int* count) {
    if (find_driver() == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
    const Status status = driver().Init(0);
    return status == CUDA_SUCCESS ? driver().DeviceGetCount(count) : status;
  }

  static Status open_context(Context* context, int ordinal) {
    CUdevice device = 0;
    const Status status = driver().DeviceGet(&device, ordinal);
    return status == CUDA_SUCCESS ? driver().DevicePrimaryCtxRetain(context, device) : status;
  }
  static Status close_context(Context, int ordinal) {
    CUdevice device = 0;
    const Status status = driver().DeviceGet(&device, ordinal);
    return status == CUDA_SUCCESS ? driver().DevicePrimaryCtxRelease(device) : status;
  }
  static Status current_context(Context* context) { return driver().CtxGetCurrent(context); }
  static Status make_current(Context context) { return driver().CtxSetCurrent(context); }
  /// CU_STREAM_LEGACY is 1 itself.
  static Stream stream_of(void* handle) { return static_cast<Stream>(handle); }
  /// All but the default streams, which every context has.
  static bool stream_names_context(Stream stream) {
    return stream != nullptr && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
  }

  static constexpr bool two_streams_delay_starts = true;

  static Status memory_info(std::size_t* free, std::size_t* total) {
    return driver().MemGetInfo(free, total);
  }
  static Status allocate(void** data, std::size_t bytes) {
    CUdeviceptr address = 0;
    const Status status = driver().MemAlloc(&address, bytes);
    *data = reinterpret_cast<void*>(address);
    return status;
  }
  static Status free(void* data) { return driver().MemFree(address(data)); }
  static Status copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    return driver().MemcpyHtoDAsync(address(to), from, bytes, stream);
  }
  static Status copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
    return driver().MemcpyDtoHAsync(to, address(from), bytes, stream);
  }
  static Status copy_within(void* to, const void* from, std::size_t bytes, Stream stream) {
    return driver().MemcpyDtoDAsync(address(to), address(from), bytes, stream);
  }
  static Status fill(void* to, std::byte value, std::size_t bytes, Stream stream) {
    return driver().MemsetD8Async(address(to), std::to_integer<unsigned char>(value), bytes,
                                  stream);
  }

  static Status load_module(Module* module, const void* image) {
    return driver().ModuleLoadData(module, image);
  }
  static Status unload_module(Module module) { return driver().ModuleUnload(module); }
  static Status find_function(Function* function, Module module, const char* symbol) {
    return driver().ModuleGetFunction(function, module, symbol);
  }
  static Status find_variable(void** data, std::size_t* bytes, Module module, const char* symbol) {
    CUdeviceptr found = 0;
    const Status status = driver().ModuleGetGlobal(&found, bytes, module, symbol);
    *data = reinterpret_cast<void*>(found);
    return status;
  }
  /// What is asked for is the dynamic part; so much that there is none is refused.
  static Status allow_shared(Function function, int bytes) {
    int own = 0;
    const Status status =
        driver().FuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
    if (status != CUDA_SUCCESS) return status;
    return driver().FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                     bytes - own);
  }
  static Status launch(Function function, gpu::Shape shape, Stream stream, void** arguments) {
    if (shape.early) return launch_early(function, shape, stream, arguments);
    const Depth& depth = shape.depth;
    return driver().LaunchKernel(
        function, shape.blocks, static_cast<unsigned>(depth.grid_y),
        static_cast<unsigned>(depth.grid_z), shape.threads, static_cast<unsigned>(depth.block_y),
        static_cast<unsigned>(depth.block_z), static_cast<unsigned>(depth.shared_bytes), stream,
        arguments, nullptr);
  }

  // In order with the legacy default stream: a null stream from an application becomes this one,
  // and the application's work before and after must stay before and after.
  static Status create_stream(Stream* stream) {
    return driver().StreamCreate(stream, CU_STREAM_DEFAULT);
  }
  static Status destroy_stream(Stream stream) { return driver().StreamDestroy(stream); }
  static Status synchronize_stream(Stream stream) { return driver().StreamSynchronize(stream); }
  static Status create_event(Event* event) { return driver().EventCreate(event, CU_EVENT_DEFAULT); }
  static Status destroy_event(Event event) { return driver().EventDestroy(event); }
  static Status record_event(Event event, Stream stream) {
    return driver().EventRecord(event, stream);
  }
  static Status synchronize_event(Event event) { return driver().EventSynchronize(event); }
  static Status elapsed_ms(float* milliseconds, Event begin, Event end) {
    return driver().EventElapsedTime(milliseconds, begin, end);
  }

  static Status begin_capture(Stream stream) {
    return driver().StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  }
  /// The legacy default stream refuses to answer while another stream is captured.
  static bool is_capturing(Stream stream) {
    CUstreamCaptureStatus status{};
    return driver().StreamIsCapturing(stream, &status) != CUDA_SUCCESS ||
           status != CU_STREAM_CAPTURE_STATUS_NONE;
  }
  static Status end_capture(Graph* graph, Stream stream) {
    return driver().StreamEndCapture(stream, graph);
  }
  static Status instantiate(Executable* executable, Graph graph) {
    return driver().GraphInstantiateWithFlags(executable, graph, 0);
  }
  static Status launch_graph(Executable executable, Stream stream) {
    return driver().GraphLaunch(executable, stream);
  }
  static Status destroy_graph(Graph graph) { return driver().GraphDestroy(graph); }
  static Status destroy_executable(Executable executable) {
    return driver().GraphExecDestroy(executable);
  }

 private:
  /// "Programmatic dependent launch" of the CUDA programming guide.
  static Status launch_early(Function function, gpu::Shape shape, Stream stream, void** arguments) {
    CUlaunchAttribute early{};
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
    const CUlaunchConfig config{.gridDimX = shape.blocks,
                                .gridDimY = static_cast<unsigned>(shape.depth.grid_y),
                                .gridDimZ = static_cast<unsigned>(shape.depth.grid_z),
                                .blockDimX = shape.threads,
                                .blockDimY = static_cast<unsigned>(shape.depth.block_y),
                                .blockDimZ = static_cast<unsigned>(shape.depth.block_z),
                                .sharedMemBytes = static_cast<unsigned>(shape.depth.shared_bytes),
                                .hStream = stream,
                                .attrs = &early,
                                .numAttrs = 1};
    return driver().LaunchKernelEx(&config, function, arguments, nullptr);
  }
  static CUdeviceptr address(const void* data) { return reinterpret_cast<CUdeviceptr>(data); }
  static std::string text(decltype(Driver::GetErrorName) tell, Status status) {
    const char* known = nullptr;
    if (tell(status, &known) != CUDA_SUCCESS || known == nullptr) {
      return "CUDA error " + std::to_string(static_cast<int>(status));
    }
    return known;
  }
};

static_assert(gpu::Api<CudaApi>);

}  // namespace redtune::device::cuda
