// Reads bets of a catalogue file: what they cover, what they pay, under which condition.
#include <algorithm>

#include "catalogue/read.hpp"
#include "code.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {
namespace {

bool is_code(std::string_view text) {
  const auto ok = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= 48 && std::all_of(text.begin(), text.end(), ok);
}

Result<Payout> read_payout(json::Reader& reader, const std::string& where) {
  Payout out;
  out.when = "win";
  if (reader.has("when")) {
    TALLA_TRY(out.when, read_code(reader, "when", where));
  }
  const auto* pays = reader.optional("pays");
  if (pays == nullptr) return bad_catalogue(where, "pays is missing");
  TALLA_TRY(out.pays, read_fraction(*pays, where + ".pays"));
  if (const auto* commission = reader.optional("commission")) {
    TALLA_TRY(out.commission, read_fraction(*commission, where + ".commission"));
    if (out.commission > out.pays) return bad_catalogue(where, "commission above the profit");
  }
  if (reader.has("commission_parameter")) {
    if (!out.commission.is_zero())
      return bad_catalogue(where, "commission or commission_parameter");
    TALLA_TRY(out.commission_parameter, read_code(reader, "commission_parameter", where));
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  return out;
}

Status read_payouts(json::Reader& reader, BetRule& out, const std::string& where) {
  TALLA_TRY(const auto* payouts, reader.array("payouts"));
  for (const auto& one : *payouts) {
    json::Reader inner(one, where + ".payouts");
    TALLA_TRY(auto payout, read_payout(inner, where + ".payouts"));
    TALLA_TRY_STATUS(inner.finish());
    if (out.payout(payout.when) != nullptr)
      return bad_catalogue(where, "two payouts for " + payout.when);
    out.payouts.push_back(std::move(payout));
  }
  // Tickets share a fund; a bet without position may have its price elsewhere (jackpots), its
  // family says so.
  if (out.payouts.empty() && out.on != OnForm::numbers && out.on != OnForm::none)
    return bad_catalogue(where, "has no payout");
  if (!reader.has("payouts_when")) return {};
  TALLA_TRY(const auto* more, reader.array("payouts_when"));
  for (const auto& one : *more) {
    json::Reader inner(one, where + ".payouts_when");
    ConditionalPayout conditional;
    TALLA_TRY(conditional.when, read_condition(inner, where + ".payouts_when"));
    TALLA_TRY(conditional.payout, read_payout(inner, where + ".payouts_when"));
    TALLA_TRY_STATUS(inner.finish());
    if (out.payout(conditional.payout.when) == nullptr) {
      return bad_catalogue(where,
                           "payouts_when: no payout for " + conditional.payout.when + " otherwise");
    }
    out.payouts_when.push_back(std::move(conditional));
  }
  return {};
}

constexpr std::int64_t chips_max = 100;

Result<Member> read_member(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  Member out;
  TALLA_TRY(out.bet, read_code(reader, "bet", where));
  if (const auto* on = reader.optional("on")) {
    if (!on->is_array()) return bad_catalogue(where, "on is a list of codes");
    for (const auto& code : on->array()) {
      if (!code.is_integer() && !code.is_string())
        return bad_catalogue(where, "a code is an integer or a string");
      out.on.push_back(code_text(code));
    }
  }
  TALLA_TRY(const auto chips, reader.integer("chips", 1, chips_max));
  out.chips = static_cast<std::uint32_t>(chips);
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

/// A call bet has parts where another has payouts.
Status read_call(json::Reader& reader, BetRule& out, const std::string& where) {
  if (reader.has("members")) {
    TALLA_TRY(const auto* members, reader.array("members"));
    for (const auto& one : *members) {
      TALLA_TRY(auto member, read_member(one, where + ".members"));
      out.members.push_back(std::move(member));
    }
    if (out.members.empty() || out.on != OnForm::none)
      return bad_catalogue(where, "members: of a bet without position");
  }
  if (const auto* value = reader.optional("neighbours")) {
    json::Reader inner(*value, where + ".neighbours");
    Neighbours neighbours;
    TALLA_TRY(neighbours.bet, read_code(inner, "bet", where + ".neighbours"));
    TALLA_TRY(const auto side, inner.integer("each_side", 1, chips_max));
    neighbours.each_side = static_cast<std::uint32_t>(side);
    TALLA_TRY_STATUS(inner.finish());
    out.neighbours = std::move(neighbours);
    if (!out.members.empty() || out.on != OnForm::set)
      return bad_catalogue(where, "neighbours: of a bet on one pocket");
  }
  if (out.is_call() && reader.has("payouts"))
    return bad_catalogue(where, "a call bet pays what its parts pay");
  return {};
}

/// An array of non-empty arrays of codes, each code an integer or a string.
Status check_positions(const json::Value& covers, const std::string& where) {
  if (!covers.is_array() || covers.array().empty())
    return bad_catalogue(where, "covers is a list of positions");
  for (const auto& position : covers.array()) {
    if (!position.is_array() || position.array().empty())
      return bad_catalogue(where, "a position is a list of codes");
    for (const auto& code : position.array()) {
      if (!code.is_integer() && !(code.is_string() && !code.string().empty())) {
        return bad_catalogue(where, "a code is an integer or a string");
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
  if (covers == nullptr) return bad_catalogue(where, "covers is missing");
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
  if (name == "numbers") return OnForm::numbers;
  return bad_catalogue(where, "on is none, set, index, pair or numbers");
}

/// {count, highest}: how many numbers a ticket has, and the largest of them.
Status check_numbers(const json::Value& covers, const std::string& where) {
  constexpr std::int64_t highest_max = 1000;
  json::Reader reader(covers, where);
  TALLA_TRY(const auto highest, reader.integer("highest", 1, highest_max));
  TALLA_TRY(const auto count, reader.integer("count", 1, highest));
  static_cast<void>(count);
  return reader.finish();
}

Status read_covers(json::Reader& reader, BetRule& out, const std::string& where) {
  const auto* covers = reader.optional("covers");
  if (covers == nullptr) return bad_catalogue(where, "covers is missing");
  out.covers = *covers;
  if (out.on == OnForm::numbers) {
    TALLA_TRY_STATUS(check_numbers(out.covers, where + ".covers"));
  } else if (out.on != OnForm::none) {
    TALLA_TRY_STATUS(check_positions(out.covers, where + ".covers"));
  }
  if (!reader.has("covers_when")) return {};
  TALLA_TRY(const auto* more, reader.array("covers_when"));
  for (const auto& one : *more) {
    TALLA_TRY(auto conditional, read_covers_when(one, where + ".covers_when"));
    if (out.on == OnForm::none || out.on == OnForm::numbers)
      return bad_catalogue(where, "covers_when needs positions (on)");
    TALLA_TRY_STATUS(check_positions(conditional.covers, where + ".covers_when"));
    out.covers_when.push_back(std::move(conditional));
  }
  return {};
}

}  // namespace

Result<Fraction> read_fraction(const json::Value& value, const std::string& where) {
  const auto number = number_of(value);
  if (!number || *number < Fraction(0))
    return bad_catalogue(where, "a fraction like \"35:1\", \"3/2\", \"5%\" or \"100\"");
  return *number;
}

Result<Condition> read_condition(json::Reader& reader, const std::string& where) {
  Condition out;
  TALLA_TRY(out.parameter, read_code(reader, "parameter", where));
  const auto* value = reader.optional("value");
  if (value == nullptr || value->is_array() || value->is_object())
    return bad_catalogue(where, "a value is missing");
  out.value = *value;
  return out;
}

Result<std::string> read_code(json::Reader& reader, std::string_view key,
                              const std::string& where) {
  TALLA_TRY(auto code, reader.string(key));
  if (!is_code(code))
    return bad_catalogue(where, std::string(key) + " is a code of a-z, 0-9, '-', '_', '.'");
  return code;
}

Result<std::string> read_text(json::Reader& reader, std::string_view key) {
  TALLA_TRY(auto text, reader.string(key));
  if (text.empty()) return bad_catalogue(std::string(key), "must not be empty");
  return text;
}

Result<Citation> read_citation(json::Reader& reader, const std::string& where) {
  Citation out;
  if (!reader.has("cite"))
    return bad_catalogue(where, "has no cite: every figure names its section");
  TALLA_TRY(out.section, read_text(reader, "cite"));
  if (out.section.size() > 60) return bad_catalogue(where, "cite is a section path, not a text");
  if (const auto colon = out.section.find(':'); colon != std::string::npos) {
    out.number = out.section.substr(0, colon);
    out.section.erase(0, colon + 1);
    if (!is_game_number(out.number) || out.section.empty() ||
        out.section.find(':') != std::string::npos) {
      return bad_catalogue(where, "cite of another number is written \"01:IV.1\"");
    }
  }
  if (reader.has("inherited")) {
    TALLA_TRY(out.inherited, read_code(reader, "inherited", where));
    if (out.number.empty())
      return bad_catalogue(where, "an inherited figure cites number and section: \"01:IV.1\"");
  }
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
  TALLA_TRY_STATUS(read_call(reader, out, where));
  if (!out.is_call()) TALLA_TRY_STATUS(read_payouts(reader, out, where));
  if (const auto* condition = reader.optional("offered_if")) {
    json::Reader inner(*condition, where + ".offered_if");
    TALLA_TRY(out.offered_if, read_condition(inner, where + ".offered_if"));
    TALLA_TRY_STATUS(inner.finish());
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

}  // namespace talla::games
