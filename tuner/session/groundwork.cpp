// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/groundwork.hpp"

#include <utility>

#include "search/registry.hpp"

namespace redtune::tuner {

std::shared_ptr<const search::Space> space_of(const TuneRequest& request) {
  const Groundwork* const known = request.groundwork.get();
  if (known != nullptr && known->problem == request.problem && known->only == request.only) {
    return known->space;
  }
  return std::make_shared<const search::Space>(
      searched_space(*request.family, request.problem, request.limits, request.only));
}

std::shared_ptr<const Groundwork> groundwork_of(const TuneRequest& request) {
  Groundwork work{request.problem, request.only, space_of(request), nullptr};
  if (!request.sources.empty() && search::find_strategy(request.strategy).uses_sources) {
    const search::Prior* const known =
        request.groundwork ? request.groundwork->prior.get() : nullptr;
    work.prior = std::make_shared<const search::Prior>(*work.space, request.sources, known);
  }
  return std::make_shared<const Groundwork>(std::move(work));
}

}  // namespace redtune::tuner
