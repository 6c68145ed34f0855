// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/host_device.hpp"

#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <link.h>
#include <map>
#include <numeric>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>

#include "device/host/guarded_memory.hpp"
#include "device/host/host_identity.hpp"
#include "redtune/error.hpp"

namespace redtune::device::host {
namespace {

/// Whether all of an object is there; its section headers stand last. Running a part of one would
/// end the process with SIGBUS.
bool is_whole_object(std::span<const std::byte> binary) {
  ElfW(Ehdr) header;
  if (binary.size() < sizeof(header)) return false;
  std::memcpy(&header, binary.data(), sizeof(header));
  const std::size_t sections = std::size_t{header.e_shnum} * header.e_shentsize;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_shoff <= binary.size() &&
         sections <= binary.size() - header.e_shoff;
}

/// A shared object loaded from memory.
class SharedObject final : public Module {
 public:
  explicit SharedObject(std::span<const std::byte> binary) {
    if (!is_whole_object(binary)) throw DeviceError("this is not a complete binary for the host");
    file_ = memfd_create("redtune-kernels", MFD_CLOEXEC);
    if (file_ < 0) throw DeviceError("cannot keep a compiled kernel in memory");
    try {
      write_all(binary);
      open();
    } catch (...) {
      close(file_);
      throw;
    }
  }
  ~SharedObject() override {
    dlclose(handle_);
    close(file_);
  }
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  [[nodiscard]] Kernel kernel(const std::string& symbol) const override {
    void* address = dlsym(handle_, symbol.c_str());
    if (address == nullptr) throw DeviceError(fmt::format("the binary has no kernel '{}'", symbol));
    return {address};
  }
  [[nodiscard]] Variable variable(const std::string& symbol) const override {
    void* const address = dlsym(handle_, symbol.c_str());
    Dl_info around{};
    void* details = nullptr;
    if (address == nullptr || dladdr1(address, &around, &details, RTLD_DL_SYMENT) == 0 ||
        details == nullptr) {
      throw DeviceError(fmt::format("the binary has no variable '{}'", symbol));
    }
    return {address, static_cast<const ElfW(Sym)*>(details)->st_size};
  }

 private:
  void write_all(std::span<const std::byte> binary) const {
    while (!binary.empty()) {
      const ssize_t written = write(file_, binary.data(), binary.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw OutOfMemory("no memory to keep a compiled kernel in");
      binary = binary.subspan(static_cast<std::size_t>(written));
    }
  }
  void open() {
    handle_ = dlopen(fmt::format("/proc/self/fd/{}", file_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      throw DeviceError(fmt::format("the host cannot load this binary: {}", dlerror()));
    }
    using Bind = void (*)(const redtune_host_services*);
    const auto bind = reinterpret_cast<Bind>(dlsym(handle_, bind_symbol));
    if (bind == nullptr) {
      dlclose(handle_);
      throw DeviceError("the binary was not made by redtune's host compiler");
    }
    bind(&BlockRunner::services());
  }

  // Stays open while the object is loaded: dlopen takes an object of the same path for the same
  // object, and a closed file's number is given to the next.
  int file_ = -1;
  void* handle_ = nullptr;
};

/// Counts a block as ended, however it ends.
struct Ending {
  BlockWaits& waits;
  ~Ending() { waits.block_ended(); }
};

/// The host has nothing between two launches to save.
class HostBatch final : public Batch {
 public:
  HostBatch(HostDevice& device, std::span<const Launch> launches)
      : device_(device), launches_(launches.begin(), launches.end()) {}

  [[nodiscard]] BatchTime time() override { return device_.time(launches_); }

 private:
  HostDevice& device_;
  std::vector<Launch> launches_;
};

/// Of this process, as long as a device has them. A child of a fork begins with none: it has no
/// threads of its parent's.
class SharedProcessors {
 public:
  [[nodiscard]] static SharedProcessors& get() {
    static SharedProcessors all;
    return all;
  }

  [[nodiscard]] std::shared_ptr<HostProcessors> of(const HostOptions& options, int threads) {
    // One in random order has numbers of its own, from the seed on.
    if (options.order == LaneOrder::random) {
      return std::make_shared<HostProcessors>(options, threads);
    }
    const std::lock_guard lock(mutex_);
    auto& known = known_[{options.wave_size, options.order, options.seed, threads}];
    auto processors = known.lock();
    if (processors == nullptr) {
      processors = std::make_shared<HostProcessors>(options, threads);
      known = processors;
    }
    return processors;
  }

 private:
  SharedProcessors() {
    pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); },
                   [] {
                     get().known_.clear();
                     get().mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  std::map<std::tuple<int, LaneOrder, std::uint64_t, int>, std::weak_ptr<HostProcessors>> known_;
};

}  // namespace

HostProcessors::HostProcessors(const HostOptions& options, int threads) : pool(threads) {
  for (int i = 0; i < pool.threads(); ++i) {
    HostOptions own = options;
    own.seed += static_cast<std::uint64_t>(i);
    runners.push_back(std::make_unique<BlockRunner>(own));
  }
}

HostDevice::HostDevice(const HostOptions& options, const std::string& compiler_version)
    : options_(options),
      identity_(host_identity(options, compiler_version)),
      limits_(host_limits(options)),
      processors_(SharedProcessors::get().of(options, limits_.compute_units)) {}

std::size_t HostDevice::free_memory() const {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::size_t kilobytes = 0;
    file >> kilobytes;
    if (key == "MemAvailable:") return kilobytes * 1024;
    file.ignore(64, '\n');
  }
  return static_cast<std::size_t>(identity_.device_class.memory_bytes);
}

Buffer HostDevice::allocate(std::size_t bytes) {
  // mmap promises more than there is; the kill would come later and hit the whole process.
  if (bytes > (std::size_t{64} << 20) && bytes > free_memory()) {
    throw OutOfMemory(
        fmt::format("{} MiB asked, {} MiB free on the host", bytes >> 20, free_memory() >> 20));
  }
  return Buffer(*this, allocate_guarded(bytes), bytes);
}

void HostDevice::release(void* data, std::size_t bytes) noexcept {
  release_guarded(data, bytes);
}

void HostDevice::copy_to_device(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void HostDevice::copy_to_host(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void HostDevice::copy_within(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void HostDevice::fill(void* to, std::byte value, std::size_t bytes) {
  if (bytes > 0) std::memset(to, static_cast<int>(value), bytes);
}

std::unique_ptr<Module> HostDevice::load(std::span<const std::byte> binary) {
  return std::make_unique<SharedObject>(binary);
}

void HostDevice::launch(std::span<const Launch> launches, Stream) {
  const std::lock_guard lock(processors_->running);
  for (const Launch& one : launches) run(one);
}

void HostDevice::synchronize(Stream) {}

BatchTime HostDevice::time(std::span<const Launch> launches) {
  using Clock = std::chrono::steady_clock;
  const std::lock_guard lock(processors_->running);
  const auto begin = Clock::now();
  for (const Launch& one : launches) run(one);
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  return {.device_us = us, .host_us = us};
}

std::unique_ptr<Batch> HostDevice::prepare(std::span<const Launch> launches) {
  return std::make_unique<HostBatch>(*this, launches);
}

void HostDevice::run(const Launch& launch) {
  const Depth& depth = launch.depth;
  if (launch.grid < 1 || launch.block < 1 || !depth.is_possible() ||
      depth.blocks(launch.grid) > limits_.max_grid ||
      depth.threads(launch.block) > limits_.max_block_size) {
    throw DeviceError(fmt::format("the host cannot launch {} blocks of {} threads",
                                  depth.blocks(launch.grid), depth.threads(launch.block)));
  }
  auto arguments = launch.arguments.addresses();
  const GridJob job{reinterpret_cast<KernelEntry>(launch.kernel.handle),
                    arguments.data(),
                    depth.blocks(launch.grid),
                    static_cast<int>(depth.threads(launch.block)),
                    {launch.block, depth.block_y, depth.block_z, static_cast<int>(launch.grid),
                     depth.grid_y, depth.grid_z},
                    depth.shared_bytes,
                    &processors_->waits};
  processors_->waits.begin(job.grid, processors_->pool.threads());
  // Two captures: what a std::function holds without the heap.
  processors_->pool.for_each(job.grid, [this, &job](int thread, std::int64_t turn) {
    const Ending ending{processors_->waits};
    processors_->runners[static_cast<std::size_t>(thread)]->run(job, block_at(turn, job.grid));
  });
  if (processors_->waits.is_lost()) throw DeviceError(processors_->waits.why_lost());
}

/// The last block of a grid has the last turn in every order, as on GPUs, which start blocks in the
/// order of their indices: it may wait for all others, which have begun by then and wait for
/// nobody.
std::int64_t HostDevice::block_at(std::int64_t turn, std::int64_t grid) const {
  const std::int64_t others = grid - 1;
  if (options_.order == LaneOrder::forward || turn == others) return turn;
  if (options_.order == LaneOrder::reverse) return others - 1 - turn;
  // An affine walk visits every block once when the step has no common factor with their number.
  auto step = static_cast<std::int64_t>(options_.seed % 1009) + 1;
  while (std::gcd(step, others) != 1) ++step;
  return (turn * step + static_cast<std::int64_t>(options_.seed % 4096)) % others;
}

}  // namespace redtune::device::host
