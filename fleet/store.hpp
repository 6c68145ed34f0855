// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What machines share, in a PostgreSQL database: what they found, what they want, and who is at
// what. Only commands of people and the service come here; applications read files of their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fleet/connection.hpp"

namespace redtune::fleet {

/// "result", "border" or "trials": the kinds of documents.
inline constexpr std::string_view result_kind = "result";
inline constexpr std::string_view border_kind = "border";
inline constexpr std::string_view trials_kind = "trials";

/// A signature of Ed25519 and the public key that it is checked with, in hexadecimal digits; both
/// empty: nobody has signed.
struct Signature {
  std::string signer{};
  std::string text{};

  [[nodiscard]] bool is_there() const { return !signer.empty(); }
  bool operator==(const Signature&) const = default;
};

/// What is pushed. Keys are SHA-256 in hexadecimal digits.
struct Entry {
  std::string kind;
  std::string device_class;  ///< key
  std::string question;      ///< likewise; what it answers
  std::string subject;       ///< likewise, whatever the driver and compiler
  std::string document;      ///< as 'cache export' writes it
  Signature signature{};
};

/// SHA-256 of the document.
[[nodiscard]] std::string digest_of(const std::string& document);

/// What was pulled.
struct Pulled {
  std::int64_t id = 0;
  std::string kind{};
  std::string document{};
  std::string digest{};
  Signature signature{};
  std::string by{};     ///< the role that has pushed it
  std::string build{};  ///< the redtune that has
  bool is_revoked = false;
};

/// Up to which entry a machine has read, and what tells that entry from one of the same number in
/// another store, or in this one when it was restored from a backup.
struct Cursor {
  std::string store{};
  std::int64_t id = 0;
  std::string digest{};
  std::string revoked{};  ///< mark of what was taken back when it was looked at last

  bool operator==(const Cursor&) const = default;
};

struct Page {
  std::vector<Pulled> entries{};
  Cursor next{};         ///< behind them
  bool is_anew = false;  ///< it begins at the beginning: the cursor was of another store
};

struct Revoked {
  std::string reason;
  std::string document;  ///< what was taken back
};

/// What somebody wants to be tuned.
struct Wish {
  std::string key{};
  std::string subject{};
  std::string device_class{};
  std::string toolchain{};
  std::string document{};  ///< a file of wanted questions, with this one
  std::int64_t launches = 0;
  double usefulness = 0;
};

/// A question that is this process's to tune until its lease ends.
struct Claim {
  std::string key;
  std::string document;
  std::string token;
};

enum class Outcome { open, tuned, tried, known };

struct Status {
  int version = 0;
  std::string server{};
  std::int64_t results = 0;
  std::int64_t borders = 0;
  std::int64_t runs = 0;  ///< whose trials are there
  std::int64_t signed_ones = 0;
  std::int64_t revoked = 0;
  std::int64_t device_classes = 0;
  std::int64_t open = 0;     ///< questions that nobody is at
  std::int64_t claimed = 0;  ///< questions somebody is at
  std::int64_t tuned = 0;    ///< or known already
  std::int64_t tried = 0;    ///< in vain
  std::int64_t bytes = 0;    ///< of the whole database
  std::string newest{};      ///< when something was pushed last; empty: never
  struct Holder {
    std::string name;
    std::string role;
    std::int64_t questions = 0;
    std::int64_t seconds_left = 0;
  };
  std::vector<Holder> holders{};
};

/// What init has done.
struct Made {
  int from = 0;  ///< version; 0: there was none
  int to = 0;
};

class FleetStore {
 public:
  /// Makes the tables, functions and roles, or brings older ones up to date; nothing when all is as
  /// it should be. up_to: a version, for tests. Throws what the others throw.
  static Made init(const std::string& url, const std::string& build, int up_to = 0);

  /// Throws Unreachable, and UsageError for a database without a fleet store, or with one that an
  /// older or newer redtune has made. build: of this program; limit: as a Connection has it.
  FleetStore(const std::string& url, std::string build,
             std::optional<std::chrono::milliseconds> limit = std::nullopt);

  /// The digests of those that are not there with this signature.
  [[nodiscard]] std::vector<std::string> missing(std::span<const Entry> entries);
  /// Adds them, all or none; those that are there already are passed over. How many were added.
  std::size_t add(std::span<const Entry> entries);
  /// The entries of these kinds behind the cursor, as many as are read at a time.
  [[nodiscard]] Page pull(const Cursor& cursor, const std::vector<std::string>& kinds);
  [[nodiscard]] std::vector<Revoked> revoked();
  /// Another text when something else was taken back; empty: nothing was.
  [[nodiscard]] std::string mark_of_revoked();
  /// Of results that answer the questions of these.
  [[nodiscard]] std::vector<Revoked> revoked_beside(std::span<const Entry> entries);
  /// Documents of results of a question, whoever has pushed them; question: its key.
  [[nodiscard]] std::vector<std::string> results_of(const std::string& question);
  /// Nobody is to answer with this document any more. Throws UsageError when it is not there.
  void revoke(const std::string& digest, const std::string& reason);

  /// How many nobody has asked before. node: who asks, for counting alone.
  std::size_t wish(std::span<const Wish> wishes, const std::string& node);
  /// The most useful open questions of these device classes, first those of these toolchains.
  /// passed_over: keys of questions that are left to others.
  [[nodiscard]] std::vector<Claim> claim(const std::vector<std::string>& device_classes,
                                         const std::vector<std::string>& toolchains,
                                         const std::string& holder, std::chrono::seconds lease,
                                         int most,
                                         const std::vector<std::string>& passed_over = {});
  /// From now on for so long. False: one of them is somebody else's by now.
  [[nodiscard]] bool keep(std::span<const Claim> claims, std::chrono::seconds lease);
  void give_back(const Claim& claim, Outcome outcome);

  [[nodiscard]] Status status();
  /// How far this machine's clock is ahead of the server's, in seconds.
  [[nodiscard]] double clock_ahead();

 private:
  std::vector<Row> ask(const std::string& statement, const std::vector<Value>& parameters = {});

  Connection connection_;
  std::string build_;
};

}  // namespace redtune::fleet
