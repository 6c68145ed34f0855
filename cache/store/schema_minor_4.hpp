// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What minor 4 of the store's tables added: borders between tuned counts.
#pragma once

namespace redtune::cache {

inline constexpr const char* schema_minor_4_sql = R"sql(
-- From which count on the winner of a larger tuned count is faster than that of a smaller one. Of
-- the same two winners the newest row counts. Their keys refer to nothing, so that programs that do
-- not know this table may forget configs.
CREATE TABLE border (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  family TEXT NOT NULL,
  space TEXT NOT NULL REFERENCES space (key),
  problem TEXT NOT NULL REFERENCES problem (key),  -- with the smaller count
  device_class TEXT NOT NULL REFERENCES device_class (key),
  toolchain TEXT NOT NULL REFERENCES toolchain (key),
  above INTEGER NOT NULL,        -- the larger count
  below_config TEXT NOT NULL,    -- keys of the winners
  above_config TEXT NOT NULL,
  first INTEGER NOT NULL,        -- the smallest count that the larger's winner answers
  still_below INTEGER NOT NULL,  -- the counts closest to it where one was seen to be faster
  first_above INTEGER NOT NULL,
  origin TEXT NOT NULL DEFAULT '',  -- empty: measured by this store
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  row_hash BLOB NOT NULL CHECK (length(row_hash) = 16),
  CONSTRAINT border_is_between CHECK (
    0 <= still_below AND still_below < first AND first <= first_above AND first_above <= above)
) STRICT;
CREATE INDEX border_question ON border (family, space, problem, device_class, toolchain);
CREATE TRIGGER border_is_not_updated BEFORE UPDATE ON border BEGIN
  SELECT RAISE(ABORT, 'border is append-only: measure it again instead');
END;
CREATE TRIGGER border_is_not_deleted BEFORE DELETE ON border BEGIN
  SELECT RAISE(ABORT, 'border is append-only: measure it again instead');
END;

CREATE VIEW borders AS
SELECT border.at, border.family, problem.fields AS problem, border.above, border.first,
       border.still_below, border.first_above, device_class.fields AS device_class,
       toolchain.fields AS toolchain, border.origin
FROM border
JOIN problem ON problem.key = border.problem
JOIN device_class ON device_class.key = border.device_class
JOIN toolchain ON toolchain.key = border.toolchain;
)sql";

}  // namespace redtune::cache
