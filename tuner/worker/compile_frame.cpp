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

/// Raised by one whenever a request, a result or what is kept on disk changes.
constexpr int compile_frame_version = 1;

/// A compiler that will not stop complaining is not kept whole.
constexpr std::size_t most_log_bytes = 64 * 1024;

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
  value["version"] = compile_frame_version;
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

json from_bytes(std::string_view bytes) {
  json value = json::from_cbor(bytes, true, false);
  if (!value.is_object()) throw Error("a compile worker sent something that is no message");
  const int version = value.value("version", 0);
  if (version != compile_frame_version) {
    throw Error(fmt::format(
        "a compile worker speaks version {} of the messages and this program version {}; install "
        "both from one build",
        version, compile_frame_version));
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

json encode_kernels(const std::vector<device::CompiledKernel>& kernels) {
  json rows = json::array();
  for (const auto& kernel : kernels) rows.push_back(encode_kernel(kernel));
  return rows;
}

device::CompiledKernel decode_kernel(const json& row) {
  device::CompiledKernel kernel{row.at("symbol").get<std::string>(), {}};
  for (const auto& [name, member] : resource_fields) {
    if (row.contains(name)) kernel.resources.*member = row.at(name).get<int>();
  }
  return kernel;
}

std::vector<device::CompiledKernel> decode_kernels(const json& rows) {
  std::vector<device::CompiledKernel> kernels;
  for (const json& row : rows) kernels.push_back(decode_kernel(row));
  return kernels;
}

}  // namespace

std::string encode(const device::CompileRequest& request) {
  return to_bytes({{"text", request.text},
                   {"name_expressions", request.name_expressions},
                   {"arch", request.arch}});
}

std::string encode(const device::CompileResult& result) {
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    return to_bytes({{"log", failure->log.substr(0, most_log_bytes)}});
  }
  const auto& program = std::get<device::CompiledProgram>(result);
  const auto* data = reinterpret_cast<const std::uint8_t*>(program.binary.data());
  return to_bytes({{"binary", json::binary({data, data + program.binary.size()})},
                   {"kernels", encode_kernels(program.kernels)}});
}

std::string encode(const ShelvedUnit& unit) {
  return to_bytes({{"binary_key", unit.binary_key}, {"kernels", encode_kernels(unit.kernels)}});
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
    program.kernels = decode_kernels(value.at("kernels"));
    return program;
  } catch (const json::exception& error) {
    throw Error(fmt::format("broken compile result: {}", error.what()));
  }
}

ShelvedUnit decode_shelved(std::string_view bytes) {
  try {
    const json value = from_bytes(bytes);
    return {value.at("binary_key").get<std::string>(), decode_kernels(value.at("kernels"))};
  } catch (const json::exception& error) {
    throw Error(fmt::format("broken compiled unit: {}", error.what()));
  }
}

}  // namespace redtune::tuner
