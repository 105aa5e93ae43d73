#include "exceptions.hpp"

namespace talla::sim {

bool pays_computed(const games::GameRules& rules, std::string_view /*bet*/) {
  return rules.family == "monte";  // deductions for doubled and burned cards, and for the first card
}

bool carries_over(const games::GameRules& rules, std::string_view bet) {
  if (rules.family == "wheel") return true;                // a stake in prison waits beside new ones
  return rules.family == "dice" && bet.ends_with("come");  // a come stake moves to its point
}

bool rarely_settled(const games::GameRules& /*rules*/, std::string_view /*bet*/) {
  return false;
}

}  // namespace talla::sim
