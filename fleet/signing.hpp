// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Signatures of exported documents: Ed25519, by libsodium. Who may sign for a machine is said by
// the keys in a folder that only root, or the user, can change.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/key_folder.hpp"
#include "fleet/store.hpp"

namespace redtune::fleet {

/// Signs, from a file that 'redtune fleet key' made.
class SigningKey {
 public:
  /// Throws UsageError for a file that is no secret key, or that others can read.
  explicit SigningKey(const std::filesystem::path& file);
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;
  ~SigningKey();

  [[nodiscard]] Signature sign(const std::string& document) const;
  /// In hexadecimal digits.
  [[nodiscard]] const std::string& public_key() const { return public_; }

 private:
  std::string secret_;
  std::string public_;
};

/// Makes a pair of keys: the secret one in a file that only its owner can read, the public one
/// beside it with ".pub" appended. Neither may be there. Returns the public key.
std::string make_key_files(const std::filesystem::path& file);

/// What a signature says of a document.
enum class Signed { by_allowed_key, by_other_key, not_at_all, falsely };

/// Whom a machine believes.
class AllowedKeys {
 public:
  /// Where they lie unless somebody says otherwise.
  static constexpr const char* usual_folder = "/etc/redtune/keys";

  /// Reads the key_files of a folder. Throws what that throws, and UsageError for a file that is no
  /// public key.
  explicit AllowedKeys(const std::filesystem::path& folder = usual_folder,
                       Keys keys = Keys::may_be_missing);

  [[nodiscard]] bool is_empty() const { return keys_.empty(); }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  /// Another text for other keys.
  [[nodiscard]] std::string fingerprint() const;
  [[nodiscard]] Signed judge(const std::string& document, const Signature& signature) const;

 private:
  std::set<std::string> keys_;
};

/// A signature as a file beside what it signs, and back; nothing for a text that is none.
[[nodiscard]] std::string signature_text(const Signature& signature);
[[nodiscard]] std::optional<Signature> signature_from(const std::string& text);

}  // namespace redtune::fleet
