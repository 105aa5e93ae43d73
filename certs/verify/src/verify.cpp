#include "verify/verify.hpp"

#include "chain.hpp"
#include "evidence.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

Status check_key(Evidence& evidence, const TrustedKey& key, const VerifyOptions& options) {
  if (options.production_only && key.development) {
    return fail(VerifyErrc::untrusted_chain, "certificates: development certificates are not accepted");
  }
  evidence.verdict.development = key.development;
  evidence.checked("the log's key is bound to a trusted root by certificates valid at the recorded time");
  return {};
}

Result<Verdict> verify(std::string_view bundle, std::string_view roots, const VerifyOptions& options) {
  const BotanHashes hashes;
  TALLA_TRY(Evidence evidence, open_evidence(hashes, bundle));
  TALLA_TRY(const TrustedKey key, verify_log_key(evidence.bundle.log_key, roots, evidence.claim->time_us));
  TALLA_TRY_STATUS(check_key(evidence, key, options));
  TALLA_TRY_STATUS(check_log(evidence, key.statement));
  TALLA_TRY_STATUS(check_chains(evidence));
  TALLA_TRY_STATUS(check_rounds(evidence));
  TALLA_TRY_STATUS(check_shoes(evidence));
  TALLA_TRY_STATUS(check_batches(evidence));
  if (evidence.claim->kind == Kind::settlement) TALLA_TRY_STATUS(check_settlement(evidence));
  conclude(evidence);
  return std::move(evidence.verdict);
}

}  // namespace

Result<Verdict> verify_bundle(std::string_view bundle, std::string_view trusted_roots_pem,
                              const VerifyOptions& options) {
  try {
    return verify(bundle, trusted_roots_pem, options);
  } catch (const std::exception& error) {
    return fail(VerifyErrc::unsupported_claim, std::string("the verifier failed: ") + error.what());
  }
}

}  // namespace talla::certs
