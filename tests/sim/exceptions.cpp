#include "exceptions.hpp"

namespace talla::sim {

bool pays_computed(const games::GameRules& rules, std::string_view bet) {
  if (rules.family == "blackjack") {  // prizes of the casino, shares of a jackpot
    const auto* rule = rules.bet(bet);
    return rule != nullptr && rule->covers == json::Value("combination");
  }
  if (rules.family == "banque") return true;  // only a part of the stake may play
  if (rules.family == "bingo") return true;   // parts of the prizes, whatever the card has cost
  return rules.family == "monte";  // deductions for doubled and burned cards, and for the first card
}

bool part_plays(const games::GameRules& rules) {
  return rules.family == "banque";
}

bool of_the_bank(const games::GameRules& rules, std::string_view kind) {
  return rules.family == "banque" && (kind == "banca" || kind == "asociado" || kind == "garage");
}

games::Seat players_needed(const games::Table& table) {
  if (table.rules().family != "banque") return 0;
  const bool two_cloths = table.rules().id != "chemin-de-fer";
  return static_cast<games::Seat>(table.params().integer("seats")) * (two_cloths ? 2 : 1) + 2;  // two stand
}

bool without_maximum(const games::GameRules& rules) {
  return rules.id == "baccarat-banque-open";
}

bool announced_late(const games::GameRules& rules, std::string_view kind) {
  return rules.family == "banque" && kind == "banco-seguido";
}

bool has_price(const games::GameRules& rules) {
  return rules.family == "bingo";
}

bool carries_over(const games::GameRules& rules, std::string_view bet) {
  if (rules.family == "wheel") return true;                // a stake in prison waits beside new ones
  if (rules.family == "trente") return true;               // likewise
  return rules.family == "dice" && bet.ends_with("come");  // a come stake moves to its point
}

bool made_by_action(const games::GameRules& rules, std::string_view id, std::string_view origin) {
  const bool derives = rules.family == "blackjack" || rules.family == "texas-holdem";
  return derives && id.size() > origin.size() + 1 && id.starts_with(origin) && id[origin.size()] == '.';
}

bool acts_for_others(const games::GameRules& rules) {
  return rules.family == "blackjack";
}

std::optional<games::Units> fixed_stake(const games::Table& table, const games::BetRule& rule) {
  if (table.rules().family == "bingo") return table.params().integer("card_price") * table.min();
  const auto block = table.rules().data.find("stakes");
  if (table.rules().family != "blackjack" || block == table.rules().data.end()) return std::nullopt;
  const auto* stakes = block->second.value.find(rule.id);
  const auto* exact = stakes == nullptr ? nullptr : stakes->find("exact");
  if (exact == nullptr) return std::nullopt;
  return (table.params().fraction(exact->find("parameter")->string()) * games::Fraction(table.min())).ceil();
}

std::size_t rounds_worth(const games::GameRules& rules) {
  return rules.family == "bingo" ? 10 : 1;  // up to 90 balls, and every card is checked after each
}

bool rarely_settled(const games::GameRules& rules, std::string_view bet) {
  // Random amounts hardly ever meet the exact share of a stake, nor all that an open bank holds.
  return follows_a_stake(rules, bet) || (rules.family == "banque" && bet == "banco");
}

bool follows_a_stake(const games::GameRules& rules, std::string_view bet) {
  return rules.family == "trente" && bet == "seguro";  // the premium: exactly one per cent
}

}  // namespace talla::sim
