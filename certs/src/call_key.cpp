// Checks the key of a table and what it signed, with OpenSSL.
#include "certs/call_key.hpp"

#include <openssl/ecdsa.h>

#include <array>
#include <string_view>

#include "openssl_handles.hpp"

namespace talla::certs {
namespace {

using EcdsaHandle = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

/// Null for anything but a key on P-256.
PkeyHandle call_key_of(ByteView spki) {
  const unsigned char* at = spki.data();
  PkeyHandle key(d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size())));
  std::array<char, 32> group{};
  std::size_t size = 0;
  const bool fits = key && at == spki.data() + spki.size() &&
                    EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), &size) == 1 &&
                    std::string_view(group.data(), size) == SN_X9_62_prime256v1;
  if (fits) return key;
  static_cast<void>(crypto_fail("a table's key"));  // empties OpenSSL's queue
  return nullptr;
}

/// r || s as OpenSSL takes it: a DER sequence of both.
Bytes der_of(const SignatureP256& signature) {
  constexpr int half = 32;
  const EcdsaHandle pair(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(signature.data(), half, nullptr);
  BIGNUM* s = BN_bin2bn(signature.data() + half, half, nullptr);
  if (!pair || ECDSA_SIG_set0(pair.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return {};
  }
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  Bytes out(der, der + size);
  OPENSSL_free(der);
  return out;
}

}  // namespace

Status check_call_key(ByteView spki) {
  if (call_key_of(spki)) return {};
  return fail(Errc::key_malformed, "the key of a table is on P-256");
}

bool call_signature_holds(ByteView spki, ByteView statement, const SignatureP256& signature) {
  const PkeyHandle key = call_key_of(spki);
  const Bytes der = der_of(signature);
  const DigestContext context(EVP_MD_CTX_new());
  const bool holds =
      key && context && !der.empty() &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), der.data(), der.size(), statement.data(), statement.size()) ==
          1;
  if (!holds) static_cast<void>(crypto_fail("a table's signature"));
  return holds;
}

}  // namespace talla::certs
