// Goal: each kind's body has exactly the members of FORMAT.md section 6, and a typed body writes
//       what it reads.
// Method: one valid body per kind; each member left out once, one added, one of another type.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "bodies.hpp"
#include "format/body_release.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/record.hpp"

namespace talla::certs {
namespace {

/// Members that a body may lack.
bool may_lack(Kind kind, const std::string& member) {
  static const std::set<std::pair<Kind, std::string>> optional = {{Kind::access, "by"},
                                                                  {Kind::access, "object"},
                                                                  {Kind::access, "order"},
                                                                  {Kind::call, "order"},
                                                                  {Kind::shoe_close, "candidates"}};
  return optional.contains({kind, member});
}

TEST(Bodies, of_every_kind_are_accepted_with_exactly_their_members) {
  for (const auto& [kind, text] : bodies()) {
    const auto body = json::parse(text);
    ASSERT_TRUE(body) << text;
    const auto whole = check_body(kind, *body);
    EXPECT_TRUE(whole) << kind_name(kind) << ": " << (whole ? "" : whole.error().text());
    for (const auto& [key, member] : body->object()) {
      json::Value less = *body;
      less.object().erase(key);
      EXPECT_EQ(check_body(kind, less).has_value(), may_lack(kind, key))
          << kind_name(kind) << " without " << key;
      json::Value other = *body;
      other[key] = json::Array{json::Array{}};
      EXPECT_FALSE(check_body(kind, other)) << kind_name(kind) << " with another " << key;
    }
    json::Value more = *body;
    more["zz"] = 1;
    EXPECT_FALSE(check_body(kind, more)) << kind_name(kind) << " with another member";
  }
}

TEST(Bodies, a_configuration_says_the_limits_of_one_kind_of_rollback_protection_and_all_of_them) {
  const auto check = [](const std::string& limits) {
    return check_body(Kind::config, *json::parse(R"({"digest":")" + hash +
                                                 R"(","profile":"production","rollback_limits":)" +
                                                 limits + "}"));
  };
  for (const char* good : {R"(["disk-copy"])", R"(["authorisation-holder","unproven-device"])",
                           R"(["pin-holder","token-copy"])", R"(["witness-keys"])"}) {
    EXPECT_TRUE(check(good)) << good;
  }
  for (const char* bad :
       {"[]", R"(["pin-holder"])", R"(["token-copy","pin-holder"])", R"(["none"])",
        R"(["disk-copy","witness-keys"])", R"("disk-copy")", "null"}) {
    EXPECT_FALSE(check(bad)) << bad;
  }
}

TEST(Bodies, kind_names_are_those_of_the_page_both_ways) {
  EXPECT_EQ(kind_name(Kind::void_call), "VOID");
  for (int i = 1; i <= static_cast<int>(Kind::meter_close); ++i) {
    EXPECT_EQ(kind_from_name(kind_name(static_cast<Kind>(i))), static_cast<Kind>(i));
  }
  EXPECT_EQ(kind_from_name("WEATHER"), Kind::unknown);
  EXPECT_EQ(kind_from_name(""), Kind::unknown);
}

TEST(Bodies, members_that_contradict_each_other_are_refused) {
  const auto refused = [](Kind kind, std::string text, const std::string& from,
                          const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return !check_body(kind, *json::parse(text));
  };
  const std::string shoe = "{" + commit_members + "}";
  EXPECT_TRUE(refused(Kind::shoe_commit, shoe, "french52x8", "french52x9"));
  EXPECT_TRUE(refused(Kind::shoe_commit, shoe, "french52x8", "french52x1"));
  EXPECT_TRUE(refused(Kind::shoe_commit, shoe, "table-1", "table-01"));
  EXPECT_TRUE(refused(Kind::shoe_commit, shoe, "\"uncertified\":true", "\"uncertified\":false"));
  const auto raw = [&](const std::string& assessment, const std::string& uncertified) {
    std::string text = shoe;
    const auto put = [&text](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    put(R"("construction":"system")", R"("construction":"rbg3-xor")");
    put(R"({"class":"system","millibits":8000,"model":"getrandom","verdict":"not_tested"})",
        "{" + assessment +
            R"("class":"raw_physical","millibits":4000,"model":"k","verdict":"healthy"})");
    put(R"("uncertified":true)", R"("uncertified":)" + uncertified);
    return check_body(Kind::shoe_commit, *json::parse(text)).has_value();
  };
  const std::string digest = R"("assessment_digest":")" + hash + R"(",)";
  EXPECT_TRUE(raw("", "false")) << "records from before the members";
  EXPECT_TRUE(raw(R"("assessment":"unit",)" + digest, "false"));
  EXPECT_TRUE(raw(R"("assessment":"type",)" + digest, "false"));
  EXPECT_TRUE(raw(R"("assessment":"assumed",)", "true"));
  EXPECT_FALSE(raw(R"("assessment":"assumed",)", "false"))
      << "certified by a figure that is assumed";
  EXPECT_FALSE(raw(R"("assessment":"stated",)", "false"));
  EXPECT_FALSE(raw(R"("assessment":"unit",)", "true")) << "a document without a digest";
  EXPECT_FALSE(raw(R"("assessment":"assumed",)" + digest, "true"));
  EXPECT_FALSE(raw(digest, "true"));
  EXPECT_FALSE(raw(R"("assessment":"best",)", "true"));
  const std::string q = "\"" + hash + "\"";
  const std::string covered = R"({"copies":[{"ciphertext":)" + q + R"(,"key":)" + q +
                              R"(,"seat":2},{"ciphertext":)" + q + R"(,"key":)" + q +
                              R"(,"seat":3}],"face":"covered","place":"p","position":0})";
  EXPECT_TRUE(check_body(Kind::card_deal, *json::parse(covered)));
  EXPECT_TRUE(refused(Kind::card_deal, covered, "\"seat\":3", "\"seat\":2"));
  EXPECT_TRUE(refused(Kind::card_deal, covered, "\"seat\":2", "\"seat\":0"));
  const std::string keys =
      R"({"keys":[{"seat":1,"spki":"AAAA"},{"seat":4,"spki":"AAAA"}],"number":1,"state_before":)" +
      q + R"(,"table":"table-1"})";
  EXPECT_TRUE(check_body(Kind::round_open, *json::parse(keys)));
  EXPECT_TRUE(refused(Kind::round_open, keys, "\"seat\":4", "\"seat\":1"));
  EXPECT_TRUE(refused(Kind::round_open, keys, "AAAA", ""));
  const std::string again =
      "{" + commit_members + R"(,"of":)" + q +
      R"(,"older":[{"positions":[1,5],"recommits":0},{"positions":[2],"recommits":3}],)" +
      R"("positions":416,"returned":[],"rule":"r"})";
  EXPECT_TRUE(check_body(Kind::shoe_recommit, *json::parse(again)));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "\"returned\":[]", "\"returned\":[3,3]"));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "\"returned\":[]", "\"returned\":[6,3]"));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "[1,5]", "[5,1]"));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "[1,5]", "[5,5]"));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "[1,5]", "[]"));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "[2]", "[1024]"));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, "\"recommits\":3", "\"recommits\":0"));
  EXPECT_TRUE(
      refused(Kind::shoe_recommit, again, "\"recommits\":3", "\"recommits\":3,\"rule\":\"r\""));
  EXPECT_TRUE(refused(Kind::shoe_recommit, again, ",\"recommits\":3", ""));
  std::string empty = again;
  empty.replace(empty.find("[{\"positions\":[1,5]"),
                empty.find(",\"positions\":416") - empty.find("[{\"positions\":[1,5]"), "[]");
  EXPECT_FALSE(check_body(Kind::shoe_recommit, *json::parse(empty)))
      << "left out when empty: " << empty;
  const auto written = ShoeRecommitBody::from_json(*json::parse(again));
  ASSERT_TRUE(written);
  EXPECT_EQ(json::canonical(written->to_json()), json::canonical(*json::parse(again)));
  const std::string opened =
      R"({"card":"AS","leaf":3,"path":[],"place":"p","position":0,"recommits":2,"salt":)" + q + "}";
  EXPECT_TRUE(check_body(Kind::card_open, *json::parse(opened)));
  EXPECT_EQ(json::canonical(CardOpenBody::from_json(*json::parse(opened))->to_json()), opened);
  EXPECT_TRUE(refused(Kind::card_open, opened, "\"recommits\":2", "\"recommits\":-1"));
  EXPECT_TRUE(refused(Kind::card_open, opened, "\"recommits\":2", "\"recommits\":\"2\""));
  const std::string shelf = R"({"ciphertext":)" + q +
                            R"(,"compartments":30,"form":"shelf","machine":"urn:m",)" +
                            R"("order_known_to":)" + q + R"(,"reverses":true})";
  ASSERT_TRUE(check_body(Kind::shoe_release, *json::parse(shelf)));
  EXPECT_EQ(json::canonical(ShoeReleaseBody::from_json(*json::parse(shelf))->to_json()), shelf);
  EXPECT_TRUE(refused(Kind::shoe_release, shelf, "\"compartments\":30,", ""));
  EXPECT_TRUE(refused(Kind::shoe_release, shelf, ":30", ":1"));
  EXPECT_TRUE(refused(Kind::shoe_release, shelf, ":30", ":257"));
  EXPECT_TRUE(refused(Kind::shoe_release, shelf, "true", "false"));
  EXPECT_TRUE(refused(Kind::shoe_release, shelf, "shelf", "targets"));
  EXPECT_TRUE(refused(Kind::shoe_release, shelf, "shelf", "order"));
  const std::string report =
      R"({"census":"wrong","key":"AAAA","number":1,"position":5,"recognised":415,)"
      R"("result":"mismatch","seen":)" +
      q + R"(,"signature":")" + std::string(86, 'A') + R"(==","targets":9})";
  ASSERT_TRUE(check_body(Kind::shuffle_report, *json::parse(report)));
  EXPECT_EQ(json::canonical(ShuffleReportBody::from_json(*json::parse(report))->to_json()), report);
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "\"position\":5,", ""));
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "\"census\":\"wrong\",", ""));
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "mismatch", "match"));
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "\"number\":1,", ""));
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "\"number\":1", "\"number\":0"));
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "\"key\":\"AAAA\",", ""));
  EXPECT_TRUE(refused(Kind::shuffle_report, report, "A==", "A="));
  const std::string meter = R"({"after":3,"award":4,"before":5,"contribution":2,"meter":"m"})";
  EXPECT_TRUE(check_body(Kind::meter, *json::parse(meter)));
  EXPECT_TRUE(refused(Kind::meter, meter, "\"award\":4", "\"award\":5"));
  const std::string shared =
      R"({"after":3,"award":4,"before":5,"contribution":2,"meter":"m","round":"round-7"})";
  EXPECT_TRUE(check_body(Kind::meter, *json::parse(shared)));
  EXPECT_TRUE(refused(Kind::meter, shared, "round-7", "round-07"));
  const std::string common =
      R"({"catalogue":)" + q +
      R"(,"continues":"meter-3","currency":"EUR","game":"g","meter":"m","terms":{},"unit":"1",)" +
      R"("value":0,"variant":""})";
  EXPECT_TRUE(check_body(Kind::meter_open, *json::parse(common)));
  EXPECT_TRUE(refused(Kind::meter_open, common, "meter-3", "table-3"));
  EXPECT_TRUE(refused(Kind::meter_open, common, "\"unit\":\"1\"", "\"unit\":\"2/2\""));
  const std::string sharing =
      R"({"catalogue":)" + q +
      R"(,"chain":["AAAA"],"chip":5,"currency":"EUR","early_closes":0,"game":"g","key":"AAAA",)" +
      R"("max":0,"meters":{"m":"meter-3"},"min":25,"opened":1,"parameters":{},"place":"Mesa 7",)" +
      R"("policy":{"candidates":1,"max_voids":1,"mix":"shoe","open_within":60,"required":[]},)" +
      R"("rounding":"down",)" +
      R"("settled_by":"appliance","turns":0,"unit":"1","variant":"","voids":0})";
  EXPECT_TRUE(check_body(Kind::table_open, *json::parse(sharing)));
  EXPECT_TRUE(refused(Kind::table_open, sharing, "{\"m\":\"meter-3\"}", "{}"));
  const std::string required = R"("required":[])";
  EXPECT_FALSE(refused(Kind::table_open, sharing, required, R"("required":["AAAA","AAAB"])"));
  EXPECT_TRUE(refused(Kind::table_open, sharing, required, R"("required":["AAAB","AAAA"])"));
  EXPECT_TRUE(refused(Kind::table_open, sharing, required, R"("required":["AAAA","AAAA"])"));
  EXPECT_TRUE(refused(Kind::table_open, sharing, required, R"("required":[""])"));
  EXPECT_TRUE(refused(Kind::table_open, sharing, "\"turns\":0", "\"turns\":1"))
      << "nothing happened before the first opening";
  EXPECT_TRUE(refused(Kind::table_open, sharing, "Mesa 7", ""));
  EXPECT_TRUE(refused(Kind::table_open, sharing, "Mesa 7", std::string(65, 'm')));
  EXPECT_TRUE(refused(Kind::table_open, sharing, "meter-3", "shoe-3"));
  EXPECT_TRUE(refused(Kind::table_open, sharing, "\"appliance\"", "\"client\""));
  const std::string action =
      R"({"cause":"time_out","do":"","seat":1,"state_before":")" + hash + "\"}";
  EXPECT_TRUE(check_body(Kind::action, *json::parse(action)));
  EXPECT_TRUE(refused(Kind::action, action, "\"do\":\"\"", "\"do\":\"stand\""));
}

}  // namespace
}  // namespace talla::certs
