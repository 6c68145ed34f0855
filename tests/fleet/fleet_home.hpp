// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Databases on the shared server, and machines with results that meet there.
#pragma once

#include <string>
#include <vector>

#include "fleet/documents.hpp"
#include "fleet/schema.hpp"
#include "fleet/store.hpp"
#include "tests/cli/made_store.hpp"
#include "tests/fleet/postgres.hpp"

namespace redtune::fleet::testing {

using cli::Home;
using cli::json;
using cli::Said;
using cli::StoreHome;
using cli::Words;

inline constexpr const char* build = "0.1.0-test";

/// Skips where there is no server; each test has a database of its own.
class OnAServer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_server(); !why.empty()) GTEST_SKIP() << why;
    database_ = fmt::format("fleet_{}", next_++);
    (void)server().sql("postgres", "CREATE DATABASE " + database_);
  }
  void TearDown() override {
    if (!database_.empty()) {
      (void)server().sql("postgres", "DROP DATABASE IF EXISTS " + database_ + " WITH (FORCE)");
    }
  }
  static Postgres& server() { return shared_server(); }
  [[nodiscard]] std::string url(const std::string& role = "owner") const {
    return server().url(role, database_);
  }
  std::string sql(const std::string& statement) const { return server().sql(database_, statement); }
  [[nodiscard]] Made init(int up_to = 0) const { return FleetStore::init(url(), build, up_to); }
  [[nodiscard]] FleetStore store(const std::string& role = "owner") const {
    return {url(role), build};
  }
  /// Roles are the whole server's.
  static void need_role(const std::string& name, const std::string& as) {
    if (server().sql("SELECT 1 FROM pg_roles WHERE rolname = '" + name + "'").empty()) {
      server().add_role(name, as);
    }
  }

 private:
  inline static int next_ = 0;
  std::string database_;
};

/// What a store of this many sums has to push.
[[nodiscard]] inline std::vector<Entry> made_entries(int sums) {
  cache::Store store = cache::Store::in_memory();
  for (int i = 0; i < sums; ++i) cli::add_run(store, cli::made_start(1024 + i));
  return documents_in(store);
}

[[nodiscard]] inline Wish made_wish(std::int64_t count, double usefulness = 1) {
  const cache::RunStart start = cli::made_start(count);
  return wish_of({.question = question_of(start), .device = start.device.name, .launches = 3},
                 usefulness);
}

}  // namespace redtune::fleet::testing
