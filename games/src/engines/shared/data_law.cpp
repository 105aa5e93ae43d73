#include "engines/shared/data_law.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {

const Citation& DataLaw::cite(std::string_view block) const {
  const auto found = rules().data.find(block);
  TALLA_CHECK(found != rules().data.end());
  return found->second.cite;
}

std::string DataLaw::cited(std::string_view block) const {
  return " (" + rules().rule(cite(block)) + ")";
}

std::string DataLaw::cited(std::string_view block, std::string_view key) const {
  const auto found = rules().data.find(block);
  const auto* value = found == rules().data.end() ? nullptr : found->second.value.find(key);
  const auto* name = value != nullptr && value->is_object() ? value->find("parameter") : nullptr;
  const auto* chosen = name == nullptr ? nullptr : rules().parameter(name->string());
  return chosen == nullptr ? cited(block) : " (" + rules().rule(chosen->cite) + ")";
}

const json::Value* DataLaw::find(std::string_view block, std::string_view key) const {
  const auto found = rules().data.find(block);
  if (found == rules().data.end()) return nullptr;
  const auto* value = found->second.value.find(key);
  return value == nullptr ? nullptr : &resolve(*value);
}

const json::Value& DataLaw::need(std::string_view block, std::string_view key) const {
  const auto* value = find(block, key);
  TALLA_CHECK(value != nullptr);
  return *value;
}

const json::Value& DataLaw::resolve(const json::Value& value) const {
  const auto* name = value.is_object() ? value.find("parameter") : nullptr;
  // The caller's value outlives what is made of it.
  if (name == nullptr) return value;  // NOLINT(bugprone-return-const-ref-from-parameter)
  const auto* chosen = table_->params().json().find(name->string());
  TALLA_CHECK(chosen != nullptr);
  return *chosen;
}

json::Value DataLaw::resolved(const json::Value& value) const {
  const auto& chosen = resolve(value);
  if (chosen.is_array()) {
    json::Array out;
    for (const auto& one : chosen.array()) out.push_back(resolved(one));
    return out;
  }
  if (!chosen.is_object()) return chosen;
  json::Object out;
  for (const auto& [key, one] : chosen.object()) out[key] = resolved(one);
  return out;
}

const std::string& DataLaw::text(std::string_view block, std::string_view key) const {
  return need(block, key).string();
}

bool DataLaw::flag(std::string_view block, std::string_view key) const {
  return need(block, key).boolean();
}

int DataLaw::number(std::string_view block, std::string_view key) const {
  return static_cast<int>(need(block, key).integer());
}

Fraction DataLaw::fraction(std::string_view block, std::string_view key) const {
  return fraction_of(need(block, key));
}

Fraction DataLaw::fraction_of(const json::Value& value) const {
  const auto& chosen = resolve(value);
  if (chosen.is_integer()) return Fraction(chosen.integer());
  const auto parsed = Fraction::parse(chosen.string());
  TALLA_CHECK(parsed.has_value());
  return *parsed;
}

std::vector<int> DataLaw::numbers(std::string_view block, std::string_view key) const {
  std::vector<int> out;
  for (const auto& one : need(block, key).array()) out.push_back(static_cast<int>(one.integer()));
  return out;
}

Units DataLaw::stake_of(const json::Value& value) const {
  const Fraction min(table_->min());
  const Fraction exact = fraction_of(value) * min;
  const auto* named = value.is_object() ? value.find("parameter") : nullptr;
  const auto* rule = named == nullptr ? nullptr : rules().parameter(named->string());
  if (rule == nullptr) return table_->whole_stake(exact, std::max(exact, min));
  Fraction most = rule->max.value_or(fraction_of(value));
  for (const auto& allowed : rule->allowed)
    most = std::max(most, number_of(allowed).value_or(most));
  return table_->whole_stake(exact, most * min);
}

const BetRule& DataLaw::bet(std::string_view kind) const {
  const auto* rule = rules().bet(kind);
  TALLA_CHECK(rule != nullptr);
  return *rule;
}

}  // namespace talla::games
