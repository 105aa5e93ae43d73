// Goal: a ledger file of the version before goes on, and can be read without being changed. Method:
// this program's file with the keys put back into the tables that version 4 had, word for word;
// every sync of the renewal failing once.
#include <gtest/gtest.h>

#include <filesystem>

#include "fault_vfs.hpp"
#include "ledger_rows.hpp"
#include "ledger_suite.hpp"
#include "sqlite_handles.hpp"

namespace talla::certs::testing {

namespace {

constexpr std::uint64_t keys_count = 50;

constexpr const char* tables_of_version_4 =
    "CREATE UNIQUE INDEX replies_id ON replies(id);"
    "CREATE TABLE nonces(id BLOB PRIMARY KEY) WITHOUT ROWID;"
    "DROP TABLE known; DROP TABLE young; PRAGMA user_version=4;";

StoredReply old_reply(std::uint64_t number) {
  return {.id = {.client = "mesa-1",
                 .method = "POST",
                 .path = "/v1/draws",
                 .key = "k" + std::to_string(number)},
          .request = {},
          .head = std::to_string(number),
          .seqs = {number}};
}
ClientNonce old_nonce(std::uint64_t number) {
  return {"mesa-1", ByteWriter().u64(number).u64(7).take()};
}

class OldLedger : public ::testing::Test {
 protected:
  void SetUp() override {
    register_fault_vfs();
    fault_plan().clear();
    make();
  }
  void TearDown() override { fault_plan().clear(); }

  [[nodiscard]] SqliteLedgerOptions options() const {
    return {.path = folder_ / "ledger.db", .origin = origin, .vfs = fault_vfs_name};
  }
  [[nodiscard]] std::uint64_t number_of(const std::string& sql) const {
    const auto database = connect();
    auto statement = must(Statement::prepare(database.get(), sql));
    EXPECT_TRUE(must(statement.step()));
    return statement.integer(0);
  }
  void change(const std::string& sql) const {
    const auto database = connect();
    ASSERT_EQ(sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database.get());
  }
  void make() const {
    {
      const auto ledger = must(open_sqlite_ledger(options()));
      for (std::uint64_t number = 0; number < keys_count; ++number) {
        Group group = group_of({record_of(number)});
        group.replies = {old_reply(number)};
        group.nonces = {old_nonce(number)};
        ASSERT_TRUE(ledger->commit(group));
      }
    }
    std::string sql = tables_of_version_4;
    for (std::uint64_t number = 0; number < keys_count; ++number) {
      const ClientNonce one = old_nonce(number);
      sql += "INSERT INTO nonces VALUES(x'" +
             to_hex(nonce_digest(OpensslHashes(), one.client, one.nonce)) + "');";
    }
    change(sql);
  }
  static void expect_all(const Ledger& ledger) {
    for (std::uint64_t number = 0; number < keys_count; ++number) {
      const auto reply = must(ledger.reply(old_reply(number).id));
      ASSERT_TRUE(reply) << number;
      EXPECT_EQ(reply->head, std::to_string(number));
      EXPECT_EQ(must(ledger.replies("mesa-1", "k" + std::to_string(number))).size(), 1U);
      EXPECT_TRUE(must(ledger.nonce_used("mesa-1", old_nonce(number).nonce))) << number;
      EXPECT_EQ(must(ledger.record(number)).bytes, record_of(number).bytes);
    }
    EXPECT_FALSE(must(ledger.reply(old_reply(keys_count).id)));
    EXPECT_FALSE(must(ledger.nonce_used("mesa-1", old_nonce(keys_count).nonce)));
  }

  Folder folder_;

 private:
  [[nodiscard]] DatabaseHandle connect() const {
    sqlite3* raw = nullptr;
    EXPECT_EQ(sqlite3_open((folder_ / "ledger.db").c_str(), &raw), SQLITE_OK);
    return DatabaseHandle(raw);
  }
};

TEST_F(OldLedger, is_read_as_it_is) {
  auto reading = options();
  reading.read_only = true;
  expect_all(*must(open_sqlite_ledger(reading)));
  EXPECT_EQ(number_of("PRAGMA user_version"), 4U);
  EXPECT_EQ(number_of("SELECT count(*) FROM sqlite_master WHERE name IN ('nonces', 'replies_id')"),
            2U);
}

TEST_F(OldLedger, goes_on_in_the_new_tables) {
  for (int start = 0; start < 2; ++start) {
    const auto ledger = must(open_sqlite_ledger(options()));
    EXPECT_EQ(number_of("PRAGMA user_version"), 5U);
    EXPECT_EQ(
        number_of("SELECT count(*) FROM sqlite_master WHERE name IN ('nonces', 'replies_id')"), 0U);
    expect_all(*ledger);
    Group again = group_of({record_of(ledger->size())});
    again.replies = {old_reply(keys_count / 2)};
    EXPECT_TRUE(ledger->commit(again).error().is(Errc::duplicate_key));
    again.replies.clear();
    again.nonces = {old_nonce(keys_count / 2)};
    EXPECT_TRUE(ledger->commit(again).error().is(Errc::duplicate_nonce));
    again.nonces = {{"mesa-2", Bytes(16, static_cast<std::uint8_t>(start))}};
    EXPECT_TRUE(ledger->commit(again));
  }
  EXPECT_TRUE(check_sqlite_ledger(options()));
}

TEST_F(OldLedger, is_one_or_the_other_whatever_sync_of_the_renewal_fails) {
  int failures = 0;
  for (; failures < 30; ++failures) {
    const Folder here;
    std::filesystem::copy(folder_ / "ledger.db", here / "ledger.db");
    const SqliteLedgerOptions ours{
        .path = here / "ledger.db", .origin = origin, .vfs = fault_vfs_name};
    fault_plan().fail_sync_in = failures;
    const bool opened = open_sqlite_ledger(ours).has_value();
    fault_plan().fail_sync_in = -1;
    const auto ledger = open_sqlite_ledger(ours);
    ASSERT_TRUE(ledger) << failures << ": " << ledger.error().text();
    expect_all(**ledger);
    if (opened) break;
  }
  EXPECT_GE(failures, 2) << "the renewal, and the write-ahead log into the file";
}

TEST_F(OldLedger, of_any_other_version_is_refused) {
  for (const char* version : {"3", "6", "0"}) {
    change(std::string("PRAGMA user_version=") + version);
    for (const bool read_only : {false, true}) {
      auto wanted = options();
      wanted.read_only = read_only;
      const auto opened = open_sqlite_ledger(wanted);
      ASSERT_FALSE(opened);
      EXPECT_TRUE(opened.error().is(Errc::ledger_foreign));
      EXPECT_NE(opened.error().detail.find(std::string("schema version ") + version),
                std::string::npos);
    }
  }
}

}  // namespace
}  // namespace talla::certs::testing
