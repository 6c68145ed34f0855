// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What was claimed of a fleet, while it is tuned: its questions, in a folder that the tune reads,
// and its leases, which are renewed until it is over.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cache/exchange/wanted.hpp"
#include "fleet/store.hpp"

namespace redtune::cli {

/// A folder of claimed questions beside the store, gone with this object. Its name says nothing of
/// the process: where stores are shared, numbers of processes are not.
class ClaimedFolder {
 public:
  /// Clears away those of processes that were killed, too. Throws IoError.
  explicit ClaimedFolder(const std::filesystem::path& store);
  ClaimedFolder(const ClaimedFolder&) = delete;
  ClaimedFolder& operator=(const ClaimedFolder&) = delete;
  ~ClaimedFolder();

  void hold(const std::vector<cache::Asked>& questions) const;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Goes on while the machine sleeps, as the time of leases does, which the database tells.
struct LeaseClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<LeaseClock>;
  static constexpr bool is_steady = true;
  [[nodiscard]] static time_point now() noexcept;
};

/// Renews the leases of claims while they are tuned. Who has lost one stops: somebody else may be
/// at it.
class LeaseKeeper {
 public:
  using Clock = LeaseClock;

  /// claimed_at: a moment before they were claimed.
  LeaseKeeper(std::string url, std::vector<fleet::Claim> claims, std::chrono::seconds lease,
              Clock::time_point claimed_at);
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;
  ~LeaseKeeper();

  [[nodiscard]] bool has_lost() const;

 private:
  [[nodiscard]] bool is_done() const { return is_over_ || has_lost_; }
  [[nodiscard]] bool is_done_by(std::unique_lock<std::mutex>& lock, const Clock::time_point& until);
  void keep_on();
  void stop_in_time();
  void lose(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] std::optional<bool> renew() const;

  std::string url_;
  std::vector<fleet::Claim> claims_;
  std::chrono::seconds lease_;
  Clock::time_point kept_at_;
  mutable std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  bool has_lost_ = false;
  std::thread renewing_;
  std::thread watching_;
};

}  // namespace redtune::cli
