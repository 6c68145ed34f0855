// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/salvage.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "cache/files/files.hpp"
#include "cache/store/schema.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t max_salvaged_bytes = std::size_t{1} << 30;
/// Rows between two that could be read, looked for one by one.
constexpr std::int64_t most_looked_for = 1 << 20;

struct SalvagedTable {
  std::string_view name;
  std::string_view key;  ///< its rows in this order
  bool has_numbers = true;
};

/// What is referred to comes first.
constexpr std::array tables{SalvagedTable{"device_class", "key", false},
                            SalvagedTable{"toolchain", "key", false},
                            SalvagedTable{"space", "key", false},
                            SalvagedTable{"problem", "key", false},
                            SalvagedTable{"config", "key", false},
                            SalvagedTable{"run", "id"},
                            SalvagedTable{"peak", "run"},
                            SalvagedTable{"trial", "id"},
                            SalvagedTable{"best", "generation"},
                            SalvagedTable{"revocation", "id"},
                            SalvagedTable{"border", "id"},
                            SalvagedTable{"prediction", "id"},
                            SalvagedTable{"excluded", "id"}};

std::vector<std::string> columns_of(Database& database, std::string_view table) {
  std::vector<std::string> columns;
  Statement row = database.prepare(fmt::format("PRAGMA table_info({})", table));
  while (row.step()) columns.push_back(row.text(1));
  return columns;
}

/// Those that both have: the damaged one may be of an earlier version.
std::string shared_columns(Database& from, Database& into, std::string_view table) {
  const auto there = columns_of(from, table);
  std::string shared;
  for (const std::string& column : columns_of(into, table)) {
    if (std::ranges::find(there, column) == there.end()) continue;
    shared += (shared.empty() ? "" : ", ") + column;
  }
  return shared;
}

/// Copies the rows of one table.
class Copy {
 public:
  Copy(Database& from, Database& into, const SalvagedTable& table)
      : from_(from), into_(into), table_(table), columns_(shared_columns(from, into, table.name)) {}

  std::size_t all() {
    if (columns_.empty()) return 0;
    const auto first_gap = in_order("ASC");
    if (!first_gap) return copied_;
    const auto last_gap = in_order("DESC");
    if (table_.has_numbers && last_gap) between(*first_gap, *last_gap);
    return copied_;
  }

 private:
  /// Nothing when it came to the end; else the number of the last row before the damage.
  std::optional<std::int64_t> in_order(std::string_view direction) {
    std::int64_t last = 0;
    try {
      Statement row =
          from_.prepare(fmt::format("SELECT {0}, {1} FROM {2} NOT INDEXED ORDER BY {0} {3}",
                                    table_.key, columns_, table_.name, direction));
      while (row.step()) {
        insert(row);
        last = row.integer(0);
      }
      return std::nullopt;
    } catch (const SqliteError& error) {
      if (!error.is_damage()) throw;
      return last;
    }
  }

  void between(std::int64_t first, std::int64_t last) {
    for (std::int64_t id = first + 1; id < last && id - first < most_looked_for; ++id) {
      try {
        Statement row =
            from_.prepare(fmt::format("SELECT {0}, {1} FROM {2} NOT INDEXED WHERE {0} = ?",
                                      table_.key, columns_, table_.name));
        row.bind(id);
        if (row.step()) insert(row);
      } catch (const SqliteError& error) {
        if (!error.is_damage()) throw;
      }
    }
  }

  /// A row that the rules of the store refuse was damaged, or came twice.
  void insert(const Statement& row) {
    try {
      Statement insert =
          into_.prepare(fmt::format("INSERT INTO {} ({}) VALUES ({})", table_.name, columns_,
                                    fmt::join(marks(row.columns() - 1), ", ")));
      insert.bind_row(row, 1);
      insert.run();
      ++copied_;
    } catch (const SqliteError& error) {
      if (!error.is_refused_row()) throw;
    }
  }
  static std::vector<std::string_view> marks(int count) {
    return std::vector<std::string_view>(static_cast<std::size_t>(count), "?");
  }

  Database& from_;
  Database& into_;
  const SalvagedTable& table_;
  std::string columns_;
  std::size_t copied_ = 0;
};

Salvaged copy_rows(Database& from, Database& into) {
  Salvaged saved;
  for (const SalvagedTable& table : tables) {
    const std::size_t rows = Copy(from, into, table).all();
    if (table.name == "run") saved.runs = rows;
    if (table.name == "trial") saved.trials = rows;
    if (table.name == "best") saved.results = rows;
  }
  return saved;
}

/// A file whose first bytes are gone is given those that every store begins with
/// (sqlite.org/fileformat2.html, 1.3). What its log holds is not in it.
std::string with_header(std::string content) {
  constexpr std::size_t page = 4096;
  constexpr std::string_view begin = "SQLite format 3\0\x10\x00\x01\x01\x00\x40\x20\x20"sv;
  const auto put = [&](std::size_t at, std::size_t value) {
    for (int i = 3; i >= 0; --i, value >>= 8)
      content[at + static_cast<std::size_t>(i)] = static_cast<char>(value);
  };
  std::ranges::copy(begin, content.begin());
  put(24, 1);  // changes, and below: those that the number of pages is of
  put(28, content.size() / page);
  put(32, 0);  // no free pages
  put(36, 0);
  put(40, 1);  // schema cookie
  put(44, 4);  // schema format
  put(48, 0);
  put(52, 0);
  put(56, 1);  // UTF-8
  put(60, static_cast<std::size_t>(user_version));
  put(64, 0);
  put(68, static_cast<std::size_t>(application_id));
  put(92, 1);
  return content;
}

bool is_readable(Database& database) {
  try {
    return database.integer("SELECT count(*) FROM sqlite_schema WHERE name IN ('run', 'best')") ==
           2;
  } catch (const SqliteError&) {
    return false;
  }
}

std::optional<Database> as_it_is(const fs::path& file) {
  try {
    Database copy = Database::copy_of(file);
    if (is_readable(copy)) return copy;
  } catch (const SqliteError&) {
    // Tried in another way.
  }
  return std::nullopt;
}

std::optional<Database> with_new_header(const fs::path& file) {
  auto content = read_whole(file, max_salvaged_bytes);
  auto* const bytes = std::get_if<std::string>(&content);
  if (bytes == nullptr || bytes->size() < 4096) return std::nullopt;
  bytes->resize(bytes->size() / 4096 * 4096);
  Database copy = Database::of_bytes(with_header(std::move(*bytes)));
  if (is_readable(copy)) return copy;
  return std::nullopt;
}

}  // namespace

Salvaged salvage(const fs::path& damaged, Database& into) {
  std::string how = "row by row";
  auto from = as_it_is(damaged);
  if (!from) {
    how = "row by row, behind a new header";
    from = with_new_header(damaged);
  }
  if (!from) return {.how = "its tables cannot be found"};
  Transaction transaction(into);
  Salvaged saved = copy_rows(*from, into);
  saved.how = how;
  transaction.commit();
  return saved;
}

std::string describe(const Salvaged& saved) {
  if (saved.runs == 0 && saved.results == 0) {
    return fmt::format("nothing could be saved from it ({})", saved.how);
  }
  const auto counted = [](std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return fmt::format("saved from it {}: {}, {}, {}", saved.how, counted(saved.results, "result"),
                     counted(saved.runs, "run"), counted(saved.trials, "trial"));
}

}  // namespace redtune::cache
