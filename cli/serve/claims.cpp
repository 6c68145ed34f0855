// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/claims.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "cache/files/files.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view claimed_prefix = "claimed-";
/// It is read when a tune begins: nobody needs it for so long.
constexpr std::time_t old_after_s = 86'400;

constexpr auto looks_at_clock_every = 1s;

/// Those of processes that were killed.
void clear_away_old(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator file(parent, error), end; !error && file != end;
       file.increment(error)) {
    struct stat status {};
    if (!file->path().filename().string().starts_with(claimed_prefix)) continue;
    if (lstat(file->path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    if (status.st_uid != geteuid() || std::time(nullptr) - status.st_mtime < old_after_s) continue;
    std::error_code ignored;
    fs::remove_all(file->path(), ignored);
  }
}

}  // namespace

ClaimedFolder::ClaimedFolder(const fs::path& store) {
  const fs::path parent = fs::absolute(store).parent_path();
  cache::make_private_folder(parent);
  clear_away_old(parent);
  std::string name = (parent / fmt::format("{}XXXXXX", claimed_prefix)).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw IoError(fmt::format("cannot make a folder in {}: {}", parent.string(),
                              std::generic_category().message(errno)));
  }
  path_ = name;
}

ClaimedFolder::~ClaimedFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void ClaimedFolder::hold(const std::vector<cache::Asked>& questions) const {
  cache::write_wanted(path_ / "claimed", questions);
}

LeaseClock::time_point LeaseClock::now() noexcept {
  timespec time{};
  (void)clock_gettime(CLOCK_BOOTTIME, &time);
  return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

LeaseKeeper::LeaseKeeper(std::string url, std::vector<fleet::Claim> claims,
                         std::chrono::seconds lease, Clock::time_point claimed_at)
    : url_(std::move(url)),
      claims_(std::move(claims)),
      lease_(lease),
      kept_at_(claimed_at),
      renewing_([this] { keep_on(); }),
      watching_([this] { stop_in_time(); }) {}

LeaseKeeper::~LeaseKeeper() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  renewing_.join();
  watching_.join();
}

bool LeaseKeeper::has_lost() const {
  const std::lock_guard lock(mutex_);
  return has_lost_;
}

/// Waits until it is, or until then. No wait of a thread counts the time that the machine sleeps,
/// so none is long.
bool LeaseKeeper::is_done_by(std::unique_lock<std::mutex>& lock, const Clock::time_point& until) {
  while (!is_done() && Clock::now() < until) {
    over_.wait_for(lock, std::min<Clock::duration>(until - Clock::now(), looks_at_clock_every),
                   [this] { return is_done(); });
  }
  return is_done();
}

void LeaseKeeper::keep_on() {
  std::unique_lock lock(mutex_);
  auto next = kept_at_ + Clock::duration(lease_) / 3;
  while (!is_done_by(lock, next)) {
    const auto begin = Clock::now();
    // Who has slept through it makes it no longer, even where the database has not noticed.
    if (begin >= kept_at_ + lease_) return lose(lock);
    lock.unlock();
    const std::optional<bool> kept = renew();
    lock.lock();
    if (is_done()) return;
    if (kept == false) return lose(lock);
    if (kept) kept_at_ = begin;
    next = kept ? begin + Clock::duration(lease_) / 3 : Clock::now() + 1s;
  }
}

/// Waits for nothing but the time: a database that does not answer makes no lease longer.
void LeaseKeeper::stop_in_time() {
  std::unique_lock lock(mutex_);
  while (!is_done_by(lock, kept_at_ + lease_)) {
    if (Clock::now() >= kept_at_ + lease_) return lose(lock);
  }
}

void LeaseKeeper::lose(std::unique_lock<std::mutex>& lock) {
  has_lost_ = true;
  kill(getpid(), SIGTERM);
  lock.unlock();
  over_.notify_all();
  spdlog::warn("the lease of what is tuned has ended: it is left to others");
}

/// Nothing: the database cannot be reached.
std::optional<bool> LeaseKeeper::renew() const {
  try {
    fleet::FleetStore store(url_, version, std::chrono::milliseconds(lease_) / 3);
    return store.keep(claims_, lease_);
  } catch (const Error& error) {
    spdlog::debug("the lease cannot be renewed: {}", error.what());
    return std::nullopt;
  }
}

}  // namespace redtune::cli
