// Goal: a game cites its own sections, and no label of it speaks of another game.
// Method: all citations of all games; words that belong to one family, looked for in the texts of
// all others. What settlements and refusals cite is held by the test of the scenarios.
#include <gtest/gtest.h>

#include "games/scenario.hpp"
#include "play_support.hpp"
#include "sections.hpp"

namespace talla::games::test::citations {
namespace {

/// A game may take what another game of the catalogue says, what is said of the group that it
/// stands in, or what an article of the text says of all of them.
bool lends(const Catalogue& rules, const GameRules& game, const std::string& number) {
  if (number.starts_with("art. ")) return true;
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

Result<std::shared_ptr<const Catalogue>> find(std::string_view id) {
  return catalogue(id);
}

/// What a scenario of that table is refused with.
std::string refused(const std::string& table, const std::string& steps) {
  const auto all = read_scenarios("{" + table + ",\"steps\":[" + steps + "]}");
  TALLA_CHECK(all.size() == 1 && all.front().scenario.has_value());
  const auto outcome = run_scenario(*all.front().scenario, &find);
  return outcome.error ? outcome.error->detail : "accepted";
}

/// Nine pass the bank, the tenth takes it, three of the second cloth stand up: one player is left
/// there.
std::string one_player_at_a_cloth() {
  std::string out = R"({"shoe":"new"})";
  for (int seat = 1; seat < 10; ++seat)
    out += R"(,{"act":{"seat":)" + std::to_string(seat) + R"(,"do":"pasar-turno"}})";
  out += R"(,{"act":{"seat":10,"do":"pujar","amount":1000}})";
  for (int seat = 7; seat < 10; ++seat)
    out += R"(,{"act":{"seat":)" + std::to_string(seat) + R"(,"do":"levantarse"}})";
  return out + R"(,{"bet":{"id":"x","seat":1,"kind":"pano-1","stake":100}},{"close":true})";
}

// 001 L447: two players at each cloth is a rule of VII, not of the bank (V).
TEST(Citations, of_too_few_players_at_two_cloths_name_the_course_of_the_game) {
  for (const std::string game : {"baccarat-banque-limited", "baccarat-banque-open"}) {
    const auto said = refused(R"("catalogue":"es-1977","game":")" + game +
                                  R"(","table":{"currency":"ESP","unit":1,"min":10})",
                              one_player_at_a_cloth());
    EXPECT_NE(said.find("too few players (09 VII)"), std::string::npos) << said;
  }
}

const std::string valencia = R"("catalogue":"es-valencia-2003","game":"blackjack",)";

std::string stake(const std::string& id, int seat, int amount = 100) {
  return R"({"bet":{"id":")" + id + R"(","seat":)" + std::to_string(seat) +
         R"(,"box":1,"kind":"juego-simple","stake":)" + std::to_string(amount) + "}}";
}

// 000 L657: four stakes on a box stand in IV.c; L655: who stands, in IV.b; A51: multiples, in V.3.
TEST(Citations, of_boxes_of_black_jack_name_the_paragraph_that_says_it) {
  const auto five = refused(valencia + R"("table":{"currency":"EUR","unit":1,"min":10})",
                            stake("a", 1) + "," + stake("b", 2) + "," + stake("c", 3) + "," +
                                stake("d", 4) + "," + stake("e", 5));
  EXPECT_NE(five.find("(03 IV.c)"), std::string::npos) << five;
  const auto standing =
      refused(valencia + R"("table":{"currency":"EUR","unit":1,"min":10})", stake("a", 30));
  EXPECT_NE(standing.find("(03 IV.b)"), std::string::npos) << standing;
  const auto odd = refused(
      valencia +
          R"("table":{"currency":"EUR","unit":1,"min":10,"params":{"multiples_of_min":true}})",
      stake("a", 1, 15));
  EXPECT_NE(odd.find("(03 V.3)"), std::string::npos) << odd;
}

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
}  // namespace talla::games::test::citations
