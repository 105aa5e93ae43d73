// The list of the generator's own known answers.
#include "entropy/start_tests.hpp"

#include "entropy/conditioner.hpp"
#include "entropy/drbg.hpp"

namespace talla::entropy {

namespace {

constexpr std::string_view drbg_standard = "SP 800-90A 11.3, CAVS 14.3";

StartTest drbg_test(DrbgKind kind) {
  if (kind == DrbgKind::ctr_aes256_df)
    return {.algorithm = "CTR_DRBG",
            .mode = "AES-256 with derivation function: instantiate, reseed, generate, error state",
            .standard = drbg_standard,
            .run = [] { return Drbg::self_test(DrbgKind::ctr_aes256_df); }};
  return {.algorithm = "HMAC_DRBG",
          .mode = "SHA-512: instantiate, reseed, generate, error state",
          .standard = drbg_standard,
          .run = [] { return Drbg::self_test(DrbgKind::hmac_sha512); }};
}

}  // namespace

std::vector<StartTest> start_tests(DrbgKind drbg) {
  return {{.algorithm = "SHA-512",
           .mode = "conditioner: digest",
           .standard = "FIPS 180-4",
           .run = [] { return conditioner_self_test(ConditionerKind::sha512); }},
          {.algorithm = "HMAC-SHA-512",
           .mode = "conditioner: tag",
           .standard = "RFC 4231 case 2",
           .run = [] { return conditioner_self_test(ConditionerKind::hmac_sha512); }},
          drbg_test(drbg)};
}

}  // namespace talla::entropy
