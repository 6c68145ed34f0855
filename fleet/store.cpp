// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "fleet/store.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cache/keys/sha256.hpp"
#include "fleet/schema.hpp"

namespace redtune::fleet {
namespace {

constexpr int oldest_server = 130000;
/// Of the documents of a page together: what a machine can hold, whoever has filled the store.
constexpr const char* most_page_bytes = "33554432";
constexpr const char* most_page_entries = "500";

std::int64_t number_in(const Value& value) {
  return value ? std::stoll(*value) : 0;
}

std::string text_in(const Value& value) {
  return value.value_or("");
}

/// Of a statement that this role may not do: who can help.
[[noreturn]] void explain(const Refused& error, std::string_view help) {
  if (error.state() == "42501") throw UsageError(fmt::format("{}; {}", error.what(), help));
  throw error;
}

constexpr std::string_view how_to_be_let_in =
    "whoever made the store lets a role in by: GRANT redtune_publisher TO it, or redtune_reader, "
    "which only pulls";

/// 0: there is no store.
int version_in(Connection& connection) {
  if (connection.server_version() < oldest_server) {
    throw UsageError(fmt::format("the database is PostgreSQL {}; a fleet store needs 13 or later",
                                 connection.server_version() / 10000));
  }
  const auto schema =
      connection.ask("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'redtune'");
  if (schema.empty()) return 0;
  return static_cast<int>(
      number_in(connection.ask("SELECT max(version) FROM redtune.migration").at(0).at(0)));
}

void refuse_newer(int version) {
  if (version <= schema_version()) return;
  throw UsageError(fmt::format(
      "the fleet store has schema {}, and this redtune knows {}: install a newer redtune here",
      version, schema_version()));
}

std::vector<std::string> members(std::span<const Entry> entries, std::string Entry::*member) {
  std::vector<std::string> values;
  for (const Entry& entry : entries) values.push_back(entry.*member);
  return values;
}

std::vector<std::string> members(std::span<const Wish> wishes, std::string Wish::*member) {
  std::vector<std::string> values;
  for (const Wish& wish : wishes) values.push_back(wish.*member);
  return values;
}

std::vector<std::string> members(std::span<const Claim> claims, std::string Claim::*member) {
  std::vector<std::string> values;
  for (const Claim& claim : claims) values.push_back(claim.*member);
  return values;
}

/// By what rows are told apart.
struct Signatures {
  std::vector<std::string> digests{};
  std::vector<std::string> signers{};
  std::vector<std::string> signatures{};
};

Signatures signatures_of(std::span<const Entry> entries) {
  Signatures all;
  for (const Entry& entry : entries) {
    all.digests.push_back(digest_of(entry.document));
    all.signers.push_back(entry.signature.signer);
    all.signatures.push_back(entry.signature.text);
  }
  return all;
}

std::string seconds_text(std::chrono::seconds lease) {
  return fmt::format("{} seconds", lease.count());
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::open:
      return "open";
    case Outcome::tuned:
      return "tuned";
    case Outcome::tried:
      return "tried";
    case Outcome::known:
      return "known";
  }
  return "open";
}

}  // namespace

std::string digest_of(const std::string& document) {
  return cache::sha256_hex(document);
}

Made FleetStore::init(const std::string& url, const std::string& build, int up_to) {
  Connection connection(url);
  try {
    connection.run("BEGIN");
    // Of two that begin at once the second finds all done.
    connection.run("SELECT pg_advisory_xact_lock(hashtext('redtune.migration'))");
    const int from = version_in(connection);
    refuse_newer(from);
    const auto encoding = connection.ask("SHOW server_encoding");
    if (encoding.at(0).at(0) != "UTF8") {
      throw UsageError(
          fmt::format("the database is encoded in {}; a fleet store needs UTF8: createdb -E UTF8 "
                      "-T template0",
                      text_in(encoding.at(0).at(0))));
    }
    const int to = up_to > 0 ? up_to : schema_version();
    for (int version = from + 1; version <= to; ++version) {
      connection.run(std::string(migrations()[static_cast<std::size_t>(version - 1)]));
      (void)connection.ask(
          "INSERT INTO redtune.migration (version, build) VALUES ($1::integer, $2)",
          {std::to_string(version), build});
    }
    connection.run("COMMIT");
    return {from, std::max(from, to)};
  } catch (const Refused& error) {
    explain(error,
            "fleet init needs a role that may create schemas and roles in this database, such as "
            "its owner with CREATEROLE");
  }
}

FleetStore::FleetStore(const std::string& url, std::string build,
                       std::optional<std::chrono::milliseconds> limit)
    : connection_(url, limit), build_(std::move(build)) {
  int version = 0;
  try {
    version = version_in(connection_);
  } catch (const Refused& error) {
    explain(error, how_to_be_let_in);
  }
  if (version == 0) {
    throw UsageError("there is no fleet store in this database yet; make it: redtune fleet init");
  }
  refuse_newer(version);
  if (version < schema_version()) {
    throw UsageError(fmt::format(
        "the fleet store has schema {}, and this redtune needs {}: whoever owns it brings it up to "
        "date by redtune fleet init; older redtunes must be renewed then",
        version, schema_version()));
  }
}

std::vector<Row> FleetStore::ask(const std::string& statement,
                                 const std::vector<Value>& parameters) {
  try {
    return connection_.ask(statement, parameters);
  } catch (const Refused& error) {
    explain(error, how_to_be_let_in);
  }
}

std::vector<std::string> FleetStore::missing(std::span<const Entry> entries) {
  const Signatures of = signatures_of(entries);
  std::vector<std::string> found;
  for (const Row& row :
       ask("SELECT digest FROM unnest($1::text[], $2::text[], $3::text[])"
           " AS one(digest, signer, signature) WHERE NOT EXISTS (SELECT FROM redtune.entry AS e"
           " WHERE e.digest = decode(one.digest, 'hex') AND e.signer = decode(one.signer, 'hex')"
           " AND e.signature = decode(one.signature, 'hex'))",
           {array_text(of.digests), array_text(of.signers), array_text(of.signatures)})) {
    found.push_back(text_in(row.at(0)));
  }
  return found;
}

std::size_t FleetStore::add(std::span<const Entry> entries) {
  const Signatures of = signatures_of(entries);
  const auto rows = ask(
      "WITH added AS (INSERT INTO redtune.entry"
      " (kind, device_class, question, subject, document, digest, signer, signature, build)"
      " SELECT kind, decode(class, 'hex'), decode(question, 'hex'), decode(subject, 'hex'),"
      " document, decode(digest, 'hex'), decode(signer, 'hex'), decode(signature, 'hex'), $9"
      " FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],"
      " $7::text[], $8::text[])"
      " AS one(kind, class, question, subject, document, digest, signer, signature)"
      " ON CONFLICT (digest, signer, signature) DO NOTHING RETURNING 1) SELECT count(*) FROM added",
      {array_text(members(entries, &Entry::kind)),
       array_text(members(entries, &Entry::device_class)),
       array_text(members(entries, &Entry::question)),
       array_text(members(entries, &Entry::subject)),
       array_text(members(entries, &Entry::document)), array_text(of.digests),
       array_text(of.signers), array_text(of.signatures), build_});
  return static_cast<std::size_t>(number_in(rows.at(0).at(0)));
}

Page FleetStore::pull(const Cursor& cursor, const std::vector<std::string>& kinds) {
  Page page{.entries = {}, .next = cursor, .is_anew = false};
  const std::string store = text_in(ask("SELECT id::text FROM redtune.store").at(0).at(0));
  bool is_ours = cursor.store == store;
  if (is_ours && cursor.id > 0) {
    const auto last = ask("SELECT encode(digest, 'hex') FROM redtune.entry WHERE id = $1::bigint",
                          {std::to_string(cursor.id)});
    is_ours = !last.empty() && last[0].at(0) == cursor.digest;
  }
  if (!is_ours) {
    page.is_anew = !cursor.store.empty();
    page.next = {.store = store, .id = 0, .digest = {}, .revoked = {}};
  }
  const auto rows =
      ask("SELECT id, kind, document, encode(digest, 'hex'), encode(signer, 'hex'),"
          " encode(signature, 'hex'), pushed_by, build,"
          " EXISTS (SELECT FROM redtune.revocation AS r WHERE r.digest = page.digest) FROM"
          " (SELECT one.*, sum(octet_length(document)) OVER (ORDER BY id) AS bytes,"
          "  row_number() OVER (ORDER BY id) AS place FROM"
          "  (SELECT * FROM redtune.entry WHERE id > $1::bigint AND kind = ANY ($2::text[])"
          "   ORDER BY id LIMIT $3::bigint) AS one) AS page"
          " WHERE bytes <= $4::bigint OR place = 1 ORDER BY id",
          {std::to_string(page.next.id), array_text(kinds), most_page_entries, most_page_bytes});
  for (const Row& row : rows) {
    page.entries.push_back({.id = number_in(row[0]),
                            .kind = text_in(row[1]),
                            .document = text_in(row[2]),
                            .digest = text_in(row[3]),
                            .signature = {text_in(row[4]), text_in(row[5])},
                            .by = text_in(row[6]),
                            .build = text_in(row[7]),
                            .is_revoked = text_in(row[8]) == "t"});
  }
  if (!page.entries.empty()) {
    page.next.id = page.entries.back().id;
    page.next.digest = page.entries.back().digest;
  }
  return page;
}

std::vector<Revoked> FleetStore::revoked() {
  std::vector<Revoked> all;
  for (const Row& row :
       ask("SELECT reason, document FROM redtune.revocation AS r CROSS JOIN LATERAL"
           " (SELECT document FROM redtune.entry AS e WHERE e.digest = r.digest LIMIT 1) AS taken"
           " ORDER BY r.id")) {
    all.push_back({text_in(row.at(0)), text_in(row.at(1))});
  }
  return all;
}

std::string FleetStore::mark_of_revoked() {
  cache::Sha256 hash;
  const auto rows = ask("SELECT encode(digest, 'hex') FROM redtune.revocation ORDER BY id");
  for (const Row& row : rows) hash.update(text_in(row.at(0)));
  return rows.empty() ? "" : hash.hex();
}

std::vector<Revoked> FleetStore::revoked_beside(std::span<const Entry> entries) {
  std::vector<Revoked> all;
  for (const Row& row :
       ask("SELECT reason, document FROM redtune.revocation AS r JOIN redtune.entry AS e"
           " ON e.digest = r.digest WHERE kind = 'result' AND question IN"
           " (SELECT decode(one, 'hex') FROM unnest($1::text[]) AS one)",
           {array_text(members(entries, &Entry::question))})) {
    all.push_back({text_in(row.at(0)), text_in(row.at(1))});
  }
  return all;
}

std::vector<std::string> FleetStore::results_of(const std::string& question) {
  std::vector<std::string> documents;
  for (const Row& row : ask("SELECT DISTINCT document FROM redtune.entry WHERE kind = 'result'"
                            " AND question = decode($1, 'hex')",
                            {question})) {
    documents.push_back(text_in(row.at(0)));
  }
  return documents;
}

void FleetStore::revoke(const std::string& digest, const std::string& reason) {
  const auto found =
      ask("SELECT 1 FROM redtune.entry WHERE digest = decode($1, 'hex') LIMIT 1", {digest});
  if (found.empty()) throw UsageError("the fleet store does not have this result");
  (void)ask(
      "INSERT INTO redtune.revocation (digest, reason, build) VALUES (decode($1, 'hex'), $2, $3)"
      " ON CONFLICT (digest) DO NOTHING",
      {digest, reason, build_});
}

std::size_t FleetStore::wish(std::span<const Wish> wishes, const std::string& node) {
  if (wishes.empty()) return 0;
  std::vector<std::string> launches;
  std::vector<std::string> uses;
  for (const Wish& wish : wishes) {
    launches.push_back(std::to_string(wish.launches));
    uses.push_back(fmt::format("{}", wish.usefulness));
  }
  const auto rows = ask(
      "SELECT redtune.ask($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],"
      " $6::bigint[], $7::double precision[], $8)",
      {array_text(members(wishes, &Wish::key)), array_text(members(wishes, &Wish::subject)),
       array_text(members(wishes, &Wish::device_class)),
       array_text(members(wishes, &Wish::toolchain)), array_text(members(wishes, &Wish::document)),
       array_text(launches), array_text(uses), node});
  return static_cast<std::size_t>(number_in(rows.at(0).at(0)));
}

std::vector<Claim> FleetStore::claim(const std::vector<std::string>& device_classes,
                                     const std::vector<std::string>& toolchains,
                                     const std::string& holder, std::chrono::seconds lease,
                                     int most, const std::vector<std::string>& passed_over) {
  std::vector<Claim> claims;
  for (const Row& row :
       ask("SELECT key, document, token FROM redtune.claim($1::text[], $2::text[],"
           " $3::text[], $4, $5::interval, $6::integer)",
           {array_text(device_classes), array_text(toolchains), array_text(passed_over), holder,
            seconds_text(lease), std::to_string(most)})) {
    claims.push_back({text_in(row.at(0)), text_in(row.at(1)), text_in(row.at(2))});
  }
  return claims;
}

bool FleetStore::keep(std::span<const Claim> claims, std::chrono::seconds lease) {
  const auto rows = ask("SELECT redtune.keep($1::text[], $2::text[], $3::interval)",
                        {array_text(members(claims, &Claim::key)),
                         array_text(members(claims, &Claim::token)), seconds_text(lease)});
  return number_in(rows.at(0).at(0)) == static_cast<std::int64_t>(claims.size());
}

void FleetStore::give_back(const Claim& claim, Outcome outcome) {
  (void)ask("SELECT redtune.give_back($1::text[], $2::text[], $3::text[])",
            {array_text({claim.key}), array_text({claim.token}),
             array_text({std::string(name_of(outcome))})});
}

Status FleetStore::status() {
  Status status;
  status.version = schema_version();
  const auto server =
      ask("SELECT current_setting('server_version'),"
          " pg_database_size(current_database())");
  status.server = text_in(server.at(0).at(0));
  status.bytes = number_in(server.at(0).at(1));
  const Row entries = ask("SELECT count(DISTINCT digest) FILTER (WHERE kind = 'result'), "
                          "count(DISTINCT digest) FILTER (WHERE kind = 'border'),"
                          " count(DISTINCT digest) FILTER (WHERE kind = 'trials'), count(DISTINCT "
                          "digest) FILTER (WHERE signer <> ''),"
                          " count(DISTINCT device_class),"
                          " to_char(max(pushed_at), 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
                          " (SELECT count(*) FROM redtune.revocation) FROM redtune.entry")
                          .at(0);
  status.results = number_in(entries.at(0));
  status.borders = number_in(entries.at(1));
  status.runs = number_in(entries.at(2));
  status.signed_ones = number_in(entries.at(3));
  status.device_classes = number_in(entries.at(4));
  status.newest = text_in(entries.at(5));
  status.revoked = number_in(entries.at(6));
  const Row asked =
      ask("SELECT count(*) FILTER (WHERE closed_at IS NULL AND (lease_until IS NULL OR lease_until "
          "<"
          " clock_timestamp())), count(*) FILTER (WHERE closed_at IS NULL AND lease_until >="
          " clock_timestamp()), count(*) FILTER (WHERE outcome IN ('tuned', 'known')),"
          " count(*) FILTER (WHERE outcome = 'tried') FROM redtune.question")
          .at(0);
  status.open = number_in(asked.at(0));
  status.claimed = number_in(asked.at(1));
  status.tuned = number_in(asked.at(2));
  status.tried = number_in(asked.at(3));
  for (const Row& row :
       ask("SELECT holder, claimed_by, count(*),"
           " ceil(extract(epoch FROM max(lease_until) - clock_timestamp()))::bigint"
           " FROM redtune.question WHERE closed_at IS NULL AND lease_until >= clock_timestamp()"
           " GROUP BY 1, 2 ORDER BY 1, 2")) {
    status.holders.push_back({.name = text_in(row.at(0)),
                              .role = text_in(row.at(1)),
                              .questions = number_in(row.at(2)),
                              .seconds_left = number_in(row.at(3))});
  }
  return status;
}

double FleetStore::clock_ahead() {
  using namespace std::chrono;
  const auto row = ask("SELECT extract(epoch FROM clock_timestamp())::double precision::text");
  const double there = std::stod(text_in(row.at(0).at(0)));
  return duration<double>(system_clock::now().time_since_epoch()).count() - there;
}

}  // namespace redtune::fleet
