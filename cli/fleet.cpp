// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune fleet init, push, pull, status, revoke: what machines share, in a PostgreSQL database.
#include <fmt/format.h>
#include <optional>
#include <spdlog/spdlog.h>
#include <string>

#include "cli/arrivals.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fleet_exchange.hpp"
#include "cli/names.hpp"
#include "cli/prove.hpp"
#include "cli/say.hpp"
#include "fleet/documents.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

std::string url_of(const Options& options) {
  if (options.words().empty()) {
    throw UsageError("name the fleet store by its URL: postgresql://HOST/DATABASE");
  }
  return options.words()[0];
}

fleet::FleetStore open_fleet(const Options& options) {
  return {url_of(options), version};
}

Json pushed_json(const Pushed& done) {
  return {{"results", done.results}, {"borders", done.borders}, {"runs", done.runs},
          {"known", done.known},     {"wanted", done.wanted},   {"asked", done.asked}};
}

std::string pushed_text(const Pushed& done) {
  std::string text =
      fmt::format("pushed {}, {} and the trials of {}", counted(done.results, "result"),
                  counted(done.borders, "border"), counted(done.runs, "run"));
  if (done.known > 0) text += fmt::format("; {} of this machine's were there", done.known);
  if (done.wanted > 0)
    text += fmt::format("; {} wanted, {} of them new there", counted(done.wanted, "question"),
                        done.asked);
  return text;
}

Json pulled_json(const PulledAll& done) {
  return {{"entries", done.entries},         {"results", done.adopted.results},
          {"runs", done.adopted.runs},       {"trials", done.adopted.trials},
          {"borders", done.adopted.borders}, {"known", done.adopted.known},
          {"older", done.adopted.older},     {"unsigned", done.unsigned_ones},
          {"forged", done.forged},           {"left_out", done.left_out},
          {"revoked", done.revoked},         {"from_the_beginning", done.is_anew}};
}

std::string pulled_text(const PulledAll& done) {
  std::string text =
      fmt::format("{} read; {} results, {} runs, {} trials taken over",
                  done.entries == 1 ? "1 entry" : fmt::format("{} entries", done.entries),
                  done.adopted.results, done.adopted.runs, done.adopted.trials);
  if (done.adopted.borders > 0)
    text += fmt::format("; {} between them", counted(done.adopted.borders, "border"));
  if (done.adopted.known > 0)
    text += fmt::format("; {} results were known already", done.adopted.known);
  if (done.adopted.older > 0)
    text += fmt::format("; {} are older than what is here", done.adopted.older);
  if (done.revoked > 0) text += fmt::format("; {} taken back", counted(done.revoked, "result"));
  return text;
}

void warn_of(const PulledAll& done) {
  if (done.is_anew) {
    spdlog::info("the store is another one than last time, or was restored: all is read again");
  }
  if (done.unsigned_ones > 0) {
    spdlog::warn("{} of {} entries are not signed by an allowed key, and were left out",
                 done.unsigned_ones, done.entries);
  }
  if (done.forged > 0) {
    spdlog::warn("{} of {} entries are torn, or their signature is not theirs: they were left out",
                 done.forged, done.entries);
  }
}

Json status_json(const fleet::Status& status) {
  Json holders = Json::array();
  for (const auto& holder : status.holders) {
    holders.push_back({{"holder", holder.name},
                       {"role", holder.role},
                       {"questions", holder.questions},
                       {"seconds_left", holder.seconds_left}});
  }
  return {{"schema", status.version},
          {"server", status.server},
          {"bytes", status.bytes},
          {"results", status.results},
          {"borders", status.borders},
          {"runs", status.runs},
          {"signed", status.signed_ones},
          {"revoked", status.revoked},
          {"device_classes", status.device_classes},
          {"newest", status.newest.empty() ? Json() : Json(status.newest)},
          {"questions",
           {{"open", status.open},
            {"claimed", status.claimed},
            {"tuned", status.tuned},
            {"tried", status.tried}}},
          {"holders", std::move(holders)}};
}

void show_status(const fleet::Status& status) {
  say("schema     {}, in PostgreSQL {}, {:.1f} MiB\n", status.version, status.server,
      static_cast<double>(status.bytes) / (1 << 20));
  say("results    {} on {}; {}; trials of {}\n", status.results,
      status.device_classes == 1 ? "1 class of devices"
                                 : fmt::format("{} classes of devices", status.device_classes),
      counted(static_cast<std::size_t>(status.borders), "border"),
      counted(static_cast<std::size_t>(status.runs), "run"));
  say("           {} signed, {} taken back, the newest of {}\n", status.signed_ones, status.revoked,
      status.newest.empty() ? "never" : status.newest);
  say("questions  {} open, {} being tuned, {} answered, {} tried in vain\n", status.open,
      status.claimed, status.tuned, status.tried);
  for (const auto& holder : status.holders) {
    say("           {} ({}) is at {}, for {} s more\n", holder.name, holder.role,
        counted(static_cast<std::size_t>(holder.questions), "question"), holder.seconds_left);
  }
}

/// Each text that there is of it.
void take_back(fleet::FleetStore fleet, const cache::StoredBest& result,
               const std::string& reason) {
  const std::string key = fleet::result_key(result);
  bool is_there = false;
  for (const std::string& document : fleet.results_of(fleet::keys_of(result.question).question)) {
    if (fleet::result_key(document) != key) continue;
    fleet.revoke(fleet::digest_of(document), reason);
    is_there = true;
  }
  if (!is_there) throw UsageError("the fleet store does not have this result");
}

}  // namespace

int run_fleet_init(const Options& options) {
  const fleet::Made made = fleet::FleetStore::init(url_of(options), version);
  if (options.has("json")) {
    print_json({{"from", made.from}, {"schema", made.to}});
  } else if (made.from == made.to) {
    say("the fleet store is there, with schema {}\n", made.to);
  } else if (made.from == 0) {
    say("the fleet store is made, with schema {}; let others in: GRANT redtune_publisher TO ROLE, "
        "or redtune_reader, redtune_curator\n",
        made.to);
  } else {
    say("the fleet store had schema {} and has {} now\n", made.from, made.to);
  }
  return 0;
}

int run_fleet_push(const Options& options) {
  std::optional<fleet::SigningKey> key;
  if (options.has("sign")) key.emplace(options.text("sign"));
  fleet::FleetStore store = open_fleet(options);
  const Pushed done = push_to(store, options, key ? &*key : nullptr);
  if (options.has("json"))
    print_json(pushed_json(done));
  else
    say("{}\n", pushed_text(done));
  return 0;
}

int run_fleet_pull(const Options& options) {
  fleet::FleetStore store = open_fleet(options);
  const std::unique_ptr<Prover> prover = prover_of(options);
  const PulledAll done = pull_from(store, options, prover.get());
  warn_of(done);
  if (options.has("json")) {
    Json document = pulled_json(done);
    if (prover) document["proof"] = prover->json();
    print_json(document);
  } else {
    say("{}\n", pulled_text(done));
    if (prover) say("{}\n", prover->text());
  }
  return static_cast<int>(done.is_published ? ExitCode::done : ExitCode::io);
}

int run_fleet_status(const Options& options) {
  fleet::FleetStore store = open_fleet(options);
  const fleet::Status status = store.status();
  if (options.has("json"))
    print_json(status_json(status));
  else
    show_status(status);
  return 0;
}

int run_fleet_revoke(const Options& options) {
  if (options.words().size() < 2) {
    throw UsageError(
        "name the fleet store and the result, by its ID here; see: redtune cache list");
  }
  const std::int64_t id = parse_id(options.words()[1], "result", "cache list");
  cache::Store here = open_existing_store(options);
  for (const cache::PastResult& past : here.history()) {
    if (past.stored.generation != id) continue;
    const std::string reason = options.text("reason");
    take_back(open_fleet(options), past.stored, reason);
    if (!past.revoked) here.mark(id, cache::Word::revoked, reason);
    if (options.has("json"))
      print_json({{"id", id}, {"revoked", true}});
    else
      say("result {} is taken back, here now and on other machines when they pull\n", id);
    return code_of(here);
  }
  throw UsageError(fmt::format("there is no result {}; see: redtune cache list", id));
}

}  // namespace redtune::cli
