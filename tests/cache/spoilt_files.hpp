// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files of stores and snapshots that something happened to, or that an earlier redtune wrote.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cache/store/schema.hpp"
#include "cache/store/sqlite.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::cache::testing {

/// Overwrites a part of a file.
inline void overwrite(const std::filesystem::path& file, std::size_t at, const std::string& bytes) {
  std::string content = read_text(file);
  content.replace(at, bytes.size(), bytes);
  write_text(file, content);
}

/// A store with another's rows, as far as a schema of an earlier minor has a place for them.
inline void write_older(const std::filesystem::path& file, const std::filesystem::path& from,
                        int minor) {
  write_text(file, "");
  Database database(file);
  database.execute(schema_sql);
  for (int step = 0; step < minor; ++step) {
    database.execute(minor_steps.at(static_cast<std::size_t>(step)));
  }
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};"
                               " ATTACH '{}' AS newer",
                               application_id, schema_major + minor_factor * minor, from.string())
                       .c_str());
  std::vector<std::string> tables;
  for (Statement row = database.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'"
                                        " AND name NOT LIKE 'sqlite_%'");
       row.step();) {
    tables.push_back(row.text(0));
  }
  for (const std::string& table : tables) {
    const std::string columns = [&] {
      Statement row =
          database.prepare("SELECT group_concat(name) FROM pragma_table_info(?, 'main')");
      row.bind(table);
      row.step();
      return row.text(0);
    }();
    database.execute(
        fmt::format("INSERT INTO main.{0} ({1}) SELECT {1} FROM newer.{0}", table, columns)
            .c_str());
  }
  database.execute("DETACH newer; PRAGMA journal_mode = WAL");
  database.trust();
}

}  // namespace redtune::cache::testing
