// Goal: a key is given once and found ever after, wherever the SQLite ledger has it: in memory, in
// the blocks of the last groups, in the index, or in two of these. Method: sets so small that keys
// wander all the time, against a list of what was given; restarts, a process that dies between two
// writes, readers of other processes; and damage.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <set>
#include <thread>

#include "fault_vfs.hpp"
#include "ledger_suite.hpp"
#include "sqlite_handles.hpp"
#include "young_keys.hpp"

namespace talla::certs::testing {

namespace {

SqliteLedgerOptions small(const Folder& folder, std::size_t young_keys_max = 8) {
  register_fault_vfs();
  return {.path = folder / "ledger.db",
          .origin = origin,
          .vfs = fault_vfs_name,
          .wal_pages_max = 16,
          .young_keys_max = young_keys_max};
}

StoredReply reply_number(std::uint64_t number) {
  return {.id = {.client = "mesa-" + std::to_string(number % 3),
                 .method = "POST",
                 .path = number % 2 == 0 ? "/v1/draws" : "/v1/tables",
                 .key = "k" + std::to_string(number / 2)},
          .request = {static_cast<std::uint8_t>(number)},
          .head = std::to_string(number),
          .seqs = {number}};
}
/// So many keys from there on, behind one record.
Group keys_from(std::uint64_t first, std::uint64_t count, std::uint64_t seq) {
  Group group = group_of({record_of(seq)});
  for (std::uint64_t number = first; number < first + count; ++number)
    group.replies.push_back(reply_number(number));
  return group;
}

void expect_keys(const Ledger& ledger, std::uint64_t count) {
  for (std::uint64_t number = 0; number < count; ++number) {
    const StoredReply wanted = reply_number(number);
    const auto found = must(ledger.reply(wanted.id));
    ASSERT_TRUE(found) << number;
    EXPECT_EQ(found->head, wanted.head);
    EXPECT_EQ(found->request, wanted.request);
    EXPECT_EQ(found->seqs, wanted.seqs);
    const auto same_key = must(ledger.replies(wanted.id.client, wanted.id.key));
    ASSERT_EQ(same_key.size(), 1U) << number;
    EXPECT_EQ(same_key[0].id, wanted.id);
  }
  EXPECT_FALSE(must(ledger.reply(reply_number(count).id)));
}

void expect_refused_again(Ledger& ledger, std::uint64_t number) {
  Group group = group_of({record_of(ledger.size())});
  group.replies = {reply_number(number)};
  EXPECT_TRUE(ledger.commit(group).error().is(Errc::duplicate_key)) << number;
}

DatabaseHandle database_of(const Folder& folder) {
  sqlite3* raw = nullptr;
  EXPECT_EQ(sqlite3_open((folder / "ledger.db").c_str(), &raw), SQLITE_OK);
  return DatabaseHandle(raw);
}
std::uint64_t count_of(const Folder& folder, const std::string& what) {
  const auto database = database_of(folder);
  auto statement = must(Statement::prepare(database.get(), "SELECT count(*) FROM " + what));
  EXPECT_TRUE(must(statement.step()));
  return statement.integer(0);
}
void change(const Folder& folder, const std::string& sql) {
  const auto database = database_of(folder);
  ASSERT_EQ(sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database.get());
}

class LedgerKeys : public ::testing::Test {
 protected:
  void SetUp() override {
    register_fault_vfs();
    fault_plan().clear();
    fault_plan().skip_sync = true;
  }
  void TearDown() override { fault_plan().clear(); }
  Folder folder_;
};

RC_GTEST_FIXTURE_PROP(LedgerKeys,
                      every_key_is_found_and_refused_over_groups_of_any_size_and_restarts, ()) {
  const Folder folder;
  const auto room = *rc::gen::inRange<std::size_t>(1, 40);
  auto ledger = must(open_sqlite_ledger(small(folder, room)));
  std::uint64_t given = 0;
  for (const int step : *rc::gen::container<std::vector<int>>(30, rc::gen::inRange(-1, 12))) {
    if (step < 0) {
      ledger.reset();
      ledger = must(open_sqlite_ledger(small(folder, room)));
      continue;
    }
    const auto count = static_cast<std::uint64_t>(step);
    RC_ASSERT(ledger->commit(keys_from(given, count, ledger->size())).has_value());
    given += count;
  }
  expect_keys(*ledger, given);
  for (std::uint64_t number = 0; number < given; number += 5) expect_refused_again(*ledger, number);
  RC_ASSERT(!::testing::Test::HasFailure());
}

TEST_F(LedgerKeys, go_into_the_index_and_their_blocks_go) {
  const auto ledger = must(open_sqlite_ledger(small(folder_)));
  std::uint64_t blocks_most = 0;
  for (std::uint64_t seq = 0; seq < 200; ++seq) {
    ASSERT_TRUE(ledger->commit(keys_from(2 * seq, 2, seq)));
    blocks_most = std::max(blocks_most, count_of(folder_, "young"));
  }
  EXPECT_LE(blocks_most, 8U) << "two sets of 8 keys, 2 to a block, and those that wait to be cut";
  EXPECT_GE(count_of(folder_, "known"), 400U - 2 * blocks_most);
  EXPECT_EQ(count_of(folder_, "replies JOIN known ON known.id = replies.id AND at = row"),
            count_of(folder_, "known"));
  expect_keys(*ledger, 400);
}

TEST_F(LedgerKeys, are_not_in_the_index_before_a_set_is_full) {
  const auto ledger = must(open_sqlite_ledger(small(folder_, 1000)));
  for (std::uint64_t seq = 0; seq < 100; ++seq)
    ASSERT_TRUE(ledger->commit(keys_from(2 * seq, 2, seq)));
  EXPECT_EQ(count_of(folder_, "known"), 0U);
  EXPECT_EQ(count_of(folder_, "young"), 100U);
  expect_keys(*ledger, 200);
  expect_refused_again(*ledger, 17);
}

TEST_F(LedgerKeys, are_found_by_a_reader_in_another_process_while_they_wander) {
  const auto writer = must(open_sqlite_ledger(small(folder_)));
  ASSERT_TRUE(writer->commit(keys_from(0, 20, 0)));
  auto reading = small(folder_);
  reading.read_only = true;
  const auto reader = must(open_sqlite_ledger(reading));  // knows nothing of the writer's memory
  std::atomic<std::uint64_t> given{20};
  std::thread adding([&] {
    for (std::uint64_t seq = 1; seq < 400; ++seq) {
      ASSERT_TRUE(writer->commit(keys_from(given, 1, seq)));
      ++given;
    }
  });
  for (std::uint64_t asked = 0; given < 419; ++asked) {
    const auto known = given.load();
    const StoredReply wanted = reply_number((asked * 7) % known);
    ASSERT_TRUE(must(reader->reply(wanted.id))) << wanted.head << " of " << known;
    ASSERT_EQ(must(reader->replies(wanted.id.client, wanted.id.key)).size(), 1U);
  }
  adding.join();
  expect_keys(*reader, 419);
}

TEST_F(LedgerKeys, replies_to_one_key_of_several_paths_come_oldest_first_from_memory_and_index) {
  auto ledger = must(open_sqlite_ledger(small(folder_, 4)));
  const auto reply_at = [](std::uint64_t number) {
    StoredReply reply = reply_number(number);
    reply.id = {.client = "mesa-9",
                .method = "POST",
                .path = "/v1/" + std::to_string(number * 7 % 10),
                .key = "same"};
    return reply;
  };
  for (std::uint64_t number = 0; number < 10; ++number) {
    Group group = keys_from(100 + number, 1, number);
    group.replies.push_back(reply_at(number));
    ASSERT_TRUE(ledger->commit(group));
    const auto found = must(ledger->replies("mesa-9", "same"));
    ASSERT_EQ(found.size(), number + 1);
    for (std::uint64_t i = 0; i <= number; ++i) EXPECT_EQ(found[i].head, std::to_string(i));
  }
  EXPECT_TRUE(must(ledger->replies("mesa-8", "same")).empty());
}

/// The child dies half-way through a write or before a sync, again and again, and says before which
/// group.
TEST_F(LedgerKeys, survive_a_process_that_dies_at_any_write) {
  fault_plan().skip_sync = false;
  std::uint64_t seq = 0;
  for (int death = 0; death < 60; ++death) {
    std::array<int, 2> done{};
    ASSERT_EQ(::pipe(done.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto ledger = open_sqlite_ledger(small(folder_));
      if (!ledger) ::_exit(2);
      (death % 3 == 0 ? fault_plan().kill_at_sync : fault_plan().kill_at_write) =
          3 + death * 5 % 61;
      for (;; ++seq) {
        if (!(*ledger)->commit(keys_from(2 * seq, 2, seq))) ::_exit(3);
        const std::uint8_t one = 1;
        if (::write(done[1], &one, 1) != 1) ::_exit(4);
      }
    }
    ::close(done[1]);
    std::uint64_t acknowledged = 0;
    for (std::uint8_t byte = 0; ::read(done[0], &byte, 1) == 1;) ++acknowledged;
    ::close(done[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    const auto ledger = must(open_sqlite_ledger(small(folder_)));
    ASSERT_GE(ledger->size(), seq + acknowledged);
    ASSERT_LE(ledger->size(), seq + acknowledged + 1);
    seq = ledger->size();
    expect_keys(*ledger, 2 * seq);
  }
  EXPECT_GT(seq, 60U);
}

TEST_F(LedgerKeys, that_the_index_has_for_another_reply_latch_the_ledger) {
  const auto ledger = must(open_sqlite_ledger(small(folder_)));
  ASSERT_TRUE(ledger->commit(keys_from(0, 2, 0)));  // not in the index yet
  const OpensslHashes hashes;
  change(folder_, "INSERT INTO known VALUES(x'" + to_hex(reply_digest(hashes, reply_number(1).id)) +
                      "', 77)");
  std::uint64_t seq = 1;
  Status added;
  for (; added && seq < 20; ++seq) added = ledger->commit(keys_from(2 * seq, 2, seq));
  ASSERT_FALSE(added) << "a key that is there twice went into the index";
  EXPECT_TRUE(added.error().is(Errc::ledger_damaged)) << added.error().text();
  EXPECT_TRUE(ledger->latched());
}

TEST_F(LedgerKeys, in_a_block_that_is_damaged_refuse_the_ledger) {
  {
    const auto ledger = must(open_sqlite_ledger(small(folder_, 100)));
    for (std::uint64_t seq = 0; seq < 3; ++seq)
      ASSERT_TRUE(ledger->commit(keys_from(2 * seq, 2, seq)));
  }
  for (const char* damage :
       {"UPDATE young SET keys = substr(keys, 1, length(keys) - 1) WHERE block = 2",
        "UPDATE young SET keys = x'0000' || substr(keys, 3) WHERE block = 2",
        "UPDATE young SET keys = substr(keys, 1, length(keys) - 1) || x'63' WHERE block = 3",
        "DELETE FROM replies WHERE row = 6",
        "UPDATE young SET keys = (SELECT keys FROM young WHERE block = 1) WHERE block = 2",
        "UPDATE young SET block = -1 WHERE block = 1"}) {
    change(folder_,
           "CREATE TABLE kept AS SELECT * FROM young;"
           "CREATE TABLE kept_replies AS SELECT * FROM replies");
    change(folder_, damage);
    const auto opened = open_sqlite_ledger(small(folder_, 100));
    ASSERT_FALSE(opened) << damage;
    EXPECT_TRUE(opened.error().is(Errc::ledger_damaged)) << opened.error().text();
    change(folder_,
           "DELETE FROM young; INSERT INTO young SELECT * FROM kept; DROP TABLE kept;"
           "DELETE FROM replies; INSERT INTO replies SELECT * FROM kept_replies;"
           "DROP TABLE kept_replies");
  }
  expect_keys(*must(open_sqlite_ledger(small(folder_, 100))), 6);
}

TEST_F(LedgerKeys, of_a_reply_that_is_gone_say_that_the_ledger_is_damaged) {
  const auto ledger = must(open_sqlite_ledger(small(folder_)));
  ASSERT_TRUE(ledger->commit(keys_from(0, 2, 0)));
  change(folder_, "DELETE FROM replies WHERE row = 2");
  EXPECT_TRUE(must(ledger->reply(reply_number(0).id)));
  EXPECT_TRUE(ledger->reply(reply_number(1).id).error().is(Errc::ledger_damaged));
}

RC_GTEST_PROP(KeyBlock, is_read_as_it_was_written_and_of_other_bytes_nothing, ()) {
  std::vector<KnownKey> keys;
  for (const std::uint64_t at : *rc::gen::arbitrary<std::vector<std::uint64_t>>()) {
    KnownKey& key = keys.emplace_back(KnownKey{.id = {}, .at = at});
    key.id.fill(static_cast<std::uint8_t>(at));
  }
  const Bytes bytes = encode_keys(keys);
  const auto read = must(decode_keys(bytes));
  RC_ASSERT(read.size() == keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    RC_ASSERT(read[i].id == keys[i].id && read[i].at == keys[i].at);
  if (bytes.empty()) return;
  const auto cut = *rc::gen::inRange<std::size_t>(1, sizeof(ReplyDigest) + 8);
  RC_ASSERT(!decode_keys(ByteView(bytes).first(bytes.size() - std::min(cut, bytes.size() - 1)))
                 .has_value());
}

}  // namespace
}  // namespace talla::certs::testing
