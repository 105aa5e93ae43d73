// Words for tournaments.
#include <array>

#include "speech/speech.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array tournament_phrase_table{
    Phrase{"covers/entry", "un puesto en el torneo, con las fichas del comienzo",
           "a place in the tournament, with its first chips"},
    Phrase{"covers/rebuy", "fichas para quien se queda sin ellas", "chips for who has none left"},
    Phrase{"covers/add-on", "fichas que se suman a las que tiene el jugador",
           "chips beside those that the player has"},
    Phrase{"effect/void-tournament", "el torneo se anula y se devuelve todo lo pagado",
           "the tournament is void and all that was paid comes back"},
    Phrase{
        "tournament/play",
        "Las manos se juegan en las mesas con las reglas de su juego; aquí se anotan las fichas: "
        "quien pierde antes que quien gana, y ninguna aparece ni desaparece",
        "Hands are played at tables by the rules of their game; here the chips are reported: who "
        "lost before who won, and no chip comes or goes"},
    Phrase{"tournament/levels",
           "Ciega pequeña de cada nivel, en veces la primera; la grande es el doble:",
           "Small blind of each level, in times the first; the big one is twice as much:"},
    Phrase{"tournament/levels.regular", "escala normal: {}", "regular scale: {}"},
    Phrase{"tournament/levels.fast", "escala rápida: {}", "fast scale: {}"},
    Phrase{"tournament/prizes", "Milésimas de los premios, desde el primer puesto:",
           "Thousandths of the prizes, from the first place on:"},
    Phrase{"tournament/prizes.one", "un premio: {}", "one prize: {}"},
    Phrase{"tournament/prizes.two", "dos premios: {}", "two prizes: {}"},
    Phrase{"tournament/prizes.three", "tres premios: {}", "three prizes: {}"},
    Phrase{"tournament/prizes.five", "cinco premios: {}", "five prizes: {}"},
    Phrase{"tournament/prizes.ten", "diez premios: {}", "ten prizes: {}"},
    Phrase{"tournament/fund",
           "Las cuotas van a los premios, menos la parte de la organización, que se redondea hacia "
           "abajo; los premios suman el fondo hasta la última unidad",
           "The fees go to the prizes, less the organisation's part, which is rounded down; the "
           "prizes are the fund to the last unit"},
    // Values of parameters.
    Phrase{"value/rebuy_when/no-chips", "quien no tiene fichas", "who has no chips"},
    Phrase{"value/rebuy_when/up-to-first-stack", "quien no tiene más fichas que al comienzo",
           "who has no more chips than at the start"},
    Phrase{"value/levels/regular", "normal", "regular"},
    Phrase{"value/levels/fast", "rápida", "fast"},
    Phrase{"value/prizes/one", "todo al primero", "all to the first"},
    Phrase{"value/prizes/two", "dos premios", "two prizes"},
    Phrase{"value/prizes/three", "tres premios", "three prizes"},
    Phrase{"value/prizes/five", "cinco premios", "five prizes"},
    Phrase{"value/prizes/ten", "diez premios", "ten prizes"},
    Phrase{"value/prizes/own", "el de la mesa", "the table's own"},
    Phrase{"value/deducted_from/all", "de todas", "all of them"},
    Phrase{"value/deducted_from/entries", "solo de las inscripciones", "entries alone"},
    Phrase{"value/prize_remainder/first", "al primero", "to the first"},
    Phrase{"value/prize_remainder/even", "por igual, una a una desde el primero",
           "evenly, one by one from the first"},
    Phrase{"value/same_hand/stack-at-start", "delante quien tenía más fichas al empezarla",
           "before is who had more chips when it began"},
    Phrase{"value/same_hand/shared", "comparten puesto", "they share their place"},
    Phrase{"value/unfinished/by-chips", "por sus fichas", "by their chips"},
    Phrase{"value/unfinished/shared", "comparten puesto los que quedan", "who is left shares"},
};

}  // namespace

std::span<const Phrase> tournament_phrases() {
  return tournament_phrase_table;
}

}  // namespace talla::games::speech
