// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/pinned_classes.hpp"

#include <map>
#include <mutex>

namespace redtune::runtime {
std::vector<SizeClass> pinned_classes(const std::string& key,
                                      const std::function<std::vector<SizeClass>()>& find) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<SizeClass>> pinned;
  const std::lock_guard lock(mutex);
  const auto known = pinned.find(key);
  return known != pinned.end() ? known->second : pinned.emplace(key, find()).first->second;
}

}  // namespace redtune::runtime
