// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The worker of a site and the one that was started ahead to come after it; who rests, and who
// ends.
#include "tuner/session/device_site.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>

#include "redtune/error.hpp"
#include "tests/tuner/scripted_device_worker.hpp"
#include "tuner/session/lost_workers.hpp"

namespace redtune::tuner {
namespace {

using namespace std::chrono_literals;

/// The worker of a site: the first serves a bench, what comes after it is a script.
class SiteOfTwoWorkers : public testing::Test {
 protected:
  SiteOfTwoWorkers() {
    cache::testing::write_text(worker_ / "opened", frame_of({{"ok", 4096}}));
    cache::testing::write_text(worker_ / "set_up", frame_of({{"ok", json::object()}}));
  }
  /// Of which the n-th that is started writes a line into the file "started".
  [[nodiscard]] WorkerCommand command(const std::string& of_the_second) const {
    return worker_.command("echo x >> started; if [ $(wc -l < started) = 2 ]; then " +
                           of_the_second + "; fi; cat found opened set_up; exec cat > requests.$$");
  }
  [[nodiscard]] int started() const {
    std::ifstream file(worker_ / "started");
    return static_cast<int>(std::count(std::istreambuf_iterator(file), {}, 'x'));
  }
  [[nodiscard]] std::string requests_of_all() const {
    std::string asked;
    for (const auto& file : std::filesystem::directory_iterator(worker_ / "")) {
      if (file.path().filename().string().starts_with("requests")) {
        asked += cache::testing::read_text(file.path());
      }
    }
    return asked;
  }

  const ScriptedDeviceWorker worker_;
  const BenchOrder order_{"reduce", make_problem(Op::sum, DType::f32, 8), 1};
};

TEST_F(SiteOfTwoWorkers, TheNextBenchIsOnTheOneThatWasStartedAhead) {
  DeviceSite site(command("true"), {});
  site.make_ready();
  site.start_ahead();
  EXPECT_EQ(started(), 1) << "one is ready";
  auto bench = site.open(order_);
  site.start_ahead();
  site.start_ahead();
  bench.reset();
  bench = site.open(order_);
  EXPECT_EQ(started(), 2);
}

/// Who measures on the device is not disturbed before that.
TEST_F(SiteOfTwoWorkers, TheNextOneMayFindTheDeviceLongBeforeItIsOpened) {
  DeviceSite site(command("cat found; dd bs=64k count=1 of=asked 2>/dev/null; touch found_it; "
                          "cat opened set_up; exec cat >> asked"),
                  {});
  site.find_ahead();
  EXPECT_EQ(started(), 1) << "one is ready";
  site.open_ahead();
  site.make_ready();
  auto bench = site.open(order_);
  site.find_ahead();
  site.find_ahead();
  for (int i = 0; i < 500 && !std::filesystem::exists(worker_ / "found_it"); ++i) {
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(started(), 2);
  const std::string asked = cache::testing::read_text(worker_ / "asked");
  EXPECT_NE(asked.find("find"), std::string::npos);
  EXPECT_EQ(asked.find("open"), std::string::npos);
  site.start_ahead(&order_);
  bench.reset();
  bench = site.open(order_);
  EXPECT_EQ(started(), 2);
}

TEST_F(SiteOfTwoWorkers, TheFirstBenchIsSetUpAheadOnTheFirst) {
  DeviceSite site(worker_.command("cat found opened set_up; exec cat > requests"), {});
  site.make_ready();
  site.set_up_ahead(order_);
  { const auto bench = site.open(order_); }
  site.leave();
  const std::string requests = cache::testing::read_text(worker_ / "requests");
  EXPECT_NE(requests.find("set_up"), std::string::npos);
  EXPECT_EQ(requests.find("set_up"), requests.rfind("set_up"));
}

TEST_F(SiteOfTwoWorkers, WhereTwoAreOneTooManyTheNextOneIsStartedThen) {
  DeviceSite site(command("exit 3"), {});
  site.make_ready();
  auto bench = site.open(order_);
  site.start_ahead();
  bench.reset();
  bench = site.open(order_);
  EXPECT_EQ(started(), 3);
}

TEST_F(SiteOfTwoWorkers, LaterOnesSeeTheDeviceAlone) {
  cache::testing::write_text(worker_ / "found",
                             frame_of({{"ok", encode(FoundDevice{.selection = "hip:1",
                                                                 .alone = "REDTUNE_TEST_SEEN=GPU-7",
                                                                 .platform = "hip"})}}));
  WorkerCommand command = worker_.command(
      "echo \"<$REDTUNE_TEST_SEEN $HOME>\" >> seen; cat found opened; exec cat >> requests");
  command.device = "hip:1";
  setenv("REDTUNE_TEST_SEEN", "all", 1);
  DeviceSite site(command, {});
  site.make_ready();
  site.leave();
  site.make_ready();
  site.leave();
  unsetenv("REDTUNE_TEST_SEEN");
  const std::string home = std::getenv("HOME");
  EXPECT_EQ(cache::testing::read_text(worker_ / "seen"),
            "<all " + home + ">\n<GPU-7 " + home + ">\n");
  const std::string requests = cache::testing::read_text(worker_ / "requests");
  EXPECT_LT(requests.find("hip:1"), requests.find("hip:0"));
  EXPECT_NE(requests.find("hip:0"), std::string::npos) << "the number that it has when alone";
}

TEST_F(SiteOfTwoWorkers, AnotherDeviceOfTheSameClassIsNotTakenForIt) {
  FoundDevice other{.selection = "hip:0", .platform = "hip"};
  other.identity.uuid = "GPU-8";
  cache::testing::write_text(worker_ / "other", frame_of({{"ok", encode(other)}}));
  DeviceSite site(command("cp other found"), {});
  site.make_ready();
  site.leave();
  EXPECT_THROW(site.make_ready(), DeviceUnhealthy);
}

/// Who is listed as others: a worker that was started ahead would be.
TEST_F(SiteOfTwoWorkers, NobodyIsAheadWhereOthersAreAskedFor) {
  cache::testing::write_text(worker_ / "set_up",
                             frame_of({{"ok", json::object()}}) + frame_of({{"ok", "nobody"}}));
  DeviceSite site(command("true"), {});
  site.make_ready();
  auto bench = site.open(order_);
  site.start_ahead();
  EXPECT_EQ(site.others(), "nobody");
  EXPECT_TRUE(worker_.is_gone()) << "the one that was started last";
}

/// A site whose second worker has taken the place of the first, which rests.
class SiteWithARestingWorker : public SiteOfTwoWorkers {
 protected:
  void begin(const std::string& answers) {
    cache::testing::write_text(worker_ / "set_up", answers);
    site_.emplace(worker_.command("echo x >> started; echo $$ >> processes; "
                                  "cat found opened set_up; exec cat > requests.$$"),
                  WorkerLog());
    site_->make_ready();
  }
  /// What the first is asked from then on is in a file of its own, and what it answers.
  void let_one_rest(const std::vector<json>& answers) {
    std::string all = frame_of({{"ok", json::object()}});
    for (const json& answer : answers) all += frame_of(answer);
    begin(all);
    auto bench = site_->open(order_);
    site_->start_ahead();
    site_->rest(std::move(bench));
  }
  [[nodiscard]] std::string requests_of_the_first() const {
    std::ifstream names(worker_ / "processes");
    std::string first;
    names >> first;
    return cache::testing::read_text(worker_ / ("requests." + first));
  }

  std::optional<DeviceSite> site_;  // its first worker has read its answers soon
};

const json done{{"ok", json::object()}};

TEST_F(SiteWithARestingWorker, ServesTheNextFinal) {
  let_one_rest({done});
  ASSERT_TRUE(site_->has_resting());
  auto final = site_->open(order_);
  EXPECT_EQ(started(), 2);
  site_->take_back(std::move(final));
  auto search = site_->open(order_);
  site_->start_ahead(&order_);
  EXPECT_FALSE(site_->has_resting());
  EXPECT_EQ(started(), 2) << "nobody is started";
  search.reset();
  final = site_->open(order_);
  EXPECT_EQ(started(), 2);
  final.reset();
  site_->leave();  // all that was asked is written then
  const std::string asked = requests_of_the_first();
  EXPECT_NE(asked.find("set_up", asked.find("set_up") + 1), std::string::npos);
}

TEST_F(SiteWithARestingWorker, OneThatTookHarmEnds) {
  const auto rests_after = [&](const json& verdict) {
    std::string all = frame_of(done) + frame_of(done) + frame_of(verdict);
    cache::testing::write_text(worker_ / "set_up", all);
    DeviceSite site(worker_.command("cat found opened set_up; exec cat > /dev/null"), {});
    site.make_ready();
    auto bench = site.open(order_);
    Candidate candidate;
    candidate.unit.binary = std::make_shared<const std::vector<std::byte>>();
    bench->load(CandidateId{0}, candidate);
    try {
      (void)bench->why_wrong(CandidateId{0});
    } catch (const BenchMishap&) {
    }
    site.rest(std::move(bench));
    return site.has_resting();
  };
  EXPECT_TRUE(rests_after({{"ok", ""}}));
  EXPECT_FALSE(rests_after({{"ok", "7 instead of 8"}}));
  EXPECT_FALSE(rests_after({{"error", encode_error(BenchMishap(Mishap::refused, "no"))}}));
}

TEST_F(SiteWithARestingWorker, OneThatServesWhatPeopleWroteEnds) {
  BenchOrder custom = order_;
  custom.problem.op = Op::custom;
  begin(frame_of(done));
  site_->rest(site_->open(custom));
  EXPECT_FALSE(site_->has_resting());
}

/// A site whose first worker has done much, and was left for the final's. It ends when it may.
class SiteWithALeavingWorker : public SiteOfTwoWorkers {
 protected:
  void begin(const json& numbers) {
    constexpr std::size_t loads = 200;
    std::string all = frame_of(done);
    for (std::size_t i = 0; i < loads; ++i) all += frame_of(done);
    cache::testing::write_text(worker_ / "set_up", all + frame_of(numbers));
    site_.emplace(worker_.command("echo x >> started; cat found opened set_up; cat > requests.$$; "
                                  "while [ ! -e may_end ]; do sleep 0.01; done; echo x >> ended"),
                  WorkerLog());
    site_->make_ready();
    auto search = site_->open(order_);
    Candidate candidate;
    candidate.unit.binary = std::make_shared<const std::vector<std::byte>>();
    for (std::size_t i = 0; i < loads; ++i) search->load(CandidateId{i}, candidate);
    cache::testing::write_text(worker_ / "set_up", frame_of(done) + frame_of({{"ok", "nobody"}}));
    site_->start_ahead();
    site_->rest(std::move(search));
    EXPECT_FALSE(site_->has_resting());
  }
  void let_it_end() const { cache::testing::write_text(worker_ / "may_end", "x"); }
  [[nodiscard]] bool has_ended(std::chrono::milliseconds within) const {
    const auto until = std::chrono::steady_clock::now() + within;
    while (!std::filesystem::exists(worker_ / "ended")) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(5ms);
    }
    return true;
  }

  const json numbers_{{"ok", {4711}}};
  std::optional<DeviceSite> site_;
};

/// Not while the final is timed. Who waits for it kills it after two seconds.
TEST_F(SiteWithALeavingWorker, EndsWhenItsProblemIsDoneAndNobodyWaits) {
  begin(numbers_);
  auto final = site_->open(order_);
  site_->take_back(std::move(final));
  let_it_end();
  EXPECT_TRUE(has_ended(10s));
  EXPECT_EQ(started(), 2);
}

TEST_F(SiteWithALeavingWorker, IsThereUntilThen) {
  begin(numbers_);
  let_it_end();
  auto final = site_->open(order_);
  EXPECT_FALSE(has_ended(100ms));
  site_->take_back(std::move(final));
  EXPECT_TRUE(has_ended(10s));
}

/// As the final's bench was never given back.
TEST_F(SiteWithALeavingWorker, EndsAlsoWhenItsProblemFailed) {
  begin(numbers_);
  let_it_end();
  const auto final = site_->open(order_);
  EXPECT_FALSE(has_ended(100ms));
  site_->open_ahead();
  EXPECT_TRUE(has_ended(10s));
}

TEST_F(SiteWithALeavingWorker, IsGoneBeforeTheNextBenchIsOpen) {
  begin(numbers_);
  site_->take_back(site_->open(order_));
  std::jthread later([&] {
    std::this_thread::sleep_for(200ms);
    let_it_end();
  });
  const auto bench = site_->open(order_);
  EXPECT_TRUE(has_ended(0ms));
}

TEST_F(SiteWithALeavingWorker, EndsWhereThereMustBeRoom) {
  begin(numbers_);
  let_it_end();
  site_->let_nobody_rest();
  EXPECT_TRUE(has_ended(0ms));
}

TEST_F(SiteWithALeavingWorker, EndsAtOnceWhereItDoesNotSayWhoItIs) {
  let_it_end();
  begin({{"error", encode_error(BenchMishap(Mishap::refused, "no"))}});
  EXPECT_TRUE(has_ended(0ms));
}

TEST_F(SiteWithALeavingWorker, IsNotTakenForSomebodyElse) {
  begin(numbers_);
  auto final = site_->open(order_);
  EXPECT_EQ(site_->others(), "nobody");
  let_it_end();
  final.reset();
  site_->leave();  // all that was asked is written then
  const std::string asked = requests_of_all();
  const std::string number = "\x19\x12\x67";  // 4711 in a message
  const std::size_t siblings = asked.find("siblings");
  ASSERT_NE(siblings, std::string::npos);
  EXPECT_NE(asked.find(number, siblings), std::string::npos);
}

/// The driver lists it, and it is nobody else.
TEST_F(SiteWithARestingWorker, IsNotTakenForSomebodyElse) {
  let_one_rest({{{"ok", {4711, 4712}}}});
  ASSERT_TRUE(site_->has_resting());
  cache::testing::write_text(worker_ / "set_up", frame_of(done) + frame_of({{"ok", "nobody"}}));
  site_->stop_ahead();
  auto final = site_->open(order_);
  EXPECT_EQ(site_->others(), "nobody");
  final.reset();
  site_->leave();  // all that was asked is written then
  const std::string asked = requests_of_all();
  EXPECT_NE(asked.find("siblings"), std::string::npos);
}

}  // namespace
}  // namespace redtune::tuner
