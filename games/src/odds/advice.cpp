// What every choice for one hand is worth: dispatch by the kind of game, and what advice has in
// common.
#include "odds/advice.hpp"

#include <algorithm>

#include "games/errc.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

json::Array choices_json(const std::vector<Choice>& choices) {
  json::Array out;
  for (const Choice& one : choices) {
    json::Value value;
    value["action"] = one.action;
    if (!one.cards.empty()) {
      json::Array cards;
      for (const Card card : one.cards) cards.emplace_back(card.text());
      value["cards"] = std::move(cards);
    }
    value["gain"] = one.gain.text();
    value["rule"] = one.rule;
    out.push_back(std::move(value));
  }
  return out;
}

}  // namespace

Status check_cards(const AdviceCards& cards, std::size_t decks) {
  std::vector<Card> all = cards.hand;
  all.insert(all.end(), cards.bank.begin(), cards.bank.end());
  const auto deck = shuffle::DeckSpec::french(1).cards();
  for (const Card card : all) {
    const auto count = static_cast<std::size_t>(std::ranges::count(all, card));
    if (std::ranges::find(deck, card) == deck.end() || count > decks)
      return fail(Errc::card_invalid, card.text() + " is there too often, or not of the deck");
  }
  return {};
}

Choice choice_of(const Table& table, std::string_view action, const Ratio& gain) {
  const auto& actions = table.rules().actions;
  const auto found = std::ranges::find(actions, action, &Named::id);
  return {.action = std::string(action),
          .cards = {},
          .gain = gain,
          .rule = found == actions.end() ? std::string() : table.rules().rule(found->cite)};
}

Result<Advice> advice(const Table& table, const AdviceCards& cards) {
  const GameRules& rules = table.rules();
  Result<Advice> out = [&]() -> Result<Advice> {
    if (rules.family == "blackjack") return box_advice(table, cards);
    if (rules.family == "second-bet" && !rules.data.contains("draw"))
      return second_bet_advice(table, cards);
    return fail(Errc::game_not_available,
                rules.id + ": how such hands are played best is not worked out");
  }();
  if (out)
    std::ranges::stable_sort(out->choices,
                             [](const Choice& a, const Choice& b) { return a.gain > b.gain; });
  return out;
}

json::Value to_json(const Advice& advice) {
  json::Value out;
  out["choices"] = choices_json(advice.choices);
  if (!advice.beside.empty()) out["beside"] = choices_json(advice.beside);
  return out;
}

}  // namespace talla::games
