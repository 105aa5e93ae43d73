// The value of a poker hand worked out from its cards, in the order that a catalogue gives.
#include <string>

#include "base/check.hpp"
#include "engines/poker/hand_reading.hpp"
#include "games/errc.hpp"
#include "games/poker_hand.hpp"

namespace talla::games::poker {
namespace {

constexpr int lowest_rank_min = 2;
constexpr int lowest_rank_max = 10;
constexpr std::size_t best_cards_max = 7;

Status check_order(const HandOrder& order) {
  const auto& list = order.low_to_high;
  if (list.empty() || list.front() != Category::high_card) {
    return fail(Errc::catalogue_malformed,
                "the order of hands begins with high-card, which every hand has");
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      if (list[i] == list[j]) {
        return fail(Errc::catalogue_malformed,
                    "the order of hands names " + std::string(category_name(list[i])) + " twice");
      }
    }
  }
  if (order.lowest_rank < lowest_rank_min || order.lowest_rank > lowest_rank_max) {
    return fail(Errc::catalogue_malformed, "the lowest rank of a poker deck is 2 to 10");
  }
  if (order.wheel_second && !order.ace_low_straight) {
    return fail(Errc::catalogue_malformed,
                "the straight with the low ace cannot stand second where there is none");
  }
  return {};
}

using Five = std::array<Card, hand_cards_max>;

/// Calls `visit` with every choice of five of the cards, first cards first.
template <class Visit>
void each_five(std::span<const Card> cards, Visit&& visit) {
  const std::size_t n = cards.size();
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      for (std::size_t c = b + 1; c < n; ++c)
        for (std::size_t d = c + 1; d < n; ++d)
          for (std::size_t e = d + 1; e < n; ++e)
            visit(Five{cards[a], cards[b], cards[c], cards[d], cards[e]});
}

/// Calls `visit` with every choice of two own and three common cards.
template <class Visit>
void each_two_three(std::span<const Card> own, std::span<const Card> common, Visit&& visit) {
  TALLA_CHECK(own.size() >= 2);
  TALLA_CHECK(common.size() >= 3);
  for (std::size_t a = 0; a < own.size(); ++a)
    for (std::size_t b = a + 1; b < own.size(); ++b)
      for (std::size_t c = 0; c < common.size(); ++c)
        for (std::size_t d = c + 1; d < common.size(); ++d)
          for (std::size_t e = d + 1; e < common.size(); ++e)
            visit(Five{own[a], own[b], common[c], common[d], common[e]});
}

struct BestFive {
  HandValue value;
  Five cards{};
  bool any = false;
  void offer(HandValue candidate, const Five& five) {
    if (any && candidate <= value) return;
    *this = {.value = candidate, .cards = five, .any = true};
  }
};

BestFive best_of(const Ranker& ranker, std::span<const Card> cards) {
  TALLA_CHECK(cards.size() >= hand_cards_max);
  TALLA_CHECK(cards.size() <= best_cards_max);
  BestFive best;
  each_five(cards, [&](const Five& five) { best.offer(ranker.five(five), five); });
  return best;
}

BestFive best_of(const Ranker& ranker, std::span<const Card> own, std::span<const Card> common) {
  BestFive best;
  each_two_three(own, common, [&](const Five& five) { best.offer(ranker.five(five), five); });
  return best;
}

}  // namespace

Result<Ranker> Ranker::create(const HandOrder& order) {
  TALLA_TRY_STATUS(check_order(order));
  Ranker ranker;
  ranker.level_.fill(-1);
  for (std::size_t level = 0; level < order.low_to_high.size(); ++level) {
    const Category category = order.low_to_high[level];
    ranker.level_.at(static_cast<std::size_t>(category)) = static_cast<std::int8_t>(level);
    ranker.category_at_level_.at(level) = category;
  }
  ranker.lowest_rank_ = static_cast<std::int8_t>(order.lowest_rank);
  ranker.ace_low_straight_ = order.ace_low_straight;
  ranker.wheel_second_ = order.wheel_second;
  ranker.joker_ = order.joker;
  ranker.full_kickers_ = order.full_kickers;
  return ranker;
}

HandValue Ranker::five(std::span<const Card, 5> cards) const {
  return HandReading(*this, cards, true).value();
}

HandValue Ranker::three(std::span<const Card, 3> cards) const {
  return HandReading(*this, cards, true).value();
}

HandValue Ranker::two(std::span<const Card, 2> cards) const {
  return HandReading(*this, cards, false).value();
}

HandValue Ranker::showing(std::span<const Card> cards) const {
  TALLA_CHECK(cards.size() < hand_cards_max);
  return HandReading(*this, cards, false).value();
}

HandValue Ranker::best(std::span<const Card> cards) const {
  return best_of(*this, cards).value;
}

HandValue Ranker::best_two_three(std::span<const Card> own, std::span<const Card> common) const {
  return best_of(*this, own, common).value;
}

std::vector<Card> Ranker::cards_of_best(std::span<const Card> cards) const {
  const Five five = best_of(*this, cards).cards;
  return {five.begin(), five.end()};
}

std::vector<Card> Ranker::cards_of_best_two_three(std::span<const Card> own,
                                                  std::span<const Card> common) const {
  const Five five = best_of(*this, own, common).cards;
  return {five.begin(), five.end()};
}

Category Ranker::category(HandValue value) const {
  const std::uint32_t level = value.key >> category_shift;
  TALLA_CHECK(level < categories_count);
  return category_at_level_.at(level);
}

std::optional<HandValue> low_of_two_three(std::span<const Card> own, std::span<const Card> common,
                                          int highest_rank) {
  std::optional<HandValue> best;
  each_two_three(own, common, [&](const Five& five) {
    // Bit r: rank r, the ace bit 1. Of two sets the one with the lower highest rank is less.
    std::uint32_t ranks = 0;
    int different = 0;
    for (const Card card : five) {
      const int rank = french_rank_of(card) == rank_ace ? 1 : french_rank_of(card);
      const std::uint32_t bit = 1U << static_cast<unsigned>(rank);
      if (rank > highest_rank || (ranks & bit) != 0) return;
      ranks |= bit;
      ++different;
    }
    TALLA_CHECK(different == static_cast<int>(hand_cards_max));
    if (!best || ranks < best->key) best = HandValue{ranks};
  });
  return best;
}

}  // namespace talla::games::poker
