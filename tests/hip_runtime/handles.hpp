// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The handles that a program holds: nothing that was not made here, or is gone, is believed.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace redtune::testing::hip {

template <class T>
class Handles {
 public:
  /// The handle is the object's address.
  template <class Handle>
  void add(Handle* handle, std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    void* const key = object.get();
    *handle = static_cast<Handle>(key);
    objects_[key] = std::move(object);
  }
  /// Null for what is no handle.
  [[nodiscard]] std::shared_ptr<T> find(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::shared_ptr<T> remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }
  [[nodiscard]] std::vector<std::shared_ptr<T>> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<T>> list;
    for (const auto& [key, object] : objects_) list.push_back(object);
    return list;
  }

 private:
  mutable std::mutex mutex_;
  std::map<const void*, std::shared_ptr<T>> objects_;
};

}  // namespace redtune::testing::hip
