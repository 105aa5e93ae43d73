// Ed25519 of checkpoints, ECDSA on P-256 of tables, persons and certificates.
#include <algorithm>
#include <array>
#include <utility>

#include "algorithm.hpp"
#include "certs/algorithms.hpp"
#include "certs/call_key.hpp"
#include "certs/covered.hpp"
#include "certs/signer.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::lab::acvp {

namespace {

constexpr std::size_t number_bytes = 32;

/// A number of at most 32 bytes, filled with zeros in front; nothing for a longer one.
Bytes padded(ByteView bytes) {
  while (bytes.size() > number_bytes && bytes.front() == 0) bytes = bytes.subspan(1);
  if (bytes.size() > number_bytes) return {};
  Bytes out(number_bytes - bytes.size(), 0);
  out.insert(out.end(), bytes.begin(), bytes.end());
  return out;
}

// Ed25519.

Result<Bytes> ed25519_public(ByteView key) {
  if (key.size() != number_bytes)
    return fail(AcvpErrc::acvp_refused, "a private key of Ed25519 has 32 bytes");
  TALLA_TRY(const auto signer,
            certs::make_log_signer(std::span<const std::uint8_t, number_bytes>(key)));
  const Digest point = signer->public_key();
  return Bytes(point.begin(), point.end());
}

Result<json::Object> ed25519_key_answer(const Case& asked) {
  static_cast<void>(asked);
  TALLA_TRY(const SecretBytes key, certs::make_ed25519_private_key());
  TALLA_TRY(const Bytes point, ed25519_public(key));
  return json::Object{{"d", upper_hex(key)}, {"q", upper_hex(point)}};
}

Result<Holds> ed25519_key_holds(const Case& asked, const Given& given) {
  static_cast<void>(asked);
  const auto point = ed25519_public(given_hex(*given.test, "d"));
  return point && *point == given_hex(*given.test, "q") ? Holds::yes : Holds::no;
}

Result<json::Object> ed25519_group(const SecretBytes& key) {
  TALLA_TRY(const Bytes point, ed25519_public(key));
  return json::Object{{"q", upper_hex(point)}};
}

Result<json::Object> ed25519_sign_answer(const Case& asked) {
  TALLA_TRY(const Bytes message, asked.hex("message"));
  if (asked.key->size() != number_bytes)
    return refused(asked.where, "a private key of Ed25519 has 32 bytes");
  TALLA_TRY(const auto signer,
            certs::make_log_signer(std::span<const std::uint8_t, number_bytes>(*asked.key)));
  TALLA_TRY(const certs::Signature64 signature, signer->sign(message));
  return json::Object{{"signature", upper_hex(signature)}};
}

bool ed25519_verifies(ByteView point, ByteView message, ByteView signature_bytes) {
  Digest key{};
  certs::Signature64 signature{};
  if (point.size() != key.size() || signature_bytes.size() != signature.size()) return false;
  std::ranges::copy(point, key.begin());
  std::ranges::copy(signature_bytes, signature.begin());
  return certs::BotanEd25519().verify(key, message, signature);
}

Result<Holds> ed25519_sign_holds(const Case& asked, const Given& given) {
  TALLA_TRY(const Bytes message, asked.hex("message"));
  return ed25519_verifies(given_hex(*given.group, "q"), message,
                          given_hex(*given.test, "signature"))
             ? Holds::yes
             : Holds::no;
}

Result<json::Object> ed25519_verify_answer(const Case& asked) {
  TALLA_TRY(const Bytes message, asked.hex("message"));
  TALLA_TRY(const Bytes point, asked.hex("q"));
  TALLA_TRY(const Bytes signature, asked.hex("signature"));
  return json::Object{{"testPassed", ed25519_verifies(point, message, signature)}};
}

// ECDSA on P-256 with SHA-256.

Result<json::Object> p256_public(const certs::P256Pair& pair) {
  TALLA_TRY(const Bytes x, pair.x());
  TALLA_TRY(const Bytes y, pair.y());
  return json::Object{{"qx", upper_hex(x)}, {"qy", upper_hex(y)}};
}

Result<json::Object> p256_key_answer(const Case& asked) {
  static_cast<void>(asked);
  TALLA_TRY(const certs::P256Pair pair, certs::P256Pair::make());
  TALLA_TRY(json::Object out, p256_public(pair));
  TALLA_TRY(const SecretBytes key, pair.private_key());
  out.emplace("d", upper_hex(key));
  return out;
}

Result<Holds> p256_key_holds(const Case& asked, const Given& given) {
  static_cast<void>(asked);
  const auto pair = certs::P256Pair::of(padded(given_hex(*given.test, "d")));
  if (!pair) return Holds::no;
  TALLA_TRY(const Bytes x, pair->x());
  TALLA_TRY(const Bytes y, pair->y());
  const bool same =
      x == padded(given_hex(*given.test, "qx")) && y == padded(given_hex(*given.test, "qy"));
  return same ? Holds::yes : Holds::no;
}

Result<json::Object> p256_check_answer(const Case& asked) {
  TALLA_TRY(const Bytes x, asked.hex("qx"));
  TALLA_TRY(const Bytes y, asked.hex("qy"));
  const Bytes spki = certs::p256_spki(padded(x), padded(y));
  return json::Object{{"testPassed", certs::check_seat_key(spki).has_value()}};
}

Result<SecretBytes> fresh_p256_key() {
  TALLA_TRY(const certs::P256Pair pair, certs::P256Pair::make());
  return pair.private_key();
}

Result<json::Object> p256_group(const SecretBytes& key) {
  TALLA_TRY(const certs::P256Pair pair, certs::P256Pair::of(padded(key)));
  return p256_public(pair);
}

Result<json::Object> p256_sign_answer(const Case& asked) {
  TALLA_TRY(const Bytes message, asked.hex("message"));
  TALLA_TRY(const certs::P256Pair pair, certs::P256Pair::of(padded(*asked.key)));
  TALLA_TRY(const certs::SignatureP256 signature, pair.sign(message));
  const ByteView both(signature);
  return json::Object{{"r", upper_hex(both.first(number_bytes))},
                      {"s", upper_hex(both.last(number_bytes))}};
}

struct P256Claim {
  Bytes x, y, r, s;
};

bool p256_verifies(const P256Claim& claim, ByteView message) {
  const Bytes r = padded(claim.r);
  const Bytes s = padded(claim.s);
  const Bytes spki = certs::p256_spki(padded(claim.x), padded(claim.y));
  if (r.empty() || s.empty() || !certs::check_seat_key(spki)) return false;
  certs::SignatureP256 signature{};
  std::ranges::copy(r, signature.begin());
  std::ranges::copy(s, signature.begin() + number_bytes);
  return certs::call_signature_holds(spki, message, signature);
}

Result<Holds> p256_sign_holds(const Case& asked, const Given& given) {
  TALLA_TRY(const Bytes message, asked.hex("message"));
  const P256Claim claim{.x = given_hex(*given.group, "qx"),
                        .y = given_hex(*given.group, "qy"),
                        .r = given_hex(*given.test, "r"),
                        .s = given_hex(*given.test, "s")};
  return p256_verifies(claim, message) ? Holds::yes : Holds::no;
}

Result<json::Object> p256_verify_answer(const Case& asked) {
  P256Claim claim;
  TALLA_TRY(const Bytes message, asked.hex("message"));
  TALLA_TRY(claim.x, asked.hex("qx"));
  TALLA_TRY(claim.y, asked.hex("qy"));
  TALLA_TRY(claim.r, asked.hex("r"));
  TALLA_TRY(claim.s, asked.hex("s"));
  return json::Object{{"testPassed", p256_verifies(claim, message)}};
}

Member curve(std::string_view name, std::string_view registered) {
  return {.name = "curve", .allowed = Words{{name}}, .registered = {registered}};
}

Member pure() {
  return {.name = "pure",
          .place = Place::nowhere,
          .allowed = Flags{{true}},
          .registered = {"pure"},
          .spelled = Spelled::single};
}

Member no_prehash() {
  return {.name = "preHash",
          .allowed = Flags{{false}},
          .registered = {"preHash"},
          .spelled = Spelled::single};
}

Member no_component() {
  return {.name = "componentTest",
          .allowed = Flags{{false}},
          .registered = {"componentTest"},
          .spelled = Spelled::single,
          .optional = true};
}

Member sha256() {
  return {
      .name = "hashAlg", .allowed = Words{{"SHA2-256"}}, .registered = {"capabilities[].hashAlg"}};
}

std::vector<Algorithm> ed25519_algorithms() {
  return {{.name = "EDDSA",
           .mode = "keyGen",
           .revision = "1.0",
           .module = "certs/src/certificates.cpp",
           .vectors = "EDDSA-KeyGen-1.0",
           .test_types = {"AFT"},
           .members = {curve("ED-25519", "curve")},
           .inputs = {},
           .work = {&ed25519_key_answer, &ed25519_key_holds}},
          {.name = "EDDSA",
           .mode = "sigGen",
           .revision = "1.0",
           .module = "certs/src/signer.cpp",
           .vectors = "EDDSA-SigGen-1.0",
           .test_types = {"AFT", "BFT"},
           .members = {curve("ED-25519", "curve"), pure(), no_prehash()},
           .inputs = {"message"},
           .work = {&ed25519_sign_answer, &ed25519_sign_holds, &certs::make_ed25519_private_key,
                    &ed25519_group}},
          {.name = "EDDSA",
           .mode = "sigVer",
           .revision = "1.0",
           .module = "certs/verify/src/botan_hashes.cpp",
           .vectors = "EDDSA-SigVer-1.0",
           .test_types = {"AFT"},
           .members = {curve("ED-25519", "curve"), pure(), no_prehash()},
           .inputs = {"message", "q", "signature"},
           .work = {&ed25519_verify_answer}}};
}

std::vector<Algorithm> p256_algorithms() {
  return {{.name = "ECDSA",
           .mode = "keyGen",
           .revision = "FIPS186-5",
           .module = "certs/src/certificates.cpp",
           .vectors = "ECDSA-KeyGen-FIPS186-5",
           .test_types = {"AFT"},
           .members = {curve("P-256", "curve"),
                       {.name = "secretGenerationMode",
                        .allowed = Words{{"testing candidates"}},
                        .registered = {"secretGenerationMode"}}},
           .inputs = {},
           .work = {&p256_key_answer, &p256_key_holds}},
          {.name = "ECDSA",
           .mode = "keyVer",
           .revision = "FIPS186-5",
           .module = "certs/src/recipient.cpp",
           .vectors = "ECDSA-KeyVer-FIPS186-5",
           .test_types = {"AFT"},
           .members = {curve("P-256", "curve")},
           .inputs = {"qx", "qy"},
           .work = {&p256_check_answer}},
          {.name = "ECDSA",
           .mode = "sigGen",
           .revision = "FIPS186-5",
           .module = "certs/src/key_files.cpp",
           .vectors = "ECDSA-SigGen-FIPS186-5",
           .test_types = {"AFT"},
           .members = {curve("P-256", "capabilities[].curve"), sha256(), no_component()},
           .inputs = {"message"},
           .work = {&p256_sign_answer, &p256_sign_holds, &fresh_p256_key, &p256_group}},
          {.name = "ECDSA",
           .mode = "sigVer",
           .revision = "FIPS186-5",
           .module = "certs/src/call_key.cpp",
           .vectors = "ECDSA-SigVer-FIPS186-5",
           .test_types = {"AFT"},
           .members = {curve("P-256", "capabilities[].curve"), sha256(), no_component()},
           .inputs = {"message", "qx", "qy", "r", "s"},
           .work = {&p256_verify_answer}}};
}

}  // namespace

std::vector<Algorithm> signature_algorithms() {
  std::vector<Algorithm> out = ed25519_algorithms();
  for (Algorithm& one : p256_algorithms()) out.push_back(std::move(one));
  return out;
}

}  // namespace talla::lab::acvp
