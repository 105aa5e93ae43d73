#include <array>

#include "speech/speech.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array phrases{
    // Hands.
    Phrase{"when/high-card", "carta mayor", "high cards"},
    Phrase{"when/pair", "pareja", "pair"},
    Phrase{"when/two-pair", "doble pareja", "two pair"},
    Phrase{"when/trio", "trío", "three of a kind"},
    Phrase{"when/straight", "escalera", "straight"},
    Phrase{"when/flush", "color", "flush"},
    Phrase{"when/full", "full", "full house"},
    Phrase{"when/four", "póquer", "four of a kind"},
    Phrase{"when/straight-flush", "escalera de color", "straight flush"},
    Phrase{"when/royal-flush", "escalera real de color", "royal flush"},
    Phrase{"when/five-aces", "cinco ases", "five aces"},
    // Errors.
    Phrase{"effect/turn-card", "la carta queda descubierta y la mano sigue",
           "the card lies open and the hand goes on"},
    Phrase{"effect/turn-common", "la carta queda descubierta; según su valor la mano sigue o es nula",
           "the card lies open; by its rank the hand goes on or is void"},
    // Trijoker.
    Phrase{"value/second_exposed_card/void", "la mano es nula", "the hand is void"},
    Phrase{"value/second_exposed_card/each", "cada carta se juzga por sí", "each card is judged for itself"},
    Phrase{"trijoker/hands.order", "Jugadas, de menor a mayor: {}", "Hands from low to high: {}"},
    Phrase{"trijoker/hands.ace_low=true", "El as puede iniciar una escalera",
           "A straight may begin with the ace"},
    Phrase{"trijoker/hands.ace_low=false", "El as no inicia escaleras", "No straight begins with the ace"},
    Phrase{"trijoker/hands.ace_low", "El as inicia una escalera: {}", "A straight begins with the ace: {}"},
    Phrase{"trijoker/paid.pair_from=11", "De las parejas gana desde la de J",
           "Of pairs, jacks and better win"},
    Phrase{"trijoker/paid.pair_from", "De las parejas gana desde la de valor {} (as 14)",
           "Of pairs, those of rank {} and higher win (ace 14)"},
    Phrase{"trijoker/exposure.void_from=11",
           "Una carta común descubierta por error anula la mano si es J, Q, K o A",
           "A common card shown by mistake annuls the hand when it is J, Q, K or A"},
    Phrase{"trijoker/exposure.void_from",
           "Una carta común descubierta por error anula la mano desde el valor {} (as 14)",
           "A common card shown by mistake annuls the hand from rank {} on (ace 14)"},
    Phrase{"trijoker/exposure.second_card", "Una segunda carta descubierta por error: {}",
           "A second card shown by mistake: {}"},
    Phrase{"trijoker/table.boxes", "Puestos de la mesa: {}", "Seats of the table: {}"},
};

}  // namespace

std::span<const Phrase> house_poker_phrases() {
  return phrases;
}

}  // namespace talla::games::speech
