#include "table/limits.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "games/engine.hpp"
#include "games/refusal.hpp"
#include "table/bet_index.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {
namespace {

/// Multiples of the minimum from `low` to `high`, both included.
struct Multiples {
  Fraction low;
  Fraction high;
};

/// What the text lets a parameter be.
std::vector<Multiples> multiples_of(const Table& table, std::string_view id) {
  const auto* rule = table.rules().parameter(id);
  TALLA_CHECK(rule != nullptr);  // the loader has checked the limit
  std::vector<Multiples> out;
  for (const auto& value : rule->allowed) {
    const auto number = number_of(value);
    TALLA_CHECK(number.has_value());
    out.push_back({*number, *number});
  }
  if (out.empty() && rule->min && rule->max) out.push_back({*rule->min, *rule->max});
  const auto now = table.params().fraction(id);
  if (out.empty()) out.push_back({now, now});
  return out;
}

/// Whether the text lets each table have its own multiple, within what it allows. A figure that is
/// printed for all tables, or that a reading found, is no offer to choose from: the house may then
/// hold its bets as low as it likes.
bool is_offered(const Table& table, const LimitRule& limit) {
  const auto chosen = [&](const std::string& id) {
    const auto* rule = id.empty() ? nullptr : table.rules().parameter(id);
    return rule != nullptr && rule->set_by != SetBy::reading;
  };
  return !limit.multiple_when.empty() || chosen(limit.multiple_parameter) ||
         chosen(limit.base_parameter);
}

std::vector<Multiples> allowed_by(const Table& table, const LimitRule& limit) {
  std::vector<Multiples> out;
  for (const auto& scale : limit.multiple_when) out.push_back({scale.multiple, scale.multiple});
  if (out.empty()) {
    out = limit.multiple_parameter.empty()
              ? std::vector<Multiples>{{limit.multiple, limit.multiple}}
              : multiples_of(table, limit.multiple_parameter);
  }
  const bool based =
      !limit.base_parameter.empty() && (!limit.base_when || table.params().holds(*limit.base_when));
  if (!based) return out;
  std::vector<Multiples> product;
  for (const auto& base : multiples_of(table, limit.base_parameter)) {
    for (const auto& one : out) product.push_back({one.low * base.low, one.high * base.high});
  }
  return product;
}

/// A maximum that the table states and that another of its choices (a scale) sets aside.
Status check_unread(const Table& table) {
  const auto& given = table.config().params;
  if (!given.is_object()) return {};
  for (const auto& limit : table.rules().limits) {
    const auto* stated =
        limit.multiple_parameter.empty() ? nullptr : given.find(limit.multiple_parameter);
    if (stated == nullptr) continue;
    const auto* rule = table.rules().parameter(limit.multiple_parameter);
    for (const auto& scale : limit.multiple_when) {
      if (!table.params().holds(scale.when)) continue;
      const auto value = table.params().fraction(limit.multiple_parameter);
      const bool usual = rule->fallback && number_of(*rule->fallback) == value;
      if (usual || value == scale.multiple) break;  // it says nothing else
      return fail(Errc::parameter_not_allowed,
                  filled_form("{parameter}: {scale} sets this maximum to {allowed}; leave it "
                              "out, or choose a scale that leaves it open",
                              {{"parameter", limit.multiple_parameter},
                               {"scale", scale.when.parameter},
                               {"allowed", scale.multiple.text()}}) +
                      " (" + table.rules().rule(limit.cite) + ")");
    }
  }
  return {};
}

/// "500, 750, 1000-2000".
std::string words_of(const std::vector<Multiples>& all, Units min) {
  std::string out;
  for (const auto& one : all) {
    out += (out.empty() ? "" : ", ") + (one.low * Fraction(min)).text();
    if (one.low != one.high) out += "-" + (one.high * Fraction(min)).text();
  }
  return out;
}

Status check_maximum(const Table& table, Units max) {
  const Fraction multiple = Fraction(max) / Fraction(table.min());
  for (const auto& bet : table.rules().bets) {
    const auto* indexed = table.bet_index().find(bet.id);
    TALLA_CHECK(indexed != nullptr);
    if (!indexed->offered) continue;
    for (const auto& limit : indexed->limits) {
      const bool lower = Fraction(max) < limit.bound;
      if (!lower || !is_offered(table, *limit.rule)) continue;
      const auto allowed = allowed_by(table, *limit.rule);
      const bool fits = std::any_of(allowed.begin(), allowed.end(), [&](const Multiples& one) {
        return one.low <= multiple && multiple <= one.high;
      });
      if (fits) continue;
      return fail(Errc::table_invalid, "max: the maximum of " + bet.id + " is one of " +
                                           words_of(allowed, table.min()) +
                                           " at this minimum, not " + std::to_string(max) + " (" +
                                           table.rules().rule(limit.rule->cite) + ")");
    }
  }
  return {};
}

/// Whether the text lets somebody choose the multiple itself.
bool is_chosen(const Table& table, const LimitRule& limit) {
  return limit.base_parameter.empty() && is_offered(table, limit);
}

/// A stated maximum above what any stake of the table may be would announce what is not so.
Status check_reached(const Table& table, Units max) {
  const IndexedBet* widest = nullptr;
  const IndexedLimit* most = nullptr;
  for (const auto& bet : table.rules().bets) {
    const auto* indexed = table.bet_index().find(bet.id);
    TALLA_CHECK(indexed != nullptr);
    if (!indexed->offered || indexed->limits.empty()) continue;
    const auto& least = *std::min_element(
        indexed->limits.begin(), indexed->limits.end(),
        [](const IndexedLimit& a, const IndexedLimit& b) { return a.bound < b.bound; });
    if (most != nullptr && least.bound <= most->bound) continue;
    widest = indexed;
    most = &least;
  }
  if (most == nullptr || Fraction(max) <= most->bound || !is_chosen(table, *most->rule)) return {};
  return fail(Errc::table_invalid,
              filled_form("max: no stake reaches {found}: the maximum of {bet} is {most} at this "
                          "table, and the text allows {allowed}",
                          {{"found", std::to_string(max)},
                           {"bet", widest->rule->id},
                           {"most", most->bound.text()},
                           {"allowed", words_of(allowed_by(table, *most->rule), table.min())}}) +
                  " (" + table.rules().rule(most->rule->cite) + ")");
}

/// Why no stake fits between the minimum and the maxima of the bet; empty: one does.
std::string no_stake_fits(const Table& table, const IndexedBet& bet) {
  const Units chip = table.currency().chip;
  const Fraction least = bet.minimum_rule == nullptr ? Fraction(table.min()) : bet.minimum;
  const Units lowest = (least / Fraction(chip)).ceil() * chip;
  for (const auto& limit : bet.limits) {
    if (lowest <= limit.floor) continue;
    return "its minimum is " + std::to_string(lowest) + ", its maximum " + limit.bound.text() +
           " (" + table.rules().rule(limit.rule->cite) + ")";
  }
  const auto& max = table.config().max;
  if (!max || lowest <= *max) return {};
  return "its minimum is " + std::to_string(lowest) + ", the table maximum " + std::to_string(*max);
}

/// Where a text lets a cloth open at a multiple of the authorised minimum and keeps its maxima at
/// multiples of that, this parameter says which part of the table's minimum is the authorised one.
constexpr std::string_view authorised_share = "authorised_min_share";

Status check_authorised_minimum(const Table& table, Units authorised) {
  if (table.min() < authorised) {
    return fail(Errc::table_invalid,
                "min: the authorised minimum is " + std::to_string(authorised) +
                    ", and no table plays below it: " + std::to_string(table.min()));
  }
  const auto* rule = table.rules().parameter(authorised_share);
  if (rule == nullptr) return {};
  const Fraction share = table.params().fraction(authorised_share);
  if (share * Fraction(table.min()) == Fraction(authorised)) return {};
  return fail(Errc::table_invalid,
              filled_form("authorised_min: {found} is not {share} of the minimum of {min}, as "
                          "authorised_min_share says ({cite})",
                          {{"found", std::to_string(authorised)},
                           {"share", share.text()},
                           {"min", std::to_string(table.min())},
                           {"cite", table.rules().rule(rule->cite)}}));
}

}  // namespace

std::vector<std::string> Table::warnings() const {
  std::vector<std::string> out;
  for (const auto& bet : rules_->bets) {
    const auto* indexed = bet_index_->find(bet.id);
    TALLA_CHECK(indexed != nullptr);
    if (!indexed->offered || bet.is_call()) continue;
    auto reason = engine_->unplayable(*this, bet);
    if (!reason) reason = no_stake_fits(*this, *indexed);
    if (!reason->empty()) out.push_back(bet.id + " cannot be played at this table: " + *reason);
  }
  return out;
}

Status check_table_limits(const Table& table) {
  const auto& config = table.config();
  if (config.authorised_min)
    TALLA_TRY_STATUS(check_authorised_minimum(table, *config.authorised_min));
  TALLA_TRY_STATUS(check_unread(table));
  if (!config.max) return {};
  TALLA_TRY_STATUS(check_maximum(table, *config.max));
  return check_reached(table, *config.max);
}

}  // namespace talla::games
