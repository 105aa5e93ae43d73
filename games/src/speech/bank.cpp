// Words for chemin de fer and banque.
#include <array>

#include "speech/speech.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array bank_phrase_table{
    Phrase{"banque/values.ranks", "Puntos del as al rey: {}; los totales cuentan sin las decenas",
           "Points from ace to king: {}; totals count without their tens"},
    Phrase{"banque/natural.totals", "Se abate con {} puntos en dos cartas",
           "Two cards with {} points are shown at once"},
    Phrase{"banque/third_card.punto", "El punto ha de pedir carta con {} puntos",
           "Punto must ask for a card with {} points"},
    Phrase{"banque/third_card.punto_free", "El punto pide o no, a su elección, con {} puntos",
           "Punto may ask or not with {} points"},
    Phrase{"banque/tie.result=void", "Empate: las posturas quedan libres", "Tie: stakes are free"},
    Phrase{"banque/bank.award=turn", "La banca pasa por turno; quien la pierde la deja",
           "The bank goes round in turn; who loses it gives it up"},
    Phrase{"banque/bank.award=auction", "La banca se adjudica en subasta",
           "The bank is awarded by auction"},
    Phrase{"banque/bank.commission", "El casino deduce {} de lo que gana la banca",
           "The house keeps {} of what the bank wins"},
    Phrase{"banque/bank.commission_parameter", "El casino deduce de lo que gana la banca: {}",
           "The house keeps of what the bank wins: {}"},
    Phrase{"banque/bank.refusals", "Quien rehúsa la banca {} veces seguidas pierde su puesto",
           "Who refuses the bank {} times in a row loses the seat"},
    Phrase{"banque/bank.associates=matching", "Se asocia a la banca quien pone otro tanto",
           "Who puts in as much again joins the bank"},
    Phrase{"banque/bank.associates=any", "Se asocia a la banca quien pone cualquier cantidad",
           "Who puts in any amount joins the bank"},
    Phrase{"banque/bank.taker_matches=lost-or-abandoned",
           "Quien toma una banca perdida o cedida pone otro tanto",
           "Who takes a bank that was lost or passed puts in as much"},
    Phrase{"banque/bank.taker_matches=abandoned", "Quien toma una banca cedida pone otro tanto",
           "Who takes a bank that was passed puts in as much"},
    Phrase{"banque/bank.standing_pass=first-seat",
           "La banca que cede un jugador de pie va al primer puesto",
           "A bank passed by a standing player goes to the first seat"},
    Phrase{"banque/bank.standing_pass=last-seated",
           "La banca que cede un jugador de pie sigue tras el último banquero sentado",
           "A bank passed by a standing player follows the last seated banker"},
    Phrase{"banque/bank.retake=true", "Quien cedió la banca puede volver a tomarla",
           "Who passed the bank may take it again"},
    Phrase{"banque/bank.retake=false", "Quien cedió la banca no la vuelve a tomar",
           "Who passed the bank does not take it again"},
    Phrase{"banque/bank.modality=limited", "Banca limitada: responde de lo que hay en ella",
           "Limited bank: it answers for what is in it"},
    Phrase{"banque/bank.modality=open", "Banca abierta: responde de todas las posturas",
           "Open bank: it answers for every stake"},
    Phrase{"banque/bank.refill=any", "Una banca sin fondos se repone con cualquier cantidad",
           "A broken bank is refilled with any amount"},
    Phrase{"banque/bank.refill=initial",
           "Una banca sin fondos se repone al menos con la cantidad inicial",
           "A broken bank is refilled with at least the initial amount"},
    Phrase{"banque/bank.leave=auction-from-bank",
           "Una banca que se deja se subasta desde lo que tenía",
           "A bank given up is auctioned from what it held"},
    Phrase{
        "banque/bank.leave=offer-initial",
        "Una banca que se deja se ofrece por la misma cantidad, luego se subasta con sabot nuevo",
        "A bank given up is offered for the same amount, then auctioned with a new shoe"},
    Phrase{"banque/bank.winner_barred=true",
           "Quien deja la banca con ganancia no la toma más en ese sabot",
           "Who leaves the bank with a win takes none in that shoe"},
    Phrase{"banque/bank.winner_barred=false",
           "Quien deja la banca con ganancia puede volver a tomarla",
           "Who leaves the bank with a win may take it again"},
    Phrase{"banque/garage.test=bank", "Se pueden guardar ganancias cuando la banca pasa del límite",
           "Wins may be kept out once the bank passes the threshold"},
    Phrase{"banque/garage.test=winnings",
           "Se pueden guardar ganancias cuando ellas pasan del límite",
           "Wins may be kept out once they pass the threshold"},
    Phrase{"banque/garage.threshold", "Ese límite es de {} mínimos",
           "That threshold is {} table minimums"},
    Phrase{"banque/garage.threshold_parameter", "Ese límite: {}", "That threshold: {}"},
    Phrase{"banque/garage.improper=true", "Lo que pasa de la banca máxima sale de ella por sí solo",
           "What passes the largest bank leaves it by itself"},
    Phrase{"banque/garage.improper=false", "Nada sale de la banca por sí solo",
           "Nothing leaves the bank by itself"},
    Phrase{"banque/garage.waiver=true", "El banquero puede renunciar con «todo va»",
           "The banker may waive it with \"todo va\""},
    Phrase{"banque/garage.waiver=false", "No hay «todo va»", "There is no \"todo va\""},
    Phrase{"banque/players.players_min", "Se juega con {} jugadores como mínimo",
           "At least {} players are needed"},
    Phrase{"banque/stakes.table_share=half", "Banco con la mesa: la mitad de la banca",
           "Banco with the table: half of the bank"},
    Phrase{"banque/stakes.table_share=at-least-half",
           "Banco con la mesa: al menos la mitad de la banca",
           "Banco with the table: at least half of the bank"},
    Phrase{"banque/stakes.whole_stake=banco", "Quien apuesta la banca entera hace banco",
           "Who stakes the whole bank makes banco"},
    Phrase{"banque/stakes.halves=chips",
           "La postura a caballo de los dos paños se parte en fichas; la impar juega al primero",
           "A stake on both cloths is halved in chips; the odd one plays on the first"},
    Phrase{"banque/third_card.banca",
           "La banca, por sus puntos desde 0 (columnas: tercera carta del punto de 0 a 9 y punto "
           "plantado; T "
           "toma, S se planta, O elige): {}",
           "The bank, by its points from 0 (columns: punto's third card 0 to 9, and punto stood; T "
           "draws, S "
           "stands, O chooses): {}"},
};

}  // namespace

std::span<const Phrase> bank_phrases() {
  return bank_phrase_table;
}

}  // namespace talla::games::speech
