// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache revoke: takes a result back, or the exclusion of a config.
#include <algorithm>
#include <fmt/format.h>

#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

/// Nothing: the family's default.
std::optional<cache::StoredBest> answer_instead(const cache::Store& store, std::int64_t id) {
  for (const cache::PastResult& past : store.history()) {
    if (past.stored.generation == id) return store.best(past.stored.question);
  }
  return std::nullopt;
}

void report(const Options& options, std::int64_t id, const cache::Store& store) {
  const auto instead = answer_instead(store, id);
  const std::string done = options.has("restore") ? "restored" : "revoked";
  if (options.has("json")) {
    Json document{{"id", id}, {"done", done}, {"answers_now", nullptr}};
    if (instead) document["answers_now"] = instead->generation;
    print_json(document);
  } else if (instead) {
    say("result {} is {}; result {} answers now: {}\n", id, done, instead->generation,
        to_string(instead->best.settings));
  } else {
    say("result {} is {}; the default answers now\n", id, done);
  }
}

int lift_exclusion(const Options& options) {
  const std::int64_t id = id_of(options, "exclusion", "cache list --excluded");
  cache::Store store = open_existing_store(options);
  store.lift_exclusion(id);
  if (options.has("json"))
    print_json({{"id", id}, {"done", "lifted"}});
  else
    say("exclusion {} is lifted; its config may be tried again\n", id);
  return 0;
}

}  // namespace

int run_cache_revoke(const Options& options) {
  if (options.has("excluded")) return lift_exclusion(options);
  const std::int64_t id = id_of(options, "result");
  cache::Store store = open_existing_store(options);
  const auto word = options.has("restore") ? cache::Word::restored : cache::Word::revoked;
  store.mark(id, word, options.text("reason"));
  show_warnings(store);
  report(options, id, store);
  return code_of(store);
}

}  // namespace redtune::cli
