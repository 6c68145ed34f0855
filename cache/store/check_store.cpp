// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/check_store.hpp"

#include <fmt/format.h>

#include "cache/files/paths.hpp"
#include "cache/store/open_database.hpp"
#include "cache/store/sqlite.hpp"

namespace redtune::cache {
namespace {

void check_pages(Database& database, std::vector<std::string>& faults) {
  Statement row = database.prepare("PRAGMA integrity_check(20)");
  while (row.step()) {
    if (row.text(0) != "ok") faults.push_back(row.text(0));
  }
}

void check_references(Database& database, std::vector<std::string>& faults) {
  Statement row = database.prepare("PRAGMA foreign_key_check");
  while (row.step() && faults.size() < 20) {
    faults.push_back(fmt::format("row {} of {} refers to a row of {} that is not there",
                                 row.integer(1), row.text(0), row.text(2)));
  }
}

}  // namespace

std::vector<std::string> faults_of_file(const std::filesystem::path& file) {
  std::vector<std::string> faults;
  try {
    Database copy = copy_as_it_is(follow_link(file));
    check_pages(copy, faults);
    check_references(copy, faults);
  } catch (const SqliteError& error) {
    if (!error.is_damage()) throw;
    faults.emplace_back(error.what());
  }
  return faults;
}

}  // namespace redtune::cache
