// Goal: a game cites its own sections, and no label of it speaks of another game.
// Method: all citations of all games; words that belong to one family, looked for in the texts of
// all others. What settlements and refusals cite is held by the test of the scenarios.
#include <gtest/gtest.h>

#include "play_support.hpp"
#include "sections.hpp"

namespace talla::games::test {
namespace {

/// A game may take what another game of the catalogue says, or what is said of the group that it
/// stands in.
bool lends(const Catalogue& rules, const GameRules& game, const std::string& number) {
  if (game.number == number || game.number.starts_with(number + ".")) return true;
  const auto* followed = game.follows.empty() ? nullptr : rules.game(game.follows);
  return followed != nullptr && lends(rules, *followed, number);
}

TEST(Citations, of_a_game_are_its_own_or_those_of_the_group_it_stands_in) {
  for (const auto& file : embedded_catalogues()) {
    const auto rules = catalogue(file.id);
    for (const auto& game : rules->games) {
      for (const auto& cite : Sections(game).citations()) {
        if (cite.number.empty() || !cite.inherited.empty()) continue;
        EXPECT_TRUE(lends(*rules, game, cite.number))
            << rules->id << ' ' << game.id << " (" << game.number << ") names " << cite.number
            << ' ' << cite.section;
      }
    }
  }
}

struct OwnWord {
  std::string_view word;
  std::set<std::string> families;
};

TEST(Labels, speak_of_no_other_game) {
  const std::vector<OwnWord> words{
      {"31 y 31", {"trente"}},
      {"31-31", {"trente"}},
      {"primera carta decide", {"monte"}},
      {"deducción a la primera carta", {"monte"}},
      {"a la banca ganadora", {"baccarat"}},
      {"apuestas ganadoras a la banca", {"baccarat"}},
      {"tras el cero", {"wheel"}},
      {"segundo cero", {"wheel"}},
      {"second zero", {"wheel"}},
      {"after the zero", {"wheel"}},
      {"Black jack", {"blackjack"}},
      {"black jack", {"blackjack"}},
      {"blackjack", {"blackjack"}},
      {"Camo", {"monte"}},
      {"cartón", {"bingo"}},
      {"garage", {"banque"}},
  };
  for (const auto& file : embedded_catalogues()) {
    const auto rules = catalogue(file.id);
    for (const auto& game : rules->games) {
      for (const std::string language : {"es", "en"}) {
        std::vector<std::string> labels;
        for (const auto& bet : game.bets) labels.push_back(rules->text(language, "bet", bet.id));
        for (const auto& one : game.parameters)
          labels.push_back(rules->text(language, "parameter", one.id));
        for (const auto& one : game.actions)
          labels.push_back(rules->text(language, "action", one.id));
        for (const auto& one : game.errors)
          labels.push_back(rules->text(language, "error", one.code));
        for (const auto& label : labels) {
          for (const auto& own : words) {
            if (label.find(own.word) == std::string::npos) continue;
            EXPECT_TRUE(own.families.contains(game.family))
                << rules->id << ' ' << game.id << " says: " << label;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace talla::games::test
