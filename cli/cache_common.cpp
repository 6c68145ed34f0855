// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/cache_common.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/files/paths.hpp"
#include "cache/store/file_kind.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

DeviceIdentity identity_of(const cache::Question& question) {
  return {.device_class = question.device_class, .toolchain = question.toolchain};
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// A file that somebody named and that is not there was likely meant to be another.
[[noreturn]] void refuse_missing(const std::filesystem::path& path) {
  const cache::SeenFile folder = cache::look_at_file(std::filesystem::absolute(path).parent_path());
  throw UsageError(fmt::format(
      "{} does not exist{}; name another file with --cache, or create it: "
      "redtune tune",
      path.string(),
      folder.kind == cache::FileKind::folder ? std::string()
                                             : fmt::format(" (its folder {})", folder.what)));
}

}  // namespace

bool has_snapshot(const std::filesystem::path& store) {
  return cache::look_at_file(cache::snapshot_of(store)).kind == cache::FileKind::snapshot;
}

std::filesystem::path existing_store(const Options& options) {
  const auto path = cache::store_path(options.text("cache"));
  if (!path) {
    throw UsageError("there is no place for results: HOME is not set; name a file with --cache");
  }
  if (cache::names_snapshot(*path)) {
    throw UsageError(
        fmt::format("{} is a snapshot, which only applications read; name the store it was made of",
                    path->string()));
  }
  const cache::SeenFile seen = cache::look_at_file(*path);
  if (seen.kind == cache::FileKind::missing && !has_snapshot(*path)) refuse_missing(*path);
  return *path;
}

cache::Store copy_store(const Options& options) {
  return cache::Store::look_at(existing_store(options));
}

cache::Store open_existing_store(const Options& options) {
  return cache::Store::open(existing_store(options));
}

void show_warnings(const cache::Store& store) {
  for (const std::string& warning : store.warnings()) spdlog::warn("{}", printable(warning));
}

int code_of(const cache::Store& store) {
  return static_cast<int>(store.is_published() ? ExitCode::done : ExitCode::io);
}

void check_named_place(const Options& options) {
  const auto named = cache::named_store(options.text("cache"));
  if (named && !cache::names_snapshot(*named)) cache::Store::check_place(*named);
}

std::int64_t parse_id(const std::string& word, std::string_view thing, std::string_view list) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (error == std::errc{} && end == word.data() + word.size() && id > 0) return id;
  throw UsageError(fmt::format("there is no {} '{}'; see: redtune {}", thing, word, list));
}

std::int64_t id_of(const Options& options, std::string_view thing, std::string_view list) {
  if (options.words().empty()) {
    throw UsageError(fmt::format("name the {} by its ID; see: redtune {}", thing, list));
  }
  return parse_id(options.words()[0], thing, list);
}

ResultFilter::ResultFilter(const Options& options)
    : ResultFilter(options, options.text("device")) {}

ResultFilter::ResultFilter(const Options& options, const std::string& device)
    : device_(lower(device)) {
  if (options.has("op")) {
    const std::string name = options.text("op");
    for (const Op op : {Op::custom, Op::kernel}) {
      if (name == to_string(op)) op_ = op;
    }
    if (!op_) op_ = parse_op(name);
  }
  if (options.has("type")) type_ = parse_dtype(options.text("type"));
}

bool ResultFilter::takes(const cache::StoredBest& result) const {
  const Problem& problem = result.question.problem;
  const DeviceClass& what = result.question.device_class;
  const auto names_device = [&](const std::string& text) {
    return lower(text).find(device_) != std::string::npos;
  };
  return (!op_ || *op_ == problem.op) && (!type_ || *type_ == problem.in) &&
         (names_device(result.device_name) || names_device(what.platform) ||
          names_device(what.isa));
}

std::string why_invalid(const cache::Question& question, const Settings& settings) {
  // Which configs a kernel of a user's has its file says, which nobody names here.
  if (question.problem.op == Op::kernel) return {};
  try {
    const kernels::Family& family = kernels::find_family(question.family);
    return family.why_invalid(settings, question.problem,
                              runtime::limits_of(identity_of(question)));
  } catch (const UsageError& error) {
    return error.what();
  }
}

std::string short_text(const cache::StoredBest& result) {
  const cache::Question& question = result.question;
  Settings telling = result.best.settings;
  try {
    const auto usual =
        kernels::find_family(question.family)
            .default_settings(question.problem, runtime::limits_of(identity_of(question)));
    std::erase_if(telling, [&](const Setting& setting) {
      return std::ranges::find(usual, setting) != usual.end();
    });
  } catch (const UsageError&) {
    // Of a family that only another version knows: everything tells.
  }
  return telling.empty() ? "the default" : to_string(telling);
}

Json json_of(const cache::PastResult& result) {
  const cache::StoredBest& stored = result.stored;
  const cache::Best& best = stored.best;
  Json device = tuner::json_of(DeviceIdentity{.device_class = stored.question.device_class,
                                              .toolchain = stored.question.toolchain,
                                              .name = stored.device_name});
  device.erase("address");
  device.erase("dies");
  Json document{{"id", stored.generation},
                {"problem", tuner::json_of(stored.question.problem)},
                {"device", std::move(device)},
                {"settings", tuner::json_of(best.settings)},
                {"time_us", tuner::json_of(best.time_us)},
                {"default_us", best.default_us},
                {"gain", tuner::json_of(best.gain)},
                {"gigabytes_per_second", best.gigabytes_per_second},
                {"reason", best.reason},
                {"at", stored.at},
                {"answers", result.answers},
                {"run", static_cast<std::int64_t>(stored.run)},
                {"origin", result.origin}};
  if (result.revoked) {
    document["revoked"] = {{"at", result.revoked->at}, {"reason", result.revoked->reason}};
  }
  return document;
}

}  // namespace redtune::cli
