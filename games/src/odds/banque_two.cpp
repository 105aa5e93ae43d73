// Baccarat with two cloths: every hand counted by what the banker knows when he decides.
#include <algorithm>
#include <numeric>

#include "base/check.hpp"
#include "odds/banque.hpp"

namespace talla::games::banque {
namespace {

__extension__ using WideCount = unsigned __int128;

constexpr std::size_t cloth_stands = 10;
constexpr std::size_t cloth_shown = 11;
constexpr std::size_t cloth_columns = 12;
constexpr std::size_t bank_totals = 8;  // totals with which the bank may draw

/// Ordered draws of nine cards, by how both cloths ended.
using TwoEnds = std::array<std::array<WideCount, 3>, 3>;

/// What a cloth has in the end, and what everybody sees of it.
struct ClothEnd {
  std::size_t total = 0;
  std::size_t column = cloth_stands;
};

class TwoHands {
 public:
  TwoHands(const Law& law, const TwoClothsLaw& more, const Values& cards, Free free)
      : law_(law),
        more_(more),
        left_(cards),
        cards_(std::accumulate(cards.begin(), cards.end(), 0U)),
        draws_{free != Free::stands, free == Free::draws},
        ends_(bank_totals * cloth_columns * cloth_columns * 2) {
    TALLA_CHECK(cards_ >= 9);
    TALLA_CHECK(cards_ <= 312);
    each_pair(1, [&](WideCount ways, std::size_t first) {
      each_pair(ways, [&](WideCount both, std::size_t second) { two_hands(both, first, second); });
    });
  }

  [[nodiscard]] const TwoEnds& naturals() const { return naturals_; }
  [[nodiscard]] const TwoEnds& at(std::size_t bank, std::size_t first, std::size_t second,
                                  bool draws) const {
    return ends_[index(bank, first, second, draws)];
  }
  [[nodiscard]] WideCount draws() const { return rest(9); }

 private:
  static std::size_t index(std::size_t bank, std::size_t first, std::size_t second, bool draws) {
    return ((bank * cloth_columns + first) * cloth_columns + second) * 2 + (draws ? 1 : 0);
  }
  /// Orders of so many cards of those that are left.
  [[nodiscard]] WideCount rest(std::uint32_t count) const {
    WideCount out = 1;
    for (std::uint32_t i = 0; i < count; ++i) out *= cards_ - i;
    return out;
  }
  /// Pairs of values, each once.
  template <class Visit>
  void each_pair(WideCount ways, Visit visit) {
    for (std::size_t a = 0; a < 10; ++a) {
      for (std::size_t b = a; b < 10; ++b) {
        if (left_.at(a) == 0 || left_.at(b) < (a == b ? 2U : 1U)) continue;
        WideCount more = ways * left_.at(a)--;
        more *= left_.at(b)--;
        if (a != b) more *= 2;
        cards_ -= 2;
        visit(more, (a + b) % 10);
        cards_ += 2;
        ++left_.at(a);
        ++left_.at(b);
      }
    }
  }
  /// The third card of a cloth, if it asks for one.
  template <class Visit>
  void third(WideCount ways, std::size_t total, bool draws, Visit visit) {
    if (law_.points.natural_total.at(total)) return visit(ways, ClothEnd{total, cloth_shown});
    if (!law_.punto_draws.at(total) && !(law_.punto_free.at(total) && draws))
      return visit(ways, ClothEnd{total, cloth_stands});
    for (std::size_t value = 0; value < 10; ++value) {
      if (left_.at(value) == 0) continue;
      const WideCount more = ways * left_.at(value)--;
      --cards_;
      visit(more, ClothEnd{(total + value) % 10, value});
      ++cards_;
      ++left_.at(value);
    }
  }

  void two_hands(WideCount ways, std::size_t first, std::size_t second) {
    each_pair(1, [&](WideCount pair, std::size_t bank) {
      // A natural of the bank: nobody draws.
      if (law_.points.natural_total.at(bank))
        naturals_.at(end(first, bank)).at(end(second, bank)) += ways * pair * rest(3);
    });
    third(ways, first, draws_.at(0), [&](WideCount more, const ClothEnd& one) {
      third(more, second, draws_.at(1),
            [&](WideCount both, const ClothEnd& other) { bank(both, one, other); });
    });
  }

  /// All that the bank may have, and its card.
  void bank(WideCount ways, const ClothEnd& first, const ClothEnd& second) {
    std::array<std::uint64_t, bank_totals> pairs{};
    std::array<std::array<std::uint64_t, 10>, bank_totals> cards{};
    for (std::size_t a = 0; a < 10; ++a) {
      for (std::size_t b = 0; b < 10; ++b) {
        const std::size_t total = (a + b) % 10;
        if (law_.points.natural_total.at(total)) continue;
        const std::uint64_t twice = a == b ? 1 : 0;
        if (left_[a] == 0 || left_[b] <= twice) continue;
        const std::uint64_t pair = std::uint64_t{left_[a]} * (left_[b] - twice);
        pairs.at(total) += pair;
        for (std::size_t value = 0; value < 10; ++value) {
          const std::uint64_t gone = (value == a ? 1U : 0U) + (value == b ? 1U : 0U);
          if (left_[value] > gone) cards.at(total)[value] += pair * (left_[value] - gone);
        }
      }
    }
    // Two cards of the bank, then those cards that no cloth asked for.
    const std::uint32_t unasked =
        (first.column >= cloth_stands ? 1U : 0U) + (second.column >= cloth_stands ? 1U : 0U);
    WideCount behind = 1;
    for (std::uint32_t i = 0; i < unasked; ++i) behind *= cards_ - 3 - i;
    for (std::size_t total = 0; total < bank_totals; ++total) {
      TwoEnds& stands = ends_[index(total, first.column, second.column, false)];
      stands.at(end_of(first, total, false)).at(end_of(second, total, false)) +=
          ways * pairs.at(total) * (cards_ - 2) * behind;
      TwoEnds& draws = ends_[index(total, first.column, second.column, true)];
      for (std::size_t value = 0; value < 10; ++value) {
        const std::size_t now = (total + value) % 10;
        draws.at(end_of(first, now, true)).at(end_of(second, now, true)) +=
            ways * cards.at(total)[value] * behind;
      }
    }
  }

  static std::size_t end(std::size_t cloth, std::size_t bank) {
    return cloth > bank ? 2 : cloth == bank ? 1 : 0;
  }
  /// A natural keeps its rank against three cards.
  [[nodiscard]] std::size_t end_of(const ClothEnd& cloth, std::size_t bank, bool three) const {
    const bool ranks =
        cloth.column == cloth_shown && three && (cloth.total < 9 || more_.nine_beats);
    return ranks ? 2 : end(cloth.total, bank);
  }

  const Law& law_;
  const TwoClothsLaw& more_;
  Values left_;
  std::uint32_t cards_;
  std::array<bool, 2> draws_;
  TwoEnds naturals_{};
  std::vector<TwoEnds> ends_;
};

/// Where he may choose, what he does depends on what it is worth.
Cell two_cloths_duty_of(const Law& law, const TwoClothsLaw& more, std::size_t bank,
                        std::size_t first, std::size_t second, Banker banker) {
  std::vector<Cell> cells;
  for (const std::size_t column : {first, second})
    if (column != cloth_shown) cells.push_back(law.chart.at(bank).at(column));
  if (cells.empty()) return Cell::stand;
  if (more.natural_binds && cells.size() == 1)
    return cells[0] == Cell::optional ? Cell::draw : cells[0];
  const Cell free = bank == 0 && more.zero_draws ? Cell::draw : Cell::optional;
  if (banker == Banker::best) return free;
  return cells.front() == cells.back() && cells.front() != Cell::optional ? cells.front() : free;
}

/// What the banker keeps of equal stakes, the deduction paid, in units of one of them.
Fraction bank_worth(const Law& law, const TwoClothsLaw& more, std::size_t first,
                    std::size_t second) {
  const int net = 2 - static_cast<int>(first) - static_cast<int>(second);
  return Fraction(net) - deduction(law, more, first, second);
}

/// All hands, with what that banker does.
TwoCloths played_by(const Law& law, const TwoClothsLaw& more, const TwoHands& hands,
                    Banker banker) {
  TwoCloths out;
  std::array<std::array<WideInt, 3>, 3> counts;
  const auto add = [&](const TwoEnds& ends) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) counts.at(i).at(k) += WideInt(ends.at(i).at(k));
  };
  std::array<std::array<Fraction, 3>, 3> worths;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) worths.at(i).at(k) = bank_worth(law, more, i, k);
  const auto worth_of = [&](const TwoEnds& ends) {
    Ratio sum;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        if (ends.at(i).at(k) != 0)
          sum += Ratio(worths.at(i).at(k)) * Ratio(WideInt(ends.at(i).at(k)), 1);
    return sum;
  };
  add(hands.naturals());
  for (std::size_t bank = 0; bank < bank_totals; ++bank) {
    for (std::size_t first = 0; first < cloth_columns; ++first) {
      for (std::size_t second = 0; second < cloth_columns; ++second) {
        const TwoEnds& drawn = hands.at(bank, first, second, true);
        const TwoEnds& kept = hands.at(bank, first, second, false);
        const Cell cell = two_cloths_duty_of(law, more, bank, first, second, banker);
        const bool draws =
            cell == Cell::draw || (cell == Cell::optional && worth_of(drawn) > worth_of(kept));
        out.banker_draws.at(bank).at(first).at(second) = draws;
        add(draws ? drawn : kept);
      }
    }
  }
  const WideInt all(hands.draws());
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) out.ends.at(i).at(k) = Ratio(counts.at(i).at(k), all);
  return out;
}

}  // namespace

TwoClothsLaw two_cloths_law(const Table& table) {
  const Params& params = table.params();
  return {.zero_draws = params.choice(p_bank_zero) == "must-draw",
          .natural_binds = params.boolean(p_natural_binds),
          .nine_beats = params.choice(p_natural_nine) == "beats-three-cards",
          .gross = params.choice(p_deduction) == "gross"};
}

Fraction deduction(const Law& law, const TwoClothsLaw& more, std::size_t first,
                   std::size_t second) {
  const int net = 2 - static_cast<int>(first) - static_cast<int>(second);
  if (net <= 0) return 0;
  const int won = (first == 0 ? 1 : 0) + (second == 0 ? 1 : 0);
  return law.commission * Fraction(more.gross ? won : net);
}

std::pair<TwoCloths, TwoCloths> two_cloths(const Law& law, const TwoClothsLaw& more,
                                           const Values& cards, Free free) {
  TALLA_CHECK(free != Free::best);
  const TwoHands hands(law, more, cards, free);
  return {played_by(law, more, hands, Banker::best), played_by(law, more, hands, Banker::chart)};
}

}  // namespace talla::games::banque
