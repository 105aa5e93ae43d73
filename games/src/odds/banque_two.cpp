// Baccarat with two cloths: every hand counted by what the banker knows when he decides.
#include <algorithm>
#include <numeric>
#include <utility>

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

constexpr std::size_t all_totals = 10;

/// What was decided in a hand: each cloth's two-card total, and what everybody sees of it.
struct Decided {
  std::size_t first_total = 0;
  std::size_t first = cloth_stands;
  std::size_t second_total = 0;
  std::size_t second = cloth_stands;
};

/// All hands by what was decided in them, whatever the rules say of it.
class TwoHands {
 public:
  TwoHands(const Law& law, const TwoClothsLaw& more, const Values& cards)
      : law_(law),
        more_(more),
        left_(cards),
        cards_(std::accumulate(cards.begin(), cards.end(), 0U)),
        ends_(all_totals * cloth_columns * all_totals * cloth_columns * bank_totals * 2) {
    TALLA_CHECK(cards_ >= 9);
    TALLA_CHECK(cards_ <= 312);
    each_pair(1, [&](WideCount ways, std::size_t first) {
      each_pair(ways, [&](WideCount both, std::size_t second) { two_hands(both, first, second); });
    });
  }

  [[nodiscard]] const Law& law() const { return law_; }
  [[nodiscard]] const TwoClothsLaw& more() const { return more_; }
  [[nodiscard]] const TwoEnds& naturals() const { return naturals_; }
  [[nodiscard]] const TwoEnds& at(const Decided& cloths, std::size_t bank, bool draws) const {
    return ends_[index(cloths, bank, draws)];
  }
  [[nodiscard]] WideCount draws() const { return rest(9); }

 private:
  static std::size_t index(const Decided& cloths, std::size_t bank, bool draws) {
    const std::size_t first = cloths.first_total * cloth_columns + cloths.first;
    const std::size_t second = cloths.second_total * cloth_columns + cloths.second;
    return ((first * all_totals * cloth_columns + second) * bank_totals + bank) * 2 +
           (draws ? 1 : 0);
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
  /// A cloth without a third card, and with each that may come.
  template <class Visit>
  void third(WideCount ways, std::size_t total, Visit visit) {
    if (law_.points.natural_total.at(total)) return visit(ways, ClothEnd{total, cloth_shown});
    visit(ways, ClothEnd{total, cloth_stands});
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
    third(ways, first, [&](WideCount more, const ClothEnd& one) {
      third(more, second, [&](WideCount both, const ClothEnd& other) {
        bank(both, one, other, {first, one.column, second, other.column});
      });
    });
  }

  /// All that the bank may have, and its card.
  void bank(WideCount ways, const ClothEnd& first, const ClothEnd& second, const Decided& cloths) {
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
      TwoEnds& stands = ends_[index(cloths, total, false)];
      stands.at(end_of(first, total, false)).at(end_of(second, total, false)) +=
          ways * pairs.at(total) * (cards_ - 2) * behind;
      TwoEnds& draws = ends_[index(cloths, total, true)];
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
  TwoEnds naturals_{};
  std::vector<TwoEnds> ends_;
};

void add_ends(TwoEnds& sum, const TwoEnds& ends) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    for (std::size_t k = 0; k < sum.size(); ++k) sum.at(i).at(k) += ends.at(i).at(k);
}

/// The columns that a cloth shows when it draws, or stands, on that total.
std::pair<std::size_t, std::size_t> columns(const Law& law, std::size_t total, bool draws) {
  if (law.points.natural_total.at(total)) return {cloth_shown, cloth_shown + 1};
  return draws ? std::pair<std::size_t, std::size_t>(0, cloth_stands)
               : std::pair(cloth_stands, cloth_shown);
}

/// What the banker sees of hands in which players do what the rules want, and that with their free
/// total.
class SeenHands {
 public:
  SeenHands(const TwoHands& hands, Free free)
      : ends_(bank_totals * cloth_columns * cloth_columns * 2) {
    const Law& law = hands.law();
    const auto draws = [&](std::size_t total, bool with_free) {
      return law.punto_draws.at(total) || (law.punto_free.at(total) && with_free);
    };
    Decided now;
    for (now.first_total = 0; now.first_total < all_totals; ++now.first_total) {
      const auto [from, to] =
          columns(law, now.first_total, draws(now.first_total, free != Free::stands));
      for (now.second_total = 0; now.second_total < all_totals; ++now.second_total) {
        const auto [begin, end] =
            columns(law, now.second_total, draws(now.second_total, free == Free::draws));
        for (now.first = from; now.first < to; ++now.first)
          for (now.second = begin; now.second < end; ++now.second) add(hands, now);
      }
    }
  }
  [[nodiscard]] const TwoEnds& at(std::size_t bank, std::size_t first, std::size_t second,
                                  bool draws) const {
    return ends_[index(bank, first, second, draws)];
  }

 private:
  static std::size_t index(std::size_t bank, std::size_t first, std::size_t second, bool draws) {
    return ((bank * cloth_columns + first) * cloth_columns + second) * 2 + (draws ? 1 : 0);
  }
  void add(const TwoHands& hands, const Decided& now) {
    for (std::size_t bank = 0; bank < bank_totals; ++bank)
      for (const bool draws : {false, true})
        add_ends(ends_[index(bank, now.first, now.second, draws)], hands.at(now, bank, draws));
  }

  std::vector<TwoEnds> ends_;
};

/// Who makes banco, free on every total of both cloths, at his best against one banker: on the
/// second cloth he knows what became of the first.
class BancoReply {
 public:
  BancoReply(const TwoHands& hands, const BankerDraws& banker) : hands_(hands), banker_(banker) {}

  [[nodiscard]] TwoEnds ends() const {
    TwoEnds out = hands_.naturals();
    for (std::size_t total = 0; total < all_totals; ++total) {
      const TwoEnds stands = first(total, false);
      const TwoEnds draws = first(total, true);
      add_ends(out, gain(draws) > gain(stands) ? draws : stands);
    }
    return out;
  }

 private:
  static Int128 gain(const TwoEnds& ends) {
    Int128 out = 0;
    for (std::size_t i = 0; i < ends.size(); ++i)
      for (std::size_t k = 0; k < ends.size(); ++k)
        out += static_cast<Int128>(ends.at(i).at(k)) * (static_cast<int>(i + k) - 2);
    return out;
  }
  [[nodiscard]] TwoEnds first(std::size_t total, bool draws) const {
    TwoEnds out{};
    const auto [from, to] = columns(hands_.law(), total, draws);
    for (std::size_t column = from; column < to; ++column) {
      for (std::size_t other = 0; other < all_totals; ++other) {
        const TwoEnds stands = second({total, column, other, 0}, false);
        const TwoEnds drawn = second({total, column, other, 0}, true);
        add_ends(out, gain(drawn) > gain(stands) ? drawn : stands);
      }
    }
    return out;
  }
  [[nodiscard]] TwoEnds second(Decided cloths, bool draws) const {
    TwoEnds out{};
    const auto [from, to] = columns(hands_.law(), cloths.second_total, draws);
    for (cloths.second = from; cloths.second < to; ++cloths.second)
      for (std::size_t bank = 0; bank < bank_totals; ++bank)
        add_ends(out, hands_.at(cloths, bank, banker_.at(bank).at(cloths.first).at(cloths.second)));
    return out;
  }

  const TwoHands& hands_;
  const BankerDraws& banker_;
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

std::array<std::array<Ratio, 3>, 3> chances(const TwoEnds& ends, const WideInt& all) {
  std::array<std::array<Ratio, 3>, 3> out;
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < out.size(); ++k)
      out.at(i).at(k) = Ratio(WideInt(ends.at(i).at(k)), all);
  return out;
}

/// All hands, with what that banker does.
TwoCloths played_by(const TwoHands& hands, const SeenHands& seen, Banker banker) {
  const Law& law = hands.law();
  TwoCloths out;
  TwoEnds sum = hands.naturals();
  std::array<std::array<Fraction, 3>, 3> worths;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) worths.at(i).at(k) = bank_worth(law, hands.more(), i, k);
  const auto worth_of = [&](const TwoEnds& ends) {
    Ratio total;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        if (ends.at(i).at(k) != 0)
          total += Ratio(worths.at(i).at(k)) * Ratio(WideInt(ends.at(i).at(k)), 1);
    return total;
  };
  for (std::size_t bank = 0; bank < bank_totals; ++bank) {
    for (std::size_t first = 0; first < cloth_columns; ++first) {
      for (std::size_t second = 0; second < cloth_columns; ++second) {
        const TwoEnds& drawn = seen.at(bank, first, second, true);
        const TwoEnds& kept = seen.at(bank, first, second, false);
        const Cell cell = two_cloths_duty_of(law, hands.more(), bank, first, second, banker);
        const bool draws =
            cell == Cell::draw || (cell == Cell::optional && worth_of(drawn) > worth_of(kept));
        out.banker_draws.at(bank).at(first).at(second) = draws;
        add_ends(sum, draws ? drawn : kept);
      }
    }
  }
  const WideInt all(hands.draws());
  out.ends = chances(sum, all);
  out.banco = chances(BancoReply(hands, out.banker_draws).ends(), all);
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

std::vector<std::pair<TwoCloths, TwoCloths>> two_cloths(const Law& law, const TwoClothsLaw& more,
                                                        const Values& cards,
                                                        std::span<const Free> frees) {
  const TwoHands hands(law, more, cards);
  std::vector<std::pair<TwoCloths, TwoCloths>> out;
  for (const Free free : frees) {
    TALLA_CHECK(free != Free::best);
    const SeenHands seen(hands, free);
    out.emplace_back(played_by(hands, seen, Banker::best), played_by(hands, seen, Banker::chart));
  }
  return out;
}

}  // namespace talla::games::banque
