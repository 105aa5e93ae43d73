// Checks the key of a table and what it signed, with OpenSSL.
#include "certs/call_key.hpp"

#include <openssl/ecdsa.h>

#include <array>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "certs/openssl_hashes.hpp"
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

/// A key that was read, with contexts that are ready to check by it: to make one takes OpenSSL 3.0
/// a tenth of a check. Any number of threads at once, each with a context of its own.
class VerifyingKey {
 public:
  explicit VerifyingKey(PkeyHandle key) : key_(std::move(key)) {}

  [[nodiscard]] bool holds(const Bytes& der, const Digest& hash) {
    PkeyContext context = take();
    const bool holds = context && EVP_PKEY_verify(context.get(), der.data(), der.size(),
                                                  hash.data(), hash.size()) == 1;
    if (holds) keep(std::move(context));
    return holds;
  }

 private:
  static constexpr std::size_t idle_max = 2;

  PkeyContext take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        PkeyContext last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    PkeyContext fresh(EVP_PKEY_CTX_new(key_.get(), nullptr));
    const bool ready = fresh && EVP_PKEY_verify_init(fresh.get()) == 1 &&
                       EVP_PKEY_CTX_set_signature_md(fresh.get(), EVP_sha256()) == 1;
    return ready ? std::move(fresh) : nullptr;
  }
  void keep(PkeyContext context) {
    const std::scoped_lock lock(mutex_);
    if (idle_.size() < idle_max) idle_.push_back(std::move(context));
  }

  PkeyHandle key_;
  std::mutex mutex_;
  std::vector<PkeyContext> idle_;  // mutex_
};

/// The keys that were read, for the signatures of all threads: to read one takes OpenSSL 3.0 longer
/// than to check a signature by it.
class CallKeys {
 public:
  /// Null for anything but a key on P-256.
  std::shared_ptr<VerifyingKey> get(ByteView spki) {
    const std::string name(as_text(spki));
    if (auto known = find(name)) return known;
    PkeyHandle key = call_key_of(spki);
    if (!key) return nullptr;
    const std::unique_lock lock(mutex_);
    if (keys_.size() == keys_max) keys_.clear();
    return keys_.try_emplace(name, std::make_shared<VerifyingKey>(std::move(key))).first->second;
  }

 private:
  static constexpr std::size_t keys_max = 8192;  // some 20 MB; beyond it the keys are read anew

  std::shared_ptr<VerifyingKey> find(const std::string& name) {
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(name);
    return found == keys_.end() ? nullptr : found->second;
  }

  std::shared_mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<VerifyingKey>> keys_;
};

std::shared_ptr<VerifyingKey> known_call_key(ByteView spki) {
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
  const auto key = known_call_key(spki);
  const Bytes der = der_of(signature);
  const bool holds =
      key != nullptr && !der.empty() && key->holds(der, OpensslHashes().sha256({statement}));
  if (!holds) static_cast<void>(crypto_fail("a table's signature"));
  return holds;
}

}  // namespace talla::certs
