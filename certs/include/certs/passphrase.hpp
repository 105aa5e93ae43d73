/// \file
/// A sealing key from a passphrase: scrypt (RFC 7914) with a salt and costs that are kept in a
/// file.
///
/// The file is canonical JSON:
/// {"check","kdf":"scrypt","n","p","r","salt","type":"talla-passphrase-key","v":1}. scrypt gives 48
/// bytes: the key, and 16 bytes that tell a wrong passphrase at once (an attacker with the ledger
/// has as much in every sealed secret). Costs of a new file: n = 2^17, r = 8, p = 1 (128 MiB for a
/// moment); a file with less than n = 2^15 or r = 8, or more than 1 GiB, is refused.
/// Errors:  key_malformed, key_exists, key_file_missing, seal_refused (another passphrase),
///          crypto_failed.
/// Threads: no shared state. Secrecy: passphrase and key live in secret memory, scrypt's scratch
///          memory in OpenSSL's heap.
#pragma once

#include <string>

#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// At least so many bytes; shorter ones are guessed.
inline constexpr std::size_t passphrase_bytes_min = 16;

/// Writes a new file of parameters with a fresh salt.
[[nodiscard]] Status make_passphrase_key(const std::string& path, const SecretBytes& passphrase);
/// 32 bytes.
[[nodiscard]] Result<SecretBytes> passphrase_key(const std::string& path,
                                                 const SecretBytes& passphrase);

}  // namespace talla::certs
