// The names of poker hands' categories.
#include <array>

#include "games/errc.hpp"
#include "games/poker_hand.hpp"

namespace talla::games::poker {
namespace {

constexpr std::array<std::string_view, categories_count> names{
    "high-card", "ace-king", "pair", "two-pair",       "figuras",     "trio",     "straight",
    "flush",     "full",     "four", "straight-flush", "royal-flush", "five-aces"};

}  // namespace

std::string_view category_name(Category category) {
  return names.at(static_cast<std::size_t>(category));
}

Result<Category> category_from(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.at(i) == name) return static_cast<Category>(i);
  }
  return fail(Errc::catalogue_malformed,
              "no poker hand is called \"" + std::string(name) +
                  "\"; high-card, pair, two-pair, trio, straight, flush, full, four, "
                  "straight-flush, royal-flush and some more are");
}

}  // namespace talla::games::poker
