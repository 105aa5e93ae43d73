#include "ledger.hpp"

#include <algorithm>
#include <set>

#include "exceptions.hpp"
#include "failure.hpp"
#include "tables.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

void merge(std::map<std::string, std::size_t>& into, const std::map<std::string, std::size_t>& from) {
  for (const auto& [key, count] : from) into[key] += count;
}

bool contains_text(const json::Value& value, const std::string& text) {
  if (value.is_string()) return value.string() == text;
  if (value.is_array()) {
    return std::any_of(value.array().begin(), value.array().end(),
                       [&](const json::Value& one) { return contains_text(one, text); });
  }
  if (!value.is_object()) return false;
  return std::any_of(value.object().begin(), value.object().end(),
                     [&](const auto& one) { return one.first == text || contains_text(one.second, text); });
}

std::string describe(const Settlement& one) {
  return json::canonical(to_json(one));
}

}  // namespace

void Coverage::add(const Coverage& other) {
  merge(bets, other.bets);
  merge(actions, other.actions);
  merge(places, other.places);
  merge(results, other.results);
  merge(refused, other.refused);
  rounds += other.rounds;
  events += other.events;
  sessions += other.sessions;
  tables_refused += other.tables_refused;
}

std::vector<LiveBet> Ledger::live() const {
  std::vector<LiveBet> out;
  for (const auto& [id, bet] : live_) out.push_back(bet);
  return out;
}

void Ledger::accepted(const Event& event) {
  if (const auto* bet = std::get_if<PlaceBet>(&event)) placed(*bet);
  if (const auto* taken = std::get_if<WithdrawBet>(&event)) {
    if (take_call(*taken)) return;
    const auto found = live_.find(taken->bet);
    require(found != live_.end(), "a bet is taken back that is not there: " + taken->bet);
    const Units amount = taken->amount.value_or(found->second.stake);
    require(amount > 0 && amount <= found->second.stake,
            "more is taken back than was staked: " + text_of(event));
    found->second.stake -= amount;
    if (found->second.stake == 0) live_.erase(found);
  }
  if (const auto* act = std::get_if<Act>(&event)) {
    ++coverage_->actions[act->action];
    const bool for_all = acts_for_others(table_->rules());
    for (auto& [id, bet] : live_) {
      bet.acted = bet.acted || for_all || bet.placed.seat == act->seat || act->bet == id;
    }
  }
}

/// A call bet goes with all its parts.
bool Ledger::take_call(const WithdrawBet& taken) {
  const auto parts =
      std::erase_if(live_, [&](const auto& one) { return one.first.starts_with(taken.bet + "/"); });
  require(parts == 0 || !taken.amount, "a share of a call bet is taken back: " + taken.bet);
  return parts > 0;
}

void Ledger::placed(const PlaceBet& event) {
  const auto* rule = table_->rules().bet(event.kind);
  require(rule != nullptr, "a bet of no known kind is accepted");
  if (rule->is_call()) {
    const auto parts = parts_of_call(*table_, *rule, event);
    require(parts.has_value(), "a call bet in unequal chips is accepted");
    Units sum = 0;
    for (const auto& part : *parts) {
      sum += part.stake;
      placed(part);
    }
    require(sum == event.stake, "the parts of a call bet are not its stake: " + text_of(event));
    ++coverage_->bets[event.kind];
    return;
  }
  require(!live_.contains(event.id), "a bet id is taken twice");
  LiveBet bet{event, event.stake, false};
  auto on = canonical_position(*rule, table_->params(), event.on);
  require(on.has_value(), "a bet on no position is accepted: " + text_of(event));
  bet.placed.on = *on;
  require(bet.stake % table_->currency().chip == 0 || follows_a_stake(table_->rules(), event.kind),
          "a stake in broken chips is accepted");
  check_limits(bet);
  live_[event.id] = std::move(bet);
}

/// Scope `bet` and the house maximum: one seat's stakes on one kind and position. (A stake that moved or waits
/// elsewhere, as in prison, is counted by its engine; only stakes whose seat has not acted are counted here.)
void Ledger::check_limits(const LiveBet& added) const {
  Units sum = added.stake;
  for (const auto& [id, other] : live_) {
    if (other.acted || carries_over(table_->rules(), other.placed.kind)) continue;
    if (other.placed.seat == added.placed.seat && other.placed.kind == added.placed.kind &&
        other.placed.on == added.placed.on && other.placed.box == added.placed.box) {
      sum += other.stake;
    }
  }
  const auto& house = table_->config().max;
  require(!house || sum <= *house || has_price(table_->rules()),
          added.placed.kind + ": " + std::to_string(sum) + " is accepted above the house maximum");
  for (const auto& limit : table_->rules().limits) {
    if (std::find(limit.bets.begin(), limit.bets.end(), added.placed.kind) == limit.bets.end()) continue;
    require(Fraction(sum) <= bound_of(limit, *table_),
            added.placed.kind + ": " + std::to_string(sum) + " is accepted above the limit");
  }
}

void Ledger::settled(const Settlement& one) {
  ++coverage_->results[std::string(bet_result_name(one.result))];
  if (of_the_bank(table_->rules(), one.kind)) {
    ++coverage_->bets[one.kind];
    return check_rule(one);
  }
  const auto found = live_.find(one.bet);
  if (found == live_.end() && announced_late(table_->rules(), one.kind)) {
    ++coverage_->bets[one.kind];
    return check_rule(one);
  }
  if (found == live_.end()) return settled_of_action(one);
  const auto& bet = found->second;
  require(one.seat == bet.placed.seat, "settled for another seat: " + describe(one));
  require(one.kind == bet.placed.kind, "settled as another kind: " + describe(one));
  require(one.stake == bet.stake || (bet.acted && one.stake > 0),
          "the stake was " + std::to_string(bet.stake) + ": " + describe(one));
  check_rule(one);
  check_amount(one);
  if (one.result == BetResult::prison) return;
  ++coverage_->bets[one.kind];
  finished_.push_back(one.bet);
  over_[one.bet] = bet;
  live_.erase(found);
}

void Ledger::settled_of_action(const Settlement& one) {
  const auto comes_from = [&](const auto& entry) {
    const auto& bet = entry.second;
    return bet.acted && bet.placed.seat == one.seat && made_by_action(table_->rules(), one.bet, entry.first);
  };
  const bool known = std::any_of(live_.begin(), live_.end(), comes_from) ||
                     std::any_of(over_.begin(), over_.end(), comes_from);
  const bool twice = std::find(finished_.begin(), finished_.end(), one.bet) != finished_.end();
  require(known && !twice, "settled without a stake, or twice: " + describe(one));
  check_rule(one);
  if (without_stake(table_->rules(), one.kind)) {
    check_prize(one);
  } else {
    require(one.stake > 0, "no stake: " + describe(one));
    check_amount(one);
  }
  ++coverage_->bets[one.kind];
  finished_.push_back(one.bet);
}

/// A prize without a stake: what a payout of its kind gives on the stake that it belongs to.
void Ledger::check_prize(const Settlement& one) const {
  const auto* rule = table_->rules().bet(one.kind);
  const auto origin = one.bet.substr(0, one.bet.rfind('.'));
  const auto live = live_.find(origin);
  const auto over = over_.find(origin);
  require(rule != nullptr && (live != live_.end() || over != over_.end()),
          "a prize on no stake: " + describe(one));
  const Units stake = (live != live_.end() ? live : over)->second.stake;
  const Fraction exact = Fraction(one.returned) + one.remainder;
  const auto rounded = table_->round(exact);
  const bool listed = std::any_of(rule->payouts.begin(), rule->payouts.end(), [&](const Payout& payout) {
    return exact == Fraction(stake) * payout.pays;
  });
  require(one.stake == 0 && one.result == BetResult::win && listed && rounded.units == one.returned,
          "the catalogue has no such prize: " + describe(one));
}

/// Number and section; another number only in a game that follows another or rests on a borrowed base.
void Ledger::check_rule(const Settlement& one) const {
  const auto& rules = table_->rules();
  const std::string prefix = rules.number + " ";
  bool own = one.rule.starts_with(prefix) && one.rule.size() > prefix.size();
  if (rules.family == "circle-poker") {  // its common rules stand in the number above: "10.2" of "10.2.B.c"
    const auto number = one.rule.substr(0, one.rule.find(' '));
    own = number.size() < one.rule.size() && (rules.number + ".").starts_with(number + ".");
  }
  require(own || (!one.rule.empty() && (!rules.follows.empty() || !rules.base.empty())),
          "names no rule: " + describe(one));
  require(rules.base.empty() ||
              (one.rule.ends_with("provisional)") && one.rule.find(rules.base) != std::string::npos),
          "does not say that it is provisional: " + describe(one));
}

void Ledger::check_amount(const Settlement& one) const {
  require(one.returned >= 0, "a negative amount: " + describe(one));
  const Fraction exact = Fraction(one.returned) + one.remainder;
  const Fraction stake(one.stake);
  const auto rounded = table_->round(exact);
  require(rounded.units == one.returned && rounded.remainder == one.remainder,
          "wrongly rounded: " + describe(one));
  bool right = true;
  switch (one.result) {
    case BetResult::win:
      check_win(one, exact);
      break;
    case BetResult::lose:
    case BetResult::prison:
      right = exact.is_zero() || (part_plays(table_->rules()) && exact < stake);
      break;
    case BetResult::push:
    case BetResult::void_:
      right = exact == stake;
      break;
    case BetResult::half:
      right = exact > Fraction(0) && exact < stake;
      break;
    case BetResult::freed:
      right = exact > Fraction(0) && exact <= stake;
  }
  require(right, "the amount does not fit the result: " + describe(one));
}

void Ledger::check_win(const Settlement& one, const Fraction& exact) const {
  const auto* rule = table_->rules().bet(one.kind);
  require(rule != nullptr, "a win on no bet");
  const bool computed = pays_computed(table_->rules(), one.kind);
  require(exact > Fraction(computed ? 0 : one.stake), "a win that wins nothing: " + describe(one));
  if (computed) return;
  const auto listed = [&](const Payout& payout) {
    const auto kept = payout.commission_parameter.empty()
                          ? payout.commission
                          : table_->params().fraction(payout.commission_parameter);
    return exact == Fraction(one.stake) * (Fraction(1) + payout.pays - kept);
  };
  const bool by_condition =
      std::any_of(rule->payouts_when.begin(), rule->payouts_when.end(),
                  [&](const auto& more) { return table_->params().holds(more.when) && listed(more.payout); });
  require(by_condition || std::any_of(rule->payouts.begin(), rule->payouts.end(), listed),
          "the catalogue has no such payout: " + describe(one));
}

void Ledger::round_over(const json::Value& carried) {
  for (const auto& [id, bet] : live_) {
    require(contains_text(carried, id), "bet " + id + " has no result and is not carried");
  }
  for (const auto& id : finished_) {
    require(!contains_text(carried, id), "bet " + id + " is settled and carried as well");
  }
  finished_.clear();
  over_.clear();
  ++coverage_->rounds;
}

}  // namespace talla::sim
