// Goal: bundles hold the whole chain of their claim and prove at one checkpoint; tiles are what the
//       ledger says.
// Method: a shoe and a batch played through the log; every path of a bundle is verified; tiles are
//         read back.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "certs/batch.hpp"
#include "certs/bundle_maker.hpp"
#include "certs/files.hpp"
#include "certs/tile_writer.hpp"
#include "fault_vfs.hpp"
#include "fixture.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "format/tiles.hpp"
#include "support/tile_reader.hpp"
#include "taken.hpp"

namespace talla::certs {
namespace {

using testing::Appliance;
using testing::Folder;
using testing::must;
using testing::taken;

RecordDraft draft_of(Kind kind, json::Value body, std::string object = {},
                     std::vector<std::uint64_t> cites = {}) {
  RecordDraft draft;
  draft.kind = kind;
  draft.body = std::move(body);
  draft.object = std::move(object);
  draft.cites = std::move(cites);
  return draft;
}

class BundleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::register_fault_vfs();
    testing::fault_plan().clear();
    testing::fault_plan().skip_sync = true;
  }
  void TearDown() override { testing::fault_plan().clear(); }
  Log& log() { return *appliance_.log; }
  Appended put(RecordDraft draft) {
    Appended appended = must(log().append(std::move(draft)));
    must(log().commit());
    appliance_.add(1);  // a stranger's record between
    return appended;
  }
  static LogKey some_key() {
    return {.statement = "{}", .signature = Bytes(8, 1), .chain = {Bytes(8, 2)}};
  }
  static std::set<std::uint64_t> seqs_of(const Bundle& bundle) {
    const OpensslHashes hashes;
    const SignedCheckpoint head = must(parse_checkpoint(bundle.checkpoint));
    std::set<std::uint64_t> seqs;
    for (const auto& one : bundle.records) {
      const Record record = must(parse_record(one.record));
      EXPECT_TRUE(verify_inclusion(hashes, {.index = record.seq, .size = head.checkpoint.size},
                                   leaf_hash(hashes, as_bytes(one.record)), one.path,
                                   head.checkpoint.root));
      seqs.insert(record.seq);
    }
    return seqs;
  }
  Folder folder_;
  Appliance appliance_{folder_};
  OpensslHashes hashes_;
};

TEST_F(BundleTest, FORMAT_9_a_shoes_chain_has_no_gap_and_holds_its_table) {
  const auto table = put(testing::table_draft());
  const auto deck = shuffle::DeckSpec::french(1);
  const std::string id = object_id("shoe", log().next_seq());
  const auto shoe = must(SealedShoe::make(hashes_, id, deck, testing::FixedBits(1).source()));
  ShoeTerms terms;
  terms.table = table.object;
  terms.context = testing::some_context();
  const auto commit = must(shoe.commit_body(terms));
  const auto opened = put(draft_of(Kind::shoe_commit, commit.to_json(), {}, {table.seq}));
  ASSERT_EQ(opened.object, id);
  ShoeProgress progress;
  const auto call = put(draft_of(Kind::call, testing::call_of(shoe, {1}).to_json(), id));
  const auto mix =
      put(draft_of(Kind::shoe_mix, testing::mixed(progress, shoe, {1}, call.seq).to_json(), id));
  std::set<std::uint64_t> expected = {table.seq, opened.seq, call.seq, mix.seq};
  std::uint64_t last = 0;
  for (std::uint32_t p = 0; p < 5; ++p) {
    last = put(draft_of(
                   Kind::card_deal,
                   taken(progress,
                         shoe.deal(progress,
                                   {.position = p, .place = "p", .face = Face::open, .round = {}}))
                       .to_json(),
                   id))
               .seq;
    expected.insert(last);
  }
  put(draft_of(Kind::shoe_close, must(shoe.close(progress, ShoeCloseReason::closed)).to_json(),
               id));
  const Bundle bundle = must(make_bundle(log(), {.claim = last, .log_key = some_key()}));
  EXPECT_EQ(seqs_of(bundle), expected) << "up to the claim, not beyond";
  const Bundle early =
      must(make_bundle(log(), {.claim = last, .log_key = some_key(), .size = last + 1}));
  EXPECT_EQ(must(parse_checkpoint(early.checkpoint)).checkpoint.size, last + 1);
  EXPECT_EQ(seqs_of(early), expected);
  EXPECT_FALSE(make_bundle(log(), {.claim = last, .log_key = some_key(), .size = last}));
  EXPECT_TRUE(make_bundle(log(), {.claim = mix.seq, .log_key = some_key()}));
}

TEST_F(BundleTest, a_draws_bundle_holds_its_batch_and_the_bets_it_rests_on) {
  const auto table = put(testing::table_draft());
  RoundOpenBody round_body;
  round_body.table = table.object;
  const auto round = put(draft_of(Kind::round_open, round_body.to_json(), {}, {table.seq}));
  BetsClosedBody bets_body;
  bets_body.digest = bets_digest(hashes_, json::Array{});
  const auto bets = put(draft_of(Kind::bets_closed, bets_body.to_json(), round.object));
  const std::string id = object_id("batch", log().next_seq());
  const auto batch = must(SecretBatch::make(hashes_, id, 4, testing::FixedBits(2).source()));
  const auto commit = batch.commit_body(table.object, 99, testing::some_context());
  const auto opened = put(draft_of(Kind::batch_commit, commit.to_json(), {}, {table.seq}));
  BatchProgress progress;
  CallBody body;
  body.core.origin = testing::origin;
  body.core.table = table.object;
  body.core.object = id;
  body.core.root = batch.root();
  body.core.round = round.object;
  body.core.specification = DrawSpecification(WheelDraw{37});
  body.core.bets = bets_body.digest;
  const auto call = put(draft_of(Kind::call, body.to_json(), id, {bets.seq}));
  progress.take(body, call.seq);
  const auto draw =
      put(draft_of(Kind::draw, must(batch.draw(progress, call.seq, body)).to_json(), id));
  EXPECT_FALSE(make_bundle(log(), {.claim = bets.seq, .log_key = some_key()}))
      << "bets alone prove no outcome";
  const Bundle bundle = must(make_bundle(log(), {.claim = draw.seq, .log_key = some_key()}));
  EXPECT_EQ(seqs_of(bundle), (std::set<std::uint64_t>{table.seq, round.seq, bets.seq, opened.seq,
                                                      call.seq, draw.seq}));
}

TEST_F(BundleTest, claims_that_are_not_there_are_not_found) {
  appliance_.add(2);
  for (const std::uint64_t claim : {0U, 1U, 2U, 99U}) {
    const auto bundle = make_bundle(log(), {.claim = claim, .log_key = some_key()});
    ASSERT_FALSE(bundle);
    EXPECT_TRUE(bundle.error().is(Errc::not_found));
  }
}

/// Every tile of the tree of that size, against hashes computed from the records.
void expect_tiles(const Log& log, const std::string& folder) {
  for (const Tile& tile : tiles_between(0, log.size())) {
    const std::string content = must(read_file(folder + "/" + tile_path(tile)));
    if (tile.entries) {
      const auto entries = talla::test::read_entry_bundle(as_bytes(content), tile.width).value();
      for (std::uint32_t i = 0; i < tile.width; ++i) {
        EXPECT_EQ(entries[i], must(log.ledger().record(tile.index * 256 + i)).bytes);
      }
      continue;
    }
    const auto hashes = talla::test::read_hash_tile(as_bytes(content), tile.width).value();
    for (std::uint32_t i = 0; i < tile.width; ++i) {
      EXPECT_EQ(hashes[i], must(log.prover().node(8 * tile.level, tile.index * 256 + i)));
    }
  }
  EXPECT_EQ(must(read_file(folder + "/checkpoint")).substr(0, 17), "log.example/test\n");
}

TEST_F(BundleTest, c2sp_tiles_follow_the_ledger_and_the_missing_tail_is_rebuilt) {
  const std::string folder = folder_ / "tiles";
  {
    auto tiles = must(TileWriter::open(log(), folder));
    appliance_.add(5);
    ASSERT_TRUE(tiles.update());
    appliance_.add(600);
    ASSERT_TRUE(tiles.update());
    expect_tiles(log(), folder);
    appliance_.add(100);  // not written: as after a crash
  }
  auto tiles = must(TileWriter::open(log(), folder));
  EXPECT_EQ(tiles.written_size(), 605U);
  ASSERT_TRUE(tiles.update());
  EXPECT_EQ(tiles.written_size(), 705U);
  expect_tiles(log(), folder);
  std::filesystem::remove(folder + "/tile/0/000");
  ASSERT_TRUE(tiles.rebuild());
  expect_tiles(log(), folder);
}

TEST_F(BundleTest, tiles_of_another_log_are_refused) {
  const std::string folder = folder_ / "tiles";
  appliance_.add(5);
  ASSERT_TRUE(must(TileWriter::open(log(), folder)).update());
  const Folder other_folder;
  Appliance other(other_folder);
  auto opened = TileWriter::open(*other.log, folder);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_shorter));
  other.add(9, "other");
  opened = TileWriter::open(*other.log, folder);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_different));
}

}  // namespace
}  // namespace talla::certs
