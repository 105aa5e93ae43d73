#include "engines/pai_gow/rules.hpp"

#include <algorithm>

#include "engines/poker/order_data.hpp"
#include "engines/poker/table_round.hpp"
#include "engines/shared/data_check.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::pai_gow {
namespace {

std::span<const DataKey> own_keys() {
  static const std::vector<DataKey> all = {
      {"table", "bet", DataType::text},
      {"table", "bank_bet", DataType::text},
      {"table", "boxes", DataType::number, 1, 6},
      {"deal", "count", DataType::choice, 0, 0, {"clockwise", "counter-clockwise"}},
      {"deal", "packets", DataType::choice, 0, 0, {"blocks", "one-by-one"}},
      {"deal", "empty_positions", DataType::choice, 0, 0, {"skipped", "dealt"}},
      {"setting", "foul", DataType::choice, 0, 0, {"both", "high"}},
      {"setting", "silent", DataType::choice, 0, 0, {"house-way", "loses"}},
      {"house_way", "way", DataType::choice, 0, 0, {"informative", "best-high", "best-low"}},
      {"bank", "players", DataType::choice, 0, 0, {"off", "rotation"}},
      {"bank", "max", DataType::number, 1, 1'000'000},
      {"bank", "dealer_stake", DataType::number, 0, 1'000},
      {"settle", "commission_rounding", DataType::choice, 0, 0, {"down", "table"}},
  };
  return all;
}

Status check_bets(const GameRules& game) {
  const auto& table = game.data.find("table")->second.value;
  const auto& bet = *game.bet(table.find("bet")->string());
  const auto& bank = *game.bet(table.find("bank_bet")->string());
  if (game.bets.size() != 2 || bet.id == bank.id)
    return bad_rules(game, "the bets are that of a player and that of the bank");
  for (const auto* one : {&bet, &bank}) {
    const auto* win = one->payout("win");
    if (one->on != OnForm::none || one->is_call() || win == nullptr || win->pays != Fraction(1) ||
        win->commission_parameter.empty())
      return bad_rules(game, one->id + " pays 1 to 1 less a commission by parameter");
  }
  if (bet.payout("win")->commission_parameter != bank.payout("win")->commission_parameter)
    return bad_rules(game, "both bets have the same commission");
  return {};
}

Status check_words(const GameRules& game) {
  for (const auto id : {set_action, take_action, pass_action}) {
    if (std::none_of(game.actions.begin(), game.actions.end(),
                     [&](const Named& one) { return one.id == id; }))
      return bad_rules(game, "no action " + std::string(id));
  }
  if (game.actions.size() != 3) return bad_rules(game, "an unknown action");
  for (const auto& error : game.errors) {
    if (error.effect != "void-hand")
      return bad_rules(game, "error " + error.code + ": the effect is void-hand");
  }
  return {};
}

}  // namespace

Status check_rules(const GameRules& rules) {
  TALLA_TRY_STATUS(poker::check_deck(rules, "french52+1jx1"));
  const auto& draw = rules.draw;
  if (!draw || draw->kind != DrawKind::dice || draw->count != 3 || draw->faces != 6)
    return bad_rules(rules, "the game needs three dice");
  if (rules.seats_max != 6 || rules.boxes_max != 0)
    return bad_rules(rules, "six seats, and no boxes beside");
  TALLA_TRY_STATUS(poker::check_hand_order(rules));
  for (const auto* name : {"table", "deal", "setting", "house_way", "bank", "settle"}) {
    if (!rules.data.contains(name))
      return bad_rules(rules, "data." + std::string(name) + " is missing");
  }
  for (const auto& [name, block] : rules.data) {
    if (name != "hands") TALLA_TRY_STATUS(check_data_block(rules, name, block, own_keys()));
  }
  TALLA_TRY_STATUS(check_bets(rules));
  return check_words(rules);
}

std::shared_ptr<const Rules> read_rules(const Table& table) {
  const DataLaw law(table);
  auto out = std::make_shared<Rules>(poker::hand_ranker(law));
  out->bet = law.text("table", "bet");
  out->bank_bet = law.text("table", "bank_bet");
  out->boxes = static_cast<Seat>(law.number("table", "boxes"));
  out->positions = table.rules().seats_max + 1;
  out->clockwise = law.is("deal", "count", "clockwise");
  out->in_blocks = law.is("deal", "packets", "blocks");
  out->empty_dealt = law.is("deal", "empty_positions", "dealt");
  out->whole_foul = law.is("setting", "foul", "both");
  out->silent_lose = law.is("setting", "silent", "loses");
  const auto& way = law.text("house_way", "way");
  out->way = way == "best-high"  ? HouseWay::best_high
             : way == "best-low" ? HouseWay::best_low
                                 : HouseWay::informative;
  out->player_banks =
      law.is("bank", "players", "rotation") && out->boxes > 1;  // who has it needs a client
  out->bank_max = law.number("bank", "max");
  out->dealer_stake = law.number("bank", "dealer_stake");
  out->commission = table.params().fraction(law.bet(out->bet).payout("win")->commission_parameter);
  out->commission_down = law.is("settle", "commission_rounding", "down");
  return out;
}

}  // namespace talla::games::pai_gow
