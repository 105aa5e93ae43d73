// Goal: the log's tree proves everything it ever held, keeps little of it in memory, and refuses
// leaves that are no longer those it was built of.
// Method: a tree with all nodes in memory beside it; a log over SQLite longer than what is kept,
//         and its file damaged.
#include "certs/log_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sqlite3.h>

#include <atomic>
#include <thread>

#include "certs/errc.hpp"
#include "fault_vfs.hpp"
#include "fixture.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

using testing::must;

constexpr auto block_leaves = LogTree::block_leaves;
constexpr std::uint64_t kept_blocks = 64;

Digest leaf(std::uint64_t number) {
  Digest digest{};
  for (std::size_t i = 0; i < 8; ++i) digest[i] = static_cast<std::uint8_t>(number >> (8 * i));
  return digest;
}

struct Trees {
  explicit Trees(std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i) {
      log.append(hashes, leaf(i));
      whole.append(hashes, leaf(i));
    }
  }
  OpensslHashes hashes;
  LogTree log;
  MerkleTree whole;
};

MerkleTree leaves_of(const HashSuite& hashes, std::uint64_t number) {
  std::vector<Digest> leaves;
  for (std::uint64_t i = 0; i < block_leaves; ++i)
    leaves.push_back(leaf(number * block_leaves + i));
  return {hashes, std::move(leaves)};
}

TEST(LogTree, has_the_root_of_a_tree_with_all_nodes_at_every_size) {
  Trees trees(0);
  EXPECT_EQ(trees.log.root(trees.hashes), empty_root(trees.hashes));
  for (std::uint64_t size = 1; size <= 5 * block_leaves + 3; ++size) {
    trees.log.append(trees.hashes, leaf(size));
    trees.whole.append(trees.hashes, leaf(size));
    ASSERT_EQ(trees.log.size(), size);
    ASSERT_EQ(trees.log.root(trees.hashes), trees.whole.root(trees.hashes)) << size;
  }
}

TEST(LogTree, an_old_blocks_nodes_are_there_once_it_is_handed_in) {
  const Trees trees((kept_blocks + 5) * block_leaves + 77);
  for (std::uint64_t number = 0; number < kept_blocks + 6; ++number)
    EXPECT_EQ(trees.log.is_old(number), number < 5) << number;
  LogBlocks old;
  for (const std::uint64_t number : {0U, 1U, 2U, 4U}) {
    const auto nodes = std::make_shared<const MerkleTree>(leaves_of(trees.hashes, number));
    EXPECT_TRUE(trees.log.compare(trees.hashes, number, *nodes));
    old.add(number, nodes);
  }
  for (unsigned level = 0; level < 16; ++level) {
    for (std::uint64_t index = 0; index <= trees.log.size() >> level; ++index) {
      const auto expected = trees.whole.node(level, index);
      const std::uint64_t number = (index << level) / block_leaves;
      const bool inside = level < 8;
      ASSERT_EQ(trees.log.node(level, index, old).has_value(), expected && !(inside && number == 3))
          << level << " " << index;
      if (inside && number < 5) {
        ASSERT_TRUE(trees.log.node(level, index).error().is(FormatErrc::index_out_of_range));
      }
      if (const auto node = trees.log.node(level, index, old)) {
        ASSERT_EQ(*node, *expected);
      }
    }
  }
}

TEST(LogTree, leaves_of_another_block_changed_ones_and_too_few_are_refused) {
  const Trees trees(3 * block_leaves);
  EXPECT_TRUE(trees.log.compare(trees.hashes, 1, leaves_of(trees.hashes, 1)));
  EXPECT_TRUE(trees.log.compare(trees.hashes, 1, leaves_of(trees.hashes, 2))
                  .error()
                  .is(Errc::ledger_damaged));
  std::vector<Digest> few;
  for (std::uint64_t i = 0; i < block_leaves; ++i) few.push_back(leaf(block_leaves + i));
  auto changed = few;
  changed[200][31] ^= 1;
  EXPECT_TRUE(
      trees.log.compare(trees.hashes, 1, {trees.hashes, changed}).error().is(Errc::ledger_damaged));
  few.pop_back();
  EXPECT_TRUE(
      trees.log.compare(trees.hashes, 1, {trees.hashes, few}).error().is(Errc::ledger_damaged));
  EXPECT_TRUE(trees.log.compare(trees.hashes, 1, {}).error().is(Errc::ledger_damaged));
  EXPECT_FALSE(trees.log.compare(trees.hashes, 3, leaves_of(trees.hashes, 3)));
}

/// A log of some blocks more than are kept.
class LongLog : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::register_fault_vfs();
    testing::fault_plan().clear();
    testing::fault_plan().skip_sync = true;
    appliance_ = std::make_unique<testing::Appliance>(folder_, testing::fault_vfs_name);
    while (log().size() < (kept_blocks + 6) * block_leaves + 100) appliance_->add(977);
    must(log().ledger().leaves(0, log().size(),
                               [&](const Digest& one) { whole_.append(hashes_, one); }));
  }
  void TearDown() override { testing::fault_plan().clear(); }
  Log& log() { return *appliance_->log; }
  NodeSource truth() {
    return [this](unsigned level, std::uint64_t index) { return whole_.node(level, index); };
  }
  void execute(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder_ / "ledger.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  testing::Folder folder_;
  OpensslHashes hashes_;
  std::unique_ptr<testing::Appliance> appliance_;
  MerkleTree whole_;
};

TEST_F(LongLog, proofs_of_any_age_are_those_of_a_tree_with_all_nodes) {
  EXPECT_TRUE(rc::check([this] {
    const auto size = *rc::gen::inRange<std::uint64_t>(1, log().size() + 1);
    const auto seq = *rc::gen::inRange<std::uint64_t>(0, size);
    RC_ASSERT(must(log().prover().root(size)) == must(root_at(hashes_, truth(), size)));
    RC_ASSERT(must(log().prover().inclusion(seq, size)) ==
              must(inclusion_path(hashes_, truth(), seq, size)));
    RC_ASSERT(must(log().prover().consistency(seq + 1, size)) ==
              must(consistency_path(hashes_, truth(), seq + 1, size)));
    RC_ASSERT(must(log().prover().node(0, seq)) == must(whole_.node(0, seq)));
    const auto receipt = must(log().prover().receipt(seq));
    RC_ASSERT(receipt.record == must(log().ledger().record(seq)).bytes);
  }));
  EXPECT_FALSE(log().prover().inclusion(log().size(), log().size()));
  EXPECT_FALSE(log().prover().root(log().size() + 1));
  EXPECT_FALSE(log().prover().node(0, log().size()));
  EXPECT_FALSE(log().prover().node(64, 0));
}

TEST_F(LongLog, old_proofs_are_made_beside_new_records) {
  std::atomic<bool> going{true};
  std::atomic<int> wrong{0};
  std::vector<std::thread> askers;
  for (std::uint64_t asker = 0; asker < 3; ++asker) {
    askers.emplace_back([&, asker] {
      for (std::uint64_t seq = asker; going; seq = (seq + 1009) % whole_.size()) {
        const auto path = log().prover().inclusion(seq, whole_.size());
        wrong +=
            path && *path == must(inclusion_path(hashes_, truth(), seq, whole_.size())) ? 0 : 1;
      }
    });
  }
  for (int group = 0; group < 40; ++group) appliance_->add(100);
  going = false;
  for (auto& asker : askers) asker.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(LongLog, leaves_that_changed_in_the_file_are_refused_and_the_rest_still_proves) {
  execute("UPDATE leaf_pages SET leaves = zeroblob(8192) WHERE page = 2");
  const auto refused = log().prover().inclusion(2 * block_leaves + 9, log().size());
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_damaged)) << refused.error().text();
  EXPECT_NE(refused.error().text().find("512 to 767"), std::string::npos) << refused.error().text();
  EXPECT_TRUE(log().prover().inclusion(3 * block_leaves, log().size()));
  EXPECT_TRUE(log().prover().inclusion(log().size() - 1, log().size()));
  const auto before = log().size();
  EXPECT_EQ(appliance_->add(1).size, before + 1);
}

}  // namespace
}  // namespace talla::certs
