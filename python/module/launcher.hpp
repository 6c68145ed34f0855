// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A reduction with the memory that its launches need, for all threads and streams.
#pragma once

#include <utility>
#include <vector>

#include "python/module/handles.hpp"

namespace redtune::python {

/// Python's lock is held by whoever uses it.
struct Launcher {
  PyObject* reducer_capsule = nullptr;  // kept
  redtune_reducer* reducer = nullptr;
  bool is_host = false;
  std::vector<redtune_workspace*> free;  // on the host: a launch has one for itself
  /// On a GPU one for each stream, the one that was used last in front.
  std::vector<std::pair<void*, redtune_workspace*>> of_streams;
  redtune_workspace* of_graphs = nullptr;

  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  ~Launcher();
};

template <>
struct HandleTraits<Launcher> {
  static constexpr bool survives_forks = false;
  static constexpr const char* name = "redtune_launcher";
  static void destroy(Launcher* object) { delete object; }
};

/// Of more streams the memory of the one that was used longest ago is given up.
constexpr std::size_t most_streams = 64;

/// What a library calls its default stream, which no graph is captured from.
inline void* const default_stream = reinterpret_cast<void*>(std::uintptr_t{1});

/// False with an exception. On the host it is over when this returns, and Python's lock was free
/// meanwhile; on a GPU it is queued sooner than the lock is given away and taken back.
[[nodiscard]] bool launch(Launcher& launcher, const redtune_array* array, void* in, void* out,
                          void* stream);

/// Segments of an array of so many elements.
struct SegmentsLaunch {
  void* in;
  std::int64_t elements;
  redtune_segments segments;
  void* out;
};
[[nodiscard]] bool launch(Launcher& launcher, const SegmentsLaunch& one, void* stream);

}  // namespace redtune::python
