// Pai gow poker: every hand of the client, however it is set, against every hand of the bank.
#include "odds/poker/pai_gow.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/check.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::poker {
namespace {

using pai_gow::hand_cards;
using pai_gow::house_ways_count;
using pai_gow::HouseWay;

constexpr std::int64_t orders_count = 6;
constexpr std::array all_ways = {HouseWay::informative, HouseWay::best_high, HouseWay::best_low};

/// A row of the table: so many low values, those below the first and all of them too.
constexpr std::size_t columns = 96;

/// Six cards, and the number of what a seventh makes of them.
class SixWith {
 public:
  explicit SixWith(std::span<const Place> set) : set_(set) {
    TALLA_CHECK(set.size() + 1 == hand_cards);
    for (std::size_t i = set.size(); i-- > 0;)
      above_[i] = above_[i + 1] + sets_below(set[i], i + 2);
    for (std::size_t i = 0; i < set.size(); ++i)
      below_[i + 1] = below_[i] + sets_below(set[i], i + 1);
  }
  /// `at`: how many of the six lie below it.
  [[nodiscard]] std::uint32_t with(Place one, std::size_t at) const {
    return below_[at] + sets_below(one, at + 1) + above_[at];
  }
  [[nodiscard]] std::size_t below(Place one) const {
    std::size_t at = 0;
    while (at < set_.size() && set_[at] < one) ++at;
    return at;
  }

 private:
  std::span<const Place> set_;
  std::array<std::uint32_t, hand_cards> below_{};
  std::array<std::uint32_t, hand_cards> above_{};
};

/// Calls `visit(number)` for every hand of seven that holds `set` and cards of the deck below
/// `limit`.
template <class Visit>
void each_hand_with(std::span<const Place> set, Place limit, Visit& visit) {
  if (set.size() + 1 == hand_cards) {
    const SixWith six(set);
    for (Place one = 0; one < limit; ++one) {
      const std::size_t at = six.below(one);
      if (at == set.size() || set[at] != one) visit(six.with(one, at));
    }
    return;
  }
  std::array<Place, hand_cards> more{};
  for (Place one = 0; one < limit; ++one) {
    const auto at = std::ranges::lower_bound(set, one);
    if (at != set.end() && *at == one) continue;
    const auto place = static_cast<std::size_t>(at - set.begin());
    std::copy(set.begin(), at, more.begin());
    more[place] = one;
    std::copy(at, set.end(), more.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    each_hand_with(std::span<const Place>(more).first(set.size() + 1), one, visit);
  }
}

std::size_t place_of(const std::vector<HandValue>& values, HandValue value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(values, value) - values.begin());
}

void sort_values(std::vector<HandValue>& values) {
  std::ranges::sort(values);
  const auto end = std::ranges::unique(values);
  values.erase(end.begin(), end.end());
}

}  // namespace

PaiGow::PaiGow(const Ranker& ranker, std::size_t ranks)
    : ranker_(ranker), sets_(ranks, set_cards_max) {
  const auto whole = shuffle::DeckSpec::french(1).cards();
  for (const Card card : whole) {
    const auto rank = static_cast<std::size_t>(card.rank());
    if (rank == 1 || rank + ranks > static_cast<std::size_t>(ranks_count) + 1)
      deck_.push_back(card);
  }
  TALLA_CHECK(deck_.size() == sets_.cards());
  deck_.push_back(Card::joker());
  read_values();
  read_hands();
}

void PaiGow::read_values() {
  std::array<Place, 5> five{0, 1, 2, 3, 4};
  do {
    std::array<Card, 5> cards;
    for (std::size_t i = 0; i < five.size(); ++i) cards[i] = deck_[five[i]];
    highs_.push_back(ranker_.five(cards));
  } while (next_set(five, deck_.size()));
  sort_values(highs_);
  for (const Card a : deck_)
    for (const Card b : deck_)
      if (a < b) lows_.push_back(ranker_.two(std::array{a, b}));
  sort_values(lows_);
  TALLA_CHECK(lows_.size() < columns);
  row_.resize(highs_.size() + 1);
}

std::uint64_t PaiGow::key(const Hand& hand) const {
  const bool joker = hand.back() == sets_.cards();
  const std::span<const Place> french(hand.data(), hand.size() - (joker ? 1U : 0U));
  constexpr unsigned above_suits = 52;
  return sets_.key(french) | (joker ? std::uint64_t{1} << above_suits : 0);
}

void PaiGow::read_hands() {
  std::unordered_map<std::uint64_t, std::uint32_t> found;
  Hand hand{0, 1, 2, 3, 4, 5, 6};
  do {
    const auto fresh = static_cast<std::uint32_t>(classes_.size());
    const std::uint32_t at = found.try_emplace(key(hand), fresh).first->second;
    if (at == fresh) {
      classes_.emplace_back();
      set_hand(hand, classes_.back());
    }
    ++classes_[at].hands;
    class_of_.push_back(at);
  } while (next_set(hand, deck_.size()));
}

void PaiGow::set_hand(const Hand& hand, Class& out) {
  std::array<Card, hand_cards> cards;
  for (std::size_t i = 0; i < hand.size(); ++i) cards[i] = deck_[hand[i]];
  const auto options = pai_gow::legal_options(ranker_, cards);
  const auto setting = [&](const pai_gow::Option& one) {
    return Setting{static_cast<std::uint16_t>(place_of(highs_, one.hands.high)),
                   static_cast<std::uint8_t>(place_of(lows_, one.hands.low))};
  };
  out.first = static_cast<std::uint32_t>(settings_.size());
  const auto put = [&](const Setting& one) {
    const auto begin = settings_.begin() + static_cast<std::ptrdiff_t>(out.first);
    const auto at = std::find(begin, settings_.end(), one) - begin;
    if (begin + at == settings_.end()) settings_.push_back(one);
    return static_cast<std::uint8_t>(at);
  };
  const auto by = [&](std::span<const Card, hand_cards> dealt, HouseWay way) {
    const auto all = pai_gow::legal_options(ranker_, dealt);
    const auto low = pai_gow::house_low(ranker_, dealt, all, way);
    const auto chosen = std::ranges::find(all, low, &pai_gow::Option::low);
    TALLA_CHECK(chosen != all.end());
    return put(setting(*chosen));
  };
  for (const HouseWay way : all_ways) out.way[static_cast<std::size_t>(way)] = by(cards, way);
  std::vector<std::size_t> aces;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if (cards[i].is_joker() || cards[i].rank() == 1) aces.push_back(i);
  if (cards.back().is_joker() && aces.size() == 4) {
    Orders& orders = ordered_[static_cast<std::uint32_t>(&out - classes_.data())];
    std::size_t at = 0;
    for (std::size_t i = 0; i < aces.size(); ++i) {
      for (std::size_t j = i + 1; j < aces.size(); ++j) {
        auto dealt = cards;
        std::swap(dealt[0], dealt[aces[i]]);
        std::swap(dealt[1], dealt[aces[j]]);
        orders[at++] = by(dealt, HouseWay::informative);
      }
    }
  }
  // A setting of which another has both hands as good is never better.
  for (const auto& one : options) {
    const bool worse = std::ranges::any_of(options, [&](const pai_gow::Option& other) {
      return other.hands.high >= one.hands.high && other.hands.low >= one.hands.low &&
             (other.hands.high > one.hands.high || other.hands.low > one.hands.low);
    });
    if (!worse) put(setting(one));
  }
}

PaiGow::Orders PaiGow::orders_of(std::uint32_t one, HouseWay way) const {
  if (way == HouseWay::informative) {
    const auto found = ordered_.find(one);
    if (found != ordered_.end()) return found->second;
  }
  Orders out;
  out.fill(classes_[one].way[static_cast<std::size_t>(way)]);
  return out;
}

void PaiGow::collect(std::span<const Place> set) {
  held_.clear();
  const auto visit = [this](std::uint32_t number) { held_.push_back(class_of_[number]); };
  each_hand_with(set, static_cast<Place>(deck_.size()), visit);
}

/// `weighted`: each class stands for all its hands.
void PaiGow::fill(HouseWay bank, bool weighted) {
  // Calls `visit(setting, orders)` for what the bank makes of a hand.
  const auto each = [&](std::uint32_t one, const auto& visit) {
    const Class& now = classes_[one];
    if (bank == HouseWay::informative && ordered_.contains(one)) {
      for (const std::uint8_t set : orders_of(one, bank)) visit(settings_[now.first + set], 1);
      return;
    }
    visit(settings_[now.first + now.way[static_cast<std::size_t>(bank)]], orders_count);
  };
  std::ranges::fill(row_, 0);
  for (const std::uint32_t one : held_)
    each(one, [this](const Setting& set, std::int64_t) { row_[set.high + 1U] = 1; });
  for (std::size_t i = 1; i < row_.size(); ++i) row_[i] += row_[i - 1];
  rows_ = row_.back();
  below_.assign((rows_ + 1) * columns, 0);
  for (const std::uint32_t one : held_) {
    const std::int64_t times = weighted ? classes_[one].hands : 1;
    each(one, [&](const Setting& set, std::int64_t orders) {
      below_[(row_[set.high] + 1) * columns + set.low + 1U] +=
          static_cast<std::int32_t>(times * orders);
    });
  }
  for (std::size_t row = 1; row <= rows_; ++row) {
    std::int32_t* now = &below_[row * columns];
    for (std::size_t i = 1; i < columns; ++i) now[i] += now[i - 1];
    for (std::size_t i = 0; i < columns; ++i) now[i] += now[i - columns];
  }
}

void PaiGow::look_up(std::int64_t times, bool weighted) {
  const std::int32_t* all = &below_[rows_ * columns];
  for (const std::uint32_t one : held_) {
    const std::int64_t part = weighted ? times * classes_[one].hands : times;
    const std::size_t end = end_of(one);
    for (std::size_t i = classes_[one].first; i < end; ++i) {
      const Setting& set = settings_[i];
      const std::int32_t* row = &below_[row_[set.high] * columns];
      const std::int64_t both = row[set.low];
      gained_[i].win += part * both;
      gained_[i].not_lost += part * (std::int64_t{row[columns - 1]} + all[set.low] - both);
    }
  }
}

void PaiGow::share(std::span<const Place> set, std::int64_t times, HouseWay bank) {
  collect(set);
  fill(bank, false);
  look_up(set.size() % 2 == 0 ? times : -times, false);
}

/// No card shared: every hand, each class once.
void PaiGow::share_all(HouseWay bank) {
  held_.clear();
  for (std::uint32_t one = 0; one < classes_.size(); ++one) held_.push_back(one);
  fill(bank, true);
  look_up(1, true);
}

/// All seven shared: the bank has the same hand.
void PaiGow::share_hand(HouseWay bank) {
  for (std::uint32_t one = 0; one < classes_.size(); ++one) {
    const std::size_t end = end_of(one);
    for (const std::uint8_t set : orders_of(one, bank)) {
      const Setting its = settings_[classes_[one].first + set];
      for (std::size_t i = classes_[one].first; i < end; ++i) {
        const bool high = settings_[i].high > its.high;
        const bool low = settings_[i].low > its.low;
        gained_[i].win -= high && low ? classes_[one].hands : 0;
        gained_[i].not_lost -= high || low ? classes_[one].hands : 0;
      }
    }
  }
}

PaiGowOdds PaiGow::against(HouseWay bank, const Fraction& commission) {
  gained_.assign(settings_.size(), {});
  share_all(bank);
  const auto joker = static_cast<Place>(sets_.cards());
  for (std::size_t size = 0; size < hand_cards; ++size) {
    for (const CardSets::First& one : sets_.firsts(size)) {
      std::vector<Place> set = one.set;
      if (size > 0) share(set, one.sets, bank);
      set.push_back(joker);
      if (set.size() < hand_cards) share(set, one.sets, bank);
    }
  }
  share_hand(bank);
  PaiGowOdds out;
  const std::int64_t banks = orders_count * sets_below(deck_.size() - hand_cards, hand_cards);
  const auto whole = static_cast<std::int64_t>(commission.denominator());
  const std::int64_t kept = whole - static_cast<std::int64_t>(commission.numerator());
  const auto add = [](PaiGowSums& sums, const Gained& gained, std::int64_t deals) {
    sums.win += gained.win;
    sums.lose += deals - gained.not_lost;
    sums.deals += deals;
  };
  for (std::uint32_t one = 0; one < classes_.size(); ++one) {
    const Class& now = classes_[one];
    const std::int64_t deals = banks * now.hands;
    const auto begin = gained_.begin() + static_cast<std::ptrdiff_t>(now.first);
    const auto best = std::max_element(
        begin, gained_.begin() + static_cast<std::ptrdiff_t>(end_of(one)),
        [&](const Gained& a, const Gained& b) {
          return kept * a.win + whole * a.not_lost < kept * b.win + whole * b.not_lost;
        });
    for (std::int64_t order = 0; order < orders_count; ++order) add(out.best, *best, deals);
    for (const HouseWay way : all_ways)
      for (const std::uint8_t set : orders_of(one, way))
        add(out.ways[static_cast<std::size_t>(way)], begin[set], deals);
  }
  return out;
}

}  // namespace talla::games::poker
