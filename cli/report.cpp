// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune report: a run, devices, or two of either as a page to look at, and what they are made of
// as rows for other programs.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/report/compare_page.hpp"
#include "cli/report/device_page.hpp"
#include "cli/report/run_facts.hpp"
#include "cli/report/run_page.hpp"
#include "cli/report/run_story.hpp"
#include "cli/report/trial_rows.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

constexpr std::array kinds{"out", "csv", "json"};

/// What a report is written as; rows may be missing.
struct Written {
  std::string page;
  std::string page_name;  ///< of the file, where nobody names one
  std::string csv;
  std::string json;
};

/// Standard output holds one document, and a file is written once.
void require_different_places(const Options& options) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!options.has(kinds[i])) continue;
    if (options.text(kinds[i]).empty()) {
      throw UsageError(fmt::format("--{} '' names no file; - is the standard output", kinds[i]));
    }
    for (std::size_t j = i + 1; j < kinds.size(); ++j) {
      if (!options.has(kinds[j]) || options.text(kinds[i]) != options.text(kinds[j])) continue;
      throw UsageError(fmt::format("--{} and --{} name the same place, {}; give each its own",
                                   kinds[i], kinds[j], options.text(kinds[i])));
    }
  }
}

void put(const std::string& place, const std::string& text) {
  if (place == "-") {
    fmt::print("{}", text);
    return;
  }
  write_file(place, text);
}

std::string text_of_json(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// What was asked for, and no more: rows of large stores take time.
Written write_run(const Options& options, const cache::Store& store, const std::string& word) {
  for (const char* name : {"device", "peers"}) {
    if (!options.has(name)) continue;
    throw UsageError(fmt::format("--{} is for pages of devices; leave it or the run out", name));
  }
  const RunStory story = story_of(store, find_run(store, word));
  Written written{.page = page_of(story),
                  .page_name = fmt::format("redtune-run-{}.html", number_of_run(story.run.id)),
                  .csv = {},
                  .json = {}};
  if (options.has("csv")) written.csv = csv_of(story);
  if (options.has("json")) written.json = text_of_json(json_of(story));
  return written;
}

[[noreturn]] void refuse_device(const cache::Store& store, const std::string& text) {
  std::string names;
  for (const DeviceStory& one : device_stories(store, "")) {
    names += fmt::format("{}{} ({} {})", names.empty() ? "" : ", ", printable(one.device.name),
                         printable(one.device.device_class.platform),
                         printable(one.device.device_class.isa));
  }
  if (names.empty()) throw UsageError("nothing is tuned yet; run: redtune tune");
  throw UsageError(
      fmt::format("no device with results has '{}' in its name; known: {}", text, names));
}

Written write_devices(const Options& options, const cache::Store& store) {
  DevicesReport report{.devices = device_stories(store, options.text("device")),
                       .answers = store.bests(),
                       .peers = {}};
  if (report.devices.empty()) refuse_device(store, options.text("device"));
  for (const std::string& file : options.all("peers")) report.peers.push_back(read_peers(file));
  Written written{
      .page = page_of(report), .page_name = "redtune-devices.html", .csv = {}, .json = {}};
  if (options.has("csv")) written.csv = csv_of(report);
  if (options.has("json")) written.json = text_of_json(json_of(report));
  return written;
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

DeviceStory only_device(const cache::Store& store, const std::string& text) {
  std::vector<DeviceStory> found = device_stories(store, text);
  if (found.empty()) refuse_device(store, text);
  if (found.size() > 1) {
    throw UsageError(fmt::format("'{}' is in the names of {} devices; say more of the one you mean",
                                 text, found.size()));
  }
  return std::move(found.front());
}

Written write_comparison(const Options& options, const cache::Store& store) {
  const auto& words = options.words();
  if (words.size() != 2) {
    throw UsageError("--compare takes two runs or two devices: redtune report --compare 3 5");
  }
  for (const char* name : {"device", "peers", "csv", "json"}) {
    if (!options.has(name)) continue;
    throw UsageError(fmt::format("--{} does not go with --compare; leave one of them out", name));
  }
  if (is_number(words[0]) && is_number(words[1])) {
    const RunStory a = story_of(store, find_run(store, words[0]));
    const RunStory b = story_of(store, find_run(store, words[1]));
    return {.page = page_of(a, b),
            .page_name = fmt::format("redtune-runs-{}-{}.html", number_of_run(a.run.id),
                                     number_of_run(b.run.id)),
            .csv = {},
            .json = {}};
  }
  const DeviceStory a = only_device(store, words[0]);
  const DeviceStory b = only_device(store, words[1]);
  return {.page = page_of(a, b), .page_name = "redtune-two-devices.html", .csv = {}, .json = {}};
}

Written write_report(const Options& options, const cache::Store& store) {
  if (options.has("compare")) return write_comparison(options, store);
  if (options.words().size() > 1) {
    throw UsageError("a report is of one run; two side by side: redtune report --compare A B");
  }
  return options.words().empty() ? write_devices(options, store)
                                 : write_run(options, store, options.words()[0]);
}

}  // namespace

int run_report(const Options& options) {
  require_different_places(options);
  const cache::Store store = copy_store(options);
  show_warnings(store);
  const Written written = write_report(options, store);
  const bool has_rows = options.has("csv") || options.has("json");
  std::string page = options.text("out");
  if (page.empty() && !has_rows) page = written.page_name;
  if (!page.empty()) put(page, written.page);
  if (options.has("csv")) put(options.text("csv"), written.csv);
  if (options.has("json")) put(options.text("json"), written.json);
  const bool is_silent =
      std::ranges::any_of(kinds, [&](const char* kind) { return options.text(kind) == "-"; });
  if (is_silent) return 0;
  for (const std::string& place : {page, options.text("csv"), options.text("json")}) {
    if (!place.empty()) say("{} written\n", place);
  }
  return 0;
}

}  // namespace redtune::cli
