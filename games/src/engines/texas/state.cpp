#include "engines/texas/state.hpp"

#include <algorithm>

#include "engines/poker/house_boxes.hpp"
#include "engines/poker/house_deal.hpp"
#include "engines/poker/round_fields.hpp"
#include "engines/shared/archive.hpp"

namespace talla::games::texas {
namespace {

constexpr std::string_view removed = "removed";

std::size_t dealt_of(const State& state) {
  const auto& cards = state.round.cards;
  return cards.size() -
         static_cast<std::size_t>(std::count_if(
             cards.begin(), cards.end(), [](const auto& one) { return one.place == removed; }));
}

/// Boxes with cards, ascending, with the seat that may look.
std::vector<poker::house::DealtHand> hands_of(const State& state) {
  std::vector<poker::house::DealtHand> out;
  for (const auto& player : state.players) {
    if (out.empty() || out.back().box != player.box) out.push_back({player.box, {player.seat}});
  }
  return out;
}

/// Whether a stake of that kind waits for the cards of that box.
bool waits(const State& state, Box box, std::string_view kind, bool only_in) {
  const auto all = state.round.bets.all();
  return std::any_of(all.begin(), all.end(), [&](const Bet& bet) {
    if (bet.kind != kind || bet.box != box) return false;
    const auto* player = state.player(bet.seat, box);
    return !only_in || (player != nullptr && !player->out);
  });
}

/// The first closed card of these places, or "".
std::string first_closed(const State& state, const std::vector<std::string>& places) {
  for (const auto& place : places) {
    if (!state.round.is_open(place)) return place;
  }
  return {};
}

/// Cards that are to be shown for `test`, from the dealer's left.
template <class Test>
std::string closed_hand(const State& state, Test test) {
  for (const auto& hand : hands_of(state)) {
    if (!test(hand.box)) continue;
    if (auto place = first_closed(state, own_places(hand.box)); !place.empty()) return place;
  }
  return {};
}

Due simple(Due::Kind kind, std::string place = {}) {
  Due out;
  out.kind = kind;
  out.place = std::move(place);
  return out;
}

Due showdown(const Rules& rules, const State& state) {
  const bool in = state.anybody_in();
  const auto shows = [&](Box box) {
    return state.box_in(box) || waits(state, box, rules.own_two, false);
  };
  const auto all = hands_of(state);
  const bool two =
      std::any_of(all.begin(), all.end(), [&](const auto& one) { return shows(one.box); });
  if (in || two) {
    if (auto place = first_closed(state, bank_places()); !place.empty())
      return simple(Due::Kind::reveal, std::move(place));
  }
  if (auto place = closed_hand(state, shows); !place.empty())
    return simple(Due::Kind::reveal, std::move(place));
  return simple(Due::Kind::settle);
}

}  // namespace

template <class A>
void fields(A& a, Player& p) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_number("box", p.box, {1, 64});
  a.always_number("seat", p.seat, {1, seat_max});
  a.flag("out", p.out);
}

namespace {

template <class A>
void state_fields(A& a, State& s) {
  poker::round_fields(a, s.round);
  a.list("players", s.players);
  a.number("street", s.stage, 4096);
  a.number("turn", s.turn, 4096);
  a.flag("removing", s.removing);
  a.text("exposing", s.exposing);
  a.number("touched", s.touched, 4096);
  a.settled(s.settled);
}

}  // namespace

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  return loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); });
}

bool State::anybody_in() const {
  return std::any_of(players.begin(), players.end(), [](const Player& one) { return !one.out; });
}

bool State::box_in(Box box) const {
  return std::any_of(players.begin(), players.end(),
                     [&](const Player& one) { return one.box == box && !one.out; });
}

const Player* State::player(Seat seat, Box box) const {
  const auto found = std::find_if(players.begin(), players.end(), [&](const Player& one) {
    return one.seat == seat && one.box == box;
  });
  return found == players.end() ? nullptr : &*found;
}

std::vector<std::string> own_places(Box box) {
  std::vector<std::string> out;
  for (std::size_t card = 1; card <= own_cards; ++card)
    out.push_back(poker::house::hand_place(box, card));
  return out;
}

std::vector<std::string> bank_places() {
  return {poker::house::bank_place(1), poker::house::bank_place(2)};
}

std::vector<std::string> common_places(const Rules& rules, std::size_t stage) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i <= stage; ++i) {
    for (std::size_t card = 0; card < rules.stages.at(i).common; ++card)
      out.push_back("common-" + std::to_string(out.size() + 1));
  }
  return out;
}

std::vector<DealPlace> cards_until(const Rules& rules, const State& state, std::size_t stage,
                                   std::size_t from) {
  const poker::house::DealPlan plan{hands_of(state), own_cards, own_cards};
  auto out = poker::house::deal_order(plan, from);
  std::size_t at = (plan.hands.size() + 1) * own_cards;
  const auto put = [&](const char* row, std::size_t index, Face face) {
    if (at++ >= from) out.push_back({row + std::to_string(index), face});
  };
  std::size_t burns = 0;
  std::size_t commons = 0;
  for (std::size_t i = 0; i <= stage; ++i) {
    for (std::size_t card = 0; card < rules.stages.at(i).burn; ++card)
      put("burn-", ++burns, Face::unseen);
    for (std::size_t card = 0; card < rules.stages.at(i).common; ++card)
      put("common-", ++commons, Face::open);
  }
  return out;
}

Due due_of(const Rules& rules, const State& state) {
  if (!state.exposing.empty()) return simple(Due::Kind::reveal, state.exposing);
  if (!state.anybody_in()) return showdown(rules, state);
  auto order = cards_until(rules, state, state.stage, dealt_of(state));
  Due out;
  if (!order.empty()) {
    out.kind = Due::Kind::deal;
    if (state.removing) out.cards.push_back({std::string(removed), Face::open});
    out.cards.insert(out.cards.end(), std::make_move_iterator(order.begin()),
                     std::make_move_iterator(order.end()));
    return out;
  }
  if (!rules.stages.at(state.stage).bet.empty()) {
    for (out.player = state.turn; out.player < state.players.size(); ++out.player) {
      if (state.players.at(out.player).out) continue;
      out.kind = Due::Kind::decide;
      return out;
    }
  }
  if (!rules.first_five.empty() && state.stage == rules.first_five_after) {
    const auto side = [&](Box box) { return waits(state, box, rules.first_five, true); };
    if (auto place = closed_hand(state, side); !place.empty())
      return simple(Due::Kind::reveal, std::move(place));
    const auto all = hands_of(state);
    if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return side(one.box); }))
      return simple(Due::Kind::side);
  }
  if (state.stage + 1 < rules.stages.size()) return simple(Due::Kind::next);
  return showdown(rules, state);
}

namespace {

Status check_stakes(const Rules& rules, const State& state) {
  for (const auto& bet : state.round.bets.all()) {
    if (!bet.box) return bad_state("a stake on no box");
    const bool derived = rules.is_stage_bet(bet.kind);
    if (state.round.stage == poker::Stage::betting && derived)
      return bad_state("a later bet before the deal");
    if (state.round.stage != poker::Stage::playing) continue;
    if (state.player(bet.seat, *bet.box) == nullptr)
      return bad_state("a stake of nobody who plays");
    const auto point = bet.id.rfind('.');
    if (!derived) continue;
    const auto* ante =
        point == std::string::npos ? nullptr : state.round.bets.find(bet.id.substr(0, point));
    if (ante == nullptr || ante->kind != rules.ante || ante->seat != bet.seat ||
        ante->box != bet.box)
      return bad_state("a later bet without its ante");
  }
  return {};
}

Status check_hand(const Rules& rules, const State& state) {
  if (state.players.empty()) return bad_state("a hand without players");
  for (std::size_t i = 0; i < state.players.size(); ++i) {
    const auto& one = state.players.at(i);
    if (i > 0 && one.box < state.players.at(i - 1).box)
      return bad_state("players do not follow the boxes");
    if (state.player(one.seat, one.box) != &one) return bad_state("a player stands twice");
    const auto all = state.round.bets.all();
    const bool ante = std::any_of(all.begin(), all.end(), [&](const Bet& bet) {
      return bet.kind == rules.ante && bet.seat == one.seat && bet.box == one.box;
    });
    if (!one.out && !ante) return bad_state("a player without ante");
  }
  if (state.stage >= rules.stages.size() || state.turn > state.players.size())
    return bad_state("a turn that the game does not have");
  const auto order = cards_until(rules, state, state.stage);
  std::size_t next = 0;
  for (const auto& laid : state.round.cards) {
    if (laid.place == removed && laid.card) continue;
    if (next >= order.size() || laid.place != order.at(next).place ||
        (order.at(next).face == Face::open && !laid.card) ||
        (order.at(next).face == Face::unseen && laid.card))
      return bad_state("the cards do not follow the order of dealing");
    ++next;
  }
  if (state.turn > 0 && next < order.size())
    return bad_state("somebody spoke before the cards were dealt");
  if (state.removing && next == order.size())
    return bad_state("no card is due that could be set aside");
  const auto* exposing = state.exposing.empty() ? nullptr : state.round.at(state.exposing);
  const bool closed =
      exposing != nullptr && !exposing->card && poker::house::named_place(state.exposing);
  if (!state.exposing.empty() && !closed) return bad_state("exposing is a closed card of a hand");
  const auto& all = state.players;
  if (state.touched > 0 && std::none_of(all.begin(), all.end(), [&](const Player& one) {
        return one.box == state.touched;
      }))
    return bad_state("cards touched where nobody plays");
  const auto kind = due_of(rules, state).kind;
  if (kind == Due::Kind::next || kind == Due::Kind::side)
    return bad_state("the hand waits for nobody");
  return {};
}

}  // namespace

Status check_state(const Table& table, const State& state) {
  const auto& rules = table.prepared<Rules>();
  TALLA_TRY_STATUS(state.round.check(table));
  TALLA_TRY_STATUS(check_stakes(rules, state));
  if (state.round.stage == poker::Stage::playing) return check_hand(rules, state);
  if (!state.players.empty() || state.stage > 0 || state.turn > 0 || state.removing ||
      !state.exposing.empty() || state.touched > 0)
    return bad_state("what belongs to a hand stands outside of one");
  return {};
}

}  // namespace talla::games::texas
