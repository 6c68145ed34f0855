// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What goes through a fleet store from one machine to the next, and what goes wrong on the way:
// nothing is lost, and nothing answers that was not measured.
#include "tests/fleet/exchange.hpp"

#include <atomic>
#include <gmock/gmock.h>
#include <random>
#include <thread>

#include "tests/support/preload.hpp"
#include "tests/support/samples.hpp"

namespace redtune::fleet::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST_F(Exchange, WhatOneMachineFoundAnswersOnTheNext) {
  const StoreHome first;
  const Said pushed = push(first.home());
  EXPECT_EQ(at(pushed, "results"), 2);
  EXPECT_EQ(at(pushed, "runs"), 3);
  EXPECT_EQ(at(push(first.home()), "results"), 0) << "it was there";
  const Home second;
  const Said pulled = pull(second);
  EXPECT_EQ(at(pulled, "results"), 2);
  EXPECT_EQ(at(pulled, "entries"), 2) << "trials stay there unless they are asked for";
  EXPECT_EQ(first.answer(second / "data/redtune/results-v1.db"), "128");
  const json shown = second.run({"cache", "list", "--json"}).document();
  EXPECT_THAT(shown.at("results")[0].at("origin").get<std::string>(),
              ::testing::MatchesRegex("fleet store [-0-9a-f]+, by owner"));
  EXPECT_EQ(at(pull(second), "entries"), 0) << "nothing is new";
  EXPECT_EQ(at(push(second), "results"), 0) << "it is not its own";
  EXPECT_EQ(at(push(second), "known"), 0);
  const Said trials = pull(second, {"--unsigned", "--trials"});
  EXPECT_EQ(at(trials, "trials"), 6);
  EXPECT_EQ(at(trials, "results"), 0);
  EXPECT_EQ(at(pull(second, {"--unsigned", "--trials"}), "entries"), 0);
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.entry"), "5");
}

TEST_F(Exchange, ANewStoreInThePlaceOfAnotherPullsAllOfIt) {
  const StoreHome first;
  (void)push(first.home());
  const Home second;
  EXPECT_EQ(at(pull(second), "results"), 2);
  fs::remove(second / "data/redtune/results-v1.db");
  fs::remove(second / "data/redtune/best-v1.snap");
  EXPECT_EQ(at(pull(second), "results"), 2) << "the cursor is that of the file that is gone";
}

TEST_F(Exchange, WhatIsTakenBackAnswersNoMore) {
  const StoreHome first;
  (void)push(first.home());
  const Home second;
  (void)pull(second);
  const Home third;
  (void)pull(third);
  const json results = second.run({"cache", "list", "--json"}).document().at("results");
  const auto id = results[0].at("id").get<int>();
  const Said done =
      second.run({"fleet", "revoke", url(), std::to_string(id), "--reason", "loud fan"});
  ASSERT_EQ(done.code, 0) << done.err << "the document is the same where it was taken over";
  EXPECT_EQ(answers(second), 1U);
  EXPECT_EQ(at(pull(third), "revoked"), 1);
  EXPECT_EQ(answers(third), 1U);
  EXPECT_EQ(at(pull(first.home()), "revoked"), 1) << "also where it was found";
  EXPECT_EQ(at(pull(third), "revoked"), 0) << "once";
  const Home fourth;
  EXPECT_EQ(at(pull(fourth), "revoked"), 1);
  EXPECT_EQ(answers(fourth), 1U);
  EXPECT_EQ(first.run({"fleet", "revoke", url(), "99"}).code, 2);
  EXPECT_EQ(third.run({"fleet", "status", url(), "--json"}).document().at("revoked"), 1);
}

TEST_F(Exchange, TornAndForgedRowsNeverAnswer) {
  const std::string good = made_entries(1)[0].document;
  forge(good, digest_of("another text"));
  forge("{\"format\": \"redtune results 1\", \"results\": [{");
  forge("no JSON at all");
  std::string changed = good;
  changed.replace(changed.find("\"block_size\": \"128\""), 19, "\"block_size\": \"127\"");
  forge(changed);
  std::string impossible = good;
  impossible.replace(impossible.find("\"default_us\": "), 14, "\"default_us\": -");
  forge(impossible);
  std::string to_come = good;
  for (auto i = to_come.find("\"at\": \""); i != std::string::npos;
       i = to_come.find("\"at\": \"", i + 1)) {
    to_come.replace(i + 7, 4, "2999");
  }
  forge(to_come);
  const Home home;
  const Said said = pull(home);
  EXPECT_EQ(at(said, "entries"), 6);
  EXPECT_EQ(at(said, "results"), 0);
  EXPECT_EQ(at(said, "forged"), 1);
  EXPECT_EQ(at(said, "left_out"), 5) << said.err;
  EXPECT_EQ(answers(home), 0U);
  (void)store().add(made_entries(1));
  EXPECT_EQ(at(pull(home), "results"), 1) << "what is good comes all the same";
}

TEST_F(Exchange, ForeignRowsNeverAnswer) {
  const std::string good = made_entries(1)[0].document;
  const auto with_other = [&](const std::string& part, const std::string& other) {
    std::string text = good;
    const auto from = text.find(part);
    EXPECT_NE(from, std::string::npos) << part;
    return text.replace(from, part.size(), other);
  };
  // Of something else, of another format, of a family and of a space that there are not here.
  forge(made_wish(1000).document);
  forge(with_other("redtune results 1", "redtune results 2"));
  forge(with_other("\"family\": \"reduce\"", "\"family\": \"reduze\""));
  const std::string space = cli::made_start().space_key;
  forge(with_other(space, digest_of("another space")));
  // Of another GPU: kept here, and no answer to what is asked of this machine.
  forge(good);
  const Home home;
  const Said said = pull(home);
  EXPECT_EQ(at(said, "entries"), 5);
  EXPECT_EQ(at(said, "left_out"), 3) << said.err;
  const Said asked = home.run({"query", "--device", "host", "--count", "1024", "--json"});
  EXPECT_EQ(asked.document().at("match"), "default") << asked.out;
  const cache::Store here = cache::Store::copy_of(home / "data/redtune/results-v1.db");
  EXPECT_TRUE(here.best(question_of(cli::made_start(1024))).has_value());
}

TEST_F(Exchange, APushThatIsKilledAtAnyMomentIsGoneOnWith) {
  const int kills = checks::is_full_run() ? 30 : 4;
  const Home home;
  {
    cache::Store store = cache::Store::open(home / "data/redtune/results-v1.db");
    for (int i = 0; i < 150; ++i) cli::add_run(store, cli::made_start(1024 + i));
  }
  std::mt19937 random(4);
  for (int i = 0; i < kills; ++i) {
    cli::Running pushing(home, {"fleet", "push", url()});
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution(1, 250)(random)));
    (void)pushing.end_with(SIGKILL);
  }
  EXPECT_EQ(push(home).code, 0);
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.entry WHERE kind = 'result'"), "150");
  EXPECT_EQ(sql("SELECT count(*) - count(DISTINCT digest) FROM redtune.entry"), "0");
}

TEST_F(Exchange, APullThatIsKilledAtAnyMomentIsDoneAgain) {
  const int kills = checks::is_full_run() ? 30 : 5;
  (void)store().add(made_entries(150));
  const Home home;
  std::mt19937 random(2);
  for (int i = 0; i < kills; ++i) {
    cli::Running pulling(home, {"fleet", "pull", url(), "--unsigned"});
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution(1, 300)(random)));
    (void)pulling.end_with(SIGKILL);
  }
  EXPECT_EQ(pull(home).code, 0);
  EXPECT_EQ(answers(home), 150U);
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);
}

TEST_F(Exchange, WithoutADatabaseProgramsHaveTheAnswersTheyHad) {
  const StoreHome first;
  (void)push(first.home());
  const Home second;
  (void)pull(second);
  const std::string gone = "postgresql://owner@%2Fnowhere/fleet";
  for (const char* command : {"push", "pull", "status", "init"}) {
    const Said said = second.run({"fleet", command, gone});
    EXPECT_EQ(said.code, 74) << command << said.err;
    EXPECT_TRUE(said.says("the fleet store cannot be reached: ")) << said.err;
    EXPECT_EQ(cli::count_of(said.err, "\n"), 1U) << said.err;
  }
  EXPECT_EQ(first.answer(second / "data/redtune/results-v1.db"), "128");
  EXPECT_EQ(at(pull(second), "entries"), 0) << "where it was";
}

TEST_F(Exchange, AClockThatIsWrongIsSaidAndNothingIsTakenOver) {
  const StoreHome first;
  (void)push(first.home());
  const Home second;
  const Words words{"fleet", "pull", url(), "--unsigned"};
  const Said said = second.run(words, {checks::preloading(REDTUNE_JUMPING_CLOCK),
                                       "REDTUNE_CLOCK_AFTER_MS=0", "REDTUNE_CLOCK_JUMP_S=-864000"});
  EXPECT_EQ(said.code, 74) << said.err;
  EXPECT_TRUE(said.says("14400 min behind the database's")) << said.err;
  EXPECT_EQ(answers(second), 0U);
  EXPECT_EQ(second.run(words).code, 0);
  EXPECT_EQ(answers(second), 2U) << "nothing was passed over";
  const Words push{"fleet", "push", url()};
  const StoreHome third;
  const std::string before = sql("SELECT count(*) FROM redtune.entry");
  const Said ahead = third.run(push, {checks::preloading(REDTUNE_JUMPING_CLOCK),
                                      "REDTUNE_CLOCK_AFTER_MS=0", "REDTUNE_CLOCK_JUMP_S=864000"});
  EXPECT_EQ(ahead.code, 74) << ahead.err;
  EXPECT_TRUE(ahead.says("14400 min ahead of the database's")) << ahead.err;
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.entry"), before) << "nothing is pushed";
}

TEST_F(Exchange, ASlowDatabaseIsWaitedForAndNothingIsLostOrDouble) {
  const StoreHome first;
  const auto hold_up = [&](std::chrono::milliseconds time) {
    return std::thread([this, time] {
      Connection slow(url());
      slow.run("BEGIN; LOCK TABLE redtune.entry IN ACCESS EXCLUSIVE MODE");
      std::this_thread::sleep_for(time);
      slow.run("COMMIT");
    });
  };
  const auto await_lock = [&] {
    while (sql("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND"
               " relation = 'redtune.entry'::regclass") == "0")
      std::this_thread::sleep_for(5ms);
  };
  std::thread busy = hold_up(1s);
  await_lock();
  EXPECT_EQ(at(push(first.home()), "results"), 2) << "an answer may take its time";
  busy.join();
  const Home second;
  busy = hold_up(1s);
  await_lock();
  EXPECT_EQ(at(pull(second), "results"), 2);
  busy.join();
  // Who gives up may be served all the same, later.
  const std::vector<Entry> more = made_entries(3);
  busy = hold_up(700ms);
  await_lock();
  EXPECT_THROW((void)FleetStore(url(), build, 200ms).add(more), Unreachable);
  busy.join();
  (void)store().add(more);
  EXPECT_TRUE(store().missing(more).empty());
  EXPECT_EQ(sql("SELECT count(*) - count(DISTINCT digest) FROM redtune.entry"), "0");
}

TEST_F(Exchange, ADiskThatIsFullHereLosesNothing) {
  const StoreHome first;
  (void)push(first.home());
  const Home second;
  const Words words{"fleet", "pull", url(), "--unsigned"};
  const Said said = second.run_in_shell("ulimit -f 0; exec \"$@\"", words);
  EXPECT_NE(said.code, 0);
  EXPECT_EQ(answers(second), 0U);
  EXPECT_EQ(second.run(words).code, 0) << "there is room again";
  EXPECT_EQ(answers(second), 2U);
}

TEST_F(Exchange, QuestionsAreAskedOfTheFleetAndProgramTextIsNot) {
  const Home home;
  const cache::RunStart start = cli::made_start(4096);
  cache::Question custom = question_of(start);
  custom.problem = make_problem(CustomOp{.name = "mine", .source = "struct custom {};"}, DType::f32,
                                Shape(4096));
  const std::vector<cache::Asked> asked{{question_of(start), start.device.name, Match::fallback, 5},
                                        {custom, start.device.name, Match::fallback, 5}};
  fs::create_directories(home / "data/redtune");
  cache::write_wanted(home / "data/redtune/wanted-v1/1-a", asked);
  const Said said = push(home);
  EXPECT_EQ(at(said, "wanted"), 1) << said.out;
  EXPECT_EQ(at(said, "asked"), 1);
  EXPECT_EQ(at(push(home), "asked"), 0);
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.question"), "1");
  EXPECT_EQ(sql("SELECT launches FROM redtune.asked"), "5");
  EXPECT_EQ(sql("SELECT document FROM redtune.question").find("struct custom"), std::string::npos);
}

TEST_F(Exchange, SaysWhatIsMissingOrTooMuch) {
  const Home home;
  for (const char* command : {"init", "push", "pull", "status"}) {
    EXPECT_TRUE(home.run({"fleet", command}).says("name the fleet store by its URL")) << command;
    const Said secret = home.run({"fleet", command, "postgresql://a:hunter2@HOST/x"});
    EXPECT_EQ(secret.code, 2);
    EXPECT_TRUE(secret.says("a password in the URL")) << secret.err;
    EXPECT_FALSE(secret.says("hunter2")) << secret.err;
  }
  EXPECT_EQ(home.run({"fleet", "status", url()}).code, 0);
  EXPECT_TRUE(home.run({"fleet", "init", url()}).says("the fleet store is there, with schema"));
}

/// Of servers that are stopped, slow or full: each test has one of its own.
class OwnServer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_server(); !why.empty()) GTEST_SKIP() << why;
  }
};

using FleetServer = OwnServer;

TEST_F(FleetServer, RestartedInMidPushGetsTheRestTheNextTime) {
  Postgres server;
  (void)FleetStore::init(server.url(), build);
  const std::vector<Entry> entries = made_entries(checks::is_full_run() ? 1000 : 200);
  const std::size_t all = entries.size();
  std::atomic<std::size_t> acknowledged = 0;
  std::atomic<int> broken = 0;
  std::thread pushing([&] {
    while (acknowledged < all) {
      try {
        FleetStore fleet(server.url(), build);
        const auto missing = fleet.missing(entries);
        EXPECT_LE(missing.size(), all - acknowledged) << "what was acknowledged is kept";
        acknowledged = all - missing.size();
        for (std::size_t i = all - missing.size(); i < all; i += 5) {
          acknowledged +=
              fleet.add(std::span(entries).subspan(i, std::min<std::size_t>(5, all - i)));
          std::this_thread::sleep_for(2ms);
        }
      } catch (const Unreachable&) {
        ++broken;
        std::this_thread::sleep_for(20ms);
      }
    }
  });
  for (const char* how : {"immediate", "fast", "immediate"}) {
    const std::size_t before = acknowledged;
    while (acknowledged < std::min(all, before + all / 8)) std::this_thread::sleep_for(1ms);
    server.stop(how);
    server.start();
  }
  pushing.join();
  EXPECT_GE(broken, 2);
  EXPECT_EQ(server.sql("SELECT count(*) FROM redtune.entry"), std::to_string(all));
  const Home home;
  EXPECT_EQ(home.run({"fleet", "pull", server.url(), "--unsigned"}).code, 0);
  EXPECT_EQ(cache::Store::copy_of(home / "data/redtune/results-v1.db").bests().entries.size(),
            all / 2);
}

TEST_F(FleetServer, ThatDoesNotAnswerIsWaitedForSoLongAndNoLonger) {
  Postgres server;
  (void)FleetStore::init(server.url(), build);
  FleetStore fleet(server.url(), build, 300ms);
  server.freeze(SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW((void)fleet.status(), Unreachable);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  const Home home;
  const Said said = home.run({"fleet", "status", server.url() + "?connect_timeout=2"});
  EXPECT_EQ(said.code, 74) << said.err;
  server.freeze(SIGCONT);
  EXPECT_EQ(home.run({"fleet", "status", server.url()}).code, 0);
}

TEST_F(FleetServer, WhoseDiskIsFullTakesNothingInPart) {
  // Files of tables may not grow beyond two MiB.
  Postgres server("max_wal_size = '32MB'", "ulimit -f 2048;");
  (void)FleetStore::init(server.url(), build);
  FleetStore fleet(server.url(), build);
  std::vector<Entry> large;
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    Entry entry = made_entries(1)[0];
    for (int j = 0; j < 100'000; ++j)
      entry.document += static_cast<char>('!' + static_cast<int>(random() % 90));
    large.push_back(std::move(entry));
  }
  std::size_t added = 0;
  std::string why;
  try {
    for (std::size_t i = 0; i < large.size(); i += 5)
      added += fleet.add(std::span(large).subspan(i, 5));
  } catch (const IoError& error) {
    why = error.what();
  }
  EXPECT_THAT(why, HasSubstr("File too large"));
  EXPECT_EQ(server.sql("SELECT count(*) FROM redtune.entry"), std::to_string(added));
  EXPECT_EQ(added % 5, 0U);
}

}  // namespace
}  // namespace redtune::fleet::testing
