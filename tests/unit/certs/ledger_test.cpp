// Goal: every ledger keeps groups whole, numbers contiguous, chains unbroken, keys and nonces unique.
// Method: one suite over a factory of ledgers (SQLite today), each property with its refusal beside it.
#include "certs/ledger.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>

#include "fault_vfs.hpp"
#include "fixture.hpp"

namespace talla::certs {
namespace {

using testing::Folder;
using testing::must;

struct Backend {
  std::string name;
  std::function<Result<std::unique_ptr<Ledger>>(const Folder&)> open;
};
void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

/// A record whose bytes are the test's own: the ledger does not read them.
LedgerRecord record_of(std::uint64_t seq, Kind kind = Kind::access, const std::string& object = "",
                       std::optional<std::uint64_t> prev = {}) {
  const std::string bytes = "record " + std::to_string(seq);
  return {.seq = seq,
          .kind = kind,
          .object = object,
          .prev = prev,
          .bytes = bytes,
          .leaf = leaf_hash(OpensslHashes(), as_bytes(bytes))};
}
Group group_of(std::vector<LedgerRecord> records) {
  Group group;
  group.records = std::move(records);
  return group;
}

class LedgerSuite : public ::testing::TestWithParam<Backend> {
 protected:
  void reopen() {
    ledger_.reset();
    ledger_ = must(GetParam().open(folder_));
  }
  Ledger& ledger() {
    if (!ledger_) reopen();
    return *ledger_;
  }
  Folder folder_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_P(LedgerSuite, RecordsComeBackInOrderAfterReopening) {
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

TEST_P(LedgerSuite, ARecordThatIsNotThereIsNotFound) {
  const auto missing = ledger().record(0);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().is(Errc::not_found));
}

TEST_P(LedgerSuite, NumbersAreNeitherSkippedNorGivenTwice) {
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

TEST_P(LedgerSuite, BatchEndIsTheSizeAfterTheGroup) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0), record_of(1)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(2), record_of(3), record_of(4)})));
  for (const auto& [seq, end] : std::map<std::uint64_t, std::uint64_t>{{0, 2}, {1, 2}, {2, 5}, {4, 5}}) {
    EXPECT_EQ(must(ledger().batch_end(seq)), end) << seq;
  }
  EXPECT_FALSE(ledger().batch_end(5));
}

TEST_P(LedgerSuite, ChainsFollowPrevAndRefuseGapsAndForks) {
  ASSERT_TRUE(ledger().commit(group_of(
      {record_of(0, Kind::table_open, "table-0"), record_of(1), record_of(2, Kind::meter, "table-0", 0)})));
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

TEST_P(LedgerSuite, ClosedObjectsTakeNoMoreRecords) {
  ASSERT_TRUE(ledger().commit(
      group_of({record_of(0, Kind::table_open, "table-0"), record_of(1, Kind::table_open, "table-1"),
                record_of(2, Kind::table_close, "table-0", 0)})));
  EXPECT_FALSE(ledger().commit(group_of({record_of(3, Kind::meter, "table-0", 2)})));
  const auto open = must(ledger().open_objects());
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].id, "table-1");
  EXPECT_TRUE(must(ledger().object("table-0"))->closed);
  EXPECT_FALSE(must(ledger().object("table-7")));
}

TEST_P(LedgerSuite, Protocol5_4AClosedBatchStillCompletesItsOpenIntent) {
  ASSERT_TRUE(ledger().commit(
      group_of({record_of(0, Kind::batch_commit, "batch-0"), record_of(1, Kind::intent, "batch-0", 0),
                record_of(2, Kind::batch_close, "batch-0", 1)})));
  auto open = must(ledger().open_objects());
  ASSERT_EQ(open.size(), 1U) << "an open INTENT must be found at restart";
  EXPECT_EQ(open[0].pending, 1U);
  EXPECT_FALSE(ledger().commit(group_of({record_of(3, Kind::intent, "batch-0", 2)})));
  ASSERT_TRUE(ledger().commit(group_of({record_of(3, Kind::draw, "batch-0", 2)})));
  EXPECT_TRUE(must(ledger().open_objects()).empty());
  EXPECT_FALSE(ledger().commit(group_of({record_of(4, Kind::draw, "batch-0", 3)})));
}

StoredReply reply_of(const std::string& key, std::uint64_t seq) {
  return {.id = {.client = "mesa-1", .method = "POST", .path = "/v1/tables", .key = key},
          .request = Digest{1, 2, 3},
          .status = 201,
          .head = R"({"table":"table-0"})",
          .seqs = {seq}};
}

TEST_P(LedgerSuite, AnIdempotencyKeyIsGivenOnceForClientMethodAndPath) {
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

TEST_P(LedgerSuite, ANonceIsGivenOncePerClient) {
  Group group;
  group.nonces.push_back({.client = "mesa-1", .nonce = Bytes(16, 1)});
  ASSERT_TRUE(ledger().commit(group));
  EXPECT_TRUE(must(ledger().nonce_used("mesa-1", Bytes(16, 1))));
  EXPECT_FALSE(must(ledger().nonce_used("mesa-2", Bytes(16, 1))));
  EXPECT_FALSE(must(ledger().nonce_used("mesa-1", Bytes(17, 1))));
  Group again = group_of({record_of(0)});
  again.nonces.push_back({.client = "mesa-1", .nonce = Bytes(16, 1)});
  const auto refused = ledger().commit(again);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::duplicate_nonce));
  EXPECT_EQ(ledger().size(), 0U);
}

TEST_P(LedgerSuite, DraftsAreReplacedAndRemoved) {
  Group group;
  group.drafts.push_back({.round = "round-3", .text = "[1]"});
  ASSERT_TRUE(ledger().commit(group));
  group.drafts[0].text = "[1,2]";
  ASSERT_TRUE(ledger().commit(group));
  reopen();
  EXPECT_EQ(must(ledger().draft("round-3")), "[1,2]");
  group.drafts[0].text.clear();
  ASSERT_TRUE(ledger().commit(group));
  EXPECT_FALSE(must(ledger().draft("round-3")));
}

TEST_P(LedgerSuite, CataloguesAreKeptByTheirDigest) {
  const std::string text = "[catalogue]\nid = \"x\"\n";
  Group group;
  group.catalogues.push_back({.digest = OpensslHashes().sha256({as_bytes(text)}), .text = text});
  ASSERT_TRUE(ledger().commit(group));
  ASSERT_TRUE(ledger().commit(group)) << "the same catalogue again changes nothing";
  EXPECT_EQ(must(ledger().catalogue(group.catalogues[0].digest)), text);
  EXPECT_FALSE(must(ledger().catalogue(Digest{9})));
}

TEST_P(LedgerSuite, SealedSecretsStayUntilTheyAreSpent) {
  Group group =
      group_of({record_of(0, Kind::table_open, "table-0"), record_of(1, Kind::shoe_commit, "shoe-1")});
  group.sealed.push_back({.object = "shoe-1", .seq = 1, .kind = "SHOE_COMMIT", .sealed = Bytes(600, 7)});
  ASSERT_TRUE(ledger().commit(group));
  reopen();
  const auto sealed = must(ledger().sealed("shoe-1"));
  ASSERT_EQ(sealed.size(), 1U);
  EXPECT_EQ(sealed[0].sealed, Bytes(600, 7));
  EXPECT_EQ(sealed[0].kind, "SHOE_COMMIT");
  Group close = group_of({record_of(2, Kind::shoe_close, "shoe-1", 1)});
  close.spent.push_back("shoe-1");
  ASSERT_TRUE(ledger().commit(close));
  EXPECT_TRUE(must(ledger().sealed("shoe-1")).empty());
}

TEST_P(LedgerSuite, AnyGroupingGivesTheSameLedger) {
  rc::check([this](const std::vector<std::uint8_t>& counts) {
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
  });
}

TEST_P(LedgerSuite, ASecondProcessIsKeptOut) {
  ASSERT_TRUE(ledger().commit(group_of({record_of(0)})));
  const auto second = GetParam().open(folder_);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().is(Errc::ledger_locked));
}

TEST_P(LedgerSuite, TheDiskHasRoom) {
  EXPECT_GT(must(ledger().disk_free_bytes()), 0U);
}

Result<std::unique_ptr<Ledger>> open_fast(const Folder& folder) {
  testing::register_fault_vfs();
  testing::fault_plan().clear();
  testing::fault_plan().skip_sync = true;
  return open_sqlite_ledger(
      {.path = folder / "ledger.db", .origin = testing::origin, .vfs = testing::fault_vfs_name});
}
INSTANTIATE_TEST_SUITE_P(Ledgers, LedgerSuite, ::testing::Values(Backend{"sqlite", open_fast}),
                         [](const auto& instance) { return instance.param.name; });

TEST(SqliteLedger, ReadOnlyBesideARunningOneSeesItsRecordsAndCommitsNothing) {
  const Folder folder;
  const SqliteLedgerOptions options{.path = folder / "ledger.db", .origin = testing::origin};
  const auto writer = must(open_sqlite_ledger(options));
  ASSERT_TRUE(writer->commit(group_of({record_of(0)})));
  auto reading = options;
  reading.read_only = true;
  const auto reader = must(open_sqlite_ledger(reading));
  EXPECT_EQ(reader->size(), 1U);
  EXPECT_FALSE(reader->commit(group_of({record_of(1)})));
}

}  // namespace
}  // namespace talla::certs
