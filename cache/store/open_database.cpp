// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/open_database.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>

#include "cache/files/files.hpp"
#include "cache/store/file_kind.hpp"
#include "cache/store/salvage.hpp"
#include "cache/store/schema.hpp"
#include "cache/store/storage.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Checking a page takes microseconds. Trials are most of what a large store holds, and no answer
/// depends on them.
constexpr std::uintmax_t max_checked_bytes = 8 << 20;

[[noreturn]] void refuse(const std::string& name, std::string_view what) {
  throw UsageError(fmt::format(
      "{} {}, not a store of redtune; it is left as it is: name another file with --cache", name,
      what));
}

/// A store that was just created, or a database that nothing was put in.
bool is_without_tables(const fs::path& file) {
  std::error_code missing;
  const bool has_log = fs::file_size(file.string() + "-wal", missing) > 0 && !missing;
  try {
    Database database = has_log ? Database::read_only(file) : Database::read_at_rest(file);
    return database.integer("SELECT count(*) FROM sqlite_schema") == 0 ||
           database.integer("PRAGMA application_id") == application_id;
  } catch (const SqliteError&) {
    return false;
  }
}

bool can_use_wal(const fs::path& file) {
  const auto file_system = file_system_of(file);
  return file_system && file_system->serves_wal;
}

/// Lets one process at a time create a store or set it aside. It leaves no file behind.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (folder_.valid() && flock(folder_.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;  // this file system has no such locks
      if (std::chrono::steady_clock::now() > deadline) {
        throw IoError(fmt::format(
            "another process has kept {} locked for 30 s; end it or try later", folder.string()));
      }
      std::this_thread::sleep_for(10ms);
    }
  }

 private:
  Descriptor folder_;
};

/// Only a file that is not there yet is opened here: closing any descriptor of a database drops the
/// locks that SQLite holds on it for another Store of this process.
void create_private_file(const fs::path& file) {
  const Descriptor created(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (created.valid() || errno == EEXIST) return;
  throw IoError(fmt::format("cannot create {}: {}; pass a file in a writable folder with --cache",
                            file.string(), std::generic_category().message(errno)));
}

bool has_table(Database& database, std::string_view name) {
  Statement row = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  row.bind(name);
  return row.step();
}

/// A file of somebody else may have views where a store has tables.
bool has_tables(Database& database) {
  return database.integer(
             "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('device_class',"
             " 'toolchain', 'space', 'problem', 'config', 'run', 'trial', 'best')") == 8;
}

void check_tables(Database& database, const fs::path& file) {
  if (database.integer("PRAGMA user_version") == 0 || has_tables(database)) return;
  refuse(file.string(), "does not have the tables of a store");
}

/// Throws unless the database is ours and of our version, or empty.
void check_identity(Database& database, const std::string& name) {
  const auto id = database.integer("PRAGMA application_id");
  const auto version = database.integer("PRAGMA user_version");
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  if (id == 0 && version == 0 && empty) return;
  if (id != application_id && has_tables(database)) {
    throw SqliteError(SQLITE_CORRUPT, fmt::format("{}: its header is damaged", name));
  }
  if (id != application_id) refuse(name, "is an SQLite database of another program");
  const auto major = version % minor_factor;
  if (major > schema_major) {
    throw IoError(fmt::format(
        "{} was written by a newer redtune (schema {}); update redtune or pass another file with "
        "--cache",
        name, major));
  }
  if (major < schema_major) {
    throw IoError(
        fmt::format("{} has the unknown schema {}; pass another file with --cache", name, version));
  }
}

void check_pages(Database& database, const std::string& name, std::string_view of = {}) {
  Statement check = database.prepare(of.empty() ? std::string("PRAGMA quick_check(1)")
                                                : fmt::format("PRAGMA quick_check({})", of));
  if (check.step() && check.text(0) != "ok") {
    throw SqliteError(SQLITE_CORRUPT, fmt::format("{}: {}", name, check.text(0)));
  }
}

void check_content(Database& database, const fs::path& file, Check check) {
  std::error_code ignored;
  if (check == Check::every_page || fs::file_size(file, ignored) <= max_checked_bytes) {
    return check_pages(database, file.string());
  }
  for (const char* table : {"best", "run", "config", "problem", "device_class", "toolchain"}) {
    if (has_table(database, table)) check_pages(database, file.string(), table);
  }
}

/// The journal is a wish: while other processes use the database it stays as it is.
void choose_journal(Database& database, const fs::path& file) {
  const bool wal = can_use_wal(file);
  try {
    database.execute(wal ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE");
  } catch (const SqliteError& error) {
    if (error.is_damage()) throw;
  }
  // With WAL, NORMAL would damage nothing either, but a power cut could take the last commits, and
  // with them the intents that say which config took the machine down. FULL costs one fsync a
  // commit. Seen on a virtual disk: 0.1 ms a trial with NORMAL; with FULL 0.3 ms, and 4 ms while
  // others write to that disk. Measuring a trial takes 10 ms or more and two
  // commits.
  database.execute("PRAGMA synchronous = FULL");
}

/// Keeps a store as it was before it is brought forward. The copy gets its name when it is whole;
/// one that is there already is of an attempt that went no further.
void back_up(Database& database, const fs::path& file) {
  const auto version = database.integer("PRAGMA user_version");
  if (version == 0 || version >= user_version) return;
  const fs::path backup = fmt::format("{}.before-{}", file.string(), user_version);
  const fs::path unfinished = backup.string() + ".new";
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  create_private_file(unfinished);
  database.prepare("VACUUM INTO ?").bind(unfinished.string()).run();
  fs::rename(unfinished, backup);
}

Database open_checked(const fs::path& file, Check check) {
  create_private_file(file);
  Database database(file);
  check_identity(database, file.string());
  check_content(database, file, check);
  database.trust();
  back_up(database, file);
  choose_journal(database, file);
  create_schema(database);
  return database;
}

/// What is copied into memory is bounded. A million trials are about 400 MB.
constexpr std::uintmax_t max_copied_bytes = std::uintmax_t{1} << 30;

void check_is_file(const fs::path& file) {
  refuse_foreign(file);
  std::error_code ignored;
  if (fs::exists(file, ignored)) return;
  throw UsageError(
      fmt::format("{} does not exist; name the results file of a store", file.string()));
}

void check_copyable(const fs::path& file) {
  check_is_file(file);
  std::error_code error;
  if (fs::file_size(file, error) > max_copied_bytes) {
    throw IoError(fmt::format("{} is larger than {} MiB; thin it out: redtune cache gc --keep DAYS",
                              file.string(), max_copied_bytes >> 20));
  }
}

/// For stores that are only read; called while the error is handled.
[[noreturn]] void refuse_damaged(const fs::path& file, const SqliteError& error) {
  if (!error.is_damage()) throw;
  throw DamagedStore(
      fmt::format("{} is damaged; what can be done: redtune cache verify", file.string()));
}

constexpr std::array parts{"-wal", "-shm", "-journal"};

/// Gives a damaged database, with what SQLite keeps beside it, a second name: without its log it
/// could not be rescued.
fs::path keep_aside(const fs::path& file) {
  fs::path aside;
  for (int n = 1; aside.empty() || fs::exists(fs::symlink_status(aside)); ++n) {
    aside = fmt::format("{}.corrupt-{}", file.string(), n);
  }
  const auto keep = [&](const std::string& part) {
    const fs::path from = file.string() + part;
    const fs::path to = aside.string() + part;
    std::error_code error;
    if (!fs::exists(from, error)) return;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to, error);  // not every file system has links
    if (error) {
      throw IoError(
          fmt::format("{} is damaged and cannot be kept as {}: {}; pass another file "
                      "with --cache",
                      from.string(), to.string(), error.message()));
    }
  };
  for (const char* part : parts) keep(part);
  keep("");
  return aside;
}

/// Puts a new database in the place of a damaged one. A log left behind would be played into it.
void replace_database(const fs::path& file, const fs::path& by) {
  for (const char* part : parts) {
    std::error_code ignored;
    fs::remove(file.string() + part, ignored);
  }
  fs::rename(by, file);
}

/// Until the new store is whole, the damaged one keeps its name: who is stopped here begins again.
std::string rescue(const fs::path& file) {
  const fs::path fresh = file.string() + ".rescued";
  for (const char* part : {"", "-wal", "-shm", "-journal"}) {
    std::error_code ignored;
    fs::remove(fresh.string() + part, ignored);
  }
  create_private_file(fresh);
  Salvaged saved;
  {
    Database database(fresh);
    database.trust();
    database.execute("PRAGMA journal_mode = DELETE");
    create_schema(database);
    saved = salvage(file, database);
  }
  const fs::path aside = keep_aside(file);
  replace_database(file, fresh);
  return fmt::format("{} was damaged; it is kept as {}; {}", file.string(), aside.string(),
                     describe(saved));
}

}  // namespace

void refuse_foreign(const fs::path& file) {
  const SeenFile seen = look_at_file(file);
  switch (seen.kind) {
    case FileKind::store:
    case FileKind::empty:
    case FileKind::missing:
      return;
    case FileKind::database:
      if (is_without_tables(file)) return;
      break;
    case FileKind::unreadable:
      throw IoError(fmt::format("{} {}; make it readable or pass another file with --cache",
                                file.string(), seen.what));
    default:
      break;
  }
  refuse(file.string(), seen.what);
}

void create_schema(Database& database) {
  database.execute("PRAGMA foreign_keys = ON");
  Transaction transaction(database);
  // Asked under the lock: another process may just have created the tables.
  const auto version = database.integer("PRAGMA user_version");
  if (version < user_version) {
    if (version == 0) database.execute(schema_sql);
    for (auto minor = static_cast<std::size_t>(version / minor_factor); minor < minor_steps.size();
         ++minor) {
      database.execute(minor_steps[minor]);
    }
    database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                 application_id, user_version)
                         .c_str());
  }
  transaction.commit();
}

Database copy_as_it_is(const fs::path& file) {
  check_copyable(file);
  Database copy = Database::copy_of(file);
  check_identity(copy, file.string());
  return copy;
}

Database copy_database(const fs::path& file) {
  try {
    Database copy = copy_as_it_is(file);
    check_tables(copy, file);
    check_content(copy, file, Check::what_answers);
    create_schema(copy);
    return copy;
  } catch (const SqliteError& error) {
    refuse_damaged(file, error);
  }
}

Database look_at_database(const fs::path& file) {
  check_is_file(file);
  try {
    Database database = Database::read_only(file);
    check_identity(database, file.string());
    check_tables(database, file);
    return database;
  } catch (const SqliteError& error) {
    refuse_damaged(file, error);
  }
}

OpenedDatabase open_database(const fs::path& file, Check check) {
  const fs::path absolute = fs::absolute(file);
  make_private_folder(absolute.parent_path());
  const FolderLock lock(absolute.parent_path());
  refuse_foreign(absolute);
  try {
    return {open_checked(absolute, check), {}};
  } catch (const SqliteError& error) {
    if (!error.is_damage()) throw;
  }
  std::string warning = rescue(absolute);
  return {open_checked(absolute, Check::what_answers), std::move(warning)};
}

}  // namespace redtune::cache
