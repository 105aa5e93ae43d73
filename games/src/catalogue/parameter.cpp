// Reads the parameters that a text leaves to the table or to a reading.
#include <array>
#include <charconv>

#include "catalogue/read.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {
namespace {

Result<ParameterType> type_from(std::string_view name, const std::string& where) {
  if (name == "bool") return ParameterType::boolean;
  if (name == "choice") return ParameterType::choice;
  if (name == "integer") return ParameterType::integer;
  if (name == "fraction") return ParameterType::fraction;
  if (name == "amount") return ParameterType::amount;
  return bad_catalogue(where, "type is bool, choice, integer, fraction or amount");
}

Result<SetBy> set_by_from(std::string_view name, const std::string& where) {
  if (name == "reading") return SetBy::reading;
  if (name == "casino") return SetBy::casino;
  if (name == "regulator") return SetBy::regulator;
  return bad_catalogue(where, "set_by is reading, casino or regulator");
}

/// "1000 ESP"
Status read_amount_default(ParameterRule& out, const std::string& where) {
  if (!out.fallback) return bad_catalogue(where, "an amount has a default with its currency");
  const std::string text = out.fallback->is_string() ? out.fallback->string() : "";
  const auto space = text.find(' ');
  Units units = 0;
  const char* end = text.data() + (space == std::string::npos ? 0 : space);
  const auto [stop, code] = std::from_chars(text.data(), end, units);
  if (code != std::errc() || stop != end || units <= 0 || units > units_max) {
    return bad_catalogue(where, "an amount is written \"1000 ESP\"");
  }
  out.currency = text.substr(space + 1);
  if (!currency_known(out.currency)) return bad_catalogue(where, "unknown currency");
  out.fallback = json::Value(units);
  return {};
}

Result<std::optional<Fraction>> read_bound(json::Reader& reader, std::string_view key,
                                           const std::string& where) {
  const auto* value = reader.optional(key);
  if (value == nullptr) return std::optional<Fraction>();
  const auto number = number_of(*value);
  if (!number) return bad_catalogue(where, std::string(key) + " is a number");
  return number;
}

Status check_shape(const ParameterRule& out, const std::string& where) {
  const bool numeric = out.type == ParameterType::integer || out.type == ParameterType::fraction;
  if ((out.min || out.max) && !numeric)
    return bad_catalogue(where, "only numbers have min and max");
  if (out.type == ParameterType::choice && out.allowed.empty())
    return bad_catalogue(where, "a choice lists allowed");
  if (numeric && out.allowed.empty() && !(out.min && out.max)) {
    return bad_catalogue(where, "a number has allowed values, or min and max");
  }
  for (const auto& value : out.allowed) {
    if (auto ok = check_parameter_value(out, value); !ok)
      return bad_catalogue(where, "allowed: " + ok.error().detail);
  }
  if (out.fallback) {
    if (auto ok = check_parameter_value(out, *out.fallback); !ok) {
      return bad_catalogue(where, "default: " + ok.error().detail);
    }
  }
  return {};
}

}  // namespace

Result<ParameterRule> read_parameter_rule(const json::Value& value, const std::string& where_in) {
  json::Reader reader(value, where_in);
  ParameterRule out;
  TALLA_TRY(out.id, read_code(reader, "id", where_in));
  const std::string where = where_in + " " + out.id;
  TALLA_TRY(const auto type, reader.string("type"));
  TALLA_TRY(out.type, type_from(type, where));
  TALLA_TRY(const auto set_by, reader.string("set_by"));
  TALLA_TRY(out.set_by, set_by_from(set_by, where));
  if (const auto* fallback = reader.optional("default")) out.fallback = *fallback;
  if (reader.has("default_of")) {
    TALLA_TRY(out.fallback_of, read_code(reader, "default_of", where));
    if (out.fallback) return bad_catalogue(where, "default or default_of");
  }
  if (reader.has("allowed")) {
    TALLA_TRY(const auto* allowed, reader.array("allowed"));
    out.allowed = *allowed;
  }
  TALLA_TRY(out.min, read_bound(reader, "min", where));
  TALLA_TRY(out.max, read_bound(reader, "max", where));
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  if (out.type == ParameterType::amount) TALLA_TRY_STATUS(read_amount_default(out, where));
  TALLA_TRY_STATUS(check_shape(out, where));
  return out;
}

}  // namespace talla::games
