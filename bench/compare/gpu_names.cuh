// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One text for both vendors: their runtimes name the same calls alike but for the first letters.
// What is compiled by hipcc means HIP, by nvcc CUDA.
#pragma once

#if defined(__HIP__)
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#define REDTUNE_GPU(name) hip##name
#define gpuDevAttrMultiProcessorCount hipDeviceAttributeMultiprocessorCount
#define gpuDeviceProp hipDeviceProp_t
#define gpuErrorMemoryAllocation hipErrorOutOfMemory
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#define REDTUNE_GPU(name) cuda##name
#define gpuDevAttrMultiProcessorCount cudaDevAttrMultiProcessorCount
#define gpuDeviceProp cudaDeviceProp
#define gpuErrorMemoryAllocation cudaErrorMemoryAllocation
#endif

#define gpuDeviceGetAttribute REDTUNE_GPU(DeviceGetAttribute)
#define gpuDeviceSynchronize REDTUNE_GPU(DeviceSynchronize)
#define gpuDriverGetVersion REDTUNE_GPU(DriverGetVersion)
#define gpuError_t REDTUNE_GPU(Error_t)
#define gpuEventCreate REDTUNE_GPU(EventCreate)
#define gpuEventDestroy REDTUNE_GPU(EventDestroy)
#define gpuEventElapsedTime REDTUNE_GPU(EventElapsedTime)
#define gpuEventRecord REDTUNE_GPU(EventRecord)
#define gpuEventSynchronize REDTUNE_GPU(EventSynchronize)
#define gpuEvent_t REDTUNE_GPU(Event_t)
#define gpuFree REDTUNE_GPU(Free)
#define gpuGetDeviceCount REDTUNE_GPU(GetDeviceCount)
#define gpuGetDeviceProperties REDTUNE_GPU(GetDeviceProperties)
#define gpuGetErrorName REDTUNE_GPU(GetErrorName)
#define gpuGetErrorString REDTUNE_GPU(GetErrorString)
#define gpuGetLastError REDTUNE_GPU(GetLastError)
#define gpuGraphDestroy REDTUNE_GPU(GraphDestroy)
#define gpuGraphExecDestroy REDTUNE_GPU(GraphExecDestroy)
#define gpuGraphExec_t REDTUNE_GPU(GraphExec_t)
#define gpuGraphLaunch REDTUNE_GPU(GraphLaunch)
#define gpuGraph_t REDTUNE_GPU(Graph_t)
#define gpuMalloc REDTUNE_GPU(Malloc)
#define gpuMemGetInfo REDTUNE_GPU(MemGetInfo)
#define gpuMemcpy REDTUNE_GPU(Memcpy)
#define gpuMemcpyAsync REDTUNE_GPU(MemcpyAsync)
#define gpuMemcpyDefault REDTUNE_GPU(MemcpyDefault)
#define gpuMemset REDTUNE_GPU(Memset)
#define gpuMemsetAsync REDTUNE_GPU(MemsetAsync)
#define gpuRuntimeGetVersion REDTUNE_GPU(RuntimeGetVersion)
#define gpuSetDevice REDTUNE_GPU(SetDevice)
#define gpuStreamBeginCapture REDTUNE_GPU(StreamBeginCapture)
#define gpuStreamCaptureModeGlobal REDTUNE_GPU(StreamCaptureModeGlobal)
#define gpuStreamCreateWithFlags REDTUNE_GPU(StreamCreateWithFlags)
#define gpuStreamDestroy REDTUNE_GPU(StreamDestroy)
#define gpuStreamEndCapture REDTUNE_GPU(StreamEndCapture)
#define gpuStreamNonBlocking REDTUNE_GPU(StreamNonBlocking)
#define gpuStreamSynchronize REDTUNE_GPU(StreamSynchronize)
#define gpuStream_t REDTUNE_GPU(Stream_t)
#define gpuSuccess REDTUNE_GPU(Success)

namespace redtune::compare {

using half_type = __half;
#if defined(__HIP__)
using brain_type = hip_bfloat16;
#else
using brain_type = __nv_bfloat16;
#endif

/// The vendors disagree about the arguments.
inline gpuError_t instantiate(gpuGraphExec_t* executable, gpuGraph_t graph) {
#if defined(__HIP__)
  return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
#else
  return cudaGraphInstantiate(executable, graph, 0);
#endif
}

}  // namespace redtune::compare
