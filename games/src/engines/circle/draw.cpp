// Discards and the exchange of cards, with shuffling the discards in.
#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

Status exchange_refused(const Play& p, const std::string& why) {
  return refused(why + " (" + p.rule(p.law.exchange.cite) + ")");
}

/// Those who exchange, in their order.
std::vector<Seat> drawing_order(const Play& p) {
  const auto& state = p.state;
  const Seat first =
      p.law.exchange.from_opener && state.betting.opened != 0 ? state.betting.opened : state.mano;
  auto out = ring(state, p.law.order.deal_up, first);
  std::erase_if(out, [&](Seat seat) { return !state.player(seat)->live(); });
  return out;
}

/// Cards that come to a player before the next one is asked.
std::size_t at_once(const Play& p, const Player& player) {
  const auto most = static_cast<std::size_t>(p.law.exchange.most);
  const bool waits = p.law.exchange.last_of_most && player.discards.size() == most;
  return waits ? most - 1 : player.discards.size();
}

bool served_at_once(const Play& p, const Player& player) {
  return player.said && player.drawn.size() >= at_once(p, player);
}

/// Everybody has had his turn: what is still owed are last cards.
bool last_cards(const Play& p) {
  const auto& players = p.state.players;
  return std::all_of(players.begin(), players.end(),
                     [&](const Player& one) { return !one.live() || served_at_once(p, one); });
}

bool waits_for_cards(const Player& player) {
  return player.live() && (!player.said || player.drawn.size() < player.discards.size());
}

/// Places of that player's cards that can go back: his discards, or all of a hand that has retired.
std::vector<std::string> laid_away(const Player& player) {
  std::vector<std::string> out;
  for (std::size_t i = 1; i <= player.cards.size(); ++i) {
    const bool away = player.folded || is_discard(player, i);
    if (away && player.cards.at(i - 1) != gone_card) out.push_back(own_place(player.seat, i));
  }
  return out;
}

using Heaps = std::vector<std::vector<std::string>>;

/// What may be mixed in for this seat: first what the text says, then, when that does not reach,
/// the rest.
Heaps heaps_for(const Play& p, Seat seat) {
  const auto& state = p.state;
  const auto& law = p.law.exchange;
  const auto waiting = std::count_if(state.players.begin(), state.players.end(), waits_for_cards);
  std::vector<std::string> said;
  std::vector<std::string> retired;
  std::vector<std::string> own;
  for (const auto seat_of : ring(state, p.law.order.deal_up, state.mano)) {
    const auto& one = *state.player(seat_of);
    const bool opener = law.openers_left_out && one.seat == state.betting.opened;
    if (!one.in || (opener && one.live())) continue;
    const bool left_out = one.seat == seat && (law.openers_left_out || waiting <= 1);
    auto& heap = one.folded ? retired : left_out ? own : said;
    for (auto& place : laid_away(one)) heap.push_back(std::move(place));
  }
  Heaps out{std::move(said), std::move(retired), std::move(own)};
  if (!law.retired_before_own) std::swap(out.at(1), out.at(2));
  return out;
}

/// What is mixed in now.
std::vector<std::string> places_to_mix(const Play& p) {
  std::vector<std::string> out;
  const std::size_t wanted = cards_owed(p);
  for (auto& heap : heaps_for(p, p.state.betting.turn)) {
    if (deck_left(p) + out.size() >= wanted) break;
    out.insert(out.end(), heap.begin(), heap.end());
  }
  return out;
}

bool mix_due(const Play& p) {
  const std::size_t owed = cards_owed(p);
  const std::size_t left = deck_left(p);
  return left < owed && left <= (p.law.exchange.at_last_card ? 1U : 0U);
}

/// Discards for which there are cards: only the opener, whose own are kept apart, can find too few.
std::size_t most_discards(const Play& p, const Player& player) {
  const auto most = static_cast<std::size_t>(p.law.exchange.most);
  if (!p.law.exchange.openers_left_out || player.seat != p.state.betting.opened) return most;
  std::size_t cards = deck_left(p);
  for (const auto& heap : heaps_for(p, player.seat)) cards += heap.size();
  return std::min(most, cards);
}

}  // namespace

bool is_draw(const Law& law, std::size_t street) {
  const auto& deal = law.streets.at(street).deal;
  return deal.front() == Token::draw;
}

bool is_discard(const Player& player, std::size_t card) {
  return std::find(player.discards.begin(), player.discards.end(), card) != player.discards.end();
}

std::vector<std::string> hand_of(const Player& player) {
  std::vector<std::string> out;
  for (std::size_t i = 1; i <= player.cards.size(); ++i) {
    if (!is_discard(player, i)) out.push_back(player.cards.at(i - 1));
  }
  out.insert(out.end(), player.drawn.begin(), player.drawn.end());
  return out;
}

std::size_t deck_left(const Play& p) {
  std::size_t out = 0;
  for (const auto& one : p.state.players) {
    const auto gone = std::count(one.cards.begin(), one.cards.end(), gone_card);
    out += one.cards.size() - static_cast<std::size_t>(gone) + one.drawn.size();
  }
  for (const auto& stray : p.state.strays) out += p.law.own_cards() - stray.from;
  out += p.state.deck.burned;
  return out < p.law.shoe.cards_count ? p.law.shoe.cards_count - out : 0;
}

std::size_t cards_owed(const Play& p) {
  const auto* player = p.state.player(p.state.betting.turn);
  if (p.state.phase != Phase::draw || player == nullptr || !player->said) return 0;
  const std::size_t due = last_cards(p) ? player->discards.size() : at_once(p, *player);
  return due > player->drawn.size() ? due - player->drawn.size() : 0;
}

bool can_serve(const Play& p) {
  std::size_t cards = deck_left(p);
  for (const auto& heap : heaps_for(p, p.state.betting.turn)) cards += heap.size();
  return cards >= cards_owed(p);
}

void begin_draw(Play& p) {
  p.state.phase = Phase::draw;
  go_on_drawing(p);
}

void go_on_drawing(Play& p) {
  auto& state = p.state;
  if (state.live_count() == 1) {
    state.betting.turn = 0;
    return finish_alone(p);
  }
  const auto order = drawing_order(p);
  const bool last = last_cards(p);
  const auto next = std::find_if(order.begin(), order.end(), [&](Seat seat) {
    const auto& one = *state.player(seat);
    return last ? waits_for_cards(one) : !served_at_once(p, one);
  });
  if (next != order.end()) {
    state.betting.turn = *next;
    return;
  }
  state.betting.turn = 0;
  begin_interval(p);
}

Status draw_act(Play& p, const Act& event) {
  auto& state = p.state;
  if (cards_owed(p) > 0 || !state.open.repairs.empty())
    return fail(Errc::action_refused, "cards are dealt");
  if (event.seat != state.betting.turn)
    return exchange_refused(p, "it is the turn of seat " + std::to_string(state.betting.turn));
  if (event.bet || event.to || event.amount)
    return exchange_refused(p, event.action + " names nothing but cards");
  auto& player = *state.player(event.seat);
  if (event.action == "servido") {
    if (!event.cards.empty()) return exchange_refused(p, "servido names no cards");
    player.said = true;
    go_on_drawing(p);
    return {};
  }
  if (event.action != "descartar") return exchange_refused(p, "descartar or servido");
  std::set<std::uint32_t> cards;
  for (const auto& place : event.cards) {
    const auto where = own_place_of(place);
    if (where.seat != event.seat || where.card == 0 || where.card > player.cards.size() ||
        place != own_place(where.seat, where.card) ||
        !cards.insert(static_cast<std::uint32_t>(where.card)).second)
      return exchange_refused(p, "descartar names cards of the player's own hand, each once");
  }
  const std::size_t most = most_discards(p, player);
  if (cards.empty() || cards.size() > most)
    return exchange_refused(p, "descartar names from 1 to " + std::to_string(most) + " cards");
  player.discards.assign(cards.begin(), cards.end());
  player.said = true;
  go_on_drawing(p);
  return {};
}

Status draw_time_out(Play& p, Seat seat) {
  if (seat != p.state.betting.turn || cards_owed(p) > 0)
    return fail(Errc::not_due, "nobody waits for this seat");
  p.state.player(seat)->said = true;
  go_on_drawing(p);
  return {};
}

Status draw_card(Play& p, const CardDealt& event) {
  auto& state = p.state;
  if (cards_owed(p) == 0 || mix_due(p)) return fail(Errc::not_due, "a card is not due now");
  auto& player = *state.player(state.betting.turn);
  const auto place = draw_place(player.seat, player.drawn.size() + 1);
  if (event.place != place || event.face != Face::covered)
    return fail(Errc::place_unknown, "the next card goes to " + place + ", covered");
  if (event.card) return fail(Errc::card_invalid, "a card is named exactly when its place is open");
  player.drawn.emplace_back(covered_card);
  if (cards_owed(p) == 0) go_on_drawing(p);
  return {};
}

Status draw_shuffled(Play& p, const Shuffled& event) {
  if (!mix_due(p) || event.places != places_to_mix(p))
    return fail(Errc::not_due, "a shuffle is not due now");
  for (const auto& place : event.places) {
    const auto where = own_place_of(place);
    p.state.player(where.seat)->cards.at(where.card - 1) = std::string(gone_card);
  }
  return {};
}

void add_draw_needs(const Play& p, Needs& out) {
  const auto& player = *p.state.player(p.state.betting.turn);
  const std::size_t owed = cards_owed(p);
  if (owed == 0) {
    Decide decide{player.seat, {{"servido", "", 0, 0, 0}}, true};
    const std::size_t most = most_discards(p, player);
    ActionChoice choice{"descartar", "", 0, 0, 0};
    for (std::size_t i = 1; i <= player.cards.size(); ++i)
      choice.places.push_back(own_place(player.seat, i));
    choice.cards_min = 1;
    choice.cards_max = static_cast<std::uint32_t>(most);
    if (most > 0) decide.choices.push_back(std::move(choice));
    out.emplace_back(std::move(decide));
    return;
  }
  if (mix_due(p)) {
    auto places = places_to_mix(p);
    const auto count = static_cast<std::uint32_t>(places.size());
    out.emplace_back(Shuffle{std::move(places), count, p.rule(p.law.exchange.cite)});
    return;
  }
  const std::size_t left = deck_left(p);
  const std::size_t kept = p.law.exchange.at_last_card ? 1 : 0;
  const std::size_t now = left >= owed ? owed : left - kept;
  Deal deal;
  for (std::size_t i = 1; i <= now; ++i) {
    deal.cards.push_back(
        {draw_place(player.seat, player.drawn.size() + i), Face::covered, {player.seat}});
  }
  out.emplace_back(std::move(deal));
}

}  // namespace talla::games::circle
