// Checks signatures of P-256 keys, with Botan.
#include "p256.hpp"

#include <botan/ec_group.h>
#include <botan/ecdsa.h>
#include <botan/pubkey.h>
#include <botan/x509_key.h>
#include <botan/x509cert.h>

#include <algorithm>
#include <exception>

#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {

struct P256Key::Key {
  std::unique_ptr<Botan::Public_Key> ecdsa;
};

P256Key::P256Key(std::unique_ptr<const Key> key) : key_(std::move(key)) {}
P256Key::P256Key(P256Key&&) noexcept = default;
P256Key& P256Key::operator=(P256Key&&) noexcept = default;
P256Key::~P256Key() = default;

std::optional<P256Key> P256Key::parse(ByteView spki) {
  try {
    std::unique_ptr<Botan::Public_Key> any(
        Botan::X509::load_key(std::vector<std::uint8_t>(spki.begin(), spki.end())));
    const auto* ec = dynamic_cast<const Botan::ECDSA_PublicKey*>(any.get());
    if (ec == nullptr || ec->domain().get_curve_oid() != Botan::OID::from_string("secp256r1"))
      return std::nullopt;
    const auto again = any->subject_public_key();
    if (!std::equal(again.begin(), again.end(), spki.begin(), spki.end())) return std::nullopt;
    return P256Key(std::make_unique<const Key>(Key{std::move(any)}));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool P256Key::has_signed(ByteView statement, const SignatureP256& signature) const {
  try {
    Botan::PK_Verifier verifier(*key_->ecdsa, "EMSA1(SHA-256)", Botan::IEEE_1363);
    return verifier.verify_message(statement.data(), statement.size(), signature.data(),
                                   signature.size());
  } catch (const std::exception&) {
    return false;
  }
}

std::optional<Digest> own_key_of(std::string_view text) {
  if (const auto digest = digest_from_hex(text)) return *digest;
  try {
    const ByteView bytes = as_bytes(text);
    const std::unique_ptr<Botan::Public_Key> key(
        Botan::X509::load_key(std::vector<std::uint8_t>(bytes.begin(), bytes.end())));
    const auto spki = key->subject_public_key();
    if (!P256Key::parse(spki)) return std::nullopt;
    return BotanHashes().sha256({spki});
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool certifies(ByteView certificate, ByteView spki) {
  try {
    const std::vector<std::uint8_t> der(certificate.begin(), certificate.end());
    const Botan::X509_Certificate parsed(der);
    const auto& key = parsed.subject_public_key_info();
    return parsed.BER_encode() == der &&
           std::equal(key.begin(), key.end(), spki.begin(), spki.end());
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace talla::certs
