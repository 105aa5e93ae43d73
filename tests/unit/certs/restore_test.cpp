// Goal: a backup never becomes a live ledger again, what a new log opens of it is what its records
// committed to, and the places of the house go on (PROTOCOL sections 2, 4, 5 and 5b).
// Method: a log over SQLite in a folder, whose backup a second log follows.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "backed.hpp"
#include "format/body_machine.hpp"

namespace talla::certs::testing {
namespace {

TEST(Restore, PROTOCOL_2_an_anchor_knows_a_backup_that_is_older_or_of_another_history) {
  Backed here;
  const OpensslHashes hashes;
  here.add(5);
  must(here.make("copy"));
  const Digest then = must(here.appliance->log->prover().root(5));
  here.add(5);
  const auto ledger = must(open_backup(here.folder / "copy", origin));
  const LedgerReading reading = must(read_whole_ledger(*ledger, origin));
  const auto compare = [&](const AnchorState& state) {
    return compare_backup(hashes, reading, origin, state);
  };
  EXPECT_TRUE(compare({.origin = origin, .size = 5, .root = then, .boot = 1}));
  EXPECT_TRUE(compare({.origin = origin, .size = 0, .root = {}, .boot = 0}));
  const Status older = compare({.origin = origin,
                                .size = 10,
                                .root = must(here.appliance->log->prover().root(10)),
                                .boot = 1});
  ASSERT_FALSE(older);
  EXPECT_TRUE(older.error().is(SuccessionErrc::older_than_anchor));
  EXPECT_NE(older.error().detail.find("last 5"), std::string::npos) << older.error().detail;
  EXPECT_TRUE(compare({.origin = origin, .size = 4, .root = then, .boot = 1})
                  .error()
                  .is(SuccessionErrc::other_history));
  EXPECT_TRUE(compare({.origin = "other", .size = 4, .root = then, .boot = 1})
                  .error()
                  .is(SuccessionErrc::other_history));
}

TEST(Restore, a_retired_anchor_keeps_every_copy_of_the_old_ledger_from_starting) {
  Backed here;
  here.add(5);
  const BackupManifest manifest = must(here.make("copy"));
  here.tiles.reset();
  here.appliance.reset();
  FileAnchor anchor(here.folder / "anchor.json");
  must(retire_anchor(anchor, manifest));
  EXPECT_TRUE(anchor_retired(*must(anchor.read())));
  must(retire_anchor(anchor, manifest));
  const OpensslHashes hashes;
  ManualClock clock;
  const auto signer = fixed_signer();
  const auto ledger =
      must(open_sqlite_ledger({.path = here.folder / "ledger.db", .origin = origin}));
  for (const bool adopt : {false, true}) {
    const auto log = Log::open(
        {.hashes = hashes, .ledger = *ledger, .signer = *signer, .clock = clock, .anchor = &anchor},
        {.origin = origin, .adopt_anchor = adopt});
    ASSERT_FALSE(log);
    EXPECT_TRUE(log.error().is(Errc::ledger_shorter));
  }
}

/// A public and a covered shoe, a batch with one draw done and one CALL open.
struct Open {
  Open() {
    Log& log = *here.appliance->log;
    FixedBits bits(5);
    table = must(log.append(table_draft())).object;
    open_shoe = add_shoe(bits, false);
    covered_shoe = add_shoe(bits, true);
    batch.emplace(
        must(SecretBatch::make(hashes, object_id("batch", log.next_seq()), 8, bits.source())));
    const BatchCommitBody commit = batch->commit_body(table, start_us, some_context());
    const auto added = must(log.append(draft(Kind::batch_commit, commit.to_json())));
    seal(added, "BATCH_COMMIT", batch->secret());
    for (std::uint32_t index = 0; index < 2; ++index) {
      CallBody call;
      call.core.origin = origin;
      call.core.table = table;
      call.core.turn = index + 1;
      call.core.object = batch->id();
      call.core.root = batch->root();
      call.core.at = index;
      call.core.specification = DrawSpecification(WheelDraw{37});
      RecordDraft record = draft(Kind::call, call.to_json());
      record.object = batch->id();
      const auto sequenced = must(log.append(record));
      progress.take(call, sequenced.seq);
      calls.push_back(call);
      call_seqs.push_back(sequenced.seq);
      if (index > 0) continue;
      RecordDraft result =
          draft(Kind::draw,
                testing::taken(progress, batch->draw(progress, call_seqs[0], calls[0])).to_json());
      result.object = batch->id();
      result.cites = {call_seqs[0]};
      must(log.append(result));
    }
    here.commit();
  }
  static RecordDraft draft(Kind kind, json::Value body) {
    RecordDraft out;
    out.kind = kind;
    out.body = std::move(body);
    return out;
  }
  void seal(const Appended& record, const char* kind, const SecretBytes& secret) {
    here.appliance->log->group().sealed.push_back(
        {record.object, record.seq, kind,
         must(sealer.seal({origin, record.seq, kind, record.object}, secret))});
  }
  SealedShoe add_shoe(FixedBits& bits, bool covered) {
    Log& log = *here.appliance->log;
    SealedShoe shoe =
        must(SealedShoe::make(hashes, object_id("shoe", log.next_seq()),
                              must(shuffle::DeckSpec::parse("french52x8")), bits.source()));
    ShoeTerms terms{.table = table, .burn = {}, .covered = covered, .context = some_context()};
    const auto added =
        must(log.append(draft(Kind::shoe_commit, must(shoe.commit_body(terms)).to_json())));
    seal(added, "SHOE_COMMIT", shoe.secret());
    return shoe;
  }

  Backed here;
  OpensslHashes hashes;
  Sealer sealer = must(Sealer::create(SecretBytes(32)));
  std::string table;
  std::optional<SealedShoe> open_shoe, covered_shoe;
  std::optional<SecretBatch> batch;
  BatchProgress progress;
  std::vector<CallBody> calls;
  std::vector<std::uint64_t> call_seqs;
};

const json::Value* secret_of(const std::vector<json::Value>& all, const std::string& object,
                             const char* member) {
  for (const json::Value& one : all) {
    if (one.find("object")->string() == object && one.find(member) != nullptr)
      return one.find(member);
  }
  return nullptr;
}

TEST(Restore, PROTOCOL_2_unused_secrets_of_the_old_log_are_opened_and_covered_shoes_stay_sealed) {
  Open old;
  must(old.here.make("copy"));
  const auto ledger = must(open_backup(old.here.folder / "copy", origin));
  const auto all = must(predecessor_secrets(old.hashes, *ledger, origin, &old.sealer));
  for (const json::Value& body : all)
    EXPECT_TRUE(check_body(Kind::key, body)) << json::canonical(body);
  EXPECT_EQ(all.size(), 4U);
  const auto roots = must(Openings::roots_of(old.open_shoe->secret()));
  const json::Value* root = secret_of(all, old.open_shoe->id(), "root");
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root->find("key")->string(), to_hex(roots.front().key));
  EXPECT_EQ(root->find("tape")->string(), to_base64(roots.front().tape));
  EXPECT_EQ(secret_of(all, old.covered_shoe->id(), "result")->string(), "kept");
  EXPECT_EQ(secret_of(all, old.covered_shoe->id(), "root"), nullptr);
  // PROTOCOL section 5.3: what the open CALL gives after any crash.
  const json::Value* draw = secret_of(all, old.batch->id(), "draw");
  ASSERT_NE(draw, nullptr);
  EXPECT_EQ(json::canonical(*draw),
            json::canonical(
                must(old.batch->draw(old.progress, old.call_seqs[1], old.calls[1])).to_json()));
  const json::Value* close = secret_of(all, old.batch->id(), "close");
  ASSERT_NE(close, nullptr);
  EXPECT_EQ(must(BatchCloseBody::from_json(*close)).first, 2U);
  EXPECT_EQ(must(BatchCloseBody::from_json(*close)).secrets.size(), 6U);
}

TEST(Restore, without_the_sealing_key_they_are_lost_and_with_another_one_nothing_is_said_of_them) {
  Open old;
  must(old.here.make("copy"));
  const auto ledger = must(open_backup(old.here.folder / "copy", origin));
  const auto lost = must(predecessor_secrets(old.hashes, *ledger, origin, nullptr));
  EXPECT_EQ(secret_of(lost, old.open_shoe->id(), "result")->string(), "lost");
  EXPECT_EQ(secret_of(lost, old.covered_shoe->id(), "result")->string(), "kept");
  EXPECT_EQ(secret_of(lost, old.batch->id(), "result")->string(), "lost");
  const Sealer other = must(Sealer::create(SecretBytes(32, 1)));
  const auto wrong = predecessor_secrets(old.hashes, *ledger, origin, &other);
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().is(SuccessionErrc::secret_unusable));
}

/// A table that was closed, and one of the log before that: what the newest of them says stands.
TEST(Restore, PROTOCOL_5b_counts_of_the_places_go_on) {
  Open old;
  Log& log = *old.here.appliance->log;
  TableOpenBody unnamed = keyed_table();
  unnamed.place = object_id("table", log.next_seq());
  unnamed.settled_by_client = true;
  unnamed.parameters["deck"] = "french52x8";
  must(log.append(Open::draft(Kind::table_open, unnamed.to_json())));
  KeyBody left;
  left.purpose = KeyPurpose::place;
  left.origin = "casino.example/earlier";
  left.opened = 7;
  left.counts = {.turns = 90, .voids = 2, .early_closes = 1};
  for (const char* place : {"Mesa 0", "Mesa 2"}) {
    left.place = place;
    must(log.append(Open::draft(Kind::key, left.to_json())));
  }
  TableOpenBody second = unnamed;
  second.place = "Mesa 2";
  second.opened = 8;
  second.counts = left.counts;
  const auto opened = must(log.append(Open::draft(Kind::table_open, second.to_json())));
  TableCloseBody close{
      .place = "Mesa 2", .opened = 8, .rounds = 0, .voided = true, .counts = left.counts};
  ++close.counts.early_closes;
  RecordDraft closing = Open::draft(Kind::table_close, close.to_json());
  closing.object = opened.object;
  must(log.append(closing));
  old.here.commit();
  must(old.here.make("copy"));
  const auto ledger = must(open_backup(old.here.folder / "copy", origin));
  std::map<std::string, KeyBody> places;
  for (const json::Value& body : must(predecessor_places(*ledger, origin))) {
    KeyBody place = must(KeyBody::from_json(body));
    EXPECT_EQ(place.purpose, KeyPurpose::place);
    EXPECT_EQ(place.origin, origin);
    places.emplace(place.place, std::move(place));
  }
  ASSERT_EQ(places.size(), 3U) << "a table without a name of the house leaves none";
  const PlaceCounts open_table{.turns = 2, .voids = 1, .early_closes = 1};
  EXPECT_EQ(places.at("Mesa 1").counts, open_table) << "its open CALL ends, and so does the table";
  EXPECT_EQ(places.at("Mesa 1").opened, 1U);
  EXPECT_EQ(places.at("Mesa 2").counts, close.counts);
  EXPECT_EQ(places.at("Mesa 2").opened, 8U);
  EXPECT_EQ(places.at("Mesa 0").counts, left.counts);
  EXPECT_EQ(places.at("Mesa 0").opened, 7U);
}

TEST(Restore, PROTOCOL_4_no_file_of_a_backup_tells_an_unopened_secret) {
  Open old;
  must(old.here.make("copy"));
  std::string files;
  for (const char* name : {"ledger.db", "log-key.json", "manifest.json"})
    files += whole_file(old.here.folder / (std::string("copy/") + name));
  const auto find = [&](const std::string& needle) {
    return files.find(needle) != std::string::npos;
  };
  EXPECT_TRUE(find(old.open_shoe->id())) << "the search finds what is there";
  for (const SecretBytes* secret :
       {&old.open_shoe->secret(), &old.covered_shoe->secret(), &old.batch->secret()}) {
    const std::size_t first =
        secret == &old.batch->secret() ? 32 : 0;  // the secret of the DRAW is open
    for (std::size_t at = first; at + 8 <= secret->size(); at += 8) {
      const ByteView part = ByteView(*secret).subspan(at, 8);
      EXPECT_FALSE(find(std::string(as_text(part)))) << at;
      EXPECT_FALSE(find(to_hex(part))) << at;
    }
  }
}

TEST(Restore, PROTOCOL_2_the_first_record_of_the_new_log_names_the_last_checkpoint_of_the_old_one) {
  Open old;
  const BackupManifest manifest = must(old.here.make("copy"));
  const auto copy = must(open_backup(old.here.folder / "copy", origin));
  Folder fresh;
  const std::string origin_new = "log.example/after";
  must(init_development_keys(
      {.folder = fresh / "keys", .origin = origin_new, .server_names = {}, .now_us = start_us}));
  const auto signer = must(load_log_signer(fresh / "keys/log.key"));
  const auto ledger = must(open_sqlite_ledger({.path = fresh / "ledger.db", .origin = origin_new}));
  ManualClock clock;
  FileAnchor anchor(fresh / "anchor.json");
  const auto log = must(Log::open({.hashes = old.hashes,
                                   .ledger = *ledger,
                                   .signer = *signer,
                                   .clock = clock,
                                   .anchor = &anchor},
                                  {.origin = origin_new}));
  Succession what;
  what.predecessor = manifest;
  what.log_key = must(load_log_key(fresh / "keys/log-key.json", origin_new, signer->public_key()));
  what.terms = {.successor = origin_new,
                .origin = origin,
                .size = manifest.size,
                .root = manifest.root,
                .older = true};
  what.asked = {.id = "talla:officer-1", .spki = {}, .time_us = start_us};
  what.confirmed = {.id = "talla:inspector-1", .spki = {}, .time_us = start_us};
  what.secrets = must(predecessor_secrets(old.hashes, *copy, origin, &old.sealer));
  what.places = must(predecessor_places(*copy, origin));
  must(write_succession(*log, what));
  EXPECT_EQ(must(named_predecessor(*ledger)), manifest.checkpoint);
  const Record first = must(parse_record(must(ledger->record(0)).bytes));
  EXPECT_EQ(first.kind, Kind::key);
  EXPECT_EQ(first.body.find("predecessor")->string(), to_base64(as_bytes(manifest.checkpoint)));
  const Record confirmed = must(parse_record(must(ledger->record(2)).bytes));
  EXPECT_EQ(confirmed.body.find("what")->string(), "succession-older.confirmed");
  EXPECT_EQ(confirmed.client->id, "talla:inspector-1");
  EXPECT_EQ(what.places.size(), 1U);
  EXPECT_EQ(ledger->size(), 3 + what.secrets.size() + what.places.size());
  EXPECT_EQ(must(ledger->document(documents::place("Mesa 1"))), std::to_string(ledger->size() - 1));
  EXPECT_TRUE(write_succession(*log, what).error().is(SuccessionErrc::not_empty));
  EXPECT_EQ(must(anchor.read())->size, ledger->size());
}

TEST(Approval, PROTOCOL_8_it_is_good_for_its_terms_its_person_and_a_day_only) {
  Folder folder;
  must(init_development_keys(
      {.folder = folder / "keys", .origin = origin, .server_names = {}, .now_us = start_us}));
  must(add_development_client({.folder = folder / "keys",
                               .id = "talla:officer-1",
                               .roles = {"security-officer"},
                               .now_us = start_us}));
  const std::string base = folder / "keys/clients/talla:officer-1";
  const RestoreTerms terms{
      .successor = "b", .origin = origin, .size = 7, .root = {}, .older = false, .lost = false};
  const std::string text = must(make_approval(terms, base + ".pem", base + ".key", start_us));
  const ApprovalTrust trust{.roots = folder / "keys/ca.pem", .revoked = {}};
  const Approver person = must(check_approval(text, terms, trust, start_us + 1));
  EXPECT_EQ(person.id, "talla:officer-1");
  EXPECT_EQ(person.spki, must(view_certificate(base + ".pem")).spki);
  RestoreTerms other = terms;
  other.older = true;
  EXPECT_FALSE(check_approval(text, other, trust, start_us));
  other = terms;
  other.size = 8;
  EXPECT_FALSE(check_approval(text, other, trust, start_us));
  EXPECT_FALSE(check_approval(text, terms, trust, start_us + approval_lifetime_us + 1));
  std::string forged = text;
  forged.replace(forged.find("\\\"size\\\":7"), 10, "\\\"size\\\":9");
  other = terms;
  other.size = 9;
  EXPECT_FALSE(check_approval(forged, other, trust, start_us))
      << "the signature is over the statement";
  Folder elsewhere;
  must(init_development_keys(
      {.folder = elsewhere / "keys", .origin = origin, .server_names = {}, .now_us = start_us}));
  EXPECT_FALSE(
      check_approval(text, terms, {.roots = elsewhere / "keys/ca.pem", .revoked = {}}, start_us));
}

}  // namespace
}  // namespace talla::certs::testing
