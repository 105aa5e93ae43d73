/// \file
/// The log's Ed25519 key as a software key of OpenSSL: signs checkpoints.
///
/// Standard: RFC 8032 (pure Ed25519: deterministic, so a checkpoint is a pure function of its
///           text).
/// Errors:   key_file_missing, key_file_open, key_malformed, crypto_failed.
/// Threads:  one signer belongs to one thread. Secrecy: the key stays inside OpenSSL.
#pragma once

#include <memory>
#include <string>

#include "base/secret.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

/// Loads a PKCS#8 PEM file; refuses one that group or others can read.
[[nodiscard]] Result<std::unique_ptr<Ed25519Signer>> load_log_signer(const std::string& pem_path);
/// Makes a fresh Ed25519 key as a PKCS#8 PEM file of mode 0600; refuses to replace one
/// (key_exists).
[[nodiscard]] Status create_ed25519_key(const std::string& pem_path);
/// From PKCS#8 PEM; `name` stands in errors.
[[nodiscard]] Result<std::unique_ptr<Ed25519Signer>> parse_log_signer(const SecretBytes& pem,
                                                                      const std::string& name);
/// From the 32 bytes of RFC 8032 section 5.1.5; for tests and benches.
[[nodiscard]] Result<std::unique_ptr<Ed25519Signer>> make_log_signer(
    std::span<const std::uint8_t, 32> private_key);

}  // namespace talla::certs
