// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/adopt_kernel.hpp"

#include <memory>
#include <utility>

#include "cache/keys/sha256.hpp"

namespace redtune::runtime {

const kernels::DescribedFamily& adopt_kernel(const std::string& path, std::string_view platform,
                                             const Limits& limits) {
  kernels::DescribedFamily::Parts parts;
  parts.source = kernels::description_source(path);
  parts.description = kernels::description_in(parts.source);
  parts.text = kernels::text_with_includes(parts.description.text_file);
  parts.words = platform == "host" ? kernels::KernelWords::told : kernels::KernelWords::known;
  parts.limits = limits;
  std::string key = cache::sha256_hex(kernels::meaning_of(parts.description, parts.text));
  auto family = std::make_unique<const kernels::DescribedFamily>(std::move(parts), std::move(key));
  const kernels::DescribedFamily& described = *family;
  kernels::adopt_family(std::move(family));
  return described;
}

}  // namespace redtune::runtime
