// Goal: the simulated disk loses what a real one may lose, and the ledger stands it.
// Method: SQLite's files on it through the ledger: cuts at every operation of a commit, syncs that
//         fail and are built upon.
#include <gtest/gtest.h>

#include "certs/openssl_hashes.hpp"
#include "certs/sqlite_ledger.hpp"
#include "disk.hpp"
#include "fixture.hpp"

namespace talla::sim {
namespace {

using certs::Ledger;
using certs::testing::Folder;
using certs::testing::must;

constexpr std::uint64_t before_fault = 5;

class SimDisk : public ::testing::Test {
 protected:
  void begin(std::uint64_t seed) {
    random_ = Random(seed);
    Disk::instance().begin(random_);
  }
  [[nodiscard]] static Result<std::unique_ptr<Ledger>> open(const Folder& folder,
                                                            int wal_pages_max = 4096) {
    return certs::open_sqlite_ledger({.path = folder.path() + "/ledger.db",
                                      .origin = certs::testing::origin,
                                      .vfs = Disk::vfs_name,
                                      .wal_pages_max = wal_pages_max});
  }
  static Status add(Ledger& ledger) {
    const auto seq = ledger.size();
    const std::string bytes = "record " + std::to_string(seq);
    certs::Group group;
    group.records.push_back({.seq = seq,
                             .kind = certs::Kind::access,
                             .object = {},
                             .prev = {},
                             .bytes = bytes,
                             .leaf = certs::leaf_hash(certs::OpensslHashes(), as_bytes(bytes))});
    return ledger.commit(group);
  }
  /// The process is gone, perhaps with the machine's power.
  static void die(std::unique_ptr<Ledger>& ledger, bool power_lost) {
    Disk::instance().stop();
    ledger.reset();
    Disk::instance().start_again(power_lost);
  }
  static void expect_whole(const Ledger& ledger) {
    for (std::uint64_t seq = 0; seq < ledger.size(); ++seq) {
      const auto record = ledger.record(seq);
      ASSERT_TRUE(record.has_value()) << seq << ": " << record.error().text();
      EXPECT_EQ(record->bytes, "record " + std::to_string(seq));
    }
  }
  Random random_{0};
};

TEST_F(SimDisk,
       a_cut_at_any_operation_of_a_commit_leaves_the_groups_before_it_and_perhaps_this_one) {
  std::uint64_t lost = 0;
  for (long operation = 0; operation < 120; ++operation) {
    const int wal_pages_max =
        operation % 2 == 0 ? 4096 : 4;  // 4: copied into the file with every few groups
    begin(static_cast<std::uint64_t>(operation));
    const Folder folder;
    auto ledger = must(open(folder, wal_pages_max));
    for (std::uint64_t i = 0; i < before_fault; ++i) ASSERT_TRUE(add(*ledger));
    Disk::instance().cut_power_in(operation / 2);
    std::uint64_t done = before_fault;
    while (!Disk::instance().dead()) {
      if (add(*ledger)) ++done;
    }
    die(ledger, true);
    lost += Disk::instance().counts().sectors_lost;
    ledger = must(open(folder, wal_pages_max));
    EXPECT_GE(ledger->size(), done) << "cut at operation " << operation;
    EXPECT_LE(ledger->size(), done + 1) << "cut at operation " << operation;
    expect_whole(*ledger);
    ASSERT_TRUE(add(*ledger));
    die(ledger, false);
  }
  EXPECT_GT(lost, 0U);
}

TEST_F(SimDisk, what_a_failed_sync_left_in_memory_alone_is_not_built_upon) {
  std::uint64_t seen_after_failure = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    begin(seed);
    const Folder folder;
    auto ledger = must(open(folder));
    for (std::uint64_t i = 0; i < before_fault; ++i) ASSERT_TRUE(add(*ledger));
    Disk::instance().fail_sync_in(0);
    EXPECT_FALSE(add(*ledger));
    EXPECT_FALSE(add(*ledger)) << "a ledger whose sync failed takes nothing more";
    die(ledger, false);  // the machine stays on: its memory still shows the group
    ledger = must(open(folder));
    const auto size = ledger->size();
    seen_after_failure += size - before_fault;
    ASSERT_TRUE(add(*ledger));
    die(ledger, true);
    ledger = must(open(folder));
    EXPECT_EQ(ledger->size(), size + 1) << "seed " << seed;
    expect_whole(*ledger);
    die(ledger, false);
  }
  EXPECT_GT(seen_after_failure, 0U) << "the groups in question were never shown";
}

}  // namespace
}  // namespace talla::sim
