// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/kernel_rows.hpp"

#include <array>
#include <optional>

namespace redtune::runtime {
namespace {

using device::KernelResources;
using nlohmann::json;

struct ResourceField {
  const char* name;
  std::optional<int> KernelResources::*member;
};
constexpr std::array resource_fields{
    ResourceField{"vector_registers", &KernelResources::vector_registers},
    ResourceField{"scalar_registers", &KernelResources::scalar_registers},
    ResourceField{"spills", &KernelResources::spills},
    ResourceField{"scratch_bytes", &KernelResources::scratch_bytes},
    ResourceField{"shared_bytes", &KernelResources::shared_bytes},
    ResourceField{"code_bytes", &KernelResources::code_bytes},
};

json encode_kernel(const device::CompiledKernel& kernel) {
  json row{{"symbol", kernel.symbol}};
  for (const auto& [name, member] : resource_fields) {
    if (const auto& value = kernel.resources.*member) row[name] = *value;
  }
  return row;
}

device::CompiledKernel decode_kernel(const json& row) {
  device::CompiledKernel kernel{row.at("symbol").get<std::string>(), {}};
  for (const auto& [name, member] : resource_fields) {
    if (row.contains(name)) kernel.resources.*member = row.at(name).get<int>();
  }
  return kernel;
}

}  // namespace

json encode_kernels(const std::vector<device::CompiledKernel>& kernels) {
  json rows = json::array();
  for (const auto& kernel : kernels) rows.push_back(encode_kernel(kernel));
  return rows;
}

std::vector<device::CompiledKernel> decode_kernels(const json& rows) {
  std::vector<device::CompiledKernel> kernels;
  for (const json& row : rows) kernels.push_back(decode_kernel(row));
  return kernels;
}

}  // namespace redtune::runtime
