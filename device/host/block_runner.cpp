// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/block_runner.hpp"

#include <algorithm>
#include <boost/context/preallocated.hpp>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <sys/mman.h>
#include <thread>
#include <utility>

#include "device/host/guarded_memory.hpp"
#include "redtune/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace redtune::device::host {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t stack_bytes = 64 * 1024;
/// Tops of stacks that lie at the same place of their pages would share a few lines of the
/// first-level cache, which hold fewer lanes than a wave has: so they begin in turn at one of
/// these.
constexpr std::size_t top_step_bytes = 256;
constexpr std::size_t tops = 16;
constexpr std::size_t slot_bytes = stack_bytes + tops * top_step_bytes + guard_bytes;
constexpr int most_lanes = 1024;

thread_local BlockRunner* running = nullptr;

/// Ends a kernel without fibers that waits in vain.
struct WaitsInVain {};

/// The last frame of a fiber never returns, so what the address sanitizer marked for it stays: on
/// the next user of that memory it would look like a fault.
void forget_frames([[maybe_unused]] std::byte* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

std::byte* map_stacks() {
  void* memory = mmap(nullptr, slot_bytes * most_lanes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw OutOfMemory("no address space for the stacks of a block's lanes");
  auto* stacks = static_cast<std::byte*>(memory);
  for (int lane = 0; lane < most_lanes; ++lane) {
    mprotect(stacks + static_cast<std::size_t>(lane) * slot_bytes, guard_bytes, PROT_NONE);
  }
  return stacks;
}

}  // namespace

struct Current {
  static int thread() { return running->thread_; }
  static int block() { return running->block_; }
  static int grid() { return running->grid_; }
  static void barrier() {
    ++running->moves_;
    if (running->block_size_ > 1) running->barrier();
  }
  static void exchange(const void* mine, void* theirs, int bytes, int distance) {
    ++running->moves_;
    if (running->options_.wave_size > 1 && running->block_size_ > 1) {
      running->exchange({mine, theirs, bytes, distance});
    } else {
      std::memcpy(theirs, mine, static_cast<std::size_t>(bytes));  // past the wave: the own value
    }
  }
  static void pause() { running->pause(); }
  static const int* extents() { return running->job_->extents.data(); }
  static void* shared() { return running->shared_; }
};

const redtune_host_services& BlockRunner::services() {
  static const redtune_host_services table{&Current::thread,  &Current::block,    &Current::grid,
                                           &Current::barrier, &Current::exchange, &Current::pause,
                                           &Current::extents, &Current::shared};
  return table;
}

/// The stacks live as long as the runner: nothing to give back when a fiber ends.
struct BlockRunner::StackSlot {
  void deallocate(boost::context::stack_context&) noexcept {}
};

BlockRunner::BlockRunner(const HostOptions& options) : options_(options), random_(options.seed) {}

BlockRunner::~BlockRunner() {
  lanes_.clear();
  provide_shared(0);
  if (stacks_ == nullptr) return;
  forget_frames(stacks_, slot_bytes * most_lanes);
  munmap(stacks_, slot_bytes * most_lanes);
}

void BlockRunner::run(const GridJob& job, std::int64_t block) {
  if (job.waits->is_lost()) return;
  running = this;
  block_ = static_cast<int>(block);
  grid_ = static_cast<int>(job.grid);
  block_size_ = job.block_size;
  look_ = {};
  thread_ = 0;
  job_ = &job;
  if (job.shared_bytes != shared_bytes_) provide_shared(job.shared_bytes);
  if (job.block_size == 1) {
    try {
      job.entry(job.arguments);  // one lane waits for no other: no fiber
    } catch (const WaitsInVain&) {
      job.waits->report(block, fmt::format("block {} waits for what no block stores", block));
    }
    return;
  }
  start_lanes(job);
  run_lanes();
}

void BlockRunner::start_lanes(const GridJob& job) {
  if (stacks_ == nullptr) stacks_ = map_stacks();
  const int count = job.block_size;
  lanes_.clear();
  lanes_.resize(static_cast<std::size_t>(count));
  turns_.resize(static_cast<std::size_t>(count));
  std::iota(turns_.begin(), turns_.end(), 0);
  if (options_.order == LaneOrder::reverse) std::ranges::reverse(turns_);
  waiting_in_wave_.assign(static_cast<std::size_t>(count / options_.wave_size + 1), 0);
  waiting_at_barrier_ = 0;
  live_ = count;
}

void BlockRunner::provide_shared(int bytes) {
  if (shared_ != nullptr) release_guarded(shared_, static_cast<std::size_t>(shared_bytes_));
  shared_ = nullptr;
  shared_bytes_ = 0;
  if (bytes == 0) return;
  shared_ = static_cast<std::byte*>(allocate_guarded(static_cast<std::size_t>(bytes)));
  shared_bytes_ = bytes;
}

/// On the stack of the lane that runs now. A lane that never waits needs no fiber of its own: the
/// next one that has not begun runs on its stack.
boost::context::fiber BlockRunner::make_fiber() {
  const auto lane = static_cast<std::size_t>(thread_);
  std::byte* top = stacks_ + (lane + 1) * slot_bytes - lane % tops * top_step_bytes;
  forget_frames(top - stack_bytes, stack_bytes);
  boost::context::stack_context stack;
  stack.size = stack_bytes;
  stack.sp = top;
  return {std::allocator_arg, boost::context::preallocated(top, stack_bytes, stack), StackSlot{},
          [this](boost::context::fiber&& left) {
            keep(std::move(left));
            do {
              job_->entry(job_->arguments);
              end_lane();
            } while (begin_next_lane());
            return std::move(scheduler_);
          }};
}

void BlockRunner::end_lane() {
  lanes_[static_cast<std::size_t>(thread_)].state = State::done;
  --live_;
  ++moves_;
}

/// Whether the lane whose turn is next has not begun; it has then.
bool BlockRunner::begin_next_lane() {
  if (turn_ + 1 == turns_.size()) return false;
  Lane& next = lanes_[static_cast<std::size_t>(turns_[turn_ + 1])];
  if (next.has_begun) return false;
  next.has_begun = true;
  thread_ = turns_[++turn_];
  return true;
}

void BlockRunner::run_lanes() {
  while (live_ > 0) {
    if (options_.order == LaneOrder::random) std::ranges::shuffle(turns_, random_);
    if (resume_ready_lanes()) continue;
    const bool is_one_looking = lanes_in(State::looking) > 0;
    if (is_one_looking && !looks_in_vain()) {
      look_again();
      continue;
    }
    const std::string report = described_hang();
    lanes_.clear();  // unwinds the waiting lanes while the kernel's code is still loaded
    if (!is_one_looking) throw DeviceError(report);
    job_->waits->report(block_, report);
    return;
  }
}

bool BlockRunner::resume_ready_lanes() {
  bool any = false;
  for (turn_ = 0; turn_ < turns_.size(); ++turn_) {
    const int lane = turns_[turn_];
    if (lanes_[static_cast<std::size_t>(lane)].state != State::ready) continue;
    any = true;
    resume(lane);
  }
  return any;
}

void BlockRunner::resume(int lane) {
  thread_ = lane;
  Lane& self = lanes_[static_cast<std::size_t>(lane)];
  boost::context::fiber fiber = self.has_begun ? std::move(self.fiber) : make_fiber();
  self.has_begun = true;
  left_ = scheduler;
  fiber = std::move(fiber).resume();
  if (fiber) keep(std::move(fiber));  // of a lane that waits, not of one that has ended
}

/// Of whom was left for what runs now.
void BlockRunner::keep(boost::context::fiber&& left) {
  (left_ == scheduler ? scheduler_ : lanes_[static_cast<std::size_t>(left_)].fiber) =
      std::move(left);
}

/// The lane that runs now waits. The next ready one goes on without the scheduler in between, which
/// is asked where that one has not begun or no turn is left.
void BlockRunner::wait() {
  const int self = thread_;
  do {
    ++turn_;
  } while (turn_ < turns_.size() && lane_in_turn().state != State::ready);
  left_ = self;
  if (turn_ < turns_.size() && lane_in_turn().has_begun) {
    thread_ = turns_[turn_];
    keep(std::move(lane_in_turn().fiber).resume());
  } else {
    --turn_;  // The scheduler takes the one after.
    keep(std::move(scheduler_).resume());
  }
}

BlockRunner::Lane& BlockRunner::lane_in_turn() {
  return lanes_[static_cast<std::size_t>(turns_[turn_])];
}

void BlockRunner::barrier() {
  Lane& self = lanes_[static_cast<std::size_t>(thread_)];
  self.state = State::at_barrier;
  if (++waiting_at_barrier_ == block_size_) {
    waiting_at_barrier_ = 0;
    for (Lane& lane : lanes_) lane.state = State::ready;
  }
  wait();
}

void BlockRunner::exchange(const Exchange& request) {
  Lane& self = lanes_[static_cast<std::size_t>(thread_)];
  self.request = request;
  self.state = State::at_exchange;
  const int wave = thread_ / options_.wave_size;
  if (++waiting_in_wave_[static_cast<std::size_t>(wave)] == lanes_in(wave)) {
    complete_exchange(wave);
  }
  wait();
}

/// The last wave of a block may be a part of one.
int BlockRunner::lanes_in(int wave) const {
  return std::min(options_.wave_size, block_size_ - wave * options_.wave_size);
}

void BlockRunner::complete_exchange(int wave) {
  waiting_in_wave_[static_cast<std::size_t>(wave)] = 0;
  const int first = wave * options_.wave_size;
  const int lanes = lanes_in(wave);
  for (int i = 0; i < lanes; ++i) {
    Lane& lane = lanes_[static_cast<std::size_t>(first + i)];
    // Past the last lane of the wave a lane gets its own value, as the GPUs' shuffles do.
    const int other = i + lane.request.distance;
    const int source = other < lanes ? other : i;
    std::memcpy(lane.request.theirs, lanes_[static_cast<std::size_t>(first + source)].request.mine,
                static_cast<std::size_t>(lane.request.bytes));
    lane.state = State::ready;
  }
}

/// Something is waited for that another lane stores, of another block for the most part, which
/// another thread runs.
void BlockRunner::pause() {
  if (block_size_ == 1) {
    if (looks_in_vain()) throw WaitsInVain();
    std::this_thread::yield();
  } else {
    lanes_[static_cast<std::size_t>(thread_)].state = State::looking;
    wait();
  }
}

bool BlockRunner::looks_in_vain() {
  return job_->waits->is_in_vain(block_, look_, std::exchange(moves_before_, moves_) != moves_);
}

void BlockRunner::look_again() {
  std::this_thread::yield();
  for (Lane& lane : lanes_) {
    if (lane.state == State::looking) lane.state = State::ready;
  }
}

std::int64_t BlockRunner::lanes_in(State state) const {
  return std::ranges::count(lanes_, state, &Lane::state);
}

std::string BlockRunner::described_hang() const {
  const std::int64_t looking = lanes_in(State::looking);
  return fmt::format(
      "block {} hangs: of {} lanes {} wait at a barrier, {} at a shuffle, {} have "
      "ended{}",
      block_, block_size_, lanes_in(State::at_barrier), lanes_in(State::at_exchange),
      lanes_in(State::done),
      looking == 0 ? "" : fmt::format(", {} wait for what no block stores", looking));
}

}  // namespace redtune::device::host
