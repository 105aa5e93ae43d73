// Odds of chemin de fer and of two cloths: what stakes against the bank and the bank itself are
// worth, and what the house deducts, by how both sides use what the text leaves to them.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "games/engine.hpp"
#include "games/refusal.hpp"
#include "odds/banque.hpp"
#include "odds/kinds.hpp"

namespace talla::games {

namespace {

using banque::Banker;
using banque::Free;

/// The bank in the list: its settlements are of this kind.
constexpr const char* bank_kind = "banca";
/// With two cloths: one player has the whole bank against him, and is free on every total.
constexpr const char* banco_kind = "banco";

struct BankPlay {
  Free free;
  Banker banker;
  std::vector<std::string> codes;
};

/// Odds of a gain for each end of a hand.
class GainOdds {
 public:
  void add(const Ratio& probability, const Fraction& gain) {
    (gain > Fraction(0)     ? odds_.win
     : gain == Fraction(-1) ? odds_.lose
                            : odds_.other) += probability;
    odds_.returned += probability * Ratio(gain + Fraction(1));
    odds_.square += probability * Ratio(gain * gain);
  }
  [[nodiscard]] const Odds& odds() const { return odds_; }

 private:
  Odds odds_;
};

/// A hand's gain for who stands against the bank, in stakes: by its end.
int bank_gain_of(std::size_t end) {
  return static_cast<int>(end) - 1;
}

bool plays_half(std::string_view bet) {
  return bet == "raya" || bet.ends_with("-raya");
}

/// The totals that this file counts with: 8 and 9 are shown, one total is free.
bool is_counted_law(const banque::Law& law) {
  const auto& natural = law.points.natural_total;
  for (std::size_t total = 0; total < natural.size(); ++total)
    if (natural.at(total) != (total >= 8)) return false;
  return std::count(law.punto_free.begin(), law.punto_free.end(), true) == 1;
}

BetWithoutOdds odds_like(const std::string& bet, const char* main) {
  return {bet, filled_form("its odds are those of {bet}", {{"bet", main}})};
}

// --- One cloth

TableOdds one_cloth_odds(const Table& table, const banque::Law& law, const banque::Values& cards) {
  const std::vector<BankPlay> plays = {
      {Free::best, Banker::best, {"five-best", "bank-best"}},
      {Free::draws, Banker::best, {"five-draws", "bank-best"}},
      {Free::stands, Banker::best, {"five-stands", "bank-best"}},
      {Free::draws, Banker::chart, {"five-draws", "bank-chart"}},
      {Free::stands, Banker::chart, {"five-stands", "bank-chart"}}};
  TableOdds out;
  std::vector<banque::OneCloth> hands;
  for (const BankPlay& play : plays)
    hands.push_back(banque::one_cloth(law, cards, play.free, play.banker));
  const auto add = [&](const std::string& bet, const auto& gain) {
    for (std::size_t i = 0; i < plays.size(); ++i) {
      GainOdds sum;
      for (std::size_t end = 0; end < 3; ++end) sum.add(hands[i].ends.at(end), gain(end));
      out.bets.push_back({.bet = bet,
                          .on = {},
                          .odds = sum.odds(),
                          .method = OddsMethod::count,
                          .with = {},
                          .play = plays[i].codes,
                          .house_share = Ratio(law.commission) * hands[i].ends.at(0) /
                                         Ratio(plays_half(bet) ? 2 : 1)});
    }
  };
  const bool bound = table.params().choice(banque::p_banco_freedom) == "bound";
  for (const BetRule& rule : table.rules().bets) {
    if (plays_half(rule.id)) {
      add(rule.id, [](std::size_t end) { return Fraction(bank_gain_of(end), 2); });
    } else if (rule.id == "punto") {
      add(rule.id, [](std::size_t end) { return Fraction(bank_gain_of(end)); });
    } else if (bound || hands[0].freedom_is_idle) {
      out.others.push_back(odds_like(rule.id, "punto"));
    } else {
      out.others.push_back({rule.id,
                            "who makes it may draw or stand on every total, which changes his best "
                            "play: not worked out"});
    }
  }
  add(bank_kind, [&](std::size_t end) {
    return end == 0 ? Fraction(1) - law.commission : Fraction(-bank_gain_of(end));
  });
  return out;
}

// --- Two cloths

/// Both cloths' ends as the gain of one bet, in its stakes.
Fraction bank_gain_of(std::string_view bet, std::size_t first, std::size_t second) {
  Fraction out(bank_gain_of(first) + bank_gain_of(second), 2);
  if (bet.starts_with("pano-1")) out = bank_gain_of(first);
  if (bet.starts_with("pano-2")) out = bank_gain_of(second);
  return plays_half(bet) ? out * Fraction(1, 2) : out;
}

TableOdds two_cloths_odds(const Table& table, const banque::Law& law, const banque::Values& cards) {
  const auto more = banque::two_cloths_law(table);
  constexpr std::array frees = {Free::draws, Free::stands, Free::draws_first};
  constexpr std::array free_codes = {"five-draws", "five-stands", "five-draws-first"};
  struct Played {
    banque::TwoCloths hands;
    std::vector<std::string> codes;
  };
  std::vector<Played> plays;
  auto hands = banque::two_cloths(law, more, cards, frees);
  for (std::size_t i = 0; i < frees.size(); ++i) {
    plays.push_back({std::move(hands[i].first), {free_codes[i], "bank-best"}});
    plays.push_back({std::move(hands[i].second), {free_codes[i], "bank-chart"}});
  }
  TableOdds out;
  const auto add = [&](const std::string& bet, const auto& gain) {
    const bool free = bet == banco_kind;
    for (const Played& play : plays) {
      GainOdds sum;
      Ratio share;
      const auto& ends = free ? play.hands.banco : play.hands.ends;
      for (std::size_t first = 0; first < 3; ++first) {
        for (std::size_t second = 0; second < 3; ++second) {
          const Ratio& probability = ends.at(first).at(second);
          sum.add(probability, gain(first, second));
          share += probability * Ratio(banque::deduction(law, more, first, second));
        }
      }
      out.bets.push_back({.bet = bet,
                          .on = {},
                          .odds = sum.odds(),
                          .method = OddsMethod::count,
                          .with = {},
                          .play = play.codes,
                          .house_share = share / Ratio(plays_half(bet) ? 4 : 2)});
      if (free) out.bets.back().play.emplace_back("banco-best");
    }
  };
  for (const BetRule& rule : table.rules().bets) {
    add(rule.id, [&](std::size_t first, std::size_t second) {
      return bank_gain_of(rule.id, first, second);
    });
  }
  add(bank_kind, [&](std::size_t first, std::size_t second) {
    return (Fraction(-bank_gain_of(first) - bank_gain_of(second)) -
            banque::deduction(law, more, first, second)) *
           Fraction(1, 2);
  });
  return out;
}

}  // namespace

Result<TableOdds> bank_odds(const Table& table) {
  const banque::Law& law = banque::law_of(table);
  const auto shoe = table.engine().shoe(table);
  TALLA_CHECK(shoe && shoe->cards_count % french_deck_cards == 0);
  if (!is_counted_law(law))
    return fail(Errc::game_not_available,
                table.rules().id + ": the odds with these duties to draw are not worked out");
  const auto cards = banque::values_of_decks(law, shoe->cards_count / french_deck_cards);
  return law.cloths == 1 ? one_cloth_odds(table, law, cards) : two_cloths_odds(table, law, cards);
}

}  // namespace talla::games
