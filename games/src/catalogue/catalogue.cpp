#include "games/catalogue.hpp"

#include <algorithm>
#include <set>

#include "catalogue/read.hpp"
#include "catalogue/toml_json.hpp"
#include "engines/shared/rules_check.hpp"
#include "games/engine_registry.hpp"
#include "games/refusal.hpp"

namespace talla::games {
namespace {

constexpr std::size_t file_size_max = std::size_t{4} << 20;

using Codes = std::map<std::string, std::set<std::string>>;

/// Every code of the catalogue that people see, by category.
Codes codes_of(const Catalogue& catalogue) {
  Codes out{{"game", {}},  {"bet", {}},       {"action", {}},
            {"place", {}}, {"parameter", {}}, {"error", {}}};
  for (const auto& game : catalogue.games) {
    out["game"].insert(game.id);
    for (const auto& bet : game.bets) out["bet"].insert(bet.id);
    for (const auto& action : game.actions) out["action"].insert(action.id);
    for (const auto& place : game.places) out["place"].insert(place.id);
    for (const auto& parameter : game.parameters) out["parameter"].insert(parameter.id);
    for (const auto& error : game.errors) out["error"].insert(error.code);
  }
  return out;
}

Status read_category(const json::Value& value, const std::string& language,
                     const std::string& category, const std::set<std::string>& known,
                     TextTable& out) {
  if (!value.is_object()) return bad_catalogue("text." + language + "." + category + " is a table");
  for (const auto& [code, text] : value.object()) {
    if (!text.is_string() || text.string().empty())
      return bad_catalogue("text of " + code + " is empty or no string");
    if (!known.contains(code))
      return bad_catalogue("text." + language + "." + category + ": no such code: " + code);
    out[category][code] = text.string();
  }
  return {};
}

Status read_catalogue_texts(const json::Value& value, Catalogue& out) {
  const Codes codes = codes_of(out);
  if (!value.is_object()) return bad_catalogue("text is a table");
  for (const auto& [language, categories] : value.object()) {
    if (language != "es" && language != "en")
      return bad_catalogue("text." + language + ": languages are es and en");
    if (!categories.is_object()) return bad_catalogue("text." + language + " is a table");
    for (const auto& [category, texts] : categories.object()) {
      const auto known = codes.find(category);
      if (known == codes.end())
        return bad_catalogue("text." + language + "." + category + ": no such category");
      TALLA_TRY_STATUS(
          read_category(texts, language, category, known->second, out.texts[language]));
    }
  }
  return {};
}

/// [catalogue.base]: the text that this one amends and that is not at hand.
Status read_base(const json::Value& value, Catalogue& out) {
  json::Reader reader(value, "catalogue.base");
  TALLA_TRY(out.base_decree, read_text(reader, "decree"));
  if (reader.has("games")) {
    TALLA_TRY(const auto* games, reader.array("games"));
    for (const auto& game : *games) {
      if (!game.is_string()) return bad_catalogue("catalogue.base: games lists game ids");
      out.base_games.push_back(game.string());
    }
  }
  return reader.finish();
}

Status read_header(const json::Value& value, Catalogue& out) {
  json::Reader reader(value, "catalogue");
  TALLA_TRY(out.id, read_code(reader, "id", "catalogue"));
  TALLA_TRY(out.legal_name, read_text(reader, "legal_name"));
  TALLA_TRY(out.territory, read_text(reader, "territory"));
  TALLA_TRY(out.published, read_text(reader, "published"));
  TALLA_TRY(out.source, read_text(reader, "source"));
  TALLA_TRY(out.language, read_text(reader, "language"));
  TALLA_TRY(out.currency, read_text(reader, "currency"));
  if (!currency_known(out.currency)) return bad_catalogue("catalogue: unknown currency");
  if (const auto* base = reader.optional("base")) TALLA_TRY_STATUS(read_base(*base, out));
  return reader.finish();
}

/// What one game says of the text that is not at hand.
Status check_base(const Catalogue& catalogue, GameRules& game) {
  if (std::find(catalogue.base_games.begin(), catalogue.base_games.end(), game.id) !=
      catalogue.base_games.end()) {
    return bad_catalogue(game.id + ": its rules cannot stand both here and in the missing text");
  }
  if (game.base.empty()) return {};
  if (catalogue.base_decree.empty())
    return bad_catalogue(game.id + ": a base needs [catalogue.base]");
  if (game.base == catalogue.id)
    return bad_catalogue(game.id + ": a catalogue cannot be its own base");
  game.base_decree = catalogue.base_decree;
  return {};
}

/// The games of the file, each with what it takes from the game it follows.
Status read_games(const json::Array& games, Catalogue& out) {
  json::Array whole;
  for (const auto& value : games) {
    TALLA_TRY(whole.emplace_back(), take_followed(value, whole));
    TALLA_TRY(auto game, read_game(whole.back(), "game " + std::to_string(whole.size())));
    if (out.game(game.id) != nullptr) return bad_catalogue("game " + game.id + " stands twice");
    TALLA_TRY_STATUS(check_base(out, game));
    out.games.push_back(std::move(game));
  }
  return out.games.empty() ? Status(bad_catalogue("no game")) : Status{};
}

/// The parameter that every engine obeys in the same way, where its game has it.
Status check_settle_on(const GameRules& game, const Engine& engine) {
  if (game.parameter(settle_parameter) == nullptr) return {};
  if (!engine.holds_hands())
    return bad_rules(std::string(settle_parameter) + ": no hand to confirm");
  return check_choice(game, settle_parameter, {"last-card", "confirmation"});
}

Status check_engines(const Catalogue& catalogue) {
  for (const auto& game : catalogue.games) {
    const auto* engine = find_engine(game.family);
    if (engine == nullptr) continue;
    auto ok = engine->check_rules(game);
    if (ok) ok = check_settle_on(game, *engine);
    if (!ok) {
      return bad_catalogue(game.id + " (engine " + game.family + "): " + ok.error().detail);
    }
    for (const auto& error : game.errors) {
      if (!error.window.empty() && !engine->knows_window(error.window))
        return bad_catalogue(game.id + ": errors: engine " + game.family + " knows no window " +
                             error.window);
    }
  }
  return {};
}

}  // namespace

Result<Catalogue> read_catalogue(const json::Value& file) {
  json::Reader reader(file, "file");
  Catalogue out;
  TALLA_TRY(const auto* header, reader.object("catalogue"));
  TALLA_TRY_STATUS(read_header(*header, out));
  TALLA_TRY(const auto* games, reader.array("game"));
  TALLA_TRY_STATUS(read_games(*games, out));
  if (reader.has("session_end")) {
    TALLA_TRY(const auto* ends, reader.array("session_end"));
    TALLA_TRY_STATUS(read_session_ends(*ends, out));
  }
  if (const auto* text = reader.optional("text"))
    TALLA_TRY_STATUS(read_catalogue_texts(*text, out));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<std::shared_ptr<const Catalogue>> load_catalogue(ByteView file, const HashSuite& hash) {
  if (file.size() > file_size_max) return bad_catalogue("file above 4 MiB");
  TALLA_TRY(const auto value, toml_to_json(as_text(file)));
  TALLA_TRY(auto catalogue, as_catalogue_error(read_catalogue(value)));
  TALLA_TRY_STATUS(check_engines(catalogue));
  catalogue.digest = hash.sha256({file});
  return std::make_shared<const Catalogue>(std::move(catalogue));
}

Result<std::shared_ptr<const Catalogue>> load_embedded(std::string_view id, const HashSuite& hash) {
  for (const auto& file : embedded_catalogues()) {
    if (file.id != id) continue;
    TALLA_TRY(auto catalogue, load_catalogue(file.bytes, hash));
    if (catalogue->id != id)
      return bad_catalogue("the file " + std::string(id) + " calls itself " + catalogue->id);
    const auto missing = missing_texts(*catalogue);
    if (!missing.empty())
      return bad_catalogue("the file " + std::string(id) + " lacks the text " + missing.front());
    return catalogue;
  }
  std::vector<std::string> there;
  for (const auto& file : embedded_catalogues()) there.emplace_back(file.id);
  return refuse(Errc::catalogue_unknown, "no built-in catalogue {catalogue}; there are: {allowed}",
                {{"catalogue", id.empty() ? "''" : std::string(id.substr(0, 60))},
                 {"allowed", listed(there)}});
}

std::vector<std::string> missing_texts(const Catalogue& catalogue) {
  std::vector<std::string> out;
  for (const std::string language : {"es", "en"}) {
    for (const auto& [category, codes] : codes_of(catalogue)) {
      for (const auto& code : codes) {
        const auto table = catalogue.texts.find(language);
        const bool there = table != catalogue.texts.end() && table->second.contains(category) &&
                           table->second.at(category).contains(code);
        if (!there) out.push_back(language + " " + category + " " + code);
      }
    }
  }
  return out;
}

}  // namespace talla::games
