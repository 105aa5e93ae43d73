// Goal: a retired log key leaves the signatures of all its checkpoints, the same bytes as before,
// and a log whose key was rotated is signed, backed up and read with the newest key alone
// (FORMAT.md section 5).
// Method: a log over SQLite; the group that announces a key is signed before it is committed, in
//         trees of every small size.
#include <gtest/gtest.h>

#include <filesystem>

#include "certs/backup.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/next_log_key.hpp"
#include "fixture.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

namespace talla::certs::testing {
namespace {

/// Two keys of one log, the second made for the first, and the log under them.
struct Keys {
  Keys() {
    must(init_development_keys(
        {.folder = folder / "keys", .origin = origin, .server_names = {}, .now_us = start_us}));
    must(make_next_log_key({.statement_path = sources[0].statement,
                            .certificate_key_path = folder / "keys/log-certificate.key",
                            .certificate_path = folder / "keys/log-certificate.pem",
                            .log_key = {},
                            .key_path = sources[1].key,
                            .out_path = sources[1].statement}));
    ledger = must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin}));
  }
  [[nodiscard]] static RecordDraft announcement(const LogKeySource& key) {
    RecordDraft draft;
    draft.kind = Kind::key;
    draft.body =
        json::Object{{"purpose", "log"}, {"log_key", read_log_key(key.statement).to_json()}};
    return draft;
  }
  std::unique_ptr<Log> open(Ed25519Signer& signer) {
    return must(Log::open({.hashes = hashes, .ledger = *ledger, .signer = signer, .clock = clock},
                          {.origin = origin}));
  }
  /// The group with the announcement, as a core writes it; the log goes on with the second key.
  std::uint64_t announce(Log& log) {
    must(log.append(access_draft("before")));
    const auto seq = must(log.append(announcement(sources[1]))).seq;
    auto signatures = must(log.prover().signatures(0, log.prover().groups()));
    signatures.push_back(must(log.sign_ahead()));
    log.group().documents.push_back({documents::signatures(0), signatures_text(signatures)});
    log.group().documents.push_back(
        {documents::log_keys(), retired_keys_text({{seq, read_log_key(sources[0].statement)}})});
    must(log.commit());
    return seq;
  }

  Folder folder;
  std::vector<LogKeySource> sources{
      {.key = folder / "keys/log.key", .statement = folder / "keys/log-key.json"},
      {.key = folder / "next.key", .statement = folder / "next.json"}};
  OpensslHashes hashes;
  ManualClock clock;
  std::unique_ptr<Ledger> ledger;
};

TEST(LogKeyRotation, the_old_key_signs_the_group_of_the_announcement_before_it_is_committed) {
  for (int before = 0; before < 18; ++before) {
    SCOPED_TRACE(before);
    Keys keys;
    auto chosen = must(choose_log_key(*keys.ledger, origin, keys.sources));
    EXPECT_EQ(chosen.source.key, keys.sources[0].key) << "an empty log takes the first";
    const auto log = keys.open(*chosen.signer);
    must(log->append(Keys::announcement(keys.sources[0])));
    must(log->commit());
    for (int i = 0; i < before; ++i) {
      must(log->append(access_draft("status")));
      must(log->commit());
    }
    const auto seq = keys.announce(*log);
    const auto old = must(log->prover().checkpoint(seq + 1));
    std::vector<std::string> all;
    for (std::uint64_t size = 1; size <= seq + 1; ++size)
      if (size != seq) all.push_back(must(log->prover().checkpoint(size)));
    const auto next = must(choose_log_key(*keys.ledger, origin, keys.sources));
    EXPECT_EQ(next.source.key, keys.sources[1].key);
    must(log->prover().change_key(next.signer));
    EXPECT_EQ(must(log->prover().checkpoint(seq + 1)), old);
    must(log->append(access_draft("after")));
    const auto fresh = must(log->commit()).checkpoint;
    // From the ledger and the second key alone.
    const auto again = keys.open(*next.signer);
    std::vector<std::string> found;
    for (std::uint64_t size = 1; size <= seq + 1; ++size)
      if (size != seq) found.push_back(must(again->prover().checkpoint(size)));
    EXPECT_EQ(found, all);
    EXPECT_EQ(must(again->prover().checkpoint(seq + 2)), fresh);
    EXPECT_TRUE(again->prover().checkpoint(seq).error().is(Errc::not_found))
        << "no group ended there";
    EXPECT_EQ(again->prover().public_keys().size(), 2U);
  }
}

TEST(LogKeyRotation, a_key_that_does_not_sign_the_log_is_refused) {
  Keys keys;
  const auto first = must(choose_log_key(*keys.ledger, origin, {keys.sources[0]}));
  const auto log = keys.open(*first.signer);
  for (int i = 0; i < 1500; ++i) must(log->append(access_draft("status")));
  must(log->append(Keys::announcement(keys.sources[0])));
  must(log->commit());
  EXPECT_TRUE(
      choose_log_key(*keys.ledger, origin, {keys.sources[1]}).error().is(LogKeyErrc::wrong_log_key))
      << "the key of the log stands behind 1,500 records";
  EXPECT_EQ(must(choose_log_key(*keys.ledger, origin, keys.sources)).source.key,
            keys.sources[0].key);
  keys.announce(*log);
  EXPECT_TRUE(choose_log_key(*keys.ledger, origin, {keys.sources[0]})
                  .error()
                  .is(LogKeyErrc::wrong_log_key));
  const auto refused = Log::open(
      {.hashes = keys.hashes, .ledger = *keys.ledger, .signer = *first.signer, .clock = keys.clock},
      {.origin = origin});
  EXPECT_TRUE(refused.error().is(LogKeyErrc::wrong_log_key))
      << "nothing more is signed with the old key";
}

TEST(LogKeyRotation, without_its_signature_or_with_another_the_key_is_not_changed) {
  Keys keys;
  const auto first = must(choose_log_key(*keys.ledger, origin, keys.sources));
  const auto log = keys.open(*first.signer);
  must(log->append(Keys::announcement(keys.sources[0])));
  must(log->commit());
  const auto seq = must(log->append(Keys::announcement(keys.sources[1]))).seq;
  auto signatures = must(log->prover().signatures(0, 1));
  signatures.push_back(signatures.front());
  log->group().documents.push_back({documents::signatures(0), signatures_text(signatures)});
  log->group().documents.push_back(
      {documents::log_keys(), retired_keys_text({{seq, read_log_key(keys.sources[0].statement)}})});
  must(log->commit());
  const auto next = must(choose_log_key(*keys.ledger, origin, keys.sources));
  EXPECT_TRUE(log->prover().change_key(next.signer).error().is(Errc::ledger_damaged));
}

TEST(LogKeyRotation, a_backup_shows_all_keys_and_verifies) {
  Keys keys;
  const auto first = must(choose_log_key(*keys.ledger, origin, keys.sources));
  auto log = keys.open(*first.signer);
  must(log->append(Keys::announcement(keys.sources[0])));
  must(log->commit());
  keys.announce(*log);
  const auto roots = must(read_file(keys.folder / "keys/ca.pem"));
  for (const int more : {0, 3}) {
    const std::string name = keys.folder / ("backup-" + std::to_string(more));
    log.reset();
    const auto signer = must(choose_log_key(*keys.ledger, origin, keys.sources)).signer;
    log = keys.open(*signer);
    for (int i = 0; i < more; ++i) {
      must(log->append(access_draft("after")));
      must(log->commit());
    }
    log.reset();
    keys.ledger.reset();
    must(make_backup(
        {.ledger = SqliteLedgerOptions{.path = keys.folder / "ledger.db", .origin = origin},
         .keys = keys.sources,
         .folder = name},
        keys.clock));
    const auto checked = must(check_backup(name, BotanEd25519()));
    EXPECT_EQ(checked.changes.size(), more == 0 ? 0U : 1U)
        << "the announcement itself is under the old key";
    const auto verdict = verify_receipt(format_receipt(checked.last), checked.log_key_text, roots);
    EXPECT_TRUE(verdict) << verdict.error().text();
    keys.ledger = must(open_sqlite_ledger({.path = keys.folder / "ledger.db", .origin = origin}));
  }
}

TEST(LogKeyRotation, the_next_statement_is_for_the_same_log_and_the_certificate_that_signs_it) {
  Keys keys;
  const NextLogKeyOptions good{.statement_path = keys.sources[0].statement,
                               .certificate_key_path = keys.folder / "keys/log-certificate.key",
                               .certificate_path = keys.folder / "keys/log-certificate.pem",
                               .log_key = {},
                               .key_path = keys.folder / "third.key",
                               .out_path = keys.folder / "third.json"};
  auto taken = good;
  taken.out_path = keys.sources[1].statement;
  EXPECT_TRUE(make_next_log_key(taken).error().is(Errc::key_exists));
  EXPECT_FALSE(std::filesystem::exists(good.key_path)) << "a refusal leaves no key behind";
  auto server = good;
  server.certificate_key_path = keys.folder / "keys/server.key";
  server.certificate_path = keys.folder / "keys/server.pem";
  EXPECT_TRUE(make_next_log_key(server).error().is(Errc::id_malformed));
  auto mixed = good;
  mixed.certificate_key_path = keys.folder / "keys/server.key";
  EXPECT_TRUE(make_next_log_key(mixed).error().is(Errc::key_malformed));
  must(make_next_log_key(good));
  const auto present = read_log_key(keys.sources[0].statement);
  const auto third = read_log_key(good.out_path);
  EXPECT_TRUE(log_key_follows(present, third, false));
  EXPECT_TRUE(log_key_follows(present, third, true).error().is(LogKeyErrc::wrong_log_key))
      << "development";
  EXPECT_TRUE(log_key_follows(read_log_key(keys.sources[1].statement), third, false)
                  .error()
                  .is(LogKeyErrc::wrong_log_key));
  EXPECT_TRUE(log_key_follows(present, present, false).error().is(LogKeyErrc::wrong_log_key));
}

}  // namespace
}  // namespace talla::certs::testing
