// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The seam between redtune and hardware: one device, and what can be done with it.
// Implemented by device/host and, for every vendor's GPUs, by device/gpu.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "redtune/device_identity.hpp"
#include "redtune/error.hpp"
#include "redtune/limits.hpp"

namespace redtune::device {

using redtune::Limits;

/// What a device is and what it can do: known before it is opened.
struct Facts {
  DeviceIdentity identity;
  Limits limits;
};

/// The arguments of a kernel, each at most 8 bytes, held by value so that launches can be stored.
class Arguments {
 public:
  // Not = default, by which {} zeroes all slots: that would be a good part of what a launch costs.
  Arguments() {}
  /// Adds an argument; the bytes behind it are zero, so a 64-bit value also serves a 32-bit
  /// argument on little-endian machines. At most capacity arguments.
  template <class T>
  requires(std::is_trivially_copyable_v<T> && sizeof(T) <= 8) void append(const T& value) {
    assert(size_ < capacity);
    std::uint64_t slot = 0;
    std::memcpy(&slot, &value, sizeof(T));
    slots_[size_++] = slot;
  }
  /// Instead of what it holds size arguments, at most capacity, with all 8 bytes from slot_of(i).
  template <class SlotOf>
  void assign(std::size_t size, const SlotOf& slot_of) {
    assert(size <= capacity);
    for (std::size_t i = 0; i < size; ++i) slots_[i] = slot_of(i);
    size_ = size;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Address of argument i; valid while this object lives.
  [[nodiscard]] void* operator[](std::size_t i) const {
    return const_cast<std::uint64_t*>(&slots_[i]);
  }

  static constexpr std::size_t capacity = 14;

  /// Of every argument, as drivers take them; null past the last. Valid while this object lives.
  [[nodiscard]] std::array<void*, capacity> addresses() const {
    std::array<void*, capacity> all{};
    for (std::size_t i = 0; i < size_; ++i) all[i] = (*this)[i];
    return all;
  }

 private:
  std::array<std::uint64_t, capacity> slots_;  // those from size_ on are of no value
  std::size_t size_ = 0;
};

/// A kernel of a loaded module; valid while the module lives.
struct Kernel {
  void* handle = nullptr;
};

/// When a kernel may start. early: where the device can, before the work queued ahead of it has
/// ended; its text waits for that itself before it touches memory (wait_for_previous() in the
/// kernels' prelude), and the way to the first load is hidden. early_outside_graphs: so where the
/// launch is queued, and after the work ahead where it is captured into a graph.
enum class Start { after_previous, early, early_outside_graphs };

/// How far a launch goes beyond one line of threads in one line of blocks. redtune's own kernels do
/// not.
struct Depth {
  int grid_y = 1;
  int grid_z = 1;
  int block_y = 1;
  int block_z = 1;
  int shared_bytes = 0;  ///< dynamic shared memory per block

  /// All blocks and threads, where each line is so long.
  [[nodiscard]] std::int64_t blocks(std::int64_t line) const { return line * grid_y * grid_z; }
  [[nodiscard]] std::int64_t threads(int line) const {
    return std::int64_t{line} * block_y * block_z;
  }
  /// Whether the device may be asked for it.
  [[nodiscard]] bool is_possible() const {
    constexpr int most = 65535;
    return grid_y >= 1 && grid_y <= most && grid_z >= 1 && grid_z <= most && block_y >= 1 &&
           block_y <= most && block_z >= 1 && block_z <= most && shared_bytes >= 0;
  }
};

struct Launch {
  Kernel kernel;
  std::int64_t grid = 1;  ///< blocks along x
  int block = 1;          ///< threads per block along x
  Arguments arguments;
  Start start = Start::after_previous;
  Depth depth = {};
};

/// A queue of the device; the default-constructed one is the device's own. On a GPU 1 is the
/// platform's default stream, which libraries for arrays use.
struct Stream {
  void* handle = nullptr;
};

/// A variable of a loaded module, in the device's memory; valid while the module lives.
struct Variable {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// A loaded binary. Unloads when destroyed.
class Module {
 public:
  virtual ~Module() = default;
  /// Throws DeviceError when the binary holds no such symbol.
  [[nodiscard]] virtual Kernel kernel(const std::string& symbol) const = 0;
  /// A variable that kernels read, such as one in constant memory. Throws like kernel().
  [[nodiscard]] virtual Variable variable(const std::string& symbol) const {
    throw DeviceError("this device has no variable '" + symbol + "'");
  }
  /// Lets launches of one of its kernels have all the dynamic shared memory that a block can have
  /// beside the kernel's own (Limits). Without it some devices give 48 KiB. Throws DeviceError.
  virtual void allow_shared(const Kernel&) const {}
};

class Device;

/// Device memory with one owner.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device& device, void* data, std::size_t bytes)
      : device_(&device), data_(data), bytes_(bytes) {}
  Buffer(Buffer&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Buffer();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  Device* device_ = nullptr;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The duration of one timed batch of launches, on two clocks.
struct BatchTime {
  double device_us =
      0;               ///< by the device's own events; may be implausible, see the caller's checks
  double host_us = 0;  ///< by the host's steady clock, from before the first launch to completion
};

/// Launches made ready to run as one, again and again. On GPUs a graph: what is timed then is the
/// device alone, not how fast the host can queue. Valid while its device lives.
class Batch {
 public:
  virtual ~Batch() = default;
  /// Runs the launches once, in order, on the device's own stream. Throws DeviceError.
  [[nodiscard]] virtual BatchTime time() = 0;
};

/// How a prepared batch runs. queued: as if by time(), preparing costs and saves nothing.
enum class Batching { queued, graph };

/// Copies and fills are complete when they return. Threads may launch, synchronize, copy, and take
/// and give back memory at the same time; the rest is for one thread at a time.
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceIdentity& identity() const = 0;
  [[nodiscard]] virtual const Limits& limits() const = 0;
  /// Bytes that can be allocated now, as far as the platform tells.
  [[nodiscard]] virtual std::size_t free_memory() const = 0;

  /// At least 256-byte aligned, contents undefined. Throws OutOfMemory. 0 bytes give a valid
  /// buffer.
  [[nodiscard]] virtual Buffer allocate(std::size_t bytes) = 0;
  virtual void copy_to_device(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
  /// From one place of the device's memory to another, which it does not overlap.
  virtual void copy_within(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill(void* to, std::byte value, std::size_t bytes) = 0;
  /// Zeros, behind what is on the stream and before what comes: not waited for, and where the
  /// stream is captured a part of the graph. Throws DeviceError.
  virtual void clear(void* to, std::size_t bytes, Stream) { fill(to, std::byte{0}, bytes); }

  /// Throws DeviceError when the binary is not for this device.
  [[nodiscard]] virtual std::unique_ptr<Module> load(std::span<const std::byte> binary) = 0;

  /// Enqueues launches in order. Throws DeviceError when the device refuses one.
  virtual void launch(std::span<const Launch> launches, Stream stream) = 0;
  /// Waits for everything on the stream. Throws DeviceError for faults of earlier launches.
  virtual void synchronize(Stream stream) = 0;
  /// Whether somebody captures the stream into a graph: what is queued on it does not run, and must
  /// not be waited for.
  [[nodiscard]] virtual bool is_capturing(Stream) { return false; }
  /// Another queue, for work beside that of the device's own; the own one where launches are over
  /// when they return. Throws DeviceError.
  [[nodiscard]] virtual Stream second_stream() { return {}; }
  /// Whether every kernel is known to start later once a process has queued some on two streams.
  [[nodiscard]] virtual bool two_streams_delay_starts() const { return false; }
  /// Runs the launches once, in order, on the device's own stream and times them as one batch;
  /// each is queued by the host, as an application would, and its time is part of the batch's.
  [[nodiscard]] virtual BatchTime time(std::span<const Launch> launches) = 0;
  [[nodiscard]] virtual Batching batching() const = 0;
  /// A batch without the host's share, where batching() is graph. Throws DeviceError when the
  /// device refuses a launch.
  [[nodiscard]] virtual std::unique_ptr<Batch> prepare(std::span<const Launch> launches) = 0;

 protected:
  friend class Buffer;
  virtual void release(void* data, std::size_t bytes) noexcept = 0;
};

inline Buffer::~Buffer() {
  if (data_ != nullptr) device_->release(data_, bytes_);
}

}  // namespace redtune::device
