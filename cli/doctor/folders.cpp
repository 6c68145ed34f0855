// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/store/storage.hpp"
#include "cache/store/store.hpp"
#include "cli/doctor/examine.hpp"
#include "cli/names.hpp"
#include "fleet/signing.hpp"
#include "redtune/error.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/lease/user_name.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using cache::Descriptor;

/// One folder as redtune would use it: there, writable, whose, on what.
struct FolderState {
  bool exists = false;
  std::string owner = {};        ///< where it exists
  bool is_ours = true;           ///< so it is when it does not exist
  unsigned permissions = 0;      ///< mode bits, where it exists
  std::string why_not_writable;  ///< empty: it can be written, or created
  /// Of the folder or, where it does not exist, of the nearest one above it that does.
  std::optional<std::uintmax_t> free_bytes;
  std::optional<cache::FileSystem> file_system;
  bool locks_work = false;  ///< flock, by which stores are created by one process at a time
};

std::string error_text(int error) {
  return std::generic_category().message(error);
}

/// The folder or the nearest one above it that exists.
fs::path nearest_existing(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// Writes a block, so that a full disk is noticed. Empty when it can be.
std::string why_no_block(int file) {
  constexpr std::array<char, 4096> block{};
  const ssize_t written = write(file, block.data(), block.size());
  if (written == static_cast<ssize_t>(block.size())) return {};
  return written < 0 ? error_text(errno) : error_text(ENOSPC);
}

/// Tries with a file that has no name or, where the file system has none such, loses it at once.
std::string why_no_file(const fs::path& folder) {
  const Descriptor nameless(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (nameless.valid()) return why_no_block(nameless.number());
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return error_text(errno);
  std::string name = (folder / "redtune-doctor-XXXXXX").string();
  const Descriptor named(mkostemp(name.data(), O_CLOEXEC));
  if (!named.valid()) return error_text(errno);
  unlink(name.c_str());
  return why_no_block(named.number());
}

/// Of a folder that does not exist: whether the one above it would take it.
std::string why_no_folder(const fs::path& above) {
  std::error_code ignored;
  if (!fs::is_directory(above, ignored)) return fmt::format("{} is not a folder", above.string());
  std::string name = (above / "redtune-doctor-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return fmt::format("it cannot be created in {}: {}", above.string(), error_text(errno));
  }
  rmdir(name.c_str());
  return {};
}

bool locks_work_in(const fs::path& folder) {
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Locked by somebody else: then they work. Ours goes with the descriptor.
  return opened.valid() && (flock(opened.number(), LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK);
}

/// Tries what can be tried and leaves nothing behind.
FolderState state_of(const fs::path& folder) {
  FolderState state;
  std::error_code error;
  const fs::path existing = nearest_existing(folder);
  struct stat status {};
  if (stat(folder.c_str(), &status) == 0) {
    state.exists = true;
    state.owner = user_name(status.st_uid);
    state.is_ours = status.st_uid == geteuid();
    state.permissions = status.st_mode & 07777U;
    state.why_not_writable =
        S_ISDIR(status.st_mode) ? why_no_file(folder) : std::string("it is not a folder");
  } else if (errno == ENOENT) {
    state.why_not_writable = why_no_folder(existing);
  } else {
    state.why_not_writable = error_text(errno);
  }
  const fs::space_info space = fs::space(existing, error);
  // What is no disk, like /proc, has no room at all.
  if (!error && space.capacity > 0) state.free_bytes = space.available;
  state.file_system = cache::file_system_of(existing);
  state.locks_work = locks_work_in(existing);
  return state;
}

/// What a folder is for, and what it means when it cannot be used.
struct Use {
  std::string name;
  Verdict when_unusable = Verdict::remark;
  std::string next = {};          ///< what to do when it cannot be written
  std::string next_without = {};  ///< what to do when there is no such folder
  bool holds_store = false;
};

constexpr std::uintmax_t little_space = 64 << 20;

std::string size_text(std::uintmax_t bytes) {
  const auto mebibytes = static_cast<double>(bytes) / (1 << 20);
  return mebibytes < 1024 ? fmt::format("{:.4g} MiB", mebibytes)
                          : fmt::format("{:.4g} GiB", mebibytes / 1024);
}

void append_access(std::vector<Fact>& facts, const Use& use, const FolderState& state) {
  facts.push_back({.name = "exists",
                   .value = state.exists,
                   .text = state.exists ? "yes" : "no, it is created when it is needed"});
  // In a folder like /tmp everybody keeps to their own files.
  const bool is_shared = (state.permissions & S_ISVTX) != 0;
  if (state.exists) {
    Fact owner{.name = "owner", .value = state.owner};
    if (!state.is_ours && !is_shared) {
      owner.verdict = Verdict::remark;
      owner.next = "it is not yours: name another folder";
    }
    facts.push_back(std::move(owner));
    Fact permissions{.name = "permissions", .value = fmt::format("{:04o}", state.permissions)};
    if ((state.permissions & 022U) != 0 && !is_shared) {
      permissions.verdict = Verdict::remark;
      permissions.next = "others can change what lies there: chmod 700";
    }
    facts.push_back(std::move(permissions));
  }
  Fact writable{.name = "writable", .value = state.why_not_writable.empty()};
  if (!state.why_not_writable.empty()) {
    writable.text = "no: " + state.why_not_writable;
    writable.verdict = use.when_unusable;
    writable.next = use.next;
  }
  facts.push_back(std::move(writable));
}

void append_storage(std::vector<Fact>& facts, const Use& use, const FolderState& state) {
  Fact space{.name = "free space", .key = "free_bytes", .value = nullptr};
  if (state.free_bytes) {
    space.value = *state.free_bytes;
    space.text = size_text(*state.free_bytes);
    if (*state.free_bytes < little_space) {
      space.verdict = Verdict::remark;
      space.next = "free some, or name a folder elsewhere";
    }
  }
  facts.push_back(std::move(space));
  Fact file_system{.name = "file system", .value = nullptr};
  if (state.file_system) file_system.value = state.file_system->name;
  facts.push_back(std::move(file_system));
  facts.push_back({.name = "locks", .value = state.locks_work});
  if (!use.holds_store) return;
  const bool wal = state.file_system && state.file_system->serves_wal;
  facts.push_back({.name = "journal",
                   .value = wal ? "write-ahead log" : "rollback",
                   .text = wal ? "write-ahead log: readers and writers do not wait for each other"
                               : "rollback: this file system is not known to serve a write-ahead "
                                 "log; readers and writers wait for each other"});
}

void append_store(std::vector<Fact>& facts, const fs::path& store) {
  const auto append = [&facts](const char* name, const fs::path& file) {
    std::error_code error;
    const auto bytes = fs::file_size(file, error);
    Fact fact{.name = name, .value = {{"file", file.string()}, {"bytes", nullptr}}};
    if (!error) fact.value["bytes"] = bytes;
    fact.text = fmt::format("{} ({})", file.string(), error ? "none yet" : size_text(bytes));
    facts.push_back(std::move(fact));
  };
  append("store", store);
  try {
    cache::Store::check_place(store);
  } catch (const Error& error) {
    facts.back().text = error.what();
    facts.back().verdict = Verdict::problem;
    facts.back().next = "name another file with --cache or REDTUNE_CACHE";
  }
  append("snapshot", cache::snapshot_of(store));
}

Topic topic_of(const Use& use, const std::optional<fs::path>& folder) {
  Topic topic{.name = use.name, .facts = {}};
  if (!folder) {
    topic.facts.push_back({.name = "path",
                           .value = nullptr,
                           .text = "none: HOME is not set",
                           .verdict = Verdict::remark,
                           .next = use.next_without});
    return topic;
  }
  topic.facts.push_back({.name = "path", .value = folder->string()});
  const FolderState state = state_of(*folder);
  append_access(topic.facts, use, state);
  append_storage(topic.facts, use, state);
  return topic;
}

Topic results_topic(const std::string& cache) {
  const Use use{.name = "results",
                .when_unusable = Verdict::problem,
                .next = "make it writable, or name another file with --cache or REDTUNE_CACHE",
                .next_without =
                    "results are kept in memory only: set HOME or XDG_DATA_HOME, or "
                    "name a file with --cache",
                .holds_store = true};
  const auto store = cache::store_path(cache);
  if (!store) return topic_of(use, std::nullopt);
  if (cache::names_snapshot(*store)) {
    return {
        .name = use.name,
        .facts = {{.name = "store",
                   .value = store->string(),
                   .verdict = Verdict::problem,
                   .next = "that is the name of a snapshot: name a store, such as results.db"}}};
  }
  std::error_code error;
  const fs::path absolute = fs::absolute(*store, error);
  Topic topic = topic_of(use, (error ? *store : absolute).parent_path());
  append_store(topic.facts, error ? *store : absolute);
  return topic;
}

/// Of the first place that can hold leases, with the reasons against those before it.
Topic runtime_topic() {
  const Use use{.name = "runtime", .next = "set XDG_RUNTIME_DIR to a folder of your own"};
  std::vector<Fact> refused;
  for (const fs::path& folder : LeasePlaces::of_this_user().folders) {
    const std::string problem = problem_of_lease_folder(folder);
    if (problem.empty()) {
      Topic topic = topic_of(use, folder);
      topic.facts.insert(topic.facts.end(), refused.begin(), refused.end());
      return topic;
    }
    refused.push_back({.name = "refused",
                       .value = problem,
                       .verdict = Verdict::remark,
                       .next = "until that changes, leases of devices are kept elsewhere"});
  }
  for (Fact& fact : refused) fact.next = "nothing keeps two tuners off one device: " + use.next;
  return {.name = use.name, .facts = std::move(refused)};
}

/// Whose exports are believed.
Topic keys_topic() {
  Topic topic{.name = "allowed keys",
              .facts = {{.name = "path", .value = fleet::AllowedKeys::usual_folder}}};
  try {
    const fleet::AllowedKeys keys;
    topic.facts.push_back(
        {.name = "keys",
         .value = keys.size(),
         .text = keys.is_empty()
                     ? "none: files are imported as they are, and 'fleet pull' needs --unsigned"
                     : fmt::format("{}: only what they have signed is imported and pulled",
                                   keys.size())});
  } catch (const Error& error) {
    topic.facts.push_back({.name = "keys",
                           .value = error.what(),
                           .verdict = Verdict::remark,
                           .next = "nothing is imported or pulled until that is mended"});
  }
  return topic;
}

}  // namespace

Section examine_folders(const std::string& cache) {
  const Use logs{.name = "logs",
                 .next = "runs are not logged: make it writable, or set XDG_STATE_HOME",
                 .next_without = "runs are not logged: set HOME or XDG_STATE_HOME"};
  const Use binaries{.name = "binaries",
                     .next = "make it writable, or set XDG_CACHE_HOME",
                     .next_without = "set HOME or XDG_CACHE_HOME"};
  return {.name = "folders",
          .topics = {results_topic(cache), topic_of(logs, cache::logs_folder()),
                     topic_of(binaries, cache::binaries_folder()), runtime_topic(), keys_topic()}};
}

}  // namespace redtune::cli
