// An order of eight decks, found by annealing, that serves the bank at punto y banca wherever it is
// cut: what an appliance could commit to that chooses its order instead of drawing it.
#pragma once

#include <string_view>

namespace talla::certs {

inline constexpr std::string_view crooked_order =
    "3H QH 9D 9H 8C 6H 3D AD 5H 4D 2D 3D 8C 9C 2C QD 2S 5S 9S 5D QD 7H 8S QD 9S QS "
    "9D JH 2H 6S 5H 2D 4S 9D QS JD QH QS QD 3H KD 2C JD AH TS 4C 3S KH 4C TD 8D QC "
    "6S 6C 2H 5H 5D 5H QH 4H 4S JH 8C TH 4D TC JH JH TS KD 3S 6S 3H TH KC 4H 7S KS "
    "8H 7S QS 2C 9H QC AH 9C 8H 8S 2H 9H JC 7D QD 6C AD 9H 2D 6D 2H 9H JS 6S 2S 8S "
    "AH 8D AD 6H 4S 9S QC 9D 4H 2S 3S 6D AD TS 5D 7C 3H 6D AS AH AC 5H TS 9H KS 6C "
    "3C 5S 8S TD KC QS 2S 7S 5C 4H 7S 6D KS AS 8C 7D 6C KH 2C 3S TH 3S 7S 4H 3H 9S "
    "JC QH 6C 6S KH TS 7S AD 7D 5C JC 5S 9S JS QC 2S 7C KC 2D 3D QH 8D 9H 4D 4H AC "
    "3D 7D JD 7C 7D AH AH 6S QD KH 4S AS 2C 9H 6C 9C 4C 4C TC JS 6D 6C AH 7C 6D QH "
    "2H AC TC TC KS 7D 8D 7H 7C JC TH 7S 3S 9D JD 4D KD 8S 3S QS KS TC 3D 6C 3C JS "
    "JD TH 8S 8D AC 4D 5C 3C KH QD 6H 2H 5C JS KC KD 5C AS KH QC 2C 8H 5D TH 6D 2S "
    "KC 4S 8D 6H 7H 5C 8C 3S 7C 9S KS JH 2C JS 9D 9S 4C 9C 9C 8C QH 4D TD AS 5C 7H "
    "9C 4S AD 3C 6S 2H AS QS 7H 4H 5D JD 8S 7D 9D JD 8H 3C AC KD 7C AS AC 2H 4D JD "
    "TC QH 4C 8C TD KH 4C 3D JS 5D QC TH AC 6H QS 6H KC JH 7S 3D 6D KC JC TS 8H JS "
    "3C TD 3H 5C 3C AD AD 5H 8H TH 8D 6H KD 3D KD 7H QD 2S 8H QC 4C 7H 4S 5H KS QC "
    "5S 7C TD AS KC TD 3H JC JC 4D 5S JH 5H 9C 8C 5S 2D JC TD 7H 2D TC 5S TS 9S 2S "
    "TS 6S 8S 2D AH TC AC 4H KD 3H 7D 5D 2D KH 5D 9D 4S 6H 8D JH 9C 2C 5S 8H KS 3C";

}  // namespace talla::certs
