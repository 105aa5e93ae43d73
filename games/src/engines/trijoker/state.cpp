#include "engines/trijoker/state.hpp"

#include <algorithm>
#include <array>

#include "engines/poker/house_deal.hpp"
#include "engines/poker/round_fields.hpp"
#include "engines/shared/archive.hpp"

namespace talla::games::trijoker {
namespace {

constexpr std::array<std::string_view, 2> common_places = {"common-1", "common-2"};

std::string own_place(Seat seat, std::size_t card) {
  return poker::house::hand_place(seat, card);
}

/// One card to each player, a common one on the left, one to each, a common one on the right, one
/// to each.
std::vector<DealPlace> deal_order(const std::vector<Seat>& players) {
  std::vector<DealPlace> out;
  for (std::size_t card = 1; card <= own_cards; ++card) {
    for (const auto seat : players) out.push_back({own_place(seat, card), Face::covered, {seat}});
    if (card < own_cards) out.push_back({std::string(common_places.at(card - 1)), Face::covered});
  }
  return out;
}

Due reveal(std::string place) {
  Due out;
  out.kind = Due::Kind::reveal;
  out.place = std::move(place);
  return out;
}

template <class A>
void state_fields(A& a, State& s) {
  poker::round_fields(a, s.round);
  a.number("decided", s.decided, 64);
  a.number("exposed", s.exposed, 64);
  a.text("exposing", s.exposing);
  a.settled(s.settled);
}

}  // namespace

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  return loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); });
}

std::vector<Seat> State::players() const {
  std::vector<Seat> out;
  for (const auto& bet : round.bets.all()) {
    const bool known = std::find(out.begin(), out.end(), bet.seat) != out.end();
    if (bet.kind == spot_bets.back() && !known) out.push_back(bet.seat);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Due due_of(const State& state) {
  if (!state.exposing.empty()) return reveal(state.exposing);
  const auto players = state.players();
  Due out;
  auto order = deal_order(players);
  if (state.round.cards.size() < order.size()) {
    out.kind = Due::Kind::deal;
    const auto dealt = static_cast<std::ptrdiff_t>(state.round.cards.size());
    out.cards.assign(std::make_move_iterator(order.begin() + dealt),
                     std::make_move_iterator(order.end()));
    return out;
  }
  for (std::size_t spot = 0; spot < common_places.size(); ++spot) {
    if (state.decided < (spot + 1) * players.size()) {
      out.kind = Due::Kind::decide;
      out.spot = spot;
      out.seat = players.at(state.decided - spot * players.size());
      return out;
    }
    if (!state.round.is_open(common_places.at(spot)))
      return reveal(std::string(common_places.at(spot)));
  }
  for (auto seat = players.rbegin(); seat != players.rend(); ++seat) {
    for (std::size_t card = 1; card <= own_cards; ++card) {
      if (auto place = own_place(*seat, card); !state.round.is_open(place))
        return reveal(std::move(place));
    }
  }
  return out;
}

std::vector<Card> hand_of(const State& state, Seat seat) {
  std::vector<std::string> places;
  for (std::size_t card = 1; card <= own_cards; ++card) places.push_back(own_place(seat, card));
  for (const auto place : common_places) places.emplace_back(place);
  return state.round.open_at(places);
}

Status check_state(const Table& table, const State& state) {
  TALLA_TRY_STATUS(state.round.check(table));
  const bool playing = state.round.stage == poker::Stage::playing;
  if (!playing && (state.decided > 0 || state.exposed > 0 || !state.exposing.empty()))
    return bad_state("what belongs to a hand stands outside of one");
  for (const auto& bet : state.round.bets.all()) {
    if (bet.id.find('/') == std::string::npos) return bad_state("a bet that is no part of three");
  }
  if (!playing) return {};
  const auto players = state.players();
  if (players.empty()) return bad_state("a hand without players");
  const auto order = deal_order(players);
  if (state.round.cards.size() > order.size()) return bad_state("more cards than are dealt");
  for (std::size_t i = 0; i < state.round.cards.size(); ++i) {
    if (state.round.cards.at(i).place != order.at(i).place)
      return bad_state("the cards do not follow the order of dealing");
  }
  const bool all_dealt = state.round.cards.size() == order.size();
  if (state.decided > 2 * players.size() || (state.decided > 0 && !all_dealt))
    return bad_state("more decisions than there are");
  const auto* exposing = state.exposing.empty() ? nullptr : state.round.at(state.exposing);
  if (!state.exposing.empty() && (exposing == nullptr || exposing->card || state.exposed == 0))
    return bad_state("exposing is a closed card on the table");
  return {};
}

}  // namespace talla::games::trijoker
