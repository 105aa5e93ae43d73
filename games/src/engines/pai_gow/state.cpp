#include "engines/pai_gow/state.hpp"

#include <algorithm>

#include "engines/poker/house_deal.hpp"
#include "engines/poker/round_fields.hpp"
#include "engines/shared/archive.hpp"

namespace talla::games::pai_gow {
namespace {

/// Seats and settings of a table, at most.
constexpr std::int64_t positions_max = 64;

Due simple(Due::Kind kind) {
  Due out;
  out.kind = kind;
  return out;
}

std::string place_of(Seat seat, std::size_t card) {
  return seat == 0 ? poker::house::bank_place(card + 1) : poker::house::hand_place(seat, card + 1);
}

std::vector<DealPlace> deal_order(const Rules& rules, const State& state) {
  std::vector<DealPlace> out;
  const auto seats = served(rules, state);
  const auto players = state.players();
  const auto put = [&](Seat seat, std::size_t card) {
    const bool holds = std::find(players.begin(), players.end(), seat) != players.end();
    out.push_back({place_of(seat, card), Face::covered,
                   holds ? std::vector<Seat>{seat} : std::vector<Seat>()});
  };
  out.reserve(seats.size() * hand_cards);
  if (rules.in_blocks) {
    for (const auto seat : seats) {
      for (std::size_t card = 0; card < hand_cards; ++card) put(seat, card);
    }
    return out;
  }
  for (std::size_t card = 0; card < hand_cards; ++card) {
    for (const auto seat : seats) put(seat, card);
  }
  return out;
}

/// Two different cards of the hand, from 1, ascending.
bool read_low(const json::Value& value, std::optional<Low>& out) {
  if (!value.is_array() || value.array().size() != low_cards) return false;
  const auto& low = value.array();
  const bool fits = low.at(0).is_integer() && low.at(1).is_integer() && low.at(0).integer() >= 1 &&
                    low.at(0).integer() < low.at(1).integer() &&
                    low.at(1).integer() <= static_cast<std::int64_t>(hand_cards);
  if (!fits) return false;
  out = Low{static_cast<std::size_t>(low.at(0).integer() - 1),
            static_cast<std::size_t>(low.at(1).integer() - 1)};
  return true;
}

}  // namespace

template <class A>
void fields(A& a, Setting& s) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_number("seat", s.seat, {1, positions_max});
  a.member(
      "low", s.low.has_value(),
      [&] {
        return json::Array{s.low->at(0) + 1, s.low->at(1) + 1};
      },
      [&](const json::Value& value) { return read_low(value, s.low); });
}

namespace {

template <class A>
void state_fields(A& a, State& s) {
  poker::round_fields(a, s.round);
  a.number("offer", s.offer, positions_max);
  a.number("banker", s.banker, positions_max);
  a.number_in("dice", s.dice, {3, 18});
  a.list("settings", s.settings, positions_max);
  a.settled(s.settled);
}
/// What outlives a hand.
template <class A>
void carried_fields(A& a, State& s) {
  poker::carried_round_fields(a, s.round);
  a.number("offer", s.offer, positions_max);
}

}  // namespace

std::vector<std::string> places_of(Seat seat) {
  std::vector<std::string> out;
  out.reserve(hand_cards);
  for (std::size_t card = 0; card < hand_cards; ++card) out.push_back(place_of(seat, card));
  return out;
}

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  return loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); });
}

json::Value State::carried() const {
  return written(*this, [](auto& a, auto& s) { carried_fields(a, s); });
}

Result<State> State::from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<State>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); }));
  TALLA_TRY_STATUS(poker::check_carried(out.round));
  return out;
}

std::vector<Seat> State::clients() const {
  std::vector<Seat> out;
  for (const auto& bet : round.bets.all()) {
    if (bet.seat != banker && std::find(out.begin(), out.end(), bet.seat) == out.end())
      out.push_back(bet.seat);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Seat> State::players() const {
  auto out = clients();
  if (banker > 0) out.insert(std::upper_bound(out.begin(), out.end(), banker), banker);
  return out;
}

const Setting* State::setting(Seat seat) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& one) { return one.seat == seat; });
  return found == settings.end() ? nullptr : &*found;
}

std::vector<Seat> served(const Rules& rules, const State& state) {
  const auto players = state.players();
  const auto positions = rules.positions;
  const Seat offset = (state.dice - 1) % positions;  // the banker is position 1, 8 and 15
  const Seat first = (state.banker + (rules.clockwise ? offset : positions - offset)) % positions;
  std::vector<Seat> out;
  for (Seat i = 0; i < positions; ++i) {
    const Seat seat = (first + i) % positions;
    const bool taken =
        seat == 0 || std::find(players.begin(), players.end(), seat) != players.end();
    if (taken || rules.empty_dealt) out.push_back(seat);
  }
  return out;
}

Due due_of(const Rules& rules, const State& state) {
  if (state.dice == 0) return simple(Due::Kind::dice);
  if (state.round.cards.size() < served(rules, state).size() * hand_cards) {
    const auto order = deal_order(rules, state);
    auto out = simple(Due::Kind::deal);
    out.cards.assign(order.begin() + static_cast<std::ptrdiff_t>(state.round.cards.size()),
                     order.end());
    return out;
  }
  auto out = simple(Due::Kind::decide);
  for (const auto seat : state.players()) {
    if (state.setting(seat) == nullptr) out.seats.push_back(seat);
  }
  if (!out.seats.empty()) return out;
  // The dealer's cards, then the banker's, then those of client 1, 2...
  std::vector<Seat> shown = {0};
  if (state.banker > 0) shown.push_back(state.banker);
  for (const auto seat : state.clients()) shown.push_back(seat);
  for (const auto seat : shown) {
    for (auto& place : places_of(seat)) {
      if (state.round.is_open(place)) continue;
      out = simple(Due::Kind::reveal);
      out.place = std::move(place);
      return out;
    }
  }
  return simple(Due::Kind::settle);
}

namespace {

Status check_hand(const Rules& rules, const State& state) {
  if (state.clients().empty()) return bad_state("a hand without players");
  if (state.dice == 0)
    return state.round.cards.empty() && state.settings.empty()
               ? Status()
               : Status(bad_state("cards before the dice"));
  const auto order = deal_order(rules, state);
  if (state.round.cards.size() > order.size()) return bad_state("more cards than are dealt");
  for (std::size_t i = 0; i < state.round.cards.size(); ++i) {
    if (state.round.cards.at(i).place != order.at(i).place)
      return bad_state("the cards do not follow the order of dealing");
  }
  const auto players = state.players();
  for (const auto& one : state.settings) {
    const bool plays = std::find(players.begin(), players.end(), one.seat) != players.end();
    if (!plays || state.setting(one.seat) != &one || state.round.cards.size() < order.size())
      return bad_state("a hand is set that nobody holds");
  }
  const bool all_set = state.settings.size() == players.size();
  const bool any_open = std::any_of(state.round.cards.begin(), state.round.cards.end(),
                                    [](const auto& one) { return one.card.has_value(); });
  if (any_open && !all_set) return bad_state("a card lies open before all hands are set");
  return {};
}

}  // namespace

Status check_state(const Table& table, const State& state) {
  const auto& rules = table.prepared<Rules>();
  TALLA_TRY_STATUS(state.round.check(table, true));
  if (state.offer > rules.boxes || state.banker > rules.boxes)
    return bad_state("a bank at no place of the table");
  if (!rules.player_banks && (state.offer > 0 || state.banker > 0))
    return bad_state("no player has the bank here");
  const auto all = state.round.bets.all();
  const auto banks = std::count_if(all.begin(), all.end(),
                                   [&](const Bet& bet) { return bet.kind == rules.bank_bet; });
  const bool own = std::any_of(all.begin(), all.end(), [&](const Bet& bet) {
    return bet.seat == state.banker && bet.kind != rules.bank_bet;
  });
  if (banks != (state.banker > 0 ? 1 : 0) || own)
    return bad_state("the bank is one stake of the banker");
  const bool round =
      state.round.stage == poker::Stage::betting || state.round.stage == poker::Stage::playing;
  if (!round && state.banker > 0) return bad_state("a banker outside of a hand");
  if (state.round.stage == poker::Stage::playing) return check_hand(rules, state);
  if (state.dice > 0 || !state.settings.empty())
    return bad_state("what belongs to a hand stands outside of one");
  return {};
}

}  // namespace talla::games::pai_gow
