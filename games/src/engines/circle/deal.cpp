// Which card is dealt next, to whom, open or covered.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::circle {
namespace {

/// Cards of that kind dealt in the streets before this one.
std::size_t dealt_before(const Law& law, std::uint32_t street, bool (*counts)(Token)) {
  std::size_t out = 0;
  for (std::uint32_t i = 0; i < street; ++i) {
    for (const auto token : law.streets.at(i).deal) {
      if (counts(token)) ++out;
    }
  }
  return out;
}

/// Where the deal begins.
Seat first_seat(const Play& p) {
  if (!p.law.order.deal_from_left) return p.state.mano;
  return p.law.order.seat_one_left ? 1 : p.table.rules().seats_max;
}

/// Who gets the next card of this round of the deal, in order. The first street goes to all who
/// were dealt in.
std::vector<Seat> receivers(const Play& p, std::uint32_t round) {
  std::vector<Seat> out;
  const auto& state = p.state;
  for (const auto seat : ring(state, p.law.order.deal_up, first_seat(p))) {
    const auto& one = *state.player(seat);
    // A hand that became void while the first cards go round gets no further one.
    const bool first = one.in && (!one.folded || one.cards.size() > round);
    if (state.street == 0 ? first : one.live() && seat != state.deck.passed) out.push_back(seat);
  }
  if (state.street != 0) return out;
  for (const auto& stray : state.strays) {
    if (stray.from > round) continue;
    const bool up = p.law.order.deal_up;
    const Seat mano = first_seat(p);
    const auto distance = [&](Seat seat) {
      const auto size = std::max<Seat>(p.table.rules().seats_max, 1);
      return up ? (seat + size - mano) % size : (mano + size - seat) % size;
    };
    const auto after = std::find_if(
        out.begin(), out.end(), [&](Seat seat) { return distance(seat) > distance(stray.seat); });
    out.insert(after, stray.seat);
  }
  return out;
}

/// The cards of a street while they are listed.
struct DueList {
  std::size_t from = 0;
  std::size_t to = 0;
  std::vector<Due> all;

  /// Counts the next card; true when it is one of those that are written out, which `add` does
  /// then.
  [[nodiscard]] bool wanted() {
    const auto at = all.size();
    if (at >= from && at < to) return true;
    all.emplace_back();
    return false;
  }
  void add(Due due) { all.push_back(std::move(due)); }
  void add_row(const char* row, std::size_t index, Face face, Token token) {
    if (wanted()) add({{numbered(row, index), face, {}}, token, 0});
  }
};

void add_own(const Play& p, const std::vector<Seat>& seats, Token token, std::uint32_t round,
             DueList& out) {
  for (const auto seat : seats) {
    if (!out.wanted()) continue;
    const auto* player = p.state.player(seat);
    const bool plays = player != nullptr && player->in;
    DealPlace place{own_place(seat, round + 1), Face::open, {}};
    if (!plays) place.face = Face::unseen;
    // The first open card of a player whose covered card was exposed comes covered.
    const bool swapped =
        plays && player->exposed != 0 && token == Token::own_open && p.state.street == 0;
    if (plays && ((token == Token::own && !player->open_next) || swapped)) {
      place.face = Face::covered;
      place.seats = {seat};
    }
    out.add({std::move(place), token, plays ? seat : 0});
  }
}

void add_common(const State& state, std::size_t index, DueList& out) {
  if (!out.wanted()) return;
  auto place = numbered("common", index);
  const bool lies =
      std::find(state.open.laid.begin(), state.open.laid.end(), place) != state.open.laid.end();
  out.add({{std::move(place), Face::open, {}}, Token::common, 0, lies});
}

}  // namespace

Status check_card(const Play& p, const Card& card) {
  const auto deck = shuffle::DeckSpec::parse(p.law.shoe.deck);
  if (!deck || deck->copies_of(card) == 0)
    return fail(Errc::card_invalid, "a card of the deck " + p.law.shoe.deck + " is due");
  const auto text = card.text();
  const auto lies = [&](const std::vector<std::string>& cards) {
    return std::find(cards.begin(), cards.end(), text) != cards.end();
  };
  const auto& players = p.state.players;
  if (lies(p.state.open.common) || lies(p.state.open.second) || lies(p.state.open.voided) ||
      std::any_of(players.begin(), players.end(),
                  [&](const Player& one) { return lies(one.cards) || lies(one.drawn); })) {
    return fail(Errc::card_invalid, text + " lies open already");
  }
  return {};
}

std::vector<Seat> deal_order(const Play& p) {
  std::vector<Seat> out;
  for (const auto seat : ring(p.state, p.law.order.deal_up, first_seat(p))) {
    if (p.state.player(seat)->live()) out.push_back(seat);
  }
  return out;
}

std::vector<Card> open_cards(const Play& p, const Player& player) {
  std::vector<Card> out;
  std::size_t index = 0;
  for (const auto& street : p.law.streets) {
    for (const auto token : street.deal) {
      if (!is_own(token)) continue;
      if (index >= player.cards.size()) return out;
      if (token == Token::own_open) {
        const bool swapped = out.empty() && player.exposed != 0;
        const auto card = Card::parse(player.cards.at(swapped ? player.exposed - 1 : index));
        TALLA_CHECK(card.has_value());
        out.push_back(*card);
      }
      ++index;
    }
  }
  return out;
}

std::vector<Due> street_cards(const Play& p, std::size_t from, std::size_t to) {
  const auto& state = p.state;
  const auto& deal = p.law.streets.at(state.street).deal;
  const auto before = [&](bool (*counts)(Token)) {
    return dealt_before(p.law, state.street, counts);
  };
  auto own = static_cast<std::uint32_t>(before(is_own));
  auto common = before([](Token token) { return token == Token::common; });
  auto second = before([](Token token) { return token == Token::second; });
  auto burn = before([](Token token) { return token == Token::burn; });
  auto dead = before([](Token token) { return token == Token::dead; });
  DueList out{from, to, {}};
  for (std::uint32_t i = 0; i < state.early.before; ++i)
    out.add_row("burn", 1, Face::unseen, Token::burn);
  if (state.deck.single) {
    out.add_row("common", 1, Face::open, Token::common);
    return std::move(out.all);
  }
  for (const auto token : deal) {
    switch (token) {
      case Token::own:
      case Token::own_open:
        add_own(p, receivers(p, own), token, own, out);
        ++own;
        break;
      case Token::common:
        add_common(state, ++common, out);
        break;
      case Token::second:
        out.add_row("second", ++second, Face::open, token);
        break;
      case Token::burn:
        out.add_row("burn", ++burn, Face::unseen, token);
        break;
      case Token::dead:
        out.add_row("dead", ++dead, Face::unseen, token);
        break;
      case Token::draw:
        break;
    }
  }
  if (state.deck.passed == 0) return std::move(out.all);
  for (std::uint32_t i = 0; i < state.deck.aside; ++i)
    out.add_row("burn", 1, Face::unseen, Token::burn);
  if (state.deck.mixed != 0) add_own(p, {state.deck.passed}, deal.back(), own - 1, out);
  return std::move(out.all);
}

std::size_t street_count(const Play& p) {
  return street_cards(p, 0, 0).size();
}

Status deal_card(Play& p, const CardDealt& event) {
  if (p.state.deck.to_mix != 0 || !p.state.showing.to_reveal.empty())
    return fail(Errc::not_due, "a card is not due now");
  const auto all = street_cards(p, p.state.dealt, p.state.dealt + 1);
  const auto& due = all.at(p.state.dealt);
  if (due.turn) return fail(Errc::not_due, "a card that lies covered is turned now");
  if (event.place != due.place.place || event.face != due.place.face) {
    return fail(Errc::place_unknown, "the next card goes to " + due.place.place + ", " +
                                         std::string(face_name(due.place.face)));
  }
  if (event.card.has_value() != (due.place.face == Face::open))
    return fail(Errc::card_invalid, "a card is named exactly when its place is open");
  if (event.card) TALLA_TRY_STATUS(check_card(p, *event.card));
  auto& state = p.state;
  if (due.token == Token::common) state.open.common.push_back(event.card->text());
  if (due.token == Token::second) state.open.second.push_back(event.card->text());
  if (due.seat != 0) {
    auto& player = *state.player(due.seat);
    player.cards.push_back(event.card ? event.card->text() : std::string(covered_card));
    if (state.street > 0) player.open_next = false;
  }
  count_card(p);
  return {};
}

void count_card(Play& p) {
  ++p.state.dealt;
  if (p.state.dealt < street_count(p)) return;
  if (p.state.deck.passed != 0 && p.state.deck.mixed == 0) {
    p.state.deck.to_mix = first_alone;
  } else {
    begin_interval(p);
  }
}

}  // namespace talla::games::circle
