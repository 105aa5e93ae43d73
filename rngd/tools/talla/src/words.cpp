// The refusals of commands that speak Spanish.
#include "words.hpp"

#include <array>

#include "games/refusal.hpp"

namespace talla::cli {
namespace {

using Form = games::RefusalForm;

constexpr std::array form_table{
    Form{"{path}: cannot be read", "{path}: no se puede leer"},
    Form{"{path}: cannot be written", "{path}: no se puede escribir"},
    Form{"{path}: is larger than {most} bytes", "{path}: pasa de {most} bytes"},
    Form{"{path}: is empty", "{path}: está vacío"},
    Form{"{path}: holds no scenario", "{path}: no contiene ningún escenario"},
    Form{"{path}: holds no .json or .jsonl file",
         "{path}: no contiene ningún fichero .json ni .jsonl"},
    Form{"which game? CATALOGUE GAME, or --all", "¿qué juego? CATÁLOGO JUEGO, o --all"},
    Form{"--all takes neither a game nor --param nor --seen",
         "--all no lleva juego ni --param ni --seen"},
    Form{"{game} has no bet {bet}; there are: {allowed}",
         "{game} no tiene la apuesta {bet}; hay: {allowed}"},
    Form{"which scenario? give a file, a folder, or - for standard input",
         "¿qué escenario? Indique un fichero, una carpeta, o - para la entrada"},
    Form{"--view {found}: public, inspector or a seat number is expected",
         "--view {found}: se esperaba public, inspector o el número de un puesto"},
    Form{"{catalogue} has no game {game}; talla catalogue list names them",
         "{catalogue} no tiene el juego {game}; talla catalogue list los nombra"},
    Form{"{name}: \"{found}\" is no number", "{name}: «{found}» no es un número"},
    Form{"--param {found}: NAME=VALUE is expected", "--param {found}: se esperaba NOMBRE=VALOR"},
    Form{"give --table and --round, or the FILE of a settlement's bundle",
         "indique --table y --round, o el fichero de la prueba de una liquidación"},
    Form{"{table}, round {round} has no settlement yet: `talla log incomplete` says what it waits "
         "for",
         "{table}, jugada {round}: aún no está liquidada; `talla log incomplete` dice qué espera"},
    Form{"{table} has no round {round}", "{table} no tiene la jugada {round}"},
    Form{"no trusted root: give --root FILE (PEM), or --client FOLDER with client.toml",
         "falta la raíz de confianza: indique --root FICHERO (PEM), o --client CARPETA con "
         "client.toml"},
    Form{"which appliance? give --client FOLDER or set TALLA_CLIENT (the folder holds client.toml)",
         "¿qué equipo? Indique --client CARPETA o TALLA_CLIENT (la carpeta tiene client.toml)"},
    Form{"give --seq N or --object ID", "indique --seq N o --object ID"},
    Form{"{object}: no record of it is in these archives",
         "{object}: ningún archivo sellado de estos tiene un asiento suyo"},
    Form{"the bundle is not the evidence of a settled round: ask for the bundle of its SETTLEMENT",
         "el fichero no es la prueba de una jugada liquidada: pida la de su SETTLEMENT"},
};

}  // namespace

std::string detail_in(const Error& error, std::string_view language) {
  return games::refusal_text(error.code, error.detail, language, form_table);
}

}  // namespace talla::cli
