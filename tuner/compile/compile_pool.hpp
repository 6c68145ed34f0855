// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Compiles many configs at once: batches of instantiations in one program, several processes busy,
// a batch that fails is halved until the culprit stands alone. What was compiled before is taken
// from disk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cache/binaries/binaries.hpp"
#include "device/compiler.hpp"
#include "device/platform.hpp"
#include "runtime/compiled_unit.hpp"
#include "tuner/compile/compile_worker.hpp"
#include "tuner/compile/interrupted.hpp"

namespace redtune::tuner {

using runtime::CompiledUnit;
using runtime::CompileUnit;

using UnitResult = std::variant<CompiledUnit, device::CompileFailure, CompileCrash>;

struct CompileTarget {
  /// Null: known to workers only.
  const device::Compiler* compiler = nullptr;
  std::string platform;  ///< the name a worker finds the compiler by
  std::string arch;
  std::string text;  ///< the whole program
  /// A worker that takes longer is killed: this, and as much again for every 16 instantiations.
  std::chrono::milliseconds timeout = std::chrono::minutes(1);
  /// Where compiled kernels are kept; null: nowhere.
  const cache::Binaries* binaries = nullptr;
  /// What a binary depends on beside text, names and arch: the compiler, the machine.
  std::string toolchain = {};
  int stop = -1;  ///< a descriptor; compiling ends with Stopped when it becomes readable
};

/// What to compile a text for, to run it on a device.
[[nodiscard]] CompileTarget target_of(const device::Platform& platform,
                                      const DeviceIdentity& device, std::string text = {});

/// What pools share: so many compilers are at work at a time, and none compiles what another is at.
/// Who comes first goes first, but what is for later goes last. Workers stay for who comes next.
/// From any thread.
class Compilers {
 public:
  explicit Compilers(int jobs);
  Compilers(const Compilers&) = delete;
  Compilers& operator=(const Compilers&) = delete;
  /// Ends the workers.
  ~Compilers();

  [[nodiscard]] int jobs() const { return jobs_; }
  /// Programs that wait for a compiler, and calls that wait for what another is at.
  struct Waiting {
    std::size_t now = 0;
    std::size_t later = 0;
    std::size_t for_others = 0;
  };
  [[nodiscard]] Waiting waiting() const;

  /// Of what is compiled for later, until it is wanted.
  class Later {
   public:
    explicit Later(std::shared_ptr<Compilers> compilers) : compilers_(std::move(compilers)) {}
    /// From now on it goes by when it came.
    void is_now();

   private:
    friend class Compilers;
    std::shared_ptr<Compilers> compilers_;
    bool is_over_ = false;
  };

 private:
  friend class CompilePool;
  class Turn;
  class Claim;
  using Keys = std::map<std::size_t, std::string>;  ///< of units, by their places

  /// One that has nothing to do, if there is one that lives.
  [[nodiscard]] std::unique_ptr<CompileWorker> take_worker(const std::vector<std::string>& command);
  void give_back(std::unique_ptr<CompileWorker> worker);

  int jobs_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
  std::vector<const Turn*> waiting_;  ///< for a compiler, as they came
  std::size_t waiting_for_others_ = 0;
  std::map<std::string, const Claim*>
      at_work_;  ///< keys of units that are being compiled to be kept
  std::vector<std::unique_ptr<CompileWorker>> idle_;
};

class CompilePool {
 public:
  /// worker: the command of a compile worker, for compilers that work inside their caller's
  /// process. jobs: compilers at work at a time, in all calls of a pool and its copies together.
  CompilePool(CompileTarget target, std::vector<std::string> worker, int jobs);
  /// Likewise, with other pools together.
  CompilePool(CompileTarget target, std::vector<std::string> worker,
              std::shared_ptr<Compilers> compilers);

  /// The same compiler and workers for another text.
  [[nodiscard]] CompilePool with_text(std::string text) const;
  /// Likewise; until later is now, what others want goes before. Null: it is wanted now.
  [[nodiscard]] CompilePool for_later(std::shared_ptr<const Compilers::Later> later) const;

  /// One result for each unit, in order. progress is called after each batch with the units done.
  /// Throws Stopped, and IoError where a worker cannot be started.
  [[nodiscard]] std::vector<UnitResult> compile(
      std::span<const CompileUnit> units,
      const std::function<void(std::size_t)>& progress = {}) const;

 private:
  struct Batch;
  struct Call;
  void compile_claimed(Call& call, const Compilers::Keys& keys) const;
  [[nodiscard]] bool starts_anew() const;
  void compile_missing(const Batch& all, const std::function<void(std::size_t)>& progress) const;
  void run(const Batch& batch) const;
  /// fresh: a worker that has compiled nothing yet.
  enum class Worker { any, fresh };
  /// What came of a batch when there are no kernels.
  struct Failed {
    UnitResult result;
    Worker worker;  ///< whether it came from one that had compiled before
  };
  [[nodiscard]] std::optional<Failed> try_to_run(const Batch& batch, Worker worker) const;
  void run_alone(const Batch& batch, const Failed& failure) const;
  void run_halved(const Batch& batch, const Failed& failure) const;
  /// worker: which is wanted, and then which it was.
  [[nodiscard]] CompileWorker::Answer call(const device::CompileRequest& request,
                                           Worker& worker) const;

  CompileTarget target_;
  std::vector<std::string> worker_;
  std::shared_ptr<Compilers> compilers_;
  std::shared_ptr<const Compilers::Later> later_;  ///< null: now
};

}  // namespace redtune::tuner
