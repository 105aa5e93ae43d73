// AES-256-GCM and HKDF of sealing, ECDH of covered cards.
#include <algorithm>

#include "algorithm.hpp"
#include "certs/algorithms.hpp"
#include "certs/covered.hpp"

namespace talla::lab::acvp {

namespace {

constexpr std::int64_t gcm_tag_bits = 128;
constexpr std::size_t coordinate = 32;

Result<json::Object> gcm_answer(const Case& asked) {
  TALLA_TRY(const Bytes key_bytes, asked.hex_as_long_as("key", "keyLen"));
  TALLA_TRY(const Bytes nonce, asked.hex_as_long_as("iv", "ivLen"));
  TALLA_TRY(const Bytes data, asked.hex_as_long_as("aad", "aadLen"));
  TALLA_TRY(const std::string_view direction, asked.text("direction"));
  Secret32 key;
  std::ranges::copy(key_bytes, key.writable().begin());
  const certs::GcmContext context{.nonce = nonce, .data = data};
  if (direction == "encrypt") {
    TALLA_TRY(const Bytes plain, asked.hex_as_long_as("pt", "payloadLen"));
    TALLA_TRY(const Bytes sealed, certs::gcm_encrypt(key, context, plain));
    const ByteView all(sealed);
    return json::Object{{"ct", upper_hex(all.first(plain.size()))},
                        {"tag", upper_hex(all.subspan(plain.size()))}};
  }
  TALLA_TRY(Bytes sealed, asked.hex_as_long_as("ct", "payloadLen"));
  TALLA_TRY(const Bytes tag, asked.hex_of_bits("tag", gcm_tag_bits));
  sealed.insert(sealed.end(), tag.begin(), tag.end());
  const auto plain = certs::gcm_decrypt(key, context, sealed);
  if (!plain) return json::Object{{"testPassed", false}};
  return json::Object{{"pt", upper_hex(*plain)}};
}

/// The parties' information, one behind the other: fixedInfoPattern "uPartyInfo||vPartyInfo".
Result<Bytes> fixed_info(const Case& asked) {
  Bytes info;
  for (const std::string party : {"fixedInfoPartyU", "fixedInfoPartyV"}) {
    TALLA_TRY(const Bytes id, asked.hex(party + ".partyId"));
    info.insert(info.end(), id.begin(), id.end());
    const std::string ephemeral = party + ".ephemeralData";
    if (member_at(*asked.test, ephemeral) == nullptr) continue;
    TALLA_TRY(const Bytes data, asked.hex(ephemeral));
    info.insert(info.end(), data.begin(), data.end());
  }
  return info;
}

Result<json::Object> hkdf_answer(const Case& asked) {
  TALLA_TRY(const Bytes z, asked.hex_as_long_as("kdfParameter.z", "zLength"));
  TALLA_TRY(const Bytes salt,
            asked.hex_as_long_as("kdfParameter.salt", "kdfConfiguration.saltLen"));
  TALLA_TRY(const std::int64_t length, asked.number("kdfConfiguration.l"));
  TALLA_TRY(const std::int64_t again, asked.number("kdfParameter.l"));
  TALLA_TRY(const std::string_view kind, asked.text("kdfParameter.kdfType"));
  if (again != length || kind != "hkdf")
    return refused(asked.where, "kdfParameter is to repeat kdfType and l of kdfConfiguration");
  // HMAC fills a key with zeros: a salt of zeros, up to a block of them, is the empty one.
  if (std::ranges::any_of(salt, [](std::uint8_t byte) { return byte != 0; }))
    return refused(asked.where, "kdfParameter.salt is to be all zeros: saltMethod is default");
  TALLA_TRY(const Bytes info, fixed_info(asked));
  TALLA_TRY(const SecretBytes key, certs::hkdf_bytes(SecretBytes(z.begin(), z.end()), info,
                                                     static_cast<std::size_t>(length / 8)));
  if (asked.type() == "AFT") return json::Object{{"dkm", upper_hex(key)}};
  TALLA_TRY(const Bytes claimed, asked.hex_as_long_as("dkm", "kdfConfiguration.l"));
  return json::Object{{"testPassed", std::ranges::equal(claimed, key)}};
}

/// A coordinate as NIST writes it; nothing for one that no 32 bytes hold.
Result<Bytes> coordinate_of(const Case& asked, const std::string& name) {
  TALLA_TRY(const Bytes bytes, asked.hex(name));
  const auto first = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte != 0; });
  const auto size = static_cast<std::size_t>(bytes.end() - first);
  if (size > coordinate) return Bytes{};
  Bytes out(coordinate - size, 0);
  out.insert(out.end(), first, bytes.end());
  return out;
}

Result<Bytes> peer_of(const Case& asked, const std::string& name) {
  TALLA_TRY(const Bytes x, coordinate_of(asked, name + "X"));
  TALLA_TRY(const Bytes y, coordinate_of(asked, name + "Y"));
  return certs::p256_spki(x, y);
}

/// A fresh pair of ours with the server's key: our public point and the shared secret.
Result<json::Object> agree_afresh(const Case& asked, const std::string& ours,
                                  const std::string& theirs) {
  TALLA_TRY(const Bytes peer, peer_of(asked, theirs));
  TALLA_TRY(const certs::P256Pair pair, certs::P256Pair::make());
  const auto shared = pair.agreed(peer);
  if (!shared) return refused(asked.where, theirs + "X, ...Y are no point of P-256");
  TALLA_TRY(const Bytes x, pair.x());
  TALLA_TRY(const Bytes y, pair.y());
  return json::Object{
      {ours + "X", upper_hex(x)}, {ours + "Y", upper_hex(y)}, {"z", upper_hex(*shared)}};
}

/// Whether a claimed exchange is one: both public keys are points, ours belongs to our private
/// key, and the secret follows.
Result<bool> exchange_holds(const Case& asked, const std::string& ours, const std::string& theirs) {
  TALLA_TRY(const Bytes private_key, asked.hex(ours + "PrivateIut"));
  TALLA_TRY(const Bytes own, peer_of(asked, ours + "PublicIut"));
  TALLA_TRY(const Bytes peer, peer_of(asked, theirs + "PublicServer"));
  TALLA_TRY(const Bytes claimed, asked.hex("z"));
  const auto pair = certs::P256Pair::of(private_key);
  if (!pair) return false;
  TALLA_TRY(const Bytes x, pair->x());
  TALLA_TRY(const Bytes y, pair->y());
  const auto shared = pair->agreed(peer);
  return shared && own == certs::p256_spki(x, y) && std::ranges::equal(claimed, *shared);
}

Result<json::Object> shared_secret_answer(const Case& asked) {
  TALLA_TRY(const std::string_view scheme, asked.text("scheme"));
  TALLA_TRY(const std::string_view role, asked.text("kasRole"));
  const bool initiator = role == "initiator";
  const std::string first = scheme == "staticUnified" ? "static" : "ephemeral";
  const std::string second = scheme == "ephemeralUnified" ? "ephemeral" : "static";
  const std::string ours = initiator ? first : second;
  const std::string theirs = initiator ? second : first;
  if (asked.type() == "AFT")
    return agree_afresh(asked, ours + "PublicIut", theirs + "PublicServer");
  TALLA_TRY(const bool holds, exchange_holds(asked, ours, theirs));
  return json::Object{{"testPassed", holds}};
}

Result<json::Object> component_answer(const Case& asked) {
  return agree_afresh(asked, "publicIut", "publicServer");
}

/// The private key behind a fresh exchange is known to who made it alone.
Result<Holds> exchange_judged(const Case& asked, const Given& given) {
  if (asked.type() != "VAL") return Holds::unknown;
  TALLA_TRY(const json::Object own, shared_secret_answer(asked));
  const json::Value* passed = given.test->find("testPassed");
  return passed != nullptr && *passed == own.at("testPassed") ? Holds::yes : Holds::no;
}

Result<Holds> component_judged(const Case& asked, const Given& given) {
  static_cast<void>(asked);
  static_cast<void>(given);
  return Holds::unknown;
}

std::vector<std::string_view> named(std::string_view name) {
  return {name};
}

Algorithm aes_gcm() {
  return {.name = "ACVP-AES-GCM",
          .mode = {},
          .revision = "1.0",
          .module = "certs/src/openssl_gcm.cpp",
          .vectors = "demo-ACVP-AES-GCM-256",
          .test_types = {"AFT"},
          .members = {{.name = "direction",
                       .allowed = Words{{"encrypt", "decrypt"}},
                       .registered = named("direction")},
                      {.name = "ivGen",
                       .allowed = Words{{"external"}},
                       .registered = named("ivGen"),
                       .spelled = Spelled::single},
                      {.name = "keyLen", .allowed = Numbers{{256}}, .registered = named("keyLen")},
                      {.name = "ivLen", .allowed = Numbers{{96}}, .registered = named("ivLen")},
                      {.name = "payloadLen",
                       .allowed = Range{.min = 0, .max = 65'536, .step = 8},
                       .registered = named("payloadLen")},
                      {.name = "aadLen",
                       .allowed = Range{.min = 0, .max = 65'536, .step = 8},
                       .registered = named("aadLen")},
                      {.name = "tagLen",
                       .allowed = Numbers{{gcm_tag_bits}},
                       .registered = named("tagLen")}},
          .inputs = {"key", "iv", "aad", "pt", "ct", "tag"},
          .work = {&gcm_answer}};
}

Algorithm hkdf() {
  return {
      .name = "KDA",
      .mode = "HKDF",
      .revision = "Sp800-56Cr1",
      .module = "certs/src/openssl_gcm.cpp",
      .vectors = "demo-KDA-HKDF-Sp800-56Cr1",
      .test_types = {"AFT", "VAL"},
      .members = {{.name = "kdfConfiguration.kdfType",
                   .allowed = Words{{"hkdf"}},
                   .registered = {}},
                  {.name = "kdfConfiguration.fixedInfoPattern",
                   .allowed = Words{{"uPartyInfo||vPartyInfo"}},
                   .registered = named("fixedInfoPattern"),
                   .spelled = Spelled::single},
                  {.name = "kdfConfiguration.fixedInfoEncoding",
                   .allowed = Words{{"concatenation"}},
                   .registered = named("encoding")},
                  {.name = "kdfConfiguration.hmacAlg",
                   .allowed = Words{{"SHA2-256"}},
                   .registered = named("hmacAlg")},
                  {.name = "kdfConfiguration.saltMethod",
                   .allowed = Words{{"default"}},
                   .registered = named("macSaltMethods")},
                  {.name = "kdfConfiguration.saltLen",
                   .allowed = Range{.min = 0, .max = 512, .step = 8},
                   .registered = {}},
                  {.name = "kdfConfiguration.l",
                   .allowed = Range{.min = 112, .max = 2048, .step = 8},
                   .registered = named("l"),
                   .spelled = Spelled::largest},
                  {.name = "zLength",
                   .allowed = Range{.min = 224, .max = 8192, .step = 8},
                   .registered = named("z")}},
      .inputs = {"fixedInfoPartyU.partyId", "fixedInfoPartyU.ephemeralData",
                 "fixedInfoPartyV.partyId", "fixedInfoPartyV.ephemeralData", "kdfParameter.kdfType",
                 "kdfParameter.l", "kdfParameter.salt", "kdfParameter.z", "dkm"},
      .work = {&hkdf_answer}};
}

Algorithm shared_secret() {
  return {.name = "KAS-ECC-SSC",
          .mode = {},
          .revision = "Sp800-56Ar3",
          .module = "certs/src/recipient.cpp",
          .vectors = "demo-KAS-ECC-SSC-Sp800-56Ar3",
          .test_types = {"AFT", "VAL"},
          .members = {{.name = "domainParameterGenerationMode",
                       .allowed = Words{{"P-256"}},
                       .registered = named("domainParameterGenerationMethods")},
                      {.name = "scheme",
                       .allowed = Words{{"ephemeralUnified", "onePassDh", "staticUnified"}},
                       .registered = {}},
                      {.name = "kasRole",
                       .allowed = Words{{"initiator", "responder"}},
                       .registered = {"scheme.ephemeralUnified.kasRole", "scheme.onePassDh.kasRole",
                                      "scheme.staticUnified.kasRole"}},
                      {.name = "hashFunctionZ",
                       .allowed = Words{{"none"}},
                       .registered = named("hashFunctionZ"),
                       .spelled = Spelled::single,
                       .optional = true}},
          .inputs = {"ephemeralPublicServerX", "ephemeralPublicServerY", "staticPublicServerX",
                     "staticPublicServerY", "ephemeralPrivateIut", "ephemeralPublicIutX",
                     "ephemeralPublicIutY", "staticPrivateIut", "staticPublicIutX",
                     "staticPublicIutY", "z"},
          .work = {&shared_secret_answer, &exchange_judged}};
}

Algorithm component() {
  return {.name = "KAS-ECC",
          .mode = "CDH-Component",
          .revision = "Sp800-56Ar3",
          .module = "certs/src/recipient.cpp",
          .vectors = {},
          .test_types = {"AFT"},
          .members = {{.name = "curve", .allowed = Words{{"P-256"}}, .registered = named("curve")},
                      {.name = "function",
                       .place = Place::nowhere,
                       .allowed = Words{{"keyPairGen", "fullVal"}},
                       .registered = named("function")}},
          .inputs = {"publicServerX", "publicServerY"},
          .work = {&component_answer, &component_judged}};
}

}  // namespace

std::vector<Algorithm> key_algorithms() {
  return {aes_gcm(), hkdf(), shared_secret(), component()};
}

}  // namespace talla::lab::acvp
