// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache path: where things lie, and what is there.
#include <filesystem>
#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/kept.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "tuner/text/json.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

struct NamedPlace {
  std::string name;
  std::string what;
  fs::path path;
  bool exists = false;
  std::uintmax_t bytes = 0;  ///< of a folder: of all files below it
};

std::uintmax_t bytes_below(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const auto bytes = fs::file_size(path, error);
    return error ? 0 : bytes;
  }
  std::uintmax_t sum = 0;
  for (fs::recursive_directory_iterator file(path, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone;
    const auto bytes = file->is_regular_file(gone) ? file->file_size(gone) : 0;
    if (!gone) sum += bytes;
  }
  return sum;
}

std::vector<NamedPlace> places(const Options& options) {
  std::vector<NamedPlace> all;
  const auto add = [&](std::string name, std::string what, const std::optional<fs::path>& path) {
    if (!path) return;
    std::error_code ignored;
    const bool exists = fs::exists(*path, ignored);
    all.push_back(
        {std::move(name), std::move(what), *path, exists, exists ? bytes_below(*path) : 0});
  };
  const auto store = cache::store_path(options.text("cache"));
  add("store", "runs, trials and results, written by redtune tune", store);
  for (const cache::Layer& layer : cache::layers(cache::named_store(options.text("cache")))) {
    add("snapshot", fmt::format("what applications read ({})", layer.name), layer.snapshot);
  }
  if (store)
    add("pinned", "snapshots that are kept", cache::kept_folder(cache::snapshot_of(*store)));
  add("logs", "a file for each run", cache::logs_folder());
  add("binaries", "compiled kernels; may be deleted", cache::binaries_folder());
  return all;
}

std::string size_text(const NamedPlace& place) {
  if (!place.exists) return "-";
  return place.bytes < 1 << 20 ? fmt::format("{} KiB", (place.bytes + 1023) >> 10)
                               : fmt::format("{} MiB", place.bytes >> 20);
}

}  // namespace

int run_cache_path(const Options& options) {
  const auto all = places(options);
  if (options.has("json")) {
    Json rows = Json::array();
    for (const NamedPlace& place : all) {
      rows.push_back({{"name", place.name},
                      {"what", place.what},
                      {"path", place.path.string()},
                      {"exists", place.exists},
                      {"bytes", place.bytes}});
    }
    print_json({{"places", rows}});
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"place", "size", "path", ""}};
  for (const NamedPlace& place : all) {
    rows.push_back({place.name, size_text(place), place.path.string(), place.what});
  }
  fmt::print("{}", table(rows));
  return 0;
}

}  // namespace redtune::cli
