// Writes games/src/odds/stored_data.cpp: counts all odds that are stored, from zero.
//
//   make_odds | clang-format-16 > games/src/odds/stored_data.cpp      (some tens of minutes, 2 GiB)
//   make_odds CATALOGUE GAME                        that game alone, its lines only
//   make_odds small                                 of decks small enough for Python to play out
//   make_odds boards                                of hold'em beside one board alone
#include <array>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "engines/texas/rules.hpp"
#include "games/catalogue.hpp"
#include "odds/draw_law.hpp"
#include "odds/poker/holdem.hpp"
#include "odds/stored_odds.hpp"
#include "shuffle/deck.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::games {
namespace {

/// A bet, and the parameters that its count reads with all their values.
struct Case {
  const char* catalogue = "";
  const char* game = "";
  const char* bet = "";
  const char* params = "";
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
    static_cast<void>(std::fflush(stdout));
  }
}

void write_all(const std::string& catalogue, const std::string& game) {
  std::set<std::uint64_t> laws;
  for (const Case& one : cases) {
    if (!catalogue.empty() && (one.catalogue != catalogue || one.game != game)) continue;
    write(one, laws);
  }
}

/// Tens to aces: what three hands of draw poker gain by each change of cards, bank and payments as
/// in Euskadi. Lines of: hand, cards given up ("-": none), gain.
void write_small() {
  const test::OpenSslHashes hashes;
  const Table table =
      odds_table(load_embedded("es-euskadi-2010", hashes).value(), "draw-poker-house", {}).value();
  const second_bet::Law law(table);
  const auto of_table = draw_law(law).value();
  constexpr int lowest = 10;
  std::vector<shuffle::Card> deck;
  for (const shuffle::Card card : shuffle::DeckSpec::french(1).cards())
    if (card.rank() == 1 || card.rank() >= lowest) deck.push_back(card);
  using Hand = std::array<poker::Place, poker::five_cards>;
  constexpr std::array hands = {Hand{0, 1, 5, 8, 19}, Hand{0, 2, 3, 4, 11}, Hand{1, 6, 12, 15, 18}};
  const auto odds = poker::draw_odds(law.ranker(), deck, of_table, hands);
  const auto text = [&](const auto& places) {
    std::string out;
    for (const poker::Place place : places) out += deck.at(place).text();
    return out.empty() ? std::string("-") : out;
  };
  for (std::size_t i = 0; i < hands.size(); ++i)
    for (const poker::DrawChoice& one : odds.choices.at(i))
      std::printf("%s %s %s\n", text(hands.at(i)).c_str(), text(one.given_up).c_str(),
                  one.gain.text().c_str());
}

/// Hold'em as in Aragón with these five common cards in every order: lines of the board, what all
/// deals gain at best, and what they lay down.
void write_boards() {
  const test::OpenSslHashes hashes;
  const Table table =
      odds_table(load_embedded("es-aragon-2010", hashes).value(), "texas-holdem-house", {}).value();
  const auto& rules = table.prepared<texas::Rules>();
  const poker::HoldemBetsLaw law{
      .ante = poker::PayTable::from(DataLaw(table).bet(rules.ante), table.params()).value()};
  const auto deck = shuffle::DeckSpec::french(1).cards();
  for (const char* board : {"2S7D9STCTH", "4C9CKC9DQH"}) {
    std::vector<shuffle::Card> cards;
    for (std::string_view left = board; !left.empty(); left.remove_prefix(2))
      cards.push_back(shuffle::Card::parse(left.substr(0, 2)).value());
    const std::array boards = {poker::SuitClass{.cards = cards, .deals = 1}};
    const poker::Odds odds = poker::holdem_bets_odds(rules.ranker, deck, law, boards).value().best;
    std::printf("%s %lld %lld\n", board, static_cast<long long>(odds.net),
                static_cast<long long>(odds.staked));
  }
}

}  // namespace
}  // namespace talla::games

int main(int count, char** words) {
  if (count == 2 && std::string(words[1]) == "small") {
    talla::games::write_small();
    return 0;
  }
  if (count == 2 && std::string(words[1]) == "boards") {
    talla::games::write_boards();
    return 0;
  }
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
