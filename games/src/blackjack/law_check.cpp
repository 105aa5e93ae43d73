#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "blackjack/combinations.hpp"
#include "blackjack/law.hpp"

namespace talla::games::blackjack {
namespace {

tl::unexpected<Error> malformed(const std::string& why) {
  return fail(Errc::catalogue_malformed, why);
}

enum class Type : std::uint8_t { flag, number, fraction, choice, text, numbers, table };

struct Key {
  std::string_view block;
  std::string_view key;
  Type type = Type::flag;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::vector<std::string_view> values{};  ///< choice
  bool required = true;
};

constexpr std::array<std::string_view, 7> required_blocks = {"cards",  "shoe",   "boxes",  "draw",
                                                             "dealer", "settle", "backers"};

const std::vector<Key>& keys() {
  static const std::vector<Key> all = {
      {"cards", "ranks", Type::numbers, 1, 20},
      {"cards", "ace_extra", Type::number, 0, 20},
      {"cards", "target", Type::number, 12, 100},
      {"shoe", "burn", Type::number, 0, 52},
      {"shoe", "reserve", Type::number, 0, 415},
      {"shoe", "stop_first", Type::choice, 0, 0, {"shoe-over", "one-last-hand"}},
      {"shuffler", "kind", Type::choice, 0, 0, {"finite", "continuous"}},
      {"shuffler", "burn", Type::choice, 0, 0, {"once", "every-round", "none"}},
      {"boxes", "bet", Type::text},
      {"boxes", "count", Type::number, 1, 20},
      {"boxes", "bets_max", Type::number, 0, 20},
      {"boxes", "vacant", Type::flag},
      {"boxes", "command", Type::choice, 0, 0, {"first", "largest"}},
      {"boxes", "tie", Type::choice, 0, 0, {"lowest-seat", "highest-seat"}},
      {"boxes", "multiples", Type::flag},
      {"draw", "on_target", Type::choice, 0, 0, {"never", "not-blackjack", "always"}},
      {"dealer", "stands_on", Type::number, 11, 21},
      {"dealer", "without_live_hand", Type::flag},
      {"dealer", "for_blackjack_only", Type::flag},
      {"settle", "tie", Type::choice, 0, 0, {"push", "void"}},
      {"settle", "blackjack_tie", Type::choice, 0, 0, {"push", "win"}},
      {"settle", "split_target", Type::choice, 0, 0, {"lose", "push"}},
      {"backers", "follow", Type::choice, 0, 0, {"optional", "forced"}},
      {"insurance", "bet", Type::text},
      {"insurance", "amount", Type::choice, 0, 0, {"half", "up-to-half"}},
      {"insurance", "window", Type::choice, 0, 0, {"hand", "table"}},
      {"insurance", "open_to", Type::choice, 0, 0, {"all", "blackjack"}},
      {"insurance", "busted", Type::choice, 0, 0, {"stays", "lost"}},
      {"even_money", "with_insurance", Type::choice, 0, 0, {"exclusive", "both"}},
      {"split", "offered", Type::flag},
      {"split", "hands_max", Type::number, 0, 100},
      {"split", "resplit_aces", Type::flag},
      {"split", "deal", Type::choice, 0, 0, {"as-played", "both-at-once"}},
      {"double", "offered", Type::flag},
      {"double", "totals", Type::numbers, 2, 21, {}, false},
      {"double", "soft", Type::choice, 0, 0, {"literal", "hard-only"}},
      {"double", "initial_ace", Type::choice, 0, 0, {"free", "one"}},
      {"double", "aces", Type::flag},
      {"double", "split_ten_ace", Type::flag},
      {"surrender", "offered", Type::flag},
      {"surrender", "returned", Type::fraction, 0, 1},
      {"surrender", "not_against", Type::numbers, 1, 13},
      {"stages", "count", Type::number, 2, 9},
      {"stages", "blackjack_rate", Type::choice, 0, 0, {"all", "first"}},
      {"over_under", "value", Type::number, 2, 21},
      {"combinations", "suits", Type::choice, 0, 0, {"not-all-same", "all-different"}},
      {"combinations", "after_split", Type::choice, 0, 0, {"counts", "ends"}},
  };
  return all;
}

bool in_range(const json::Value& value, std::int64_t min, std::int64_t max) {
  return value.is_integer() && value.integer() >= min && value.integer() <= max;
}

std::string where_of(const Key& key) {
  return "data." + std::string(key.block) + "." + std::string(key.key);
}

/// The parameter's every value is one the engine knows.
Status check_parameter(const GameRules& rules, const std::string& name, const Key& key) {
  const auto* rule = rules.parameter(name);
  if (rule == nullptr) return malformed(where_of(key) + ": no parameter " + name);
  bool fits = false;
  switch (key.type) {
    case Type::flag:
      fits = rule->type == ParameterType::boolean;
      break;
    case Type::number: {
      const auto inside = [&](const json::Value& value) { return in_range(value, key.min, key.max); };
      const bool listed =
          !rule->allowed.empty() && std::all_of(rule->allowed.begin(), rule->allowed.end(), inside);
      const bool bounded =
          rule->min && rule->max && *rule->min >= Fraction(key.min) && *rule->max <= Fraction(key.max);
      fits = rule->type == ParameterType::integer && (listed || bounded);
      break;
    }
    case Type::fraction:
      fits = (rule->type == ParameterType::fraction || rule->type == ParameterType::integer) && rule->min &&
             rule->max && *rule->min >= Fraction(key.min) && *rule->max <= Fraction(key.max);
      break;
    case Type::choice:
      fits = rule->type == ParameterType::choice &&
             std::all_of(rule->allowed.begin(), rule->allowed.end(), [&](const json::Value& value) {
               return std::find(key.values.begin(), key.values.end(), value.string()) != key.values.end();
             });
      break;
    case Type::text:
    case Type::numbers:
    case Type::table:
      break;
  }
  return fits ? Status()
              : Status(malformed(where_of(key) + ": parameter " + name + " has values it does not know"));
}

bool is_fraction(const json::Value& value, std::int64_t min, std::int64_t max) {
  if (value.is_integer()) return in_range(value, min, max);
  if (!value.is_string()) return false;
  const auto parsed = Fraction::parse(value.string());
  return parsed && *parsed >= Fraction(min) && *parsed <= Fraction(max);
}

Status check_value(const GameRules& rules, const json::Value& value, const Key& key) {
  if (value.is_object()) {
    const auto* name = value.find("parameter");
    if (name == nullptr || !name->is_string() || value.object().size() != 1) {
      return malformed(where_of(key) + ": a value or { parameter = \"...\" }");
    }
    return check_parameter(rules, name->string(), key);
  }
  bool fits = false;
  switch (key.type) {
    case Type::flag:
      fits = value.is_bool();
      break;
    case Type::number:
      fits = in_range(value, key.min, key.max);
      break;
    case Type::fraction:
      fits = is_fraction(value, key.min, key.max);
      break;
    case Type::choice:
      fits = value.is_string() &&
             std::find(key.values.begin(), key.values.end(), value.string()) != key.values.end();
      break;
    case Type::text:
      fits = value.is_string() && rules.bet(value.string()) != nullptr;
      break;
    case Type::numbers:
      fits = value.is_array() &&
             std::all_of(value.array().begin(), value.array().end(),
                         [&](const json::Value& one) { return in_range(one, key.min, key.max); });
      break;
    case Type::table:
      fits = true;
      break;
  }
  return fits ? Status() : Status(malformed(where_of(key) + ": no value the engine knows"));
}

/// Blocks whose further keys are bets.
bool has_bets(std::string_view block) {
  return block == "combinations" || block == "stakes";
}

Status check_block(const GameRules& rules, const std::string& name, const DataBlock& block) {
  std::set<std::string_view> known;
  for (const auto& key : keys()) {
    if (key.block != name) continue;
    known.insert(key.key);
    const auto* value = block.value.find(key.key);
    if (value == nullptr) {
      if (key.required) return malformed(where_of(key) + " is missing");
      continue;
    }
    TALLA_TRY_STATUS(check_value(rules, *value, key));
  }
  if (known.empty() && name != "stakes") return malformed("data." + name + " is unknown");
  for (const auto& [key, value] : block.value.object()) {
    const bool bet = has_bets(name) && rules.bet(key) != nullptr;
    if (!known.contains(key) && !bet) return malformed("data." + name + "." + key + " is unknown");
  }
  return {};
}

Status check_row(const GameRules& rules, const BetRule& bet, const json::Value& row) {
  const std::string where = "data.combinations." + bet.id;
  json::Reader reader(row, where);
  TALLA_TRY(const auto when, reader.string("when"));
  if (!is_combination(when) || bet.payout(when) == nullptr)
    return malformed(where + ": no such payout: " + when);
  constexpr std::int64_t most = 100'000;
  const auto check = [&](std::string_view key, Type type, std::int64_t max) -> Status {
    const auto* value = reader.optional(key);
    if (value == nullptr) return {};
    return check_value(rules, *value, {"combinations", key, type, 0, max, {}});
  };
  TALLA_TRY_STATUS(check("pays", Type::fraction, most));
  TALLA_TRY_STATUS(check("meter", Type::fraction, 1));
  TALLA_TRY_STATUS(check("floor", Type::fraction, most));
  TALLA_TRY_STATUS(check("stake_returned", Type::flag, 0));
  if (reader.has("pays") == reader.has("meter"))
    return malformed(where + ": a row pays or names a share of the jackpot");
  return reader.finish();
}

Status check_combination_bet(const GameRules& rules, const BetRule& bet) {
  const auto found = rules.data.find("combinations");
  const auto* value = found == rules.data.end() ? nullptr : found->second.value.find(bet.id);
  if (value == nullptr) return malformed("data.combinations." + bet.id + " is missing");
  json::Reader reader(*value, "data.combinations." + bet.id);
  for (const std::string_view key : {"contribution", "seed"}) {
    const auto* part = reader.optional(key);
    if (part == nullptr)
      return malformed("data.combinations." + bet.id + "." + std::string(key) + " is missing");
    const std::int64_t most = key == "contribution" ? 1 : 1'000'000;
    TALLA_TRY_STATUS(check_value(rules, *part, {"combinations", key, Type::fraction, 0, most, {}}));
  }
  TALLA_TRY(const auto* rows, reader.array("rows"));
  for (const auto& row : *rows) TALLA_TRY_STATUS(check_row(rules, bet, row));
  if (rows->empty()) return malformed("data.combinations." + bet.id + ".rows is empty");
  return reader.finish();
}

Status check_payouts(const BetRule& bet, std::initializer_list<std::string_view> whens) {
  for (const auto when : whens) {
    if (bet.payout(when) == nullptr) return malformed("bet " + bet.id + ": no payout " + std::string(when));
  }
  return {};
}

Status check_stage_positions(const GameRules& rules, const BetRule& bet) {
  const auto stages = rules.data.find("stages");
  if (stages == rules.data.end()) {
    return bet.on == OnForm::none ? Status() : Status(malformed("bet " + bet.id + " has no position"));
  }
  const auto count = stages->second.value.find("count")->integer();
  const bool fits = bet.on == OnForm::index && bet.covers_when.empty() &&
                    bet.covers.array().size() == static_cast<std::size_t>(count);
  return fits ? Status() : Status(malformed("bet " + bet.id + ": on is the index of the dealer's stage"));
}

Status check_form(const GameRules& rules, const BetRule& bet, std::string_view main,
                  std::string_view insurance) {
  if (bet.id == main) {
    TALLA_TRY_STATUS(check_payouts(bet, {"win", "blackjack"}));
    if (rules.data.contains("even_money")) TALLA_TRY_STATUS(check_payouts(bet, {"even-money"}));
    TALLA_TRY_STATUS(check_stage_positions(rules, bet));
    return bet.on == OnForm::index || (bet.covers.is_string() && bet.covers.string() == "hand")
               ? Status()
               : Status(malformed("bet " + bet.id + ": covers is \"hand\""));
  }
  if (bet.id == insurance) {
    TALLA_TRY_STATUS(check_payouts(bet, {"win"}));
    TALLA_TRY_STATUS(check_stage_positions(rules, bet));
    return bet.on == OnForm::index || (bet.covers.is_string() && bet.covers.string() == "insurance")
               ? Status()
               : Status(malformed("bet " + bet.id + ": covers is \"insurance\""));
  }
  const std::string form = bet.on == OnForm::none && bet.covers.is_string() ? bet.covers.string() : "";
  if (form == "pair") return check_payouts(bet, {"complete", "colour", "incomplete"});
  if (form == "combination") return check_combination_bet(rules, bet);
  if (form == "under" || form == "over") {
    if (!rules.data.contains("over_under")) return malformed("data.over_under is missing");
    return check_payouts(bet, {"win"});
  }
  return malformed("bet " + bet.id + ": covers is hand, insurance, pair, under, over or combination");
}

Status check_stakes(const GameRules& rules) {
  const auto found = rules.data.find("stakes");
  if (found == rules.data.end()) return {};
  for (const auto& [bet, value] : found->second.value.object()) {
    json::Reader reader(value, "data.stakes." + bet);
    const auto* exact = reader.optional("exact");
    const auto* min = reader.optional("min");
    if ((exact != nullptr) == (min != nullptr)) return malformed("data.stakes." + bet + ": exact or min");
    TALLA_TRY_STATUS(check_value(rules, exact != nullptr ? *exact : *min,
                                 {"stakes", "exact or min", Type::fraction, 0, 100, {}}));
    TALLA_TRY_STATUS(reader.finish());
  }
  return {};
}

Status check_equipment(const GameRules& rules) {
  if (!rules.shoe || !rules.shoe->deck.starts_with("french52"))
    return malformed("the game needs a shoe of French cards");
  const auto& ranks = *rules.data.find("cards")->second.value.find("ranks");
  if (ranks.array().size() != 13) return malformed("data.cards.ranks: 13 figures, ace to king");
  if (rules.boxes_max == 0) return malformed("the game needs boxes_max");
  for (const auto& error : rules.errors) {
    if (error.effect != "void-round" && error.effect != "remove-card") {
      return malformed("error " + error.code + ": the effects are void-round and remove-card");
    }
  }
  return {};
}

}  // namespace

Status check_law(const GameRules& rules) {
  for (const auto block : required_blocks) {
    if (!rules.data.contains(block)) return malformed("data." + std::string(block) + " is missing");
  }
  for (const auto& [name, block] : rules.data) TALLA_TRY_STATUS(check_block(rules, name, block));
  TALLA_TRY_STATUS(check_equipment(rules));
  TALLA_TRY_STATUS(check_stakes(rules));
  const auto& main = rules.data.find("boxes")->second.value.find("bet")->string();
  const auto insurance = rules.data.find("insurance");
  const std::string side = insurance == rules.data.end() ? "" : insurance->second.value.find("bet")->string();
  for (const auto& bet : rules.bets) TALLA_TRY_STATUS(check_form(rules, bet, main, side));
  return {};
}

}  // namespace talla::games::blackjack
