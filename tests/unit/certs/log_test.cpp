// Goal: records get their number, time and chain once; receipts and checkpoints verify and never
//       change.
// Method: a log over SQLite with a moved clock; proofs are judged by RFC 6962 verification,
//         signatures by EVP.
#include "certs/log.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "evp_verify.hpp"
#include "fault_vfs.hpp"
#include "fixture.hpp"

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

TEST_F(LogTest, opening_records_name_their_object_and_later_ones_follow) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  appliance.add(3);
  const auto table = must(appliance.log->append(testing::table_draft()));
  EXPECT_EQ(table.object, "table-3");
  RecordDraft close;
  close.kind = Kind::table_close;
  close.object = "table-3";
  close.body["rounds"] = 0;
  close.body["reason"] = "closed";
  close.cites = {3, 1, 1};
  const auto closed = must(appliance.log->append(close));
  must(appliance.log->commit());
  const Record record = must(parse_record(must(appliance.ledger->record(closed.seq)).bytes));
  EXPECT_EQ(record.prev, 3U);
  EXPECT_EQ(record.cites, std::vector<std::uint64_t>{1}) << "sorted, unique, without prev";
  EXPECT_FALSE(appliance.log->append(close).has_value() && appliance.log->commit().has_value())
      << "a closed table takes no more records";
}

TEST_F(LogTest, records_outside_the_order_of_objects_are_refused_and_leave_the_stage) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  RecordDraft stray;
  stray.kind = Kind::table_close;
  stray.object = "table-9";
  stray.body["rounds"] = 0;
  stray.body["reason"] = "closed";
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

TEST_F(LogTest, undo_drops_one_command_and_keeps_the_rest_of_the_group) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  Log& log = *appliance.log;
  must(log.append(testing::table_draft()));
  const auto mark = log.mark();
  must(log.append(testing::table_draft()));
  log.group().nonces.push_back({.client = "mesa-1", .nonce = Bytes(16, 1)});
  log.undo(mark);
  EXPECT_EQ(log.next_seq(), 1U);
  EXPECT_FALSE(must(log.last_of("table-1")));
  EXPECT_EQ(must(log.last_of("table-0")), 0U);
  must(log.append(access_draft("kept")));
  EXPECT_EQ(must(log.commit()).size, 2U);
  EXPECT_FALSE(must(appliance.ledger->nonce_used("mesa-1", Bytes(16, 1))));
}

TEST_F(LogTest, every_receipt_verifies_against_the_log_key) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const OpensslHashes hashes;
  for (const int count : {1, 3, 1, 7, 2}) appliance.add(count);
  for (std::uint64_t seq = 0; seq < 14; ++seq) {
    const OpenedReceipt receipt = must(open_receipt(must(appliance.log->receipt(seq))));
    EXPECT_EQ(receipt.record.seq, seq);
    const Checkpoint& head = receipt.checkpoint.checkpoint;
    EXPECT_EQ(head.size, must(appliance.ledger->group_end(seq)));
    const Receipt raw = must(appliance.log->receipt(seq));
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
    first = must(appliance.log->reply_body(reply));
    appliance.add(9);
    EXPECT_EQ(must(appliance.log->reply_body(reply)), first) << "after later groups";
  }
  Appliance again(folder_, testing::fault_vfs_name);
  again.add(30);
  const auto stored = must(again.ledger->reply(reply.id));
  ASSERT_TRUE(stored);
  EXPECT_EQ(must(again.log->reply_body(*stored)), first) << "after a restart";
  EXPECT_EQ(must(again.log->checkpoint(3)), checkpoint);
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
      const auto proof = must(appliance.log->consistency(from, to));
      EXPECT_TRUE(verify_consistency(hashes,
                                     {.size = from, .root = must(appliance.log->root(from))},
                                     {.size = to, .root = must(appliance.log->root(to))}, proof))
          << from << " " << to;
    }
  }
  EXPECT_FALSE(appliance.log->consistency(1, 14));
  EXPECT_FALSE(appliance.log->inclusion(13, 13));
  EXPECT_FALSE(appliance.log->checkpoint(14));
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
      const auto path = must(appliance.log->inclusion(seq, at));
      RC_ASSERT(verify_inclusion(hashes, {.index = seq, .size = at},
                                 must(appliance.log->node(0, seq)), path,
                                 must(appliance.log->root(at)))
                    .has_value());
    }
  }));
}

TEST_F(LogTest, a_refused_group_changes_nothing_and_the_log_goes_on) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  appliance.add(1);
  for (int i = 0; i < 2; ++i) {
    must(appliance.log->append(access_draft("x")));
    appliance.log->group().nonces.push_back({.client = "mesa-1", .nonce = Bytes(16, 1)});
    const auto committed = appliance.log->commit();
    EXPECT_EQ(committed.has_value(), i == 0);
  }
  EXPECT_EQ(appliance.log->size(), 2U);
  EXPECT_FALSE(appliance.log->latched());
  EXPECT_EQ(appliance.add(1).size, 3U);
}

}  // namespace
}  // namespace talla::certs
