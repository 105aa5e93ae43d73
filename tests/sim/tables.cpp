#include "tables.hpp"

#include <algorithm>
#include <map>

#include "exceptions.hpp"
#include "failure.hpp"
#include "games/catalogue.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::sim {
namespace {

using games::Fraction;
using games::ParameterRule;
using games::ParameterType;
using games::Units;

/// A whole number in [min, max], often an end.
json::Value random_number(const ParameterRule& rule, Random& random) {
  const auto low = rule.min ? rule.min->ceil() : 1;
  const auto high = rule.max ? rule.max->floor() : low + 100;
  require(low <= high, [&] { return rule.id + ": no whole number is allowed"; });
  if (random.once_in(3)) return low;
  if (random.once_in(2)) return high;
  return low + static_cast<std::int64_t>(random.below(static_cast<std::size_t>(high - low) + 1));
}

/// A fraction: an end, or the default.
json::Value random_fraction(const ParameterRule& rule, Random& random) {
  std::vector<json::Value> out;
  if (rule.min) out.emplace_back(rule.min->text());
  if (rule.max) out.emplace_back(rule.max->text());
  if (rule.fallback) out.push_back(*rule.fallback);
  require(!out.empty(), [&] { return rule.id + ": neither bounds nor default"; });
  return random.pick(out);
}

json::Value random_value(const ParameterRule& rule, Random& random) {
  if (!rule.allowed.empty()) return random.pick(rule.allowed);
  if (rule.type == ParameterType::boolean) return random.once_in(2);
  if (rule.fallback && random.once_in(3) && rule.type != ParameterType::amount)
    return *rule.fallback;
  if (rule.type == ParameterType::amount) return static_cast<Units>(1 + random.below(5000));
  if (rule.type == ParameterType::fraction) return random_fraction(rule, random);
  return random_number(rule, random);
}

}  // namespace

CataloguePtr catalogue(const std::string& id) {
  static std::map<std::string, CataloguePtr> loaded;
  auto& known = loaded[id];
  if (known == nullptr) {
    const test::OpenSslHashes hash;
    auto result = games::load_embedded(id, hash);
    require(result.has_value(), [&] { return id + " does not load"; });
    known = *result;
  }
  return known;
}

std::vector<GameId> all_games() {
  std::vector<GameId> out;
  for (const auto& file : games::embedded_catalogues()) {
    const auto one = catalogue(std::string(file.id));
    for (const auto& game : one->games) out.push_back({one->id, game.id});
  }
  return out;
}

namespace {

/// Maxima that a scale sets aside are refused when they are stated.
void drop_unread(const games::GameRules& rules, games::TableConfig& config) {
  if (!config.params.is_object()) return;
  for (const auto& limit : rules.limits) {
    for (const auto& scale : limit.multiple_when) {
      const auto* chosen = config.params.find(scale.when.parameter);
      const auto* rule = rules.parameter(scale.when.parameter);
      const auto& value = chosen != nullptr ? *chosen : *rule->fallback;
      if (value == scale.when.value) config.params.object().erase(limit.multiple_parameter);
    }
  }
}

/// A house maximum where the text leaves one open: one of the multiples that it offers, none above
/// the one that the table has chosen. None where a maximum would be above every stake.
std::optional<games::Units> lawful_maximum(const games::GameRules& rules,
                                           const games::TableConfig& config, Random& random) {
  if (rules.limits.empty()) return config.min * static_cast<games::Units>(1 + random.below(20));
  if (rules.limits.size() != 1 || !rules.limits.front().base_parameter.empty()) return std::nullopt;
  const auto& id = rules.limits.front().multiple_parameter;
  const auto* rule = rules.parameter(id);
  if (rule == nullptr || rule->type != games::ParameterType::integer || rule->allowed.empty())
    return std::nullopt;
  const auto* given = config.params.is_object() ? config.params.find(id) : nullptr;
  if (given == nullptr && !rule->fallback) return std::nullopt;
  const auto most = (given != nullptr ? *given : *rule->fallback).integer();
  std::vector<games::Units> multiples;
  for (const auto& value : rule->allowed) {
    if (value.integer() <= most) multiples.push_back(value.integer());
  }
  return config.min * random.pick(multiples);
}

}  // namespace

games::TableConfig random_config(const games::Catalogue& catalogue, const games::GameRules& rules,
                                 Random& random, bool defaults) {
  games::TableConfig out;
  out.game = rules.id;
  out.currency.code = catalogue.currency;
  if (random.once_in(2)) out.currency.unit = Fraction(1, 100);
  const std::vector<Units> chips = {1, 1, 5, 20, 100};
  out.currency.chip = random.pick(chips);
  out.currency.rounding = random.pick(std::vector{games::Rounding::down, games::Rounding::down,
                                                  games::Rounding::up, games::Rounding::nearest});
  out.min = out.currency.chip * static_cast<Units>(1 + random.below(10));
  for (const auto& rule : rules.parameters) {
    const bool open = !rule.fallback ||
                      (rule.type == ParameterType::amount && rule.currency != catalogue.currency);
    if (open || (!defaults && random.once_in(2))) out.params[rule.id] = random_value(rule, random);
  }
  drop_unread(rules, out);
  if (random.once_in(6) && !without_maximum(rules)) out.max = lawful_maximum(rules, out, random);
  return out;
}

Fraction bound_of(const games::LimitRule& limit, const games::Table& table) {
  Fraction bound = limit.multiple_parameter.empty()
                       ? limit.multiple
                       : table.params().fraction(limit.multiple_parameter);
  for (auto scale = limit.multiple_when.rbegin(); scale != limit.multiple_when.rend(); ++scale) {
    if (table.params().holds(scale->when)) bound = scale->multiple;
  }
  const bool based = !limit.base_when || table.params().holds(*limit.base_when);
  if (based && !limit.base_parameter.empty())
    bound = bound * table.params().fraction(limit.base_parameter);
  return bound * Fraction(table.min());
}

}  // namespace talla::sim
