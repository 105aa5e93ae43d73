// Goal: only a log key bound by a valid chain to a trusted root, at the recorded time, speaks for
//       its origin.
// Method: certificates made for each fault: foreign root, expired, not yet valid, wrong name, wrong
//         mark, extra ones.
#include <gtest/gtest.h>

#include "scenes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

constexpr std::int64_t day_us = 86'400'000'000;

Result<Verdict> judge(const test::PkiOptions& options, const VerifyOptions& verify = {}) {
  test::Pki pki(options);
  return verify_bundle(format_bundle(test::draw_scene(pki).drawn), pki.roots_pem(), verify);
}

TEST(Chain, is_judged_at_the_recorded_time) {
  test::PkiOptions options;
  EXPECT_TRUE(judge(options));
  options.not_after_us = test::epoch_us - day_us / 2;
  EXPECT_TRUE(judge(options).error().is(VerifyErrc::untrusted_chain))
      << "expired before the record";
  options.not_before_us = test::epoch_us + day_us;
  options.not_after_us = test::epoch_us + 10 * day_us;
  EXPECT_TRUE(judge(options).error().is(VerifyErrc::untrusted_chain))
      << "not yet valid at the record";
}

TEST(Chain, to_a_foreign_root_is_refused) {
  test::Pki pki;
  test::PkiOptions options;
  options.seed = "another appliance";
  const test::Pki other(options);
  const auto verdict = verify_bundle(format_bundle(test::draw_scene(pki).drawn), other.roots_pem());
  EXPECT_TRUE(verdict.error().is(VerifyErrc::untrusted_chain));
}

TEST(Chain, must_name_the_log_it_signs_for) {
  test::PkiOptions options;
  options.uri = "talla:log:casino.example/talla-2";
  EXPECT_TRUE(judge(options).error().is(VerifyErrc::wrong_statement));
  options = {};
  options.origin = "casino.example/talla-2";
  options.uri = "talla:log:casino.example/talla-2";
  EXPECT_TRUE(judge(options).error().is(VerifyErrc::wrong_origin));
}

TEST(Chain, a_key_that_is_for_more_than_signatures_does_not_sign_for_a_log) {
  for (const auto use : {test::CertificateUse::authority, test::CertificateUse::unsaid,
                         test::CertificateUse::server}) {
    test::PkiOptions options;
    options.use = use;
    const auto verdict = judge(options);
    ASSERT_FALSE(verdict) << static_cast<int>(use);
    EXPECT_TRUE(verdict.error().is(VerifyErrc::wrong_statement)) << verdict.error().text();
    EXPECT_NE(verdict.error().text().find("signatures alone"), std::string::npos);
  }
}

TEST(Chain, development_mark_must_agree_and_can_be_refused) {
  test::PkiOptions options;
  options.development_statement = false;
  EXPECT_TRUE(judge(options).error().is(VerifyErrc::wrong_statement));
  EXPECT_TRUE(judge({}, {.production_only = true}).error().is(VerifyErrc::untrusted_chain));
  options.development_certificate = false;
  const auto verdict = judge(options, {.production_only = true});
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_FALSE(verdict->development);
}

TEST(Chain, with_foreign_certificates_or_damaged_ones_is_refused) {
  test::Pki pki;
  test::PkiOptions options;
  options.seed = "another appliance";
  const test::Pki other(options);
  Bundle bundle = test::draw_scene(pki).drawn;
  bundle.log_key.chain.push_back(other.log_key().chain.front());
  EXPECT_TRUE(verify_bundle(format_bundle(bundle), pki.roots_pem())
                  .error()
                  .is(VerifyErrc::untrusted_chain));
  bundle = test::draw_scene(pki).drawn;
  bundle.log_key.chain.front().push_back(0);
  EXPECT_TRUE(verify_bundle(format_bundle(bundle), pki.roots_pem())
                  .error()
                  .is(VerifyErrc::untrusted_chain));
  bundle = test::draw_scene(pki).drawn;
  bundle.log_key.signature = other.log_key().signature;
  EXPECT_TRUE(verify_bundle(format_bundle(bundle), pki.roots_pem())
                  .error()
                  .is(VerifyErrc::wrong_statement));
}

TEST(Chain, needs_readable_roots) {
  test::Pki pki;
  const std::string bundle = format_bundle(test::draw_scene(pki).drawn);
  EXPECT_TRUE(verify_bundle(bundle, "").error().is(VerifyErrc::bad_root_file));
  EXPECT_TRUE(
      verify_bundle(bundle, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
          .error()
          .is(VerifyErrc::bad_root_file));
  test::PkiOptions options;
  options.seed = "another appliance";
  const test::Pki other(options);
  EXPECT_TRUE(verify_bundle(bundle, other.roots_pem() + pki.roots_pem()))
      << "any of several roots may be the one";
}

}  // namespace
}  // namespace talla::certs
