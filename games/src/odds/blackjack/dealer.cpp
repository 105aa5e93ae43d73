#include "odds/blackjack/dealer.hpp"

#include <algorithm>
#include <map>

namespace talla::games::blackjack {

namespace {

/// An ace counts high when that reaches the standing total without passing the target.
int dealers_total(const HandLaw& law, int low, bool ace) {
  const int high = low + law.ace_extra;
  return ace && high >= law.stands_on && high <= law.target ? high : low;
}

std::uint8_t classes_of(const Counts& drawn) {
  std::uint8_t out = classes_count;
  while (out > 0 && drawn.at(out - 1U) == 0) --out;
  return out;
}

/// In an order in which neighbours have most in common.
void share(std::vector<DealerEnd>& ends) {
  std::ranges::sort(ends, {}, &DealerEnd::drawn);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const DealerEnd& before = ends[i - 1];
    DealerEnd& now = ends[i];
    const auto alike = std::ranges::mismatch(before.drawn, now.drawn).in1 - before.drawn.begin();
    now.shared = std::min({static_cast<std::uint8_t>(alike), before.classes, now.classes});
  }
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
        out.push_back({.drawn = drawn,
                       .cards = cards,
                       .total = total,
                       .blackjack = cards == 1 && total == law.target,
                       .orders = orders,
                       .classes = classes_of(drawn),
                       .shared = 0});
      }
    }
  }
  share(out);
  return out;
}

}  // namespace talla::games::blackjack
