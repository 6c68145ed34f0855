// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A worker that hangs, dies, talks nonsense or cannot be ended: the tuner learns which, and no
// process stays. The numbers are those of docs/explanation/reliability.md.
#include "tuner/worker/device_worker.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <typeinfo>
#include <unistd.h>

#include "redtune/error.hpp"
#include "tests/tuner/scripted_device_worker.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

using namespace std::chrono_literals;

void expect(const ScriptedDeviceWorker& worker, const std::string& script, Mishap kind,
            const std::string& text) {
  const auto found = worker.mishap(worker.command(script));
  ASSERT_TRUE(found.has_value()) << script;
  EXPECT_EQ(found->mishap(), kind) << found->what();
  EXPECT_NE(std::string(found->what()).find(text), std::string::npos) << found->what();
  EXPECT_EQ(std::string(found->what()).find('\n'), std::string::npos) << "more than one line";
  EXPECT_TRUE(worker.is_gone()) << script;
}

TEST(Fault41, AMalformedMessageEndsTheWorker) {
  const ScriptedDeviceWorker worker;
  expect(worker, "echo garbage and more of it; exec sleep 100", Mishap::died, "not a message");
  // A whole header whose document is none.
  expect(worker, "printf 'rtfr\\003\\0\\0\\0\\003\\0\\0\\0\\0\\0\\0\\0abc'; exec sleep 100",
         Mishap::died, "cannot be read");
  expect(worker, "printf 'rtfr\\003\\0\\0\\0\\377\\377\\377\\377\\377\\0\\0\\0'; exec sleep 100",
         Mishap::died, "announced a message of");
  // A header that stops in its middle.
  expect(worker, "printf 'rtfr\\003'", Mishap::died, "exit status 0");
}

TEST(Fault41, AMessageThatClaimsMoreThanItHoldsIsNone) {
  const auto reason = [](const std::string& document) {
    std::string bytes = frame_of(json::object()).substr(0, 16) + document;
    const std::uint64_t count = document.size();
    std::memcpy(bytes.data() + 8, &count, sizeof count);
    std::string_view rest = bytes;
    try {
      (void)read_frame([&](char* to, std::size_t size) {
        ASSERT_LE(size, rest.size());
        std::memcpy(to, rest.data(), size);
        rest.remove_prefix(size);
      });
    } catch (const BadFrame& bad) {
      return std::string(bad.what());
    }
    return std::string("was read");
  };
  const std::string member{'\xa1', '\x61', 'k'};  // an object of one member, named k
  const std::string much = "\x7f" + std::string(7, '\xff');
  const std::string refused = "its message cannot be read";
  EXPECT_EQ(reason(member + "\xf6"), "was read");
  EXPECT_EQ(reason(member + "\x9b" + much), refused) << "a list";
  EXPECT_EQ(reason("\xbb" + much), refused) << "an object";
  EXPECT_EQ(reason(member + std::string(1'000'000, '\x81')), refused) << "lists in lists";
}

TEST(Fault41, AWorkerOfAnotherBuildIsEndedAndBothVersionsAreNamed) {
  const ScriptedDeviceWorker worker;
  expect(worker, "printf 'rtfr\\143\\0\\0\\0\\003\\0\\0\\0\\0\\0\\0\\0abc'; exec sleep 100",
         Mishap::died, "its messages are of version 99, those of this program of version 3");
}

TEST(Fault41, AMessageThatSaysSomethingElseEndsTheWorker) {
  const ScriptedDeviceWorker worker;
  cache::testing::write_text(worker / "odd", frame_of({{"neither", "nor"}}));
  expect(worker, "cat found odd; exec sleep 100", Mishap::died, "neither a result nor an error");
}

/// What is thrown for an error that a worker tells of.
template <class E>
std::string thrown_as(const json& error) {
  const ScriptedDeviceWorker worker;
  cache::testing::write_text(worker / "answer", frame_of({{"error", error}}));
  DeviceWorker talker(worker.command("cat found answer; exec cat > requests"));
  try {
    (void)talker.ask("anything", json::object(), 5s);
  } catch (const E& found) {
    EXPECT_TRUE(typeid(found) == typeid(E)) << error;
    return found.what();
  }
  return "nothing";
}

TEST(DeviceWorker, TellsOfWhichKindAnErrorIs) {
  EXPECT_EQ(thrown_as<UsageError>(encode_error(UsageError("a"))), "a");
  EXPECT_EQ(thrown_as<NoSuchDevice>(encode_error(NoSuchDevice("b"))), "b");
  EXPECT_EQ(thrown_as<IoError>(encode_error(IoError("c"))), "c");
  EXPECT_EQ(thrown_as<DeviceError>(encode_error(OutOfMemory("d"))), "d");
  EXPECT_EQ(thrown_as<Error>(encode_error(std::runtime_error("e"))), "e");
  EXPECT_EQ(thrown_as<ImplausibleSample>(encode_error(ImplausibleSample("g"))), "g");
  const json mishap = encode_error(BenchMishap(Mishap::fault, "f"));
  EXPECT_EQ(thrown_as<BenchMishap>(mishap), "f");
  EXPECT_EQ(mishap.at("mishap"), static_cast<int>(Mishap::fault));
}

TEST(DeviceWorker, IsToldAllOfAnOrder) {
  const BatchOrder order{CandidateId{3}, 5, Scheme::by_host, true};
  const BatchOrder told = decode_batch_order(encode(order));
  EXPECT_EQ(told.candidate, order.candidate);
  EXPECT_EQ(told.executions, order.executions);
  EXPECT_EQ(told.scheme, order.scheme);
  EXPECT_TRUE(told.is_displaced);
}

TEST(DeviceWorker, MayTellOfAKindThatNobodyKnows) {
  EXPECT_EQ(thrown_as<Error>({{"kind", "weather"}, {"text", "it rains"}}), "it rains");
}

TEST(Fault41, AnErrorThatDoesNotSayWhatItIsEndsTheWorker) {
  const ScriptedDeviceWorker worker;
  for (const json& error : {json{{"text", "no kind"}}, json{{"kind", 2}, {"text", "a number"}},
                            json{{"kind", "usage"}}, json("a text")}) {
    cache::testing::write_text(worker / "odd", frame_of({{"error", error}}));
    expect(worker, "cat found odd; exec sleep 100", Mishap::died, "cannot be read");
  }
}

TEST(DeviceWorker, ThatDoesNotAnswerIsKilled) {
  const ScriptedDeviceWorker worker;
  expect(worker, "cat found; exec sleep 100", Mishap::hung, "did not answer within");
}

TEST(DeviceWorker, ThatStartedOthersTakesThemWithIt) {
  const ScriptedDeviceWorker worker;
  expect(worker, "cat found; sleep 100 & echo $! > pid; wait", Mishap::hung,
         "did not answer within");
}

TEST(DeviceWorker, ThatDiesSaysHowAndItsLastWords) {
  const ScriptedDeviceWorker worker;
  expect(worker, "cat found; echo first >&2; echo last words >&2; kill -SEGV $$", Mishap::died,
         "signal 11 (Segmentation fault): last words");
  expect(worker, "exit 3", Mishap::died, "exit status 3");
}

TEST(DeviceWorker, ThatTalksWithoutEndDoesNotBlock) {
  const ScriptedDeviceWorker worker;
  cache::testing::write_text(worker / "answer", frame_of({{"ok", 7}}));
  const auto command =
      worker.command("cat found; head -c 100000000 /dev/zero >&2; cat answer; exec sleep 100");
  std::string kept;
  {
    DeviceWorker talker(command, [&](const std::string& kind, const auto& fields) {
      if (kind == "worker_output") kept = fields.at("text").template get<std::string>();
    });
    EXPECT_EQ(talker.ask("anything", json::object(), 20s), 7);
  }
  EXPECT_LE(kept.size(), 64U * 1024);
  EXPECT_GT(kept.size(), 0U);
}

TEST(DeviceWorker, ThatIsStartedAheadIsWaitedForWhenItIsOpened) {
  const ScriptedDeviceWorker worker;
  cache::testing::write_text(worker / "opened", frame_of({{"ok", 4096}}));
  cache::testing::write_text(worker / "answer", frame_of({{"ok", 7}}));
  const auto command = worker.command(
      "until [ -e go ]; do sleep 0.01; done; cat found opened answer; exec cat > requests");
  DeviceWorker ahead(DeviceWorker::Ahead{}, command);
  EXPECT_EQ(ahead.free_bytes(), 0U);
  cache::testing::write_text(worker / "go", "");
  ahead.open();
  EXPECT_EQ(ahead.device().selection, "hip:0");
  EXPECT_EQ(ahead.free_bytes(), 4096U);
  ahead.open();  // once
  EXPECT_EQ(ahead.ask("anything", json::object(), 5s), 7);
}

TEST(DeviceWorker, IsAskedOnceToOpenTheDevice) {
  const ScriptedDeviceWorker worker;
  cache::testing::write_text(worker / "opened", frame_of({{"ok", 4096}}));
  cache::testing::write_text(worker / "answer", frame_of({{"ok", 7}}));
  {
    DeviceWorker found(worker.command("cat found opened answer; exec cat > requests"));
    found.open_ahead();
    found.open_ahead();
    EXPECT_EQ(found.free_bytes(), 0U);
    found.open();
    found.open_ahead();
    EXPECT_EQ(found.free_bytes(), 4096U);
    EXPECT_EQ(found.ask("anything", json::object(), 5s), 7);
  }
  const std::string requests = cache::testing::read_text(worker / "requests");
  EXPECT_EQ(requests.find("open"), requests.rfind("open"));
  EXPECT_NE(requests.find("open"), std::string::npos);
}

TEST(DeviceWorker, ThatIsStartedAheadAndDiesSaysSoWhenItIsOpened) {
  const ScriptedDeviceWorker worker;
  DeviceWorker ahead(DeviceWorker::Ahead{},
                     worker.command("head -c 10 > requests; echo gone >&2; exit 3"));
  try {
    ahead.open();
    FAIL() << "it was opened";
  } catch (const BenchMishap& found) {
    EXPECT_EQ(found.mishap(), Mishap::died) << found.what();
    EXPECT_NE(std::string(found.what()).find("exit status 3: gone"), std::string::npos)
        << found.what();
  }
}

/// How often a worker was asked to set up a bench that one of it was set up ahead for, by what it
/// answers in turn.
class SetUpAhead : public testing::Test {
 protected:
  int times_asked(const BenchOrder& wanted, const std::vector<json>& answers) {
    std::string text;
    for (const json& answer : answers) text += frame_of(answer);
    cache::testing::write_text(worker_ / "opened", frame_of({{"ok", 4096}}));
    cache::testing::write_text(worker_ / "answers", text);
    {
      DeviceWorker ahead(
          DeviceWorker::Ahead{},
          worker_.command("cat found opened; head -c 1 > requests; cat answers; cat >> requests"));
      ahead.open_ahead();
      ahead.set_up_ahead(order_);
      ahead.set_up_ahead(order_);
      ahead.open();
      ahead.set_up(wanted, 20s);
    }
    std::ifstream file(worker_ / "requests");
    const std::string asked{std::istreambuf_iterator(file), {}};
    int times = 0;
    for (auto at = asked.find("set_up"); at != std::string::npos;
         at = asked.find("set_up", at + 1)) {
      ++times;
    }
    return times;
  }

  const ScriptedDeviceWorker worker_;
  const BenchOrder order_{"reduce", make_problem(Op::sum, DType::f32, 8), 1};
  const json ok_{{"ok", json::object()}};
};

TEST_F(SetUpAhead, IsNotAskedForAgain) {
  EXPECT_EQ(times_asked(order_, {ok_}), 1);
}

TEST_F(SetUpAhead, IsOfNoUseToAnotherBench) {
  BenchOrder other = order_;
  other.seed = 2;
  EXPECT_EQ(times_asked(other, {ok_, ok_}), 2);
}

TEST_F(SetUpAhead, IsAskedForAgainWhereThereWasNoRoomBesideAnother) {
  const json no_room{{"error", encode_error(OutOfMemory("the device's memory is used up"))}};
  EXPECT_EQ(times_asked(order_, {no_room, ok_}), 2);
  EXPECT_THROW((void)times_asked(order_, {no_room, no_room}), DeviceError);
}

TEST(DeviceWorker, IsLeftAtOnceWhenAStopIsAsked) {
  const ScriptedDeviceWorker worker;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  WorkerCommand command = worker.command("exec sleep 100");
  command.stop = ends[0];
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW((void)DeviceWorker(command), Stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
  close(ends[0]);
  close(ends[1]);
}

TEST(Fault19, AWorkerThatDoesNotEndWhenItIsKilledIsToldApart) {
  const ScriptedDeviceWorker worker;
  // Half a GiB takes longer to give back than nothing at all.
  WorkerCommand command =
      worker.command("cat found; exec dd if=/dev/zero of=/dev/null bs=512M count=1000000");
  command.timeouts.reaping = 0ms;
  const auto found = worker.mishap(command);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->mishap(), Mishap::unreapable) << found->what();
  EXPECT_NE(std::string(found->what()).find("stuck in its driver"), std::string::npos);
}

}  // namespace
}  // namespace redtune::tuner
