#include "engines/pai_gow/split.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/check.hpp"
#include "engines/poker/card_ranks.hpp"

namespace talla::games::pai_gow {
namespace {

using poker::Category;
using poker::rank_of;

constexpr int ace = 14;
constexpr int king = 13;

struct Parts {
  std::array<Card, 5> high;
  std::array<Card, 2> low;
};

Parts parts_of(Seven cards, Low low) {
  Parts out;
  std::size_t high = 0;
  std::size_t small = 0;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (i == low[0] || i == low[1]) {
      out.low.at(small++) = cards[i];
    } else {
      out.high.at(high++) = cards[i];
    }
  }
  return out;
}

std::vector<int> ranks_down(std::span<const Card> cards) {
  std::vector<int> out;
  for (const auto card : cards) out.push_back(rank_of(card));
  std::sort(out.rbegin(), out.rend());
  return out;
}

const Option& best_high_of(const std::vector<Option>& all) {
  return *std::max_element(all.begin(), all.end(), [](const Option& a, const Option& b) {
    return a.hands.high != b.hands.high ? a.hands.high < b.hands.high : a.hands.low < b.hands.low;
  });
}

const Option& best_low_of(const std::vector<Option>& all) {
  return *std::max_element(all.begin(), all.end(), [](const Option& a, const Option& b) {
    return a.hands.low != b.hands.low ? a.hands.low < b.hands.low : a.hands.high < b.hands.high;
  });
}

/// The informative way, as a table of what the seven cards hold.
class Informative {
 public:
  Informative(const poker::Ranker& ranker, Seven cards, const std::vector<Option>& options)
      : ranker_(&ranker), cards_(cards), options_(options) {
    for (const auto card : cards) ++copies_.at(static_cast<std::size_t>(rank_of(card)));
    for (int rank = ace; rank >= 2; --rank) {
      const int count = copies_.at(static_cast<std::size_t>(rank));
      if (count == 2) pairs_.push_back(rank);
      if (count == 3) threes_.push_back(rank);
      if (count >= 4) four_ = rank;
    }
  }

  [[nodiscard]] Low choose() const {
    const auto wanted = by_table();
    return wanted ? *wanted : best_high_of(options_).low;
  }

 private:
  using Choice = std::optional<Low>;

  [[nodiscard]] Choice by_table() const {
    if (four_ == ace && copies_[ace] == 5) return pair_low(has_pair(king) ? king : ace);
    if (four_ != 0) return four();
    if (threes_.size() == 2) return pair_low(threes_.front());
    if (threes_.size() == 1 && !pairs_.empty()) return pair_low(pairs_.front());
    if (const auto kept = complete()) return pairs_.size() >= 2 ? pairs() : kept;
    if (threes_.size() == 1) return three();
    if (pairs_.size() >= 2) return pairs();
    if (pairs_.size() == 1) return two_highest_beside(pairs_.front());
    return second_and_third();
  }
  /// Four of a kind: kept or split by what is left for the low hand.
  [[nodiscard]] Choice four() const {
    const auto keep = two_highest_beside(four_);
    const auto left = ranks_beside(four_);
    const bool pair_left = !pairs_.empty() || !threes_.empty();
    bool kept = four_ <= 6;
    if (four_ >= 7 && four_ <= 10) kept = pair_left || left.front() >= king;
    if (four_ >= 11 && four_ <= king) kept = pair_left || left.front() == ace;
    if (four_ == ace)
      kept = (!pairs_.empty() && pairs_.front() >= 7) || (!threes_.empty() && threes_.front() >= 7);
    if (!kept) return pair_low(four_);
    if (!threes_.empty()) return pair_low(threes_.front());
    return pairs_.empty() ? keep : pair_low(pairs_.front());
  }
  /// Straight or better of five cards: the one that leaves the best low hand.
  [[nodiscard]] Choice complete() const {
    std::vector<Option> kept;
    for (const auto& one : options_) {
      const auto category = ranker_->category(one.hands.high);
      const bool whole = category == Category::straight || category == Category::flush ||
                         category == Category::straight_flush || category == Category::royal_flush;
      if (whole) kept.push_back(one);
    }
    if (kept.empty()) return std::nullopt;
    return best_low_of(kept).low;
  }
  [[nodiscard]] Choice three() const {
    const int rank = threes_.front();
    if (rank != ace) return two_highest_beside(rank);
    return indices({index_of(ace, 0), index_of(ranks_beside(ace).front(), 0)});
  }
  [[nodiscard]] Choice pairs() const {
    if (pairs_.size() == 3) return pair_low(pairs_.front());
    const int high = pairs_.at(0);
    const int low = pairs_.at(1);
    if (high == ace) return pair_low(low);
    const int left = ranks_beside_both(high, low).front();
    const bool low_both = high <= 6;
    const bool small = low <= 6 || high <= 10;  // low and middle, low and high, two middle ones
    const bool kept = low_both ? left >= king : small && left == ace;
    return kept ? two_highest_beside_both(high, low) : pair_low(low);
  }

  [[nodiscard]] bool has_pair(int rank) const {
    return copies_.at(static_cast<std::size_t>(rank)) >= 2;
  }
  /// The index of the n-th card of that rank.
  [[nodiscard]] std::size_t index_of(int rank, std::size_t n) const {
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      if (rank_of(cards_[i]) == rank && n-- == 0) return i;
    }
    TALLA_CHECK(false);
    return 0;
  }
  [[nodiscard]] static Low indices(std::array<std::size_t, 2> two) {
    std::sort(two.begin(), two.end());
    return two;
  }
  [[nodiscard]] Choice pair_low(int rank) const {
    return legal({index_of(rank, 0), index_of(rank, 1)});
  }
  [[nodiscard]] Choice legal(std::array<std::size_t, 2> two) const {
    const Low low = indices(two);
    const bool known = std::any_of(options_.begin(), options_.end(),
                                   [&](const Option& one) { return one.low == low; });
    return known ? Choice(low) : std::nullopt;
  }
  [[nodiscard]] std::vector<int> ranks_beside(int rank) const {
    return ranks_beside_both(rank, rank);
  }
  [[nodiscard]] std::vector<int> ranks_beside_both(int first, int second) const {
    auto out = ranks_down(cards_);
    std::erase_if(out, [&](int one) { return one == first || one == second; });
    return out;
  }
  [[nodiscard]] Choice two_highest_beside(int rank) const {
    return two_highest_beside_both(rank, rank);
  }
  [[nodiscard]] Choice two_highest_beside_both(int first, int second) const {
    const auto left = ranks_beside_both(first, second);
    const std::size_t again = left.at(0) == left.at(1) ? 1 : 0;
    return legal({index_of(left.at(0), 0), index_of(left.at(1), again)});
  }
  [[nodiscard]] Choice second_and_third() const {
    const auto ranks = ranks_down(cards_);
    return legal({index_of(ranks.at(1), 0), index_of(ranks.at(2), 0)});
  }

  const poker::Ranker* ranker_;
  Seven cards_;
  const std::vector<Option>& options_;
  std::array<int, ace + 1> copies_{};
  std::vector<int> pairs_;   // ranks that stand twice, high to low
  std::vector<int> threes_;  // three times
  int four_ = 0;             // four times or, aces, five
};

}  // namespace

Hands hands_of(const poker::Ranker& ranker, Seven cards, Low low) {
  const auto parts = parts_of(cards, low);
  return {ranker.five(parts.high), ranker.two(parts.low), !outranks(ranker, parts.high, parts.low)};
}

bool outranks(const poker::Ranker& ranker, std::span<const Card, 5> high,
              std::span<const Card, 2> low) {
  const auto category = ranker.category(ranker.five(high));
  const int low_pair = poker::pair_rank(low);
  if (category > Category::pair) return true;
  if (category == Category::pair) return poker::pair_rank(high) >= low_pair;
  if (low_pair != 0) return false;
  const auto five = ranks_down(high);
  const auto two = ranks_down(low);
  return five.at(0) != two.at(0) ? five.at(0) > two.at(0) : five.at(1) >= two.at(1);
}

std::vector<Option> legal_options(const poker::Ranker& ranker, Seven cards) {
  std::vector<Option> out;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    for (std::size_t j = i + 1; j < cards.size(); ++j) {
      const Low low = {i, j};
      const auto hands = hands_of(ranker, cards, low);
      if (!hands.foul) out.push_back({low, hands});
    }
  }
  TALLA_CHECK(!out.empty());  // the two lowest cards of no pair are always worth less
  return out;
}

Low house_low(const poker::Ranker& ranker, Seven cards, HouseWay way) {
  return house_low(ranker, cards, legal_options(ranker, cards), way);
}

Low house_low(const poker::Ranker& ranker, Seven cards, const std::vector<Option>& options,
              HouseWay way) {
  if (way == HouseWay::informative) return Informative(ranker, cards, options).choose();
  return way == HouseWay::best_high ? best_high_of(options).low : best_low_of(options).low;
}

}  // namespace talla::games::pai_gow
