// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Messages between the tuner and the worker that owns a device.
#include <cstring>

#include "tests/fuzz/targets.hpp"
#include "tuner/worker/frame.hpp"

namespace redtune::fuzz {
namespace {

/// What no frame_of writes.
std::string frame_of_bytes(const std::string& bytes) {
  std::string frame = tuner::frame_of(nlohmann::json::object());
  const std::uint64_t count = bytes.size();
  frame.resize(16);
  std::memcpy(frame.data() + 8, &count, sizeof count);
  return frame + bytes;
}

}  // namespace

void read_worker_frame(std::string_view bytes) {
  const auto read = [&](char* to, std::size_t count) {
    if (count > bytes.size()) throw Error("the channel is closed");
    std::memcpy(to, bytes.data(), count);
    bytes.remove_prefix(count);
  };
  try {
    const nlohmann::json document = tuner::read_frame(read);
    promise(document.is_object(), "a message is an object");
  } catch (const Error&) {  // refused, as it should be
  }
}

std::vector<std::string> worker_frame_samples() {
  return {tuner::frame_of({{"do", "sample"}, {"order", {3, 100, 0}}}),
          tuner::frame_of({{"ok", {{"time", {1.5, 2.5}}, {"executions", 7}}}}),
          tuner::frame_of({{"error", {{"text", "no \xff UTF-8"}, {"mishap", 2}}}}),
          frame_of_bytes("\x9b\x7f" + std::string(7, '\xff')),
          frame_of_bytes("\xbb\x7f" + std::string(7, '\xff')),
          frame_of_bytes(std::string(200'000, '\x81'))};
}

}  // namespace redtune::fuzz
