// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results of others on their way into a store, from a file or a fleet. Nobody who wrote them is
// trusted: what is no measurement, or what the rules of its family refuse, stays outside.
#pragma once

#include <string>
#include <vector>

#include "cache/exchange/exchange.hpp"
#include "cache/store/store.hpp"
#include "cli/command.hpp"

namespace redtune::cli {

/// Takes away what could never run, and says so in what was skipped. Trials are only looked at by
/// people and strategies, which pass by what is not in their space.
void leave_out_invalid(cache::Incoming& incoming);

/// Says what was left out of a source; of many things only how many there are.
void tell_skipped(const std::string& source, const std::vector<std::string>& skipped);
void tell_refused(const std::string& source, std::size_t refused);

/// The store that results are taken over into.
[[nodiscard]] cache::Store open_or_create(const Options& options);

}  // namespace redtune::cli
