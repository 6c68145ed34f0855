// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache export, import and merge: results on their way from machine to machine.
#include <gtest/gtest.h>

#include "cache/exchange/exchange.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

class CacheExchange : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return home_ / name; }
  /// The text that a store gives to others.
  [[nodiscard]] std::string exported(const std::string& store) const {
    return home_.run({"cache", "export", "--cache", store}).out;
  }
  /// What was said of the only file that was taken over.
  [[nodiscard]] json taken(const std::string& how, const std::string& from,
                           const std::string& into) const {
    const Said said = home_.run({"cache", how, from, "--cache", into, "--json"});
    return said.code == 0 ? said.document().at("taken_over").at(0) : json(said.err);
  }
  /// Changes the first result of an exported file.
  [[nodiscard]] std::string spoiled(const std::function<void(json&)>& change) const {
    json document = json::parse(exported(home_.store_file()));
    change(document.at("results").at(0));
    cache::testing::write_text(file("spoiled.json"), document.dump());
    return file("spoiled.json");
  }

  StoreHome home_;
};

TEST_F(CacheExchange, GivesTheSameTextFromTheStoreThatImportedIt) {
  ASSERT_EQ(home_.run({"cache", "export", "--out", file("a.json")}).code, 0);
  EXPECT_EQ(taken("import", file("a.json"), file("new.db")).at("results"), 2);
  EXPECT_EQ(exported(file("new.db")), cache::testing::read_text(file("a.json")));
  EXPECT_EQ(home_.run({"cache", "verify", "--cache", file("new.db")}).code, 0);
}

TEST_F(CacheExchange, DoesNotWriteTwoFormatsIntoOneOutput) {
  for (const char* format : {"c++", "t4"}) {
    const Said said = home_.run({"cache", "export", "--format", format, "--json"});
    EXPECT_EQ(said.code, 2) << format;
    EXPECT_EQ(said.out, "") << format;
    EXPECT_EQ(count_of(said.err, "\n"), 1U) << said.err;
    EXPECT_TRUE(said.says("--out") && said.says(format)) << said.err;
    const Said apart =
        home_.run({"cache", "export", "--format", format, "--out", file("apart"), "--json"});
    EXPECT_EQ(apart.document().at("format"), format);
  }
  EXPECT_EQ(home_.run({"cache", "export", "--json"}).document().at("format"), "redtune results 1");
}

TEST_F(CacheExchange, ShowsWhereAResultCameFrom) {
  ASSERT_EQ(home_.run({"cache", "export", "--out", file("a.json")}).code, 0);
  ASSERT_EQ(home_.run({"cache", "import", file("a.json"), "--cache", file("new.db")}).code, 0);
  EXPECT_TRUE(home_.run({"cache", "list", "--cache", file("new.db")}).says("imported"));
  EXPECT_TRUE(
      home_.run({"cache", "show", "1", "--cache", file("new.db")}).says("file " + file("a.json")));
}

TEST_F(CacheExchange, ImportsTwiceWithoutDoubles) {
  ASSERT_EQ(home_.run({"cache", "export", "--out", file("a.json")}).code, 0);
  const Said said = home_.run(
      {"cache", "import", file("a.json"), file("a.json"), "--cache", file("new.db"), "--json"});
  const json both = said.document().at("taken_over");
  EXPECT_EQ(both.at(0).at("results"), 2);
  EXPECT_EQ(both.at(1).at("results"), 0);
  EXPECT_EQ(both.at(1).at("known"), 2);
}

TEST_F(CacheExchange, MergesWholeStores) {
  const json merged = taken("merge", home_.store_file(), file("new.db"));
  EXPECT_EQ(merged.at("runs"), 3);
  EXPECT_EQ(merged.at("trials"), 6);
  EXPECT_EQ(merged.at("results"), 3);
  EXPECT_EQ(home_.answer(file("new.db")), "128") << "the newer one answers";
  EXPECT_EQ(taken("merge", home_.store_file(), file("new.db")).at("known"), 3);
  EXPECT_EQ(exported(file("new.db")), exported(home_.store_file()));
}

TEST_F(CacheExchange, ReadsAStoreThatCannotBeWritten) {
  fs::permissions(home_.store_file(), fs::perms::owner_read);
  const std::string before = cache::testing::read_text(home_.store_file());
  EXPECT_EQ(taken("merge", home_.store_file(), file("new.db")).at("runs"), 3);
  EXPECT_EQ(cache::testing::read_text(home_.store_file()), before);
}

TEST_F(CacheExchange, BringsTrialsAsT4) {
  const Said said = home_.run({"cache", "export", "--format", "t4", "--run", "2"});
  EXPECT_EQ(said.document().at("results").size(), 2U);
  cache::testing::write_text(file("run.t4.json"), said.out);
  const json done = taken("import", file("run.t4.json"), file("new.db"));
  EXPECT_EQ(done.at("trials"), 2);
  EXPECT_EQ(done.at("results"), 0) << "trials alone make no result";
  EXPECT_EQ(home_.run({"cache", "export", "--format", "t4", "--cache", file("new.db")}).out,
            said.out);
}

TEST_F(CacheExchange, RefusesWhatNobodyMeasured) {
  const std::vector<std::function<void(json&)>> lies{
      [](json& result) { result["settings"]["block_size"] = "2048"; },
      [](json& result) { result["settings"]["block_size"] = "12; rm"; },
      [](json& result) { result["settings"]["no_such"] = "1"; },
      [](json& result) { result["settings"]["slot_wait"] = "pause"; },  // of an earlier version
      [](json& result) { result["family"] = "another"; },
      [](json& result) {
        result["time_us"] = {-1, 2, 3};
      },
      [](json& result) { result["at"] = "2999-01-01T00:00:00.000Z"; },
      [](json& result) { result["device"] = "\x1b]0;title\x07"; },
      [](json& result) { result["device_class"]["compute_units"] = "0"; },
      [](json& result) { result["problem"]["count"] = "99999999999999999999"; }};
  for (const auto& lie : lies) {
    const Said said =
        home_.run({"cache", "import", spoiled(lie), "--cache", file("new.db"), "--json"});
    EXPECT_EQ(said.code, 0) << "one of two is fine";
    const json done = said.document().at("taken_over").at(0);
    EXPECT_EQ(done.at("results").get<int>() + done.at("known").get<int>(), 1) << said.err;
    EXPECT_EQ(done.at("left_out"), 1) << said.err;
    EXPECT_TRUE(said.says("left out")) << said.err;
    EXPECT_EQ(said.err.find('\x1b'), std::string::npos) << "it reaches the terminal";
  }
  EXPECT_EQ(home_.run({"cache", "verify", "--cache", file("new.db")}).code, 0);
}

TEST_F(CacheExchange, AddsNoResultToRunsOfOnesOwn) {
  const std::string forged = spoiled([](json& result) { result["at"] = cache::time_in_days(0.5); });
  const std::string before = exported(home_.store_file());
  const Said said = home_.run({"cache", "import", forged, "--json"});
  EXPECT_EQ(said.document().at("taken_over").at(0).at("results"), 0);
  EXPECT_EQ(said.document().at("taken_over").at(0).at("left_out"), 1);
  EXPECT_EQ(warnings_in(said.err), 1U) << said.err;
  EXPECT_EQ(exported(home_.store_file()), before);
}

TEST_F(CacheExchange, SaysInOneLineWhyAFileCannotBeRead) {
  cache::testing::write_text(file("garbage"), "garbage");
  cache::testing::write_text(file("cut"), exported(home_.store_file()).substr(0, 1000));
  cache::testing::write_text(file("deep"), std::string(100'000, '['));
  fs::create_directory(file("folder"));
  cache::testing::write_text(file("huge"), "");
  fs::resize_file(file("huge"), cache::max_exchange_bytes + 1);
  for (const char* name : {"garbage", "cut", "deep", "folder", "huge", "missing"}) {
    const Said said = home_.run({"cache", "import", file(name), "--cache", file("new.db")});
    EXPECT_EQ(said.code, 2) << name;
    EXPECT_EQ(count_of(said.err, "\n"), 1U) << said.err;
    EXPECT_TRUE(said.says(file(name))) << said.err;
  }
  EXPECT_FALSE(fs::exists(file("new.db"))) << "a store was made for nothing";
}

TEST_F(CacheExchange, TakesAllFilesOrNone) {
  ASSERT_EQ(home_.run({"cache", "export", "--out", file("a.json")}).code, 0);
  EXPECT_EQ(
      home_.run({"cache", "import", file("a.json"), file("missing"), "--cache", file("new.db")})
          .code,
      2);
  EXPECT_FALSE(fs::exists(file("new.db")));
}

TEST_F(CacheExchange, LeavesAWholeStoreWhenItIsKilled) {
  cache::Store big = cache::Store::open(file("big.db"));
  for (int i = 0; i < 40; ++i) add_run(big, made_start(1000 + i));
  for (int turn = 0; turn < 10; ++turn) {
    const std::string into = file("killed.db");
    {
      Running merging(home_.home(), {"cache", "merge", file("big.db"), "--cache", into});
      std::this_thread::sleep_for(std::chrono::milliseconds(4 * turn));
      (void)merging.end_with(SIGKILL);
    }
    if (!fs::exists(into)) continue;
    const cache::Store store = cache::Store::open(into);
    const std::size_t results = store.history().size();
    EXPECT_TRUE(results == 0 || results == 40) << results;
    EXPECT_EQ(store.runs().size(), results);
  }
  EXPECT_EQ(home_.run({"cache", "merge", file("big.db"), "--cache", file("killed.db")}).code, 0);
  EXPECT_EQ(cache::Store::open(file("killed.db")).history().size(), 40U);
}

TEST_F(CacheExchange, NamesFormatsAndRunsThatThereAreNot) {
  EXPECT_TRUE(home_.run({"cache", "export", "--format", "c+"}).says("did you mean 'c++'"));
  EXPECT_TRUE(home_.run({"cache", "export", "--format", "t4", "--run", "99"}).says("no run 99"));
  EXPECT_EQ(home_.run({"cache", "export", "--run", "1"}).code, 2);
  EXPECT_EQ(home_.run({"cache", "export", "--format", "t4", "--op", "sum"}).code, 2);
  EXPECT_EQ(home_.run({"cache", "export", "--out", file("no/folder/x")}).code, 74);
  EXPECT_EQ(home_.run({"cache", "export", "--format", "c++", "--device", "nothing"}).code, 2);
}

TEST_F(CacheExchange, WritesAHeaderOfOneDeviceOnly) {
  cache::Store store = cache::Store::open(home_.store_file());
  cache::RunStart other = made_start();
  other.device.device_class.isa = "gfx906";
  add_run(store, other);
  const Said said = home_.run({"cache", "export", "--format", "c++"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("gfx906")) << said.err;
  EXPECT_TRUE(home_.run({"cache", "export", "--format", "c++", "--device", "gfx906"})
                  .says("struct sum_f32"));
}

}  // namespace
}  // namespace redtune::cli
