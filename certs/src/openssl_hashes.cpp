#include "certs/openssl_hashes.hpp"

#include <openssl/sha.h>

#include <algorithm>

#include "base/secret.hpp"

// The one-shot interface of OpenSSL 3 fetches and allocates for each message; hashing 60-byte leaves would
// spend most of its time there. The low-level functions are the same code underneath.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace talla::certs {

namespace {

constexpr std::size_t block_bytes = 64;

Digest finish(SHA256_CTX& context) {
  Digest digest;
  SHA256_Final(digest.data(), &context);
  return digest;
}

void feed(SHA256_CTX& context, std::initializer_list<ByteView> parts) {
  for (const ByteView part : parts) SHA256_Update(&context, part.data(), part.size());
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
    feed(context, parts);
    const Digest inner = finish(context);
    context = outer_;
    SHA256_Update(&context, inner.data(), inner.size());
    return finish(context);
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
  feed(context, parts);
  return finish(context);
}

std::unique_ptr<HmacKey> OpensslHashes::hmac_key(ByteView key) const {
  return std::make_unique<OpensslHmacKey>(key);
}

}  // namespace talla::certs
