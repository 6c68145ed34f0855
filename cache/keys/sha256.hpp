// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// SHA-256 (FIPS 180-4): names what is stored by its content, and finds damaged snapshots.
// Processors with instructions for it use them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace redtune::cache {

using Digest = std::array<unsigned char, 32>;

/// How the work is done; the digests are the same.
enum class Sha256Engine { portable, instructions };

/// Whether this processor has instructions for it.
[[nodiscard]] Sha256Engine best_sha256_engine();

/// Feed it pieces in any grouping; the digest depends on their concatenation only.
class Sha256 {
 public:
  explicit Sha256(Sha256Engine engine = best_sha256_engine()) : engine_(engine) {}
  Sha256& update(std::string_view bytes);
  /// Ends this object's life: update no more.
  [[nodiscard]] Digest digest();
  /// The digest as 64 lower-case hexadecimal digits. Ends this object's life: update no more.
  [[nodiscard]] std::string hex();

 private:
  void compress(const unsigned char* blocks, std::size_t count);

  Sha256Engine engine_;
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_bytes_ = 0;
};

[[nodiscard]] std::string sha256_hex(std::string_view bytes);
[[nodiscard]] Digest sha256(std::string_view bytes);

}  // namespace redtune::cache
