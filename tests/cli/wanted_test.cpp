// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is wanted is listed, tuned and then wanted no more.
#include "cache/exchange/wanted.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/find_best.hpp"
#include "runtime/space_key.hpp"
#include "tests/cli/leave_wanted.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

/// By a process on this machine.
void leave_wanted(const Home& home, const std::string& process,
                  const std::vector<std::pair<std::int64_t, std::uint64_t>>& asked) {
  leave_wanted(home, process, asked, identify_device("host"));
}

std::vector<std::int64_t> counts_of(const Said& said, const std::string& list) {
  std::vector<std::int64_t> counts;
  const json document = said.document();
  for (const json& one : document.at(list)) {
    counts.push_back(one.at("problem").at("count").get<std::int64_t>());
  }
  return counts;
}

const Words quickly{"--device", "host", "--force-noisy", "--json"};

TEST(Wanted, IsListedTunedAndWantedNoMore) {
  const Home home;
  EXPECT_TRUE(home.run({"wanted"}).says("nothing is wanted"));
  leave_wanted(home, "1-a", {{1000, 5}, {2000, 700}});
  leave_wanted(home, "2-a", {{1000, 5}});
  DeviceIdentity other = identify_device("host");
  other.device_class.model = "another";
  leave_wanted(home, "3-a", {{3000, 1}}, other);
  const Said list = home.run({"wanted", "--json"});
  ASSERT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(counts_of(list, "wanted"), (std::vector<std::int64_t>{2000, 1000, 3000}));
  const json document = list.document();
  EXPECT_EQ(document.at("wanted")[1].at("processes"), 2);
  EXPECT_EQ(document.at("wanted")[1].at("launches"), 10);
  EXPECT_EQ(document.at("wanted")[1].at("match"), "default");
  EXPECT_TRUE(document.at("wanted")[1].at("likely_gain").is_null()) << "nothing tells yet";
  const Said shown = home.run({"wanted"});
  EXPECT_TRUE(shown.says("3 questions to tune, the most useful first")) << shown.out;
  EXPECT_TRUE(shown.says("not known")) << shown.out;

  const Said planned = home.run(with({"tune", "--wanted", "--list"}, quickly));
  EXPECT_EQ(counts_of(planned, "problems"), (std::vector<std::int64_t>{2000, 1000}))
      << planned.err << "of this device";
  const Said tuned = home.run(with({"tune", "--wanted", "--budget", "5"}, quickly));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_EQ(counts_of(tuned, "problems"), (std::vector<std::int64_t>{2000, 1000}));
  EXPECT_EQ(tuned.document().at("tuned"), 2);
  EXPECT_EQ(counts_of(home.run({"wanted", "--json"}), "wanted"), (std::vector<std::int64_t>{3000}));
  EXPECT_TRUE(home.run({"tune", "--wanted", "--device", "host"}).says("nothing is wanted"));
  EXPECT_TRUE(home.run({"wanted", "--clear"}).says("forgot what 3 processes asked for"));
  EXPECT_TRUE(home.run({"wanted"}).says("nothing is wanted"));
}

TEST(Wanted, HasATimeForAllOfIt) {
  const Home home;
  leave_wanted(home, "1-a", {{1000, 1}, {2000, 1}, {4000, 1}});
  const Said said = home.run(with({"tune", "--wanted", "--budget", "1ms"}, quickly));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("tuned").get<int>() + said.document().at("not_reached").get<int>(),
            3);
  EXPECT_GE(said.document().at("not_reached"), 2) << said.out;
}

TEST(Wanted, KnowsWhatAModelExpects) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune({"--count", "4000", "--budget", "24"})).code, 0);
  leave_wanted(home, "1-a", {{8000, 3}});
  const Said said = home.run({"wanted", "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  const json document = said.document();
  ASSERT_EQ(document.at("wanted").size(), 1U);
  EXPECT_EQ(document.at("wanted")[0].at("match"), "near");
  EXPECT_GE(document.at("wanted")[0].at("likely_gain").get<double>(), 1) << said.out;
  EXPECT_TRUE(home.run({"wanted"}).says(" %")) << said.out;
}

TEST(Wanted, UntriedIsWhatNoRunOfLateCameToNothingWith) {
  const Home home;
  leave_wanted(home, "1-a", {{1000, 9}, {2000, 8}, {3000, 7}, {4000, 6}});
  const DeviceIdentity host = identify_device("host");
  {
    cache::Store store = cache::Store::open(home / "data/redtune/results-v1.db");
    const auto end_run = [&](std::int64_t count, cache::RunState state, const std::string& note) {
      cache::RunStart start = cache::testing::sample_start();
      start.problem = make_problem(Op::sum, DType::f32, count);
      start.space_key = runtime::space_key(kernels::family_of(start.problem));
      start.device = host;
      store.finish(store.begin(start), state, note);
    };
    end_run(1000, cache::RunState::done, "nothing was told apart");
    end_run(2000, cache::RunState::done, "contended: 4711 (python)");
    end_run(3000, cache::RunState::interrupted, "stopped");
    end_run(4000, cache::RunState::failed, "nothing valid");
  }
  const Words all{"tune", "--wanted", "--device", "host", "--list", "--json"};
  EXPECT_EQ(counts_of(home.run(all), "problems"),
            (std::vector<std::int64_t>{1000, 2000, 3000, 4000}));
  EXPECT_EQ(counts_of(home.run(with(all, {"--untried"})), "problems"),
            (std::vector<std::int64_t>{2000, 3000}));
  {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((home / "data/redtune/results-v1.db").c_str(), &database), SQLITE_OK);
    sqlite3_exec(database,
                 "update run set finished_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-2 days')",
                 nullptr, nullptr, nullptr);
    sqlite3_close(database);
  }
  EXPECT_EQ(counts_of(home.run(with(all, {"--untried"})), "problems"),
            (std::vector<std::int64_t>{2000, 3000, 4000}))
      << "failures are tried again after a day";
  const Said alone = home.run({"tune", "--untried", "--device", "host"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_TRUE(alone.says("--untried leaves out some of what --wanted names")) << alone.err;
}

TEST(Wanted, IsTunedByAServiceOnTheHostToo) {
  const Home home;
  leave_wanted(home, "1-a", {{1000, 5}});
  const Said said = home.run({"serve", "--once", "--device", "host", "--idle", "0", "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("ended"), "tuned");
  EXPECT_EQ(said.document().at("left"), 0) << "published, or tried in vain on a busy machine";
  EXPECT_EQ(home.run({"log", "--json"}).document().at("runs").size(), 1U);
  EXPECT_TRUE(home.run({"serve", "--once", "--device", "host", "--idle", "0"})
                  .says("nothing is wanted of these devices"));
}

TEST(Wanted, SaysAllThatIsToBeTuned) {
  const Home home;
  for (const Words& other : std::vector<Words>{
           {"--count", "1000"}, {"--op", "sum"}, {"--workload", "w.toml"}, {"kernel.hip"}}) {
    const Said said = home.run(with({"tune", "--wanted", "--device", "host"}, other));
    EXPECT_EQ(said.code, 2) << other[0];
    EXPECT_TRUE(said.says("both say what is to be tuned; leave one of them out")) << said.err;
  }
}

}  // namespace
}  // namespace redtune::cli
