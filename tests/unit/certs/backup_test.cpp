// Goal: a backup is a consistent, complete and checked copy of a ledger in use, nothing damaged or
// altered passes for one, it never becomes a live ledger again, and what a new log opens of it is
// what its records committed to (PROTOCOL sections 2, 4 and 5).
// Method: a log over SQLite in a folder; every file of a backup is flipped, cut and forged;
//         signatures are checked by Botan.
#include "certs/backup.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "certs/approval.hpp"
#include "certs/batch.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/succession.hpp"
#include "certs/tile_writer.hpp"
#include "fixture.hpp"
#include "format/openings.hpp"
#include "taken.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs::testing {
namespace {

/// A log whose key has a statement.
struct Live {
  Live(const Folder& folder, std::unique_ptr<Ed25519Signer> key)
      : signer(std::move(key)),
        anchor(folder / "anchor.json"),
        ledger(must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin}))),
        log(must(Log::open({.hashes = hashes,
                            .ledger = *ledger,
                            .signer = *signer,
                            .clock = clock,
                            .anchor = &anchor},
                           {.origin = origin}))) {}
  OpensslHashes hashes;
  std::unique_ptr<Ed25519Signer> signer;
  ManualClock clock;
  FileAnchor anchor;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Log> log;

  void add(int count) {
    for (int i = 0; i < count; ++i) must(log->append(access_draft("status")));
    must(log->commit());
  }
};

/// An appliance with a development key set, so that the statement of its log key is real.
struct Backed {
  Backed() {
    must(init_development_keys(
        {.folder = folder / "keys", .origin = origin, .server_names = {}, .now_us = start_us}));
    signer = must(load_log_signer(folder / "keys/log.key"));
    appliance.emplace(folder, must(load_log_signer(folder / "keys/log.key")));
    tiles.emplace(must(TileWriter::open(*appliance->log, folder / "tiles")));
  }
  Result<BackupManifest> make(const std::string& name) {
    return make_backup(
        {.ledger = SqliteLedgerOptions{.path = folder / "ledger.db", .origin = origin},
         .keys = {{.key = folder / "keys/log.key", .statement = folder / "keys/log-key.json"}},
         .folder = folder / name,
         .signed_checkpoint = folder / "tiles/checkpoint"},
        clock);
  }
  Result<CheckedBackup> check(const std::string& name) {
    return check_backup(folder / name, BotanEd25519());
  }

  Folder folder;
  ManualClock clock;
  std::unique_ptr<Ed25519Signer> signer;  ///< of the statement
  std::optional<Live> appliance;
  std::optional<TileWriter> tiles;

  /// As the daemon does: the checkpoint appears when what it covers is durable.
  void add(int count) {
    appliance->add(count);
    must(tiles->update());
  }
  void commit() {
    must(appliance->log->commit());
    must(tiles->update());
  }
};

void put_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

TEST(Backup, PROTOCOL_2_a_copy_says_size_root_and_checkpoint_of_what_it_holds) {
  Backed here;
  here.add(5);
  here.add(7);
  const BackupManifest made = must(here.make("copy"));
  EXPECT_EQ(made.size, 12U);
  EXPECT_EQ(made.root, must(here.appliance->log->prover().root(12)));
  const CheckedBackup checked = must(here.check("copy"));
  EXPECT_EQ(format_manifest(checked.manifest), format_manifest(made));
  const auto ledger = must(open_backup(here.folder / "copy", origin));
  for (std::uint64_t seq = 0; seq < 12; ++seq)
    EXPECT_EQ(must(ledger->record(seq)).bytes, must(here.appliance->ledger->record(seq)).bytes);
  EXPECT_FALSE(std::filesystem::exists(here.folder / "copy.part"));
  EXPECT_FALSE(here.make("copy")) << "nothing is ever overwritten";
}

TEST(Backup, it_holds_keys_drafts_sealed_secrets_and_catalogues_too) {
  Backed here;
  Log& log = *here.appliance->log;
  const auto table = must(log.append(table_draft()));
  const StoredReply reply{
      {.client = "c", .method = "POST", .path = "/v1/x", .key = "k"}, {}, 201, "{}", {table.seq}};
  log.group().replies.push_back(reply);
  log.group().documents.push_back({documents::bets("round-1"), "draft"});
  log.group().sealed.push_back({table.object, table.seq, "TABLE_OPEN", Bytes(40, 3)});
  here.commit();
  must(here.make("copy"));
  const auto ledger = must(open_backup(here.folder / "copy", origin));
  ASSERT_TRUE(must(ledger->reply(reply.id)).has_value());
  EXPECT_EQ(must(ledger->reply(reply.id))->seqs, reply.seqs);
  EXPECT_EQ(must(ledger->document(documents::bets("round-1"))), "draft");
  EXPECT_EQ(must(ledger->sealed(table.object)).at(0).sealed, Bytes(40, 3));
  EXPECT_EQ(must(here.check("copy")).manifest.open.at("table"), 1U);
}

TEST(Backup, a_catalogue_that_a_record_names_must_be_there) {
  Backed here;
  const OpensslHashes hashes;
  const std::string text = "name = \"es-1977\"";
  TableOpenBody body = testing::keyed_table();
  body.catalogue = hashes.sha256({as_bytes(text)});
  body.place = "Mesa 1";
  body.game = "craps";
  body.parameters["deck"] = "french52x8";
  body.settled_by_client = true;
  RecordDraft draft;
  draft.kind = Kind::table_open;
  draft.body = body.to_json();
  must(here.appliance->log->append(draft));
  here.commit();
  const auto refused = here.make("copy");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().detail.find(to_hex(body.catalogue)), std::string::npos)
      << refused.error().text();
  EXPECT_FALSE(std::filesystem::exists(here.folder / "copy"));
  must(here.appliance->log->append(access_draft("later")));
  here.appliance->log->group().catalogues.push_back({body.catalogue, text});
  here.commit();
  EXPECT_EQ(must(here.make("copy")).catalogues, std::vector<Digest>{body.catalogue});
}

TEST(Backup, every_flipped_cut_or_forged_file_is_refused) {
  Backed here;
  here.add(300);
  const BackupManifest made = must(here.make("copy"));
  for (const std::string name : {"ledger.db", "log-key.json", "manifest.json"}) {
    const std::string path = here.folder / ("copy/" + name);
    const std::string good = whole_file(path);
    for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 23) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1);
      put_file(path, bad);
      const auto checked = here.check("copy");
      if (!checked) continue;
      BackupManifest other = checked->manifest;  // nothing vouches for the time of making
      other.made_us = made.made_us;
      EXPECT_TRUE(name == "manifest.json" && format_manifest(other) == good)
          << name << " byte " << at;
    }
    put_file(path, good.substr(0, good.size() / 2));
    EXPECT_FALSE(here.check("copy")) << name;
    std::filesystem::remove(path);
    EXPECT_FALSE(here.check("copy")) << name;
    put_file(path, good);
  }
  EXPECT_TRUE(here.check("copy"));
}

TEST(Backup, a_manifest_made_to_fit_another_ledger_lacks_the_signature) {
  Backed here;
  here.add(3);
  BackupManifest forged = must(here.make("copy"));
  here.add(3);
  must(here.make("later"));
  put_file(here.folder / "copy/ledger.db", whole_file(here.folder / "later/ledger.db"));
  const BackupManifest later = must(here.check("later")).manifest;
  forged.ledger_digest = later.ledger_digest;
  forged.ledger_bytes = later.ledger_bytes;
  put_file(here.folder / "copy/manifest.json", format_manifest(forged));
  EXPECT_FALSE(here.check("copy"));
  forged = later;
  forged.size = 5;
  put_file(here.folder / "copy/manifest.json", format_manifest(forged));
  EXPECT_FALSE(here.check("copy"));
}

TEST(Backup, PROTOCOL_2_a_backup_is_never_opened_for_writing) {
  Backed here;
  here.add(3);
  must(here.make("copy"));
  const auto opened =
      open_sqlite_ledger({.path = here.folder / "copy/ledger.db", .origin = origin});
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_foreign)) << opened.error().text();
}

TEST(Backup, a_ledger_in_use_is_copied_as_one_moment_had_it) {
  Backed here;
  here.add(50);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop.load()) here.add(7);
  });
  for (int i = 0; i < 5; ++i) {
    const std::string name = "copy" + std::to_string(i);
    const auto made = here.make(name);
    EXPECT_TRUE(made) << made.error().text();
    if (made) {
      EXPECT_EQ((made->size - 50) % 7, 0U) << "whole groups";
    }
  }
  stop = true;
  writer.join();
  for (int i = 0; i < 5; ++i) {
    const CheckedBackup checked = must(here.check("copy" + std::to_string(i)));
    EXPECT_EQ(checked.manifest.root,
              must(here.appliance->log->prover().root(checked.manifest.size)));
  }
}

TEST(Backup, PROTOCOL_2_what_the_daemon_has_not_signed_for_yet_is_not_signed_here_either) {
  Backed here;
  here.add(3);
  const std::string early = whole_file(here.folder / "tiles/checkpoint");
  here.appliance->add(4);
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    must(here.tiles->update());
  });
  EXPECT_EQ(must(here.make("copy")).size, 7U);
  late.join();
  std::string foreign = whole_file(here.folder / "tiles/checkpoint");
  foreign[foreign.size() - 10] = foreign[foreign.size() - 10] == 'A' ? 'B' : 'A';
  put_file(here.folder / "tiles/checkpoint", foreign);
  EXPECT_FALSE(here.make("other")) << "another signature";
  EXPECT_NE(early, foreign);
}

TEST(Backup, of_a_stopped_appliance_it_needs_no_checkpoint_of_the_tiles) {
  Backed here;
  here.add(3);
  here.tiles.reset();
  here.appliance.reset();
  std::filesystem::remove_all(here.folder / "tiles");
  EXPECT_EQ(must(here.make("copy")).size, 3U);
}

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
  must(write_succession(*log, what));
  EXPECT_EQ(must(named_predecessor(*ledger)), manifest.checkpoint);
  const Record first = must(parse_record(must(ledger->record(0)).bytes));
  EXPECT_EQ(first.kind, Kind::key);
  EXPECT_EQ(first.body.find("predecessor")->string(), to_base64(as_bytes(manifest.checkpoint)));
  const Record confirmed = must(parse_record(must(ledger->record(2)).bytes));
  EXPECT_EQ(confirmed.body.find("what")->string(), "succession-older.confirmed");
  EXPECT_EQ(confirmed.client->id, "talla:inspector-1");
  EXPECT_EQ(ledger->size(), 3 + what.secrets.size());
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
