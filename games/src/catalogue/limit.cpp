// Reads the limits of bets from a catalogue file.
#include "catalogue/read.hpp"

namespace talla::games {
namespace {

Result<LimitScope> scope_from(std::string_view name, const std::string& where) {
  if (name == "bet") return LimitScope::bet;
  if (name == "seat") return LimitScope::seat;
  if (name == "box") return LimitScope::box;
  if (name == "table") return LimitScope::table;
  return bad_catalogue(where, "scope is bet, seat, box or table");
}

Result<std::vector<std::string>> read_bet_ids(json::Reader& reader, const std::string& where) {
  TALLA_TRY(const auto* bets, reader.array("bets"));
  std::vector<std::string> out;
  for (const auto& bet : *bets) {
    if (!bet.is_string()) return bad_catalogue(where, "bets lists bet ids");
    out.push_back(bet.string());
  }
  if (out.empty()) return bad_catalogue(where, "bets is empty");
  return out;
}

/// Multiple of the table minimum: the figure under `key`, or the parameter that `key`_parameter
/// names.
Status read_multiple(json::Reader& reader, const std::string& key, Fraction& multiple,
                     std::string& parameter, const std::string& where) {
  const auto* figure = reader.optional(key);
  const std::string parameter_key = key + "_parameter";
  if ((figure != nullptr) == reader.has(parameter_key))
    return bad_catalogue(where, "needs " + key + " or " + parameter_key);
  if (figure != nullptr) {
    TALLA_TRY(multiple, read_fraction(*figure, where + "." + key));
    return {};
  }
  TALLA_TRY(parameter, read_code(reader, parameter_key, where));
  return {};
}

Status read_max_when(json::Reader& reader, LimitRule& out, const std::string& where) {
  if (!reader.has("max_when")) return {};
  TALLA_TRY(const auto* list, reader.array("max_when"));
  for (const auto& one : *list) {
    json::Reader inner(one, where + ".max_when");
    ConditionalMultiple conditional;
    TALLA_TRY(conditional.when, read_condition(inner, where + ".max_when"));
    const auto* max = inner.optional("max");
    if (max == nullptr) return bad_catalogue(where, "max_when: max is missing");
    TALLA_TRY(conditional.multiple, read_fraction(*max, where + ".max_when.max"));
    TALLA_TRY_STATUS(inner.finish());
    out.multiple_when.push_back(std::move(conditional));
  }
  return {};
}

}  // namespace

Result<MinimumRule> read_minimum_rule(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  MinimumRule out;
  TALLA_TRY(out.bets, read_bet_ids(reader, where));
  TALLA_TRY_STATUS(read_multiple(reader, "min", out.multiple, out.multiple_parameter, where));
  if (out.multiple_parameter.empty() && out.multiple.is_zero())
    return bad_catalogue(where, "min is above zero");
  if (reader.has("multiples") && reader.has("multiples_parameter")) {
    return bad_catalogue(where, "multiples or multiples_parameter");
  }
  if (reader.has("multiples")) {
    TALLA_TRY(out.stepped, reader.boolean("multiples"));
  }
  if (reader.has("multiples_parameter")) {
    TALLA_TRY(out.stepped_parameter, read_code(reader, "multiples_parameter", where));
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<LimitRule> read_limit_rule(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  LimitRule out;
  TALLA_TRY(out.bets, read_bet_ids(reader, where));
  TALLA_TRY_STATUS(read_multiple(reader, "max", out.multiple, out.multiple_parameter, where));
  TALLA_TRY_STATUS(read_max_when(reader, out, where));
  if (reader.has("of")) {
    TALLA_TRY(out.base_parameter, read_code(reader, "of", where));
  }
  if (const auto* condition = reader.optional("of_when")) {
    json::Reader inner(*condition, where + ".of_when");
    TALLA_TRY(out.base_when, read_condition(inner, where + ".of_when"));
    TALLA_TRY_STATUS(inner.finish());
    if (out.base_parameter.empty()) return bad_catalogue(where, "of_when without of");
  }
  if (reader.has("scope") == reader.has("scope_parameter"))
    return bad_catalogue(where, "needs scope or scope_parameter");
  if (reader.has("scope")) {
    TALLA_TRY(const auto scope, reader.string("scope"));
    TALLA_TRY(out.scope, scope_from(scope, where));
  } else {
    TALLA_TRY(out.scope_parameter, read_code(reader, "scope_parameter", where));
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

}  // namespace talla::games
