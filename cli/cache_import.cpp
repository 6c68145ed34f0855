// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache import, redtune cache merge: results of other machines. Nobody who wrote them is
// trusted: what is no measurement, or what the rules of its family refuse, stays outside.
#include <algorithm>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/exchange/exchange.hpp"
#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// What is said of each thing that is left out; more of them are only counted.
constexpr std::size_t most_told = 5;

std::string content_of(const fs::path& file) {
  const auto read = cache::read_whole(file, cache::max_exchange_bytes);
  if (const auto* text = std::get_if<std::string>(&read)) return *text;
  const auto error = std::get<std::errc>(read);
  if (error == std::errc::file_too_large) {
    throw UsageError(fmt::format("{} is larger than {} MiB, the most that an export may be",
                                 file.string(), cache::max_exchange_bytes >> 20));
  }
  throw UsageError(
      fmt::format("cannot read {}: {}", file.string(), std::make_error_code(error).message()));
}

cache::Incoming read_file(const fs::path& file) {
  try {
    return cache::read_exchange(content_of(file));
  } catch (const UsageError& error) {
    const std::string text = error.what();
    const bool is_named = text.find(file.string()) != std::string::npos;
    throw UsageError(is_named ? text : fmt::format("{}: {}", file.string(), text));
  }
}

cache::Incoming read_store(const fs::path& file) {
  cache::Incoming incoming;
  const cache::Store store = cache::Store::look_at(file);
  show_warnings(store);
  for (cache::SharedRun& run : store.share()) {
    const std::string why = cache::why_unfit(run);
    if (why.empty())
      incoming.runs.push_back(std::move(run));
    else
      incoming.skipped.push_back(fmt::format("the run of {}: {}", run.started_at, why));
  }
  for (cache::StoredBorder& border : store.borders()) {
    if (const std::string why = cache::why_unfit(border); why.empty())
      incoming.borders.push_back(std::move(border));
    else
      incoming.skipped.push_back(fmt::format("the border of {}: {}", border.at, why));
  }
  return incoming;
}

/// Takes away what could never run. Trials are only looked at by people and strategies, which pass
/// by what is not in their space.
void leave_out_invalid(cache::Incoming& incoming) {
  for (cache::SharedRun& run : incoming.runs) {
    std::erase_if(run.results, [&](const cache::SharedResult& result) {
      const std::string why = why_invalid(question_of(run.start), result.best.settings);
      if (why.empty()) return false;
      incoming.skipped.push_back(
          fmt::format("{} of {}: {}", describe(run.start.problem), result.at, why));
      return true;
    });
  }
  std::erase_if(incoming.runs, [](const cache::SharedRun& run) {
    return run.results.empty() && run.trials.empty();
  });
}

void tell_skipped(const fs::path& file, const std::vector<std::string>& skipped) {
  for (std::size_t i = 0; i < std::min(skipped.size(), most_told); ++i) {
    spdlog::warn("{}: left out {}", file.string(), printable(skipped[i]));
  }
  if (skipped.size() > most_told) {
    spdlog::warn("{}: left out {} more", file.string(), skipped.size() - most_told);
  }
}

void tell_refused(const fs::path& file, std::size_t refused) {
  if (refused == 0) return;
  spdlog::warn(
      "{}: left out {} results that claim to be from runs of this store, which does not have them",
      file.string(), refused);
}

Json adopted_json(const cache::Adopted& done, const fs::path& file, std::size_t skipped) {
  return {{"from", file.string()},   {"runs", done.runs},   {"trials", done.trials},
          {"results", done.results}, {"known", done.known}, {"older", done.older},
          {"borders", done.borders}, {"left_out", skipped}};
}

std::string text_of(const cache::Adopted& done, std::size_t skipped) {
  std::string text = fmt::format("{} results, {} runs, {} trials taken over", done.results,
                                 done.runs, done.trials);
  if (done.borders > 0) text += fmt::format("; {} between them", counted(done.borders, "border"));
  if (done.known > 0) text += fmt::format("; {} results were known already", done.known);
  if (done.older > 0) text += fmt::format("; {} are older than what is here", done.older);
  if (skipped > 0) text += fmt::format("; {} left out", skipped);
  return text;
}

cache::Store open_or_create(const Options& options) {
  const auto path = cache::store_path(options.text("cache"));
  if (!path) {
    throw UsageError("there is no place for results: HOME is not set; name a file with --cache");
  }
  return cache::Store::open(*path);
}

int take_over(const Options& options, cache::Incoming (*read)(const fs::path&),
              std::string_view what) {
  if (options.words().empty()) throw UsageError(fmt::format("name at least one {}", what));
  std::vector<std::pair<fs::path, cache::Incoming>> all;
  for (const std::string& word : options.words()) {  // all are read before anything is changed
    all.emplace_back(word, read(word));
    leave_out_invalid(all.back().second);
  }
  cache::Store store = open_or_create(options);
  Json rows = Json::array();
  bool is_any_fit = false;
  for (const auto& [file, incoming] : all) {
    tell_skipped(file, incoming.skipped);
    is_any_fit = is_any_fit || !incoming.runs.empty() || incoming.skipped.empty();
    const cache::Adopted done = store.adopt(
        incoming.runs, fmt::format("{} {}", what, fs::absolute(file).string()), incoming.borders);
    tell_refused(file, done.refused);
    const std::size_t left_out = incoming.skipped.size() + done.refused;
    rows.push_back(adopted_json(done, file, left_out));
    if (!options.has("json")) say("{}: {}\n", file.string(), text_of(done, left_out));
  }
  show_warnings(store);
  if (options.has("json")) print_json({{"taken_over", rows}});
  return is_any_fit ? code_of(store) : static_cast<int>(ExitCode::failed);
}

}  // namespace

int run_cache_import(const Options& options) {
  return take_over(options, read_file, "file");
}

int run_cache_merge(const Options& options) {
  return take_over(options, read_store, "store");
}

}  // namespace redtune::cli
