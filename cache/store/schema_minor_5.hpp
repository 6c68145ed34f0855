// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What minor 5 of the store's tables added: predictions for problems that were not tuned.
#pragma once

namespace redtune::cache {

inline constexpr const char* schema_minor_5_sql = R"sql(
-- Made by a model, from trials of other problems: no results. A newer one takes the place of the
-- one before. Settings are kept here, so that programs that do not know this table may forget
-- configs.
CREATE TABLE prediction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  family TEXT NOT NULL,
  space TEXT NOT NULL REFERENCES space (key),
  problem TEXT NOT NULL REFERENCES problem (key),
  device_class TEXT NOT NULL REFERENCES device_class (key),
  toolchain TEXT NOT NULL REFERENCES toolchain (key),
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  trials INTEGER NOT NULL CHECK (0 < trials),  -- that it follows from
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  row_hash BLOB NOT NULL CHECK (length(row_hash) = 16)
) STRICT;
CREATE UNIQUE INDEX prediction_question ON prediction (
  family, space, problem, device_class, toolchain);

CREATE VIEW predictions AS
SELECT prediction.at, prediction.family, problem.fields AS problem, prediction.settings,
       prediction.trials, device_class.fields AS device_class, toolchain.fields AS toolchain
FROM prediction
JOIN problem ON problem.key = prediction.problem
JOIN device_class ON device_class.key = prediction.device_class
JOIN toolchain ON toolchain.key = prediction.toolchain;
)sql";

}  // namespace redtune::cache
