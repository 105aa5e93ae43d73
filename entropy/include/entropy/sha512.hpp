/// \file
/// SHA-512 and HMAC-SHA-512 of the provider that OpenSSL's configuration names: what conditioner
/// and seeds are made with, and what a laboratory examines with published vectors.
///
/// Standards: FIPS 180-4, FIPS 198-1. Errors: crypto_failed.
/// Threads:   stateless. Secrecy: the state lies in secret memory and is wiped with it; messages,
///            keys and digests may be secret.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

/// 64 bytes: the digest of the parts, one behind the other.
[[nodiscard]] Result<SecretBytes> sha512(std::span<const ByteView> parts);
/// 64 bytes; a key above a block (128 bytes) is hashed first, as FIPS 198-1 section 4 has it.
[[nodiscard]] Result<SecretBytes> hmac_sha512(ByteView key, std::span<const ByteView> parts);

}  // namespace talla::entropy
