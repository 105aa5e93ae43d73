// The words of listings, in English and Spanish.
#include <array>

#include "base/check.hpp"
#include "games/listing_words.hpp"

namespace talla::games {
namespace {

struct Word {
  std::string_view key;
  std::string_view es;
  std::string_view en;
};

constexpr std::array word_table{
    Word{"also", "además", "also"},
    Word{"adding up", "sumando", "adding up"},
    Word{"and neighbours", "y sus vecinos a cada lado:", "and its neighbours on each side:"},
    Word{"as chosen in", "según", "as chosen in"},
    Word{"at least", "al menos", "at least"},
    Word{"at most", "como máximo", "at most"},
    Word{"bet", "apuesta", "bet"},
    Word{"box", "casilla", "box"},
    Word{"boxes at most", "casillas como máximo:", "boxes at most:"},
    Word{"casino", "el casino", "the casino"},
    Word{"covers", "cubre", "covers"},
    Word{"default", "por defecto", "default"},
    Word{"balls", "bolas", "balls"},
    Word{"dice", "dados", "dice"},
    Word{"faces", "caras", "faces"},
    Word{"follows", "sigue a", "follows"},
    Word{"in multiples of it", "en sus múltiplos", "in multiples of it"},
    Word{"index", "índice", "index"},
    Word{"lots", "suertes", "lots"},
    Word{"less", "menos", "less"},
    Word{"minimum", "mínimo de la mesa", "table minimum"},
    Word{"net", "netos", "net"},
    Word{"decree not at hand", "no: sus reglas están en", "no: its rules stand in"},
    Word{"why", "lo que dice el texto y por qué se lee así (en inglés)",
         "what the text says and why it is read so"},
    Word{"other readings", "Otras lecturas, de las que no cuelga cifra ni elección",
         "Other readings, on which no figure and no choice hangs"},
    Word{"positions of", "posiciones:", "positions:"},
    Word{"two of", "dos de", "two of"},
    Word{"no default", "sin valor por defecto", "no default"},
    Word{"numbers of", "números distintos de", "different numbers of"},
    Word{"offered", "se ofrece", "offered"},
    Word{"of a bet", "las posturas de un jugador en una apuesta y posición",
         "one player's stakes on one bet and position"},
    Word{"of a box", "las posturas de una casilla", "the stakes on one box"},
    Word{"of a seat", "las posturas de un jugador en estas apuestas",
         "one player's stakes on these bets"},
    Word{"of the table", "las posturas de toda la mesa", "the stakes of the whole table"},
    Word{"on", "sobre", "on"},
    Word{"one of", "una de", "one of"},
    Word{"but not", "menos", "but not"},
    Word{"paid in this order", "Retiradas las perdedoras, se paga por este orden:",
         "Lost stakes are collected, then payments go in this order:"},
    Word{"paid together", "lo que gana un jugador se le paga de una vez",
         "all that a player has won is paid at once"},
    Word{"pays", "paga", "pays"},
    Word{"per", "por", "per"},
    Word{"places", "lugares", "places"},
    Word{"positions", "posiciones", "positions"},
    Word{"reading", "la lectura del texto", "the reading of the text"},
    Word{"regulator", "la autorización", "the authorisation"},
    Word{"rests on", "se apoya en", "rests on"},
    Word{"seat", "puesto", "seat"},
    Word{"seats at most", "puestos como máximo:", "seats at most:"},
    Word{"last round", "Antes de cerrar se anuncia la última jugada",
         "Before the close the last round is announced"},
    Word{"last rounds", "Antes de cerrar se anuncian las últimas jugadas, que son",
         "Before the close the last rounds are announced, and they are"},
    Word{"last shoe", "Antes de cerrar se anuncia el último sabot",
         "Before the close the last shoe is announced"},
    Word{"last shooter", "Antes de cerrar se anuncia el último tirador",
         "Before the close the last shooter is announced"},
    Word{"set by", "lo fija", "set by"},
    Word{"shoe", "sabot", "shoe"},
    Word{"stop card before the last", "carta de bloqueo ante las últimas",
         "stop card before the last"},
    Word{"table", "mesa", "table"},
    Word{"to", "por", "to"},
    Word{"to range", "a", "to"},
    Word{"two indices", "dos índices", "two indices"},
    Word{"wheel", "rueda de", "wheel of"},
    Word{"while", "si", "while"},
    // Headings and columns.
    Word{"actions", "Decisiones", "Decisions"},
    Word{"allowed", "valores", "allowed"},
    Word{"bets", "Apuestas", "Bets"},
    Word{"choices", "Lo que el texto deja abierto", "What the text leaves open"},
    Word{"code", "código", "code"},
    Word{"decides", "decide", "decides"},
    Word{"equipment", "Elementos", "Equipment"},
    Word{"errors", "Errores", "Errors"},
    Word{"figures", "Cifras", "Figures"},
    Word{"fixed readings", "Cifras que una lectura fija, sin elección",
         "Figures that a reading fixes, without a choice"},
    Word{"game", "juego", "game"},
    Word{"limits", "Límites", "Limits"},
    Word{"name", "nombre", "name"},
    Word{"no differences", "sin diferencias", "no differences"},
    Word{"no readings", "ninguna lectura", "no readings"},
    Word{"not served", "no", "no"},
    Word{"only in", "solo en", "only in"},
    Word{"parameter", "parámetro", "parameter"},
    Word{"places heading", "Lugares", "Places"},
    Word{"payments", "Pagos", "Payments"},
    Word{"position", "posición", "position"},
    Word{"price", "paga", "pays"},
    Word{"reading id", "lectura", "reading"},
    Word{"section", "sección", "section"},
    Word{"served", "servido", "served"},
    Word{"session", "Final de la sesión", "End of the session"},
    Word{"yes", "sí", "yes"},
    // What came of a scenario.
    Word{"at step", "en el paso", "at step"},
    Word{"bank", "banca", "bank"},
    Word{"carried", "pasa a la jugada siguiente", "carried to the next round"},
    Word{"differs", "difiere", "differs"},
    Word{"due", "ahora", "now"},
    Word{"failed", "mal", "failed"},
    Word{"hand/high", "mano alta", "high hand"},
    Word{"hand/low", "mano baja", "low hand"},
    Word{"hand/second", "segunda fila", "second row"},
    Word{"passed", "bien", "passed"},
    Word{"refused", "rechazado", "refused"},
    Word{"warning", "aviso", "warning"},
    Word{"remainder", "el redondeo deja", "remainder"},
    Word{"result/freed", "sale de prisión sin ganancia", "freed"},
    Word{"result/half", "pierde la mitad", "half"},
    Word{"result/lose", "pierde", "lose"},
    Word{"result/prison", "queda en prisión", "prison"},
    Word{"result/push", "empata y queda libre", "push"},
    Word{"result/void", "es nula y queda libre", "void"},
    Word{"result/win", "gana", "win"},
    Word{"returned", "vuelven", "returned"},
    Word{"seat number", "puesto", "seat"},
    Word{"staked", "apostado", "stake"},
    Word{"view", "vista", "view"},
};

}  // namespace

std::string Words::operator()(std::string_view key) const {
  for (const auto& word : word_table) {
    if (word.key == key) return std::string(spanish_ ? word.es : word.en);
  }
  TALLA_CHECK(false && "a word is missing");
  return {};
}

}  // namespace talla::games
