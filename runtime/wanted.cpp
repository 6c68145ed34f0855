// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/wanted.hpp"

#include <bit>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include "cache/exchange/wanted.hpp"
#include "kernel_templates/family/family.hpp"
#include "runtime/space_key.hpp"

namespace redtune::runtime {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto between_writes = std::chrono::minutes(1);
/// Who asks more than that is a test, or tries everything.
constexpr std::size_t most_questions = 10'000;

bool is_off() {
  const char* const value = std::getenv("REDTUNE_WANTED");
  return value != nullptr && std::string_view(value) == "off";
}

std::uint64_t untuned(const HitTotals& hits) {
  std::uint64_t sum = 0;
  for (const Match match : all_matches) {
    if (match != Match::exact) sum += hits.total(match);
  }
  return sum;
}

cache::Question question_of(const Answer& answer, const DeviceIdentity& device) {
  return {.family = answer.family,
          .space_key = space_key(kernels::family_of(answer.problem)),
          .problem = answer.problem,
          .device_class = device.device_class,
          .toolchain = device.toolchain};
}

/// Of this process. Never destroyed: Reducers may live longer than anything else.
class WantedList {
 public:
  static WantedList& get() {
    static auto* const list = [] {
      auto* const made = new WantedList;
      // A process that another one forks would else find the mutex locked, and nobody to unlock it.
      pthread_atfork([] { get().mutex_.lock(); }, [] { get().mutex_.unlock(); },
                     [] { get().mutex_.unlock(); });
      return made;
    }();
    return *list;
  }

  void add(const Answer& answer, const DeviceIdentity& device, const HitTotals* hits) {
    const std::lock_guard lock(mutex_);
    if (process_ != getpid()) begin();
    cache::Question question = question_of(answer, device);
    auto row = rows_.find(question);
    const bool is_new = row == rows_.end();
    if (is_new) {
      if (rows_.size() >= most_questions) return;
      row = rows_.emplace(std::move(question), Row{device.name, answer.match}).first;
    }
    if (hits != nullptr) counted_[hits] = &row->second;
    // What comes is written at once, as nobody knows how a process ends; of much that comes, after
    // each doubling and each minute.
    const bool is_due =
        std::has_single_bit(rows_.size()) || Clock::now() > written_ + between_writes;
    if (is_new && is_due) write();
  }

  void remove(const HitTotals* hits) {
    const std::lock_guard lock(mutex_);
    const auto row = counted_.find(hits);
    if (row == counted_.end() || process_ != getpid()) return;
    row->second->launches += untuned(*hits);
    counted_.erase(row);
    if (Clock::now() > written_ + between_writes) write();
  }

 private:
  struct Row {
    std::string device{};
    Match match = Match::fallback;
    std::uint64_t launches = 0;  ///< of Reducers that are gone
  };

  /// Also in a process that another one forked: what that asked is that one's.
  void begin() {
    static const int at_exit = std::atexit([] { get().end(); });
    (void)at_exit;
    rows_.clear();
    counted_.clear();
    process_ = getpid();
    file_.reset();
    const auto folder = cache::wanted_folder();
    if (!folder) return;
    std::random_device random;
    file_ = *folder / fmt::format("{}-{:08x}", process_, random());
    if (cache::is_full_of_wanted(*folder)) file_.reset();
  }

  void write() {
    written_ = Clock::now();
    if (!file_) return;
    std::map<const Row*, std::uint64_t> living;
    for (const auto& [hits, row] : counted_) living[row] += untuned(*hits);
    std::vector<cache::Asked> asked;
    for (const auto& [question, row] : rows_) {
      asked.push_back({question, row.device, row.match, row.launches + living[&row]});
    }
    try {
      cache::write_wanted(*file_, asked);
    } catch (const std::exception&) {
      file_.reset();  // nor is it asked for again
    }
  }

  void end() noexcept {
    try {
      const std::lock_guard lock(mutex_);
      if (process_ == getpid() && !rows_.empty()) write();
    } catch (...) {
      // There is no memory, for one.
    }
  }

  std::mutex mutex_;
  pid_t process_ = -1;
  std::optional<fs::path> file_;  // nothing: nowhere
  std::map<cache::Question, Row> rows_;
  std::map<const HitTotals*, Row*> counted_;
  Clock::time_point written_{};
};

void add(const Answer& answer, const DeviceIdentity& device, const HitTotals* hits) noexcept {
  try {
    WantedList::get().add(answer, device, hits);
  } catch (...) {
    // Likewise.
  }
}

/// A kernel of a user's is known by its file, which nobody but the user has.
bool is_wanted(const Answer& answer) {
  return answer.match != Match::exact && answer.problem.op != Op::kernel && !is_off();
}

}  // namespace

void want(const Answer& answer, const DeviceIdentity& device) noexcept {
  if (is_wanted(answer)) add(answer, device, nullptr);
}

void WantedLaunches::begin(const Answer& answer, const DeviceIdentity& device,
                           const HitTotals& hits) noexcept {
  if (!is_wanted(answer)) return;
  hits_ = &hits;
  add(answer, device, hits_);
}

WantedLaunches::~WantedLaunches() {
  if (hits_ == nullptr) return;
  try {
    WantedList::get().remove(hits_);
  } catch (...) {
    // Likewise.
  }
}

}  // namespace redtune::runtime
