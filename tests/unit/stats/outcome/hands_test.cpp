// Goal: the laboratory's own counts of hands are exact and shared by the functions that judge dealt
//       cards.
// Method: published integers; every hand and every draw enumerated a second time.
#include "hands.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace talla;
using shuffle::Card;
using shuffle::Suit;

std::vector<Card> deck() {
  std::vector<Card> cards;
  for (const Suit suit : {Suit::clubs, Suit::diamonds, Suit::hearts, Suit::spades})
    for (int rank = 1; rank <= 13; ++rank) cards.push_back(Card::of(rank, suit));
  return cards;
}

TEST(LabHands, baccarat_equals_the_published_integers) {
  const auto eight = lab::count_baccarat(8), six = lab::count_baccarat(6);
  EXPECT_EQ(eight[1] + eight[4], 2'292'252'566'437'888U);
  EXPECT_EQ(eight[0] + eight[3], 2'230'518'282'592'256U);
  EXPECT_EQ(eight[2] + eight[5], 475'627'426'473'216U);
  EXPECT_EQ(six[1] + six[4], 403'095'751'234'560U);
  EXPECT_EQ(six[0] + six[3], 392'220'492'728'832U);
  EXPECT_EQ(six[2] + six[5], 83'552'962'932'288U);
  EXPECT_EQ(std::accumulate(eight.begin(), eight.end(), std::uint64_t{0}), 4'998'398'275'503'360U);
}

TEST(LabHands, every_draw_of_six_plays_as_it_is_counted) {
  std::array<std::uint64_t, 6> counts{};
  std::array<std::uint64_t, 10> copies{};
  copies.fill(32);
  copies[0] = 128;
  std::array<Card, 6> cards;
  const auto draw = [&](auto&& self, std::size_t place, std::uint64_t ways) -> void {
    if (place == 6) {
      counts[lab::play_baccarat(cards).klass] += ways;
      return;
    }
    for (std::size_t value = 0; value < 10; ++value) {
      cards[place] = Card::of(value == 0 ? 13 : static_cast<int>(value), Suit::hearts);
      const std::uint64_t now = ways * copies[value]--;
      self(self, place + 1, now);
      ++copies[value];
    }
  };
  draw(draw, 0, 1);
  EXPECT_EQ(counts, lab::count_baccarat(8));
}

TEST(LabHands, rows_of_trente_et_quarante_equal_the_published_figures) {
  const auto rows = lab::trente_rows(6);
  const std::vector<double> published = {.148057777, .137826224, .127576652, .116865052,
                                         .106151668, .094992448, .083858996, .072302455,
                                         .060800856, .051567873};
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_NEAR(rows.probabilities[i], published[i], 1e-9) << rows.names[i];
  EXPECT_NEAR(std::accumulate(rows.probabilities.begin(), rows.probabilities.end(), 0.0), 1.0,
              1e-12);
}

TEST(LabHands, every_hand_of_five_and_every_hand_of_two) {
  const auto cards = deck();
  std::array<double, 9> counts{};
  std::array<Card, 5> hand;
  for (std::size_t a = 0; a < 52; ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t c = 0; c < b; ++c)
        for (std::size_t d = 0; d < c; ++d)
          for (std::size_t e = 0; e < d; ++e) {
            hand = {cards[a], cards[b], cards[c], cards[d], cards[e]};
            counts[lab::poker_hand(hand)] += 1;
          }
  const auto poker = lab::poker_hands();
  for (std::size_t i = 0; i < counts.size(); ++i)
    EXPECT_NEAR(counts[i] / 2598960, poker.probabilities[i], 1e-15) << poker.names[i];
  double naturals = 0;
  for (const Card& a : cards) {
    for (const Card& b : cards) {
      if (a == b) continue;
      const std::array<Card, 2> two = {a, b};
      naturals += static_cast<double>(lab::blackjack_natural(two));
    }
  }
  EXPECT_NEAR(naturals / (52.0 * 51.0), lab::blackjack_naturals(1).probabilities[1], 1e-15);
}

}  // namespace
