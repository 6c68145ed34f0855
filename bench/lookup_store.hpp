// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An invented store with as many results as one likes, and questions that find them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <vector>

#include "redtune/device_identity.hpp"
#include "redtune/problem.hpp"

namespace redtune::bench {

/// A question of the store: its entry-th result asks and answers it.
struct Asked {
  Problem problem;
  DeviceIdentity device;
};

/// 40 counts of each of 25 kinds of problems on each of as many devices as it takes.
[[nodiscard]] Asked question(int entry);

/// Writes a store of so many results, and its snapshot.
void make_store(const std::filesystem::path& file, int entries);

/// The same question to the store itself, with one prepared statement.
class SqliteLookup {
 public:
  explicit SqliteLookup(const std::filesystem::path& store);
  /// The settings as the store keeps them; empty for none.
  [[nodiscard]] std::string find(const Asked& asked);

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3, Close> database_;
  std::unique_ptr<sqlite3_stmt, Close> statement_;
};

}  // namespace redtune::bench
