// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the examples need of a GPU: an array, a stream, a graph. The calls of HIP and CUDA differ by
// their first letters; where there is no GPU the host's memory takes their place.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#if defined(EXAMPLE_HIP)
#include <hip/hip_runtime_api.h>
#define GPU(name) hip##name
#elif defined(EXAMPLE_CUDA)
#include <cuda_runtime_api.h>
#define GPU(name) cuda##name
#endif

namespace gpu {

#if defined(GPU)

using StreamHandle = GPU(Stream_t);

inline void check(GPU(Error_t) status, const char* what) {
  if (status == GPU(Success)) return;
  std::cerr << what << " fails with error " << static_cast<int>(status) << '\n';
  std::exit(1);
}

inline bool is_here() {
  int count = 0;
  return GPU(GetDeviceCount)(&count) == GPU(Success) && count > 0;
}

#if defined(EXAMPLE_HIP)
inline const char* device_name() {
  return is_here() ? "hip:0" : "host";
}
#else
inline const char* device_name() {
  return is_here() ? "cuda:0" : "host";
}
#endif

class Stream {
 public:
  Stream() {
    if (is_here()) check(GPU(StreamCreate)(&handle_), "to make a stream");
  }
  ~Stream() {
    if (handle_ != nullptr) (void)GPU(StreamDestroy)(handle_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] StreamHandle get() const { return handle_; }

  void wait() const {
    if (handle_ != nullptr) check(GPU(StreamSynchronize)(handle_), "to wait for a stream");
  }

 private:
  StreamHandle handle_ = nullptr;
};

/// Bytes on the device.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : is_device_(is_here()) {
    if (is_device_)
      check(GPU(Malloc)(&data_, bytes), "to allocate");
    else
      data_ = std::malloc(bytes);
  }
  ~Memory() {
    if (is_device_)
      (void)GPU(Free)(data_);
    else
      std::free(data_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  bool is_device_;
  void* data_ = nullptr;
};

/// Complete when they return.
inline void copy_in(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  if (!is_here()) {
    std::memcpy(to, from, bytes);
    return;
  }
  check(GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyHostToDevice), stream.get()), "to copy");
  stream.wait();
}
inline void copy_out(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  if (!is_here()) {
    std::memcpy(to, from, bytes);
    return;
  }
  check(GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyDeviceToHost), stream.get()), "to copy");
  stream.wait();
}

/// Work that is queued once and launched many times.
class Graph {
 public:
  template <class Action>
  Graph(const Stream& stream, const Action& action) {
    if (!is_here()) return;
    GPU(Graph_t) graph = nullptr;
    check(GPU(StreamBeginCapture)(stream.get(), GPU(StreamCaptureModeGlobal)),
          "to begin a capture");
    action();
    check(GPU(StreamEndCapture)(stream.get(), &graph), "to end a capture");
    check(instantiate(graph), "to make a graph ready");
    (void)GPU(GraphDestroy)(graph);
  }
  ~Graph() {
    if (executable_ != nullptr) (void)GPU(GraphExecDestroy)(executable_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(const Stream& stream) const {
    check(GPU(GraphLaunch)(executable_, stream.get()), "to launch a graph");
  }

 private:
  GPU(Error_t) instantiate(GPU(Graph_t) graph) {
#if defined(EXAMPLE_CUDA) && CUDART_VERSION >= 12000
    return GPU(GraphInstantiate)(&executable_, graph, 0);
#else
    return GPU(GraphInstantiate)(&executable_, graph, nullptr, nullptr, 0);
#endif
  }

  GPU(GraphExec_t) executable_ = nullptr;
};

#else

// No GPU's headers were there when this was compiled.
using StreamHandle = std::nullptr_t;

inline bool is_here() {
  return false;
}
inline const char* device_name() {
  return "host";
}

class Stream {
 public:
  [[nodiscard]] StreamHandle get() const { return nullptr; }
  void wait() const {}
};

class Memory {
 public:
  explicit Memory(std::size_t bytes) : data_(std::malloc(bytes)) {}
  ~Memory() { std::free(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_;
};

inline void copy_in(void* to, const void* from, std::size_t bytes, const Stream&) {
  std::memcpy(to, from, bytes);
}
inline void copy_out(void* to, const void* from, std::size_t bytes, const Stream&) {
  std::memcpy(to, from, bytes);
}

class Graph {
 public:
  template <class Action>
  Graph(const Stream&, const Action&) {}
  void launch(const Stream&) const {}
};

#endif

/// Elements on the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : memory_(count * sizeof(T)) {}
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }

  void write(const std::vector<T>& values, const Stream& stream) const {
    copy_in(data(), values.data(), values.size() * sizeof(T), stream);
  }
  [[nodiscard]] T first(const Stream& stream) const {
    T value{};
    copy_out(&value, data(), sizeof(T), stream);
    return value;
  }

 private:
  Memory memory_;
};

}  // namespace gpu
