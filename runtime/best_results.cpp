// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/best_results.hpp"

#include "runtime/answer_memo.hpp"
#include "runtime/resolve.hpp"
#include "runtime/wanted.hpp"

namespace redtune {

struct BestResults::State {
  State(DeviceIdentity identity, const Limits& its_limits, const LookupOptions& how)
      : device(std::move(identity)),
        limits(its_limits),
        options(runtime::completed(how)),
        layers(runtime::layers_of(options)) {}

  DeviceIdentity device;
  Limits limits;
  LookupOptions options;
  std::vector<cache::LoadedLayer> layers;
  runtime::AnswerMemo memo;
};

BestResults::BestResults(std::string_view device, const LookupOptions& options) {
  const auto opened = device::open(runtime::registry().select(device));
  state_ = std::make_unique<State>(opened->identity(), opened->limits(), options);
}

BestResults::BestResults(const DeviceIdentity& device, const LookupOptions& options)
    : state_(std::make_unique<State>(device, runtime::limits_of(device), options)) {}

BestResults::BestResults(BestResults&&) noexcept = default;
BestResults& BestResults::operator=(BestResults&&) noexcept = default;
BestResults::~BestResults() = default;

const Answer& BestResults::find(const Problem& problem) const {
  if (const Answer* const known = state_->memo.find(problem)) return *known;
  Answer answer = runtime::resolve_in(state_->layers, problem, {state_->device, state_->limits},
                                      {.cache_file = state_->options.cache_file})
                      .answer;
  runtime::want(answer, state_->device);
  runtime::require_match(answer, state_->options);
  return state_->memo.add(std::move(answer));
}

bool BestResults::is_outdated() const {
  return runtime::layers_of(state_->options) != state_->layers;
}

const DeviceIdentity& BestResults::device() const {
  return state_->device;
}

}  // namespace redtune
