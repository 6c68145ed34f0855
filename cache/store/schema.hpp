// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The store's tables as SQL. Things that have a key are kept once, as key and named fields.
#pragma once

#include <array>
#include <cstdint>

#include "cache/files/paths.hpp"
#include "cache/store/schema_minor_3.hpp"
#include "cache/store/schema_minor_4.hpp"
#include "cache/store/schema_minor_5.hpp"

namespace redtune::cache {

/// "RDTN": tells a store of redtune from any other SQLite file.
inline constexpr std::int64_t application_id = 0x5244544e;

/// user_version is major + 1000 * minor. A minor step only adds tables, columns or views: programs
/// of the same major read and write each other's stores.
inline constexpr std::int64_t minor_factor = 1000;
inline constexpr std::int64_t schema_minor = 5;
inline constexpr std::int64_t user_version = schema_major + minor_factor * schema_minor;

inline constexpr const char* schema_sql = R"sql(
CREATE TABLE device_class (
  key TEXT PRIMARY KEY,
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT, WITHOUT ROWID;
CREATE TABLE toolchain (
  key TEXT PRIMARY KEY,
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT, WITHOUT ROWID;
CREATE TABLE space (
  key TEXT PRIMARY KEY,
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT, WITHOUT ROWID;
CREATE TABLE problem (
  key TEXT PRIMARY KEY,
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT, WITHOUT ROWID;
CREATE TABLE config (
  key TEXT PRIMARY KEY,
  fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  family TEXT NOT NULL,
  space TEXT NOT NULL REFERENCES space (key),
  problem TEXT NOT NULL REFERENCES problem (key),
  device_class TEXT NOT NULL REFERENCES device_class (key),
  toolchain TEXT NOT NULL REFERENCES toolchain (key),
  device_name TEXT NOT NULL,
  device_address TEXT NOT NULL,
  strategy TEXT NOT NULL,
  seed TEXT NOT NULL,            -- 64 bits without a sign: more than an SQLite integer holds
  budget TEXT NOT NULL,
  program_version TEXT NOT NULL,
  command_line TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'interrupted', 'failed')),
  note TEXT NOT NULL DEFAULT '',
  started_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  heartbeat_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  finished_at TEXT,
  host TEXT NOT NULL,            -- these five find the process of a run again
  boot TEXT NOT NULL,
  pid_namespace TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start TEXT NOT NULL
) STRICT;
CREATE INDEX run_question ON run (family, space, problem, device_class, toolchain);

CREATE TABLE trial (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES run (id),
  sequence INTEGER NOT NULL,
  config TEXT NOT NULL REFERENCES config (key),
  phase TEXT NOT NULL CHECK (phase <> ''),
  status TEXT NOT NULL CHECK (status <> ''),
  low_us REAL,
  median_us REAL,
  high_us REAL,
  samples INTEGER NOT NULL,
  detail TEXT NOT NULL,
  compile_ms REAL NOT NULL,
  wall_ms REAL NOT NULL,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  -- A comparison with NULL would pass, hence IS TRUE. 9e999 is infinity.
  CONSTRAINT ok_has_times CHECK (
    status <> 'ok'
    OR (0 < low_us AND low_us <= median_us AND median_us <= high_us AND high_us < 9e999) IS TRUE)
) STRICT;
CREATE INDEX trial_run ON trial (run, sequence);

CREATE TABLE best (
  generation INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES run (id),
  config TEXT NOT NULL REFERENCES config (key),
  low_us REAL NOT NULL,
  median_us REAL NOT NULL,
  high_us REAL NOT NULL,
  default_us REAL NOT NULL CHECK (0 < default_us AND default_us < 9e999),
  gain_low REAL NOT NULL,
  gain_median REAL NOT NULL,
  gain_high REAL NOT NULL,
  gigabytes_per_second REAL NOT NULL CHECK (0 <= gigabytes_per_second),
  reason TEXT NOT NULL,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  CONSTRAINT best_has_times CHECK (
    0 < low_us AND low_us <= median_us AND median_us <= high_us AND high_us < 9e999)
) STRICT;
CREATE INDEX best_run ON best (run);

CREATE TRIGGER best_is_not_updated BEFORE UPDATE ON best BEGIN
  SELECT RAISE(ABORT, 'best is append-only: publish a new generation instead');
END;
CREATE TRIGGER best_is_not_deleted BEFORE DELETE ON best BEGIN
  SELECT RAISE(ABORT, 'best is append-only: publish a new generation instead');
END;
-- INSERT OR REPLACE deletes without asking the trigger above.
CREATE TRIGGER best_is_not_replaced BEFORE INSERT ON best
WHEN EXISTS (SELECT 1 FROM best WHERE generation = NEW.generation) BEGIN
  SELECT RAISE(ABORT, 'best is append-only: publish a new generation instead');
END;

-- The newest generation of every question.
CREATE VIEW best_now AS
SELECT best.generation, best.run, best.at, run.family, run.space,
       run.problem AS problem_key, run.device_class AS device_class_key,
       run.toolchain AS toolchain_key, run.device_name,
       problem.fields AS problem, device_class.fields AS device_class,
       toolchain.fields AS toolchain, config.fields AS settings,
       best.low_us, best.median_us, best.high_us, best.default_us, best.gain_low,
       best.gain_median, best.gain_high, best.gigabytes_per_second, best.reason
FROM best
JOIN run ON run.id = best.run
JOIN config ON config.key = best.config
JOIN problem ON problem.key = run.problem
JOIN device_class ON device_class.key = run.device_class
JOIN toolchain ON toolchain.key = run.toolchain
WHERE best.generation IN (
  SELECT max(b.generation) FROM best AS b JOIN run AS r ON r.id = b.run
  GROUP BY r.family, r.space, r.problem, r.device_class, r.toolchain);

-- For people with an SQLite browser.
CREATE VIEW runs AS
SELECT run.id, run.state, run.started_at, run.finished_at, run.family,
       json_extract(problem.fields, '$.op') AS op, json_extract(problem.fields, '$.in') AS type,
       CAST(json_extract(problem.fields, '$.count') AS INTEGER) AS count,
       json_extract(problem.fields, '$.cache_mode') AS cache_mode,
       run.device_name AS device, json_extract(device_class.fields, '$.isa') AS isa,
       run.strategy, run.seed, run.budget,
       (SELECT count(*) FROM trial WHERE trial.run = run.id) AS trials,
       run.note, run.program_version, run.command_line
FROM run
JOIN problem ON problem.key = run.problem
JOIN device_class ON device_class.key = run.device_class;

CREATE VIEW trials AS
SELECT trial.run, trial.sequence, trial.phase, trial.status, trial.median_us, trial.low_us,
       trial.high_us, trial.samples, config.fields AS settings, trial.compile_ms, trial.wall_ms,
       trial.at, trial.detail
FROM trial JOIN config ON config.key = trial.config;
)sql";

/// What minor 1 added.
inline constexpr const char* schema_minor_1_sql = R"sql(
CREATE TABLE peak (
  run INTEGER PRIMARY KEY REFERENCES run (id),
  memory_gbps REAL NOT NULL CHECK (0 < memory_gbps AND memory_gbps < 9e999),
  cache_gbps REAL NOT NULL CHECK (0 <= cache_gbps AND cache_gbps < 9e999)  -- 0: not known
) STRICT;
)sql";

/// What minor 2 added. Rows of before have no hash; programs of before write none.
inline constexpr const char* schema_minor_2_sql = R"sql(
ALTER TABLE run ADD COLUMN resumed INTEGER NOT NULL DEFAULT 0 CHECK (0 <= resumed);

ALTER TABLE trial ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1 CHECK (1 <= attempts);
ALTER TABLE trial ADD COLUMN worker INTEGER NOT NULL DEFAULT 0 CHECK (0 <= worker);
ALTER TABLE trial ADD COLUMN row_hash BLOB CHECK (row_hash IS NULL OR length(row_hash) = 16);
-- A run that is continued must not hold a trial twice. Nobody promised it of the rows of before.
CREATE UNIQUE INDEX trial_once ON trial (run, sequence)
WHERE phase = 'search' AND row_hash IS NOT NULL;

ALTER TABLE best ADD COLUMN samples INTEGER NOT NULL DEFAULT 0 CHECK (0 <= samples);
ALTER TABLE best ADD COLUMN batch_us REAL NOT NULL DEFAULT 0
  CHECK (0 <= batch_us AND batch_us < 9e999);
ALTER TABLE best ADD COLUMN noise_floor REAL NOT NULL DEFAULT 0
  CHECK (0 <= noise_floor AND noise_floor < 9e999);
ALTER TABLE best ADD COLUMN protocol INTEGER NOT NULL DEFAULT 0 CHECK (0 <= protocol);
ALTER TABLE best ADD COLUMN stream_us REAL NOT NULL DEFAULT 0
  CHECK (0 <= stream_us AND stream_us < 9e999);
ALTER TABLE best ADD COLUMN measurement TEXT NOT NULL DEFAULT ''
  CHECK (measurement = '' OR json_valid(measurement));
ALTER TABLE best ADD COLUMN row_hash BLOB CHECK (row_hash IS NULL OR length(row_hash) = 16);

-- Configs never to be tried again where the named keys are the same.
CREATE TABLE excluded (
  id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL CHECK (scope IN ('toolchain', 'device', 'problem')),
  config TEXT NOT NULL REFERENCES config (key),
  family TEXT NOT NULL,
  space TEXT NOT NULL REFERENCES space (key),
  toolchain TEXT NOT NULL REFERENCES toolchain (key),
  device_class TEXT REFERENCES device_class (key),
  problem TEXT REFERENCES problem (key),
  status TEXT NOT NULL CHECK (status <> ''),
  detail TEXT NOT NULL,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  CHECK ((device_class IS NULL) = (scope = 'toolchain')),
  CHECK ((problem IS NOT NULL) = (scope = 'problem'))
) STRICT;
CREATE UNIQUE INDEX excluded_once ON excluded (
  family, space, toolchain, config, scope, ifnull(device_class, ''), ifnull(problem, ''));

-- What a process was about to do: left behind when it, or the machine, died of it.
CREATE TABLE intent (
  run INTEGER NOT NULL REFERENCES run (id),
  config TEXT NOT NULL REFERENCES config (key),
  stage TEXT NOT NULL CHECK (stage IN ('compile', 'launch')),
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  pid_namespace TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start TEXT NOT NULL,
  at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (run, config, stage, boot)  -- one of each boot: how often the machine went down
) STRICT, WITHOUT ROWID;

CREATE VIEW exclusions AS
SELECT excluded.at, excluded.scope, excluded.status, config.fields AS settings,
       toolchain.fields AS toolchain, device_class.fields AS device_class,
       problem.fields AS problem, excluded.detail
FROM excluded
JOIN config ON config.key = excluded.config
JOIN toolchain ON toolchain.key = excluded.toolchain
LEFT JOIN device_class ON device_class.key = excluded.device_class
LEFT JOIN problem ON problem.key = excluded.problem;
)sql";

/// The steps from minor to minor, from 0 to 1 first.
inline constexpr std::array minor_steps{schema_minor_1_sql, schema_minor_2_sql, schema_minor_3_sql,
                                        schema_minor_4_sql, schema_minor_5_sql};
static_assert(minor_steps.size() == schema_minor);

}  // namespace redtune::cache
