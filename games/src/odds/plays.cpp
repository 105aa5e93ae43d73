// Words for how a bet of the odds is played, or on what cards it is laid, in both languages.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "games/odds.hpp"

namespace talla::games {

namespace {

struct Play {
  std::string_view code;
  std::string_view es;
  std::string_view en;
};
constexpr std::array plays = {
    Play{"five-best", "con 5 lo mejor", "with 5 the best"},
    Play{"five-draws", "con 5 se pide", "with 5 draws"},
    Play{"five-stands", "con 5 se planta", "with 5 stands"},
    Play{"five-draws-first", "con 5 solo pide el primer paño", "with 5 only the first cloth draws"},
    Play{"bank-best", "el banquero a lo mejor", "the banker at his best"},
    Play{"bank-chart", "el banquero por el cuadro", "the banker by the chart"},
    Play{"banco-best", "quien hace banco, a lo mejor contra ese banquero",
         "who makes banco at his best against that banker"},
    Play{"layout-plain", "cuatro cartas sin doblar ni quemar",
         "four cards, none stacked or burned"},
    Play{"layout-doubled-camo", "la primera carta, doblada con su camo",
         "the first card doubled by its camo"},
    Play{"layout-doubled-anti", "la primera carta, doblada con su anti",
         "the first card doubled by its anti"},
    Play{"layout-doubled-viudo", "la primera carta, doblada con su viudo",
         "the first card doubled by its viudo"},
    Play{"layout-tripled-camo", "la primera carta, triplicada: le queda su camo",
         "the first card tripled: its camo is left"},
    Play{"layout-tripled-anti", "la primera carta, triplicada: le queda su anti",
         "the first card tripled: its anti is left"},
    Play{"layout-tripled-viudo", "la primera carta, triplicada: le queda su viudo",
         "the first card tripled: its viudo is left"},
    Play{"layout-both-doubled", "la primera y la segunda, dobladas con sus camos",
         "the first and the second doubled by their camos"},
    Play{"layout-burned", "dos cartas iguales quemadas, ninguna de las puestas",
         "two equal cards burned, none of the ranks placed"},
    Play{"sold-1", "un cartón vendido", "one card sold"},
    Play{"sold-5", "cinco cartones vendidos", "five cards sold"},
    Play{"sold-10", "diez cartones vendidos", "ten cards sold"},
    Play{"best-play", "lo mejor en cada mano", "at the best play of each hand"},
    Play{"way-informative", "compuesta por la tabla de la casa", "set by the house's table"},
    Play{"way-best-high", "con la mejor mano alta", "with the best high hand"},
    Play{"way-best-low", "con la mejor mano baja", "with the best low hand"},
    Play{"never-split", "lo mejor sin separar parejas", "at the best play without splitting"},
    Play{"third-card", "siempre con una tercera carta", "always with a third card"},
    Play{"two-cards", "sin tercera carta", "without a third card"},
    Play{"meter-opening", "el acumulado como al abrirse", "the jackpot as at its opening"},
    Play{"own-tens-0", "el as de la banca y ningún diez propio",
         "the dealer's ace and no ten of one's own"},
    Play{"own-tens-1", "el as de la banca y un diez propio",
         "the dealer's ace and a ten of one's own"},
    Play{"own-tens-2", "el as de la banca y dos dieces propios",
         "the dealer's ace and two tens of one's own"},
    Play{"in-segundas", "en Segundas, cuando se admite", "in Segundas, whenever it is taken"},
};

}  // namespace

std::string_view play_words(std::string_view play, std::string_view language) {
  const auto found = std::ranges::find(plays, play, &Play::code);
  TALLA_CHECK(found != plays.end());
  return language == "en" ? found->en : found->es;
}

}  // namespace talla::games
