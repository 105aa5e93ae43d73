// Writes games/src/odds/stored_data.cpp: counts all odds that are stored, from zero.
//
//   make_odds | clang-format-16 > games/src/odds/stored_data.cpp      (some tens of minutes, 2 GiB)
//   make_odds CATALOGUE GAME                        that game alone, its lines only
#include <array>
#include <cstdio>
#include <set>
#include <string>

#include "games/catalogue.hpp"
#include "odds/stored_odds.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::games {
namespace {

/// A bet, and the parameters that its count reads with all their values.
struct Case {
  const char* catalogue;
  const char* game;
  const char* bet;
  const char* params;
  const char* play = "";
};
constexpr std::array cases = {
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial", "{}"},
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial", R"({"bank_low_ace_run":true})"},
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial",
         R"({"tie_cards":"combination"})"},
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial",
         R"({"bank_low_ace_run":true,"tie_cards":"combination"})"},
    Case{"es-euskadi-2010", "pai-gow-poker", "apuesta", "{}", "best-play"},
    Case{"es-euskadi-2010", "pai-gow-poker", "apuesta", R"({"house_way":"best-high"})",
         "best-play"},
    Case{"es-euskadi-2010", "pai-gow-poker", "apuesta", R"({"house_way":"best-low"})", "best-play"},
    Case{"es-euskadi-2010", "texas-holdem-house", "ante", "{}"},
    Case{"es-euskadi-2010", "texas-holdem-house", "ante", R"({"second_bet_multiple":1})"},
    Case{"es-euskadi-2010", "texas-holdem-house", "ante", R"({"kickers":"combination"})"},
    Case{"es-euskadi-2010", "texas-holdem-house", "ante",
         R"({"kickers":"combination","second_bet_multiple":1})"},
    Case{"es-aragon-2010", "texas-holdem-house", "ante", "{}"},
    Case{"es-aragon-2010", "texas-holdem-house", "ante", R"({"kickers":"combination"})"},
    Case{"es-aragon-2010", "texas-holdem-bonus", "ante", "{}"},
    Case{"es-aragon-2010", "texas-holdem-bonus", "ante", R"({"kickers":"combination"})"},
    Case{"es-valencia-2003", "caribbean-stud", "apuesta-inicial", "{}"},
    Case{"es-aragon-2010", "caribbean-stud", "apuesta-inicial", "{}"},
    Case{"es-aragon-2010", "caribbean-stud", "apuesta-inicial", R"({"ace_king_pays":"nothing"})"},
    Case{"es-euskadi-2010", "caribbean-stud", "apuesta-inicial", "{}"},
    Case{"es-euskadi-2010", "caribbean-stud", "apuesta-inicial", R"({"tie_cards":"combination"})"},
    Case{"es-aragon-2010", "caribbean-stud", "apuesta-inicial", R"({"card_purchase":true})"},
    Case{"es-aragon-2010", "caribbean-stud", "apuesta-inicial",
         R"({"ace_king_pays":"nothing","card_purchase":true})"},
    Case{"es-euskadi-2010", "caribbean-stud", "apuesta-inicial", R"({"card_purchase":true})"},
    Case{"es-euskadi-2010", "caribbean-stud", "apuesta-inicial",
         R"({"card_purchase":true,"tie_cards":"combination"})"},
};

/// The lines of one case; nothing where another had the same law.
void write(const Case& one, std::set<std::uint64_t>& laws) {
  const test::OpenSslHashes hashes;
  auto catalogue = load_embedded(one.catalogue, hashes).value();
  const Table table =
      odds_table(std::move(catalogue), one.game, json::parse(one.params).value()).value();
  if (laws.contains(law_number(counted_law(table, one.bet, one.play)))) return;
  const TableOdds all = bet_odds(table, OddsTime::minutes, one.bet).value();
  for (const BetOdds& bet : all.bets) {
    if (bet.bet != one.bet) continue;
    const std::uint64_t law =
        law_number(counted_law(table, one.bet, bet.play.empty() ? "" : bet.play.front()));
    laws.insert(law);
    const Odds& odds = bet.odds;
    std::printf("    // %s %s %s\n    StoredOdds{0x%016llxULL,\n", one.catalogue, one.game,
                one.params, static_cast<unsigned long long>(law));
    const std::array figures = {odds.win, odds.lose, odds.returned, odds.square, odds.staked};
    for (std::size_t i = 0; i < figures.size(); ++i)
      std::printf("               \"%s\"%s\n", figures.at(i).text().c_str(),
                  i + 1 < figures.size() ? "," : "},");
    std::fflush(stdout);
  }
}

void write_all(const std::string& catalogue, const std::string& game) {
  std::set<std::uint64_t> laws;
  for (const Case& one : cases) {
    if (!catalogue.empty() && (one.catalogue != catalogue || one.game != game)) continue;
    write(one, laws);
  }
}

}  // namespace
}  // namespace talla::games

int main(int count, char** words) {
  if (count == 3) {
    talla::games::write_all(words[1], words[2]);
    return 0;
  }
  std::puts(
      "// Odds that were counted before. Written by make_odds (tests/odds); do not edit.\n"
      "#include <array>\n\n#include \"odds/stored_odds.hpp\"\n\nnamespace talla::games {\n\n"
      "namespace {\n\nconstexpr std::array stored = {");
  talla::games::write_all("", "");
  std::puts(
      "};\n\n}  // namespace\n\nstd::span<const StoredOdds> all_stored_odds() {\n"
      "  return stored;\n}\n\n}  // namespace talla::games");
  return 0;
}
