// Who shows cards, who may give up the pot, and when the showing is over.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

/// Who shows first: the last bettor, else as the law reads.
Seat first_to_show(const Play& p) {
  const auto& state = p.state;
  const auto live = [&](Seat seat) {
    const auto* one = state.player(seat);
    return one != nullptr && one->live();
  };
  if (live(state.betting.bettor)) return state.betting.bettor;
  if (p.law.showdown.last_bettor_shows && live(state.betting.last_bettor))
    return state.betting.last_bettor;
  return state.betting.opener != 0 ? state.betting.opener : state.mano;
}

/// Giving up the pot leaves somebody else who can win each part of it.
bool may_renounce(const Play& p, const Player& player) {
  if (!p.law.showdown.may_renounce) return false;
  const auto& all = p.state.players;
  const auto in = [](const Player& one) { return one.credit + one.put; };  // also of a deal before
  return std::any_of(all.begin(), all.end(), [&](const Player& other) {
    return other.seat != player.seat && other.live() && in(other) >= in(player);
  });
}

bool must_choose(const Play& p) {
  if (!p.law.showdown.may_renounce || p.state.showing.queue.empty() ||
      !p.state.showing.to_reveal.empty())
    return false;
  return !p.state.player(p.state.showing.queue.front())->shows;
}

/// Turns the card at a place of that player.
void turn(Player& player, const std::string& place, const std::string& text) {
  const auto where = own_place_of(place);
  if (where.seat != 0) {
    TALLA_CHECK(where.seat == player.seat && where.card >= 1 && where.card <= player.cards.size());
    player.cards.at(where.card - 1) = text;
    return;
  }
  for (std::size_t i = 0; i < player.drawn.size(); ++i) {
    if (place == draw_place(player.seat, i + 1)) player.drawn.at(i) = text;
  }
}

}  // namespace

std::vector<Card> cards_of(const std::vector<std::string>& texts) {
  std::vector<Card> out;
  for (const auto& text : texts) {
    const auto card = Card::parse(text);
    TALLA_CHECK(card.has_value());
    out.push_back(*card);
  }
  return out;
}

std::vector<std::optional<poker::HandValue>> worth(const Play& p, const Player& player) {
  const auto own = cards_of(hand_of(player));
  const auto with = [&](const std::vector<std::string>& row) -> poker::HandValue {
    const auto common = cards_of(row);
    if (p.law.hands.made == Made::two_and_three) return p.law.rank().best_two_three(own, common);
    auto all = own;
    all.insert(all.end(), common.begin(), common.end());
    return p.law.rank().best(all);
  };
  std::vector<std::optional<poker::HandValue>> out{with(p.state.open.common)};
  if (p.law.hands.two_rows) out.emplace_back(with(p.state.open.second));
  if (p.law.hands.low > 0) {
    auto low = poker::low_of_two_three(own, cards_of(p.state.open.common), p.law.hands.low);
    if (low) low->key = ~low->key;  // the least is the best
    out.push_back(low);
  }
  return out;
}

void begin_show(Play& p) {
  auto& state = p.state;
  state.phase = Phase::show;
  for (const auto seat : ring(state, p.law.order.show_up, first_to_show(p))) {
    if (state.player(seat)->live()) state.showing.queue.push_back(seat);
  }
  go_on_showing(p);
}

void go_on_showing(Play& p) {
  auto& state = p.state;
  std::erase_if(state.showing.queue, [&](Seat seat) { return !state.player(seat)->live(); });
  if (state.live_count() == 1) return finish_alone(p);
  while (!state.showing.queue.empty() && state.showing.to_reveal.empty()) {
    auto& front = *state.player(state.showing.queue.front());
    if (must_choose(p) || !covered_place(p, front).empty()) return;
    if (must_prove(p, front)) {  // all his cards lie open, and he could not open
      front.folded = front.false_opening = true;
      return go_on_showing(p);
    }
    state.showing.queue.erase(state.showing.queue.begin());
  }
}

bool show_complete(const State& state) {
  return state.phase == Phase::show && state.showing.queue.empty() &&
         state.showing.to_reveal.empty() && state.live_count() > 1;
}

std::string reveal_due(const Play& p) {
  const auto& state = p.state;
  if (!state.showing.to_reveal.empty()) return state.showing.to_reveal.front();
  if (state.phase != Phase::show || must_choose(p) || state.showing.queue.empty()) return {};
  const auto& front = *state.player(state.showing.queue.front());
  return covered_place(p, front);
}

Status reveal(Play& p, const CardRevealed& event) {
  auto& state = p.state;
  const auto due = reveal_due(p);
  if (due.empty() || event.place != due)
    return fail(Errc::place_unknown, "that card is not turned now");
  const auto text = event.card.text();
  const Seat seat =
      state.showing.to_reveal.empty() ? state.showing.queue.front() : own_place_of(due).seat;
  auto* player = state.player(seat);
  TALLA_CHECK(player != nullptr);
  TALLA_TRY_STATUS(check_card(p, event.card));
  turn(*player, due, text);
  if (!state.showing.to_reveal.empty())
    state.showing.to_reveal.erase(state.showing.to_reveal.begin());
  if (state.phase == Phase::show) go_on_showing(p);
  return {};
}

Status show_act(Play& p, const Act& event) {
  auto& state = p.state;
  if (!must_choose(p) || event.seat != state.showing.queue.front())
    return refused("this seat has nothing to say now");
  if (event.bet || event.to || event.amount || !event.cards.empty())
    return refused(event.action + " names nothing");
  auto* player = state.player(event.seat);
  if (event.action == "mostrar") {
    player->shows = true;
  } else if (event.action == "renunciar" && may_renounce(p, *player)) {
    player->folded = true;
  } else {
    return refused("mostrar, or renunciar while another can win the pot (" +
                   p.rule(p.law.showdown.cite) + ")");
  }
  go_on_showing(p);
  return {};
}

Status show_time_out(Play& p, Seat seat) {
  if (!must_choose(p) || seat != p.state.showing.queue.front())
    return fail(Errc::not_due, "nobody waits for this seat");
  p.state.player(seat)->shows = true;
  go_on_showing(p);
  return {};
}

void add_show_choices(const Play& p, Needs& out) {
  if (!must_choose(p)) return;
  const auto& player = *p.state.player(p.state.showing.queue.front());
  Decide decide{player.seat, {{"mostrar", "", 0, 0, 0}}, true};
  if (may_renounce(p, player)) decide.choices.push_back({"renunciar", "", 0, 0, 0});
  out.emplace_back(std::move(decide));
}

}  // namespace talla::games::circle
