#include "engines/monte/state.hpp"

#include <algorithm>
#include <set>

#include "engines/shared/archive.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::monte {
namespace {

constexpr std::array<std::string_view, 8> phases = {
    "idle", "layout", "primeras-open", "primeras", "segundas-open", "segundas", "over", "finished"};

constexpr std::size_t cards_max = 40;

}  // namespace

template <class A>
void fields(A& a, Placed& p) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_card("card", p.card);
  a.any_cards("extras", p.extras, cards_max);
  a.flag("face_down", p.face_down);
}

namespace {

template <class A>
void cards_fields(A& a, State& s) {
  a.list("layout", s.layout);
  a.any_cards("burned", s.burned, cards_max);
  a.any_cards("turned", s.turned, cards_max);
  a.bets("bets", s.bets);
}
template <class A>
void state_fields(A& a, State& s) {
  a.always_name("phase", s.phase, phases);
  a.flag("round_over", s.round_over);
  a.flag("last", s.last);
  a.flag("matched_first", s.matched_first);
  a.number("turned_here", s.turned_here, 1000);
  cards_fields(a, s);
  a.texts("held", s.held);
  a.settled(s.settled);
}
/// What outlives a round: the cards only while the deal goes on.
template <class A>
void carried_fields(A& a, State& s) {
  a.flag("last", s.last);
  bool finished = s.phase == Phase::finished;
  a.flag("finished", finished);
  const bool deal_over = s.phase == Phase::idle || s.phase == Phase::over || finished;
  if (A::loads || !deal_over) cards_fields(a, s);
  if constexpr (A::loads) {
    if (!s.layout.empty()) s.phase = Phase::segundas_open;
    if (finished) s.phase = Phase::finished;
    for (const auto& bet : s.bets.all()) s.held.push_back(bet.id);
  }
}

/// Precondition: a deck that check_cards has read.
bool no_card_is_left(const State& state, std::string_view deck) {
  const auto spec = shuffle::DeckSpec::parse(deck);
  return spec && state.out().size() == spec->cards().size();
}

Status check_cards(const State& state, std::string_view deck) {
  const auto spec = shuffle::DeckSpec::parse(deck);
  if (!spec) return bad_state("no deck");
  std::set<Card> seen;
  for (const auto card : state.out()) {
    if (spec->copies_of(card) == 0) return bad_state("a card of another deck");
    if (!seen.insert(card).second) return bad_state("a card is out twice");
  }
  std::set<int> ranks;
  for (const auto& one : state.layout) {
    if (!ranks.insert(one.card.rank()).second) return bad_state("two places of one rank");
    if (one.extras.size() > 2) return bad_state("no card is stacked so high");
    for (const auto extra : one.extras) {
      if (extra.rank() != one.card.rank()) return bad_state("a stacked card of another rank");
    }
  }
  return {};
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

bool State::in_play(std::size_t place) const {
  if (place >= layout.size() || layout.at(place).face_down) return false;
  const bool second = phase == Phase::segundas_open || phase == Phase::segundas;
  return !second || row_of(place) == second_row();
}

std::size_t State::second_row() const {
  for (std::size_t place = 0; place < layout.size(); ++place) {
    if (layout.at(place).face_down) return 1 - row_of(place);
  }
  return 0;
}

std::vector<Card> State::out() const {
  std::vector<Card> all = burned;
  all.insert(all.end(), turned.begin(), turned.end());
  for (const auto& one : layout) {
    all.push_back(one.card);
    all.insert(all.end(), one.extras.begin(), one.extras.end());
  }
  return all;
}

std::size_t State::extras_count() const {
  std::size_t count = 0;
  for (const auto& one : layout) count += one.extras.size();
  return count;
}

json::Value State::carried() const {
  return written(*this, [](auto& a, auto& s) { carried_fields(a, s); });
}

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  for (const auto& id : out.held) {
    if (out.bets.find(std::string_view(id)) == nullptr) return bad_state("held names no bet");
  }
  return out;
}

Result<State> State::from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<State>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); }));
  if (out.phase == Phase::finished && !out.last)
    return bad_state("a session ends with its last deal");
  return out;
}

Status check_layout(const State& state, std::string_view deck) {
  TALLA_TRY_STATUS(check_cards(state, deck));
  const auto down = static_cast<std::size_t>(std::count_if(
      state.layout.begin(), state.layout.end(), [](const Placed& one) { return one.face_down; }));
  bool fits = true;
  switch (state.phase) {
    case Phase::idle:
      fits = state.layout.empty() && state.burned.empty() && state.turned.empty();
      break;
    case Phase::layout:
      fits = state.layout.size() < places_count && down == 0 && state.turned.empty();
      break;
    case Phase::primeras_open:
    case Phase::primeras:
      fits = state.layout.size() == places_count && down == 0;
      break;
    case Phase::segundas_open:
    case Phase::segundas:
      fits = state.layout.size() == places_count && down == 1;
      break;
    case Phase::over:
    case Phase::finished:
      fits = state.layout.empty() ||
             (state.layout.size() == places_count && (down == 2 || no_card_is_left(state, deck)));
  }
  if (!fits) return bad_state("the layout does not fit the phase");
  if (state.turned_here > state.turned.size())
    return bad_state("more cards are turned here than in all");
  if (!state.turning() && state.turned_here > 0) return bad_state("no card is turned now");
  if (state.round_over && state.phase != Phase::segundas_open) return bad_state("no round is over");
  const bool stakes = state.bets_open() || state.turning();
  if (stakes && state.turned_here == 0 && no_card_is_left(state, deck))
    return bad_state("a round without a card left");
  if (!stakes && !state.bets.empty()) return bad_state("stakes lie where no round is open");
  return {};
}

}  // namespace talla::games::monte
