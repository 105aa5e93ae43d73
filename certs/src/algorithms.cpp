// The algorithms of sealing, covered cards and signatures with keys given as bytes.
#include "certs/algorithms.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "certificates.hpp"
#include "certs/covered.hpp"
#include "key_files.hpp"
#include "openssl_gcm.hpp"
#include "openssl_handles.hpp"
#include "recipient.hpp"

namespace talla::certs {

namespace {

constexpr int coordinate_bytes = 32;
constexpr std::size_t coordinate_size = coordinate_bytes;
constexpr std::size_t hkdf_bytes_max = std::size_t{255} * 32;

using NumberHandle = std::unique_ptr<BIGNUM, Freed<BN_clear_free>>;
using GroupHandle = std::unique_ptr<EC_GROUP, Freed<EC_GROUP_free>>;
using PointHandle = std::unique_ptr<EC_POINT, Freed<EC_POINT_free>>;
using BuildHandle = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using ParamsHandle = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using SignatureHandle = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

Status check_nonce(ByteView nonce) {
  if (nonce.size() == gcm_nonce_bytes) return {};
  return fail(Errc::key_malformed, "a nonce of AES-256-GCM has 12 bytes here");
}

/// The uncompressed public point of a private key; empty for a private key outside [1, order).
Bytes point_of(const BIGNUM& scalar) {
  const GroupHandle group(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  const PointHandle point(group ? EC_POINT_new(group.get()) : nullptr);
  if (!point || BN_is_zero(&scalar) != 0 || BN_cmp(&scalar, EC_GROUP_get0_order(group.get())) >= 0)
    return {};
  if (EC_POINT_mul(group.get(), point.get(), &scalar, nullptr, nullptr, nullptr) != 1) return {};
  Bytes out(1 + 2 * coordinate_size);
  const std::size_t size = EC_POINT_point2oct(
      group.get(), point.get(), POINT_CONVERSION_UNCOMPRESSED, out.data(), out.size(), nullptr);
  return size == out.size() ? out : Bytes{};
}

/// One number of a key, in 32 bytes.
Status key_number(EVP_PKEY& key, const char* name, std::span<std::uint8_t> out) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(&key, name, &number) != 1) return crypto_fail("P-256 number");
  const NumberHandle owned(number);
  if (BN_bn2binpad(number, out.data(), coordinate_bytes) != coordinate_bytes)
    return crypto_fail("P-256 number");
  return {};
}

PkeyHandle pkey_of(const BIGNUM& scalar, const Bytes& point) {
  const BuildHandle build(OSSL_PARAM_BLD_new());
  const bool good =
      build &&
      OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1 &&
      OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) == 1 &&
      OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_PRIV_KEY, &scalar) == 1;
  const ParamsHandle params(good ? OSSL_PARAM_BLD_to_param(build.get()) : nullptr);
  const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  if (!params || !context || EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
  EVP_PKEY* key = nullptr;
  if (EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, params.get()) != 1) return nullptr;
  return PkeyHandle(key);
}

}  // namespace

Result<Bytes> gcm_encrypt(const Secret32& key, const GcmContext& context, ByteView plain) {
  TALLA_TRY_STATUS(check_nonce(context.nonce));
  Bytes out(plain.size() + gcm_tag_bytes);
  const bool done = run_gcm(key, {.sealing = true,
                                  .nonce = context.nonce,
                                  .data = context.data,
                                  .input = plain,
                                  .output = out.data(),
                                  .tag = out.data() + plain.size()});
  if (!done) return crypto_fail("AES-256-GCM");
  return out;
}

Result<SecretBytes> gcm_decrypt(const Secret32& key, const GcmContext& context, ByteView sealed) {
  TALLA_TRY_STATUS(check_nonce(context.nonce));
  if (sealed.size() < gcm_tag_bytes)
    return fail(Errc::key_malformed, "fewer bytes than a tag of AES-256-GCM has");
  const ByteView ciphertext = sealed.first(sealed.size() - gcm_tag_bytes);
  std::array<std::uint8_t, gcm_tag_bytes> tag{};
  std::ranges::copy(sealed.last(gcm_tag_bytes), tag.begin());
  SecretBytes plain(ciphertext.size());
  const bool done = run_gcm(key, {.sealing = false,
                                  .nonce = context.nonce,
                                  .data = context.data,
                                  .input = ciphertext,
                                  .output = plain.data(),
                                  .tag = tag.data()});
  if (!done) return crypto_fail("AES-256-GCM: the tag does not fit");
  return plain;
}

Result<SecretBytes> hkdf_bytes(const SecretBytes& input, const Bytes& info, std::size_t bytes) {
  if (bytes == 0 || bytes > hkdf_bytes_max)
    return fail(Errc::key_malformed, "HKDF-SHA-256 gives 1 to 8160 bytes");
  SecretBytes out(bytes);
  TALLA_TRY_STATUS(hkdf_sha256(input, info, std::span<std::uint8_t>(out)));
  return out;
}

Bytes p256_spki(ByteView x, ByteView y) {
  // RFC 5480: SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING of 0x04 || x || y }.
  constexpr std::array<std::uint8_t, 27> head{0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                              0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                              0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
  if (x.size() != coordinate_size || y.size() != coordinate_size) return {};
  Bytes out(head.begin(), head.end());
  out.insert(out.end(), x.begin(), x.end());
  out.insert(out.end(), y.begin(), y.end());
  return out;
}

struct P256Pair::Key {
  PkeyHandle pkey;
};

P256Pair::P256Pair(std::unique_ptr<Key> key) : key_(std::move(key)) {}
P256Pair::P256Pair(P256Pair&&) noexcept = default;
P256Pair& P256Pair::operator=(P256Pair&&) noexcept = default;
P256Pair::~P256Pair() = default;

Result<P256Pair> P256Pair::make() {
  TALLA_TRY(PkeyHandle pkey, generate_p256());
  return P256Pair(std::make_unique<Key>(Key{std::move(pkey)}));
}

Result<P256Pair> P256Pair::of(ByteView private_key) {
  const SecretScope secret;
  if (private_key.size() != coordinate_size)
    return fail(Errc::key_malformed, "a private key on P-256 has 32 bytes");
  const NumberHandle scalar(BN_bin2bn(private_key.data(), coordinate_bytes, nullptr));
  if (!scalar) return crypto_fail("P-256 private key");
  const Bytes point = point_of(*scalar);
  if (point.empty())
    return fail(Errc::key_malformed, "a private key on P-256 lies from 1 to below the order");
  PkeyHandle pkey = pkey_of(*scalar, point);
  if (!pkey) return crypto_fail("P-256 private key");
  return P256Pair(std::make_unique<Key>(Key{std::move(pkey)}));
}

Result<Bytes> P256Pair::coordinate(const char* name) const {
  Bytes out(coordinate_size);
  TALLA_TRY_STATUS(key_number(*key_->pkey, name, out));
  return out;
}

Result<Bytes> P256Pair::x() const {
  return coordinate(OSSL_PKEY_PARAM_EC_PUB_X);
}
Result<Bytes> P256Pair::y() const {
  return coordinate(OSSL_PKEY_PARAM_EC_PUB_Y);
}

Result<SecretBytes> P256Pair::private_key() const {
  const SecretScope secret;
  SecretBytes out(coordinate_size);
  TALLA_TRY_STATUS(key_number(*key_->pkey, OSSL_PKEY_PARAM_PRIV_KEY, {out.data(), out.size()}));
  return out;
}

Result<SignatureP256> P256Pair::sign(ByteView message) const {
  const SecretScope secret;
  TALLA_TRY(const Bytes der, sign_ecdsa(*key_->pkey, message));
  const unsigned char* at = der.data();
  const SignatureHandle pair(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  SignatureP256 out{};
  if (!pair ||
      BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out.data(), coordinate_bytes) !=
          coordinate_bytes ||
      BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out.data() + coordinate_size, coordinate_bytes) !=
          coordinate_bytes) {
    return crypto_fail("ECDSA signature");
  }
  return out;
}

Result<SecretBytes> P256Pair::agreed(ByteView peer_spki) const {
  TALLA_TRY_STATUS(check_seat_key(peer_spki));
  const unsigned char* at = peer_spki.data();
  const PkeyHandle peer(d2i_PUBKEY(nullptr, &at, static_cast<long>(peer_spki.size())));
  if (!peer) return crypto_fail("a peer's key");
  return agree(*key_->pkey, *peer);
}

Result<SecretBytes> make_ed25519_private_key() {
  TALLA_TRY(const PkeyHandle pkey, generate_ed25519());
  const SecretScope secret;
  SecretBytes out(32);
  std::size_t size = out.size();
  if (EVP_PKEY_get_raw_private_key(pkey.get(), out.data(), &size) != 1 || size != out.size())
    return crypto_fail("Ed25519 private key");
  return out;
}

}  // namespace talla::certs
