// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache verify: is the store whole, does everything in it make sense, and do applications
// see it.
#include <fmt/format.h>
#include <set>

#include "cache/files/paths.hpp"
#include "cache/files/trust.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "cache/store/check_store.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/say.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string what;
  std::string advice;
  ExitCode code = ExitCode::failed;
};

struct RowVerdict {
  std::vector<Finding> findings{};
  std::size_t results = 0;
  std::size_t trials = 0;
  std::size_t runs = 0;
};

/// Reads everything, so that every row's hash is looked at.
void read_all(const cache::Store& store, RowVerdict& verdict) {
  for (const cache::RunSummary& run : store.runs()) {
    ++verdict.runs;
    verdict.trials += store.trials(run.id).size();
  }
  for (const cache::PastResult& past : store.history()) {
    ++verdict.results;
    const auto& [stored, origin, revoked, answers] = past;
    const std::string why = why_invalid(stored.question, stored.best.settings);
    if (why.empty() || !answers) continue;
    verdict.findings.push_back({fmt::format("result {} cannot run: {}", stored.generation, why),
                                fmt::format("redtune cache revoke {}", stored.generation)});
  }
  (void)store.borders();
  for (const std::string& warning : store.warnings()) {
    verdict.findings.push_back({warning, "nothing needs to be done: they are never used"});
  }
}

/// A result as applications see it.
using Seen = std::pair<cache::Question, Settings>;

std::multiset<Seen> seen_in(const cache::Snapshot& snapshot) {
  std::multiset<Seen> seen;
  for (const auto& entry : snapshot.entries) seen.emplace(entry.question, entry.best.settings);
  return seen;
}

void check_snapshot(const cache::Store& store, const fs::path& file, RowVerdict& verdict) {
  const std::string renew = "redtune cache gc, or anything else that writes, renews it";
  const auto loaded = cache::load_snapshot(file);
  const cache::Snapshot expected = store.bests();
  if (const auto* refusal = std::get_if<cache::SnapshotRefusal>(&loaded)) {
    const bool is_missed =
        refusal->fault != cache::SnapshotFault::missing || !expected.entries.empty();
    if (is_missed) verdict.findings.push_back({refusal->detail, renew});
    return;
  }
  const auto& found = std::get<cache::Snapshot>(loaded);
  if (seen_in(found) == seen_in(expected) && found.borders == expected.borders) return;
  verdict.findings.push_back(
      {fmt::format("applications see other results than those of the store: {} is not in step",
                   file.string()),
       found.generation > expected.generation
           ? "redtune cache gc keeps in the store what only the snapshot knows"
           : renew});
}

/// A place that was given a snapshot only serves applications as well.
void read_snapshot_alone(const fs::path& file, RowVerdict& verdict) {
  const auto loaded = cache::load_snapshot(file);
  if (const auto* found = std::get_if<cache::Snapshot>(&loaded)) {
    verdict.results = found->entries.size();
    return;
  }
  verdict.findings.push_back({std::get<cache::SnapshotRefusal>(loaded).detail,
                              "copy it there again, or tune: redtune tune"});
}

void check_trust(const fs::path& file, RowVerdict& verdict) {
  const std::string why = cache::why_untrusted(file);
  if (why.empty()) return;
  verdict.findings.push_back({fmt::format("{} {}", file.string(), why),
                              "applications read it only when it is named to them"});
}

void verify_store(const fs::path& file, RowVerdict& verdict) {
  for (const std::string& fault : cache::faults_of_file(file)) {
    verdict.findings.push_back({fault,
                                "redtune cache gc puts the file aside, and takes what can be read "
                                "of it into a new one",
                                ExitCode::io});
  }
  if (!verdict.findings.empty()) return;
  const cache::Store store = cache::Store::copy_of(file);
  read_all(store, verdict);
  check_snapshot(store, cache::snapshot_of(file), verdict);
  check_trust(file, verdict);
}

ExitCode code_of(const RowVerdict& verdict) {
  ExitCode code = ExitCode::done;
  for (const Finding& finding : verdict.findings) {
    if (code != ExitCode::io) code = finding.code;
  }
  return code;
}

RowVerdict verify(const fs::path& file) {
  RowVerdict verdict;
  const fs::path snapshot = cache::snapshot_of(file);
  std::error_code ignored;
  if (fs::exists(file, ignored))
    verify_store(file, verdict);
  else
    read_snapshot_alone(snapshot, verdict);
  if (code_of(verdict) != ExitCode::io) check_trust(snapshot, verdict);
  return verdict;
}

void print_text(const fs::path& file, const RowVerdict& verdict) {
  for (const Finding& finding : verdict.findings) {
    say("{}\n  {}\n", finding.what, finding.advice);
  }
  if (code_of(verdict) == ExitCode::io) return;
  say("{}: {} results, {} runs, {} trials; {}\n", file.string(), verdict.results, verdict.runs,
      verdict.trials,
      verdict.findings.empty() ? "all is well"
                               : fmt::format("{} to look at", verdict.findings.size()));
}

}  // namespace

int run_cache_verify(const Options& options) {
  const fs::path file = existing_store(options);
  const RowVerdict verdict = verify(file);
  if (options.has("json")) {
    Json findings = Json::array();
    for (const Finding& finding : verdict.findings) {
      findings.push_back({{"what", finding.what}, {"advice", finding.advice}});
    }
    print_json({{"store", file.string()},
                {"results", verdict.results},
                {"runs", verdict.runs},
                {"trials", verdict.trials},
                {"findings", findings}});
  } else {
    print_text(file, verdict);
  }
  return static_cast<int>(code_of(verdict));
}

}  // namespace redtune::cli
