#include "engines/second_bet/state.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace talla::games::second_bet {
namespace {

namespace house = poker::house;

constexpr std::array<std::string_view, 8> phase_names = {
    "betting", "dealing", "playing", "changing", "serving", "bank", "showing", "over"};
constexpr std::array<std::string_view, 3> word_names = {"none", "went", "passed"};
constexpr std::size_t cards_max = 10;
constexpr std::int64_t number_max = 1'000'000;

}  // namespace

template <class A>
void fields(A& a, MeterState& m) {  // NOLINT(misc-use-internal-linkage): found by its argument
  fields(a, static_cast<Jackpot&>(m));
  a.number("staked", m.staked);
}
template <class A>
void fields(A& a, Lost& l) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_text("bet", l.bet);
  a.always_text("by", l.by);
}
template <class A>
void fields(A& a, Hand& h) {  // NOLINT(misc-use-internal-linkage): found by its argument
  a.always_number("box", h.box, {1, number_max});
  a.number("seat", h.seat, number_max);
  house::cards_field(a, "cards", h.cards, cards_max);
  a.numbers("discards", h.discards, cards_max);
  a.name("word", h.word, word_names);
  a.flag("stood", h.stood);
}

namespace {

/// What outlives a round.
template <class A>
void carried_fields(A& a, State& s) {
  a.flag("closing", s.closing);
  a.list("meters", s.meters);
}
template <class A>
void state_fields(A& a, State& s) {
  carried_fields(a, s);
  a.always_name("phase", s.phase, phase_names);
  a.flag("shoe", s.shoe);
  a.flag("concluded", s.concluded);
  a.list("hands", s.hands);
  house::cards_field(a, "bank", s.bank, cards_max);
  a.list("lost", s.lost);
  a.bets("bets", s.bets);
  a.settled(s.settled);
}

}  // namespace

bool State::is_lost(std::string_view bet) const {
  return std::any_of(lost.begin(), lost.end(), [&](const Lost& one) { return one.bet == bet; });
}

json::Value carried_json(const State& state) {
  State rest;
  rest.closing = state.closing;
  for (const auto& meter : state.meters)
    rest.meters.push_back({{.id = meter.id, .value = meter.value, .carry = meter.carry}, 0});
  return written(rest, [](auto& a, auto& s) { carried_fields(a, s); });
}

Result<State> state_from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<State>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); }));
  for (const auto& meter : out.meters) {
    if (meter.contribution != 0 || meter.award != 0 || meter.staked != 0 || meter.read)
      return bad_state("a carried meter has its value only");
  }
  return out;
}

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  for (const auto& hand : out.hands) {
    if (hand.discards.size() > cards_max) return bad_state("discards are numbers of cards");
  }
  return out;
}

std::string derived_id(std::string_view bet, std::string_view kind) {
  return std::string(bet) + "." + std::string(kind);
}

std::string_view suffix_of(std::string_view id) {
  const auto point = id.rfind('.');
  return point == std::string_view::npos ? std::string_view() : id.substr(point + 1);
}

std::string_view origin_of(std::string_view id) {
  const auto point = id.rfind('.');
  TALLA_CHECK(point != std::string_view::npos);
  return id.substr(0, point);
}

}  // namespace talla::games::second_bet
