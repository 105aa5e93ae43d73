// Goal: a covered card is known to the seat it is for, when it was dealt, and to nobody else before
//   it is opened (PROTOCOL section 4.3); a shoe that the stop card ends settles its round.
// Method: a whole simulated appliance; copies are decrypted with Botan and compared with the card
//   opened later; every file and every reply is searched for the opening before that.
#include "verify/covered.hpp"

#include <gtest/gtest.h>

#include <set>

#include "rig.hpp"
#include "seat_pair.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;
using certs::testing::seat_pair;
using certs::testing::SeatPair;

Client client_of(const SeatPair& pair, std::string id, RoleSet roles) {
  return {std::move(id), to_hex(pair.digest), roles,
          std::string(pair.spki.begin(), pair.spki.end())};
}

/// The key of a table client.
SeatPair pair_of(const Client& client) {
  const auto spki = as_bytes(client.public_key);
  return {table_key_pem(client.id), Bytes(spki.begin(), spki.end()), *digest_from_hex(client.spki)};
}

/// A shoe of a client-settled table of the rig's client, mixed.
struct MixedShoe {
  std::string table, id, root;
  certs::Mix mix;
};
MixedShoe mix_shoe(Rig& rig, const std::string& wish = "{}") {
  MixedShoe shoe;
  shoe.table = rig.open_table(shoe_table);
  const auto made = rig.post("/v1/tables/" + shoe.table + "/shoes", wish);
  EXPECT_EQ(made.status, 201) << made.body;
  shoe.id = made.text({"shoe", "id"});
  shoe.root = made.text({"shoe", "root"});
  const auto mixed = rig.post("/v1/shoes/" + shoe.id + "/mix", rig.mix_body(shoe.id));
  shoe.mix = mix_in(mixed);
  return shoe;
}
Got deal_covered(Rig& rig, const MixedShoe& shoe, int position, const std::string& seat) {
  return rig.post("/v1/shoes/" + shoe.id + "/deal",
                  R"({"expected":)" + std::to_string(position) +
                      R"(,"until":1,"place":"hand","face":"covered")" + seat + "}");
}
std::string card_path(const MixedShoe& shoe, int position) {
  return "/v1/shoes/" + shoe.id + "/cards/" + std::to_string(position);
}

/// What the seat's key makes of the copy in the reply, checked against the commitment.
certs::CardOpening look(const SeatPair& pair, const MixedShoe& shoe, std::uint32_t position,
                        const Got& got) {
  const auto& copy = got.at({"card", "copies"}).array().at(0);
  const auto ciphertext = from_base64(copy.find("ciphertext")->string());
  EXPECT_TRUE(ciphertext.has_value());
  const auto opening =
      certs::decrypt_opening(pair.pem,
                             {.origin = rig_origin,
                              .shoe = shoe.id,
                              .position = position,
                              .seat = static_cast<std::uint32_t>(copy.find("seat")->integer()),
                              .key = pair.digest},
                             *ciphertext);
  EXPECT_TRUE(opening.has_value()) << opening.error().text();
  const auto checked = certs::check_covered_opening(
      {.shoe = shoe.id, .mix = shoe.mix, .position = position, .root = *digest_from_hex(shoe.root)},
      *opening);
  EXPECT_TRUE(checked.has_value());
  return *opening;
}

TEST(CoveredCards, every_copy_has_an_ephemeral_key_of_its_own_at_whatever_table_shoe_and_place) {
  Rig rig;
  rig.client = table_client("talla:table-1");
  constexpr std::size_t point_size = 65;  // of the key that the sender made, in front of each copy
  std::set<Bytes> ephemeral;
  std::size_t copies = 0;
  for (int tables = 0; tables < 3; ++tables) {
    const auto shoe = mix_shoe(rig);
    for (int position = 0; position < 4; ++position) {
      ASSERT_EQ(deal_covered(rig, shoe, position, R"(,"seat":3)").status, 200);
      const auto got = rig.get(card_path(shoe, position));
      const auto text = got.at({"card", "copies"}).array().at(0).find("ciphertext")->string();
      auto ciphertext = from_base64(text);
      ASSERT_TRUE(ciphertext.has_value());
      ASSERT_GT(ciphertext->size(), point_size);
      ciphertext->resize(point_size);
      ephemeral.insert(std::move(*ciphertext));
      ++copies;
    }
  }
  EXPECT_EQ(ephemeral.size(), copies) << "a one-time key was used twice";
}

TEST(CoveredCards,
     are_read_with_the_tables_own_key_when_no_other_is_named_and_open_as_what_was_read) {
  Rig rig;
  const auto pair = pair_of(rig.client);
  const auto shoe = mix_shoe(rig);
  const auto dealt = deal_covered(rig, shoe, 0, R"(,"seat":3)");
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  EXPECT_EQ(dealt.at({"cards"}).array().at(0).find("card"), nullptr);
  const auto& logged = dealt.record(Kind::card_deal).body;
  EXPECT_EQ(logged.find("copies")->array().at(0).find("key")->string(), to_hex(pair.digest));
  const auto first = rig.get(card_path(shoe, 0));
  const auto opening = look(pair, shoe, 0, first);
  rig.restart();
  EXPECT_EQ(look(pair, shoe, 0, rig.get(card_path(shoe, 0))), opening)
      << "the copy is read again after a crash";
  const auto owner = rig.client;
  rig.client = client_of(pair, "talla:seat-1", {Role::seat});
  EXPECT_EQ(look(pair, shoe, 0, rig.get(card_path(shoe, 0))), opening)
      << "no round is open: the key alone counts";
  EXPECT_EQ(rig.get("/v1/shoes/" + shoe.id).code(), "not_found") << "the card, nothing else";
  rig.client = owner;

  const auto opened = rig.post("/v1/shoes/" + shoe.id + "/open", R"({"position":0})");
  ASSERT_EQ(opened.status, 200) << opened.body;
  const auto& body = opened.record(Kind::card_open).body;
  EXPECT_EQ(body.find("card")->string(), opening.card);
  EXPECT_EQ(body.find("salt")->string(), to_hex(opening.salt));
  EXPECT_EQ(rig.post("/v1/shoes/" + shoe.id + "/open", R"({"position":0})").code(),
            "card_not_covered");
  rig.verify(opened.record(Kind::card_open).seq);
  const auto closed = rig.post("/v1/shoes/" + shoe.id + "/close");
  rig.verify(closed.record(Kind::shoe_close).seq);
  EXPECT_EQ(rig.get(card_path(shoe, 0)).code(), "not_found") << "the copies end with the shoe";
  EXPECT_TRUE(rig.ledger().sealed(shoe.id)->empty());
}

TEST(CoveredCards, are_given_to_nobody_else_and_are_in_no_file_and_no_reply_before_they_open) {
  Rig rig;
  const auto pair = pair_of(rig.client);
  const auto owner = rig.client;
  const auto shoe = mix_shoe(rig);
  std::string seen = deal_covered(rig, shoe, 0, R"(,"seat":3)").body;
  const auto nobody = deal_covered(rig, shoe, 1, "");
  EXPECT_TRUE(nobody.record(Kind::card_deal).body.find("copies")->array().empty());
  EXPECT_EQ(rig.get(card_path(shoe, 1)).code(), "forbidden") << "a card for no seat is for no key";
  EXPECT_EQ(rig.get(card_path(shoe, 2)).code(), "card_not_covered");
  const auto other = seat_pair();
  for (const auto& [id, roles, code] : std::vector<std::tuple<std::string, RoleSet, std::string>>{
           {"talla:table-2", {Role::table}, "not_found"},
           {"talla:seat-1", {Role::seat}, "not_found"},
           {"talla:auditor-1", {Role::auditor}, "forbidden"},
           {"talla:operator-1", {Role::operator_}, "forbidden"}}) {
    rig.client = client_of(other, id, roles);
    EXPECT_EQ(rig.get(card_path(shoe, 0)).code(), code) << id;
    seen +=
        rig.get("/v1/events?after=-1&limit=1000").body + rig.get("/v1/tables/" + shoe.table).body;
  }
  rig.client = owner;
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    seen += rig.get("/v1/receipts/" + std::to_string(seq)).body +
            rig.get("/v1/bundles/" + std::to_string(seq)).body;
  }
  seen += rig.get("/v1/shoes/" + shoe.id).body + rig.get("/metrics").body;
  const auto copy = rig.get(card_path(shoe, 0));
  const auto opening = look(pair, shoe, 0, copy);
  seen += copy.body + rig.all_files();
  const auto salt = to_hex(opening.salt);
  const auto raw = std::string(opening.salt.begin(), opening.salt.end());
  EXPECT_EQ(seen.find(salt), std::string::npos);
  EXPECT_EQ(seen.find(raw), std::string::npos);
  EXPECT_EQ(seen.find(to_base64(opening.salt).substr(0, 40)), std::string::npos);
  EXPECT_EQ(
      rig.all_files().find(copy.at({"card", "copies"}).array().at(0).find("ciphertext")->string()),
      std::string::npos)
      << "the copies lie sealed";
  const auto opened = rig.post("/v1/shoes/" + shoe.id + "/open", R"({"position":0})");
  EXPECT_NE(opened.body.find(salt), std::string::npos) << "the same search finds what is open";
  EXPECT_NE(rig.all_files().find(salt), std::string::npos);
}

TEST(CoveredCards, of_a_covered_shoe_that_nobody_opened_stay_private_after_its_close) {
  Rig rig;
  rig.client = table_client("talla:table-1");
  const auto shoe = mix_shoe(rig, R"({"disclosure":"covered"})");
  deal_covered(rig, shoe, 0, R"(,"seat":1)");
  deal_covered(rig, shoe, 1, R"(,"seat":2)");
  rig.post("/v1/shoes/" + shoe.id + "/open", R"({"position":1})");
  const auto closed = rig.post("/v1/shoes/" + shoe.id + "/close");
  const auto record = closed.record(Kind::shoe_close);
  EXPECT_EQ(record.body.find("key"), nullptr);
  EXPECT_EQ(record.body.find("tape"), nullptr);
  rig.verify(record.seq);
  const auto kept = rig.ledger().sealed(shoe.id);
  ASSERT_EQ(kept->size(), 1U) << "what the auditor needs stays sealed, the copies do not";
  EXPECT_EQ(kept->front().kind, "SHOE_CLOSE");
  rig.restart();
  EXPECT_TRUE(rig.service().ready().ready);
}

TEST(Seats, see_and_act_in_the_rounds_that_name_their_key_only) {
  Rig rig;
  const auto one = seat_pair();
  const auto two = seat_pair();
  rig.settings.clients = {{"talla:seat-1", to_hex(one.digest), {"seat"}},
                          {"talla:table-9", to_hex(two.digest), {"table"}}};
  rig.restart();
  const auto owner = rig.client;
  const auto table = rig.open_table(punto_table);
  rig.deal_ready_shoe(table);
  const auto keys = [](const SeatPair& pair) {
    return R"({"keys":[{"seat":4,"spki":")" + to_base64(pair.spki) + R"("}]})";
  };
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/rounds", keys(two)).code(), "no_seat_key")
      << "enrolled, but no seat";
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/rounds", keys(seat_pair())).code(), "no_seat_key");
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/rounds", keys(seat_pair("P-384"))).code(),
            "no_seat_key");
  const auto opened = rig.post("/v1/tables/" + table + "/rounds", keys(one));
  ASSERT_EQ(opened.status, 201) << opened.body;
  const auto round = opened.text({"round", "id"});
  const auto state = opened.text({"round", "state_digest"});
  const auto act = [&](int seat) {
    return rig.post("/v1/rounds/" + round + "/actions", R"({"expected_state":")" + state +
                                                            R"(","seat":)" + std::to_string(seat) +
                                                            R"(,"do":"stand"})");
  };
  rig.client = client_of(one, "talla:seat-1", {Role::seat});
  EXPECT_EQ(rig.get("/v1/rounds/" + round).status, 200);
  EXPECT_EQ(rig.get("/v1/tables/" + table).status, 200);
  EXPECT_EQ(act(4).code(), "action_unknown") << "the rules answer for the own seat";
  const auto other = act(5);
  EXPECT_EQ(other.status, 403);
  EXPECT_EQ(other.code(), "not_your_seat") << "no other seat's decision";
  EXPECT_EQ(other.text({"detail"}), "seat 5 is not yours, which is 4");
  EXPECT_EQ(rig.post("/v1/rounds/" + round + "/close-bets").code(), "forbidden");
  rig.client = client_of(two, "talla:seat-2", {Role::seat});
  EXPECT_EQ(rig.get("/v1/rounds/" + round).code(), "not_found");
  EXPECT_EQ(rig.get("/v1/tables/" + table).code(), "not_found");
  EXPECT_EQ(act(4).code(), "not_found");
  rig.client = owner;
  EXPECT_EQ(act(5).code(), "action_unknown") << "the table acts for every seat";
}

/// One coup of punto y banca; the reply of the deal that settled it.
Got coup(Rig& rig, const std::string& table, const std::string& shoe, std::int64_t& position) {
  const auto opened = rig.post("/v1/tables/" + table + "/rounds");
  EXPECT_EQ(opened.status, 201) << opened.body;
  const auto round = opened.text({"round", "id"});
  const auto closed = rig.post("/v1/rounds/" + round + "/close-bets",
                               R"({"bets":[{"id":"a","seat":1,"kind":"punto","stake":100}]})");
  EXPECT_EQ(closed.status, 200) << closed.body;
  auto dealt = rig.post("/v1/shoes/" + shoe + "/deal",
                        R"({"expected":)" + std::to_string(position) + R"(,"until":"needs"})");
  EXPECT_EQ(dealt.status, 200) << dealt.body;
  position = dealt.number({"shoe", "position"});
  return dealt;
}

TEST(StopCard, that_comes_first_ends_the_shoe_in_its_round_and_the_bets_are_void) {
  Rig rig;
  const auto table = rig.open_table(punto_table);
  for (int tries = 0; tries < 60; ++tries) {
    const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
    std::int64_t position = 0;
    for (bool over = false; !over;) {
      const auto dealt = coup(rig, table, shoe, position);
      const auto state = dealt.text({"shoe", "state"});
      over = state == "closed" || state == "last_round";
      if (state != "closed") continue;
      const auto close = dealt.record(Kind::shoe_close);
      EXPECT_EQ(close.body.find("reason")->string(), "stop_card");
      EXPECT_EQ(close.body.find("dealt")->integer(), 416 - 7);
      EXPECT_EQ(dealt.at({"round", "results"}).array().at(0).find("result")->string(), "void");
      EXPECT_EQ(dealt.text({"round", "state"}), "ended");
      rig.verify(dealt.record(Kind::settlement).seq);
      rig.verify(close.seq);
      rig.restart();
      rig.deal_ready_shoe(table);
      return;
    }
    EXPECT_EQ(rig.post("/v1/shoes/" + shoe + "/close").status, 200);
  }
  FAIL() << "no shoe of sixty ended so";
}

TEST(Misdeal, needs_a_code_of_the_catalogue) {
  Rig rig;
  const auto table = rig.open_table(punto_table);
  rig.deal_ready_shoe(table);
  const auto opened = rig.post("/v1/tables/" + table + "/rounds");
  const auto path = "/v1/rounds/" + opened.text({"round", "id"}) + "/misdeal";
  const auto size = rig.log().size();
  const auto state = opened.text({"round", "state_digest"});
  EXPECT_EQ(rig.post(path, R"({"expected_state":")" + state + R"(","code":"weather"})").code(),
            "misdeal_unknown");
  EXPECT_EQ(
      rig.post(path, R"({"expected_state":")" + std::string(64, '0') + R"(","code":"weather"})")
          .code(),
      "wrong_state");
  EXPECT_EQ(rig.log().size(), size);
}

}  // namespace
}  // namespace talla::core::test
