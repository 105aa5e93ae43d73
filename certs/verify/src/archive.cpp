#include "verify/archive.hpp"

#include <algorithm>

#include "ended.hpp"
#include "key_chain.hpp"
#include "verify/notes.hpp"
#include "witnessed.hpp"

namespace talla::certs {
namespace {

VerdictClass archive_class(const ArchiveFacts& facts) {
  return facts.lab ? VerdictClass::lab : VerdictClass::uncertified;
}

std::string span_text(const ArchiveHeader& header) {
  return "records " + std::to_string(header.from) + " to " + std::to_string(header.to - 1);
}

}  // namespace

Result<ArchiveVerdict> ArchiveVerifier::judge(ByteSource& source, const ArchiveCheck& check) {
  ArchiveVerdict out;
  TALLA_TRY(out.facts, check_archive(hashes_, source, check));
  const ArchiveHeader& header = out.facts.header;
  const Checkpoint& head = out.facts.checkpoint.checkpoint;
  TALLA_TRY(const auto keys, verify_key_chain(hashes_, header.key_changes, header.log_key, head,
                                              roots_, out.facts.last_us));
  TALLA_TRY_STATUS(
      check_log_signature_of(hashes_, out.facts.checkpoint, keys.back().statement, "checkpoint"));
  Verdict& verdict = out.verdict;
  verdict.development = std::ranges::any_of(keys, &KeyEpoch::development);
  if (options_.production_only && verdict.development)
    return fail(VerifyErrc::untrusted_chain,
                "certificates: development certificates are not accepted");
  TALLA_TRY_STATUS(check_known(options_.known_key, keys));
  verdict.verdict_class = archive_class(out.facts);
  verdict.origin = header.origin;
  verdict.claim = header.to - 1;
  verdict.kind = "archive";
  verdict.time_us = out.facts.last_us;
  verdict.tree_size = head.size;
  verdict.claim_text = span_text(header) + " of the log " + header.origin;
  auto& checked = verdict.checked;
  checked.emplace_back(
      "the log's key is bound to a trusted root by certificates valid at the recorded time of the "
      "last "
      "record");
  if (keys.size() > 1)
    checked.push_back(note_line(Note::keys_follow, {{"keys", std::to_string(keys.size())}}));
  checked.push_back(
      "each of the " + std::to_string(header.to - header.from) +
      " records is in the log at the place its number says, without gap and in order of time");
  checked.push_back("the state before each round and the " + std::to_string(out.facts.catalogues) +
                    " catalogues are those that the records name");
  TALLA_TRY_STATUS(check_ended(hashes_, head, keys, roots_, options_, verdict));
  TALLA_TRY_STATUS(check_witnesses(hashes_, out.facts.checkpoint, options_.policy, verdict));
  auto& not_checked = verdict.not_checked;
  if (before_) {
    TALLA_TRY_STATUS(check_archive_follows(*before_, out.facts));
    checked.emplace_back("it goes on where the archive before ends, in the same history");
  } else if (header.from > 0) {
    not_checked.push_back("the " + std::to_string(header.from) + " records before: the archive " +
                          to_hex(*header.previous) + " was not given");
  }
  if (out.facts.unread > 0)
    not_checked.push_back(
        "the content of " + std::to_string(out.facts.unread) +
        " records of single draws, cards and bets: only their bytes, number and time were read, "
        "the class is that of the others");
  if (out.facts.unknown_kinds > 0)
    not_checked.push_back(
        std::to_string(out.facts.unknown_kinds) +
        " records of kinds this version does not know: their content was not read");
  not_checked.emplace_back("what follows from the records: a bundle proves an outcome");
  not_checked.push_back(note_line(Note::certification_elsewhere));
  if (!verdict.witnessed) not_checked.push_back(note_line(Note::unwitnessed));
  not_checked.push_back(note_line(Note::revocation));
  return out;
}

Result<ArchiveVerdict> ArchiveVerifier::verify(ByteSource& source, const ArchiveCheck& check) {
  if (failed_) return fail(ArchiveErrc::archive_differs, "the archive before is not valid");
  failed_ = true;
  try {
    TALLA_TRY(ArchiveVerdict out, judge(source, check));
    before_ = out.facts;
    failed_ = false;
    return out;
  } catch (const std::exception& error) {
    return fail(VerifyErrc::unsupported_claim, std::string("the verifier failed: ") + error.what());
  }
}

}  // namespace talla::certs
