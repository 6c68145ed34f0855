// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that forgets trials, which are most of what it holds.
#include "cache/store/impl.hpp"
#include "cache/store/open_database.hpp"
#include "cache/store/rows.hpp"

namespace redtune::cache {
namespace {

std::size_t count_before(Database& database, const std::string& time) {
  Statement row = database.prepare(
      "SELECT count(*) FROM trial JOIN run ON run.id = trial.run"
      " WHERE run.heartbeat_at < ? AND run.state <> 'running'");
  row.bind(time);
  return row.step() ? static_cast<std::size_t>(row.integer(0)) : 0;
}

}  // namespace

std::size_t Store::trials_before(const std::string& time) const {
  return count_before(impl_->database, time);
}

std::size_t trials_before(const std::filesystem::path& file, const std::string& time) {
  Database database = look_at_database(file);
  return count_before(database, time);
}

void Store::forget_trials_before(const std::string& time) {
  Database& database = impl_->database;
  write_row(database, "thinned run", [&] {
    database
        .prepare(
            "DELETE FROM trial WHERE run IN"
            " (SELECT id FROM run WHERE heartbeat_at < ? AND state <> 'running')")
        .bind(time)
        .run();
    // Configs that nothing refers to any more.
    database.execute(
        "DELETE FROM config WHERE key NOT IN (SELECT config FROM trial)"
        " AND key NOT IN (SELECT config FROM best) AND key NOT IN (SELECT config FROM excluded)"
        " AND key NOT IN (SELECT config FROM intent)");
  });
  database.execute("VACUUM");
}

}  // namespace redtune::cache
