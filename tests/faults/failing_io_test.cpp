// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Disks that are full or broken, at every single call that changes a file of the store. Whether
// they stay so takes turns from one write to the next; in a full run each write has both.
#include "tests/faults/failing_io.hpp"

#include <atomic>
#include <cerrno>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "cache/store/store.hpp"
#include "device/host/subprocess.hpp"
#include "tests/cache/samples.hpp"
#include "tests/support/preload.hpp"
#include "tests/support/samples.hpp"

namespace redtune::testing_faults {
namespace {

using namespace cache;
using namespace cache::testing;

enum class Lasting { no, yes };

/// What is to fail.
struct Fault {
  std::string calls;
  int error = ENOSPC;
  Lasting lasting = Lasting::no;
};

struct Ended {
  int code = 0;
  std::string out;
  std::string err;
  [[nodiscard]] bool did(const std::string& step) const {
    return ("\n" + out).find("\n" + step + "\n") != std::string::npos;
  }
};

/// A folder with a store that holds a finished run and its result.
class Place {
 public:
  Place() {
    Store store = Store::open(store_file());
    const RunId run = store.begin(sample_start());
    for (int i = 0; i < 3; ++i) store.record(run, sample_trial(i, 64 + i));
    store.publish(run, sample_best(64));
    store.finish(run, RunState::done);
  }

  [[nodiscard]] std::filesystem::path store_file() const { return folder_ / "data/my.db"; }
  [[nodiscard]] std::filesystem::path snapshot() const {
    return folder_ / "data/my.db.best-v1.snap";
  }
  /// The calls that failed, one a line.
  [[nodiscard]] std::string failures() const { return read_text(folder_ / "failures"); }

  /// The short run, with the Nth call failing; 0: none.
  [[nodiscard]] Ended run(const Fault& fault, int at) const {
    std::vector<std::string> words{"/usr/bin/env"};
    if (at > 0) {
      words.insert(
          words.end(),
          {checks::preloading(REDTUNE_FAILING_IO), "ASAN_OPTIONS=verify_asan_link_order=0",
           fmt::format("{}={}", folder_variable, (folder_ / "data").string()),
           fmt::format("{}={}", calls_variable, fault.calls),
           fmt::format("{}={}", error_variable, fault.error), fmt::format("{}={}", at_variable, at),
           fmt::format("{}={}", lasting_variable, fault.lasting == Lasting::yes ? 1 : 0),
           fmt::format("{}={}", report_variable, (folder_ / "failures").string())});
    }
    words.insert(words.end(), {REDTUNE_WRITE_STORE, store_file().string()});
    const auto finished = device::host::run_program(words, {.deadline = std::chrono::seconds(60)});
    EXPECT_FALSE(finished.timed_out);
    const int status = finished.status;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), finished.output,
            finished.errors};
  }

 private:
  ScratchFolder folder_{memory_folder()};
};

/// Reads a snapshot over and over until its end; counts what no reader should see.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : thread_([this, file] {
          while (!stop_) {
            const auto seen = load_snapshot(file);
            const auto* snapshot = std::get_if<Snapshot>(&seen);
            if (snapshot == nullptr || snapshot->entries.size() != 1) ++bad_;
          }
        }) {}
  ~Reader() {
    stop_ = true;
    thread_.join();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  [[nodiscard]] int bad() const { return bad_; }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<int> bad_ = 0;
  std::thread thread_;
};

/// Everything that was said to be done is there, what was there before too, and all goes on.
void expect_intact(const Place& place, const Ended& ended) {
  {
    const Store store = Store::open(place.store_file());
    EXPECT_TRUE(store.warnings().empty()) << store.warnings().at(0);
    EXPECT_EQ(store.trials(RunId{1}).size(), 3U) << "earlier trials are lost";
    for (int i = 0; i < 4; ++i) {
      if (!ended.did(fmt::format("trial {}", i))) continue;
      const auto trials = store.trials(RunId{2});
      EXPECT_TRUE(trials.size() > static_cast<std::size_t>(i) &&
                  trials[static_cast<std::size_t>(i)] == sample_trial(i, i))
          << "trial " << i << " is lost";
    }
    const auto best = store.best(question_of(sample_start()));
    ASSERT_TRUE(best.has_value()) << "the earlier result is lost";
    if (ended.did("published")) {
      EXPECT_EQ(best->best, sample_best(3));
    }
    EXPECT_EQ(std::get<Snapshot>(load_snapshot(place.snapshot())), store.bests());
  }
  EXPECT_EQ(place.run({}, 0).code, 0) << "the next run fails";
}

/// One run with one failure. False when there was nothing left to fail.
bool survives(const Fault& fault, int at) {
  const Place place;
  Ended ended;
  {
    const Reader reader(place.snapshot());
    ended = place.run(fault, at);
    EXPECT_EQ(reader.bad(), 0) << "a reader saw a broken snapshot";
  }
  const std::string failures = place.failures();
  SCOPED_TRACE(fmt::format("call {}: {}{}{}", at, failures, ended.out, ended.err));
  if (failures.empty()) {
    EXPECT_EQ(ended.code, 0);
    return false;
  }
  EXPECT_TRUE(ended.code == 0 || ended.code == 74) << ended.code;
  if (ended.code == 74) {
    EXPECT_TRUE(ended.err.starts_with("error: "));
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << "not one line";
    EXPECT_NE(ended.err.find(place.store_file().parent_path().string()), std::string::npos)
        << "names no file";
    EXPECT_NE(ended.err.find("; "), std::string::npos) << "does not say what to do";
  }
  expect_intact(place, ended);
  return true;
}

/// Fails every call once, in a run each: the first of faults, then the next, in turn. Returns how
/// many calls there are.
int walk(const std::vector<Fault>& faults) {
  std::size_t at = 1;
  const auto fault = [&]() -> const Fault& { return faults[(at - 1) % faults.size()]; };
  while (!::testing::Test::HasFailure() && survives(fault(), static_cast<int>(at))) ++at;
  ::testing::Test::RecordProperty("calls", static_cast<int>(at - 1));
  return static_cast<int>(at - 1);
}

/// Every write with one of them, in turn; with both in a full run.
void walk_writes(const Fault& one, const Fault& other) {
  if (checks::is_full_run()) {
    EXPECT_GT(walk({one}), 20);
    EXPECT_GT(walk({other}), 20);
  } else {
    EXPECT_GT(walk({one, other}), 20);
  }
}

TEST(Fault26, AFullDiskAtAnyWriteIsSaidAndCostsNothingThatWasKept) {
  walk_writes({"write", ENOSPC, Lasting::yes}, {"write", ENOSPC, Lasting::no});
}

TEST(Fault27, AnInputOutputErrorAtAnyWriteIsSaidAndCostsNothingThatWasKept) {
  walk_writes({"write", EIO, Lasting::no}, {"write", EIO, Lasting::yes});
}

TEST(Fault28, AFailureOfAnySyncRenameCreationOrCutIsSaidAndCostsNothingThatWasKept) {
  EXPECT_GT(walk({{"sync", EIO}}), 10);
  EXPECT_GT(walk({{"rename", ENOSPC}}), 0);
  EXPECT_GT(walk({{"link", EIO}}), 0);
  EXPECT_GT(walk({{"open", ENOSPC}}), 1);
  EXPECT_GT(walk({{"open", EIO, Lasting::yes}}), 1);
  EXPECT_GT(walk({{"sync rename open truncate", EIO, Lasting::yes}}), 10);
}

}  // namespace
}  // namespace redtune::testing_faults
