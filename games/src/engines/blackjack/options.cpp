#include "engines/blackjack/options.hpp"

#include <algorithm>
#include <functional>

#include "base/check.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/settle.hpp"

namespace talla::games::blackjack {
namespace {

tl::unexpected<Error> refuse_option(const Law& law, std::string_view block,
                                    const std::string& why) {
  return fail(Errc::action_refused, why + law.cited(block));
}

bool dealer_shows_ace(const State& state) {
  return !state.dealer.empty() && is_ace(state.dealer.front());
}

bool two_first_cards(const Hand& hand) {
  return hand.cards.size() == 2 && !hand.split && !hand.doubled && !hand.bets.empty();
}

struct Range {
  Units min = 0, max = 0, step = 0;
};

/// What may be put on the insurance of a stake; max 0: nothing.
Range insurance_range(const Law& law, const Bet& bet) {
  const Units chip = law.table().currency().chip;
  if (law.is("insurance", "amount", "up-to-half")) return {chip, bet.stake / 2 / chip * chip, chip};
  const Units half = law.table().whole_stake(Fraction(bet.stake, 2), Fraction(bet.stake));
  return half > 0 ? Range{half, half, chip} : Range{};
}

struct Target {
  std::size_t hand = 0;
  Bet bet;
};

using Allowed = std::function<bool(const Hand&, const Bet&)>;

/// The one stake of that seat the action can mean.
Result<Target> target_of(const Law& law, const State& state, const Act& event,
                         const Allowed& allowed, std::string_view block) {
  std::vector<Target> found;
  for (std::size_t i = 0; i < state.hands.size(); ++i) {
    for (const auto& id : state.hands.at(i).bets) {
      const auto* bet = state.bets.find(std::string_view(id));
      TALLA_CHECK(bet != nullptr);
      const bool meant = event.bet ? *event.bet == id : bet->seat == event.seat;
      if (meant && bet->seat == event.seat && allowed(state.hands.at(i), *bet))
        found.push_back({i, *bet});
    }
  }
  if (found.empty())
    return refuse_option(law, block,
                         event.action + " is not open to seat " + std::to_string(event.seat));
  if (found.size() > 1) return refuse_option(law, block, event.action + ": name one of your bets");
  return std::move(found.front());
}

Status insure(const Law& law, State& state, const Act& event) {
  const auto allowed = [&](const Hand& hand, const Bet& bet) {
    return can_insure(law, state, hand, bet);
  };
  TALLA_TRY(const auto target, target_of(law, state, event, allowed, "insurance"));
  const auto range = insurance_range(law, target.bet);
  const Units amount = event.amount.value_or(range.max);
  if (amount < range.min || amount > range.max || amount % range.step != 0) {
    return refuse_option(law, "insurance",
                         "the insurance is " + std::to_string(range.min) + " to " +
                             std::to_string(range.max) + " in steps of " +
                             std::to_string(range.step));
  }
  const PlaceBet placed{insurance_id(law, target.bet.id), event.seat,    target.bet.box,
                        std::string(law.insurance_bet()), target.bet.on, amount};
  return state.bets.place(law.table(), placed, {.check_minimum = false, .check_limits = false});
}

Status take_even_money(const Law& law, State& state, const Act& event) {
  if (event.amount) return refuse_option(law, "even_money", "the whole stake is paid");
  const auto allowed = [&](const Hand& hand, const Bet& bet) {
    return can_take_even_money(law, state, hand, bet);
  };
  TALLA_TRY(const auto target, target_of(law, state, event, allowed, "even_money"));
  const auto* payout = law.bet(target.bet.kind).payout("even-money");
  settle_one(state, settle_win(law.table(), target.bet, *payout), &state.hands.at(target.hand));
  return {};
}

Status surrender(const Law& law, State& state, const Act& event) {
  if (event.amount) return refuse_option(law, "surrender", "surrender has no amount");
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < state.hands.size(); ++i) {
    const auto& hand = state.hands.at(i);
    const bool meant =
        !event.bet || std::find(hand.bets.begin(), hand.bets.end(), *event.bet) != hand.bets.end();
    if (meant && hand.seat == event.seat && can_surrender(law, state, hand)) found.push_back(i);
  }
  if (found.empty())
    return refuse_option(law, "surrender",
                         "surrender is not open to seat " + std::to_string(event.seat));
  if (found.size() > 1)
    return refuse_option(law, "surrender", "surrender: name a bet on one of your hands");
  auto& hand = state.hands.at(found.front());
  const auto part = law.fraction("surrender", "returned");
  const auto ids = hand.bets;
  for (const auto& id : ids) {
    const Bet bet = *state.bets.find(std::string_view(id));
    const auto back = Fraction(bet.stake) * part;
    settle_one(state,
               settle_returned(law.table(), bet, BetResult::half, back, law.cite("surrender")),
               &hand);
  }
  hand.done = true;
  return {};
}

}  // namespace

bool is_option(std::string_view action) {
  return action == "insurance" || action == "even-money" || action == "surrender";
}

std::string insurance_id(const Law& law, std::string_view bet) {
  return std::string(bet) + "." + std::string(law.insurance_bet());
}

bool can_insure(const Law& law, const State& state, const Hand& hand, const Bet& bet) {
  if (!law.has("insurance") || !dealer_shows_ace(state) || !two_first_cards(hand)) return false;
  if (state.third_card && law.is("insurance", "window", "table")) return false;
  if (law.is("insurance", "open_to", "blackjack") && !is_blackjack(law, hand)) return false;
  return state.bets.find(insurance_id(law, bet.id)) == nullptr && insurance_range(law, bet).max > 0;
}

bool can_take_even_money(const Law& law, const State& state, const Hand& hand, const Bet& bet) {
  if (!law.has("even_money") || !dealer_shows_ace(state) || state.third_card) return false;
  if (!two_first_cards(hand) || !is_blackjack(law, hand)) return false;
  return law.is("even_money", "with_insurance", "both") ||
         state.bets.find(insurance_id(law, bet.id)) == nullptr;
}

bool can_surrender(const Law& law, const State& state, const Hand& hand) {
  if (!law.has("surrender") || !law.flag("surrender", "offered") || state.third_card) return false;
  if (!two_first_cards(hand) || hand.done) return false;
  const auto closed = law.numbers("surrender", "not_against");
  return std::find(closed.begin(), closed.end(), state.dealer.front().rank()) == closed.end();
}

void add_options(const Law& law, const State& state, std::map<Seat, Decide>& out) {
  const auto choices_of = [&](Seat seat) -> std::vector<ActionChoice>& {
    const auto [entry, fresh] = out.try_emplace(seat);
    if (fresh) entry->second = Decide{seat, {}, false};
    return entry->second.choices;
  };
  for (const auto& hand : state.hands) {
    for (const auto& id : hand.bets) {
      const auto* bet = state.bets.find(std::string_view(id));
      TALLA_CHECK(bet != nullptr);
      if (can_insure(law, state, hand, *bet)) {
        const auto range = insurance_range(law, *bet);
        choices_of(bet->seat).push_back({"insurance", id, range.min, range.max, range.step});
      }
      if (can_take_even_money(law, state, hand, *bet))
        choices_of(bet->seat).push_back({"even-money", id, 0, 0, 0});
    }
    if (can_surrender(law, state, hand)) {
      choices_of(hand.seat).push_back({"surrender", hand.bets.front(), 0, 0, 0});
    }
  }
}

Status take_option(const Law& law, State& state, const Act& event) {
  if (event.action == "insurance") return insure(law, state, event);
  if (event.action == "even-money") return take_even_money(law, state, event);
  return surrender(law, state, event);
}

}  // namespace talla::games::blackjack
