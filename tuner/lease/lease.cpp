// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/lease/lease.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "tuner/lease/lease_folder.hpp"
#include "tuner/lease/lease_note.hpp"

namespace redtune::tuner {
namespace {

using namespace std::chrono_literals;

/// Whoever looks at leases holds one for a moment: a taker waits longer than that.
constexpr int lock_attempts = 10;
constexpr auto between_attempts = 10ms;

enum class Locked { yes, held_by_another, impossible };

/// Sets errno where it is impossible.
Locked lock(int descriptor, int operation) {
  for (int attempt = 1;; ++attempt) {
    if (flock(descriptor, operation | LOCK_NB) == 0) return Locked::yes;
    if (errno != EWOULDBLOCK && errno != EINTR) return Locked::impossible;
    if (attempt == lock_attempts) return Locked::held_by_another;
    std::this_thread::sleep_for(between_attempts);
  }
}

[[noreturn]] void refuse(const std::string& device, const std::optional<LeaseNote>& holder) {
  throw Busy(fmt::format(
      "{} is being tuned by {}; wait until it is done, end it, or choose another device",
      device == "host" ? "the host" : "the device " + device, text_of(holder)));
}

std::string last_error() {
  return std::generic_category().message(errno);
}

/// Locks a descriptor's file only to see whether that is possible.
bool is_locked_by_another(int descriptor) {
  if (flock(descriptor, LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  flock(descriptor, LOCK_UN);
  return false;
}

LeaseState state_of(const LeaseFolder& folder, const std::string& device) {
  LeaseState state{.device = device, .file = folder.path_of(device)};
  const auto file = folder.open_file(device, O_RDONLY);
  if (file == nullptr || !is_locked_by_another(file->number())) return state;
  state.is_held = true;
  state.holder = read_note(file->number());
  return state;
}

/// A session and a service of the system have not the same places, but some are of both.
void refuse_if_held_elsewhere(const std::string& device, const std::filesystem::path& here,
                              const LeasePlaces& places) {
  for (const std::filesystem::path& place : places.folders) {
    if (place == here) continue;
    const LeaseState state = state_of(LeaseFolder::open_existing(place), device);
    if (state.is_held) refuse(device, state.holder);
  }
}

}  // namespace

Lease Lease::take(const std::string& device_address, const LeaseNote& note,
                  const LeasePlaces& places) {
  const std::string device = leased_device(device_address);
  Lease lease;
  std::string reasons;
  for (const std::filesystem::path& place : places.folders) {
    const LeaseFolder folder = LeaseFolder::open_or_create(place);
    std::string problem = folder.problem();
    if (problem.empty()) {
      auto file = folder.open_file(device, O_RDWR | O_CREAT);
      const Locked locked = file ? lock(file->number(), LOCK_EX) : Locked::impossible;
      if (locked == Locked::held_by_another) refuse(device, read_note(file->number()));
      if (locked == Locked::yes) {
        refuse_if_held_elsewhere(device, place, places);
        write_note(file->number(), note);
        lease.file_ = std::move(file);
        return lease;
      }
      problem = fmt::format("{}: {}", folder.path_of(device).string(), last_error());
    }
    reasons += (reasons.empty() ? "" : "; ") + problem;
  }
  lease.warning_ = fmt::format(
      "nothing keeps another redtune from measuring on this device at the same time: there is no "
      "place for a lock ({}); set XDG_RUNTIME_DIR to a folder of your own",
      reasons.empty() ? "none is known" : reasons);
  return lease;
}

Lease::~Lease() {
  // Closing gives the lock back; the text of a lease that is free would only confuse.
  if (file_ != nullptr) (void)!ftruncate(file_->number(), 0);
}

std::vector<LeaseState> leases(const LeasePlaces& places) {
  std::vector<LeaseState> states;
  for (const std::filesystem::path& place : places.folders) {
    const LeaseFolder folder = LeaseFolder::open_existing(place);
    for (const std::string& device : folder.devices()) states.push_back(state_of(folder, device));
  }
  return states;
}

LeaseState lease_of(const std::string& device_address, const LeasePlaces& places) {
  const std::string device = safe_name(leased_device(device_address));
  LeaseState found{.device = device};
  for (LeaseState& state : leases(places)) {
    if (state.device != device) continue;
    if (state.is_held) return std::move(state);
    if (found.file.empty()) found = std::move(state);
  }
  return found;
}

}  // namespace redtune::tuner
