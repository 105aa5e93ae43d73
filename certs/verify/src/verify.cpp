#include "verify/verify.hpp"

#include "certified_steps.hpp"
#include "ended.hpp"
#include "evidence.hpp"
#include "key_chain.hpp"
#include "summary_of.hpp"
#include "verify/answers.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/signed_steps.hpp"
#include "witnessed.hpp"

namespace talla::certs {
namespace {

Status check_key(Evidence& evidence, const std::vector<KeyEpoch>& keys,
                 const VerifyOptions& options) {
  for (const KeyEpoch& key : keys)
    evidence.verdict.development = evidence.verdict.development || key.development;
  if (options.production_only && evidence.verdict.development) {
    return fail(VerifyErrc::untrusted_chain,
                "certificates: development certificates are not accepted");
  }
  TALLA_TRY_STATUS(check_known(options.known_key, keys));
  evidence.checked(Note::key_bound);
  if (keys.size() > 1) {
    evidence.checked(Note::keys_follow, {{"keys", std::to_string(keys.size())}});
  }
  return {};
}

Status check_answers(const Evidence& evidence) {
  Answers answers;
  for (const Record& record : evidence.records)
    TALLA_TRY_STATUS(answers.take(evidence.hashes, record));
  return {};
}

Status check_steps(Evidence& evidence) {
  SignedSteps steps;
  for (std::size_t i = 0; i < evidence.records.size(); ++i) {
    const Digest leaf = leaf_hash(evidence.hashes, as_bytes(evidence.bundle.records[i].record));
    TALLA_TRY_STATUS(steps.take(evidence.hashes, evidence.records[i], leaf));
  }
  if (steps.alone() > 0)
    evidence.not_checked(Note::steps_alone, {{"records", std::to_string(steps.alone())}});
  return {};
}

Status check_mine(Evidence& evidence, const VerifyOptions& options) {
  if (!options.mine) return {};
  const std::string key = to_hex(*options.mine);
  if (!evidence.joined.contains(*options.mine))
    return refuse(VerifyErrc::not_mine, *evidence.claim,
                  "rests on no result, or on one without the number of the key " + key);
  evidence.checked(Note::mine, {{"key", key}});
  return {};
}

/// Nothing of it is of a table of play: no key of a player and no card is in it.
Result<Verdict> judge_laboratory(Evidence evidence, const VerifyOptions& options) {
  if (options.mine) return fail(VerifyErrc::not_mine, "a laboratory file shows no result of play");
  if (evidence.openings)
    return fail(VerifyErrc::openings_other, "the openings are of no covered shoe of this file");
  TALLA_TRY_STATUS(check_steps(evidence));
  TALLA_TRY_STATUS(check_laboratory(evidence));
  summarise(evidence);
  return std::move(evidence.verdict);
}

Result<Verdict> judge_bundle(std::string_view bundle, std::string_view roots,
                             const VerifyOptions& options) {
  const BotanHashes hashes;
  TALLA_TRY(Evidence evidence, open_evidence(hashes, bundle));
  if (!options.openings.empty()) {
    TALLA_TRY(evidence.openings, Openings::parse(options.openings));
  }
  TALLA_TRY(const auto keys,
            verify_key_chain(hashes, evidence.bundle.key_changes, evidence.bundle.log_key,
                             evidence.checkpoint.checkpoint, roots, evidence.claim->time_us));
  TALLA_TRY_STATUS(check_key(evidence, keys, options));
  TALLA_TRY_STATUS(check_log(evidence, keys.back().statement));
  TALLA_TRY_STATUS(
      check_ended(hashes, evidence.checkpoint.checkpoint, keys, roots, options, evidence.verdict));
  TALLA_TRY_STATUS(check_witnesses(hashes, evidence.checkpoint, options.policy, evidence.verdict));
  if (evidence.bundle.laboratory) return judge_laboratory(std::move(evidence), options);
  TALLA_TRY_STATUS(check_answers(evidence));
  TALLA_TRY_STATUS(check_table_chain(evidence));
  TALLA_TRY_STATUS(check_calls(evidence));
  TALLA_TRY_STATUS(check_chains(evidence));
  TALLA_TRY_STATUS(check_rounds(evidence));
  TALLA_TRY_STATUS(check_shoes(evidence));
  TALLA_TRY_STATUS(check_batches(evidence));
  if (evidence.claim->kind == Kind::settlement) TALLA_TRY_STATUS(check_settlement(evidence));
  TALLA_TRY_STATUS(check_steps(evidence));
  TALLA_TRY_STATUS(check_mine(evidence, options));
  TALLA_TRY_STATUS(check_certified(evidence, keys, roots, options));
  name_catalogue(evidence, options.catalogues);
  conclude(evidence);
  summarise(evidence);
  return std::move(evidence.verdict);
}

}  // namespace

Result<Verdict> verify_bundle(std::string_view bundle, std::string_view trusted_roots_pem,
                              const VerifyOptions& options) {
  try {
    return judge_bundle(bundle, trusted_roots_pem, options);
  } catch (const std::exception& error) {
    return fail(VerifyErrc::unsupported_claim, std::string("the verifier failed: ") + error.what());
  }
}

}  // namespace talla::certs
