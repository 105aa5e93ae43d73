// Goal: every ledger keeps groups whole, numbers contiguous, chains unbroken, keys
//       unique.
// Method: one suite over a factory of ledgers (SQLite, PostgreSQL), each property with its refusal
//         beside it.
#include "ledger_suite.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <map>
#include <thread>

namespace talla::certs::testing {

TEST_P(LedgerSuite, records_come_back_in_order_after_reopening) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0), record_of(1)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(2)})));
  reopen();
  EXPECT_EQ(ledger().size(), 3U);
  EXPECT_EQ(must(ledger().record(1)).bytes, "record 1");
  const auto all = must(ledger().records(0, 100));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].bytes, "record 2");
  std::vector<Digest> leaves;
  ASSERT_TRUE(ledger().leaves(1, 3, [&](const Digest& leaf) { leaves.push_back(leaf); }));
  EXPECT_EQ(leaves, (std::vector<Digest>{all[1].leaf, all[2].leaf}));
  EXPECT_FALSE(ledger().leaves(1, 4, [](const Digest&) {}));
}

TEST_P(LedgerSuite, what_is_written_counts_once_a_sync_behind_it_has_ended) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0)})));
  EXPECT_EQ(ledger().durable_groups(), 1U);
  EXPECT_EQ(must(take(group_of({record_of(1), record_of(2)}))), 2U);
  Group draft;
  draft.documents.push_back({documents::bets("round-1"), "bets"});
  EXPECT_EQ(must(take(draft)), 3U);
  EXPECT_EQ(must(take({})), 3U) << "an empty group is none";
  EXPECT_FALSE(take(group_of({record_of(2)}))) << "the next one is 3";
  EXPECT_EQ(ledger().size(), 1U);
  EXPECT_EQ(ledger().durable_groups(), 1U);
  ASSERT_TRUE(ledger().sync());
  EXPECT_EQ(ledger().size(), 3U);
  EXPECT_EQ(ledger().durable_groups(), 3U);
  ASSERT_TRUE(ledger().sync()) << "of nothing new";
  reopen();
  EXPECT_EQ(ledger().size(), 3U);
  EXPECT_EQ(must(ledger().document(documents::bets("round-1"))), "bets");
}

TEST_P(LedgerSuite, what_is_taken_is_found_by_name_before_a_sync) {
  const ReplyKey key{"client", "POST", "/v1/draws", "k-1"};
  Group group = group_of({record_of(0, Kind::table_open, "table-0"), record_of(1)});
  group.sealed.push_back({"table-0", 0, "TABLE_OPEN", {1, 2, 3}});
  group.replies.push_back({key, {}, 200, "{}", {0}});
  group.documents.push_back({documents::bets("round-1"), "bets"});
  ASSERT_EQ(must(take(group)), 1U);
  EXPECT_EQ(must(ledger().object("table-0"))->last, 0U);
  EXPECT_EQ(must(ledger().staging_reply(key))->head, "{}");
  EXPECT_FALSE(must(ledger().staging_reply({"client", "POST", "/v1/draws", "k-2"})));
  EXPECT_EQ(must(ledger().document(documents::bets("round-1"))), "bets");
  EXPECT_EQ(must(ledger().sealed("table-0")).size(), 1U);
  EXPECT_EQ(must(ledger().record(1)).bytes, "record 1");
  ASSERT_EQ(must(take(group_of({record_of(2, Kind::table_close, "table-0", 0)}))), 2U);
  EXPECT_TRUE(must(ledger().object("table-0"))->closed);
  EXPECT_EQ(must(ledger().chain("table-0")).size(), 2U);
  EXPECT_EQ(must(ledger().group_end(2)), 3U);
  EXPECT_EQ(ledger().size(), 0U);
  EXPECT_EQ(ledger().durable_groups(), 0U);
}

TEST_P(LedgerSuite, what_waits_for_its_sync_is_taken_already) {
  const ReplyKey key{"client", "POST", "/v1/draws", "k-1"};
  Group first = group_of({record_of(0, Kind::table_open, "table-0")});
  first.replies.push_back({key, {}, 200, "{}", {0}});
  first.sealed.push_back({"table-0", 0, "TABLE_OPEN", {1}});
  ASSERT_TRUE(take(first));
  const auto refused = [&](const auto& change, auto code) {
    Group group = group_of({record_of(1)});
    change(group);
    const auto taken = take(std::move(group));
    ASSERT_FALSE(taken);
    EXPECT_TRUE(taken.error().is(code)) << taken.error().text();
  };
  refused(
      [&](Group& group) {
        group.replies.push_back({key, {}, 200, "{}", {1}});
      },
      Errc::duplicate_key);
  const ReplyKey next{"client", "POST", "/v1/draws", "k-2"};
  refused(
      [&](Group& group) {
        group.replies.assign(2, {next, {}, 200, "{}", {1}});
      },
      Errc::duplicate_key);
  refused(
      [](Group& group) {
        group.sealed.push_back({"table-0", 0, "TABLE_OPEN", {1}});
      },
      Errc::group_refused);
  refused(
      [](Group& group) {
        group.sealed.assign(2, {"table-0", 1, "ACCESS", {1}});
      },
      Errc::group_refused);
  EXPECT_FALSE(ledger().latched());
  Group other = group_of({record_of(1)});
  other.replies.push_back({next, {}, 200, "{}", {1}});
  ASSERT_TRUE(take(std::move(other))) << "a refused group has used up nothing";
  ASSERT_TRUE(ledger().sync());
  EXPECT_EQ(ledger().size(), 2U);
}

TEST_P(LedgerSuite, syncs_of_many_threads_go_on_beside_the_writer) {
  constexpr std::uint64_t groups = 200;
  std::atomic<bool> writing{true};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  static_cast<void>(ledger());
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t last = 0; writing;) {
        if (!ledger().sync()) ++wrong;
        const auto size = ledger().size();
        if (size < last || (size > 0 && !ledger().record(size - 1))) ++wrong;
        last = size;
      }
    });
  }
  for (std::uint64_t i = 0; i < groups; ++i) {
    ASSERT_EQ(must(take(group_of({record_of(2 * i), record_of(2 * i + 1)}))), i + 1);
    if (i % 16 != 0) continue;
    ASSERT_TRUE(ledger().sync());
    EXPECT_GE(ledger().durable_groups(), i + 1) << "this thread's own sync began behind it";
  }
  writing = false;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  ASSERT_TRUE(ledger().sync());
  EXPECT_EQ(ledger().size(), 2 * groups);
}

TEST_P(LedgerSuite, a_record_that_is_not_there_is_not_found) {
  const auto missing = ledger().record(0);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().is(Errc::not_found));
}

TEST_P(LedgerSuite, numbers_are_neither_skipped_nor_given_twice) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0)})));
  for (const std::uint64_t seq : {0U, 2U}) {
    const auto refused = ledger().commit(group_of({record_of(seq)}));
    ASSERT_FALSE(refused) << seq;
    EXPECT_TRUE(refused.error().is(Errc::group_refused));
  }
  EXPECT_FALSE(ledger().commit(group_of({record_of(1), record_of(3)})));
  EXPECT_EQ(ledger().size(), 1U);
  EXPECT_FALSE(ledger().latched());
  EXPECT_TRUE(ledger().commit(group_of({record_of(1)})));
}

TEST_P(LedgerSuite, batch_end_is_the_size_after_the_group) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0), record_of(1)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(2), record_of(3), record_of(4)})));
  for (const auto& [seq, end] :
       std::map<std::uint64_t, std::uint64_t>{{0, 2}, {1, 2}, {2, 5}, {4, 5}}) {
    EXPECT_EQ(must(ledger().group_end(seq)), end) << seq;
  }
  EXPECT_FALSE(ledger().group_end(5));
}

TEST_P(LedgerSuite, chains_follow_prev_and_refuse_gaps_and_forks) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0, Kind::table_open, "table-0"), record_of(1),
                                        record_of(2, Kind::meter, "table-0", 0)})));
  for (const auto& wrong :
       {record_of(3, Kind::meter, "table-0", 0), record_of(3, Kind::meter, "table-0", 1),
        record_of(3, Kind::meter, "table-0"), record_of(3, Kind::meter, "table-9", 2),
        record_of(3, Kind::table_open, "table-0"), record_of(3, Kind::table_open, "table-3", 2)}) {
    const auto refused = ledger().commit(group_of({wrong}));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().is(Errc::group_refused));
  }
  ASSERT_TRUE(ledger().commit(group_of({record_of(3, Kind::meter, "table-0", 2)})));
  const auto chain = must(ledger().chain("table-0"));
  ASSERT_EQ(chain.size(), 3U);
  EXPECT_EQ(chain[0].seq, 0U);
  EXPECT_EQ(chain[1].seq, 2U);
  EXPECT_EQ(chain[2].seq, 3U);
  EXPECT_TRUE(must(ledger().chain("table-9")).empty());
}

TEST_P(LedgerSuite, closed_objects_take_no_more_records) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0, Kind::table_open, "table-0"),
                                        record_of(1, Kind::table_open, "table-1"),
                                        record_of(2, Kind::table_close, "table-0", 0)})));
  EXPECT_FALSE(ledger().commit(group_of({record_of(3, Kind::meter, "table-0", 2)})));
  const auto open = must(ledger().open_objects());
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].id, "table-1");
  EXPECT_TRUE(must(ledger().object("table-0"))->closed);
  EXPECT_FALSE(must(ledger().object("table-7")));
}

TEST_P(LedgerSuite, PROTOCOL_5_3_one_call_of_an_object_is_open_and_ends_before_the_object) {
  ASSERT_TRUE(ledger().commit(group_of(
      {record_of(0, Kind::batch_commit, "batch-0"), record_of(1, Kind::call, "batch-0", 0)})));
  const auto open = must(ledger().open_objects());
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].pending, 1U) << "an open CALL must be found at restart";
  EXPECT_FALSE(ledger().commit(group_of({record_of(2, Kind::call, "batch-0", 1)})));
  EXPECT_FALSE(ledger().commit(group_of({record_of(2, Kind::batch_close, "batch-0", 1)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(2, Kind::draw, "batch-0", 1)})));
  EXPECT_EQ(must(ledger().open_objects())[0].pending, 0U);
  EXPECT_FALSE(ledger().commit(group_of({record_of(3, Kind::draw, "batch-0", 2)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(3, Kind::call, "batch-0", 2)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(4, Kind::void_call, "batch-0", 3)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(5, Kind::void_call, "batch-0", 4)})))
      << "of a core that became no CALL";
  EXPECT_EQ(must(ledger().open_objects())[0].pending, 0U);
  ASSERT_TRUE(ledger().commit(group_of({record_of(6, Kind::batch_close, "batch-0", 5)})));
  EXPECT_TRUE(must(ledger().open_objects()).empty());
  EXPECT_FALSE(ledger().commit(group_of({record_of(7, Kind::call, "batch-0", 6)})));
  EXPECT_FALSE(ledger().commit(group_of({record_of(7, Kind::void_call, "batch-0", 6)})));
}

namespace {
StoredReply reply_of(const std::string& key, std::uint64_t seq) {
  return {.id = {.client = "mesa-1", .method = "POST", .path = "/v1/tables", .key = key},
          .request = Digest{1, 2, 3},
          .status = 201,
          .head = R"({"table":"table-0"})",
          .seqs = {seq}};
}
}  // namespace

TEST_P(LedgerSuite, an_idempotency_key_is_given_once_for_client_method_and_path) {
  Group group = group_of({record_of(0)});
  group.replies.push_back(reply_of("k1", 0));
  ASSERT_TRUE(ledger().commit(group));
  Group again = group_of({record_of(1)});
  again.replies.push_back(reply_of("k1", 1));
  const auto refused = ledger().commit(again);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::duplicate_key));
  EXPECT_EQ(ledger().size(), 1U) << "the whole group is undone";
  EXPECT_FALSE(ledger().latched());
  again.replies[0].id.client = "mesa-2";
  EXPECT_TRUE(ledger().commit(again));
  reopen();
  const auto stored = must(ledger().reply(reply_of("k1", 0).id));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->status, 201);
  EXPECT_EQ(stored->head, R"({"table":"table-0"})");
  EXPECT_EQ(stored->seqs, std::vector<std::uint64_t>{0});
  EXPECT_EQ(stored->request, (Digest{1, 2, 3}));
  EXPECT_EQ(must(ledger().replies("mesa-2", "k1")).size(), 1U);
  EXPECT_FALSE(must(ledger().reply(reply_of("k2", 0).id)));
}

TEST_P(LedgerSuite, drafts_are_replaced_and_removed) {
  Group group;
  group.documents.push_back({.name = documents::bets("round-3"), .text = "[1]"});
  ASSERT_TRUE(ledger().commit(group));
  group.documents[0].text = "[1,2]";
  ASSERT_TRUE(ledger().commit(group));
  reopen();
  EXPECT_EQ(must(ledger().document(documents::bets("round-3"))), "[1,2]");
  group.documents[0].text.clear();
  ASSERT_TRUE(ledger().commit(group));
  EXPECT_FALSE(must(ledger().document(documents::bets("round-3"))));
}

TEST_P(LedgerSuite, catalogues_are_kept_by_their_digest) {
  const std::string text = "[catalogue]\nid = \"x\"\n";
  Group group;
  group.catalogues.push_back({.digest = OpensslHashes().sha256({as_bytes(text)}), .text = text});
  ASSERT_TRUE(ledger().commit(group));
  ASSERT_TRUE(ledger().commit(group)) << "the same catalogue again changes nothing";
  EXPECT_EQ(must(ledger().catalogue(group.catalogues[0].digest)), text);
  EXPECT_FALSE(must(ledger().catalogue(Digest{9})));
}

TEST_P(LedgerSuite, sealed_secrets_stay_until_they_are_spent) {
  Group group = group_of(
      {record_of(0, Kind::table_open, "table-0"), record_of(1, Kind::shoe_commit, "shoe-1")});
  group.sealed.push_back(
      {.object = "shoe-1", .seq = 1, .kind = "SHOE_COMMIT", .sealed = Bytes(600, 7)});
  ASSERT_TRUE(ledger().commit(group));
  reopen();
  const auto sealed = must(ledger().sealed("shoe-1"));
  ASSERT_EQ(sealed.size(), 1U);
  EXPECT_EQ(sealed[0].sealed, Bytes(600, 7));
  EXPECT_EQ(sealed[0].kind, "SHOE_COMMIT");
  Group close = group_of({record_of(2, Kind::shoe_close, "shoe-1", 1)});
  close.spent.emplace_back("shoe-1");
  ASSERT_TRUE(ledger().commit(close));
  EXPECT_TRUE(must(ledger().sealed("shoe-1")).empty());
}

TEST_P(LedgerSuite, any_grouping_gives_the_same_ledger) {
  int made = 0;
  EXPECT_TRUE(rc::check([&](const std::vector<std::uint8_t>& counts) {
    if (made++ >= GetParam().groupings) return;
    const Folder folder;
    const auto ledger = must(GetParam().open(folder));
    std::uint64_t seq = 0;
    for (const std::uint8_t raw : counts) {
      Group group;
      for (int i = 0; i < raw % 7; ++i) group.records.push_back(record_of(seq++));
      RC_ASSERT(ledger->commit(group).has_value());
    }
    RC_ASSERT(ledger->size() == seq);
    const auto all = must(ledger->records(0, seq));
    for (std::uint64_t i = 0; i < seq; ++i) RC_ASSERT(all[i].bytes == record_of(i).bytes);
  }));
}

TEST_P(LedgerSuite, of_several_texts_of_one_document_in_a_group_the_last_counts) {
  Group group;
  group.documents = {{documents::bets("round-3"), "[1]"},
                     {documents::bets("round-4"), "[4]"},
                     {documents::bets("round-3"), ""},
                     {documents::bets("round-4"), ""},
                     {documents::bets("round-4"), "[5]"}};
  ASSERT_TRUE(ledger().commit(group));
  EXPECT_FALSE(must(ledger().document(documents::bets("round-3"))));
  EXPECT_EQ(must(ledger().document(documents::bets("round-4"))), "[5]");
}

TEST_P(LedgerSuite, what_is_taken_twice_in_one_group_is_refused_as_a_whole) {
  Group group = group_of(
      {record_of(0, Kind::table_open, "table-0"), record_of(1, Kind::shoe_commit, "shoe-1")});
  group.sealed = {{"shoe-1", 1, "SHOE_COMMIT", Bytes(40, 7)},
                  {"shoe-1", 1, "SHOE_COMMIT", Bytes(40, 8)}};
  const auto sealed = ledger().commit(group);
  ASSERT_FALSE(sealed);
  EXPECT_TRUE(sealed.error().is(Errc::group_refused)) << sealed.error().text();
  group.sealed.clear();
  group.replies = {reply_of("k1", 0), reply_of("k1", 1)};
  const auto reply = ledger().commit(group);
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().is(Errc::duplicate_key)) << reply.error().text();
  EXPECT_NE(reply.error().detail.find("k1"), std::string::npos);
  EXPECT_FALSE(ledger().latched());
  EXPECT_EQ(ledger().size(), 0U);
  EXPECT_TRUE(ledger().commit(group_of({record_of(0)})));
}

TEST_P(LedgerSuite, what_shoe_close_itself_sealed_stays_when_the_rest_is_spent) {
  Group group = group_of(
      {record_of(0, Kind::table_open, "table-0"), record_of(1, Kind::shoe_commit, "shoe-1")});
  group.sealed = {{"shoe-1", 1, "SHOE_COMMIT", Bytes(40, 7)}};
  ASSERT_TRUE(ledger().commit(group));
  Group close = group_of({record_of(2, Kind::shoe_close, "shoe-1", 1)});
  close.sealed = {{"shoe-1", 2, "SHOE_CLOSE", Bytes(40, 9)}};
  close.spent = {"shoe-1"};
  ASSERT_TRUE(ledger().commit(close));
  const auto left = must(ledger().sealed("shoe-1"));
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].kind, "SHOE_CLOSE");
}

TEST_P(LedgerSuite,
       leaves_of_any_range_are_those_of_the_records_also_behind_a_restart_and_a_refused_group) {
  for (const std::uint64_t stop : {100U, 255U, 300U, 511U, 512U, 1100U}) {
    if (ledger().size() == 255) {  // refused in the middle of a page that it would have filled
      Group twice = group_of({record_of(255), record_of(256)});
      twice.replies = {reply_of("a", 255), reply_of("a", 256)};
      EXPECT_FALSE(ledger().commit(twice));
    }
    std::vector<LedgerRecord> records;
    for (std::uint64_t seq = ledger().size(); seq < stop; ++seq) records.push_back(record_of(seq));
    ASSERT_TRUE(ledger().commit(group_of(std::move(records))));
    reopen();
  }
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  for (const auto& [from, to] : std::vector<Range>{{0, 1100},
                                                   {0, 1024},
                                                   {1, 1100},
                                                   {255, 257},
                                                   {256, 512},
                                                   {256, 511},
                                                   {300, 400},
                                                   {1024, 1100},
                                                   {1100, 1100}}) {
    std::vector<Digest> expected;
    for (std::uint64_t seq = from; seq < to; ++seq) expected.push_back(record_of(seq).leaf);
    std::vector<Digest> found;
    ASSERT_TRUE(ledger().leaves(from, to, [&](const Digest& leaf) { found.push_back(leaf); }));
    EXPECT_EQ(found, expected) << from << " to " << to;
  }
  std::vector<std::uint64_t> ends;
  ASSERT_TRUE(ledger().group_ends([&](std::uint64_t end) { ends.push_back(end); }));
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{100, 255, 300, 511, 512, 1100}));
}

TEST_P(LedgerSuite, a_long_chain_comes_back_whole_and_its_object_goes_on_behind_a_restart) {
  std::vector<LedgerRecord> records = {record_of(0, Kind::table_open, "table-0")};
  for (std::uint64_t seq = 1; seq < 500; ++seq) {
    const bool other = seq % 3 == 1;
    const std::uint64_t prev = seq % 3 == 0 ? seq - 1 : seq - 2;
    records.push_back(other ? record_of(seq) : record_of(seq, Kind::meter, "table-0", prev));
  }
  ASSERT_TRUE(ledger().commit(group_of(std::move(records))));
  reopen();
  EXPECT_FALSE(ledger().commit(group_of({record_of(500, Kind::meter, "table-0", 0)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(500, Kind::meter, "table-0", 498)})));
  const auto chain = must(ledger().chain("table-0"));
  ASSERT_EQ(chain.size(), 334U);
  for (std::size_t i = 1; i < chain.size(); ++i) EXPECT_EQ(chain[i].prev, chain[i - 1].seq);
  EXPECT_EQ(must(ledger().object("table-0"))->last, 500U);
}

TEST_P(LedgerSuite, a_second_process_is_kept_out) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0)})));
  const auto second = GetParam().open(folder_);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().is(Errc::ledger_locked));
}

TEST_P(LedgerSuite, the_disk_has_room) {
  EXPECT_GT(must(ledger().disk_free_bytes()), 0U);
}

}  // namespace talla::certs::testing
