// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune report: a run as a page to look at, and its trials as rows for other programs.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/report/run_facts.hpp"
#include "cli/report/run_page.hpp"
#include "cli/report/run_story.hpp"
#include "cli/report/trial_rows.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

constexpr std::array kinds{"out", "csv", "json"};

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

}  // namespace

int run_report(const Options& options) {
  if (options.words().empty()) {
    throw UsageError("name the run by its number; see: redtune log");
  }
  require_different_places(options);
  const cache::Store store = copy_store(options);
  show_warnings(store);
  const RunStory story = story_of(store, find_run(store, options.words()[0]));
  const bool has_rows = options.has("csv") || options.has("json");
  std::string page = options.text("out");
  if (page.empty() && !has_rows) {
    page = fmt::format("redtune-run-{}.html", number_of_run(story.run.id));
  }
  if (!page.empty()) put(page, page_of(story));
  if (options.has("csv")) put(options.text("csv"), csv_of(story));
  if (options.has("json")) {
    put(options.text("json"),
        json_of(story).dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
  }
  const bool is_silent =
      std::ranges::any_of(kinds, [&](const char* kind) { return options.text(kind) == "-"; });
  if (is_silent) return 0;
  for (const std::string& place : {page, options.text("csv"), options.text("json")}) {
    if (!place.empty()) say("{} written\n", place);
  }
  return 0;
}

}  // namespace redtune::cli
