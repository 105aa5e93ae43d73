// talla odds: what every bet of a game is worth, exactly; offline.
#include "games/odds.hpp"

#include <memory>

#include "app.hpp"
#include "catalogue_tables.hpp"
#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "games/refusal.hpp"
#include "params.hpp"

namespace talla::cli {

namespace {

struct OddsOptions {
  std::string catalogue;
  std::string game;
  std::vector<std::string> params;
  std::string language = "es";
};

struct Headings {
  const char *bet, *win, *lose, *other, *returned, *edge, *exact;
  const char *positions, *without;
};
constexpr Headings spanish = {"apuesta", "gana",       "pierde",
                              "vuelve",  "devuelve",   "ventaja",
                              "exacta",  "posiciones", "No por s\u00ed solas:"};
constexpr Headings english = {"bet",  "wins",  "loses",     "comes back",        "returns",
                              "edge", "exact", "positions", "Not by themselves:"};

/// Four places behind the point, rounded half away from zero; integers only.
std::string percent(const games::Fraction& fraction) {
  constexpr games::Int128 places = 10'000;
  const bool negative = fraction.numerator() < 0;
  const games::Int128 numerator = negative ? -fraction.numerator() : fraction.numerator();
  const games::Int128 scaled = (numerator * 100 * places * 2 / fraction.denominator() + 1) / 2;
  std::string part = std::to_string(static_cast<std::int64_t>(scaled % places));
  part.insert(0, 4 - part.size(), '0');
  return (negative ? "-" : "") + std::to_string(static_cast<std::int64_t>(scaled / places)) + "." +
         part + " %";
}

/// The first positions; how many more.
std::string positions(const games::BetOdds& bet) {
  constexpr std::size_t shown = 2;
  std::string text;
  for (std::size_t i = 0; i < bet.on.size() && i < shown; ++i) {
    text += i == 0 ? "" : ", ";
    for (std::size_t k = 0; k < bet.on[i].size(); ++k) text += (k == 0 ? "" : "-") + bet.on[i][k];
  }
  return bet.on.size() > shown ? text + ", +" + std::to_string(bet.on.size() - shown) : text;
}

Result<games::Table> open(const OddsOptions& options) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(auto catalogue, games::load_embedded(options.catalogue, hashes));
  TALLA_TRY(auto params, params_of(options.params));
  return games::odds_table(std::move(catalogue), options.game, std::move(params));
}

void odds(App& app, const OddsOptions& options) {
  const auto table = open(options);
  if (!table) return app.refuse(table.error());
  const auto all = games::bet_odds(*table);
  if (!all) return app.refuse(all.error());
  const Headings& words = options.language == "en" ? english : spanish;
  const auto name = [&](const std::string& bet) {
    return table->catalogue().text(options.language, "bet", bet);
  };
  std::vector<std::vector<std::string>> rows;
  for (const auto& bet : all->bets) {
    app.emit(games::to_json(bet));
    rows.push_back({name(bet.bet), positions(bet), percent(bet.odds.win), percent(bet.odds.lose),
                    percent(bet.odds.other), percent(bet.odds.returned),
                    percent(bet.odds.house_edge()), bet.odds.house_edge().text()});
  }
  say_table(app,
            {words.bet, words.positions, words.win, words.lose, words.other, words.returned,
             words.edge, words.exact},
            rows);
  if (!all->others.empty()) app.say(words.without);
  for (const auto& bet : all->others) {
    app.emit(games::to_json(bet));
    app.say("  " + name(bet.bet) + ": " + games::refusal_text({}, bet.reason, options.language));
  }
}

}  // namespace

void add_odds(commandline::Command& root, App& app) {
  auto options = std::make_shared<OddsOptions>();
  auto* command =
      root.add_subcommand("odds",
                          "what every bet of a game is worth, exactly: chances, return, "
                          "house edge (wheels, dice, punto y banca)");
  command->add_option("CATALOGUE", options->catalogue, "e.g. es-1977")->required();
  command->add_option("GAME", options->game, "e.g. french-roulette")->required();
  command->add_option("--param", options->params,
                      "NAME=VALUE, a parameter of the game (see talla catalogue show)");
  command->add_option("--language", options->language, "es or en")
      ->one_of({"es", "en"})
      ->capture_default_str();
  command->callback([&app, options] {
    app.language = options->language;
    odds(app, *options);
  });
}

}  // namespace talla::cli
