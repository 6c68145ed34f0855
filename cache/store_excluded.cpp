// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps what is never to be tried again.
#include "cache/key.hpp"
#include "cache/store_impl.hpp"
#include "cache/store_rows.hpp"

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

}  // namespace redtune::cache
