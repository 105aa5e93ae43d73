// Checks the key of a table and what it signed, with OpenSSL.
#include "certs/call_key.hpp"

#include <openssl/ecdsa.h>

#include <array>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

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

/// The keys that were read, for the signatures of all threads: to read one takes OpenSSL 3.0 longer
/// than to check a signature by it. A key is only looked at, by any number of threads at once.
class CallKeys {
 public:
  /// Null for anything but a key on P-256.
  PkeyHandle get(ByteView spki) {
    const std::string name(as_text(spki));
    if (PkeyHandle known = find(name)) return known;
    PkeyHandle key = call_key_of(spki);
    if (!key) return key;
    const std::unique_lock lock(mutex_);
    if (keys_.size() == keys_max) keys_.clear();
    return shared(keys_.try_emplace(name, std::move(key)).first->second);
  }

 private:
  static constexpr std::size_t keys_max = 8192;  // some 20 MB; beyond it the keys are read anew

  static PkeyHandle shared(const PkeyHandle& key) {
    return PkeyHandle(EVP_PKEY_up_ref(key.get()) == 1 ? key.get() : nullptr);
  }
  PkeyHandle find(const std::string& name) {
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(name);
    return found == keys_.end() ? nullptr : shared(found->second);
  }

  std::shared_mutex mutex_;
  std::unordered_map<std::string, PkeyHandle> keys_;
};

PkeyHandle known_call_key(ByteView spki) {
  static CallKeys keys;
  return keys.get(spki);
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
  if (known_call_key(spki) != nullptr) return {};
  return fail(Errc::key_malformed, "the key of a table is on P-256");
}

bool call_signature_holds(ByteView spki, ByteView statement, const SignatureP256& signature) {
  const PkeyHandle key = known_call_key(spki);
  const Bytes der = der_of(signature);
  const DigestContext context(EVP_MD_CTX_new());
  const bool holds =
      key != nullptr && context && !der.empty() &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), der.data(), der.size(), statement.data(), statement.size()) ==
          1;
  if (!holds) static_cast<void>(crypto_fail("a table's signature"));
  return holds;
}

}  // namespace talla::certs
