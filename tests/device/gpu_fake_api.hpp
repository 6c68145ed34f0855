// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A GPU vendor in memory: records every call, can fail the n-th, knows what was not given back.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/gpu/device.hpp"

namespace redtune::device::gpu::testing {

enum class FakeStatus { ok, out_of_memory, broken, no_device, lost };

struct Launched {
  int function = 0;
  Shape shape;
  int stream = 0;
  std::vector<std::uint64_t> slots;  ///< first 3 arguments
};

/// The state behind FakeApi; a test starts with a fresh one.
struct World {
  std::vector<std::string> calls;
  std::vector<Launched> launches;              ///< that were taken
  std::map<std::string, FakeStatus> failures;  ///< what a call answers instead of ok
  std::set<void*> memory;
  std::map<int, std::string> live;  ///< ids of contexts, streams, events and modules
  std::vector<int> called_in;       ///< the context that was current, beside calls
  int current = -1;
  int context_calls = 0;             ///< that asked which context is current, or changed it
  std::optional<int> launches_in{};  ///< the context in which launches are taken; none: any
  int taken_elsewhere = 0;           ///< the next so many are taken all the same
  int next_id = 100;
  int devices = 2;
  float elapsed = 2.5F;  ///< milliseconds between any two events
  const void* image = nullptr;
  bool captures = false;            ///< a stream is being captured
  const void* filled_on = nullptr;  ///< the stream of the last fill
};

inline World world;

struct FakeApi {
  struct Handle {
    int id;
  };
  using Status = FakeStatus;
  using Context = int;
  using Module = int;
  using Function = void*;
  using Stream = void*;
  using Event = int;
  using Graph = int;
  using Executable = int;

  static constexpr Status success = FakeStatus::ok;
  static std::string name_of(Status status) {
    return status == FakeStatus::out_of_memory ? "FAKE_OUT_OF_MEMORY" : "FAKE_BROKEN";
  }
  static std::string description_of(Status) { return "it is only a test"; }
  static bool is_out_of_memory(Status status) { return status == FakeStatus::out_of_memory; }
  static bool is_lost(Status status) { return status == FakeStatus::lost; }

  static Status device_count(int* count) {
    *count = world.devices;
    return did("device_count");
  }
  static Status open_context(Context* context, int ordinal) {
    *context = 1000 + ordinal;
    return made(*context, "context", did("open_context"));
  }
  static Status close_context(Context context, int) {
    return gone(context, "context", did("close_context"));
  }
  static Status current_context(Context* context) {
    ++world.context_calls;
    *context = world.current;
    return FakeStatus::ok;
  }
  static Status make_current(Context context) {
    ++world.context_calls;
    world.current = context;
    return FakeStatus::ok;
  }
  static Stream stream_of(void* handle) { return handle; }
  /// As CUDA's, whose default streams are numbers up to 2.
  static bool stream_names_context(Stream stream) { return id_of(stream) > 2; }
  static constexpr bool two_streams_delay_starts = false;
  static Status memory_info(std::size_t* free, std::size_t* total) {
    *free = 1 << 20;
    *total = 2 << 20;
    return did("memory_info");
  }
  static Status allocate(void** data, std::size_t bytes) {
    const Status status = did("allocate");
    if (status != FakeStatus::ok) return status;
    if (bytes == 0) return FakeStatus::broken;
    *data = ::operator new(bytes);
    world.memory.insert(*data);
    return status;
  }
  static Status free(void* data) {
    if (world.memory.erase(data) == 0) ADD_FAILURE() << "freed what was not allocated";
    ::operator delete(data);
    return did("free");
  }
  static Status copy_to_device(void* to, const void* from, std::size_t bytes, Stream) {
    std::memcpy(to, from, bytes);
    return did("copy_to_device");
  }
  static Status copy_to_host(void* to, const void* from, std::size_t bytes, Stream) {
    std::memcpy(to, from, bytes);
    return did("copy_to_host");
  }
  static Status copy_within(void* to, const void* from, std::size_t bytes, Stream) {
    std::memcpy(to, from, bytes);
    return did("copy_within");
  }
  static Status fill(void* to, std::byte value, std::size_t bytes, Stream stream) {
    std::memset(to, std::to_integer<int>(value), bytes);
    world.filled_on = stream;
    return did("fill");
  }
  static Status load_module(Module* module, const void* image) {
    world.image = image;
    *module = ++world.next_id;
    return made(*module, "module", did("load_module"));
  }
  static Status unload_module(Module module) {
    return gone(module, "module", did("unload_module"));
  }
  static Status find_function(Function* function, Module, const char* symbol) {
    static std::array<Handle, 2> kernels{{{7}, {8}}};
    *function = &kernels[std::string_view(symbol) == "second" ? 1 : 0];
    return did("find_function");
  }
  static Status find_variable(void** data, std::size_t* bytes, Module, const char*) {
    static std::array<std::byte, 16> variable{};
    *data = variable.data();
    *bytes = variable.size();
    return did("find_variable");
  }
  static Status allow_shared(Function function, int bytes) {
    return did("allow_shared " + std::to_string(static_cast<Handle*>(function)->id) + " " +
               std::to_string(bytes));
  }
  static Status launch(Function function, Shape shape, Stream stream, void** arguments) {
    Launched launched{static_cast<Handle*>(function)->id, shape, id_of(stream), {}};
    for (int i = 0; i < 3 && arguments[i] != nullptr; ++i) {
      launched.slots.push_back(*static_cast<std::uint64_t*>(arguments[i]));
    }
    const Status status = did("launch");
    if (status != FakeStatus::ok) return status;
    const bool elsewhere = world.current != world.launches_in.value_or(world.current);
    if (elsewhere && world.taken_elsewhere-- <= 0) return FakeStatus::broken;
    world.launches.push_back(launched);
    return status;
  }
  static Status create_stream(Stream* stream) {
    const int id = ++world.next_id;
    *stream = reinterpret_cast<void*>(static_cast<std::intptr_t>(id));
    return made(id, "stream", did("create_stream"));
  }
  static Status destroy_stream(Stream stream) {
    return gone(id_of(stream), "stream", did("destroy_stream"));
  }
  static Status synchronize_stream(Stream stream) {
    return did("synchronize_stream " + std::to_string(id_of(stream)));
  }
  static Status create_event(Event* event) {
    *event = ++world.next_id;
    return made(*event, "event", did("create_event"));
  }
  static Status destroy_event(Event event) { return gone(event, "event", did("destroy_event")); }
  static Status record_event(Event event, Stream) {
    return did("record_event " + std::to_string(event));
  }
  static Status synchronize_event(Event event) {
    return did("synchronize_event " + std::to_string(event));
  }
  static Status elapsed_ms(float* milliseconds, Event begin, Event end) {
    *milliseconds = world.elapsed;
    return did("elapsed_ms " + std::to_string(begin) + " " + std::to_string(end));
  }
  static Status begin_capture(Stream) {
    world.captures = true;
    return did("begin_capture");
  }
  static bool is_capturing(Stream) { return world.captures; }
  static Status end_capture(Graph* graph, Stream) {
    world.captures = false;
    *graph = ++world.next_id;
    return made(*graph, "graph", did("end_capture"));
  }
  static Status instantiate(Executable* executable, Graph) {
    *executable = ++world.next_id;
    return made(*executable, "executable", did("instantiate"));
  }
  static Status launch_graph(Executable, Stream) { return did("launch_graph"); }
  static Status destroy_graph(Graph graph) { return gone(graph, "graph", did("destroy_graph")); }
  static Status destroy_executable(Executable executable) {
    return gone(executable, "executable", did("destroy_executable"));
  }

  static int id_of(Stream stream) {
    return static_cast<int>(reinterpret_cast<std::intptr_t>(stream));
  }

 private:
  static Status did(const std::string& call) {
    world.calls.push_back(call);
    world.called_in.push_back(world.current);
    const auto failure = world.failures.find(call.substr(0, call.find(' ')));
    return failure == world.failures.end() ? FakeStatus::ok : failure->second;
  }
  static Status made(int id, const char* what, Status status) {
    if (status == FakeStatus::ok) world.live[id] = what;
    return status;
  }
  static Status gone(int id, const std::string& what, Status status) {
    const auto found = world.live.find(id);
    if (found == world.live.end() || found->second != what) {
      ADD_FAILURE() << "gave back a " << what << " that is not there";
    } else {
      world.live.erase(found);
    }
    return status;
  }
};

static_assert(Api<FakeApi>);

/// Starts every test in a fresh world and ends it with everything given back.
class FakeWorld : public ::testing::Test {
 protected:
  void SetUp() override { world = World{}; }
  void TearDown() override {
    EXPECT_TRUE(world.memory.empty());
    for (const auto& [id, what] : world.live) ADD_FAILURE() << "leaked " << what << " " << id;
  }
};

}  // namespace redtune::device::gpu::testing
