// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache pin: a snapshot that is kept stays, and processes that are pinned to it agree.
#include <algorithm>
#include <gtest/gtest.h>

#include "cache/keys/sha256.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

class CachePin : public ::testing::Test {
 protected:
  [[nodiscard]] static fs::path snapshot_of(const StoreHome& home) {
    return cache::snapshot_of(home.store_file());
  }
  /// The name that the command prints, alone on standard output.
  [[nodiscard]] static std::string pin(const StoreHome& home, const Words& more = {}) {
    Words words{"cache", "pin"};
    words.insert(words.end(), more.begin(), more.end());
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(lines_in(said.out).size(), 1U) << said.out;
    return said.out.substr(0, said.out.find('\n'));
  }
  static void tune_more(const StoreHome& home) {
    cache::Store store = cache::Store::open(home.store_file());
    cache::RunStart start = made_start();
    start.seed = 3;
    add_run(store, start, "256");
    add_run(store, made_start(1 << 22), "256");
  }
  [[nodiscard]] static json list(const StoreHome& home) {
    return home.run({"cache", "pin", "--list", "--json"}).document().at("snapshots");
  }
};

TEST_F(CachePin, PrintsAndKeepsThePresentSnapshotUntilItIsLetGo) {
  const StoreHome home;
  EXPECT_EQ(list(home).size(), 1U);
  EXPECT_TRUE(home.run({"cache", "pin", "--list"}).says("present, not kept"));
  const std::string name = pin(home);
  const std::string content = cache::testing::read_text(snapshot_of(home));
  EXPECT_EQ(name, "sha256:" + cache::sha256_hex(content)) << "as sha256sum has it";
  EXPECT_EQ(pin(home), name) << "again it is the same";
  tune_more(home);
  json kept = list(home);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].at("present"), true);
  EXPECT_TRUE(kept[0].at("kept_since").is_null());
  EXPECT_EQ(kept[1].at("snapshot"), name);
  EXPECT_EQ(kept[1].at("present"), false);
  EXPECT_EQ(kept[1].at("results"), 2);
  ASSERT_EQ(home.run({"cache", "gc", "--keep", "0", "--binaries-days", "0"}).code, 0);
  EXPECT_EQ(cache::testing::read_text(kept[1].at("file").get<std::string>()), content);
  const std::string newer = pin(home);
  EXPECT_NE(newer, name);
  EXPECT_EQ(home.run({"cache", "pin", "--remove", name}).code, 0);
  kept = list(home);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].at("snapshot"), newer);
  const Said gone = home.run({"cache", "pin", "--remove", name});
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(gone.says("is not kept in")) << gone.err;
}

/// What a process gets of a question, without the place where it was found.
std::string asked(const StoreHome& home, const Words& more, const std::string& name) {
  Words words{"query", "--json", "--device", "host", "--op", "sum"};
  words.insert(words.end(), more.begin(), more.end());
  const Said said = home.run(words, {"REDTUNE_SNAPSHOT=" + name});
  EXPECT_EQ(said.code, 0) << said.err;
  json document = said.document();
  EXPECT_EQ(document.at("layers").size(), 1U);
  EXPECT_EQ(document.at("layers")[0].at("name"), "pinned");
  for (const char* place : {"layers", "source"}) document.erase(place);
  return document.dump();
}

TEST_F(CachePin, MachinesThatKeepItAgreeWhateverTheyTune) {
  const StoreHome here;
  const StoreHome there;
  {
    cache::Store store = cache::Store::open(here.store_file());
    cache::RunStart start = made_start(1000);
    start.device = identify_device("host");
    add_run(store, start, "8");
  }
  tune_more(there);
  const std::string name = pin(here);
  const Words question{"--count", "1000"};
  const std::string before = asked(here, question, name);
  EXPECT_NE(before.find("\"exact\""), std::string::npos) << before;
  const Said missing = there.run({"query", "--count", "1000"}, {"REDTUNE_SNAPSHOT=" + name});
  EXPECT_EQ(missing.code, 74);
  EXPECT_TRUE(missing.says("the pinned snapshot " + name + " is not in ")) << missing.err;
  EXPECT_EQ(lines_in(missing.err).size(), 1U) << missing.err;
  const std::string file = list(here)[0].at("file");
  EXPECT_EQ(pin(there, {file}), name) << "copied";
  tune_more(here);
  for (const Words& one : {question, {"--count", "100000"}, {"--count", "2^30"}}) {
    EXPECT_EQ(asked(here, one, name), asked(there, one, name));
  }
  EXPECT_EQ(asked(here, question, name), before);
}

TEST_F(CachePin, RefusesWhatIsNoSnapshot) {
  const StoreHome home;
  const std::string bad = home / "bad.snap";
  const auto expect_refused = [&](const std::string& why) {
    const Said said = home.run({"cache", "pin", bad});
    EXPECT_EQ(said.code, 2) << why;
    EXPECT_TRUE(said.says(why)) << said.err;
    EXPECT_EQ(lines_in(said.err).size(), 1U) << said.err;
  };
  expect_refused("bad.snap cannot be read: No such file");
  std::string content = cache::testing::read_text(snapshot_of(home));
  content[content.size() - 100] ^= 1;
  cache::testing::write_text(bad, content);
  expect_refused("bad.snap is damaged");
  cache::testing::write_text(bad, "text");
  expect_refused("bad.snap is not a snapshot of redtune");
  fs::remove(bad);
  fs::create_directory(bad);
  expect_refused("bad.snap cannot be read: Is a directory");
  const json kept = list(home);
  EXPECT_EQ(kept.size(), 1U) << "none of them is kept";
  const Said empty = Home().run({"cache", "pin"});
  EXPECT_EQ(empty.code, 2);
  EXPECT_TRUE(empty.says("nothing was tuned")) << empty.err;
  EXPECT_TRUE(Home().run({"cache", "pin", "--list"}).says("no snapshot is kept"));
  EXPECT_EQ(home.run({"cache", "pin", "--list", "--remove", "x"}).code, 2);
  const Said nonsense = home.run({"cache", "pin", "--remove", "latest"});
  EXPECT_EQ(nonsense.code, 2);
  EXPECT_TRUE(nonsense.says("--remove is 'latest', which names no snapshot")) << nonsense.err;
}

TEST_F(CachePin, IsListedAsDamagedWhereItIs) {
  const StoreHome home;
  const std::string name = pin(home);
  const std::string file = list(home)[0].at("file");
  std::string content = cache::testing::read_text(file);
  content[content.size() / 2] ^= 1;
  cache::testing::write_text(file, content);
  for (const json& one : list(home)) {
    EXPECT_EQ(one.at("damage"), one.at("file") == file ? json("damaged") : json());
  }
  EXPECT_TRUE(home.run({"cache", "pin", "--list"}).says("damaged"));
  EXPECT_EQ(pin(home), name);
  EXPECT_TRUE(list(home)[0].at("damage").is_null()) << "kept again it is whole";
}

TEST_F(CachePin, IsReadableForAllWhereItsFolderIs) {
  const StoreHome home;
  const fs::path folder = home / "site";
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms(0755));
  const std::string store = (folder / cache::store_name).string();
  const std::string name = pin(home, {snapshot_of(home).string(), "--cache", store});
  const fs::path file = folder / "pinned-v1" / (name.substr(7) + ".snap");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0644));
  EXPECT_EQ(fs::status(file.parent_path()).permissions(), fs::perms(0755));
  (void)pin(home);
  EXPECT_EQ(fs::status(snapshot_of(home).parent_path() / "pinned-v1").permissions(),
            fs::perms(0700));
}

TEST_F(CachePin, IsKnownToTheDoctor) {
  const StoreHome home;
  const std::string present =
      "sha256:" + cache::sha256_hex(cache::testing::read_text(snapshot_of(home)));
  const auto doctor = [&](const std::string& value) {
    return home.run({"doctor", "--device", "host"}, {"REDTUNE_SNAPSHOT=" + value});
  };
  EXPECT_TRUE(doctor(present).says("the next tune replaces that snapshot")) << "not kept";
  (void)pin(home);
  EXPECT_FALSE(doctor(present).says("the next tune replaces that snapshot"));
  EXPECT_TRUE(doctor("sha256:" + std::string(64, '0')).says("copy it from a machine that has it"));
  EXPECT_TRUE(doctor("latest").says("which names no snapshot"));
  EXPECT_TRUE(home.run({"doctor", "--device", "host"}, {"REDTUNE_STRICT=1"})
                  .says("programs refuse it: write on or off"));
  EXPECT_TRUE(home.run({"cache", "path"}).says("pinned-v1"));
}

TEST_F(CachePin, StrictQueriesMissWhereNobodyTuned) {
  const StoreHome home;
  const Words words{"query", "--device", "host", "--count", "1000"};
  EXPECT_EQ(home.run(words).code, 0);
  const Said said = home.run(words, {"REDTUNE_STRICT=on"});
  EXPECT_EQ(said.code, 4) << said.err;
  EXPECT_TRUE(said.says("match    default")) << said.out;
}

}  // namespace
}  // namespace redtune::cli
