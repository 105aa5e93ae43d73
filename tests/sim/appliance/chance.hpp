/// \file
/// Everything that OpenSSL draws at random in this process comes from a seed: keys, certificates'
/// numbers, nonces, keys of one encryption. Botan's signatures have their nonces by RFC 6979, and
/// Ed25519 needs none. So a seed repeats a life, byte for byte.
/// Secrecy: none is left; for tests alone. Threads: one.
#pragma once

#include <cstdint>
#include <string_view>

namespace talla::sim {

/// From here on.
void draw_from(std::uint64_t seed);

/// While it lives, from this name: for keys that many lives share, whichever asks for them first.
class DrawnFrom {
 public:
  explicit DrawnFrom(std::string_view name);
  ~DrawnFrom();
  DrawnFrom(const DrawnFrom&) = delete;
  DrawnFrom& operator=(const DrawnFrom&) = delete;

 private:
  std::uint64_t before_;
};

}  // namespace talla::sim
