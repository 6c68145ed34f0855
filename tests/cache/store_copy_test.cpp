// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Copies of stores: of those of others, and of those that somebody writes to.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cache/store/sqlite.hpp"
#include "cache/store/sqlite_error.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

void publish(Store& store) {
  store.publish(store.begin(sample_start()), sample_best());
}

/// What copying comes to, as a child process can tell it.
constexpr int is_copied = 0;
constexpr int is_unreadable = 74;
constexpr int is_busy = 75;

int try_to_copy(const std::filesystem::path& file) {
  try {
    (void)Store::copy_of(file);
  } catch (const StoreBusy&) {
    return is_busy;
  } catch (const IoError&) {
    return is_unreadable;
  }
  return is_copied;
}

/// Where others may enter, which the folder for temporary files may be none of.
constexpr const char* open_to_all = "/tmp";

/// What as_a_stranger returns where nobody can be one.
constexpr int no_stranger = 98;

/// Runs work where nothing can be written to the folder "site" in a folder.
int as_a_stranger(const ScratchFolder& folder, const std::function<int()>& work) {
  using std::filesystem::perms;
  std::filesystem::permissions(folder / "site", perms::owner_read | perms::owner_exec);
  const int result = in_child([&] {
    // Root may write anywhere: not as somebody else.
    if (geteuid() == 0) {
      std::filesystem::permissions(folder / "", perms(0755));
      std::filesystem::permissions(folder / "site", perms(0555));
      for (const auto& file : std::filesystem::directory_iterator(folder / "site")) {
        std::filesystem::permissions(file.path(), perms(0444));
      }
      if (setuid(65534) != 0) return no_stranger;
    }
    return work();
  });
  std::filesystem::permissions(folder / "site", perms::owner_all);
  return result;
}

TEST(StoreCopy, NeedsNoPlaceToWrite) {
  const ScratchFolder folder(open_to_all);
  std::filesystem::create_directory(folder / "site");
  const auto file = folder / "site/results-v1.db";
  {
    Store store = Store::open(file);
    publish(store);
  }
  const int code = as_a_stranger(folder, [&] {
    const Store copy = Store::copy_of(file);
    return copy.history().size() == 1 && !copy.file() ? 0 : 1;
  });
  if (code == no_stranger) GTEST_SKIP() << "this root cannot become somebody else";
  EXPECT_EQ(code, 0);
}

/// A store without a log, whose last writer was killed in the middle of a commit.
void leave_half_a_commit(const std::filesystem::path& file) {
  {
    Store store = Store::open(file);
    publish(store);
    const RunId run = store.begin(sample_start());
    for (int i = 0; i < 200; ++i) store.record(run, sample_trial(i, i));
  }
  Database(file).execute("PRAGMA journal_mode = DELETE");
  (void)in_child([&] {
    Database database(file);
    // A small cache makes pages go to the file before the commit.
    database.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE trial SET wall_ms = 1");
    _exit(0);
    return 0;
  });
}

TEST(StoreCopy, IsNotMadeOfHalfACommit) {
  const ScratchFolder folder(open_to_all);
  std::filesystem::create_directory(folder / "site");
  const auto file = folder / "site/results-v1.db";
  leave_half_a_commit(file);
  ASSERT_GT(std::filesystem::file_size(file.string() + "-journal"), 0U);
  const int code = as_a_stranger(folder, [&] { return try_to_copy(file); });
  if (code != no_stranger) {
    EXPECT_EQ(code, is_busy);
  }
  EXPECT_EQ(try_to_copy(file), is_busy) << "nor by its owner";
  (void)Store::open(file);
  EXPECT_EQ(try_to_copy(file), is_copied) << "the advice does not help";
}

/// While it lives, write-ahead logs cannot be opened, as where nothing can be written. Calls
/// something when a file is opened as one that does not change.
class NoLogsCanBeOpened {
 public:
  explicit NoLogsCanBeOpened(std::function<void()> meanwhile) {
    real_ = sqlite3_vfs_find(nullptr);
    shown_ = *real_;
    shown_.zName = "no-logs";
    shown_.xOpen = open;
    meanwhile_ = std::move(meanwhile);
    sqlite3_vfs_register(&shown_, 1);
  }
  ~NoLogsCanBeOpened() {
    sqlite3_vfs_unregister(&shown_);
    sqlite3_vfs_register(real_, 1);
  }
  NoLogsCanBeOpened(const NoLogsCanBeOpened&) = delete;
  NoLogsCanBeOpened& operator=(const NoLogsCanBeOpened&) = delete;

 private:
  static int open(sqlite3_vfs* /*shown*/, const char* name, sqlite3_file* file, int flags,
                  int* flags_then) {
    file->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_WAL) != 0) return SQLITE_CANTOPEN;
    const bool is_still =
        (flags & SQLITE_OPEN_URI) != 0 && sqlite3_uri_boolean(name, "immutable", 0) != 0;
    const int code = real_->xOpen(real_, name, file, flags, flags_then);
    if (is_still) meanwhile_();
    return code;
  }

  static inline sqlite3_vfs* real_ = nullptr;
  static inline std::function<void()> meanwhile_;
  sqlite3_vfs shown_{};
};

TEST(StoreCopy, NoticesAWriterThatComesMeanwhile) {
  const ScratchFolder folder(memory_folder());
  const auto file = folder / "results-v1.db";
  {
    Store store = Store::open(file);
    publish(store);
  }
  ASSERT_EQ(read_text(file).at(18), 2) << "it has a log";
  const auto path = file.string();
  const std::vector<std::function<void()>> writers{
      [&] { write_text(path + "-wal", "a commit"); },
      [&] { write_text(path + "-journal", "a page"); },
      [&] { std::ofstream(path, std::ios::app) << "a page"; },
      [&] {
        const auto written = std::filesystem::last_write_time(path);
        std::filesystem::last_write_time(path, written + std::chrono::milliseconds(1));
      }};
  int turns = 0;
  for (const auto& writer : writers) {
    {
      const NoLogsCanBeOpened where_nothing_can_be_written([&] { ++turns; });
      EXPECT_EQ(try_to_copy(file), is_copied) << "at rest it is read";
    }
    {
      const NoLogsCanBeOpened where_nothing_can_be_written(writer);
      EXPECT_EQ(try_to_copy(file), is_busy);
    }
    std::filesystem::remove(path + "-wal");
    std::filesystem::remove(path + "-journal");
  }
  EXPECT_EQ(turns, 4) << "the files were never opened as those of strangers";
}

TEST(StoreCopy, IsApartFromItsFile) {
  const ScratchFolder folder;
  const auto file = folder / "results-v1.db";
  Store store = Store::open(file);
  publish(store);
  Store copy = Store::copy_of(file);
  copy.mark(1, Word::revoked, "");
  EXPECT_FALSE(copy.best(question_of(sample_start())));
  EXPECT_TRUE(store.best(question_of(sample_start())));
}

TEST(StoreCopy, RefusesWhatIsNoStore) {
  const ScratchFolder folder;
  EXPECT_THROW((void)Store::copy_of(folder / "missing.db"), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder / "missing.db"));
  EXPECT_THROW((void)Store::copy_of(folder / ""), UsageError);
  write_text(folder / "text.db", std::string(5000, 'x'));
  EXPECT_THROW((void)Store::copy_of(folder / "text.db"), UsageError);
  EXPECT_TRUE(std::filesystem::exists(folder / "text.db")) << "a file that is only read was moved";
}

}  // namespace
}  // namespace redtune::cache
