#include "recipient.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "certs/covered.hpp"
#include "openssl_gcm.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

constexpr std::size_t spki_bytes_max = 512;

Result<PkeyHandle> parse_spki(ByteView spki) {
  const auto refused = [] {
    return fail(Errc::key_malformed, "not the SubjectPublicKeyInfo (DER) of a P-256 key");
  };
  if (spki.empty() || spki.size() > spki_bytes_max) return refused();
  const std::uint8_t* at = spki.data();
  PkeyHandle key(d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size())));
  if (!key || at != spki.data() + spki.size()) return refused();
  std::array<char, 32> group{};
  std::size_t size = 0;
  if (EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), &size) != 1) return refused();
  if (std::string_view(group.data(), size) != SN_X9_62_prime256v1) return refused();
  unsigned char* again = nullptr;
  const int length = i2d_PUBKEY(key.get(), &again);
  const bool same = length > 0 &&
                    ByteView(again, static_cast<std::size_t>(length)).size() == spki.size() &&
                    std::equal(spki.begin(), spki.end(), again);
  OPENSSL_free(again);
  if (!same) return refused();
  const PkeyContext check(EVP_PKEY_CTX_new(key.get(), nullptr));
  if (!check || EVP_PKEY_public_check(check.get()) != 1) return refused();
  return key;
}

/// Keys that were parsed and checked already: a seat's key comes again with each of its cards, and
/// to check it takes twice as long as to encrypt. Public keys only.
class CheckedKeys {
 public:
  static Result<PkeyHandle> key(ByteView spki) {
    static CheckedKeys keys;
    return keys.find(Bytes(spki.begin(), spki.end()));
  }

 private:
  static constexpr std::size_t kept = 256;

  Result<PkeyHandle> find(Bytes spki) {
    const std::scoped_lock lock(mutex_);
    auto known = keys_.find(spki);
    if (known == keys_.end()) {
      TALLA_TRY(PkeyHandle key, parse_spki(spki));
      if (keys_.size() >= kept) keys_.clear();
      known = keys_.emplace(std::move(spki), std::move(key)).first;
    }
    if (EVP_PKEY_up_ref(known->second.get()) != 1) return crypto_fail("a key once more");
    return PkeyHandle(known->second.get());
  }

  std::mutex mutex_;
  std::map<Bytes, PkeyHandle> keys_;  // mutex_
};

Result<Bytes> public_point(EVP_PKEY& key) {
  Bytes point(ephemeral_bytes);
  std::size_t size = 0;
  const bool done = EVP_PKEY_get_octet_string_param(&key, OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                                    point.size(), &size) == 1;
  if (!done || size != ephemeral_bytes || point.front() != 4) return crypto_fail("ephemeral key");
  return point;
}

}  // namespace

Result<SecretBytes> agree(EVP_PKEY& own, EVP_PKEY& peer) {
  const SecretScope secret;
  const PkeyContext context(EVP_PKEY_CTX_new(&own, nullptr));
  if (!context || EVP_PKEY_derive_init(context.get()) != 1) return crypto_fail("ECDH");
  if (EVP_PKEY_derive_set_peer_ex(context.get(), &peer, 0) != 1) return crypto_fail("ECDH");
  SecretBytes shared(32);
  std::size_t size = shared.size();
  if (EVP_PKEY_derive(context.get(), shared.data(), &size) != 1 || size != shared.size())
    return crypto_fail("ECDH");
  return shared;
}

Status check_seat_key(ByteView spki) {
  auto key = parse_spki(spki);
  if (!key) return pass(std::move(key));
  return {};
}

Result<Recipient> Recipient::create(ByteView spki) {
  TALLA_TRY(const PkeyHandle peer, CheckedKeys::key(spki));
  const SecretScope secret;
  const PkeyHandle ephemeral(EVP_EC_gen("P-256"));
  if (!ephemeral) return crypto_fail("ephemeral key");
  TALLA_TRY(Bytes point, public_point(*ephemeral));
  TALLA_TRY(SecretBytes shared, agree(*ephemeral, *peer));
  return Recipient(std::move(point), std::move(shared));
}

Status Recipient::seal(const Bytes& info, std::span<const std::uint8_t> plain, Bytes& out) const {
  Secret32 key;
  TALLA_TRY_STATUS(hkdf_sha256(shared_, info, key));
  const std::size_t at = out.size();
  out.resize(at + plain.size() + covered_tag_bytes);
  const std::array<std::uint8_t, covered_nonce_bytes> nonce{};
  const bool done = run_gcm(key, {.sealing = true,
                                  .nonce = nonce,
                                  .data = info,
                                  .input = plain,
                                  .output = out.data() + at,
                                  .tag = out.data() + at + plain.size()});
  if (!done) return crypto_fail("a message to one key");
  return {};
}

}  // namespace talla::certs
