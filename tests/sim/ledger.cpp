#include "ledger.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "exceptions.hpp"
#include "failure.hpp"
#include "tables.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

void merge(std::map<std::string, std::size_t>& into,
           const std::map<std::string, std::size_t>& from) {
  for (const auto& [key, count] : from) into[key] += count;
}

/// Every text in it: strings and names of members.
template <class Take>
void each_text(const json::Value& value, const Take& take) {
  if (value.is_string()) take(value.string());
  if (value.is_array()) {
    for (const auto& one : value.array()) each_text(one, take);
  }
  if (!value.is_object()) return;
  for (const auto& [key, one] : value.object()) {
    take(key);
    each_text(one, take);
  }
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

const std::vector<LiveBet>& Ledger::live() {
  if (!std::exchange(listed_, true)) {
    list_.clear();
    for (const auto& [id, bet] : live_) list_.push_back(bet);
  }
  return list_;
}

void Ledger::accepted(const Event& event) {
  listed_ = false;
  if (const auto* bet = std::get_if<PlaceBet>(&event)) placed(*bet);
  if (const auto* taken = std::get_if<WithdrawBet>(&event)) {
    if (take_call(*taken)) return;
    const auto found = live_.find(taken->bet);
    require(found != live_.end(),
            [&] { return "a bet is taken back that is not there: " + taken->bet; });
    const Units amount = taken->amount.value_or(found->second.stake);
    require(amount > 0 && amount <= found->second.stake,
            [&] { return "more is taken back than was staked: " + text_of(event); });
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
  require(parts == 0 || !taken.amount,
          [&] { return "a share of a call bet is taken back: " + taken.bet; });
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
    require(sum == event.stake,
            [&] { return "the parts of a call bet are not its stake: " + text_of(event); });
    ++coverage_->bets[event.kind];
    return;
  }
  require(!live_.contains(event.id), "a bet id is taken twice");
  LiveBet bet{event, event.stake, false};
  bet.placed.on = spelt(*rule, event);
  require(bet.stake % table_->currency().chip == 0 || follows_a_stake(table_->rules(), event.kind),
          "a stake in broken chips is accepted");
  check_limits(bet);
  live_[event.id] = std::move(bet);
}

/// The position as the catalogue spells it. (Tickets are too many to be remembered.)
std::vector<std::string> Ledger::spelt(const BetRule& rule, const PlaceBet& event) {
  const auto find = [&] {
    auto on = canonical_position(rule, table_->params(), event.on);
    require(on.has_value(), [&] { return "a bet on no position is accepted: " + text_of(event); });
    return *std::move(on);
  };
  if (rule.on == OnForm::numbers) return find();
  const auto [place, fresh] = spelt_.try_emplace({event.kind, event.on});
  if (fresh) place->second = find();
  return place->second;
}

/// Scope `bet` and the house maximum: one seat's stakes on one kind and position. (A stake that
/// moved or waits elsewhere, as in prison, is counted by its engine; only stakes whose seat has not
/// acted are counted here.)
void Ledger::check_limits(const LiveBet& added) {
  Units sum = added.stake;
  for (const auto& [id, other] : live_) {
    if (other.acted || carries_over(table_->rules(), other.placed.kind)) continue;
    if (other.placed.seat == added.placed.seat && other.placed.kind == added.placed.kind &&
        other.placed.on == added.placed.on && other.placed.box == added.placed.box) {
      sum += other.stake;
    }
  }
  const auto above = [&](const char* what) {
    return added.placed.kind + ": " + std::to_string(sum) + " is accepted above the " + what;
  };
  const auto& house = table_->config().max;
  require(!house || sum <= *house || has_price(table_->rules()),
          [&] { return above("house maximum"); });
  if (bounds_.empty()) {  // a table's bounds stand
    for (const auto& limit : table_->rules().limits) {
      bounds_.emplace(&limit, bound_of(limit, *table_));
      for (const auto& kind : limit.bets) limits_of_[kind].push_back(&limit);
    }
  }
  const auto found = limits_of_.find(added.placed.kind);
  if (found == limits_of_.end()) return;
  for (const auto* limit : found->second)
    require(Fraction(sum) <= bounds_.at(limit), [&] { return above("limit"); });
}

void Ledger::settled(const Settlement& one) {
  listed_ = false;
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
  require(one.seat == bet.placed.seat,
          [&] { return "settled for another seat: " + describe(one); });
  require(one.kind == bet.placed.kind, [&] { return "settled as another kind: " + describe(one); });
  require(one.stake == bet.stake || (bet.acted && one.stake > 0),
          [&] { return "the stake was " + std::to_string(bet.stake) + ": " + describe(one); });
  check_rule(one);
  check_amount(one);
  if (one.result == BetResult::prison) return;
  ++coverage_->bets[one.kind];
  finished_.push_back(one.bet);
  over_[one.bet] = std::move(found->second);
  live_.erase(found);
}

void Ledger::settled_of_action(const Settlement& one) {
  const auto comes_from = [&](const auto& entry) {
    const auto& bet = entry.second;
    return bet.acted && bet.placed.seat == one.seat &&
           made_by_action(table_->rules(), one.bet, entry.first);
  };
  const bool known = std::any_of(live_.begin(), live_.end(), comes_from) ||
                     std::any_of(over_.begin(), over_.end(), comes_from);
  const bool twice = std::find(finished_.begin(), finished_.end(), one.bet) != finished_.end();
  require(known && !twice, [&] { return "settled without a stake, or twice: " + describe(one); });
  check_rule(one);
  if (without_stake(table_->rules(), one.kind)) {
    check_prize(one);
  } else {
    require(one.stake > 0, [&] { return "no stake: " + describe(one); });
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
          [&] { return "a prize on no stake: " + describe(one); });
  const Units stake = (live != live_.end() ? live : over)->second.stake;
  const Fraction exact = Fraction(one.returned) + one.remainder;
  const auto rounded = table_->round(exact);
  const bool listed =
      std::any_of(rule->payouts.begin(), rule->payouts.end(),
                  [&](const Payout& payout) { return exact == Fraction(stake) * payout.pays; });
  require(one.stake == 0 && one.result == BetResult::win && listed && rounded.units == one.returned,
          [&] { return "the catalogue has no such prize: " + describe(one); });
}

/// Number and section; another number only in a game that follows another or rests on a borrowed
/// base.
void Ledger::check_rule(const Settlement& one) const {
  const auto& rules = table_->rules();
  const std::string prefix = rules.number + " ";
  bool own = one.rule.starts_with(prefix) && one.rule.size() > prefix.size();
  if (rules.family ==
      "circle-poker") {  // its common rules stand in the number above: "10.2" of "10.2.B.c"
    const auto number = one.rule.substr(0, one.rule.find(' '));
    own = number.size() < one.rule.size() && (rules.number + ".").starts_with(number + ".");
  }
  require(own || (!one.rule.empty() && (!rules.follows.empty() || !rules.base.empty())),
          [&] { return "names no rule: " + describe(one); });
  require(rules.base.empty() || (one.rule.ends_with("provisional)") &&
                                 one.rule.find(rules.base) != std::string::npos),
          [&] { return "does not say that it is provisional: " + describe(one); });
}

void Ledger::check_amount(const Settlement& one) const {
  require(one.returned >= 0, [&] { return "a negative amount: " + describe(one); });
  const Fraction exact = Fraction(one.returned) + one.remainder;
  const Fraction stake(one.stake);
  const auto rounded = table_->round(exact);
  require(rounded.units == one.returned && rounded.remainder == one.remainder,
          [&] { return "wrongly rounded: " + describe(one); });
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
  require(right, [&] { return "the amount does not fit the result: " + describe(one); });
}

void Ledger::check_win(const Settlement& one, const Fraction& exact) const {
  const auto* rule = table_->rules().bet(one.kind);
  require(rule != nullptr, "a win on no bet");
  const bool computed = pays_computed(table_->rules(), one.kind);
  require(exact > Fraction(computed ? 0 : one.stake),
          [&] { return "a win that wins nothing: " + describe(one); });
  if (computed) return;
  const auto listed = [&](const Payout& payout) {
    const auto kept = payout.commission_parameter.empty()
                          ? payout.commission
                          : table_->params().fraction(payout.commission_parameter);
    return exact == Fraction(one.stake) * (Fraction(1) + payout.pays - kept);
  };
  const bool by_condition = std::any_of(
      rule->payouts_when.begin(), rule->payouts_when.end(),
      [&](const auto& more) { return table_->params().holds(more.when) && listed(more.payout); });
  require(by_condition || std::any_of(rule->payouts.begin(), rule->payouts.end(), listed),
          [&] { return "the catalogue has no such payout: " + describe(one); });
}

void Ledger::round_over(const json::Value& carried) {
  std::set<std::string_view> named;
  const std::set<std::string_view> finished(finished_.begin(), finished_.end());
  each_text(carried, [&](const std::string& text) {
    require(!finished.contains(text),
            [&] { return "bet " + text + " is settled and carried as well"; });
    if (live_.contains(text)) named.insert(text);
  });
  for (const auto& [id, bet] : live_) {
    if (named.contains(id)) continue;
    throw Failure("bet " + id + " has no result and is not carried");
  }
  finished_.clear();
  over_.clear();
  ++coverage_->rounds;
}

}  // namespace talla::sim
