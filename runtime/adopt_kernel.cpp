// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/adopt_kernel.hpp"

#include <memory>
#include <utility>

#include "cache/keys/sha256.hpp"
#include "redtune/error.hpp"

namespace redtune::runtime {
namespace {

/// None leaves before the process ends, so there is no second one of the same.
const kernels::DescribedFamily* adopted_before(const kernels::DescribedFamily& family,
                                               const kernels::DescribedFamily::Parts& parts) {
  try {
    const auto* known = kernels::as_described(kernels::find_family(family.name()));
    return known != nullptr && known->is_made_of(parts) ? known : nullptr;
  } catch (const UsageError&) {
    return nullptr;
  }
}

}  // namespace

const kernels::DescribedFamily& adopt_kernel(const std::string& path, std::string_view platform,
                                             const Limits& limits) {
  kernels::DescribedFamily::Parts parts;
  parts.source = kernels::description_source(path);
  parts.description = kernels::description_in(parts.source);
  parts.text = kernels::text_with_includes(parts.description.text_file);
  parts.words = platform == "host" ? kernels::KernelWords::told : kernels::KernelWords::known;
  parts.limits = limits;
  std::string key = cache::sha256_hex(kernels::meaning_of(parts.description, parts.text));
  std::string former = cache::sha256_hex(former_meaning_of(parts.description, parts.text));
  auto family =
      std::make_unique<const kernels::DescribedFamily>(parts, std::move(key), std::move(former));
  if (const auto* known = adopted_before(*family, parts)) return *known;
  const kernels::DescribedFamily& described = *family;
  kernels::adopt_family(std::move(family));
  return described;
}

}  // namespace redtune::runtime
