#include "engines/shared/rules_check.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "engines/poker/house_boxes.hpp"
#include "engines/poker/order_data.hpp"
#include "engines/second_bet/bank.hpp"
#include "engines/second_bet/rules.hpp"
#include "engines/shared/data_check.hpp"

namespace talla::games::second_bet {
namespace {

constexpr std::array<std::string_view, 6> required_blocks = {"hands",  "boxes", "deal",
                                                             "second", "bank",  "settle"};
constexpr std::int64_t pays_max = 100'000;

const std::vector<DataKey>& keys() {
  static const std::vector<DataKey> all = [] {
    std::vector<DataKey> out = {
        {"deal", "cards", DataType::number, 3, 5},
        {"deal", "mode", DataType::choice, 0, 0, {"one-by-one", "blocks"}},
        {"deal", "exposed", DataType::number, 0, 5},
        {"second", "bet", DataType::text},
        {"second", "multiple", DataType::number, 1, 10},
        {"second", "backers", DataType::choice, 0, 0, {"asked", "forced"}},
        {"second", "blind_pass", DataType::flag},
        {"bank", "minimum", DataType::cards, 3, 5},
        {"settle", "lower_hand", DataType::choice, 0, 0, {"main", "all"}},
        {"bonus", "bet", DataType::text},
        {"purchase", "offered", DataType::flag},
        {"purchase", "bet", DataType::text},
        {"purchase", "face", DataType::choice, 0, 0, {"open", "covered"}},
        {"purchase", "side_bets", DataType::choice, 0, 0, {"kept", "lost"}},
        {"draw", "cards_max", DataType::number, 1, 5},
        {"draw", "low_ace_run", DataType::flag},
    };
    const auto boxes = poker::house::box_keys();
    out.insert(out.end(), boxes.begin(), boxes.end());
    return out;
  }();
  return all;
}

/// Blocks whose further keys are bets.
bool has_bets(std::string_view block) {
  return block == "sides" || block == "stakes" || block == "meters";
}

/// The block without that member.
DataBlock without(const DataBlock& block, std::string_view member) {
  DataBlock out = block;
  out.value.object().erase(std::string(member));
  return out;
}

Status check_part(const GameRules& rules, json::Reader& reader, const std::string& where,
                  const DataKey& key) {
  const auto* value = reader.optional(key.key);
  if (value == nullptr)
    return key.required ? Status(bad_rules(where + "." + std::string(key.key) + " is missing"))
                        : Status();
  auto fits = check_data_value(rules, *value, key);
  return fits ? Status() : Status(bad_rules(where + ": " + fits.error().detail));
}

Result<std::string> read_category(json::Reader& reader) {
  TALLA_TRY(auto when, reader.string("when"));
  TALLA_TRY(const auto category, poker::category_from(when));
  static_cast<void>(category);
  return when;
}

Status check_side_block(const GameRules& rules, const std::string& bet, const json::Value& value) {
  const std::string where = "data.sides." + bet;
  json::Reader reader(value, where);
  TALLA_TRY_STATUS(check_part(rules, reader, where,
                              {"sides", "hand", DataType::choice, 0, 0, {"first", "final"}}));
  TALLA_TRY_STATUS(check_part(rules, reader, where,
                              {"sides", "fold", DataType::choice, 0, 0, {"lost", "stays"}}));
  for (const std::string_view key : {"one_per_box", "standalone"}) {
    TALLA_TRY_STATUS(check_part(rules, reader, where, {"sides", key, DataType::flag}));
  }
  if (!reader.has("rows")) return reader.finish();
  TALLA_TRY(const auto* rows, reader.array("rows"));
  for (const auto& one : *rows) {
    json::Reader row(one, where + ".rows");
    TALLA_TRY(const auto when, read_category(row));
    if (rules.bet(bet)->payout(when) == nullptr)
      return bad_rules(where + ".rows: no payout for " + when);
    TALLA_TRY_STATUS(
        check_part(rules, row, where, {"sides", "pays", DataType::fraction, 0, pays_max}));
    TALLA_TRY_STATUS(row.finish());
  }
  return reader.finish();
}

Status check_stake(const GameRules& rules, const std::string& bet, const json::Value& value) {
  const std::string where = "data.stakes." + bet;
  json::Reader reader(value, where);
  TALLA_TRY_STATUS(
      check_part(rules, reader, where, {"stakes", "amount", DataType::fraction, 0, 100}));
  TALLA_TRY_STATUS(check_part(rules, reader, where,
                              {"stakes", "form", DataType::choice, 0, 0, {"fixed", "up-to"}}));
  return reader.finish();
}

Status check_meter_row(const GameRules& rules, const json::Value& value, const std::string& where) {
  json::Reader row(value, where);
  TALLA_TRY(const auto when, read_category(row));
  static_cast<void>(when);
  TALLA_TRY_STATUS(check_part(rules, row, where, {"meters", "share", DataType::fraction, 0, 1}));
  TALLA_TRY_STATUS(
      check_part(rules, row, where, {"meters", "drawn", DataType::fraction, 0, 1, {}, false}));
  if (row.has("drawn") && !rules.data.contains("draw"))
    return bad_rules(where + ": no card is changed");
  return row.finish();
}

Status check_meter(const GameRules& rules, const std::string& bet, const json::Value& value) {
  const std::string where = "data.meters." + bet;
  json::Reader reader(value, where);
  const std::array<DataKey, 9> parts = {{
      {"meters", "contribution", DataType::fraction, 0, 1},
      {"meters", "deduction", DataType::fraction, 0, 1},
      {"meters", "unit", DataType::choice, 0, 0, {"minimum", "stake"}},
      {"meters", "kind", DataType::choice, 0, 0, {"progressive", "fixed"}},
      {"meters", "seed", DataType::fraction, 0, 1'000'000},
      {"meters", "fixed", DataType::fraction, 0, 1'000'000},
      {"meters", "order", DataType::choice, 0, 0, {"remainder", "start-amount"}},
      {"meters", "equal", DataType::choice, 0, 0, {"hand-start", "seed"}},
      {"meters", "fed", DataType::choice, 0, 0, {"before-awards", "after-awards"}},
  }};
  for (const auto& part : parts) TALLA_TRY_STATUS(check_part(rules, reader, where, part));
  TALLA_TRY_STATUS(
      check_part(rules, reader, where, {"meters", "drawn", DataType::flag, 0, 0, {}, false}));
  TALLA_TRY_STATUS(check_part(
      rules, reader, where,
      {"meters", "drawn_base", DataType::choice, 0, 0, {"remainder", "hand-start"}, false}));
  const auto draws = rules.data.contains("draw");
  if (value.find("drawn") != nullptr && (!draws || value.find("drawn_base") == nullptr))
    return bad_rules(where + ".drawn: in games that change cards, with drawn_base");
  TALLA_TRY(const auto* rows, reader.array("rows"));
  if (rows->empty()) return bad_rules(where + ".rows is empty");
  for (const auto& row : *rows) TALLA_TRY_STATUS(check_meter_row(rules, row, where + ".rows"));
  const auto stakes = rules.data.find("stakes");
  const bool exact = stakes != rules.data.end() && stakes->second.value.find(bet) != nullptr;
  if (!exact) return bad_rules(where + ": the stake stands in data.stakes");
  return reader.finish();
}

Status check_by_bet(const GameRules& rules) {
  for (const auto& [name, block] : rules.data) {
    if (!has_bets(name)) continue;
    for (const auto& [bet, value] : block.value.object()) {
      if (name == "sides") TALLA_TRY_STATUS(check_side_block(rules, bet, value));
      if (name == "stakes") TALLA_TRY_STATUS(check_stake(rules, bet, value));
      if (name == "meters") TALLA_TRY_STATUS(check_meter(rules, bet, value));
    }
  }
  return {};
}

const json::Value* member(const GameRules& rules, std::string_view block, std::string_view key) {
  const auto found = rules.data.find(block);
  return found == rules.data.end() ? nullptr : found->second.value.find(key);
}

Status check_payouts(const BetRule& bet) {
  for (const auto& payout : bet.payouts) {
    auto known = poker::category_from(payout.when);
    if (!known) return bad_rules("bet " + bet.id + ": no hand " + payout.when);
  }
  return {};
}

Status check_bet(const GameRules& rules, const BetRule& bet) {
  const auto is = [&](std::string_view block) {
    const auto* id = member(rules, block, "bet");
    return id != nullptr && id->string() == bet.id;
  };
  if (bet.on != OnForm::none) return bad_rules("bet " + bet.id + " has no position");
  if (is("boxes")) {
    return bet.payouts.size() == 1 && bet.payout("win") != nullptr
               ? Status()
               : Status(bad_rules("bet " + bet.id + ": one payout, for win"));
  }
  if (is("purchase"))
    return bet.payouts.empty() ? Status() : Status(bad_rules("bet " + bet.id + " is a price"));
  if (is("second") || is("bonus")) return check_payouts(bet);
  if (member(rules, "sides", bet.id) == nullptr)
    return bad_rules("bet " + bet.id + " stands in no block");
  if (member(rules, "meters", bet.id) == nullptr && bet.payouts.empty())
    return bad_rules("bet " + bet.id + " has no payout");
  return check_payouts(bet);
}

Status check_deal(const GameRules& rules) {
  if (!rules.shoe || rules.shoe->deck != "french52x1" || !rules.shoe->covered ||
      rules.shoe->stop_depth != 0) {
    return bad_rules("the game needs one French deck, covered, without stop card");
  }
  const auto* count = member(rules, "deal", "cards");
  if (!count->is_integer()) return bad_rules("data.deal.cards is a number");
  const auto cards = static_cast<std::size_t>(count->integer());
  const auto* lowest = member(rules, "bank", "minimum");
  if (cards == 4 || lowest->array().size() != cards)
    return bad_rules("data.bank.minimum is a hand of 3 or 5 cards");
  if (rules.boxes_max == 0) return bad_rules("the game needs boxes_max");
  for (const auto& error : rules.errors) {
    if (error.effect != "void-hand" && error.effect != "lose-stakes") {
      return bad_rules("error " + error.code + ": the effects are void-hand and lose-stakes");
    }
  }
  return {};
}

/// Every hand with which a player can beat a bank that plays has a price.
Status check_second(const GameRules& rules) {
  const auto& order = member(rules, "hands", "order")->array();
  poker::HandOrder hands;
  for (const auto& one : order) {
    TALLA_TRY(const auto category, poker::category_from(one.string()));
    hands.low_to_high.push_back(category);
  }
  TALLA_TRY(const auto ranker, poker::Ranker::create(hands));
  std::vector<Card> lowest;
  for (const auto& one : member(rules, "bank", "minimum")->array())
    lowest.push_back(*Card::parse(one.string()));
  const auto value = lowest.size() == 3 ? ranker.three(std::span(lowest).first<3>())
                                        : ranker.five(std::span(lowest).first<5>());
  const auto from = poker::category_name(ranker.category(value));
  const auto& second = *rules.bet(member(rules, "second", "bet")->string());
  bool reached = false;
  for (const auto& one : order) {
    reached = reached || one.string() == from;
    if (reached && second.payout(one.string()) == nullptr)
      return bad_rules("bet " + second.id + ": no payout for " + one.string());
  }
  return {};
}

}  // namespace

Status check_law(const GameRules& rules) {
  for (const auto block : required_blocks) {
    if (!rules.data.contains(block)) return bad_rules("data." + std::string(block) + " is missing");
  }
  TALLA_TRY_STATUS(poker::check_hand_order(rules));
  for (const auto& [name, block] : rules.data) {
    if (name == "hands") continue;
    const std::string_view list =
        name == "draw" ? "bank" : "";  // what the generic check does not know
    TALLA_TRY_STATUS(check_data_block(rules, name, without(block, list), keys(), has_bets(name)));
  }
  if (rules.data.contains("draw"))
    TALLA_TRY_STATUS(check_bank_draw(rules.data.find("draw")->second.value));
  TALLA_TRY_STATUS(check_deal(rules));
  TALLA_TRY_STATUS(check_by_bet(rules));
  for (const auto& bet : rules.bets) TALLA_TRY_STATUS(check_bet(rules, bet));
  return check_second(rules);
}

}  // namespace talla::games::second_bet
