#include "engines/shared/rules_check.hpp"

#include <algorithm>
#include <set>

#include "engines/circle/rules.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::circle {
namespace {

std::set<std::string> ids(const std::vector<Named>& all) {
  std::set<std::string> out;
  for (const auto& one : all) out.insert(one.id);
  return out;
}

/// Cards of each kind over all streets, `shown` or not.
std::size_t most_of(const Law& law, Token kind) {
  std::size_t out = 0;
  for (const auto& street : law.streets) {
    out += static_cast<std::size_t>(std::count(street.deal.begin(), street.deal.end(), kind));
  }
  return out;
}

bool has_effect(const GameRules& rules, std::string_view effect) {
  return std::any_of(rules.errors.begin(), rules.errors.end(),
                     [&](const ErrorRule& one) { return one.effect == effect; });
}

Status check_places(const GameRules& rules, const Law& law) {
  std::set<std::string> wanted;
  for (Seat seat = 1; seat <= rules.seats_max; ++seat) {
    for (std::size_t card = 1; card <= law.own_cards(); ++card)
      wanted.insert(own_place(seat, card));
    const auto most = static_cast<std::size_t>(law.exchange.most);
    for (std::size_t card = 1; card <= most; ++card) wanted.insert(draw_place(seat, card));
  }
  if (has_effect(rules, "void-common")) wanted.insert("nula");
  if (has_effect(rules, "mix-deck")) wanted.insert(numbered("burn", 1));
  for (std::size_t i = 1; i <= most_of(law, Token::common); ++i)
    wanted.insert(numbered("common", i));
  for (std::size_t i = 1; i <= most_of(law, Token::second); ++i)
    wanted.insert(numbered("second", i));
  for (std::size_t i = 1; i <= most_of(law, Token::burn); ++i) wanted.insert(numbered("burn", i));
  for (std::size_t i = 1; i <= law.dead_cards(); ++i) wanted.insert(numbered("dead", i));
  if (law.dead_cards() > 0) wanted.insert(numbered("common", 1));
  if (has_effect(rules, "dealt-early") || has_effect(rules, "first-dead"))
    wanted.insert(numbered("burn", 1));
  if (ids(rules.places) != wanted)
    return bad_rules(rules, "the places of the cards are not those of its streets");
  return {};
}

bool allows(const GameRules& rules, std::string_view parameter, std::string_view value) {
  const auto* rule = rules.parameter(parameter);
  return rule != nullptr &&
         std::any_of(rule->allowed.begin(), rule->allowed.end(), [&](const json::Value& one) {
           return one.is_string() && one.string() == value;
         });
}

Status check_actions(const GameRules& rules, const Law& law) {
  std::set<std::string> wanted = {"retirarse", "pasar",     "cubrir", "apostar",   "subir",
                                  "resto",     "descansar", "volver", "levantarse"};
  if (law.exchange.most > 0) wanted.merge(std::set<std::string>{"descartar", "servido"});
  if (law.forced.chain) wanted.insert("ciega");
  if (law.showdown.may_renounce) wanted.merge(std::set<std::string>{"mostrar", "renunciar"});
  if (has_effect(rules, "last-open")) wanted.merge(std::set<std::string>{"seguir", "no-seguir"});
  if (law.fee.kind == FeeKind::session || allows(rules, "fee", "session")) {
    wanted.insert("sesion");
    if (law.fee.session_halves) wanted.insert("media-sesion");
  }
  if (ids(rules.actions) != wanted) return bad_rules(rules, "the actions are not those of its law");
  return {};
}

Status check_bets(const GameRules& rules) {
  for (const auto& bet : rules.bets) {
    if (bet.id != "resto" && bet.id != "reposicion")
      return bad_rules(rules, "bet " + bet.id + " is none of this family");
    const auto* returned = bet.payout("returned");
    if (bet.on != OnForm::none || bet.payouts.size() != 1 || !bet.payouts_when.empty() ||
        returned == nullptr || returned->pays != Fraction(0)) {
      return bad_rules(rules,
                       bet.id + ": chips of a player come back as they are, and have no position");
    }
  }
  if (rules.bet("resto") == nullptr || rules.bet("reposicion") == nullptr)
    return bad_rules(rules, "needs the bets resto and reposicion");
  return {};
}

Status check_deck(const GameRules& rules, const Law& law) {
  if (!rules.shoe || !rules.shoe->covered || rules.shoe->stop_depth != 0)
    return bad_rules(rules, "needs a shoe whose cards may stay covered, without a stop card");
  const auto deck = shuffle::DeckSpec::parse(rules.shoe->deck);
  if (!deck || !rules.shoe->deck.starts_with("french") ||
      deck->cards().size() != rules.shoe->cards_count)
    return bad_rules(rules, "needs a deck of French cards");
  if (rules.seats_max < 2 || rules.seats_max > law.players_most(rules.shoe->cards_count))
    return bad_rules(rules, "the deck does not reach for its seats");
  const std::size_t row = law.own_cards() + most_of(law, Token::common);
  const bool fits = law.hands.made == Made::two_and_three
                        ? law.own_cards() >= 2 && most_of(law, Token::common) >= 3
                        : row >= 5 && row <= 7;
  if (!fits) return bad_rules(rules, "its streets do not make a hand");
  const bool second = most_of(law, Token::second) > 0;
  if (second != law.hands.two_rows ||
      (second && most_of(law, Token::second) != most_of(law, Token::common)))
    return bad_rules(rules, "two rows of common cards are alike");
  std::size_t open = 0;
  for (const auto& street : law.streets) {
    open += static_cast<std::size_t>(
        std::count(street.deal.begin(), street.deal.end(), Token::own_open));
    const bool showing = street.opens == Opener::highest_showing ||
                         street.opens == Opener::lowest_showing ||
                         street.opens == Opener::highest_stays;
    if (showing && (open == 0 || open > 4))
      return bad_rules(rules, "one to four open cards say who opens");
  }
  return {};
}

/// Dead cards do for the last card, which is one to each; what is said of them needs a deal of that
/// kind.
Status check_dead(const GameRules& rules, const Law& law) {
  const auto& last = law.streets.back().deal;
  const bool one_own = last.size() == 1 && last.front() == Token::own;
  if (law.dead_cards() > 0 && (!one_own || most_of(law, Token::common) > 0))
    return bad_rules(rules, "dead cards do for one covered card to each, the last of the hand");
  if (law.dead_cards() == 0 && rules.data.contains("dead"))
    return bad_rules(rules, "no card is dead");
  const std::vector<Token> first = {Token::own, Token::own, Token::own_open};
  const auto& deal = law.streets.front().deal;
  const bool fits = deal.size() >= 3 && std::equal(first.begin(), first.end(), deal.begin());
  if (has_effect(rules, "hole-exposed") && !fits)
    return bad_rules(rules, "hole-exposed needs two covered cards and an open one");
  if (has_effect(rules, "last-open") && !one_own)
    return bad_rules(rules, "last-open needs a covered card that comes last");
  const bool fed = law.dead_cards() > 0 && most_of(law, Token::burn) == 0;
  for (const std::string_view effect : {"dealt-early", "first-dead"}) {
    if (has_effect(rules, effect) && !fed)
      return bad_rules(rules, std::string(effect) + " needs dead cards, and none that are burned");
  }
  return {};
}

/// Cards are exchanged once, between two intervals, in a game whose hands are five covered cards.
Status check_exchange_rules(const GameRules& rules, const Law& law) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < law.streets.size(); ++i) {
    const auto& street = law.streets.at(i);
    const bool draw =
        std::find(street.deal.begin(), street.deal.end(), Token::draw) != street.deal.end();
    if (draw && (i == 0 || street.deal.size() != 1))
      return bad_rules(rules, "an exchange has a street of its own");
    count += draw ? 1 : 0;
    if (street.opens == Opener::pot_opener && law.opening.pairs.empty())
      return bad_rules(rules, "who opens the pot stands in data.opening");
  }
  const bool exchanges = law.exchange.most > 0;
  if (has_effect(rules, "mix-deck") && (!exchanges || most_of(law, Token::burn) > 0))
    return bad_rules(rules, "mix-deck needs an exchange of cards, and none that are burned");
  if (count != (exchanges ? 1U : 0U))
    return bad_rules(rules, "data.draw needs one street of exchange");
  const bool covered = most_of(law, Token::own) == 5 && law.streets.front().deal.size() == 5 &&
                       law.streets.size() == 2;
  if ((exchanges || !law.opening.pairs.empty()) && (!covered || !exchanges))
    return bad_rules(rules,
                     "cards are exchanged, and pots opened, with five covered cards dealt at once");
  if (!law.opening.pairs.empty() &&
      (law.fee.each_interval || allows(rules, "fee_taken", "interval")))
    return bad_rules(rules, "a pot that may wait bears its fee at the end of the hand");
  if (law.forced.chain && law.forced.blinds.empty())
    return bad_rules(rules, "a chain of blinds begins with a blind");
  return {};
}

}  // namespace

Status check_rules(const GameRules& rules) {
  auto law = read_law(rules, nullptr);
  if (!law) return fail(Errc::catalogue_malformed, law.error().detail);
  static const std::set<std::string, std::less<>> blocks = {
      "seats",   "order", "fee",      "forced",   "betting",      "limits",
      "streets", "hand",  "showdown", "division", "misdeal",      "combinations",
      "dead",    "deck",  "draw",     "opening",  "false_opening"};
  for (const auto& [name, unused] : rules.data) {
    if (!blocks.contains(name)) return bad_rules(rules, "data." + name + " is not known");
  }
  TALLA_TRY_STATUS(check_bets(rules));
  TALLA_TRY_STATUS(check_deck(rules, *law));
  TALLA_TRY_STATUS(check_dead(rules, *law));
  TALLA_TRY_STATUS(check_exchange_rules(rules, *law));
  TALLA_TRY_STATUS(check_places(rules, *law));
  TALLA_TRY_STATUS(check_actions(rules, *law));
  for (const auto& error : rules.errors) {
    if (auto known = effect_from(error.effect); !known) return pass(std::move(known));
  }
  return {};
}

}  // namespace talla::games::circle
