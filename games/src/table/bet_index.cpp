#include "table/bet_index.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "games/bets.hpp"

namespace talla::games {
namespace {

/// Independent of the order of the codes.
std::uint64_t hash_of(const std::vector<std::string>& on) {
  std::uint64_t sum = on.size();
  for (const auto& code : on) sum += CodeKey(code).mixed();
  return sum ^ (sum >> 32U);
}

bool same_codes(const std::vector<std::string>& canonical, const std::vector<std::string>& on) {
  if (canonical.size() != on.size()) return false;
  if (same_list(canonical, on)) return true;
  auto left = canonical;
  auto right = on;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  return left == right;
}

LimitScope scope_of(const LimitRule& limit, const Params& params) {
  if (limit.scope_parameter.empty()) return limit.scope;
  const auto& name = params.choice(limit.scope_parameter);
  if (name == "seat") return LimitScope::seat;
  if (name == "box") return LimitScope::box;
  return name == "table" ? LimitScope::table : LimitScope::bet;
}

IndexedLimit indexed(const LimitRule& limit, const Params& params, Units table_min) {
  IndexedLimit out;
  out.rule = &limit;
  out.scope = scope_of(limit, params);
  out.bound =
      limit.multiple_parameter.empty() ? limit.multiple : params.fraction(limit.multiple_parameter);
  const auto scale =
      std::find_if(limit.multiple_when.begin(), limit.multiple_when.end(),
                   [&](const ConditionalMultiple& one) { return params.holds(one.when); });
  if (scale != limit.multiple_when.end()) out.bound = scale->multiple;
  const bool based =
      !limit.base_parameter.empty() && (!limit.base_when || params.holds(*limit.base_when));
  if (based) out.bound = out.bound * params.fraction(limit.base_parameter);
  out.bound = out.bound * Fraction(table_min);
  out.floor = std::min(out.bound, Fraction(units_max)).floor();
  return out;
}

Units stake_max_of(const BetRule& rule) {
  Fraction most = 0;
  for (const auto& payout : rule.payouts) most = std::max(most, payout.pays);
  for (const auto& one : rule.payouts_when) most = std::max(most, one.payout.pays);
  return (Fraction(units_max) / (Fraction(1) + most)).floor();
}

void set_minimum(IndexedBet& bet, const GameRules& rules, const Params& params, Units table_min) {
  const auto* own = rules.minimum(bet.rule->id);
  if (own == nullptr) return;
  bet.minimum =
      own->multiple_parameter.empty() ? own->multiple : params.fraction(own->multiple_parameter);
  bet.minimum = bet.minimum * Fraction(table_min);
  bet.stepped =
      own->stepped_parameter.empty() ? own->stepped : params.boolean(own->stepped_parameter);
  if (!bet.minimum.is_zero()) bet.minimum_rule = own;
}

/// Positions that hold by a condition carry its citation; of two with the same codes the first one
/// counts.
void cite_conditional(IndexedBet& bet, const GameRules& rules, const Params& params) {
  if (bet.rule->on == OnForm::none || bet.rule->on == OnForm::pair) return;
  BetRule plain;
  plain.on = bet.rule->on;
  plain.covers = bet.rule->covers;
  std::size_t next = positions(plain, params).size();
  for (const auto& more : bet.rule->covers_when) {
    if (!params.holds(more.when)) continue;
    for (std::size_t i = 0; i < more.covers.array().size(); ++i, ++next) {
      bet.positions.at(next).named_rule = rules.rule(more.cite);
    }
  }
}

void add_position(IndexedBet& bet, const Params& params, std::vector<std::string> on) {
  Bet placed;
  placed.kind = bet.rule->id;
  placed.on = on;
  IndexedPosition position{std::move(on), covered(*bet.rule, params, placed), {}, {}};
  for (const auto& code : position.covers) position.keys.emplace_back(code);
  bet.positions.push_back(std::move(position));
}

void add_positions(IndexedBet& bet, const Params& params) {
  if (bet.rule->on == OnForm::none) return add_position(bet, params, {});
  const auto all =
      positions(*bet.rule, params);  // of numbers: none, each ticket is checked when it comes
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (bet.rule->on == OnForm::set) add_position(bet, params, all[first]);
    if (bet.rule->on == OnForm::index) add_position(bet, params, {std::to_string(first + 1)});
    if (bet.rule->on != OnForm::pair) continue;
    for (std::size_t second = first + 1; second < all.size(); ++second) {
      add_position(bet, params, {std::to_string(first + 1), std::to_string(second + 1)});
    }
  }
}

void hash_positions(IndexedBet& bet) {
  bet.slots.assign(std::bit_ceil(2 * bet.positions.size() + 1), 0);
  for (std::size_t i = 0; i < bet.positions.size(); ++i) {
    // Of two positions with the same codes the first one counts, as in canonical_position.
    if (bet.find(bet.positions[i].on) != nullptr) continue;
    auto slot = hash_of(bet.positions[i].on) & (bet.slots.size() - 1);
    while (bet.slots[slot] != 0) slot = (slot + 1) & (bet.slots.size() - 1);
    bet.slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace

const IndexedPosition* IndexedBet::find(const std::vector<std::string>& on) const {
  if (on.empty() && !positions.empty() && positions.front().on.empty()) return &positions.front();
  auto slot = hash_of(on) & (slots.size() - 1);
  for (; slots[slot] != 0; slot = (slot + 1) & (slots.size() - 1)) {
    const auto& position = positions[slots[slot] - 1];
    if (same_codes(position.on, on)) return &position;
  }
  return nullptr;
}

BetIndex::BetIndex(const GameRules& rules, const Params& params, Units table_min) {
  for (const auto& rule : rules.bets) {
    IndexedBet bet;
    bet.rule = &rule;
    bet.number = static_cast<std::uint32_t>(bets_.size());
    bet.named_rule = rules.rule(rule.cite);
    has_calls_ = has_calls_ || rule.is_call();
    bet.offered = !rule.offered_if || params.holds(*rule.offered_if);
    bet.stake_max = stake_max_of(rule);
    for (const auto& limit : rules.limits) {
      if (std::find(limit.bets.begin(), limit.bets.end(), rule.id) == limit.bets.end()) continue;
      bet.limits.push_back(indexed(limit, params, table_min));
    }
    set_minimum(bet, rules, params, table_min);
    add_positions(bet, params);
    cite_conditional(bet, rules, params);
    hash_positions(bet);
    bets_.push_back(std::move(bet));
  }
  slots_.assign(std::bit_ceil(4 * bets_.size() + 1), 0);
  for (const auto& bet : bets_) {
    auto slot = CodeKey(bet.rule->id).mixed() & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = bet.number + 1;
  }
}

const IndexedBet* BetIndex::find(std::string_view kind) const {
  auto slot = CodeKey(kind).mixed() & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const auto& bet = bets_[slots_[slot] - 1];
    if (same_code(bet.rule->id, kind)) return &bet;
  }
  return nullptr;
}

}  // namespace talla::games
