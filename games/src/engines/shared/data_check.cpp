#include "engines/shared/data_check.hpp"

#include <algorithm>
#include <set>

#include "engines/shared/rules_check.hpp"
#include "shuffle/card.hpp"

namespace talla::games {
namespace {

bool in_range(const json::Value& value, std::int64_t min, std::int64_t max) {
  return value.is_integer() && value.integer() >= min && value.integer() <= max;
}

std::string where_of(const DataKey& key) {
  return "data." + std::string(key.block) + "." + std::string(key.key);
}

/// The parameter's every value is one the engine knows.
Status check_parameter(const GameRules& rules, const std::string& name, const DataKey& key) {
  const auto* rule = rules.parameter(name);
  if (rule == nullptr) return bad_rules(where_of(key) + ": no parameter " + name);
  bool fits = false;
  switch (key.type) {
    case DataType::flag:
      fits = rule->type == ParameterType::boolean;
      break;
    case DataType::number: {
      const auto inside = [&](const json::Value& value) {
        return in_range(value, key.min, key.max);
      };
      const bool listed =
          !rule->allowed.empty() && std::all_of(rule->allowed.begin(), rule->allowed.end(), inside);
      const bool bounded = rule->min && rule->max && *rule->min >= Fraction(key.min) &&
                           *rule->max <= Fraction(key.max);
      fits = rule->type == ParameterType::integer && (listed || bounded);
      break;
    }
    case DataType::fraction:
      fits = (rule->type == ParameterType::fraction || rule->type == ParameterType::integer) &&
             rule->min && rule->max && *rule->min >= Fraction(key.min) &&
             *rule->max <= Fraction(key.max);
      break;
    case DataType::choice:
      fits = rule->type == ParameterType::choice &&
             std::all_of(rule->allowed.begin(), rule->allowed.end(), [&](const json::Value& value) {
               return std::find(key.values.begin(), key.values.end(), value.string()) !=
                      key.values.end();
             });
      break;
    case DataType::text:
    case DataType::numbers:
    case DataType::cards:
    case DataType::words:
      break;
  }
  return fits ? Status()
              : Status(bad_rules(where_of(key) + ": parameter " + name +
                                 " has values it does not know"));
}

bool is_fraction(const json::Value& value, std::int64_t min, std::int64_t max) {
  if (value.is_integer()) return in_range(value, min, max);
  if (!value.is_string()) return false;
  const auto parsed = Fraction::parse(value.string());
  return parsed && *parsed >= Fraction(min) && *parsed <= Fraction(max);
}

bool are_cards(const json::Value& value, std::int64_t least, std::int64_t most) {
  if (!value.is_array()) return false;
  const auto count = static_cast<std::int64_t>(value.array().size());
  return count >= least && count <= most &&
         std::all_of(value.array().begin(), value.array().end(), [](const json::Value& one) {
           return one.is_string() && shuffle::Card::parse(one.string()).has_value();
         });
}

bool are_words(const json::Value& value, const std::vector<std::string_view>& known) {
  return value.is_array() && !value.array().empty() &&
         std::all_of(value.array().begin(), value.array().end(), [&](const json::Value& one) {
           return one.is_string() &&
                  std::find(known.begin(), known.end(), one.string()) != known.end();
         });
}

}  // namespace

Status check_data_value(const GameRules& rules, const json::Value& value, const DataKey& key) {
  if (value.is_object()) {
    const auto* name = value.find("parameter");
    if (name == nullptr || !name->is_string() || value.object().size() != 1) {
      return bad_rules(where_of(key) + ": a value or { parameter = \"...\" }");
    }
    return check_parameter(rules, name->string(), key);
  }
  bool fits = false;
  switch (key.type) {
    case DataType::flag:
      fits = value.is_bool();
      break;
    case DataType::number:
      fits = in_range(value, key.min, key.max);
      break;
    case DataType::fraction:
      fits = is_fraction(value, key.min, key.max);
      break;
    case DataType::choice:
      fits = value.is_string() &&
             std::find(key.values.begin(), key.values.end(), value.string()) != key.values.end();
      break;
    case DataType::text:
      fits = value.is_string() && rules.bet(value.string()) != nullptr;
      break;
    case DataType::numbers:
      fits = value.is_array() &&
             std::all_of(value.array().begin(), value.array().end(),
                         [&](const json::Value& one) { return in_range(one, key.min, key.max); });
      break;
    case DataType::cards:
      fits = are_cards(value, key.min, key.max);
      break;
    case DataType::words:
      fits = are_words(value, key.values);
      break;
  }
  return fits ? Status() : Status(bad_rules(where_of(key) + ": no value the engine knows"));
}

Status check_data_block(const GameRules& rules, const std::string& name, const DataBlock& block,
                        std::span<const DataKey> keys, bool by_bet) {
  std::set<std::string_view> known;
  for (const auto& key : keys) {
    if (key.block != name) continue;
    known.insert(key.key);
    const auto* value = block.value.find(key.key);
    if (value == nullptr) {
      if (key.required) return bad_rules(where_of(key) + " is missing");
      continue;
    }
    TALLA_TRY_STATUS(check_data_value(rules, *value, key));
  }
  if (known.empty() && !by_bet) return bad_rules("data." + name + " is unknown");
  for (const auto& [key, value] : block.value.object()) {
    const bool bet = by_bet && rules.bet(key) != nullptr;
    if (!known.contains(key) && !bet) return bad_rules("data." + name + "." + key + " is unknown");
  }
  return {};
}

}  // namespace talla::games
