// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "fleet/schema.hpp"

#include <array>

namespace redtune::fleet {
namespace {

/// What was found. Nothing is ever changed there, by nobody: the owner, too, would have to drop a
/// trigger first. Those who add wait for each other, so that a row with a larger number is never
/// seen before one with a smaller one: who has read up to a number has missed nothing.
constexpr std::string_view results = R"sql(
CREATE SCHEMA redtune;
REVOKE ALL ON SCHEMA redtune FROM PUBLIC;

CREATE TABLE redtune.migration (
  version integer PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  by text NOT NULL DEFAULT session_user,
  build text NOT NULL
);
CREATE TABLE redtune.store (id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO redtune.store DEFAULT VALUES;

CREATE TABLE redtune.entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('result', 'border', 'trials')),
  device_class bytea NOT NULL CHECK (octet_length(device_class) = 32),
  question bytea NOT NULL CHECK (octet_length(question) = 32),
  subject bytea NOT NULL CHECK (octet_length(subject) = 32),
  document text NOT NULL CHECK (octet_length(document) BETWEEN 2 AND 16777216),
  digest bytea NOT NULL CHECK (digest = sha256(convert_to(document, 'UTF8'))),
  signer bytea NOT NULL DEFAULT '' CHECK (octet_length(signer) IN (0, 32)),
  signature bytea NOT NULL DEFAULT '' CHECK (octet_length(signature) = 2 * octet_length(signer)),
  pushed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  pushed_by text NOT NULL DEFAULT session_user,
  build text NOT NULL CHECK (octet_length(build) <= 200),
  -- Signatures are checked by those who read: a wrong one must not keep the right one out.
  UNIQUE (digest, signer, signature)
);
COMMENT ON COLUMN redtune.entry.document IS 'as redtune cache export writes it';
CREATE INDEX entry_question ON redtune.entry (question) WHERE kind = 'result';
CREATE INDEX entry_subject ON redtune.entry (subject) WHERE kind = 'result';

CREATE TABLE redtune.revocation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  reason text NOT NULL CHECK (octet_length(reason) <= 1000),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  by text NOT NULL DEFAULT session_user,
  build text NOT NULL CHECK (octet_length(build) <= 200)
);

-- By a row that nobody else can lock: a reader cannot hold them up.
CREATE FUNCTION redtune.one_after_the_other()
RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  PERFORM 1 FROM redtune.store FOR UPDATE;
  RETURN NULL;
END $body$;
CREATE TRIGGER one_after_the_other BEFORE INSERT ON redtune.entry
  FOR EACH STATEMENT EXECUTE FUNCTION redtune.one_after_the_other();

CREATE FUNCTION redtune.only_added_to()
RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  RAISE EXCEPTION '%.% is only added to', TG_TABLE_SCHEMA, TG_TABLE_NAME;
END $body$;
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON redtune.entry
  FOR EACH STATEMENT EXECUTE FUNCTION redtune.only_added_to();
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON redtune.revocation
  FOR EACH STATEMENT EXECUTE FUNCTION redtune.only_added_to();

DO $body$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['redtune_reader', 'redtune_publisher', 'redtune_curator'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    END IF;
  END LOOP;
END $body$;
-- Whatever this database gives everybody by default.
REVOKE ALL ON ALL TABLES IN SCHEMA redtune FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA redtune FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA redtune FROM PUBLIC;
GRANT USAGE ON SCHEMA redtune TO redtune_reader, redtune_publisher, redtune_curator;
GRANT SELECT ON redtune.migration, redtune.store, redtune.entry, redtune.revocation
  TO redtune_reader, redtune_publisher, redtune_curator;
GRANT INSERT (kind, device_class, question, subject, document, digest, signer, signature, build)
  ON redtune.entry TO redtune_publisher, redtune_curator;
GRANT INSERT (digest, reason, build) ON redtune.revocation TO redtune_curator;
)sql";

/// What is wanted, and who is at it. Rows change by these functions alone, which know what may
/// become of what; a claim is its holder's by a token that nobody else can read.
constexpr std::string_view questions = R"sql(
CREATE TABLE redtune.question (
  key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
  subject bytea NOT NULL CHECK (octet_length(subject) = 32),
  device_class bytea NOT NULL CHECK (octet_length(device_class) = 32),
  toolchain bytea NOT NULL CHECK (octet_length(toolchain) = 32),
  document text NOT NULL CHECK (octet_length(document) BETWEEN 2 AND 65536),
  usefulness double precision NOT NULL DEFAULT 0,
  first_asked timestamptz NOT NULL DEFAULT clock_timestamp(),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  token uuid,
  holder text,
  claimed_by text,
  lease_until timestamptz,
  claims integer NOT NULL DEFAULT 0,
  closed_at timestamptz,
  outcome text CHECK (outcome IN ('tuned', 'tried', 'known'))
);
CREATE INDEX question_open ON redtune.question (device_class) WHERE closed_at IS NULL;

-- What was taken back answers nothing.
CREATE VIEW redtune.answer AS
  SELECT question, subject FROM redtune.entry AS e
  WHERE kind = 'result'
    AND NOT EXISTS (SELECT FROM redtune.revocation AS r WHERE r.digest = e.digest);

-- What came to nothing may come to something a week later; and who asks for so long what has an
-- answer cannot use it, for want of a signature that it believes. An answer that was taken back, or
-- never came, is none.
CREATE FUNCTION redtune.is_over(q redtune.question)
RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $body$
  SELECT q.closed_at >= clock_timestamp() - interval '7 days'
    AND (q.outcome = 'tried'
         OR EXISTS (SELECT FROM redtune.answer AS a WHERE a.question = q.key))
$body$;

CREATE TABLE redtune.asked (
  question bytea NOT NULL REFERENCES redtune.question,
  node text NOT NULL CHECK (octet_length(node) <= 64),
  launches bigint NOT NULL CHECK (launches >= 0),
  usefulness double precision NOT NULL CHECK (usefulness >= 0 AND usefulness < 'infinity'),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  by text NOT NULL DEFAULT session_user,
  PRIMARY KEY (question, node)
);

CREATE FUNCTION redtune.ask(keys text[], subjects text[], classes text[], toolchains text[],
                            documents text[], counts bigint[], uses double precision[], asker text)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE added bigint;
BEGIN
  WITH given AS (
    SELECT DISTINCT ON (key) decode(key, 'hex') AS key, decode(subject, 'hex') AS subject,
           decode(class, 'hex') AS class, decode(toolchain, 'hex') AS toolchain, document
    FROM unnest(keys, subjects, classes, toolchains, documents)
         AS one(key, subject, class, toolchain, document)
    ORDER BY key
  ), made AS (
    INSERT INTO redtune.question AS q (key, subject, device_class, toolchain, document, closed_at,
                                       outcome)
    SELECT key, subject, class, toolchain, document,
           CASE WHEN is_known THEN clock_timestamp() END, CASE WHEN is_known THEN 'known' END
    FROM (SELECT given.*, EXISTS (SELECT FROM redtune.answer AS a
                                  WHERE a.question = given.key) AS is_known
          FROM given) AS new
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET asked_at = clock_timestamp(),
      closed_at = CASE WHEN redtune.is_over(q) THEN q.closed_at END,
      outcome = CASE WHEN redtune.is_over(q) THEN q.outcome END
    RETURNING xmax = 0 AS is_new
  )
  SELECT count(*) FILTER (WHERE is_new) INTO added FROM made;
  INSERT INTO redtune.asked AS a (question, node, launches, usefulness, by)
  SELECT DISTINCT ON (key) decode(key, 'hex'), asker, launches, usefulness, session_user
  FROM unnest(keys, counts, uses) AS one(key, launches, usefulness)
  ORDER BY key
  ON CONFLICT (question, node) DO UPDATE
    SET launches = greatest(a.launches, excluded.launches),
        usefulness = greatest(a.usefulness, excluded.usefulness), at = clock_timestamp();
  UPDATE redtune.question AS q
  SET usefulness = (SELECT sum(a.usefulness) FROM redtune.asked AS a WHERE a.question = q.key)
  WHERE key IN (SELECT key FROM redtune.question
                WHERE key = ANY (SELECT decode(one, 'hex') FROM unnest(keys) AS one)
                ORDER BY key FOR UPDATE);
  RETURN added;
END $body$;

CREATE FUNCTION redtune.claim(classes text[], toolchains_here text[], passed_over text[],
                              by_whom text, lease interval, most integer)
RETURNS TABLE (key text, document text, token text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF lease NOT BETWEEN interval '1 second' AND interval '1 day' OR most NOT BETWEEN 1 AND 100 THEN
    RAISE EXCEPTION 'a lease is for a second to a day, of 1 to 100 questions';
  END IF;
  RETURN QUERY
  WITH taken AS MATERIALIZED (
    SELECT q.key FROM redtune.question AS q
    WHERE q.device_class = ANY (SELECT decode(one, 'hex') FROM unnest(classes) AS one)
      AND q.closed_at IS NULL
      AND q.key <> ALL (SELECT decode(one, 'hex') FROM unnest(passed_over) AS one)
      AND (q.lease_until IS NULL OR q.lease_until < clock_timestamp())
      -- Where nothing is known, the answer of another driver is better than none.
      AND (q.toolchain = ANY (SELECT decode(one, 'hex') FROM unnest(toolchains_here) AS one)
           OR NOT EXISTS (SELECT FROM redtune.answer AS a WHERE a.subject = q.subject))
    ORDER BY q.toolchain = ANY (SELECT decode(one, 'hex') FROM unnest(toolchains_here) AS one) DESC,
             q.usefulness DESC, q.key
    LIMIT most
    FOR UPDATE OF q SKIP LOCKED
  )
  UPDATE redtune.question AS q
  SET token = gen_random_uuid(), holder = left(by_whom, 200), claimed_by = session_user,
      lease_until = clock_timestamp() + lease, claims = q.claims + 1
  FROM taken WHERE q.key = taken.key
  RETURNING encode(q.key, 'hex'), q.document, q.token::text;
END $body$;

CREATE FUNCTION redtune.keep(keys text[], tokens text[], lease interval)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE kept bigint;
BEGIN
  IF lease NOT BETWEEN interval '1 second' AND interval '1 day' THEN
    RAISE EXCEPTION 'a lease is for a second to a day';
  END IF;
  UPDATE redtune.question AS q SET lease_until = clock_timestamp() + lease
  FROM unnest(keys, tokens) AS one(key, token)
  WHERE q.key = decode(one.key, 'hex') AND q.token = one.token::uuid
    AND q.key IN (SELECT o.key FROM redtune.question AS o
                  WHERE o.key IN (SELECT decode(k, 'hex') FROM unnest(keys) AS k)
                  ORDER BY o.key FOR UPDATE);
  GET DIAGNOSTICS kept = ROW_COUNT;
  RETURN kept;
END $body$;

CREATE FUNCTION redtune.give_back(keys text[], tokens text[], outcomes text[])
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE given bigint;
BEGIN
  UPDATE redtune.question AS q
  SET token = NULL, holder = NULL, claimed_by = NULL, lease_until = NULL,
      outcome = coalesce(q.outcome, nullif(one.outcome, 'open')),
      closed_at = coalesce(q.closed_at, CASE WHEN one.outcome <> 'open' THEN clock_timestamp() END)
  FROM unnest(keys, tokens, outcomes) AS one(key, token, outcome)
  WHERE q.key = decode(one.key, 'hex') AND q.token = one.token::uuid;
  GET DIAGNOSTICS given = ROW_COUNT;
  RETURN given;
END $body$;

-- What has an answer is wanted no more, also when its claim was never given back.
CREATE FUNCTION redtune.close_answered()
RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  UPDATE redtune.question AS q
  SET closed_at = clock_timestamp(), outcome = CASE WHEN q.token IS NULL THEN 'known' ELSE 'tuned' END
  WHERE q.key IN (SELECT key FROM redtune.question
                  WHERE key IN (SELECT question FROM added WHERE kind = 'result'
                                AND NOT EXISTS (SELECT FROM redtune.revocation AS r
                                                WHERE r.digest = added.digest))
                    AND closed_at IS NULL
                  ORDER BY key FOR UPDATE);
  RETURN NULL;
END $body$;
CREATE TRIGGER close_answered AFTER INSERT ON redtune.entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION redtune.close_answered();

REVOKE ALL ON ALL TABLES IN SCHEMA redtune FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA redtune FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA redtune FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redtune.ask, redtune.claim, redtune.keep, redtune.give_back
  TO redtune_publisher, redtune_curator;
GRANT SELECT (key, subject, device_class, toolchain, document, usefulness, first_asked, asked_at,
              holder, claimed_by, lease_until, claims, closed_at, outcome)
  ON redtune.question TO redtune_reader, redtune_publisher, redtune_curator;
GRANT SELECT ON redtune.asked TO redtune_reader, redtune_publisher, redtune_curator;
)sql";

constexpr std::array steps{results, questions};

}  // namespace

std::span<const std::string_view> migrations() {
  return steps;
}

}  // namespace redtune::fleet
