// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/compile/compile_frame.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "redtune/error.hpp"
#include "runtime/kernel_rows.hpp"

namespace redtune::tuner {
namespace {

using nlohmann::json;

/// Raised by one whenever a request or a result changes.
constexpr int compile_frame_version = 2;

/// A compiler that will not stop complaining is not kept whole.
constexpr std::size_t most_log_bytes = 64 * 1024;

/// The largest message: what claims to be larger is none.
constexpr std::uint64_t most_message_bytes = std::uint64_t{1} << 30;

constexpr std::string_view message_magic = "redtune:";
static_assert(message_magic.size() + sizeof most_message_bytes == message_header_bytes);

std::string to_bytes(json value) {
  value["version"] = compile_frame_version;
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

json from_bytes(std::string_view bytes) {
  json value = json::from_cbor(bytes, true, false);
  if (!value.is_object()) throw Error("what a compile worker sent is not a message of redtune");
  const int version = value.value("version", 0);
  if (version != compile_frame_version) {
    throw Error(fmt::format(
        "a compile worker's messages are of version {}, those of this program of version {}; "
        "install both from one build",
        version, compile_frame_version));
  }
  return value;
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
                   {"kernels", runtime::encode_kernels(program.kernels)}});
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
    program.kernels = runtime::decode_kernels(value.at("kernels"));
    return program;
  } catch (const json::exception& error) {
    throw Error(fmt::format("broken compile result: {}", error.what()));
  }
}

std::string message_header(std::size_t bytes) {
  const std::uint64_t length = bytes;
  std::string header(message_magic);
  header.append(reinterpret_cast<const char*>(&length), sizeof length);
  return header;
}

std::optional<std::size_t> message_bytes(std::string_view begin) {
  const std::size_t known = std::min(begin.size(), message_magic.size());
  if (begin.substr(0, known) != message_magic.substr(0, known)) {
    throw Error("what a compile worker sent is not a message of redtune");
  }
  if (begin.size() < message_header_bytes) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, begin.data() + message_magic.size(), sizeof length);
  if (length > most_message_bytes) {
    throw Error(fmt::format("a compile worker announced a message of {} bytes", length));
  }
  return message_header_bytes + length;
}

}  // namespace redtune::tuner
