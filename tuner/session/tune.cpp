// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/tune.hpp"

#include "tuner/session/final_phase.hpp"
#include "tuner/session/search_phase.hpp"

namespace redtune::tuner {

std::string_view to_string(TrialPhase phase) {
  return phase == TrialPhase::search ? "search" : "confirm";
}

std::string TuneResult::why_not_published() const {
  if (!disturbance.empty()) return "contended: " + disturbance;
  if (!only.empty()) return "only among " + to_string(only);
  if (leaves_standing()) return "the stored answer stays";
  return is_undecided ? "nothing was told apart" : "";
}

TuneResult tune(const TuneRequest& request, Evaluator& evaluator, const TuneObserver& observer) {
  SearchPhase search(request, evaluator, observer);
  search.run();
  TuneResult result = FinalPhase(request, evaluator, observer, search).run();
  result.only = request.only;
  result.default_settings = request.family->settings_at(search.default_point());
  result.space_size = search.space().size();
  result.trials = search.trials();
  result.statuses = search.statuses();
  return result;
}

}  // namespace redtune::tuner
