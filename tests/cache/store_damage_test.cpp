// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Stores that cannot be used: unusable places, strangers, newer versions, damage, a full disk.
#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

/// The text of the error that opening a file ends with.
template <class Error = IoError>
std::string refusal_of(const std::filesystem::path& file) {
  try {
    (void)Store::open(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "opened";
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(UnusablePlace, IsSaidWithWhatToDoNext) {
  const ScratchFolder folder;
  write_text(folder / "file", "");
  for (const std::filesystem::path& file :
       {folder / "file/below/results-v1.db", std::filesystem::path("/proc/redtune/results-v1.db"),
        std::filesystem::path("/proc/results-v1.db")}) {
    const std::string text = refusal_of(file);
    EXPECT_TRUE(mentions(text, "--cache")) << file << ": " << text;
  }
  EXPECT_TRUE(mentions(refusal_of<UsageError>(folder / "."), "is a folder"));
  EXPECT_TRUE(mentions(refusal_of<UsageError>(""), "names no file"));
  EXPECT_TRUE(mentions(refusal_of<UsageError>(folder / "x/best-v1.snap"), "snapshot"));
}

TEST(Stranger, IsRefusedAndLeftAlone) {
  const ScratchFolder folder;
  const auto file = folder / "other.db";
  write_text(file, "");
  Database(file).execute("CREATE TABLE notes (text TEXT)");
  const std::string before = read_text(file);
  EXPECT_EQ(refusal_of<UsageError>(file),
            file.string() +
                " is an SQLite database of another program, not a store of redtune; it is left as "
                "it is: name another file with --cache");
  EXPECT_EQ(read_text(file), before);
}

TEST(NewerStore, IsRefusedAndLeftAlone) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  (void)Store::open(file);
  Database(file).execute("PRAGMA user_version = 2");
  EXPECT_EQ(refusal_of(file),
            file.string() +
                " was written by a newer redtune (schema 2); update redtune or pass another file "
                "with --cache");
  Database(file).execute("PRAGMA user_version = 9001");  // a newer minor of the same major
  EXPECT_EQ(refusal_of(file), "opened");
}

class DamagedStore : public ::testing::Test {
 protected:
  /// A store with a result, closed.
  void SetUp() override {
    Store store = Store::open(file_);
    const RunId run = store.begin(sample_start());
    for (int i = 0; i < 100; ++i) store.record(run, sample_trial(i, i));
    store.publish(run, sample_best());
  }

  /// Opening sets the damaged file aside and says so once; what answered before answers.
  void expect_rescued(const std::string& name) const {
    const std::string damaged = read_text(file_);
    {
      Store store = Store::open(file_);
      ASSERT_FALSE(store.warnings().empty());
      EXPECT_TRUE(mentions(store.warnings()[0], name)) << store.warnings()[0];
      const auto best = store.best(question_of(sample_start()));
      ASSERT_TRUE(best);
      EXPECT_EQ(best->best.settings, sample_best().settings);
      RunStart other = sample_start();
      other.problem.count += 1;
      store.publish(store.begin(other), sample_best());
    }
    EXPECT_TRUE(read_text(folder_ / name) == damaged);
    const Store again = Store::open(file_);
    EXPECT_TRUE(again.warnings().empty());
    EXPECT_EQ(again.bests().entries.size(), 2U);
    EXPECT_EQ(snapshot_entries(), 2U);
  }

  [[nodiscard]] std::size_t snapshot_entries() const {
    const auto loaded = load_snapshot(folder_ / "my.db.best-v1.snap");
    const auto* snapshot = std::get_if<Snapshot>(&loaded);
    return snapshot == nullptr ? 0 : snapshot->entries.size();
  }

  void overwrite(std::size_t at, const std::string& bytes) const {
    std::string content = read_text(file_);
    content.replace(at, bytes.size(), bytes);
    write_text(file_, content);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
};

TEST_F(DamagedStore, ThatWasCutIsSetAside) {
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  expect_rescued("my.db.corrupt-1");
}

TEST_F(DamagedStore, WithOverwrittenPagesIsSetAside) {
  overwrite(std::filesystem::file_size(file_) / 2, std::string(8192, '\xa5'));
  expect_rescued("my.db.corrupt-1");
}

TEST_F(DamagedStore, WithoutItsHeaderKeepsEveryRow) {
  overwrite(0, std::string(100, '\0'));
  expect_rescued("my.db.corrupt-1");
  const Store store = Store::open(file_);
  EXPECT_EQ(store.trials(store.runs().back().id).size(), 100U);
}

TEST_F(DamagedStore, WithAnotherApplicationIdKeepsEveryRow) {
  overwrite(68, std::string(4, '\x55'));
  expect_rescued("my.db.corrupt-1");
  const Store store = Store::open(file_);
  EXPECT_EQ(store.trials(store.runs().back().id).size(), 100U);
}

TEST_F(DamagedStore, KeepsWhatIsRevokedRevoked) {
  Store::open(file_).mark(1, Word::revoked, "wrong");
  overwrite(0, std::string(100, '\0'));
  const Store store = Store::open(file_);
  EXPECT_FALSE(store.best(question_of(sample_start())));
  EXPECT_EQ(store.history().size(), 1U);
}

TEST_F(DamagedStore, IsShownAsFarAsItCanBeReadAndLeftAlone) {
  overwrite(0, std::string(100, '\0'));
  const std::string before = read_text(file_);
  const Store shown = Store::look_at(file_);
  EXPECT_EQ(shown.bests().entries.size(), 1U);
  ASSERT_EQ(shown.warnings().size(), 1U);
  EXPECT_TRUE(mentions(shown.warnings()[0], "is damaged")) << shown.warnings()[0];
  EXPECT_TRUE(read_text(file_) == before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "my.db.corrupt-1"));
}

TEST_F(DamagedStore, NeverReplacesWhatWasSetAsideBefore) {
  write_text(folder_ / "my.db.corrupt-1", "first");
  overwrite(0, std::string(100, '\0'));
  expect_rescued("my.db.corrupt-2");
  EXPECT_EQ(read_text(folder_ / "my.db.corrupt-1"), "first");
}

TEST_F(DamagedStore, TakesItsLogAlong) {
  overwrite(0, std::string(100, '\0'));
  write_text(folder_ / "my.db-wal", "old wal");
  expect_rescued("my.db.corrupt-1");
  EXPECT_EQ(read_text(folder_ / "my.db.corrupt-1-wal"), "old wal");
}

/// What is no store stays as it is, byte for byte and under its name.
TEST_F(DamagedStore, IsNotWhatWasNeverAStore) {
  for (const std::string& content :
       {std::string("these are somebody's notes, long enough not to be taken for an empty file"),
        std::string(5000, 'x'), std::string("\x1f\x8b\x08 a gzip file"),
        std::string(1 << 20, '\xe7'), std::string("\0\0\x80\x3f", 4),
        std::string("CREATE TABLE device_class (key); -- best is append-only")}) {
    write_text(file_, content);
    EXPECT_TRUE(mentions(refusal_of<UsageError>(file_), "not a store of redtune"));
    EXPECT_TRUE(read_text(file_) == content);
    EXPECT_THROW((void)Store::look_at(file_), UsageError);
    EXPECT_THROW((void)Store::copy_of(file_), UsageError);
    EXPECT_EQ(snapshot_entries(), 1U);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "my.db.corrupt-1"));
}

TEST(Fault26, ADiskThatFillsUpIsSaidAndCostsNoEarlierRow) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const int recorded = in_child([&] {
    Store store = Store::open(file);
    const RunId run = store.begin(sample_start());
    std::signal(SIGXFSZ, SIG_IGN);  // the write fails instead, as on a full disk
    const rlimit limit{512 << 10, 512 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    Trial trial = sample_trial(0);
    trial.detail = std::string(8000, 'x');
    for (int i = 0; i < 200; ++i) {
      trial.sequence = i;
      try {
        store.record(run, trial);
      } catch (const IoError& error) {
        if (!mentions(error.what(), "free space")) return 1;
        return store.trials(run).size() == static_cast<std::size_t>(i) ? i : 2;
      }
    }
    return 3;
  });
  ASSERT_GT(recorded, 3) << "no error, or a wrong one";
  const Store store = Store::open(file);
  EXPECT_TRUE(store.warnings().empty());
  EXPECT_EQ(store.trials(store.runs().at(0).id).size(), static_cast<std::size_t>(recorded));
}

}  // namespace
}  // namespace redtune::cache
