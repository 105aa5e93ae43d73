// Goal: the best change of cards at draw poker is counted exactly.
// Method: decks of five ranks, where every deal can be played one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "deal.hpp"
#include "odds/poker/draw.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;
using Five = std::array<Place, five_cards>;

/// The aces and the highest ranks, suits one after the other.
std::vector<Card> small_deck(int ranks) {
  std::vector<Card> out;
  for (const Card card : deck("french52x1"))
    if (card.rank() == 1 || card.rank() + ranks > ranks_count + 1) out.push_back(card);
  return out;
}

class SmallDraw : public testing::Test {
 protected:
  const std::vector<Card> deck_ = small_deck(5);
  const Ranker ranker_ = ranker([] {
    auto order = five_card_order();
    order.lowest_rank = 10;
    return order;
  }());
  /// Trios and lower hands change their two lowest cards by code; two pair one; others none.
  const DrawLaw law_{
      .bank_plays_from = value(ranker_, "QC QD TH JS AC"),
      .second_bet = {{pair, 1},
                     {two_pair, 1},
                     {trio, 2},
                     {straight, 3},
                     {flush, 5},
                     {full, 7},
                     {four, 20},
                     {straight_flush, 25},
                     {royal_flush, 100}},
      .bank = [this](std::span<const Card, five_cards> hand) { return changes(hand); }};

  [[nodiscard]] unsigned changes(std::span<const Card, five_cards> hand) const {
    const Category is = ranker_.category(ranker_.five(hand));
    if (!ranker_.beats(straight, is)) return 0;
    const unsigned wanted = is == two_pair ? 1 : 2;
    unsigned bits = 0;
    unsigned count = 0;
    for (int rank = 10; rank <= 14 && count < wanted; ++rank) {
      for (std::size_t i = 0; i < hand.size() && count < wanted; ++i) {
        const int own = hand[i].rank() == 1 ? 14 : hand[i].rank();
        const auto same = std::ranges::count(hand, hand[i].rank(), &Card::rank);
        if (own != rank || same > 1) continue;
        bits |= 1U << i;
        ++count;
      }
    }
    return bits;
  }

  /// What the hand gains with these cards given up: every deal one by one.
  [[nodiscard]] Ratio played(const Five& hand, const std::vector<Place>& given_up) const {
    const std::vector<Place> gone = rest({hand.begin(), hand.end()});
    Ratio sum;
    std::int64_t finals = 0;
    each_set(gone, given_up.size(), [&](const std::vector<Place>& came) {
      std::vector<Place> last;
      for (const Place one : hand)
        if (std::ranges::find(given_up, one) == given_up.end()) last.push_back(one);
      last.insert(last.end(), came.begin(), came.end());
      std::vector<Place> out(hand.begin(), hand.end());
      out.insert(out.end(), came.begin(), came.end());
      sum += against(worth(last), rest(out));
      ++finals;
    });
    return sum / Ratio(finals);
  }

 private:
  [[nodiscard]] HandValue worth(const std::vector<Place>& hand) const {
    std::array<Card, five_cards> cards;
    for (std::size_t i = 0; i < five_cards; ++i) cards[i] = deck_[hand[i]];
    return ranker_.five(cards);
  }
  [[nodiscard]] std::vector<Place> rest(const std::vector<Place>& gone) const {
    std::vector<Place> out;
    for (std::size_t at = 0; at < deck_.size(); ++at) {
      const auto place = static_cast<Place>(at);
      if (std::ranges::find(gone, place) == gone.end()) out.push_back(place);
    }
    return out;
  }
  template <class Visit>
  static void each_set(const std::vector<Place>& from, std::size_t count, Visit visit) {
    std::vector<Place> at(count);
    for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<Place>(i);
    do {
      std::vector<Place> set;
      for (const Place one : at) set.push_back(from[one]);
      visit(set);
    } while (next_set(at, from.size()));
  }
  [[nodiscard]] std::int64_t gain(HandValue own, HandValue bank) const {
    if (bank < law_.bank_plays_from) return 1;
    if (own == bank) return 0;
    return own < bank ? -3 : 1 + 2 * law_.second_bet.gain(ranker_.category(own));
  }
  [[nodiscard]] Ratio against(HandValue own, const std::vector<Place>& left) const {
    Ratio sum;
    std::int64_t deals = 0;
    each_set(left, five_cards, [&](const std::vector<Place>& first) {
      std::array<Card, five_cards> cards;
      for (std::size_t i = 0; i < five_cards; ++i) cards[i] = deck_[first[i]];
      const unsigned goes = changes(cards);
      std::vector<Place> others;
      for (const Place one : left)
        if (std::ranges::find(first, one) == first.end()) others.push_back(one);
      std::int64_t gained = 0;
      std::int64_t draws = 0;
      const auto count = static_cast<std::size_t>(std::popcount(goes));
      each_set(others, count, [&](const std::vector<Place>& came) {
        std::vector<Place> last;
        for (std::size_t i = 0; i < five_cards; ++i)
          if ((goes >> i & 1U) == 0) last.push_back(first[i]);
        last.insert(last.end(), came.begin(), came.end());
        gained += gain(own, worth(last));
        ++draws;
      });
      sum += Ratio(Fraction(gained, draws));
      ++deals;
    });
    return sum / Ratio(deals);
  }
};

TEST_F(SmallDraw, every_way_to_change_cards_gains_what_all_its_deals_gain_one_by_one) {
  for (const Five& hand : {Five{0, 1, 5, 10, 19}, Five{2, 3, 4, 6, 12}}) {
    const auto odds = draw_odds(ranker_, deck_, law_, std::array<Five, 1>{hand});
    ASSERT_EQ(odds.choices.at(0).size(), 16U);
    for (const DrawChoice& one : odds.choices[0]) {
      if (one.given_up.size() == 2 && one.given_up != std::vector<Place>{hand[0], hand[3]})
        continue;  // each takes seconds
      EXPECT_EQ(one.gain, played(hand, one.given_up)) << one.given_up.size();
    }
    EXPECT_TRUE(std::ranges::is_sorted(odds.choices[0], std::ranges::greater(), &DrawChoice::gain));
  }
}

TEST_F(SmallDraw, more_cards_that_may_be_changed_never_lose_more) {
  Ratio before = -1;
  for (const std::size_t most : {0U, 1U, 2U}) {
    DrawLaw law = law_;
    law.most = most;
    const auto odds = draw_odds(ranker_, deck_, law).best.odds();
    EXPECT_EQ(odds.win + odds.lose + odds.other, Ratio(1));
    EXPECT_GT(odds.returned - odds.staked, before);
    before = odds.returned - odds.staked;
  }
}

}  // namespace
}  // namespace talla::games::poker
