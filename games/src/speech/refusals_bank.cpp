// Refusals at tables with a bank of a player.
#include <array>

#include "speech/refusals.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array bank_refusal_table{
    RefusalForm{"a bank is a multiple of {allowed}", "la banca es múltiplo de {allowed}"},
    RefusalForm{"the bank is at least {allowed}", "la banca es de {allowed} como mínimo"},
    RefusalForm{"the bank is at most {allowed}", "la banca es de {allowed} como máximo"},
    RefusalForm{"the bank is not offered to this seat", "la banca no se ofrece a este puesto"},
    RefusalForm{"the bank is not offered to seat {seat}", "la banca no se ofrece al puesto {seat}"},
    RefusalForm{"a bank is taken with an amount", "la banca se toma con un importe"},
    RefusalForm{"it is not this seat's turn to bid", "no le toca pujar a este puesto"},
    RefusalForm{"a bid is an amount", "una puja es un importe"},
    RefusalForm{"only the banker does this", "eso solo lo hace el banquero"},
    RefusalForm{"the hand is complete: it is to be confirmed",
                "la mano está completa: hay que confirmarla"},
    RefusalForm{"only the banker, seat {seat}, may still ask for a card (carta)",
                "solo el banquero, puesto {seat}, puede pedir aún una carta (carta)"},
    RefusalForm{"the bank changes only before the first stake",
                "la banca solo cambia antes de la primera postura"},
    RefusalForm{"a multiple of {allowed}", "un múltiplo de {allowed}"},
    RefusalForm{"no garage yet", "aún no cabe el garaje"},
    RefusalForm{"only a bank without maximum goes without garage",
                "solo una banca sin máximo va sin garaje"},
    RefusalForm{"there is no garage", "no hay garaje"},
    RefusalForm{"not now", "ahora no"},
    RefusalForm{"who joins the bank is at the table", "quien se asocia a la banca está en la mesa"},
    RefusalForm{"an associate once only", "nadie se asocia dos veces"},
    RefusalForm{"nobody asks to join the bank", "nadie pide asociarse a la banca"},
    RefusalForm{"the bank is not broken", "la banca no está sin fondos"},
    RefusalForm{"the banker deals at least once", "el banquero talla al menos una vez"},
    RefusalForm{"nobody stakes against the bank", "nadie juega contra la banca"},
    RefusalForm{"too few players", "faltan jugadores"},
    RefusalForm{"too few players: {held} of {allowed}",
                "faltan jugadores: hay {held} de {allowed}"},
    RefusalForm{"no hand is played now", "ahora no se juega ninguna mano"},
    RefusalForm{"there is no bank yet", "aún no hay banca"},
    RefusalForm{"places change while stakes are open",
                "los puestos cambian mientras las posturas están abiertas"},
    RefusalForm{"seat {seat}, who made banco and lost, speaks now",
                "habla el puesto {seat}, que hizo banco y perdió"},
    RefusalForm{"seat {seat}, who made banco and lost, says banco-seguido or pasar-turno",
                "el puesto {seat}, que hizo banco y perdió, dice banco-seguido o pasar-turno"},
    RefusalForm{"the place is taken", "el puesto está ocupado"},
    RefusalForm{"the player is not at the table", "el jugador no está en la mesa"},
    RefusalForm{"who has money in the bank stays", "quien tiene dinero en la banca se queda"},
    RefusalForm{"the player has a stake on the table", "el jugador tiene una postura en la mesa"},
    RefusalForm{"bank and stakes are beyond what can be paid",
                "la banca y las posturas no podrían pagarse"},
    RefusalForm{"banker and associates do not bet against their bank",
                "el banquero y sus asociados no juegan contra su banca"},
    RefusalForm{"nobody sits there: {seat}", "nadie ocupa el puesto {seat}"},
    RefusalForm{"the table is full", "la mesa está completa"},
    RefusalForm{"nobody made banco and lost, so nobody has banco seguido",
                "nadie hizo banco y perdió: nadie tiene banco seguido"},
    RefusalForm{"only seat {seat} made banco and lost, and has banco seguido",
                "solo el puesto {seat} hizo banco y perdió, y tiene banco seguido"},
    RefusalForm{"the bank is {allowed}", "la banca es de {allowed}"},
    RefusalForm{"banco is the whole bank: {allowed}", "el banco es toda la banca: {allowed}"},
    RefusalForm{"half of the bank is {allowed}", "la mitad de la banca es {allowed}"},
    RefusalForm{"nobody called banco con la mesa", "nadie ha dicho banco con la mesa"},
    RefusalForm{"the rest of the bank is {allowed}", "lo que queda de la banca es {allowed}"},
    RefusalForm{"a player stakes at most the bank", "un jugador pone como máximo la banca"},
    RefusalForm{"below the least stake", "no llega a la postura mínima"},
    RefusalForm{"above the largest stake", "pasa de la postura máxima"},
    RefusalForm{"banco is called once, at the start of the shoe",
                "el banco se dice una vez, al empezar el sabot"},
    RefusalForm{"the id belongs to the bank: {bet}", "ese nombre es de la banca: {bet}"},
    RefusalForm{"half of a stake on the line plays: an even stake",
                "a caballo juega media postura en cada paño: ha de ser par"},
    RefusalForm{"an announced share of the bank is not reduced",
                "la parte de la banca que se ha anunciado no se reduce"},
    // A player's bank at pai gow.
    RefusalForm{"the bank is taken as an action when it is offered",
                "la banca se toma como decisión, cuando se ofrece"},
    RefusalForm{"that id is the bank's", "ese nombre es de la banca"},
    RefusalForm{"the banker does not bet against himself", "el banquero no juega contra sí mismo"},
    RefusalForm{"more than the bank holds", "es más de lo que tiene la banca"},
    RefusalForm{"the bank stays while somebody bets against it",
                "la banca queda mientras alguien juegue contra ella"},
    RefusalForm{"tomar-banca has an amount and nothing else",
                "tomar-banca lleva un importe y nada más"},
    RefusalForm{"the bank holds {least} to {most}", "la banca es de {least} a {most}"},
};

}  // namespace

std::span<const RefusalForm> bank_refusals() {
  return bank_refusal_table;
}

}  // namespace talla::games::speech
