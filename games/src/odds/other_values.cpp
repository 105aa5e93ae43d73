// The odds of a table beside those of the same table with one parameter at another value.
#include "games/other_values.hpp"

#include <algorithm>
#include <utility>

#include "games/errc.hpp"

namespace talla::games {

namespace {

/// The listed values, or the ends of a range; without the one that the table has.
std::vector<json::Value> values_beside(const ParameterRule& rule, const json::Value& own) {
  std::vector<json::Value> values = rule.allowed;
  if (rule.type == ParameterType::boolean && values.empty())
    values = {json::Value(false), json::Value(true)};
  if (values.empty()) {
    const auto end = [&](const std::optional<Fraction>& bound) {
      if (!bound) return;
      if (rule.type == ParameterType::integer && bound->denominator() == 1)
        values.emplace_back(bound->numerator());
      if (rule.type == ParameterType::fraction) values.emplace_back(bound->text());
    };
    end(rule.min);
    end(rule.max);
  }
  std::erase(values, own);
  return values;
}

/// Positions that share a row may part when a value changes: the first one is looked for.
bool same_place(const BetOdds& a, const BetOdds& b) {
  if (a.bet != b.bet || a.play != b.play) return false;
  if (a.on.empty() || b.on.empty()) return a.on.empty() == b.on.empty();
  return std::ranges::find(b.on, a.on.front()) != b.on.end();
}

/// The row with the same further bets, should there be more than one.
const BetOdds* row_of(const std::vector<BetOdds>& rows, const BetOdds& wanted) {
  const BetOdds* found = nullptr;
  for (const BetOdds& row : rows) {
    if (!same_place(wanted, row)) continue;
    if (row.with == wanted.with) return &row;
    if (found == nullptr) found = &row;
  }
  return found;
}

bool same_odds(const BetOdds& a, const BetOdds& b) {
  const auto share = [](const BetOdds& row) { return row.house_share.value_or(0); };
  return a.odds == b.odds && a.with == b.with && share(a) == share(b);
}

bool has_bet(const std::vector<BetOdds>& rows, const std::string& bet) {
  return std::ranges::any_of(rows, [&](const BetOdds& row) { return row.bet == bet; });
}

void compare(OtherValue& other, const std::vector<BetOdds>& before,
             const std::vector<BetOdds>& now) {
  for (const BetOdds& row : now) {
    const BetOdds* old = row_of(before, row);
    if (old != nullptr && same_odds(*old, row)) continue;
    other.changed.push_back(
        {row, old == nullptr ? std::nullopt : std::optional(old->odds.house_edge())});
  }
  for (const BetOdds& row : before) {
    if (has_bet(now, row.bet) || std::ranges::find(other.gone, row.bet) != other.gone.end())
      continue;
    other.gone.push_back(row.bet);
  }
}

OtherValue with_value(const Table& table, const TableOdds& own, const ParameterRule& rule,
                      json::Value value, OddsTime time) {
  OtherValue other{.parameter = rule.id, .value = value, .changed = {}, .gone = {}, .refused = {}};
  const auto opened = table.with_parameter(rule.id, std::move(value));
  const auto odds =
      opened ? bet_odds(*opened, time) : Result<TableOdds>(tl::unexpected(opened.error()));
  if (odds) {
    compare(other, own.bets, odds->bets);
  } else {
    other.refused = odds.error().detail;
  }
  return other;
}

}  // namespace

bool player_wins(const BetOdds& bet) {
  return bet.odds.house_edge() < Ratio(0);
}

Result<std::vector<OtherValue>> other_values(const Table& table,
                                             std::span<const std::string> parameters,
                                             OddsTime time) {
  const auto& rules = table.rules().parameters;
  for (const std::string& one : parameters)
    if (std::ranges::find(rules, one, &ParameterRule::id) == rules.end())
      return fail(Errc::parameter_unknown, table.rules().id + " has no parameter " + one);
  const auto wanted = [&](const ParameterRule& rule) {
    return parameters.empty() || std::ranges::find(parameters, rule.id) != parameters.end();
  };
  TALLA_TRY(const TableOdds own, bet_odds(table, time));
  std::vector<OtherValue> out;
  for (const ParameterRule& rule : rules) {
    if (!wanted(rule)) continue;
    const json::Value* value = table.params().json().find(rule.id);
    for (json::Value& one : values_beside(rule, value == nullptr ? json::Value() : *value))
      out.push_back(with_value(table, own, rule, std::move(one), time));
  }
  return out;
}

json::Value to_json(const OtherValue& other) {
  json::Array changed;
  for (const ChangedOdds& one : other.changed) {
    json::Value row = to_json(one.now);
    if (one.before) row["before"] = one.before->text();
    changed.push_back(std::move(row));
  }
  json::Array gone;
  for (const std::string& bet : other.gone) gone.emplace_back(bet);
  json::Value out = json::Object{{"parameter", other.parameter},
                                 {"value", other.value},
                                 {"changed", std::move(changed)},
                                 {"gone", std::move(gone)}};
  if (!other.refused.empty()) out["refused"] = other.refused;
  return out;
}

}  // namespace talla::games
