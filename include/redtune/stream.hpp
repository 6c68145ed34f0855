// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A caller's queue of a device, of whichever vendor.
#pragma once

#include <cstddef>

// What hipStream_t and cudaStream_t point to, as their headers declare it.
struct ihipStream_t;
struct CUstream_st;

namespace redtune {

/// Made of a hipStream_t or a cudaStream_t, which it does not own. The default one, and one made of
/// a null handle, is the Reducer's own stream, which is in order with the vendor's default stream.
class Stream {
 public:
  constexpr Stream() = default;
  constexpr Stream(std::nullptr_t) {}
  Stream(ihipStream_t* stream) : handle_(stream) {}
  Stream(CUstream_st* stream) : handle_(stream) {}

  [[nodiscard]] void* handle() const { return handle_; }
  /// For callers that have a handle without its type: foreign functions.
  [[nodiscard]] static Stream from_handle(void* handle) {
    Stream stream;
    stream.handle_ = handle;
    return stream;
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace redtune
