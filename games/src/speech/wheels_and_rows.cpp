// Words for wheels, dice, bingo and trente et quarante.
#include <array>

#include "speech/speech.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array wheel_and_row_phrase_table{
    // Wheels: what the zero does.
    Phrase{"wheel/zero.pockets", "Zeros de la rueda: {}", "Zeros of the wheel: {}"},
    Phrase{"wheel/zero.bets", "El cero no decide del todo: {}",
           "The zero does not fully decide: {}"},
    Phrase{"wheel/zero.effect=half", "Con el cero vuelve la mitad de esas posturas; no hay prisión",
           "At a zero half of those stakes comes back; there is no prison"},
    Phrase{"wheel/zero.effect=choice",
           "Con el cero su dueño retira la mitad o deja la postura en prisión",
           "At a zero the owner takes half back or leaves the stake in prison"},
    Phrase{"wheel/zero.value_parameter",
           "Con el cero su dueño retira la mitad o deja la postura en prisión; en la última bola "
           "no hay "
           "elección y vuelve lo que vale entonces; lo que libera después un acierto tras varios "
           "ceros: {}",
           "At a zero the owner takes half back or leaves the stake in prison; at the last spin "
           "there is no "
           "choice and what it is then worth comes back; what a later win frees after several "
           "zeros: {}"},
    Phrase{"wheel/zero.silent_parameter", "Quien calla tras el cero: {}",
           "Who says nothing after the zero: {}"},
    Phrase{"wheel/zero.below_minimum_parameter", "Cuando la mitad no llega al mínimo: {}",
           "When the half is below the minimum: {}"},
    Phrase{"wheel/zero.pockets_when.parameter", "El doble cero cuenta como cero según {}",
           "Whether the double zero counts as a zero: {}"},
    Phrase{"wheel/zero.pockets_when.value", "", ""},
    Phrase{"wheel/zero.pockets_when.pockets", "Casillas de las que se trata: {}",
           "Pockets it is about: {}"},
    Phrase{"wheel/pairs.parameter", "Dos columnas o docenas juntas: {}",
           "Two columns or dozens together: {}"},
    // Trente et quarante. The stop card is the red one.
    Phrase{"stop-card/trente", "si esa carta, la roja, sale durante un juego, el juego se anula",
           "when that card, the red one, comes during a coup, the coup is annulled"},
    Phrase{"trente/values.ranks", "Puntos del as al rey: {}", "Points from ace to king: {}"},
    Phrase{"trente/rows.reach",
           "Una fila termina al llegar a {} puntos o pasarlos; gana la fila más cercana",
           "A row ends on reaching or passing {} points; the row nearer to it wins"},
    Phrase{"trente/tie.result=void", "Filas iguales: el juego es nulo y las posturas quedan libres",
           "Equal rows: the coup is null and stakes are free"},
    Phrase{"trente/tie.result=push", "Filas iguales: empate, las posturas quedan libres",
           "Equal rows: a tie, stakes are free"},
    Phrase{"trente/refait.total",
           "Dos filas de {} puntos: el dueño retira la mitad o deja la postura en prisión",
           "Two rows of {} points: the owner takes half back or leaves the stake in prison"},
    Phrase{"trente/refait.value_parameter", "Lo que se libera tras más de una vez: {}",
           "What is freed after more than one time: {}"},
    Phrase{"trente/refait.silent_parameter", "Quien calla: {}", "Who says nothing: {}"},
    Phrase{"trente/refait.null_parameter", "Si el juego siguiente es nulo: {}",
           "When the next coup is null: {}"},
    Phrase{"trente/refait.below_minimum_parameter", "Cuando la mitad no llega al mínimo: {}",
           "When the half is below the minimum: {}"},
    Phrase{"trente/insurance.bet", "La apuesta que asegura es {}", "The bet that insures is {}"},
    Phrase{"trente/insurance.rate", "El seguro cuesta {} de la postura",
           "Insurance costs {} of the stake"},
    Phrase{"trente/insurance.threshold_parameter", "Se asegura desde: {}", "Insured from: {}"},
    Phrase{"trente/insurance.premium_parameter", "El depósito del seguro: {}", "The premium: {}"},
    Phrase{"wheel/colours.bet", "Una ficha de color vale del mínimo al máximo de {}",
           "A chip of a seat's colour is worth the minimum to the maximum of {}"},
    Phrase{"wheel/colours.seats", "Jugadores con fichas de color, como máximo: {}",
           "Seats with chips of their own colour, at most: {}"},
    // Dice: the forms of bets on numbers stand with the bets.
    Phrase{"dice/forms", "Las apuestas a un número: lo que las decide está escrito con cada una",
           "Bets on a number: what decides them stands with each bet"},
    Phrase{"dice/forms.*", "", ""},
    Phrase{"dice/locked", "Apuestas de línea que no pueden retirarse hasta decidirse:",
           "Line bets that may not be taken back until decided:"},
    Phrase{"dice/locked.none", "si ninguna puede retirarse: {}", "when none may be taken back: {}"},
    Phrase{"dice/locked.dont", "si pueden retirarse Don't Win y Don't Come: {}",
           "when Don't Win and Don't Come may be taken back: {}"},
    Phrase{"dice/locked.dont-win-come", "si pueden retirarse Don't Win y Come: {}",
           "when Don't Win and Come may be taken back: {}"},
    Phrase{"dice/locked.all-but-win", "si pueden retirarse todas menos Win: {}",
           "when all but Win may be taken back: {}"},
    Phrase{"dice/win_limits.bets", "El máximo mira la ganancia posible en: {}",
           "The maximum bounds the possible win of: {}"},
    Phrase{"dice/odds_limits",
           "Máximo de cada apuesta asociada, en veces la apuesta simple, por número:",
           "Maximum of each associated bet, in times the simple bet, by number:"},
    Phrase{"dice/place_limits",
           "Máximo de cada apuesta a un número, en veces el máximo de las simples:",
           "Maximum of each bet on a number, in times the maximum of simple bets:"},
    // Bingo.
    Phrase{"bingo/card.lines", "Un cartón tiene {} líneas", "A card has {} lines"},
    Phrase{"bingo/prizes.split=winning-card",
           "Cada premio se reparte por igual entre los cartones que ganan",
           "Each prize is shared equally by the cards that win"},
    Phrase{"bingo/claims", "Línea y bingo se pagan a quien los reclama antes de la bola siguiente",
           "Line and bingo are paid to who claims them before the next ball"},
    Phrase{"bingo/sale", "Los cartones se venden por series, a precio único",
           "Cards are sold in series, at one price"},
    Phrase{"dice/odds_limits.*", "{bet}: {}", "{bet}: {}"},
    Phrase{"dice/place_limits.*", "{bet}: {}", "{bet}: {}"},
};

}  // namespace

std::span<const Phrase> wheel_and_row_phrases() {
  return wheel_and_row_phrase_table;
}

}  // namespace talla::games::speech
