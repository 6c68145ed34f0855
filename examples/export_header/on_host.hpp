// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A processor as redtune's kernels expect a GPU: the threads of a block take turns as fibers, and
// meet at barriers. Simple, not fast. A build for a GPU needs nothing of this.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

class Machine {
 public:
  Machine(int compute_units, int wave_size) : units_(compute_units), wave_size_(wave_size) {}

  int compute_units() const { return units_; }

  template <class T>
  T* copy_of(const std::vector<T>& values) {
    T* copy = zeros<T>(static_cast<long long>(values.size()));
    std::ranges::copy(values, copy);
    return copy;
  }
  template <class T>
  T* zeros(long long count) {
    const auto bytes = (static_cast<std::size_t>(count) * sizeof(T) + 255) / 256 * 256;
    void* memory = std::aligned_alloc(256, std::max<std::size_t>(bytes, 256));
    std::memset(memory, 0, bytes);
    memory_.emplace_back(memory, &std::free);
    return static_cast<T*>(memory);
  }
  template <class T>
  T value_of(const T* place) const {
    return *place;
  }

  /// Runs a kernel to its end, block after block.
  auto launcher() {
    return [this](auto kernel, long long grid, int block, auto... arguments) {
      grid_ = static_cast<int>(grid);
      for (block_ = 0; block_ < grid_; ++block_) {
        run_block(block, [&] { kernel(arguments...); });
      }
    };
  }

  static Machine*& running() {
    static Machine* machine = nullptr;
    return machine;
  }
  int lane() const { return lane_; }
  int block() const { return block_; }
  int grid() const { return grid_; }
  void barrier() { meet(whole_block_, static_cast<int>(lanes_.size())); }

  /// Every lane of the wave shows a value, and takes that of the lane so far away; beyond the wave
  /// its own.
  void exchange(const void* mine, void* theirs, int bytes, int distance) {
    const int first = lane_ / wave_size_ * wave_size_;
    const int end = std::min(first + wave_size_, static_cast<int>(lanes_.size()));
    const int other = lane_ + distance;
    auto& wave = waves_[static_cast<std::size_t>(lane_ / wave_size_)];
    shown_[static_cast<std::size_t>(lane_)] = mine;
    meet(wave, end - first);
    const bool is_inside = first <= other && other < end;
    const void* from = is_inside ? shown_[static_cast<std::size_t>(other)] : mine;
    std::vector<char> taken(static_cast<std::size_t>(bytes));
    std::memcpy(taken.data(), from, taken.size());
    meet(wave, end - first);
    std::memcpy(theirs, taken.data(), taken.size());
  }

 private:
  struct Lane {
    ucontext_t context{};
    std::vector<char> stack = std::vector<char>(256 * 1024);
    bool is_done = false;
  };
  /// Where lanes wait for each other.
  struct Meeting {
    int arrived = 0;
    unsigned turn = 0;
  };

  void meet(Meeting& meeting, int lanes) {
    if (++meeting.arrived == lanes) {
      meeting.arrived = 0;
      ++meeting.turn;
      return;
    }
    for (const unsigned turn = meeting.turn; meeting.turn == turn;) {
      swapcontext(&lanes_[static_cast<std::size_t>(lane_)].context, &scheduler_);
    }
  }

  static void run_lane() {
    Machine& machine = *running();
    machine.kernel_();
    machine.lanes_[static_cast<std::size_t>(machine.lane_)].is_done = true;
  }

  void run_block(int size, const std::function<void()>& kernel) {
    running() = this;
    kernel_ = kernel;
    lanes_ = std::vector<Lane>(static_cast<std::size_t>(size));
    shown_.assign(lanes_.size(), nullptr);
    waves_.assign(lanes_.size(), {});
    whole_block_ = {};
    for (Lane& lane : lanes_) {
      getcontext(&lane.context);
      lane.context.uc_stack.ss_sp = lane.stack.data();
      lane.context.uc_stack.ss_size = lane.stack.size();
      lane.context.uc_link = &scheduler_;
      makecontext(&lane.context, &Machine::run_lane, 0);
    }
    for (bool is_any_left = true; is_any_left;) {
      is_any_left = false;
      for (lane_ = 0; lane_ < size; ++lane_) {
        Lane& lane = lanes_[static_cast<std::size_t>(lane_)];
        if (lane.is_done) continue;
        swapcontext(&scheduler_, &lane.context);
        is_any_left = true;
      }
    }
  }

  int units_;
  int wave_size_;
  int lane_ = 0;
  int block_ = 0;
  int grid_ = 0;
  ucontext_t scheduler_{};
  std::function<void()> kernel_;
  std::vector<Lane> lanes_;
  std::vector<const void*> shown_;
  std::vector<Meeting> waves_;
  Meeting whole_block_;
  std::vector<std::unique_ptr<void, decltype(&std::free)>> memory_;
};

// What the kernel text asks of the machine that runs it.
inline int redtune_host_thread() {
  return Machine::running()->lane();
}
inline int redtune_host_block() {
  return Machine::running()->block();
}
inline int redtune_host_grid() {
  return Machine::running()->grid();
}
inline void redtune_host_barrier() {
  Machine::running()->barrier();
}
inline void redtune_host_exchange(const void* mine, void* theirs, int bytes, int distance) {
  Machine::running()->exchange(mine, theirs, bytes, distance);
}
/// Blocks run one after another: nobody is waited for.
inline void redtune_host_pause() {}
