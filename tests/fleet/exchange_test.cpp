// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What goes through a fleet store from one machine to the next, and what goes wrong on the way:
// nothing is lost, and nothing answers that was not measured.
#include <atomic>
#include <gmock/gmock.h>
#include <random>
#include <sys/stat.h>
#include <thread>

#include "fleet/signing.hpp"
#include "tests/fleet/fleet_home.hpp"
#include "tests/support/preload.hpp"
#include "tests/support/samples.hpp"

namespace redtune::fleet::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Exchange : public OnAServer {
 protected:
  void SetUp() override {
    OnAServer::SetUp();
    if (!IsSkipped()) (void)init();
  }
  [[nodiscard]] Said push(const Home& home, const Words& more = {}) const {
    return home.run(cli::with({"fleet", "push", url(), "--json"}, more));
  }
  [[nodiscard]] Said pull(const Home& home, const Words& more = {"--unsigned"}) const {
    return home.run(cli::with({"fleet", "pull", url(), "--json"}, more));
  }
  /// The number of a member.
  static std::int64_t at(const Said& said, const char* name) {
    EXPECT_EQ(said.code, 0) << said.err;
    return said.code == 0 ? said.document().at(name).get<std::int64_t>() : -1;
  }
  static std::size_t answers(const Home& home) {
    const Said said = home.run({"cache", "list", "--json"});
    return said.code == 0 ? said.document().at("results").size() : 0;
  }
  /// Adds a document as the owner could who drops what guards the table.
  void forge(const std::string& document, const std::string& digest = "") const {
    (void)sql("ALTER TABLE redtune.entry DROP CONSTRAINT IF EXISTS entry_check");
    Connection connection(url());
    (void)connection.ask(
        "INSERT INTO redtune.entry (kind, device_class, question, subject, document, digest, build)"
        " SELECT 'result', sha256('a'), sha256('a'), sha256('a'), $1, decode($2, 'hex'), 'forged'",
        {document, digest.empty() ? digest_of(document) : digest});
  }
  /// It has a pair of keys, a.key, and a folder of keys that believes it.
  static void believe_a_key(const StoreHome& home) {
    ASSERT_EQ(home.run({"fleet", "key", home / "a.key"}).code, 0);
    fs::create_directory(home / "keys");
    fs::copy_file(home / "a.key.pub", home / "keys/a.pub");
  }
};

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

/// A redtune that comes later may write other texts than this one.
TEST_F(Exchange, ASignatureIsOfTheTextThatWasSentAndARevocationOfWhatItSays) {
  const StoreHome first;
  std::vector<Entry> other = documents_in(cache::Store::copy_of(first.store_file()));
  std::erase_if(other, [](const Entry& entry) { return entry.kind != result_kind; });
  ASSERT_EQ(other.size(), 2U);
  for (Entry& entry : other) entry.document = json::parse(entry.document).dump(3);
  const Home second;
  Words believing{"--unsigned"};
#ifdef REDTUNE_WITH_SODIUM
  believe_a_key(first);
  for (Entry& entry : other) entry.signature = SigningKey(first / "a.key").sign(entry.document);
  believing = {"--keys", first / "keys"};
#endif
  ASSERT_EQ(store().add(other), 2U);
  const Said pulled = pull(second, believing);
  EXPECT_EQ(at(pulled, "results"), 2) << pulled.err;
  EXPECT_EQ(at(pulled, "forged"), 0);
  const json results = second.run({"cache", "list", "--json"}).document().at("results");
  const auto revoke = [&](int i) {
    return second.run({"fleet", "revoke", url(), results[i].at("id").dump(), "--reason", "fan"})
        .code;
  };
  EXPECT_EQ(revoke(0), 0) << "it is known by what it says";
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.revocation"), "1");
  EXPECT_EQ(at(push(first.home()), "results"), 1) << "what was taken back does not come again";
  EXPECT_EQ(at(pull(second), "results"), 0) << "the same in other words is nothing new";
  EXPECT_EQ(at(pull(first.home()), "revoked"), 1);
  EXPECT_EQ(revoke(1), 0);
  EXPECT_EQ(sql("SELECT count(*) FROM redtune.revocation"), "3") << "in all words that there are";
  EXPECT_EQ(at(pull(first.home()), "revoked"), 1);
  // Who claims many results in one document takes none of them along when it is taken back.
  json many = json::parse(other[0].document);
  EXPECT_EQ(result_key(many.dump()), result_key(other[0].document));
  many["results"].push_back(json::parse(other[1].document).at("results")[0]);
  EXPECT_EQ(result_key(many.dump()), std::nullopt);
  EXPECT_EQ(result_key("no JSON"), std::nullopt);
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

TEST_F(Exchange, OnlyWhatAllowedKeysHaveSignedIsBelieved) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  const Said made = first.run({"fleet", "key", first / "good.key"});
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(first.run({"fleet", "key", first / "bad.key"}).code, 0);
  EXPECT_NE(first.run({"fleet", "key", first / "good.key"}).code, 0)
      << "a key is never overwritten";
  struct stat status {};
  ASSERT_EQ(stat((first / "good.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  const Home second;
  fs::create_directory(second / "keys");
  const Words believing{"--keys", (second / "keys").string()};
  const Said nobody = pull(second, believing);
  EXPECT_EQ(nobody.code, 2);
  EXPECT_TRUE(nobody.says("says who is believed")) << nobody.err;
  fs::copy_file(first / "good.key.pub", second / "keys/good.pub");

  EXPECT_EQ(at(push(first.home()), "results"), 2);
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "bad.key"}), "results"), 2);
  const Said none = pull(second, believing);
  EXPECT_EQ(at(none, "unsigned"), 4);
  EXPECT_EQ(answers(second), 0U);
  EXPECT_TRUE(none.says("4 of 4 entries are not signed by an allowed key")) << none.err;
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "good.key"}), "results"), 2);
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "good.key"}), "results"), 0);
  const Said both = pull(second, believing);
  EXPECT_EQ(at(both, "entries"), 2) << "behind the others";
  EXPECT_EQ(at(both, "results"), 2);
  // Whoever is believed later is believed with what they said before.
  const Home third;
  fs::create_directory(third / "keys");
  fs::copy_file(first / "good.key.pub", third / "keys/good.pub");
  const Words there{"--keys", (third / "keys").string()};
  EXPECT_EQ(at(pull(third, there), "results"), 2);
  fs::copy_file(first / "bad.key.pub", third / "keys/bad.pub");
  EXPECT_EQ(at(pull(third, there), "entries"), 6);
  // A signature of something else.
  (void)sql("ALTER TABLE redtune.entry DISABLE TRIGGER USER");
  (void)sql(
      "UPDATE redtune.entry SET signature = sha256('a') || sha256('b') WHERE id ="
      " (SELECT max(id) FROM redtune.entry WHERE kind = 'result' AND signer <> '')");
  const Home fourth;
  EXPECT_EQ(at(pull(fourth), "forged"), 1) << "not even with --unsigned";
}

TEST_F(Exchange, AFalseSignatureKeepsNoTrueOneOut) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  believe_a_key(first);
  ASSERT_EQ(at(push(first.home()), "results"), 2);
  const std::string text = cache::testing::read_text(first / "a.key.pub");
  const std::string signer = text.substr(text.find('\n') + 1, 64);
  (void)sql(
      "INSERT INTO redtune.entry (kind, device_class, question, subject, document, digest, signer,"
      " signature, build) SELECT kind, device_class, question, subject, document, digest,"
      " decode('" +
      signer + "', 'hex'), sha256('a') || sha256('b'), 'false' FROM redtune.entry");
  EXPECT_EQ(at(push(first.home(), {"--sign", first / "a.key"}), "results"), 2);
  const Home second;
  const Said pulled = pull(second, {"--keys", first / "keys"});
  EXPECT_EQ(at(pulled, "results"), 2) << pulled.err;
  EXPECT_EQ(at(pulled, "forged"), 2);
}

TEST_F(Exchange, KeysThatOthersCanChangeAreNotBelieved) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  believe_a_key(first);
  chmod((first / "keys").c_str(), 0777);
  const Said said = pull(first.home(), {"--keys", first / "keys"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("is not believed")) << said.err;
  fs::rename(first / "keys/a.pub", first / "a.pub");
  const Said empty = pull(first.home(), {"--keys", first / "keys", "--unsigned"});
  EXPECT_TRUE(empty.says("keys is not believed: it can be changed by others")) << empty.err;
  fs::rename(first / "a.pub", first / "keys/a.pub");
  chmod((first / "keys").c_str(), 0755);
  // Of what cannot be looked at nobody knows that there are no keys.
  fs::create_symlink(first / "loop", first / "loop");
  for (const std::string& folder : {first / "loop", first / "a.key/keys"}) {
    const Said unknown = pull(first.home(), {"--keys", folder, "--unsigned"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.says("cannot read the allowed keys in")) << unknown.err;
  }
  cache::testing::write_text(first / "keys/b.pub", "no key");
  EXPECT_TRUE(pull(first.home(), {"--keys", first / "keys"}).says("is no public key of redtune"));
  chmod((first / "a.key").c_str(), 0644);
  EXPECT_TRUE(push(first.home(), {"--sign", first / "a.key"}).says("can be read by others"));
  chmod((first / "a.key.pub").c_str(), 0600);
  EXPECT_TRUE(push(first.home(), {"--sign", first / "a.key.pub"}).says("is no secret key"));
}

TEST_F(Exchange, FilesAreImportedAsEverUntilThereAreKeys) {
#ifndef REDTUNE_WITH_SODIUM
  GTEST_SKIP() << "this build has no libsodium";
#endif
  const StoreHome first;
  ASSERT_EQ(first.run({"fleet", "key", first / "a.key"}).code, 0);
  const std::string file = first / "out.json";
  EXPECT_TRUE(
      first.run({"cache", "export", "--sign", first / "a.key"}).says("name that with --out"));
  ASSERT_EQ(first.run({"cache", "export", "--out", file}).code, 0);
  const Home home;
  const auto import = [&](const Words& more) {
    return home.run(cli::with({"cache", "import", file, "--keys", (home / "keys").string()}, more));
  };
  EXPECT_EQ(home.run({"cache", "import", file}).code, 0) << "there are no keys: as it always was";
  for (const bool is_there : {false, true}) {
    if (is_there) fs::create_directory(home / "keys");
    for (const Words& more : {Words{}, Words{"--unsigned"}}) {
      const Said said = import(more);
      EXPECT_EQ(said.code, 2) << "who names a folder wants keys";
      EXPECT_TRUE(said.says("says who is believed; put public keys there")) << said.err;
    }
  }
  fs::copy_file(first / "a.key.pub", home / "keys/a.pub");
  const Said refused = import({});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.says("is not signed, and this machine takes only what a key in "))
      << refused.err;
  EXPECT_EQ(import({"--unsigned"}).code, 0);
  ASSERT_EQ(first.run({"cache", "export", "--out", file, "--sign", first / "a.key"}).code, 0);
  EXPECT_EQ(import({}).code, 0);
  cache::testing::write_text(file, cache::testing::read_text(file) + "\n");
  for (const Words& more : {Words{}, Words{"--unsigned"}}) {
    EXPECT_TRUE(import(more).says("one of them was changed or is torn"));
  }
  cache::testing::write_text(file + ".sig", "no signature");
  EXPECT_TRUE(import({}).says("out.json.sig is no signature of redtune"));
  const Words merge{"cache", "merge", first.store_file().string(), "--keys",
                    (home / "keys").string()};
  EXPECT_TRUE(home.run(merge).says("a store is not signed"));
  EXPECT_EQ(home.run(cli::with(merge, {"--unsigned"})).code, 0);
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
  Postgres server("fsync = on");
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
  Postgres server("fsync = off");
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
  Postgres server("fsync = off\nmax_wal_size = '32MB'", "ulimit -f 2048;");
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

}  // namespace
}  // namespace redtune::fleet::testing
