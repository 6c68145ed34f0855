// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs one block of a kernel on the calling thread: its lanes are fibers, so that barriers and
// shuffles mean what they mean on a GPU. One runner per operating-system thread.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "device/host/block_waits.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/services.hpp"

namespace redtune::device::host {

/// One launch as every block sees it.
struct GridJob {
  KernelEntry entry = nullptr;
  void* const* arguments = nullptr;
  std::int64_t grid = 1;                         ///< all blocks
  int block_size = 1;                            ///< all threads of one
  std::array<int, 6> extents{1, 1, 1, 1, 1, 1};  ///< of a block and of the grid, by x, y and z
  int shared_bytes = 0;
  BlockWaits* waits = nullptr;  ///< of all blocks
};

class BlockRunner {
 public:
  explicit BlockRunner(const HostOptions& options);
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Throws DeviceError when lanes wait for lanes that never come. Where lanes wait for what no
  /// block stores, the job's waits are told, and where these are lost already nothing is run.
  void run(const GridJob& job, std::int64_t block);

  /// The memory that a block's threads share, as long as its job says.
  void provide_shared(int bytes);

  /// The services that kernels of every runner use.
  [[nodiscard]] static const redtune_host_services& services();

 private:
  enum class State { ready, at_barrier, at_exchange, looking, done };
  struct Exchange {
    const void* mine = nullptr;
    void* theirs = nullptr;
    int bytes = 0;
    int distance = 0;
  };
  struct Lane {
    boost::context::fiber fiber;  // once it waits
    bool has_begun = false;
    State state = State::ready;
    Exchange request;
  };
  struct StackSlot;  // hands a lane's part of stacks_ to a fiber

  void start_lanes(const GridJob& job);
  [[nodiscard]] boost::context::fiber make_fiber();
  void end_lane();
  [[nodiscard]] bool begin_next_lane();
  void run_lanes();
  [[nodiscard]] bool resume_ready_lanes();
  void resume(int lane);
  void keep(boost::context::fiber&& left);
  void wait();
  [[nodiscard]] Lane& lane_in_turn();
  void barrier();
  void exchange(const Exchange& request);
  void complete_exchange(int wave);
  [[nodiscard]] int lanes_in(int wave) const;
  void pause();
  [[nodiscard]] bool looks_in_vain();
  void look_again();
  [[nodiscard]] std::int64_t lanes_in(State state) const;
  [[nodiscard]] std::string described_hang() const;

  HostOptions options_;
  std::byte* stacks_ = nullptr;  // of all lanes, each above a guard page
  std::byte* shared_ = nullptr;  // dynamic, between guard pages
  int shared_bytes_ = 0;
  std::vector<Lane> lanes_;
  const GridJob* job_ = nullptr;
  std::vector<int> turns_;            // lane indices in the order of their turns
  std::size_t turn_ = 0;              // whose it is
  std::vector<int> waiting_in_wave_;  // lanes at an exchange, per wave
  int waiting_at_barrier_ = 0;
  int live_ = 0;
  static constexpr int scheduler = -1;
  int left_ = scheduler;  // the lane that was left last, or the scheduler
  boost::context::fiber scheduler_;
  std::mt19937_64 random_;

  // Position of the lane that runs now.
  int thread_ = 0;
  int block_ = 0;
  int grid_ = 1;
  int block_size_ = 1;
  std::uint64_t moves_ = 0;         // of lanes that came to a barrier, to a shuffle or to their end
  std::uint64_t moves_before_ = 0;  // the last look
  BlockWaits::Look look_;

  friend struct Current;
};

}  // namespace redtune::device::host
