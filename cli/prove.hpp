// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// --prove: results of other machines are timed on a device of this one before they answer, for a
// winner there may be a loser here.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cli/arrivals.hpp"
#include "cli/names.hpp"
#include "tuner/text/json.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

/// How many results came to what.
struct Proved {
  std::size_t hold = 0;       ///< answer
  std::size_t slower = 0;     ///< revoked
  std::size_t fail = 0;       ///< likewise: wrong, or they do not run
  std::size_t unproved = 0;   ///< could not be timed, and were not taken over
  std::size_t elsewhere = 0;  ///< are of other classes of devices, and were not asked about
};

class Prover {
 public:
  /// On --device. Throws NoSuchDevice.
  explicit Prover(const Options& options);

  /// Into a store: what would answer on this device is proved first, and is revoked where it does
  /// not hold; then comes all else. Says in a line of each that does not hold why. Throws as
  /// Tuner::prove(): what was proved by then stays, and nothing else comes.
  [[nodiscard]] cache::Adopted take_over(cache::Store& store, const std::string& source,
                                         const std::string& origin, cache::Incoming incoming);
  /// What answers on this device and is from elsewhere, as far as the options of 'cache list' name
  /// it: what does not hold is revoked, and what was there before is proved in its turn.
  void prove_present(cache::Store& store, const Options& options);

  [[nodiscard]] const Proved& counts() const { return counts_; }
  /// "proved on hip:0: 3 hold, 1 is slower and was revoked".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const;

 private:
  [[nodiscard]] bool is_here(const cache::Question& question) const;
  [[nodiscard]] bool may_answer(const cache::Store& store, const cache::Question& question) const;
  /// With a line where it does not hold.
  [[nodiscard]] Proof prove(const cache::StoredBest& one,
                            const std::optional<cache::StoredBest>& present,
                            const std::string& source);

  Tuner tuner_;
  Proved counts_;
  Json lost_ = Json::array();
};

/// Nothing without --prove. Throws UsageError for --device without it.
[[nodiscard]] std::unique_ptr<Prover> prover_of(const Options& options);

/// Takes over what arrives, proved where there is somebody to do so.
[[nodiscard]] cache::Adopted adopt_arrivals(cache::Store& store, const std::string& source,
                                            const std::string& origin,
                                            const cache::Incoming& incoming, Prover* prover);

}  // namespace redtune::cli
