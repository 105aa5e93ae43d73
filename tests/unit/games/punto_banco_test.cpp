// Goal: punto y banca of es-1977 (07) is dealt, decided and paid by its text, and by nothing else.
// Method: the drawing rules written out a second time from the text and compared over every hand;
// all 8-deck and 6-deck hands counted by rank against published integers; single hands played card
// by card.
#include <gtest/gtest.h>

#include <map>

#include "baccarat_support.hpp"
#include "engines/baccarat/census.hpp"
#include "engines/baccarat/rules.hpp"
#include "games/driver.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

using baccarat::Figures;
using test::of_value;
using test::open_table;

std::vector<Card> hand(std::initializer_list<int> values) {
  std::vector<Card> out;
  for (const int value : values) out.push_back(of_value(value));
  return out;
}

Figures figures() {
  const auto table = open_table("punto-banco");
  return *baccarat::read_figures(table.rules());
}

/// The table of the banca by total and punto's third card, as in the usual words: draws on 0-2
/// always; on 3 unless 8; on 4 with 2-7; on 5 with 4-7; on 6 with 6-7; never on 7; punto stood:
/// draws to 5.
bool banca_draws_by_words(int total, int third, bool punto_stood) {
  if (punto_stood) return total <= 5;
  switch (total) {
    case 0:
    case 1:
    case 2:
      return true;
    case 3:
      return third != 8;
    case 4:
      return third >= 2 && third <= 7;
    case 5:
      return third >= 4 && third <= 7;
    case 6:
      return third == 6 || third == 7;
    default:
      return false;
  }
}

TEST(PuntoBanco_07_VI_2, third_cards_follow_the_table_in_every_hand) {
  const Figures rules = figures();
  for (int p1 = 0; p1 < 10; ++p1) {
    for (int p2 = 0; p2 < 10; ++p2) {
      for (int b1 = 0; b1 < 10; ++b1) {
        for (int b2 = 0; b2 < 10; ++b2) {
          const int punto = (p1 + p2) % 10;
          const int banca = (b1 + b2) % 10;
          const char next = baccarat::next_hand(rules, hand({p1, p2}), hand({b1, b2}));
          if (punto >= 8 || banca >= 8) {
            ASSERT_EQ(next, 0);
            continue;
          }
          if (punto >= 6) {
            ASSERT_EQ(next, banca_draws_by_words(banca, 0, true) ? 'b' : 0);
            continue;
          }
          ASSERT_EQ(next, 'p');
          for (int third = 0; third < 10; ++third) {
            const char after = baccarat::next_hand(rules, hand({p1, p2, third}), hand({b1, b2}));
            ASSERT_EQ(after, banca_draws_by_words(banca, third, false) ? 'b' : 0)
                << banca << " " << third;
          }
        }
      }
    }
  }
}

TEST(PuntoBanco_07_VII, first_four_cards_go_alternately_punto_first) {
  const Figures rules = figures();
  EXPECT_EQ(baccarat::next_hand(rules, {}, {}), 'p');
  EXPECT_EQ(baccarat::next_hand(rules, hand({1}), {}), 'b');
  EXPECT_EQ(baccarat::next_hand(rules, hand({1}), hand({1})), 'p');
  EXPECT_EQ(baccarat::next_hand(rules, hand({1, 1}), hand({1})), 'b');
}

struct Counts {
  Int128 banca = 0, punto = 0, tie = 0;
};

/// Counts ordered sextets of cards: a hand that ends sooner stands for all continuations.
class Enumeration {
 public:
  explicit Enumeration(int decks) : rules_(figures()) {
    for (std::size_t value = 0; value < 10; ++value)
      left_.at(value) = (value == 0 ? 16 : 4) * decks;
    cards_ = 52 * decks;
  }
  Counts run() {
    go(1);
    return counts_;
  }

 private:
  void go(Int128 ways) {
    const char next = baccarat::next_hand(rules_, punto_, banca_);
    if (next == 0) {
      const auto dealt = static_cast<int>(punto_.size() + banca_.size());
      for (int k = dealt; k < 6; ++k) ways *= cards_ - k;
      const int punto = baccarat::total(rules_, punto_);
      const int banca = baccarat::total(rules_, banca_);
      (punto == banca ? counts_.tie : punto > banca ? counts_.punto : counts_.banca) += ways;
      return;
    }
    auto& to = next == 'p' ? punto_ : banca_;
    for (int value = 0; value < 10; ++value) {
      auto& left = left_.at(static_cast<std::size_t>(value));
      to.push_back(of_value(value));
      const Int128 choices = left--;
      go(ways * choices);
      ++left;
      to.pop_back();
    }
  }
  Figures rules_;
  std::array<int, 10> left_{};
  int cards_ = 0;
  std::vector<Card> punto_, banca_;
  Counts counts_;
};

TEST(PuntoBanco, all_hands_of_eight_decks_count_to_the_published_integers) {
  const auto counts = Enumeration(8).run();
  EXPECT_TRUE(counts.banca == Int128{2'292'252'566'437'888});
  EXPECT_TRUE(counts.punto == Int128{2'230'518'282'592'256});
  EXPECT_TRUE(counts.tie == Int128{475'627'426'473'216});
}

TEST(PuntoBanco, all_hands_of_six_decks_count_to_the_published_integers) {
  const auto counts = Enumeration(6).run();
  EXPECT_TRUE(counts.banca == Int128{403'095'751'234'560});
  EXPECT_TRUE(counts.punto == Int128{392'220'492'728'832});
  EXPECT_TRUE(counts.tie == Int128{83'552'962'932'288});
}

baccarat::Census census(std::uint32_t decks) {
  const auto rules = figures();
  return baccarat::count_coups(rules, baccarat::values_of_decks(rules, decks));
}

TEST(PuntoBanco_STANDARDS_5_1, census_counts_the_published_integers) {
  using baccarat::Hand;
  struct Published {
    std::uint32_t decks;
    std::uint64_t banca, punto, tie, all;
  };
  for (const auto& row : {Published{8, 2'292'252'566'437'888U, 2'230'518'282'592'256U,
                                    475'627'426'473'216U, 4'998'398'275'503'360U},
                          Published{6, 403'095'751'234'560U, 392'220'492'728'832U,
                                    83'552'962'932'288U, 878'869'206'895'680U}}) {
    const auto counts = census(row.decks);
    EXPECT_EQ(counts.of(Hand::banca), row.banca) << row.decks;
    EXPECT_EQ(counts.of(Hand::punto), row.punto) << row.decks;
    EXPECT_EQ(counts.of(Hand::tie), row.tie) << row.decks;
    EXPECT_EQ(counts.draws(), row.all) << row.decks;
  }
  EXPECT_EQ(census(4).of(Hand::banca), 34'543'624'867'840U);
  EXPECT_EQ(census(4).of(Hand::punto), 33'608'344'225'792U);
}

TEST(PuntoBanco_STANDARDS_5_1, banca_wins_by_total_as_published) {
  const auto counts = census(8);
  EXPECT_EQ(counts.banca[6], 269'232'304'455'680U);
  EXPECT_EQ(counts.banca[7], 384'279'324'919'808U);
  EXPECT_EQ(counts.banca[8], 529'914'458'673'152U);
  EXPECT_EQ(counts.banca[9], 586'850'279'002'112U);
}

/// What a stake loses, in millionths of a per cent of it, rounded to the nearest.
std::int64_t edge_of(const Fraction& expected, std::uint64_t draws) {
  const Fraction millionths =
      Fraction(100'000'000) * expected / Fraction(static_cast<Int128>(draws), 1);
  return -(millionths + Fraction(Int128{1}, Int128{2})).floor();
}

TEST(PuntoBanco_STANDARDS_5_1, edges_are_the_published_ones) {
  using baccarat::Hand;
  struct Published {
    std::uint32_t decks;
    std::int64_t banca, punto, tie, no_commission;
  };
  for (const auto& row : {Published{8, 1'057'906, 1'235'081, 14'359'629, 1'458'104},
                          Published{6, 1'055'849, 1'237'415, 14'438'160, 1'454'808}}) {
    const auto counts = census(row.decks);
    const Fraction banca(static_cast<Int128>(counts.of(Hand::banca)), 1);
    const Fraction punto(static_cast<Int128>(counts.of(Hand::punto)), 1);
    const Fraction tie(static_cast<Int128>(counts.of(Hand::tie)), 1);
    const Fraction six(static_cast<Int128>(counts.banca[6]), 1);
    const auto all = counts.draws();
    EXPECT_EQ(edge_of(banca * Fraction(19, 20) - punto, all), row.banca);
    EXPECT_EQ(edge_of(punto - banca, all), row.punto);
    EXPECT_EQ(edge_of(tie * Fraction(8) - banca - punto, all), row.tie);
    EXPECT_EQ(edge_of(banca - six * Fraction(1, 2) - punto, all), row.no_commission);
  }
}

/// A coup as the engine deals it, card by card.
baccarat::Outcome dealt_by_hand(const Figures& rules, std::span<const Card, 6> cards) {
  std::vector<Card> punto, banca;
  int used = 0;
  for (char next = 'p'; (next = baccarat::next_hand(rules, punto, banca)) != 0; ++used) {
    (next == 'p' ? punto : banca).push_back(cards[static_cast<std::size_t>(used)]);
  }
  baccarat::Outcome out{baccarat::Hand::tie, baccarat::total(rules, punto),
                        baccarat::total(rules, banca), used};
  if (out.punto != out.banca)
    out.winner = out.punto > out.banca ? baccarat::Hand::punto : baccarat::Hand::banca;
  return out;
}

TEST(PuntoBanco, whole_coups_end_as_the_dealt_ones_for_all_values_of_six_cards) {
  const Figures rules = figures();
  std::array<Card, 6> cards;
  for (int code = 0; code < 1'000'000; ++code) {
    for (int k = 0, rest = code; k < 6; ++k, rest /= 10)
      cards[static_cast<std::size_t>(k)] = of_value(rest % 10);
    ASSERT_EQ(baccarat::play_coup(rules, cards), dealt_by_hand(rules, cards)) << code;
  }
}

TEST(PuntoBanco, catalogues_deal_and_draw_alike) {
  const auto first = figures();
  for (const auto* id : {"es-valencia-2003", "es-euskadi-2010"}) {
    const auto loaded = test::catalogue(id);
    for (const auto* game : {"punto-banco", "punto-banco-mini", "punto-banco-midi"}) {
      const auto* rules = loaded->game(game);
      if (rules == nullptr) continue;
      const auto other = *baccarat::read_figures(*rules);
      EXPECT_EQ(other.values, first.values) << id;
      EXPECT_EQ(other.burn, first.burn) << id;
      EXPECT_EQ(other.natural_total, first.natural_total) << id;
      EXPECT_EQ(other.punto_draws, first.punto_draws) << id;
      EXPECT_EQ(other.banca_draws, first.banca_draws) << id;
      EXPECT_EQ(rules->shoe->deck, "french52x6") << id;
      EXPECT_EQ(rules->shoe->stop_depth, 7U) << id;
    }
  }
}

TEST(PuntoBanco, rules_that_cannot_be_played_are_refused) {
  using Change = std::pair<std::string_view, std::string_view>;
  for (const auto& [from, to] : {
           Change{"covers = \"punto\"", "covers = \"jugador\""},
           Change{"allowed = [\"shoe-over\", \"one-last-hand\"]",
                  "allowed = [\"shoe-over\", \"two-last-hands\"]"},
           Change{"banca = [\n  \"TTTTTTTTTTT\"", "banca = [\n  \"TTTTTTTTTT\""},
           Change{"totals = [8, 9]", "totals = [8, 10]"},
           Change{"ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]",
                  "ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0]"},
           Change{"deck = \"french52x8\", stop_depth = 7", "deck = \"spanish40\", stop_depth = 7"},
           Change{"payouts = [{ pays = \"1:1\", cite = \"VI.1\", reading = \"A50\" }]",
                  "payouts = [{ pays = \"1:1\", cite = \"VI.1\" }, { when = \"natural\", pays = "
                  "\"2:1\", "
                  "cite = \"VI.1\" }]"},
           Change{"commission = \"5%\", cite = \"V\"",
                  "commission_parameter = \"burn_count\", cite = \"V\""},
           Change{"commission = \"5%\", cite = \"V\"",
                  "commission_parameter = \"no_such\", cite = \"V\""},
       }) {
    EXPECT_EQ(test::load_changed(from, to), "catalogue_malformed") << from << " -> " << to;
  }
}

/// Deals cards from a list, and opens one fresh shoe unless there is one.
class ListSource final : public CardSource, public DrawSource {
 public:
  ListSource(std::initializer_list<std::string_view> cards, bool shoe_is_open)
      : opened_(shoe_is_open) {
    add(cards);
  }
  void add(std::initializer_list<std::string_view> cards) {
    for (const auto text : cards) cards_.push_back(*Card::parse(text));
  }
  Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override {
    if (std::exchange(opened_, true)) return std::optional<ShoeOpened>();
    return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, false});
  }
  Result<Next> next_card(const DealPlace& /*place*/) override {
    if (at_ == cards_.size()) return Next{};
    return Next{true, cards_.at(at_++)};
  }
  Result<std::optional<Card>> reveal(const std::string& /*place*/) override {
    return std::optional<Card>();
  }
  Result<bool> shuffle(const Shuffle& /*need*/) override { return false; }
  Result<std::optional<DrawResult>> draw(const Draw& /*need*/) override {
    return std::optional<DrawResult>();
  }
  [[nodiscard]] std::size_t used() const { return at_; }

 private:
  std::vector<Card> cards_;
  std::size_t at_ = 0;
  bool opened_;
};

struct Played {
  std::map<std::string, Settlement> bets;
  std::size_t cards_used = 0;
  json::Value state;
};

/// One hand with 100 on each side, from these cards, in a shoe that is in play.
Played play(std::initializer_list<std::string_view> cards, Units stake = 100,
            Currency currency = {"ESP"}, std::optional<std::uint32_t> stop_after = {},
            json::Value params = {}) {
  const auto table = open_table("punto-banco", std::move(params), 25, std::move(currency));
  auto driver = *Driver::start(table);
  ListSource source(cards, true);
  EXPECT_TRUE(driver.apply(ShoeOpened{416, true}));
  if (stop_after) driver.set_stop_after(*stop_after);
  EXPECT_TRUE(driver.apply(test::stake("p", "punto", stake)));
  EXPECT_TRUE(driver.apply(test::stake("b", "banca", stake, {}, 2)));
  EXPECT_TRUE(driver.apply(CloseBets{}));
  const auto status = driver.advance(source, source);
  EXPECT_TRUE(status) << status.error().text();
  Played out;
  for (auto& one : driver.take_settlements()) out.bets[one.bet] = one;
  out.cards_used = source.used();
  out.state = driver.state().to_json();
  return out;
}

TEST(PuntoBanco_07_V, banca_that_wins_pays_even_money_less_five_per_cent_of_the_stake) {
  const auto played =
      play({"2H", "4D", "KS", "5C", "3H", "TH"});  // punto 2 draws 3: 5; banca 9 is natural
  EXPECT_EQ(played.cards_used, 4U);
  EXPECT_EQ(played.bets.at("b").result, BetResult::win);
  EXPECT_EQ(played.bets.at("b").returned, 195);
  EXPECT_EQ(played.bets.at("b").rule, "07 V");
  EXPECT_EQ(played.bets.at("p").result, BetResult::lose);
  EXPECT_EQ(played.bets.at("p").returned, 0);
}

TEST(PuntoBanco_07_V, rounding_goes_down_to_the_unit_and_the_remainder_is_named) {
  const auto played = play({"2H", "4D", "KS", "5C"}, 30);  // 58.5
  EXPECT_EQ(played.bets.at("b").returned, 58);
  EXPECT_EQ(played.bets.at("b").remainder, Fraction(Int128{1}, Int128{2}));
  Currency up{"ESP"};
  up.rounding = Rounding::up;
  EXPECT_EQ(play({"2H", "4D", "KS", "5C"}, 30, up).bets.at("b").returned, 59);
}

TEST(PuntoBanco_07_VI_1, punto_that_wins_is_paid_even_money_without_deduction) {
  const auto played = play({"4H", "KD", "4S", "6C"});
  EXPECT_EQ(played.bets.at("p").returned, 200);
  EXPECT_EQ(played.bets.at("p").rule, "07 VI.1");
  EXPECT_EQ(played.bets.at("b").result, BetResult::lose);
}

TEST(PuntoBanco_07_VI_1, equal_totals_make_the_hand_null_without_deduction) {
  const auto played = play({"7H", "7D", "KS", "KC"});
  for (const auto* id : {"p", "b"}) {
    EXPECT_EQ(played.bets.at(id).result, BetResult::void_) << id;
    EXPECT_EQ(played.bets.at(id).returned, 100) << id;
  }
}

TEST(PuntoBanco_07_VI_2, all_six_cards_are_used_when_both_hands_draw) {
  const auto played =
      play({"2H", "AD", "3S", "2C", "6H", "5S", "9H"});  // 5 + 6 = 1; banca 3 draws on 6: 8
  EXPECT_EQ(played.cards_used, 6U);
  EXPECT_EQ(played.bets.at("b").result, BetResult::win);
}

TEST(PuntoBanco_07_V, maximum_is_fifty_or_a_hundred_times_the_minimum_as_the_table_says) {
  const auto fifty = open_table("punto-banco", json::Object{{"max_multiple", 50}});
  const auto hundred = open_table("punto-banco", json::Object{{"max_multiple", 100}});
  for (const auto& [table, max] : {std::pair(&fifty, 1250), std::pair(&hundred, 2500)}) {
    auto state = test::must(*table, test::start(*table), ShoeOpened{416, true});
    EXPECT_EQ(test::refusal(*table, state, test::stake("b", "punto", max + 25)), "above_maximum");
    EXPECT_EQ(test::refusal(*table, state, test::stake("b", "punto", 24)), "below_minimum");
    state = test::must(*table, state, test::stake("b", "punto", max));
    EXPECT_EQ(test::refusal(*table, state, test::stake("c", "punto", 25)), "above_maximum");
    EXPECT_EQ(test::refusal(*table, state, test::stake("c", "banca", 25)), "");
  }
  auto config =
      TableConfig{"punto-banco", {"ESP"}, 25, std::nullopt, json::Object{{"max_multiple", 75}}};
  EXPECT_TRUE(Table::open(test::catalogue(), config).error().is(Errc::parameter_not_allowed));
}

TEST(PuntoBanco_07_I, there_is_no_bet_on_the_tie) {
  const auto table = open_table("punto-banco");
  const auto state = test::must(table, test::start(table), ShoeOpened{416, true});
  EXPECT_EQ(test::refusal(table, state, test::stake("b", "empate", 25)), "bet_kind_unknown");
  EXPECT_EQ(test::refusal(table, state, test::stake("b", "tie", 25)), "bet_kind_unknown");
}

/// Cards that leave a fresh shoe before betting can bring a hand, with that exposed card.
std::size_t burned(std::string_view exposed, json::Value params = {}) {
  const auto table = open_table("punto-banco", std::move(params));
  auto driver = *Driver::start(table);
  ListSource source(
      {exposed, "2H", "2H", "2H", "2H", "2H", "2H", "2H", "2H", "2H", "2H", "2H", "2H", "2H"},
      false);
  EXPECT_TRUE(driver.advance(source, source));
  EXPECT_NE(find_need<BetsOpen>(driver.needs()), nullptr);
  EXPECT_EQ(driver.shoe()->dealt, source.used());
  for (const auto& event : driver.take_events()) {
    const auto* card = std::get_if<CardDealt>(&event);
    if (card != nullptr && card->place == "basket") {
      EXPECT_FALSE(card->card);
    }
  }
  return source.used();
}

TEST(PuntoBanco_07_VII, exposed_card_burns_as_many_as_it_is_worth_figures_ten) {
  EXPECT_EQ(burned("AS"), 2U);
  EXPECT_EQ(burned("7D"), 8U);
  for (const auto* ten : {"TH", "JH", "QH", "KH"}) EXPECT_EQ(burned(ten), 11U) << ten;
}

TEST(PuntoBanco_07_VII_A53, exposed_card_counts_among_the_burned_in_the_other_reading) {
  EXPECT_EQ(burned("7D", json::Object{{"burn_count", "value-including-exposed"}}), 7U);
  EXPECT_EQ(burned("AS", json::Object{{"burn_count", "value-including-exposed"}}), 1U);
}

TEST(PuntoBanco_07_VII, stop_card_in_a_hand_lets_it_finish_and_ends_the_shoe) {
  for (std::uint32_t after = 1; after < 4; ++after) {
    const auto played = play({"2H", "4D", "KS", "5C"}, 100, {"ESP"}, after);
    EXPECT_EQ(played.bets.at("b").returned, 195) << after;
    EXPECT_EQ(played.state.find("shoe")->string(), "over") << after;
  }
  EXPECT_EQ(play({"2H", "4D", "KS", "5C"}, 100, {"ESP"}, 4).state.find("shoe")->string(),
            "in-play");
}

TEST(PuntoBanco_07_VII_A3, stop_card_before_a_hand_ends_the_shoe_and_frees_the_stakes) {
  const auto played = play({"2H", "4D", "KS", "5C"}, 100, {"ESP"}, 0);
  EXPECT_EQ(played.cards_used, 0U);
  EXPECT_EQ(played.bets.at("b").result, BetResult::void_);
  EXPECT_EQ(played.bets.at("b").returned, 100);
  EXPECT_EQ(played.state.find("shoe")->string(), "over");
  const auto last = play({"2H", "4D", "KS", "5C"}, 100, {"ESP"}, 0,
                         json::Object{{"stop_card_first", "one-last-hand"}});
  EXPECT_EQ(last.bets.at("b").returned, 195);
  EXPECT_EQ(last.state.find("shoe")->string(), "over");
}

TEST(PuntoBanco_07_VII, stop_card_stands_seven_cards_before_the_end_of_416) {
  const auto table = open_table("punto-banco");
  auto driver = *Driver::start(table);
  ASSERT_TRUE(driver.apply(ShoeOpened{416, true}));
  EXPECT_EQ(driver.shoe()->stop_after, 409U);
}

TEST(PuntoBanco, bets_need_a_shoe_and_are_closed_while_a_hand_is_dealt_and_after_the_shoe) {
  const auto table = open_table("punto-banco");
  auto state = test::start(table);
  EXPECT_EQ(test::refusal(table, state, test::stake("b", "punto", 25)), "no_shoe");
  EXPECT_EQ(test::refusal(table, state, ShoeOpened{312, true}), "card_invalid");
  state = test::must(table, state, ShoeOpened{416, true});
  state = test::must(table, state, CloseBets{});
  EXPECT_EQ(test::refusal(table, state, test::stake("b", "punto", 25)), "bets_closed");
  EXPECT_EQ(test::refusal(table, state, ShoeOpened{416, true}), "not_due");
  EXPECT_EQ(test::refusal(table, state, ShoeClosed{}), "not_due");
  EXPECT_EQ(test::refusal(table, state, (CardDealt{"banca-1", Face::open, of_value(3)})),
            "place_unknown");
  EXPECT_EQ(test::refusal(table, state, (CardDealt{"punto-1", Face::covered, std::nullopt})),
            "place_unknown");
  EXPECT_EQ(test::refusal(table, state, (CardDealt{"punto-1", Face::open, Card::joker()})),
            "card_invalid");
  EXPECT_EQ(test::refusal(table, state, (Misdeal{"stuck-cards", std::nullopt})), "misdeal_unknown");
  state = test::must(table, state, StopCard{});
  EXPECT_EQ(test::refusal(table, state, test::stake("b", "punto", 25)), "shoe_finished");
  state = test::must(table, state, ShoeClosed{});
  EXPECT_EQ(test::refusal(table, state, test::stake("b", "punto", 25)), "no_shoe");
}

}  // namespace
}  // namespace talla::games
