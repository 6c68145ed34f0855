// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/fleet_exchange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "cache/exchange/exchange.hpp"
#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/keys/sha256.hpp"
#include "cli/arrivals.hpp"
#include "cli/cache_common.hpp"
#include "cli/wanted_list.hpp"
#include "fleet/documents.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// Beyond it results would be taken for those of the future, or win over newer ones.
constexpr double most_seconds_apart = 600;
/// Of a statement: what is sent again after a connection broke, and how long others wait.
constexpr std::size_t most_batch_entries = 100;
constexpr std::size_t most_batch_bytes = std::size_t{4} << 20;
constexpr std::size_t most_batch_wishes = 500;
constexpr std::size_t most_cursor_bytes = 4096;

/// Tells machines apart without saying which they are.
std::string node_name() {
  std::array<char, 256> name{};
  (void)gethostname(name.data(), name.size() - 1);
  return cache::sha256_hex(fmt::format("redtune node {}", name.data())).substr(0, 16);
}

std::vector<std::size_t> batch_ends(const std::vector<fleet::Entry>& entries) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool is_full = i - begin == most_batch_entries ||
                         (i > begin && bytes + entries[i].document.size() > most_batch_bytes);
    if (is_full) {
      ends.push_back(i);
      begin = i;
      bytes = 0;
    }
    bytes += entries[i].document.size();
  }
  if (!entries.empty()) ends.push_back(entries.size());
  return ends;
}

/// Why results were taken back for everybody, by their keys: another redtune may write another text
/// for the same result.
std::map<std::string, std::string> reasons_of(const std::vector<fleet::Revoked>& revoked) {
  std::map<std::string, std::string> reasons;
  for (const fleet::Revoked& one : revoked) {
    if (const auto key = fleet::result_key(one.document)) reasons[*key] = one.reason;
  }
  return reasons;
}

/// What is not there, and was not taken back in the words of another redtune.
void keep_missing(fleet::FleetStore& fleet, std::vector<fleet::Entry>& entries) {
  const auto missing = fleet.missing(entries);
  const std::set<std::string> wanted(missing.begin(), missing.end());
  std::erase_if(entries, [&](const fleet::Entry& entry) {
    return !wanted.contains(fleet::digest_of(entry.document));
  });
  if (entries.empty()) return;
  const auto reasons = reasons_of(fleet.revoked_beside(entries));
  if (reasons.empty()) return;
  std::erase_if(entries, [&](const fleet::Entry& entry) {
    const auto key = entry.kind == fleet::result_kind ? fleet::result_key(entry.document)
                                                      : std::optional<std::string>();
    return key && reasons.contains(*key);
  });
}

void push_wishes(fleet::FleetStore& fleet, const Options& options, Pushed& done) {
  std::vector<fleet::Wish> wishes;
  for (const WantedItem& item : wanted_list(options)) {
    if (fleet::may_be_shared(item.asked.question))
      wishes.push_back(fleet::wish_of(item.asked, item.usefulness));
  }
  done.wanted = wishes.size();
  for (std::size_t begin = 0; begin < wishes.size(); begin += most_batch_wishes) {
    const std::size_t count = std::min(most_batch_wishes, wishes.size() - begin);
    done.asked += fleet.wish(std::span(wishes).subspan(begin, count), node_name());
  }
}

/// Up to where a store has pulled, in a file beside it.
class CursorFile {
 public:
  /// asked: what else decides which entries are taken; with another one all are looked at again.
  CursorFile(const fs::path& store, const std::string& asked)
      : file_(cache::follow_link(store).string() + ".fleet.json"),
        asked_(fmt::format("{} {}", asked, mark_of_file(store))) {}

  [[nodiscard]] fleet::Cursor read() const {
    const auto content = cache::read_whole(file_, most_cursor_bytes);
    if (!std::holds_alternative<std::string>(content)) return {};
    const Json json = Json::parse(std::get<std::string>(content), nullptr, false);
    try {
      if (json.at("format") != format || json.at("asked") != asked_) return {};
      return {json.at("store").get<std::string>(), json.at("entry").get<std::int64_t>(),
              json.at("digest").get<std::string>(), json.value("revoked", "")};
    } catch (const Json::exception&) {
      return {};
    }
  }
  void write(const fleet::Cursor& cursor) const {
    const Json json{{"format", format},   {"asked", asked_},         {"store", cursor.store},
                    {"entry", cursor.id}, {"digest", cursor.digest}, {"revoked", cursor.revoked}};
    cache::replace_file(file_, json.dump() + "\n");
  }

 private:
  static constexpr const char* format = "redtune fleet cursor 1";

  /// Another file in the store's place knows nothing of what was pulled; it may have the number of
  /// the one that is gone.
  static std::string mark_of_file(const fs::path& store) {
    struct statx status {};
    if (statx(AT_FDCWD, store.c_str(), 0, STATX_INO | STATX_BTIME, &status) != 0) return "none";
    const bool has_birth = (status.stx_mask & STATX_BTIME) != 0;
    return fmt::format("{} {}.{}", status.stx_ino, has_birth ? status.stx_btime.tv_sec : 0,
                       has_birth ? status.stx_btime.tv_nsec : 0);
  }

  fs::path file_;
  std::string asked_;
};

/// Of each role that has pushed.
using Arrived = std::map<std::string, cache::Incoming>;

void add_arrival(const fleet::Pulled& entry, Arrived& arrived) {
  cache::Incoming& incoming = arrived[entry.by];
  try {
    cache::Incoming one = cache::read_exchange(entry.document);
    leave_out_invalid(one);
    std::ranges::move(one.runs, std::back_inserter(incoming.runs));
    std::ranges::move(one.borders, std::back_inserter(incoming.borders));
    for (const std::string& why : one.skipped) {
      incoming.skipped.push_back(fmt::format("entry {}: {}", entry.id, why));
    }
  } catch (const UsageError& error) {
    incoming.skipped.push_back(fmt::format("entry {}: {}", entry.id, error.what()));
  }
}

std::int64_t newest_generation(const cache::Store& store) {
  const auto all = store.history();
  return all.empty() ? 0 : all.front().stored.generation;
}

/// Results that were taken back for everybody answer nobody here either.
std::size_t revoke_here(cache::Store& store, const std::vector<fleet::Revoked>& revoked) {
  const auto reasons = reasons_of(revoked);
  if (reasons.empty()) return 0;
  std::size_t done = 0;
  for (const cache::PastResult& past : store.history()) {
    if (past.revoked) continue;
    const auto reason = reasons.find(fleet::result_key(past.stored));
    if (reason == reasons.end()) continue;
    store.mark(past.stored.generation, cache::Word::revoked,
               fmt::format("taken back for the whole fleet: {}", printable(reason->second)));
    ++done;
  }
  return done;
}

}  // namespace

void check_clock(fleet::FleetStore& fleet) {
  const double ahead = fleet.clock_ahead();
  if (std::abs(ahead) <= most_seconds_apart) return;
  throw IoError(fmt::format(
      "this machine's clock is {:.0f} min {} the database's; results would be too old or "
      "to come for others: set the clock that is wrong",
      std::abs(ahead) / 60, ahead > 0 ? "ahead of" : "behind"));
}

Pushed push_to(fleet::FleetStore& fleet, const Options& options, const fleet::SigningKey* key) {
  check_clock(fleet);
  Pushed done;
  const auto path = cache::store_path(options.text("cache"));
  std::vector<fleet::Entry> entries;
  if (path && (fs::exists(*path) || has_snapshot(*path))) {
    const cache::Store store = cache::Store::look_at(*path);
    show_warnings(store);
    entries = fleet::documents_in(store);
  }
  const std::size_t all = entries.size();
  if (key != nullptr) {
    for (fleet::Entry& entry : entries) entry.signature = key->sign(entry.document);
  }
  keep_missing(fleet, entries);
  done.known = all - entries.size();
  std::size_t begin = 0;
  for (const std::size_t end : batch_ends(entries)) {
    const auto batch = std::span(entries).subspan(begin, end - begin);
    (void)fleet.add(batch);
    for (const fleet::Entry& entry : batch) {
      done.results += entry.kind == fleet::result_kind ? 1 : 0;
      done.borders += entry.kind == fleet::border_kind ? 1 : 0;
      done.runs += entry.kind == fleet::trials_kind ? 1 : 0;
    }
    begin = end;
  }
  push_wishes(fleet, options, done);
  return done;
}

PulledAll pull_from(fleet::FleetStore& fleet, const Options& options, Prover* prover) {
  const std::string folder = options.text("keys");
  const fleet::AllowedKeys keys(
      folder, options.is_given("keys") ? fleet::Keys::must_be_there : fleet::Keys::may_be_missing);
  const bool is_unsigned_taken = options.has("unsigned");
  if (keys.is_empty() && !is_unsigned_taken) {
    throw UsageError(
        fmt::format("no key in {} says who is believed; put public keys there (redtune fleet key), "
                    "or take what anybody who may push has pushed: --unsigned",
                    folder));
  }
  check_clock(fleet);
  std::vector<std::string> kinds{std::string(fleet::result_kind), std::string(fleet::border_kind)};
  if (options.has("trials")) kinds.emplace_back(fleet::trials_kind);
  cache::Store store = open_or_create(options);
  show_warnings(store);
  const CursorFile file(*store.file(), fmt::format("{} {} {} {}{}", version, keys.fingerprint(),
                                                   is_unsigned_taken ? "unsigned" : "signed",
                                                   fmt::join(kinds, ","), prover ? " proved" : ""));
  PulledAll all;
  fleet::Cursor cursor = file.read();
  bool is_all_taken = true;
  for (;;) {
    const fleet::Page page = fleet.pull(cursor, kinds);
    all.is_anew = all.is_anew || page.is_anew;
    if (page.entries.empty()) break;
    all.entries += page.entries.size();
    cursor = page.next;
    Arrived arrived;
    for (const fleet::Pulled& entry : page.entries) {
      if (entry.is_revoked) cursor.revoked.clear();
      const fleet::Signed is_signed = keys.judge(entry.document, entry.signature);
      const bool is_whole = fleet::digest_of(entry.document) == entry.digest;
      if (!is_whole || is_signed == fleet::Signed::falsely)
        ++all.forged;
      else if (is_signed != fleet::Signed::by_allowed_key && !is_unsigned_taken)
        ++all.unsigned_ones;
      else
        add_arrival(entry, arrived);
    }
    for (const auto& [by, incoming] : arrived) {
      const std::string origin = fmt::format("fleet store {}, by {}", page.next.store, by);
      const cache::Adopted done = adopt_arrivals(store, origin, origin, incoming, prover);
      tell_skipped(origin, incoming.skipped);
      tell_refused(origin, done.refused);
      all.left_out += incoming.skipped.size() + done.refused;
      all.adopted += done;
    }
    // Behind what was taken over: who is killed here takes the page again, which changes nothing.
    // Who could not be proved comes again as well.
    is_all_taken = prover == nullptr || prover->counts().unproved == 0;
    if (is_all_taken) file.write(cursor);
  }
  // All that was taken back is looked at when there is something new in it, or here, whichever way
  // that came.
  if (const std::string mark =
          fmt::format("{} {}", fleet.mark_of_revoked(), newest_generation(store));
      mark != cursor.revoked) {
    all.revoked = revoke_here(store, fleet.revoked());
    cursor.revoked = mark;
    if (is_all_taken) file.write(cursor);
  }
  show_warnings(store);
  all.is_published = store.is_published();
  return all;
}

}  // namespace redtune::cli
