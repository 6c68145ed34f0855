// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// rocPRIM's device-wide reduction as rows of the table of peers. Slow to compile, so the files that
// include it are split by operator.
#pragma once

// What rocPRIM's own headers use and do not include.
#include <chrono>
#include <iostream>
#include <rocprim/device/device_reduce.hpp>
#include <rocprim/functional.hpp>

#include "bench/compare/element_types.cuh"
#include "bench/compare_rocprim/peer_rows.cuh"

namespace redtune::compare {

/// Identity::get<Acc>() is where the reduction starts.
template <class Operator, class Identity, class In, class Acc>
gpuError_t call_rocprim(Temporary& temporary, const Reduction& of) {
  return ::rocprim::reduce(temporary.data, temporary.bytes, input_of<In>(of), output_of<Acc>(of),
                           Identity::template get<Acc>(), static_cast<std::size_t>(of.count),
                           Operator{}, of.stream);
}

}  // namespace redtune::compare
