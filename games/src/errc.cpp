#include "games/errc.hpp"

namespace talla::games {

std::string_view errc_name(Errc errc) {
  switch (errc) {
    case Errc::catalogue_malformed:
      return "catalogue_malformed";
    case Errc::catalogue_unknown:
      return "catalogue_unknown";
    case Errc::game_unknown:
      return "game_unknown";
    case Errc::game_not_available:
      return "game_not_available";
    case Errc::parameter_unknown:
      return "parameter_unknown";
    case Errc::parameter_not_allowed:
      return "parameter_not_allowed";
    case Errc::parameter_missing:
      return "parameter_missing";
    case Errc::table_invalid:
      return "table_invalid";
    case Errc::decree_missing:
      return "decree_missing";
    case Errc::bets_closed:
      return "bets_closed";
    case Errc::bet_unknown:
      return "bet_unknown";
    case Errc::bet_duplicate:
      return "bet_duplicate";
    case Errc::bet_kind_unknown:
      return "bet_kind_unknown";
    case Errc::bet_not_offered:
      return "bet_not_offered";
    case Errc::bet_position:
      return "bet_position";
    case Errc::below_minimum:
      return "below_minimum";
    case Errc::above_maximum:
      return "above_maximum";
    case Errc::chip_step:
      return "chip_step";
    case Errc::withdrawal_refused:
      return "withdrawal_refused";
    case Errc::seat_invalid:
      return "seat_invalid";
    case Errc::amount_invalid:
      return "amount_invalid";
    case Errc::not_multiple:
      return "not_multiple";
    case Errc::not_due:
      return "not_due";
    case Errc::action_unknown:
      return "action_unknown";
    case Errc::action_refused:
      return "action_refused";
    case Errc::place_unknown:
      return "place_unknown";
    case Errc::card_invalid:
      return "card_invalid";
    case Errc::outcome_invalid:
      return "outcome_invalid";
    case Errc::cards_exhausted:
      return "cards_exhausted";
    case Errc::no_shoe:
      return "no_shoe";
    case Errc::misdeal_unknown:
      return "misdeal_unknown";
    case Errc::shoe_finished:
      return "shoe_finished";
    case Errc::state_malformed:
      return "state_malformed";
    case Errc::scenario_malformed:
      return "scenario_malformed";
    case Errc::expectation_failed:
      return "expectation_failed";
    case Errc::arithmetic_range:
      return "arithmetic_range";
  }
  return "games_unknown_error";
}

}  // namespace talla::games
