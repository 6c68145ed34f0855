// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Frames between the tuner and its compile workers, and what of their results is kept on disk.
#include "redtune/error.hpp"
#include "runtime/stored_unit.hpp"
#include "tests/fuzz/targets.hpp"
#include "tuner/compile/compile_frame.hpp"

namespace redtune::fuzz {
namespace {

using namespace tuner;

/// What can be read is the same after it was written and read again.
template <class Decode>
void read_with(const Decode& decode, std::string_view bytes) {
  try {
    const std::string written = encode(decode(bytes));
    promise(encode(decode(written)) == written, "what is written is what is read");
  } catch (const Error&) {  // refused, as it should be
  }
}

}  // namespace

void read_compile_frame(std::string_view bytes) {
  read_with(decode_request, bytes);
  read_with(decode_result, bytes);
  read_with(runtime::decode_stored_unit, bytes);
  try {
    const auto length = message_bytes(bytes);
    promise(length.has_value() == (bytes.size() >= message_header_bytes), "a header is a header");
  } catch (const Error&) {
  }
}

std::vector<std::string> compile_frame_samples() {
  device::CompiledProgram program;
  for (int i = 0; i < 40; ++i) program.binary.push_back(static_cast<std::byte>(i));
  program.kernels = {{"first", {}}, {"second", {.vector_registers = 32, .spills = 0}}};
  return {message_header(40), encode(runtime::StoredUnit{std::string(64, 'a'), program.kernels}),
          encode(device::CompileRequest{"text", {"a<1>", "b"}, "gfx90a:sramecc+"}),
          encode(device::CompileResult(program)),
          encode(device::CompileResult(device::CompileFailure{"error: no \xff UTF-8"}))};
}

}  // namespace redtune::fuzz
