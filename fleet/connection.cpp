// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "fleet/connection.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <utility>

namespace redtune::fleet {
namespace {

using Clock = std::chrono::steady_clock;

/// What is used of libpq. Linked, it would bring two dozen libraries into every process that
/// redtune starts, and into every machine that has the program.
struct Libpq {
  void* library = nullptr;
  decltype(&PQlibVersion) library_version = nullptr;
  decltype(&PQconninfoParse) conninfo_parse = nullptr;
  decltype(&PQconninfoFree) conninfo_free = nullptr;
  decltype(&PQfreemem) free_memory = nullptr;
  decltype(&PQconnectdbParams) connect = nullptr;
  decltype(&PQfinish) finish = nullptr;
  decltype(&PQstatus) status = nullptr;
  decltype(&PQerrorMessage) error_message = nullptr;
  decltype(&PQserverVersion) server_version = nullptr;
  decltype(&PQsocket) socket = nullptr;
  decltype(&PQsetnonblocking) set_nonblocking = nullptr;
  decltype(&PQsendQuery) send_query = nullptr;
  decltype(&PQsendQueryParams) send_query_params = nullptr;
  decltype(&PQflush) flush = nullptr;
  decltype(&PQconsumeInput) consume_input = nullptr;
  decltype(&PQisBusy) is_busy = nullptr;
  decltype(&PQgetResult) get_result = nullptr;
  decltype(&PQclear) clear = nullptr;
  decltype(&PQresultStatus) result_status = nullptr;
  decltype(&PQresultErrorField) error_field = nullptr;
  decltype(&PQntuples) rows = nullptr;
  decltype(&PQnfields) columns = nullptr;
  decltype(&PQgetisnull) is_null = nullptr;
  decltype(&PQgetvalue) value = nullptr;
  decltype(&PQgetlength) length = nullptr;
  decltype(&PQsetNoticeProcessor) set_notice_processor = nullptr;
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw UsageError(fmt::format("libpq.so.5 has no {}: it is too old", name));
}

Libpq open_libpq() {
  Libpq pq;
  pq.library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (pq.library == nullptr) {
    throw UsageError(fmt::format(
        "a fleet store needs libpq, PostgreSQL's client library: {}; on Debian: apt-get install "
        "libpq5",
        dlerror()));
  }
  void* const from = pq.library;
  find(from, "PQlibVersion", pq.library_version);
  find(from, "PQconninfoParse", pq.conninfo_parse);
  find(from, "PQconninfoFree", pq.conninfo_free);
  find(from, "PQfreemem", pq.free_memory);
  find(from, "PQconnectdbParams", pq.connect);
  find(from, "PQfinish", pq.finish);
  find(from, "PQstatus", pq.status);
  find(from, "PQerrorMessage", pq.error_message);
  find(from, "PQserverVersion", pq.server_version);
  find(from, "PQsocket", pq.socket);
  find(from, "PQsetnonblocking", pq.set_nonblocking);
  find(from, "PQsendQuery", pq.send_query);
  find(from, "PQsendQueryParams", pq.send_query_params);
  find(from, "PQflush", pq.flush);
  find(from, "PQconsumeInput", pq.consume_input);
  find(from, "PQisBusy", pq.is_busy);
  find(from, "PQgetResult", pq.get_result);
  find(from, "PQclear", pq.clear);
  find(from, "PQresultStatus", pq.result_status);
  find(from, "PQresultErrorField", pq.error_field);
  find(from, "PQntuples", pq.rows);
  find(from, "PQnfields", pq.columns);
  find(from, "PQgetisnull", pq.is_null);
  find(from, "PQgetvalue", pq.value);
  find(from, "PQgetlength", pq.length);
  find(from, "PQsetNoticeProcessor", pq.set_notice_processor);
  return pq;
}

/// Never closed: libraries below it have handlers at the end of the process.
const Libpq& libpq() {
  static const Libpq opened = open_libpq();
  return opened;
}

/// libpq's messages have several lines, the last one empty.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n' && !line.empty() && line.back() != ';') line += ';';
    line += c == '\n' || c == '\t' ? ' ' : c;
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  return line;
}

void ignore_notice(void* /*nobody*/, const char* /*text*/) {}

struct ResultOwner {
  explicit ResultOwner(PGresult* owned) : result(owned) {}
  ResultOwner(const ResultOwner&) = delete;
  ResultOwner& operator=(const ResultOwner&) = delete;
  ~ResultOwner() {
    if (result != nullptr) libpq().clear(result);
  }
  PGresult* result;
};

/// That the server has ended the connection, or is about to.
bool is_gone(std::string_view state) {
  return state.starts_with("08") || state == "57P01" || state == "57P02" || state == "57P03";
}

[[noreturn]] void refuse(PGresult* result) {
  const auto field = [&](int which) {
    const char* const text = libpq().error_field(result, which);
    return std::string(text == nullptr ? "" : text);
  };
  const std::string state = field(PG_DIAG_SQLSTATE);
  const std::string message = one_line(field(PG_DIAG_MESSAGE_PRIMARY));
  if (state.empty() || is_gone(state)) {
    throw Unreachable(fmt::format("the database has ended the connection: {}",
                                  message.empty() ? "without a word" : message));
  }
  if (state == "57014") throw Unreachable("the database has taken too long, and was stopped");
  throw Refused(fmt::format("the database refuses: {}", message), state);
}

std::vector<Row> rows_of(PGresult* result) {
  std::vector<Row> rows;
  const int columns = libpq().columns(result);
  for (int row = 0; row < libpq().rows(result); ++row) {
    Row& values = rows.emplace_back();
    for (int column = 0; column < columns; ++column) {
      if (libpq().is_null(result, row, column) != 0) {
        values.emplace_back();
      } else {
        values.emplace_back(
            std::string(libpq().value(result, row, column),
                        static_cast<std::size_t>(libpq().length(result, row, column))));
      }
    }
  }
  return rows;
}

}  // namespace

struct Connection::Impl {
  explicit Impl(PGconn* opened) : connection(opened) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { libpq().finish(connection); }

  [[noreturn]] void gone(std::string_view what) const {
    const std::string why = one_line(libpq().error_message(connection));
    throw Unreachable(fmt::format("{}: {}", what, why.empty() ? "the connection has ended" : why));
  }

  /// Until the server has something to say, or can take something.
  void wait(short events, Clock::time_point until) const {
    pollfd waiting{libpq().socket(connection), events, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) throw Unreachable("the database does not answer in time");
    const auto pause = std::min<std::int64_t>(left.count(), 1000);
    if (waiting.fd < 0 || poll(&waiting, 1, static_cast<int>(pause)) < 0) {
      if (errno != EINTR) gone("the connection to the database is gone");
    }
  }

  /// The rows of the last result; all are waited for.
  std::vector<Row> take(Clock::time_point until) const {
    for (int left = 1; left != 0;) {
      left = libpq().flush(connection);
      if (left < 0) gone("the connection to the database is gone");
      if (left > 0) {
        wait(POLLIN | POLLOUT, until);
        if (libpq().consume_input(connection) == 0) gone("the connection to the database is gone");
      }
    }
    std::vector<Row> rows;
    for (;;) {
      while (libpq().is_busy(connection) != 0) {
        wait(POLLIN, until);
        if (libpq().consume_input(connection) == 0) gone("the connection to the database is gone");
      }
      const ResultOwner one(libpq().get_result(connection));
      if (one.result == nullptr) return rows;
      const ExecStatusType status = libpq().result_status(one.result);
      if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) refuse(one.result);
      rows = rows_of(one.result);
    }
  }

  PGconn* connection;
};

std::string array_text(const std::vector<std::string>& values) {
  std::string text = "{";
  for (const std::string& value : values) {
    if (text.size() > 1) text += ',';
    text += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text + "}";
}

std::string client_version() {
  try {
    const int version = libpq().library_version();
    return fmt::format("{}.{}", version / 10000, version % 10000);
  } catch (const UsageError& error) {
    return error.what();
  }
}

void check_url(const std::string& url) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) {
    throw UsageError(
        "a fleet store is named by the URL of a PostgreSQL database: postgresql://HOST/DATABASE");
  }
  char* error = nullptr;
  PQconninfoOption* const options = libpq().conninfo_parse(url.c_str(), &error);
  // libpq's own words would repeat the URL.
  if (error != nullptr) libpq().free_memory(error);
  if (options == nullptr) {
    throw UsageError(
        "the URL of the fleet store cannot be understood; it is like "
        "postgresql://USER@HOST:PORT/DATABASE, with other characters as %20");
  }
  bool has_secret = false;
  for (const PQconninfoOption* one = options; one->keyword != nullptr; ++one) {
    const std::string_view name = one->keyword;
    has_secret = has_secret || ((name == "password" || name == "sslpassword") &&
                                one->val != nullptr && *one->val != '\0');
  }
  libpq().conninfo_free(options);
  if (has_secret) {
    throw UsageError(
        "a password in the URL of the fleet store can be read by every user of this machine: "
        "write it into ~/.pgpass, mode 0600, or another place that libpq reads, and take it out of "
        "the URL");
  }
}

Connection::Connection(const std::string& url, std::optional<std::chrono::milliseconds> limit) {
  check_url(url);
  if (limit) limit_ = *limit;
  // What the URL says counts more than what stands before it.
  std::vector<const char*> names{"application_name"};
  std::vector<const char*> values{"redtune"};
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) {
    names.push_back("connect_timeout");
    values.push_back("10");
  }
  names.insert(names.end(), {"tcp_user_timeout", "dbname", "client_encoding"});
  values.insert(values.end(), {"30000", url.c_str(), "UTF8"});
  const std::string seconds =
      limit ? std::to_string(std::chrono::ceil<std::chrono::seconds>(*limit).count()) : "";
  if (limit) {
    names.push_back("connect_timeout");
    values.push_back(seconds.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  impl_ = std::make_unique<Impl>(libpq().connect(names.data(), values.data(), 1));
  if (impl_->connection == nullptr || libpq().status(impl_->connection) != CONNECTION_OK) {
    throw Unreachable(fmt::format("the fleet store cannot be reached: {}",
                                  one_line(libpq().error_message(impl_->connection))));
  }
  libpq().set_notice_processor(impl_->connection, ignore_notice, nullptr);
  if (libpq().set_nonblocking(impl_->connection, 1) != 0) impl_->gone("the database");
  // Who vanishes with a transaction open would hold up all others.
  run("SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s';"
      "SET lock_timeout = '30s'; SET TIME ZONE 'UTC'");
}

Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

std::vector<Row> Connection::ask(const std::string& statement,
                                 const std::vector<Value>& parameters) {
  std::vector<const char*> texts;
  for (const Value& value : parameters) texts.push_back(value ? value->c_str() : nullptr);
  const auto until = Clock::now() + limit_;
  if (libpq().send_query_params(impl_->connection, statement.c_str(),
                                static_cast<int>(texts.size()), nullptr, texts.data(), nullptr,
                                nullptr, 0) == 0) {
    impl_->gone("the connection to the database is gone");
  }
  return impl_->take(until);
}

void Connection::run(const std::string& statements) {
  const auto until = Clock::now() + limit_;
  if (libpq().send_query(impl_->connection, statements.c_str()) == 0) {
    impl_->gone("the connection to the database is gone");
  }
  (void)impl_->take(until);
}

int Connection::server_version() const {
  return libpq().server_version(impl_->connection);
}

}  // namespace redtune::fleet
