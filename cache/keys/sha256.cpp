// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/keys/sha256.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>

#include "cache/keys/sha256_compress.hpp"

namespace redtune::cache {
namespace {

constexpr std::size_t chunk_bytes = 64;

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

/// FIPS 180-4, 6.2.2 step 1, in place: word t takes the room of word t - 16.
std::uint32_t next_word(std::array<std::uint32_t, 16>& w, std::size_t t) {
  const std::uint32_t a = w[(t + 1) % 16];
  const std::uint32_t b = w[(t + 14) % 16];
  const std::uint32_t sigma0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3);
  const std::uint32_t sigma1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10);
  return w[t % 16] += sigma0 + w[(t + 9) % 16] + sigma1;
}

/// FIPS 180-4, 6.2.2 step 3 without moving the eight variables: round t finds them t places on.
template <std::size_t t>
void do_round(Sha256State& s, std::array<std::uint32_t, 16>& w) {
  const auto at = [&](std::size_t i) -> std::uint32_t& { return s[(i - t) % 8]; };
  const std::uint32_t a = at(64);
  const std::uint32_t e = at(68);
  const std::uint32_t word = t < 16 ? w[t % 16] : next_word(w, t);
  const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
  const std::uint32_t choice = at(70) ^ (e & (at(69) ^ at(70)));
  const std::uint32_t t1 = at(71) + sum1 + choice + sha256_constants[t] + word;
  const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
  const std::uint32_t majority = (a & at(65)) | (at(66) & (a | at(65)));
  at(67) += t1;
  at(71) = t1 + sum0 + majority;
}

void compress_portable(Sha256State& state, const unsigned char* block) {
  std::array<std::uint32_t, 16> w{};
  for (std::size_t t = 0; t < w.size(); ++t) w[t] = big_endian(block + 4 * t);
  Sha256State s = state;
  [&]<std::size_t... t>(std::index_sequence<t...>) {
    (do_round<t>(s, w), ...);
  }
  (std::make_index_sequence<64>{});
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += s[i];
}

}  // namespace

Sha256Engine best_sha256_engine() {
  static const Sha256Engine best =
      has_sha256_instructions() ? Sha256Engine::instructions : Sha256Engine::portable;
  return best;
}

void Sha256::compress(const unsigned char* blocks, std::size_t count) {
  if (engine_ == Sha256Engine::instructions) {
    compress_with_instructions(state_, blocks, count);
    return;
  }
  for (; count > 0; --count, blocks += chunk_bytes) compress_portable(state_, blocks);
}

Sha256& Sha256::update(std::string_view bytes) {
  total_bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (pending_size_ == 0 && bytes.size() >= chunk_bytes) {
      const std::size_t whole = bytes.size() / chunk_bytes;
      compress(reinterpret_cast<const unsigned char*>(bytes.data()), whole);
      bytes.remove_prefix(whole * chunk_bytes);
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), pending_.size() - pending_size_);
    std::copy_n(bytes.begin(), taken,
                pending_.begin() + static_cast<std::ptrdiff_t>(pending_size_));
    pending_size_ += taken;
    bytes.remove_prefix(taken);
    if (pending_size_ == pending_.size()) {
      compress(pending_.data(), 1);
      pending_size_ = 0;
    }
  }
  return *this;
}

Digest Sha256::digest() {
  const std::uint64_t bits = total_bytes_ * 8;
  std::array<char, chunk_bytes + 8> padding{'\x80'};
  const std::size_t used = total_bytes_ % chunk_bytes;
  const std::size_t zeros_end = used < 56 ? 56 - used : 120 - used;
  for (std::size_t i = 0; i < 8; ++i) {
    padding[zeros_end + i] = static_cast<char>(bits >> (56 - 8 * i) & 0xff);
  }
  update({padding.data(), zeros_end + 8});
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<unsigned char>(state_[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

std::string Sha256::hex() {
  std::string text;
  for (const unsigned char byte : digest()) {
    fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  return Sha256{}.update(bytes).hex();
}

Digest sha256(std::string_view bytes) {
  return Sha256{}.update(bytes).digest();
}

}  // namespace redtune::cache
