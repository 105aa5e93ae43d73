#include "engines/blackjack/rules.hpp"

namespace talla::games::blackjack {

int Law::points(Card card) const {
  const auto& ranks = need("cards", "ranks").array();
  return static_cast<int>(ranks.at(static_cast<std::size_t>(card.rank() - 1)).integer());
}

std::string_view Law::insurance_bet() const {
  return has("insurance") ? std::string_view(text("insurance", "bet")) : std::string_view();
}

}  // namespace talla::games::blackjack
