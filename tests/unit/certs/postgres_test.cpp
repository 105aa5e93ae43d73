// Goal: the PostgreSQL ledger is a ledger; several appliances share a cluster; a second daemon
// fences the first; a server that does not keep what it acknowledges, and a ledger that is not what
// it was, are refused.
// Method: the suite of every ledger and cases of its own over one real server, whose rows and
//         settings are changed by hand.
#include <gtest/gtest.h>

#include <iostream>

#include "postgres_fixture.hpp"

namespace talla::certs::testing {

PostgresServer& server() {
  static PostgresServer one;
  static const bool started = (one.start(), true);
  static_cast<void>(started);
  return one;
}

std::string fresh_origin() {
  static int count = 0;
  return "log.example/test-" + std::to_string(++count);
}

namespace {

/// Each folder is an appliance with an origin of its own.
Result<std::unique_ptr<Ledger>> open_on_server(const Folder& folder) {
  const std::string name = to_hex(as_bytes(folder.path()));
  TALLA_TRY(auto ledger, open_postgres_ledger(options_of("log.example/" + name, folder.path())));
  return std::unique_ptr<Ledger>(std::move(ledger));
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Ledgers, LedgerSuite,
                         ::testing::Values(Backend{"postgres", open_on_server, 12}),
                         [](const auto& instance) { return instance.param.name; });

namespace {

class Postgres : public ::testing::Test {
 protected:
  /// SQL on the tables of this test's origin; `{}` stands for the schema.
  void change(std::string sql) const {
    const std::string schema = postgres_schema(origin_);
    for (auto at = sql.find("{}"); at != std::string::npos; at = sql.find("{}"))
      sql.replace(at, 2, schema);
    server().run(sql);
  }
  [[nodiscard]] PostgresLedgerOptions options() const { return options_of(origin_); }
  /// 40 records in groups of 4.
  void fill() {
    ServerAppliance appliance(folder_, options());
    for (int i = 0; i < 10; ++i) must(appliance.add(4));
    must(appliance.log->write_anchor());
  }
  void expect_refused(Errc errc, const std::string& word = {}, bool recheck_all = false) {
    const auto opened = open_again(folder_, options(), recheck_all);
    ASSERT_FALSE(opened) << errc_name(errc);
    EXPECT_TRUE(opened.error().is(errc)) << opened.error().text();
    EXPECT_NE(opened.error().text().find(word), std::string::npos) << opened.error().text();
  }
  Folder folder_;
  std::string origin_ = fresh_origin();
};

TEST_F(Postgres, several_appliances_on_one_cluster_keep_their_own_logs) {
  const Folder other;
  const std::string other_origin = fresh_origin();
  ServerAppliance first(folder_, options());
  ServerAppliance second(other, options_of(other_origin));
  for (int i = 0; i < 5; ++i) {
    const StoredReply reply{
        .id = {"mesa-1", "POST", "/v1/draws", std::to_string(i)}, .head = "{}", .seqs = {}};
    first.log->group().replies.push_back(reply);
    ASSERT_TRUE(first.add(3, "first"));
    second.log->group().replies.push_back(reply);
    ASSERT_TRUE(second.add(2, "second")) << "the other's keys are the other's";
  }
  EXPECT_EQ(first.log->size(), 15U);
  EXPECT_EQ(second.log->size(), 10U);
  EXPECT_NE(must(first.ledger->record(9)).bytes.find("first"), std::string::npos);
  EXPECT_NE(must(second.ledger->record(9)).bytes.find("second"), std::string::npos);
  EXPECT_TRUE(check_postgres_ledger(options()));
  change("DROP SCHEMA {} CASCADE");
  EXPECT_TRUE(second.add(1)) << "damage of one is not damage of the other";
  EXPECT_FALSE(first.add(1));
}

TEST_F(Postgres, schema_names_are_distinct_and_fit) {
  const std::string a(128, 'a');
  std::string b = a;
  b.back() = 'b';
  EXPECT_LE(postgres_schema(a).size(), 63U);
  EXPECT_NE(postgres_schema(a), postgres_schema(b));
  EXPECT_NE(postgres_schema("log.example/1"), postgres_schema("log.example.1"));
}

TEST_F(Postgres, PROTOCOL_2_a_second_daemon_fences_the_first_one_whose_next_commit_latches) {
  const Folder other;
  ServerAppliance first(folder_, options());
  ASSERT_TRUE(first.add(3));
  const auto second = must(open_postgres_ledger(options()));
  EXPECT_EQ(second->size(), 3U);
  EXPECT_GT(second->epoch(), first.ledger->epoch());
  const auto refused = first.add(1);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_fenced)) << refused.error().text();
  EXPECT_TRUE(first.ledger->fenced());
  EXPECT_TRUE(first.log->latched());
  const auto later = first.log->append(access_draft("status"));
  ASSERT_FALSE(later);
  EXPECT_TRUE(later.error().is(Errc::ledger_latched));
  EXPECT_TRUE(first.log->prover().receipt(1)) << "what was acknowledged can still be read";
  EXPECT_TRUE(second->commit(group_of({record_of(3)}))) << "nothing of the fenced group is there";
  EXPECT_FALSE(second->fenced());
}

TEST_F(Postgres, a_fenced_daemon_is_told_so_also_when_its_numbers_are_given_meanwhile) {
  const auto first = must(open_postgres_ledger(options()));
  const auto second = must(open_postgres_ledger(options()));
  ASSERT_TRUE(second->commit(group_of({record_of(0), record_of(1)})));
  const auto refused = first->commit(group_of({record_of(0), record_of(1)}));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_fenced)) << refused.error().text();
  EXPECT_TRUE(first->latched());
  EXPECT_EQ(must(second->records(0, 10)).size(), 2U);
}

TEST_F(Postgres, a_group_of_drafts_alone_is_fenced_too) {
  const auto first = must(open_postgres_ledger(options()));
  const auto second = must(open_postgres_ledger(options()));
  Group group;
  group.documents = {{documents::bets("round-1"), "[]"}};
  const auto refused = first->commit(group);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_fenced));
  EXPECT_FALSE(must(second->document(documents::bets("round-1"))));
}

TEST_F(Postgres, a_reader_beside_it_takes_no_epoch_and_commits_nothing) {
  ServerAppliance appliance(folder_, options());
  ASSERT_TRUE(appliance.add(2));
  auto reading = options();
  reading.read_only = true;
  const auto reader = must(open_postgres_ledger(reading));
  EXPECT_EQ(reader->size(), 2U);
  EXPECT_FALSE(reader->commit(group_of({record_of(2)})));
  EXPECT_TRUE(appliance.add(1));
  auto nothing = options_of(fresh_origin());
  nothing.read_only = true;
  EXPECT_FALSE(open_postgres_ledger(nothing)) << "reading makes no ledger";
}

TEST_F(Postgres, no_byte_of_a_client_makes_a_commit_fail) {
  const auto ledger = must(open_postgres_ledger(options()));
  const std::string strange("\xff\x00'\\\x80", 5);
  Group group = group_of({record_of(0)});
  group.replies = {{.id = {strange, strange, strange, strange}, .head = strange, .seqs = {0}}};
  ASSERT_TRUE(ledger->commit(group));
  const auto stored = must(ledger->reply(group.replies[0].id));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->head, strange);
  EXPECT_EQ(must(ledger->replies(strange, strange)).size(), 1U);
}

TEST_F(Postgres, a_server_that_does_not_keep_what_it_acknowledges_is_refused_also_in_mid_work) {
  for (const std::string name : {"fsync", "full_page_writes"}) {
    auto appliance = std::make_unique<ServerAppliance>(folder_, options());
    ASSERT_TRUE(appliance->add(1));
    server().configure(name, "off");
    const auto refused = appliance->add(1);
    ASSERT_FALSE(refused) << name;
    EXPECT_TRUE(refused.error().is(Errc::ledger_unsafe)) << refused.error().text();
    EXPECT_NE(refused.error().detail.find(name + " is off"), std::string::npos)
        << refused.error().text();
    EXPECT_TRUE(appliance->log->latched());
    expect_refused(Errc::ledger_unsafe, name + " is off");
    server().configure(name, "on");
    EXPECT_TRUE(open_again(folder_, options())) << name;
  }
}

TEST_F(Postgres, synchronous_commit_is_the_sessions_own_whatever_the_server_says) {
  server().configure("synchronous_commit", "off");
  ServerAppliance appliance(folder_, options());
  EXPECT_TRUE(appliance.add(1));
  server().configure("synchronous_commit", "on");
}

TEST_F(Postgres, a_standby_and_a_read_only_database_are_refused) {
  fill();
  server().run("ALTER DATABASE postgres SET default_transaction_read_only = on");
  expect_refused(Errc::ledger_unsafe, "read-only");
  server().run(
      "BEGIN READ WRITE; ALTER DATABASE postgres RESET default_transaction_read_only; COMMIT");
  EXPECT_TRUE(open_again(folder_, options()));
  PostgresServer standby;
  server().stop();
  standby.become_standby_of(server());
  server().start();
  standby.start();
  auto there = options();
  there.connection = standby.connection();
  const auto refused = open_postgres_ledger(there);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_unsafe)) << refused.error().text();
  EXPECT_NE(refused.error().detail.find("standby"), std::string::npos) << refused.error().text();
}

TEST_F(Postgres, an_unlogged_table_is_refused) {
  fill();
  change("ALTER TABLE {}.replies SET UNLOGGED");
  expect_refused(Errc::ledger_unsafe, "replies");
}

TEST_F(Postgres, a_foreign_schema_version_or_origin_is_refused) {
  fill();
  change("UPDATE {}.meta SET value = '2' WHERE name = 'version'");
  expect_refused(Errc::ledger_foreign, "schema version 2");
  change(
      "UPDATE {}.meta SET value = '1' WHERE name = 'version'; UPDATE {}.meta SET value = "
      "'log.example/x' "
      "WHERE name ="
      " 'origin'");
  expect_refused(Errc::ledger_foreign, "log.example/x");
  change("DELETE FROM {}.meta WHERE name = 'origin'");
  expect_refused(Errc::ledger_damaged);
  change("DROP TABLE {}.meta");
  expect_refused(Errc::ledger_foreign, "no ledger of Talla");
}

TEST_F(Postgres, a_missing_table_or_fence_is_damage) {
  fill();
  change("ALTER TABLE {}.ends RENAME TO gone");
  expect_refused(Errc::ledger_damaged);
  change("ALTER TABLE {}.gone RENAME TO ends; DELETE FROM {}.fence");
  expect_refused(Errc::ledger_damaged, "fence");
}

TEST_F(Postgres, a_ledger_that_is_shorter_than_its_anchor_or_gone_is_refused) {
  fill();
  change("DELETE FROM {}.records WHERE seq >= 36; DELETE FROM {}.ends WHERE size > 36");
  expect_refused(Errc::ledger_damaged, "fence");
  change("UPDATE {}.fence SET size = 36");
  expect_refused(Errc::ledger_shorter);
  change("DROP SCHEMA {} CASCADE");
  expect_refused(Errc::ledger_shorter);
}

TEST_F(Postgres, another_history_of_the_same_length_is_refused) {
  fill();
  const Folder other;
  FileAnchor anchor(folder_ / "anchor.json");
  auto state = must(anchor.read());
  ASSERT_TRUE(state);
  state->root[0] ^= 1U;
  must(anchor.write(*state));
  expect_refused(Errc::ledger_different);
}

TEST_F(Postgres, a_gap_a_torn_group_and_a_changed_record_are_refused) {
  fill();
  change("CREATE TABLE {}.kept AS SELECT * FROM {}.records");
  change("DELETE FROM {}.records WHERE seq = 20");
  expect_refused(Errc::ledger_damaged, "missing");
  change(
      "INSERT INTO {}.records SELECT * FROM {}.kept WHERE seq = 20; DELETE FROM {}.ends WHERE size "
      "= 40");
  expect_refused(Errc::ledger_damaged, "36");
  change("INSERT INTO {}.ends VALUES(40)");
  EXPECT_TRUE(open_again(folder_, options(), true));
  change("UPDATE {}.records SET bytes = set_byte(bytes, 30, 65) WHERE seq = 11");
  expect_refused(Errc::ledger_damaged, "record 11");
  change(
      "UPDATE {}.records r SET bytes = k.bytes, leaf = sha256('x') FROM {}.kept k WHERE r.seq = 11 "
      "AND k.seq "
      "= 11");
  expect_refused(Errc::ledger_damaged, "record 11");
  change("UPDATE {}.records r SET leaf = k.leaf FROM {}.kept k WHERE r.seq = 11 AND k.seq = 11");
  EXPECT_TRUE(open_again(folder_, options(), true));
}

TEST_F(Postgres, a_broken_chain_is_damage) {
  ServerAppliance appliance(folder_, options());
  const auto table = must(appliance.log->append(table_draft()));
  must(appliance.log->commit());
  for (int i = 0; i < 3; ++i) {
    Group group = group_of({record_of(appliance.ledger->size(), Kind::meter, table.object,
                                      appliance.ledger->size() - 1)});
    ASSERT_TRUE(appliance.ledger->commit(group));
  }
  EXPECT_EQ(must(appliance.ledger->chain(table.object)).size(), 4U);
  for (const std::string wrong : {"prev = 3", "prev = NULL", "object = 'table-1'"}) {
    change(
        "CREATE TABLE {}.kept AS SELECT * FROM {}.records WHERE seq = 2; UPDATE {}.records SET " +
        wrong + " WHERE seq = 2");
    const auto chain = appliance.ledger->chain(table.object);
    ASSERT_FALSE(chain) << wrong;
    EXPECT_TRUE(chain.error().is(Errc::ledger_damaged)) << chain.error().text();
    change(
        "UPDATE {}.records r SET prev = k.prev, object = k.object FROM {}.kept k WHERE r.seq = "
        "k.seq; DROP "
        "TABLE {}.kept");
  }
  EXPECT_EQ(must(appliance.ledger->chain(table.object)).size(), 4U);
}

TEST_F(Postgres, the_check_beside_the_work_finds_any_changed_record_leaf_page_and_catalogue) {
  const auto ledger = must(open_postgres_ledger(options()));
  const std::string text = "[catalogue]\n";
  std::vector<LedgerRecord> records;
  for (std::uint64_t seq = 0; seq < 3000; ++seq) records.push_back(record_of(seq));
  Group group = group_of(std::move(records));
  group.catalogues = {{OpensslHashes().sha256({as_bytes(text)}), text}};
  ASSERT_TRUE(ledger->commit(group));
  ASSERT_TRUE(check_postgres_ledger(options()));
  const auto spoil = [&](const std::string& sql, const std::string& mend, const std::string& word) {
    change(sql);
    const auto found = check_postgres_ledger(options());
    ASSERT_FALSE(found) << sql;
    EXPECT_TRUE(found.error().is(Errc::ledger_damaged)) << found.error().text();
    EXPECT_NE(found.error().text().find(word), std::string::npos) << found.error().text();
    change(mend);
    ASSERT_TRUE(check_postgres_ledger(options())) << mend;
  };
  spoil("UPDATE {}.records SET bytes = 'record 18' WHERE seq = 17",
        "UPDATE {}.records SET bytes = 'record 17' WHERE seq = 17", "record 17");
  spoil(
      "UPDATE {}.leaf_pages SET leaves = set_byte(leaves, 9, get_byte(leaves, 9) # 1) WHERE page = "
      "4",
      "UPDATE {}.leaf_pages SET leaves = set_byte(leaves, 9, get_byte(leaves, 9) # 1) WHERE page = "
      "4",
      "page of leaves");
  spoil("UPDATE {}.catalogues SET text = 'x'",
        "UPDATE {}.catalogues SET text = '[catalogue]' || chr(10)::bytea", "catalogue");
  change("DELETE FROM {}.leaf_pages WHERE page = 7");
  EXPECT_FALSE(check_postgres_ledger(options()));
  const auto leaves = ledger->leaves(0, 3000, [](const Digest&) {});
  ASSERT_FALSE(leaves);
  EXPECT_TRUE(leaves.error().is(Errc::ledger_damaged));
}

TEST_F(Postgres, no_password_stands_in_a_connection_and_none_is_repeated) {
  for (const std::string connection :
       {"host=db.example user=a password=hunter2", "postgresql://a:hunter2@db.example/talla",
        "host=db.example hunter2", "postgresql://a:hunter2@db.example:port/", "sslpassword=hunter2",
        ""}) {
    const auto refused = open_postgres_ledger({.connection = connection, .origin = origin_});
    ASSERT_FALSE(refused) << connection;
    EXPECT_TRUE(refused.error().is(Errc::ledger_unsafe)) << refused.error().text();
    EXPECT_EQ(refused.error().text().find("hunter2"), std::string::npos) << refused.error().text();
  }
}

TEST_F(Postgres, a_server_that_is_not_there_may_be_there_later) {
  const auto refused = open_postgres_ledger(
      {.connection = "host=" + folder_.path() + " user=talla", .origin = origin_});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_unreachable)) << refused.error().text();
}

}  // namespace
}  // namespace talla::certs::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (const std::string why = talla::certs::testing::PostgresServer::absent(); !why.empty()) {
    std::cout << "skipped: " << why << '\n';
    return 77;
  }
  return RUN_ALL_TESTS();
}
