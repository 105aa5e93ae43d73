// The parameters of one table: given, allowed, by default.
#include <algorithm>

#include "base/check.hpp"
#include "games/refusal.hpp"
#include "games/rules.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {
namespace {

tl::unexpected<Error> not_allowed(const ParameterRule& rule, std::string_view form,
                                  const json::Value& found, std::string_view slot,
                                  std::string allowed) {
  return refuse(Errc::parameter_not_allowed, form,
                {{"parameter", rule.id},
                 {"found", json::canonical(found).substr(0, 60)},
                 {slot, std::move(allowed)}});
}

std::string values_text(const ParameterRule& rule) {
  std::vector<std::string> out;
  out.reserve(rule.allowed.size());
  for (const auto& one : rule.allowed) out.push_back(json::canonical(one));
  return listed(out);
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
      return "an integer, a fraction like \"1/80\" or a whole percentage like \"5%\"";
    case ParameterType::amount:
      return "an amount in the table's units";
  }
  return "";
}

tl::unexpected<Error> missing(const GameRules& rules, const ParameterRule& rule) {
  if (rules.base.empty() || rule.id != base_parameter) {
    if (rule.allowed.empty())
      return refuse(Errc::parameter_missing,
                    "{parameter}: the text leaves it open; the table must give {type~}",
                    {{"parameter", rule.id}, {"type~", type_words(rule.type)}});
    return refuse(Errc::parameter_missing,
                  "{parameter}: the text leaves it open; the table must give one of {allowed}",
                  {{"parameter", rule.id}, {"allowed", values_text(rule)}});
  }
  return refuse(Errc::decree_missing,
                "{game} rests on {decree}, which is not at hand; with the parameter base = "
                "\"{base}\" the table "
                "opens, and all that it settles is provisional",
                {{"game", rules.id}, {"decree", rules.base_decree}, {"base", rules.base}});
}

tl::unexpected<Error> no_such_parameter(const GameRules& rules, const std::string& id) {
  std::vector<std::string> there;
  there.reserve(rules.parameters.size());
  for (const auto& rule : rules.parameters) there.push_back(rule.id);
  RefusalValues values{{"game", rules.id}, {"parameter", id.empty() ? "''" : id.substr(0, 60)}};
  if (there.empty())
    return refuse(Errc::parameter_unknown, "{game} has no parameter {parameter}", values);
  values.emplace_back("allowed", listed(there));
  return refuse(Errc::parameter_unknown,
                "{game} has no parameter {parameter}; there are: {allowed}", values);
}

Result<json::Value> amount_default(const ParameterRule& rule, std::string_view table_currency,
                                   const Fraction& unit) {
  if (rule.fallback && rule.currency == table_currency) {
    const Fraction units = Fraction(rule.fallback->integer()) / unit;
    if (units.is_integer() && units <= Fraction(units_max)) return json::Value(units.floor());
    return refuse(Errc::parameter_missing,
                  "{parameter}: {amount} are no whole units; this table must state its own",
                  {{"parameter", rule.id},
                   {"amount", std::to_string(rule.fallback->integer()) + " " + rule.currency}});
  }
  return refuse(
      Errc::parameter_missing,
      "{parameter}: the text gives an amount in {currency}; this table must state its own",
      {{"parameter", rule.id}, {"currency", rule.currency}});
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
  if (!right_type)
    return not_allowed(rule, "{parameter}: must be {type~}, not {found}", value, "type~",
                       type_words(rule.type));
  if (!rule.allowed.empty() &&
      std::none_of(rule.allowed.begin(), rule.allowed.end(),
                   [&](const auto& one) { return same_value(one, value, rule.type); })) {
    return not_allowed(rule, "{parameter}: the catalogue allows {allowed}, not {found}", value,
                       "allowed", values_text(rule));
  }
  if (const auto number = number_of(value); number && (rule.min || rule.max)) {
    if (rule.min && *number < *rule.min)
      return not_allowed(
          rule, "{parameter}: {found} is below {allowed}, the least that the catalogue allows",
          value, "allowed", rule.min->text());
    if (rule.max && *number > *rule.max)
      return not_allowed(
          rule, "{parameter}: {found} is above {allowed}, the most that the catalogue allows",
          value, "allowed", rule.max->text());
  }
  return {};
}

Result<Params> Params::resolve(const GameRules& rules, const json::Value& given,
                               std::string_view table_currency, const Fraction& unit) {
  if (!given.is_object()) return fail(Errc::table_invalid, "params is an object");
  for (const auto& [id, value] : given.object()) {
    if (rules.parameter(id) == nullptr) return no_such_parameter(rules, id);
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
    json::Value chosen = value != nullptr ? *value : other != nullptr ? *other : *rule.fallback;
    // A word of digits may come as the number that it looks like.
    if (rule.type == ParameterType::choice && chosen.is_integer())
      chosen = json::Value(std::to_string(chosen.integer()));
    TALLA_TRY_STATUS(check_parameter_value(rule, chosen));
    // One spelling for equal fractions, so that equal tables have equal digests.
    out.values_[rule.id] = rule.type == ParameterType::fraction
                               ? json::Value(number_of(chosen)->text())
                               : std::move(chosen);
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
