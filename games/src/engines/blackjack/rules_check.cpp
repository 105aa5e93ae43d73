#include "engines/shared/rules_check.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "engines/blackjack/combinations.hpp"
#include "engines/blackjack/patterns.hpp"
#include "engines/blackjack/rules.hpp"
#include "engines/shared/data_check.hpp"

namespace talla::games::blackjack {
namespace {

constexpr std::array<std::string_view, 7> required_blocks = {"cards",  "shoe",   "boxes",  "draw",
                                                             "dealer", "settle", "backers"};

const std::vector<DataKey>& keys() {
  static const std::vector<DataKey> all = {
      {"cards", "ranks", DataType::numbers, 1, 20},
      {"cards", "ace_extra", DataType::number, 0, 20},
      {"cards", "target", DataType::number, 12, 100},
      {"shoe", "burn", DataType::number, 0, 52},
      {"shoe", "reserve", DataType::number, 0, 415},
      {"shoe", "stop_first", DataType::choice, 0, 0, {"shoe-over", "one-last-hand"}},
      {"shuffler", "kind", DataType::choice, 0, 0, {"finite", "continuous"}},
      {"shuffler", "burn", DataType::choice, 0, 0, {"once", "every-round", "none"}},
      {"boxes", "bet", DataType::text},
      {"boxes", "count", DataType::number, 1, 20},
      {"box_stakes", "bets_max", DataType::number, 0, 20},
      {"boxes", "bets_max", DataType::number, 0, 20, {}, false},  // files of an earlier edition
      {"boxes", "vacant", DataType::flag},
      {"boxes", "command", DataType::choice, 0, 0, {"first", "largest"}},
      {"boxes", "tie", DataType::choice, 0, 0, {"lowest-seat", "highest-seat"}},
      {"boxes", "multiples", DataType::flag},
      {"draw", "on_target", DataType::choice, 0, 0, {"never", "not-blackjack", "always"}},
      {"dealer", "stands_on", DataType::number, 11, 21},
      {"dealer", "without_live_hand", DataType::flag},
      {"dealer", "for_blackjack_only", DataType::flag},
      {"settle", "tie", DataType::choice, 0, 0, {"push", "void"}},
      {"settle", "blackjack_tie", DataType::choice, 0, 0, {"push", "win"}},
      {"settle", "split_target", DataType::choice, 0, 0, {"lose", "push"}},
      {"backers", "follow", DataType::choice, 0, 0, {"optional", "forced"}},
      {"insurance", "bet", DataType::text},
      {"insurance", "amount", DataType::choice, 0, 0, {"half", "up-to-half"}},
      {"insurance", "window", DataType::choice, 0, 0, {"hand", "table"}},
      {"insurance", "open_to", DataType::choice, 0, 0, {"all", "blackjack"}},
      {"insurance", "busted", DataType::choice, 0, 0, {"stays", "lost"}},
      {"even_money", "with_insurance", DataType::choice, 0, 0, {"exclusive", "both"}},
      {"split", "offered", DataType::flag},
      {"split", "hands_max", DataType::number, 0, 100},
      {"split", "resplit_aces", DataType::flag},
      {"split", "deal", DataType::choice, 0, 0, {"as-played", "both-at-once"}},
      {"double", "offered", DataType::flag},
      {"double", "totals", DataType::numbers, 2, 21, {}, false},
      {"double", "soft", DataType::choice, 0, 0, {"literal", "hard-only"}},
      {"double", "initial_ace", DataType::choice, 0, 0, {"free", "one"}},
      {"double", "aces", DataType::flag},
      {"double", "split_ten_ace", DataType::flag},
      {"surrender", "offered", DataType::flag},
      {"surrender", "returned", DataType::fraction, 0, 1},
      {"surrender", "not_against", DataType::numbers, 1, 13},
      {"stages", "count", DataType::number, 2, 9},
      {"stages", "blackjack_rate", DataType::choice, 0, 0, {"all", "first"}},
      {"over_under", "value", DataType::number, 2, 21},
      {"combinations", "suits", DataType::choice, 0, 0, {"not-all-same", "all-different"}},
      {"combinations", "after_split", DataType::choice, 0, 0, {"counts", "ends"}},
      {"combinations", "winners", DataType::choice, 0, 0, {"in-order", "equal", "each"}, false},
      {"combinations", "fixed_winners", DataType::choice, 0, 0, {"once", "each"}, false},
  };
  return all;
}

/// Blocks whose further keys are bets.
bool has_bets(std::string_view block) {
  return block == "combinations" || block == "stakes";
}

Status check_row(const GameRules& rules, const BetRule& bet, const json::Value& row) {
  const std::string where = "data.combinations." + bet.id;
  json::Reader reader(row, where);
  TALLA_TRY(const auto when, reader.string("when"));
  const bool known = is_combination(when) || find_pattern(rules, when) != nullptr;
  if (!known || bet.payout(when) == nullptr) return bad_rules(where + ": no such payout: " + when);
  constexpr std::int64_t most = 100'000;
  const auto check = [&](std::string_view key, DataType type, std::int64_t max) -> Status {
    const auto* value = reader.optional(key);
    if (value == nullptr) return {};
    return check_data_value(rules, *value, {"combinations", key, type, 0, max, {}});
  };
  TALLA_TRY_STATUS(check("pays", DataType::fraction, most));
  TALLA_TRY_STATUS(check("meter", DataType::fraction, 1));
  TALLA_TRY_STATUS(check("floor", DataType::fraction, most));
  TALLA_TRY_STATUS(check("stake_returned", DataType::flag, 0));
  if (reader.has("pays") == reader.has("meter"))
    return bad_rules(where + ": a row pays or names a share of the jackpot");
  return reader.finish();
}

Status check_combination_bet(const GameRules& rules, const BetRule& bet) {
  const auto found = rules.data.find("combinations");
  const auto* value = found == rules.data.end() ? nullptr : found->second.value.find(bet.id);
  if (value == nullptr) return bad_rules("data.combinations." + bet.id + " is missing");
  json::Reader reader(*value, "data.combinations." + bet.id);
  for (const std::string_view key : {"contribution", "seed"}) {
    const auto* part = reader.optional(key);
    if (part == nullptr)
      return bad_rules("data.combinations." + bet.id + "." + std::string(key) + " is missing");
    const std::int64_t most = key == "contribution" ? 1 : 1'000'000;
    TALLA_TRY_STATUS(
        check_data_value(rules, *part, {"combinations", key, DataType::fraction, 0, most, {}}));
  }
  TALLA_TRY(const auto* rows, reader.array("rows"));
  for (const auto& row : *rows) TALLA_TRY_STATUS(check_row(rules, bet, row));
  if (rows->empty()) return bad_rules("data.combinations." + bet.id + ".rows is empty");
  return reader.finish();
}

Status check_payouts(const BetRule& bet, std::initializer_list<std::string_view> whens) {
  for (const auto when : whens) {
    if (bet.payout(when) == nullptr)
      return bad_rules("bet " + bet.id + ": no payout " + std::string(when));
  }
  return {};
}

Status check_stage_positions(const GameRules& rules, const BetRule& bet) {
  const auto stages = rules.data.find("stages");
  if (stages == rules.data.end()) {
    return bet.on == OnForm::none ? Status()
                                  : Status(bad_rules("bet " + bet.id + " has no position"));
  }
  const auto count = stages->second.value.find("count")->integer();
  const bool fits = bet.on == OnForm::index && bet.covers_when.empty() &&
                    bet.covers.array().size() == static_cast<std::size_t>(count);
  return fits ? Status()
              : Status(bad_rules("bet " + bet.id + ": on is the index of the dealer's stage"));
}

Status check_form(const GameRules& rules, const BetRule& bet, std::string_view main,
                  std::string_view insurance) {
  if (bet.id == main) {
    TALLA_TRY_STATUS(check_payouts(bet, {"win", "blackjack"}));
    if (rules.data.contains("even_money")) TALLA_TRY_STATUS(check_payouts(bet, {"even-money"}));
    TALLA_TRY_STATUS(check_stage_positions(rules, bet));
    return bet.on == OnForm::index || (bet.covers.is_string() && bet.covers.string() == "hand")
               ? Status()
               : Status(bad_rules("bet " + bet.id + ": covers is \"hand\""));
  }
  if (bet.id == insurance) {
    TALLA_TRY_STATUS(check_payouts(bet, {"win"}));
    TALLA_TRY_STATUS(check_stage_positions(rules, bet));
    return bet.on == OnForm::index || (bet.covers.is_string() && bet.covers.string() == "insurance")
               ? Status()
               : Status(bad_rules("bet " + bet.id + ": covers is \"insurance\""));
  }
  const std::string form =
      bet.on == OnForm::none && bet.covers.is_string() ? bet.covers.string() : "";
  if (form == "pair") return check_payouts(bet, {"complete", "colour", "incomplete"});
  if (form == "combination") return check_combination_bet(rules, bet);
  if (form == "under" || form == "over") {
    if (!rules.data.contains("over_under")) return bad_rules("data.over_under is missing");
    return check_payouts(bet, {"win"});
  }
  return bad_rules("bet " + bet.id +
                   ": covers is hand, insurance, pair, under, over or combination");
}

Status check_stakes(const GameRules& rules) {
  const auto found = rules.data.find("stakes");
  if (found == rules.data.end()) return {};
  for (const auto& [bet, value] : found->second.value.object()) {
    json::Reader reader(value, "data.stakes." + bet);
    const auto* exact = reader.optional("exact");
    const auto* min = reader.optional("min");
    if ((exact != nullptr) == (min != nullptr))
      return bad_rules("data.stakes." + bet + ": exact or min");
    TALLA_TRY_STATUS(check_data_value(rules, exact != nullptr ? *exact : *min,
                                      {"stakes", "exact or min", DataType::fraction, 0, 100, {}}));
    if (const auto* most = reader.optional("most"))
      TALLA_TRY_STATUS(
          check_data_value(rules, *most, {"stakes", "most", DataType::number, 1, 20, {}}));
    TALLA_TRY_STATUS(reader.finish());
  }
  return {};
}

Status check_equipment(const GameRules& rules) {
  if (!rules.shoe || !rules.shoe->deck.starts_with("french52"))
    return bad_rules("the game needs a shoe of French cards");
  const auto& ranks = *rules.data.find("cards")->second.value.find("ranks");
  if (ranks.array().size() != 13) return bad_rules("data.cards.ranks: 13 figures, ace to king");
  if (rules.boxes_max == 0) return bad_rules("the game needs boxes_max");
  for (const auto& error : rules.errors) {
    if (error.effect != "void-round" && error.effect != "remove-card") {
      return bad_rules("error " + error.code + ": the effects are void-round and remove-card");
    }
  }
  return {};
}

}  // namespace

Status check_law(const GameRules& rules) {
  for (const auto block : required_blocks) {
    if (!rules.data.contains(block)) return bad_rules("data." + std::string(block) + " is missing");
  }
  TALLA_TRY_STATUS(check_patterns(rules));
  for (const auto& [name, block] : rules.data) {
    if (name == "patterns") continue;
    TALLA_TRY_STATUS(check_data_block(rules, name, block, keys(), has_bets(name)));
  }
  TALLA_TRY_STATUS(check_equipment(rules));
  TALLA_TRY_STATUS(check_stakes(rules));
  const auto& boxes = rules.data.find("boxes")->second.value;
  if (rules.data.contains("box_stakes") == (boxes.find("bets_max") != nullptr))
    return bad_rules("bets_max stands in data.box_stakes");
  const auto& main = boxes.find("bet")->string();
  const auto insurance = rules.data.find("insurance");
  const std::string side =
      insurance == rules.data.end() ? "" : insurance->second.value.find("bet")->string();
  for (const auto& bet : rules.bets) TALLA_TRY_STATUS(check_form(rules, bet, main, side));
  return {};
}

}  // namespace talla::games::blackjack
