// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/tune_events.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Json event_of_trial(const Trial& trial, const Progress& progress) {
  Json fields = json_of(progress);
  fields["sequence"] = trial.sequence;
  fields["phase"] = to_string(trial.phase);
  fields["status"] = status_of(trial.evaluation.outcome);
  fields["settings"] = tuner::json_of(trial.settings);
  fields["replayed"] = trial.replayed;
  const auto cost = cost_of(trial.evaluation.outcome);
  fields["time_us"] = cost ? Json(*cost) : Json();
  return fields;
}

}  // namespace

TuneEvents::TuneEvents(const std::string& file) {
  if (file.empty()) return;
  file_.reset(std::fopen(file.c_str(), "w"));
  if (!file_)
    throw IoError(fmt::format("cannot write events to {}: {}", file, std::strerror(errno)));
}

void TuneEvents::write(std::string_view name, Json fields) {
  if (!file_) return;
  Json line{{"event", name}, {"at", utc_now()}};
  line.update(fields);
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
  if (!is_written || std::fflush(file_.get()) != 0) file_.reset();
}

TunerObserver TuneEvents::told_by(TunerObserver observer, const std::string& device) {
  const auto tell = [this, device](std::string_view name, Json fields) {
    fields["device"] = device;
    write(name, std::move(fields));
  };
  TunerObserver both = observer;
  both.on_trial = [tell, observer](const Trial& trial, const Progress& progress) {
    tell("trial", event_of_trial(trial, progress));
    observer.on_trial(trial, progress);
  };
  both.on_candidate = [tell, observer](const Settings& settings, const Progress& progress) {
    tell("candidate", {{"settings", tuner::json_of(settings)}});
    observer.on_candidate(settings, progress);
  };
  both.on_final = [tell, observer](std::size_t finalists) {
    tell("final", {{"finalists", finalists}});
    observer.on_final(finalists);
  };
  both.on_stage = [tell, observer](std::string_view stage) {
    tell("stage", {{"stage", stage}});
    observer.on_stage(stage);
  };
  both.on_note = [tell, observer](const std::string& text) {
    tell("note", {{"text", text}});
    observer.on_note(text);
  };
  both.on_warning = [tell, observer](const std::string& text) {
    tell("warning", {{"text", text}});
    observer.on_warning(text);
  };
  return both;
}

Json json_of(const Progress& progress) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  return {{"trials", progress.trials},
          {"of", progress.most_trials ? Json(*progress.most_trials) : Json()},
          {"failed", progress.failed},
          {"share", progress.share},
          {"seconds_left", number(progress.seconds_left)},
          {"default_us", number(progress.default_us)},
          {"best_us", number(progress.best_us)}};
}

}  // namespace redtune::cli
