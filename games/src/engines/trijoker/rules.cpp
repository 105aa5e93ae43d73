#include "engines/trijoker/rules.hpp"

#include <algorithm>

#include "engines/poker/order_data.hpp"
#include "engines/poker/table_round.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::trijoker {
namespace {

std::span<const DataKey> own_keys() {
  static const std::vector<DataKey> all = {
      {"paid", "pair_from", DataType::number, 2, 14},
      {"exposure", "void_from", DataType::number, 2, 15},
      {"exposure", "second_card", DataType::choice, 0, 0, {"void", "each"}},
      {"table", "boxes", DataType::number, 1, 7},
  };
  return all;
}

Status check_blocks(const GameRules& game) {
  TALLA_TRY_STATUS(poker::check_hand_order(game));
  for (const auto* name : {"paid", "exposure", "table"}) {
    if (!game.data.contains(name))
      return bad_rules(game, "data." + std::string(name) + " is missing");
  }
  for (const auto& [name, block] : game.data) {
    if (name != "hands") TALLA_TRY_STATUS(check_data_block(game, name, block, own_keys()));
  }
  return {};
}

Status check_payouts(const GameRules& game) {
  for (const auto& word : game.data.find("hands")->second.value.find("order")->array()) {
    const auto& name = word.string();
    const bool wins = name != "high-card";
    for (const auto id : spot_bets) {
      const auto* bet = game.bet(id);
      if (bet == nullptr || bet->on != OnForm::none || bet->is_call())
        return bad_rules(game, "no plain bet " + std::string(id));
      if ((bet->payout(name) != nullptr) != wins)
        return bad_rules(game,
                         bet->id + ": " + name + (wins ? " has no payout" : " is never paid"));
    }
  }
  return {};
}

/// The three bets are made at once: one call bet of equal chips.
Status check_bets(const GameRules& game) {
  for (const auto& bet : game.bets) {
    if (std::find(spot_bets.begin(), spot_bets.end(), bet.id) != spot_bets.end()) continue;
    bool fits = bet.members.size() == spot_bets.size();
    for (std::size_t i = 0; fits && i < spot_bets.size(); ++i)
      fits = bet.members.at(i).bet == spot_bets.at(i) && bet.members.at(i).chips == 1;
    if (!fits) return bad_rules(game, bet.id + ": the bets are the three spots and their sum");
  }
  if (game.bets.size() != spot_bets.size() + 1)
    return bad_rules(game, "one bet lays down the three");
  return {};
}

Status check_words(const GameRules& game) {
  for (const auto& action : game.actions) {
    const bool known = action.id == stay || std::find(withdrawals.begin(), withdrawals.end(),
                                                      action.id) != withdrawals.end();
    if (!known) return bad_rules(game, "unknown action " + action.id);
  }
  if (game.actions.size() != withdrawals.size() + 1)
    return bad_rules(game, "retirar-1, retirar-2 and dejar");
  for (const auto& error : game.errors) {
    if (error.effect != "turn-card" && error.effect != "turn-common" &&
        error.effect != "void-hand") {
      return bad_rules(
          game, "error " + error.code + ": the effects are turn-card, turn-common and void-hand");
    }
  }
  return {};
}

}  // namespace

Status check_rules(const GameRules& rules) {
  TALLA_TRY_STATUS(poker::check_deck(rules, "french52x1"));
  if (rules.seats_max != 7 || rules.boxes_max != 0)
    return bad_rules(rules, "seven seats, and no boxes beside");
  TALLA_TRY_STATUS(check_blocks(rules));
  TALLA_TRY_STATUS(check_words(rules));
  TALLA_TRY_STATUS(check_payouts(rules));
  return check_bets(rules);
}

std::shared_ptr<const Rules> read_rules(const Table& table) {
  const DataLaw law(table);
  auto out = std::make_shared<Rules>(poker::hand_ranker(law));
  out->seats = static_cast<Seat>(law.number("table", "boxes"));
  out->pair_from = law.number("paid", "pair_from");
  out->void_from = law.number("exposure", "void_from");
  out->second_voids = law.is("exposure", "second_card", "void");
  out->exposure_cite = law.cite("exposure");
  return out;
}

}  // namespace talla::games::trijoker
