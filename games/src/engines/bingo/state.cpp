#include "engines/bingo/state.hpp"

#include <set>

#include "engines/shared/archive.hpp"
#include "shuffle/card.hpp"

namespace talla::games::bingo {
namespace {

constexpr std::int64_t first_card_max = 1'000'000;
constexpr std::int64_t balls_max = 255;

json::Array balls_json(const std::vector<Ball>& balls) {
  json::Array codes;
  for (const auto ball : balls) codes.emplace_back(shuffle::Card::ball(ball).text());
  return codes;
}

bool read_balls(const json::Value& value, std::vector<Ball>& out) {
  if (!value.is_array() || value.array().empty()) return false;
  for (const auto& one : value.array()) {
    if (!one.is_string()) return false;
    const auto ball = shuffle::Card::parse(one.string());
    if (!ball || !ball->is_ball()) return false;
    out.push_back(static_cast<Ball>(ball->rank()));
  }
  return true;
}

/// What outlives a game.
template <class A>
void carried_fields(A& a, BingoState& s) {
  a.always_number("first_card", s.first_card, {1, first_card_max});
  a.flag("shoe", s.shoe);
  a.flag("closing", s.closing);
}
template <class A>
void state_fields(A& a, BingoState& s) {
  carried_fields(a, s);
  a.flag("drawing", s.drawing);
  a.flag("round_over", s.round_over);
  a.bets("cards", s.cards);
  a.member(
      "balls", !s.balls.empty(), [&] { return balls_json(s.balls); },
      [&](const json::Value& value) { return read_balls(value, s.balls); });
  a.texts("line", s.line);
  a.number("line_ball", s.line_ball, balls_max);
  a.texts("bingo", s.bingo);
  a.numbers("silent", s.silent, seat_max);
  a.texts("forfeited", s.forfeited);
  a.settled(s.settled);
}

template <class T>
bool named_once(const std::vector<T>& all) {
  return std::set<T>(all.begin(), all.end()).size() == all.size();
}

}  // namespace

json::Value BingoState::carried() const {
  return written(*this, [](auto& a, auto& s) { carried_fields(a, s); });
}

json::Value BingoState::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<BingoState> BingoState::from_json(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<BingoState>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  if (!named_once(out.balls) || !named_once(out.line) || !named_once(out.bingo) ||
      !named_once(out.silent) || !named_once(out.forfeited))
    return bad_state("a list names something twice");
  return out;
}

Result<BingoState> BingoState::from_carried(const json::Value& value) {
  return loaded<BingoState>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); });
}

}  // namespace talla::games::bingo
