#include "key_chain.hpp"

#include <algorithm>

#include "format/merkle.hpp"
#include "format/record.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

/// The new key's statement in a KEY of purpose `log`.
Result<LogKeyStatement> announced(const Record& record) {
  const json::Value* log_key = record.kind == Kind::key ? record.body.find("log_key") : nullptr;
  if (log_key == nullptr)
    return fail(VerifyErrc::wrong_statement,
                "key change: record " + std::to_string(record.seq) + " announces no log key");
  TALLA_TRY(const LogKey key, LogKey::from_json(*log_key));
  return parse_statement(key.statement);
}

Status check_follows(const LogKeyStatement& statement, const std::vector<KeyEpoch>& before) {
  const bool follows = before.empty() ? !statement.previous.has_value()
                                      : statement.previous == before.back().statement.public_key &&
                                            statement.origin == before.back().statement.origin;
  if (follows) return {};
  return fail(VerifyErrc::wrong_statement,
              before.empty() ? "log key: it follows another one, whose announcement is not there"
                             : "log key: it does not follow the one that announced it");
}

/// Inclusion of the announcement as the last record under the old key, and the log going on from
/// there.
Status check_place(const HashSuite& hashes, const KeyChange& change, const Record& record,
                   const Checkpoint& own, const Checkpoint& next) {
  if (record.origin != own.origin || own.origin != next.origin)
    return fail(VerifyErrc::wrong_origin, "key change: of another log");
  if (own.size != record.seq + 1 || next.size <= own.size)
    return fail(VerifyErrc::key_change, "key change: not the last record under the old key");
  const auto included =
      verify_inclusion(hashes, {.index = record.seq, .size = own.size},
                       leaf_hash(hashes, as_bytes(change.record)), change.path, own.root);
  if (!included) return fail(VerifyErrc::not_included, "key change: " + included.error().detail);
  const auto goes_on =
      verify_consistency(hashes, {.size = own.size, .root = own.root},
                         {.size = next.size, .root = next.root}, change.consistency);
  if (!goes_on)
    return fail(VerifyErrc::key_change,
                "key change: the log does not go on from it: " + goes_on.error().detail);
  return {};
}

}  // namespace

Status check_log_signature_of(const HashSuite& hashes, const SignedCheckpoint& checkpoint,
                              const LogKeyStatement& statement, const std::string& where) {
  if (checkpoint.checkpoint.origin != statement.origin)
    return fail(VerifyErrc::wrong_origin, where + ": checkpoint and log key name different logs");
  if (checkpoint.key_id != ed25519_key_id(hashes, statement.origin, statement.public_key))
    return fail(VerifyErrc::wrong_signature,
                where + ": signed by another key of the log, or of nobody's that is shown");
  if (!BotanEd25519().verify(statement.public_key, as_bytes(checkpoint.text), checkpoint.signature))
    return fail(VerifyErrc::wrong_signature, where + ": the signature is wrong");
  return {};
}

Result<std::vector<KeyEpoch>> verify_key_chain(const HashSuite& hashes,
                                               const std::vector<KeyChange>& changes,
                                               const LogKey& log_key, const Checkpoint& head,
                                               std::string_view roots_pem, std::int64_t time_us) {
  std::vector<KeyEpoch> epochs;
  std::int64_t from_us = 0;
  std::uint64_t begin = 0;
  Digest expected{};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const KeyChange& change = changes[i];
    TALLA_TRY(const Record record, parse_record(change.record));
    TALLA_TRY(const TrustedKey trusted, verify_log_key(change.log_key, roots_pem, record.time_us));
    TALLA_TRY_STATUS(check_follows(trusted.statement, epochs));
    if (i > 0 && trusted.statement.public_key != expected)
      return fail(VerifyErrc::wrong_statement, "key change: another key was announced");
    TALLA_TRY(const SignedCheckpoint own, parse_checkpoint(change.checkpoint));
    TALLA_TRY_STATUS(check_log_signature_of(hashes, own, trusted.statement, "key change"));
    Checkpoint next = head;
    if (i + 1 < changes.size()) {
      TALLA_TRY(const SignedCheckpoint following, parse_checkpoint(changes[i + 1].checkpoint));
      next = following.checkpoint;
    }
    TALLA_TRY_STATUS(check_place(hashes, change, record, own.checkpoint, next));
    if (record.time_us < from_us) return fail(VerifyErrc::time_back, "key change: time goes back");
    TALLA_TRY(const LogKeyStatement successor, announced(record));
    epochs.push_back({change.log_key, trusted.statement, from_us, begin, own.checkpoint.size,
                      trusted.development});
    expected = successor.public_key;
    from_us = record.time_us;
    begin = own.checkpoint.size;
  }
  TALLA_TRY(const TrustedKey present,
            verify_log_key(log_key, roots_pem, std::max(time_us, from_us)));
  TALLA_TRY_STATUS(check_follows(present.statement, epochs));
  if (!changes.empty() && present.statement.public_key != expected)
    return fail(VerifyErrc::wrong_statement, "key change: another key was announced");
  epochs.push_back({log_key, present.statement, from_us, begin, 0, present.development});
  return epochs;
}

namespace {

/// The newest key that the text names.
Result<LogKeyStatement> newest_of(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(VerifyErrc::wrong_statement, "known key: " + value.error().detail);
  if (value->find("type") == nullptr) {
    TALLA_TRY(const LogKey key, LogKey::from_json(*value));
    return parse_statement(key.statement);
  }
  TALLA_TRY(const LogKeys keys, parse_log_keys(text));
  return parse_statement(keys.log_key.statement);
}

bool same_key(const LogKeyStatement& one, const LogKeyStatement& other) {
  return one.public_key == other.public_key && one.origin == other.origin;
}

Status none_of_them() {
  return fail(VerifyErrc::wrong_statement,
              "log key: none of the log's keys is the one that is known");
}

}  // namespace

Status check_known(std::string_view known, const std::vector<KeyEpoch>& epochs) {
  if (known.empty()) return {};
  TALLA_TRY(const LogKeyStatement mine, newest_of(known));
  for (const KeyEpoch& epoch : epochs) {
    if (same_key(epoch.statement, mine)) return {};
  }
  return none_of_them();
}

Status log_keys_follow(std::string_view known, std::string_view keys) {
  TALLA_TRY(const LogKeyStatement mine, newest_of(known));
  TALLA_TRY(const LogKeys given, parse_log_keys(keys));
  std::vector<const LogKey*> all{&given.log_key};
  for (const KeyChange& change : given.changes) all.push_back(&change.log_key);
  for (const LogKey* one : all) {
    TALLA_TRY(const LogKeyStatement statement, parse_statement(one->statement));
    if (same_key(statement, mine)) return {};
  }
  return none_of_them();
}

}  // namespace talla::certs
