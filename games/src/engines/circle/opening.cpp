// Who may open the betting with what cards, and a false opening.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

int pair_needed(const Play& p) {
  const auto& pairs = p.law.opening.pairs;
  return pairs.at(std::min<std::size_t>(p.state.blanks, pairs.size() - 1));
}

/// The cards he was dealt, as far as they lie open.
std::vector<Card> dealt_open(const Player& player) {
  std::vector<std::string> out;
  for (const auto& text : player.cards) {
    if (text != covered_card && text != gone_card) out.push_back(text);
  }
  return cards_of(out);
}

std::string covered_own(const Player& player, bool discards) {
  for (std::size_t i = 1; i <= player.cards.size(); ++i) {
    if (player.cards.at(i - 1) == covered_card && is_discard(player, i) == discards)
      return own_place(player.seat, i);
  }
  return {};
}

}  // namespace

bool can_open(const Play& p, const std::vector<Card>& cards) {
  std::array<int, 15> count{};
  for (const auto card : cards) {
    const int rank = card.rank();
    ++count.at(static_cast<std::size_t>(rank == 1 ? 14 : rank));
  }
  const auto needed = static_cast<std::size_t>(pair_needed(p));
  const auto pair = [](int many) { return many >= 2; };
  if (std::any_of(count.begin() + static_cast<std::ptrdiff_t>(needed), count.end(), pair))
    return true;
  if (std::any_of(count.begin(), count.end(), [](int many) { return many >= 3; })) return true;
  if (std::count_if(count.begin(), count.end(), pair) >= 2) return true;
  if (cards.size() != 5) return false;
  std::array<Card, 5> five{cards[0], cards[1], cards[2], cards[3], cards[4]};
  return p.law.rank().category(p.law.rank().five(five)) > poker::Category::pair;
}

bool must_prove(const Play& p, const Player& player) {
  if (p.law.opening.pairs.empty() || player.seat != p.state.betting.opened) return false;
  return !can_open(p, dealt_open(player));
}

std::string covered_place(const Play& p, const Player& player) {
  const bool alone = p.state.live_count() == 1;  // he shows no more than what opens
  if (alone && !must_prove(p, player)) return {};
  if (auto place = covered_own(player, false); !place.empty()) return place;
  for (std::size_t i = 0; i < player.drawn.size() && !alone; ++i) {
    if (player.drawn.at(i) == covered_card) return draw_place(player.seat, i + 1);
  }
  return must_prove(p, player) ? covered_own(player, true) : std::string();
}

void blank_hand(Play& p) {
  ++p.state.blanks;
  p.state.hold_mano = p.law.opening.mano_stays;
  carry_pot(p, p.law.opening.cite);
}

void finish_alone(Play& p) {
  auto& state = p.state;
  const auto found = std::find_if(state.players.begin(), state.players.end(),
                                  [](const Player& one) { return one.live(); });
  TALLA_CHECK(found != state.players.end());
  auto& last = *found;
  if (!must_prove(p, last)) return divide(p, false);
  if (!covered_place(p, last).empty()) {
    state.phase = Phase::show;
    state.betting.turn = 0;
    state.showing.queue = {last.seat};
    last.shows = true;
    return;
  }
  fail_to_prove(p, last);
}

void fail_to_prove(Play& p, Player& last) {
  auto& state = p.state;
  last.folded = last.false_opening = true;
  state.blanks = 0;
  const auto free = uncalled(state);
  if (!p.law.opening.bet_stays && free.seat == last.seat && free.amount > 0) {
    p.settle(free.seat, "vuelta", "vuelta", free.amount, free.amount, BetResult::push,
             p.law.opening.false_cite);
    last.stack += free.amount;
    last.put -= free.amount;
  }
  carry_pot(p, p.law.opening.false_cite);
}

}  // namespace talla::games::circle
