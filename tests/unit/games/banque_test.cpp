// Goal: chemin de fer and banque keep the law's order, lose no money and hide what is covered.
// Method: all hands of six decks counted against the published integers where the text leaves no
// freedom; random play with one ledger over bank, garage, punters and house; replays; broken rules
// and states; single facts beside the scenarios.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "baccarat_support.hpp"
#include "engines/banque/play.hpp"
#include "games/driver.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

using test::expect_round_trip;
using test::load_changed;
using test::must;
using test::of_value;
using test::open_table;
using test::refusal;
using test::settled;
using test::stake;
using test::start;

Act act(Seat seat, std::string action, std::optional<Units> amount = {}) {
  return {seat, std::move(action), {}, amount, {}, {}};
}

// --- Counting

struct BanqueCounts {
  Int128 bank = 0, punto = 0, tie = 0;
};

/// Counts ordered sextets of cards; a hand that ends sooner stands for all continuations. No choice
/// is left: a card was exposed, and the rules of punto y banca bind both sides.
class BanqueEnumeration {
 public:
  BanqueEnumeration(const Table& table, int decks)
      : table_(table), law_(banque::law_of(table)), cards_(52 * decks) {
    for (std::size_t value = 0; value < 10; ++value)
      left_.at(value) = (value == 0 ? 16 : 4) * decks;
    hand_.exposed = true;
  }
  BanqueCounts run() {
    first(0, 1);
    return counts_;
  }

 private:
  template <class Next>
  void draw(Int128 ways, Next next) {
    for (int value = 0; value < 10; ++value) {
      auto& left = left_.at(static_cast<std::size_t>(value));
      const Int128 choices = left--;
      ++dealt_;
      next(of_value(value), ways * choices);
      --dealt_;
      ++left;
    }
  }
  void first(std::size_t card, Int128 ways) {
    if (card == 4) return third(ways);
    auto& cards = card % 2 == 0 ? hand_.cloth[0] : hand_.bank;
    draw(ways, [&](Card dealt, Int128 more) {
      cards.first.at(card / 2) = dealt;
      first(card + 1, more);
      cards.first.at(card / 2).reset();
    });
  }
  void third(Int128 ways) {
    const int punto = banque::two_total(law_, hand_.cloth[0]);
    const int bank = banque::two_total(law_, hand_.bank);
    if (law_.points.natural_total.at(static_cast<std::size_t>(punto)) ||
        law_.points.natural_total.at(static_cast<std::size_t>(bank))) {
      return count(ways);
    }
    const auto duty = banque::cloth_duty(table_, law_, hand_, 0);
    ASSERT_NE(duty, banque::Cell::optional);
    if (duty == banque::Cell::stand) return bank_third(ways);
    draw(ways, [&](Card dealt, Int128 more) {
      hand_.cloth[0].thirds = {dealt};
      bank_third(more);
      hand_.cloth[0].thirds.clear();
    });
  }
  void bank_third(Int128 ways) {
    const auto duty = banque::bank_duty(table_, law_, hand_);
    ASSERT_NE(duty, banque::Cell::optional);
    if (duty == banque::Cell::stand) return count(ways);
    draw(ways, [&](Card dealt, Int128 more) {
      hand_.bank.thirds = {dealt};
      count(more);
      hand_.bank.thirds.clear();
    });
  }
  void count(Int128 ways) {
    for (int k = dealt_; k < 6; ++k) ways *= cards_ - k;
    const int result = banque::compare(table_, law_, hand_, 0);
    (result == 0 ? counts_.tie : result > 0 ? counts_.punto : counts_.bank) += ways;
  }

  const Table& table_;
  const banque::Law& law_;
  banque::Hand hand_;
  std::array<int, 10> left_{};
  int cards_;
  int dealt_ = 0;
  BanqueCounts counts_;
};

TEST(ChemindeFer_VI, without_freedom_all_hands_of_six_decks_count_to_the_published_integers) {
  for (const std::string id : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto rules = test::catalogue(id);
    const auto table = Table::open(rules, {"chemin-de-fer",
                                           {rules->currency},
                                           10,
                                           std::nullopt,
                                           json::Object{{"exposed_card_rule", "punto-banca"}}});
    ASSERT_TRUE(table);
    const auto counts = BanqueEnumeration(*table, 6).run();
    EXPECT_TRUE(counts.bank == Int128{403'095'751'234'560}) << id;
    EXPECT_TRUE(counts.punto == Int128{392'220'492'728'832}) << id;
    EXPECT_TRUE(counts.tie == Int128{83'552'962'932'288}) << id;
  }
}

TEST(ChemindeFer_VI, the_chart_has_two_optional_cells_three_against_nine_and_five_against_four) {
  const auto table = open_table("chemin-de-fer");
  const auto& law = banque::law_of(table);
  for (int bank = 0; bank < 8; ++bank) {
    for (int third = -1; third < 10; ++third) {
      banque::Hand hand;
      hand.chart = true;
      hand.bank.first = {of_value(bank), of_value(0)};
      if (third >= 0) hand.cloth[0].thirds = {of_value(third)};
      const bool optional = (bank == 3 && third == 9) || (bank == 5 && third == 4);
      EXPECT_EQ(banque::bank_duty(table, law, hand) == banque::Cell::optional, optional)
          << bank << " " << third;
    }
  }
}

// --- Random play

/// A shuffled shoe that serves everything, and remembers what lies covered.
class Shoe final : public CardSource, public DrawSource {
 public:
  explicit Shoe(std::mt19937_64& random) : random_(random) {}
  Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override {
    cards_.clear();
    for (std::uint32_t deck = 0; deck < need.cards_count / 52; ++deck) {
      for (int rank = 1; rank <= 13; ++rank) {
        for (const auto suit : {shuffle::Suit::clubs, shuffle::Suit::diamonds,
                                shuffle::Suit::hearts, shuffle::Suit::spades}) {
          cards_.push_back(Card::of(rank, suit));
        }
      }
    }
    for (std::size_t i = cards_.size(); i > 1; --i) std::swap(cards_[i - 1], cards_[random_() % i]);
    return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, false});
  }
  Result<Next> next_card(const DealPlace& place) override {
    const Card card = cards_.back();
    cards_.pop_back();
    if (place.face == Face::covered) covered_[place.place] = card;
    return Next{true, card};
  }
  Result<std::optional<Card>> reveal(const std::string& place) override {
    return std::optional<Card>(covered_.at(place));
  }
  Result<bool> shuffle(const Shuffle& /*need*/) override { return false; }
  Result<std::optional<DrawResult>> draw(const Draw& need) override {
    return std::optional<DrawResult>(
        DrawResult{need.kind, {std::to_string(1 + random_() % std::uint64_t{need.faces})}});
  }

 private:
  std::mt19937_64& random_;
  std::vector<Card> cards_;
  std::map<std::string, Card> covered_;
};

/// The state's money, read from outside: bank and garage of all parts, and the house.
struct Money {
  Units bank = 0, house = 0;
};
Money money_of(const Driver& driver) {
  Money out;
  const auto state = driver.state().to_json();
  if (const auto* house = state.find("house")) out.house = house->integer();
  if (const auto* parts = state.find("parts")) {
    for (const auto& part : parts->array()) {
      for (const auto* key : {"bank", "garage"}) {
        if (const auto* amount = part.find(key)) out.bank += amount->integer();
      }
    }
  }
  return out;
}

bool leaves_the_bank(const Settlement& one) {
  return one.bet.starts_with("bank-out") || one.bet.starts_with("garage");
}

class Player {
 public:
  Player(const Table& table, std::uint64_t seed)
      : table_(table), random_(seed), shoe_(random_), driver_(*Driver::start(table)) {}

  /// Plays until so many hands are settled.
  void run(std::size_t rounds) {
    std::size_t idle = 0;
    for (std::size_t done = 0; done < rounds;) {
      done += watched([&] { ASSERT_TRUE(driver_.advance(shoe_, shoe_)); });
      bool acted = false;
      done += watched([&] { acted = people(); });
      idle = acted ? 0 : idle + 1;
      ASSERT_LT(idle, 2000U) << "stuck: " << driver_.state().canonical();
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  /// The same events from their JSON give the same state, byte for byte.
  void replay() {
    auto again = *Driver::start(table_);
    for (const auto& event : log_) ASSERT_TRUE(again.apply(*event_from_json(event)));
    EXPECT_EQ(again.state().canonical(), driver_.state().canonical());
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  /// Takes a step and holds its settlements against the money; how many hands it settled.
  template <class Step>
  std::size_t watched(Step step) {
    const auto before = money_of(driver_);
    step();
    for (const auto& event : driver_.take_events()) log_.push_back(to_json(event));
    const auto all = driver_.take_settlements();
    check(before, all);
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const auto& one) { return one.bet == "bank"; }));
  }

  void check(const Money& before, const std::vector<Settlement>& all) {
    const auto after = money_of(driver_);
    Units punters = 0;
    Units bank = 0;
    Units out = 0;
    bool bank_settled = false;
    for (const auto& one : all) {
      const bool of_bank = one.kind == "banca" || one.kind == "asociado" || one.kind == "garage";
      (leaves_the_bank(one) ? out
       : of_bank            ? bank
                 : punters) += leaves_the_bank(one) ? one.returned : one.returned - one.stake;
      bank_settled = bank_settled || one.bet == "bank";
    }
    if (bank_settled) {
      // What one side wins the other loses, and the house has its deduction.
      ASSERT_EQ(punters + bank + after.house - before.house, 0) << driver_.state().canonical();
      // The same by what lies in bank and garage; an open bank pays beyond what lies there.
      const bool beyond = table_.rules().id == "baccarat-banque-open" && after.bank == 0;
      ASSERT_TRUE(beyond || bank == after.bank - before.bank + out) << driver_.state().canonical();
    }
    ASSERT_GE(after.house, before.house);
    if (!all.empty()) expect_round_trip(table_, driver_.state());
  }

  bool people() {
    const auto needs = driver_.needs();
    std::vector<const Decide*> decides;
    bool required = false;
    for (const auto& need : needs) {
      if (const auto* decide = std::get_if<Decide>(&need)) {
        decides.push_back(decide);
        required = required || decide->required;
      }
    }
    const auto* open = find_need<BetsOpen>(needs);
    if (!decides.empty() && (required || open == nullptr || below(6) == 0))
      return decide(*decides[below(decides.size())]);
    if (open == nullptr) return false;
    if (open->can_close && below(3) == 0) return static_cast<bool>(driver_.apply(CloseBets{}));
    return bet();
  }
  bool decide(const Decide& need) {
    if (below(20) == 0) return static_cast<bool>(driver_.apply(TimeOut{need.seat}));
    const auto& errors = table_.rules().errors;
    if (below(20) == 0) {
      Misdeal event{errors[below(errors.size())].code,
                    table_.rules().places[below(table_.rules().places.size())].id};
      return static_cast<bool>(driver_.apply(event));
    }
    const auto& choice = need.choices[below(need.choices.size())];
    std::optional<Units> amount;
    if (choice.max > 0) amount = choice.min + choice.step * static_cast<Units>(below(40));
    if (amount && *amount > choice.max) amount = choice.min;
    return static_cast<bool>(driver_.apply(act(need.seat, choice.action, amount)));
  }
  bool bet() {
    const auto money = money_of(driver_);
    const auto& bets = table_.rules().bets;
    const auto& kind = bets[below(bets.size())].id;
    const std::array<Units, 4> stakes{table_.min(), money.bank, (money.bank + 1) / 2,
                                      table_.min() * static_cast<Units>(1 + below(20))};
    return static_cast<bool>(driver_.apply(stake("b" + std::to_string(++next_), kind,
                                                 std::max<Units>(1, stakes.at(below(4))), {},
                                                 static_cast<Seat>(1 + below(12)))));
  }

  const Table& table_;
  std::mt19937_64 random_;
  Shoe shoe_;
  Driver driver_;
  std::size_t next_ = 0;
  std::vector<json::Value> log_;
};

TEST(Banque, random_play_never_sticks_loses_no_money_and_replays) {
  const char* value = std::getenv("TALLA_LONG");  // NOLINT(concurrency-mt-unsafe): one thread
  const bool long_run = value != nullptr && std::string_view(value) == "1";
  const std::size_t sessions = long_run ? 10'000 : 12;
  for (const std::string id : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto rules = test::catalogue(id);
    for (const std::string game :
         {"chemin-de-fer", "baccarat-banque-limited", "baccarat-banque-open"}) {
      for (std::size_t session = 0; session < sessions; ++session) {
        const auto table = Table::open(rules, {game, {rules->currency}, 10, std::nullopt, {}});
        ASSERT_TRUE(table);
        Player player(*table, session * 977 + 1);
        player.run(100);
        if (HasFatalFailure()) FAIL() << id << " " << game << " session " << session;
        player.replay();
      }
    }
  }
}

// --- Covered cards

State dealt_hand(const Table& table) {
  State state = must(table, start(table), act(1, "tomar-banca", 1000));
  state = must(table, state, ShoeOpened{312, false});
  state = must(table, state, stake("b", "punto", 100, {}, 4));
  state = must(table, state, CloseBets{});
  for (const std::string place : {"punto-1", "banca-1", "punto-2", "banca-2"}) {
    state = must(table, state, CardDealt{place, Face::covered, std::nullopt});
  }
  return state;
}

TEST(ChemindeFer_VI, the_first_cards_are_covered_and_only_their_holder_may_look) {
  const auto table = open_table("chemin-de-fer", {}, 10);
  State state = must(table, start(table), act(1, "tomar-banca", 1000));
  state = must(table, state, ShoeOpened{312, false});
  state = must(table, state, stake("b", "punto", 100, {}, 4));
  state = must(table, state, CloseBets{});
  const auto needs = table.engine().needs(table, state);
  const auto* deal = find_need<Deal>(needs);
  ASSERT_NE(deal, nullptr);
  ASSERT_EQ(deal->cards.size(), 4U);
  const std::array<std::string, 4> places{"punto-1", "banca-1", "punto-2", "banca-2"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(deal->cards[i].place, places.at(i));
    EXPECT_EQ(deal->cards[i].face, Face::covered);
    EXPECT_EQ(deal->cards[i].seats, std::vector<Seat>{i % 2 == 0 ? Seat{4} : Seat{1}});
  }
  EXPECT_EQ(refusal(table, state, CardDealt{"punto-1", Face::open, of_value(3)}), "place_unknown");
  EXPECT_EQ(refusal(table, state, CardDealt{"punto-1", Face::covered, of_value(3)}),
            "card_invalid");
  EXPECT_EQ(refusal(table, state, CardDealt{"banca-1", Face::covered, std::nullopt}),
            "place_unknown");
}

TEST(ChemindeFer_VI, nothing_is_turned_before_both_have_spoken_and_then_everything) {
  const auto table = open_table("chemin-de-fer", {}, 10);
  State state = dealt_hand(table);
  EXPECT_EQ(refusal(table, state, CardRevealed{"punto-1", of_value(3)}), "not_due");
  state = must(table, state, act(4, "no"));
  EXPECT_EQ(find_need<Reveal>(table.engine().needs(table, state)), nullptr);
  state = must(table, state, act(1, "no"));
  for (const auto& [place, value] :
       std::vector<std::pair<std::string, int>>{{"punto-1", 3}, {"punto-2", 3}, {"banca-1", 3}}) {
    const auto needs = table.engine().needs(table, state);
    ASSERT_NE(find_need<Reveal>(needs), nullptr);
    EXPECT_EQ(find_need<Reveal>(needs)->place, place);
    EXPECT_EQ(refusal(table, state, CardRevealed{"banca-2", of_value(value)}), "place_unknown");
    state = must(table, state, CardRevealed{place, of_value(value)});
    expect_round_trip(table, state);
  }
  state = must(table, state, CardRevealed{"banca-2", of_value(4)});
  const auto all = settled(table, state);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].bet, "b");
  EXPECT_EQ(all[0].result, BetResult::lose);
  EXPECT_EQ(all[1].bet, "bank");
  EXPECT_EQ(all[1].returned, 195);
}

TEST(ChemindeFer_VI, who_shows_is_turned_at_once_and_nobody_else_before) {
  const auto table = open_table("chemin-de-fer", {}, 10);
  State state = must(table, dealt_hand(table), act(4, "abatir"));
  const auto needs = table.engine().needs(table, state);
  ASSERT_NE(find_need<Reveal>(needs), nullptr);
  EXPECT_EQ(find_need<Reveal>(needs)->place, "punto-1");
  state = must(table, state, CardRevealed{"punto-1", of_value(9)});
  state = must(table, state, CardRevealed{"punto-2", of_value(0)});
  EXPECT_EQ(find_need<Reveal>(table.engine().needs(table, state))->place, "banca-1");
}

// --- Refusals

TEST(Banque, rules_the_engine_cannot_play_are_refused) {
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"award = \"turn\"", "award = \"nobody\""},
      {"associates = \"matching\"", "associates = \"some\""},
      {"taker_matches = \"lost-or-abandoned\"", "taker_matches = \"all\""},
      {"standing_pass = \"first-seat\"", "standing_pass = \"anybody\""},
      {"table_share = \"at-least-half\"", "table_share = \"a-third\""},
      {"threshold_parameter = \"garage_threshold\"", "threshold_parameter = \"no_such\""},
      {"modality = \"limited\"", "modality = \"endless\""},
      {"modality = \"limited\"\ncommission = \"2%\"",
       "modality = \"limited\"\ncommission = \"200%\""},
      {"refill = \"any\"", "refill = \"none\""},
      {"leave = \"auction-from-bank\"", "leave = \"never\""},
      {"\"TTTTTTTTSOT\"", "\"TTTTTTTTSXT\""},
      {"\"TTTTTTTTSOT\"", "\"TTTT\""},
      {"punto_free = [5]", "punto_free = [4, 5]"},
      {"effect = \"croupier-card\"", "effect = \"applause\""},
      {"{ id = \"descarte\", cite = \"VIII.1\" }", "{ id = \"elsewhere\", cite = \"VIII.1\" }"},
      {"{ id = \"cuadro\", cite = \"VI\" }", "{ id = \"cuadros\", cite = \"VI\" }"},
      {"id = \"con-la-mesa\"\n", "id = \"con-la-silla\"\n"},
      {"id = \"pano-1\"\non = \"none\"\ncovers = \"pano-1\"\npayouts = [{ pays = \"1:1\"",
       "id = \"pano-1\"\non = \"none\"\ncovers = \"pano-1\"\npayouts = [{ pays = \"2:1\""},
      {"allowed = [\"circle\", \"punto-banca\"]", "allowed = [\"circle\", \"square\"]"},
      {"players_min = 4", "players_min = 0"},
  };
  for (const auto& [from, to] : broken)
    EXPECT_EQ(load_changed(from, to), "catalogue_malformed") << from;
  EXPECT_EQ(load_changed("players_min = 4", "players_min = 5"), "");
}

TEST(Banque, states_that_do_not_fit_are_refused) {
  const auto table = open_table("chemin-de-fer", {}, 10);
  const auto state = dealt_hand(table).to_json();
  ASSERT_TRUE(table.engine().restore(table, state));
  const auto refused = [&](auto change) {
    auto other = state;
    change(other);
    const auto restored = table.engine().restore(table, other);
    EXPECT_FALSE(restored) << json::canonical(other);
    if (!restored) {
      EXPECT_EQ(restored.error().code, "state_malformed") << restored.error().text();
    }
  };
  refused([](json::Value& s) { s["unknown"] = 1; });
  refused([](json::Value& s) { s["phase"] = "betting"; });
  refused([](json::Value& s) { s["phase"] = "sleeping"; });
  refused([](json::Value& s) { s["parts"] = json::Array{}; });
  refused([](json::Value& s) { s["shoe"] = "over"; });
  refused([](json::Value& s) { s["closing"] = false; });
  refused([](json::Value& s) { s["played"].array()[0]["first"] = 101; });
  refused([](json::Value& s) { s["played"].array()[0]["bet"] = "c"; });
  refused([](json::Value& s) { s["hand"]["cloth_1"]["card_1"] = "7o"; });
  refused([](json::Value& s) { s["hand"]["decided"] = "punto"; });
  refused([](json::Value& s) { s["hand"].object().erase("holder_1"); });
  refused([](json::Value& s) { s["hand"]["holder_2"] = 3; });
  refused([](json::Value& s) { s["bets"] = json::Array{}; });
  refused([](json::Value& s) { s["parts"].array()[0]["seat"] = 77; });
  EXPECT_FALSE(table.engine().resume(table, state));
}

TEST(Banque, more_cards_behind_the_stop_card_than_there_are_are_refused) {
  const auto table = open_table("chemin-de-fer", {}, 10);
  auto state = dealt_hand(table);
  state = must(table, state, act(4, "carta"));
  state = must(table, state, act(1, "dar"));
  state = must(table, state, StopCard{});
  state = must(table, state, Misdeal{"face-up-card", std::nullopt});
  state = must(table, state, CardDealt{"descarte", Face::open, *Card::parse("2C")});
  const auto value = state.to_json();
  ASSERT_EQ(*value.find("hand")->find("behind"), json::Value(1));
  test::expect_round_trip(table, state);
  for (const int behind : {7, 8}) {  // a third card is due, and seven is all there was
    auto other = value;
    other["hand"]["behind"] = behind;
    EXPECT_FALSE(table.engine().restore(table, other));
  }
  auto other = value;
  other["shoe"] = "in-play";
  EXPECT_FALSE(table.engine().restore(table, other));
}

TEST(BaccaratBanque_V_2, an_open_bank_refuses_a_maximum_stake) {
  const auto rules = test::catalogue();
  const auto table = Table::open(rules, {"baccarat-banque-open", {rules->currency}, 10, 1000, {}});
  ASSERT_TRUE(table);
  const auto state = table->engine().initial(*table);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code, "table_invalid");
}

}  // namespace
}  // namespace talla::games
