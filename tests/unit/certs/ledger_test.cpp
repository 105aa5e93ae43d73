// Goal: the SQLite ledger is a ledger. Method: the suite over it, and what it alone does.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "fault_vfs.hpp"
#include "ledger_suite.hpp"
#include "sqlite_handles.hpp"
#include "write_queue.hpp"

namespace talla::certs::testing {

namespace {

Result<std::unique_ptr<Ledger>> open_fast(const Folder& folder) {
  register_fault_vfs();
  fault_plan().clear();
  fault_plan().skip_sync = true;
  return open_sqlite_ledger(
      {.path = folder / "ledger.db", .origin = origin, .vfs = fault_vfs_name});
}

/// Keys go on into the index with the next group that has some.
Result<std::unique_ptr<Ledger>> open_merging(const Folder& folder) {
  register_fault_vfs();
  fault_plan().clear();
  fault_plan().skip_sync = true;
  return open_sqlite_ledger(
      {.path = folder / "ledger.db", .origin = origin, .vfs = fault_vfs_name, .young_keys_max = 1});
}

std::shared_ptr<const Group> groups_record(std::uint64_t seq) {
  return std::make_shared<const Group>(group_of({record_of(seq)}));
}
std::uintmax_t wal_bytes(const Folder& folder) {
  return std::filesystem::file_size(folder / "ledger.db-wal");
}

/// Takes groups of one record each and lets the test add more while it writes.
struct SlowWriter {
  std::function<void()>* during;
  [[nodiscard]] Status write(const Group& group, const GroupDigests& /*digests*/,
                             std::uint64_t /*size*/, const ObjectStates& /*objects*/) const {
    EXPECT_EQ(group.records.size(), 1U);
    (*during)();
    return {};
  }
  [[nodiscard]] static Status sync() { return {}; }
  [[nodiscard]] static Status tidy() { return {}; }
};

INSTANTIATE_TEST_SUITE_P(Ledgers, LedgerSuite,
                         ::testing::Values(Backend{"sqlite", open_fast},
                                           Backend{"sqlite_merging", open_merging}),
                         [](const auto& instance) { return instance.param.name; });

TEST(SqliteLedger, read_only_beside_a_running_one_sees_its_records_and_commits_nothing) {
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

TEST(SqliteLedger, read_only_opens_between_any_two_groups_of_a_running_one) {
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

TEST(SqliteLedger, a_database_that_refuses_what_was_taken_latches) {
  const Folder folder;
  const auto ledger = must(open_fast(folder));
  ASSERT_TRUE(ledger->commit(group_of({record_of(0)})));
  sqlite3* raw = nullptr;  // somebody else writes
  ASSERT_EQ(sqlite3_open((folder / "ledger.db").c_str(), &raw), SQLITE_OK);
  const DatabaseHandle other(raw);
  ASSERT_TRUE(
      execute(raw, "INSERT INTO records VALUES(1, zeroblob(32), NULL, 'ACCESS', '', 'not ours')"));
  const auto taken = ledger->write(std::make_shared<const Group>(group_of({record_of(1)})));
  ASSERT_TRUE(taken) << "the ledger does not know of it";
  EXPECT_FALSE(ledger->record(1)) << "a read that could not have it written finds the other one";
  EXPECT_TRUE(ledger->latched());
  EXPECT_TRUE(ledger->sync().error().is(Errc::ledger_latched));
  EXPECT_EQ(ledger->size(), 1U);
  EXPECT_EQ(ledger->durable_groups(), 1U);
  EXPECT_FALSE(ledger->write(std::make_shared<const Group>(group_of({record_of(2)}))));
}

TEST(WriteQueue, a_sync_waits_for_no_group_that_was_added_after_it_began) {
  std::function<void()> during = [] {};
  WriteQueue<SlowWriter> queue(SlowWriter{&during}, 0, [](const SlowWriter&, std::uint64_t) {});
  std::uint64_t added = 0;
  const auto add = [&] { queue.add(groups_record(added++), {}, {}); };
  during = add;
  add();
  add();
  ASSERT_TRUE(queue.sync());
  EXPECT_EQ(queue.taken().groups, 4U);
  EXPECT_EQ(queue.durable().groups, 2U);
  EXPECT_EQ(queue.written_size(), 2U);
  during = [] {};
  ASSERT_TRUE(queue.sync());
  EXPECT_EQ(queue.durable().size, 4U);
}

/// Groups of one record, one after the other, on a write-ahead log that is copied from 8 pages on.
class CopiedWal : public ::testing::Test {
 protected:
  void SetUp() override {
    register_fault_vfs();
    fault_plan().clear();
    fault_plan().skip_sync = true;
    ledger_ = open();
  }
  void TearDown() override { fault_plan().clear(); }
  [[nodiscard]] std::unique_ptr<Ledger> open() const {
    return must(open_sqlite_ledger({.path = folder_ / "ledger.db",
                                    .origin = origin,
                                    .vfs = fault_vfs_name,
                                    .wal_pages_max = 8}));
  }
  void expect_all(std::uint64_t size) {
    ASSERT_EQ(ledger_->size(), size);
    for (std::uint64_t seq = 0; seq < size; ++seq) {
      ASSERT_EQ(must(ledger_->record(seq)).bytes, record_of(seq).bytes) << seq;
    }
  }
  Folder folder_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(CopiedWal, stays_short_where_whoever_syncs_tidies) {
  const auto before = wal_bytes(folder_);
  for (std::uint64_t seq = 0; seq < 400; ++seq) ASSERT_TRUE(ledger_->commit(*groups_record(seq)));
  EXPECT_EQ(wal_bytes(folder_), before) << "the room it began with is enough";
  ledger_.reset();
  ledger_ = open();
  expect_all(400);
}

TEST_F(CopiedWal, stays_short_where_nobody_tidies) {
  const auto before = wal_bytes(folder_);
  for (std::uint64_t seq = 0; seq < 400; ++seq) {
    ASSERT_TRUE(ledger_->write(groups_record(seq)));
    ASSERT_TRUE(ledger_->sync());
  }
  EXPECT_EQ(wal_bytes(folder_), before);
  expect_all(400);
}

TEST_F(CopiedWal, beside_groups_that_go_on) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      while (!stop) {
        EXPECT_TRUE(ledger_->sync());
        EXPECT_TRUE(ledger_->tidy());
      }
    });
  }
  for (std::uint64_t seq = 0; seq < 1000; ++seq) ASSERT_TRUE(ledger_->write(groups_record(seq)));
  ASSERT_TRUE(ledger_->sync());
  stop = true;
  for (auto& other : others) other.join();
  expect_all(1000);
  ledger_.reset();
  ledger_ = open();
  expect_all(1000);
}

/// A copy syncs the log, and the file behind it: SQLite where all was copied, and the copy itself
/// in any case.
class FailedCopy : public CopiedWal, public ::testing::WithParamInterface<int> {};

TEST_P(FailedCopy, latches_and_loses_nothing) {
  fault_plan().skip_sync = false;
  std::uint64_t size = 0;
  while (!ledger_->latched()) {
    ASSERT_TRUE(ledger_->write(groups_record(size)));
    ASSERT_TRUE(ledger_->sync());
    ++size;
    fault_plan().fail_sync_in = GetParam();
    const Status tidied = ledger_->tidy();
    EXPECT_EQ(tidied.has_value(), !ledger_->latched());
    fault_plan().fail_sync_in = -1;
    ASSERT_LT(size, 100U) << "no such sync";
  }
  EXPECT_TRUE(ledger_->write(groups_record(size)).error().is(Errc::ledger_latched));
  ledger_.reset();
  ledger_ = open();
  expect_all(size);
}
INSTANTIATE_TEST_SUITE_P(EachSync, FailedCopy, ::testing::Values(0, 1, 2));

TEST_F(CopiedWal, behind_a_reader_that_holds_an_old_state_and_when_it_is_gone) {
  ASSERT_TRUE(ledger_->commit(*groups_record(0)));
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open((folder_ / "ledger.db").c_str(), &raw), SQLITE_OK);
  DatabaseHandle reader(raw);
  ASSERT_TRUE(execute(raw, "BEGIN; SELECT count(*) FROM records"));
  for (std::uint64_t seq = 1; seq < 200; ++seq) ASSERT_TRUE(ledger_->commit(*groups_record(seq)));
  ASSERT_TRUE(execute(raw, "COMMIT"));
  reader.reset();
  for (std::uint64_t seq = 200; seq < 220; ++seq) ASSERT_TRUE(ledger_->commit(*groups_record(seq)));
  const auto after = wal_bytes(folder_);
  for (std::uint64_t seq = 220; seq < 1000; ++seq)
    ASSERT_TRUE(ledger_->commit(*groups_record(seq)));
  EXPECT_EQ(wal_bytes(folder_), after) << "begun anew";
  expect_all(1000);
}

}  // namespace
}  // namespace talla::certs::testing
