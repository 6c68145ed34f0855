// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/prove.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <spdlog/spdlog.h>
#include <vector>

#include "cli/cache_common.hpp"
#include "cli/question.hpp"
#include "redtune/error.hpp"
#include "runtime/space_key.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

TunerSetup setup_for_proofs(const Options& options) {
  return {.device = options.text("device"),
          .device_worker = device_worker_command(),
          .compile_worker = worker_command(),
          .compilers = std::make_shared<Compilers>(0),
          .only_looks = true};  // answers to compare with are given, and none is published
}

TunerObserver warnings_alone() {
  TunerObserver observer;
  observer.on_note = [](const std::string& line) { spdlog::debug("{}", line); };
  observer.on_warning = [](const std::string& line) { spdlog::warn("{}", line); };
  return observer;
}

/// A result that has come, with its run.
struct Arriving {
  cache::SharedRun run;  // with this result alone

  [[nodiscard]] const cache::SharedResult& result() const { return run.results.front(); }
  [[nodiscard]] cache::StoredBest as_stored() const {
    return {.question = question_of(run.start),
            .device_name = run.start.device.name,
            .at = result().at,
            .best = result().best};
  }
};

std::string revoked_because(const Proof& proof, const std::string& device) {
  return fmt::format("proved on {}: {}", device, proof.why);
}

}  // namespace

Prover::Prover(const Options& options) : tuner_(setup_for_proofs(options), warnings_alone()) {}

bool Prover::is_here(const cache::Question& question) const {
  return question.device_class == tuner_.device().identity.device_class;
}

/// What was found with another toolchain, or by other kernels, answers where nothing else does.
bool Prover::may_answer(const cache::Store& store, const cache::Question& question) const {
  if (is_users_own(question.problem.op)) return true;
  cache::Question here = question;
  here.space_key = runtime::space_key(kernels::find_family(question.family));
  here.toolchain = tuner_.device().identity.toolchain;
  return here == question || !store.best(here);
}

Proof Prover::prove(const cache::StoredBest& one, const std::optional<cache::StoredBest>& present,
                    const std::string& source) {
  const std::string name = describe(one.question.problem);
  tuner::TuneTask task;  // of a temporary GCC 12 warns that its empty fields are not initialised
  task.command_line = note_of_this_process().command;
  Proof proof = tuner_.prove(one, present, task);
  switch (proof.verdict) {
    case Proof::Verdict::holds:
      ++counts_.hold;
      return proof;
    case Proof::Verdict::slower:
      ++counts_.slower;
      break;
    case Proof::Verdict::fails:
      ++counts_.fail;
      break;
    case Proof::Verdict::unproved:
      ++counts_.unproved;
      break;
  }
  const bool is_unproved = proof.verdict == Proof::Verdict::unproved;
  spdlog::warn("{}: {} {} of {}: {}", source, is_unproved ? "could not prove" : "left out", name,
               printable(one.at), proof.why);
  lost_.push_back({{"problem", json_of(one.question.problem)},
                   {"at", one.at},
                   {"settings", json_of(one.best.settings)},
                   {"why", proof.why}});
  return proof;
}

cache::Adopted Prover::take_over(cache::Store& store, const std::string& source,
                                 const std::string& origin, cache::Incoming incoming) {
  std::vector<Arriving> to_prove;
  for (cache::SharedRun& run : incoming.runs) {
    const cache::Question question = question_of(run.start);
    std::erase_if(run.results, [&](const cache::SharedResult& result) {
      if (!store.is_news(run, result)) return false;
      counts_.elsewhere += is_here(question) ? 0 : 1;
      if (!is_here(question) || !may_answer(store, question)) return false;
      cache::SharedRun alone = run;
      alone.results = {result};
      to_prove.push_back({std::move(alone)});
      return true;
    });
  }
  // The newest of a question must come last: the last one answers.
  std::ranges::stable_sort(to_prove, {}, [](const Arriving& one) { return one.result().at; });
  cache::Adopted done;
  for (Arriving& one : to_prove) {
    if (store.is_news(one.run, one.result())) {
      const cache::StoredBest stored = one.as_stored();
      const Proof proof = prove(stored, store.best(stored.question), source);
      if (proof.verdict == Proof::Verdict::unproved) continue;
      if (proof.verdict != Proof::Verdict::holds) {
        one.run.results.front().revoked_because =
            revoked_because(proof, tuner_.device().identity.name);
      }
    }
    done += store.adopt({&one.run, 1}, origin);
  }
  std::erase_if(incoming.runs, [](const cache::SharedRun& run) {
    return run.results.empty() && run.trials.empty();
  });
  done += store.adopt(incoming.runs, origin, incoming.borders);
  return done;
}

void Prover::prove_present(cache::Store& store, const Options& options) {
  const ResultFilter filter(options, "");
  std::set<std::int64_t> hold;
  while (true) {
    const std::vector<cache::PastResult> history = store.history();  // newest first
    const auto next = std::ranges::find_if(history, [&](const cache::PastResult& past) {
      const cache::Question& question = past.stored.question;
      return past.answers && !past.origin.empty() && !hold.contains(past.stored.generation) &&
             filter.takes(past.stored) && is_here(question) && may_answer(store, question);
    });
    if (next == history.end()) return;
    std::optional<cache::StoredBest> before;
    for (auto older = next + 1; older != history.end() && !before; ++older) {
      if (!older->revoked && older->stored.question == next->stored.question) {
        before = older->stored;
      }
    }
    const std::int64_t id = next->stored.generation;
    const Proof proof = prove(next->stored, before, fmt::format("result {}", id));
    if (proof.verdict == Proof::Verdict::holds || proof.verdict == Proof::Verdict::unproved) {
      hold.insert(id);
    } else {
      store.mark(id, cache::Word::revoked, revoked_because(proof, tuner_.device().identity.name));
    }
  }
}

std::string Prover::text() const {
  std::string text = fmt::format("proved on {}: {} {}", tuner_.device().selection, counts_.hold,
                                 counts_.hold == 1 ? "holds" : "hold");
  if (counts_.slower > 0) text += fmt::format("; {} slower here, revoked", counts_.slower);
  if (counts_.fail > 0)
    text += fmt::format("; {} wrong or not to be run here, revoked", counts_.fail);
  if (counts_.unproved > 0) text += fmt::format("; {} not proved", counts_.unproved);
  if (counts_.elsewhere > 0) {
    text += fmt::format("; {} of other devices, not asked about", counts_.elsewhere);
  }
  return text;
}

Json Prover::json() const {
  return {{"device", tuner_.device().selection},
          {"hold", counts_.hold},
          {"slower", counts_.slower},
          {"fail", counts_.fail},
          {"unproved", counts_.unproved},
          {"elsewhere", counts_.elsewhere},
          {"lost", lost_}};
}

std::unique_ptr<Prover> prover_of(const Options& options) {
  if (options.has("prove")) return std::make_unique<Prover>(options);
  if (options.is_given("device")) {
    throw UsageError("--device says where to prove; give --prove as well");
  }
  return nullptr;
}

cache::Adopted adopt_arrivals(cache::Store& store, const std::string& source,
                              const std::string& origin, const cache::Incoming& incoming,
                              Prover* prover) {
  if (prover != nullptr) return prover->take_over(store, source, origin, incoming);
  return store.adopt(incoming.runs, origin, incoming.borders);
}

}  // namespace redtune::cli
