// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps what is never to be tried again.
#include <fmt/format.h>

#include "cache/keys/key.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

using OptionalKey = std::optional<std::string>;

ExclusionScope scope_from(const std::string& name) {
  for (const auto scope : {ExclusionScope::toolchain, ExclusionScope::device}) {
    if (to_string(scope) == name) return scope;
  }
  return ExclusionScope::problem;
}

}  // namespace

void Store::exclude(const Exclusion& exclusion) {
  Database& database = impl_->database;
  write_row(database, "exclusion", [&] {
    const QuestionKeys keys = keep(database, exclusion.question);
    const bool any_device = exclusion.scope == ExclusionScope::toolchain;
    const bool any_problem = exclusion.scope != ExclusionScope::problem;
    database
        .prepare(
            "INSERT INTO excluded (scope, config, family, space, toolchain, device_class, problem,"
            " status, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
        .bind(to_string(exclusion.scope), keep(database, exclusion.settings))
        .bind(keys.family, keys.space, keys.toolchain)
        .bind(any_device ? OptionalKey{} : keys.device_class)
        .bind(any_problem ? OptionalKey{} : keys.problem)
        .bind(exclusion.status, exclusion.detail)
        .run();
  });
}

std::vector<Exclusion> Store::exclusions(const Question& question) const {
  Statement row = impl_->database.prepare(
      "SELECT excluded.scope, config.fields, excluded.config, excluded.status, excluded.detail"
      " FROM excluded JOIN config ON config.key = excluded.config"
      " WHERE excluded.family = ? AND excluded.space = ?"
      " AND (excluded.problem IS NULL OR excluded.problem = ?)"
      " AND (excluded.device_class IS NULL OR excluded.device_class = ?)"
      " AND excluded.toolchain = ? ORDER BY excluded.id");
  bind_question(row, question);
  std::vector<Exclusion> found;
  while (row.step()) {
    const auto settings = settings_from(row.text(1), row.text(2));
    if (!settings) continue;
    found.push_back({.question = question,
                     .settings = *settings,
                     .scope = scope_from(row.text(0)),
                     .status = row.text(3),
                     .detail = row.text(4)});
  }
  return found;
}

std::vector<StoredExclusion> Store::exclusions() const {
  Statement row = impl_->database.prepare(
      "SELECT excluded.id, excluded.scope, excluded.family, config.fields, excluded.config,"
      " toolchain.fields, excluded.toolchain, device_class.fields, excluded.device_class,"
      " problem.fields, excluded.problem, excluded.status, excluded.detail, excluded.at"
      " FROM excluded JOIN config ON config.key = excluded.config"
      " JOIN toolchain ON toolchain.key = excluded.toolchain"
      " LEFT JOIN device_class ON device_class.key = excluded.device_class"
      " LEFT JOIN problem ON problem.key = excluded.problem ORDER BY excluded.id");
  std::vector<StoredExclusion> all;
  while (row.step()) {
    const auto settings = settings_from(row.text(3), row.text(4));
    const auto toolchain = thing_from<Toolchain>(row.text(5), row.text(6), toolchain_from);
    if (!settings || !toolchain) continue;
    all.push_back(
        {.id = row.integer(0),
         .scope = scope_from(row.text(1)),
         .family = row.text(2),
         .settings = *settings,
         .toolchain = *toolchain,
         .device_class = thing_from<DeviceClass>(row.text(7), row.text(8), device_class_from),
         .problem = thing_from<Problem>(row.text(9), row.text(10), problem_from),
         .status = row.text(11),
         .detail = row.text(12),
         .at = row.text(13)});
  }
  return all;
}

void Store::lift_exclusion(std::int64_t id) {
  Database& database = impl_->database;
  write_row(database, "lifted exclusion", [&] {
    Statement row = database.prepare("DELETE FROM excluded WHERE id = ? RETURNING id");
    row.bind(id);
    if (!row.step()) {
      throw UsageError(
          fmt::format("there is no exclusion {}; see: redtune cache list --excluded", id));
    }
    while (row.step()) {
    }
  });
}

}  // namespace redtune::cache
