#include "odds/blackjack/dealer.hpp"

#include <map>

namespace talla::games::blackjack {

namespace {

/// An ace counts high when that reaches the standing total without passing the target.
int dealers_total(const HandLaw& law, int low, bool ace) {
  const int high = low + law.ace_extra;
  return ace && high >= law.stands_on && high <= law.target ? high : low;
}

}  // namespace

int best_total(const HandLaw& law, int low, bool ace) {
  return ace && low + law.ace_extra <= law.target ? low + law.ace_extra : low;
}

std::vector<DealerEnd> dealer_ends(const HandLaw& law, std::size_t first) {
  std::vector<DealerEnd> out;
  std::map<Counts, std::uint64_t> level = {{Counts{}, 1}};
  for (std::uint8_t cards = 1; !level.empty(); ++cards) {
    std::map<Counts, std::uint64_t> next;
    for (const auto& [drawn, orders] : level) {
      for (std::size_t one = 0; one < classes_count; ++one) {
        Counts more = drawn;
        ++more.at(one);
        next[more] += orders;
      }
    }
    level.clear();
    for (const auto& [drawn, orders] : next) {
      int low = law.points(first);
      for (std::size_t one = 0; one < classes_count; ++one) low += drawn.at(one) * law.points(one);
      const int total = dealers_total(law, low, first == ace_class || drawn[ace_class] > 0);
      if (total < law.stands_on) {
        level.emplace(drawn, orders);
      } else {
        out.push_back({drawn, cards, total, cards == 1 && total == law.target, orders});
      }
    }
  }
  return out;
}

}  // namespace talla::games::blackjack
