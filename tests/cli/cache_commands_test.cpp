// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache: each of its commands on a store, without one, and on what is none.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <sqlite3.h>
#include <sstream>

#include "cache/files/paths.hpp"
#include "cli/command.hpp"
#include "redtune/error.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
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

TEST_F(CacheCommands, RestoreListsGenerationsAndLetsOneAnswerAgain) {
  const auto generations = home_.run({"cache", "restore", "--json"}).document().at("generations");
  ASSERT_EQ(generations.size(), 3U);
  EXPECT_EQ(generations[0].at("generation"), 3);
  EXPECT_EQ(generations[0].at("differing"), 0);
  EXPECT_EQ(generations[1].at("results"), 2);
  EXPECT_EQ(generations[1].at("differing"), 1);
  EXPECT_TRUE(home_.run({"cache", "restore"}).says("differ from now"));
  const Said done = home_.run({"cache", "restore", "2"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, "generation 2: 1 result answers again, 1 did already\n");
  EXPECT_EQ(home_.answer(home_.store_file()), "64");
  EXPECT_EQ(home_.run({"cache", "verify"}).code, 0);
  expect_one_line(home_.run({"cache", "restore", "77"}), "no such generation");
  expect_one_line(home_.run({"cache", "restore", home_ / "exported.json"}), "no snapshot");
  expect_one_line(home_.run({"cache", "restore", home_ / "missing.snap"}), "no file");
}

TEST_F(CacheCommands, RestoreTakesAFileAndLeavesOutWhatWasRevoked) {
  const std::string kept = home_ / "kept.snap";
  std::filesystem::copy_file(cache::snapshot_of(home_.store_file()), kept);
  EXPECT_EQ(home_.run({"cache", "revoke", "3"}).code, 0);
  const Said said = home_.run({"cache", "restore", kept});
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(said.says("0 results answer again, 1 did already; 1 left out")) << said.out;
  EXPECT_TRUE(said.says("redtune cache revoke --restore 3")) << said.err;
  EXPECT_EQ(home_.answer(home_.store_file()), "64");
}

TEST_F(CacheCommands, ImportTakesSnapshots) {
  const std::string into = home_ / "node.db";
  const std::string snapshot = cache::snapshot_of(home_.store_file()).string();
  const Said said = home_.run({"cache", "import", snapshot, "--cache", into});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("2 results")) << said.out;
  EXPECT_EQ(home_.answer(into), "128");
  EXPECT_TRUE(home_.run({"cache", "list", "--cache", into}).says("imported"));
}

TEST_F(CacheCommands, APlaceWithASnapshotOnlyShowsItsResultsAndKeepsThem) {
  const std::string node = home_ / "node.db";
  std::filesystem::copy_file(cache::snapshot_of(home_.store_file()), cache::snapshot_of(node));
  const Said listed = home_.run({"cache", "list", "--cache", node, "--json"});
  EXPECT_EQ(listed.document().at("results").size(), 2U) << listed.err;
  EXPECT_EQ(home_.run({"cache", "verify", "--cache", node}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(node)) << "looking makes nothing";
  EXPECT_EQ(home_.run({"cache", "gc", "--cache", node}).code, 0);
  EXPECT_EQ(home_.answer(node), "128");
}

/// Everything that a store's place was never meant for, by what a command says of it.
std::vector<std::pair<std::string, std::string>> foreign_places(const StoreHome& home) {
  cache::testing::write_text(home / "text.db", std::string(5000, 'x') + "\n");
  std::string numbers(1 << 20, '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<char>(i * i % 251);
  cache::testing::write_text(home / "numbers", numbers);
  std::filesystem::create_directory(home / "folder.db");
  std::filesystem::create_symlink("nowhere.db", home / "broken.db");
  sqlite3* theirs = nullptr;
  EXPECT_EQ(sqlite3_open((home / "theirs.db").c_str(), &theirs), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(theirs, "CREATE TABLE letters (text)", nullptr, nullptr, nullptr), 0);
  sqlite3_close(theirs);
  return {{"text.db", "is a text file"},
          {"numbers", "is "},
          {"folder.db", "is a folder"},
          {"broken.db", "is a symbolic link to"},
          {"theirs.db", "is an SQLite database of another program"}};
}

/// What stands in a home, byte for byte.
std::map<std::string, std::string> content_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& one : std::filesystem::recursive_directory_iterator(folder)) {
    all[one.path().string()] =
        one.is_regular_file() ? cache::testing::read_text(one.path()) : std::string();
  }
  return all;
}

TEST_F(CacheCommands, EveryCommandRefusesWhatIsNoStoreAndLeavesItAlone) {
  for (const auto& [name, what] : foreign_places(home_)) {
    const auto before = content_of(home_ / "");
    for (const Command& command : commands()) {
      const bool takes_a_store = std::ranges::any_of(
          command.options, [](const OptionRow& row) { return row.name == "cache"; });
      if (!takes_a_store || command.words == "doctor") continue;
      Words words;
      std::istringstream parts{std::string(command.words)};
      for (std::string word; parts >> word;) words.push_back(word);
      if (command.operand == "ID") words.emplace_back("1");
      const Said named = home_.run(with(words, {"--cache", home_ / name}));
      EXPECT_EQ(named.code, 2) << command.words << ' ' << name << named.out << named.err;
      expect_one_line(named, std::string(command.words));
      EXPECT_TRUE(named.says(what)) << command.words << named.err;
      const Said set = home_.run(words, {"REDTUNE_CACHE=" + (home_ / name)});
      EXPECT_EQ(set.code, 2) << command.words << set.err;
    }
    const Said doctor = home_.run({"doctor", "--cache", home_ / name});
    EXPECT_TRUE(doctor.says(what)) << doctor.out;
    EXPECT_TRUE(content_of(home_ / "") == before) << name << ": something was changed";
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
  const json document = home_.run({"cache", "path", "--json"}).document();
  for (const json& place : document.at("places")) {
    if (place.at("name") != "store") continue;
    EXPECT_EQ(place.at("path"), home_.store_file().string());
    EXPECT_EQ(place.at("exists"), true);
    EXPECT_GT(place.at("bytes"), 0);
  }
}

}  // namespace
}  // namespace redtune::cli
