// Goal: keys and configuration change by two persons (PROTOCOL section 8): the log has what was
// asked for, who asked and who confirmed; what is enrolled or revoked counts at once and after a
// restart; production starts with nothing that changed unapproved.
// Method: a whole appliance on simulated time, started again with other settings.
#include <gtest/gtest.h>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string key_of_two(64, 'b');
const std::string enrol_two =
    R"({"act":"client-enrol","client":{"id":"talla:table-2","roles":["table"],"spki":")" +
    key_of_two + R"("}})";

std::string asked(Rig& rig, const std::string& body) {
  const auto reply = rig.post_as(rig.officer, "/v1/acts", body);
  EXPECT_EQ(reply.status, 201) << reply.body;
  return reply.status == 201 ? reply.text({"act", "id"}) : std::string();
}

Got confirmed(Rig& rig, const std::string& act, const std::string& body = "{}") {
  return rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm", body);
}

std::string approve(Rig& rig, const std::string& act, const Digest& digest) {
  const auto id = asked(rig, R"({"act":")" + act + R"(","digest":")" + to_hex(digest) + R"("})");
  EXPECT_EQ(confirmed(rig, id).status, 200);
  return id;
}

std::vector<certs::Record> keys_since(Rig& rig, std::uint64_t from) {
  std::vector<certs::Record> all;
  for (std::uint64_t seq = from; seq < rig.log().size(); ++seq) {
    auto record = *certs::parse_record(rig.ledger().record(seq)->bytes);
    if (record.kind == Kind::key) all.push_back(std::move(record));
  }
  return all;
}

/// Why the service does not start; empty when it does. The rig opens again with the settings it
/// had.
std::string refused_start(Rig& rig, const Settings& settings) {
  const Settings before = rig.settings;
  rig.settings = settings;
  std::string refused;
  rig.crash();
  rig.try_open([&](const Error& error) { refused = error.text(); });
  if (refused.empty()) {
    rig.service().run_until_idle();
  } else {
    rig.settings = before;
    rig.restart();
  }
  return refused;
}

TEST(TwoPersons, PROTOCOL_8_a_client_is_enrolled_by_two_and_comes_in_at_once_and_after_a_restart) {
  Rig rig;
  EXPECT_FALSE(rig.service().enrolled("talla:table-2", key_of_two));
  const auto act = asked(rig, enrol_two);
  EXPECT_FALSE(rig.service().enrolled("talla:table-2", key_of_two)) << "one person enrols nobody";
  const auto before = rig.log().size();
  const auto done = confirmed(rig, act);
  ASSERT_EQ(done.status, 200) << done.body;
  const auto known = rig.service().enrolled("talla:table-2", key_of_two);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->roles, RoleSet{Role::table});
  EXPECT_FALSE(rig.service().enrolled("talla:table-2", std::string(64, 'c')));
  const auto keys = keys_since(rig, before);
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].body.find("action")->string(), "enrol");
  EXPECT_EQ(keys[0].cites, std::vector<std::uint64_t>{done.record(Kind::access).seq});
  rig.restart();
  EXPECT_TRUE(rig.service().enrolled("talla:table-2", key_of_two))
      << "the file of the start does not know it";
  EXPECT_TRUE(keys_since(rig, before + 3).empty()) << "a start with the same file changes nobody";
}

TEST(TwoPersons, a_request_says_what_is_asked_for_and_what_is_confirmed_must_be_that) {
  Rig rig;
  const auto act = asked(rig, enrol_two);
  rig.client = rig.inspector;
  const auto shown = rig.get("/v1/acts/" + act);
  EXPECT_EQ(shown.text({"act", "client", "spki"}), key_of_two);
  EXPECT_EQ(shown.text({"act", "object"}), "talla:table-2");
  const auto digest = shown.text({"act", "digest"});
  EXPECT_EQ(confirmed(rig, act, R"({"digest":")" + std::string(64, '0') + R"("})").code(),
            "wrong_state");
  rig.restart();
  EXPECT_EQ(rig.get("/v1/acts/" + act).body, shown.body) << "the log alone gives the same request";
  const auto done = confirmed(rig, act, R"({"digest":")" + digest + R"("})");
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.record(Kind::access).body.find("digest")->string(), digest);
}

TEST(TwoPersons, a_renewed_key_takes_the_place_of_the_old_one_and_a_revoked_client_is_out) {
  Rig rig;
  ASSERT_EQ(confirmed(rig, asked(rig, enrol_two)).status, 200);
  const std::string fresh(64, 'd');
  const auto before = rig.log().size();
  auto renewal = enrol_two;
  renewal.replace(renewal.find(key_of_two), key_of_two.size(), fresh);
  ASSERT_EQ(confirmed(rig, asked(rig, renewal)).status, 200);
  EXPECT_FALSE(rig.service().enrolled("talla:table-2", key_of_two));
  EXPECT_TRUE(rig.service().enrolled("talla:table-2", fresh));
  const auto keys = keys_since(rig, before);
  ASSERT_EQ(keys.size(), 2U) << "the old key is revoked, the new one enrolled";
  EXPECT_EQ(keys[0].body.find("spki")->string(), key_of_two);
  EXPECT_EQ(keys[0].body.find("action")->string(), "revoke");
  ASSERT_EQ(
      confirmed(rig, asked(rig, R"({"act":"client-revoke","object":"talla:table-2"})")).status,
      200);
  EXPECT_FALSE(rig.service().enrolled("talla:table-2", fresh));
  rig.restart();
  EXPECT_FALSE(rig.service().enrolled("talla:table-2", fresh));
}

TEST(TwoPersons, a_key_that_is_renewed_in_the_middle_of_a_shoe_deals_on_and_its_evidence_holds) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
  const auto deal = [&](int from) {
    return rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":)" + std::to_string(from) +
                                                       R"(,"until":)" + std::to_string(from + 1) +
                                                       R"(,"place":"p","face":"open"})");
  };
  ASSERT_EQ(deal(0).status, 200);
  const auto fresh = table_client("talla:table-9");
  const auto renewal = R"({"act":"client-enrol","client":{"id":")" + rig.client.id +
                       R"(","roles":["table"],"spki":")" + fresh.spki + R"("}})";
  ASSERT_EQ(confirmed(rig, asked(rig, renewal)).status, 200);
  const auto before = rig.client;
  rig.client.spki = fresh.spki;
  rig.client.public_key = fresh.public_key;
  const auto dealt = deal(1);
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  const auto record = dealt.record(Kind::card_deal);
  EXPECT_EQ(record.client->id, before.id);
  EXPECT_NE(to_hex(record.client->spki), before.spki);
  rig.verify(record.seq);
}

TEST(TwoPersons, a_client_of_the_file_that_two_revoked_stays_out_until_the_file_names_it_anew) {
  Rig rig;
  rig.settings.clients.push_back({"talla:table-3", std::string(64, 'e'), {"table"}});
  rig.restart();
  ASSERT_EQ(
      confirmed(rig, asked(rig, R"({"act":"client-revoke","object":"talla:table-3"})")).status,
      200);
  rig.restart();
  EXPECT_FALSE(rig.service().enrolled("talla:table-3", std::string(64, 'e')));
  rig.settings.clients.back().spki = std::string(64, 'f');
  rig.restart();
  EXPECT_TRUE(rig.service().enrolled("talla:table-3", std::string(64, 'f')));
}

TEST(TwoPersons, nothing_is_enrolled_twice_no_key_is_two_clients_and_two_persons_are_always_left) {
  Rig rig;
  const auto refused = [&](const std::string& body) {
    return rig.post_as(rig.officer, "/v1/acts", body).code();
  };
  auto other = enrol_two;
  other.replace(other.find(key_of_two), key_of_two.size(), rig.officer.spki);
  EXPECT_EQ(refused(other), "wrong_state") << "the officer's own key";
  EXPECT_EQ(refused(R"({"act":"client-revoke","object":"talla:inspector-1"})"), "wrong_state");
  EXPECT_EQ(
      refused(
          R"({"act":"client-enrol","client":{"id":"talla:inspector-1","roles":["auditor"],"spki":")" +
          rig.inspector.spki + R"("}})"),
      "wrong_state");
  EXPECT_EQ(refused(R"({"act":"client-revoke","object":"talla:nobody"})"), "not_found");
  EXPECT_EQ(refused(R"({"act":"client-enrol","client":{"id":"a b","roles":["table"],"spki":")" +
                    key_of_two + R"("}})"),
            "malformed_request");
  EXPECT_EQ(refused(R"({"act":"client-enrol","client":{"id":"a","roles":["king"],"spki":")" +
                    key_of_two + R"("}})"),
            "malformed_request");
  EXPECT_EQ(refused(R"({"act":"config-change","digest":"17"})"), "malformed_request");
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/acts", enrol_two).code(), "forbidden");
  ASSERT_EQ(confirmed(rig, asked(rig, enrol_two)).status, 200);
  EXPECT_EQ(refused(enrol_two), "wrong_state");
}

TEST(TwoPersons,
     PROTOCOL_8_production_starts_with_another_configuration_only_when_two_have_approved_it) {
  Rig rig;
  rig.settings.profile = "production";
  rig.restart();
  rig.service().run_until_idle();
  Settings changed = rig.settings;
  changed.config_digest.fill(0x17);
  EXPECT_NE(refused_start(rig, changed).find("no two persons have approved"), std::string::npos);
  const auto act = approve(rig, "config-change", changed.config_digest);
  EXPECT_EQ(refused_start(rig, changed), "");
  std::optional<certs::Record> config;
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    auto record = *certs::parse_record(rig.ledger().record(seq)->bytes);
    if (record.kind == Kind::config) config = std::move(record);
  }
  ASSERT_EQ(config->cites.size(), 1U);
  const auto approval = *certs::parse_record(rig.ledger().record(config->cites.front())->bytes);
  EXPECT_EQ(approval.body.find("what")->string(), "config-change.confirmed");
  EXPECT_EQ(approval.cites, std::vector<std::uint64_t>{*certs::object_seq("act", act)});
  // An approval serves once.
  Settings back = rig.settings;
  back.config_digest.fill(0);
  ASSERT_NE(refused_start(rig, back), "");
  approve(rig, "config-change", back.config_digest);
  EXPECT_EQ(refused_start(rig, back), "");
  EXPECT_NE(refused_start(rig, changed), "");
}

TEST(TwoPersons,
     production_takes_another_list_of_clients_only_when_approved_and_development_without) {
  Rig rig;
  rig.settings.clients.push_back({"talla:table-3", std::string(64, 'e'), {"table"}});
  rig.restart();  // development
  rig.settings.profile = "production";
  rig.restart();
  Settings changed = rig.settings;
  changed.clients.pop_back();
  changed.enrolment_digest.fill(0x18);
  EXPECT_NE(refused_start(rig, changed).find("list of clients"), std::string::npos);
  EXPECT_TRUE(rig.service().enrolled("talla:table-3", std::string(64, 'e')));
  const auto act = approve(rig, "enrolment-change", changed.enrolment_digest);
  rig.client = rig.inspector;
  EXPECT_EQ(rig.get("/v1/acts").at({"approvals"}).array().size(), 1U);
  EXPECT_EQ(refused_start(rig, changed), "");
  EXPECT_FALSE(rig.service().enrolled("talla:table-3", std::string(64, 'e')));
  EXPECT_TRUE(rig.get("/v1/acts").at({"approvals"}).array().empty()) << act;
}

TEST(TwoPersons, of_two_approvals_of_a_kind_the_newer_one_counts) {
  Rig rig;
  rig.settings.profile = "production";
  rig.restart();
  Settings older = rig.settings, newer = rig.settings;
  older.config_digest.fill(1);
  newer.config_digest.fill(2);
  approve(rig, "config-change", older.config_digest);
  approve(rig, "config-change", newer.config_digest);
  EXPECT_NE(refused_start(rig, older), "");
  EXPECT_EQ(refused_start(rig, newer), "");
}

TEST(Configuration, FORMAT_6_each_start_records_what_its_rollback_protection_does_not_stop) {
  for (const auto& [protection, limits] : std::vector<std::pair<std::string, std::string>>{
           {"local", R"(["disk-copy"])"},
           {"tpm", R"(["authorisation-holder","unproven-device"])"},
           {"hsm", R"(["pin-holder","token-copy"])"},
           {"witness", R"(["witness-keys"])"}}) {
    Rig rig;
    rig.settings.rollback_protection = protection;
    const std::size_t before = rig.records(Kind::config).size();
    rig.restart();
    const auto configurations = rig.records(Kind::config);
    ASSERT_EQ(configurations.size(), before + 1) << protection;
    const json::Value* told = configurations.back().body.find("rollback_limits");
    ASSERT_NE(told, nullptr) << protection;
    EXPECT_EQ(json::canonical(*told), limits) << protection;
  }
}

}  // namespace
}  // namespace talla::core::test
