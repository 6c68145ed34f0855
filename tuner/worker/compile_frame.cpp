// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/compile_frame.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using device::KernelResources;
using nlohmann::json;

constexpr int frame_version = 1;

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

std::string to_bytes(json value) {
  value["version"] = frame_version;
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

json from_bytes(std::string_view bytes) {
  json value = json::from_cbor(bytes, true, false);
  if (!value.is_object() || value.value("version", 0) != frame_version) {
    throw Error(fmt::format("a compile worker sent something that is no frame of version {}",
                            frame_version));
  }
  return value;
}

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

std::string encode(const device::CompileRequest& request) {
  return to_bytes({{"text", request.text},
                   {"name_expressions", request.name_expressions},
                   {"arch", request.arch}});
}

std::string encode(const device::CompileResult& result) {
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    return to_bytes({{"log", failure->log}});
  }
  const auto& program = std::get<device::CompiledProgram>(result);
  const auto* data = reinterpret_cast<const std::uint8_t*>(program.binary.data());
  json kernels = json::array();
  for (const auto& kernel : program.kernels) kernels.push_back(encode_kernel(kernel));
  return to_bytes({{"binary", json::binary({data, data + program.binary.size()})},
                   {"kernels", std::move(kernels)}});
}

device::CompileRequest decode_request(std::string_view bytes) {
  try {
    const json value = from_bytes(bytes);
    return {value.at("text").get<std::string>(),
            value.at("name_expressions").get<std::vector<std::string>>(),
            value.at("arch").get<std::string>()};
  } catch (const json::exception& error) {
    throw Error(fmt::format("broken compile request: {}", error.what()));
  }
}

device::CompileResult decode_result(std::string_view bytes) {
  try {
    const json value = from_bytes(bytes);
    if (value.contains("log")) return device::CompileFailure{value.at("log").get<std::string>()};
    device::CompiledProgram program;
    const auto& binary = value.at("binary").get_binary();
    const auto* data = reinterpret_cast<const std::byte*>(binary.data());
    program.binary.assign(data, data + binary.size());
    for (const json& row : value.at("kernels")) program.kernels.push_back(decode_kernel(row));
    return program;
  } catch (const json::exception& error) {
    throw Error(fmt::format("broken compile result: {}", error.what()));
  }
}

}  // namespace redtune::tuner
