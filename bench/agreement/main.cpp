// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Do tunes with several seeds agree? Tunes each problem with each seed by the real program, then
// times what they chose side by side. Usage: agreement --help
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

#include "bench/agreement/report.hpp"
#include "bench/exit_code.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/stop.hpp"

namespace redtune::bench {
namespace {

namespace fs = std::filesystem;

/// Where tunes are kept: the folder that was named, else one that goes away.
class KeepFolder {
 public:
  explicit KeepFolder(const fs::path& named) : path_(named) {
    if (!named.empty()) return;
    std::string name = (fs::temp_directory_path() / "redtune-agreement-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw IoError("cannot make a folder " + name);
    path_ = own_ = name;
  }
  ~KeepFolder() {
    std::error_code ignored;
    if (!own_.empty()) fs::remove_all(own_, ignored);
  }
  KeepFolder(const KeepFolder&) = delete;
  KeepFolder& operator=(const KeepFolder&) = delete;
  [[nodiscard]] fs::path of(const Problem& problem) const { return path_ / file_name_of(problem); }

 private:
  fs::path path_;
  fs::path own_;
};

using AllTunes = std::vector<std::vector<Tune>>;  // of each problem

AllTunes tune_all(const AgreementOptions& options, const KeepFolder& folder) {
  const tuner::Stop stop;
  AllTunes all;
  for (const Problem& problem : options.problems) {
    all.push_back(tunes_of(options, problem, folder.of(problem), stop.now()));
  }
  return all;
}

/// Times winners, or takes the timing that is kept. The device is opened when it is first needed.
class Timer {
 public:
  explicit Timer(const AgreementOptions& options) : options_(options) {}

  [[nodiscard]] std::optional<StoredAnswer> stored_answer(const Problem& problem) {
    if (options_.store.empty()) return std::nullopt;
    const Answer answer = site().answer(problem, options_.store);
    return StoredAnswer{.settings = answer.settings, .match = answer.match};
  }
  [[nodiscard]] Timing timing_of(const Problem& problem, const std::vector<Settings>& winners,
                                 const fs::path& file) {
    if (!options_.times_anew) {
      if (auto kept = kept_timing(file, winners, options_.rounds)) return *kept;
    }
    Timing timing = site().time(problem, winners, options_.rounds);
    keep(timing, file);
    return timing;
  }

 private:
  TimingSite& site() {
    if (!site_) {
      const std::vector<std::string> worker{options_.program.string(), "compile-worker"};
      site_ = std::make_unique<TimingSite>(options_.device, worker, options_.jobs);
    }
    return *site_;
  }

  const AgreementOptions& options_;
  std::unique_ptr<TimingSite> site_;
};

std::vector<Agreement> agreements(const AgreementOptions& options, const KeepFolder& folder) {
  AllTunes tunes = tune_all(options, folder);
  Timer timer(options);
  std::vector<Agreement> all;
  for (std::size_t i = 0; i < tunes.size(); ++i) {
    const Problem& problem = options.problems[i];
    auto winners = distinct_winners(tunes[i]);
    std::optional<StoredAnswer> stored;
    std::optional<Timing> timing;
    if (options.steps != Steps::tune && !winners.empty()) {
      stored = timer.stored_answer(problem);
      if (stored) winners.push_back(stored->settings);
      timing = timer.timing_of(problem, winners, folder.of(problem) / "timing.json");
    }
    all.push_back(summarized(problem, std::move(tunes[i]), timing ? &*timing : nullptr, stored));
    if (!options.is_json) fmt::print("{}", text_of(all.back()));
  }
  return all;
}

bool has_failed(const Agreement& agreement) {
  return std::ranges::any_of(agreement.tunes,
                             [](const Tune& tune) { return !tune.went_wrong.empty(); });
}

/// Those of a tune as well.
int code_of(const Error& error) {
  if (dynamic_cast<const tuner::Busy*>(&error) != nullptr) return 75;
  if (dynamic_cast<const tuner::Interrupted*>(&error) != nullptr) return 130;
  if (dynamic_cast<const tuner::UntrustworthyMeasurement*>(&error) != nullptr) return 5;
  return exit_code_of(error);
}

int run(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return 0;
  const KeepFolder folder(options->keep);
  const auto all = agreements(*options, folder);
  fmt::print("{}", options->is_json ? json_text(all) : text_of_all(all));
  return std::ranges::any_of(all, has_failed) ? 1 : 0;
}

}  // namespace
}  // namespace redtune::bench

int main(int argc, char** argv) try {
  return redtune::bench::run(argc, argv);
} catch (const boost::program_options::error& error) {
  fmt::print(stderr, "agreement: {}\n", error.what());
  return redtune::bench::exit_usage;
} catch (const redtune::Error& error) {
  fmt::print(stderr, "agreement: {}\n", error.what());
  return redtune::bench::code_of(error);
} catch (const std::exception& error) {
  fmt::print(stderr, "agreement: {}\n", error.what());
  return redtune::bench::exit_failed;
}
