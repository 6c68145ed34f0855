// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "names.hpp"

#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#else
#include <amd_comgr.h>
#endif
#include <algorithm>
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

namespace redtune::testing::hip {
namespace {

constexpr CallRow calls[] = {
#define HIP_CALL(name, purpose) {#name, Library::hip, Purpose::purpose},
#define HIPRTC_CALL(name, purpose) {#name, Library::hiprtc, Purpose::purpose},
#define COMGR_CALL(name, purpose) {#name, Library::comgr, Purpose::purpose},
#include "calls.def"
#undef HIP_CALL
#undef HIPRTC_CALL
#undef COMGR_CALL
};

constexpr ErrorRow errors[] = {
#define HIP_ERROR(name, persistence, description) \
  {#name, Library::hip, name, Persistence::persistence, description},
#define HIPRTC_ERROR(name) {#name, Library::hiprtc, name},
#define COMGR_ERROR(name) {#name, Library::comgr, name},
#include "errors.def"
#undef HIP_ERROR
#undef HIPRTC_ERROR
#undef COMGR_ERROR
};

}  // namespace

std::span<const CallRow> all_calls() {
  return calls;
}

std::span<const ErrorRow> all_errors() {
  return errors;
}

bool is_call(std::string_view name) {
  return std::ranges::find(calls, name, &CallRow::name) != std::end(calls);
}

std::optional<int> error_of(std::string_view call, std::string_view error) {
  const auto* asked = std::ranges::find(calls, call, &CallRow::name);
  const auto* found = std::ranges::find(errors, error, &ErrorRow::name);
  if (asked == std::end(calls) || found == std::end(errors)) return std::nullopt;
  return asked->library == found->library ? std::optional(found->value) : std::nullopt;
}

const ErrorRow* find_error(Library library, int value) {
  const auto* found = std::ranges::find_if(
      errors, [&](const ErrorRow& row) { return row.library == library && row.value == value; });
  return found == std::end(errors) ? nullptr : found;
}

}  // namespace redtune::testing::hip
