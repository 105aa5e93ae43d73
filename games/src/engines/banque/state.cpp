#include "engines/banque/state.hpp"

#include <algorithm>

#include "engines/shared/archive.hpp"

namespace talla::games::banque {
namespace {

constexpr std::array<std::string_view, 4> shoe_names = {"none", "in-play", "last-hand", "over"};
constexpr std::array<std::string_view, 11> phase_names = {
    "offer",     "auction",    "lot",  "forced", "betting", "claim",
    "banco-lot", "stakes-lot", "hand", "broken", "vacant"};
constexpr std::array<std::string_view, 4> word_names = {"none", "abatir", "carta", "no"};
constexpr std::array<std::string_view, 5> fixed_names = {"none", "zero-start", "zero", "nine",
                                                         "voided"};
constexpr std::array<std::string_view, 3> fault_names = {"none", "player", "banker"};
constexpr std::array<std::string_view, 4> decided_names = {"none", "punto", "banker", "nobody"};
constexpr std::int64_t small_max = 1'000'000;

}  // namespace

// Found by the archive through their arguments, so in no anonymous namespace.
// NOLINTBEGIN(misc-use-internal-linkage)
template <class A>
void fields(A& a, Player& p) {
  a.number("seat", p.seat, seat_max);
  a.number("refusals", p.refusals, small_max);
  a.flag("must_pass", p.must_pass);
  a.number("cloth", p.cloth, 2);
}
template <class A>
void fields(A& a, Part& p) {
  a.number("seat", p.seat, seat_max);
  a.number("bank", p.bank);
  a.number("garage", p.garage);
}
template <class A>
void fields(A& a, Bid& b) {
  a.number("seat", b.seat, seat_max);
  a.number("amount", b.amount);
  a.flag("out", b.out);
}
template <class A>
void fields(A& a, Played& p) {
  a.text("bet", p.bet);
  a.number("first", p.units[0]);
  a.number("second", p.units[1]);
}
template <class A>
void fields(A& a, Cards& c) {
  a.number("dealt", c.dealt, 2);
  a.card("card_1", c.first[0]);
  a.card("card_2", c.first[1]);
  a.cards("thirds", c.thirds);
  a.name("word", c.word, word_names);
  a.flag("shown", c.shown);
  a.flag("by_bank", c.by_bank);
  a.name("counts", c.fixed, fixed_names);
}
template <class A>
void fields(A& a, Hand& h) {
  a.number("holder_1", h.holder[0], seat_max);
  a.number("holder_2", h.holder[1], seat_max);
  a.object("cloth_1", h.cloth[0]);
  a.object("cloth_2", h.cloth[1]);
  a.object("bank", h.bank);
  a.flag("free", h.free);
  a.flag("banco", h.banco);
  a.flag("served", h.served);
  a.flag("chart", h.chart);
  a.flag("optionals", h.optionals);
  a.flag("exposed", h.exposed);
  a.flag("bound", h.bound);
  a.flag("fifth", h.fifth);
  a.flag("silent", h.silent);
  a.flag("give", h.give);
  a.flag("forgot", h.forgot);
  a.flag("may_draw", h.may_draw);
  a.flag("verify_1", h.verify[0]);
  a.flag("verify_2", h.verify[1]);
  a.flag("timed_out_1", h.timed_out[0]);
  a.flag("timed_out_2", h.timed_out[1]);
  a.flag("keep_1", h.keep[0]);
  a.flag("keep_2", h.keep[1]);
  a.number("croupier_cards", h.croupier_cards, 2);
  a.name("fault", h.fault, fault_names);
  a.name("decided", h.decided, decided_names);
  a.text("decided_by", h.decided_by);
  a.texts("to_deal", h.to_deal);
  a.texts("to_reveal", h.to_reveal);
  a.cards("pool", h.pool);
  a.numbers("withdrawing", h.withdrawing, seat_max);
  a.number("behind", h.behind, small_max);
}
/// What outlives a round.
template <class A>
void carried_fields(A& a, State& s) {
  a.name("shoe", s.shoe, shoe_names);
  a.name("phase", s.phase, phase_names);
  a.flag("closing", s.closing);
  a.flag("fresh_shoe", s.fresh_shoe);
  a.list("players", s.players);
  a.number("house", s.house);
  a.list("parts", s.parts);
  a.number("initial", s.initial);
  a.number("winnings", s.winnings);
  a.number("last_win", s.last_win);
  a.flag("dealt", s.dealt);
  a.number("origin", s.origin, seat_max);
  a.number("last_seated", s.last_seated, seat_max);
  a.optional("proposal", s.proposal);
  a.number("shoes_left", s.shoes_left, small_max);
  a.numbers("left_winning", s.left_winning, seat_max);
  a.numbers("queue", s.award.queue, seat_max);
  a.number("floor", s.award.floor);
  a.flag("fixed_price", s.award.fixed_price);
  a.number("passer", s.award.passer, seat_max);
  a.flag("new_shoe", s.award.new_shoe);
  a.list("bids", s.award.bids);
  a.numbers("barred", s.award.barred, seat_max);
  a.number("suivi", s.rights.suivi, seat_max);
  a.number("cards_right", s.rights.cards_right, seat_max);
  a.number("bank_before", s.rights.bank_before);
  a.number("turn_1", s.rights.turn[0], seat_max);
  a.number("turn_2", s.rights.turn[1], seat_max);
  a.number("banco_seat", s.rights.banco_seat, seat_max);
  a.number("banco_left", s.rights.banco_left, 2);
}
template <class A>
void round_fields(A& a, State& s) {
  a.flag("round_over", s.round_over);
  a.number("discards", s.discards, small_max);
  a.optional("hand", s.hand);
  a.list("played", s.played);
}
// NOLINTEND(misc-use-internal-linkage)

namespace {

/// Whether the members fit each other; the engine relies on it.
Status check_shape(const State& s) {
  const bool in_hand = s.phase == Phase::hand || s.phase == Phase::claim ||
                       s.phase == Phase::banco_lot || s.phase == Phase::stakes_lot;
  if (s.hand.has_value() != (s.phase == Phase::hand))
    return bad_state("a hand stands in its phase only");
  const bool has_bank = in_hand || s.phase == Phase::betting || s.phase == Phase::broken;
  if (has_bank == s.parts.empty()) return bad_state("the bank does not fit the phase");
  if (in_hand &&
      (s.bets.empty() || s.shoe == ShoeState::none || s.shoe == ShoeState::over || s.round_over)) {
    return bad_state("a hand needs stakes and a shoe");
  }
  const bool asks = s.phase == Phase::offer || s.phase == Phase::forced;
  if (asks == s.award.queue.empty())
    return bad_state("the bank goes round exactly while it is offered");
  if ((s.phase == Phase::auction || s.phase == Phase::lot) == s.award.bids.empty())
    return bad_state("bids without an auction");
  for (std::size_t i = 1; i < s.players.size(); ++i) {
    if (s.players[i - 1].seat >= s.players[i].seat)
      return bad_state("players stand in the order of their seats");
  }
  for (const auto& player : s.players) {
    if (player.seat == 0) return bad_state("a player without a seat");
  }
  if (!s.players.empty() || s.parts.empty()) return {};
  return bad_state("a bank without players");
}

template <class A>
void state_fields(A& a, State& s) {
  carried_fields(a, s);
  round_fields(a, s);
  a.bets("bets", s.bets);
  a.settled(s.settled);
}

}  // namespace

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

json::Value carried_json(const State& state) {
  return written(state, [](auto& a, auto& s) { carried_fields(a, s); });
}

Result<State> state_from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<State>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); }));
  TALLA_TRY_STATUS(check_shape(out));
  if (out.shoe == ShoeState::last_hand) return bad_state("between rounds a last hand is over");
  return out;
}

Units State::bank() const {
  Units sum = 0;
  for (const auto& part : parts) sum += part.bank;
  return sum;
}

Units State::garage() const {
  Units sum = 0;
  for (const auto& part : parts) sum += part.garage;
  return sum;
}

const Player* State::player(Seat seat) const {
  const auto found = std::find_if(players.begin(), players.end(),
                                  [&](const Player& one) { return one.seat == seat; });
  return found == players.end() ? nullptr : &*found;
}

Player* State::player(Seat seat) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): this object is not const
  return const_cast<Player*>(std::as_const(*this).player(seat));
}

Player& State::join(Seat seat) {
  if (auto* there = player(seat)) return *there;
  const auto after = std::find_if(players.begin(), players.end(),
                                  [&](const Player& one) { return one.seat > seat; });
  return *players.insert(after, Player{seat, 0, false, 0});
}

void State::remove(Seat seat) {
  std::erase_if(players, [&](const Player& one) { return one.seat == seat; });
}

}  // namespace talla::games::banque
