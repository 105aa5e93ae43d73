// Odds that were counted before. Written by make_odds (tests/odds); do not edit.
#include <array>

#include "odds/stored_odds.hpp"

namespace talla::games {

namespace {

constexpr std::array stored = {
    // es-valencia-2003 caribbean-stud {}
    StoredOdds{0x26b30b89a188468fULL, "160068962336/415275635775", "1020799891831/1661102543100",
               "9926115051077/4983307629300", "105470586367/21205564380", "10405797/5089630"},
    // es-aragon-2010 caribbean-stud {}
    StoredOdds{0xbe38b4e6b54c7964ULL, "160068962336/415275635775", "1020799891831/1661102543100",
               "9926115051077/4983307629300", "105470586367/21205564380", "10405797/5089630"},
    // es-aragon-2010 caribbean-stud {"ace_king_pays":"nothing"}
    StoredOdds{0x0622bb546ef2a51bULL, "632893037351/1661102543100", "171364038107/276850423850",
               "1965650948539/996661525860", "24561106196947/4983307629300", "10312677/5089630"},
    // es-euskadi-2010 caribbean-stud {}
    StoredOdds{0x26b30b89a188468fULL, "160068962336/415275635775", "1020799891831/1661102543100",
               "9926115051077/4983307629300", "105470586367/21205564380", "10405797/5089630"},
    // es-euskadi-2010 caribbean-stud {"tie_cards":"combination"}
    StoredOdds{0xc176d28bf41588b3ULL, "53327199507/138425211925", "1020450436571/1661102543100",
               "763545394169/383331356100", "4953273647177/996661525860", "10405797/5089630"},
};

}  // namespace

std::span<const StoredOdds> all_stored_odds() {
  return stored;
}

}  // namespace talla::games
