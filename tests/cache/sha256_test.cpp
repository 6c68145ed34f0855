// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The examples of FIPS 180-4 as published by NIST, and the edges of the padding.
#include "cache/keys/sha256.hpp"

#include <gtest/gtest.h>

namespace redtune::cache {
namespace {

/// Both ways where the processor has both, else the portable one twice.
class Sha256By : public ::testing::TestWithParam<Sha256Engine> {
 protected:
  static std::string sha256_hex(std::string_view bytes) {
    return Sha256{engine()}.update(bytes).hex();
  }
  static Sha256Engine engine() {
    return GetParam() == Sha256Engine::portable ? GetParam() : best_sha256_engine();
  }
};

TEST_P(Sha256By, GivesTheDigestsThatTheStandardPublishes) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sha256_hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklm"
                 "nopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_P(Sha256By, DoesNotDependOnHowTheBytesAreGrouped) {
  for (std::size_t size = 0; size <= 130; ++size) {  // over both sides of one and two blocks
    const std::string text(size, 'x');
    Sha256 by_bytes(engine());
    for (const char c : text) by_bytes.update(std::string_view(&c, 1));
    EXPECT_EQ(by_bytes.hex(), sha256_hex(text)) << size;
  }
}

TEST_P(Sha256By, AgreesWithThePortableWayForTextsOfAllBytes) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += static_cast<char>(i * 37 + i / 256);
    EXPECT_EQ(sha256_hex(text), Sha256{Sha256Engine::portable}.update(text).hex());
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Sha256By,
                         ::testing::Values(Sha256Engine::portable, Sha256Engine::instructions));

}  // namespace
}  // namespace redtune::cache
