// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache verify: is the store whole, does everything in it make sense, and do applications
// see it.
#include <fmt/format.h>
#include <set>

#include "cache/check_store.hpp"
#include "cache/paths.hpp"
#include "cache/snapshot.hpp"
#include "cache/trust.hpp"
#include "redtune/error.hpp"
#include "tuner/cli/cache_common.hpp"
#include "tuner/cli/commands.hpp"
#include "tuner/cli/say.hpp"

namespace redtune::tuner::cli {
namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string what;
  std::string advice;
  ExitCode code = ExitCode::failed;
};

struct Verdict {
  std::vector<Finding> findings{};
  std::size_t results = 0;
  std::size_t trials = 0;
  std::size_t runs = 0;
};

/// Reads everything, so that every row's hash is looked at.
cache::Store read_all(const fs::path& file, Verdict& verdict) {
  cache::Store store = cache::Store::copy_of(file);
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
  for (const std::string& warning : store.warnings()) {
    verdict.findings.push_back({warning, "nothing needs to be done: they are never used"});
  }
  return store;
}

/// A result as applications see it.
using Seen = std::pair<cache::Question, Settings>;

std::multiset<Seen> seen_in(const cache::Snapshot& snapshot) {
  std::multiset<Seen> seen;
  for (const auto& entry : snapshot.entries) seen.emplace(entry.question, entry.best.settings);
  return seen;
}

void check_snapshot(const cache::Store& store, const fs::path& file, Verdict& verdict) {
  const std::string renew = "redtune cache gc, or anything else that writes, renews it";
  const auto loaded = cache::load_snapshot(cache::snapshot_of(file));
  const cache::Snapshot expected = store.bests();
  if (const auto* refusal = std::get_if<cache::SnapshotRefusal>(&loaded)) {
    const bool is_missed =
        refusal->fault != cache::SnapshotFault::missing || !expected.entries.empty();
    if (is_missed) verdict.findings.push_back({refusal->detail, renew});
    return;
  }
  if (seen_in(std::get<cache::Snapshot>(loaded)) == seen_in(expected)) return;
  verdict.findings.push_back(
      {fmt::format("applications see other results than those of the store: {} is not in step",
                   cache::snapshot_of(file).string()),
       renew});
}

void check_trust(const fs::path& file, Verdict& verdict) {
  for (const fs::path& one : {file, cache::snapshot_of(file)}) {
    const std::string why = cache::why_untrusted(one);
    if (why.empty()) continue;
    verdict.findings.push_back({fmt::format("{} {}", one.string(), why),
                                "applications read it only when it is named to them"});
  }
}

Verdict verify(const fs::path& file) {
  Verdict verdict;
  for (const std::string& fault : cache::faults_of_file(file)) {
    verdict.findings.push_back({fault,
                                "rename it: an empty one takes its place, into which exports and "
                                "other stores can be taken",
                                ExitCode::io});
  }
  if (!verdict.findings.empty()) return verdict;
  const cache::Store store = read_all(file, verdict);
  check_snapshot(store, file, verdict);
  check_trust(file, verdict);
  return verdict;
}

ExitCode code_of(const Verdict& verdict) {
  ExitCode code = ExitCode::done;
  for (const Finding& finding : verdict.findings) {
    if (code != ExitCode::io) code = finding.code;
  }
  return code;
}

void print_text(const fs::path& file, const Verdict& verdict) {
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
  const Verdict verdict = verify(file);
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

}  // namespace redtune::tuner::cli
