// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// SQLite as owners of handles: databases, prepared statements, transactions. Private to this
// folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>

#include "cache/store/sqlite_error.hpp"

namespace redtune::cache {

/// Bytes that are no text.
struct Blob {
  std::string_view bytes;
};

/// One execution of a prepared statement. Parameters are bound, never pasted into the text.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);

  /// Binds the next parameters, from the first on.
  template <class... Values>
  Statement& bind(const Values&... values) {
    (bind_next(values), ...);
    return *this;
  }

  /// Goes to the next row; false when there is none.
  bool step();
  /// For statements without rows.
  void run() { step(); }

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::string blob(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] int columns() const { return sqlite3_column_count(statement_.get()); }
  /// Binds what another statement's row holds, from one of its columns on, as it is.
  void bind_row(const Statement& row, int first);

 private:
  void bind_next(std::int64_t value);
  void bind_next(int value) { bind_next(std::int64_t{value}); }
  void bind_next(double value);
  void bind_next(std::string_view value);
  void bind_next(const std::string& value) { bind_next(std::string_view(value)); }
  void bind_next(Blob value);
  /// Nothing is NULL.
  template <class Value>
  void bind_next(const std::optional<Value>& value) {
    if (value) return bind_next(*value);
    bind_null();
  }
  void bind_null();

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

/// A connection; waits up to 30 s for other writers. For one thread, and never across a fork.
class Database {
 public:
  /// An existing file; never creates one.
  explicit Database(const std::filesystem::path& file);
  [[nodiscard]] static Database in_memory();
  /// An existing file that is only read, where it is.
  [[nodiscard]] static Database read_only(const std::filesystem::path& file);
  /// Likewise, and as if nobody ever wrote to it: no log and no journal beside it is looked at.
  [[nodiscard]] static Database read_at_rest(const std::filesystem::path& file);
  /// The content of an existing file as it is now, in memory. The file is only read: it may belong
  /// to somebody else and lie where nothing can be written. Throws when it cannot be had whole.
  [[nodiscard]] static Database copy_of(const std::filesystem::path& file);

  /// The content of a database file, in memory.
  [[nodiscard]] static Database of_bytes(std::string_view content);

  /// Lets the end of the last connection merge the write-ahead log into the file. Until then a log
  /// is left alone: the file may turn out to be damaged, or no database at all.
  void trust();

  /// Runs a text of one or more statements.
  void execute(const char* sql);
  [[nodiscard]] Statement prepare(std::string_view sql) { return {handle_.get(), sql}; }
  [[nodiscard]] std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
  /// The first column of the first row; 0 without one.
  [[nodiscard]] std::int64_t integer(std::string_view sql);

 private:
  explicit Database(const char* name, int flags);
  explicit Database(sqlite3* handle) : handle_(handle) {}

  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// Takes the write lock at once, so that two writers wait for each other instead of colliding at
/// the commit. Without commit() everything is undone.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace redtune::cache
