// Errors of the deal, and what the text does about each.
#include <algorithm>
#include <array>
#include <utility>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

constexpr std::array<std::string_view, 18> effect_names = {
    "play-on",    "redeal",       "hand-dead",   "both-hands-dead", "no-raise",     "show-card",
    "empty-seat", "exposed-hand", "void-common", "mix-common",      "hole-exposed", "last-open",
    "next-open",  "dealt-early",  "first-dead",  "short-call",      "acts-first",   "mix-deck"};

bool carries_chips(Effect effect) {
  return effect == Effect::no_raise || effect == Effect::short_call || effect == Effect::acts_first;
}

/// The player whose card lies at the event's place, still in the hand.
Result<Player*> player_at(Play& p, const Misdeal& event) {
  const auto where = own_place_of(event.place.value_or(""));
  auto* player = p.state.player(where.seat);
  if (player == nullptr || !player->live() || where.card == 0 || where.card > player->cards.size())
    return fail(Errc::place_unknown, event.code + " names the card of a player who is in the hand");
  return player;
}

/// What the error does is about one player's hand, and its place names a card of it.
bool needs_player(Effect effect) {
  return effect == Effect::expose || effect == Effect::hand_dead || effect == Effect::both_dead ||
         effect == Effect::no_raise || effect == Effect::next_open || effect == Effect::last_open;
}

/// The fee of a hand that does not count.
void give_back_fee(Play& p, Player& player, const Citation& cite) {
  if (p.law.fee.kind != FeeKind::hand || player.paid == 0) return;
  p.settle(player.seat, "beneficio", "beneficio", 0, player.paid, BetResult::void_, cite);
  p.settle(0, "beneficio", "beneficio", player.paid, 0, BetResult::void_, cite);
  player.stack += player.paid;
  p.state.house -= player.paid;
  p.state.fees.since -= player.paid;
  player.paid = 0;
}

/// Everything goes back, but the antes when they stay; the mano waits for the next deal.
void redeal(Play& p, const Citation& cite) {
  auto& state = p.state;
  for (auto& one : state.players) {
    if (!one.in) continue;
    const bool posts = p.law.misdeal.ante_stays && one.credit == 0;
    const Units ante = posts ? std::min(one.put, ante_now(p)) : 0;
    const Units back = one.put - ante;
    if (back > 0) p.settle(one.seat, "bote-1", "bote", back, back, BetResult::void_, cite);
    if (ante > 0) {
      p.settle(one.seat, "ante", "ante", ante, 0, BetResult::prison, p.law.misdeal.cite);
      p.settle(0, "ante", "bote", 0, ante, BetResult::prison, p.law.misdeal.cite);
      state.dead += ante;
    }
    one.waiting = one.credit + ante;
    one.stack += back;
    give_back_fee(p, one, cite);
    one.credit = one.put = one.street = one.early = 0;
  }
  state.fees.of_hand = 0;
  state.hold_mano = true;
  end_hand(p, false);
}

Status both_dead(Play& p, Player& player) {
  auto& state = p.state;
  const auto* other = state.player(state.touched);
  if (other == nullptr || !other->live()) {
    state.touched = player.seat;
    return {};
  }
  if (state.touched == player.seat) return fail(Errc::not_due, "the other hand is to be named");
  if (state.live_count() <= 2) return fail(Errc::not_due, "no hand would be left");
  player.folded = true;
  state.player(state.touched)->folded = true;
  state.touched = 0;
  return {};
}

Status expose(Play& p, const Misdeal& event) {
  const auto where = own_place_of(*event.place);
  auto& state = p.state;
  const bool covered = state.player(where.seat)->cards.at(where.card - 1) == covered_card;
  const bool listed = std::find(state.showing.to_reveal.begin(), state.showing.to_reveal.end(),
                                *event.place) != state.showing.to_reveal.end();
  if (!covered || listed) return fail(Errc::not_due, "that card lies open already");
  state.showing.to_reveal.push_back(*event.place);
  return {};
}

/// Cards go to a seat where nobody plays, from this card on.
Status stray(Play& p, const Misdeal& event) {
  auto& state = p.state;
  const auto where = own_place_of(event.place.value_or(""));
  const auto* there = state.player(where.seat);
  const bool known = std::any_of(state.strays.begin(), state.strays.end(),
                                 [&](const Stray& one) { return one.seat == where.seat; });
  if (where.seat == 0 || where.seat > p.table.rules().seats_max || known ||
      (there != nullptr && there->in))
    return fail(Errc::place_unknown, event.code + " names a card of a seat where nobody plays");
  if (state.phase != Phase::deal || state.street != 0)
    return fail(Errc::not_due, "the cards are dealt");
  const auto before = street_cards(p);
  state.strays.push_back({where.seat, static_cast<std::uint32_t>(where.card - 1)});
  const auto after = street_cards(p);
  const bool same =
      std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(state.dealt),
                 after.begin(), [](const Due& a, const Due& b) { return a.place == b.place; });
  if (!same || after.size() > p.law.shoe.cards_count ||
      after.at(state.dealt).place.place != *event.place) {
    state.strays.pop_back();
    return fail(Errc::not_due, "the next card does not go past that seat");
  }
  return {};
}

}  // namespace

Result<Effect> effect_from(std::string_view name) {
  const auto found = std::find(effect_names.begin(), effect_names.end(), name);
  if (found == effect_names.end())
    return fail(Errc::catalogue_malformed, "unknown effect " + std::string(name.substr(0, 40)));
  return static_cast<Effect>(found - effect_names.begin());
}

Status misdeal(Play& p, const Misdeal& event) {
  const auto* rule = p.table.rules().error(event.code);
  if (rule == nullptr) return fail(Errc::misdeal_unknown, "no error of that code");
  const auto effect = effect_from(rule->effect);
  TALLA_CHECK(effect.has_value());
  auto& state = p.state;
  if (state.phase == Phase::open) return fail(Errc::not_due, "no hand is played");
  if (event.amount && !carries_chips(*effect))
    return fail(Errc::amount_invalid, event.code + " carries no amount");
  if (needs_player(*effect) && state.phase != Phase::deal) {
    if (auto named = player_at(p, event); !named) return pass(std::move(named));
  }
  TALLA_TRY_STATUS(check_window(p, *rule, event));
  if (*effect == Effect::play_on) return {};
  if (*effect == Effect::short_call) return short_call(p, event, rule->cite);
  if (*effect == Effect::acts_first) return acts_first(p, event);
  if (*effect == Effect::mix_deck) {
    TALLA_TRY(const bool enough, begin_mix(p));
    if (!enough) redeal(p, rule->cite);
    return {};
  }
  if (*effect == Effect::empty_seat) return stray(p, event);
  if (*effect == Effect::exposed_hand && !p.law.misdeal.exposed_only_his) {
    redeal(p, rule->cite);
    return {};
  }
  if (*effect == Effect::redeal) {
    if (state.phase == Phase::show) return fail(Errc::not_due, "the hands are shown");
    redeal(p, rule->cite);
    return {};
  }
  if (*effect == Effect::void_common || *effect == Effect::mix_common) {
    TALLA_TRY(const bool enough, begin_repair(p, *effect == Effect::mix_common));
    if (!enough) redeal(p, rule->cite);
    return {};
  }
  if (*effect == Effect::dealt_early) {
    TALLA_TRY(const bool enough, dealt_early(p));
    if (!enough) redeal(p, rule->cite);
    return {};
  }
  if (*effect == Effect::hole_exposed) return hole_exposed(p, event, rule->cite);
  if (*effect == Effect::first_dead) return passed_over(p, event);
  const bool drawing = state.phase == Phase::draw && cards_owed(p) > 0;
  if (state.phase == Phase::deal || drawing || !state.open.repairs.empty())
    return fail(Errc::not_due, "cards are dealt");
  TALLA_TRY(auto* player, player_at(p, event));
  if (*effect == Effect::expose) {
    TALLA_TRY_STATUS(expose(p, event));
    return {};
  }
  if (*effect == Effect::last_open) return last_open(p, *player, event);
  if (*effect == Effect::next_open) {
    if (state.phase != Phase::bet) return fail(Errc::not_due, "no further card comes");
    player->open_next = true;
    return {};
  }
  if (*effect == Effect::no_raise) {
    return bet_early(p, *player, event, rule->cite);
  }
  if (*effect == Effect::exposed_hand) {
    if (state.phase != Phase::bet) return fail(Errc::not_due, "cards are dealt");
    void_hand(p, *player, rule->cite);
  } else if (*effect == Effect::both_dead) {
    TALLA_TRY_STATUS(both_dead(p, *player));
  } else {
    if (state.live_count() == 1) {  // he had to show that he could open, and cannot any more
      fail_to_prove(p, *player);
      return {};
    }
    player->folded = true;
  }
  std::erase_if(state.showing.to_reveal, [&](const std::string& place) {
    return !state.player(own_place_of(place).seat)->live();
  });
  std::erase_if(state.showing.asked, [&](Seat seat) { return !state.player(seat)->live(); });
  if (state.phase == Phase::show) {
    go_on_showing(p);
  } else if (state.phase == Phase::draw) {
    go_on_drawing(p);
  } else {
    go_on(p);
  }
  return {};
}

}  // namespace talla::games::circle
