// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Of a build without the headers of libpq: there is no connection, and every command says so.
#include "fleet/connection.hpp"

namespace redtune::fleet {
namespace {

[[noreturn]] void refuse_without_libpq() {
  throw UsageError(
      "this redtune was built without libpq, so it has no fleet stores; on Debian install "
      "libpq-dev and build it again");
}

}  // namespace

struct Connection::Impl {};

std::string array_text(const std::vector<std::string>& /*values*/) {
  return {};
}

std::string client_version() {
  return "not in this build: there are no fleet stores";
}

void check_url(const std::string& /*url*/) {
  refuse_without_libpq();
}

Connection::Connection(const std::string& /*url*/,
                       std::optional<std::chrono::milliseconds> /*limit*/) {
  refuse_without_libpq();
}

Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

std::vector<Row> Connection::ask(const std::string& /*statement*/,
                                 const std::vector<Value>& /*parameters*/) {
  refuse_without_libpq();
}

void Connection::run(const std::string& /*statements*/) {
  refuse_without_libpq();
}

int Connection::server_version() const {
  return 0;
}

}  // namespace redtune::fleet
