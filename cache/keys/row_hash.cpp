// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/row_hash.hpp"

#include <bit>
#include <cstdint>
#include <fmt/format.h>

#include "cache/keys/described_best.hpp"
#include "cache/keys/key.hpp"
#include "cache/keys/sha256.hpp"

namespace redtune::cache {
namespace {

/// Values in a fixed order, each with its length: no two rows share a text.
class Content {
 public:
  Content& add(std::string_view text) {
    text_ += fmt::format("{}:{},", text.size(), text);
    return *this;
  }
  Content& add(std::int64_t number) { return add(std::to_string(number)); }
  /// By its bits. SQLite keeps no sign of a zero, and adding a zero takes it away.
  Content& add(double number) {
    return add(fmt::format("{:x}", std::bit_cast<std::uint64_t>(number + 0.0)));
  }
  Content& add(const Interval& interval) {
    return add(interval.low).add(interval.median).add(interval.high);
  }

  [[nodiscard]] std::string hash() const {
    const Digest digest = sha256(text_);
    return {digest.begin(), digest.begin() + 16};
  }

 private:
  std::string text_;
};

}  // namespace

// The structured binding names every member: a new one does not compile until it is in the hash.

std::string row_hash(RunId run, const Trial& trial, const std::string& config) {
  const auto& [sequence, settings, phase, status, time_us, samples, detail, compile_ms, wall_ms,
               attempts, worker] = trial;
  Content content;
  content.add("trial").add(static_cast<std::int64_t>(run)).add(sequence);
  content.add(config).add(phase).add(status);
  if (time_us) content.add(*time_us);
  content.add(std::int64_t{samples}).add(detail).add(compile_ms).add(wall_ms);
  return content.add(std::int64_t{attempts}).add(std::int64_t{worker}).hash();
}

std::string row_hash(RunId run, const QuestionKeys& question, const Best& best) {
  Content content;
  content.add("best").add(static_cast<std::int64_t>(run));
  content.add(question.family).add(question.space).add(question.problem);
  content.add(question.device_class).add(question.toolchain);
  content.add(key_of(best.settings).hash);
  for_each_member(best, [&]<class Value>(const auto& row, const Value& value) {
    if (row.kept == Kept::in_later_stores) return;
    if constexpr (std::is_same_v<Value, int>)
      content.add(std::int64_t{value});
    else
      content.add(value);
  });
  return content.add(std::int64_t{best.contended ? 1 : 0}).hash();
}

std::string row_hash(const QuestionKeys& question, const Settings& settings, std::int64_t trials) {
  Content content;
  content.add("prediction").add(question.family).add(question.space).add(question.problem);
  content.add(question.device_class).add(question.toolchain);
  return content.add(key_of(settings).hash).add(trials).hash();
}

std::string row_hash(const QuestionKeys& question, const Border& border) {
  Content content;
  content.add("border").add(question.family).add(question.space).add(question.problem);
  content.add(question.device_class).add(question.toolchain);
  for_each_member(border, [&](const auto&, const auto& value) { content.add(value); });
  return content.hash();
}

}  // namespace redtune::cache
