// Chemin de fer: every hand counted by what was decided in it, and the two best replies.
#include <algorithm>
#include <numeric>

#include "base/check.hpp"
#include "odds/banque.hpp"

namespace talla::games::banque {
namespace {

constexpr std::size_t not_asked = 10;  // column of a player without a third card
constexpr std::size_t end_bank_wins = 0;
constexpr std::size_t end_player_wins = 2;

/// Ordered draws of six cards, by how the hand ended.
using OneEnds = std::array<std::int64_t, 3>;

std::size_t one_end_of(std::size_t player, std::size_t bank) {
  return player > bank ? end_player_wins : player == bank ? 1 : end_bank_wins;
}

/// All hands: those with a natural, and the others by the player's total, his third card, the
/// bank's total and whether it draws.
class OneHands {
 public:
  OneHands(const Law& law, const Values& cards)
      : law_(law), left_(cards), cards_(std::accumulate(cards.begin(), cards.end(), 0U)) {
    TALLA_CHECK(cards_ >= 6);
    TALLA_CHECK(cards_ <= 416);
    each_pair(1, [&](std::int64_t ways, std::size_t player) {
      each_pair(ways, [&](std::int64_t more, std::size_t bank) { hand(more, player, bank); });
    });
  }

  [[nodiscard]] const OneEnds& naturals() const { return naturals_; }
  [[nodiscard]] const OneEnds& at(std::size_t player, std::size_t column, std::size_t bank,
                                  bool draws) const {
    return ends_[(((player * 11) + column) * 10 + bank) * 2 + (draws ? 1 : 0)];
  }
  [[nodiscard]] std::int64_t draws() const {
    std::int64_t out = 1;
    for (std::int64_t i = 0; i < 6; ++i) out *= static_cast<std::int64_t>(cards_) - i;
    return out;
  }

 private:
  template <class Visit>
  void each_card(std::int64_t ways, Visit visit) {
    for (std::size_t value = 0; value < 10; ++value) {
      if (left_.at(value) == 0) continue;
      const std::int64_t more = ways * left_.at(value)--;
      --cards_;
      visit(more, value);
      ++cards_;
      ++left_.at(value);
    }
  }
  template <class Visit>
  void each_pair(std::int64_t ways, Visit visit) {
    each_card(ways, [&](std::int64_t more, std::size_t first) {
      each_card(more,
                [&](std::int64_t both, std::size_t second) { visit(both, (first + second) % 10); });
    });
  }

  OneEnds& slot(std::size_t player, std::size_t column, std::size_t bank, bool draws) {
    return ends_[(((player * 11) + column) * 10 + bank) * 2 + (draws ? 1 : 0)];
  }

  /// What is not drawn lies in any order.
  void hand(std::int64_t ways, std::size_t player, std::size_t bank) {
    const auto rest = static_cast<std::int64_t>(cards_);
    if (law_.points.natural_total.at(player) || law_.points.natural_total.at(bank)) {
      naturals_.at(one_end_of(player, bank)) += ways * rest * (rest - 1);
      return;
    }
    slot(player, not_asked, bank, false).at(one_end_of(player, bank)) += ways * rest * (rest - 1);
    each_card(ways, [&](std::int64_t more, std::size_t card) {
      slot(player, not_asked, bank, true).at(one_end_of(player, (bank + card) % 10)) +=
          more * (rest - 1);
      const std::size_t total = (player + card) % 10;
      slot(player, card, bank, false).at(one_end_of(total, bank)) += more * (rest - 1);
      each_card(more, [&](std::int64_t both, std::size_t last) {
        slot(player, card, bank, true).at(one_end_of(total, (bank + last) % 10)) += both;
      });
    });
  }

  const Law& law_;
  Values left_;
  std::uint32_t cards_;
  OneEnds naturals_{};
  std::vector<OneEnds> ends_ = std::vector<OneEnds>(10 * 11 * 10 * 2);
};

using BankReply = std::array<std::array<Ratio, 11>, 8>;

class OneGame {
 public:
  OneGame(const Law& law, const Values& cards, Banker banker)
      : law_(law), banker_(banker), hands_(law, cards) {}

  [[nodiscard]] OneCloth solve(Free free) const {
    OneCloth out;
    if (free == Free::best) {
      balance(out.player_draws, out.banker_draws);
    } else {
      out.player_draws = free == Free::draws ? 1 : 0;
      out.banker_draws = reply(out.player_draws);
    }
    out.freedom_is_idle = true;
    for (std::size_t end = 0; end < 3; ++end)
      out.ends.at(end) = Ratio(Fraction(hands_.naturals().at(end), hands_.draws()));
    for (std::size_t total = 0; total < 10; ++total) {
      if (law_.points.natural_total.at(total)) continue;
      const Ratio often = draws_on(total, out.player_draws);
      const auto drawn = of_total(total, true, out.banker_draws);
      const auto not_drawn = of_total(total, false, out.banker_draws);
      for (std::size_t end = 0; end < 3; ++end) {
        out.ends.at(end) += often * drawn.at(end) + (Ratio(1) - often) * not_drawn.at(end);
      }
      const Ratio more = gain(drawn) - gain(not_drawn);
      const bool best = often == Ratio(1) ? more >= Ratio(0)
                        : often.is_zero() ? more <= Ratio(0)
                                          : more.is_zero();
      out.freedom_is_idle = out.freedom_is_idle && best;
    }
    return out;
  }

 private:
  [[nodiscard]] Ratio draws_on(std::size_t total, const Ratio& free) const {
    if (law_.punto_draws.at(total)) return 1;
    return law_.punto_free.at(total) ? free : Ratio(0);
  }
  [[nodiscard]] static Ratio gain(const std::array<Ratio, 3>& ends) {
    return ends.at(end_player_wins) - ends.at(end_bank_wins);
  }

  /// Whether the banker has to draw, must not, or may do either.
  [[nodiscard]] Cell duty(std::size_t bank, std::size_t column) const {
    if (banker_ == Banker::chart) return law_.chart.at(bank).at(column);
    return bank == 0 ? Cell::draw : Cell::optional;
  }

  /// What he is better off by when he draws here: he pays for what he wins.
  [[nodiscard]] Ratio better(std::size_t bank, std::size_t column, const Ratio& free) const {
    Ratio out;
    for (std::size_t total = 0; total < 10; ++total) {
      if (law_.points.natural_total.at(total)) continue;
      const Ratio often = draws_on(total, free);
      const Ratio& weight = column == not_asked ? Ratio(1) - often : often;
      if (weight.is_zero()) continue;
      out += weight * (worth(hands_.at(total, column, bank, true)) -
                       worth(hands_.at(total, column, bank, false)));
    }
    return out;
  }
  [[nodiscard]] Ratio worth(const OneEnds& ends) const {
    return (Ratio(1) - law_.commission) * Ratio(ends.at(end_bank_wins)) -
           Ratio(ends.at(end_player_wins));
  }

  /// The best reply to that player; he stands where both are worth the same.
  [[nodiscard]] BankReply reply(const Ratio& free) const {
    BankReply out;
    for (std::size_t bank = 0; bank < out.size(); ++bank) {
      for (std::size_t column = 0; column <= not_asked; ++column) {
        const Cell cell = duty(bank, column);
        const bool draws =
            cell == Cell::draw || (cell == Cell::optional && better(bank, column, free) > Ratio(0));
        out.at(bank).at(column) = draws ? 1 : 0;
      }
    }
    return out;
  }

  /// How hands with that player's total end.
  [[nodiscard]] std::array<Ratio, 3> of_total(std::size_t total, bool drawn,
                                              const BankReply& banker) const {
    std::array<Ratio, 3> out;
    const std::size_t first = drawn ? 0 : not_asked;
    const std::size_t last = drawn ? not_asked - 1 : not_asked;
    for (std::size_t column = first; column <= last; ++column) {
      for (std::size_t bank = 0; bank < banker.size(); ++bank) {
        const Ratio& often = banker.at(bank).at(column);
        for (std::size_t end = 0; end < 3; ++end) {
          out.at(end) += often * Ratio(hands_.at(total, column, bank, true).at(end)) +
                         (Ratio(1) - often) * Ratio(hands_.at(total, column, bank, false).at(end));
        }
      }
    }
    for (Ratio& one : out) one = one / Ratio(hands_.draws());
    return out;
  }
  [[nodiscard]] std::size_t free_total() const {
    const auto found = std::find(law_.punto_free.begin(), law_.punto_free.end(), true);
    TALLA_CHECK(found != law_.punto_free.end());
    return static_cast<std::size_t>(found - law_.punto_free.begin());
  }
  /// What the player is better off by when he draws on his free total.
  [[nodiscard]] Ratio player_better(const BankReply& banker) const {
    const std::size_t total = free_total();
    return gain(of_total(total, true, banker)) - gain(of_total(total, false, banker));
  }

  /// The frequency at which the banker's reply turns against who draws: between two frequencies at
  /// which some reply changes the reply is one and the same. There he mixes both replies so that
  /// the player's two choices are worth the same: neither can do better (an equilibrium).
  void balance(Ratio& free, BankReply& banker) const {
    std::vector<Ratio> turns = {0, 1};
    for (std::size_t bank = 0; bank < 8; ++bank) {
      for (std::size_t column = 0; column <= not_asked; ++column) {
        const Ratio never = better(bank, column, 0);
        const Ratio slope = better(bank, column, 1) - never;
        if (slope.is_zero()) continue;
        const Ratio zero = -never / slope;
        if (zero > Ratio(0) && zero < Ratio(1)) turns.push_back(zero);
      }
    }
    std::sort(turns.begin(), turns.end());
    turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
    BankReply before;
    Ratio better_before;
    for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
      const BankReply here = reply((turns[i] + turns[i + 1]) / Ratio(2));
      const Ratio better_here = player_better(here);
      if (better_here <= Ratio(0)) {
        free = turns[i];
        banker = here;
        if (i == 0) return;
        const Ratio often = better_before / (better_before - better_here);
        for (std::size_t bank = 0; bank < 8; ++bank) {
          for (std::size_t column = 0; column <= not_asked; ++column) {
            Ratio& cell = banker.at(bank).at(column);
            cell = often * cell + (Ratio(1) - often) * before.at(bank).at(column);
          }
        }
        return;
      }
      before = here;
      better_before = better_here;
    }
    free = 1;
    banker = before;
  }

  const Law& law_;
  Banker banker_;
  OneHands hands_;
};

}  // namespace

Values values_of_decks(const Law& law, std::uint32_t decks) {
  constexpr std::uint32_t suits = 4;
  Values out{};
  for (const int value : law.points.values)
    out.at(static_cast<std::size_t>(value)) += suits * decks;
  return out;
}

OneCloth one_cloth(const Law& law, const Values& cards, Free free, Banker banker) {
  return OneGame(law, cards, banker).solve(free);
}

}  // namespace talla::games::banque
