// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/fleet_turn.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <set>
#include <spdlog/spdlog.h>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

#include "cache/exchange/wanted.hpp"
#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/keys/key.hpp"
#include "cache/keys/sha256.hpp"
#include "cache/store/store.hpp"
#include "cli/exit_code.hpp"
#include "cli/fleet_exchange.hpp"
#include "cli/names.hpp"
#include "cli/serve/claims.hpp"
#include "cli/wanted_list.hpp"
#include "fleet/documents.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "runtime/space_key.hpp"
#include "search/budget.hpp"
#include "tuner/session/stop.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto first_wait = 1s;
constexpr auto longest_wait = 30s;
constexpr auto last_word_within = 10s;

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::string holder_name() {
  std::array<char, 256> name{};
  (void)gethostname(name.data(), name.size() - 1);
  return fmt::format("{} process {}", name.data(), getpid());
}

class FleetTurn {
 public:
  FleetTurn(const Options& options, const std::function<int(const std::string&)>& tune)
      : options_(options),
        tune_(tune),
        url_(options.text("fleet")),
        classes_(parts_of(options.text("fleet-classes"))),
        toolchains_(parts_of(options.text("fleet-toolchains"))),
        lease_(lease_of(options)),
        path_(path_of(options)),
        folder_(path_),
        until_(Clock::now() + budget_of(options)) {
    if (options.has("sign")) key_.emplace(options.text("sign"));
  }

  int run() {
    do {
      std::vector<fleet::Claim> claims;
      with_store([&](fleet::FleetStore& store) {
        push_what_is_new(store);
        claimed_at_ = LeaseClock::now();
        claims = store.claim(classes_, toolchains_, holder_name(), lease_,
                             static_cast<int>(std::max<std::size_t>(1, devices())), passed_over_);
      });
      if (is_told_to_end()) return static_cast<int>(ExitCode::interrupted);
      if (claims.empty()) return 0;
      const std::vector<Taken> taken = understood(claims);
      const int code = taken.empty() ? 0 : tune_claims(taken);
      if (code != 0) return code;
    } while (Clock::now() < until_);
    return 0;
  }

 private:
  /// A claim with the question that it is of.
  struct Taken {
    fleet::Claim claim;
    cache::Asked asked;
  };

  static std::chrono::seconds lease_of(const Options& options) {
    const search::Budget lease = search::parse_budget(options.text("lease"));
    return std::chrono::duration_cast<std::chrono::seconds>(*lease.time);
  }
  static Clock::duration budget_of(const Options& options) {
    return std::chrono::duration_cast<Clock::duration>(
        *search::parse_budget(options.text("budget")).time);
  }
  static fs::path path_of(const Options& options) {
    const auto path = cache::store_path(options.text("cache"));
    if (path) return *path;
    throw UsageError("there is no place for results: HOME is not set; name a file with --cache");
  }

  [[nodiscard]] const fleet::SigningKey* key() const { return key_ ? &*key_ : nullptr; }
  [[nodiscard]] std::size_t devices() const { return parts_of(options_.text("device")).size(); }
  [[nodiscard]] static bool is_told_to_end() { return tuner::Stop::asked(); }

  /// Once the database can be reached; while it cannot nothing is begun, for it could not be
  /// claimed. Throws what is left when the time is over.
  void with_store(const std::function<void(fleet::FleetStore&)>& work) {
    std::chrono::milliseconds pause = first_wait;
    for (bool is_told = false;;) {
      if (is_told_to_end()) return;
      try {
        fleet::FleetStore store(url_, version);
        return work(store);
      } catch (const fleet::Unreachable& error) {
        if (options_.has("once") || Clock::now() + pause > until_) throw;
        if (!std::exchange(is_told, true)) {
          spdlog::warn("{}; nothing is tuned for the fleet until it can", printable(error.what()));
        }
      }
      pollfd waiting{stop_.now(), POLLIN, 0};
      (void)poll(&waiting, 1, static_cast<int>(pause.count()));
      pause = std::min<std::chrono::milliseconds>(2 * pause, longest_wait);
    }
  }

  /// Reading all of a store each minute would be a waste. Each day all is looked at, in case the
  /// database lost some of it.
  void push_what_is_new(fleet::FleetStore& store) {
    const fs::path note = path_.string() + ".fleet-pushed";
    const std::string mark = mark_of_what_is_here();
    const auto known = cache::read_whole(note, mark.size() + 1);
    if (std::holds_alternative<std::string>(known) && std::get<std::string>(known) == mark) return;
    (void)push_to(store, options_, key());
    cache::replace_file(note, mark, cache::Durability::unsynced);
  }
  [[nodiscard]] std::string mark_of_what_is_here() const {
    const auto time_of_file = [](const fs::path& file) {
      std::error_code missing;
      const auto at = fs::last_write_time(file, missing);
      return missing ? 0 : at.time_since_epoch().count();
    };
    return cache::sha256_hex(fmt::format(
        "{} {} {} {} {} {}", url_, key_ ? key_->public_key() : "", mark_of_wanted(options_),
        time_of_file(path_), time_of_file(path_.string() + "-wal"),
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())
            .time_since_epoch()
            .count()));
  }

  /// What may not be shared is somebody's mistake, or worse: it is given back for good. What is not
  /// understood may be a newer redtune's to answer.
  std::vector<Taken> understood(const std::vector<fleet::Claim>& claims) {
    std::vector<Taken> taken;
    for (const fleet::Claim& claim : claims) {
      std::vector<cache::Asked> asked = cache::asked_in(claim.document);
      if (asked.size() == 1 && is_answered_here(claim, asked[0].question)) {
        taken.push_back({claim, std::move(asked[0])});
        continue;
      }
      const bool is_forbidden = std::ranges::any_of(
          asked, [](const cache::Asked& one) { return !fleet::may_be_shared(one.question); });
      spdlog::warn(
          "question {} of the fleet is none of these devices, or of another redtune: it "
          "is left alone",
          claim.key.substr(0, 12));
      passed_over_.push_back(claim.key);
      with_store([&](fleet::FleetStore& store) {
        store.give_back(claim, is_forbidden ? fleet::Outcome::tried : fleet::Outcome::open);
      });
    }
    return taken;
  }

  [[nodiscard]] bool is_answered_here(const fleet::Claim& claim,
                                      const cache::Question& question) const {
    if (!fleet::may_be_shared(question)) return false;
    const fleet::QuestionKeys keys = fleet::keys_of(question);
    if (keys.question != claim.key || std::ranges::count(classes_, keys.device_class) == 0)
      return false;
    try {
      const kernels::Family& family = kernels::family_of(question.problem);
      return question.family == family.name() && question.space_key == runtime::space_key(family);
    } catch (const UsageError&) {
      return false;  // no family here serves it
    }
  }

  int tune_claims(const std::vector<Taken>& taken) {
    std::vector<cache::Asked> questions;
    std::vector<fleet::Claim> claims;
    for (const Taken& one : taken) {
      questions.push_back(one.asked);
      claims.push_back(one.claim);
    }
    folder_.hold(questions);
    spdlog::info("claimed of the fleet: {}", counted(taken.size(), "question"));
    const std::set<cache::RunId> done_before = runs_done();
    int code = 0;
    bool has_lost = false;
    {
      const LeaseKeeper keeper(url_, std::move(claims), lease_, claimed_at_);
      code = code_of_tune();
      has_lost = keeper.has_lost();
    }
    std::vector<fleet::Outcome> outcomes;
    for (const Taken& one : taken) {
      outcomes.push_back(outcome_of(one.asked.question, done_before));
      if (outcomes.back() == fleet::Outcome::open) passed_over_.push_back(one.claim.key);
    }
    give_back(taken, outcomes);
    if (has_lost) throw IoError("what was claimed of the fleet was not kept: its lease has ended");
    return code;
  }

  /// However it ends, what was claimed is given back.
  int code_of_tune() const {
    try {
      return tune_(folder_.path());
    } catch (const std::exception& error) {
      const ExitCode code = cli::exit_code_of(error);
      if (code != ExitCode::interrupted) spdlog::error("{}", printable(error.what()));
      return static_cast<int>(code);
    }
  }

  /// Who was told to end has half a second, which a database may not keep: no pushing then, and one
  /// try by a process of its own, which uses no device.
  void give_back(const std::vector<Taken>& taken, const std::vector<fleet::Outcome>& outcomes) {
    const auto work = [&](fleet::FleetStore& store) {
      if (!is_told_to_end()) (void)push_to(store, options_, key());
      for (std::size_t i = 0; i < taken.size(); ++i) store.give_back(taken[i].claim, outcomes[i]);
    };
    if (!is_told_to_end()) return with_store(work);
    if (fork() != 0) return;
    (void)setsid();  // out of the group that is killed
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) (void)close(stream);
    try {
      fleet::FleetStore store(url_, version, last_word_within);
      work(store);
    } catch (const std::exception&) {
      // Its lease will end.
    }
    _exit(0);
  }

  [[nodiscard]] std::set<cache::RunId> runs_done() const {
    std::set<cache::RunId> ids;
    for (const cache::RunSummary& run : cache::Store::look_at(path_).runs()) {
      if (run.state == cache::RunState::done) ids.insert(run.id);
    }
    return ids;
  }

  /// As this machine's store tells. What no run has come to an end with since then is open: why
  /// nothing was tuned here need not hold elsewhere.
  [[nodiscard]] fleet::Outcome outcome_of(const cache::Question& asked,
                                          const std::set<cache::RunId>& done_before) const {
    const auto is_of = [&](const cache::Question& question) {
      return question.family == asked.family && question.space_key == asked.space_key &&
             question.problem == asked.problem && question.device_class == asked.device_class &&
             std::ranges::count(toolchains_, cache::key_of(question.toolchain).hash) > 0;
    };
    const cache::Store store = cache::Store::look_at(path_);
    for (const cache::PastResult& past : store.history()) {
      // What came from others is not pushed, so nobody has it from here.
      if (past.answers && past.origin.empty() && is_of(past.stored.question))
        return fleet::Outcome::tuned;
    }
    const auto runs = store.runs();
    const bool is_tried = std::ranges::any_of(runs, [&](const cache::RunSummary& run) {
      return run.state == cache::RunState::done && !done_before.contains(run.id) &&
             is_of(question_of(run.start)) && !run.note.starts_with("contended");
    });
    return is_tried ? fleet::Outcome::tried : fleet::Outcome::open;
  }

  const Options& options_;
  const std::function<int(const std::string&)>& tune_;
  std::string url_;
  std::vector<std::string> classes_;
  std::vector<std::string> toolchains_;
  /// Given back as open: not claimed again in this turn, so that others come to be tuned.
  std::vector<std::string> passed_over_;
  LeaseClock::time_point claimed_at_{};
  std::chrono::seconds lease_;
  fs::path path_;
  ClaimedFolder folder_;
  Clock::time_point until_;
  std::optional<fleet::SigningKey> key_;
  tuner::Stop stop_;
};

}  // namespace

int run_fleet_turn(const Options& options, const std::function<int(const std::string&)>& tune) {
  return FleetTurn(options, tune).run();
}

}  // namespace redtune::cli
