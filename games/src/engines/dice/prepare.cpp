// Rules and parameters of craps made ready for one table.
#include "base/check.hpp"
#include "engines/dice/limits.hpp"
#include "engines/dice/rules.hpp"
#include "table/bet_index.hpp"

namespace talla::games::dice {
namespace {

PreparedBet prepare_bet(const Table& table, const Prepared& prepared, const BetRule& rule) {
  const auto& rules = table.rules();
  const auto& params = table.params();
  PreparedBet out;
  auto form = form_of(rules, rule);
  TALLA_CHECK(form.has_value());  // check_rules accepted it when the catalogue was loaded
  out.form = *std::move(form);
  out.locked = is_locked(rules, params, rule.id);
  out.win_limited = is_win_limited(rules, rule.id);
  const auto* plain = rule.payout("win", params);
  for (std::size_t key = 0; key < out.prizes.size(); ++key) {
    const auto* special = rule.payout(std::to_string(key), params);
    const auto* payout = special != nullptr ? special : plain;
    if (payout != nullptr)
      out.prizes.at(key) = {payout, payout->factor(params), rules.rule(payout->cite)};
  }
  if (out.win_limited) {
    TALLA_CHECK(plain != nullptr);
    const auto own = own_win_limit(rule.id);
    out.win_maximum = multiple_maximum(prepared.simple_maximum, plain->pays,
                                       params.fraction(params.has(own) ? own : "max_multiple_win"),
                                       table.currency().chip);
  }
  return out;
}

}  // namespace

std::shared_ptr<const Prepared> prepare_dice(const Table& table) {
  const auto& params = table.params();
  auto out = std::make_shared<Prepared>();
  out->null_pushes = params.choice("dont_12") == "push";
  out->come_needs_point = params.choice("come_open") == "point_open";
  out->shooter_stakes = params.choice("shooter_stake") == "required";
  out->knows_shooter = out->shooter_stakes && !table.rules().actions.empty();
  out->counts_last = params.has("last_shooter");
  out->ends_with_series = choice_or(params, "last_shooter", "dice") == "series";
  out->locked_when_placed = choice_or(params, "line_lock", "placed") == "placed";
  out->whole_chips = choice_or(params, "stake_multiples", "free") != "free";
  out->limits_of_table = params.choice("limit_scope") == "table";
  out->simple_maximum = Fraction(params.integer("max_simple")) * Fraction(table.min());
  for (const auto& rule : table.rules().bets) out->bets.push_back(prepare_bet(table, *out, rule));
  return out;
}

const PreparedBet* prepared_bet(const Table& table, const Bet& bet) {
  const auto* indexed = table.bet_index().bet_of(bet);
  return indexed == nullptr ? nullptr : &table.prepared<Prepared>().bets[indexed->number];
}

}  // namespace talla::games::dice
