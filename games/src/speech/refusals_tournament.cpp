// What tournaments refuse, in both languages.
#include <array>

#include "speech/refusals.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array tournament_refusal_table{
    // Conditions.
    RefusalForm{"prices and guaranteed prizes are beyond what can be paid",
                "los precios y premios garantizados no podrían pagarse"},
    RefusalForm{"entries_min: {found} is more than entries_max allows: {allowed}",
                "entries_min: {found} es más de lo que admite entries_max: {allowed}"},
    RefusalForm{"the prizes of all places are {allowed} thousandths together, not {found}",
                "los premios de todos los puestos suman {allowed} milésimas, no {found}"},
    // Purchases.
    RefusalForm{"chips are sold between two hands", "las fichas se venden entre dos manos"},
    RefusalForm{"{kind} costs {allowed}, not {stake}", "{kind} cuesta {allowed}, no {stake}"},
    RefusalForm{"seat {seat} is in the tournament already", "el puesto {seat} ya está inscrito"},
    RefusalForm{"entries are closed: the first hand has begun",
                "la inscripción está cerrada: ha empezado la primera mano"},
    RefusalForm{"entries are closed since the end of level {allowed}",
                "la inscripción se cerró al acabar el nivel {allowed}"},
    RefusalForm{"all {allowed} entries are taken", "están tomadas las {allowed} inscripciones"},
    RefusalForm{"seat {seat} has not entered the tournament",
                "el puesto {seat} no está inscrito en el torneo"},
    RefusalForm{"{kind} is sold once the tournament has begun",
                "{kind} se vende cuando el torneo ha empezado"},
    RefusalForm{"nobody buys again in this tournament", "en este torneo no hay recompras"},
    RefusalForm{"{kind} is sold to the end of level {allowed}; this is level {found}",
                "{kind} se vende hasta el final del nivel {allowed}; este es el {found}"},
    RefusalForm{"seat {seat} has bought again {held} of {allowed} times",
                "el puesto {seat} ha recomprado ya {held} veces de {allowed}"},
    RefusalForm{"seat {seat} is out: it did not buy again before the next hand",
                "el puesto {seat} está eliminado: no recompró antes de la mano siguiente"},
    RefusalForm{"seat {seat} has {held} chips; who buys again has at most {allowed}",
                "el puesto {seat} tiene {held} fichas; recompra quien tiene {allowed} como máximo"},
    RefusalForm{"this tournament has no add-on", "en este torneo no hay compra adicional"},
    RefusalForm{"{kind} is sold in level {allowed}; this is level {found}",
                "{kind} se vende en el nivel {allowed}; este es el {found}"},
    RefusalForm{"seat {seat} has had its add-on", "el puesto {seat} ya hizo su compra adicional"},
    RefusalForm{"seat {seat} has no chips that an add-on could add to",
                "el puesto {seat} no tiene fichas a las que sumar otras"},
    RefusalForm{"with this fee the prizes would be beyond what can be paid",
                "con esta cuota los premios no podrían pagarse"},
    RefusalForm{"the id is the organiser's: {bet}", "ese nombre es del organizador: {bet}"},
    RefusalForm{"what is paid stays paid once the tournament has begun",
                "empezado el torneo, lo pagado no se devuelve"},
    RefusalForm{"an entry is taken back as a whole", "una inscripción se retira entera"},
    // Reports.
    RefusalForm{"a hand is played", "se juega una mano"},
    RefusalForm{"a report names a seat and its chips, nothing else",
                "un recuento nombra un puesto y sus fichas, nada más"},
    RefusalForm{"sin-fichas has no amount", "sin-fichas no lleva importe"},
    RefusalForm{"recuento has an amount: all chips of the seat",
                "recuento lleva un importe: todas las fichas del puesto"},
    RefusalForm{"fin-mano has no amount", "fin-mano no lleva importe"},
    RefusalForm{"nivel has no amount", "nivel no lleva importe"},
    RefusalForm{"chips are reported while a hand is played",
                "las fichas se anotan mientras se juega una mano"},
    RefusalForm{"seat {seat} plays no hand", "el puesto {seat} no juega ninguna mano"},
    RefusalForm{"seat {seat} has nothing to report", "el puesto {seat} no tiene nada que anotar"},
    RefusalForm{
        "seat {seat} cannot have {found} chips: it has {held}, and {loose} have no owner yet",
        "el puesto {seat} no puede tener {found} fichas: tiene {held}, y {loose} están sin dueño"},
    RefusalForm{"there are {loose} chips without an owner, and who won them reports first",
                "hay {loose} fichas sin dueño, y antes se anota quién las ganó"},
    RefusalForm{"level {found} is the last", "el nivel {found} es el último"},
    RefusalForm{"a level begins between two hands of a tournament",
                "un nivel empieza entre dos manos de un torneo"},
    RefusalForm{"a new level is said by seat {allowed}, not by seat {seat}",
                "el nivel nuevo lo dice el puesto {allowed}, no el {seat}"},
    RefusalForm{"nobody has entered the tournament", "nadie se ha inscrito en el torneo"},
};

}  // namespace

std::span<const RefusalForm> tournament_refusals() {
  return tournament_refusal_table;
}

}  // namespace talla::games::speech
