// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A libcuda.so.1 with one GPU that exists in memory only and runs nothing; each launch takes half a
// millisecond of its clock. Strict about order: no call before cuInit, none without a context.
#include "invented_driver.hpp"

#include <cstdio>

#include "invented_state.hpp"

using namespace redtune::device::cuda::testing::invented;

extern "C" {

const char* invented_calls() {
  static std::string told;
  told = std::exchange(calls, {});
  return told.c_str();
}
int invented_alive() {
  return static_cast<int>(objects.size() + memory.size()) + references;
}

CUresult cuInit(unsigned) {
  started = true;
  return asked("cuInit", Needs::start);
}
/// NVRTC asks for it where there is a driver, and takes no for an answer.
CUresult cuGetExportTable(const void**, const CUuuid*) {
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuDriverGetVersion(int* version) {
  *version = 12080;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult status, const char** text) {
  return text_of(status, text, true);
}
CUresult cuGetErrorString(CUresult status, const char** text) {
  return text_of(status, text, false);
}
CUresult cuDeviceGetCount(int* count) {
  const char* wish = std::getenv("INVENTED_DEVICES");
  *count = wish == nullptr ? 1 : std::atoi(wish);
  return asked("cuDeviceGetCount", Needs::start);
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = 40 + ordinal;  // no ordinal
  return asked("cuDeviceGet", Needs::start);
}
CUresult cuDeviceGetName(char* text, int bytes, CUdevice) {
  std::snprintf(text, static_cast<size_t>(bytes), "Invented GPU");
  return asked("cuDeviceGetName", Needs::start);
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
  std::memset(uuid->bytes, 0xab, sizeof(uuid->bytes));
  return asked("cuDeviceGetUuid", Needs::start);
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
  static const std::map<int, int> values = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 20},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 512},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 100 << 10},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 6 << 20}};
  if (device != 40 || !values.contains(which)) return CUDA_ERROR_INVALID_VALUE;
  *value = values.at(which);
  return asked("cuDeviceGetAttribute", Needs::start);
}
CUresult cuDeviceGetPCIBusId(char* text, int bytes, CUdevice) {
  std::snprintf(text, static_cast<size_t>(bytes), "0000:FE:00.0");
  return asked("cuDeviceGetPCIBusId", Needs::start);
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  *bytes = size_t{8} << 30;
  return asked("cuDeviceTotalMem", Needs::start);
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  const CUresult status = asked("cuDevicePrimaryCtxRetain", Needs::start);
  if (status != CUDA_SUCCESS || device != 40) return first(status, CUDA_ERROR_INVALID_DEVICE);
  ++references;
  *context = reinterpret_cast<CUcontext>(&the_context);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
  if (references > 0) --references;
  return asked("cuDevicePrimaryCtxRelease", Needs::start);
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current;
  return asked("cuCtxGetCurrent", Needs::start);
}
CUresult cuCtxSetCurrent(CUcontext context) {
  const CUresult status = asked("cuCtxSetCurrent", Needs::start);
  if (status == CUDA_SUCCESS) current = context;
  return status;
}
CUresult cuMemGetInfo(size_t* free, size_t* total) {
  *free = size_t{7} << 30;
  *total = size_t{8} << 30;
  return asked("cuMemGetInfo");
}
CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  const CUresult status = asked("cuMemAlloc");
  if (status != CUDA_SUCCESS) return status;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > size_t{8} << 30) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) & ~size_t{255}));
  memory.insert(*address);
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr address) {
  if (memory.erase(address) == 0) return CUDA_ERROR_INVALID_VALUE;
  std::free(reinterpret_cast<void*>(address));
  return asked("cuMemFree");
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copy("cuMemcpyHtoDAsync", reinterpret_cast<void*>(to), from, bytes, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy("cuMemcpyDtoHAsync", to, reinterpret_cast<void*>(from), bytes, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy("cuMemcpyDtoDAsync", reinterpret_cast<void*>(to), reinterpret_cast<void*>(from),
              bytes, stream);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  const CUresult status = first(asked("cuMemsetD8Async"), not_captured(stream));
  if (status == CUDA_SUCCESS) std::memset(reinterpret_cast<void*>(to), value, bytes);
  return status;
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (std::memcmp(image, "\177ELF", 4) != 0) return CUDA_ERROR_INVALID_IMAGE;
  return make("cuModuleLoadData", module, Kind::module);
}
CUresult cuModuleUnload(CUmodule module) {
  return destroy("cuModuleUnload", module, Kind::module);
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* symbol) {
  *function = reinterpret_cast<CUfunction>(module);
  if (std::strcmp(symbol, "missing") == 0) return CUDA_ERROR_NOT_FOUND;
  return first(asked("cuModuleGetFunction"), known(module, Kind::module));
}
/// Every kernel has 1000 bytes of its own.
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction function) {
  if (which != CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  *value = 1000;
  return first(asked("cuFuncGetAttribute"), known(function, Kind::module));
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
  const bool is_possible =
      which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value + 1000 <= 100 << 10;
  if (!is_possible) return CUDA_ERROR_INVALID_VALUE;
  return first(asked("cuFuncSetAttribute " + std::to_string(value)), known(function, Kind::module));
}
CUresult cuModuleGetGlobal(CUdeviceptr* data, std::size_t* bytes, CUmodule module,
                           const char* symbol) {
  if (std::strcmp(symbol, "missing") == 0) return CUDA_ERROR_NOT_FOUND;
  static double variable = 0;
  *data = reinterpret_cast<CUdeviceptr>(&variable);
  *bytes = sizeof(variable);
  return first(asked("cuModuleGetGlobal"), known(module, Kind::module));
}
CUresult cuLaunchKernel(CUfunction, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned,
                        unsigned, unsigned, CUstream stream, void**, void**) {
  return run("cuLaunchKernel" + shape_text(blocks, threads), stream, launch_ms);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction, void**, void**) {
  const bool early = config->numAttrs == 1 &&
                     config->attrs[0].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
                     config->attrs[0].value.programmaticStreamSerializationAllowed == 1;
  const std::string shape = shape_text(config->gridDimX, config->blockDimX);
  return run("cuLaunchKernelEx" + shape + (early ? " early" : ""), config->hStream, launch_ms);
}
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  return make("cuStreamCreate", stream, Kind::stream);
}
CUresult cuStreamDestroy(CUstream stream) {
  return destroy("cuStreamDestroy", stream, Kind::stream);
}
CUresult cuStreamSynchronize(CUstream stream) {
  return first(asked("cuStreamSynchronize"), not_captured(stream));
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  return make("cuEventCreate", event, Kind::event, -1);
}
CUresult cuEventDestroy(CUevent event) {
  return destroy("cuEventDestroy", event, Kind::event);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  if (find(event, Kind::event) != nullptr) find(event, Kind::event)->ms = clock_ms;
  return first(asked("cuEventRecord"), first(known(event, Kind::event), not_captured(stream)));
}
CUresult cuEventSynchronize(CUevent event) {
  return first(asked("cuEventSynchronize"), known(event, Kind::event));
}
#ifdef INVENTED_IS_OLD
#undef cuEventElapsedTime
#endif
CUresult cuEventElapsedTime(float* ms, CUevent begin, CUevent end) {
  const Object* from = find(begin, Kind::event);
  const Object* to = find(end, Kind::event);
  if (from == nullptr || to == nullptr || from->ms < 0) return CUDA_ERROR_INVALID_HANDLE;
  *ms = static_cast<float>(to->ms - from->ms);
  return asked("cuEventElapsedTime");
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode) {
  const CUresult status = first(asked("cuStreamBeginCapture"), not_captured(stream));
  capturing = status == CUDA_SUCCESS;
  captured_ms = 0;
  return status;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  *status = capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return asked("cuStreamIsCapturing");
}
CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  if (!std::exchange(capturing, false)) return CUDA_ERROR_ILLEGAL_STATE;
  return make("cuStreamEndCapture", graph, Kind::graph, captured_ms);
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  if (find(graph, Kind::graph) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return make("cuGraphInstantiateWithFlags", executable, Kind::executable,
              find(graph, Kind::graph)->ms);
}
#ifndef INVENTED_IS_OLD
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  const Object* graph = find(executable, Kind::executable);
  return graph == nullptr ? CUDA_ERROR_INVALID_HANDLE : run("cuGraphLaunch", stream, graph->ms);
}
#endif
CUresult cuGraphDestroy(CUgraph graph) {
  return destroy("cuGraphDestroy", graph, Kind::graph);
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return destroy("cuGraphExecDestroy", executable, Kind::executable);
}
}
