#include "odds/stake_chain.hpp"

#include <array>

#include "base/check.hpp"
#include "games/bets.hpp"
#include "odds/lone_stake.hpp"

namespace talla::games {

namespace {

constexpr Seat bettor_seat = 1;
/// No code of a catalogue reads like this: a state that has it holds the stake.
constexpr std::string_view stake_id = "the.one.stake";
constexpr std::string_view further_id = "with.the.one.stake";
/// Behind so many times in a row a stake in prison is below every minimum, and each further one
/// only halves it again, or leaves a half that nobody takes: the state of one time fewer.
constexpr std::int64_t times_kept = 8;

enum Count : std::size_t { win, lose, other };

Status open_shoe(Driver& driver) {
  const Needs needs = driver.needs();
  const auto* need = find_need<ShoeNeed>(needs);
  return need == nullptr ? Status() : driver.apply(ShoeOpened{need->cards_count, false});
}

}  // namespace

bool StakeChain::take_time_off(json::Value& state) const {
  if (state.find("prison") == nullptr) return false;
  json::Value& times = state["prison"].array().front()[game_.prison.member];
  if (times.integer() <= times_kept) return false;
  times = times.integer() - 1;
  return true;
}

Status StakeChain::follow(const std::string& bet, const std::vector<std::string>& on,
                          const std::vector<FurtherBet>& further) {
  staked_ = 1;
  for (const FurtherBet& one : further) staked_ += one.share;
  TALLA_TRY(const Driver placed, place(bet, on, further));
  TALLA_TRY([[maybe_unused]] const std::size_t first, number_of(placed.state()));
  while (chain_.size() < states_.size()) {
    const State next = states_[chain_.size()];  // a copy: more are found behind it
    TALLA_TRY(auto options, options_of(next));
    chain_.push_back(std::move(options));
  }
  return {};
}

Result<Odds> StakeChain::odds(const std::string& bet, const std::vector<std::string>& on,
                              const std::vector<FurtherBet>& further) {
  TALLA_TRY_STATUS(follow(bet, on, further));
  const auto value = solve_chain(chain_);
  if (!value) return fail(Errc::game_not_available, bet + ": the stake need never be settled");
  const Ratio& paid = value->sums.amount;
  const auto& counts = value->sums.counts;
  return Odds{.win = counts[win],
              .lose = counts[lose],
              .other = counts[other],
              .returned = paid,
              .square = value->square - Ratio(2) * staked_ * paid + staked_ * staked_,
              .staked = staked_};
}

Result<Driver> StakeChain::place(const std::string& bet, const std::vector<std::string>& on,
                                 const std::vector<FurtherBet>& further) {
  std::optional<Error> refused;
  for (const Units percentage : stake_percentages) {
    if (table_.min() * percentage % 100 != 0) continue;
    TALLA_TRY(Driver driver, Driver::start(table_));
    if (game_.needs_shoe) TALLA_TRY_STATUS(open_shoe(driver));
    for (const Event& event : game_.before) TALLA_TRY_STATUS(driver.apply(event));
    stake_ = table_.min() * percentage / 100;
    const Status placed = place_all(driver, bet, on, further);
    if (placed) return driver;
    if (!refused) refused = placed.error();
  }
  TALLA_CHECK(refused.has_value());
  return tl::unexpected<Error>(*refused);
}

Status StakeChain::place_all(Driver& driver, const std::string& bet,
                             const std::vector<std::string>& on,
                             const std::vector<FurtherBet>& further) const {
  PlaceBet event{.id = std::string(stake_id),
                 .seat = bettor_seat,
                 .box = {},
                 .kind = bet,
                 .on = on,
                 .stake = stake_};
  TALLA_TRY_STATUS(driver.apply(event));
  for (const FurtherBet& one : further) {
    const Fraction share = one.share * Fraction(stake_);
    if (!share.is_integer())
      return fail(Errc::game_not_available, one.bet + ": it pays parts of a unit");
    event.id = std::string(further_id) + std::to_string(&one - further.data());
    event.kind = one.bet;
    event.on = one.on;
    event.stake = share.floor();
    TALLA_TRY_STATUS(driver.apply(event));
  }
  return {};
}

Result<std::size_t> StakeChain::number_of(const State& state) {
  json::Value text = state.to_json();
  text.object().erase("settled");
  const auto [found, fresh] = numbers_.try_emplace(json::canonical(text), states_.size());
  if (fresh) states_.push_back(state);
  return found->second;
}

/// With a shoe that lacks nothing yet, where there is one.
Driver StakeChain::resumed(const State& state) const {
  std::optional<ShoeAccount> shoe;
  if (game_.needs_shoe) {
    const auto need = table_.engine().shoe(table_);
    TALLA_CHECK(need.has_value());
    shoe = ShoeAccount::fresh(need->cards_count, need->stop_depth);
  }
  return {table_, state, shoe, Journal::off};
}

Result<ChainState> StakeChain::options_of(const State& state) {
  const Needs needs = resumed(state).needs();
  ChainState options;
  const bool forced = find_need<Draw>(needs) != nullptr || find_need<Deal>(needs) != nullptr;
  if (forced && find_need<BetsOpen>(needs) == nullptr) {
    TALLA_TRY(const auto outcomes, game_.outcomes(needs));
    ChainOption option;
    for (const Outcome& outcome : outcomes) {
      TALLA_TRY(const auto step, step_behind(state, outcome.events, outcome.probability));
      option.push_back(step);
    }
    options.options.push_back(std::move(option));
    return options;
  }
  TALLA_TRY_STATUS(add_choices(state, needs, options));
  if (options.options.empty()) return fail(Errc::game_not_available, "nothing leads on from here");
  return options;
}

Status StakeChain::add_choices(const State& state, const Needs& needs, ChainState& options) {
  bool silent = true;
  for (const Need& need : needs) {
    const auto* decide = std::get_if<Decide>(&need);
    if (decide == nullptr) continue;
    silent = silent && !decide->required;
    for (const ActionChoice& choice : decide->choices) {
      if (choice.max > 0) continue;  // more money: another bet, with odds of its own
      Act act{.seat = decide->seat,
              .action = choice.action,
              .bet = {},
              .amount = {},
              .cards = {},
              .to = {}};
      if (!choice.bet.empty()) act.bet = choice.bet;
      TALLA_TRY_STATUS(add_choice(state, act, choice.action, options));
    }
  }
  const auto* open = find_need<BetsOpen>(needs);
  return silent && open != nullptr && open->can_close ? add_choice(state, CloseBets{}, "", options)
                                                      : Status();
}

Status StakeChain::add_choice(const State& state, const Event& event, const std::string& called,
                              ChainState& options) {
  TALLA_TRY(const auto step, step_behind(state, {event}, 1));
  options.options.push_back({step});
  options.choices.push_back(called);
  return {};
}

Result<ChainStep> StakeChain::step_behind(const State& state, const std::vector<Event>& events,
                                          const Ratio& probability) {
  Driver driver = resumed(state);
  for (const Event& event : events) TALLA_TRY_STATUS(driver.apply(event));
  ChainStep step{.to = {}, .probability = probability, .sums = {}};
  bool over = false;
  bool imprisoned = false;
  for (const Settlement& one : driver.settled()) {
    imprisoned = imprisoned || one.result == BetResult::prison;
    if (one.result == BetResult::prison) continue;                          // it waits
    if (one.bet != stake_id && !one.bet.starts_with(further_id)) continue;  // of another
    over = over || one.bet == stake_id;
    if (one.bet == stake_id) step.end = static_cast<std::size_t>(one.result);
    step.sums.amount += (Fraction(one.returned) + one.remainder) / Fraction(stake_);
  }
  if (over) {
    const Ratio& paid = step.sums.amount;
    step.sums.counts[paid > staked_ ? win : paid.is_zero() ? lose : other] = 1;
    return step;
  }
  const bool stays =
      driver.state().canonical().find('"' + std::string(stake_id) + '"') != std::string::npos;
  if (!stays) return fail(Errc::game_not_available, "the stake is gone without a settlement");
  if (json::Value text = driver.state().to_json(); take_time_off(text)) {
    if (game_.prison.halves) step.scale = Fraction(1, 2);
    text.object().erase("settled");
    TALLA_TRY(const State fewer, table_.engine().restore(table_, text));
    TALLA_TRY(step.to, number_of(fewer));
  } else {
    TALLA_TRY(step.to, number_of(driver.state()));
    if (imprisoned && !prison_) prison_ = step.to;
  }
  return step;
}

}  // namespace talla::games
