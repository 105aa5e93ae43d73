// talla catalogue: the built-in catalogues, their games, and everything a scenario may use; offline.
#include "games/catalogue.hpp"

#include <memory>

#include "app.hpp"
#include "certs/openssl_hashes.hpp"

namespace talla::cli {

namespace {

struct Options {
  std::string catalogue;
  std::string game;
  std::string language = "es";
};

void list(App& app) {
  const certs::OpensslHashes hashes;
  for (const games::EmbeddedCatalogue& file : games::embedded_catalogues()) {
    const auto catalogue = games::load_catalogue(file.bytes, hashes);
    if (!catalogue) return app.refuse(catalogue.error());
    json::Array ids;
    std::string words;
    for (const games::GameRules& game : (*catalogue)->games) {
      ids.emplace_back(game.id);
      words += (words.empty() ? "" : ", ") + game.id;
    }
    json::Value out;
    out["id"] = (*catalogue)->id;
    out["legal_name"] = (*catalogue)->legal_name;
    out["digest"] = to_hex((*catalogue)->digest);
    out["games"] = std::move(ids);
    app.emit(out);
    app.say((*catalogue)->id + ": " + (*catalogue)->legal_name + " (" + words + ")");
  }
}

/// JSON as an indented outline: keys, then values; lists of plain values on one line.
void outline(const App& app, const json::Value& value, const std::string& indent) {
  const auto plain = [](const json::Value& item) { return !item.is_array() && !item.is_object(); };
  const auto text = [](const json::Value& item) {
    return item.is_string() ? item.string() : json::canonical(item);
  };
  if (value.is_object()) {
    for (const auto& [key, member] : value.object()) {
      if (plain(member)) {
        app.say(indent + key + ": " + text(member));
      } else if (member.is_array() && std::all_of(member.array().begin(), member.array().end(), plain)) {
        std::string line;
        for (const json::Value& item : member.array()) line += " " + text(item);
        app.say(indent + key + ":" + line);
      } else {
        app.say(indent + key + ":");
        outline(app, member, indent + "  ");
      }
    }
  } else if (value.is_array()) {
    for (const json::Value& item : value.array()) {
      if (plain(item) || item.is_array()) {
        app.say(indent + json::canonical(item));
      } else {
        outline(app, item, indent + "  ");
        app.say("");
      }
    }
  }
}

void show(App& app, const Options& options) {
  const certs::OpensslHashes hashes;
  const auto catalogue = games::load_embedded(options.catalogue, hashes);
  if (!catalogue) return app.refuse(catalogue.error());
  json::Value out;
  if (options.game.empty()) {
    out = games::describe(**catalogue, options.language);
  } else {
    const auto game = games::find_game(**catalogue, options.game);
    if (!game && game.error().is(games::Errc::decree_missing)) {
      return app.refuse(game.error(), exit_usage);
    }
    if (!game) {
      return app.refuse(Error(CliErrc::usage, options.catalogue + " has no game " + options.game +
                                                  "; talla catalogue list names them"),
                        exit_usage);
    }
    out = games::describe(**catalogue, **game, options.language);
  }
  app.emit(out);
  outline(app, out, "");
}

}  // namespace

void add_catalogue(CLI::App& root, App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand(
      "catalogue", "the built-in catalogues: games, bets, payouts, limits, parameters, with citations");
  command->require_subcommand(1);
  CLI::App* names = command->add_subcommand("list", "catalogues and their games");
  names->callback([&app] { list(app); });
  CLI::App* one = command->add_subcommand("show", "everything a scenario or a table may use");
  one->add_option("CATALOGUE", options->catalogue, "e.g. es-1977")->required();
  one->add_option("GAME", options->game, "e.g. craps; without it the whole catalogue");
  one->add_option("--language", options->language, "es or en")
      ->check(CLI::IsMember({"es", "en"}))
      ->capture_default_str();
  one->callback([&app, options] { show(app, *options); });
}

}  // namespace talla::cli
