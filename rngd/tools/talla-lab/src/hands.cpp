#include "hands.hpp"

#include <algorithm>

namespace talla::lab {
namespace {

using stats::outcome::Alphabet;

constexpr std::size_t stood = 10;  // punto took no third card

/// Banca takes a card: its total, punto's third card.
bool banca_draws(std::size_t total, std::size_t third) {
  if (third == stood) return total <= 5;
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

std::size_t class_of(std::size_t punto, std::size_t banca, bool natural) {
  return (punto > banca ? 0U : banca > punto ? 1U : 2U) + (natural ? 3U : 0U);
}

bool is_natural(std::size_t punto, std::size_t banca) {
  return punto >= 8 || banca >= 8;
}

std::size_t points(shuffle::Card card) {
  return card.rank() >= 10 ? 0U : static_cast<std::size_t>(card.rank());
}

/// A shoe by points, cards being taken out and put back.
class Points {
 public:
  explicit Points(std::uint32_t decks) : left_{16ULL * decks}, cards_(52ULL * decks) {
    for (std::size_t value = 1; value < 10; ++value) left_[value] = 4ULL * decks;
  }
  /// Calls with the number of ways for each value of the next card, that card being out.
  template <class Call>
  void each(Call call) {
    for (std::size_t value = 0; value < 10; ++value) {
      if (left_[value] == 0) continue;
      const std::uint64_t ways = left_[value]--;
      --cards_;
      call(value, ways);
      ++cards_;
      ++left_[value];
    }
  }
  [[nodiscard]] std::uint64_t cards() const { return cards_; }

 private:
  std::array<std::uint64_t, 10> left_;
  std::uint64_t cards_;
};

/// Probability of each row total by the cards drawn before the last one: any multiset of points
/// that sums below 31.
class Rows {
 public:
  explicit Rows(std::uint32_t decks) : cards_(52.0 * decks) {
    copies_.fill(4.0 * decks);
    copies_[10] = 16.0 * decks;
  }
  std::array<double, 10> run() {
    before(1, 0, 0, 1.0);
    return totals_;
  }

 private:
  /// `ways`: orders of the drawn cards by the copies of each value, over all ordered draws of as
  /// many cards.
  void before(std::size_t value, std::size_t sum, std::size_t drawn, double ways) {
    if (value == 11) {
      for (std::size_t last = 1; last <= 10; ++last) {
        if (sum + last < 31) continue;
        totals_[sum + last - 31] +=
            ways * (copies_[last] - used_[last]) / (cards_ - static_cast<double>(drawn));
      }
      return;
    }
    const double before_value = used_[value];
    for (std::size_t count = 0; sum + count * value <= 30; ++count) {
      if (count > 0) {
        const auto n = static_cast<double>(drawn + count);
        // One more of this value: the orders grow by n / count, the draws by its copies over the
        // cards left.
        ways *=
            n / static_cast<double>(count) * (copies_[value] - used_[value]) / (cards_ - n + 1.0);
        used_[value] += 1.0;
      }
      before(value + 1, sum + count * value, drawn + count, ways);
    }
    used_[value] = before_value;
  }
  double cards_;
  std::array<double, 11> copies_{}, used_{};
  std::array<double, 10> totals_{};
};

}  // namespace

std::array<std::uint64_t, 6> count_baccarat(std::uint32_t decks) {
  std::array<std::uint64_t, 6> counts{};
  Points shoe(decks);
  std::array<std::size_t, 4> value{};
  std::array<std::uint64_t, 4> ways{};
  const auto coup = [&] {
    const std::size_t punto = (value[0] + value[1]) % 10, banca = (value[2] + value[3]) % 10;
    const std::uint64_t dealt = ways[0] * ways[1] * ways[2] * ways[3];
    const auto ended = [&](std::size_t p, std::size_t b, std::uint64_t w, bool natural) {
      counts[class_of(p, b, natural)] += w;
    };
    const auto banca_card = [&](std::size_t p, std::size_t third, std::uint64_t w,
                                std::uint64_t rest) {
      if (!banca_draws(banca, third))
        return ended(p, banca, w * (third == stood ? shoe.cards() : 1) * rest, false);
      shoe.each([&](std::size_t card, std::uint64_t more) {
        ended(p, (banca + card) % 10, w * more * (third == stood ? rest : 1), false);
      });
    };
    const std::uint64_t left = shoe.cards();
    if (is_natural(punto, banca)) return ended(punto, banca, dealt * left * (left - 1), true);
    if (punto >= 6) return banca_card(punto, stood, dealt, left - 1);
    shoe.each([&](std::size_t card, std::uint64_t more) {
      banca_card((punto + card) % 10, card, dealt * more, left - 1);
    });
  };
  const auto deal = [&](auto&& self, std::size_t place) -> void {
    if (place == 4) return coup();
    shoe.each([&](std::size_t card, std::uint64_t more) {
      value[place] = card;
      ways[place] = more;
      self(self, place + 1);
    });
  };
  deal(deal, 0);
  return counts;
}

Alphabet baccarat_hands(std::uint32_t decks) {
  Alphabet hands;
  hands.names = {"punto", "banca", "tie", "punto-natural", "banca-natural", "tie-natural"};
  const auto counts = count_baccarat(decks);
  double all = 1.0;
  for (std::uint32_t i = 0; i < 6; ++i) all *= 52.0 * decks - i;
  for (const std::uint64_t count : counts)
    hands.probabilities.push_back(static_cast<double>(count) / all);
  return hands;
}

Alphabet trente_rows(std::uint32_t decks) {
  Alphabet rows;
  const auto totals = Rows(decks).run();
  for (std::size_t i = 0; i < totals.size(); ++i) {
    rows.names.push_back(std::to_string(31 + i));
    rows.probabilities.push_back(totals[i]);
  }
  return rows;
}

Alphabet poker_hands() {
  Alphabet hands;
  hands.names = {"high-card", "pair",       "two-pair", "three",         "straight",
                 "flush",     "full-house", "four",     "straight-flush"};
  for (const double count :
       {1302540.0, 1098240.0, 123552.0, 54912.0, 10200.0, 5108.0, 3744.0, 624.0, 40.0}) {
    hands.probabilities.push_back(count / 2598960.0);
  }
  return hands;
}

Alphabet blackjack_naturals(std::uint32_t decks) {
  const double cards = 52.0 * decks,
               natural = 2.0 * (4.0 * decks) * (16.0 * decks) / (cards * (cards - 1.0));
  return {{"other", "natural"}, {1.0 - natural, natural}};
}

Coup play_baccarat(std::span<const shuffle::Card> cards) {
  // Dealt in turn: punto, banca, punto, banca.
  std::size_t punto = (points(cards[0]) + points(cards[2])) % 10,
              banca = (points(cards[1]) + points(cards[3])) % 10;
  Coup coup{0, 4};
  const bool natural = is_natural(punto, banca);
  if (!natural) {
    std::size_t third = stood;
    if (punto <= 5) {
      third = points(cards[coup.cards++]);
      punto = (punto + third) % 10;
    }
    if (banca_draws(banca, third)) banca = (banca + points(cards[coup.cards++])) % 10;
  }
  coup.klass = class_of(punto, banca, natural);
  return coup;
}

std::size_t poker_hand(std::span<const shuffle::Card> cards) {
  std::array<int, 14> ranks{};
  bool flush = true;
  for (std::size_t i = 0; i < 5; ++i) {
    ++ranks[static_cast<std::size_t>(cards[i].rank())];
    flush = flush && cards[i].suit() == cards[0].suit();
  }
  std::array<int, 5> of{};  // how many ranks come so often
  for (const int count : ranks) ++of[static_cast<std::size_t>(count)];
  if (of[4] == 1) return 7;
  if (of[3] == 1) return of[2] == 1 ? 6 : 3;
  if (of[2] != 0) return of[2] == 2 ? 2 : 1;
  bool straight =
      ranks[1] == 1 && ranks[10] == 1 && ranks[11] == 1 && ranks[12] == 1 && ranks[13] == 1;
  for (std::size_t low = 1; low + 4 <= 13; ++low) {
    bool all = true;
    for (std::size_t i = 0; i < 5; ++i) all = all && ranks[low + i] == 1;
    straight = straight || all;
  }
  if (straight) return flush ? 8 : 4;
  return flush ? 5 : 0;
}

std::size_t blackjack_natural(std::span<const shuffle::Card> cards) {
  const int low = std::min(cards[0].rank(), cards[1].rank()),
            high = std::max(cards[0].rank(), cards[1].rank());
  return low == 1 && high >= 10 ? 1U : 0U;
}

}  // namespace talla::lab
