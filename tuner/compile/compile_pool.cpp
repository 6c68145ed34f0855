// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/compile/compile_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <mutex>
#include <thread>

#include "device/host/child.hpp"
#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"
#include "runtime/compiled_unit_cache.hpp"
#include "tuner/compile/compile_frame.hpp"

namespace redtune::tuner {
namespace {

/// Units of a batch: enough to share the compiler's start-up and its own headers, few enough to
/// keep all processes busy. Of 768 kernels one takes HIP 6.4 50 ms in batches of 64, 65 ms of 16,
/// and no less of more; HIP 5.2 80 and 96 ms.
constexpr std::size_t most_units = 64;
/// To start a compiler and read the headers takes as long as some two kernels, and the threads of a
/// core get in each other's way: fewer processes are ready earlier.
constexpr std::size_t least_units = 2;

/// Of a compiler's data; the largest program here takes a few hundred MiB.
constexpr std::size_t most_worker_memory = std::size_t{8} << 30;

std::chrono::milliseconds deadline(const CompileTarget& target, std::size_t expressions) {
  return target.timeout * (1 + static_cast<int>(expressions / 16));
}

/// A worker that lives is not one that can be believed.
void require_kernels(const device::CompileResult& result, std::size_t expressions) {
  const auto* program = std::get_if<device::CompiledProgram>(&result);
  if (program == nullptr || program->kernels.size() == expressions) return;
  throw Error(fmt::format("a compile worker sent {} kernels, {} were asked for",
                          program->kernels.size(), expressions));
}

}  // namespace

/// So many compilers may be at work; who comes then waits.
class CompilePool::Turns {
 public:
  explicit Turns(int free) : free_(free) {}

  /// As long as it lives a compiler is at work.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(turns) {
      std::unique_lock lock(turns_.mutex_);
      turns_.one_is_free_.wait(lock, [this] { return turns_.free_ > 0; });
      --turns_.free_;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      {
        const std::lock_guard lock(turns_.mutex_);
        ++turns_.free_;
      }
      turns_.one_is_free_.notify_one();
    }

   private:
    Turns& turns_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable one_is_free_;
  int free_;
};

/// Neighbouring units of one compile() call, and where their results go.
struct CompilePool::Batch {
  std::span<const CompileUnit> units;
  std::span<UnitResult> results;

  [[nodiscard]] Batch part(std::size_t first, std::size_t count) const {
    return {units.subspan(first, count), results.subspan(first, count)};
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
    : target_(std::move(target)),
      worker_(std::move(worker)),
      jobs_(std::max(1, jobs)),
      turns_(std::make_shared<Turns>(jobs_)) {}

CompilePool CompilePool::with_text(std::string text) const {
  CompilePool other = *this;
  other.target_.text = std::move(text);
  return other;
}

std::vector<UnitResult> CompilePool::compile(
    std::span<const CompileUnit> units, const std::function<void(std::size_t)>& progress) const {
  std::vector<UnitResult> results(units.size());
  runtime::CompiledUnitCache unit_cache(
      target_.binaries, {target_.platform, target_.arch, target_.toolchain}, target_.text);
  std::vector<std::size_t> missing;
  std::vector<CompileUnit> missing_units;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (auto known = unit_cache.take(units[i])) {
      results[i] = std::move(*known);
    } else {
      missing.push_back(i);
      missing_units.push_back(units[i]);
    }
  }
  const std::size_t found = units.size() - missing.size();
  if (found > 0 && progress) progress(found);
  std::vector<UnitResult> fresh(missing.size());
  compile_missing({missing_units, fresh}, [&](std::size_t done) {
    if (progress) progress(found + done);
  });
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (const auto* unit = std::get_if<CompiledUnit>(&fresh[i]))
      unit_cache.put(missing_units[i], *unit);
    results[missing[i]] = std::move(fresh[i]);
  }
  return results;
}

void CompilePool::compile_missing(const Batch& all,
                                  const std::function<void(std::size_t)>& progress) const {
  const auto& units = all.units;
  const auto jobs = static_cast<std::size_t>(jobs_);
  const std::size_t share = (units.size() + jobs - 1) / jobs;
  const std::size_t step = std::clamp<std::size_t>(share, least_units, most_units);
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
  if (const auto failure = try_to_run(batch)) run_halved(batch, *failure);
}

/// Compiles a batch in one program. What came of it when there are no kernels.
std::optional<UnitResult> CompilePool::try_to_run(const Batch& batch) const {
  device::CompileRequest request{target_.text, {}, target_.arch};
  for (const CompileUnit& unit : batch.units) {
    request.name_expressions.insert(request.name_expressions.end(), unit.begin(), unit.end());
  }
  // Units may share an instantiation; each is compiled once.
  std::ranges::sort(request.name_expressions);
  const auto repeated = std::ranges::unique(request.name_expressions);
  request.name_expressions.erase(repeated.begin(), repeated.end());

  const Turns::Turn turn(*turns_);
  const auto begin = std::chrono::steady_clock::now();
  auto answer = call(request);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (auto* crash = std::get_if<CompileCrash>(&answer)) return *crash;
  auto& result = std::get<device::CompileResult>(answer);
  if (auto* refused = std::get_if<device::CompileFailure>(&result)) return *refused;
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
/// chance. What it refuses it would refuse again.
void CompilePool::run_alone(const Batch& batch, const UnitResult& failure) const {
  if (std::holds_alternative<CompileCrash>(failure)) {
    if (const auto again = try_to_run(batch)) batch.results[0] = *again;
    return;
  }
  batch.results[0] = failure;
}

void CompilePool::run_halved(const Batch& batch, const UnitResult& failure) const {
  if (batch.units.size() == 1) return run_alone(batch, failure);
  const std::size_t half = batch.units.size() / 2;
  run(batch.part(0, half));
  run(batch.part(half, batch.units.size() - half));
}

std::variant<device::CompileResult, CompileCrash> CompilePool::call(
    const device::CompileRequest& request) const {
  const device::Compiler* compiler = target_.compiler;
  if (compiler != nullptr && compiler->place() == device::CompilerPlace::own_process) {
    return compiler->compile(request);
  }
  std::vector<std::string> command = worker_;
  command.push_back(target_.platform);
  const std::string frame = encode(request);
  const std::size_t expressions = request.name_expressions.size();
  const auto finished =
      device::host::run_program(command, {.input = frame,
                                          .deadline = deadline(target_, expressions),
                                          .most_output = std::size_t{1} << 30,
                                          .most_memory = most_worker_memory,
                                          .stop = target_.stop});
  if (finished.stopped) throw Stopped("stopped while compiling");
  if (!finished.succeeded()) {
    const std::string said = device::host::last_line(finished.errors);
    // One line for people, then all that was said: a cause may come before a trace of the stack.
    return CompileCrash{fmt::format("the compiler ended with {}{}{}{}{}", finished.ending(),
                                    said.empty() ? "" : ": ", said, said.empty() ? "" : "\n",
                                    said.empty() ? "" : finished.errors)};
  }
  try {
    auto result = decode_result(finished.output);
    require_kernels(result, expressions);
    return result;
  } catch (const Error& error) {
    return CompileCrash{error.what()};
  }
}

int serve_compile_request(const device::Compiler& compiler) {
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string answer = encode(compiler.compile(decode_request(bytes)));
  std::cout.write(answer.data(), static_cast<std::streamsize>(answer.size()));
  std::cout.flush();
  return std::cout ? 0 : 1;
}

}  // namespace redtune::tuner
