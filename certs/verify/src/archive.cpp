#include "verify/archive.hpp"

#include <algorithm>

#include "ended.hpp"
#include "key_chain.hpp"
#include "log_chains.hpp"
#include "verify/notes.hpp"
#include "witnessed.hpp"

namespace talla::certs {
namespace {

VerdictClass archive_class(const ArchiveFacts& facts) {
  return facts.lab ? VerdictClass::lab : VerdictClass::uncertified;
}

std::string span_text(const ArchiveHeader& header) {
  return note_line(Note::claim_span, {{"first", std::to_string(header.from)},
                                      {"last", std::to_string(header.to - 1)},
                                      {"log", header.origin}});
}

/// How far the chains of tables were followed.
void say_chains(const LogChains& chains, bool contents, Verdict& verdict) {
  if (!contents) {
    verdict.not_checked.push_back(note_line(Note::archive_chains_unread));
    return;
  }
  verdict.checked.push_back(
      note_line(Note::archive_chains, {{"tables", std::to_string(chains.tables())}}));
  if (chains.begun_before() > 0)
    verdict.not_checked.push_back(
        note_line(Note::archive_chains_before, {{"tables", std::to_string(chains.begun_before())},
                                                {"first", std::to_string(chains.begin())}}));
}

/// What a reading of the records alone does not tell, and what was not read of them.
void say_unread(const ArchiveFacts& facts, std::uint64_t steps_alone, Verdict& verdict) {
  auto& not_checked = verdict.not_checked;
  if (steps_alone > 0)
    not_checked.push_back(note_line(Note::steps_alone, {{"records", std::to_string(steps_alone)}}));
  if (facts.unread > 0)
    not_checked.push_back(
        note_line(Note::archive_unread, {{"records", std::to_string(facts.unread)}}));
  if (facts.unknown_kinds > 0)
    not_checked.push_back(
        note_line(Note::archive_unknown_kinds, {{"records", std::to_string(facts.unknown_kinds)}}));
  not_checked.push_back(note_line(Note::archive_outcomes));
  not_checked.push_back(note_line(Note::certification_elsewhere));
  if (!verdict.witnessed) not_checked.push_back(note_line(Note::unwitnessed));
  not_checked.push_back(note_line(Note::revocation));
}

}  // namespace

ArchiveVerifier::ArchiveVerifier(std::string_view trusted_roots_pem, const VerifyOptions& options)
    : roots_(trusted_roots_pem), options_(options), chains_(std::make_unique<LogChains>(hashes_)) {}

ArchiveVerifier::~ArchiveVerifier() = default;

Result<ArchiveVerdict> ArchiveVerifier::judge(ByteSource& source, const ArchiveCheck& check) {
  ArchiveVerdict out;
  ArchiveCheck followed = check;
  const std::uint64_t alone_before = steps_.alone();
  std::optional<Error> broken;  // the first record that does not go on in its table
  followed.judge = [&](const Record& record, const Digest& leaf) -> Status {
    TALLA_TRY_STATUS(answers_.take(hashes_, record));
    TALLA_TRY_STATUS(steps_.take(hashes_, record, leaf));
    if (check.contents && !broken) {
      if (const Status goes_on = chains_->take(record, leaf); !goes_on) broken = goes_on.error();
    }
    return check.judge ? check.judge(record, leaf) : Status();
  };
  TALLA_TRY(out.facts, check_archive(hashes_, source, followed));
  if (!check.contents) chains_->forget();
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
  verdict.claim_text = span_text(header);
  auto& checked = verdict.checked;
  checked.push_back(note_line(Note::archive_key_bound));
  if (keys.size() > 1)
    checked.push_back(note_line(Note::keys_follow, {{"keys", std::to_string(keys.size())}}));
  checked.push_back(
      note_line(Note::archive_records, {{"records", std::to_string(header.to - header.from)}}));
  checked.push_back(
      note_line(Note::archive_states, {{"catalogues", std::to_string(out.facts.catalogues)}}));
  TALLA_TRY_STATUS(check_ended(hashes_, head, keys, roots_, options_, verdict));
  TALLA_TRY_STATUS(check_witnesses(hashes_, out.facts.checkpoint, options_.policy, verdict));
  if (before_) {
    TALLA_TRY_STATUS(check_archive_follows(*before_, out.facts));
    checked.push_back(note_line(Note::archive_follows));
  } else if (header.from > 0) {
    verdict.not_checked.push_back(note_line(
        Note::archive_before,
        {{"records", std::to_string(header.from)}, {"digest", to_hex(*header.previous)}}));
  }
  if (broken) return tl::unexpected(*broken);  // of archives that are right in all else
  say_chains(*chains_, check.contents, verdict);
  say_unread(out.facts, steps_.alone() - alone_before, verdict);
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
