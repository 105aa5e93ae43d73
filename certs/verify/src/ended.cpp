#include "ended.hpp"

#include <algorithm>

#include "chain.hpp"
#include "format/merkle.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/notes.hpp"

namespace talla::certs {
namespace {

tl::unexpected<Error> ended(const EndedLog& end, const std::string& why) {
  return fail(VerifyErrc::log_ended,
              "the log " + end.last.origin + " ended with " + std::to_string(end.last.size) +
                  " records (" + std::string(end_reason_name(end.statement.reason)) + "): " + why);
}

/// One of the keys that the statement names has signed its checkpoint.
Status check_signed(const HashSuite& hashes, const LogEndStatement& statement,
                    const SignedCheckpoint& note) {
  for (const Digest& key : statement.keys) {
    if (note.key_id == ed25519_key_id(hashes, statement.origin, key) &&
        BotanEd25519().verify(key, as_bytes(note.text), note.signature))
      return {};
  }
  return fail(VerifyErrc::wrong_statement,
              "end of a log: its checkpoint is signed by none of the keys it names");
}

Result<EndedLog> verify_one(const HashSuite& hashes, std::string_view text,
                            std::string_view roots_pem) {
  TALLA_TRY(const LogEnd file, parse_log_end(text));
  EndedLog end;
  TALLA_TRY(end.statement, parse_end_statement(file.statement));
  const SignedText signed_text{.chain = file.chain,
                               .signature = file.signature,
                               .message = log_end_message(file.statement),
                               .uri = "talla:log-end:" + end.statement.origin,
                               .what = "end of a log"};
  TALLA_TRY(const Signer signer, verify_signer(signed_text, roots_pem, end.statement.made_us));
  end.development = signer.any_development;
  TALLA_TRY(const SignedCheckpoint note, parse_cosigned_checkpoint(end.statement.checkpoint));
  TALLA_TRY_STATUS(check_signed(hashes, end.statement, note));
  end.last = note.checkpoint;
  return end;
}

Status check_agree(const EndedLog& one, const EndedLog& other) {
  if (one.last.origin != other.last.origin) return {};
  const auto& next = one.statement.successor;
  const auto& other_next = other.statement.successor;
  if (one.last == other.last && (!next || !other_next || *next == *other_next)) return {};
  return fail(VerifyErrc::contradicting_ends,
              "two statements about the end of " + one.last.origin + " contradict each other");
}

Result<std::vector<EndedLog>> ends_of(std::string_view roots_pem, const VerifyOptions& options) {
  TALLA_TRY(auto ends, verify_log_ends(options.ended, roots_pem));
  if (options.production_only && std::ranges::any_of(ends, &EndedLog::development))
    return fail(VerifyErrc::untrusted_chain,
                "end of a log: development certificates are not accepted");
  return ends;
}

/// Of a log that the root names as the next one: it has the key that the root names.
Status check_successor(const EndedLog& end, const std::vector<KeyEpoch>& keys, Verdict& verdict) {
  const Digest& named = end.statement.successor->key;
  const bool has = std::ranges::any_of(
      keys, [&](const KeyEpoch& key) { return key.statement.public_key == named; });
  if (!has)
    return fail(VerifyErrc::wrong_statement,
                "log key: the root named another key for the log that follows " + end.last.origin);
  verdict.checked.push_back(note_line(Note::log_follows, {{"log", end.last.origin}}));
  return {};
}

}  // namespace

Result<std::vector<EndedLog>> verify_log_ends(std::span<const std::string> files,
                                              std::string_view trusted_roots_pem) {
  const BotanHashes hashes;
  std::vector<EndedLog> ends;
  for (const std::string& file : files) {
    TALLA_TRY(EndedLog end, verify_one(hashes, file, trusted_roots_pem));
    for (const EndedLog& before : ends) TALLA_TRY_STATUS(check_agree(before, end));
    ends.push_back(std::move(end));
  }
  return ends;
}

const EndedLog* end_of(std::span<const EndedLog> ends, std::string_view origin) {
  const EndedLog* found = nullptr;
  for (const EndedLog& end : ends) {
    if (end.last.origin == origin && (found == nullptr || end.statement.successor)) found = &end;
  }
  return found;
}

Status check_counts(const HashSuite& hashes, const EndedLog& end, const Checkpoint& checkpoint,
                    std::string_view consistency) {
  if (checkpoint.size > end.last.size)
    return ended(
        end, "a checkpoint of " + std::to_string(checkpoint.size) +
                 " counts for nothing, whoever signed it; have the evidence made again at its end");
  if (checkpoint == end.last) return {};
  if (checkpoint.size == end.last.size) return ended(end, "this is another history of it");
  if (consistency.empty())
    return ended(end,
                 "nothing shows that a checkpoint of " + std::to_string(checkpoint.size) +
                     " is its beginning; have the evidence made again at its end, or give a proof");
  TALLA_TRY(const ConsistencyFile file, parse_consistency(consistency));
  const auto proof = std::ranges::find(file.proofs, checkpoint.size, &ConsistencyFile::Proof::size);
  if (file.head != end.last || proof == file.proofs.end())
    return ended(end, "the proofs given are not from a checkpoint of " +
                          std::to_string(checkpoint.size) + " to its end");
  const auto follows =
      verify_consistency(hashes, {.size = checkpoint.size, .root = checkpoint.root},
                         {.size = end.last.size, .root = end.last.root}, proof->path);
  if (!follows) return ended(end, "this is another history of it: " + follows.error().detail);
  return {};
}

Status check_ended(const HashSuite& hashes, const Checkpoint& head,
                   const std::vector<KeyEpoch>& keys, std::string_view roots_pem,
                   const VerifyOptions& options, Verdict& verdict) {
  if (options.ended.empty()) return {};
  TALLA_TRY(const auto ends, ends_of(roots_pem, options));
  for (const EndedLog& end : ends) {
    if (end.statement.successor && end.statement.successor->origin == head.origin)
      TALLA_TRY_STATUS(check_successor(end, keys, verdict));
  }
  const EndedLog* end = end_of(ends, head.origin);
  if (end == nullptr) return {};
  TALLA_TRY_STATUS(check_counts(hashes, *end, head, options.consistency));
  verdict.ended = end_reason_name(end->statement.reason);
  verdict.ended_size = end->last.size;
  if (end->statement.successor) verdict.successor = end->statement.successor->origin;
  const Note note = verdict.successor.empty() ? Note::log_ended : Note::log_ended_followed;
  verdict.checked.push_back(note_line(note, {{"records", std::to_string(end->last.size)},
                                             {"reason", verdict.ended},
                                             {"log", verdict.successor}}));
  return {};
}

Status check_predecessor(const Record& record, std::string_view roots_pem,
                         const VerifyOptions& options) {
  if (options.ended.empty() || record.kind != Kind::key) return {};
  const json::Value* named = record.body.find("predecessor");
  if (named == nullptr || !named->is_string()) return {};
  TALLA_TRY(const Bytes bytes, from_base64(named->string()));
  TALLA_TRY(const SignedCheckpoint before, parse_cosigned_checkpoint(as_text(bytes)));
  TALLA_TRY(const auto ends, ends_of(roots_pem, options));
  const EndedLog* end = end_of(ends, before.checkpoint.origin);
  if (end == nullptr) return {};
  if (before.checkpoint != end->last)
    return ended(*end, "the log that follows it names another end");
  if (end->statement.successor && end->statement.successor->origin != record.origin)
    return ended(*end, "another log than the root names says that it follows it");
  return {};
}

}  // namespace talla::certs
