// Goal: trente et quarante pays by the text (05 of es-1977, es-valencia-2003, es-euskadi-2010), and
// 31-31 comes as often as published.
// Method: the four chances written out a second time; row totals of six decks from a count over all
// rows (floating point: the published figures are decimals), with the engine's own points; random
// play with every state restored from its bytes; catalogue blocks broken one by one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "engines/trente/rules.hpp"
#include "games/driver.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

int one_if(bool same) {
  return same ? 1 : 0;
}

using test::open_table;
using trente::Chance;

TEST(TrenteEtQuarante_05_V_1, four_chances_by_winning_row_and_first_card) {
  for (const bool red_wins : {false, true}) {
    for (const bool first_is_red : {false, true}) {
      EXPECT_EQ(trente::wins(Chance::rojo, red_wins, first_is_red), red_wins);
      EXPECT_NE(trente::wins(Chance::negro, red_wins, first_is_red), red_wins);
      const bool color = red_wins ? first_is_red : !first_is_red;
      EXPECT_EQ(trente::wins(Chance::color, red_wins, first_is_red), color);
      EXPECT_NE(trente::wins(Chance::inverso, red_wins, first_is_red), color);
    }
  }
}

TEST(TrenteEtQuarante_05_II_1, points_of_the_thirteen_ranks) {
  const auto table = open_table("trente-et-quarante");
  const auto figures = *trente::read_figures(table.rules());
  for (int rank = 1; rank <= 13; ++rank) {
    const std::array<Card, 1> row{Card::of(rank, shuffle::Suit::clubs)};
    EXPECT_EQ(trente::row_total(figures, row), std::min(rank, 10)) << rank;
  }
}

/// Probability of each pair of totals 31-40 when both rows come from six full decks. A row is a
/// prefix of at most 30 points in any order, and the card that passes 30. The order of cards is
/// exchangeable, so that for given last cards the prefixes of both rows are counted value by value:
/// falling factorials of what is left of a value, over the factorials of how often each row has it.
class RowPairs {
 public:
  using Real = double;
  RowPairs() {
    for (int first = 1; first <= 10; ++first) {
      for (int second = first; second <= 10; ++second) add(first, second);
    }
  }
  [[nodiscard]] Real of(int black, int red) const { return sums_.at(index(black)).at(index(red)); }
  [[nodiscard]] Real black(int total) const {
    Real sum = 0;
    for (int red = 31; red <= 40; ++red) sum += of(total, red);
    return sum;
  }

 private:
  static constexpr int reach = 31;
  static constexpr std::size_t side = 31;  // cards and points of a prefix: 0 to 30
  static constexpr std::size_t prefixes = side * (side + 1) / 2;
  using Layer = std::vector<Real>;  // [prefix 1][prefix 2]
  static std::size_t index(int total) { return static_cast<std::size_t>(total - reach); }
  /// A prefix of n cards and s >= n points.
  static std::size_t prefix(int n, int s) { return static_cast<std::size_t>(s * (s + 1) / 2 + n); }
  static std::size_t at(int n1, int s1, int n2, int s2) {
    return prefix(n1, s1) * prefixes + prefix(n2, s2);
  }
  static int cards_of(int value) { return value == 10 ? 96 : 24; }

  /// ways[a][b]: left x (left - 1) x ... (a + b factors) / (a! b!).
  static std::array<std::array<Real, side>, side> ways(int left) {
    std::array<std::array<Real, side>, side> out{};
    for (std::size_t a = 0; a < side; ++a) {
      for (std::size_t b = 0; b < side; ++b) {
        Real w = 1;
        for (std::size_t k = 0; k < a + b; ++k) w *= std::max(left - static_cast<int>(k), 0);
        for (std::size_t k = 2; k <= a; ++k) w /= static_cast<Real>(k);
        for (std::size_t k = 2; k <= b; ++k) w /= static_cast<Real>(k);
        out[a][b] = w;
      }
    }
    return out;
  }

  static Layer step(const Layer& from, int value, int left) {
    Layer to(from.size(), 0);
    const auto factor = ways(left);
    for (int s1 = 0; s1 < reach; ++s1) {
      for (int n1 = 0; n1 <= s1; ++n1) {
        for (int s2 = 0; s2 < reach; ++s2) {
          for (int n2 = 0; n2 <= s2; ++n2) {
            const Real weight = from[at(n1, s1, n2, s2)];
            if (weight == 0) continue;
            for (int a = 0; s1 + a * value < reach; ++a) {
              for (int b = 0; s2 + b * value < reach; ++b) {
                to[at(n1 + a, s1 + a * value, n2 + b, s2 + b * value)] +=
                    weight * factor[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
              }
            }
          }
        }
      }
    }
    return to;
  }

  /// Both orders of two different last cards at once: the rows may be exchanged.
  void add(int first, int second) {
    Layer layer(prefixes * prefixes, 0);
    layer[at(0, 0, 0, 0)] = 1;
    for (int value = 10; value >= 2; --value) {
      layer =
          step(layer, value, cards_of(value) - one_if(value == first) - one_if(value == second));
    }
    const auto aces = ways(24 - one_if(first == 1) - one_if(second == 1));
    const Real lasts =
        static_cast<Real>(cards_of(first)) * (cards_of(second) - one_if(first == second));
    for (int s1 = 0; s1 < reach; ++s1) {
      for (int n1 = 0; n1 <= s1; ++n1) {
        for (int s2 = 0; s2 < reach; ++s2) {
          for (int n2 = 0; n2 <= s2; ++n2) {
            const Real weight = layer[at(n1, s1, n2, s2)];
            if (weight == 0) continue;
            for (int a = std::max(0, reach - first - s1); s1 + a < reach; ++a) {
              for (int b = std::max(0, reach - second - s2); s2 + b < reach; ++b) {
                Real p =
                    lasts * weight * aces[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
                for (int k = 2; k <= n1 + a; ++k) p *= k;  // orders of the prefixes
                for (int k = 2; k <= n2 + b; ++k) p *= k;
                for (int k = 0; k < n1 + a + n2 + b + 2; ++k) p /= 312 - k;
                sums_.at(index(s1 + a + first)).at(index(s2 + b + second)) += p;
                if (first != second)
                  sums_.at(index(s2 + b + second)).at(index(s1 + a + first)) += p;
              }
            }
          }
        }
      }
    }
  }
  std::array<std::array<Real, 10>, 10> sums_{};
};

const RowPairs& row_pairs() {
  static const RowPairs pairs;
  return pairs;
}

TEST(TrenteEtQuarante_STANDARDS_5_2, totals_of_a_row_of_six_decks_are_the_published_ones) {
  const std::array<double, 10> published{.148057777, .137826224, .127576652, .116865052,
                                         .106151668, .094992448, .083858996, .072302455,
                                         .060800856, .051567873};
  double sum = 0;
  for (int total = 31; total <= 40; ++total) {
    const auto p = row_pairs().black(total);
    EXPECT_NEAR(p, published.at(static_cast<std::size_t>(total - 31)), 6e-10) << total;
    sum += p;
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(TrenteEtQuarante_STANDARDS_5_2, ties_and_edges_are_the_published_ones) {
  double refait = 0;
  double ties = 0;
  double black = 0;
  for (int b = 31; b <= 40; ++b) {
    for (int r = 31; r <= 40; ++r) {
      const auto p = row_pairs().of(b, r);
      if (b < r) black += p;
      if (b == r) (b == 31 ? refait : ties) += p;
    }
  }
  EXPECT_NEAR(refait, 0.0218913705, 6e-11);
  EXPECT_NEAR(ties, 0.0877075427, 6e-11);
  EXPECT_NEAR(black, 0.4452005434, 6e-11);
  EXPECT_NEAR(100 * refait / 2, 1.09456852, 6e-9);  // half of the stake at 31-31
  EXPECT_NEAR(2 * black, 0.8904, 5e-5);             // premium kept-when-decided, % of the stake
  EXPECT_NEAR(1 - refait, 0.9781, 5e-5);            // kept-unless-refait
}

/// Deals from a list and opens one shoe.
class Cards final : public CardSource, public DrawSource {
 public:
  explicit Cards(std::vector<Card> cards) : cards_(std::move(cards)) {}
  Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override {
    return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, false});
  }
  Result<Next> next_card(const DealPlace& /*place*/) override {
    return Next{true, cards_.at(at_++ % cards_.size())};
  }
  Result<std::optional<Card>> reveal(const std::string& /*place*/) override {
    return std::optional<Card>();
  }
  Result<bool> shuffle(const Shuffle& /*need*/) override { return false; }
  Result<std::optional<DrawResult>> draw(const Draw& /*need*/) override {
    return std::optional<DrawResult>();
  }

 private:
  std::vector<Card> cards_;
  std::size_t at_ = 0;
};

RC_GTEST_PROP(TrenteEtQuarante,
              equal_stakes_on_opposite_chances_leave_the_house_nothing_but_at_31_31, ()) {
  const auto table = open_table("trente-et-quarante");
  std::vector<Card> cards;
  cards.reserve(60);
  for (int i = 0; i < 60; ++i)
    cards.push_back(Card::of(*rc::gen::inRange(1, 14),
                             *rc::gen::element(shuffle::Suit::hearts, shuffle::Suit::spades)));
  Cards source(std::move(cards));
  auto driver = *Driver::start(table);
  RC_ASSERT(driver.advance(source, source).has_value());
  for (int coup = 0; coup < 40; ++coup) {
    const auto id = std::to_string(coup);
    if (find_need<BetsOpen>(driver.needs()) == nullptr)
      RC_ASSERT(driver.advance(source, source).has_value());
    for (const auto* kind : {"rojo", "negro", "color", "inverso"}) {
      RC_ASSERT(driver.apply(test::stake(id + kind, kind, 100)).has_value());
    }
    RC_ASSERT(driver.apply(CloseBets{}).has_value());
    static_cast<void>(driver.take_settlements());
    RC_ASSERT(driver.advance(source, source).has_value());
    Units in = 0;
    Units out = 0;
    bool refait = false;
    for (const auto& one : driver.take_settlements()) {
      if (!one.bet.starts_with(id) || one.bet.size() - id.size() > 7) continue;
      if (std::isdigit(static_cast<unsigned char>(one.bet[id.size()])) != 0) continue;
      refait = refait || one.result == BetResult::prison;
      in += one.stake;
      out += one.returned;
    }
    RC_ASSERT(in == 400);
    RC_ASSERT(out == (refait ? 0 : 400));
    const auto restored = table.engine().restore(table, driver.state().to_json());
    RC_ASSERT(restored.has_value());
    RC_ASSERT(restored->canonical() == driver.state().canonical());
  }
}

TEST(TrenteEtQuarante_05_V_1, a_premium_that_was_rounded_comes_back_from_json) {
  Currency euro{"EUR"};
  euro.rounding = Rounding::up;
  const auto table = Table::open(test::catalogue("es-euskadi-2010"),
                                 {"trente-et-quarante", euro, 1, std::nullopt,
                                  json::Object{{"insurance_threshold", 1}, {"max_multiple", 50}}});
  ASSERT_TRUE(table) << table.error().text();
  State state = test::must(*table, test::start(*table), ShoeOpened{312, false});
  state = test::must(*table, state, test::stake("r", "rojo", 50));
  const PlaceBet premium{"s", 1, std::nullopt, "seguro", {"rojo"}, 1};  // 1 % of 50 is half a unit
  test::expect_round_trip(*table, test::must(*table, state, premium));
}

TEST(TrenteEtQuarante, a_state_that_no_play_leads_to_is_refused) {
  const auto table = open_table("trente-et-quarante");
  for (
      const auto* text : {
          R"({"phase":"dealing","shoe":"none"})",
          R"({"phase":"betting","shoe":"in-play","negra":["KS"]})",
          R"({"phase":"dealing","shoe":"in-play","roja":["KS"]})",
          R"({"phase":"dealing","shoe":"in-play","negra":["KS","KS"],"roja":["KS"]})",
          R"({"phase":"over","shoe":"in-play","negra":["KS","KS","KS","KS","KS"]})",
          R"({"phase":"dealing","shoe":"in-play","negra":["KS","KS","KS","KS"],"roja":["KS","KS","KS","KS"]})",
          R"({"phase":"finished","shoe":"in-play"})",
          R"({"phase":"betting","shoe":"in-play","bets":[]})",
          R"({"phase":"betting","shoe":"in-play","bets":[{"id":"s","seat":1,"kind":"seguro","on":["rojo"],"stake":10}]})",
          R"({"phase":"betting","shoe":"in-play","prison":[{"bet":{"id":"s","seat":1,"kind":"seguro","on":["rojo"],"stake":10},"times":1}]})",
          R"({"phase":"betting","shoe":"in-play","prison":[{"bet":{"id":"b","seat":1,"kind":"rojo","stake":10},"times":0}]})",
          R"({"phase":"betting","shoe":"in-play","more":1})",
      }) {
    const auto value = json::parse(text);
    ASSERT_TRUE(value) << text;
    const auto restored = table.engine().restore(table, *value);
    ASSERT_FALSE(restored) << text;
    EXPECT_TRUE(restored.error().is(Errc::state_malformed)) << text << restored.error().text();
  }
}

TEST(TrenteEtQuarante, rules_that_cannot_be_played_are_refused) {
  using Change = std::pair<std::string_view, std::string_view>;
  for (const auto& [from, to] : {
           Change{"reach = 31", "reach = 0"},
           Change{"\ntotal = 31", "\ntotal = 30"},
           Change{"\ntotal = 31", "\ntotal = 41"},
           Change{"rate = \"1%\"", "rate = \"0\""},
           Change{"ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]",
                  "ranks = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]"},
           Change{"null_parameter = \"prison_on_void\"", "null_parameter = \"limit_scope\""},
           Change{"premium_parameter = \"insurance_premium_policy\"",
                  "premium_parameter = \"prison_on_void\""},
           Change{"threshold_parameter = \"insurance_threshold\"",
                  "threshold_parameter = \"prison_on_void\""},
           Change{"bet = \"seguro\"", "bet = \"rojo\""},
           Change{"covers = \"inverso\"", "covers = \"color\""},
           Change{"covers = [[\"rojo\"], [\"negro\"], [\"color\"], [\"inverso\"]]",
                  "covers = [[\"rojo\"], [\"verde\"]]"},
           Change{"when = \"returned\", pays = \"0\"", "when = \"returned\", pays = \"1:1\""},
           Change{"deck = \"french52x6\", stop_depth = 5", "deck = \"spanish40\", stop_depth = 5"},
       }) {
    EXPECT_EQ(test::load_changed(from, to), "catalogue_malformed") << from << " -> " << to;
  }
  EXPECT_EQ(test::load_changed("reach = 31", "reach = 31"), "");
}

}  // namespace
}  // namespace talla::games
