// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/operator_watch.hpp"

#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using std::chrono::seconds;

constexpr const char* variable = "REDTUNE_OPERATOR_SECONDS";
constexpr seconds least_timeout{30};
/// A second for so many: a slow operator in eight orders of folding, on one core.
constexpr std::int64_t elements_a_second = std::int64_t{1} << 21;
constexpr seconds most_timeout = std::chrono::hours(24 * 365);

std::optional<seconds> chosen_timeout() {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::string_view all = text;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  if (error == std::errc() && end == all.data() + all.size() && number > 0 &&
      number <= most_timeout.count()) {
    return seconds(number);
  }
  throw UsageError(fmt::format("{} is '{}'; it must be a whole number of seconds from 1 to {}",
                               variable, all, most_timeout.count()));
}

std::function<void(const std::string&)>& teller() {
  static std::function<void(const std::string&)> tell = [](const std::string& why) {
    fmt::print(stderr, "{}\n", why);
  };
  return tell;
}

}  // namespace

seconds operator_timeout(std::int64_t count) {
  if (const auto chosen = chosen_timeout()) return *chosen;
  return least_timeout + seconds(count / elements_a_second);
}

void set_hang_handler(std::function<void(const std::string&)> tell) {
  teller() = std::move(tell);
}

struct OperatorWatch::Watcher {
  Watcher(seconds timeout, std::string why)
      : thread([this, timeout, line = std::move(why)] {
          std::unique_lock lock(mutex);
          if (has_returned.wait_for(lock, timeout, [this] { return returned; })) return;
          // The lock is kept: an operator that returns just now comes too late to say anything.
          teller()(line);
          _exit(EXIT_FAILURE);
        }) {}
  ~Watcher() {
    {
      const std::lock_guard lock(mutex);
      returned = true;
    }
    has_returned.notify_one();
  }

  std::mutex mutex;
  std::condition_variable has_returned;
  bool returned = false;
  std::jthread thread;  // last: it uses the others
};

OperatorWatch::OperatorWatch(const Problem& problem, std::int64_t count, std::string doing) {
  if (problem.op != Op::custom) return;
  const seconds timeout = operator_timeout(count);
  watcher_ = std::make_unique<Watcher>(
      timeout,
      fmt::format("{}: the operator did not return within {} s, {}; its functions must return for "
                  "every value. An operator that is only slow gets more time with {}",
                  problem.custom.name, timeout.count(), doing, variable));
}

OperatorWatch::~OperatorWatch() = default;

}  // namespace redtune::tuner
