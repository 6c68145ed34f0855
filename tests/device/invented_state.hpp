// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the invented driver remembers, and what its calls have in common.
#pragma once

#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace redtune::device::cuda::testing::invented {

enum class Kind { stream, event, module, graph, executable };
struct Object {
  Kind kind = Kind::stream;
  double ms = 0;  // of an event: when; of a graph: how long
};
enum class Needs { start, context };

inline constexpr double launch_ms = 0.5;
inline bool started = false;
inline int references = 0;  // to the primary context
inline bool capturing = false;
inline double clock_ms = 0;
inline double captured_ms = 0;
inline std::string calls;
inline std::map<void*, std::unique_ptr<Object>> objects;
inline std::set<CUdeviceptr> memory;
inline thread_local CUcontext current = nullptr;
inline int the_context = 0;

inline CUresult failure_wished_for(const std::string& call) {
  const char* wish = std::getenv("INVENTED_FAILURE");
  const std::string begin = call + '=';
  if (wish == nullptr || std::strncmp(wish, begin.c_str(), begin.size()) != 0) return CUDA_SUCCESS;
  return static_cast<CUresult>(std::atoi(wish + begin.size()));
}

inline CUresult asked(const std::string& call, Needs needs = Needs::context) {
  if (!started) return CUDA_ERROR_NOT_INITIALIZED;
  if (needs == Needs::context && (current == nullptr || references == 0)) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (call.find("Ctx") == std::string::npos) calls += call + '\n';
  return failure_wished_for(call.substr(0, call.find(' ')));
}
/// The first that went wrong.
inline CUresult first(CUresult one, CUresult other) {
  return one != CUDA_SUCCESS ? one : other;
}

template <class Handle>
inline CUresult make(const char* call, Handle* handle, Kind kind, double ms = 0) {
  const CUresult status = asked(call);
  if (status != CUDA_SUCCESS) return status;
  auto object = std::make_unique<Object>(Object{kind, ms});
  *handle = reinterpret_cast<Handle>(object.get());
  objects[*handle] = std::move(object);
  return CUDA_SUCCESS;
}
inline Object* find(void* handle, Kind kind) {
  const auto found = objects.find(handle);
  return found == objects.end() || found->second->kind != kind ? nullptr : found->second.get();
}
inline CUresult known(void* handle, Kind kind) {
  return find(handle, kind) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
inline CUresult destroy(const char* call, void* handle, Kind kind) {
  if (find(handle, kind) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (current != nullptr) objects.erase(handle);  // also where failing is wished for
  return asked(call);
}
/// For calls that a stream does not take while it is captured.
inline CUresult not_captured(CUstream stream) {
  return first(known(stream, Kind::stream),
               capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS);
}
inline CUresult run(const std::string& call, CUstream stream, double ms) {
  const CUresult status = first(asked(call), known(stream, Kind::stream));
  if (status == CUDA_SUCCESS) (capturing ? captured_ms : clock_ms) += ms;
  return status;
}
inline CUresult copy(const char* call, void* to, const void* from, size_t bytes, CUstream stream) {
  const CUresult status = first(asked(call), not_captured(stream));
  if (status == CUDA_SUCCESS) std::memcpy(to, from, bytes);
  return status;
}
inline std::string shape_text(unsigned blocks, unsigned threads) {
  return ' ' + std::to_string(blocks) + 'x' + std::to_string(threads);
}
inline CUresult text_of(CUresult status, const char** text, bool name) {
  static const std::map<int, std::pair<const char*, const char*>> known_errors = {
      {CUDA_ERROR_OUT_OF_MEMORY, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {CUDA_ERROR_NO_DEVICE, {"CUDA_ERROR_NO_DEVICE", "no device is detected"}},
      {CUDA_ERROR_INVALID_IMAGE, {"CUDA_ERROR_INVALID_IMAGE", "no kernel image"}},
      {CUDA_ERROR_NOT_FOUND, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
      {CUDA_ERROR_ILLEGAL_ADDRESS, {"CUDA_ERROR_ILLEGAL_ADDRESS", "illegal memory access"}}};
  const auto found = known_errors.find(status);
  if (found == known_errors.end()) return CUDA_ERROR_INVALID_VALUE;
  *text = name ? found->second.first : found->second.second;
  return CUDA_SUCCESS;
}

}  // namespace redtune::device::cuda::testing::invented
