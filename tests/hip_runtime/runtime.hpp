// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The devices of this process, chosen by REDTUNE_TEST_HIP, and what was made on them.
#pragma once

#include <hip/hip_runtime_api.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/host/host_device.hpp"
#include "fictional_devices.hpp"
#include "handles.hpp"
#include "stream.hpp"

namespace redtune::testing::hip {

/// A fictional device, at work on the processors of this machine.
class RunningDevice {
 public:
  explicit RunningDevice(const FictionalDevice& facts) : facts_(facts) {}

  [[nodiscard]] const FictionalDevice& facts() const { return facts_; }
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::unique_ptr<device::Module> load(std::span<const std::byte> object);
  /// One launch at a time; a kernel that cannot end makes all calls fail from then on.
  void run(const device::Launch& launch);

 private:
  [[nodiscard]] device::host::HostDevice& machine();

  const FictionalDevice& facts_;
  std::mutex mutex_;
  std::unique_ptr<device::host::HostDevice> machine_;
};

struct Event {
  /// When the stream came to it. A GPU does not wait for a turn on the processor: on a stream that
  /// has nothing to do it is the time of the call, and for a thread that waits the time of its
  /// awakening. So the device's time is near the host's however busy the machine is.
  struct Moment {
    std::chrono::steady_clock::time_point time;
    bool is_known = false;  ///< before the stream comes to it
    Done done;
  };
  std::mutex mutex;
  std::shared_ptr<Moment> moment;  ///< null: never recorded
};

struct Graph {
  std::vector<Work> works;
};

/// Of a kernel, as its code object describes it.
struct Function {
  int device = 0;
  device::Kernel kernel;
  struct Parameter {
    std::size_t bytes = 0;
    std::size_t offset = 0;  ///< in a buffer of packed arguments
  };
  std::vector<Parameter> parameters;
};

struct LoadedModule {
  int device = 0;
  std::unique_ptr<device::Module> object;
  std::map<std::string, std::shared_ptr<Function>> functions;
  std::vector<std::byte*> variables;  // that were asked for; with the memory's mutex held
};

struct Allocation {
  std::size_t bytes = 0;
  int device = 0;
  bool is_variable = false;  ///< of a module, and given back with it
};

/// Never destroyed: programs give back what they hold until their very end.
struct Runtime {
  std::vector<std::unique_ptr<RunningDevice>> devices;
  std::vector<std::unique_ptr<Stream>> default_streams;  ///< of each device, null until used
  Handles<Stream> streams;
  Handles<Event> events;
  Handles<Graph> graphs;
  Handles<Graph> executables;
  Handles<LoadedModule> modules;
  Handles<Function> functions;
  std::mutex memory_mutex;
  std::map<std::byte*, Allocation> memory;
  std::mutex order_mutex;  ///< held while work is queued in the legacy order of streams
};

[[nodiscard]] Runtime& runtime();
[[nodiscard]] int& current_device();

/// Null: no stream.
[[nodiscard]] Stream* find_stream(hipStream_t handle, std::shared_ptr<Stream>& keep);

/// Queues it behind what came before it: the default stream waits for all others, and all others
/// for it. While the stream is captured the work is kept. An error when it cannot be.
[[nodiscard]] hipError_t queue_on(hipStream_t handle, Work work);
/// Waits for everything on the device.
void finish(int device);
/// Whether this thread captures: what cannot be captured is refused, and breaks the capture.
[[nodiscard]] hipError_t refuse_while_capturing();

}  // namespace redtune::testing::hip
