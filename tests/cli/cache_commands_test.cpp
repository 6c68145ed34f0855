// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache: each of its commands on a store, without one, and on what is none.
#include <gtest/gtest.h>

#include "redtune/error.hpp"
#include "tests/cli/made_store.hpp"
#include "tuner/cli/command.hpp"

namespace redtune::tuner::cli {
namespace {

/// Every command of the group, with an operand where it needs one.
std::vector<Words> cache_commands(const StoreHome& home) {
  std::vector<Words> all;
  for (const Command& command : commands()) {
    if (!command.words.starts_with("cache ")) continue;
    Words words{"cache", std::string(command.words.substr(6))};
    if (command.operand == "ID") words.emplace_back("1");
    if (command.operand == "FILE...") words.push_back(home / "exported.json");
    if (command.operand == "STORE...") words.push_back(home / "other.db");
    if (words[1] == "explain") words.insert(words.end(), {"--device", "host"});
    all.push_back(words);
  }
  return all;
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void expect_one_line(const Said& said, const std::string& what) {
  EXPECT_EQ(said.out, "") << what;
  EXPECT_EQ(count_of(said.err, "\n"), 1U) << what << ": " << said.err;
  EXPECT_TRUE(said.err.starts_with("redtune: error: ")) << what << ": " << said.err;
}

class CacheCommands : public ::testing::Test {
 protected:
  CacheCommands() {
    EXPECT_EQ(home_.run({"cache", "export", "--out", home_ / "exported.json"}).code, 0);
    std::filesystem::copy_file(home_.store_file(), home_ / "other.db");
  }
  [[nodiscard]] json results(const Words& more = {}) const {
    return home_.run(with({"cache", "list", "--json"}, more)).document().at("results");
  }

  StoreHome home_;
};

TEST_F(CacheCommands, EachDoesItsWorkAndSaysSoInTextAndJson) {
  EXPECT_GE(cache_commands(home_).size(), 10U);
  for (const Words& words : cache_commands(home_)) {
    const Said text = home_.run(words);
    EXPECT_EQ(text.code, 0) << words[1] << text.err;
    EXPECT_NE(text.out, "") << words[1];
    if (words[1] == "revoke") (void)home_.run(with(words, {"--restore"}));
    const Said document = home_.run(with(words, {"--json"}));
    EXPECT_EQ(document.code, 0) << words[1] << document.err;
    EXPECT_TRUE(document.document().is_object()) << words[1];
  }
}

TEST_F(CacheCommands, EachIsOneClearLineWhereThereIsNoStore) {
  for (const Words& words : cache_commands(home_)) {
    const Said said = home_.run(with(words, {"--cache", home_ / ("no/" + words[1] + ".db")}));
    const bool needs_none = words[1] == "path" || words[1] == "gc" || words[1] == "explain";
    const bool makes_one = words[1] == "import" || words[1] == "merge";
    EXPECT_EQ(said.code, needs_none || makes_one ? 0 : 2) << words[1] << said.err;
    if (needs_none || makes_one) continue;
    expect_one_line(said, words[1]);
    EXPECT_TRUE(said.says("redtune tune")) << said.err;
  }
}

TEST_F(CacheCommands, EachRefusesWhatIsNoStoreAndLeavesItAlone) {
  for (const std::string& name : {std::string("text.db"), std::string("folder.db")}) {
    const std::string file = home_ / name;
    if (name == "text.db")
      cache::testing::write_text(file, std::string(5000, 'x'));
    else
      std::filesystem::create_directory(file);
    for (const Words& words : cache_commands(home_)) {
      const bool writes = words[1] == "import" || words[1] == "merge" || words[1] == "revoke" ||
                          words[1] == "gc" || words[1] == "path" || words[1] == "explain";
      if (writes) continue;  // what they do with a damaged store is the store's own affair
      const Said said = home_.run(with(words, {"--cache", file}));
      EXPECT_EQ(said.code, 2) << words[1] << said.out << said.err;
      EXPECT_TRUE(std::filesystem::exists(file)) << words[1];
    }
  }
}

TEST_F(CacheCommands, ReadAStoreThatCannotBeWritten) {
  using std::filesystem::perms;
  const auto folder = home_.store_file().parent_path();
  std::filesystem::permissions(folder, perms::owner_read | perms::owner_exec);
  std::filesystem::permissions(home_.store_file(), perms::owner_read);
  for (const Words& words : {Words{"cache", "list"}, Words{"cache", "show", "1"},
                             Words{"cache", "export"}, Words{"cache", "verify"}}) {
    EXPECT_EQ(home_.run(words).code, 0) << words[1] << home_.run(words).err;
  }
  std::filesystem::permissions(folder, perms::owner_all);
}

TEST_F(CacheCommands, ListWhatAnswersAndOnRequestTheRest) {
  EXPECT_EQ(results().size(), 2U);
  EXPECT_EQ(results({"--all"}).size(), 3U);
  EXPECT_EQ(results({"--op", "max"}).size(), 1U);
  EXPECT_EQ(results({"--type", "f64"}).size(), 0U);
  EXPECT_EQ(results({"--device", "GFX90a"}).size(), 2U);
  EXPECT_EQ(results({"--device", "another"}).size(), 0U);
  const json newest = results()[0];
  EXPECT_EQ(newest.at("id"), 3);
  EXPECT_EQ(newest.at("problem").at("op"), "sum");
  EXPECT_EQ(newest.at("settings").at("block_size"), "128");
  EXPECT_EQ(newest.at("origin"), "");
  EXPECT_EQ(home_.run({"cache", "list", "--op", "summ"}).code, 2);
  const Said text = home_.run({"cache", "list", "--all"});
  EXPECT_TRUE(text.says("block_size=128")) << text.out;
  EXPECT_FALSE(text.says("finish=")) << "the default's values tell nothing: " << text.out;
  EXPECT_TRUE(text.says("older"));
}

TEST_F(CacheCommands, ShowEverythingOfAResult) {
  const json shown = home_.run({"cache", "show", "3", "--json"}).document();
  EXPECT_EQ(shown.at("measurement").at("finalists"), json::parse("[1,2.5,true,null]"));
  EXPECT_EQ(shown.at("run").at("seed"), 2);
  EXPECT_EQ(shown.at("run").at("trials"), 2);
  EXPECT_EQ(shown.at("why_invalid"), "");
  for (const char* word : {"4", "0", "-1", "x", ""}) {
    const Said said = home_.run({"cache", "show", word});
    EXPECT_EQ(said.code, 2) << word;
  }
  expect_one_line(home_.run({"cache", "show"}), "without an id");
}

TEST_F(CacheCommands, RevokeAndRestore) {
  const auto store = home_.store_file();
  const Said revoked = home_.run({"cache", "revoke", "3", "--reason", "a bad day", "--json"});
  EXPECT_EQ(revoked.document().at("answers_now"), 2) << revoked.err;
  EXPECT_EQ(home_.answer(store), "64");
  EXPECT_TRUE(home_.run({"cache", "show", "3"}).says("a bad day"));
  EXPECT_TRUE(home_.run({"cache", "list", "--all"}).says("revoked"));
  expect_one_line(home_.run({"cache", "revoke", "3"}), "twice");
  EXPECT_EQ(home_.run({"cache", "revoke", "2"}).code, 0);
  EXPECT_EQ(home_.answer(store), "none");
  EXPECT_EQ(home_.run({"cache", "verify"}).code, 0) << "applications see what the store says";
  EXPECT_EQ(home_.run({"cache", "revoke", "3", "--restore"}).code, 0);
  EXPECT_EQ(home_.answer(store), "128");
  expect_one_line(home_.run({"cache", "revoke", "99"}), "no such result");
}

TEST_F(CacheCommands, LiftAnExclusion) {
  const json excluded =
      home_.run({"cache", "list", "--excluded", "--json"}).document().at("excluded");
  ASSERT_EQ(excluded.size(), 1U);
  EXPECT_EQ(excluded[0].at("status"), "crashed");
  EXPECT_TRUE(home_.run({"cache", "list", "--excluded"}).says("crashed"));
  const std::string id = std::to_string(excluded[0].at("id").get<int>());
  EXPECT_EQ(home_.run({"cache", "revoke", "--excluded", id}).code, 0);
  EXPECT_EQ(home_.run({"cache", "revoke", "--excluded", id}).code, 2);
  EXPECT_TRUE(home_.run({"cache", "list", "--excluded"}).says("nothing is excluded"));
}

TEST_F(CacheCommands, ExplainAsQueryDoes) {
  const Words question{"--device", "host", "--count", "1000", "--json"};
  EXPECT_EQ(home_.run(with({"cache", "explain"}, question)).document(),
            home_.run(with({"query", "--explain"}, question)).document());
  EXPECT_TRUE(home_.run({"cache", "explain", "--device", "host"}).says("looked"));
}

TEST_F(CacheCommands, PathShowsWhatIsThere) {
  for (const json& place : home_.run({"cache", "path", "--json"}).document().at("places")) {
    if (place.at("name") != "store") continue;
    EXPECT_EQ(place.at("path"), home_.store_file().string());
    EXPECT_EQ(place.at("exists"), true);
    EXPECT_GT(place.at("bytes"), 0);
  }
}

}  // namespace
}  // namespace redtune::tuner::cli
