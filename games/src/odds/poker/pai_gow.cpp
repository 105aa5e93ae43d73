// Pai gow poker: every hand of the client, however it is set, against every hand of the bank.
#include "odds/poker/pai_gow.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

using pai_gow::hand_cards;
using pai_gow::house_ways_count;
using pai_gow::HouseWay;

constexpr auto orders_count = static_cast<std::int64_t>(PaiGowHands::orders_count);
constexpr unsigned half_word = 32;

constexpr std::uint64_t word(std::uint64_t win, std::uint64_t not_lost) {
  return (win << half_word) + not_lost;
}
/// What that word is of one hand, made of all of `hands`: the number below 2^61 that is so many
/// times larger modulo 2^64. Precondition: `hands` divides 24.
constexpr std::uint64_t word_of_one(std::uint64_t word, std::uint64_t hands) {
  constexpr std::uint64_t third = 0xAAAAAAAAAAAAAAABULL;  // 1 / 3 modulo 2^64
  const auto twos = static_cast<unsigned>(std::countr_zero(hands));
  const std::uint64_t out = (hands >> twos == 3 ? third : 1) * (word >> twos);
  constexpr unsigned bits = 61;
  return out & ((std::uint64_t{1} << bits) - 1);
}

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
    std::size_t at = 0;
    for (Place one = 0; one < limit; ++one) {
      if (at < set.size() && set[at] == one) {
        ++at;
      } else {
        visit(six.with(one, at));
      }
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

}  // namespace

PaiGow::PaiGow(const PaiGowHands& hands)
    : hands_(hands),
      words_(hands.all_settings()),
      banks_(orders_count * sets_below(hands.deck().size() - hand_cards, hand_cards)),
      times_(hands.classes()) {
  share_all();
  const std::size_t ranks = hands.deck().size() / shuffle::suits_count;
  for (std::size_t size = 1; size < hand_cards; ++size) {
    const JokerSets sets(ranks, size);
    for (const JokerSets::First& one : sets.firsts())
      share(std::span(one.set).first(size), one.sets);
  }
  share_hand();
}

/// The table of the hands that are held.
void PaiGow::fill() {
  row_.assign(hands_.high_end() + 1, 0);
  column_.fill(0);
  const auto each = [this](const auto& visit) {
    for (const std::uint32_t one : held_)
      for (const HouseWay bank : pai_gow::all_house_ways)
        hands_.each_by(bank, one, [&](const Setting& set, std::uint32_t orders) {
          visit(static_cast<std::size_t>(bank), set, orders * times_[one]);
        });
  };
  each([this](std::size_t, const Setting& set, std::uint32_t) {
    row_[set.high + 1U] = 1;
    column_.at(set.low + 1U) = 1;
  });
  std::partial_sum(row_.begin(), row_.end(), row_.begin());
  std::partial_sum(column_.begin(), column_.end(), column_.begin());
  const std::size_t columns = column_.back() + 1;
  below_.assign((row_.back() + 1) * columns, {});
  each([&](std::size_t bank, const Setting& set, std::uint32_t hands) {
    below_[(row_[set.high] + 1) * columns + column_[set.low] + 1][bank] += hands;
  });
  const auto add = [](Words& to, const Words& from) {
    for (std::size_t bank = 0; bank < to.size(); ++bank) to[bank] += from[bank];
  };
  for (std::size_t at = columns; at < below_.size(); at += columns) {
    for (std::size_t i = at + 1; i < at + columns; ++i) add(below_[i], below_[i - 1]);
    for (std::size_t i = at; i < at + columns; ++i) add(below_[i], below_[i - columns]);
  }
  const std::vector<Words> all(below_.end() - static_cast<std::ptrdiff_t>(columns), below_.end());
  for (std::size_t at = 0; at < below_.size(); at += columns) {
    const Words row = below_[at + columns - 1];
    for (std::size_t i = 0; i < columns; ++i) {
      Words& now = below_[at + i];
      for (std::size_t bank = 0; bank < now.size(); ++bank)
        now[bank] = word(now[bank], row[bank] + all[i][bank] - now[bank]);
    }
  }
}

/// Empties `held_`.
void PaiGow::look_up(std::int64_t times) {
  const std::size_t columns = column_.back() + 1;
  for (const std::uint32_t one : held_) {
    const auto part = static_cast<std::uint64_t>(times * times_[one]);
    times_[one] = 0;
    Words* gained = &words_[hands_.first_setting(one)];
    for (const Setting& set : hands_.settings(one)) {
      const Words& its = below_[row_[set.high] * columns + column_[set.low]];
      for (std::size_t bank = 0; bank < its.size(); ++bank) (*gained)[bank] += part * its[bank];
      ++gained;
    }
  }
  held_.clear();
}

void PaiGow::share(std::span<const Place> set, std::int64_t times) {
  const auto visit = [this](std::uint32_t number) {
    const std::uint32_t one = hands_.class_of(number);
    if (times_[one]++ == 0) held_.push_back(one);
  };
  each_hand_with(set, static_cast<Place>(hands_.deck().size()), visit);
  fill();
  look_up(set.size() % 2 == 0 ? times : -times);
}

/// No card shared: every hand.
void PaiGow::share_all() {
  for (std::uint32_t one = 0; one < hands_.classes(); ++one) {
    held_.push_back(one);
    times_[one] = hands_.hands(one);
  }
  fill();
  look_up(1);
}

/// All seven shared: the bank has the same hand.
void PaiGow::share_hand() {
  for (std::uint32_t one = 0; one < hands_.classes(); ++one) {
    for (const HouseWay bank : pai_gow::all_house_ways) {
      hands_.each_by(bank, one, [&](const Setting& its, std::uint32_t orders) {
        const std::uint64_t hands = std::uint64_t{orders} * hands_.hands(one);
        Words* gained = &words_[hands_.first_setting(one)];
        for (const Setting& set : hands_.settings(one)) {
          const bool high = set.high > its.high;
          const bool low = set.low > its.low;
          (*gained++)[static_cast<std::size_t>(bank)] -=
              word(high && low ? hands : 0, high || low ? hands : 0);
        }
      });
    }
  }
}

PaiGow::Gained PaiGow::gained(std::size_t bank, std::uint32_t one, std::size_t setting) const {
  const std::uint64_t its = word_of_one(words_[setting][bank], hands_.hands(one));
  constexpr std::uint64_t low = (std::uint64_t{1} << half_word) - 1;
  return {.win = static_cast<std::int64_t>(its >> half_word),
          .not_lost = static_cast<std::int64_t>(its & low)};
}

std::size_t PaiGow::index_of(std::uint32_t one, const Setting& set) const {
  const auto settings = hands_.settings(one);
  const auto at = std::ranges::find(settings, set) - settings.begin();
  TALLA_CHECK(at < std::ssize(settings));
  return hands_.first_setting(one) + static_cast<std::size_t>(at);
}

std::size_t PaiGow::best_of(std::size_t bank, std::uint32_t one, const PaiGowAim& aim) const {
  const auto whole = static_cast<std::int64_t>(aim.commission.denominator());
  const std::int64_t kept = whole - static_cast<std::int64_t>(aim.commission.numerator());
  const auto settings = hands_.settings(one);
  const std::size_t first = hands_.first_setting(one);
  std::optional<std::size_t> out;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (settings[i].high == 0 && !aim.wrongly) continue;
    const Gained its = gained(bank, one, first + i);
    const std::int64_t brings = kept * its.win + whole * its.not_lost;
    if (!out || brings > most) {
      out = first + i;
      most = brings;
    }
  }
  TALLA_CHECK(out);
  return *out;
}

PaiGow::Setting PaiGow::best(HouseWay bank, std::uint32_t one, const PaiGowAim& aim) const {
  const std::size_t at = best_of(static_cast<std::size_t>(bank), one, aim);
  return hands_.settings(one)[at - hands_.first_setting(one)];
}

PaiGowSums PaiGow::of(HouseWay bank, std::uint32_t one, const Setting& set) const {
  const Gained its = gained(static_cast<std::size_t>(bank), one, index_of(one, set));
  return {.win = its.win, .lose = banks_ - its.not_lost, .deals = banks_};
}

PaiGowOdds PaiGow::against(HouseWay bank, std::span<const PaiGowAim> aims) const {
  const auto its = static_cast<std::size_t>(bank);
  PaiGowOdds out;
  out.best.resize(aims.size());
  const auto add = [&](PaiGowSums& sums, std::uint32_t one, std::size_t at, std::int64_t orders) {
    const Gained of_one = gained(its, one, at);
    const std::int64_t times = orders * hands_.hands(one);
    sums.win += times * of_one.win;
    sums.lose += times * (banks_ - of_one.not_lost);
    sums.deals += times * banks_;
  };
  for (std::uint32_t one = 0; one < hands_.classes(); ++one) {
    for (std::size_t i = 0; i < aims.size(); ++i)
      add(out.best[i], one, best_of(its, one, aims[i]), orders_count);
    for (const HouseWay way : pai_gow::all_house_ways) {
      hands_.each_by(way, one, [&](const Setting& set, std::uint32_t orders) {
        add(out.ways[static_cast<std::size_t>(way)], one, index_of(one, set), orders);
      });
    }
  }
  return out;
}

}  // namespace talla::games::poker
