// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache import, redtune cache merge: results of other machines, as files. Where keys are
// allowed, only what is signed by one of them is taken.
#include <algorithm>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/exchange/exchange.hpp"
#include "cache/files/files.hpp"
#include "cli/arrivals.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/prove.hpp"
#include "cli/say.hpp"
#include "fleet/signing.hpp"
#include "redtune/error.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

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

/// Whom this machine believes, and whether it takes what nobody has signed as well.
struct Belief {
  explicit Belief(const Options& options)
      : folder(options.text("keys")),
        keys(folder,
             options.is_given("keys") ? fleet::Keys::must_be_there : fleet::Keys::may_be_missing),
        is_unsigned_taken(options.has("unsigned")) {}

  std::string folder;
  fleet::AllowedKeys keys;
  bool is_unsigned_taken;
};

/// What lies beside a file and signs it; nothing where there is no such file.
fleet::Signature signature_of(const fs::path& file) {
  const fs::path beside = file.string() + ".sig";
  std::error_code error;
  if (!fs::exists(beside, error)) return {};
  const auto signature = fleet::signature_from(content_of(beside));
  if (signature) return *signature;
  throw UsageError(fmt::format("{} is no signature of redtune", beside.string()));
}

void check_signature(const fs::path& file, const std::string& content, const Belief& belief) {
  const fleet::Signature signature = signature_of(file);
  const fleet::Signed is_signed = belief.keys.judge(content, signature);
  if (is_signed == fleet::Signed::falsely) {
    throw UsageError(fmt::format("{}.sig does not sign {}: one of them was changed or is torn",
                                 file.string(), file.string()));
  }
  const bool is_asked = !belief.keys.is_empty() && !belief.is_unsigned_taken;
  if (!is_asked || is_signed == fleet::Signed::by_allowed_key) return;
  throw UsageError(fmt::format(
      "{} is {}, and this machine takes only what a key in {} has signed; --unsigned "
      "takes it all the same",
      file.string(), signature.is_there() ? "signed by another key" : "not signed", belief.folder));
}

cache::Incoming read_file(const fs::path& file, const Belief& belief) {
  try {
    const std::string content = content_of(file);
    check_signature(file, content, belief);
    return cache::read_exchange(content);
  } catch (const UsageError& error) {
    const std::string text = error.what();
    const bool is_named = text.find(file.string()) != std::string::npos;
    throw UsageError(is_named ? text : fmt::format("{}: {}", file.string(), text));
  }
}

cache::Incoming read_store(const fs::path& file, const Belief& belief) {
  if (!belief.keys.is_empty() && !belief.is_unsigned_taken) {
    throw UsageError(
        fmt::format("a store is not signed, and this machine takes only what a key in {} has "
                    "signed; --unsigned takes it all the same",
                    belief.folder));
  }
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

int take_over(const Options& options, cache::Incoming (*read)(const fs::path&, const Belief&),
              std::string_view what) {
  if (options.words().empty()) throw UsageError(fmt::format("name at least one {}", what));
  const Belief belief(options);
  std::vector<std::pair<fs::path, cache::Incoming>> all;
  for (const std::string& word : options.words()) {  // all are read before anything is changed
    all.emplace_back(word, read(word, belief));
    leave_out_invalid(all.back().second);
  }
  cache::Store store = open_or_create(options);
  const std::unique_ptr<Prover> prover = prover_of(options);
  Json rows = Json::array();
  bool is_any_fit = false;
  for (const auto& [file, incoming] : all) {
    tell_skipped(file.string(), incoming.skipped);
    is_any_fit = is_any_fit || !incoming.runs.empty() || incoming.skipped.empty();
    const std::string origin = fmt::format("{} {}", what, fs::absolute(file).string());
    const cache::Adopted done =
        adopt_arrivals(store, file.string(), origin, incoming, prover.get());
    tell_refused(file.string(), done.refused);
    const std::size_t left_out = incoming.skipped.size() + done.refused;
    rows.push_back(adopted_json(done, file, left_out));
    if (!options.has("json")) say("{}: {}\n", file.string(), text_of(done, left_out));
  }
  show_warnings(store);
  if (options.has("json")) {
    Json document{{"taken_over", rows}};
    if (prover) document["proof"] = prover->json();
    print_json(document);
  } else if (prover) {
    say("{}\n", prover->text());
  }
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
