// Signs calls with the key of a table.
#include "verify/call_key.hpp"

#include <botan/data_src.h>
#include <botan/ec_group.h>
#include <botan/ecdsa.h>
#include <botan/pkcs8.h>
#include <botan/pubkey.h>
#include <botan/system_rng.h>

#include <algorithm>
#include <exception>

#include "base/check.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

struct CallKey::Key {
  Botan::ECDSA_PrivateKey ecdsa;
};

CallKey::CallKey(std::unique_ptr<const Key> key, Bytes spki)
    : key_(std::move(key)), spki_(std::move(spki)) {}
CallKey::CallKey(CallKey&&) noexcept = default;
CallKey& CallKey::operator=(CallKey&&) noexcept = default;
CallKey::~CallKey() = default;

Result<CallKey> CallKey::load(std::string_view private_key_pem) {
  try {
    Botan::DataSource_Memory source(reinterpret_cast<const std::uint8_t*>(private_key_pem.data()),
                                    private_key_pem.size());
    const std::unique_ptr<Botan::Private_Key> any(Botan::PKCS8::load_key(source));
    const auto* ec = dynamic_cast<const Botan::EC_PrivateKey*>(any.get());
    if (ec != nullptr && ec->domain() == Botan::EC_Group("secp256r1")) {
      auto key = std::make_unique<const Key>(
          Key{Botan::ECDSA_PrivateKey(Botan::system_rng(), ec->domain(), ec->private_value())});
      const auto spki = key->ecdsa.subject_public_key();
      return CallKey(std::move(key), Bytes(spki.begin(), spki.end()));
    }
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the same refusal
  }
  return fail(VerifyErrc::wrong_statement, "the key is no P-256 private key (PKCS#8 PEM)");
}

SignatureP256 CallKey::sign(ByteView statement) const {
  Botan::PK_Signer signer(key_->ecdsa, Botan::system_rng(), "EMSA1(SHA-256)", Botan::IEEE_1363);
  const auto made = signer.sign_message(statement.data(), statement.size(), Botan::system_rng());
  SignatureP256 signature{};
  TALLA_CHECK(made.size() == signature.size());
  std::copy(made.begin(), made.end(), signature.begin());
  return signature;
}

bool CallKey::has_signed(ByteView statement, const SignatureP256& signature) const {
  Botan::PK_Verifier verifier(key_->ecdsa, "EMSA1(SHA-256)", Botan::IEEE_1363);
  return verifier.verify_message(statement.data(), statement.size(), signature.data(),
                                 signature.size());
}

}  // namespace talla::certs
