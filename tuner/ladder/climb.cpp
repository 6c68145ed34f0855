// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/ladder/climb.hpp"

#include <fmt/format.h>
#include <utility>

#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tuner/verify/guarded_output.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/oracle.hpp"
#include "tuner/verify/whole_numbers.hpp"

namespace redtune::tuner {
namespace {

using kernels::LadderEnd;
using kernels::LadderStep;

/// Smaller inputs than this are a matter of launches; copies of them would be thousands.
constexpr std::int64_t least_cold_bytes = 1 << 20;

LadderRequest with_cache_mode(LadderRequest request) {
  request.site.problem.cache_mode = ladder_cache_mode(request.site.problem);
  return request;
}

std::vector<std::string> notes_on(const Answer& answer) {
  std::vector<std::string> notes{
      fmt::format("tuned   {}: {}", to_string(answer.match), answer.explanation),
      fmt::format("        {}", to_string(answer.settings))};
  if (answer.match > Match::drift) {
    notes.push_back(fmt::format("        for exactly this: redtune tune --type {} --count {}",
                                to_string(answer.problem.in),
                                describe_count(answer.problem.count)));
  }
  return notes;
}

class Climber {
 public:
  explicit Climber(const LadderRequest& request)
      : request_(with_cache_mode(request)),
        device_(*request.site.device),
        problem_(request_.site.problem),
        probe_(probe(device_,
                     CompilePool(target_of(*request.site.platform, device_.identity()),
                                 request.site.worker, 1),
                     ProbeLevel::quick)),
        loaded_(request_.site, request.steps),
        oracle_(host_oracle(problem_)),
        data_(make_input(problem_, request.seed)),
        slots_(device_, data_, problem_.cache_mode),
        expected_(oracle_->of_elements({problem_, slots_.first()}, data_)),
        output_(device_, output_bytes(problem_)) {
    // The rounding of floats may hide what a step leaves out, the more so the longer its chains
    // are: of 2^28 additions one after another the bound says nothing at all. So each step also
    // adds up numbers whose sum is exact in any order, and must give exactly that.
    const auto whole = make_whole_numbers(problem_, request.seed);
    whole_ = device_.allocate(whole.size());
    device_.copy_to_device(whole_.data(), whole.data(), whole.size());
    whole_expected_ = oracle_->of_elements({problem_, whole_.data()}, whole);
  }

  LadderResult run(const LadderProgress& progress) {
    const std::int64_t cache = device_.identity().device_class.last_level_cache_bytes;
    LadderResult result{problem_, peak_for(problem_, peaks_of(probe_), cache), {}};
    for (std::size_t i = 0; i < request_.steps.size(); ++i) {
      const LadderStep& step = *request_.steps[i];
      if (progress) progress(i, step);
      result.rows.push_back(step.end == LadderEnd::tuned ? tuned_row(step) : row(step));
    }
    return result;
  }

 private:
  [[nodiscard]] LadderRow row(const LadderStep& step) {
    LadderRow row{.step = &step, .attempts = {}};
    for (const kernels::LadderVariant& variant : step.variants) {
      LadderAttempt& attempt = row.attempts.emplace_back(LadderAttempt{.variant = variant});
      guard(attempt, [&] {
        const BoundStep bound = loaded_.bind(step, variant);
        attempt.launches = bound.plan().calls.size();
        attempt.longest_chain = bound.plan().longest_chain;
        measure(attempt, [&](const void* in) { return bound.launches(in, output_.address()); });
      });
    }
    return row;
  }

  [[nodiscard]] LadderRow tuned_row(const LadderStep& step) {
    LadderRow row{.step = &step, .attempts = {}};
    Problem asked = problem_;
    asked.cache_mode = CacheMode::cold;  // what redtune tune tunes when nothing else is said
    const Answer answer = runtime::resolve(asked, device_.identity(), device_.limits(),
                                           {request_.cache_file, Match::fallback})
                              .answer;
    row.settings = answer.settings;
    row.match = answer.match;
    row.notes = notes_on(answer);
    LadderAttempt& attempt = row.attempts.emplace_back();
    guard(attempt, [&] {
      const Runnable runnable = loaded_.tuned(kernels::find_family(answer.family), answer.settings);
      attempt.launches = runnable.config.plan(problem_).calls.size();
      attempt.longest_chain = runnable.config.longest_chain(problem_);
      measure(attempt, [&](const void* in) {
        const auto launches =
            runnable.config.launches({in, problem_, output_.address()}, runnable.workspace());
        return std::vector<device::Launch>(launches.begin(), launches.end());
      });
    });
    return row;
  }

  /// What goes wrong in one attempt leaves the others alone.
  template <class Work>
  static void guard(LadderAttempt& attempt, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      attempt.failure = error.what();
    }
  }

  void measure(LadderAttempt& attempt, const Execution& execution) {
    expect_right(execution, whole_.data(), *whole_expected_, 0);
    expect_right(execution, slots_.first(), *expected_, attempt.longest_chain);
    const std::int64_t cache = device_.identity().device_class.last_level_cache_bytes;
    StepTimer timer({&device_, &slots_, data_, output_.address(), size_of(problem_.out),
                     1e3 * most_gbps(problem_, probe_, cache)});
    output_.poison();
    attempt.times = timer.time(execution);
    check_output(*expected_, attempt.longest_chain);
  }

  void expect_right(const Execution& execution, const void* in, const Expected& expected,
                    std::int64_t chain) {
    output_.poison();
    device_.launch(execution(in), {});
    device_.synchronize({});
    check_output(expected, chain);
  }

  void check_output(const Expected& expected, std::int64_t chain) {
    std::string why = output_.read(output_bytes(problem_));
    if (why.empty()) why = expected.why_wrong(output_.value(), chain);
    if (!why.empty()) throw Error(fmt::format("wrong result: {}", why));
  }

  LadderRequest request_;
  device::Device& device_;
  const Problem& problem_;
  Probe probe_;
  LoadedLadder loaded_;
  std::unique_ptr<const Oracle> oracle_;
  std::vector<std::byte> data_;
  InputSlots slots_;
  std::unique_ptr<const Expected> expected_;
  GuardedOutput output_;
  device::Buffer whole_;
  std::unique_ptr<const Expected> whole_expected_;
};

}  // namespace

const LadderAttempt* LadderRow::best() const {
  const LadderAttempt* best = nullptr;
  for (const LadderAttempt& attempt : attempts) {
    if (!attempt.failure.empty()) continue;
    const bool is_faster =
        best == nullptr || attempt.times.kernel_us.median < best->times.kernel_us.median;
    if (is_faster) best = &attempt;
  }
  return best;
}

CacheMode ladder_cache_mode(const Problem& problem) {
  return static_cast<std::int64_t>(input_bytes(problem)) < least_cold_bytes ? CacheMode::warm
                                                                            : CacheMode::cold;
}

LadderResult climb(const LadderRequest& request, const LadderProgress& progress) {
  return Climber(request).run(progress);
}

}  // namespace redtune::tuner
