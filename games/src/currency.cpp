// Which currency codes are known.
#include <algorithm>
#include <array>
#include <string_view>

#include "games/money.hpp"

namespace talla::games {
namespace {

/// ISO 4217, list one (active) and list three (historic), without funds and precious metals.
constexpr std::string_view currency_codes =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BYN BZD CAD "
    "CDF "
    "CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD "
    "GNF GTQ GYD "
    "HKD "
    "HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP "
    "LKR LRD LSL "
    "LYD "
    "MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN "
    "PGK PHP PKR "
    "PLN "
    "PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS "
    "TMT TND TOP "
    "TRY "
    "TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW "
    "ADP AFA ALK AON AOR ARA ARP ARY ATS AYM AZM BAD BEF BGJ BGK BGL BOP BRB BRC BRE BRN BRR BUK "
    "BYB BYR CHC "
    "CSD "
    "CSJ CSK CYP DDM DEM ECS EEK ESA ESB ESP FIM FRF GEK GHC GHP GNE GNS GQE GRD GWE GWP HRD HRK "
    "IEP ILP ILR "
    "ISJ "
    "ITL LAJ LSM LTL LTT LUF LVL LVR MGF MLF MRO MTL MTP MVQ MXP MZE MZM NIC NLG PEH PEI PES PLZ "
    "PTE RHD ROK "
    "ROL "
    "RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM TPE TRL UAK UGS UGW USS UYN UYP VEB VEF VNC XEU "
    "YDD YUD YUM "
    "YUN "
    "ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN ZWR";

}  // namespace

bool currency_known(std::string_view code) {
  if (code.size() != 3 || code.find(' ') != std::string_view::npos) return false;
  for (std::size_t at = 0; at < currency_codes.size(); at += 4) {
    if (currency_codes.substr(at, 3) == code) return true;
  }
  return false;
}

}  // namespace talla::games
