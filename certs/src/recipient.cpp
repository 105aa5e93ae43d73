#include "recipient.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>

#include <algorithm>
#include <array>

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
  const bool same = length > 0 && ByteView(again, static_cast<std::size_t>(length)).size() == spki.size() &&
                    std::equal(spki.begin(), spki.end(), again);
  OPENSSL_free(again);
  if (!same) return refused();
  const PkeyContext check(EVP_PKEY_CTX_new(key.get(), nullptr));
  if (!check || EVP_PKEY_public_check(check.get()) != 1) return refused();
  return key;
}

Result<Bytes> public_point(EVP_PKEY& key) {
  Bytes point(ephemeral_bytes);
  std::size_t size = 0;
  const bool done =
      EVP_PKEY_get_octet_string_param(&key, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size(), &size) == 1;
  if (!done || size != ephemeral_bytes || point.front() != 4) return crypto_fail("ephemeral key");
  return point;
}

/// The x coordinate of the shared point.
Result<SecretBytes> agree(EVP_PKEY& own, EVP_PKEY& peer) {
  const PkeyContext context(EVP_PKEY_CTX_new(&own, nullptr));
  if (!context || EVP_PKEY_derive_init(context.get()) != 1) return crypto_fail("ECDH");
  if (EVP_PKEY_derive_set_peer(context.get(), &peer) != 1) return crypto_fail("ECDH");
  SecretBytes shared(32);
  std::size_t size = shared.size();
  if (EVP_PKEY_derive(context.get(), shared.data(), &size) != 1 || size != shared.size())
    return crypto_fail("ECDH");
  return shared;
}

}  // namespace

Status check_seat_key(ByteView spki) {
  auto key = parse_spki(spki);
  if (!key) return pass(std::move(key));
  return {};
}

Result<Recipient> Recipient::create(ByteView spki) {
  TALLA_TRY(const PkeyHandle peer, parse_spki(spki));
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
