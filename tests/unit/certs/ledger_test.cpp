// Goal: the SQLite ledger is a ledger. Method: the suite over it, and what it alone does.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "fault_vfs.hpp"
#include "ledger_suite.hpp"
#include "sqlite_handles.hpp"

namespace talla::certs::testing {

namespace {

Result<std::unique_ptr<Ledger>> open_fast(const Folder& folder) {
  register_fault_vfs();
  fault_plan().clear();
  fault_plan().skip_sync = true;
  return open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin, .vfs = fault_vfs_name});
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Ledgers, LedgerSuite, ::testing::Values(Backend{"sqlite", open_fast}),
                         [](const auto& instance) { return instance.param.name; });

TEST(SqliteLedger, ReadOnlyBesideARunningOneSeesItsRecordsAndCommitsNothing) {
  const Folder folder;
  const SqliteLedgerOptions options{.path = folder / "ledger.db", .origin = origin};
  const auto writer = must(open_sqlite_ledger(options));
  ASSERT_TRUE(writer->commit(group_of({record_of(0)})));
  auto reading = options;
  reading.read_only = true;
  const auto reader = must(open_sqlite_ledger(reading));
  EXPECT_EQ(reader->size(), 1U);
  EXPECT_FALSE(reader->commit(group_of({record_of(1)})));
}

TEST(SqliteLedger, ReadOnlyOpensBetweenAnyTwoGroupsOfARunningOne) {
  const Folder folder;
  const auto writer = must(open_fast(folder));
  std::atomic<bool> stop{false};
  std::thread adding([&] {
    for (std::uint64_t seq = 0; !stop; seq += 2) {
      ASSERT_TRUE(writer->commit(group_of({record_of(seq), record_of(seq + 1)})));
    }
  });
  SqliteLedgerOptions reading{.path = folder / "ledger.db", .origin = origin};
  reading.read_only = true;
  for (int i = 0; i < 100; ++i) {
    const auto reader = open_sqlite_ledger(reading);
    EXPECT_TRUE(reader) << reader.error().text();
    if (!reader) break;
    EXPECT_EQ((*reader)->size() % 2, 0U);
  }
  stop = true;
  adding.join();
}

TEST(SqliteLedger, ADatabaseThatRefusesWhatWasTakenLatches) {
  const Folder folder;
  const auto ledger = must(open_fast(folder));
  ASSERT_TRUE(ledger->commit(group_of({record_of(0)})));
  sqlite3* raw = nullptr;  // somebody else writes
  ASSERT_EQ(sqlite3_open((folder / "ledger.db").c_str(), &raw), SQLITE_OK);
  const DatabaseHandle other(raw);
  ASSERT_TRUE(execute(raw, "INSERT INTO records VALUES(1, zeroblob(32), NULL, 'ACCESS', '', 'not ours')"));
  const auto taken = ledger->write(std::make_shared<const Group>(group_of({record_of(1)})));
  ASSERT_TRUE(taken) << "the ledger does not know of it";
  EXPECT_FALSE(ledger->record(1)) << "a read that could not have it written finds the other one";
  EXPECT_TRUE(ledger->latched());
  EXPECT_TRUE(ledger->sync().error().is(Errc::ledger_latched));
  EXPECT_EQ(ledger->size(), 1U);
  EXPECT_EQ(ledger->durable_groups(), 1U);
  EXPECT_FALSE(ledger->write(std::make_shared<const Group>(group_of({record_of(2)}))));
}

}  // namespace talla::certs::testing
