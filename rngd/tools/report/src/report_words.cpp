#include "report_words.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "report/result_words.hpp"

namespace talla::report {
namespace {

struct Entry {
  std::string_view key;
  std::string_view es;
  std::string_view en;
};

constexpr std::array entries{
    Entry{"title", "Informe de una jugada", "Report of one round"},
    Entry{"appliance", "Equipo", "Appliance"},
    Entry{"record", "asiento del registro", "record of the log"},
    Entry{"table", "Mesa", "Table"},
    Entry{"game", "Juego", "Game"},
    Entry{"catalogue", "Catálogo", "Catalogue"},
    Entry{"digest", "huella SHA-256", "SHA-256 digest"},
    Entry{"round", "Jugada", "Round"},
    Entry{"first_of_last", "la primera de las últimas", "the first of the last"},
    Entry{"last_shoe", "del último sabot de la sesión", "of the last shoe of the session"},
    Entry{"last", "la última de la sesión", "the last of the session"},
    Entry{"opened", "Abierta", "Opened"},
    Entry{"settled", "Liquidada", "Settled"},
    Entry{"clock", "reloj", "clock"},
    Entry{"clock/synced", "sincronizado", "synchronised"},
    Entry{"clock/holdover", "sigue solo, sin sincronización",
          "running on after losing synchronisation"},
    Entry{"clock/unset", "sin sincronizar", "not synchronised"},
    Entry{"min", "Mínimo", "Minimum"},
    Entry{"max", "Máximo", "Maximum"},
    Entry{"parameters", "Parámetros de la mesa", "Parameters of the table"},
    Entry{"bets", "Apuestas", "Bets"},
    Entry{"no_bets", "ninguna", "none"},
    Entry{"seat", "puesto", "seat"},
    Entry{"box", "casilla", "box"},
    Entry{"on", "sobre", "on"},
    Entry{"play", "Desarrollo, en el orden del registro", "Play, in the order of the log"},
    Entry{"bets_closed", "apuestas cerradas", "bets closed"},
    Entry{"withdrawn", "retiradas", "withdrawn"},
    Entry{"card", "carta", "card"},
    Entry{"covered", "tapada", "covered"},
    Entry{"unseen", "sin mostrar", "not shown"},
    Entry{"turned", "carta descubierta", "card turned"},
    Entry{"position", "posición", "position"},
    Entry{"action", "decisión", "decision"},
    Entry{"time_out", "tiempo agotado", "time-out"},
    Entry{"bet", "apuesta", "bet"},
    Entry{"misdeal", "error de distribución", "misdeal"},
    Entry{"hand_confirmed", "mano confirmada", "hand confirmed"},
    Entry{"meter", "contador de varias mesas", "meter of several tables"},
    Entry{"before", "había", "held"},
    Entry{"put_in", "entra", "put in"},
    Entry{"taken_out", "sale", "taken out"},
    Entry{"left", "queda", "left"},
    Entry{"draw", "resultado", "outcome"},
    Entry{"dice", "dados", "dice"},
    Entry{"lots", "sorteo", "lots"},
    Entry{"void", "sorteo anulado", "draw voided"},
    Entry{"shoe", "sabot nuevo, sellado", "new shoe sealed"},
    Entry{"mix", "mezcla del sabot", "mix of the shoe"},
    Entry{"shuffled_again", "las cartas vuelven y se barajan de nuevo",
          "cards go back and are shuffled again"},
    Entry{"shoe_closed", "sabot cerrado", "shoe closed"},
    Entry{"hands", "Manos de póquer mostradas", "Poker hands shown"},
    Entry{"holder/bank", "banca", "bank"},
    Entry{"hand/high", "mano alta", "high hand"},
    Entry{"hand/low", "mano baja", "low hand"},
    Entry{"hand/second", "segunda fila", "second row"},
    Entry{"results", "Liquidación", "Settlement"},
    Entry{"stake", "importe", "stake"},
    Entry{"returned", "se devuelve", "returned"},
    Entry{"rule", "regla", "rule"},
    Entry{"rounding", "quitado por el redondeo", "taken by rounding"},
    Entry{"totals", "Totales", "Totals"},
    Entry{"staked", "jugado", "staked"},
    Entry{"net", "neto", "net"},
    Entry{"result", "resultado", "result"},
    Entry{"cards", "Cartas", "Cards"},
    Entry{"unseen_cards", "sin mostrar", "not shown"},
    Entry{"counts_title", "Suma de las manos según las reglas", "Hands as the rules count them"},
    Entry{"counts", "suma", "counts"},
    Entry{"code_link", "La prueba de esta jugada: se lee y se comprueba con un móvil",
          "The evidence of this round: read and checked with a phone"},
    Entry{"code_digest", "Huella, registro y asiento de la prueba de esta jugada",
          "Digest, log and record of the evidence of this round"},
    Entry{"decisions", "Decisiones", "Decisions"},
    Entry{"sign_guest", "Cliente: nombre, fecha y firma", "Guest: name, date, signature"},
    Entry{"sign_casino", "Casino: nombre, fecha y firma", "Casino: name, date, signature"},
    Entry{"sign_inspector", "Inspección: nombre, fecha y firma",
          "Inspector: name, date, signature"},
    Entry{"evidence_digest", "Huella SHA-256 del fichero de la prueba",
          "SHA-256 digest of the evidence file"},
    Entry{"check", "Comprobación", "Verification"},
    Entry{"class", "Clase de la prueba", "Class of the evidence"},
    Entry{"certified", "certificada", "certified"},
    Entry{"uncertified", "NO certificada", "UNCERTIFIED"},
    Entry{"lab", "fuente de LABORATORIO", "LABORATORY source"},
    Entry{"development", "claves de desarrollo: no es prueba", "development keys: no evidence"},
    Entry{"checked", "comprobado", "checked"},
    Entry{"not_checked", "NO comprobado", "NOT checked"},
    Entry{"result/win", "gana", "wins"},
    Entry{"result/lose", "pierde", "loses"},
    Entry{"result/push", "empate, queda libre", "push, the stake is free"},
    Entry{"result/half", "pierde la mitad", "half is lost"},
    Entry{"result/prison", "queda en prisión", "goes to prison"},
    Entry{"result/freed", "sale de prisión sin ganancia", "leaves prison without winnings"},
    Entry{"result/void", "nula, se devuelve", "void, the stake is free"},
};

const Entry* find(std::string_view key) {
  const auto* found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : found;
}

}  // namespace

std::string word(Language language, std::string_view key) {
  const auto* entry = find(key);
  TALLA_CHECK(entry != nullptr);
  return std::string(language == Language::es ? entry->es : entry->en);
}

std::string result_words(games::BetResult result, Language language) {
  return word_or_code(language, "result", std::string(games::bet_result_name(result)));
}

std::string word_or_code(Language language, std::string_view category, const std::string& code) {
  const auto* entry = find(std::string(category) + "/" + code);
  if (entry == nullptr) return code;
  return std::string(language == Language::es ? entry->es : entry->en);
}

std::string card_text(const std::string& code) {
  if (code.size() != 2) return code;
  constexpr std::string_view suits = "SHDC";
  constexpr std::array<std::string_view, 4> signs{"♠", "♥", "♦", "♣"};
  const auto suit = suits.find(code[1]);
  if (suit == std::string_view::npos) return code;
  const std::string rank = code[0] == 'T' ? "10" : code.substr(0, 1);
  return rank + std::string(signs.at(suit));
}

}  // namespace talla::report
