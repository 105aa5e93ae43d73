// Goal: the order of a shoe goes out once, to one enrolled machine, which alone can read it; what
//   the machine reports decides whether the shoe is played (PROTOCOL section 4, SHOE_RELEASE).
// Method: a whole simulated appliance and machines that decrypt with Botan; crashes in between;
//   every file and every reply is searched for the order; bundles are verified offline.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "machine.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shuffler.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string one_deck = R"({"settled_by":"client","deck":"french52x1"})";

std::vector<certs::Record> chain(Rig& rig, const std::string& object) {
  std::vector<certs::Record> all;
  const auto chain = *rig.ledger().chain(object);
  for (const auto& one : chain) all.push_back(*certs::parse_record(one.bytes));
  return all;
}

struct Play {
  explicit Play(const std::string& table_body = one_deck, const std::string& shoe_body = "{}") {
    rig.settings.clients.push_back(machine.enrolment());
    rig.settings.clients.push_back(other.enrolment());
    rig.restart();
    table = rig.open_table(table_body);
    const auto made = rig.post("/v1/tables/" + table + "/shoes", shoe_body);
    EXPECT_EQ(made.status, 201) << made.body;
    shoe = made.text({"shoe", "id"});
    root = made.text({"shoe", "root"});
  }
  Got mix() { return rig.post("/v1/shoes/" + shoe + "/mix", rig.mix_body(shoe)); }
  Got release(const std::string& more = {}, const std::string& key = {}) {
    return rig.post("/v1/shoes/" + shoe + "/release", machine.wish(more), key);
  }
  /// Mixed, released, read.
  void give(const std::string& more = {}) {
    EXPECT_EQ(mix().status, 200);
    const auto got = release(more);
    ASSERT_EQ(got.status, 200) << got.body;
    machine.read(machine.get(rig, shoe));
  }
  /// Signed by the machine; under a key that served before the bytes of then.
  Got report(const std::string& body, const std::string& key = {},
             std::optional<std::uint32_t> targets = {}) {
    auto& text = sent[key];
    if (key.empty() || text.empty()) text = machine.signed_report(body, targets);
    auto got = send(text, key);
    if (got.status == 200) machine.number = got.number({"report", "number"}) + 1;
    return got;
  }
  Got send(const std::string& body, const std::string& key = {}) {
    return rig.post_as(machine.client, "/v1/shoes/" + shoe + "/report", body, key);
  }
  Got target(std::uint32_t target, const std::string& seen = {}) {
    return rig.post_as(machine.client, "/v1/shoes/" + shoe + "/targets",
                       R"({"target":)" + std::to_string(target) +
                           (seen.empty() ? "" : R"(,"seen":")" + seen + "\"") + "}");
  }
  Got deal(std::size_t from, std::size_t count) {
    return rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":)" + std::to_string(from) +
                                                       R"(,"until":)" + std::to_string(count) +
                                                       R"(,"place":"t","face":"open"})");
  }
  std::uint64_t close() {
    const auto got = rig.post("/v1/shoes/" + shoe + "/close");
    EXPECT_EQ(got.status, 200) << got.body;
    return got.record(Kind::shoe_close).seq;
  }
  /// No file of the appliance and no text given holds three cards in a row, as bytes, as texts or
  /// as JSON.
  void search(const std::vector<std::uint8_t>& order, const std::string& told) {
    const auto files = rig.all_files() + told;
    ASSERT_GT(files.size(), 10000U);
    for (std::size_t at = 0; at + 8 <= order.size(); ++at) {
      const std::string bytes(order.begin() + static_cast<std::ptrdiff_t>(at),
                              order.begin() + static_cast<std::ptrdiff_t>(at) + 8);
      EXPECT_EQ(files.find(bytes), std::string::npos) << at;
      const auto text = [&](const std::string& between) {
        return card_text(order[at]) + between + card_text(order[at + 1]) + between +
               card_text(order[at + 2]);
      };
      for (const auto* between : {" ", ",", "\",\""})
        EXPECT_EQ(files.find(text(between)), std::string::npos) << at;
    }
    EXPECT_EQ(
        files.find(std::string(machine.head.report_key.begin(), machine.head.report_key.end())),
        std::string::npos);
    EXPECT_EQ(files.find(to_hex(machine.head.report_key)), std::string::npos);
  }

  Machine machine;
  Machine other{"talla:shuffler-2"};
  Rig rig;
  std::string table, shoe, root;
  std::map<std::string, std::string> sent;  // reports, by key
};

TEST(Release,
     PROTOCOL_4_the_whole_order_goes_once_to_one_machine_and_no_card_comes_before_its_report) {
  Play play;
  EXPECT_EQ(play.release().code(), "shoe_not_mixed");
  EXPECT_EQ(play.mix().status, 200);
  const auto released = play.release({}, "the-release");
  ASSERT_EQ(released.status, 200) << released.body;
  const auto& body = released.record(Kind::shoe_release).body;
  EXPECT_EQ(body.find("machine")->string(), "talla:shuffler-1");
  EXPECT_EQ(body.find("order_known_to")->string(), to_hex(play.machine.pair.digest));
  EXPECT_EQ(play.release({}, "the-release").body, released.body) << "the same key, the same bytes";
  EXPECT_EQ(play.release().code(), "wrong_state") << "once";
  EXPECT_EQ(play.rig.post("/v1/shoes/" + play.shoe + "/release", play.other.wish()).code(),
            "wrong_state");
  EXPECT_EQ(play.deal(0, 1).code(), "wrong_state") << "the machine has not reported yet";

  const auto first = play.machine.get(play.rig, play.shoe);
  play.machine.read(first);
  const certs::OpensslHashes hashes;
  EXPECT_EQ(to_hex(hashes.sha256({play.machine.bytes})), body.find("ciphertext")->string());
  const auto order = play.machine.order();
  ASSERT_EQ(order.size(), 52U);
  EXPECT_EQ(play.other.get(play.rig, play.shoe).code(), "not_found");
  EXPECT_EQ(play.rig.get("/v1/shoes/" + play.shoe + "/release").code(), "forbidden")
      << "not the table either";
  EXPECT_EQ(play.rig
                .post_as(play.other.client, "/v1/shoes/" + play.shoe + "/report",
                         R"({"jam":true,"signature":"AA=="})")
                .code(),
            "not_found");
  play.rig.restart();
  EXPECT_EQ(play.machine.get(play.rig, play.shoe).body, first.body)
      << "again after a crash, byte for byte";
  EXPECT_EQ(play.deal(0, 1).code(), "wrong_state");

  const auto reported = play.report(play.machine.report(order), "seen");
  ASSERT_EQ(reported.status, 200) << reported.body;
  EXPECT_EQ(reported.text({"report", "result"}), "match");
  EXPECT_EQ(reported.number({"report", "recognised"}), 52);
  play.search(order, released.body + first.body + reported.body +
                         play.rig.get("/v1/shoes/" + play.shoe).body);
  play.rig.restart();
  EXPECT_EQ(play.report(play.machine.report(order), "seen").body, reported.body);
  EXPECT_EQ(play.report(play.machine.report(order)).code(), "wrong_state");

  const auto dealt = play.deal(0, 52);
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  for (std::size_t i = 0; i < 52; ++i)
    EXPECT_EQ(dealt.at({"cards"}).array()[i].find("card")->string(), card_text(order[i])) << i;
  const auto seq = play.close();
  EXPECT_EQ(play.machine.get(play.rig, play.shoe).code(), "not_found") << "closed";
  EXPECT_TRUE(play.rig.ledger().sealed(play.shoe)->empty());
  const auto verdict = play.rig.judge(seq);
  ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
  const auto says = [](const auto& list, const std::string& text) {
    return std::ranges::any_of(
        list, [&](const auto& line) { return line.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(says(verdict->checked, "released once, to talla:shuffler-1"));
  EXPECT_TRUE(says(verdict->checked, "reported each of 52 cards at its place"));
  EXPECT_TRUE(says(verdict->not_checked, "the order was known to talla:shuffler-1"));
}

TEST(Release, a_machine_that_takes_one_at_a_time_is_given_the_next_when_the_one_before_lies_there) {
  Play play;
  play.give(R"(,"form":"targets")");
  EXPECT_TRUE(play.machine.order().empty()) << "the head tells no card";
  EXPECT_EQ(play.target(1).code(), "wrong_position");
  std::vector<std::uint8_t> order;
  std::string told;
  std::string first;
  for (std::uint32_t i = 0; i < 52; ++i) {
    const auto seen = i == 0 ? std::string() : play.machine.code(i - 1, order.back());
    if (i == 20) {
      const auto wrong = play.target(
          i, play.machine.code(i - 1, static_cast<std::uint8_t>((order.back() + 1) % 52)));
      EXPECT_EQ(wrong.code(), "wrong_card");
      EXPECT_EQ(wrong.number({"target"}), 20);
      EXPECT_EQ(play.target(i).code(), "wrong_card");
      EXPECT_EQ(play.target(i, std::string(31, 'a')).code(), "malformed_request");
      play.rig.restart();
      EXPECT_EQ(play.target(i + 1, seen).code(), "wrong_position")
          << "as far as before the crash, no further";
      EXPECT_EQ(play.target(0).body, first) << "the same bytes again";
      EXPECT_EQ(play.report(R"({"seen":[]})", {}, i).text({"report", "result"}), "mismatch")
          << "half a shuffle is none";
      return;
    }
    const auto got = play.target(i, seen);
    ASSERT_EQ(got.status, 200) << got.body;
    if (i == 0) first = got.body;
    told += got.body;
    order.push_back(play.machine.target(i, got.text({"ciphertext"})));
  }
  FAIL();
}

TEST(Release, targets_lead_to_the_order_with_two_records_and_are_counted_in_the_report) {
  Play play;
  play.give(R"(,"form":"targets")");
  const auto size = play.rig.log().size();
  std::vector<std::uint8_t> order;
  std::string told;
  for (std::uint32_t i = 0; i < 52; ++i) {
    if (i == 30) play.rig.restart();
    const auto got = play.target(i, i == 0 ? "" : play.machine.code(i - 1, order.back()));
    ASSERT_EQ(got.status, 200) << got.body;
    told += got.body;
    order.push_back(play.machine.target(i, got.text({"ciphertext"})));
    if (i == 50) {
      EXPECT_EQ(play.deal(0, 1).code(), "wrong_state");
    }
  }
  EXPECT_EQ(play.target(52, play.machine.code(51, order.back())).code(), "wrong_position");
  play.search(order, told);
  const auto kinds = chain(play.rig, play.shoe);
  EXPECT_EQ(kinds.back().kind, Kind::shoe_release) << "no record for a target";
  EXPECT_LE(play.rig.log().size(), size + 8) << "what the restart writes";
  play.machine.known = order;
  EXPECT_EQ(play.report(play.machine.report(order), {}, 51).code(), "report_signature")
      << "signed for another count of targets";
  const auto reported = play.report(play.machine.report(order), {}, 52);
  ASSERT_EQ(reported.status, 200) << reported.body;
  EXPECT_EQ(reported.number({"report", "targets"}), 52);
  EXPECT_EQ(reported.text({"report", "result"}), "match");
  const auto dealt = play.deal(0, 52);
  for (std::size_t i = 0; i < 52; ++i)
    EXPECT_EQ(dealt.at({"cards"}).array()[i].find("card")->string(), card_text(order[i])) << i;
  play.rig.verify(play.close());
  EXPECT_TRUE(
      play.rig.ledger().document(certs::documents::targets(play.shoe))->value_or("").empty());
}

TEST(Release, a_shelf_machine_fed_a_new_deck_ends_with_the_order) {
  Play play;
  play.give(R"(,"form":"shelf","compartments":10,"reverses":true)");
  EXPECT_EQ(play.machine.head.passes, 2U);
  const auto deck = shuffle::DeckSpec::french(1).cards();
  std::vector<std::uint8_t> fed;
  for (const auto card : deck) fed.push_back(card.code());
  for (std::size_t pass = 0; pass < 2; ++pass) {
    const auto out = shuffle::shelf_empty(
        {10, true}, std::span(play.machine.head.compartments).subspan(pass * 52, 52));
    std::vector<std::uint8_t> after;
    for (const auto index : *out) after.push_back(fed[index]);
    fed = after;
  }
  play.machine.known = fed;
  EXPECT_EQ(play.report(play.machine.report(fed)).text({"report", "result"}), "match");
  const auto dealt = play.deal(0, 3);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(dealt.at({"cards"}).array()[i].find("card")->string(), card_text(fed[i]));
  play.rig.verify(play.close());
}

TEST(Release, a_shoe_that_its_machine_alone_deals_opens_at_its_close_and_takes_no_cut) {
  Play play;
  play.give();
  EXPECT_EQ(play.report(play.machine.report(play.machine.order())).text({"report", "result"}),
            "match");
  const auto verdict = play.rig.judge(play.close());
  ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
  for (const std::string wish : {R"({"cut":"none"})", R"({"cut_min":3,"cut_max":9})"})
    EXPECT_EQ(play.rig.post("/v1/tables/" + play.table + "/shoes", wish).code(),
              "malformed_request")
        << "an order is mixed, card by card, and in no other way: " << wish;
}

struct Trouble {
  std::string name, result;
  std::function<std::string(const Machine&, std::vector<std::uint8_t>)> body;
  std::int64_t recognised = 52;
  std::optional<std::int64_t> position{};
  std::string census{};
};

TEST(Report,
     a_mismatch_a_jam_and_an_open_lid_void_the_shoe_and_no_card_of_the_report_is_in_the_log) {
  const std::vector<Trouble> all{
      {"swapped", "mismatch",
       [](const Machine& m, auto cards) {
         std::swap(cards[3], cards[40]);
         return m.report(cards);
       },
       52, 3, "complete"},
      {"missing", "mismatch",
       [](const Machine& m, auto cards) {
         cards.pop_back();
         return m.report(cards);
       },
       51, 51, "wrong"},
      {"one more", "mismatch",
       [](const Machine& m, auto cards) {
         cards.push_back(cards[0]);
         return m.report(cards);
       },
       53, 52, "wrong"},
      {"twice", "mismatch",
       [](const Machine& m, auto cards) {
         cards[9] = cards[10];
         return m.report(cards);
       },
       52, 9, "wrong"},
      {"foreign", "mismatch",
       [](const Machine& m, auto cards) {
         cards[7] = 52;
         return m.report(cards);
       },
       51, 7, "wrong"},
      {"jam", "jam", [](const Machine&, const auto&) { return std::string(R"({"jam":true})"); }, 0},
      {"lid", "lid",
       [](const Machine&, const auto&) { return std::string(R"({"jam":true,"lid":true})"); }, 0},
      {"lid after all",
       "lid",
       [](const Machine& m, const auto& cards) {
         auto body = m.report(cards);
         body.insert(1, R"("lid":true,)");
         return body;
       },
       52,
       {},
       "complete"},
      {"unread", "mismatch",
       [](const Machine& m, auto cards) {
         auto body = m.report(cards);
         const auto at = body.find(m.code(5, cards[5]));
         return body.erase(at, 32);
       },
       51, 5, "wrong"}};
  for (const auto& trouble : all) {
    SCOPED_TRACE(trouble.name);
    Play play;
    play.give();
    const auto got = play.report(trouble.body(play.machine, play.machine.order()));
    ASSERT_EQ(got.status, 200) << got.body;
    EXPECT_EQ(got.text({"report", "result"}), trouble.result);
    EXPECT_EQ(got.number({"report", "recognised"}), trouble.recognised);
    EXPECT_EQ(got.at({"report"}).find("position") != nullptr, trouble.position.has_value());
    if (trouble.position) {
      EXPECT_EQ(got.number({"report", "position"}), *trouble.position);
    }
    if (!trouble.census.empty()) {
      EXPECT_EQ(got.text({"report", "census"}), trouble.census);
    }
    EXPECT_EQ(got.text({"shoe", "state"}), "voided");
    EXPECT_EQ(got.record(Kind::shoe_close).body.find("reason")->string(), "voided");
    play.rig.restart();
    EXPECT_EQ(play.deal(0, 1).code(), "shoe_finished");
    EXPECT_EQ(play.report(R"({"lid":true})").code(), "not_found");
    play.rig.verify(got.record(Kind::shoe_close).seq);
    EXPECT_EQ(play.rig.post("/v1/tables/" + play.table + "/shoes").status, 201) << "the next shoe";
  }
}

TEST(
    Report,
    a_lid_opened_in_play_voids_where_no_hand_is_on_the_table_and_bodies_that_say_nothing_are_refused) {
  Play play;
  play.give();
  const std::string unsigned_jam = R"({"jam":true})";
  EXPECT_EQ(play.send(unsigned_jam).code(), "malformed_request") << "a machine signs what it says";
  for (const std::string body : {"", R"("jam":false,)", R"("seen":["zz"],)", R"("seen":[1],)",
                                 R"("lid":1,)", R"("seen":[],"x":1,)"})
    EXPECT_EQ(play.send("{" + body + R"("signature":"AA=="})").code(), "malformed_request") << body;
  EXPECT_EQ(play.report(play.machine.report(play.machine.order())).status, 200);
  ASSERT_EQ(play.deal(0, 5).status, 200);
  const auto lid = play.report(R"({"lid":true})");
  EXPECT_EQ(lid.text({"shoe", "state"}), "voided");
  play.rig.verify(lid.record(Kind::shoe_close).seq);
}

TEST(Report, that_its_machine_did_not_sign_so_and_for_this_release_changes_nothing) {
  Play play;
  play.give();
  const auto size = play.rig.log().size();
  const auto order = play.machine.order();
  const auto body = must(json::parse(play.machine.report(order)));
  const auto report = play.machine.found(body);
  const auto refused = [&](const std::string& what, const std::string& text) {
    const auto got = play.send(text);
    EXPECT_EQ(got.code(), "report_signature") << what;
    return got;
  };
  refused("no signature", play.machine.report(order).insert(1, R"("signature":"",)"));
  refused("of nothing", play.machine.report(order).insert(
                            1, R"("signature":")" + std::string(86, 'A') + "==\","));
  const auto told = [&](const std::string& what, auto change) {
    auto lie = report;
    change(lie);
    return refused(what, play.machine.signed_report(body, lie));
  };
  const auto got = told("the next one", [](auto& lie) { ++lie.number; });
  EXPECT_EQ(got.at({"report"}).find("number")->integer(), 1) << "what the appliance finds";
  EXPECT_EQ(got.at({"report"}).find("key"), nullptr);
  told("another count", [](auto& lie) { --lie.recognised; });
  told("another result", [](auto& lie) { lie.result = certs::ShuffleResult::jam; });
  told("another order", [](auto& lie) { (*lie.seen)[0] ^= 1; });
  told("a place", [](auto& lie) { lie.position = 3; });
  told("targets", [](auto& lie) { lie.targets = 52; });
  refused("of what it reports otherwise",
          play.machine.signed_report(must(json::parse(R"({"jam":true})")), report));
  Play other;
  other.give();
  refused("for another shoe", other.machine.signed_report(body, report));
  EXPECT_EQ(play.rig.log().size(), size);
  const auto reported = play.report(play.machine.report(order));
  ASSERT_EQ(reported.status, 200) << reported.body;
  EXPECT_EQ(play.send(play.sent[{}]).code(), "wrong_state") << "the same once more";
  const auto lid = play.report(R"({"lid":true})");
  EXPECT_EQ(lid.number({"report", "number"}), 2);
  play.rig.verify(lid.record(Kind::shoe_close).seq);
}

/// A coup of punto y banca whose cards come from a released shoe: bets are closed, no card is dealt
/// yet.
struct Coup : Play {
  Coup() : Play(punto_table) {
    give();
    EXPECT_EQ(report(machine.report(machine.order())).status, 200);
    // Burns before the first round.
    const auto burn = rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":0,"until":"needs"})");
    EXPECT_EQ(burn.status, 200) << burn.body;
    round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
    EXPECT_EQ(rig.post("/v1/rounds/" + round + "/close-bets",
                       R"({"bets":[{"id":"b","seat":1,"kind":"punto","stake":100}]})")
                  .status,
              200);
  }
  Got act(const std::string& what) {
    if (what == "table-void")
      return rig.confirm_order(rig.officer, rig.ask_order(rig.inspector, what, table, table));
    const auto asked = rig.post_as(rig.inspector, "/v1/acts",
                                   R"({"act":")" + what + R"(","object":")" + table + R"("})");
    EXPECT_EQ(asked.status, 201) << asked.body;
    return rig.post_as(rig.officer, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm");
  }
  Got coup() {
    const auto at = rig.get("/v1/shoes/" + shoe).number({"shoe", "position"});
    return rig.post("/v1/shoes/" + shoe + "/deal",
                    R"({"expected":)" + std::to_string(at) + R"(,"until":"needs"})");
  }
  std::string round;
};

TEST(Report, between_rounds_the_rules_shoe_is_void_and_the_table_asks_for_another) {
  Play play(punto_table);
  play.give();
  EXPECT_EQ(play.report(play.machine.report(play.machine.order())).status, 200);
  const auto lid = play.report(R"({"lid":true})");
  ASSERT_EQ(lid.status, 200) << lid.body;
  EXPECT_EQ(lid.text({"shoe", "state"}), "voided");
  const auto table = play.rig.get("/v1/tables/" + play.table);
  EXPECT_EQ(table.text({"table", "state"}), "open");
  play.rig.restart();
  EXPECT_EQ(play.rig.get("/v1/tables/" + play.table).body, table.body);
  EXPECT_EQ(play.rig.post("/v1/tables/" + play.table + "/shoes").status, 201);
  play.rig.verify(lid.record(Kind::shoe_close).seq);
}

TEST(Report, with_a_hand_on_the_table_two_persons_judge_what_the_machine_reported) {
  for (const bool finish : {true, false}) {
    SCOPED_TRACE(finish);
    Coup play;
    const auto lid = play.report(R"({"lid":true})");
    ASSERT_EQ(lid.status, 200) << lid.body;
    EXPECT_NE(lid.text({"shoe", "state"}), "voided");
    EXPECT_EQ(play.rig.get("/v1/tables/" + play.table).text({"table", "state"}), "suspended");
    EXPECT_EQ(play.coup().code(), "table_suspended");
    EXPECT_EQ(play.report(R"({"jam":true})").code(), "wrong_state")
        << "one report is judged at a time";
    play.rig.restart();
    EXPECT_EQ(play.coup().code(), "table_suspended") << "a restart ends nothing";
    EXPECT_EQ(play.machine.get(play.rig, play.shoe).status, 200);
    EXPECT_EQ(play.act(finish ? "table-finish" : "table-void").status, 200);
    if (finish) {
      const auto dealt = play.coup();
      ASSERT_EQ(dealt.status, 200) << dealt.body;
      const auto settled = dealt.record(Kind::settlement);
      play.rig.verify(settled.seq);
      const auto verdict = play.rig.judge(settled.seq);
      EXPECT_TRUE(std::ranges::any_of(verdict->not_checked, [](const auto& line) {
        return line.find("reported lid: whether two persons decided") != std::string::npos;
      }));
    } else {
      EXPECT_EQ(chain(play.rig, play.shoe).back().body.find("reason")->string(), "voided");
      play.rig.verify(chain(play.rig, play.shoe).back().seq);
    }
  }
}

TEST(Release, goes_to_enrolled_shufflers_with_their_own_key_only_and_before_the_first_card) {
  Play play;
  EXPECT_EQ(play.mix().status, 200);
  const auto path = "/v1/shoes/" + play.shoe + "/release";
  Machine stranger("talla:shuffler-9");
  EXPECT_EQ(play.rig.post(path, stranger.wish()).code(), "no_seat_key");
  stranger.client.id = play.machine.client.id;
  EXPECT_EQ(play.rig.post(path, stranger.wish()).code(), "no_seat_key")
      << "the id with another key";
  stranger.client.id = "talla:shuffler-9";
  play.rig.settings.clients.push_back({stranger.client.id, stranger.client.spki, {"table"}});
  play.rig.restart();
  EXPECT_EQ(play.rig.post(path, stranger.wish()).code(), "no_seat_key") << "no shuffler";
  for (const std::string more :
       {R"(,"form":"all")", R"(,"form":"shelf")", R"(,"form":"shelf","compartments":1)",
        R"(,"compartments":8)", R"(,"x":1)"})
    EXPECT_EQ(play.release(more).code(), "malformed_request") << more;
  EXPECT_EQ(play.rig.post(path, R"({"machine":"talla:shuffler-1","key":"AAAA"})").code(),
            "no_seat_key");
  play.rig.settings.clients.push_back({play.rig.client.id, play.rig.client.spki, {"shuffler"}});
  play.rig.restart();
  EXPECT_EQ(play.rig
                .post(path, R"({"machine":")" + play.rig.client.id + R"(","key":")" +
                                to_base64(as_bytes(play.rig.client.public_key)) + "\"}")
                .code(),
            "no_seat_key")
      << "the table's own key";
  EXPECT_EQ(play.rig.post(path, R"({"machine":"talla:shuffler-1","key":"?"})").code(),
            "malformed_request");
  EXPECT_EQ(play.rig.post_as(play.machine.client, path, play.machine.wish()).code(), "forbidden");
  EXPECT_EQ(play.rig.post_as(play.machine.client, "/v1/tables", one_deck).code(), "forbidden");
  EXPECT_EQ(
      play.rig.post_as(play.rig.officer, "/v1/shoes/" + play.shoe + "/targets", R"({"target":0})")
          .code(),
      "forbidden");
  play.rig.supply.latch(entropy::LatchReason::operator_request);
  EXPECT_EQ(play.release().status, 200) << "what is committed goes on";
  EXPECT_EQ(play.target(0).code(), "wrong_state") << "it has the whole order";

  Play late;
  EXPECT_EQ(late.mix().status, 200);
  EXPECT_EQ(late.deal(0, 1).status, 200);
  EXPECT_EQ(late.release().code(), "wrong_state");
  late.close();
  EXPECT_EQ(late.release().code(), "shoe_finished");
}

}  // namespace
}  // namespace talla::core::test
