#include "exceptions.hpp"

namespace talla::sim {

bool pays_computed(const games::GameRules& rules, std::string_view bet) {
  if (rules.family == "blackjack") {  // prizes of the casino, shares of a jackpot
    const auto* rule = rules.bet(bet);
    return rule != nullptr && rule->covers == json::Value("combination");
  }
  if (rules.family == "second-bet") {  // prizes of the casino, shares of a jackpot
    const auto sides = rules.data.find("sides");
    const auto* side = sides == rules.data.end() ? nullptr : sides->second.value.find(bet);
    const auto meters = rules.data.find("meters");
    const bool meter = meters != rules.data.end() && meters->second.value.find(bet) != nullptr;
    return meter || (side != nullptr && side->find("rows") != nullptr);
  }
  if (rules.family == "banque") return true;      // only a part of the stake may play
  if (rules.family == "tournament") return true;  // parts of the prizes
  if (rules.family == "bingo") return true;       // parts of the prizes, whatever the card has cost
  if (rules.family == "circle-poker") return true;  // a resto pays what became of it
  if (rules.family == "pai-gow") return true;       // the commission is rounded by itself
  return rules.family ==
         "monte";  // deductions for doubled and burned cards, and for the first card
}

bool part_plays(const games::GameRules& rules) {
  return rules.family == "banque" || rules.family == "circle-poker";
}

bool of_the_bank(const games::GameRules& rules, std::string_view kind) {
  if (rules.family == "circle-poker")
    return kind != "resto" && kind != "reposicion";  // the account of a hand
  if (rules.family == "pai-gow") return kind == "banca-jugador";
  if (rules.family == "tournament") return kind == "organizacion";
  return rules.family == "banque" && (kind == "banca" || kind == "asociado" || kind == "garage");
}

games::Seat players_needed(const games::Table& table) {
  if (table.rules().family == "circle-poker") return 6;  // four, and some who rest
  if (table.rules().family == "tournament")
    return static_cast<games::Seat>(table.params().integer("entries_min"));
  if (table.rules().family == "pai-gow") return 2;  // who has the bank needs somebody against him
  if (table.rules().family != "banque") return 0;
  const bool two_cloths = table.rules().id != "chemin-de-fer";
  return static_cast<games::Seat>(table.params().integer("seats")) * (two_cloths ? 2 : 1) +
         2;  // two stand
}

bool without_maximum(const games::GameRules& rules) {
  return rules.id == "baccarat-banque-open" || rules.family == "circle-poker";
}

bool announced_late(const games::GameRules& rules, std::string_view kind) {
  return rules.family == "banque" && kind == "banco-seguido";
}

bool has_price(const games::GameRules& rules) {
  return rules.family == "bingo" || rules.family == "tournament";
}

bool carries_over(const games::GameRules& rules, std::string_view bet) {
  if (rules.family == "wheel") return true;         // a stake in prison waits beside new ones
  if (rules.family == "trente") return true;        // likewise
  if (rules.family == "circle-poker") return true;  // a resto stays
  return rules.family == "dice" && bet.ends_with("come");  // a come stake moves to its point
}

bool made_by_action(const games::GameRules& rules, std::string_view id, std::string_view origin) {
  const bool derives =
      rules.family == "blackjack" || rules.family == "texas-holdem" || rules.family == "second-bet";
  return derives && id.size() > origin.size() + 1 && id.starts_with(origin) &&
         id[origin.size()] == '.';
}

bool without_stake(const games::GameRules& rules, std::string_view kind) {
  const auto bonus = rules.data.find("bonus");
  return rules.family == "second-bet" && bonus != rules.data.end() &&
         *bonus->second.value.find("bet") == json::Value(std::string(kind));
}

bool acts_for_others(const games::GameRules& rules) {
  return rules.family == "blackjack" ||
         rules.family == "second-bet";  // "voy" of the holder, where others must follow
}

std::optional<games::Units> fixed_stake(const games::Table& table, const games::BetRule& rule) {
  if (table.rules().family == "bingo") return table.params().integer("card_price") * table.min();
  if (table.rules().family == "tournament") {
    const auto* price = rule.id == "inscripcion" ? "entry_price"
                        : rule.id == "recompra"  ? "rebuy_price"
                                                 : "addon_price";
    return table.params().integer(price) * table.min();
  }
  const auto block = table.rules().data.find("stakes");
  if (table.rules().family == "second-bet" && block != table.rules().data.end()) {
    const auto* stake = block->second.value.find(rule.id);
    if (stake == nullptr) return std::nullopt;
    return (table.params().fraction(stake->find("amount")->find("parameter")->string()) *
            games::Fraction(table.min()))
        .floor();
  }
  if (table.rules().family != "blackjack" || block == table.rules().data.end()) return std::nullopt;
  const auto* stakes = block->second.value.find(rule.id);
  const auto* exact = stakes == nullptr ? nullptr : stakes->find("exact");
  if (exact == nullptr) return std::nullopt;
  return (table.params().fraction(exact->find("parameter")->string()) *
          games::Fraction(table.min()))
      .floor();
}

bool leaves_often(const games::GameRules& rules) {
  return rules.family == "circle-poker";
}

bool gives_up(const games::GameRules& rules) {
  return rules.family == "circle-poker";
}

bool gives_up(const games::GameRules& rules, std::string_view action) {
  return gives_up(rules) && (action == "retirarse" || action == "resto" || action == "levantarse");
}

std::size_t rounds_worth(const games::GameRules& rules) {
  return rules.family == "bingo" ? 10 : 1;  // up to 90 balls, and every card is checked after each
}

bool rarely_settled(const games::GameRules& rules, std::string_view bet) {
  // Odds on a come bet need one with a point of its own, which most series do not live to see.
  if (rules.family == "dice" && bet.starts_with("asociada-") && bet.ends_with("come")) return true;
  // Random amounts hardly ever meet the exact share of a stake, nor all that an open bank holds.
  return follows_a_stake(rules, bet) || (rules.family == "banque" && bet == "banco");
}

bool rarely_chosen(const games::GameRules& rules, std::string_view action) {
  // No need asks for it: whoever wants chips of his own colour says so.
  if (rules.family == "wheel" && action == "fichas") return true;
  // Asked of who stays when the last card lies open by mistake: in a hand that few rounds play to
  // its end.
  return rules.family == "circle-poker" && (action == "seguir" || action == "no-seguir");
}

bool taken_unasked(const games::GameRules& rules) {
  return rules.family == "dice";
}

std::optional<games::PlaceBet> owed_stake(const games::GameRules& rules, const json::Value& view) {
  if (rules.family != "dice" || view.find("point")->integer() != 0) return std::nullopt;
  const auto* shooter = view.find("shooter");
  if (shooter == nullptr) shooter = view.find("offered");
  const auto* before = view.find("before");
  games::PlaceBet out;
  out.kind = "win";
  out.seat = shooter != nullptr  ? static_cast<games::Seat>(shooter->integer())
             : before != nullptr ? static_cast<games::Seat>(before->integer() + 1)
                                 : 1;
  return out;
}

bool rarely_dealt(const games::GameRules& rules, std::string_view place) {
  // Tables of more than nine are seldom full, where everybody comes and goes.
  const bool far = place.find("-card-") == 7 || place.find("-draw-") == 7;
  // One card that does for the seventh of all needs eight players, of whom hardly anybody retires.
  const bool last_of_all = place == "common-1" && rules.data.contains("dead");
  return rules.family == "circle-poker" && ((place.starts_with("seat-") && far) || last_of_all);
}

bool follows_a_stake(const games::GameRules& rules, std::string_view bet) {
  return rules.family == "trente" && bet == "seguro";  // the premium: exactly one per cent
}

}  // namespace talla::sim
