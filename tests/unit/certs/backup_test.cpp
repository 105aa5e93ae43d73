// Goal: a backup is a consistent, complete and checked copy of a ledger in use, and nothing damaged
// or altered passes for one (PROTOCOL section 2).
// Method: a log over SQLite in a folder; every file of a backup is flipped, cut and forged;
//         signatures are checked by Botan.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "backed.hpp"

namespace talla::certs::testing {
namespace {

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

}  // namespace
}  // namespace talla::certs::testing
