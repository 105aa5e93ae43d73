#include "engines/circle/state.hpp"

#include <algorithm>
#include <array>

#include "engines/circle/play.hpp"
#include "engines/shared/archive.hpp"

namespace talla::games::circle {
namespace {

constexpr std::array<std::string_view, 6> phase_names = {"open", "deal", "bet",
                                                         "show", "draw", "blind"};
constexpr std::int64_t seat_max = 999;
constexpr std::int64_t small_max = 1'000'000;
constexpr std::int64_t cards_max = 9;

}  // namespace

// Found by the archive through their arguments, so in no anonymous namespace.
// NOLINTBEGIN(misc-use-internal-linkage)
template <class A>
void fields(A& a, Player& p) {
  a.number("seat", p.seat, seat_max);
  a.number("stack", p.stack);
  a.flag("resting", p.resting);
  a.number("rested", p.rested, small_max);
  a.number("sessions", p.sessions, small_max);
  a.number("waiting", p.waiting);
  a.flag("in", p.in);
  a.flag("folded", p.folded);
  a.flag("acted", p.acted);
  a.flag("spoke", p.spoke);
  a.flag("no_raise", p.no_raise);
  a.flag("shows", p.shows);
  a.flag("stands", p.stands);
  a.flag("open_next", p.open_next);
  a.number("exposed", p.exposed, 2);
  a.number("raises", p.raises, small_max);
  a.number("credit", p.credit);
  a.number("paid", p.paid);
  a.number("put", p.put);
  a.number("street", p.street);
  a.number("early", p.early);
  a.texts("cards", p.cards);
  a.flag("said", p.said);
  a.numbers("discards", p.discards, cards_max);
  a.texts("drawn", p.drawn);
  a.flag("false_opening", p.false_opening);
}
template <class A>
void fields(A& a, Stray& s) {
  a.number("seat", s.seat, seat_max);
  a.number("from", s.from, small_max);
}
/// What outlives a hand.
template <class A>
void carried_fields(A& a, State& s) {
  a.flag("shoe", s.shoe);
  a.flag("closing", s.closing);
  a.flag("over", s.over);
  a.list("players", s.players);
  a.texts("fresh", s.fresh);
  a.number("mano", s.mano, seat_max);
  a.flag("hold_mano", s.hold_mano);
  a.number("dead", s.dead);
  a.number("house", s.house);
  a.number("blanks", s.blanks, small_max);
}
template <class A>
void hand_fields(A& a, State& s) {
  a.flag("round_over", s.round_over);
  a.name("phase", s.phase, phase_names);
  a.number("fee_since", s.fees.since);
  a.number("fee", s.fees.of_hand);
  a.number("fee_seen", s.fees.seen);
  a.number("street", s.street, small_max);
  a.number("dealt", s.dealt, small_max);
  a.number("turn", s.betting.turn, seat_max);
  a.number("opener", s.betting.opener, seat_max);
  a.number("level", s.betting.level);
  a.number("last_raise", s.betting.last_raise);
  a.number("bettor", s.betting.bettor, seat_max);
  a.number("last_bettor", s.betting.last_bettor, seat_max);
  a.number("opened", s.betting.opened, seat_max);
  a.number("last_blind", s.betting.last_blind, seat_max);
  a.number("touched", s.touched, seat_max);
  a.numbers("spoken", s.betting.spoken, seat_max);
  a.number("burned", s.deck.burned, small_max);
  a.list("strays", s.strays);
  a.texts("common", s.open.common);
  a.texts("second", s.open.second);
  a.texts("laid", s.open.laid);
  a.texts("voided", s.open.voided);
  a.texts("repairs", s.open.repairs);
  a.number("to_mix", s.deck.to_mix, first_alone);
  a.number("mixed", s.deck.mixed, first_alone);
  a.flag("single", s.deck.single);
  a.number("early", s.early.laid, small_max);
  a.number("early_now", s.early.before, small_max);
  a.flag("was_early", s.early.due);
  a.number("passed", s.deck.passed, seat_max);
  a.number("aside", s.deck.aside, small_max);
  a.numbers("asked", s.showing.asked, seat_max);
  a.numbers("queue", s.showing.queue, seat_max);
  a.texts("to_reveal", s.showing.to_reveal);
}
// NOLINTEND(misc-use-internal-linkage)

namespace {

bool is_card(const std::string& text) {
  const auto card = shuffle::Card::parse(text);
  return card.has_value() && card->family() == shuffle::CardFamily::french && card->text() == text;
}

/// What a player has exchanged.
Status check_exchange(const Player& one) {
  for (std::size_t i = 0; i < one.discards.size(); ++i) {
    const auto card = one.discards[i];
    if (card == 0 || card > one.cards.size() || (i > 0 && card <= one.discards[i - 1]))
      return bad_state("discards are cards of the hand, in order");
  }
  if (one.drawn.size() > one.discards.size() || (!one.said && !one.discards.empty()))
    return bad_state("cards that nobody asked for");
  for (const auto& text : one.drawn) {
    if (text != covered_card && !is_card(text)) return bad_state("no card");
  }
  for (std::size_t i = 0; i < one.cards.size(); ++i) {
    const bool away =
        std::find(one.discards.begin(), one.discards.end(), i + 1) != one.discards.end();
    if (one.cards[i] == gone_card && !away && !one.folded)
      return bad_state("a card of a hand is gone");
  }
  if (one.false_opening && !one.folded) return bad_state("a false opening plays no more");
  return {};
}

/// Whether the members fit each other; the engine relies on it.
Status check_shape(const State& s) {
  for (std::size_t i = 0; i < s.players.size(); ++i) {
    const auto& one = s.players[i];
    if (one.seat == 0 || (i > 0 && s.players[i - 1].seat >= one.seat))
      return bad_state("players stand in the order of their seats");
    const bool marked =
        one.stands || one.open_next || one.exposed != 0 || one.said || one.false_opening;
    if (!one.in && (one.folded || marked || one.put > 0 || !one.cards.empty()))
      return bad_state("a player has a hand that was not dealt");
    if (one.early > one.put || one.street > one.put - one.early)
      return bad_state("more in an interval than in the hand");
    if (one.early > 0 && (s.phase != Phase::bet || s.betting.turn == one.seat || one.folded))
      return bad_state("a bet before its turn waits for that turn");
    for (const auto& text : one.cards) {
      if (text != covered_card && text != gone_card && !is_card(text)) return bad_state("no card");
    }
    TALLA_TRY_STATUS(check_exchange(one));
  }
  for (const auto* row : {&s.open.common, &s.open.second, &s.open.voided}) {
    if (!std::all_of(row->begin(), row->end(), is_card)) return bad_state("no card");
  }
  for (const auto seat : s.showing.queue) {
    if (s.player(seat) == nullptr || !s.player(seat)->live())
      return bad_state("who shows is in the hand");
  }
  for (const auto seat : s.showing.asked) {
    if (s.phase != Phase::bet || s.player(seat) == nullptr || !s.player(seat)->live())
      return bad_state("who is asked is in the hand");
  }
  for (const auto seat : s.betting.spoken) {
    if (s.phase != Phase::bet || s.player(seat) == nullptr || !s.player(seat)->in)
      return bad_state("who has spoken is in the hand");
  }
  if (s.betting.spoken.size() > 2) return bad_state("the last two who spoke are remembered");
  if (s.deck.to_mix != 0 && s.phase != Phase::deal)
    return bad_state("cards go back before others are dealt");
  if (s.early.due && s.phase != Phase::bet)
    return bad_state("cards are dealt too early while somebody may speak");
  const auto* turn = s.player(s.betting.turn);
  const bool speaks = s.phase == Phase::bet || s.phase == Phase::draw || s.phase == Phase::blind;
  if (speaks != (s.betting.turn != 0)) return bad_state("a turn stands in its phase only");
  if (s.betting.turn != 0 &&
      (turn == nullptr || !turn->live() || (turn->stack == 0 && s.phase != Phase::draw)))
    return bad_state("who speaks is in the hand");
  // All are shown, and nobody is left in the queue: the hand waits for its confirmation.
  const bool waits = show_complete(s);
  if ((s.phase == Phase::show) != (waits || !s.showing.queue.empty()))
    return bad_state("hands are shown in their phase only");
  const bool proves = s.phase == Phase::show && s.betting.opened != 0 && s.live_count() == 1;
  if (s.phase != Phase::open && (s.round_over || (s.live_count() < 2 && !proves)))
    return bad_state("a hand is between two");
  if (!s.open.repairs.empty() && s.phase != Phase::bet && s.phase != Phase::draw)
    return bad_state("an error is put right during the betting, or the exchange");
  if (s.phase != Phase::open && s.mano == 0) return bad_state("a hand has its mano");
  return {};
}

template <class A>
void between_fields(A& a, State& s) {
  carried_fields(a, s);
  a.bets("bets", s.bets);
}
template <class A>
void state_fields(A& a, State& s) {
  between_fields(a, s);
  hand_fields(a, s);
  a.settled(s.settled);
}

}  // namespace

void Player::clear_hand() {
  in = folded = acted = spoke = no_raise = shows = stands = open_next = said = false_opening =
      false;
  raises = exposed = 0;
  credit = paid = put = street = early = 0;
  cards.clear();
  discards.clear();
  drawn.clear();
}

void State::clear_hand() {
  for (auto& one : players) one.clear_hand();
  State out;
  out.shoe = shoe;
  out.closing = closing;
  out.over = over;
  out.players = std::move(players);
  out.bets = std::move(bets);
  out.fresh = std::move(fresh);
  out.mano = mano;
  out.hold_mano = hold_mano;
  out.dead = dead;
  out.house = house;
  out.blanks = blanks;
  *this = std::move(out);
}

json::Value State::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<State> State::from_json(const json::Value& value) {
  TALLA_TRY(auto out, loaded<State>(value, "state", [](auto& a, auto& s) { state_fields(a, s); }));
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

json::Value carried_json(const State& state) {
  State rest = state;
  rest.clear_hand();
  return written(rest, [](auto& a, auto& s) { between_fields(a, s); });
}

Result<State> state_from_carried(const json::Value& value) {
  TALLA_TRY(auto out,
            loaded<State>(value, "carried", [](auto& a, auto& s) { between_fields(a, s); }));
  TALLA_TRY_STATUS(check_shape(out));
  State rest = out;
  rest.clear_hand();
  if (rest.players != out.players) return bad_state("between hands nobody has cards");
  return out;
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
  Player added;
  added.seat = seat;
  return *players.insert(after, std::move(added));
}

void State::remove(Seat seat) {
  std::erase_if(players, [&](const Player& one) { return one.seat == seat; });
}

std::size_t State::live_count() const {
  return static_cast<std::size_t>(
      std::count_if(players.begin(), players.end(), [](const Player& one) { return one.live(); }));
}

Units State::pot() const {
  Units out = dead - fees.of_hand;
  for (const auto& one : players) out += one.put;
  return out;
}

}  // namespace talla::games::circle
