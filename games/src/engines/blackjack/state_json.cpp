// The members of a blackjack state, described once: written, bounded and read by this.

#include <array>

#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {
namespace {

constexpr std::array<std::string_view, 5> shoe_names = {"none", "burning", "in-play", "last-hand",
                                                        "over"};
constexpr std::array<std::string_view, 5> phase_names = {"betting", "dealing", "playing", "dealer",
                                                         "over"};

constexpr std::size_t cards_max = 64;
constexpr std::size_t hands_max = 1024;
constexpr std::int64_t number_max = 1'000'000;

}  // namespace

template <class A>
void fields(A& a, Hand& h) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_number("box", h.box, {1, number_max});
  a.always_number("seat", h.seat, {1, number_max});
  a.cards("cards", h.cards, cards_max);
  a.texts("bets", h.bets);
  a.flag("split", h.split);
  a.flag("doubled", h.doubled);
  a.flag("done", h.done);
}
template <class A>
void fields(A& a, FirstCards& f) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_number("box", f.box, {1, number_max});
  a.cards("cards", f.cards, 3);
  a.flag("closed", f.closed);
}
template <class A>
void fields(A& a, Follow& f) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_text("action", f.action);
  a.texts("taking", f.taking);
  a.texts("waiting", f.waiting);
}

namespace {

template <class A>
void shoe_fields(A& a, State& s) {
  a.always_name("shoe", s.shoe, shoe_names);
  a.number("burns_left", s.burns_left, 64);
  a.number("cards_out", s.cards_out, 415);
  a.flag("closing", s.closing);
  a.list("meters", s.meters, 16);
}
template <class A>
void state_fields(A& a, State& s) {
  shoe_fields(a, s);
  a.always_name("phase", s.phase, phase_names);
  a.flag("removing", s.removing);
  a.flag("concluded", s.concluded);
  a.number("behind", s.behind, 415);
  a.flag("third_card", s.third_card);
  a.flag("asked", s.asked);
  a.number("stage", s.stage, 9);
  a.cards("dealer", s.dealer, cards_max);
  a.list("hands", s.hands, hands_max);
  a.optional("follow", s.follow);
  a.list("firsts", s.firsts, 64);
  a.bets("bets", s.bets);
  a.settled(s.settled);
}

Status check_members(const State& state) {
  if ((state.burns_left > 0) != (state.shoe == ShoeState::burning))
    return bad_state("burns do not fit the shoe");
  if (!state.follow) return {};
  if (state.follow->action != "double" && state.follow->action != "split")
    return bad_state("follow is for double or split");
  if (state.follow->taking.empty() || state.follow->waiting.empty())
    return bad_state("follow waits for somebody");
  return {};
}

}  // namespace

json::Value carried_json(const State& state) {
  State rest;
  rest.shoe = state.shoe;
  rest.burns_left = state.burns_left;
  rest.cards_out = state.cards_out;
  rest.closing = state.closing;
  for (const auto& meter : state.meters)
    rest.meters.push_back({.id = meter.id, .value = meter.value, .carry = meter.carry});
  return written(rest, [](auto& a, auto& s) { shoe_fields(a, s); });
}

Result<State> state_from_carried(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "carried", [](auto& a, auto& s) { shoe_fields(a, s); }));
  TALLA_TRY_STATUS(check_members(out));
  if (out.shoe == ShoeState::last_hand) return bad_state("between rounds a last hand is over");
  for (const auto& meter : out.meters) {
    if (meter.contribution != 0 || meter.award != 0 || meter.read)
      return bad_state("a carried meter has its value only");
  }
  return out;
}

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  TALLA_TRY_STATUS(check_members(out));
  return out;
}

}  // namespace talla::games::blackjack
