// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What can be made ready before a search begins: its space, and what its sources teach.
#pragma once

#include <memory>

#include "search/space.hpp"
#include "search/surrogate/prior.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// On one device.
struct Groundwork {
  Problem problem;
  Restriction only;
  std::shared_ptr<const search::Space> space;
  std::shared_ptr<const search::Prior> prior;  ///< of the space; null: no source guides the search
};

/// For a request. Takes over what fits from request.groundwork.
[[nodiscard]] std::shared_ptr<const Groundwork> groundwork_of(const TuneRequest& request);

/// Its space alone.
[[nodiscard]] std::shared_ptr<const search::Space> space_of(const TuneRequest& request);

}  // namespace redtune::tuner
