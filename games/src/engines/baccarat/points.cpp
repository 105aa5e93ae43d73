#include "engines/baccarat/points.hpp"

#include "engines/shared/rules_check.hpp"

namespace talla::games::baccarat {
Result<const DataBlock*> block_of(const GameRules& rules, std::string_view name) {
  const auto found = rules.data.find(name);
  if (found == rules.data.end()) return bad_rules("data." + std::string(name) + " is missing");
  return &found->second;
}

Result<std::array<int, 13>> read_ranks(const DataBlock& block, const std::string& where, int max) {
  std::array<int, 13> out{};
  json::Reader reader(block.value, where);
  TALLA_TRY(const auto* array, reader.array("ranks"));
  if (array->size() != out.size()) return bad_rules(where + ": 13 figures, ace to king");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& value = array->at(i);
    if (!value.is_integer() || value.integer() < 0 || value.integer() > max)
      return bad_rules(where + ": out of range");
    out.at(i) = static_cast<int>(value.integer());
  }
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<std::array<bool, 10>> read_totals(json::Reader& reader, const std::string& where,
                                         std::string_view key) {
  std::array<bool, 10> out{};
  TALLA_TRY(const auto* array, reader.array(key));
  for (const auto& value : *array) {
    if (!value.is_integer() || value.integer() < 0 || value.integer() > 9)
      return bad_rules(where + ": totals are 0-9");
    out.at(static_cast<std::size_t>(value.integer())) = true;
  }
  return out;
}

Result<Points> read_points(const GameRules& rules) {
  Points out;
  TALLA_TRY(const auto* values, block_of(rules, "values"));
  TALLA_TRY(const auto* natural, block_of(rules, "natural"));
  TALLA_TRY(out.values, read_ranks(*values, "data.values", 9));
  json::Reader reader(natural->value, "data.natural");
  TALLA_TRY(out.natural_total, read_totals(reader, "data.natural", "totals"));
  TALLA_TRY_STATUS(reader.finish());
  out.values_cite = values->cite;
  out.natural_cite = natural->cite;
  return out;
}

int total(const Points& points, std::span<const shuffle::Card> hand) {
  int sum = 0;
  for (const auto card : hand) sum += value_of(points, card);
  return sum % 10;
}

}  // namespace talla::games::baccarat
