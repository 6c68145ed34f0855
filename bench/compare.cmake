# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# redtune beside the vendors' libraries. The reading of options and the report are plain C++ and are
# built and tested everywhere.
add_library(
  redtune_compare_parts STATIC
  compare/across.cpp compare/degrees.cpp compare/findings.cpp compare/options.cpp compare/report.cpp
  compare/report_json.cpp compare/segments.cpp compare/statistics.cpp compare/summary.cpp compare/value.cpp
  ${PROJECT_SOURCE_DIR}/tuner/verify/offsets.cpp)
target_link_libraries(
  redtune_compare_parts PUBLIC redtune::runtime
                        PRIVATE fmt::fmt nlohmann_json::nlohmann_json Boost::program_options redtune_options)
target_include_directories(redtune_compare_parts PUBLIC ${PROJECT_SOURCE_DIR})

# What runs on a GPU of any vendor: compiled by nvcc for one comparison, by hipcc for the other.
set(compare_device_sources
    compare/contestants.cu compare/fills.cu compare/gpu.cu compare/inputs.cu compare/machine.cu
    compare/measure.cu compare/mix_peak.cu compare/neighbours.cu compare/program.cu compare/read_kernels.cu compare/read_peak.cu
    compare/results.cu compare/samplers.cu)

# These are built where they are asked for: CUB's templates for all types take longer than half of redtune.
include(compare_rocprim.cmake)
include(compare_cub.cmake)
