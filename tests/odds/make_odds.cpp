// Writes games/src/odds/stored_data.cpp: counts all odds that are stored, from zero.
//
//   make_odds | clang-format-16 > games/src/odds/stored_data.cpp      (some tens of minutes, 2 GiB)
//   make_odds CATALOGUE GAME                        that game alone, its lines only
//   make_odds settings | clang-format-16 > games/src/odds/stored_settings.cpp       pai gow, 3 GiB
//   make_odds small                                 of decks small enough for Python to play out
//   make_odds set                                   pai gow of four ranks and the joker
//   make_odds boards                                of hold'em beside one board alone
#include <array>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "engines/pai_gow/rules.hpp"
#include "engines/texas/rules.hpp"
#include "games/catalogue.hpp"
#include "odds/draw_law.hpp"
#include "odds/poker/holdem.hpp"
#include "odds/poker/pai_gow.hpp"
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
};
constexpr std::array cases = {
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial", "{}"},
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial", R"({"bank_low_ace_run":true})"},
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial",
         R"({"tie_cards":"combination"})"},
    Case{"es-euskadi-2010", "draw-poker-house", "apuesta-inicial",
         R"({"bank_low_ace_run":true,"tie_cards":"combination"})"},
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
  if (laws.contains(law_number(counted_law(table, one.bet)))) return;
  const TableOdds all = bet_odds(table, OddsTime::minutes, one.bet).value();
  for (const BetOdds& bet : all.bets) {
    if (bet.bet != one.bet) continue;
    const std::uint64_t law = law_number(counted_law(table, one.bet));
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

/// Pai gow in Euskadi, whose parameters hold Aragón's: each way of the bank, each way of the client
/// and the best ones, at commissions that tables have.
class Settings {
 public:
  static constexpr std::array banks = {std::pair{pai_gow::HouseWay::informative, "informative"},
                                       std::pair{pai_gow::HouseWay::best_high, "best-high"},
                                       std::pair{pai_gow::HouseWay::best_low, "best-low"}};

  void write(const std::string& hands_params) {
    const Table table = open(hands_params);
    const poker::PaiGowHands hands(table.prepared<pai_gow::Rules>().ranker, poker::ranks_count);
    const poker::PaiGow game(hands);
    for (const auto& [way, code] : banks) {
      std::printf("    // %s %s\n", hands_params.c_str(), code);
      const std::string bank = hands_params + R"(,"house_way":")" + code + '"';
      const poker::PaiGowOdds odds = game.against(way, aims());
      for (const auto client : pai_gow::all_house_ways)
        row(open(bank), "way-" + std::string(banks.at(static_cast<std::size_t>(client)).second),
            odds.ways.at(static_cast<std::size_t>(client)));
      for (std::size_t i = 0; i < aims().size(); ++i) {
        const poker::PaiGowAim& aim = aims().at(i);
        row(open(bank + R"(,"commission":")" + aim.commission.text() + R"(","foul_hand":")" +
                 (aim.wrongly ? "high" : "both") + '"'),
            "best-play", odds.best.at(i));
      }
    }
  }

 private:
  static const std::vector<poker::PaiGowAim>& aims() {
    static const auto all = [] {
      std::vector<poker::PaiGowAim> out;
      for (const bool wrongly : {false, true})
        for (const Fraction& commission :
             {Fraction(1, 20), Fraction(0), Fraction(1, 100), Fraction(1, 50), Fraction(1, 40),
              Fraction(3, 100), Fraction(1, 25)})
          out.push_back({.commission = commission, .wrongly = wrongly});
      return out;
    }();
    return all;
  }
  [[nodiscard]] Table open(const std::string& params) const {
    return odds_table(catalogue_, "pai-gow-poker", json::parse("{" + params + "}").value()).value();
  }
  static void row(const Table& table, const std::string& play, const poker::PaiGowSums& sums) {
    TALLA_CHECK(sums.deals == stored_setting_deals);
    const auto law = law_number(counted_law(table, table.prepared<pai_gow::Rules>().bet, play));
    std::printf("    StoredSetting{0x%016llxULL, %lld, %lld},\n",
                static_cast<unsigned long long>(law), static_cast<long long>(sums.win),
                static_cast<long long>(sums.lose));
    static_cast<void>(std::fflush(stdout));
  }

  test::OpenSslHashes hashes_;
  std::shared_ptr<const Catalogue> catalogue_ = load_embedded("es-euskadi-2010", hashes_).value();
};

/// A source in which a function, so called, gives all lines of data, each of that type.
void write_source(const char* type, const char* function, const char* name, const auto& lines) {
  std::printf(
      "// Odds that were counted before. Written by make_odds (tests/odds); do not edit.\n"
      "#include <array>\n\n#include \"odds/stored_odds.hpp\"\n\nnamespace talla::games {\n\n"
      "namespace {\n\nconstexpr std::array %s = {\n",
      name);
  lines();
  std::printf(
      "};\n\n}  // namespace\n\nstd::span<const %s> %s() {\n"
      "  return %s;\n}\n\n}  // namespace talla::games\n",
      type, function, name);
}

void write_settings() {
  write_source("StoredSetting", "all_stored_settings", "settings", [] {
    Settings settings;
    for (const char* joker : {"ace-or-completer", "ace-only"})
      for (const char* kickers : {"full", "combination"})
        settings.write(std::string(R"("joker":")") + joker + R"(","kickers":")" + kickers + '"');
  });
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

/// Pai gow of four ranks and the joker: lines of the bank's way, the client's, and how many of all
/// deals he wins and loses.
void write_set() {
  const test::OpenSslHashes hashes;
  const Table table =
      odds_table(load_embedded("es-euskadi-2010", hashes).value(), "pai-gow-poker", {}).value();
  const auto& rules = table.prepared<pai_gow::Rules>();
  constexpr std::size_t ranks = 4;
  const poker::PaiGowHands hands(rules.ranker, ranks);
  const poker::PaiGow game(hands);
  const std::array aims = {poker::PaiGowAim{.commission = rules.commission, .wrongly = false}};
  const auto line = [](const char* bank, const char* way, const poker::PaiGowSums& sums) {
    std::printf("%s %s %lld/%lld %lld/%lld\n", bank, way, static_cast<long long>(sums.win),
                static_cast<long long>(sums.deals), static_cast<long long>(sums.lose),
                static_cast<long long>(sums.deals));
  };
  for (const auto& [way, bank] : Settings::banks) {
    const auto odds = game.against(way, aims);
    for (const auto& [own, client] : Settings::banks)
      line(bank, client, odds.ways.at(static_cast<std::size_t>(own)));
    line(bank, "best", odds.best.front());
  }
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
  if (count == 2 && std::string(words[1]) == "settings") {
    talla::games::write_settings();
    return 0;
  }
  if (count == 2 && std::string(words[1]) == "small") {
    talla::games::write_small();
    return 0;
  }
  if (count == 2 && std::string(words[1]) == "set") {
    talla::games::write_set();
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
  talla::games::write_source("StoredOdds", "all_stored_odds", "stored",
                             [] { talla::games::write_all("", ""); });
  return 0;
}
