// What the parts of talla odds and talla advise are asked: a game, its parameters, a language.
#include "odds_parts.hpp"

#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "games/odds.hpp"
#include "params.hpp"

namespace talla::cli {

void add_game_asked(commandline::Command& command, GameAsked& asked, const std::string& catalogue,
                    const std::string& game) {
  command.add_option("CATALOGUE", asked.catalogue, "e.g. " + catalogue)->required();
  command.add_option("GAME", asked.game, "e.g. " + game)->required();
  command.add_option("--param", asked.params, "NAME=VALUE, a parameter of the game");
  command.add_option("--language", asked.language, "es or en")
      ->one_of({"es", "en"})
      ->capture_default_str();
}

Result<games::Table> odds_table_of(const GameAsked& asked) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(auto loaded, games::load_embedded(asked.catalogue, hashes));
  TALLA_TRY(auto given, params_of(asked.params));
  return games::odds_table(std::move(loaded), asked.game, std::move(given));
}

}  // namespace talla::cli
