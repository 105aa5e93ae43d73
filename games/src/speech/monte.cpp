// Words for monte.
#include <array>

#include "speech/speech.hpp"

namespace talla::games::speech {
namespace {

constexpr std::array monte_phrase_table{
    Phrase{"monte/forms", "Qué es cada apuesta y en qué fase se hace:",
           "What each bet is, and in which round it is made:"},
    Phrase{
        "monte/suits.circle=oceb",
        "Los palos siguen en círculo oros, copas, espadas, bastos: Camo es el siguiente, Anti el "
        "anterior, Viudo el que no toca",
        "The suits stand in a circle, coins, cups, swords, clubs: Camo is the next, Anti the one "
        "before, "
        "Viudo the one that does not touch"},
    Phrase{"monte/salto.keeps",
           "En el Salto, frente a una carta doblada, siguen vivas por este orden: {}",
           "In Salto, against a stacked card, these live longest, in order: {}"},
    Phrase{"monte/points.vista_extra",
           "Cada carta doblada quita {} punto del pago de Vista Hermosa",
           "Each stacked card takes {} point off the price of Vista Hermosa"},
    Phrase{"monte/points.vista_burned",
           "Cada carta quemada quita {} punto del pago de Vista Hermosa",
           "Each burned card takes {} point off the price of Vista Hermosa"},
    Phrase{"monte/points.exact_extra",
           "Cada carta doblada quita {} punto del pago de Camo, Anti y Viudo",
           "Each stacked card takes {} point off the price of Camo, Anti and Viudo"},
    Phrase{"monte/deduction.share",
           "La casa retiene {} cuando gana la primera carta, salvo en Vista Hermosa",
           "The house keeps {} when the first card wins, Vista Hermosa excepted"},
    Phrase{"monte/layout",
           "Se reparten cuatro cartas de distinto valor; las iguales se doblan o se queman",
           "Four cards of different ranks are laid out; equal ones are stacked or burned"},
    Phrase{"monte/rounds", "Cada reparto tiene dos fases, Primeras y Segundas",
           "Each deal has two rounds, Primeras and Segundas"},
    Phrase{"monte/annulled", "Cartas dobladas que anulan otras (lugares 1 a 4):",
           "Stacked cards that annul others (places 1 to 4):"},
    Phrase{"when/camo", "Camo", "Camo"},
    Phrase{"when/anti", "Anti", "Anti"},
    Phrase{"when/viudo", "Viudo", "Viudo"},
    Phrase{"when/primeras", "Primeras", "Primeras"},
    Phrase{"when/segundas", "Segundas", "Segundas"},
    Phrase{"monte/forms.*.form=vista",
           "{bet}: gana si la primera carta descubierta es la Camo de su lugar",
           "{bet}: wins when the first card turned is the Camo of its place"},
    Phrase{"monte/forms.*.form=camo",
           "{bet}: gana si, de las cartas en juego, sale antes la Camo de su lugar",
           "{bet}: wins when, of the cards in play, the Camo of its place comes first"},
    Phrase{"monte/forms.*.form=anti",
           "{bet}: gana si, de las cartas en juego, sale antes la Anti de su lugar",
           "{bet}: wins when, of the cards in play, the Anti of its place comes first"},
    Phrase{"monte/forms.*.form=viudo",
           "{bet}: gana si, de las cartas en juego, sale antes la Viudo de su lugar",
           "{bet}: wins when, of the cards in play, the Viudo of its place comes first"},
    Phrase{"monte/forms.*.form=salto",
           "{bet}: gana si, de los valores en juego, sale antes el de su lugar",
           "{bet}: wins when, of the ranks in play, that of its place comes first"},
    Phrase{"monte/forms.*.form=horizontal", "{bet}: gana si su valor sale antes que el de al lado",
           "{bet}: wins when its rank comes before its neighbour's"},
    Phrase{"monte/forms.*.form=vertical",
           "{bet}: gana si su valor sale antes que el de encima o debajo",
           "{bet}: wins when its rank comes before the one above or below"},
    Phrase{"monte/forms.*.form=two",
           "{bet}: gana si uno de sus dos valores sale antes que los otros dos",
           "{bet}: wins when one of its two ranks comes before the other two"},
    Phrase{"monte/forms.*.rounds", "{bet}: se hace en {}", "{bet}: made in {}"},
    Phrase{"monte/annulled.rows[first]",
           "Con {first} y {second} cartas de más en las de una fila, no deciden {cards} del lugar "
           "{card} "
           "frente al lugar {by}",
           "With {first} and {second} extra cards in a row, {cards} of place {card} decide nothing "
           "against "
           "place {by}"},
    Phrase{"monte/annulled.rows[diagonals]",
           "Eso (lugar {card} frente al lugar {by}) no vale en diagonales",
           "That (place {card} against place {by}) does not hold on diagonals"},
};

}  // namespace

std::span<const Phrase> monte_phrases() {
  return monte_phrase_table;
}

}  // namespace talla::games::speech
