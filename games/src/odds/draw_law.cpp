// The law of draw poker against the house, as its odds and advice read it off a table.
#include "odds/draw_law.hpp"

#include "engines/second_bet/bank.hpp"
#include "games/errc.hpp"
#include "odds/poker/draw_counters.hpp"

namespace talla::games {

Result<poker::DrawLaw> draw_law(const second_bet::Law& law) {
  const auto most = static_cast<std::size_t>(law.number("draw", "cards_max"));
  const Payout* win = law.bet(law.main_bet()).payout("win", law.table().params());
  bool known = most < poker::player_changes && win != nullptr && win->pays == Fraction(1) &&
               win->commission.is_zero() && win->commission_parameter.empty() &&
               law.bonus_bet().empty() && !law.sells_cards() && law.exposed() == 0;
  for (const auto& row : law.rules().data.find("draw")->second.value.find("bank")->array())
    known = known && row.find("discards")->integer() < std::int64_t{poker::player_changes};
  if (!known)
    return fail(Errc::game_not_available,
                law.rules().id + ": the odds of such a change of cards are not worked out");
  poker::DrawLaw out{.bank_plays_from = law.table().prepared<second_bet::Rules>().minimum,
                     .second_bet = {},
                     .multiple = law.number("second", "multiple"),
                     .most = most,
                     .bank = {}};
  TALLA_TRY(out.second_bet, poker::PayTable::from(law.bet(law.second_bet()), law.table().params()));
  out.bank = [&law](std::span<const Card, poker::five_cards> cards) {
    unsigned bits = 0;
    for (const std::size_t one : second_bet::bank_discards(law, cards)) bits |= 1U << (one - 1);
    return bits;
  };
  return out;
}

}  // namespace talla::games
