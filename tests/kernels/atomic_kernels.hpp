// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A kernel for every atomic change of one value, for every type that it takes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel_templates/text/device_text.hpp"

namespace redtune::checks {

inline const std::vector<std::string> atomic_changes{"add", "min", "max", "and", "or", "xor"};
inline const std::vector<std::string> atomic_types{"u32", "i32", "u64", "i64", "float", "double"};

inline bool has_atomic(const std::string& change, const std::string& type) {
  return change == "add" || (type != "float" && type != "double");
}

/// Thread i of the grid changes *out by in[i].
inline std::string atomic_text() {
  std::string text = kernels::program_text("device_code/atomic.hip.h") + "\nnamespace redtune {\n";
  for (const std::string& change : atomic_changes) {
    text += "template <class T>\nREDTUNE_KERNEL(64) change_by_" + change +
            "(const T* in, T* out) {\n  atomic_" + change +
            "(out, in[block_index() * 64 + thread_index()]);\n}\n";
  }
  return text + "}\n";
}

/// hipRTC 5.2 finds an instantiation by its demangled name, where typedefs are resolved.
inline std::string atomic_name(const std::string& change, const std::string& type) {
  static const std::map<std::string, std::string> spelled{
      {"u32", "unsigned int"}, {"i32", "int"}, {"u64", "unsigned long long"}, {"i64", "long long"}};
  const auto found = spelled.find(type);
  return "redtune::change_by_" + change + "<" + (found == spelled.end() ? type : found->second) +
         ">";
}

inline std::vector<std::string> atomic_names() {
  std::vector<std::string> names;
  for (const std::string& change : atomic_changes) {
    for (const std::string& type : atomic_types) {
      if (has_atomic(change, type)) names.push_back(atomic_name(change, type));
    }
  }
  return names;
}

}  // namespace redtune::checks
