// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "call.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>

#include "faults.hpp"
#include "trace.hpp"

namespace redtune::testing::hip {
namespace {

std::atomic<int> sticky{0};

/// The how many-th call of that name this is.
long count(std::string_view name) {
  static std::mutex mutex;
  static auto& counts = *new std::map<std::string_view, long>;
  const std::lock_guard lock(mutex);
  return ++counts[name];
}

std::string result_text(Library library, int status) {
  if (status == 0) return "ok";
  const ErrorRow* error = find_error(library, status);
  return error == nullptr ? fmt::format("error {}", status) : std::string(error->name);
}

void record(const CallRow& row, long number, std::string_view result, const Note& note) {
  if (trace_folder().empty()) return;
  std::string handle = ".";
  if (note.made != nullptr) handle = fmt::format("+{}", note.made);
  if (note.given_back != nullptr) handle = fmt::format("-{}", note.given_back);
  write_trace(fmt::format("{}\t{}\t{}\t{}\t{}", row.name, number, result, handle, note.text));
}

/// Waits as the faults say, and tells the error that the call is to end with.
std::optional<int> suffer(const CallRow& row, long number) {
  for (const Fault& fault : faults().of_calls) {
    if (fault.call != row.name || (fault.number != 0 && fault.number != number)) continue;
    if (!claim(fault)) continue;
    switch (fault.kind) {
      case Fault::Kind::fail:
        return error_of(fault.call, fault.error);
      case Fault::Kind::delay:
        std::this_thread::sleep_for(fault.delay);
        record(row, number, "late", {});
        break;
      case Fault::Kind::hang:
        record(row, number, "hangs", {});
        while (true) pause();
    }
  }
  return std::nullopt;
}

bool is_sticky(int error) {
  const ErrorRow* row = find_error(Library::hip, error);
  return row != nullptr && row->persistence == Persistence::sticky;
}

}  // namespace

void set_sticky(int error) {
  int none = 0;
  sticky.compare_exchange_strong(none, error);
}

int run_call(std::string_view name, const Body& body) {
  const CallRow& row = *std::ranges::find(all_calls(), name, &CallRow::name);
  const long number = count(row.name);
  std::optional<int> error = suffer(row, number);
  if (row.library == Library::hip) {
    if (sticky != 0) error = sticky;
    if (error && is_sticky(*error)) set_sticky(*error);
  }
  Note note{.is_to_fail = error.has_value()};
  int status = 0;
  if (!error || row.purpose == Purpose::give_back) status = body(note);
  if (error) status = *error;
  record(row, number, result_text(row.library, status), note);
  return status;
}

}  // namespace redtune::testing::hip
