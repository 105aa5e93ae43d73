// Goal: the page gets the odds that the games give, at their defaults, and nothing for what has
//       none.
// Method: every game of every built-in catalogue by its path; paths that are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "base/json.hpp"
#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "web/odds.hpp"

namespace talla::web {
namespace {

/// Wheels, dice, every baccarat, trente et quarante, monte, bingo, blackjack, poker against the
/// house, and pai gow.
bool has_odds(const games::GameRules& game) {
  constexpr std::array families = {"wheel",  "dice",      "baccarat",     "banque",
                                   "trente", "trijoker",  "texas-holdem", "monte",
                                   "bingo",  "blackjack", "second-bet",   "pai-gow"};
  return std::ranges::find(families, game.family) != families.end();
}

/// Ten cells a row, and what is written in a cell stands in the legend of its language.
void expect_whole(const json::Value& chart) {
  EXPECT_EQ(chart.find("dealer")->array().size(), 10U);
  for (const char* part : {"hard", "soft", "pairs"}) {
    EXPECT_FALSE(chart.find(part)->array().empty());
    for (const json::Value& row : chart.find(part)->array()) {
      ASSERT_EQ(row.find("against")->array().size(), 10U) << part;
      for (const json::Value& cell : row.find("against")->array()) {
        for (const char* language : {"en", "es"}) {
          const auto& legend = chart.find("legend")->find(language)->array();
          const auto& letters = cell.find(language)->string();
          EXPECT_TRUE(std::ranges::any_of(
              legend,
              [&](const json::Value& one) { return one.find("letters")->string() == letters; }))
              << language << " " << letters;
        }
      }
    }
  }
}

TEST(OddsPages, every_game_has_its_own_at_its_defaults_or_none) {
  const certs::OpensslHashes hashes;
  OddsPages pages(hashes);
  int shown = 0;
  for (const games::EmbeddedCatalogue& file : games::embedded_catalogues()) {
    const auto catalogue = games::load_embedded(file.id, hashes);
    ASSERT_TRUE(catalogue);
    for (const games::GameRules& game : (*catalogue)->games) {
      const auto path = "/web/odds/" + std::string(file.id) + "/" + game.id + ".json";
      const auto text = pages.find(path);
      const bool wanted = has_odds(game);
      ASSERT_EQ(text.has_value(), wanted) << path;
      EXPECT_EQ(pages.find(path), text) << "the same again";
      if (!text) continue;
      const auto value = json::parse(*text);
      ASSERT_TRUE(value) << path;
      EXPECT_FALSE(value->find("bets")->array().empty() && value->find("others")->array().empty())
          << path;
      const json::Value* chart = value->find("chart");
      if (chart != nullptr) expect_whole(*chart);
      if (game.id == "blackjack" || chart != nullptr) {
        EXPECT_EQ(game.family, "blackjack") << path;
        EXPECT_NE(chart, nullptr) << path;
      }
      ++shown;
    }
  }
  EXPECT_GE(shown, 46);
}

TEST(OddsPages, answers_no_other_path) {
  const certs::OpensslHashes hashes;
  OddsPages pages(hashes);
  for (const std::string path :
       {"", "/web/odds/", "/web/odds/.json", "/web/odds/es-1977.json", "/web/odds/es-1977/.json",
        "/web/odds//craps.json", "/web/odds/es-1977/craps", "/web/odds/es-1977/craps.json?",
        "/web/odds/es-1977/craps/x.json", "/web/odds/es-1977/no-game.json",
        "/web/odds/no-catalogue/craps.json", "/web/odds/../es-1977/craps.json"})
    EXPECT_FALSE(pages.find(path)) << path;
}

TEST(OddsPages, many_may_ask_at_once) {
  const certs::OpensslHashes hashes;
  OddsPages pages(hashes);
  const auto first = OddsPages(hashes).find("/web/odds/es-1977/craps.json");
  ASSERT_TRUE(first);
  std::vector<std::thread> askers;
  std::vector<std::optional<std::string>> texts(4);
  for (auto& text : texts)
    askers.emplace_back([&pages, &text] { text = pages.find("/web/odds/es-1977/craps.json"); });
  for (auto& asker : askers) asker.join();
  for (const auto& text : texts) EXPECT_EQ(text, first);
}

TEST(OddsPages, what_is_known_is_answered_while_other_odds_are_worked_out) {
  const certs::OpensslHashes hashes;
  OddsPages pages(hashes);
  const auto known = pages.find("/web/odds/es-1977/craps.json");
  std::atomic<bool> done = false;
  std::thread slow([&] {
    static_cast<void>(pages.find("/web/odds/es-1977/blackjack.json"));
    done = true;
  });
  int answered = 0;
  while (!done) {
    EXPECT_EQ(pages.find("/web/odds/es-1977/craps.json"), known);
    if (!done) ++answered;
  }
  slow.join();
  EXPECT_GT(answered, 100) << "a page that is known waits for one that is counted";
}

}  // namespace
}  // namespace talla::web
