// A betting interval: who speaks, what may be bet, when it is over.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

Limit limit_now(const Play& p) {
  return p.law.betting.limits.at(
      std::min<std::size_t>(p.state.street, p.law.betting.limits.size() - 1));
}

std::size_t with_chips(const State& state) {
  return static_cast<std::size_t>(std::count_if(
      state.players.begin(), state.players.end(),
      [](const Player& one) { return one.live() && !one.stands && one.stack + one.early > 0; }));
}

Seat first_to_speak(const Play& p, const std::vector<Seat>& order) {
  const auto found = std::find_if(order.begin(), order.end(), [&](Seat seat) {
    return must_speak(p.state, *p.state.player(seat));
  });
  return found == order.end() ? 0 : *found;
}

/// Who is in the hand, in the order in which one of equal open cards speaks before the other.
std::vector<Seat> equal_order(const Play& p) {
  if (!p.law.order.equal_right) return deal_order(p);
  auto out = ring(p.state, !p.law.order.seat_one_left, p.state.mano);
  std::erase_if(out, [&](Seat seat) { return !p.state.player(seat)->live(); });
  return out;
}

/// Whose open cards are the best, or the lowest.
Seat by_showing(const Play& p, bool lowest) {
  Seat out = p.state.mano;
  std::optional<poker::HandValue> best;
  for (const auto seat : equal_order(p)) {
    const auto value = p.law.rank().showing(open_cards(p, *p.state.player(seat)));
    if (best && (lowest ? value >= *best : value <= *best)) continue;
    best = value;
    out = seat;
  }
  return out;
}

/// Whether the player's first two open cards are a pair.
bool shows_pair(const Play& p, const Player& one) {
  if (!one.live()) return false;
  const auto open = open_cards(p, one);
  return open.size() >= 2 && open.at(0).rank() == open.at(1).rank();
}

/// Whether somebody's are.
bool pair_shows(const Play& p) {
  const auto& all = p.state.players;
  return std::any_of(all.begin(), all.end(), [&](const Player& one) { return shows_pair(p, one); });
}

/// The pot when the cards of this interval were dealt.
Units pot_dealt(const State& state) {
  Units out = state.pot();
  for (const auto& one : state.players) out -= one.street;
  return out;
}

/// The first to speak in an interval whose opener must bet has not done so.
bool must_bet(const Play& p) {
  const auto& all = p.state.players;
  return p.law.streets.at(p.state.street).opens == Opener::lowest_showing &&
         p.state.betting.level == 0 &&
         std::none_of(all.begin(), all.end(), [](const Player& one) { return one.acted; });
}

/// The order in which an interval is spoken.
std::vector<Seat> speaking_order(const Play& p) {
  const auto& state = p.state;
  const auto opens = p.law.streets.at(state.street).opens;
  if (opens == Opener::last_bettor && state.betting.bettor != 0)
    return ring(state, p.law.order.betting_up, state.betting.bettor);
  if (opens == Opener::pot_opener && state.betting.opened != 0)
    return ring(state, p.law.order.betting_up, state.betting.opened);
  const bool lowest = opens == Opener::lowest_showing;
  if (lowest || opens == Opener::highest_showing || opens == Opener::highest_stays)
    return ring(state, p.law.order.betting_up, by_showing(p, lowest));
  auto order = ring(state, p.law.order.betting_up, state.mano);
  if (opens != Opener::after_blinds || state.street != 0) return order;
  if (state.betting.last_blind != 0) {
    order = ring_after(state, p.law.order.betting_up, state.betting.last_blind);
    order.push_back(state.betting.last_blind);
    return order;
  }
  std::size_t blinds = 0;
  std::size_t skip = 0;
  while (skip < order.size() && blinds < p.law.forced.blinds.size()) {
    if (state.player(order.at(skip))->in) ++blinds;
    ++skip;
  }
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(skip), order.end());
  return order;
}

/// Least and largest bet or raise; the largest may be more than the player has.
struct BetBounds {
  Units least = 0;
  Units most = 0;
};
BetBounds bounds(const Play& p, const Player& player) {
  const Units call = p.state.betting.level - player.street;
  const auto& law = p.law;
  const auto limit = limit_now(p);
  if (limit == Limit::fixed_lower) return {law.betting.lower, law.betting.lower};
  if (limit == Limit::fixed_higher) return {law.betting.higher, law.betting.higher};
  if (limit == Limit::by_pair) {
    if (p.state.betting.level > 0 && p.state.betting.last_raise == law.betting.higher)
      return {law.betting.higher, law.betting.higher};
    return {law.betting.lower, pair_shows(p) ? law.betting.higher : law.betting.lower};
  }
  if (limit == Limit::pair) {
    const bool pair = law.betting.pair_of_holder ? shows_pair(p, player) : pair_shows(p);
    return pair ? BetBounds{law.betting.higher, law.betting.higher}
                : BetBounds{law.betting.lower, law.betting.lower};
  }
  const Units chip = p.table.currency().chip;
  BetBounds out;
  out.least = law.betting.table_min;
  if (p.state.betting.level > 0 && law.betting.raise_of_last)
    out.least = std::max(out.least, p.state.betting.last_raise);
  out.least = (out.least + chip - 1) / chip * chip;
  out.most = units_max;
  const Units pot = p.state.pot() + (law.betting.pot_after_call ? call : 0);
  if (limit == Limit::pot) out.most = pot;
  if (limit == Limit::half_pot) out.most = pot / 2;
  if (limit == Limit::pot_dealt) out.most = pot_dealt(p.state);
  if (limit == Limit::half_pot_dealt) out.most = pot_dealt(p.state) / 2;
  if (law.betting.max_binds) out.most = std::min(out.most, law.betting.table_max);
  out.most = std::max(out.most, out.least);
  return out;
}

bool may_raise(const Play& p, const Player& player) {
  const auto& law = p.law;
  if (player.no_raise || with_chips(p.state) < 2) return false;
  if (player.acted && !law.betting.short_reopens) return false;
  const bool capped = law.betting.raises_max > 0 &&
                      player.raises >= static_cast<std::uint32_t>(law.betting.raises_max);
  return !capped || (law.betting.raises_free_of_two && p.state.live_count() == 2);
}

/// A bet or raise of `more` on top of what is to be matched.
void raise(Play& p, Player& player, Units more) {
  auto& state = p.state;
  const Units call = state.betting.level - player.street;
  const bool first = state.betting.level == 0;
  const bool full = first || more >= bounds(p, player).least;
  put_in(player, call + more);
  player.street += call + more;
  state.betting.level = player.street;
  if (full) state.betting.last_raise = more;
  if (!first) ++player.raises;
  state.betting.bettor = state.betting.last_bettor = player.seat;
  if (first && state.street == 0 && !p.law.opening.pairs.empty())
    state.betting.opened = player.seat;
  for (auto& one : state.players) {
    if (full) one.acted = false;
  }
  player.acted = true;
}

Status raise_act(Play& p, Player& player, const Act& event, const Offer& now) {
  const bool bets = event.action == "apostar";
  if (now.most == 0 || now.bet != bets)
    return refused(event.action + " is not open to this seat now");
  if (!event.amount || *event.amount < now.least || *event.amount > now.most) {
    return refused(event.action + ": from " + std::to_string(now.least) + " to " +
                   std::to_string(now.most) + " (" + p.rule(p.law.betting.cite) + ")");
  }
  if ((*event.amount - now.least) % step_of(p, now) != 0)
    return refused("an amount goes from the least one in steps of " +
                   std::to_string(step_of(p, now)));
  raise(p, player, *event.amount);
  return {};
}

Status speak(Play& p, Player& player, const Act& event) {
  const auto now = offer(p);
  const auto& action = event.action;
  if (action == "apostar" || action == "subir") return raise_act(p, player, event, now);
  if (event.amount) return refused(action + " takes no amount");
  if (action == "retirarse") {
    if (!now.fold)
      return refused("who opens this interval stays in the hand (" + p.rule(p.law.betting.cite) +
                     ")");
    player.folded = true;
  } else if (action == "pasar") {
    if (must_bet(p))
      return refused("the lowest open card bets (" + p.rule(p.law.betting.cite) + ")");
    if (!now.check)
      return refused("somebody has bet: who stays covers (" + p.rule(p.law.betting.cite) + ")");
    player.acted = true;
  } else if (action == "cubrir") {
    if (now.call == 0) return refused("there is no bet to cover");
    put_in(player, now.call);
    player.street += now.call;
    player.acted = true;
  } else if (action == "resto") {
    if (!now.all_in)
      return refused("the whole resto may not be bet now (" + p.rule(p.law.betting.cite) + ")");
    raise(p, player, player.stack - (p.state.betting.level - player.street));
  } else {
    return refused(action + " is not open now");
  }
  return {};
}

/// The seat has had its turn.
void count_word(State& state, Player& player) {
  player.spoke = true;
  player.no_raise = false;
  state.betting.spoken.push_back(player.seat);
  if (state.betting.spoken.size() > 2) state.betting.spoken.erase(state.betting.spoken.begin());
}

}  // namespace

bool must_speak(const State& state, const Player& player) {
  if (!player.live() || player.stands || player.stack + player.early == 0) return false;
  if (player.street < state.betting.level) return true;
  return !player.acted && with_chips(state) > 1;
}

bool must_stay(const Play& p) {
  const auto& state = p.state;
  const bool opens = p.law.streets.at(state.street).opens == Opener::highest_stays;
  return must_bet(p) || (opens && state.betting.turn == state.betting.opener &&
                         state.betting.level == 0 && !state.player(state.betting.turn)->acted);
}

Units step_of(const Play& p, const Offer& now) {
  const bool two = limit_now(p) == Limit::by_pair && now.most == p.law.betting.higher &&
                   now.least == p.law.betting.lower;
  return two && p.law.betting.higher > p.law.betting.lower
             ? p.law.betting.higher - p.law.betting.lower
             : p.table.currency().chip;
}

bool count_early(Play& p, Player& player) {
  const Units chips = std::exchange(player.early, 0);
  player.stack += chips;  // now they are put in as in any turn
  player.put -= chips;
  const Units call = p.state.betting.level - player.street;
  player.no_raise = false;  // of what goes beyond this bet
  const Offer now = offer_of(p, player);
  const Units over = std::max<Units>(0, chips - call);
  const bool all_in = over > 0 && chips == player.stack && now.all_in;
  if (all_in) {
    raise(p, player, over);
    return true;
  }
  if (now.most == 0 ||
      over < now.least) {  // what goes beyond covering and makes no raise comes back
    const Units part = std::min({chips, call, player.stack});
    put_in(player, part);
    player.street += part;
    if (part < call && player.stack > 0) {
      player.no_raise = true;
      return false;
    }
    player.acted = true;
    return true;
  }
  raise(p, player,
        now.least + (std::min(over, now.most) - now.least) / step_of(p, now) * step_of(p, now));
  return true;
}

void end_interval(Play& p) {
  auto& state = p.state;
  state.betting.turn = 0;
  state.showing.asked.clear();
  state.betting.spoken.clear();
  for (auto& one : state.players) {
    one.early = 0;  // nobody is left to whom it could be a bet: it is matched by nobody
    one.no_raise = false;
  }
  if (p.law.fee.kind == FeeKind::pot && p.law.fee.each_interval) take_pot_fee(p);
  if (state.live_count() == 1) return finish_alone(p);
  const bool opened =
      state.betting.opened != 0 || state.betting.opener == 0;  // no opener: nobody could speak
  if (!p.law.opening.pairs.empty() && state.street == 0 && !opened) return blank_hand(p);
  if (state.street + 1 == p.law.streets.size()) return begin_show(p);
  ++state.street;
  state.dealt = 0;
  if (is_draw(p.law, state.street)) return begin_draw(p);
  state.phase = Phase::deal;
  lay_early(p);
  begin_last_card(p);
}

Units most_over(const Play& p, const Player& player) {
  return bounds(p, player).most;
}

void put_in(Player& player, Units amount) {
  TALLA_CHECK(amount >= 0 && amount <= player.stack);
  player.stack -= amount;
  player.put += amount;
}

Offer offer(const Play& p) {
  const auto* player = p.state.player(p.state.betting.turn);
  TALLA_CHECK(player != nullptr);
  return offer_of(p, *player);
}

Offer offer_of(const Play& p, const Player& player) {
  const auto& state = p.state;
  Offer out;
  const Units call = state.betting.level - player.street;
  out.check = call == 0 && !must_bet(p);
  out.fold = !must_stay(p);
  out.call = std::min(call, player.stack);
  out.bet = state.betting.level == 0;
  if (player.stack <= call || !may_raise(p, player)) return out;
  const auto allowed = bounds(p, player);
  const Units chip = p.table.currency().chip;
  const Units over = player.stack - call;
  Units most = std::min(allowed.most, over) / chip * chip;
  if (limit_now(p) == Limit::by_pair && most < allowed.most) most = std::min(most, allowed.least);
  out.all_in = over <= allowed.most;
  if (most < allowed.least) return out;
  out.least = allowed.least;
  out.most = most;
  return out;
}

void begin_interval(Play& p) {
  auto& state = p.state;
  state.phase = Phase::bet;
  const auto& deal = p.law.streets.at(state.street).deal;
  const bool own = std::any_of(deal.begin(), deal.end(), is_own);
  for (auto& one : state.players) {
    one.acted = false;
    if (own) one.spoke = false;
    one.raises = 0;
    if (state.street > 0) one.street = 0;
    if (state.street == 0 && one.live() && p.law.fee.kind == FeeKind::hand)
      charge(p, one, std::min(p.law.fee.of_hand, one.stack));
  }
  if (state.street > 0) state.betting.level = state.betting.last_raise = 0;
  const auto order = speaking_order(p);
  state.betting.turn = first_to_speak(p, order);
  if (state.betting.turn == 0) return end_interval(p);  // all but one have put in their resto
  state.betting.opener = state.betting.turn;
  state.betting.bettor = 0;
}

void go_on(Play& p) {
  auto& state = p.state;
  if (state.live_count() == 1) return end_interval(p);
  const auto* on_turn = state.player(state.betting.turn);
  if (on_turn != nullptr && must_speak(state, *on_turn))
    return;  // another was taken out of the hand
  for (;;) {
    state.betting.turn =
        first_to_speak(p, ring_after(state, p.law.order.betting_up, state.betting.turn));
    if (state.betting.turn == 0) return end_interval(p);
    auto& next = *state.player(state.betting.turn);
    if (next.early == 0 || !count_early(p, next)) return;
    count_word(state, next);
  }
}

Status speak_first(Play& p, Player& player, std::optional<Units> amount) {
  const Seat before = p.state.betting.turn;
  p.state.betting.turn = p.state.betting.opener = player.seat;
  if (!amount) return {};
  Act act{player.seat, p.state.betting.level == 0 ? "apostar" : "subir", {}, amount, {}, {}};
  if (auto said = speak(p, player, act); !said) {
    p.state.betting.turn = p.state.betting.opener = before;
    return said;
  }
  count_word(p.state, player);
  go_on(p);
  return {};
}

Status bet_act(Play& p, const Act& event) {
  if (event.seat != p.state.betting.turn)
    return refused("it is the turn of seat " + std::to_string(p.state.betting.turn) + " (" +
                   p.rule(p.law.betting.cite) + ")");
  if (event.bet || event.to || !event.cards.empty())
    return refused(event.action + " names nothing but an amount");
  auto* player = p.state.player(event.seat);
  TALLA_CHECK(player != nullptr);
  TALLA_TRY_STATUS(speak(p, *player, event));
  count_word(p.state, *player);
  go_on(p);
  return {};
}

Status bet_time_out(Play& p, Seat seat) {
  if (seat != p.state.betting.turn) return fail(Errc::not_due, "nobody waits for this seat");
  auto& player = *p.state.player(seat);
  // The bet that the lowest open card owes is lost with the ante.
  if (must_bet(p)) raise(p, player, std::min(bounds(p, player).least, player.stack));
  player.folded = true;
  count_word(p.state, player);
  go_on(p);
  return {};
}

void add_bet_choices(const Play& p, Needs& out) {
  const auto now = offer(p);
  Decide decide{p.state.betting.turn, {}, true};
  const auto add = [&](std::string_view action) {
    decide.choices.push_back({std::string(action), "", 0, 0, 0});
  };
  if (now.fold) add("retirarse");
  if (now.check) add("pasar");
  if (now.call > 0) add("cubrir");
  if (now.most > 0)
    decide.choices.push_back(
        {now.bet ? "apostar" : "subir", "", now.least, now.most, step_of(p, now)});
  if (now.all_in) add("resto");
  out.emplace_back(std::move(decide));
}

}  // namespace talla::games::circle
