// Goal: a shoe with covered cards is shuffled again where the rules ask for it: each root keeps
//   answering for the cards dealt under it, through crashes at any point, nothing of any root is
//   opened, and an auditor can rebuild every order (PROTOCOL sections 4.4 and 4.5).
// Method: a whole simulated appliance plays synthetic poker of Aragon (10.2.B.e V.2.b: a common
//   card turned too early is mixed into the rest); crashes and errors of the deal at random places;
//   orders rebuilt from the sealed secrets by the text of FORMAT.md section 7.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "format/body_shoe.hpp"
#include "format/shoe_format.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"
#include "shuffle/tape.hpp"
#include "verify/covered.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string synthetic =
    R"({"catalogue":"es-aragon-2010","game":"circle-synthetic",)"
    R"("table":{"currency":"EUR","unit":1,"min":20,"params":{"fee_rate":"0"}}})";

/// The key of a table client.
certs::testing::SeatPair hand_pair_of(const Client& client) {
  const auto spki = as_bytes(client.public_key);
  return {table_key_pem(client.id), Bytes(spki.begin(), spki.end()), *digest_from_hex(client.spki)};
}

/// Four players who check, and show their hands; `before` is called before each step with what the
/// step will do.
class Hand {
 public:
  Hand() : pair_(hand_pair_of(rig.client)) { table = rig.open_table(synthetic); }

  /// Plays to the settlement; its seq.
  std::uint64_t play(const std::function<void(const std::string&)>& before) {
    round_.clear();
    for (int steps = 0; steps < 200; ++steps) {
      const auto due = what();
      before(due);
      const auto now = what();
      if (const auto seq = step(now)) return *seq;
    }
    ADD_FAILURE() << "no end: " << rig.get("/v1/tables/" + table).body;
    return 0;
  }

  /// The rules' next step.
  std::string what() {
    std::map<std::string, bool> needs;
    const auto view = rig.get("/v1/tables/" + table);
    for (const auto& need : view.at({"table", "needs"}).array()) {
      const auto name = need.find("need")->string();
      needs[name] = name != "decide" || need.find("required")->boolean();
    }
    if (needs.contains("shuffle")) return unmixed(view) ? "mix" : "shuffle";
    if (needs.contains("shoe")) return "shoe";
    if (round_.empty()) return "round";
    if (needs.contains("deal") || needs.contains("reveal")) return "deal";
    return needs["decide"] ? "decide" : "bets";
  }

  /// A common card is turned while somebody may speak; false when the rules do not take it now.
  bool turn_too_early() {
    const auto state = rig.get("/v1/rounds/" + round_).text({"round", "state_digest"});
    const auto got = rig.post("/v1/rounds/" + round_ + "/misdeal",
                              R"({"expected_state":")" + state + R"(","code":"common-too-early"})");
    EXPECT_LT(got.status, 500) << got.body;
    return got.status == 200;
  }
  /// The section by which a shuffle is due.
  std::string rule() {
    const auto view = rig.get("/v1/tables/" + table);
    return view.at({"table", "needs"}).array().at(0).find("rule")->string();
  }
  void shuffle() {
    const auto got = rig.post("/v1/shoes/" + shoe + "/recommit");
    EXPECT_EQ(got.status, 200) << got.body;
    recommits.push_back(got.record(Kind::shoe_recommit));
    seen += got.body;
  }
  void mix() {
    const auto got = rig.post("/v1/shoes/" + shoe + "/mix", rig.mix_body(shoe));
    EXPECT_EQ(got.status, 200) << got.body;
    values.push_back(got.record(Kind::call).body.find("core")->find("value")->string());
    seen += got.body;
  }
  [[nodiscard]] std::string views() {
    std::string all = rig.get("/v1/tables/" + table).body;
    if (!shoe.empty()) all += rig.get("/v1/shoes/" + shoe).body + copies();
    if (!round_.empty()) all += rig.get("/v1/rounds/" + round_).body;
    return all;
  }
  void restart() {
    const auto before = views();
    rig.restart();
    EXPECT_EQ(views(), before) << "the same after a crash";
  }
  /// The copies of seat 1's first card, dealt under the first root.
  [[nodiscard]] std::string copies() {
    return own_.empty() ? std::string()
                        : rig.get("/v1/shoes/" + shoe + "/cards/" + own_ + "?recommits=0").body;
  }
  /// What the table's key reads of that card.
  [[nodiscard]] certs::CardOpening own_card() {
    const auto got = rig.get("/v1/shoes/" + shoe + "/cards/" + own_ + "?recommits=0");
    const auto& copy = got.at({"card", "copies"}).array().at(0);
    const auto opening = certs::decrypt_opening(
        pair_.pem,
        {.origin = rig_origin,
         .shoe = shoe,
         .position = static_cast<std::uint32_t>(got.number({"card", "position"})),
         .seat = static_cast<std::uint32_t>(copy.find("seat")->integer()),
         .key = pair_.digest},
        *from_base64(copy.find("ciphertext")->string()));
    EXPECT_TRUE(opening.has_value());
    return *opening;
  }

  Rig rig;
  std::string table, shoe;
  std::vector<certs::Record> recommits;
  std::vector<std::string> values;    ///< of the table, as the CALL of each root says it
  std::vector<certs::Record> opened;  ///< CARD_OPENs
  std::string seen;                   ///< all replies

 private:
  static bool unmixed(const Got& view) {
    return view.at({"table"}).find("position")->integer() == 0;
  }

  std::optional<std::uint64_t> step(const std::string& due) {
    if (due == "shuffle") return shuffle(), std::nullopt;
    if (due == "mix") return mix(), std::nullopt;
    if (due == "shoe") return new_shoe(), std::nullopt;
    Got got;
    if (due == "round") {
      got = rig.post("/v1/tables/" + table + "/rounds");
      round_ = got.text({"round", "id"});
    } else if (due == "bets") {
      std::string bets;
      for (int seat = 1; seat <= 4; ++seat) {
        const auto n = std::to_string(seat);
        bets += (seat == 1 ? "" : ",") +
                (R"({"id":"r)" + n + R"(","seat":)" + n + R"(,"kind":"resto","stake":400})");
      }
      got = rig.post("/v1/rounds/" + round_ + "/close-bets", R"({"bets":[)" + bets + "]}");
    } else if (due == "deal") {
      const auto position = rig.get("/v1/shoes/" + shoe).number({"shoe", "position"});
      got = rig.post("/v1/shoes/" + shoe + "/deal",
                     R"({"expected":)" + std::to_string(position) + R"(,"until":"needs"})");
    } else {
      got = decide();
    }
    EXPECT_LT(got.status, 300) << due << ": " << got.body;
    return keep(got);
  }
  Got decide() {
    const auto view = rig.get("/v1/rounds/" + round_);
    for (const auto& need : view.at({"round", "needs"}).array()) {
      if (need.find("need")->string() != "decide" || !need.find("required")->boolean()) continue;
      const bool checks = std::ranges::any_of(
          need.find("choices")->array(),
          [](const json::Value& choice) { return choice.find("do")->string() == "pasar"; });
      return rig.post("/v1/rounds/" + round_ + "/actions",
                      R"({"expected_state":")" + view.text({"round", "state_digest"}) +
                          R"(","seat":)" + std::to_string(need.find("seat")->integer()) +
                          R"(,"do":")" + (checks ? "pasar" : "mostrar") + R"("})");
    }
    ADD_FAILURE() << "nobody decides";
    return {};
  }
  void new_shoe() {
    const auto view = rig.get("/v1/tables/" + table);
    if (const auto* old = view.at({"table"}).find("shoe")) {
      EXPECT_EQ(rig.post("/v1/shoes/" + old->string() + "/close").status, 200);
    }
    const auto got = rig.post("/v1/tables/" + table + "/shoes");
    EXPECT_EQ(got.status, 201) << got.body;
    shoe = got.text({"shoe", "id"});
    own_.clear();
    recommits.clear();
    values.clear();
    opened.clear();
    mix();
  }
  std::optional<std::uint64_t> keep(const Got& got) {
    seen += got.body;
    std::optional<std::uint64_t> settled;
    for (const auto& record : got.records()) {
      if (record.kind == Kind::card_open) opened.push_back(record);
      if (record.kind == Kind::settlement) settled = record.seq;
      if (record.kind == Kind::card_deal && record.body.find("place")->string() == "seat-1-card-1")
        own_ = std::to_string(record.body.find("position")->integer());
    }
    return settled;
  }

  certs::testing::SeatPair pair_;
  std::string round_;
  std::string own_;  ///< position of seat 1's first card
};

/// One root's secret as FORMAT.md section 10 lays it out.
struct RootSecret {
  Digest key{};
  Bytes tape;
};
std::vector<RootSecret> taken_apart(ByteView plain) {
  std::vector<RootSecret> out;
  constexpr std::ptrdiff_t head = 32 + 4;
  while (plain.size() >= head) {
    RootSecret one;
    std::copy_n(plain.begin(), 32, one.key.begin());
    const std::size_t size = load_be32(plain.data() + 32);
    EXPECT_LE(head + size, plain.size());
    if (head + size > plain.size()) break;
    one.tape.assign(plain.begin() + head, plain.begin() + head + static_cast<std::ptrdiff_t>(size));
    out.push_back(std::move(one));
    plain = plain.subspan(head + size);
  }
  EXPECT_TRUE(plain.empty());
  return out;
}

/// What stays sealed when a covered shoe closes.
std::vector<RootSecret> kept_secrets(Rig& rig, const std::string& shoe) {
  const auto sealed = rig.ledger().sealed(shoe);
  EXPECT_EQ(sealed->size(), 1U);
  const auto& one = sealed->front();
  EXPECT_EQ(one.kind, "SHOE_CLOSE");
  const auto plain = rig.sealer().unseal({rig_origin, one.seq, one.kind, one.object}, one.sealed);
  EXPECT_TRUE(plain.has_value());
  return taken_apart(*plain);
}

/// Every order of a shoe from its records and its secrets, each compared with its root; every
/// opened card with its order.
void expect_rebuilt(Rig& rig, const std::string& shoe, const std::vector<RootSecret>& secrets) {
  const certs::OpensslHashes hashes;
  std::vector<std::vector<shuffle::Card>> dealt;  // by root and position
  std::vector<std::size_t> counts;
  std::size_t root = 0;
  std::vector<shuffle::Card> order;
  std::optional<certs::CallBody> called;  // the newest
  const auto take = [&](const certs::ShoeCommitBody& commit, shuffle::SecretCards stock) {
    ASSERT_LT(root, secrets.size());
    auto tape = shuffle::Tape::borrowed(secrets[root].tape);
    const auto cards = shuffle::shuffle_again(tape, std::move(stock));
    ASSERT_TRUE(cards.has_value());
    order.assign(cards->begin(), cards->end());
    Bytes codes;
    for (const auto card : order) codes.push_back(card.code());
    const certs::ShoeKey key(hashes, secrets[root].key, shoe);
    EXPECT_EQ(certs::shoe_tree(hashes, key, shoe, codes).root(hashes), commit.root)
        << "root " << root;
    EXPECT_EQ(key.tape_mac(secrets[root].tape), commit.tape_mac);
  };
  const auto chain = rig.ledger().chain(shoe);
  ASSERT_TRUE(chain.has_value());
  for (const auto& stored : *chain) {
    const auto record = *certs::parse_record(stored.bytes);
    if (record.kind == Kind::shoe_commit) {
      const auto body = *certs::ShoeCommitBody::from_json(record.body);
      const auto deck = shuffle::DeckSpec::parse(body.deck)->cards();
      take(body, {deck.begin(), deck.end()});
    } else if (record.kind == Kind::shoe_recommit) {
      const auto body = *certs::ShoeRecommitBody::from_json(record.body);
      auto& last = dealt.back();
      shuffle::SecretCards stock(last.begin() + static_cast<std::ptrdiff_t>(counts.back()),
                                 last.end());
      for (const auto position : body.returned) stock.push_back(last.at(position));
      for (const auto& older : body.older) {
        for (const auto position : older.positions)
          stock.push_back(dealt.at(older.recommits).at(position));
      }
      ++root;
      take(body.commit, std::move(stock));
    } else if (record.kind == Kind::call) {
      called = *certs::CallBody::from_json(record.body);
    } else if (record.kind == Kind::shoe_mix) {
      const auto body = *certs::ShoeMixBody::from_json(record.body);
      auto& mixed = dealt.emplace_back();
      ASSERT_TRUE(called.has_value());
      EXPECT_EQ(called->core.mix().places, order.size());
      const auto mix = certs::mix_of(hashes, called->core, body);
      ASSERT_TRUE(mix.has_value());
      for (const auto leaf : *mix) mixed.push_back(order[leaf]);
      counts.push_back(0);
    } else if (record.kind == Kind::card_deal) {
      ++counts.back();
    } else if (record.kind == Kind::card_open) {
      const auto body = *certs::CardOpenBody::from_json(record.body);
      EXPECT_EQ(dealt.at(body.recommits.value_or(static_cast<std::uint32_t>(root)))
                    .at(body.position)
                    .text(),
                body.opening.card);
    }
  }
  EXPECT_EQ(secrets.size(), root + 1);
}

TEST(
    Recommit,
    PROTOCOL_4_4_a_covered_shoe_is_shuffled_again_and_the_old_root_opens_the_cards_dealt_under_it) {
  Hand hand;
  bool turned = false;
  certs::CardOpening own;
  std::string rule;
  const auto settled = hand.play([&](const std::string& due) {
    if (due == "decide" && !turned) {
      own = hand.own_card();
      turned = hand.turn_too_early();
      EXPECT_TRUE(turned);
    }
    if (due == "shuffle") rule = hand.rule();
    if (due == "shuffle" || due == "mix") {
      const auto got =
          hand.rig.post("/v1/shoes/" + hand.shoe + "/deal", R"({"expected":0,"until":"needs"})");
      EXPECT_GE(got.status, 400) << "no card before the new mix: " << got.body;
      hand.restart();
    }
    if (due == "decide" && turned) {
      EXPECT_EQ(hand.own_card(), own) << "a copy stays what it is";
    }
  });
  ASSERT_EQ(hand.recommits.size(), 1U);
  const auto again = *certs::ShoeRecommitBody::from_json(hand.recommits.front().body);
  EXPECT_TRUE(again.commit.covered);
  EXPECT_EQ(again.rule, rule) << "the section that the rules name";
  EXPECT_EQ(again.returned.size(), 1U) << "the common card that was turned too early";
  EXPECT_TRUE(again.older.empty());
  EXPECT_EQ(hand.recommits.front().body.find("key"), nullptr);
  std::size_t old = 0;
  std::size_t fresh = 0;
  bool showed = false;
  for (const auto& record : hand.opened) {
    const auto body = *certs::CardOpenBody::from_json(record.body);
    if (record.seq < hand.recommits.front().seq) {
      EXPECT_FALSE(body.recommits.has_value());
      continue;
    }
    ++(body.recommits ? old : fresh);
    if (body.place == "seat-1-card-1") {
      showed = true;
      EXPECT_EQ(body.recommits, 0U);
      EXPECT_EQ(body.opening, own)
          << "what the seat read is what is shown, under the root it was dealt under";
    }
  }
  EXPECT_TRUE(showed) << "everybody checked: all hands are shown";
  EXPECT_GE(old, 8U + 3U) << "own cards, and the common cards laid before the shuffle";
  EXPECT_GE(fresh, 1U) << "the card in the place of the one that was mixed in";
  hand.rig.verify(settled);
  const auto closed = hand.rig.post("/v1/shoes/" + hand.shoe + "/close");
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto close = closed.record(Kind::shoe_close);
  EXPECT_EQ(close.body.object().size(), 2U) << "dealt and reason: nothing of any root";
  hand.rig.verify(close.seq);
  expect_rebuilt(hand.rig, hand.shoe, kept_secrets(hand.rig, hand.shoe));
}

/// One hand with crashes and errors of the deal where the seed says; true when a card two roots old
/// went back.
bool hand_with_crashes(std::uint64_t seed, std::size_t& most) {
  const certs::OpensslHashes hashes;
  std::uint64_t count = 0;
  Hand hand;
  const auto settled = hand.play([&](const std::string& due) {
    const Digest luck = hashes.sha256({ByteWriter().u64(seed).u64(count++).bytes()});
    if (luck[0] < 64) hand.restart();
    if (luck[1] < 20) {  // dies with the step in the running group: nothing of it was acknowledged
      static_cast<void>(
          hand.rig.send(hand.rig.request("POST", "/v1/shoes/" + hand.shoe + "/recommit", "{}")));
      hand.restart();
    }
    if (due == "decide" && luck[2] < 85) hand.turn_too_early();
  });
  hand.rig.verify(settled);
  most = std::max(most, hand.recommits.size());
  const auto closed = hand.rig.post("/v1/shoes/" + hand.shoe + "/close");
  EXPECT_EQ(closed.status, 200) << closed.body;
  hand.rig.verify(closed.record(Kind::shoe_close).seq);
  expect_rebuilt(hand.rig, hand.shoe, kept_secrets(hand.rig, hand.shoe));
  hand.rig.restart();
  EXPECT_TRUE(hand.rig.service().ready().ready);
  return std::ranges::any_of(hand.recommits, [](const auto& record) {
    return !certs::ShoeRecommitBody::from_json(record.body)->older.empty();
  });
}

TEST(Recommit,
     PROTOCOL_4_4_crashes_at_any_point_change_nothing_and_a_hand_may_be_shuffled_more_than_once) {
  const bool long_run = std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  const std::uint64_t hands = long_run ? 100 : 6;
  std::size_t most = 0;
  bool cross = false;
  for (std::uint64_t seed = 0; seed < hands && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    cross = hand_with_crashes(seed, most) || cross;
  }
  EXPECT_GE(most, 2U) << "some hand was shuffled twice";
  EXPECT_TRUE(cross) << "some card went back that was dealt two roots before";
}

TEST(Recommit, PROTOCOL_4_5_no_file_and_no_reply_tells_a_secret_of_any_root_of_a_covered_shoe) {
  Hand hand;
  hand.rig.supply.given.clear();
  int turned = 0;
  static_cast<void>(hand.play([&](const std::string& due) {
    if (due == "decide" && turned < 2) turned += hand.turn_too_early() ? 1 : 0;
    hand.seen += hand.views();
  }));
  ASSERT_EQ(hand.recommits.size(), 2U);
  hand.seen += hand.rig.all_files() + hand.rig.get("/v1/events?after=-1&limit=1000").body;
  hand.seen += hand.rig.post("/v1/shoes/" + hand.shoe + "/close").body + hand.rig.all_files();
  for (std::uint64_t seq = 0; seq < hand.rig.log().size(); ++seq)
    hand.seen += hand.rig.get("/v1/bundles/" + std::to_string(seq)).body;
  std::size_t windows = 0;
  const auto secrets = kept_secrets(hand.rig, hand.shoe);
  ASSERT_EQ(secrets.size(), 3U);
  for (const auto& one : secrets) {
    Bytes secret(one.key.begin(), one.key.end());
    secret.insert(secret.end(), one.tape.begin(), one.tape.end());
    for (std::size_t at = 0; at + 8 <= secret.size(); ++at, ++windows) {
      const ByteView part(secret.data() + at, 8);
      ASSERT_EQ(hand.seen.find(as_text(part)), std::string::npos) << "raw, at " << at;
      ASSERT_EQ(hand.seen.find(to_hex(part)), std::string::npos) << "hex, at " << at;
    }
  }
  EXPECT_GE(windows, 3U * 32U);
  for (const auto& value : hand.values)
    EXPECT_NE(hand.seen.find(value), std::string::npos) << "the same search finds what is public";
}

TEST(Recommit, is_refused_where_the_rules_do_not_ask_for_it_and_a_lost_root_latches) {
  Hand hand;
  bool turned = false;
  std::string root;
  static_cast<void>(hand.play([&](const std::string& due) {
    if (due == "decide" && !turned) {
      EXPECT_EQ(hand.rig.post("/v1/shoes/" + hand.shoe + "/recommit").code(), "wrong_state");
      turned = hand.turn_too_early();
    }
    if (due == "shuffle") root = hand.rig.get("/v1/shoes/" + hand.shoe).text({"shoe", "root"});
    if (due == "mix") {
      EXPECT_EQ(hand.rig.post("/v1/shoes/" + hand.shoe + "/recommit").code(), "shoe_not_mixed");
      auto core = hand.rig.mix_core(hand.shoe);
      core["root"] = root;
      const auto old =
          hand.rig.post("/v1/shoes/" + hand.shoe + "/mix", hand.rig.signed_core(std::move(core)));
      EXPECT_EQ(old.code(), "wrong_root");
    }
  }));
  EXPECT_TRUE(turned);
  const auto path = "/v1/shoes/" + hand.shoe + "/cards/";
  EXPECT_EQ(hand.rig.get(path + "0?recommits=2").code(), "card_not_covered");
  EXPECT_EQ(hand.rig.get(path + "0?recommits=x").code(), "malformed_request");
  hand.rig.crash();
  hand.rig.lose_seals();
  hand.rig.open();
  EXPECT_FALSE(hand.rig.service().ready().ready) << "a live shoe without its roots cannot go on";
}

}  // namespace
}  // namespace talla::core::test
