// Bets made before their turn, and a player who was made to act first.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

Status bad_amount(const Play& p, const Misdeal& event, const std::string& why,
                  const Citation& cite) {
  return fail(Errc::amount_invalid, event.code + ": " + why + " (" + p.rule(cite) + ")");
}

bool in_chips(const Play& p, Units amount) {
  return amount % p.table.currency().chip == 0;
}

/// The player could put in that amount if it were his turn: a part of what he owes, all of it, or a
/// bet or raise.
bool could_bet(const Play& p, const Player& player, Units amount) {
  const Offer now = offer_of(p, player);
  const Units call = p.state.betting.level - player.street;
  if (amount > player.stack) return false;
  if (amount <= call) return true;
  const Units over = amount - call;
  if (amount == player.stack && now.all_in) return true;
  return now.most > 0 && over >= now.least && over <= now.most &&
         (over - now.least) % step_of(p, now) == 0;
}

std::string could_bet_words(const Play& p, const Player& player) {
  const Offer now = offer_of(p, player);
  const Units call = p.state.betting.level - player.street;
  std::string out;
  if (now.call > 0) out = "up to " + std::to_string(now.call) + " to cover";
  if (now.most > 0) {
    out += std::string(out.empty() ? "" : ", or ") + "from " + std::to_string(call + now.least) +
           " to " + std::to_string(call + now.most);
  }
  if (now.all_in) out += std::string(out.empty() ? "" : ", or ") + "all in";
  return out.empty() ? "nothing is open to this seat" : out;
}

}  // namespace

Status bet_early(Play& p, Player& player, const Misdeal& event, const Citation& cite) {
  auto& state = p.state;
  const bool before =
      state.phase == Phase::bet && state.showing.asked.empty() && state.betting.turn != player.seat;
  if (!before || player.stack == 0 || player.early > 0)
    return fail(Errc::not_due, event.code +
                                   " is said of a seat that has chips and is not on turn, once (" +
                                   p.rule(cite) + ")");
  if (!event.amount) {  // nothing was put in
    player.no_raise = true;
    return {};
  }
  if (!must_speak(state, player))
    return fail(Errc::not_due, event.code + ": no turn of this seat is to come in this interval (" +
                                   p.rule(cite) + ")");
  if (p.law.betting.early_at_once && must_stay(p))
    return fail(Errc::not_due, event.code + ": seat " + std::to_string(state.betting.turn) +
                                   " opens first (" + p.rule(p.law.betting.cite) + ")");
  const bool all_in = *event.amount == player.stack;
  if ((!in_chips(p, *event.amount) && !all_in) || !could_bet(p, player, *event.amount))
    return bad_amount(p, event, could_bet_words(p, player), cite);
  put_in(player, *event.amount);
  player.early = *event.amount;
  if (p.law.betting.early_at_once) static_cast<void>(count_early(p, player));
  player.no_raise = true;
  return {};
}

Status short_call(Play& p, const Misdeal& event, const Citation& cite) {
  if (!event.amount) return {};  // completed on the spot
  auto& state = p.state;
  auto& player = *state.player(state.betting.turn);
  const auto where = own_place_of(event.place.value_or(""));
  if (event.place && where.seat != player.seat)
    return fail(Errc::place_unknown, event.code + " names a card of seat " +
                                         std::to_string(player.seat) + ", which is on turn");
  const Offer now = offer(p);
  if (*event.amount >= now.call || !in_chips(p, *event.amount))
    return bad_amount(p, event, "less than the " + std::to_string(now.call) + " that cover the bet",
                      cite);
  put_in(player, *event.amount);
  player.street += *event.amount;
  player.no_raise = true;
  return {};
}

Status acts_first(Play& p, const Misdeal& event) {
  auto& state = p.state;
  if (!event.place && !event.amount) {  // he has acted in his turn: nothing is to be put right
    if (state.betting.spoken.empty())
      return fail(Errc::not_due, event.code + " names the seat that acted");
    return {};
  }
  const auto where = own_place_of(event.place.value_or(""));
  auto* player = state.player(where.seat);
  if (player == nullptr || !player->live() || where.card == 0 || where.card > player->cards.size())
    return fail(Errc::place_unknown, event.code + " names a card of the player who acted");
  if (!state.betting.spoken.empty() || player->seat == state.betting.turn || player->stack == 0)
    return fail(Errc::not_due, event.code + ": another than who had to, before anybody has spoken");
  return speak_first(p, *player, event.amount);
}

}  // namespace talla::games::circle
