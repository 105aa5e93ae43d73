// Whether the engine can play the rules of a game: parameters, bets, actions, error effects.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "engines/banque/rules.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::banque {
namespace {

constexpr std::array<std::pair<std::string_view, Effect>, 28> effects{{
    {"play-on", Effect::play_on},
    {"discard-next", Effect::discard_next},
    {"void-hand", Effect::void_hand},
    {"expose", Effect::expose},
    {"expose-matching", Effect::expose_matching},
    {"croupier-card", Effect::croupier_card},
    {"fifth-card", Effect::fifth_card},
    {"bank-zero", Effect::bank_zero},
    {"two-thirds", Effect::two_thirds},
    {"punto-shows-nine", Effect::punto_shows_nine},
    {"punto-counts-nine", Effect::punto_counts_nine},
    {"withdraw-stakes", Effect::withdraw_stakes},
    {"bank-keeps-silent", Effect::bank_keeps_silent},
    {"bank-loses", Effect::bank_loses},
    {"punto-loses", Effect::punto_loses},
    {"cards-pass", Effect::cards_pass},
    {"follow-chart", Effect::follow_chart},
    {"bank-decides", Effect::bank_decides},
    {"forgot-to-show", Effect::forgot_to_show},
    {"rectify", Effect::rectify},
    {"restored", Effect::restored},
    {"restored-bank", Effect::restored_bank},
    {"cloth-exposed", Effect::cloth_exposed},
    {"cloth-exposed-bank", Effect::cloth_exposed_bank},
    {"void-cloth", Effect::void_cloth},
    {"counts-zero", Effect::counts_zero},
    {"keep-turn", Effect::keep_turn},
    {"bank-misannounced", Effect::bank_misannounced},
}};

/// Every number the engine multiplies by the minimum: bounded, so that no amount leaves its range.
Status check_integer(const GameRules& rules, std::string_view id, std::int64_t min) {
  const auto* rule = rules.parameter(id);
  if (rule == nullptr || rule->type != ParameterType::integer)
    return bad_rules("no integer parameter " + std::string(id));
  if (rule->min && *rule->min < Fraction(min))
    return bad_rules(std::string(id) + " may be too small");
  return {};
}

/// A choice that files of an earlier edition do not have.
Status check_optional(const GameRules& rules, std::string_view id,
                      std::initializer_list<std::string_view> known) {
  return rules.parameter(id) == nullptr ? Status() : check_choice(rules, id, known);
}

Status check_parameters(const GameRules& rules, const Law& law) {
  TALLA_TRY_STATUS(check_integer(rules, p_seats, 1));
  TALLA_TRY_STATUS(check_integer(rules, p_bank_min, 1));
  if (!law.open_bank) TALLA_TRY_STATUS(check_integer(rules, p_bank_max, 0));
  TALLA_TRY_STATUS(check_choice(rules, p_stop_card_first, {"shoe-over", "one-last-hand"}));
  if (law.cloths == 1) {
    TALLA_TRY_STATUS(check_choice(rules, p_excess, {"by-priority", "as-placed"}));
    TALLA_TRY_STATUS(check_choice(rules, p_banco_freedom, {"bound", "whole-bank", "with-table"}));
    TALLA_TRY_STATUS(check_choice(rules, p_exposed, {"circle", "punto-banca"}));
    TALLA_TRY_STATUS(check_choice(rules, p_wrong_word, {"stands", "rectified"}));
    TALLA_TRY_STATUS(check_choice(rules, p_suivi_rank, {"first", "seat-order"}));
    TALLA_TRY_STATUS(check_optional(rules, p_garage_gains, {"sum", "last-hand"}));
    TALLA_TRY_STATUS(check_optional(rules, p_cards_right, {"who-made-banco", "former-banker"}));
    if (rules.parameter(p_lost_bank) != nullptr) {
      TALLA_TRY_STATUS(
          check_choice(rules, p_lost_bank, {"bank-at-start", "amount-lost", "not-required"}));
    }
    if (rules.parameter(p_initial_min) != nullptr)
      TALLA_TRY_STATUS(check_integer(rules, p_initial_min, 1));
    if (rules.parameter(p_initial_max) != nullptr)
      TALLA_TRY_STATUS(check_integer(rules, p_initial_max, 0));
    return {};
  }
  if (!law.open_bank) {
    TALLA_TRY_STATUS(
        check_choice(rules, p_excess, {"half-each", "first-cloth", "lot", "as-placed"}));
  }
  TALLA_TRY_STATUS(check_choice(rules, p_deduction, {"net", "gross"}));
  TALLA_TRY_STATUS(check_choice(rules, p_bank_zero, {"must-draw", "free"}));
  TALLA_TRY_STATUS(check_choice(rules, p_natural_nine, {"beats-three-cards", "ties"}));
  TALLA_TRY_STATUS(check_optional(rules, p_natural_unshown, {"keeps-rank", "by-total"}));
  const auto* binds = rules.parameter(p_natural_binds);
  if (binds == nullptr || binds->type != ParameterType::boolean)
    return bad_rules("no bool parameter natural_binds_banker");
  return check_integer(rules, p_bank_shoes, 1);
}

Status check_bets(const GameRules& rules, const Law& law) {
  const std::set<std::string> known =
      law.cloths == 1 ? std::set<std::string>{"punto",
                                              "raya",
                                              "banco",
                                              "banco-seguido",
                                              "banco-asociado",
                                              "con-la-mesa",
                                              "con-la-mesa-completo"}
                      : std::set<std::string>{"pano-1",      "pano-2",    "pano-1-raya",
                                              "pano-2-raya", "a-caballo", "banco"};
  for (const auto& bet : rules.bets) {
    if (!known.contains(bet.id)) return bad_rules("bet " + bet.id + " is none of this family");
    const auto* win = bet.payout("win");
    if (bet.on != OnForm::none || win == nullptr || win->pays != Fraction(1)) {
      return bad_rules("bet " + bet.id +
                       ": no position, and even money: the bank plays stake against stake");
    }
  }
  for (const auto& id : known) {
    if (rules.bet(id) == nullptr) return bad_rules("bet " + id + " is missing");
  }
  return {};
}

Status check_places(const GameRules& rules, const Law& law) {
  std::set<std::string> wanted{std::string(discard_place)};
  for (std::size_t card = 1; card <= 3; ++card) {
    wanted.insert(bank_place(card));
    for (std::size_t cloth = 0; cloth < law.cloths; ++cloth)
      wanted.insert(cloth_place(law.cloths, cloth, card));
  }
  std::set<std::string> found;
  for (const auto& place : rules.places) found.insert(place.id);
  if (found != wanted) return bad_rules("the places of the cards are not those of this family");
  return {};
}

Status check_actions(const GameRules& rules, const Law& law) {
  std::set<std::string> wanted = {"abatir", "carta",       "no",       "dar",       "cuadro",
                                  "pujar",  "pasar-turno", "sentarse", "levantarse"};
  if (law.cloths == 1) {
    wanted.merge(std::set<std::string>{"negar", "tomar-banca", "pasar-mano", "aumentar", "garage",
                                       "todo-va", "asociarse", "aceptar", "rechazar",
                                       "banco-seguido", "retirar", "mantener"});
  } else {
    wanted.merge(std::set<std::string>{"abandonar", "reponer"});
    if (law.leave == "offer-initial") wanted.insert("tomar-banca");
  }
  std::set<std::string> found;
  for (const auto& action : rules.actions) found.insert(action.id);
  if (law.cloths == 1 && !law.garage_waiver) wanted.erase("todo-va");
  if (found != wanted) return bad_rules("the actions are not those of this family");
  return {};
}

}  // namespace

Result<Effect> effect_from(std::string_view name) {
  const auto* found = std::find_if(effects.begin(), effects.end(),
                                   [&](const auto& one) { return one.first == name; });
  if (found == effects.end()) return bad_rules("unknown effect " + std::string(name.substr(0, 40)));
  return found->second;
}

Status check_rules(const GameRules& rules) {
  TALLA_TRY(const auto law, read_law(rules, nullptr));
  const std::size_t blocks =
      (law.cloths == 1 ? 7U : 6U) + (rules.data.contains("players") ? 1U : 0U);
  if (rules.data.size() != blocks) return bad_rules("data holds blocks this family does not know");
  if (!rules.shoe || !rules.shoe->deck.starts_with("french52"))
    return bad_rules("the game needs a shoe of French cards");
  TALLA_TRY_STATUS(check_parameters(rules, law));
  TALLA_TRY_STATUS(check_bets(rules, law));
  TALLA_TRY_STATUS(check_places(rules, law));
  TALLA_TRY_STATUS(check_actions(rules, law));
  for (const auto& error : rules.errors) {
    if (auto known = effect_from(error.effect); !known) return pass(std::move(known));
  }
  return {};
}

}  // namespace talla::games::banque
