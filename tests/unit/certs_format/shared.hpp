// Goal: what several tests of the format use: hashes, digests of one byte, the public vectors of
//   transparency logs.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "support/openssl_hashes.hpp"
#include "support/vectors.hpp"

namespace talla::certs {

inline const test::OpenSslHashes hashes;

[[nodiscard]] inline Digest filled(std::uint8_t value) {
  Digest digest{};
  digest.fill(value);
  return digest;
}

/// A file of the public vectors of transparency logs.
[[nodiscard]] inline std::string tlog_vector(const std::string& path) {
  return test::vector_text("tlog/" + path);
}

}  // namespace talla::certs
