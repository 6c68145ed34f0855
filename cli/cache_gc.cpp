// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache gc: removes what can be made again. Results are never touched.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>

#include "cache/exchange/exchange.hpp"
#include "cache/files/paths.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using Days = std::chrono::duration<double, std::ratio<86400>>;

struct Garbage {
  std::vector<fs::path> files{};
  std::uintmax_t bytes = 0;

  void add(const fs::path& file, std::uintmax_t size) {
    files.push_back(file);
    bytes += size;
  }
};

struct FoundFile {
  fs::path path;
  fs::file_time_type written;
  std::uintmax_t bytes = 0;
};

double days_since(fs::file_time_type written) {
  return Days(fs::file_time_type::clock::now() - written).count();
}

/// Regular files of a folder and of those below it. Links are not followed.
std::vector<FoundFile> files_below(const fs::path& folder) {
  std::vector<FoundFile> found;
  std::error_code error;
  for (fs::recursive_directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone;
    if (!fs::is_regular_file(file->symlink_status(gone)) || gone) continue;
    FoundFile one{file->path(), file->last_write_time(gone), 0};
    if (!gone) one.bytes = file->file_size(gone);
    if (!gone) found.push_back(std::move(one));
  }
  return found;
}

/// What is too old, and the oldest of what is too much: none stays that is older than one that
/// goes.
Garbage old_binaries(const Options& options) {
  Garbage garbage;
  const auto folder = cache::binaries_folder();
  if (!folder) return garbage;
  const auto days = static_cast<double>(options.number("binaries-days"));
  const std::uintmax_t most_mib = std::min<std::uintmax_t>(options.number("binaries-mib"), 1 << 30);
  auto files = files_below(*folder / "co-v1");
  std::ranges::sort(files, std::ranges::greater{}, &FoundFile::written);
  std::uintmax_t sum = 0;
  for (const FoundFile& file : files) {
    sum += file.bytes;
    const bool is_too_much = sum > most_mib << 20;
    if (is_too_much || days_since(file.written) > days) garbage.add(file.path, file.bytes);
  }
  return garbage;
}

/// Stores that were damaged, or of an earlier version, and put aside.
Garbage old_stores(const fs::path& store, double days) {
  Garbage garbage;
  const std::string name = store.filename().string();
  std::error_code error;
  const fs::path folder = fs::absolute(store).parent_path();
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    const std::string other = file->path().filename().string();
    std::error_code gone;
    if ((other.starts_with(name + ".before-") || other.starts_with(name + ".corrupt-")) &&
        file->is_regular_file(gone) && days_since(file->last_write_time(gone)) > days) {
      garbage.add(file->path(), file->file_size(gone));
    }
  }
  return garbage;
}

void remove(const Garbage& garbage) {
  for (const fs::path& file : garbage.files) {
    std::error_code error;
    fs::remove(file, error);
    if (error) {
      throw IoError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
    }
  }
}

struct Plan {
  Garbage binaries{};
  Garbage stores{};
  std::size_t trials = 0;    ///< those that go: known when the store is open
  std::string keep_since{};  ///< trials of runs that ended before go; empty: all stay
};

Plan plan_of(const Options& options) {
  Plan plan{.binaries = old_binaries(options)};
  if (!options.has("keep")) return plan;
  const double days = static_cast<double>(std::min<std::uint64_t>(options.number("keep"), 36500));
  const fs::path file = existing_store(options);
  plan.stores = old_stores(file, days);
  plan.keep_since = cache::time_in_days(-days);
  if (options.has("dry-run")) plan.trials = cache::trials_before(file, plan.keep_since);
  return plan;
}

/// Or a snapshot, whose answers the store keeps from now on.
bool is_store_there(const Options& options) {
  const auto path = cache::store_path(options.text("cache"));
  std::error_code ignored;
  return path && (fs::exists(*path, ignored) || has_snapshot(*path));
}

int thin_out(Plan& plan, const Options& options) {
  // Saves what can be read of a damaged one, and renews a snapshot that is not in step.
  cache::Store store = cache::Store::mend(existing_store(options));
  if (!plan.keep_since.empty()) plan.trials = store.trials_before(plan.keep_since);
  if (plan.trials > 0) store.forget_trials_before(plan.keep_since);
  show_warnings(store);
  return code_of(store);
}

int carry_out(Plan& plan, const Options& options) {
  const int code = is_store_there(options) ? thin_out(plan, options) : 0;
  remove(plan.binaries);
  remove(plan.stores);
  return code;
}

}  // namespace

int run_cache_gc(const Options& options) {
  Plan plan = plan_of(options);
  const bool is_real = !options.has("dry-run");
  const int code = is_real ? carry_out(plan, options) : 0;
  if (options.has("json")) {
    print_json({{"removed", is_real},
                {"binaries", plan.binaries.files.size()},
                {"binaries_bytes", plan.binaries.bytes},
                {"stores", plan.stores.files.size()},
                {"stores_bytes", plan.stores.bytes},
                {"trials", plan.trials}});
    return code;
  }
  say("{}: {} binaries ({} MiB), {} older stores ({} MiB), {} trials\n",
      is_real ? "removed" : "would be removed", plan.binaries.files.size(),
      plan.binaries.bytes >> 20, plan.stores.files.size(), plan.stores.bytes >> 20, plan.trials);
  return code;
}

}  // namespace redtune::cli
