// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/workbench.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <utility>

#include "tuner/compile/interrupted.hpp"

namespace redtune::tuner {
namespace {

/// A worker is replaced after so many trials, whatever they were: what leaks slowly shows late.
constexpr std::size_t most_trials = 200;
/// Device memory that may be gone after trials before the worker is replaced.
constexpr std::size_t most_lost_bytes = std::size_t{256} << 20;
/// Candidates at the bench at a time: a final's, and some.
constexpr std::size_t most_loaded = 24;

}  // namespace

Workbench::Workbench(Open open, Stopwatch& watch, int stop)
    : open_(std::move(open)), watch_(watch), stop_(stop) {}

CandidateId Workbench::add(Candidate candidate) {
  const CandidateId id{candidates_.size()};
  if (candidate.is_default) default_ = id;
  candidates_.push_back(std::move(candidate));
  return id;
}

std::unique_ptr<Bench> Workbench::release() {
  auto bench = std::move(bench_);
  replace();
  return bench;
}

void Workbench::replace() {
  bench_.reset();
  loaded_.clear();
  is_default_loaded_ = false;
  trials_ = 0;
  first_free_.reset();
}

template <class Action>
auto Workbench::survive(Action&& action) {
  try {
    return action();
  } catch (const BenchMishap& mishap) {
    if (!is_survived(mishap.mishap())) replace();
    throw;
  }
}

/// The default is needed there whoever is measured: it reads what must not stay in a cache.
void Workbench::open_bench() {
  if (!bench_) {
    const auto span = watch_.during(Activity::start_up);
    ++generation_;
    bench_ = open_();
  }
  if (default_ && !is_default_loaded_) {
    const auto span = watch_.during(Activity::load);
    bench_->load(*default_, candidate(*default_));
    is_default_loaded_ = true;
  }
}

Bench& Workbench::bench() {
  const bool is_first = generation_ == 0;
  try {
    open_bench();
  } catch (const BenchMishap& mishap) {
    if (mishap.mishap() == Mishap::unreapable) throw;
    throw BenchMishap(Mishap::not_ready, mishap.what());
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    // At first it tells what is wrong with the question; later the device is another than before.
    if (is_first) throw;
    throw BenchMishap(Mishap::not_ready, error.what());
  }
  return *bench_;
}

void Workbench::make_room() {
  while (loaded_.size() >= most_loaded) {
    bench().unload(loaded_.front());
    loaded_.pop_front();
  }
}

template <class Action>
auto Workbench::use(CandidateId id, Action&& action) {
  return survive([&] {
    Bench& bench = this->bench();
    if (last_used_ != id) used_before_ = std::exchange(last_used_, id);
    if (id != default_) {
      const auto known = std::ranges::find(loaded_, id);
      if (known != loaded_.end()) {
        loaded_.erase(known);
      } else {
        const auto span = watch_.during(Activity::load);
        make_room();
        bench.load(id, candidate(id));
      }
      loaded_.push_back(id);
    }
    return action(bench);
  });
}

void Workbench::load(CandidateId id) {
  use(id, [](Bench&) {});
}

std::string Workbench::why_wrong(CandidateId id) {
  const auto span = watch_.during(Activity::verify);
  return use(id, [&](Bench& bench) { return bench.why_wrong(id); });
}

std::string Workbench::why_wrong_when_timed(CandidateId id) {
  const auto span = watch_.during(Activity::verify);
  return use(id, [&](Bench& bench) { return bench.why_wrong_when_timed(id); });
}

std::string Workbench::why_wrong_when_challenged(CandidateId id) {
  const auto span = watch_.during(Activity::verify);
  return use(id, [&](Bench& bench) { return bench.why_wrong_when_challenged(id); });
}

Sample Workbench::sample(const BatchOrder& order) {
  return use(order.candidate, [&](Bench& bench) {
    const auto sampling = watch_.sampling();
    return bench.sample(order);
  });
}

Floor Workbench::floor(CandidateId like) {
  return use(like, [&](Bench& bench) {
    const auto sampling = watch_.sampling();
    return bench.floor(like);
  });
}

device::BatchTime Workbench::empty_batch() {
  return survive([&] {
    Bench& bench = this->bench();
    const auto sampling = watch_.sampling();
    return bench.empty_batch();
  });
}

Seconds Workbench::now() const {
  return std::chrono::steady_clock::now().time_since_epoch();
}

void Workbench::wait(Seconds seconds) {
  const Seconds end = now() + seconds;
  while (now() < end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now()).count();
    pollfd waiting{stop_, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::clamp<long long>(left, 0, 60'000))) > 0) {
      throw Stopped("stopped while the device rested");
    }
  }
}

void Workbench::end_trial() {
  if (!bench_) return;
  survive([&] {
    ++trials_;
    const std::size_t free = bench().free_memory();
    if (!first_free_) first_free_ = free;
    if (trials_ >= most_trials || free + most_lost_bytes < *first_free_) replace();
  });
}

}  // namespace redtune::tuner
