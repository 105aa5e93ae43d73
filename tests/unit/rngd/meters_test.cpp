// Goal: a meter that tables share is compared and set by the rounds of them all, whatever their
//   order, over restarts; who may open, see and close it, and on which terms a table feeds it
//   (PROTOCOL section 6; 10.1.A VII of the catalogue it is played with).
// Method: a whole simulated appliance with two tables of Caribbean stud and one carrousel; where a
//   round is to win, a cheat who sees the sealed order looks for a table's number that deals a
//   straight flush; every move of the meter reckoned a second time from the stakes and what came
//   back.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "certs/shoe.hpp"
#include "format/body_table.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string game =
    R"("catalogue":"es-aragon-2010","game":"caribbean-stud","table":{"currency":"EUR","unit":1,"min":10,"params":)";
const std::string terms = R"({"carrousel":true,"deal_mode":"blocks"}})";
constexpr std::int64_t stake = 5;

std::string meter_body(const std::string& more = {}) {
  return R"({"meter":"carrusel",)" + game + terms + more + "}";
}

/// An appliance with an open carrousel.
struct Hall {
  explicit Hall(std::uint64_t resume_interval = 8192) : rig(settings_of(resume_interval)) {
    const auto opened = rig.post_as(rig.operator_, "/v1/meters", meter_body());
    EXPECT_EQ(opened.status, 201) << opened.body;
    meter = opened.text({"meter", "id"});
  }
  static Settings settings_of(std::uint64_t resume_interval) {
    Settings settings;
    settings.resume_interval = resume_interval;
    return settings;
  }
  [[nodiscard]] std::string table_body(const std::string& params = terms,
                                       const std::string& more = {}) const {
    return "{" + game + params + R"(,"meters":{"carrusel":")" + meter + R"("})" + more + "}";
  }
  std::string table() { return rig.open_table(table_body()); }
  std::int64_t value() { return rig.get("/v1/meters/" + meter).number({"meter", "value"}); }

  Rig rig;
  std::string meter;
};

/// A hand with a stake in the carrousel, up to the last cards that are turned.
struct CarrouselHand {
  std::string table, shoe, round;
  std::int64_t position = 0;
};

/// Five cards of one suit in a row.
bool is_straight_flush(const std::array<shuffle::Card, 5>& cards) {
  std::array<int, 5> ranks{};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards.at(i).suit() != cards.front().suit()) return false;
    ranks.at(i) = cards.at(i).rank();
  }
  std::ranges::sort(ranks);
  const bool aces_high = ranks == std::array{1, 10, 11, 12, 13};
  return aces_high || ranks.back() - ranks.front() == 4;
}

/// A number of the table under which the first five cards are a straight flush. No table can know
/// it: it takes the secret of the shoe, which only the generator of this rig gives away.
json::Object winning_core(const certs::OpensslHashes& hashes, const Bytes& given, const Got& made,
                          json::Object core) {
  std::size_t at = 0;
  const auto bits = [&](std::size_t bytes) -> Result<SecretBytes> {
    const auto from = given.begin() + static_cast<std::ptrdiff_t>(at);
    at += bytes;
    return SecretBytes(from, from + static_cast<std::ptrdiff_t>(bytes));
  };
  const auto id = made.text({"shoe", "id"});
  const auto sealed = certs::SealedShoe::make(hashes, id, shuffle::DeckSpec::french(1),
                                              certs::FullEntropyBits(bits));
  if (!sealed || to_hex(sealed->root()) != made.text({"shoe", "root"})) {
    ADD_FAILURE() << "the generator gave other bits to this shoe";
    return {};
  }
  const auto leaves = sealed->cards_count();
  certs::Mix unmixed(leaves);
  std::iota(unmixed.begin(), unmixed.end(), std::uint16_t{0});
  certs::ShoeProgress progress;
  progress.take(unmixed);
  std::vector<shuffle::Card> order;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    const auto dealt = sealed->deal(progress, {.position = leaf, .place = "leaf"});
    order.push_back(*shuffle::Card::parse(dealt->opening->card));
    progress.take(*dealt);
  }
  for (std::uint64_t number = 0;; ++number) {
    core["value"] = to_hex(hashes.sha256({ByteWriter().u64(number).bytes()}));
    const auto call = certs::call_digest(hashes, json::canonical(json::Value(core)));
    const auto mixed = certs::map_mix(hashes, call, {}, {1, leaves});
    std::array<shuffle::Card, 5> hand{};
    for (std::size_t i = 0; i < hand.size(); ++i) hand.at(i) = order.at(mixed->mix.at(i));
    if (is_straight_flush(hand)) return core;
  }
}

Got winning_shoe(Rig& rig, const std::string& table) {
  const auto before = rig.supply.given.size();
  const auto made = rig.post("/v1/tables/" + table + "/shoes");
  EXPECT_EQ(made.status, 201) << made.body;
  const certs::OpensslHashes hashes;
  const Bytes given(rig.supply.given.begin() + static_cast<std::ptrdiff_t>(before),
                    rig.supply.given.end());
  const auto id = made.text({"shoe", "id"});
  return rig.post("/v1/shoes/" + id + "/mix",
                  rig.signed_core(winning_core(hashes, given, made, rig.mix_core(id))));
}

CarrouselHand hand_at(Rig& rig, const std::string& table, bool wins = false) {
  CarrouselHand hand{table, {}, {}, 0};
  const auto view = rig.get("/v1/tables/" + table);
  if (const auto* before = view.at({"table"}).find("shoe")) {
    EXPECT_EQ(rig.post("/v1/shoes/" + before->string() + "/close").status, 200);
  }
  const auto shoe = wins ? winning_shoe(rig, table) : rig.deal_ready_shoe(table);
  hand.shoe = shoe.text({"shoe", "id"});
  hand.round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  const auto closed =
      rig.post("/v1/rounds/" + hand.round + "/close-bets",
               R"({"bets":[{"id":"b1","seat":1,"kind":"apuesta-inicial","stake":10},)"
               R"({"id":"c1","seat":1,"box":1,"kind":"carrusel","stake":5}]})");
  EXPECT_EQ(closed.status, 200) << closed.body;
  const auto dealt =
      rig.post("/v1/shoes/" + hand.shoe + "/deal", R"({"expected":0,"until":"needs"})");
  EXPECT_EQ(dealt.status, 200) << dealt.body;
  hand.position = dealt.number({"shoe", "position"});
  const auto gone = rig.post("/v1/rounds/" + hand.round + "/actions",
                             R"({"seat":1,"do":"voy","expected_state":")" +
                                 dealt.text({"round", "state_digest"}) + R"("})");
  EXPECT_EQ(gone.status, 200) << gone.body;
  return hand;
}
std::string last_cards(const CarrouselHand& hand) {
  return R"({"expected":)" + std::to_string(hand.position) + R"(,"until":"needs"})";
}

std::int64_t returned_of(const json::Value& round, const std::string& bet) {
  for (const auto& result : round.find("results")->array()) {
    if (*result.find("bet") == json::Value(bet)) return result.find("returned")->integer();
  }
  ADD_FAILURE() << bet << " is not settled";
  return -1;
}

/// The METER says what the stakes and the prizes of the round say; the settlement rests on it and
/// is proven.
void expect_moved(Hall& hall, const Got& ended, std::int64_t before) {
  const auto meter = ended.record(Kind::meter);
  const auto body = *certs::MeterBody::from_json(meter.body);
  const auto prize = returned_of(ended.at({"round"}), "c1");
  EXPECT_EQ(meter.object, hall.meter);
  EXPECT_EQ(body.round, ended.text({"round", "id"}));
  EXPECT_EQ(body.before, before);
  EXPECT_EQ(body.contribution, stake);
  EXPECT_EQ(body.award, prize);
  EXPECT_EQ(body.after, before + stake - prize);
  EXPECT_TRUE(prize == 0 || prize == (before + stake) / 10 || prize == before + stake) << prize;
  const auto settled = ended.record(Kind::settlement);
  EXPECT_TRUE(std::ranges::binary_search(settled.cites, meter.seq));
  hall.rig.verify(settled.seq);
}

std::size_t records_of(const json::Value& bundle, Kind kind) {
  std::size_t found = 0;
  for (const auto& one : bundle.find("records")->array()) {
    const auto record = certs::parse_record(one.find("record")->string());
    if (record && record->kind == kind) ++found;
  }
  return found;
}

TEST(SharedMeter, PROTOCOL_6_two_tables_feed_and_win_from_one_carrousel_over_restarts) {
  Hall hall(1);  // a resume point whenever a table is at rest
  auto& rig = hall.rig;
  const std::array tables = {hall.table(), hall.table()};
  std::int64_t value = 0;
  std::int64_t paid = 0;
  for (int number = 0; number < 8; ++number) {
    const auto hand =
        hand_at(rig, tables.at(static_cast<std::size_t>(number / 2 % 2)), number == 3);
    if (number == 3 || number == 6) rig.restart();
    const auto ended = rig.post("/v1/shoes/" + hand.shoe + "/deal", last_cards(hand));
    ASSERT_EQ(ended.status, 200) << ended.body;
    ASSERT_EQ(ended.text({"round", "state"}), "ended");
    expect_moved(hall, ended, value);
    paid += returned_of(ended.at({"round"}), "c1");
    value += stake - returned_of(ended.at({"round"}), "c1");
    EXPECT_EQ(hall.value(), value);
  }
  EXPECT_EQ(value, 8 * stake - paid);
  EXPECT_GT(paid, 0) << "the straight flush was not paid";
  rig.restart();
  EXPECT_EQ(hall.value(), value);
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_meter_value{meter=\"" + hall.meter + "\"}"),
            static_cast<double>(value));
}

TEST(SharedMeter, PROTOCOL_6_two_tables_that_settle_in_one_group_take_one_after_the_other) {
  Hall hall;
  auto& rig = hall.rig;
  const auto one = hand_at(rig, hall.table());
  const auto two = hand_at(rig, hall.table());
  const auto groups = rig.service().metrics().counters.at("talla_groups_total");
  const auto first =
      rig.send(rig.request("POST", "/v1/shoes/" + one.shoe + "/deal", last_cards(one), "one"));
  const auto second =
      rig.send(rig.request("POST", "/v1/shoes/" + two.shoe + "/deal", last_cards(two), "two"));
  rig.service().run_until_idle();
  ASSERT_TRUE(first->has_value() && second->has_value());
  EXPECT_EQ(rig.service().metrics().counters.at("talla_groups_total"), groups + 1);
  const auto got = [](const Reply& reply) {
    Got out;
    out.status = reply.status;
    out.body = reply.body;
    out.json = *json::parse(reply.body);
    return out;
  };
  expect_moved(hall, got(**first), 0);
  expect_moved(hall, got(**second), stake - returned_of(got(**first).at({"round"}), "c1"));
}

TEST(SharedMeter,
     FORMAT_9_a_bundle_holds_the_record_before_and_the_opening_and_no_more_of_other_tables) {
  Hall hall;
  auto& rig = hall.rig;
  const auto table = hall.table();
  const auto other = hall.table();
  Got ended;
  for (const auto& at : {table, other, table, other}) {
    const auto hand = hand_at(rig, at);
    ended = rig.post("/v1/shoes/" + hand.shoe + "/deal", last_cards(hand));
    ASSERT_EQ(ended.status, 200) << ended.body;
  }
  const auto seq = ended.record(Kind::settlement).seq;
  const auto bundle = rig.get("/v1/bundles/" + std::to_string(seq));
  EXPECT_EQ(records_of(bundle.json, Kind::meter), 2U);
  EXPECT_EQ(records_of(bundle.json, Kind::meter_open), 1U);
  EXPECT_EQ(records_of(bundle.json, Kind::table_open), 1U);
  rig.verify(seq);
}

TEST(SharedMeter, is_opened_and_closed_by_operators_and_only_when_no_table_shares_it) {
  Hall hall;
  auto& rig = hall.rig;
  EXPECT_EQ(rig.post("/v1/meters", meter_body()).code(), "forbidden");
  EXPECT_EQ(rig.post("/v1/meters/" + hall.meter + "/close").code(), "forbidden");
  const auto table = hall.table();
  const auto refused = rig.post_as(rig.operator_, "/v1/meters/" + hall.meter + "/close");
  EXPECT_EQ(refused.code(), "meter_in_use");
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/meters",
                        meter_body(R"(,"continues":")" + hall.meter + R"(")"))
                .code(),
            "meter_in_use");
  const auto hand = hand_at(rig, table);
  ASSERT_EQ(rig.post("/v1/shoes/" + hand.shoe + "/deal", last_cards(hand)).status, 200);
  const auto left = hall.value();
  ASSERT_EQ(rig.post("/v1/tables/" + table + "/close").status, 200);
  const auto next = rig.post_as(rig.operator_, "/v1/meters",
                                meter_body(R"(,"continues":")" + hall.meter + R"(")"));
  ASSERT_EQ(next.status, 201) << next.body;
  EXPECT_EQ(next.number({"meter", "value"}), left) << "what was left goes over";
  EXPECT_EQ(next.record(Kind::meter_close).body.find("value")->integer(), left);
  EXPECT_EQ(next.record(Kind::meter_open).cites,
            std::vector<std::uint64_t>{next.record(Kind::meter_close).seq});
  EXPECT_EQ(rig.post("/v1/tables", hall.table_body()).code(), "not_found")
      << "the old one is closed";
  hall.meter = next.text({"meter", "id"});
  rig.restart();
  EXPECT_EQ(hall.value(), left);
  const auto again = hand_at(rig, hall.table());
  expect_moved(hall, rig.post("/v1/shoes/" + again.shoe + "/deal", last_cards(again)), left);
}

TEST(SharedMeter, takes_tables_on_its_own_terms_only) {
  Hall hall;
  auto& rig = hall.rig;
  const auto code = [&](const std::string& body) { return rig.post("/v1/tables", body).code(); };
  EXPECT_EQ(code(hall.table_body(R"({"carrousel":true,"carrousel_stake":"1"}})")),
            "meter_terms_differ");
  EXPECT_EQ(code(hall.table_body(R"({"carrousel":true,"carrousel_contribution":"1/2"}})")),
            "meter_terms_differ");
  EXPECT_EQ(code(hall.table_body(R"({}})")), "table_invalid") << "it offers no carrousel";
  EXPECT_EQ(code("{" + game + R"({"progressive":true}},"meters":{"progresivo":")" + hall.meter +
                 R"("}})"),
            "malformed_request");
  EXPECT_EQ(code("{" + game + terms + R"(,"meters":{"carrusel":"meter-999999"}})"), "not_found");
  EXPECT_EQ(code("{" + game + terms + R"(,"meters":{"carrusel":7}})"), "malformed_request");
  EXPECT_EQ(code("{" + game + R"({"carrousel":true},"shared_meters":["carrusel"]}})"),
            "malformed_request");
  EXPECT_EQ(
      rig.post_as(rig.operator_, "/v1/meters", R"({"meter":"seguro",)" + game + terms + "}").code(),
      "malformed_request");
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/meters", meter_body(R"(,"value":-1)")).code(),
            "malformed_request");
  const auto table = hall.table();
  const auto alone = "{" + game + terms + R"(,"continues":")" + table + R"("})";
  EXPECT_EQ(code(alone), "malformed_request") << "its jackpot would become the table's own";
  EXPECT_EQ(
      rig.post("/v1/tables", hall.table_body(terms, R"(,"continues":")" + table + R"(")")).status,
      201);
}

TEST(SharedMeter, is_seen_by_all_tables_and_its_moves_by_those_whose_rounds_made_them) {
  Hall hall;
  auto& rig = hall.rig;
  const auto table = hall.table();
  const auto hand = hand_at(rig, table);
  const auto ended = rig.post("/v1/shoes/" + hand.shoe + "/deal", last_cards(hand));
  const auto move = "/v1/receipts/" + std::to_string(ended.record(Kind::meter).seq);
  EXPECT_EQ(rig.get(move).status, 200);
  EXPECT_EQ(rig.get("/v1/meters/" + hall.meter).at({"meter", "tables"}),
            json::Value(json::Array{table}));
  const auto seen = [&] {
    const auto events = rig.get("/v1/events?after=-1&limit=1000");
    return std::ranges::any_of(events.at({"events"}).array(), [](const json::Value& event) {
      return *event.find("kind") == json::Value("METER");
    });
  };
  EXPECT_TRUE(seen());
  rig.client = table_client("talla:table-2");
  EXPECT_EQ(rig.get(move).code(), "not_found");
  EXPECT_FALSE(seen());
  const auto other = rig.get("/v1/meters");
  ASSERT_EQ(other.at({"meters"}).array().size(), 1U);
  EXPECT_EQ(*other.at({"meters"}).array().front().find("tables"), json::Value(json::Array{}));
}

}  // namespace
}  // namespace talla::core::test
