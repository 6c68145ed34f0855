// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A GPU vendor whose calls do nothing and succeed: what is left of a launch is redtune's own share.
#pragma once

#include <cstdlib>
#include <string>

#include "device/gpu/api.hpp"

namespace redtune::bench {

struct NullApi {
  using Status = int;
  using Context = int;
  using Module = int;
  using Function = void*;
  using Stream = void*;
  using Event = int;
  using Graph = int;
  using Executable = int;

  static constexpr Status success = 0;
  static std::string name_of(Status) { return "nothing"; }
  static std::string description_of(Status) { return {}; }
  static bool is_out_of_memory(Status) { return false; }
  static bool is_lost(Status) { return false; }

  /// A call that the compiler cannot see into, as the driver's.
  [[gnu::noinline]] static Status launch(Function function, device::gpu::Shape shape, Stream stream,
                                         void** arguments) {
    asm volatile(""
                 :
                 : "r"(function), "r"(shape.blocks), "r"(shape.threads), "r"(stream), "r"(arguments)
                 : "memory");
    return success;
  }

  static Status device_count(...) { return success; }
  static Status open_context(...) { return success; }
  static Status close_context(...) { return success; }
  static Status current_context(...) { return success; }
  static Status make_current(...) { return success; }
  static Stream stream_of(void* handle) { return handle; }
  static bool stream_names_context(Stream) { return true; }
  static constexpr bool two_streams_delay_starts = false;
  static Status memory_info(...) { return success; }
  static Status allocate(...) { return success; }
  static Status free(...) { return success; }
  static Status copy_to_device(...) { return success; }
  static Status copy_to_host(...) { return success; }
  static Status copy_within(...) { return success; }
  static Status fill(...) { return success; }
  static Status load_module(...) { return success; }
  static Status unload_module(...) { return success; }
  static Status find_function(...) { return success; }
  static Status find_variable(...) { return success; }
  /// REDTUNE_NULL_NO_SHARED: not here.
  static Status allow_shared(...) {
    return std::getenv("REDTUNE_NULL_NO_SHARED") != nullptr ? 1 : success;
  }
  static Status create_stream(...) { return success; }
  static Status destroy_stream(...) { return success; }
  static Status synchronize_stream(...) { return success; }
  static Status create_event(...) { return success; }
  static Status destroy_event(...) { return success; }
  static Status record_event(...) { return success; }
  static Status synchronize_event(...) { return success; }
  static Status elapsed_ms(...) { return success; }
  static Status begin_capture(...) { return success; }
  static bool is_capturing(...) { return false; }
  static Status end_capture(...) { return success; }
  static Status instantiate(...) { return success; }
  static Status launch_graph(...) { return success; }
  static Status destroy_graph(...) { return success; }
  static Status destroy_executable(...) { return success; }
};

static_assert(device::gpu::Api<NullApi>);

}  // namespace redtune::bench
