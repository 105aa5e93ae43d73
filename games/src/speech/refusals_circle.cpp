#include <array>

#include "speech/refusals.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array circle_refusal_table{
    // Betting.
    RefusalForm{"{action}: from {least} to {most}", "{action}: de {least} a {most}"},
    RefusalForm{"an amount goes from the least one in steps of {step}",
                "el importe sube desde el mínimo, en saltos de {step}"},
    RefusalForm{"who opens this interval stays in the hand",
                "quien abre este intervalo sigue en la mano"},
    RefusalForm{"the lowest open card bets", "la carta descubierta más baja apuesta"},
    RefusalForm{"somebody has bet: who stays covers", "ya se ha apostado: quien sigue, cubre"},
    RefusalForm{"there is no bet to cover", "no hay apuesta que cubrir"},
    RefusalForm{"the whole resto may not be bet now", "ahora no puede apostarse todo el resto"},
    RefusalForm{"the next blind is open to seat {seat}", "la ciega siguiente es del puesto {seat}"},
    RefusalForm{"ciega or pasar", "ciega o pasar"},
    // Exchange and showing.
    RefusalForm{"cards are dealt", "se están repartiendo cartas"},
    RefusalForm{"servido names no cards", "servido no nombra cartas"},
    RefusalForm{"descartar or servido", "descartar o servido"},
    RefusalForm{"descartar names cards of the player's own hand, each once",
                "descartar nombra cartas de la propia mano, cada una una vez"},
    RefusalForm{"descartar names from 1 to {most} cards", "descartar nombra de 1 a {most} cartas"},
    RefusalForm{"the next card goes to {place}, covered",
                "la carta siguiente va a {place}, tapada"},
    RefusalForm{"this seat has nothing to say now", "este puesto no tiene nada que decir ahora"},
    RefusalForm{"mostrar, or renunciar while another can win the pot",
                "mostrar, o renunciar mientras otro pueda ganar el bote"},
    RefusalForm{"seat {seat} says seguir or no-seguir", "el puesto {seat} dice seguir o no-seguir"},
    // Seats and chips.
    RefusalForm{"a hand needs a fresh deck", "la mano pide una baraja nueva"},
    RefusalForm{"an error is put right first", "antes se arregla el error"},
    RefusalForm{"an exposed card is to be turned first", "antes se descubre la carta que se vio"},
    RefusalForm{"chips are bought between hands", "las fichas se compran entre manos"},
    RefusalForm{"a resto's id has at most 20 characters and no '.'",
                "el nombre de un resto tiene 20 caracteres como máximo y ningún punto"},
    RefusalForm{"the seat is taken: who adds to a resto makes a reposicion",
                "el puesto está ocupado: quien añade a su resto hace una reposición"},
    RefusalForm{"the deck of {count} cards does not reach for another player",
                "la baraja de {count} cartas no llega para otro jugador"},
    RefusalForm{"a reposicion needs a resto before it", "la reposición pide antes un resto"},
    RefusalForm{"a reposicion is made when the resto is exhausted",
                "la reposición se hace cuando el resto está agotado"},
    RefusalForm{"chips of a resto in play are not put away",
                "las fichas de un resto en juego no se retiran"},
    RefusalForm{"the fee of the session is paid from it",
                "de él se paga el beneficio de la sesión"},
    RefusalForm{"a reposicion lies on this resto", "sobre este resto hay una reposición"},
    RefusalForm{"the resto holds more", "el resto tiene más"},
    RefusalForm{"fewer than {least} players", "hay menos de {least} jugadores"},
    RefusalForm{"nobody sits there", "nadie ocupa ese puesto"},
    RefusalForm{"no rest is left", "no queda descanso"},
    RefusalForm{"the player does not rest", "el jugador no descansa"},
    RefusalForm{"no further session is due", "no toca otra sesión"},
    RefusalForm{"the resto does not hold the fee", "el resto no llega para el beneficio"},
    // Errors of the deal.
    RefusalForm{"no error of that code", "no hay error con ese código"},
    RefusalForm{"no hand is played", "no se juega ninguna mano"},
    RefusalForm{"the deal is over", "el reparto ha terminado"},
    RefusalForm{"the hands are shown", "las manos ya se enseñan"},
    RefusalForm{"no further card comes", "no viene otra carta"},
    RefusalForm{"only a bet out of turn", "solo una apuesta fuera de turno"},
    RefusalForm{"the cards are dealt", "las cartas están repartidas"},
    RefusalForm{"the other hand is to be named", "hay que nombrar la otra mano"},
    RefusalForm{"no hand would be left", "no quedaría ninguna mano"},
    RefusalForm{"that card lies open already", "esa carta ya está descubierta"},
    RefusalForm{"the third card is dealt", "la tercera carta ya está repartida"},
    RefusalForm{"only the last card, before anybody has spoken",
                "solo la última carta, antes de que nadie haya hablado"},
    RefusalForm{"that seat was asked already", "a ese puesto ya se le ha preguntado"},
    RefusalForm{"the next card does not go past that seat",
                "la carta siguiente no se salta ese puesto"},
    RefusalForm{"the next card does not go past that seat to another",
                "la carta siguiente no se salta ese puesto para ir a otro"},
    RefusalForm{
        "one seat is passed over with the last card, while no dead card is in the deck",
        "con la última carta solo puede saltarse un puesto, y sin carta muerta en la baraja"},
    RefusalForm{
        "cards are dealt too early while somebody may speak and more are to come",
        "se reparte antes de tiempo mientras alguien puede hablar y quedan cartas por venir"},
    RefusalForm{"common cards are turned too early while somebody may speak",
                "las comunes se descubren antes de tiempo mientras alguien puede hablar"},
    RefusalForm{"all common cards lie open", "todas las comunes están descubiertas"},
    RefusalForm{"{code} names the last card of a player who is in the hand",
                "{code} nombra la última carta de un jugador que está en la mano"},
    RefusalForm{"{code} names the card of a player who is in the hand",
                "{code} nombra la carta de un jugador que está en la mano"},
    RefusalForm{"{code} names a card of a seat where nobody plays",
                "{code} nombra una carta de un puesto en que nadie juega"},
    RefusalForm{"{code} names one of a player's first two cards",
                "{code} nombra una de las dos primeras cartas de un jugador"},
};

}  // namespace

std::span<const RefusalForm> circle_refusals() {
  return circle_refusal_table;
}

}  // namespace talla::games::speech
