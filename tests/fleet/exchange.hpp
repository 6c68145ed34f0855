// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Machines that push to a fleet store of their own and pull from it.
#pragma once

#include <string>

#include "tests/fleet/fleet_home.hpp"

namespace redtune::fleet::testing {

class Exchange : public OnAServer {
 protected:
  void SetUp() override {
    OnAServer::SetUp();
    if (!IsSkipped()) (void)init();
  }
  [[nodiscard]] Said push(const Home& home, const Words& more = {}) const {
    return home.run(cli::with({"fleet", "push", url(), "--json"}, more));
  }
  [[nodiscard]] Said pull(const Home& home, const Words& more = {"--unsigned"}) const {
    return home.run(cli::with({"fleet", "pull", url(), "--json"}, more));
  }
  /// The number of a member.
  static std::int64_t at(const Said& said, const char* name) {
    EXPECT_EQ(said.code, 0) << said.err;
    return said.code == 0 ? said.document().at(name).get<std::int64_t>() : -1;
  }
  static std::size_t answers(const Home& home) {
    const Said said = home.run({"cache", "list", "--json"});
    return said.code == 0 ? said.document().at("results").size() : 0;
  }
  /// Adds a document as the owner could who drops what guards the table.
  void forge(const std::string& document, const std::string& digest = "") const {
    (void)sql("ALTER TABLE redtune.entry DROP CONSTRAINT IF EXISTS entry_check");
    Connection connection(url());
    (void)connection.ask(
        "INSERT INTO redtune.entry (kind, device_class, question, subject, document, digest, build)"
        " SELECT 'result', sha256('a'), sha256('a'), sha256('a'), $1, decode($2, 'hex'), 'forged'",
        {document, digest.empty() ? digest_of(document) : digest});
  }
};

}  // namespace redtune::fleet::testing
