// Verifies a single receipt against the keys of its log.
#include <algorithm>

#include "ended.hpp"
#include "format/body_draw.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "key_chain.hpp"
#include "laboratory.hpp"
#include "summary_of.hpp"
#include "verify/answers.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/notes.hpp"
#include "verify/signed_steps.hpp"
#include "verify/verify.hpp"
#include "witnessed.hpp"

namespace talla::certs {
namespace {

/// The receipt's checkpoint is signed by the key of the log whose sizes hold that of it.
Status check_signer(const HashSuite& hashes, const OpenedReceipt& receipt,
                    const std::vector<KeyEpoch>& keys) {
  const std::uint64_t size = receipt.checkpoint.checkpoint.size;
  for (const KeyEpoch& key : keys) {
    if (size > key.begin && (key.end == 0 || size <= key.end))
      return check_log_signature_of(hashes, receipt.checkpoint, key.statement, "receipt");
  }
  return fail(VerifyErrc::wrong_signature, "receipt: its size is of no key of the log");
}

/// One statement (section 5) for a log that has one key, or all keys of the log.
Result<std::vector<KeyEpoch>> keys_from(const HashSuite& hashes, std::string_view text,
                                        const OpenedReceipt& receipt, std::string_view roots) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(VerifyErrc::wrong_statement, "log key: " + value.error().detail);
  const std::int64_t time_us = receipt.record.time_us;
  if (value->find("type") == nullptr) {
    TALLA_TRY(LogKey log_key, LogKey::from_json(*value));
    return verify_key_chain(hashes, {}, log_key, receipt.checkpoint.checkpoint, roots, time_us);
  }
  TALLA_TRY(const LogKeys keys, parse_log_keys(text));
  TALLA_TRY(const SignedCheckpoint head, parse_checkpoint(keys.checkpoint));
  TALLA_TRY(auto epochs,
            verify_key_chain(hashes, keys.changes, keys.log_key, head.checkpoint, roots, time_us));
  TALLA_TRY_STATUS(check_log_signature_of(hashes, head, epochs.back().statement, "log keys"));
  return epochs;
}

/// A receipt carries no certification; a record without a context says nothing about a source.
Result<VerdictClass> record_class(const Record& record) {
  const json::Value* member = record.kind == Kind::unknown ? nullptr : record.body.find("context");
  if (member == nullptr) return VerdictClass::uncertified;
  TALLA_TRY(const Context context, Context::from_json(*member));
  return context.lab() ? VerdictClass::lab : VerdictClass::uncertified;
}

Result<Verdict> judge_receipt(const Receipt& receipt, std::string_view log_key,
                              std::string_view roots, const VerifyOptions& options) {
  const BotanHashes hashes;
  TALLA_TRY(const OpenedReceipt opened, open_receipt(receipt));
  TALLA_TRY(const auto keys, keys_from(hashes, log_key, opened, roots));
  const bool development = std::ranges::any_of(keys, &KeyEpoch::development);
  if (options.production_only && development) {
    return fail(VerifyErrc::untrusted_chain,
                "certificates: development certificates are not accepted");
  }
  TALLA_TRY_STATUS(check_known(options.known_key, keys));
  TALLA_TRY_STATUS(check_signer(hashes, opened, keys));
  const Checkpoint& head = opened.checkpoint.checkpoint;
  const auto included =
      verify_inclusion(hashes, {.index = opened.proof.index, .size = head.size},
                       leaf_hash(hashes, as_bytes(receipt.record)), opened.proof.path, head.root);
  if (!included) return fail(VerifyErrc::not_included, "receipt: " + included.error().detail);
  TALLA_TRY_STATUS(Answers().take(hashes, opened.record));
  SignedSteps steps;
  const Digest leaf = leaf_hash(hashes, as_bytes(receipt.record));
  TALLA_TRY_STATUS(steps.take(hashes, opened.record, leaf));
  Verdict verdict;
  TALLA_TRY(verdict.verdict_class, record_class(opened.record));
  const auto lab = lab_order_of(opened.record);
  verdict.lab_table = lab.has_value();
  if (lab) verdict.verdict_class = VerdictClass::lab;
  verdict.development = development;
  verdict.origin = opened.record.origin;
  verdict.claim = opened.record.seq;
  verdict.kind = opened.record.kind == Kind::unknown ? opened.record.unknown_kind
                                                     : std::string(kind_name(opened.record.kind));
  verdict.time_us = opened.record.time_us;
  verdict.time_quality = time_quality_name(opened.record.time_quality);
  verdict.tree_size = head.size;
  verdict.claim_text = note_line(
      Note::claim_record, {{"kind", verdict.kind}, {"record", std::to_string(verdict.claim)}});
  if (lab) verdict.claim_text = lab_claim_text(*lab);
  verdict.checked = {note_line(Note::key_bound), note_line(Note::record_included)};
  verdict.not_checked = {note_line(Note::receipt_only), note_line(Note::certification_elsewhere)};
  if (steps.alone() > 0)
    verdict.not_checked.push_back(note_line(Note::steps_alone, {{"records", "1"}}));
  TALLA_TRY_STATUS(check_ended(hashes, head, keys, roots, options, verdict));
  TALLA_TRY_STATUS(check_predecessor(opened.record, roots, options));
  TALLA_TRY_STATUS(check_witnesses(hashes, opened.checkpoint, options.policy, verdict));
  if (!verdict.witnessed) verdict.not_checked.push_back(note_line(Note::unwitnessed));
  verdict.not_checked.push_back(note_line(Note::revocation));
  summarise_receipt(verdict);
  return verdict;
}

}  // namespace

Result<Verdict> verify_receipt(std::string_view receipt, std::string_view log_key_json,
                               std::string_view trusted_roots_pem, const VerifyOptions& options) {
  try {
    if (options.mine) return fail(VerifyErrc::not_mine, "receipt: it shows no result");
    TALLA_TRY(const Receipt parsed, parse_receipt(receipt));
    return judge_receipt(parsed, log_key_json, trusted_roots_pem, options);
  } catch (const std::exception& error) {
    return fail(VerifyErrc::unsupported_claim, std::string("the verifier failed: ") + error.what());
  }
}

}  // namespace talla::certs
