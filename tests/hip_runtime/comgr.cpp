// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// libamd_comgr, as far as it is asked which targets there are: that of HIP 5.2 does not know the
// latest.
#if __has_include(<amd_comgr/amd_comgr.h>)
#include <amd_comgr/amd_comgr.h>
#else
#include <amd_comgr.h>
#endif
#include <string>
#include <vector>

#include "call.hpp"
#include "targets.hpp"

using namespace redtune::testing::hip;

namespace {

constexpr std::string_view prefix = "amdgcn-amd-amdhsa--";

const std::vector<std::string>& isa_names() {
  static const auto& names = *[] {
    auto* all = new std::vector<std::string>;
    for (const Target& target : all_targets()) {
      all->push_back(std::string(prefix) + std::string(target.processor));
    }
    return all;
  }();
  return names;
}

}  // namespace

extern "C" {

amd_comgr_status_t amd_comgr_get_isa_count(std::size_t* count) {
  return call<amd_comgr_status_t>("amd_comgr_get_isa_count", [&](Note&) {
    *count = isa_names().size();
    return AMD_COMGR_STATUS_SUCCESS;
  });
}

amd_comgr_status_t amd_comgr_get_isa_name(std::size_t index, const char** name) {
  return call<amd_comgr_status_t>("amd_comgr_get_isa_name", [&](Note&) {
    if (index >= isa_names().size()) return AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;
    *name = isa_names()[index].c_str();
    return AMD_COMGR_STATUS_SUCCESS;
  });
}

/// The metadata itself is nothing that anybody asks for.
amd_comgr_status_t amd_comgr_get_isa_metadata(const char* name,
                                              amd_comgr_metadata_node_t* metadata) {
  return call<amd_comgr_status_t>("amd_comgr_get_isa_metadata", [&](Note& note) {
    const std::string_view isa = name;
    if (!isa.starts_with(prefix) || !is_target(isa.substr(prefix.size()))) {
      return AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;
    }
    auto* made = new int(0);
    metadata->handle = reinterpret_cast<std::uint64_t>(made);
    note.made = made;
    return AMD_COMGR_STATUS_SUCCESS;
  });
}

amd_comgr_status_t amd_comgr_destroy_metadata(amd_comgr_metadata_node_t metadata) {
  return call<amd_comgr_status_t>("amd_comgr_destroy_metadata", [&](Note& note) {
    auto* made = reinterpret_cast<int*>(metadata.handle);
    note.given_back = made;
    delete made;
    return AMD_COMGR_STATUS_SUCCESS;
  });
}
}
