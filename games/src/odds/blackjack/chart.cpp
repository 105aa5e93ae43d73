#include "odds/blackjack/chart.hpp"

#include <algorithm>

#include "odds/blackjack/hands_against.hpp"

namespace talla::games::blackjack {

namespace {

/// What the hands of one total gain together by each choice.
struct Sum {
  Wide stand = 0;
  Wide hit = 0;
  Wide twice = 0;
  unsigned hands = 0;
  unsigned may_double = 0;  ///< of them

  void add(const HandsAgainst::Options& options, unsigned times) {
    stand += options.stand * times;
    hit += options.hit.value_or(options.stand) * times;
    twice += options.twice.value_or(0) * times;
    hands += times;
    may_double += options.twice ? times : 0U;
  }
};

Counts two_cards(std::size_t a, std::size_t b) {
  Counts own{};
  ++own.at(a);
  ++own.at(b);
  return own;
}

class Drawing {
 public:
  explicit Drawing(const HandLaw& law) : law_(law) { out_.best = best_play(law); }

  Chart drawn() {
    for (std::size_t dealer = 0; dealer < classes_count; ++dealer) against(dealer);
    const Told told{.first = [this](auto a, auto b, auto dealer) { return first(a, b, dealer); },
                    .later = [this](const auto& own, auto cards,
                                    auto dealer) { return later(own, cards, dealer); }};
    out_.played = told_play(law_, told);
    return std::move(out_);
  }

 private:
  void against(std::size_t dealer) {
    const HandsAgainst hands(law_, dealer);
    // [1]: with an ace; pairs only where nothing else makes the total.
    std::array<std::array<Sum, totals_count>, 2> different;
    std::array<std::array<Sum, totals_count>, 2> alike;
    Counts left = law_.shoe;
    --left.at(dealer);
    for (std::size_t a = 0; a < classes_count; ++a) {
      for (std::size_t b = a; b < classes_count; ++b) {
        if (a == ace_class && b == ten_class) continue;
        const unsigned one = left.at(a);
        const unsigned other = left.at(b);
        const unsigned ways = a == b ? one * (one > 0 ? one - 1 : 0U) : 2U * one * other;
        if (ways == 0) continue;
        const std::size_t soft = a == ace_class ? 1 : 0;
        auto& sums = a == b ? alike : different;
        sums.at(soft).at(total(a, b)).add(hands.options(two_cards(a, b)), ways);
        if (a == b) out_.pairs.at(a).at(dealer) = out_.best.first.at(a).at(a).at(dealer);
      }
    }
    for (std::size_t soft = 0; soft < 2; ++soft) {
      auto& cells = soft == 1 ? out_.soft : out_.hard;
      for (std::size_t now = 0; now < totals_count; ++now) {
        const Sum& own = different.at(soft).at(now);
        const Sum& sum = own.hands > 0 ? own : alike.at(soft).at(now);
        if (sum.hands > 0) cells.at(now).at(dealer) = decided(sum, hands.all(), dealer);
      }
    }
  }

  [[nodiscard]] ChartPlay decided(const Sum& sum, const Wide& all, std::size_t dealer) const {
    ChartPlay out;
    out.later = sum.hit > sum.stand ? Action::hit : Action::stand;
    out.first = out.later;
    Wide best = std::max(sum.hit, sum.stand);
    if (sum.may_double == sum.hands && sum.twice > best) {
      best = sum.twice;
      out.first = Action::twice;
    }
    if (law_.surrender && !law_.no_surrender_against.contains(dealer)) {
      const Ratio given = (*law_.surrender - Ratio(1)) * Ratio(WideInt(all), 1) * Ratio(sum.hands);
      if (given > Ratio(WideInt(best), 1)) out.first = Action::surrender;
    }
    return out;
  }

  [[nodiscard]] std::size_t total(std::size_t a, std::size_t b) const {
    return static_cast<std::size_t>(law_.points(a) + law_.points(b) +
                                    (a == ace_class ? law_.ace_extra : 0));
  }

  [[nodiscard]] Action first(std::size_t a, std::size_t b, std::size_t dealer) const {
    return a == b ? out_.pairs.at(a).at(dealer) : out_.cell(a, b, dealer, law_).first;
  }

  [[nodiscard]] Action later(const Counts& own, std::size_t cards, std::size_t dealer) const {
    int low = 0;
    for (std::size_t one = 0; one < classes_count; ++one) low += own.at(one) * law_.points(one);
    const bool soft = own[ace_class] > 0 && low + law_.ace_extra <= law_.target;
    const auto now = static_cast<std::size_t>(soft ? low + law_.ace_extra : low);
    const ChartPlay& cell = (soft ? out_.soft : out_.hard).at(now).at(dealer);
    if (cards != 2) return cell.later;
    const auto pair = std::ranges::find(own, std::uint8_t{2});
    if (pair != own.end()) {
      const auto a = static_cast<std::size_t>(pair - own.begin());
      const Action action = out_.pairs.at(a).at(dealer);
      if (action != Action::split && action != Action::surrender) return action;
    }
    return cell.first == Action::twice ? cell.first : cell.later;
  }

  const HandLaw& law_;
  Chart out_;
};

}  // namespace

const ChartPlay& Chart::cell(std::size_t a, std::size_t b, std::size_t dealer,
                             const HandLaw& law) const {
  const bool ace = a == ace_class || b == ace_class;
  const int low = law.points(a) + law.points(b);
  const auto total = static_cast<std::size_t>(ace ? low + law.ace_extra : low);
  return (ace ? soft : hard).at(total).at(dealer);
}

Chart chart(const HandLaw& law) {
  return Drawing(law).drawn();
}

}  // namespace talla::games::blackjack
