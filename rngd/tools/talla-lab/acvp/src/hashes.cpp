// SHA-256 and HMAC of evidence (OpenSSL, by certs), SHA-512, HMAC and Hash_df of conditioner and
// seeds (by entropy).
#include <algorithm>
#include <array>

#include "algorithm.hpp"
#include "certs/openssl_hashes.hpp"
#include "entropy/conditioner.hpp"
#include "entropy/sha512.hpp"
#include "repeated.hpp"

namespace talla::lab::acvp {

namespace {

constexpr std::int64_t message_bits_most = 65'536;
/// FIPS 180-4 messages of so many gibibytes.
constexpr std::array<std::int64_t, 4> large_gibibytes{1, 2, 4, 8};
constexpr std::int64_t gibibyte_bits = std::int64_t{1} << 33;
constexpr int monte_carlo_outer = 100;
constexpr int monte_carlo_inner = 1000;

using HashOf = Result<Bytes> (*)(ByteView message);
using MacOf = Result<Bytes> (*)(ByteView key, ByteView message);

Result<Bytes> sha256_of(ByteView message) {
  const Digest digest = certs::OpensslHashes().sha256({message});
  return Bytes(digest.begin(), digest.end());
}

Result<Bytes> sha512_of(ByteView message) {
  const std::array<ByteView, 1> parts{message};
  TALLA_TRY(const SecretBytes digest, entropy::sha512(parts));
  return Bytes(digest.begin(), digest.end());
}

Result<Bytes> hmac_sha256_of(ByteView key, ByteView message) {
  const Digest mac = certs::OpensslHashes().hmac_key(key)->mac({message});
  return Bytes(mac.begin(), mac.end());
}

Result<Bytes> hmac_sha512_of(ByteView key, ByteView message) {
  const std::array<ByteView, 1> parts{message};
  TALLA_TRY(const SecretBytes mac, entropy::hmac_sha512(key, parts));
  return Bytes(mac.begin(), mac.end());
}

/// A message of no bits is written as none or as one zero byte.
Result<Bytes> message_of(const Case& asked) {
  TALLA_TRY(const std::int64_t bits, asked.number("len"));
  TALLA_TRY(Bytes message, asked.hex("msg"));
  if (bits == 0 && message.size() == 1 && message.front() == 0) message.clear();
  if (message.size() * 8 == static_cast<std::size_t>(bits)) return message;
  return asked.hex_of_bits("msg", bits);
}

Result<json::Object> long_message(const Case& asked, HashOf hash) {
  TALLA_TRY(const std::string_view technique, asked.text("largeMsg.expansionTechnique"));
  TALLA_TRY(const std::int64_t bits, asked.number("largeMsg.fullLength"));
  TALLA_TRY(const Bytes content,
            asked.hex_as_long_as("largeMsg.content", "largeMsg.contentLength"));
  if (technique != "repeating")
    return refused(asked.where, "largeMsg.expansionTechnique is to be \"repeating\"");
  if (content.empty() || content.size() > 4096)
    return refused(asked.where, "largeMsg.content is to have 8 to 32768 bits");
  const bool known =
      bits % gibibyte_bits == 0 &&
      std::ranges::find(large_gibibytes, bits / gibibyte_bits) != large_gibibytes.end();
  if (!known)
    return refused(asked.where, "largeMsg.fullLength is to be 1, 2, 4 or 8 times 8589934592");
  TALLA_TRY(const Repeated message, Repeated::create(content, static_cast<std::size_t>(bits / 8)));
  TALLA_TRY(const Bytes digest, hash(message.view()));
  return json::Object{{"md", upper_hex(digest)}};
}

/// The Monte Carlo test of SHA-2 in its two versions: in "alternate" each message has the length of
/// the seed, cut or filled with zeros.
Result<json::Object> monte_carlo(const Case& asked, HashOf hash) {
  TALLA_TRY(Bytes seed, message_of(asked));
  TALLA_TRY(const std::string_view version, asked.text("mctVersion"));
  const std::size_t length = seed.size();
  json::Array results;
  for (int outer = 0; outer < monte_carlo_outer; ++outer) {
    std::array<Bytes, 3> last{seed, seed, seed};
    for (int inner = 0; inner < monte_carlo_inner; ++inner) {
      Bytes message;
      for (const Bytes& one : last) message.insert(message.end(), one.begin(), one.end());
      if (version == "alternate") message.resize(length);
      std::rotate(last.begin(), last.begin() + 1, last.end());
      TALLA_TRY(last[2], hash(message));
    }
    seed = last[2];
    results.emplace_back(json::Object{{"md", upper_hex(seed)}});
  }
  return json::Object{{"resultsArray", std::move(results)}};
}

Result<json::Object> hash_answer(const Case& asked, HashOf hash) {
  if (asked.type() == "LDT") return long_message(asked, hash);
  if (asked.type() == "MCT") return monte_carlo(asked, hash);
  TALLA_TRY(const Bytes message, message_of(asked));
  TALLA_TRY(const Bytes digest, hash(message));
  return json::Object{{"md", upper_hex(digest)}};
}

Result<json::Object> mac_answer(const Case& asked, MacOf mac_of) {
  TALLA_TRY(const Bytes key, asked.hex_as_long_as("key", "keyLen"));
  TALLA_TRY(const Bytes message, asked.hex_as_long_as("msg", "msgLen"));
  TALLA_TRY(const std::int64_t bits, asked.number("macLen"));
  TALLA_TRY(Bytes mac, mac_of(key, message));
  mac.resize(static_cast<std::size_t>(bits / 8));
  return json::Object{{"mac", upper_hex(mac)}};
}

Result<json::Object> hash_df_answer(const Case& asked) {
  TALLA_TRY(const Bytes payload, asked.hex_as_long_as("payload", "payloadLen"));
  TALLA_TRY(const SecretBytes out, entropy::hash_df_sha512(payload, entropy::block_bytes));
  return json::Object{{"requestedBits", upper_hex(out)}};
}

Algorithm sha2(std::string_view name, std::string_view module, std::string_view vectors,
               Work work) {
  const Range message{.min = 0, .max = message_bits_most, .step = 8};
  Algorithm out{.name = name,
                .mode = {},
                .revision = "1.0",
                .module = module,
                .vectors = vectors,
                .test_types = {"AFT", "MCT", "LDT"},
                .members = {},
                .inputs = {"msg", "largeMsg.content", "largeMsg.contentLength",
                           "largeMsg.fullLength", "largeMsg.expansionTechnique"},
                .work = work};
  Member length{.name = "len", .place = Place::test, .allowed = message, .registered = {}};
  length.only_in = "AFT";
  length.registered = {"messageLength"};
  out.members.push_back(length);
  length.only_in = "MCT";
  length.registered = {};
  out.members.push_back(length);
  out.members.push_back({.name = "mctVersion",
                         .allowed = Words{{"standard", "alternate"}},
                         .registered = {},
                         .only_in = "MCT"});
  out.members.push_back({.name = "performLargeDataTest",
                         .place = Place::nowhere,
                         .allowed = Numbers{{large_gibibytes.begin(), large_gibibytes.end()}},
                         .registered = {"performLargeDataTest"}});
  return out;
}

/// Revision 1.0 has the lengths in the group, 2.0 in each test.
Algorithm hmac(std::string_view name, std::string_view revision, std::string_view module,
               std::string_view vectors, std::int64_t digest_bits, Work work) {
  const Place place = revision == "1.0" ? Place::group : Place::test;
  return {.name = name,
          .mode = {},
          .revision = revision,
          .module = module,
          .vectors = vectors,
          .test_types = {"AFT"},
          .members = {{.name = "keyLen",
                       .place = place,
                       .allowed = Range{.min = 8, .max = 65'536, .step = 8},
                       .registered = {"keyLen"}},
                      {.name = "msgLen",
                       .place = place,
                       .allowed = Range{.min = 0, .max = message_bits_most, .step = 8},
                       .registered = revision == "1.0" ? std::vector<std::string_view>{}
                                                       : std::vector<std::string_view>{"msgLen"}},
                      {.name = "macLen",
                       .place = place,
                       .allowed = Range{.min = 32, .max = digest_bits, .step = 8},
                       .registered = {"macLen"}}},
          .inputs = {"key", "msg"},
          .work = work};
}

}  // namespace

std::vector<Algorithm> hash_algorithms() {
  constexpr std::string_view evidence = "certs/src/openssl_hashes.cpp";
  constexpr std::string_view conditioner = "entropy/src/sha512.cpp";
  const Work sha256{[](const Case& asked) { return hash_answer(asked, &sha256_of); }};
  const Work sha512{[](const Case& asked) { return hash_answer(asked, &sha512_of); }};
  const Work mac256{[](const Case& asked) { return mac_answer(asked, &hmac_sha256_of); }};
  const Work mac512{[](const Case& asked) { return mac_answer(asked, &hmac_sha512_of); }};
  return {sha2("SHA2-256", evidence, "SHA2-256-1.0", sha256),
          sha2("SHA2-512", conditioner, "SHA2-512-1.0", sha512),
          hmac("HMAC-SHA2-256", "1.0", evidence, "HMAC-SHA2-256-1.0", 256, mac256),
          hmac("HMAC-SHA2-256", "2.0", evidence, "HMAC-SHA2-256-2.0", 256, mac256),
          hmac("HMAC-SHA2-512", "1.0", conditioner, "HMAC-SHA2-512-1.0", 512, mac512),
          hmac("HMAC-SHA2-512", "2.0", conditioner, "HMAC-SHA2-512-2.0", 512, mac512),
          {.name = "ConditioningComponent",
           .mode = "Hash_DF",
           .revision = "SP800-90B",
           .module = "entropy/src/conditioner.cpp",
           .vectors = "ConditioningComponent-Hash_DF-Sp800-90B",
           .test_types = {"AFT"},
           .members = {{.name = "hashAlg",
                        .allowed = Words{{"SHA2-512"}},
                        .registered = {"capabilities[].hashAlg"}},
                       {.name = "payloadLen",
                        .place = Place::test,
                        .allowed = Range{.min = 8, .max = message_bits_most, .step = 8},
                        .registered = {"capabilities[].payloadLen"}}},
           .inputs = {"payload"},
           .work = {&hash_df_answer}}};
}

}  // namespace talla::lab::acvp
