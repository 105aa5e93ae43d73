// Contributors whose keys and seeds follow from a text.
#include "panel.hpp"

#include <botan/ecdsa.h>
#include <botan/hmac_drbg.h>
#include <botan/mac.h>
#include <botan/pubkey.h>

#include <algorithm>

#include "base/check.hpp"
#include "format/domain.hpp"

namespace talla::certs::test {

struct Panel::Member {
  explicit Member(std::string secret)
      : rng(Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-256)")) {
    secret.resize(64, '.');
    rng.initialize_with(as_bytes(secret).data(), secret.size());
    key = std::make_unique<Botan::ECDSA_PrivateKey>(rng, Botan::EC_Group("secp256r1"));
    const auto der = key->subject_public_key();
    spki.assign(der.begin(), der.end());
    rng.randomize(seed.data(), seed.size());
  }
  SignatureP256 sign(const Bytes& statement) {
    Botan::PK_Signer signer(*key, rng, "EMSA1(SHA-256)", Botan::IEEE_1363);
    const auto bytes = signer.sign_message(statement, rng);
    SignatureP256 signature{};
    std::copy(bytes.begin(), bytes.end(), signature.begin());
    return signature;
  }
  Botan::HMAC_DRBG rng;
  std::unique_ptr<Botan::ECDSA_PrivateKey> key;
  Bytes spki;
  Digest seed{};
  std::uint32_t t = 0;  // of the newest core that names it
};

Panel::Panel() = default;
Panel::~Panel() = default;

void Panel::join(const std::string& id, const std::string& secret) {
  auto& member = all_[id];
  if (!member) member = std::make_shared<Member>(secret);
  members_[id] = member;
}

void Panel::leave(const std::string& id) {
  members_.erase(id);
}

const Panel::Member& Panel::of(const std::string& id) const {
  return *all_.at(id);
}

const Bytes& Panel::key(const std::string& id) const {
  return of(id).spki;
}

std::vector<Contributor> Panel::others(const HashSuite& hashes, const Digest& opening) {
  std::vector<Contributor> out;
  for (const auto& [id, member] : members_) {
    const Digest value = contribution_value(hashes, member->seed, opening, ++member->t);
    out.push_back(
        {id, member->spki, member->t, contribution_commit(hashes, opening, id, member->t, value)});
  }
  return out;
}

SignatureP256 Panel::sign(const HashSuite& hashes, const std::string& id, const CallCore& core,
                          std::uint32_t t, const Digest& value) const {
  return all_.at(id)->sign(opening_statement(call_digest(hashes, core.bytes()), id, t, value));
}

SignatureP256 Panel::sign(const std::string& id, const Bytes& statement) const {
  return all_.at(id)->sign(statement);
}

std::vector<CallOpening> Panel::open(const HashSuite& hashes, const Digest& opening,
                                     const CallCore& core) const {
  const Digest call = call_digest(hashes, core.bytes());
  std::vector<CallOpening> out;
  for (const Contributor& one : core.others) {
    const auto owner = std::ranges::find_if(
        all_, [&](const auto& named) { return named.second->spki == one.key; });
    CallOpening& opened = out.emplace_back();
    if (owner == all_.end()) continue;
    Member& member = *owner->second;
    opened.value = contribution_value(hashes, member.seed, opening, one.t);
    opened.signature = member.sign(opening_statement(call, one.id, one.t, opened.value));
  }
  if (lie) lie(core, out);
  return out;
}

}  // namespace talla::certs::test
