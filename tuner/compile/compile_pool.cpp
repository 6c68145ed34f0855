// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/compile/compile_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "runtime/compiled_unit_cache.hpp"

namespace redtune::tuner {
namespace {

/// Units of a batch: enough to share the compiler's start-up and its own headers, few enough to
/// keep all processes busy. Of 768 kernels one takes HIP 6.4 50 ms in batches of 64, 65 ms of 16,
/// and no less of more; HIP 5.2 80 and 96 ms.
constexpr std::size_t most_units = 64;

/// Requests that a worker serves, one after another: what a compiler leaks is never much.
constexpr int most_requests = 32;

std::chrono::milliseconds deadline(const CompileTarget& target, std::size_t expressions) {
  return target.timeout * (1 + static_cast<int>(expressions / 16));
}

}  // namespace

/// As long as it lives, nobody else compiles what it has got of some keys.
class Compilers::Claim {
 public:
  Claim(Compilers& compilers, const Keys& keys, const Later* later)
      : compilers_(compilers), later_(later) {
    const std::lock_guard lock(compilers_.mutex_);
    for (const auto& [unit, key] : keys) {
      if (compilers_.at_work_.emplace(key, this).second) got_.insert(key);
    }
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() {
    {
      const std::lock_guard lock(compilers_.mutex_);
      for (const std::string& key : got_) compilers_.at_work_.erase(key);
    }
    compilers_.changed_.notify_all();
  }
  [[nodiscard]] bool has(const std::string& key) const { return got_.contains(key); }
  /// Others go before it. The compilers are locked.
  [[nodiscard]] bool is_for_later() const {
    return later_ != nullptr && !later_->is_over_ && !is_wanted_now_;
  }

  /// Nobody may hold a claim meanwhile: two would wait for each other. What is wanted now is no
  /// longer for later, whoever is at it.
  static void await_others(Compilers& compilers, const Keys& keys, const Later* later) {
    std::unique_lock lock(compilers.mutex_);
    ++compilers.waiting_for_others_;
    compilers.changed_.wait(lock, [&] {
      const bool is_now = later == nullptr || later->is_over_;
      bool are_done = true;
      for (const auto& [unit, key] : keys) {
        const auto found = compilers.at_work_.find(key);
        if (found == compilers.at_work_.end()) continue;
        are_done = false;
        if (!is_now || !found->second->is_for_later()) continue;
        found->second->is_wanted_now_ = true;
        compilers.changed_.notify_all();
      }
      return are_done;
    });
    --compilers.waiting_for_others_;
  }

 private:
  Compilers& compilers_;
  const Later* later_;
  mutable bool is_wanted_now_ = false;  // which others set
  std::set<std::string> got_;
};

/// As long as it lives a compiler is at work. Who comes when none is free waits behind those who
/// came before, and what is for later behind all that is not.
class Compilers::Turn {
 public:
  Turn(Compilers& compilers, const Claim& claim) : compilers_(compilers), claim_(claim) {
    std::unique_lock lock(compilers_.mutex_);
    auto& waiting = compilers_.waiting_;
    waiting.push_back(this);
    compilers_.changed_.wait(lock, [&] {
      return compilers_.free_ > 0 &&
             *std::ranges::min_element(waiting, {}, &Turn::is_for_later) == this;
    });
    std::erase(waiting, this);
    --compilers_.free_;
    if (compilers_.free_ > 0) compilers_.changed_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    {
      const std::lock_guard lock(compilers_.mutex_);
      ++compilers_.free_;
    }
    compilers_.changed_.notify_all();
  }
  /// The compilers are locked.
  [[nodiscard]] bool is_for_later() const { return claim_.is_for_later(); }

 private:
  Compilers& compilers_;
  const Claim& claim_;
};

Compilers::Waiting Compilers::waiting() const {
  const std::lock_guard lock(mutex_);
  const auto later = static_cast<std::size_t>(std::ranges::count_if(waiting_, &Turn::is_for_later));
  return {.now = waiting_.size() - later, .later = later, .for_others = waiting_for_others_};
}

void Compilers::Later::is_now() {
  {
    const std::lock_guard lock(compilers_->mutex_);
    is_over_ = true;
  }
  compilers_->changed_.notify_all();
}

Compilers::Compilers(int jobs) : jobs_(std::max(1, jobs)), free_(jobs_) {}

Compilers::~Compilers() {
  for (const auto& worker : idle_) worker->end();  // all of them at a time
}

std::unique_ptr<CompileWorker> Compilers::take_worker(const std::vector<std::string>& command) {
  std::vector<std::unique_ptr<CompileWorker>> ended;  // those go when others may come again
  const std::lock_guard lock(mutex_);
  const auto gone =
      std::ranges::stable_partition(idle_, [](const auto& worker) { return !worker->has_ended(); });
  std::ranges::move(gone, std::back_inserter(ended));
  idle_.erase(gone.begin(), gone.end());
  const auto found =
      std::ranges::find(idle_, command, [](const auto& worker) { return worker->command(); });
  if (found == idle_.end()) return nullptr;
  auto worker = std::move(*found);
  idle_.erase(found);
  return worker;
}

void Compilers::give_back(std::unique_ptr<CompileWorker> worker) {
  std::unique_ptr<CompileWorker> one_too_many;  // which goes when others may come again
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
  if (idle_.size() <= static_cast<std::size_t>(jobs_)) return;
  one_too_many = std::move(idle_.front());
  idle_.erase(idle_.begin());
}

/// Neighbouring units of one compile() call, and where their results go.
struct CompilePool::Batch {
  const Compilers::Claim& claim;
  std::span<const CompileUnit> units;
  std::span<UnitResult> results;

  [[nodiscard]] Batch part(std::size_t first, std::size_t count) const {
    return {claim, units.subspan(first, count), results.subspan(first, count)};
  }
};

CompileTarget target_of(const device::Platform& platform, const DeviceIdentity& device,
                        std::string text) {
  return {.compiler = &platform.compiler(),
          .platform = std::string(platform.name()),
          .arch = platform.arch_of(device),
          .text = std::move(text)};
}

CompilePool::CompilePool(CompileTarget target, std::vector<std::string> worker, int jobs)
    : CompilePool(std::move(target), std::move(worker), std::make_shared<Compilers>(jobs)) {}

CompilePool::CompilePool(CompileTarget target, std::vector<std::string> worker,
                         std::shared_ptr<Compilers> compilers)
    : target_(std::move(target)), worker_(std::move(worker)), compilers_(std::move(compilers)) {}

CompilePool CompilePool::with_text(std::string text) const {
  CompilePool other = *this;
  other.target_.text = std::move(text);
  return other;
}

CompilePool CompilePool::for_later(std::shared_ptr<const Compilers::Later> later) const {
  CompilePool other = *this;
  other.later_ = std::move(later);
  return other;
}

/// One call of compile(): what it is asked for, and what is still to be found.
struct CompilePool::Call {
  std::span<const CompileUnit> units;
  const std::function<void(std::size_t)>& progress;
  runtime::CompiledUnitCache cache;
  std::vector<UnitResult> results{units.size()};
  std::vector<std::size_t> missing{};

  void tell(std::size_t done) const {
    if (progress) progress(done);
  }
  void take_known() {
    const auto known = std::erase_if(missing, [&](std::size_t i) {
      auto unit = cache.take(units[i]);
      if (unit) results[i] = std::move(*unit);
      return unit.has_value();
    });
    if (known > 0) tell(units.size() - missing.size());
  }
};

std::vector<UnitResult> CompilePool::compile(
    std::span<const CompileUnit> units, const std::function<void(std::size_t)>& progress) const {
  Call call{units,
            progress,
            {target_.binaries, {target_.platform, target_.arch, target_.toolchain}, target_.text}};
  call.missing.resize(units.size());
  std::iota(call.missing.begin(), call.missing.end(), 0);
  call.take_known();
  while (!call.missing.empty()) {
    Compilers::Keys keys;
    if (target_.binaries != nullptr) {  // else nobody finds what others compile
      for (const std::size_t i : call.missing) keys[i] = call.cache.key_of(units[i]);
    }
    compile_claimed(call, keys);
    if (call.missing.empty()) break;
    std::erase_if(
        keys, [&](const auto& one) { return std::ranges::count(call.missing, one.first) == 0; });
    Compilers::Claim::await_others(*compilers_, keys, later_.get());
    call.take_known();
  }
  return std::move(call.results);
}

/// Those of the missing that nobody else is at.
void CompilePool::compile_claimed(Call& call, const Compilers::Keys& keys) const {
  const Compilers::Claim claim(*compilers_, keys, later_.get());
  std::vector<std::size_t> own;
  std::vector<CompileUnit> units;
  for (const std::size_t i : call.missing) {
    if (!keys.empty() && !claim.has(keys.at(i))) continue;
    own.push_back(i);
    units.push_back(call.units[i]);
  }
  const std::size_t found = call.units.size() - call.missing.size();
  std::vector<UnitResult> fresh(own.size());
  compile_missing({claim, units, fresh}, [&](std::size_t done) { call.tell(found + done); });
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (const auto* unit = std::get_if<CompiledUnit>(&fresh[i])) call.cache.put(units[i], *unit);
    call.results[own[i]] = std::move(fresh[i]);
  }
  std::erase_if(call.missing, [&](std::size_t i) { return std::ranges::count(own, i) > 0; });
}

/// Whether a compiler is started for each program: to start it and to read its headers takes as
/// long as some two kernels.
bool CompilePool::starts_anew() const {
  return target_.compiler != nullptr &&
         target_.compiler->place() == device::CompilerPlace::own_process;
}

void CompilePool::compile_missing(const Batch& all,
                                  const std::function<void(std::size_t)>& progress) const {
  const auto& units = all.units;
  const auto jobs = static_cast<std::size_t>(compilers_->jobs());
  const std::size_t share = (units.size() + jobs - 1) / jobs;
  const std::size_t step = std::clamp<std::size_t>(share, starts_anew() ? 2 : 1, most_units);
  std::atomic<std::size_t> next{0};
  std::mutex done_mutex;
  std::size_t done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(step); i < units.size(); i = next.fetch_add(step)) {
      const std::size_t count = std::min(step, units.size() - i);
      try {
        run(all.part(i, count));
      } catch (...) {
        const std::lock_guard lock(done_mutex);
        failure = std::current_exception();
        return;
      }
      const std::lock_guard lock(done_mutex);
      done += count;
      progress(done);
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(jobs, (units.size() + step - 1) / step); ++i) {
      helpers.emplace_back(work);
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

void CompilePool::run(const Batch& batch) const {
  if (const auto failure = try_to_run(batch, Worker::any)) run_halved(batch, *failure);
}

/// Compiles a batch in one program.
std::optional<CompilePool::Failed> CompilePool::try_to_run(const Batch& batch,
                                                           Worker worker) const {
  device::CompileRequest request{target_.text, {}, target_.arch};
  for (const CompileUnit& unit : batch.units) {
    request.name_expressions.insert(request.name_expressions.end(), unit.begin(), unit.end());
  }
  // Units may share an instantiation; each is compiled once.
  std::ranges::sort(request.name_expressions);
  const auto repeated = std::ranges::unique(request.name_expressions);
  request.name_expressions.erase(repeated.begin(), repeated.end());

  const Compilers::Turn turn(*compilers_, batch.claim);
  const auto begin = std::chrono::steady_clock::now();
  auto answer = call(request, worker);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (auto* crash = std::get_if<CompileCrash>(&answer)) return Failed{*crash, worker};
  auto& result = std::get<device::CompileResult>(answer);
  if (auto* refused = std::get_if<device::CompileFailure>(&result)) return Failed{*refused, worker};
  auto& program = std::get<device::CompiledProgram>(result);
  const auto binary = std::make_shared<const std::vector<std::byte>>(std::move(program.binary));
  for (std::size_t i = 0; i < batch.units.size(); ++i) {
    CompiledUnit unit{binary, {}, took.count() / static_cast<double>(batch.units.size())};
    for (const std::string& name : batch.units[i]) {
      const auto at = std::ranges::lower_bound(request.name_expressions, name);
      unit.kernels.push_back(
          program.kernels[static_cast<std::size_t>(at - request.name_expressions.begin())]);
    }
    batch.results[i] = std::move(unit);
  }
  return std::nullopt;
}

/// A compiler that died may have died of something else: a unit that stands alone gets another
/// chance. What a worker refuses that has compiled nothing before it would refuse again.
void CompilePool::run_alone(const Batch& batch, const Failed& failure) const {
  const bool is_final = failure.worker == Worker::fresh &&
                        std::holds_alternative<device::CompileFailure>(failure.result);
  if (is_final) {
    batch.results[0] = failure.result;
  } else if (const auto again = try_to_run(batch, Worker::fresh)) {
    batch.results[0] = again->result;
  }
}

void CompilePool::run_halved(const Batch& batch, const Failed& failure) const {
  if (batch.units.size() == 1) return run_alone(batch, failure);
  const std::size_t half = batch.units.size() / 2;
  run(batch.part(0, half));
  run(batch.part(half, batch.units.size() - half));
}

/// A worker that gave kernels stays; any other ends, with what its compiler may have broken.
CompileWorker::Answer CompilePool::call(const device::CompileRequest& request,
                                        Worker& worker) const {
  const device::Compiler* compiler = target_.compiler;
  if (compiler != nullptr && compiler->place() == device::CompilerPlace::own_process) {
    worker = Worker::fresh;
    return compiler->compile(request);
  }
  std::vector<std::string> command = worker_;
  command.push_back(target_.platform);
  std::unique_ptr<CompileWorker> process;
  if (worker == Worker::any) process = compilers_->take_worker(command);
  worker = process ? Worker::any : Worker::fresh;
  if (!process) process = std::make_unique<CompileWorker>(command);
  auto answer =
      process->ask(request, deadline(target_, request.name_expressions.size()), target_.stop);
  const auto* result = std::get_if<device::CompileResult>(&answer);
  if (result != nullptr && std::holds_alternative<device::CompiledProgram>(*result) &&
      process->requests() < most_requests) {
    compilers_->give_back(std::move(process));
  }
  return answer;
}

}  // namespace redtune::tuner
