// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "faults.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "names.hpp"
#include "redtune/error.hpp"
#include "trace.hpp"

namespace redtune::testing::hip {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
  Words words;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

[[noreturn]] void refuse(std::string_view entry, std::string_view why) {
  throw Error(fmt::format("REDTUNE_TEST_HIP_FAULTS: '{}': {}", entry, why));
}

template <class Number>
Number number_of(std::string_view entry, std::string_view word, std::string_view unit = {}) {
  if (!word.ends_with(unit)) refuse(entry, fmt::format("'{}' does not end in {}", word, unit));
  word.remove_suffix(unit.size());
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) {
    refuse(entry, fmt::format("'{}' is no number", word));
  }
  return number;
}

Fault fault_of_call(std::string_view entry, Words words) {
  Fault fault;
  if (words.back() == "once") {
    fault.once = true;
    words.pop_back();
  }
  const std::string_view kind = words[0];
  const std::size_t wanted = kind == "hang" ? 3 : 4;
  if (words.size() != wanted) refuse(entry, "too few or too many words");
  fault.call = words[1];
  if (!is_call(fault.call)) refuse(entry, "there is no such call");
  if (words[2] != "*") {
    fault.number = number_of<long>(entry, words[2]);
    if (fault.number < 1) refuse(entry, "calls are counted from 1");
  }
  if (kind == "hang") {
    fault.kind = Fault::Kind::hang;
  } else if (kind == "delay") {
    fault.kind = Fault::Kind::delay;
    fault.delay = std::chrono::milliseconds(number_of<long>(entry, words[3], "ms"));
  } else {
    fault.error = words[3];
    if (!error_of(fault.call, fault.error)) refuse(entry, "the call knows no such error");
  }
  return fault;
}

Times times_of(std::string_view entry, std::string_view word) {
  if (word == "zero") return Times::zero;
  if (word == "negative") return Times::negative;
  if (word == "doubled") return Times::doubled;
  refuse(entry, "times are zero, negative or doubled");
}

}  // namespace

Faults parse_faults(std::string_view text) {
  Faults faults;
  for (const std::string_view entry : split(text, ';')) {
    const Words words = split(entry, ':');
    if (words.size() < 2) refuse(entry, "nothing to do");
    const std::string_view kind = words[0];
    if (kind == "fail" || kind == "delay" || kind == "hang") {
      faults.of_calls.push_back(fault_of_call(entry, words));
    } else if (kind == "refuse") {
      faults.refused.emplace_back(entry.substr(kind.size() + 1));
    } else if (kind == "times") {
      faults.times = times_of(entry, words[1]);
    } else if (kind == "memory") {
      faults.memory = number_of<std::size_t>(entry, words[1]);
    } else if (kind == "units") {
      faults.units = number_of<int>(entry, words[1]);
    } else {
      refuse(entry, "write fail, delay, hang, refuse, times, memory or units");
    }
  }
  return faults;
}

const Faults& faults() {
  static const Faults& here = *[] {
    const char* text = std::getenv("REDTUNE_TEST_HIP_FAULTS");
    try {
      auto* const read = new Faults(parse_faults(text == nullptr ? "" : text));
      if (trace_folder().empty() && std::ranges::any_of(read->of_calls, &Fault::once)) {
        throw Error(
            "REDTUNE_TEST_HIP_FAULTS: ':once' is noted in the folder of traces: name one in "
            "REDTUNE_TEST_HIP_TRACE");
      }
      return read;
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      std::abort();
    }
  }();
  return here;
}

bool claim(const Fault& fault) {
  if (!fault.once) return true;
  const std::string mark = fmt::format("{}/happened-{}-{}-{}", trace_folder(), fault.call,
                                       fault.number, static_cast<int>(fault.kind));
  const int file = open(mark.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return false;
  close(file);
  return true;
}

}  // namespace redtune::testing::hip
