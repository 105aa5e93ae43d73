#include "engines/monte/state.hpp"

#include <algorithm>
#include <set>

#include "engines/shared/state_json.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::monte {
namespace {

constexpr std::array<std::string_view, 8> phases = {
    "idle", "layout", "primeras-open", "primeras", "segundas-open", "segundas", "over", "finished"};

constexpr std::size_t cards_max = 40;

json::Array layout_json(const std::vector<Placed>& layout) {
  json::Array out;
  for (const auto& one : layout) {
    json::Object entry{{"card", one.card.text()}};
    if (!one.extras.empty()) entry["extras"] = cards_json(one.extras);
    if (one.face_down) entry["face_down"] = true;
    out.emplace_back(std::move(entry));
  }
  return out;
}

Status read_layout(json::Reader& reader, State& state) {
  if (!reader.has("layout")) return {};
  TALLA_TRY(const auto* list, reader.array("layout"));
  if (list->empty()) return bad_state("layout is empty");
  for (const auto& entry : *list) {
    json::Reader one(entry, "layout");
    Placed placed;
    TALLA_TRY(const auto text, one.string("card"));
    TALLA_TRY(placed.card, Card::parse(text));
    TALLA_TRY(placed.extras, read_cards(one, "extras", cards_max));
    TALLA_TRY(placed.face_down, read_flag(one, "face_down"));
    TALLA_TRY_STATUS(one.finish());
    state.layout.push_back(std::move(placed));
  }
  return {};
}

Status read_common(json::Reader& reader, State& state) {
  TALLA_TRY(state.last, read_flag(reader, "last"));
  TALLA_TRY_STATUS(read_layout(reader, state));
  TALLA_TRY(state.burned, read_cards(reader, "burned", cards_max));
  TALLA_TRY(state.turned, read_cards(reader, "turned", cards_max));
  TALLA_TRY(state.bets, read_bets(reader));
  return {};
}

Status read_held(json::Reader& reader, State& state) {
  if (!reader.has("held")) return {};
  TALLA_TRY(const auto* list, reader.array("held"));
  if (list->empty()) return bad_state("held is empty");
  for (const auto& one : *list) {
    if (!one.is_string() || state.bets.find(std::string_view(one.string())) == nullptr) {
      return bad_state("held names no bet");
    }
    state.held.push_back(one.string());
  }
  return {};
}

Result<State> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  State state;
  TALLA_TRY(state.phase, read_named<Phase>(reader, "phase", phases));
  TALLA_TRY(state.round_over, read_flag(reader, "round_over"));
  TALLA_TRY(state.matched_first, read_flag(reader, "matched_first"));
  TALLA_TRY_STATUS(read_common(reader, state));
  TALLA_TRY_STATUS(read_held(reader, state));
  if (reader.has("turned_here")) {
    TALLA_TRY(const auto count, reader.integer("turned_here", 1, 1000));
    state.turned_here = static_cast<std::uint32_t>(count);
  }
  TALLA_TRY(state.settled, read_settled(reader));
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

Result<State> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  State state;
  TALLA_TRY_STATUS(read_common(reader, state));
  const bool finished = reader.has("finished");
  if (finished) {
    TALLA_TRY(const bool flag, read_flag(reader, "finished"));
    static_cast<void>(flag);
  }
  TALLA_TRY_STATUS(reader.finish());
  if (!state.layout.empty()) state.phase = Phase::segundas_open;
  if (finished) state.phase = Phase::finished;
  if (finished && !state.last) return bad_state("a session ends with its last deal");
  for (const auto& bet : state.bets.all()) state.held.push_back(bet.id);
  return state;
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
  json::Object out;
  if (last) out["last"] = true;
  if (phase == Phase::finished) out["finished"] = true;
  if (phase == Phase::idle || phase == Phase::over || phase == Phase::finished) return out;
  if (!layout.empty()) out["layout"] = layout_json(layout);
  if (!burned.empty()) out["burned"] = cards_json(burned);
  if (!turned.empty()) out["turned"] = cards_json(turned);
  json::Value value(std::move(out));
  put_bets(value, bets);
  return value;
}

json::Value State::to_json() const {
  json::Object out{{"phase", phase_name(phase)}};
  if (round_over) out["round_over"] = true;
  if (last) out["last"] = true;
  if (matched_first) out["matched_first"] = true;
  if (turned_here > 0) out["turned_here"] = turned_here;
  if (!layout.empty()) out["layout"] = layout_json(layout);
  if (!burned.empty()) out["burned"] = cards_json(burned);
  if (!turned.empty()) out["turned"] = cards_json(turned);
  if (!held.empty()) out["held"] = json::Array(held.begin(), held.end());
  json::Value value(std::move(out));
  put_bets(value, bets);
  put_settled(value, settled);
  return value;
}

Result<State> State::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

Result<State> State::from_carried(const json::Value& value) {
  return as_state(read_carried(value));
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
