// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What SQLite reports, with the file and what to do next.
#pragma once

#include <string>

#include "redtune/error.hpp"

namespace redtune::cache {

class SqliteError : public IoError {
 public:
  /// code: a primary result code of SQLite's.
  SqliteError(int code, const std::string& text) : IoError(text), code_(code) {}
  /// The content is no database, or a damaged one.
  [[nodiscard]] bool is_damage() const;
  /// The row breaks a rule of the schema.
  [[nodiscard]] bool is_refused_row() const;

 private:
  int code_;
};

/// Others are at work on the file: wait until they are done, or end them.
class StoreBusy : public SqliteError {
 public:
  using SqliteError::SqliteError;
};

}  // namespace redtune::cache
