// Common cards that came wrongly are put right, card by card.
#include <algorithm>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

// Steps: the place of a common card is dealt covered; the others are these words.
constexpr std::string_view void_place = "nula";
constexpr std::string_view step_void = "void";        // the next card is turned and does not count
constexpr std::string_view step_turn = "turn";        // the next common card is turned at its place
constexpr std::string_view step_shuffle = "shuffle";  // and mixed into the rest
constexpr std::string_view step_mix = "mix";          // the rest of the deck is mixed
constexpr std::string_view burn_place = "burn-1";     // and its first card goes there unseen

std::string next_common(const State& state) {
  return numbered("common", state.open.common.size() + 1);
}

bool lies(const State& state, const std::string& place) {
  return std::find(state.open.laid.begin(), state.open.laid.end(), place) != state.open.laid.end();
}

/// Common cards of the whole hand.
std::size_t commons_of(const Law& law) {
  std::size_t out = 0;
  for (const auto& street : law.streets) {
    out +=
        static_cast<std::size_t>(std::count(street.deal.begin(), street.deal.end(), Token::common));
  }
  return out;
}

/// Where the text says how cards are mixed in: with the first error that asks for it.
const Citation& mix_cite(const Play& p, std::string_view effect) {
  const auto& errors = p.table.rules().errors;
  const auto found = std::find_if(errors.begin(), errors.end(),
                                  [&](const ErrorRule& error) { return error.effect == effect; });
  TALLA_CHECK(found != errors.end());  // nothing else begins this repair
  return found->cite;
}

/// Cards that have left the deck.
std::size_t cards_out(const Play& p) {
  const auto& state = p.state;
  std::size_t out = state.open.common.size() + state.open.second.size() + state.open.laid.size() +
                    state.open.voided.size();
  for (const auto& one : state.players) out += one.cards.size();
  for (const auto& stray : state.strays) out += p.law.own_cards() - stray.from;
  for (std::uint32_t i = 0; i <= state.street; ++i) {
    const auto& deal = p.law.streets.at(i).deal;
    out += static_cast<std::size_t>(std::count(deal.begin(), deal.end(), Token::burn));
  }
  return out;
}

}  // namespace

Result<bool> begin_repair(Play& p, bool mix) {
  auto& state = p.state;
  const std::size_t all = commons_of(p.law);
  if (state.phase != Phase::bet || !state.open.repairs.empty() || !state.showing.to_reveal.empty())
    return fail(Errc::not_due, "common cards are turned too early while somebody may speak");
  if (state.open.common.size() >= all) return fail(Errc::not_due, "all common cards lie open");
  const std::size_t due = all - state.open.common.size() - state.open.laid.size();
  const std::size_t left = p.law.shoe.cards_count - cards_out(p);
  if (left < due + (mix ? 0 : 1)) return false;
  if (!mix) {
    state.open.repairs.emplace_back(step_void);
    return true;
  }
  state.open.repairs.emplace_back(step_turn);
  for (std::size_t i = state.open.common.size() + 2; i <= all; ++i) {
    auto place = numbered("common", i);
    if (!lies(state, place)) state.open.repairs.push_back(std::move(place));
  }
  state.open.repairs.emplace_back(step_shuffle);
  state.open.repairs.push_back(next_common(state));
  return true;
}

Result<bool> begin_mix(Play& p) {
  auto& state = p.state;
  const bool early = state.phase == Phase::bet && state.street + 1 < p.law.streets.size();
  if ((!early && state.phase != Phase::draw) || !state.open.repairs.empty() ||
      !state.showing.to_reveal.empty())
    return fail(Errc::not_due,
                "the deck is put away too early while further cards are to be dealt");
  if (deck_left(p) == 0) return fail(Errc::not_due, "no card of the deck is left");
  ++state.deck.burned;
  const bool enough = state.phase == Phase::bet || can_serve(p);
  --state.deck.burned;
  if (!enough) return false;
  state.open.repairs.emplace_back(step_mix);
  state.open.repairs.emplace_back(burn_place);
  return true;
}

std::string turn_due(const Play& p) {
  const auto& state = p.state;
  if (state.phase == Phase::deal) {
    if (state.deck.to_mix != 0 || state.open.laid.empty()) return {};
    const auto all = street_cards(p, state.dealt, state.dealt + 1);
    const auto& due = all.at(state.dealt);
    return due.turn ? due.place.place : std::string();
  }
  const bool turn = !state.open.repairs.empty() && state.open.repairs.front() == step_turn;
  return turn && lies(state, next_common(state)) ? next_common(state) : std::string();
}

Need repair_need(const Play& p) {
  const auto& state = p.state;
  TALLA_CHECK(!state.open.repairs.empty());
  const auto& step = state.open.repairs.front();
  if (step == step_void) return Deal{{DealPlace{std::string(void_place), Face::open, {}}}};
  if (step == step_shuffle)
    return Shuffle{{next_common(state)}, 1, p.rule(mix_cite(p, "mix-common"))};
  if (step == step_mix) return Shuffle{{}, 0, p.rule(mix_cite(p, "mix-deck"))};
  if (step == burn_place) return Deal{{DealPlace{step, Face::unseen, {}}}};
  if (step != step_turn) return Deal{{DealPlace{step, Face::covered, {}}}};
  const auto place = next_common(state);
  if (lies(state, place)) return Reveal{place};
  return Deal{{DealPlace{place, Face::open, {}}}};
}

Status repair_card(Play& p, const CardDealt& event) {
  auto& state = p.state;
  const auto need = repair_need(p);
  const auto* deal = std::get_if<Deal>(&need);
  if (deal == nullptr) return fail(Errc::not_due, "a card is not due now");
  const auto& due = deal->cards.front();
  if (event.place != due.place || event.face != due.face)
    return fail(Errc::place_unknown, "the next card goes to " + due.place);
  if (event.card.has_value() != (due.face == Face::open))
    return fail(Errc::card_invalid, "a card is named exactly when its place is open");
  if (event.card) {
    TALLA_TRY_STATUS(check_card(p, *event.card));
    state.open.voided.push_back(event.card->text());
  } else if (due.place == burn_place) {
    ++state.deck.burned;
  } else {
    state.open.laid.push_back(due.place);
    std::sort(state.open.laid.begin(), state.open.laid.end());
  }
  state.open.repairs.erase(state.open.repairs.begin());
  return {};
}

Status repair_shuffled(Play& p, const Shuffled& event) {
  auto& state = p.state;
  if (!state.open.repairs.empty() && state.open.repairs.front() == step_mix &&
      event.places.empty()) {
    state.open.repairs.erase(state.open.repairs.begin());
    return {};
  }
  const bool due = !state.open.repairs.empty() && state.open.repairs.front() == step_shuffle;
  if (!due || event.places != std::vector<std::string>{next_common(state)})
    return fail(Errc::not_due, "a shuffle is not due now");
  state.open.voided.pop_back();  // it may come again
  state.open.repairs.erase(state.open.repairs.begin());
  return {};
}

Status turn_common(Play& p, const CardRevealed& event) {
  auto& state = p.state;
  const auto due = turn_due(p);
  if (due.empty() || event.place != due)
    return fail(Errc::place_unknown, "that card is not turned now");
  TALLA_TRY_STATUS(check_card(p, event.card));
  std::erase(state.open.laid, due);
  if (state.phase == Phase::deal) {
    state.open.common.push_back(event.card.text());
    count_card(p);
    return {};
  }
  state.open.voided.push_back(event.card.text());
  state.open.repairs.erase(state.open.repairs.begin());
  return {};
}

}  // namespace talla::games::circle
