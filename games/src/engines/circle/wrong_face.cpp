// A card dealt with the wrong face up, and what its player may choose.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

/// The seat has answered; who still speaks is looked for anew, nobody has spoken yet.
void answered(Play& p, bool goes_on) {
  auto& state = p.state;
  auto* player = state.player(state.showing.asked.front());
  TALLA_CHECK(player != nullptr);
  player->stands = !goes_on;
  state.showing.asked.erase(state.showing.asked.begin());
  if (state.showing.asked.empty()) begin_interval(p);
}

}  // namespace

void void_hand(Play& p, Player& player, const Citation& cite) {
  if (player.put > 0)
    p.settle(player.seat, "bote-1", "bote", player.put, player.put, BetResult::void_, cite);
  if (player.credit > 0) {  // the ante of an earlier deal is his initial bet, too
    p.settle(0, "ante", "bote", player.credit, 0, BetResult::lose, cite);
    p.settle(player.seat, "ante", "ante", 0, player.credit, BetResult::freed, cite);
    p.state.dead -= player.credit;
  }
  player.stack += std::exchange(player.put, 0) + std::exchange(player.credit, 0);
  player.street = player.early = 0;
  player.folded = true;
}

Status hole_exposed(Play& p, const Misdeal& event, const Citation& cite) {
  auto& state = p.state;
  const auto where = own_place_of(event.place.value_or(""));
  auto* player = state.player(where.seat);
  if (player == nullptr || !player->live() || where.card == 0 || where.card > 2 ||
      where.card > player->cards.size())
    return fail(Errc::place_unknown, event.code + " names one of a player's first two cards");
  if (state.phase != Phase::deal || state.street != 0 || player->cards.size() > 2)
    return fail(Errc::not_due, "the third card is dealt");
  if (!state.showing.to_reveal.empty())
    return fail(Errc::not_due, "an exposed card is to be turned first");
  if (player->exposed == where.card) return fail(Errc::not_due, "that card lies open already");
  if (player->exposed == 0) {
    player->exposed = static_cast<std::uint32_t>(where.card);
    state.showing.to_reveal.push_back(*event.place);
    return {};
  }
  void_hand(p, *player, cite);
  if (state.live_count() == 1) {
    divide(p, false);
  } else if (state.dealt == street_count(p)) {
    begin_interval(p);
  }
  return {};
}

Status last_open(Play& p, Player& player, const Misdeal& event) {
  auto& state = p.state;
  const auto where = own_place_of(event.place.value_or(""));
  const bool last =
      state.phase == Phase::bet && state.street + 1 == p.law.streets.size() && !state.deck.single;
  const auto& all = state.players;
  const bool spoken =
      state.betting.level > 0 ||
      std::any_of(all.begin(), all.end(), [](const Player& one) { return one.acted; });
  if (!last || spoken || where.card != p.law.own_cards())
    return fail(Errc::not_due, "only the last card, before anybody has spoken");
  const bool known = std::find(state.showing.asked.begin(), state.showing.asked.end(),
                               player.seat) != state.showing.asked.end();
  if (known || player.stands) return fail(Errc::not_due, "that seat was asked already");
  if (state.live_count() == 2) {
    end_interval(p);
  } else {
    state.showing.asked.push_back(player.seat);
  }
  return {};
}

Status asked_act(Play& p, const Act& event) {
  const auto seat = p.state.showing.asked.front();
  const bool bare = !event.bet && !event.to && !event.amount && event.cards.empty();
  const bool goes_on = event.action == "seguir";
  if (event.seat != seat || !bare || (!goes_on && event.action != "no-seguir"))
    return fail(Errc::action_refused, "seat " + std::to_string(seat) +
                                          " says seguir or no-seguir (" +
                                          p.rule(p.law.misdeal.cite) + ")");
  answered(p, goes_on);
  return {};
}

Status asked_time_out(Play& p, Seat seat) {
  if (seat != p.state.showing.asked.front())
    return fail(Errc::not_due, "nobody waits for this seat");
  answered(p, true);
  return {};
}

void add_asked_choices(const Play& p, Needs& out) {
  if (p.state.showing.asked.empty()) return;
  out.emplace_back(Decide{
      p.state.showing.asked.front(), {{"seguir", "", 0, 0, 0}, {"no-seguir", "", 0, 0, 0}}, true});
}

}  // namespace talla::games::circle
