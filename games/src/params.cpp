#include <algorithm>

#include "base/check.hpp"
#include "games/rules.hpp"
#include "parameter_value.hpp"

namespace talla::games {
namespace {

tl::unexpected<Error> not_allowed(const ParameterRule& rule, const std::string& why) {
  return fail(Errc::parameter_not_allowed, rule.id + ": " + why);
}

std::string type_words(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::choice:
      return "one of the allowed words";
    case ParameterType::integer:
      return "an integer";
    case ParameterType::fraction:
      return "an integer or a fraction like \"1/2\"";
    case ParameterType::amount:
      return "an amount in the table's units";
  }
  return "";
}

tl::unexpected<Error> missing(const GameRules& rules, const ParameterRule& rule) {
  if (rules.base.empty() || rule.id != base_parameter) {
    return fail(Errc::parameter_missing, rule.id + ": the text leaves it open; the table must give it");
  }
  return fail(Errc::decree_missing, rules.id + " rests on " + rules.base_decree +
                                        ", which is not at hand; with the parameter base = \"" + rules.base +
                                        "\" the table opens, and all that it settles is provisional");
}

Result<json::Value> amount_default(const ParameterRule& rule, std::string_view table_currency,
                                   const Fraction& unit) {
  if (rule.fallback && rule.currency == table_currency) {
    const Fraction units = Fraction(rule.fallback->integer()) / unit;
    if (units.is_integer() && units <= Fraction(units_max)) return json::Value(units.floor());
    return fail(Errc::parameter_missing, rule.id + ": " + std::to_string(rule.fallback->integer()) + " " +
                                             rule.currency +
                                             " are no whole units; this table must state its own");
  }
  return fail(Errc::parameter_missing,
              rule.id + ": the text gives an amount in " + rule.currency + "; this table must state its own");
}

}  // namespace

std::optional<Fraction> number_of(const json::Value& value) {
  if (value.is_integer()) return Fraction(value.integer());
  if (!value.is_string()) return std::nullopt;
  auto parsed = Fraction::parse(value.string());
  if (!parsed) return std::nullopt;
  return *parsed;
}

bool same_value(const json::Value& a, const json::Value& b, ParameterType type) {
  if (type != ParameterType::fraction) return a == b;
  const auto left = number_of(a);
  const auto right = number_of(b);
  return left && right && *left == *right;
}

Status check_parameter_value(const ParameterRule& rule, const json::Value& value) {
  bool right_type = false;
  switch (rule.type) {
    case ParameterType::boolean:
      right_type = value.is_bool();
      break;
    case ParameterType::choice:
      right_type = value.is_string();
      break;
    case ParameterType::integer:
      right_type = value.is_integer();
      break;
    case ParameterType::fraction:
      right_type = number_of(value).has_value();
      break;
    case ParameterType::amount:
      right_type = value.is_integer() && value.integer() > 0;
      break;
  }
  if (!right_type) return not_allowed(rule, "must be " + type_words(rule.type));
  if (!rule.allowed.empty() && std::none_of(rule.allowed.begin(), rule.allowed.end(), [&](const auto& one) {
        return same_value(one, value, rule.type);
      })) {
    std::string words;
    for (const auto& one : rule.allowed) words += (words.empty() ? "" : ", ") + json::canonical(one);
    return not_allowed(rule, "the catalogue allows " + words);
  }
  if (const auto number = number_of(value); number && (rule.min || rule.max)) {
    if (rule.min && *number < *rule.min) return not_allowed(rule, "at least " + rule.min->text());
    if (rule.max && *number > *rule.max) return not_allowed(rule, "at most " + rule.max->text());
  }
  return {};
}

Result<Params> Params::resolve(const GameRules& rules, const json::Value& given,
                               std::string_view table_currency, const Fraction& unit) {
  if (!given.is_object()) return fail(Errc::table_invalid, "params is an object");
  for (const auto& [id, value] : given.object()) {
    if (rules.parameter(id) == nullptr)
      return fail(Errc::parameter_unknown, rules.id + " has no parameter " + id);
  }
  Params out;
  for (const auto& rule : rules.parameters) {
    const auto* value = given.find(rule.id);
    if (value == nullptr && rule.type == ParameterType::amount) {
      TALLA_TRY(out.values_[rule.id], amount_default(rule, table_currency, unit));
      continue;
    }
    if (value == nullptr && !rule.fallback) return missing(rules, rule);
    const auto* other = rule.fallback_of.empty() ? nullptr : out.values_.find(rule.fallback_of);
    const auto& chosen = value != nullptr ? *value : other != nullptr ? *other : *rule.fallback;
    TALLA_TRY_STATUS(check_parameter_value(rule, chosen));
    // One spelling for equal fractions, so that equal tables have equal digests.
    out.values_[rule.id] =
        rule.type == ParameterType::fraction ? json::Value(number_of(chosen)->text()) : chosen;
  }
  return out;
}

bool Params::has(std::string_view id) const {
  return values_.find(id) != nullptr;
}

bool Params::boolean(std::string_view id) const {
  const auto* value = values_.find(id);
  TALLA_CHECK(value != nullptr);
  return value->boolean();
}

const std::string& Params::choice(std::string_view id) const {
  const auto* value = values_.find(id);
  TALLA_CHECK(value != nullptr);
  return value->string();
}

std::int64_t Params::integer(std::string_view id) const {
  const auto* value = values_.find(id);
  TALLA_CHECK(value != nullptr);
  return value->integer();
}

Fraction Params::fraction(std::string_view id) const {
  const auto* value = values_.find(id);
  TALLA_CHECK(value != nullptr);
  const auto number = number_of(*value);
  TALLA_CHECK(number.has_value());
  return *number;
}

bool Params::holds(const Condition& condition) const {
  const auto* value = values_.find(condition.parameter);
  return value != nullptr && *value == condition.value;
}

}  // namespace talla::games
