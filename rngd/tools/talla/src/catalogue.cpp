// talla catalogue: the built-in catalogues, their games, rules, readings and differences, and
// everything a scenario may use; offline.
#include "games/catalogue.hpp"

#include <iostream>
#include <memory>

#include "app.hpp"
#include "catalogue_tables.hpp"
#include "certs/openssl_hashes.hpp"
#include "games/listing.hpp"
#include "games/listing_words.hpp"
#include "games/readings.hpp"

namespace talla::cli {

namespace {

using Loaded = std::shared_ptr<const games::Catalogue>;

struct CatalogueOptions {
  std::string catalogue;
  std::string other;
  std::string game;
  std::string language = "es";
};

Result<Loaded> load(const std::string& id) {
  const certs::OpensslHashes hashes;
  return games::load_embedded(id, hashes);
}

/// The game, or nullptr with the refusal printed.
const games::GameRules* find(App& app, const games::Catalogue& catalogue, const std::string& id) {
  const auto game = games::find_game(catalogue, id);
  if (game) return *game;
  if (game.error().is(games::Errc::decree_missing)) {
    app.refuse(game.error(), exit_usage);
  } else {
    app.refuse({CliErrc::usage,
                catalogue.id + " has no game " + id + "; talla catalogue list names them"});
  }
  return nullptr;
}

/// A game whose rules are not at hand is called as the other texts call it.
void name_from_elsewhere(json::Value& game, const std::string& language) {
  if (game.find("decree") == nullptr) return;
  const auto& id = game.find("game")->string();
  for (const games::EmbeddedCatalogue& file : games::embedded_catalogues()) {
    const auto other = load(std::string(file.id));
    if (!other || (*other)->game(id) == nullptr) continue;
    game["text"] = (*other)->text(language, "game", id);
    return;
  }
}

void list_games(App& app, const CatalogueOptions& options) {
  if (!options.catalogue.empty()) {
    if (const auto known = load(options.catalogue); !known) return app.refuse(known.error());
  }
  for (const games::EmbeddedCatalogue& file : games::embedded_catalogues()) {
    if (!options.catalogue.empty() && file.id != options.catalogue) continue;
    const auto catalogue = load(std::string(file.id));
    if (!catalogue) return app.refuse(catalogue.error());
    auto games = games::list_games(**catalogue, options.language);
    for (auto& game : games) name_from_elsewhere(game, options.language);
    for (const auto& game : games) app.emit(game);
    app.say((*catalogue)->id + ": " + (*catalogue)->legal_name + " (" + (*catalogue)->source + ")");
    say_games(app, games, options.language);
    app.say("");
  }
}

void show_catalogue(App& app, const CatalogueOptions& options) {
  const auto catalogue = load(options.catalogue);
  if (!catalogue) return app.refuse(catalogue.error());
  if (options.game.empty()) {
    const auto described = games::describe(**catalogue, options.language);
    app.emit(described);
    say_catalogue(app, described, options.language);
    say_games(app, games::list_games(**catalogue, options.language), options.language);
    return;
  }
  const auto* game = find(app, **catalogue, options.game);
  if (game == nullptr) return;
  const auto described = games::describe(**catalogue, *game, options.language);
  app.emit(described);
  say_game(app, described, games::rule_lines(**catalogue, *game, options.language),
           options.language);
}

void rules(App& app, const CatalogueOptions& options) {
  const auto catalogue = load(options.catalogue);
  if (!catalogue) return app.refuse(catalogue.error());
  const auto* game = find(app, **catalogue, options.game);
  if (game == nullptr) return;
  const games::Words words(options.language);
  app.say((*catalogue)->legal_name);
  app.say(game->number + " " + (*catalogue)->text(options.language, "game", game->id) + " (" +
          game->id + ")");
  std::string part;
  for (const auto& line : games::rule_lines(**catalogue, *game, options.language)) {
    app.emit(games::to_json(line));
    if (line.part != part) {
      app.say("");
      app.say(words(line.part));
      part = line.part;
    }
    app.say("  " + line.text + " [" + line.rule +
            (line.reading.empty() ? "" : ", " + line.reading) + "]");
  }
}

void ambiguities(App& app, const CatalogueOptions& options) {
  const auto catalogue = load(options.catalogue);
  if (!catalogue) return app.refuse(catalogue.error());
  json::Array all;
  const auto add = [&](const games::GameRules& game) {
    auto more = games::ambiguities(**catalogue, game, options.language);
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  if (options.game.empty()) {
    for (const auto& game : (*catalogue)->games) add(game);
    auto alone = games::readings_alone(**catalogue, options.language);
    std::move(alone.begin(), alone.end(), std::back_inserter(all));
  } else {
    const auto* game = find(app, **catalogue, options.game);
    if (game == nullptr) return;
    add(*game);
  }
  for (const auto& one : all) app.emit(one);
  say_ambiguities(app, all, options.language);
}

/// The page games/catalogues/READINGS.md, or LECTURAS.md.
void readings(App& app, const CatalogueOptions& options) {
  std::vector<Loaded> all;
  for (const auto& file : games::embedded_catalogues()) {
    auto catalogue = load(std::string(file.id));
    if (!catalogue) return app.refuse(catalogue.error());
    all.push_back(*std::move(catalogue));
  }
  const auto page = games::readings_page(all, options.language);
  app.emit(json::Value(page));
  if (!app.json) std::cout << page;
}

void diff(App& app, const CatalogueOptions& options) {
  const auto a = load(options.catalogue);
  if (!a) return app.refuse(a.error());
  const auto b = load(options.other);
  if (!b) return app.refuse(b.error());
  json::Array all;
  if (options.game.empty()) {
    all = games::differences(**a, **b);
  } else {
    const auto* in_a = (*a)->game(options.game);
    const auto* in_b = (*b)->game(options.game);
    if (in_a == nullptr && in_b == nullptr) {
      find(app, **a, options.game);
      return;
    }
    all = games::differences(**a, **b, in_a, in_b);
  }
  for (const auto& one : all) app.emit(one);
  say_differences(app, all, (*a)->id, (*b)->id, options.language);
}

void add_language(commandline::Command& command, CatalogueOptions& options) {
  command.add_option("--language", options.language, "es or en")
      ->one_of({"es", "en"})
      ->capture_default_str();
}

using Run = void (*)(App&, const CatalogueOptions&);

commandline::Command& add_catalogue_command(commandline::Command& command, App& app,
                                            const std::shared_ptr<CatalogueOptions>& options,
                                            const char* name, const char* help, Run run) {
  auto* one = command.add_subcommand(name, help);
  add_language(*one, *options);
  one->callback([&app, options, run] {
    app.language = options->language;
    run(app, *options);
  });
  return *one;
}

}  // namespace

void add_catalogue(commandline::Command& root, App& app) {
  auto options = std::make_shared<CatalogueOptions>();
  auto* command = root.add_subcommand(
      "catalogue",
      "the built-in catalogues: games, bets, payouts, limits, parameters, with citations");
  command->require_subcommand();
  commandline::Command& names =
      add_catalogue_command(*command, app, options, "list",
                            "every game of every catalogue, and whether it is served", &list_games);
  names.add_option("CATALOGUE", options->catalogue, "only this one");
  commandline::Command& one =
      add_catalogue_command(*command, app, options, "show",
                            "everything a scenario or a table may use, as tables", &show_catalogue);
  one.add_option("CATALOGUE", options->catalogue, "e.g. es-1977")->required();
  one.add_option("GAME", options->game, "e.g. craps; without it the whole catalogue");
  commandline::Command& text =
      add_catalogue_command(*command, app, options, "rules",
                            "a game as its rules read, each sentence with its section", &rules);
  text.add_option("CATALOGUE", options->catalogue, "e.g. es-1977")->required();
  text.add_option("GAME", options->game, "e.g. craps")->required();
  commandline::Command& open = add_catalogue_command(
      *command, app, options, "ambiguities",
      "what the text leaves to a reading: values, default, section", &ambiguities);
  open.add_option("CATALOGUE", options->catalogue, "e.g. es-1977")->required();
  open.add_option("GAME", options->game, "without it all games");
  add_catalogue_command(
      *command, app, options, "readings",
      "every reading with its text, alternatives, default and why, as a page (Markdown)",
      &readings);
  commandline::Command& both =
      add_catalogue_command(*command, app, options, "diff", "where two catalogues differ", &diff);
  both.add_option("A", options->catalogue, "e.g. es-1977")->required();
  both.add_option("B", options->other, "e.g. es-euskadi-2010")->required();
  both.add_option("GAME", options->game, "without it all games");
}

}  // namespace talla::cli
