// The two DRBGs of the corridor (SP 800-90A Rev. 1), through the class that the generator uses.
#include "algorithm.hpp"
#include "entropy/drbg.hpp"

namespace talla::lab::acvp {

namespace {

/// More uses after the instantiation than NIST's sets have.
constexpr std::size_t uses_most = 16;

struct Generate {
  entropy::Drbg* drbg;
  bool resistance;
  std::size_t out_bytes;
};

Status check_use(const Case& use, bool seeds) {
  TALLA_TRY(const Bytes entropy, use.hex("entropyInput"));
  TALLA_TRY(const std::int64_t bits, use.number("entropyInputLen"));
  const std::size_t wanted = seeds ? static_cast<std::size_t>(bits / 8) : 0;
  if (entropy.size() != wanted)
    return refused(use.where, "entropyInput has " + std::to_string(entropy.size() * 8) +
                                  " bits, and this use takes " + std::to_string(wanted * 8));
  return {};
}

/// One of `otherInput`: a reseed, or a generate (a reseed before it where prediction resistance is
/// asked for, SP 800-90A 9.3.1 step 7). What is given out replaces `out`.
Status run_use(const Case& use, const Generate& how, Bytes& out) {
  for (const auto& [name, member] : use.test->object()) {
    if (name != "intendedUse" && name != "additionalInput" && name != "entropyInput")
      return refused(use.where, name + " is not known here");
  }
  TALLA_TRY(const std::string_view intended, use.text("intendedUse"));
  TALLA_TRY(const Bytes additional, use.hex_as_long_as("additionalInput", "additionalInputLen"));
  TALLA_TRY(const Bytes entropy, use.hex("entropyInput"));
  TALLA_TRY(const bool reseeds, use.flag("reSeed"));
  if (intended == "reSeed") {
    if (!reseeds) return refused(use.where, "a reSeed, in a group whose reSeed is false");
    TALLA_TRY_STATUS(check_use(use, true));
    return how.drbg->reseed(entropy, additional);
  }
  if (intended != "generate")
    return refused(use.where, "intendedUse is to be \"generate\" or \"reSeed\"");
  TALLA_TRY_STATUS(check_use(use, how.resistance));
  out.assign(how.out_bytes, 0);
  if (!how.resistance) return how.drbg->generate(out, additional);
  TALLA_TRY_STATUS(how.drbg->reseed(entropy, additional));
  return how.drbg->generate(out);
}

Result<json::Object> drbg_answer(const Case& asked, entropy::DrbgKind kind) {
  TALLA_TRY(Bytes seed, asked.hex_as_long_as("entropyInput", "entropyInputLen"));
  TALLA_TRY(const Bytes nonce, asked.hex_as_long_as("nonce", "nonceLen"));
  TALLA_TRY(const Bytes personalisation, asked.hex_as_long_as("persoString", "persoStringLen"));
  TALLA_TRY(const bool resistance, asked.flag("predResistance"));
  TALLA_TRY(const std::int64_t bits, asked.number("returnedBitsLen"));
  const json::Value* uses = asked.test->find("otherInput");
  if (uses == nullptr || !uses->is_array() || uses->array().empty() ||
      uses->array().size() > uses_most) {
    return refused(asked.where, "otherInput is to be a list of 1 to 16 uses");
  }
  seed.insert(seed.end(), nonce.begin(), nonce.end());
  TALLA_TRY(const auto drbg, entropy::Drbg::instantiate(kind, seed, personalisation));
  const Generate how{drbg.get(), resistance, static_cast<std::size_t>(bits / 8)};
  Bytes out;
  for (std::size_t i = 0; i < uses->array().size(); ++i) {
    const Case use{asked.group, &uses->array()[i], nullptr,
                   asked.where + ", otherInput[" + std::to_string(i) + "]"};
    if (!use.test->is_object()) return refused(use.where, "an object is expected");
    TALLA_TRY_STATUS(run_use(use, how, out));
  }
  if (out.empty()) return refused(asked.where, "otherInput never generates");
  return json::Object{{"returnedBits", upper_hex(out)}};
}

/// Revision 1.0 asks for one length of output, SP800-90Ar1 for several. Entropy input and nonce
/// together are at most what the class takes as a seed (1,024 bytes).
Algorithm drbg(std::string_view name, std::string_view mode, std::string_view revision,
               std::string_view vectors, Work work) {
  const bool counter = name == "ctrDRBG";
  const auto in = [](std::string_view member) { return std::vector<std::string_view>{member}; };
  Algorithm out{.name = name,
                .mode = {},
                .revision = revision,
                .module = "entropy/src/drbg.cpp",
                .vectors = vectors,
                .test_types = {"AFT"},
                .members = {{.name = "mode",
                             .allowed = Words{{mode}},
                             .registered = in("capabilities[].mode"),
                             .spelled = Spelled::single},
                            {.name = "derFunc",
                             .allowed = Flags{{counter}},
                             .registered = in("capabilities[].derFuncEnabled"),
                             .spelled = Spelled::single},
                            {.name = "predResistance",
                             .allowed = Flags{{true, false}},
                             .registered = in("predResistanceEnabled")},
                            {.name = "reSeed", .allowed = Flags{{true, false}}, .registered = {}},
                            {.name = "reseedImplemented",
                             .place = Place::nowhere,
                             .allowed = Flags{{true}},
                             .registered = in("reseedImplemented"),
                             .spelled = Spelled::single},
                            {.name = "entropyInputLen",
                             .allowed = Range{.min = 256, .max = 4096, .step = 8},
                             .registered = in("capabilities[].entropyInputLen")},
                            {.name = "nonceLen",
                             .allowed = Range{.min = 128, .max = 4096, .step = 8},
                             .registered = in("capabilities[].nonceLen")},
                            {.name = "persoStringLen",
                             .allowed = Range{.min = 8, .max = 4096, .step = 8},
                             .registered = in("capabilities[].persoStringLen")},
                            {.name = "additionalInputLen",
                             .allowed = Range{.min = 0, .max = 4096, .step = 8},
                             .registered = in("capabilities[].additionalInputLen")}},
                .inputs = {"entropyInput", "nonce", "persoString", "otherInput"},
                .work = work};
  const bool old = revision == "1.0";
  out.members.push_back(
      {.name = "returnedBitsLen",
       .allowed = Numbers{old ? std::vector<std::int64_t>{4096}
                              : std::vector<std::int64_t>{128, 256, 512, 768, 1024, 4096}},
       .registered = in("capabilities[].returnedBitsLen"),
       .spelled = old ? Spelled::single : Spelled::list});
  if (counter && !old) {
    out.members.push_back({.name = "counterFieldLen",
                           .allowed = Numbers{{128}},
                           .registered = in("capabilities[].counterFieldLen"),
                           .spelled = Spelled::single});
  }
  return out;
}

}  // namespace

std::vector<Algorithm> generator_algorithms() {
  const Work counter{
      [](const Case& asked) { return drbg_answer(asked, entropy::DrbgKind::ctr_aes256_df); }};
  const Work keyed{
      [](const Case& asked) { return drbg_answer(asked, entropy::DrbgKind::hmac_sha512); }};
  return {drbg("ctrDRBG", "AES-256", "1.0", "ctrDRBG-1.0", counter),
          drbg("ctrDRBG", "AES-256", "SP800-90Ar1", "ctrDRBG-SP800-90Ar1", counter),
          drbg("hmacDRBG", "SHA2-512", "1.0", "hmacDRBG-1.0", keyed),
          drbg("hmacDRBG", "SHA2-512", "SP800-90Ar1", "hmacDRBG-SP800-90Ar1", keyed)};
}

}  // namespace talla::lab::acvp
