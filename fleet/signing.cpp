// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "fleet/signing.hpp"

#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <variant>

#include "cache/files/files.hpp"
#include "cache/keys/sha256.hpp"

namespace redtune::fleet {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view secret_head = "redtune secret key 1\n";
constexpr std::string_view public_head = "redtune public key 1\n";
constexpr std::string_view signature_head = "redtune signature 1\n";
/// Before what is signed, so that no signature for anything else is one of ours.
constexpr std::string_view context = "redtune export 1\n";
constexpr std::size_t most_key_bytes = 4096;

void need_sodium() {
  static const bool is_ready = sodium_init() >= 0;
  if (!is_ready) throw IoError("libsodium has found no source of random numbers");
}

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

/// Exactly so many bytes; nothing for any other text.
std::optional<std::string> bytes_of(std::string_view text, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  const char* end = nullptr;
  if (text.size() != 2 * size ||
      sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), size, text.data(), text.size(),
                     nullptr, &got, &end) != 0 ||
      got != size || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return bytes;
}

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// The line behind the head of a file; nothing for another file.
std::optional<std::string> line_behind(std::string_view text, std::string_view head) {
  if (!text.starts_with(head)) return std::nullopt;
  text.remove_prefix(head.size());
  if (!text.ends_with('\n')) return std::nullopt;
  text.remove_suffix(1);
  return std::string(text);
}

std::string content_of_key(const fs::path& file) {
  const auto read = cache::read_whole(file, most_key_bytes);
  if (const auto* text = std::get_if<std::string>(&read)) return *text;
  throw UsageError(fmt::format("cannot read the key {}: {}", file.string(),
                               std::make_error_code(std::get<std::errc>(read)).message()));
}

/// Into a file that must not be there.
void write_new(const fs::path& file, const std::string& text, mode_t mode) {
  const cache::Descriptor made(
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!made.valid()) {
    const std::string why = std::make_error_code(static_cast<std::errc>(errno)).message();
    throw IoError(fmt::format("cannot make {}: {}", file.string(), why));
  }
  const bool is_whole =
      write(made.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      fsync(made.number()) == 0;
  if (!is_whole) {
    const std::string why = std::make_error_code(static_cast<std::errc>(errno)).message();
    unlink(file.c_str());
    throw IoError(fmt::format("cannot write {}: {}", file.string(), why));
  }
}

std::string message_of(const std::string& document) {
  return std::string(context) + document;
}

}  // namespace

std::string make_key_files(const fs::path& file) {
  need_sodium();
  std::string public_key(crypto_sign_PUBLICKEYBYTES, '\0');
  std::string secret_key(crypto_sign_SECRETKEYBYTES, '\0');
  crypto_sign_keypair(reinterpret_cast<unsigned char*>(public_key.data()),
                      reinterpret_cast<unsigned char*>(secret_key.data()));
  const std::string secret_text = std::string(secret_head) + hex_of(secret_key) + "\n";
  write_new(file, secret_text, 0600);
  try {
    write_new(file.string() + ".pub", std::string(public_head) + hex_of(public_key) + "\n", 0644);
  } catch (const IoError&) {
    unlink(file.c_str());  // made just now, and of no use without the other
    throw;
  }
  sodium_memzero(secret_key.data(), secret_key.size());
  return hex_of(public_key);
}

SigningKey::SigningKey(const fs::path& file) {
  need_sodium();
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw UsageError(fmt::format("the key {} can be read by others (mode {:o}); chmod 0600 it",
                                 file.string(), status.st_mode & 07777));
  }
  const auto line = line_behind(content_of_key(file), secret_head);
  const auto secret = line ? bytes_of(*line, crypto_sign_SECRETKEYBYTES) : std::nullopt;
  if (!secret) {
    throw UsageError(fmt::format(
        "{} is no secret key of redtune; one is made by: redtune fleet key FILE", file.string()));
  }
  secret_ = *secret;
  public_.assign(crypto_sign_PUBLICKEYBYTES, '\0');
  crypto_sign_ed25519_sk_to_pk(reinterpret_cast<unsigned char*>(public_.data()), raw(secret_));
  public_ = hex_of(public_);
}

SigningKey::~SigningKey() {
  sodium_memzero(secret_.data(), secret_.size());
}

Signature SigningKey::sign(const std::string& document) const {
  const std::string message = message_of(document);
  std::string bytes(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(bytes.data()), nullptr, raw(message),
                       message.size(), raw(secret_));
  return {public_, hex_of(bytes)};
}

AllowedKeys::AllowedKeys(const fs::path& folder, Keys keys) {
  need_sodium();
  for (const fs::path& file : key_files(folder, keys)) {
    const auto line = line_behind(content_of_key(file), public_head);
    if (!line || !bytes_of(*line, crypto_sign_PUBLICKEYBYTES)) {
      throw UsageError(fmt::format("{} is no public key of redtune", file.string()));
    }
    keys_.insert(*line);
  }
}

std::string AllowedKeys::fingerprint() const {
  cache::Sha256 hash;
  for (const std::string& key : keys_) hash.update(key);
  return hash.hex();
}

Signed AllowedKeys::judge(const std::string& document, const Signature& signature) const {
  if (!signature.is_there()) return Signed::not_at_all;
  const auto key = bytes_of(signature.signer, crypto_sign_PUBLICKEYBYTES);
  const auto bytes = bytes_of(signature.text, crypto_sign_BYTES);
  const std::string message = message_of(document);
  if (!key || !bytes ||
      crypto_sign_verify_detached(raw(*bytes), raw(message), message.size(), raw(*key)) != 0) {
    return Signed::falsely;
  }
  return keys_.contains(signature.signer) ? Signed::by_allowed_key : Signed::by_other_key;
}

std::string signature_text(const Signature& signature) {
  return fmt::format("{}{} {}\n", signature_head, signature.signer, signature.text);
}

std::optional<Signature> signature_from(const std::string& text) {
  const auto line = line_behind(text, signature_head);
  if (!line) return std::nullopt;
  const auto blank = line->find(' ');
  if (blank == std::string::npos) return std::nullopt;
  Signature signature{line->substr(0, blank), line->substr(blank + 1)};
  const bool is_whole = bytes_of(signature.signer, crypto_sign_PUBLICKEYBYTES) &&
                        bytes_of(signature.text, crypto_sign_BYTES);
  return is_whole ? std::optional(signature) : std::nullopt;
}

}  // namespace redtune::fleet
