// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An exclusive lock on a physical device, so that two tuners never measure on one. The lock of the
// kernel decides, not the text beside it: when its holder ends, however it ends, it is free.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/files/files.hpp"
#include "redtune/error.hpp"

namespace redtune::tuner {

/// Somebody else holds the device; try later.
class Busy : public Error {
 public:
  using Error::Error;
};

/// What a person wants to know of a holder.
struct LeaseNote {
  long pid = 0;
  std::string user;
  std::string since;    ///< "2026-11-21T14:05:09Z"
  std::string command;  ///< its command line

  bool operator==(const LeaseNote&) const = default;
};

/// Of this process, now.
[[nodiscard]] LeaseNote note_of_this_process();

/// The device that a lease is of: a partition's address without its function, in lower case, and
/// "host" for an empty one. Partitions of a GPU share its memory and its power: measuring on one
/// disturbs the others.
[[nodiscard]] std::string leased_device(const std::string& device_address);

/// Where leases can lie: folders that their user alone can write, best first.
struct LeasePlaces {
  std::vector<std::filesystem::path> folders;

  /// $XDG_RUNTIME_DIR/redtune, else below /run/user/<uid>, which is what it usually is; then
  /// /tmp/redtune-<uid>.
  [[nodiscard]] static LeasePlaces of_this_user();
};

/// Why leases cannot lie in a folder; empty when they can. It need not exist: then its parent must
/// let this user create it.
[[nodiscard]] std::string problem_of_lease_folder(const std::filesystem::path& folder);

class Lease {
 public:
  /// Takes the lease of a device, in the first place that can hold one. Throws Busy that names the
  /// holder. Where no place can hold one, the lease holds nothing and has a warning.
  /// device_address: as in DeviceIdentity.
  [[nodiscard]] static Lease take(const std::string& device_address, const LeaseNote& note,
                                  const LeasePlaces& places = LeasePlaces::of_this_user());
  /// Gives the lease back.
  ~Lease();
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;

  [[nodiscard]] bool is_held() const { return file_ != nullptr; }
  /// Why nothing is held; empty otherwise.
  [[nodiscard]] const std::string& warning() const { return warning_; }

 private:
  Lease() = default;

  std::unique_ptr<cache::Descriptor> file_;
  std::string warning_;
};

struct LeaseState {
  std::string device;  ///< as leased_device() has it, with what a file name cannot hold replaced
  std::filesystem::path file;
  bool is_held = false;
  std::optional<LeaseNote> holder;  ///< where it is held and the note can be read
};

/// All leases that were ever taken in these places, held or free. Never throws for a bad file.
[[nodiscard]] std::vector<LeaseState> leases(
    const LeasePlaces& places = LeasePlaces::of_this_user());

/// Of one device; "free" where there is no file.
[[nodiscard]] LeaseState lease_of(const std::string& device_address,
                                  const LeasePlaces& places = LeasePlaces::of_this_user());

/// "process 4711 of ann (redtune tune --device hip:0), since 2026-11-21T14:05:09Z", in one line.
[[nodiscard]] std::string text_of(const std::optional<LeaseNote>& holder);

}  // namespace redtune::tuner
