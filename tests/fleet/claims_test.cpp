// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Who may tune what: a question is one machine's at a time, and nobody's for ever.
#include <gmock/gmock.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "tests/fleet/fleet_home.hpp"

namespace redtune::fleet::testing {
namespace {

using namespace std::chrono_literals;

class Claims : public OnAServer {
 protected:
  void SetUp() override {
    OnAServer::SetUp();
    if (!IsSkipped()) (void)init();
  }
  /// As a machine with the device and the toolchain that the questions are of.
  static std::vector<Claim> claim(FleetStore& fleet, int most = 1,
                                  std::chrono::seconds lease = 60s) {
    const Wish any = made_wish(1024);
    return fleet.claim({any.device_class}, {any.toolchain}, "a test", lease, most);
  }
  static void ask(FleetStore& fleet, int questions) {
    std::vector<Wish> wishes;
    for (int i = 0; i < questions; ++i) wishes.push_back(made_wish(1024 + i, i));
    (void)fleet.wish(wishes, "n");
  }
};

TEST_F(Claims, AreOnesAloneHoweverManyAskAtOnce) {
  FleetStore fleet = store();
  ask(fleet, 60);
  std::mutex mutex;
  std::map<std::string, int> taken;
  std::vector<std::thread> services;
  for (int i = 0; i < 12; ++i) {
    services.emplace_back([&, i] {
      FleetStore own = store();
      for (auto claims = claim(own, 1 + i % 3); !claims.empty(); claims = claim(own, 1 + i % 3)) {
        const std::lock_guard lock(mutex);
        for (const Claim& one : claims) ++taken[one.key];
      }
    });
  }
  for (std::thread& service : services) service.join();
  EXPECT_EQ(taken.size(), 60U);
  for (const auto& [key, times] : taken) EXPECT_EQ(times, 1) << key;
  EXPECT_EQ(fleet.status().claimed, 60);
  EXPECT_EQ(fleet.status().open, 0);
}

TEST_F(Claims, EndWithTheirLease) {
  FleetStore fleet = store();
  ask(fleet, 1);
  const auto dead = claim(fleet, 1, 1s);
  ASSERT_EQ(dead.size(), 1U);
  EXPECT_TRUE(claim(fleet).empty());
  std::this_thread::sleep_for(1100ms);
  const auto next = claim(fleet);
  ASSERT_EQ(next.size(), 1U) << "whoever had it is gone";
  EXPECT_FALSE(fleet.keep(dead, 60s)) << "it is somebody else's";
  fleet.give_back(dead[0], Outcome::tuned);
  EXPECT_TRUE(claim(fleet).empty()) << "nor can it be given back for them";
  EXPECT_EQ(fleet.status().tuned, 0);
  EXPECT_TRUE(fleet.keep(next, 1s));
  std::this_thread::sleep_for(600ms);
  EXPECT_TRUE(fleet.keep(next, 1s));
  std::this_thread::sleep_for(600ms);
  EXPECT_TRUE(claim(fleet).empty()) << "it was kept";
}

TEST_F(Claims, AreGivenBackWithWhatCameOfThem) {
  FleetStore fleet = store();
  ask(fleet, 3);
  const auto claims = claim(fleet, 3);
  ASSERT_EQ(claims.size(), 3U);
  fleet.give_back(claims[0], Outcome::tuned);
  fleet.give_back(claims[1], Outcome::tried);
  fleet.give_back(claims[2], Outcome::open);
  const Status status = fleet.status();
  EXPECT_EQ(status.tuned, 1);
  EXPECT_EQ(status.tried, 1);
  EXPECT_EQ(status.open, 1);
  EXPECT_EQ(claim(fleet, 3).size(), 1U);
  for (const Entry& entry : made_entries(3)) {
    if (entry.question == claims[0].key) (void)fleet.add(std::span(&entry, 1));
  }
  ask(fleet, 3);
  EXPECT_TRUE(claim(fleet, 3).empty()) << "what was tried is not tried again at once";
  (void)sql("UPDATE redtune.question SET closed_at = closed_at - interval '8 days'");
  EXPECT_TRUE(claim(fleet, 3).empty()) << "nobody asks";
  ask(fleet, 3);
  EXPECT_EQ(claim(fleet, 3).size(), 2U)
      << "but in a week, when somebody asks, who cannot use the answer that there is either";
}

TEST_F(Claims, TakeTheMostUsefulFirst) {
  FleetStore fleet = store();
  ask(fleet, 5);
  (void)fleet.wish(std::vector{made_wish(1024, 3.5)}, "another node");
  const auto first = claim(fleet);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].document, made_wish(1028).document);
  EXPECT_EQ(claim(fleet)[0].document, made_wish(1024).document) << "two nodes ask for it";
}

TEST_F(Claims, OfQuestionsWithAnAnswerThereAreNone) {
  FleetStore fleet = store();
  ask(fleet, 2);
  const auto claims = claim(fleet);
  (void)fleet.add(made_entries(2));
  const Status status = fleet.status();
  EXPECT_EQ(status.tuned, 2) << "somebody had the answer";
  EXPECT_EQ(status.open + status.claimed, 0);
  fleet.give_back(claims[0], Outcome::open);
  EXPECT_TRUE(claim(fleet).empty());
  EXPECT_EQ(fleet.wish(std::vector{made_wish(1024)}, "n"), 0U);
  (void)fleet.add(made_entries(3));
  EXPECT_EQ(fleet.wish(std::vector{made_wish(1026)}, "n"), 1U);
  EXPECT_TRUE(claim(fleet).empty()) << "asked when the answer was there";
}

TEST_F(Claims, OfQuestionsWhoseAnswerWasTakenBackThereAreAgain) {
  FleetStore fleet = store();
  ask(fleet, 2);
  const std::vector<Entry> entries = made_entries(2);
  (void)fleet.add(entries);
  EXPECT_TRUE(claim(fleet, 2).empty());
  for (const Entry& entry : entries) {
    if (entry.kind == result_kind && entry.question == made_wish(1024).key)
      fleet.revoke(digest_of(entry.document), "loud fan");
  }
  EXPECT_TRUE(claim(fleet, 2).empty()) << "nobody asks";
  ask(fleet, 2);
  const auto again = claim(fleet, 2);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].key, made_wish(1024).key);
  fleet.give_back(again[0], Outcome::open);
  (void)sql("ALTER TABLE redtune.entry DISABLE TRIGGER USER");
  (void)sql("DELETE FROM redtune.entry");
  (void)sql("ALTER TABLE redtune.entry ENABLE TRIGGER USER");
  (void)fleet.add(entries);
  EXPECT_EQ(claim(fleet, 2).size(), 1U) << "pushed once more it is taken back still";
}

TEST_F(Claims, OfQuestionsWhoseAnswerNeverCameThereAreAgain) {
  FleetStore fleet = store();
  ask(fleet, 1);
  fleet.give_back(claim(fleet).at(0), Outcome::tuned);
  EXPECT_TRUE(claim(fleet).empty());
  ask(fleet, 1);
  EXPECT_EQ(claim(fleet).size(), 1U);
}

TEST_F(Claims, OfAnotherDriverAreTakenWhereNothingIsKnown) {
  FleetStore fleet = store();
  ask(fleet, 1);
  const Wish wish = made_wish(1024);
  const std::string other = digest_of("another toolchain");
  EXPECT_TRUE(fleet.claim({digest_of("another device")}, {wish.toolchain}, "h", 60s, 1).empty());
  const auto claims = fleet.claim({wish.device_class}, {other}, "h", 60s, 1);
  ASSERT_EQ(claims.size(), 1U);
  fleet.give_back(claims[0], Outcome::open);
  // An answer for the other toolchain: of the same subject, to another question.
  std::vector<Entry> entries = made_entries(1);
  for (Entry& entry : entries) entry.question = other;
  (void)fleet.add(entries);
  EXPECT_TRUE(fleet.claim({wish.device_class}, {other}, "h", 60s, 1).empty());
  EXPECT_EQ(claim(fleet).size(), 1U) << "its own may still want an exact one";
}

TEST_F(Claims, AreForASecondToADay) {
  FleetStore fleet = store();
  EXPECT_THROW((void)claim(fleet, 1, 0s), IoError);
  EXPECT_THROW((void)claim(fleet, 1, 48h), IoError);
  EXPECT_THROW((void)claim(fleet, 0), IoError);
}

}  // namespace
}  // namespace redtune::fleet::testing
