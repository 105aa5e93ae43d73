// Goal: records get their number, time and chain once; receipts and checkpoints verify and never
//       change.
// Method: a log over SQLite with a moved clock; proofs are judged by RFC 6962 verification,
//         signatures by EVP.
#include "certs/log.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <utility>

#include "evp_verify.hpp"
#include "fault_vfs.hpp"
#include "fixture.hpp"
#include "format/body_draw.hpp"
#include "format/domain.hpp"

namespace talla::certs {
namespace {

using testing::access_draft;
using testing::Appliance;
using testing::Folder;
using testing::must;

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::register_fault_vfs();
    testing::fault_plan().clear();
    testing::fault_plan().skip_sync = true;
  }
  void TearDown() override { testing::fault_plan().clear(); }
  Folder folder_;
};

TEST_F(LogTest, records_are_numbered_from_zero_with_times_that_never_go_back) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const auto first = must(appliance.log->append(access_draft("a")));
  appliance.clock.step_utc_us(-5'000'000);
  const auto second = must(appliance.log->append(access_draft("b")));
  must(appliance.log->commit());
  appliance.clock.step_utc_us(9'000'000);
  const auto third = must(appliance.log->append(access_draft("c")));
  EXPECT_EQ(first.seq, 0U);
  EXPECT_EQ(second.seq, 1U);
  EXPECT_EQ(third.seq, 2U);
  EXPECT_EQ(second.time_us, first.time_us);
  EXPECT_EQ(third.time_us, first.time_us + 4'000'000);
}

TEST_F(LogTest, records_of_a_group_have_the_quality_that_the_clock_had_at_its_first) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const auto add = [&appliance](const char* what) {
    return must(appliance.log->append(access_draft(what))).record.time_quality;
  };
  appliance.clock.set_quality(TimeQuality::holdover);
  EXPECT_EQ(add("a"), TimeQuality::holdover);
  appliance.clock.set_quality(TimeQuality::unset);
  EXPECT_EQ(add("b"), TimeQuality::holdover);
  must(appliance.log->commit());
  EXPECT_EQ(add("c"), TimeQuality::unset);
}

TEST_F(LogTest, opening_records_name_their_object_and_later_ones_follow) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  appliance.add(3);
  const auto table = must(appliance.log->append(testing::table_draft()));
  EXPECT_EQ(table.object, "table-3");
  RecordDraft close;
  close.kind = Kind::table_close;
  close.object = "table-3";
  close.body = testing::table_close_body();
  close.cites = {3, 1, 1};
  const auto closed = must(appliance.log->append(close));
  must(appliance.log->commit());
  const Record record = must(parse_record(must(appliance.ledger->record(closed.seq)).bytes));
  EXPECT_EQ(record.prev, 3U);
  EXPECT_EQ(record.table, "table-3");
  EXPECT_EQ(record.cites, (std::vector<std::uint64_t>{1, 3})) << "sorted, unique";
  EXPECT_FALSE(appliance.log->append(close).has_value() && appliance.log->commit().has_value())
      << "a closed table takes no more records";
}

TEST_F(LogTest, records_outside_the_order_of_objects_are_refused_and_leave_the_stage) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  RecordDraft stray;
  stray.kind = Kind::table_close;
  stray.object = "table-9";
  stray.body = testing::table_close_body();
  EXPECT_FALSE(appliance.log->append(stray));
  RecordDraft named = testing::table_draft();
  named.object = "table-0";
  EXPECT_FALSE(appliance.log->append(named));
  RecordDraft machine = access_draft("x");
  machine.object = "table-0";
  EXPECT_FALSE(appliance.log->append(machine));
  RecordDraft malformed = access_draft("x");
  malformed.body["extra"] = 1;
  EXPECT_FALSE(appliance.log->append(malformed));
  EXPECT_EQ(appliance.log->next_seq(), 0U);
  EXPECT_EQ(appliance.add(1).size, 1U);
}

Record committed_record(const Appliance& appliance, std::uint64_t seq) {
  return must(parse_record(must(appliance.ledger->record(seq)).bytes));
}

RecordDraft batch_draft(const std::string& table) {
  BatchCommitBody body;
  body.table = table;
  body.count = 1;
  body.context = testing::some_context();
  RecordDraft draft;
  draft.kind = Kind::batch_commit;
  draft.body = body.to_json();
  return draft;
}

RecordDraft table_close_draft(const std::string& table) {
  RecordDraft draft;
  draft.kind = Kind::table_close;
  draft.object = table;
  draft.body = testing::table_close_body();
  return draft;
}

/// FORMAT.md section 2, over two tables whose records lie between each other: the links of each are
/// computed here from the bytes that were committed.
TEST_F(LogTest, FORMAT_2_the_records_of_each_table_are_linked_also_behind_undo_and_a_restart) {
  std::map<std::string, std::vector<std::uint64_t>> chains;
  {
    Appliance appliance(folder_, testing::fault_vfs_name);
    Log& log = *appliance.log;
    for (int i = 0; i < 2; ++i) {
      const auto table = must(log.append(testing::table_draft()));
      chains[table.object].push_back(table.seq);
    }
    must(log.append(access_draft("between")));
    must(log.commit());
    for (int i = 0; i < 3; ++i) {
      for (auto& [table, seqs] : chains) seqs.push_back(must(log.append(batch_draft(table))).seq);
      const auto mark = log.mark();
      must(log.append(batch_draft("table-0")));
      must(log.append(table_close_draft("table-1")));
      log.undo(mark);
    }
    must(log.commit());
  }
  Appliance again(folder_, testing::fault_vfs_name);
  chains["table-1"].push_back(must(again.log->append(batch_draft("table-1"))).seq);
  chains["table-0"].push_back(must(again.log->append(table_close_draft("table-0"))).seq);
  EXPECT_FALSE(again.log->append(batch_draft("table-7"))) << "no such table";
  must(again.log->commit());
  EXPECT_FALSE(again.log->append(batch_draft("table-0"))) << "closed";
  for (const auto& [table, seqs] : chains) {
    ASSERT_EQ(seqs.size(), 5U);
    Digest head{};
    for (std::size_t i = 0; i < seqs.size(); ++i) {
      const Record record = committed_record(again, seqs[i]);
      EXPECT_EQ(record.table, table);
      EXPECT_EQ(record.link, head) << seqs[i];
      EXPECT_EQ(record.prev, i == 0 ? std::nullopt : std::optional(seqs[i - 1]));
      const auto bytes = must(again.ledger->record(seqs[i])).bytes;
      head = again.hashes.sha256({as_bytes(std::string_view("talla/v2/link\0", 14)), *record.link,
                                  leaf_hash(again.hashes, as_bytes(bytes))});
    }
  }
}

TEST_F(LogTest,
       FORMAT_2_a_place_goes_on_from_the_close_before_of_the_same_group_and_of_older_ones) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  Log& log = *appliance.log;
  const auto reopened = [&](std::uint64_t close) {
    RecordDraft draft = testing::table_draft();
    draft.follows = close;
    draft.cites = {close};
    return log.append(draft);
  };
  const auto first = must(log.append(testing::table_draft()));
  const auto closed = must(log.append(table_close_draft(first.object)));
  const auto second = must(reopened(closed.seq));
  const auto closed_again = must(log.append(table_close_draft(second.object)));
  must(log.commit());
  const auto third = must(reopened(closed_again.seq));
  EXPECT_FALSE(reopened(third.seq)) << "no TABLE_CLOSE";
  EXPECT_FALSE(reopened(first.seq)) << "no TABLE_CLOSE";
  must(log.commit());
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> openings{
      {second.seq, closed.seq}, {third.seq, closed_again.seq}};
  for (const auto& [open, close] : openings) {
    const Record before = committed_record(appliance, close);
    const Digest leaf = must(appliance.ledger->record(close)).leaf;
    EXPECT_EQ(committed_record(appliance, open).link,
              chain_head(appliance.hashes, *before.link, leaf));
    EXPECT_FALSE(committed_record(appliance, open).prev);
  }
  EXPECT_EQ(committed_record(appliance, first.seq).link, Digest{});
}

TEST_F(LogTest, undo_drops_one_command_and_keeps_the_rest_of_the_group) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  Log& log = *appliance.log;
  must(log.append(testing::table_draft()));
  const auto mark = log.mark();
  must(log.append(testing::table_draft()));
  const ReplyKey lost{.client = "mesa-1", .method = "POST", .path = "/v1/tables", .key = "k"};
  log.group().replies.push_back({.id = lost, .head = "{}", .seqs = {}});
  log.undo(mark);
  EXPECT_EQ(log.next_seq(), 1U);
  EXPECT_FALSE(must(log.last_of("table-1")));
  EXPECT_EQ(must(log.last_of("table-0")), 0U);
  must(log.append(access_draft("kept")));
  EXPECT_EQ(must(log.commit()).size, 2U);
  EXPECT_FALSE(must(appliance.ledger->reply(lost)));
}

TEST_F(LogTest, of_a_document_that_a_group_writes_often_the_last_one_stands) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  auto& documents = appliance.log->group().documents;
  const auto a = documents::place("a");
  const auto b = documents::place("b");
  const auto c = documents::place("c");
  documents = {{a, "1"}, {b, "first"}, {a, ""}, {c, "1"}, {a, "3"}, {c, ""}};
  appliance.add(1);
  EXPECT_EQ(must(appliance.ledger->document(a)), "3");
  EXPECT_EQ(must(appliance.ledger->document(b)), "first");
  EXPECT_FALSE(must(appliance.ledger->document(c)));
}

TEST_F(LogTest, a_committed_record_is_the_same_from_memory_and_from_the_ledger) {
  constexpr std::uint64_t many = 5000;
  Appliance appliance(folder_, testing::fault_vfs_name);
  for (int group = 0; group < 50; ++group) appliance.add(100);
  must(appliance.log->append(access_draft("staged")));
  const Prover& prover = appliance.log->prover();
  for (const std::uint64_t seq : {std::uint64_t{0}, many / 2, many - 2000, many - 1}) {
    const auto record = must(prover.record(seq));
    const auto stored = must(appliance.ledger->record(seq));
    EXPECT_EQ(record.bytes, stored.bytes);
    EXPECT_EQ(record.seq, stored.seq);
    EXPECT_EQ(record.kind, stored.kind);
    EXPECT_EQ(record.object, stored.object);
    EXPECT_EQ(record.prev, stored.prev);
    EXPECT_EQ(record.leaf, stored.leaf);
  }
  must(appliance.log->write());
  EXPECT_TRUE(prover.record(many).error().is(Errc::not_found)) << "written, and not durable";
}

TEST_F(LogTest, every_receipt_verifies_against_the_log_key) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const OpensslHashes hashes;
  for (const int count : {1, 3, 1, 7, 2}) appliance.add(count);
  for (std::uint64_t seq = 0; seq < 14; ++seq) {
    const OpenedReceipt receipt = must(open_receipt(must(appliance.log->prover().receipt(seq))));
    EXPECT_EQ(receipt.record.seq, seq);
    const Checkpoint& head = receipt.checkpoint.checkpoint;
    EXPECT_EQ(head.size, must(appliance.ledger->group_end(seq)));
    const Receipt raw = must(appliance.log->prover().receipt(seq));
    EXPECT_TRUE(verify_inclusion(hashes, {.index = seq, .size = head.size},
                                 leaf_hash(hashes, as_bytes(raw.record)), receipt.proof.path,
                                 head.root));
    EXPECT_TRUE(testing::ed25519_verifies(appliance.signer->public_key(),
                                          as_bytes(receipt.checkpoint.text),
                                          receipt.checkpoint.signature));
    EXPECT_EQ(receipt.checkpoint.key_id,
              ed25519_key_id(hashes, testing::origin, appliance.signer->public_key()));
  }
}

TEST_F(LogTest, PROTOCOL_2_a_reply_is_the_same_bytes_for_ever) {
  std::string first;
  std::string checkpoint;
  StoredReply reply{.id = {.client = "mesa-1", .method = "POST", .path = "/v1/tables", .key = "k"},
                    .request = {},
                    .status = 201,
                    .head = R"({"state":"open","table":"table-2"})",
                    .seqs = {2, 1}};
  {
    Appliance appliance(folder_, testing::fault_vfs_name);
    appliance.add(1);
    must(appliance.log->append(access_draft("a")));
    must(appliance.log->append(testing::table_draft()));
    appliance.log->group().replies.push_back(reply);
    checkpoint = must(appliance.log->commit()).checkpoint;
    first = must(appliance.log->prover().reply_body(reply));
    appliance.add(9);
    EXPECT_EQ(must(appliance.log->prover().reply_body(reply)), first) << "after later groups";
  }
  Appliance again(folder_, testing::fault_vfs_name);
  again.add(30);
  const auto stored = must(again.ledger->reply(reply.id));
  ASSERT_TRUE(stored);
  EXPECT_EQ(must(again.log->prover().reply_body(*stored)), first) << "after a restart";
  EXPECT_EQ(must(again.log->prover().checkpoint(3)), checkpoint);
  EXPECT_NE(first.find("\"receipts\":[{"), std::string::npos);
}

TEST_F(LogTest, restart_raises_the_boot_counter_even_without_a_record) {
  std::uint64_t boot = 0;
  for (int i = 0; i < 3; ++i) {
    Appliance appliance(folder_, testing::fault_vfs_name);
    EXPECT_GT(appliance.log->boot(), boot);
    boot = appliance.log->boot();
    if (i == 1) appliance.add(1);
  }
}

TEST_F(LogTest, consistency_holds_between_all_sizes) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const OpensslHashes hashes;
  appliance.add(13);
  for (std::uint64_t to = 1; to <= 13; ++to) {
    for (std::uint64_t from = 1; from <= to; ++from) {
      const auto proof = must(appliance.log->prover().consistency(from, to));
      EXPECT_TRUE(verify_consistency(
          hashes, {.size = from, .root = must(appliance.log->prover().root(from))},
          {.size = to, .root = must(appliance.log->prover().root(to))}, proof))
          << from << " " << to;
    }
  }
  EXPECT_FALSE(appliance.log->prover().consistency(1, 14));
  EXPECT_FALSE(appliance.log->prover().inclusion(13, 13));
  EXPECT_FALSE(appliance.log->prover().checkpoint(14));
}

TEST_F(LogTest, any_grouping_gives_records_that_prove_at_any_later_size) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& counts) {
    const Folder folder;
    Appliance appliance(folder, testing::fault_vfs_name);
    const OpensslHashes hashes;
    for (const std::uint8_t count : counts) appliance.add(count % 6);
    const std::uint64_t size = appliance.log->size();
    for (std::uint64_t seq = 0; seq < size; ++seq) {
      const std::uint64_t at = seq + 1 + (seq * 7) % (size - seq);
      const auto path = must(appliance.log->prover().inclusion(seq, at));
      RC_ASSERT(verify_inclusion(hashes, {.index = seq, .size = at},
                                 must(appliance.log->prover().node(0, seq)), path,
                                 must(appliance.log->prover().root(at)))
                    .has_value());
    }
  }));
}

TEST_F(LogTest, a_refused_group_changes_nothing_and_the_log_goes_on) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  appliance.add(1);
  for (int i = 0; i < 2; ++i) {
    must(appliance.log->append(access_draft("x")));
    appliance.log->group().replies.push_back(
        {.id = {.client = "mesa-1", .method = "POST", .path = "/v1/tables", .key = "k"},
         .head = "{}",
         .seqs = {}});
    const auto committed = appliance.log->commit();
    EXPECT_EQ(committed.has_value(), i == 0);
  }
  EXPECT_EQ(appliance.log->size(), 2U);
  EXPECT_FALSE(appliance.log->latched());
  EXPECT_EQ(appliance.add(1).size, 3U);
}

}  // namespace
}  // namespace talla::certs
