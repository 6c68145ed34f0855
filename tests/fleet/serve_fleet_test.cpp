// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune serve --fleet on simulated GPUs: services of several machines share what is wanted, and
// each question is tuned once, whoever is killed and whatever becomes of the database.
#include <atomic>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <random>
#include <thread>

#include "tests/cli/leave_wanted.hpp"
#include "tests/fleet/fleet_home.hpp"
#include "tests/reliability/simulated_home.hpp"
#include "tests/simulated_gpu/simulated_device.hpp"
#include "tests/support/preload.hpp"
#include "tests/support/samples.hpp"

namespace redtune::fleet::testing {
namespace {

using namespace std::chrono_literals;
using cli::SimulatedHome;

DeviceIdentity device_of(int model) {
  DeviceIdentity device = simulated::SimulatedDevice::identity_of({}, 0);
  device.device_class.model = fmt::format("1002:740f:{:04x}", model);
  return device;
}

std::string directives_of(int model, const std::string& more = "") {
  return fmt::format("users_in_file:;model:1002:740f:{:04x};{}", model, more);
}

cache::Question question_of_sum(std::int64_t count, int model) {
  return cli::sum_asked(count, device_of(model));
}

void want(FleetStore& fleet, const std::vector<std::int64_t>& counts, int model) {
  std::vector<Wish> wishes;
  for (const std::int64_t count : counts) {
    wishes.push_back(wish_of(
        {.question = question_of_sum(count, model), .device = "Simulated GPU", .launches = 7}, 1));
  }
  (void)fleet.wish(wishes, "n");
}

class ServeFleet : public OnAServer {
 protected:
  void SetUp() override {
    OnAServer::SetUp();
    if (!IsSkipped()) (void)init();
  }
  static Words serve(const std::string& url, const Words& more = {}) {
    return cli::with({"serve", "--device", "hip:0", "--idle", "0", "--jobs", "1", "--fleet", url},
                     more);
  }
  static bool await(const std::function<bool()>& is_so, std::chrono::seconds most = 30s) {
    const auto until = std::chrono::steady_clock::now() + most;
    while (std::chrono::steady_clock::now() < until) {
      if (is_so()) return true;
      std::this_thread::sleep_for(100ms);
    }
    return false;
  }
  static std::size_t claimed_folders(const SimulatedHome& home) {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(home.home() / "data/redtune"))
      found += entry.path().filename().string().starts_with("claimed-") ? 1 : 0;
    return found;
  }
  static json runs_of(const SimulatedHome& home) {
    return home.run({"log", "--json"}).document().at("runs");
  }
};

TEST_F(ServeFleet, TunesWhatAnotherMachineWantsAndGivesItTheAnswer) {
  const SimulatedHome asks;
  cli::leave_wanted(asks.home(), "1-a", {{1000, 7}}, device_of(1));
  ASSERT_EQ(asks.run({"fleet", "push", url()}).code, 0);
  const SimulatedHome idle;
  const std::string key = (idle.home() / "fleet.key").string();
  if (idle.run({"fleet", "key", key}).code != 0) GTEST_SKIP() << "this build has no libsodium";
  const Said said = idle.home().run(serve(url(), {"--once", "--json", "--sign", key}),
                                    idle.environment(directives_of(1)));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(store().status().signed_ones, 2) << "the result and the trials";
  EXPECT_EQ(said.document().at("ended"), "tuned");
  EXPECT_TRUE(said.says("claimed of the fleet: 1 question")) << said.err;
  EXPECT_EQ(store().status().tuned, 1);
  EXPECT_EQ(store().status().results, 1);
  EXPECT_EQ(runs_of(idle).size(), 1U);
  const Said pulled = asks.run({"fleet", "pull", url(), "--unsigned", "--json"});
  EXPECT_EQ(pulled.document().at("results"), 1) << pulled.err;
  EXPECT_TRUE(asks.run({"wanted"}).says("nothing is wanted"));
  // Another class of devices has nothing to do, and never opens its device.
  const SimulatedHome other;
  const Said nothing =
      other.home().run(serve(url(), {"--once"}), other.environment(directives_of(2)));
  EXPECT_EQ(nothing.code, 0) << nothing.err;
  EXPECT_TRUE(other.home().logs().empty());
  EXPECT_EQ(claimed_folders(idle), 0U);
}

TEST_F(ServeFleet, StepsAsideAndLeavesTheQuestionToOthers) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  const SimulatedHome home;
  cli::Running service(home.home(), serve(url(), {"--lease", "1h"}),
                       home.environment(directives_of(1, "real_time:1")));
  ASSERT_TRUE(cli::await_trials(home.home(), 3));
  EXPECT_EQ(fleet.status().claimed, 1);
  EXPECT_EQ(claimed_folders(home), 1U);
  cache::testing::write_text(home.home() / "simulated/users",
                             std::to_string(getpid()) + " solver\n");
  EXPECT_TRUE(await([&] { return fleet.status().open == 1; }))
      << "long before the lease has ended: claimed " << fleet.status().claimed << ", tuned "
      << fleet.status().tuned;
  const Said said = service.end_with(SIGTERM);
  EXPECT_EQ(said.code, 0) << said.err;
}

TEST_F(ServeFleet, ANodeThatIsKilledGivesItsClaimBackWhenTheLeaseEnds) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  const SimulatedHome dies;
  {
    cli::Running service(dies.home(), serve(url(), {"--lease", "5s"}),
                         dies.environment(directives_of(1, "real_time:1")));
    ASSERT_TRUE(cli::await_trials(dies.home(), 2));
    (void)service.end_with(SIGKILL);
  }
  EXPECT_EQ(fleet.status().claimed, 1) << "nobody has given it back";
  EXPECT_TRUE(await([&] { return fleet.status().open == 1; }, 10s));
  const SimulatedHome next;
  const Said said = next.home().run(serve(url(), {"--once"}), next.environment(directives_of(1)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(fleet.status().tuned, 1);
}

TEST_F(ServeFleet, WhoIsKilledBetweenTuningAndPushingPushesFirst) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  const SimulatedHome home;
  const cache::Question question = question_of_sum(10000, 1);
  const QuestionKeys keys = keys_of(question);
  // What is left of it: the tune has ended, the claim's lease has, too.
  ASSERT_EQ(fleet.claim({keys.device_class}, {keys.toolchain}, "killed", 1s, 1).size(), 1U);
  ASSERT_EQ(home.tune(directives_of(1)).code, 0);
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(fleet.status().open, 1);
  const Said said = home.home().run(serve(url(), {"--once"}), home.environment(directives_of(1)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_FALSE(said.says("claimed of the fleet")) << said.err;
  EXPECT_EQ(fleet.status().open, 0);
  EXPECT_EQ(fleet.status().tuned, 1);
  EXPECT_EQ(fleet.status().results, 1);
  EXPECT_EQ(runs_of(home).size(), 1U) << "it is not tuned again";
}

TEST_F(ServeFleet, WhoHasLostALeaseStopsAtOnce) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  const SimulatedHome home;
  cli::Running service(home.home(), serve(url(), {"--lease", "5s"}),
                       home.environment(directives_of(1, "real_time:1")));
  ASSERT_TRUE(cli::await_trials(home.home(), 2));
  // As if this machine had slept, and another had begun.
  (void)sql(
      "UPDATE redtune.question SET token = gen_random_uuid(), holder = 'another',"
      " lease_until = clock_timestamp() + interval '1 hour'");
  EXPECT_TRUE(await([&] {
    return cache::testing::read_text(home.home() / "running.err")
               .find("the lease of what is tuned has ended") != std::string::npos;
  }));
  EXPECT_TRUE(await([&] { return runs_of(home)[0].at("state") == "interrupted"; }));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  EXPECT_EQ(sql("SELECT holder FROM redtune.question"), "another");
}

TEST_F(ServeFleet, AMachineThatHasSleptGoesOnWithNoClaim) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  const SimulatedHome home;
  Words environment = home.environment(directives_of(1, "real_time:10"));
  environment.insert(environment.end(),
                     {checks::preloading(REDTUNE_JUMPING_CLOCK),
                      "REDTUNE_CLOCK_ONCE_THERE=" + (home.home() / "slept").string(),
                      "REDTUNE_CLOCK_SLEPT_S=7200"});
  cli::Running service(home.home(), serve(url(), {"--lease", "1h"}), environment);
  ASSERT_TRUE(cli::await_trials(home.home(), 2));
  std::ofstream(home.home() / "slept") << "two hours";
  EXPECT_TRUE(await([&] {
    return cache::testing::read_text(home.home() / "running.err")
               .find("the lease of what is tuned has ended") != std::string::npos;
  }));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
}

TEST_F(ServeFleet, ADatabaseThatDoesNotAnswerMakesNoLeaseLonger) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  const SimulatedHome home;
  cli::Running service(home.home(), serve(url(), {"--lease", "5s"}),
                       home.environment(directives_of(1, "real_time:4")));
  ASSERT_TRUE(cli::await_trials(home.home(), 2));
  server().freeze(SIGSTOP);
  EXPECT_TRUE(await(
      [&] {
        return cache::testing::read_text(home.home() / "running.err")
                   .find("the lease of what is tuned has ended") != std::string::npos;
      },
      7s))
      << cache::testing::read_text(home.home() / "running.err");
  server().freeze(SIGCONT);
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
}

TEST_F(ServeFleet, AQuestionThatIsForgedIsNeverTuned) {
  FleetStore fleet = store();
  Wish wish = wish_of({.question = question_of_sum(1000, 1), .device = "Simulated GPU"}, 1);
  Wish custom = wish;
  cache::Question program = question_of_sum(1000, 1);
  program.problem =
      make_problem(CustomOp{.name = "mine", .source = "struct custom {};"}, DType::f32, 1000);
  custom = wish_of({.question = program, .device = "Simulated GPU"}, 2);
  Wish torn = wish;
  torn.key = digest_of("torn");
  torn.document = torn.document.substr(0, torn.document.size() / 2);
  (void)fleet.wish(std::vector{custom, torn}, "n");
  const SimulatedHome home;
  const Said said = home.home().run(serve(url(), {"--once"}), home.environment(directives_of(1)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(cli::count_of(said.err, "is none of these devices, or of another redtune"), 2U)
      << said.err;
  EXPECT_TRUE(home.home().logs().empty()) << "it is not even compiled";
  EXPECT_EQ(fleet.status().tried, 1) << "nobody is ever to tune a program from there";
  EXPECT_EQ(fleet.status().open, 1) << "others may understand what is torn for this one";
}

TEST_F(ServeFleet, WhatADeviceInUseCouldTuneIsLeftToOthers) {
  FleetStore fleet = store();
  cache::Question question = question_of_sum(1000, 1);
  question.device_class.model = "1002:7408:0c34";
  (void)fleet.wish(std::vector{wish_of({.question = question, .device = "Simulated GPU"}, 1)}, "n");
  const SimulatedHome home;
  const Said said = home.home().run({"serve", "--device", "hip:0,hip:1", "--idle", "0", "--jobs",
                                     "1", "--fleet", url(), "--once"},
                                    home.environment("gpus:2;other_model:1;used:1"));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_FALSE(said.says("claimed of the fleet")) << said.err;
  EXPECT_EQ(fleet.status().open, 1);
}

TEST_F(ServeFleet, WhatWasNotTunedHereIsOpenStill) {
  FleetStore fleet = store();
  want(fleet, {1000, 2000}, 1);
  const SimulatedHome home;
  fs::create_directories(home.home() / "data/redtune");
  {
    // That failed here an hour ago is no reason for others, nor for the question after it.
    cache::Store here = cache::Store::open(home.home() / "data/redtune/results-v1.db");
    cache::RunStart start = cli::made_start(1000);
    const cache::Question question = question_of_sum(1000, 1);
    start.family = question.family;
    start.space_key = question.space_key;
    start.problem = question.problem;
    start.device = device_of(1);
    here.finish(here.begin(start), cache::RunState::failed, "");
  }
  const Said said = home.home().run(serve(url(), {"--once"}), home.environment(directives_of(1)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(cli::count_of(said.err, "claimed of the fleet"), 2U) << said.err;
  EXPECT_EQ(fleet.status().tried, 0);
  EXPECT_EQ(fleet.status().open, 1);
  EXPECT_EQ(fleet.status().tuned, 1);
}

TEST_F(ServeFleet, WhatIsTakenIsKeptBesideWhatIsGivenBack) {
  FleetStore fleet = store();
  want(fleet, {10000}, 1);
  Wish torn = wish_of({.question = question_of_sum(1000, 1), .device = "Simulated GPU"}, 2);
  torn.document = torn.document.substr(0, torn.document.size() / 2);
  (void)fleet.wish(std::vector{torn}, "n");
  const SimulatedHome home;
  cli::Running service(home.home(),
                       cli::with(serve(url(), {"--lease", "5s"}), {"--device", "hip:0,hip:1"}),
                       home.environment(directives_of(1, "gpus:2;real_time:1")));
  ASSERT_TRUE(cli::await_trials(home.home(), 3));
  std::this_thread::sleep_for(2500ms);  // a lease is renewed after a third of it
  const std::string said = cache::testing::read_text(home.home() / "running.err");
  EXPECT_EQ(said.find("has ended"), std::string::npos) << said;
  EXPECT_EQ(fleet.status().claimed, 1);
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
}

TEST_F(ServeFleet, ClearsAwayOldFoldersOfClaimsAndNoOthers) {
  const SimulatedHome home;
  const fs::path data = home.home() / "data/redtune";
  // Of a process on another machine with the same home, whose number nobody has here.
  for (const char* name : {"claimed-4000000", "claimed-old", "claims"})
    fs::create_directories(data / name);
  const auto long_ago = fs::file_time_type::clock::now() - 48h;
  for (const char* name : {"claimed-old", "claims"}) fs::last_write_time(data / name, long_ago);
  const Said said = home.home().run(serve(url(), {"--once"}), home.environment(directives_of(1)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(fs::exists(data / "claimed-4000000")) << "somebody may be at it";
  EXPECT_FALSE(fs::exists(data / "claimed-old"));
  EXPECT_TRUE(fs::exists(data / "claims"));
}

TEST_F(ServeFleet, QuestionsOfAnotherRedtuneAreLeftToIt) {
  FleetStore fleet = store();
  cache::Question space = question_of_sum(1000, 1);
  space.space_key = digest_of("of a newer redtune");
  cache::Question family = question_of_sum(2000, 1);
  family.family = "of a newer redtune";
  Wish format = wish_of({.question = question_of_sum(3000, 1), .device = "Simulated GPU"}, 4);
  const auto at = format.document.find("redtune wanted 1");
  ASSERT_NE(at, std::string::npos);
  format.document.replace(at, 16, "redtune wanted 2");
  (void)fleet.wish(std::vector{wish_of({.question = space, .device = "Simulated GPU"}, 2),
                               wish_of({.question = family, .device = "Simulated GPU"}, 3), format},
                   "n");
  want(fleet, {4000}, 1);
  const SimulatedHome home;
  const Said said = home.home().run(serve(url(), {"--once"}), home.environment(directives_of(1)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(cli::count_of(said.err, "or of another redtune"), 3U) << said.err;
  EXPECT_EQ(fleet.status().open, 3);
  EXPECT_EQ(fleet.status().tuned, 1) << "the least useful one, behind the others";
}

TEST_F(ServeFleet, WithoutADatabaseNothingIsBegunAndTheServiceStays) {
  const SimulatedHome home;
  const std::string gone = "postgresql://owner@%2Fnowhere/fleet";
  const Said once = home.home().run(serve(gone, {"--once"}), home.environment(directives_of(1)));
  EXPECT_EQ(once.code, 74) << once.err;
  cli::Running service(home.home(), serve(gone), home.environment(directives_of(1)));
  EXPECT_TRUE(await([&] {
    return cache::testing::read_text(home.home() / "running.err").find("cannot be reached") !=
           std::string::npos;
  }));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  EXPECT_TRUE(home.home().logs().empty());
  for (const auto& [words, text] : std::vector<std::pair<Words, std::string>>{
           {{"serve", "--lease", "5m"}, "--lease is of --fleet"},
           {{"serve", "--sign", "key"}, "--sign is of --fleet"},
           {serve(gone, {"--lease", "1s"}), "a lease is for 5s to 24h"},
           {serve("postgresql://a:hunter2@HOST/x"), "a password in the URL"},
           {{"tune", "--wanted-in", "/tmp"}, "--wanted-in is a folder for --wanted"}}) {
    const Said said = home.home().run(words, home.environment(directives_of(1)));
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_TRUE(said.says(text)) << said.err;
    EXPECT_FALSE(said.says("hunter2"));
  }
}

/// Services with one store, on as many machines; restarted when they are killed.
class Machines {
 public:
  /// lease: of their claims, in seconds.
  Machines(int count, int models, std::string url, int lease)
      : url_(std::move(url)), models_(models), lease_(lease) {
    for (int i = 0; i < count; ++i) homes_.push_back(std::make_unique<SimulatedHome>());
    services_.resize(homes_.size());
    for (std::size_t i = 0; i < homes_.size(); ++i) start(i);
  }
  void start(std::size_t i) {
    const SimulatedHome& home = *homes_[i];
    services_[i] = std::make_unique<cli::Running>(
        home.home(),
        Words{"serve", "--device", "hip:0", "--idle", "0", "--jobs", "1", "--fleet", url_,
              "--lease", fmt::format("{}s", lease_)},
        home.environment(directives_of(model_of(i), "real_time:0.05")));
  }
  void kill(std::size_t i) { (void)services_[i]->end_with(SIGKILL); }
  void end() {
    for (auto& service : services_) (void)service->end_with(SIGTERM);
  }
  [[nodiscard]] int model_of(std::size_t i) const { return static_cast<int>(i) % models_; }
  [[nodiscard]] std::size_t count() const { return homes_.size(); }
  [[nodiscard]] const SimulatedHome& home(std::size_t i) const { return *homes_[i]; }

 private:
  std::string url_;
  int models_;
  int lease_;
  std::vector<std::unique_ptr<SimulatedHome>> homes_;
  std::vector<std::unique_ptr<cli::Running>> services_;
};

void tune_each_question_once(int machines, int models, int questions, int kills, int restarts,
                             int lease) {
  Postgres server;
  (void)FleetStore::init(server.url(), build);
  // Asked one after the other while services come and go, so that there is always something to do.
  std::vector<std::pair<std::int64_t, int>> asked;
  for (int i = 0; i < questions; ++i) {
    for (int model = 0; model < models; ++model) asked.emplace_back(1000 + 500 * i, model);
  }
  std::size_t next = 0;
  const auto ask_some = [&](std::size_t most) {
    FleetStore fleet(server.url(), build);
    for (const std::size_t end = std::min(asked.size(), next + most); next < end; ++next) {
      want(fleet, {asked[next].first}, asked[next].second);
    }
  };
  const std::int64_t all = questions * models;
  Machines services(machines, models, server.url(), lease);
  const std::string too_long = fmt::format(
      "SELECT count(*) FROM redtune.question WHERE lease_until > clock_timestamp() +"
      " interval '{} seconds'",
      lease);
  std::mt19937 random(3);
  const auto done = [&] {
    return std::stoll(
        server.sql("SELECT count(*) FROM redtune.question WHERE closed_at IS NOT NULL"));
  };
  for (int i = 0; i < std::max(kills, restarts); ++i) {
    ask_some(1 + asked.size() / static_cast<std::size_t>(std::max(kills, restarts)));
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution(200, 1500)(random)));
    if (i < kills) {
      const auto victim =
          std::uniform_int_distribution<std::size_t>(0, services.count() - 1)(random);
      services.kill(victim);
      services.start(victim);
    }
    if (restarts > 0 && i % std::max(1, kills / restarts) == 0) {
      server.stop(i % 2 == 0 ? "immediate" : "fast");
      server.start();
      --restarts;
    }
    EXPECT_EQ(server.sql(too_long), "0") << "no claim is longer than a lease";
  }
  ask_some(asked.size());
  const auto until = std::chrono::steady_clock::now() + 240s;
  while (done() < all && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(200ms);
  EXPECT_EQ(done(), all);
  services.end();
  EXPECT_EQ(server.sql(too_long), "0");
  EXPECT_EQ(server.sql("SELECT count(*) FROM (SELECT question FROM redtune.entry"
                       " WHERE kind = 'result' GROUP BY question HAVING count(*) > 1) AS twice"),
            "0")
      << "nothing is double";
  // Each question has one run that came to its end, on one machine.
  std::map<std::pair<int, std::int64_t>, int> ended;
  for (std::size_t i = 0; i < services.count(); ++i) {
    const Said log = services.home(i).run({"log", "--json"});
    if (log.says("does not exist")) continue;  // it had nothing to do
    const json runs = log.document().at("runs");
    for (const json& run : runs) {
      if (run.at("state") != "done") continue;
      ++ended[{services.model_of(i), run.at("problem").at("count").get<std::int64_t>()}];
    }
  }
  EXPECT_EQ(ended.size(), static_cast<std::size_t>(all)) << "nothing is lost";
  for (const auto& [question, times] : ended) EXPECT_EQ(times, 1) << question.second;
  std::cout << "  " << all << " questions, " << kills << " kills\n";
}

TEST_F(ServeFleet, ServicesTuneEachQuestionOnceWhoeverIsKilled) {
  tune_each_question_once(4, 2, 2, 3, 1, 6);
}

TEST(FullServeFleet, EightServicesAndFiftyKillsAndThreeRestartsLoseAndDoubleNothing) {
  if (const std::string why = why_no_server(); !why.empty()) GTEST_SKIP() << why;
  tune_each_question_once(8, 4, 8, 50, 3, 20);
}

TEST_F(ServeFleet, WhatIsPulledIsProvedWhereThatIsAsked) {
  const SimulatedHome finds;
  ASSERT_EQ(finds.tune("", cli::same_points).code, 0);
  ASSERT_EQ(finds.run({"fleet", "push", url()}).code, 0);
  const Words words{"fleet", "pull", url(), "--unsigned", "--prove", "--device", "hip:0", "--json"};
  const auto pull = [&](const SimulatedHome& home, const std::string& device) {
    const Said said = home.home().run(words, home.environment(device));
    EXPECT_EQ(said.code, 0) << said.err;
    return said.code == 0 ? said.document() : json();
  };
  const SimulatedHome good;
  EXPECT_EQ(pull(good, "").at("proof").at("hold"), 1);
  EXPECT_EQ(good.winner(), finds.winner());
  const SimulatedHome slow;
  const Said busy = slow.home().run(words, slow.environment("users:python"));
  EXPECT_EQ(busy.code, 75) << busy.err;
  EXPECT_EQ(cli::count_of(busy.err, "\n"), 1U) << busy.err;
  EXPECT_EQ(pull(slow, std::string("slow:") + cli::few_kernels).at("proof").at("slower"), 1)
      << "the page comes again";
  EXPECT_TRUE(slow.winner().is_null());
  EXPECT_EQ(pull(slow, "").at("entries"), 0);
  // Without a proof all is looked at again, but what was found to be slower stays out.
  const Said believed = slow.run({"fleet", "pull", url(), "--unsigned", "--json"});
  EXPECT_EQ(believed.document().at("known"), 1) << believed.err;
  EXPECT_TRUE(slow.winner().is_null());
}

}  // namespace
}  // namespace redtune::fleet::testing
