#include <algorithm>

#include "catalogue_read.hpp"
#include "parameter_value.hpp"

namespace talla::games {
namespace {

tl::unexpected<Error> malformed(const std::string& where, const std::string& why) {
  return fail(Errc::catalogue_malformed, where + ": " + why);
}

bool is_code(std::string_view text) {
  const auto ok = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= 48 && std::all_of(text.begin(), text.end(), ok);
}

Result<Fraction> read_fraction(const json::Value& value, const std::string& where) {
  const auto number = number_of(value);
  if (!number || *number < Fraction(0))
    return malformed(where, "a fraction like \"35:1\", \"3/2\", \"5%\" or \"100\"");
  return *number;
}

Result<Condition> read_condition(json::Reader& reader, const std::string& where) {
  Condition out;
  TALLA_TRY(out.parameter, read_code(reader, "parameter", where));
  const auto* value = reader.optional("value");
  if (value == nullptr || value->is_array() || value->is_object())
    return malformed(where, "a value is missing");
  out.value = *value;
  return out;
}

Result<Payout> read_payout(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  Payout out;
  out.when = "win";
  if (reader.has("when")) {
    TALLA_TRY(out.when, read_code(reader, "when", where));
  }
  const auto* pays = reader.optional("pays");
  if (pays == nullptr) return malformed(where, "pays is missing");
  TALLA_TRY(out.pays, read_fraction(*pays, where + ".pays"));
  if (const auto* commission = reader.optional("commission")) {
    TALLA_TRY(out.commission, read_fraction(*commission, where + ".commission"));
    if (out.commission > out.pays) return malformed(where, "commission above the profit");
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

/// An array of non-empty arrays of codes, each code an integer or a string.
Status check_positions(const json::Value& covers, const std::string& where) {
  if (!covers.is_array() || covers.array().empty()) return malformed(where, "covers is a list of positions");
  for (const auto& position : covers.array()) {
    if (!position.is_array() || position.array().empty())
      return malformed(where, "a position is a list of codes");
    for (const auto& code : position.array()) {
      if (!code.is_integer() && !(code.is_string() && !code.string().empty())) {
        return malformed(where, "a code is an integer or a string");
      }
    }
  }
  return {};
}

Result<ConditionalCovers> read_covers_when(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  ConditionalCovers out;
  TALLA_TRY(out.when, read_condition(reader, where));
  const auto* covers = reader.optional("covers");
  if (covers == nullptr) return malformed(where, "covers is missing");
  out.covers = *covers;
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<OnForm> read_on(json::Reader& reader, const std::string& where) {
  if (!reader.has("on")) return OnForm::none;
  TALLA_TRY(const auto name, reader.string("on"));
  if (name == "none") return OnForm::none;
  if (name == "set") return OnForm::set;
  if (name == "index") return OnForm::index;
  if (name == "pair") return OnForm::pair;
  return malformed(where, "on is none, set, index or pair");
}

Result<LimitScope> scope_from(std::string_view name, const std::string& where) {
  if (name == "bet") return LimitScope::bet;
  if (name == "seat") return LimitScope::seat;
  if (name == "box") return LimitScope::box;
  if (name == "table") return LimitScope::table;
  return malformed(where, "scope is bet, seat, box or table");
}

Status read_covers(json::Reader& reader, BetRule& out, const std::string& where) {
  const auto* covers = reader.optional("covers");
  if (covers == nullptr) return malformed(where, "covers is missing");
  out.covers = *covers;
  if (out.on != OnForm::none) TALLA_TRY_STATUS(check_positions(out.covers, where + ".covers"));
  if (!reader.has("covers_when")) return {};
  TALLA_TRY(const auto* more, reader.array("covers_when"));
  for (const auto& one : *more) {
    TALLA_TRY(auto conditional, read_covers_when(one, where + ".covers_when"));
    if (out.on == OnForm::none) return malformed(where, "covers_when needs positions (on)");
    TALLA_TRY_STATUS(check_positions(conditional.covers, where + ".covers_when"));
    out.covers_when.push_back(std::move(conditional));
  }
  return {};
}

}  // namespace

Result<std::string> read_code(json::Reader& reader, std::string_view key, const std::string& where) {
  TALLA_TRY(auto code, reader.string(key));
  if (!is_code(code)) return malformed(where, std::string(key) + " is a code of a-z, 0-9, '-', '_', '.'");
  return code;
}

Result<std::string> read_text(json::Reader& reader, std::string_view key) {
  TALLA_TRY(auto text, reader.string(key));
  if (text.empty()) return malformed(std::string(key), "must not be empty");
  return text;
}

Result<Citation> read_citation(json::Reader& reader, const std::string& where) {
  Citation out;
  if (!reader.has("cite")) return malformed(where, "has no cite: every figure names its section");
  TALLA_TRY(out.section, read_text(reader, "cite"));
  if (out.section.size() > 40) return malformed(where, "cite is a section path, not a text");
  if (reader.has("reading")) {
    TALLA_TRY(out.reading, read_text(reader, "reading"));
  }
  return out;
}

Result<BetRule> read_bet_rule(const json::Value& value, const std::string& where_in) {
  json::Reader reader(value, where_in);
  BetRule out;
  TALLA_TRY(out.id, read_code(reader, "id", where_in));
  const std::string where = where_in + " " + out.id;
  TALLA_TRY(out.on, read_on(reader, where));
  TALLA_TRY_STATUS(read_covers(reader, out, where));
  TALLA_TRY(const auto* payouts, reader.array("payouts"));
  for (const auto& one : *payouts) {
    TALLA_TRY(auto payout, read_payout(one, where + ".payouts"));
    if (out.payout(payout.when) != nullptr) return malformed(where, "two payouts for " + payout.when);
    out.payouts.push_back(std::move(payout));
  }
  if (out.payouts.empty()) return malformed(where, "has no payout");
  if (const auto* condition = reader.optional("offered_if")) {
    json::Reader inner(*condition, where + ".offered_if");
    TALLA_TRY(out.offered_if, read_condition(inner, where + ".offered_if"));
    TALLA_TRY_STATUS(inner.finish());
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<LimitRule> read_limit_rule(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  LimitRule out;
  TALLA_TRY(const auto* bets, reader.array("bets"));
  for (const auto& bet : *bets) {
    if (!bet.is_string()) return malformed(where, "bets lists bet ids");
    out.bets.push_back(bet.string());
  }
  if (out.bets.empty()) return malformed(where, "bets is empty");
  const auto* max = reader.optional("max");
  if ((max != nullptr) == reader.has("max_parameter")) return malformed(where, "needs max or max_parameter");
  if (max != nullptr) {
    TALLA_TRY(out.multiple, read_fraction(*max, where + ".max"));
  } else {
    TALLA_TRY(out.multiple_parameter, read_code(reader, "max_parameter", where));
  }
  if (reader.has("of")) {
    TALLA_TRY(out.base_parameter, read_code(reader, "of", where));
  }
  if (reader.has("scope") == reader.has("scope_parameter"))
    return malformed(where, "needs scope or scope_parameter");
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
