// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The code generator's library, amd_comgr, is asked what it knows, because hipRTC aborts the
// process (5.2: any unknown processor, unknown feature or stray ':') instead of returning an error.
#include "device/hip/hip_arch.hpp"

#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#else
#include <amd_comgr.h>
#endif
#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::device::hip {
namespace {

constexpr std::string_view isa_prefix = "amdgcn-amd-amdhsa--";

bool compiles(std::string_view arch) {
  const std::string isa = std::string(isa_prefix).append(arch);
  amd_comgr_metadata_node_t metadata{};
  if (amd_comgr_get_isa_metadata(isa.c_str(), &metadata) != AMD_COMGR_STATUS_SUCCESS) return false;
  (void)amd_comgr_destroy_metadata(metadata);
  return true;
}

[[noreturn]] void refuse_arch(std::string_view arch) {
  const std::string_view processor = processor_of(arch);
  std::vector<std::string_view> known(known_processors().begin(), known_processors().end());
  if (processor != arch && compiles(processor)) {
    throw UsageError(
        fmt::format("'{}' is not an architecture: {} has other features; each is written once, "
                    "with + or -, as in "
                    "gfx90a:sramecc+:xnack-",
                    arch, processor));
  }
  const std::string hint = suggest(processor, known);
  std::erase_if(known, [](std::string_view name) { return generation_of(name) < 9; });
  throw UsageError(
      fmt::format("the installed HIP compiler does not know the architecture '{}'{}; it knows {}",
                  arch, hint, known.empty() ? "none" : join(known)));
}

}  // namespace

const std::vector<std::string>& known_processors() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    std::size_t count = 0;
    if (amd_comgr_get_isa_count(&count) != AMD_COMGR_STATUS_SUCCESS) return found;
    for (std::size_t i = 0; i < count; ++i) {
      const char* isa = nullptr;
      if (amd_comgr_get_isa_name(i, &isa) != AMD_COMGR_STATUS_SUCCESS || isa == nullptr) continue;
      const std::string_view name = isa;
      if (name.starts_with(isa_prefix)) found.emplace_back(name.substr(isa_prefix.size()));
    }
    return found;
  }();
  return names;
}

void check_arch(std::string_view arch) {
  // Only names go to the compiler's command line, whatever amd_comgr may think of them.
  const bool plain = std::all_of(arch.begin(), arch.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ':' || c == '+' || c == '-';
  });
  if (!plain || generation_of(processor_of(arch)) == 0 || !compiles(arch)) refuse_arch(arch);
}

int wave_size(std::string_view arch) {
  check_arch(arch);
  return lanes_of(arch);
}

Limits limits_of(std::string_view arch) {
  check_arch(arch);
  return architecture_limits(arch).value();
}

}  // namespace redtune::device::hip
