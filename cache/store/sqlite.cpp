// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/store/sqlite.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <new>
#include <sys/stat.h>
#include <thread>

namespace redtune::cache {
namespace {

constexpr int busy_timeout_ms = 30'000;

/// What a person can do about an error.
std::string_view advice(int code) {
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process has kept it locked for 30 s; end it or try later";
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return "free space on its file system (or raise the file size limit)";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return "make it writable or pass another file with --cache";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "it is damaged: redtune cache gc puts it aside and saves what can be read";
    case SQLITE_CONSTRAINT:
      return "the row breaks a rule of the store";
    default:
      return "pass another file with --cache";
  }
}

std::string file_of(sqlite3* database) {
  const char* name = database != nullptr ? sqlite3_db_filename(database, "main") : nullptr;
  return name == nullptr || *name == '\0' ? "the results in memory" : name;
}

/// code: a primary result code.
[[noreturn]] void throw_error(int code, const std::string& text) {
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) throw StoreBusy(code, text);
  throw SqliteError(code, text);
}

[[noreturn]] void fail(sqlite3* database, int code) {
  const int primary = code & 0xff;  // extended codes keep the primary one in the low byte
  const char* message = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  throw_error(primary, fmt::format("{}: {}; {}", file_of(database), message, advice(primary)));
}

void check(sqlite3* database, int code) {
  if (code != SQLITE_OK) fail(database, code);
}

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Connection = std::unique_ptr<sqlite3, CloseDatabase>;

/// "file:///a%20folder/results.db?...": a name in which SQLite takes parameters.
std::string uri_of(const std::filesystem::path& file, std::string_view parameters) {
  std::string uri = "file://";
  for (const char c : file.string()) {
    const bool is_plain = c == '/' || c == '.' || c == '-' || c == '_' || std::isalnum(c & 0xff);
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("{}?{}", uri, parameters);
}

Connection open_to_read(const std::filesystem::path& file, std::string_view parameters) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(uri_of(file, parameters).c_str(), &raw, flags, nullptr);
  Connection connection(raw);
  if (code != SQLITE_OK) {
    throw_error(code & 0xff, fmt::format("cannot open {}: {}; is it a readable file?",
                                         file.string(), sqlite3_errstr(code)));
  }
  check(raw, sqlite3_busy_timeout(raw, busy_timeout_ms));
  return connection;
}

/// What a file was at a moment.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  time_t seconds = 0;
  long nanoseconds = 0;

  bool operator==(const FileState&) const = default;
};

/// A change within this time of another may leave the time of the file as it was.
constexpr std::int64_t clock_tick_ns = 100'000'000;

std::int64_t nanoseconds(const struct timespec& time) {
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

/// A database is at rest while nobody writes to it and nobody was stopped while writing: its log
/// and its journal are empty or not there, and its last change is over. Nothing for one that is
/// not.
std::optional<FileState> state_at_rest(const std::filesystem::path& file) {
  for (const char* part : {"-wal", "-journal"}) {
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(file.string() + part, missing);
    if (!missing && bytes != 0) return std::nullopt;
  }
  struct stat found {};
  struct timespec now {};
  if (stat(file.c_str(), &found) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) {
    return std::nullopt;
  }
  if (std::abs(nanoseconds(now) - nanoseconds(found.st_mtim)) < clock_tick_ns) return std::nullopt;
  return FileState{found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec,
                   found.st_mtim.tv_nsec};
}

int copy_pages(sqlite3* copy, const Connection& from) {
  sqlite3_backup* backup = sqlite3_backup_init(copy, "main", from.get(), "main");
  if (backup == nullptr) fail(copy, sqlite3_errcode(copy));
  const int stepped = sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  return stepped == SQLITE_DONE ? code : stepped;
}

/// One at rest is its file alone, and reading that leaves nothing behind, and needs no place to
/// write to: SQLite opens no database with a log where it has none. False for one that is not at
/// rest, or did not stay so.
bool copy_at_rest(sqlite3* copy, const std::filesystem::path& file) {
  const auto before = state_at_rest(file);
  if (!before) return false;
  const int code = copy_pages(copy, open_to_read(file, "mode=ro&immutable=1"));
  if (state_at_rest(file) != before) return false;
  if (code == SQLITE_OK) return true;
  throw_error(code & 0xff, fmt::format("cannot read {}: {}; {}", file.string(),
                                       sqlite3_errstr(code), advice(code & 0xff)));
}

void copy_into(sqlite3* copy, const std::filesystem::path& file) {
  if (copy_at_rest(copy, file)) return;
  const int code = copy_pages(copy, open_to_read(file, "mode=ro"));
  const int primary = code & 0xff;
  if (primary == SQLITE_OK) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(clock_tick_ns));  // it may just be written
  if (copy_at_rest(copy, file)) return;
  if (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY) {
    throw StoreBusy(
        SQLITE_BUSY,
        fmt::format("cannot read {}: another process writes to it, or was stopped while it did; "
                    "try later, or let its owner run redtune cache gc, which mends it",
                    file.string()));
  }
  throw_error(primary, fmt::format("cannot read {}: {}; {}", file.string(), sqlite3_errstr(code),
                                   advice(primary)));
}

}  // namespace

bool SqliteError::is_damage() const {
  return code_ == SQLITE_NOTADB || code_ == SQLITE_CORRUPT;
}

bool SqliteError::is_refused_row() const {
  return code_ == SQLITE_CONSTRAINT;
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  sqlite3_stmt* raw = nullptr;
  check(database,
        sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &raw, nullptr));
  statement_.reset(raw);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(database_, code);
  return code == SQLITE_ROW;
}

void Statement::bind_next(std::int64_t value) {
  check(database_, sqlite3_bind_int64(statement_.get(), ++bound_, value));
}

void Statement::bind_next(double value) {
  check(database_, sqlite3_bind_double(statement_.get(), ++bound_, value));
}

void Statement::bind_next(std::string_view value) {
  // A null pointer would become NULL instead of an empty text.
  const char* data = value.data() != nullptr ? value.data() : "";
  check(database_, sqlite3_bind_text64(statement_.get(), ++bound_, data, value.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_next(Blob value) {
  check(database_, sqlite3_bind_blob64(statement_.get(), ++bound_, value.bytes.data(),
                                       value.bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_row(const Statement& row, int first) {
  for (int column = first; column < row.columns(); ++column) {
    sqlite3_value* const value = sqlite3_column_value(row.statement_.get(), column);
    check(database_, sqlite3_bind_value(statement_.get(), ++bound_, value));
  }
}

void Statement::bind_null() {
  check(database_, sqlite3_bind_null(statement_.get(), ++bound_));
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::string Statement::blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  if (bytes == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Database::Database(const char* name, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name, &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(raw);  // SQLite wants a handle closed even when opening failed
  if (code != SQLITE_OK) {
    throw_error(code & 0xff, fmt::format("cannot open {}: {}; {}", name, sqlite3_errstr(code),
                                         advice(code & 0xff)));
  }
  check(raw, sqlite3_busy_timeout(raw, busy_timeout_ms));
  // TRUSTED_SCHEMA must stay on: the JSON functions of SQLite 3.40 do not work in a CHECK without.
  check(raw, sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  check(raw, sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr));
}

Database::Database(const std::filesystem::path& file)
    : Database(std::filesystem::absolute(file).c_str(), SQLITE_OPEN_READWRITE) {}

Database Database::in_memory() {
  return Database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Database Database::read_only(const std::filesystem::path& file) {
  return Database(std::filesystem::absolute(file).c_str(), SQLITE_OPEN_READONLY);
}

Database Database::read_at_rest(const std::filesystem::path& file) {
  return Database(open_to_read(std::filesystem::absolute(file), "mode=ro&immutable=1").release());
}

Database Database::copy_of(const std::filesystem::path& file) {
  Database copy = in_memory();
  copy_into(copy.handle_.get(), std::filesystem::absolute(file));
  return copy;
}

Database Database::of_bytes(std::string_view content) {
  Database database = in_memory();
  auto* const bytes = static_cast<unsigned char*>(sqlite3_malloc64(content.size()));
  if (bytes == nullptr) throw std::bad_alloc();
  std::ranges::copy(content, bytes);
  const auto size = static_cast<sqlite3_int64>(content.size());
  check(database.handle_.get(),
        sqlite3_deserialize(database.handle_.get(), "main", bytes, size, size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY));
  return database;
}

void Database::trust() {
  sqlite3* raw = handle_.get();
  check(raw, sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr));
}

void Database::execute(const char* sql) {
  check(handle_.get(), sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const SqliteError&) {
    // A full disk rolls back by itself; there is nothing left to undo then.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace redtune::cache
