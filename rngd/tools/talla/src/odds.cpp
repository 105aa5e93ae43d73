// talla odds: what every bet of a game is worth, exactly; offline.
#include "games/odds.hpp"

#include <algorithm>
#include <memory>

#include "app.hpp"
#include "catalogue_tables.hpp"
#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "games/other_values.hpp"
#include "games/refusal.hpp"
#include "odds_parts.hpp"
#include "params.hpp"

namespace talla::cli {

namespace {

struct OddsOptions : GameAsked {
  std::string bet;
  std::string seen;
  bool all = false;
  bool count = false;
  bool csv = false;
  [[nodiscard]] games::OddsTime time() const {
    return count ? games::OddsTime::minutes : games::OddsTime::seconds;
  }
};

struct Headings {
  const char *bet, *win, *lose, *other, *returned, *staked, *edge, *risk, *deviation, *run, *house,
      *exact;
  const char *positions, *without, *with;
  std::string_view warning;
};
constexpr Headings spanish_headings = {"apuesta",
                                       "gana",
                                       "pierde",
                                       "vuelve",
                                       "devuelve",
                                       "arriesga",
                                       "ventaja",
                                       "de lo arriesgado",
                                       "desviaci\u00f3n",
                                       "racha",
                                       "la casa",
                                       "exacta",
                                       "posiciones",
                                       "No por s\u00ed solas:",
                                       "con",
                                       "ATENCIÓN: con estas reglas gana el jugador: "};
constexpr Headings english_headings = {"bet",       "wins",
                                       "loses",     "comes back",
                                       "returns",   "at risk",
                                       "edge",      "of what is at risk",
                                       "deviation", "run",
                                       "the house", "exact",
                                       "positions", "Not by themselves:",
                                       "with",      "WARNING: under these rules the player wins: "};

constexpr std::size_t positions_shown = 2;

std::string joined(const std::vector<std::string>& codes) {
  std::string out;
  for (const std::string& code : codes) out += (out.empty() ? "" : " ") + code;
  return out;
}

std::string run_text(const games::Odds& odds) {
  const auto run = games::losing_run(odds);
  return run ? std::to_string(*run) : "";
}

/// The bet is one of the game's, or of those that its odds name beside them (the bank that a player
/// holds). Errors: CliErrc::usage.
Status known_bet(const games::Table& table, const games::TableOdds& all, const std::string& bet) {
  std::vector<std::string> there;
  for (const auto& rule : table.rules().bets) there.push_back(rule.id);
  for (const auto& one : all.bets)
    if (std::ranges::find(there, one.bet) == there.end()) there.push_back(one.bet);
  if (bet.empty() || std::ranges::find(there, bet) != there.end()) return {};
  return fail(CliErrc::usage,
              table.rules().id + " has no bet " + bet + "; there are: " + games::listed(there));
}

class Sheet {
 public:
  Sheet(App& app, const OddsOptions& options) : app_(app), options_(options) {}

  void of_game(const games::Table& table) {
    const auto cards = cards_of(options_.seen);
    if (!cards) return app_.refuse(cards.error());
    const auto all = cards->empty() ? games::bet_odds(table, options_.time(), options_.bet)
                                    : games::next_odds(table, *cards, options_.bet);
    if (!all) return app_.refuse(all.error());
    if (const Status known = known_bet(table, *all, options_.bet); !known)
      return app_.refuse(known.error());
    csv_head();
    show(table, *all);
  }

  /// Every game of every catalogue, as it stands; of a game whose odds are not worked out the
  /// reason.
  void of_all() {
    const certs::OpensslHashes hashes;
    for (const auto& file : games::embedded_catalogues()) {
      auto catalogue = games::load_embedded(file.id, hashes);
      if (!catalogue) return app_.refuse(catalogue.error());
      for (const auto& game : (*catalogue)->games) {
        json::Value params = json::Object{};
        if (!game.base.empty()) params["base"] = game.base;
        const auto table = games::odds_table(*catalogue, game.id, std::move(params));
        const auto odds = table ? games::bet_odds(*table, options_.time())
                                : Result<games::TableOdds>(tl::unexpected(table.error()));
        if (!options_.csv) app_.say((*catalogue)->id + " " + game.id);
        if (odds) {
          show(*table, *odds);
          continue;
        }
        for (const auto& bet : game.bets) {
          json::Value without;
          without["catalogue"] = (*catalogue)->id;
          without["game"] = game.id;
          without["bet"] = bet.id;
          without["without_odds"] = odds.error().detail;
          app_.emit(without);
        }
        if (options_.csv) continue;
        app_.say("  " + games::refusal_text({}, odds.error().detail, options_.language));
      }
    }
  }

  void csv_head() const {
    if (options_.csv)
      app_.say(
          "catalogue,game,bet,positions,win,lose,other,returned,staked,house_edge,edge_at_risk,"
          "deviation,losing_run,method,with,play,house_share");
  }

 private:
  void show(const games::Table& table, const games::TableOdds& all) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& bet : all.bets) {
      if (!wanted(bet.bet)) continue;
      app_.emit(of_catalogue(games::to_json(bet), table));
      csv(table, bet);
      rows.push_back(row(table, bet));
    }
    for (const auto& bet : all.others) {
      if (wanted(bet.bet)) app_.emit(of_catalogue(games::to_json(bet), table));
    }
    if (options_.csv) return;
    const Headings& words = headings();
    say_table(app_,
              {words.bet, words.positions, words.win, words.lose, words.other, words.returned,
               words.staked, words.edge, words.risk, words.deviation, words.run, words.house,
               words.exact},
              rows);
    for (const auto& bet : all.bets)
      if (wanted(bet.bet) && games::player_wins(bet))
        app_.say(std::string(headings().warning) + row(table, bet).front() + ", " +
                 games::percent_text(-bet.odds.house_edge()));
    for (const auto& bet : all.bets)
      if (wanted(bet.bet) && bet.jackpot) app_.say("  " + jackpot(table, bet));
    bool begun = false;
    for (const auto& bet : all.others) {
      if (!wanted(bet.bet)) continue;
      if (!begun) app_.say(words.without);
      begun = true;
      app_.say("  " + name(table, bet.bet) + ": " +
               games::refusal_text({}, bet.reason, options_.language));
    }
  }

  [[nodiscard]] const Headings& headings() const {
    return options_.language == "en" ? english_headings : spanish_headings;
  }
  [[nodiscard]] bool wanted(const std::string& bet) const {
    return options_.bet.empty() || options_.bet == bet;
  }
  [[nodiscard]] std::string name(const games::Table& table, const std::string& bet) const {
    return table.catalogue().text(options_.language, "bet", bet);
  }
  [[nodiscard]] std::vector<std::string> row(const games::Table& table,
                                             const games::BetOdds& bet) const {
    std::string called = name(table, bet.bet);
    for (const std::string& further : bet.with)
      called += (&further == &bet.with.front() ? std::string(", ") + headings().with + " " : ", ") +
                name(table, further);
    for (const std::string& play : bet.play)
      called += ", " + std::string(games::play_words(play, options_.language));
    const auto known = [&](const std::string& figure) {
      return bet.mean_only ? std::string() : figure;
    };
    return {called,
            games::positions_text(bet.on, positions_shown),
            known(games::percent_text(bet.odds.win)),
            known(games::percent_text(bet.odds.lose)),
            known(games::percent_text(bet.odds.other)),
            games::percent_text(bet.odds.returned),
            games::percent_text(bet.odds.staked),
            games::percent_text(bet.odds.house_edge()),
            games::percent_text(bet.odds.edge_at_risk()),
            bet.mean_only ? "" : games::deviation(bet.odds, games::deviation_places),
            bet.mean_only ? "" : run_text(bet.odds),
            bet.house_share ? games::percent_text(*bet.house_share) : "",
            bet.odds.house_edge().text()};
  }
  /// How often it is hit, how it grows, and from what on the bet pays.
  [[nodiscard]] std::string jackpot(const games::Table& table, const games::BetOdds& bet) const {
    const games::JackpotOdds& one = *bet.jackpot;
    const bool english_words = options_.language == "en";
    const auto known = [](const std::optional<games::Ratio>& figure) {
      return figure ? figure->text() : std::string("-");
    };
    std::string called = name(table, bet.bet);
    for (const std::string& play : bet.play)
      called += ", " + std::string(games::play_words(play, options_.language));
    return called +
           (english_words ? ": the jackpot is hit by a bet with chance "
                          : ": una apuesta se lleva bote con probabilidad ") +
           one.hit.text() + (english_words ? ", taken whole with " : ", entero con ") +
           one.whole.text() +
           (english_words ? "; each adds so many stakes: " : "; cada una le añade en posturas: ") +
           one.growth.text() + (english_words ? "; it holds on average: " : "; de media tiene: ") +
           known(one.mean) +
           (english_words ? "; it pays from so many stakes on: " : "; trae cuenta desde: ") +
           known(one.break_even);
  }
  [[nodiscard]] json::Value of_catalogue(json::Value value, const games::Table& table) const {
    if (!options_.all) return value;
    value["catalogue"] = table.catalogue().id;
    value["game"] = table.rules().id;
    return value;
  }
  /// One line a bet; no code of a catalogue has a comma or a quote.
  void csv(const games::Table& table, const games::BetOdds& bet) const {
    if (!options_.csv) return;
    const games::Odds& odds = bet.odds;
    std::string line = table.catalogue().id + "," + table.rules().id + "," + bet.bet + ",";
    for (std::size_t i = 0; i < bet.on.size(); ++i) {
      line += i == 0 ? "" : " ";
      for (std::size_t k = 0; k < bet.on[i].size(); ++k) line += (k == 0 ? "" : "-") + bet.on[i][k];
    }
    for (const games::Ratio& figure : {odds.win, odds.lose, odds.other})
      line += "," + (bet.mean_only ? std::string() : figure.text());
    for (const games::Ratio& figure :
         {odds.returned, odds.staked, odds.house_edge(), odds.edge_at_risk()})
      line += "," + figure.text();
    if (bet.mean_only) {
      line += ",,";
    } else {
      line += "," + games::deviation(odds, games::deviation_places) + "," + run_text(odds);
    }
    app_.say(line + "," + std::string(games::odds_method_name(bet.method)) + "," +
             joined(bet.with) + "," + joined(bet.play) + "," +
             (bet.house_share ? bet.house_share->text() : ""));
  }

  App& app_;
  const OddsOptions& options_;
};

void odds(App& app, const OddsOptions& options) {
  Sheet sheet(app, options);
  if (options.all) {
    if (!options.catalogue.empty() || !options.params.empty() || !options.seen.empty())
      return app.refuse(
          fail(CliErrc::usage, "--all takes neither a game nor --param nor --seen").value());
    sheet.csv_head();
    return sheet.of_all();
  }
  if (options.game.empty())
    return app.refuse(fail(CliErrc::usage, "which game? CATALOGUE GAME, or --all").value());
  const auto table = odds_table_of(options);
  if (!table) return app.refuse(table.error());
  sheet.of_game(*table);
}

}  // namespace

void add_odds(commandline::Command& root, App& app) {
  auto options = std::make_shared<OddsOptions>();
  auto* command = root.add_subcommand(
      "odds",
      "what every bet of a game is worth, exactly: chances, return, house edge, deviation, the "
      "losing run of one in a hundred");
  command->add_option("CATALOGUE", options->catalogue, "e.g. es-1977");
  command->add_option("GAME", options->game, "e.g. french-roulette");
  command->add_option("BET", options->bet, "only this bet, e.g. rojo");
  command->add_option("--param", options->params,
                      "NAME=VALUE, a parameter of the game (see talla catalogue show)");
  command->add_option("--seen", options->seen,
                      "cards that came from the shoe, e.g. TS6H: of its next coup or hand (punto y "
                      "banca, black jack)");
  command->add_flag("--all", options->all, "every game of every catalogue");
  command->add_flag("--count", options->count, "also what takes minutes");
  command->add_flag("--csv", options->csv, "a line of values for each bet");
  command->add_option("--language", options->language, "es or en")
      ->one_of({"es", "en"})
      ->capture_default_str();
  const auto taken = std::make_shared<bool>(false);
  add_equity(*command, app, taken);
  add_chart(*command, app, taken);
  add_odds_readings(*command, app, taken);
  add_odds_ends(*command, app, taken);
  add_odds_sheet(*command, app, taken);
  command->callback([&app, options, taken] {
    if (*taken) return;
    app.language = options->language;
    odds(app, *options);
  });
}

}  // namespace talla::cli
