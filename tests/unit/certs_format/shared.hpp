// Goal: what several tests of the format use: hashes, digests of one byte, the public vectors of
//   transparency logs.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/bytes.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::certs {

inline const test::OpenSslHashes hashes;
inline const std::filesystem::path tlog_vectors =
    std::filesystem::path(TALLA_SOURCE_DIR) / "../shared/vectors/tlog";

[[nodiscard]] inline Digest filled(std::uint8_t value) {
  Digest digest{};
  digest.fill(value);
  return digest;
}

[[nodiscard]] inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace talla::certs
