#include "certs/openssl_hashes.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/secret.hpp"

// The one-shot interface of OpenSSL 3 fetches and allocates for each message; hashing 60-byte
// leaves would spend most of its time there. The low-level functions are the same code underneath.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static_assert(std::endian::native == std::endian::little, "state_bytes swaps");

namespace talla::certs {

namespace {

constexpr std::size_t block_bytes = 64;
/// Messages of up to so many blocks are padded here and go in one step: leaves, nodes and salts are
/// that short, and the streaming interface would take a third of their time.
constexpr std::size_t short_blocks = 3;
constexpr std::size_t short_bytes =
    short_blocks * block_bytes - 9;  // 0x80 and the length are added

std::size_t total_of(std::initializer_list<ByteView> parts) {
  std::size_t total = 0;
  for (const ByteView part : parts) total += part.size();
  return total;
}

Digest digest_of_state(const SHA256_CTX& context) {
  Digest digest;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint32_t word = __builtin_bswap32(context.h[i]);
    std::memcpy(digest.data() + 4 * i, &word, sizeof(word));
  }
  return digest;
}

/// Ends a hash whose state has taken `before` bytes (whole blocks) with a short message.
Digest finish_short(SHA256_CTX& context, std::uint64_t before,
                    std::initializer_list<ByteView> parts) {
  std::array<std::uint8_t, short_blocks * block_bytes>
      padded;  // NOLINT: every byte hashed is written below
  std::size_t size = 0;
  for (const ByteView part : parts) {
    if (!part.empty()) std::memcpy(padded.data() + size, part.data(), part.size());
    size += part.size();
  }
  const std::size_t blocks = (size + 9 + block_bytes - 1) / block_bytes;
  const std::uint64_t bits = __builtin_bswap64((before + size) * 8);
  std::memset(padded.data() + size, 0, blocks * block_bytes - size);
  padded[size] = 0x80;
  std::memcpy(padded.data() + blocks * block_bytes - sizeof(bits), &bits, sizeof(bits));
  SHA256_Update(&context, padded.data(),
                blocks * block_bytes);  // whole blocks: straight to the compression
  return digest_of_state(context);
}

/// Ends a hash at a block boundary with a message of any length.
Digest finish(SHA256_CTX& context, std::uint64_t before, std::initializer_list<ByteView> parts) {
  if (total_of(parts) <= short_bytes) return finish_short(context, before, parts);
  for (const ByteView part : parts) SHA256_Update(&context, part.data(), part.size());
  Digest digest;
  SHA256_Final(digest.data(), &context);
  return digest;
}

class OpensslHmacKey final : public HmacKey {
 public:
  explicit OpensslHmacKey(ByteView key) {
    std::array<std::uint8_t, block_bytes> pad{};
    if (key.size() > block_bytes) {
      Digest hashed;
      SHA256(key.data(), key.size(), hashed.data());
      std::copy(hashed.begin(), hashed.end(), pad.begin());
      wipe(hashed.data(), hashed.size());
    } else {
      std::copy(key.begin(), key.end(), pad.begin());
    }
    for (auto& byte : pad) byte ^= 0x36;
    SHA256_Init(&inner_);
    SHA256_Update(&inner_, pad.data(), pad.size());
    for (auto& byte : pad) byte ^= 0x36 ^ 0x5c;
    SHA256_Init(&outer_);
    SHA256_Update(&outer_, pad.data(), pad.size());
    wipe(pad.data(), pad.size());
  }
  ~OpensslHmacKey() override {
    wipe(&inner_, sizeof(inner_));
    wipe(&outer_, sizeof(outer_));
  }
  [[nodiscard]] Digest mac(std::initializer_list<ByteView> parts) const override {
    SHA256_CTX context = inner_;
    const Digest inner = finish(context, block_bytes, parts);
    context = outer_;
    return finish_short(context, block_bytes, {inner});
  }
  OpensslHmacKey(const OpensslHmacKey&) = delete;
  OpensslHmacKey& operator=(const OpensslHmacKey&) = delete;

 private:
  SHA256_CTX inner_{};
  SHA256_CTX outer_{};
};

}  // namespace

Digest OpensslHashes::sha256(std::initializer_list<ByteView> parts) const {
  SHA256_CTX context;
  SHA256_Init(&context);
  return finish(context, 0, parts);
}

std::unique_ptr<HmacKey> OpensslHashes::hmac_key(ByteView key) const {
  return std::make_unique<OpensslHmacKey>(key);
}

}  // namespace talla::certs
