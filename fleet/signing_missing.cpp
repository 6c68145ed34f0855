// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Of a build without libsodium: nothing is signed, and where keys are allowed nothing is believed.
#include "fleet/signing.hpp"

namespace redtune::fleet {
namespace {

[[noreturn]] void refuse_without_sodium() {
  throw UsageError(
      "this redtune was built without libsodium, so it knows no signatures; on Debian install "
      "libsodium-dev and build it again");
}

}  // namespace

SigningKey::SigningKey(const std::filesystem::path& /*file*/) {
  refuse_without_sodium();
}

SigningKey::~SigningKey() = default;

Signature SigningKey::sign(const std::string& /*document*/) const {
  refuse_without_sodium();
}

std::string make_key_files(const std::filesystem::path& /*file*/) {
  refuse_without_sodium();
}

AllowedKeys::AllowedKeys(const std::filesystem::path& folder, Keys keys) {
  if (!key_files(folder, keys).empty()) refuse_without_sodium();
}

std::string AllowedKeys::fingerprint() const {
  return {};
}

Signed AllowedKeys::judge(const std::string& /*document*/, const Signature& signature) const {
  return signature.is_there() ? Signed::by_other_key : Signed::not_at_all;
}

std::string signature_text(const Signature& /*signature*/) {
  return {};
}

std::optional<Signature> signature_from(const std::string& /*text*/) {
  refuse_without_sodium();
}

}  // namespace redtune::fleet
