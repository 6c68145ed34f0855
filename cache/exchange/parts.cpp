// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/parts.hpp"

#include <charconv>
#include <utility>

namespace redtune::cache {
namespace {

std::optional<RunState> state_from(std::string_view name) {
  for (const RunState state :
       {RunState::running, RunState::done, RunState::interrupted, RunState::failed}) {
    if (to_string(state) == name) return state;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> seed_told(const std::string& text) {
  std::uint64_t seed = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, seed);
  return error == std::errc{} && end == last ? std::optional(seed) : std::nullopt;
}

template <class Thing>
std::optional<Thing> thing_in(const Json& json, std::optional<Thing> (*from)(const Fields&)) {
  const auto fields = fields_from(json);
  return fields ? from(*fields) : std::nullopt;
}

}  // namespace

Json question_json(const RunStart& start) {
  return {{"family", start.family},
          {"space", start.space_key},
          {"problem", to_json(fields_of(start.problem))},
          {"device", start.device.name},
          {"device_class", to_json(fields_of(start.device.device_class))},
          {"toolchain", to_json(fields_of(start.device.toolchain))}};
}

std::optional<Question> question_from(const Json& json) try {
  const auto problem = thing_in(json.at("problem"), problem_from);
  const auto device_class = thing_in(json.at("device_class"), device_class_from);
  const auto toolchain = thing_in(json.at("toolchain"), toolchain_from);
  if (!problem || !device_class || !toolchain) return std::nullopt;
  Question question{.problem = *problem, .device_class = *device_class, .toolchain = *toolchain};
  json.at("family").get_to(question.family);
  json.at("space").get_to(question.space_key);
  return question;
} catch (const Json::exception&) {
  return std::nullopt;
}

Json run_json(const SharedRun& run) {
  return {{"strategy", run.start.strategy},
          {"seed", std::to_string(run.start.seed)},  // 64 bits: more than readers of JSON keep
          {"budget", run.start.budget},
          {"program_version", run.start.program_version},
          {"state", to_string(run.state)},
          {"note", run.note},
          {"started_at", run.started_at},
          {"finished_at", run.finished_at}};
}

// A member at a time: GCC 12 destroys members twice where an initializer in nested braces throws.
std::optional<SharedRun> run_from(const Json& question, const Json& run) try {
  const auto problem = thing_in(question.at("problem"), problem_from);
  const auto device_class = thing_in(question.at("device_class"), device_class_from);
  const auto toolchain = thing_in(question.at("toolchain"), toolchain_from);
  const auto state = state_from(run.at("state").get<std::string>());
  const auto seed = seed_told(run.at("seed").get<std::string>());
  if (!problem || !device_class || !toolchain || !state || !seed) return std::nullopt;
  SharedRun found;
  RunStart& start = found.start;
  question.at("family").get_to(start.family);
  question.at("space").get_to(start.space_key);
  start.problem = *problem;
  start.device.device_class = *device_class;
  start.device.toolchain = *toolchain;
  question.at("device").get_to(start.device.name);
  run.at("strategy").get_to(start.strategy);
  start.seed = *seed;
  run.at("budget").get_to(start.budget);
  run.at("program_version").get_to(start.program_version);
  found.state = *state;
  run.at("started_at").get_to(found.started_at);
  run.at("finished_at").get_to(found.finished_at);
  run.at("note").get_to(found.note);
  return found;
} catch (const Json::exception&) {
  return std::nullopt;
}

Interval interval_from(const Json& json) {
  if (!json.is_array() || json.size() != 3) return {0, 0, 0};
  const auto at = [&](std::size_t i) { return json[i].is_number() ? json[i].get<double>() : 0; };
  return {at(0), at(1), at(2)};
}

int count_from(const Json& json) {
  const std::int64_t count = integer_from(json).value_or(-1);
  return count >= 0 && std::in_range<int>(count) ? static_cast<int>(count) : -1;
}

std::string document_text(const Json& document) {
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace redtune::cache
