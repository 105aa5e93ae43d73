#include "chain.hpp"
#include "format/body_draw.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

Status check_signature(const HashSuite& hashes, const OpenedReceipt& receipt,
                       const LogKeyStatement& statement) {
  const SignedCheckpoint& checkpoint = receipt.checkpoint;
  if (checkpoint.checkpoint.origin != statement.origin) {
    return fail(VerifyErrc::wrong_origin, "receipt and log key name different logs");
  }
  if (checkpoint.key_id != ed25519_key_id(hashes, statement.origin, statement.public_key) ||
      !BotanEd25519().verify(statement.public_key, as_bytes(checkpoint.text), checkpoint.signature)) {
    return fail(VerifyErrc::wrong_signature, "receipt: the checkpoint's signature is wrong");
  }
  return {};
}

/// A record without a context says nothing about a source.
Result<VerdictClass> class_of(const Record& record) {
  const json::Value* member = record.kind == Kind::unknown ? nullptr : record.body.find("context");
  if (member == nullptr) return VerdictClass::uncertified_source;
  TALLA_TRY(const Context context, Context::from_json(*member));
  if (context.lab()) return VerdictClass::lab;
  return context.uncertified ? VerdictClass::uncertified_source : VerdictClass::certified;
}

Result<Verdict> verify(const Receipt& receipt, const LogKey& log_key, std::string_view roots,
                       const VerifyOptions& options) {
  const BotanHashes hashes;
  TALLA_TRY(const OpenedReceipt opened, open_receipt(receipt));
  TALLA_TRY(const TrustedKey key, verify_log_key(log_key, roots, opened.record.time_us));
  if (options.production_only && key.development) {
    return fail(VerifyErrc::untrusted_chain, "certificates: development certificates are not accepted");
  }
  TALLA_TRY_STATUS(check_signature(hashes, opened, key.statement));
  const Checkpoint& head = opened.checkpoint.checkpoint;
  const auto included =
      verify_inclusion(hashes, {.index = opened.proof.index, .size = head.size},
                       leaf_hash(hashes, as_bytes(receipt.record)), opened.proof.path, head.root);
  if (!included) return fail(VerifyErrc::not_included, "receipt: " + included.error().detail);
  Verdict verdict;
  TALLA_TRY(verdict.verdict_class, class_of(opened.record));
  verdict.development = key.development;
  verdict.origin = opened.record.origin;
  verdict.claim = opened.record.seq;
  verdict.kind = opened.record.kind == Kind::unknown ? opened.record.unknown_kind
                                                     : std::string(kind_name(opened.record.kind));
  verdict.time_us = opened.record.time_us;
  verdict.time_quality = time_quality_name(opened.record.time_quality);
  verdict.tree_size = head.size;
  verdict.claim_text = verdict.kind + " is record " + std::to_string(verdict.claim) + " of the log";
  verdict.checked = {"the log's key is bound to a trusted root by certificates valid at the recorded time",
                     "the record is in the log at the place its number says"};
  verdict.not_checked = {
      "what the record says: a receipt proves that it was logged, a bundle what follows from it",
      "unwitnessed: does not exclude a second history", "revocation not checked"};
  return verdict;
}

}  // namespace

Result<Verdict> verify_receipt(std::string_view receipt, std::string_view log_key_json,
                               std::string_view trusted_roots_pem, const VerifyOptions& options) {
  try {
    TALLA_TRY(const Receipt parsed, parse_receipt(receipt));
    auto value = json::parse_canonical(log_key_json);
    if (!value) return fail(VerifyErrc::wrong_statement, "log key: " + value.error().detail);
    TALLA_TRY(const LogKey log_key, LogKey::from_json(*value));
    return verify(parsed, log_key, trusted_roots_pem, options);
  } catch (const std::exception& error) {
    return fail(VerifyErrc::unsupported_claim, std::string("the verifier failed: ") + error.what());
  }
}

}  // namespace talla::certs
