// SHA-256 as FIPS 180-4 has it, word by word.
#include "hashes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace talla::web {
namespace {

constexpr std::size_t block_bytes = 64;
using Block = std::array<std::uint8_t, block_bytes>;

/// Section 4.2.2: the first 32 bits of the cube roots of the first sixty-four primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
 public:
  void update(ByteView bytes) {
    size_bytes_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t taken = std::min(bytes.size(), block_bytes - used_);
      std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<std::ptrdiff_t>(used_));
      used_ += taken;
      bytes = bytes.subspan(taken);
      if (used_ == block_bytes) compress();
    }
  }
  /// Section 5.1.1: a one bit, zeros, and the size in bits at the end of a block.
  Digest finish() {
    ByteWriter size;
    size.u64(size_bytes_ * 8);
    constexpr std::uint8_t one_bit = 0x80;
    update(ByteView(&one_bit, 1));
    constexpr Block zeros{};
    update(ByteView(zeros).first((2 * block_bytes - 8 - used_) % block_bytes));
    update(size.bytes());
    ByteWriter out;
    for (const std::uint32_t word : state_) out.u32(word);
    Digest digest{};
    std::ranges::copy(out.bytes(), digest.begin());
    return digest;
  }

 private:
  /// Section 6.2.2.
  void compress() {
    used_ = 0;
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) w[t] = load_be32(&block_[4 * t]);
    for (std::size_t t = 16; t < w.size(); ++t) {
      const std::uint32_t sigma0 =
          std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3U);
      const std::uint32_t sigma1 =
          std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10U);
      w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < w.size(); ++t) {
      const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
      const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += added[i];
  }

  /// Section 5.3.3: the first 32 bits of the square roots of the first eight primes.
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  Block block_{};
  std::size_t used_ = 0;
  std::uint64_t size_bytes_ = 0;
};

Digest hash_of(std::initializer_list<ByteView> parts) {
  Sha256 hash;
  for (const ByteView part : parts) hash.update(part);
  return hash.finish();
}

class PlainHmac final : public HmacKey {
 public:
  explicit PlainHmac(ByteView key) {
    Block padded{};
    const Digest shortened = key.size() > block_bytes ? hash_of({key}) : Digest{};
    std::ranges::copy(key.size() > block_bytes ? ByteView(shortened) : key, padded.begin());
    inner_.update(pad(padded, 0x36));
    outer_.update(pad(padded, 0x5c));
  }
  [[nodiscard]] Digest mac(std::initializer_list<ByteView> parts) const override {
    Sha256 inner = inner_;
    for (const ByteView part : parts) inner.update(part);
    Sha256 outer = outer_;
    outer.update(inner.finish());
    return outer.finish();
  }

 private:
  static Block pad(Block key, std::uint8_t with) {
    for (std::uint8_t& byte : key) byte ^= with;
    return key;
  }

  Sha256 inner_;
  Sha256 outer_;
};

}  // namespace

Digest PlainHashes::sha256(std::initializer_list<ByteView> parts) const {
  return hash_of(parts);
}

std::unique_ptr<HmacKey> PlainHashes::hmac_key(ByteView key) const {
  return std::make_unique<PlainHmac>(key);
}

}  // namespace talla::web
