#include "engines/circle/figures.hpp"

#include <algorithm>

namespace talla::games::circle {
namespace {

bool is_known(const json::Value& value, std::initializer_list<std::string_view> known) {
  return value.is_string() && std::find(known.begin(), known.end(), value.string()) != known.end();
}

}  // namespace

Result<Figures> Figures::of(const GameRules& rules, const Params* params, std::string_view block) {
  const auto found = rules.data.find(block);
  if (found == rules.data.end() || !found->second.value.is_object()) {
    return fail(Errc::catalogue_malformed, rules.id + ": no data." + std::string(block));
  }
  return Figures(rules, params, block, found->second);
}

tl::unexpected<Error> Figures::wrong(std::string_view key, const std::string& why) const {
  return fail(Errc::catalogue_malformed,
              rules_->id + ": data." + name_ + "." + std::string(key) + ": " + why);
}

Result<const json::Value*> Figures::need(std::string_view key) {
  const auto* value = block_->value.find(key);
  if (value == nullptr) return wrong(key, "is missing");
  read_.emplace_back(key);
  return value;
}

Result<const ParameterRule*> Figures::parameter(const json::Value& value,
                                                std::string_view key) const {
  if (!value.is_object()) return nullptr;
  const auto* name = value.find("parameter");
  if (name == nullptr || !name->is_string() || value.object().size() != 1)
    return wrong(key, "a value or { parameter = \"...\" }");
  const auto* rule = rules_->parameter(name->string());
  if (rule == nullptr) return wrong(key, "no parameter " + name->string());
  return rule;
}

Result<bool> Figures::either(std::string_view key, std::string_view yes, std::string_view no) {
  TALLA_TRY(const auto chosen, word(key, {yes, no}));
  return chosen == yes;
}

Result<std::string> Figures::word(std::string_view key,
                                  std::initializer_list<std::string_view> known) {
  TALLA_TRY(const auto* value, need(key));
  TALLA_TRY(const auto* rule, parameter(*value, key));
  if (rule == nullptr) {
    if (!is_known(*value, known)) return wrong(key, "unknown word");
    return value->string();
  }
  const auto& allowed = rule->allowed;
  const bool good = rule->type == ParameterType::choice && !allowed.empty() &&
                    std::all_of(allowed.begin(), allowed.end(),
                                [&](const json::Value& one) { return is_known(one, known); });
  if (!good)
    return wrong(key, "parameter " + rule->id + " has values that the engine does not know");
  return params_ == nullptr ? allowed.front().string() : params_->choice(rule->id);
}

Result<bool> Figures::flag(std::string_view key) {
  TALLA_TRY(const auto* value, need(key));
  TALLA_TRY(const auto* rule, parameter(*value, key));
  if (rule == nullptr)
    return value->is_bool() ? Result<bool>(value->boolean()) : wrong(key, "true or false");
  if (rule->type != ParameterType::boolean) return wrong(key, rule->id + " is no bool");
  return params_ != nullptr && params_->boolean(rule->id);
}

Result<std::int64_t> Figures::number(std::string_view key, std::int64_t min, std::int64_t max) {
  TALLA_TRY(const auto* value, need(key));
  TALLA_TRY(const auto* rule, parameter(*value, key));
  if (rule == nullptr) {
    if (!value->is_integer() || value->integer() < min || value->integer() > max)
      return wrong(key, "a number from " + std::to_string(min) + " to " + std::to_string(max));
    return value->integer();
  }
  if (rule->type != ParameterType::integer || !rule->min || !rule->max ||
      *rule->min < Fraction(min) || *rule->max > Fraction(max)) {
    return wrong(
        key, rule->id + " is a number from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return params_ == nullptr ? rule->min->ceil() : params_->integer(rule->id);
}

Result<Fraction> Figures::fraction_of(const json::Value& value, std::string_view key,
                                      std::int64_t max) {
  TALLA_TRY(const auto* rule, parameter(value, key));
  if (rule == nullptr) {
    auto printed = value.is_integer()  ? Result<Fraction>(Fraction(value.integer()))
                   : value.is_string() ? Fraction::parse(value.string())
                                       : Result<Fraction>(wrong(key, "a fraction"));
    if (!printed || *printed < Fraction(0) || *printed > Fraction(max))
      return wrong(key, "a fraction of at most " + std::to_string(max));
    return *printed;
  }
  const bool number = rule->type == ParameterType::integer || rule->type == ParameterType::fraction;
  if (!number || !rule->min || !rule->max || *rule->min < Fraction(0) ||
      *rule->max > Fraction(max)) {
    return wrong(key, rule->id + " is a fraction of at most " + std::to_string(max));
  }
  return params_ == nullptr ? *rule->max : params_->fraction(rule->id);
}

Result<Fraction> Figures::fraction(std::string_view key, std::int64_t max) {
  TALLA_TRY(const auto* value, need(key));
  return fraction_of(*value, key, max);
}

Result<const json::Array*> Figures::list(std::string_view key) {
  TALLA_TRY(const auto* value, need(key));
  if (!value->is_array() || value->array().empty()) return wrong(key, "a list");
  return &value->array();
}

Result<const json::Value*> Figures::object(std::string_view key) {
  TALLA_TRY(const auto* value, need(key));
  if (!value->is_object()) return wrong(key, "a table");
  return value;
}

Status Figures::finish() const {
  for (const auto& [key, unused] : block_->value.object()) {
    if (std::find(read_.begin(), read_.end(), key) == read_.end())
      return wrong(key, "is not known");
  }
  return {};
}

}  // namespace talla::games::circle
