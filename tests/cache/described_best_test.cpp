// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The table of what a best result is made of: nothing is missing, in the store neither.
#include "cache/keys/described_best.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "cache/keys/row_hash.hpp"
#include "cache/store/schema.hpp"
#include "cache/store/sqlite.hpp"
#include "samples.hpp"
#include "tests/support/members_of.hpp"

namespace redtune::cache {
namespace {

// Settings are kept by their key, and what others disturbed is never published.
static_assert(checks::members_of<Best>() == member_count<Best> + 2);

std::multiset<std::string> described_columns() {
  std::multiset<std::string> columns;
  for_each_row<Best>([&]<class Row>(const Row& row) {
    if constexpr (std::is_same_v<typename Row::Value, Interval>)
      columns.insert(row.columns.begin(), row.columns.end());
    else
      columns.emplace(row.name);
  });
  return columns;
}

TEST(DescribedBest, HasEveryColumnOfTheStore) {
  Database database = Database::in_memory();
  database.execute(schema_sql);
  for (const char* const step : minor_steps) database.execute(step);
  std::multiset<std::string> columns;
  Statement row = database.prepare("SELECT name FROM pragma_table_info('best')");
  while (row.step()) columns.insert(row.text(0));
  std::multiset<std::string> expected = described_columns();
  expected.insert({"generation", "run", "config", "at", "row_hash"});
  EXPECT_EQ(columns, expected);
}

/// Each member takes part in the checksum, but those that programs of before do not know.
TEST(DescribedBest, EveryMemberIsInTheChecksum) {
  const Best best;
  const std::string before = row_hash(RunId{1}, {}, best);
  for_each_row<Best>([&]<class Row>(const Row& row) {
    Best changed = best;
    auto& value = row.of(changed);
    if constexpr (std::is_same_v<typename Row::Value, Interval>)
      value.high += 1;
    else
      value += 1;
    EXPECT_EQ(row_hash(RunId{1}, {}, changed) == before, row.kept == Kept::in_later_stores)
        << row.name;
  });
}

}  // namespace
}  // namespace redtune::cache
