// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What minor 3 of the store's tables added: results that came from elsewhere, and results that
// somebody took back.
#pragma once

namespace redtune::cache {

inline constexpr const char* schema_minor_3_sql = R"sql(
ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT '';  -- empty: a run of this store

-- What somebody said of a published result; the newest word on a generation counts.
CREATE TABLE revocation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  generation INTEGER NOT NULL REFERENCES best (generation),
  what TEXT NOT NULL CHECK (what IN ('revoked', 'restored')),
  reason TEXT NOT NULL,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX revocation_generation ON revocation (generation);
CREATE TRIGGER revocation_is_not_updated BEFORE UPDATE ON revocation BEGIN
  SELECT RAISE(ABORT, 'revocation is append-only: say the opposite instead');
END;
CREATE TRIGGER revocation_is_not_deleted BEFORE DELETE ON revocation BEGIN
  SELECT RAISE(ABORT, 'revocation is append-only: say the opposite instead');
END;

CREATE VIEW revoked AS
SELECT generation, reason, at FROM revocation AS word
WHERE what = 'revoked'
  AND id = (SELECT max(id) FROM revocation WHERE generation = word.generation);

-- As before, without what is revoked.
DROP VIEW best_now;
CREATE VIEW best_now AS
SELECT best.generation, best.run, best.at, run.family, run.space,
       run.problem AS problem_key, run.device_class AS device_class_key,
       run.toolchain AS toolchain_key, run.device_name,
       problem.fields AS problem, device_class.fields AS device_class,
       toolchain.fields AS toolchain, config.fields AS settings,
       best.low_us, best.median_us, best.high_us, best.default_us, best.gain_low,
       best.gain_median, best.gain_high, best.gigabytes_per_second, best.reason, run.origin
FROM best
JOIN run ON run.id = best.run
JOIN config ON config.key = best.config
JOIN problem ON problem.key = run.problem
JOIN device_class ON device_class.key = run.device_class
JOIN toolchain ON toolchain.key = run.toolchain
WHERE best.generation IN (
  SELECT max(b.generation) FROM best AS b JOIN run AS r ON r.id = b.run
  WHERE b.generation NOT IN (SELECT generation FROM revoked)
  GROUP BY r.family, r.space, r.problem, r.device_class, r.toolchain);
)sql";

}  // namespace redtune::cache
