// Hands of seven cards of pai gow: numbered, grouped by what differs in more than suits, set.
#include "odds/poker/pai_gow_hands.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/check.hpp"
#include "engines/poker/card_ranks.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::poker {
namespace {

using pai_gow::hand_cards;
using pai_gow::house_ways_count;
using pai_gow::HouseWay;
using shuffle::suits_count;

constexpr std::uint32_t no_class = ~std::uint32_t{0};

/// Numbers of sets from the ranks in each suit: what a suit adds, by its place among the suits, by
/// how many cards stand before it, and by its ranks.
class SuitNumbers {
 public:
  using Ranks = std::array<std::uint32_t, suits_count>;

  explicit SuitNumbers(std::size_t ranks) : joker_(suits_count * ranks) {
    for (std::size_t suit = 0; suit < suits_count; ++suit) {
      for (std::size_t before = 0; before <= hand_cards; ++before) {
        auto& adds = adds_[suit][before];
        adds.resize(std::size_t{1} << ranks);
        for (std::uint32_t mask = 1; mask < adds.size(); ++mask) {
          const auto size = static_cast<std::size_t>(std::popcount(mask));
          if (before + size > hand_cards) continue;
          const auto top = static_cast<std::size_t>(std::bit_width(mask)) - 1;
          adds[mask] = adds[mask ^ (std::uint32_t{1} << top)] +
                       sets_below(suit * ranks + top, before + size);
        }
      }
    }
  }
  [[nodiscard]] std::uint32_t of(const Ranks& ranks, bool joker) const {
    std::uint32_t out = 0;
    std::size_t before = 0;
    for (std::size_t suit = 0; suit < suits_count; ++suit) {
      out += adds_[suit][before][ranks[suit]];
      before += static_cast<std::size_t>(std::popcount(ranks[suit]));
    }
    return joker ? out + sets_below(joker_, before + 1) : out;
  }

 private:
  std::size_t joker_;
  std::array<std::array<std::vector<std::uint32_t>, hand_cards + 1>, suits_count> adds_;
};

/// All changes of suits.
std::vector<std::array<std::uint8_t, suits_count>> suit_changes() {
  std::vector<std::array<std::uint8_t, suits_count>> out;
  std::array<std::uint8_t, suits_count> order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  do {
    out.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

void sort_values(std::vector<HandValue>& values) {
  std::ranges::sort(values);
  const auto end = std::ranges::unique(values);
  values.erase(end.begin(), end.end());
}

std::size_t place_of(const std::vector<HandValue>& values, HandValue value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(values, value) - values.begin()) + 1;
}

std::vector<Card> highest_cards(std::size_t ranks) {
  std::vector<Card> out;
  for (const Card card : shuffle::DeckSpec::french(1).cards()) {
    const auto rank = static_cast<std::size_t>(card.rank());
    if (rank == 1 || rank + ranks > static_cast<std::size_t>(ranks_count) + 1) out.push_back(card);
  }
  TALLA_CHECK(out.size() == suits_count * ranks);
  out.push_back(Card::joker());
  return out;
}

/// Low hands by rank: pairs above all others.
std::array<int, 3> low_rank(const std::array<Card, 2>& two) {
  const int first = rank_of(two[0]);
  const int second = rank_of(two[1]);
  return {pair_rank(two), std::max(first, second), std::min(first, second)};
}

}  // namespace

JokerSets::JokerSets(std::size_t ranks, std::size_t size) {
  TALLA_CHECK(size >= 1 && size <= hand_cards);
  const SuitNumbers numbers(ranks);
  const auto changes = suit_changes();
  const std::size_t joker = suits_count * ranks;
  class_of_.assign(std::size_t{sets_below(joker, size)} + sets_below(joker, size - 1), no_class);
  First now;
  const std::span<Place> set(now.set.data(), size);
  std::iota(set.begin(), set.end(), Place{0});
  std::uint32_t number = 0;
  do {
    if (class_of_[number++] != no_class) continue;
    SuitNumbers::Ranks held{};
    for (const Place place : set)
      if (place != joker) held[place / ranks] |= std::uint32_t{1} << (place % ranks);
    now.sets = 0;
    for (const auto& change : changes) {
      const SuitNumbers::Ranks turned = {held[change[0]], held[change[1]], held[change[2]],
                                         held[change[3]]};
      std::uint32_t& one = class_of_[numbers.of(turned, set.back() == joker)];
      if (one == no_class) ++now.sets;
      one = static_cast<std::uint32_t>(firsts_.size());
    }
    firsts_.push_back(now);
  } while (next_set(set, joker + 1));
}

PaiGowHands::PaiGowHands(const Ranker& ranker, std::size_t ranks)
    : ranker_(ranker),
      deck_(highest_cards(ranks)),
      five_sets_(ranks, five_cards),
      sets_(ranks, hand_cards) {
  read_twos();
  read_fives();
  by_.reserve(classes());
  first_.reserve(classes() + 1);
  for (const JokerSets::First& one : sets_.firsts()) set_hand(one.set);
  first_.push_back(static_cast<std::uint32_t>(settings_.size()));
}

void PaiGowHands::read_twos() {
  for (std::size_t a = 0; a < deck_.size(); ++a)
    for (std::size_t b = a + 1; b < deck_.size(); ++b) ranked_lows_.push_back({deck_[a], deck_[b]});
  for (const auto& two : ranked_lows_) lows_.push_back(ranker_.two(two));
  sort_values(lows_);
  TALLA_CHECK(lows_.size() + 1 < low_end);
  std::ranges::sort(ranked_lows_, {}, low_rank);
  const auto alike = std::ranges::unique(ranked_lows_, {}, low_rank);
  ranked_lows_.erase(alike.begin(), alike.end());
  for (std::size_t a = 0; a < deck_.size(); ++a) {
    for (std::size_t b = 0; b < deck_.size(); ++b) {
      if (a == b) continue;
      const std::array two{deck_[a], deck_[b]};
      const auto rank = std::ranges::lower_bound(ranked_lows_, low_rank(two), {}, low_rank);
      twos_.at(a).at(b) = {.low = static_cast<std::uint8_t>(place_of(lows_, ranker_.two(two))),
                           .rank = static_cast<std::uint8_t>(rank - ranked_lows_.begin())};
    }
  }
}

std::uint8_t PaiGowHands::outranked_by(std::span<const Card, 5> five) const {
  const auto end = std::ranges::partition_point(ranked_lows_, [&](const auto& two) {
    return pai_gow::outranks(ranker_, five, std::span<const Card, 2>(two));
  });
  return static_cast<std::uint8_t>(end - ranked_lows_.begin());
}

void PaiGowHands::read_fives() {
  std::vector<HandValue> values;
  for (const JokerSets::First& one : five_sets_.firsts()) {
    std::array<Card, five_cards> five;
    for (std::size_t i = 0; i < five.size(); ++i) five.at(i) = deck_[one.set.at(i)];
    values.push_back(ranker_.five(five));
    fives_.push_back({.high = 0, .outranks = outranked_by(five)});
  }
  highs_ = values;
  sort_values(highs_);
  for (std::size_t i = 0; i < values.size(); ++i)
    fives_[i].high = static_cast<std::uint16_t>(place_of(highs_, values[i]));
}

PaiGowHands::Setting PaiGowHands::setting(const pai_gow::Hands& hands) const {
  return {.high = static_cast<std::uint16_t>(place_of(highs_, hands.high)),
          .low = static_cast<std::uint8_t>(place_of(lows_, hands.low))};
}

PaiGowHands::Options PaiGowHands::options_of(const Hand& hand) const {
  Options out;
  out.reserve(binomials[hand_cards][2]);
  for (std::size_t i = 0; i < hand.size(); ++i) {
    for (std::size_t j = i + 1; j < hand.size(); ++j) {
      std::uint32_t number = 0;
      std::size_t size = 0;
      for (std::size_t k = 0; k < hand.size(); ++k)
        if (k != i && k != j) number += sets_below(hand.at(k), ++size);
      const Five& five = fives_[five_sets_.class_of(number)];
      const Two& two = twos_.at(hand.at(i)).at(hand.at(j));
      if (two.rank < five.outranks)
        out.push_back(
            {.low = {i, j},
             .hands = {.high = highs_[five.high - 1U], .low = lows_[two.low - 1U], .foul = false}});
    }
  }
  return out;
}

PaiGowHands::Setting PaiGowHands::by(std::span<const Card, hand_cards> cards,
                                     const Options& options, HouseWay way) const {
  const auto low = pai_gow::house_low(ranker_, cards, options, way);
  const auto chosen = std::ranges::find(options, low, &pai_gow::Option::low);
  TALLA_CHECK(chosen != options.end());
  return setting(chosen->hands);
}

void PaiGowHands::set_hand(const Hand& hand) {
  std::array<Card, hand_cards> cards;
  for (std::size_t i = 0; i < hand.size(); ++i) cards.at(i) = deck_[hand.at(i)];
  const Options options = options_of(hand);
  const std::size_t first = settings_.size();
  first_.push_back(static_cast<std::uint32_t>(first));
  const auto put = [&](const Setting& one) {
    const auto begin = settings_.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::find(begin, settings_.end(), one) == settings_.end()) settings_.push_back(one);
  };
  std::uint8_t best_low = 0;
  for (const auto& one : options) {
    best_low = std::max(best_low, twos_.at(hand.at(one.low[0])).at(hand.at(one.low[1])).low);
    const bool worse = std::ranges::any_of(options, [&](const pai_gow::Option& other) {
      return other.hands.high >= one.hands.high && other.hands.low >= one.hands.low &&
             (other.hands.high > one.hands.high || other.hands.low > one.hands.low);
    });
    if (!worse) put(setting(one.hands));
  }
  std::uint8_t any_low = 0;
  for (const Place a : hand)
    for (const Place b : hand) any_low = std::max(any_low, twos_.at(a).at(b).low);
  if (any_low > best_low) put({.high = 0, .low = any_low});
  const auto one = static_cast<std::uint32_t>(by_.size());
  Ways& ways = by_.emplace_back();
  for (const HouseWay way : pai_gow::all_house_ways)
    put(ways.at(static_cast<std::size_t>(way)) = by(cards, options, way));
  std::vector<std::size_t> aces;
  for (std::size_t i = 0; i < cards.size(); ++i)
    if (cards.at(i).is_joker() || cards.at(i).rank() == 1) aces.push_back(i);
  if (!cards.back().is_joker() || aces.size() != suits_count) return;
  Orders& orders = ordered_[one];
  std::size_t at = 0;
  for (std::size_t i = 0; i < aces.size(); ++i) {
    for (std::size_t j = i + 1; j < aces.size(); ++j) {
      auto dealt = cards;
      std::swap(dealt[0], dealt.at(aces[i]));
      std::swap(dealt[1], dealt.at(aces[j]));
      orders.at(at) = by(dealt, pai_gow::legal_options(ranker_, dealt), HouseWay::informative);
      put(orders.at(at++));
    }
  }
  ways.at(static_cast<std::size_t>(HouseWay::informative)).low = ordered;
}

PaiGowHands::Orders PaiGowHands::orders_by(HouseWay way, std::uint32_t one) const {
  Orders out;
  std::size_t at = 0;
  each_by(way, one, [&](const Setting& set, std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) out.at(at++) = set;
  });
  return out;
}

}  // namespace talla::games::poker
