// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The store of a fleet on a real server: its versions, its roles, what is added and read.
#include <atomic>
#include <gmock/gmock.h>
#include <set>
#include <thread>

#include "tests/fleet/fleet_home.hpp"

namespace redtune::fleet::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What is thrown; empty: nothing.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(FleetUrl, IsOfADatabaseAndHasNoPassword) {
  for (const char* url :
       {"postgresql://ann:hunter2@HOST/fleet", "postgresql://HOST/fleet?password=hunter2",
        "postgresql:///fleet?user=ann&sslpassword=hunter2"}) {
    EXPECT_THAT(error_of([&] { check_url(url); }),
                AllOf(HasSubstr("a password in the URL"), HasSubstr("~/.pgpass"),
                      Not(HasSubstr("hunter2"))))
        << url;
  }
  for (const char* url :
       {"postgresql://ann:hunter2@HOST:port/fleet?bad", "postgres://ann:hunter2@["}) {
    EXPECT_THAT(error_of([&] { check_url(url); }),
                AllOf(HasSubstr("cannot be understood"), Not(HasSubstr("hunter2"))))
        << url;
  }
  for (const char* url : {"", "fleet.db", "mysql://HOST/fleet", "host=here password=hunter2"}) {
    EXPECT_THAT(error_of([&] { check_url(url); }),
                AllOf(HasSubstr("postgresql://HOST/DATABASE"), Not(HasSubstr("hunter2"))))
        << url;
  }
  check_url("postgresql://ann@HOST:5433/fleet?sslmode=verify-full");
  check_url("postgres:///fleet?service=fleet");
}

using FleetTables = OnAServer;

TEST_F(FleetTables, IsMadeOnceAlsoByManyAtOnce) {
  EXPECT_THAT(error_of([&] { (void)store(); }), HasSubstr("there is no fleet store"));
  std::vector<std::thread> threads;
  std::atomic<int> made = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { made += init().from == 0 ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(init().from, schema_version());
  EXPECT_EQ(store().status().results, 0);
}

TEST_F(FleetTables, OfAnOlderRedtuneIsBroughtUpToDateAndKeepsItsRows) {
  ASSERT_EQ(init(1).to, 1);
  const std::string why = error_of([&] { (void)store(); });
  EXPECT_THAT(why, AllOf(HasSubstr("has schema 1"), HasSubstr("redtune fleet init")));
  (void)sql(
      "INSERT INTO redtune.entry (kind, device_class, question, subject, document, digest, build)"
      " SELECT 'result', d, d, d, 'of before', d, 'old' FROM sha256('of before') AS d");
  const Made made = init();
  EXPECT_EQ(made.from, 1);
  EXPECT_EQ(made.to, schema_version());
  EXPECT_EQ(store().status().results, 1);
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.migration"), std::to_string(schema_version()));
}

TEST_F(FleetTables, OfANewerRedtuneIsRefusedAndLeftAsItIs) {
  (void)init();
  (void)sql("INSERT INTO redtune.migration (version, build) VALUES (99, 'newer')");
  for (const std::string& why :
       {error_of([&] { (void)store(); }), error_of([&] { (void)init(); })}) {
    EXPECT_THAT(why, AllOf(HasSubstr("has schema 99"), HasSubstr("install a newer redtune")));
  }
}

TEST_F(FleetTables, InAnotherEncodingIsRefused) {
  (void)server().sql("postgres",
                     "CREATE DATABASE in_latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  EXPECT_THAT(error_of([&] { (void)FleetStore::init(server().url("owner", "in_latin"), build); }),
              AllOf(HasSubstr("LATIN1"), HasSubstr("createdb -E UTF8")));
  (void)server().sql("postgres", "DROP DATABASE in_latin");
}

TEST_F(FleetTables, TakesEachDocumentOnce) {
  (void)init();
  FleetStore fleet = store();
  std::vector<Entry> entries = made_entries(5);
  ASSERT_EQ(entries.size(), 10U) << "results, and trials of as many runs";
  EXPECT_EQ(fleet.add(entries), 10U);
  EXPECT_EQ(fleet.add(entries), 0U);
  entries.push_back(entries[0]);
  entries.back().document = "another";
  EXPECT_EQ(fleet.missing(entries), (std::vector{digest_of("another")}));
  EXPECT_EQ(fleet.status().results, 5);
  EXPECT_EQ(fleet.status().runs, 5);
}

TEST_F(FleetTables, GivesWhatIsNewInTheOrderOfItsComing) {
  (void)init();
  FleetStore fleet = store();
  const std::vector<Entry> entries = made_entries(6);
  const std::vector<std::string> kinds{"result"};
  ASSERT_EQ(fleet.add(std::span(entries).first(3)), 3U);
  const Page first = fleet.pull({}, kinds);
  ASSERT_EQ(first.entries.size(), 3U);
  EXPECT_EQ(first.entries[0].document, entries[0].document);
  EXPECT_EQ(first.entries[0].by, "owner");
  EXPECT_EQ(first.entries[0].build, build);
  EXPECT_TRUE(fleet.pull(first.next, kinds).entries.empty());
  ASSERT_EQ(fleet.add(entries), 9U);
  const Page second = fleet.pull(first.next, kinds);
  EXPECT_EQ(second.entries.size(), 3U);
  EXPECT_FALSE(second.is_anew);
  EXPECT_EQ(fleet.pull({}, {"result", "trials"}).entries.size(), 12U);
}

TEST_F(FleetTables, ThatWasRestoredIsReadFromItsBeginning) {
  (void)init();
  FleetStore fleet = store();
  const std::vector<Entry> entries = made_entries(4);
  (void)fleet.add(entries);
  const Cursor cursor = fleet.pull({}, {"result"}).next;
  // As after a restore: the last rows are gone, and others come to have their numbers.
  (void)sql("ALTER TABLE redtune.entry DISABLE TRIGGER USER");
  (void)sql("DELETE FROM redtune.entry WHERE id >= " + std::to_string(cursor.id));
  (void)sql("ALTER TABLE redtune.entry ENABLE TRIGGER USER");
  const Page gone = fleet.pull(cursor, {"result"});
  EXPECT_TRUE(gone.is_anew);
  EXPECT_EQ(gone.entries.size(), 3U);
  (void)sql("SELECT setval(pg_get_serial_sequence('redtune.entry', 'id'), " +
            std::to_string(cursor.id - 1) + ")");
  (void)fleet.add(made_entries(7));
  EXPECT_TRUE(fleet.pull(cursor, {"result"}).is_anew);
}

TEST_F(FleetTables, HidesNothingFromWhoReadsWhileManyAdd) {
  (void)init();
  const std::vector<Entry> entries = made_entries(160);
  std::vector<std::thread> publishers;
  std::atomic<int> busy = 8;
  for (int i = 0; i < 8; ++i) {
    publishers.emplace_back([&, i] {
      FleetStore fleet = store();
      for (int j = 0; j < 20; ++j) {
        (void)fleet.add(std::span(entries).subspan(static_cast<std::size_t>(20 * i + j), 1));
      }
      --busy;
    });
  }
  FleetStore reader = store();
  Cursor cursor;
  std::set<std::string> seen;
  for (bool is_last = false; !is_last;) {
    is_last = busy == 0;
    for (Page page = reader.pull(cursor, {"result"}); !page.entries.empty();
         page = reader.pull(cursor, {"result"})) {
      for (const Pulled& entry : page.entries) EXPECT_TRUE(seen.insert(entry.digest).second);
      cursor = page.next;
    }
  }
  for (std::thread& thread : publishers) thread.join();
  EXPECT_EQ(seen.size(), 160U) << "a row came behind the reader's back";
}

TEST_F(FleetTables, LetsRolesDoWhatTheyMayAndNothingElse) {
  (void)init();
  need_role("ann_reads", "redtune_reader");
  need_role("ben_publishes", "redtune_publisher");
  need_role("cleo_curates", "redtune_curator");
  if (server().sql("SELECT 1 FROM pg_roles WHERE rolname = 'nobody_here'").empty()) {
    (void)server().sql("CREATE ROLE nobody_here LOGIN");
  }
  const std::vector<Entry> entries = made_entries(3);
  EXPECT_THAT(error_of([&] { (void)store("nobody_here"); }),
              AllOf(HasSubstr("permission denied"), HasSubstr("GRANT redtune_publisher")));
  EXPECT_EQ(store("ben_publishes").add(entries), 6U);
  EXPECT_EQ(store("ann_reads").pull({}, {"result"}).entries.size(), 3U);
  EXPECT_EQ(store("ann_reads").pull({}, {"result"}).entries[0].by, "ben_publishes");
  EXPECT_EQ(store("ann_reads").status().results, 3);
  const std::string digest = digest_of(entries[0].document);
  const std::vector<Wish> wishes{made_wish(1 << 20)};
  for (const std::string& why :
       {error_of([&] { (void)store("ann_reads").add(entries); }),
        error_of([&] { (void)store("ann_reads").wish(wishes, "n"); }), error_of([&] {
          (void)store("ann_reads")
              .claim({wishes[0].device_class}, {}, "h", std::chrono::seconds(60), 1);
        }),
        error_of([&] { store("ann_reads").revoke(digest, "no"); }),
        error_of([&] { store("ben_publishes").revoke(digest, "no"); })}) {
    EXPECT_THAT(why, HasSubstr("permission denied")) << "a role may do more than it should";
  }
  store("cleo_curates").revoke(digest, "another job ran");
  ASSERT_EQ(store("ann_reads").revoked().size(), 1U);
  EXPECT_EQ(store("ben_publishes").wish(wishes, "n"), 1U);
  // What no function of ours does, by hand.
  const std::vector<std::string> forbidden{
      "UPDATE redtune.entry SET document = 'x'",
      "DELETE FROM redtune.entry",
      "TRUNCATE redtune.entry",
      "INSERT INTO redtune.entry (kind, device_class, question, subject, document, digest, build,"
      " pushed_by) SELECT 'result', d, d, d, 'of cleo', d, 'x', 'cleo' FROM sha256('of cleo') AS d",
      "INSERT INTO redtune.migration (version, build) VALUES (99, 'x')",
      "DELETE FROM redtune.revocation",
      "UPDATE redtune.question SET closed_at = now()",
      "DELETE FROM redtune.question",
      "SELECT token FROM redtune.question",
      "UPDATE redtune.asked SET launches = 1",
      "DROP TABLE redtune.entry",
      "CREATE TABLE redtune.mine (id integer)",
      "ALTER TABLE redtune.entry DISABLE TRIGGER USER",
      "SELECT redtune.close_answered()"};
  for (const char* role : {"ann_reads", "ben_publishes", "cleo_curates"}) {
    for (const std::string& statement : forbidden) {
      Connection connection(url(role));
      EXPECT_THAT(error_of([&] { (void)connection.ask(statement); }),
                  AnyOf(HasSubstr("permission denied"), HasSubstr("must be owner of")))
          << role << ": " << statement;
    }
  }
  for (const char* statement : {"UPDATE redtune.entry SET build = 'x'", "DELETE FROM redtune.entry",
                                "TRUNCATE redtune.entry", "DELETE FROM redtune.revocation"}) {
    Connection owner(url());
    EXPECT_THAT(error_of([&] { (void)owner.ask(statement); }), HasSubstr("is only added to"))
        << "not even the owner, by mistake";
  }
  EXPECT_EQ(store().status().results, 3);
}

TEST_F(FleetTables, GiveNothingToEverybodyWhateverADatabaseDoes) {
  need_role("zoe_sees_the_schema", "pg_monitor");
  (void)sql("ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC");
  (void)sql("ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC");
  (void)init();
  need_role("ann_reads", "redtune_reader");
  (void)sql("GRANT USAGE ON SCHEMA redtune TO zoe_sees_the_schema");
  for (const char* role : {"ann_reads", "zoe_sees_the_schema"}) {
    for (const char* statement :
         {"INSERT INTO redtune.migration (version, build) VALUES (99, 'x')",
          "SELECT nextval('redtune.entry_id_seq')", "UPDATE redtune.question SET closed_at = now()",
          "INSERT INTO redtune.store DEFAULT VALUES"}) {
      Connection connection(url(role));
      EXPECT_THAT(error_of([&] { connection.run(statement); }), HasSubstr("permission denied"))
          << role << ": " << statement;
    }
  }
  Connection connection(url("zoe_sees_the_schema"));
  EXPECT_THAT(error_of([&] { connection.run("SELECT question FROM redtune.answer"); }),
              HasSubstr("permission denied"));
}

TEST(FleetTablesOfAnOwner, AreMadeWithoutASuperuserAndForNobodyElse) {
  if (const std::string why = why_no_server(); !why.empty()) GTEST_SKIP() << why;
  // Roles are the server's, and another one's would be there already.
  const Postgres server;
  (void)server.sql("CREATE ROLE fleet_owner LOGIN CREATEROLE");
  (void)server.sql("ALTER DATABASE fleet OWNER TO fleet_owner");
  (void)server.sql("REVOKE CONNECT ON DATABASE fleet FROM PUBLIC");
  EXPECT_EQ(FleetStore::init(server.url("fleet_owner"), build).to, schema_version());
  Connection owner(server.url("fleet_owner"));
  owner.run("CREATE ROLE finn LOGIN; GRANT redtune_publisher TO finn");
  EXPECT_THAT(error_of([&] { (void)FleetStore(server.url("finn"), build); }),
              HasSubstr("permission denied for database"));
  owner.run("GRANT CONNECT ON DATABASE fleet TO redtune_publisher");
  FleetStore fleet(server.url("finn"), build);
  EXPECT_EQ(fleet.add(made_entries(1)), 2U);
  EXPECT_EQ(fleet.wish(std::vector{made_wish(1 << 20)}, "n"), 1U);
  EXPECT_EQ(fleet.status().open, 1);
}

TEST_F(FleetTables, CannotBeHeldUpByWhoReads) {
  (void)init();
  need_role("ann_reads", "redtune_reader");
  Connection reader(url("ann_reads"));
  reader.run("BEGIN");
  (void)reader.ask("SELECT pg_advisory_xact_lock(hashtext('redtune.entry'))");
  (void)reader.ask("SELECT * FROM redtune.store, redtune.entry");
  FleetStore publisher(url(), build, std::chrono::milliseconds(3000));
  EXPECT_EQ(publisher.add(made_entries(1)), 2U);
  for (const char* lock :
       {"SELECT FROM redtune.store FOR SHARE", "BEGIN; LOCK TABLE redtune.store IN SHARE MODE",
        "BEGIN; LOCK TABLE redtune.entry IN SHARE MODE"}) {
    Connection other(url("ann_reads"));
    EXPECT_THAT(error_of([&] { other.run(lock); }), HasSubstr("permission denied")) << lock;
  }
}

TEST_F(FleetTables, RefusesWhatIsTornOnItsWay) {
  (void)init();
  const auto add = [&](const char* row) {
    return error_of([&] {
      (void)sql(std::string("INSERT INTO redtune.entry (kind, device_class, question, subject,"
                            " document, digest, build) SELECT ") +
                row + ", 'b'");
    });
  };
  EXPECT_EQ(add("'result', sha256('a'), sha256('a'), sha256('a'), 'abc', sha256('abc')"), "");
  for (const char* row :
       {"'result', '\\x00', sha256('a'), sha256('a'), 'abd', sha256('abd')",
        "'result', sha256('a'), sha256('a'), sha256('a'), 'abc', sha256('abd')",
        "'gossip', sha256('a'), sha256('a'), sha256('a'), 'abd', sha256('abd')"}) {
    EXPECT_THAT(add(row), HasSubstr("violates check constraint")) << row;
  }
}

}  // namespace
}  // namespace redtune::fleet::testing
