// Goal: one description of a body gives reader, checker, both writers and the page, and they agree.
// Method: each kind's body is read, written both ways and looked up in its table; refusals name
//         kind, member and what would be right; a bound is one for reader, writer and words.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "bodies.hpp"
#include "format/body_answer.hpp"
#include "format/body_end.hpp"
#include "format/body_machine.hpp"
#include "format/body_release.hpp"
#include "format/body_table.hpp"
#include "format/bounds.hpp"
#include "format/compose.hpp"
#include "format/described.hpp"

namespace talla::certs {
namespace {

/// Empty when the body comes back byte for byte, by way of JSON and by the fast writer.
template <class Body>
std::string lost(const json::Value& body) {
  const auto typed = Body::from_json(body);
  if (!typed) return typed.error().text();
  const std::string text = json::canonical(body);
  if (json::canonical(typed->to_json()) != text) return "to_json gives another text";
  const auto composed = compose(*typed);
  if (!composed) return composed.error().text();
  return composed->text() == text ? "" : "compose gives " + composed->text();
}

using Lost = std::string (*)(const json::Value&);
struct TypedKind {
  Kind kind;
  Lost lost;
};
constexpr auto typed_kinds =
    std::to_array<TypedKind>({{Kind::power, lost<PowerBody>},
                              {Kind::software, lost<SoftwareBody>},
                              {Kind::config, lost<ConfigBody>},
                              {Kind::key, lost<KeyBody>},
                              {Kind::selftest, lost<SelftestBody>},
                              {Kind::health, lost<HealthBody>},
                              {Kind::reseed, lost<ReseedBody>},
                              {Kind::access, lost<AccessBody>},
                              {Kind::answer, lost<AnswerBody>},
                              {Kind::table_open, lost<TableOpenBody>},
                              {Kind::table_close, lost<TableCloseBody>},
                              {Kind::round_open, lost<RoundOpenBody>},
                              {Kind::bets_closed, lost<BetsClosedBody>},
                              {Kind::action, lost<ActionBody>},
                              {Kind::misdeal, lost<MisdealBody>},
                              {Kind::hand_confirmed, lost<HandConfirmedBody>},
                              {Kind::settlement, lost<SettlementBody>},
                              {Kind::round_end, lost<RoundEndBody>},
                              {Kind::meter, lost<MeterBody>},
                              {Kind::meter_open, lost<MeterOpenBody>},
                              {Kind::meter_close, lost<MeterCloseBody>},
                              {Kind::shoe_commit, lost<ShoeCommitBody>},
                              {Kind::shoe_mix, lost<ShoeMixBody>},
                              {Kind::card_deal, lost<CardDealBody>},
                              {Kind::card_open, lost<CardOpenBody>},
                              {Kind::shoe_recommit, lost<ShoeRecommitBody>},
                              {Kind::shoe_release, lost<ShoeReleaseBody>},
                              {Kind::shuffle_report, lost<ShuffleReportBody>},
                              {Kind::shoe_close, lost<ShoeCloseBody>},
                              {Kind::batch_commit, lost<BatchCommitBody>},
                              {Kind::call, lost<CallBody>},
                              {Kind::draw, lost<DrawBody>},
                              {Kind::void_call, lost<VoidBody>},
                              {Kind::batch_close, lost<BatchCloseBody>}});

json::Value body_of(Kind kind) {
  for (const BodyCase& one : bodies())
    if (one.kind == kind) return *json::parse(one.body);
  ADD_FAILURE() << "no body of " << kind_name(kind);
  return {};
}

TEST(Descriptions, every_body_comes_back_by_both_writers) {
  for (const BodyCase& one : bodies()) {
    const auto* typed = std::ranges::find(typed_kinds, one.kind, &TypedKind::kind);
    ASSERT_NE(typed, std::end(typed_kinds)) << kind_name(one.kind);
    EXPECT_EQ(typed->lost(*json::parse(one.body)), "") << one.body;
  }
}

TEST(Descriptions, there_is_one_table_for_each_kind_and_it_has_every_member) {
  const auto tables = member_tables();
  ASSERT_EQ(tables.size(), std::size(typed_kinds) + 1);
  EXPECT_EQ(tables.back().name, "context");
  for (const TypedKind& typed : typed_kinds) {
    const auto table = std::ranges::find(tables, kind_name(typed.kind), &MemberTable::name);
    ASSERT_NE(table, tables.end()) << kind_name(typed.kind);
    EXPECT_EQ(table->object, kind_object(typed.kind));
    EXPECT_EQ(table->opens, kind_opens(typed.kind));
    for (const BodyCase& one : bodies()) {
      if (one.kind != typed.kind) continue;
      const auto body = json::parse(one.body);
      for (const auto& [name, value] : body->object())
        EXPECT_NE(std::ranges::find(table->members, name, &MemberText::name), table->members.end())
            << table->name << "." << name;
      for (const MemberText& member : table->members) {
        const bool inner = member.name.find_first_of(".[") != std::string::npos;
        EXPECT_TRUE(inner || !member.presence.empty() || body->object().contains(member.name))
            << table->name << "." << member.name << " is always there";
        EXPECT_FALSE(member.type.empty() || member.meaning.empty())
            << table->name << "." << member.name;
      }
    }
  }
}

TEST(Descriptions, the_page_has_each_table_once_and_no_cell_that_breaks_it) {
  const std::string page = member_tables_page();
  for (const MemberTable& table : member_tables()) {
    const std::string heading = "#### " + table.name + "\n";
    const auto at = page.find(heading);
    ASSERT_NE(at, std::string::npos) << table.name;
    EXPECT_EQ(page.find(heading, at + 1), std::string::npos) << table.name;
  }
  std::size_t begin = 0;
  while (begin < page.size()) {
    const auto end = page.find('\n', begin);
    const std::string line = page.substr(begin, end - begin);
    if (line.starts_with('|')) {
      EXPECT_EQ(std::ranges::count(line, '|'), 4) << line;
    }
    begin = end + 1;
  }
}

struct Lie {
  Kind kind;
  std::string member;
  std::string value;  ///< JSON; empty: left out
  std::string said;
};

TEST(Descriptions, a_refusal_names_kind_member_and_what_would_be_right) {
  const std::vector<Lie> lies = {
      {Kind::shoe_mix, "call", "-1", "SHOE_MIX.call: integer, from 0 is expected"},
      {Kind::shoe_mix, "call", "", "SHOE_MIX.call: is missing"},
      {Kind::call, "signature", "\"AAAA\"", "CALL.signature: base64, 64 bytes is expected"},
      {Kind::shoe_mix, "zz", "1", "SHOE_MIX.zz: is no member of it"},
      {Kind::batch_commit, "count", "257", "BATCH_COMMIT.count: integer, 1 to 256 is expected"},
      {Kind::batch_commit, "table", "\"table-01\"",
       "BATCH_COMMIT.table: id of a table is expected"},
      {Kind::draw, "index", "256", "DRAW.index: integer, 0 to 255 is expected"},
      {Kind::power, "event", "\"stop\"", "POWER.clean: stands only with `event` `start`"},
      {Kind::power, "event", "\"pause\"", "POWER.event: `start` or `stop` is expected"},
      {Kind::bets_closed, "bets", R"([{"id":"b","kind":"k","seat":1,"stake":-5}])",
       "BETS_CLOSED.bets[].stake: integer, from 0 is expected"},
      {Kind::shoe_commit, "stop_depth", "417", "SHOE_COMMIT.stop_depth: is at most `cards`"},
      {Kind::shoe_recommit, "positions", "9", "SHOE_RECOMMIT.positions: m, equal to `cards`"},
      {Kind::meter, "after", "4", "METER.after: is `before` + `contribution` - `award`"},
      {Kind::card_deal, "card", "\"1S\"", "CARD_DEAL.card: card code, section 7 is expected"},
  };
  for (const Lie& lie : lies) {
    json::Value body = body_of(lie.kind);
    if (lie.value.empty()) {
      body.object().erase(lie.member);
    } else {
      body[lie.member] = *json::parse(lie.value);
    }
    const auto checked = check_body(lie.kind, body);
    ASSERT_FALSE(checked) << lie.said;
    EXPECT_EQ(checked.error().detail, lie.said);
  }
}

TEST(Descriptions, a_contexts_refusal_has_its_own_code_and_the_whole_path) {
  json::Value body = body_of(Kind::batch_commit);
  body["context"]["sources"].array().front()["verdict"] = "good";
  const auto checked = check_body(Kind::batch_commit, body);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, "malformed_context");
  EXPECT_EQ(checked.error().detail,
            "BATCH_COMMIT.context.sources[].verdict: `healthy`, `startup`, `alarm` or "
            "`not_tested` is expected");
}

TEST(Descriptions, a_length_is_one_for_reader_writer_and_page) {
  const auto fits = [](std::size_t length) {
    TableCloseBody close;
    close.place = std::string(length, 'M');
    const bool composed = compose(close).has_value();
    EXPECT_EQ(composed, check_body(Kind::table_close, close.to_json()).has_value()) << length;
    return composed;
  };
  const auto least = static_cast<std::size_t>(place_name_length.min);
  const auto most = static_cast<std::size_t>(place_name_length.max);
  EXPECT_FALSE(fits(least - 1));
  EXPECT_TRUE(fits(least));
  EXPECT_TRUE(fits(most));
  EXPECT_FALSE(fits(most + 1));
  EXPECT_EQ(bounds_text(place_name_length), "1 to 64") << "FORMAT.md, section 2";
}

TEST(Descriptions, a_secret_of_the_log_before_is_opened_in_exactly_one_way) {
  KeyBody body;
  body.purpose = KeyPurpose::predecessor;
  body.origin = "casino.example/talla-1";
  body.object = "shoe-3";
  EXPECT_FALSE(compose(body)) << "opened, and nothing is";
  body.root = OpenedRoot{};
  EXPECT_TRUE(compose(body));
  body.close = BatchCloseBody{};
  EXPECT_FALSE(compose(body)) << "two ways";
  EXPECT_FALSE(check_body(Kind::key, body.to_json()));
  body.close.reset();
  body.result = SecretFate::kept;
  EXPECT_FALSE(compose(body)) << "kept, and opened";
  body.root.reset();
  EXPECT_TRUE(compose(body));
}

}  // namespace
}  // namespace talla::certs
