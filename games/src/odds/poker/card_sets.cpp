// Sets of cards, numbered and grouped by what differs in more than suits.
#include "odds/poker/card_sets.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/check.hpp"

namespace talla::games::poker {
bool next_set(std::span<Place> set, std::size_t cards) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    const std::size_t end = i + 1 < set.size() ? set[i + 1] : cards;
    if (std::size_t{set[i]} + 1 == end) continue;
    ++set[i];
    for (std::size_t k = 0; k < i; ++k) set[k] = static_cast<Place>(k);
    return true;
  }
  return false;
}

CardSets::CardSets(std::size_t ranks, std::size_t most) : ranks_(ranks) {
  TALLA_CHECK(most <= set_cards_max);
  for (std::size_t size = 0; size <= most; ++size) number_classes(size);
}

std::uint32_t CardSets::number(std::span<const Place> set) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < set.size(); ++i) out += binomials[set[i]][i + 1];
  return out;
}

std::uint64_t CardSets::key(std::span<const Place> set) const {
  std::array<std::uint64_t, shuffle::suits_count> masks{};
  for (const Place place : set) masks[place / ranks_] |= std::uint64_t{1} << (place % ranks_);
  order_suits(masks);
  std::uint64_t out = 0;
  for (const std::uint64_t mask : masks) out = out << static_cast<unsigned>(ranks_count) | mask;
  return out;
}

void CardSets::number_classes(std::size_t size) {
  auto& classes = class_of_[size];
  auto& sets = sets_[size];
  classes.reserve(sets_below(cards(), size));
  std::unordered_map<std::uint64_t, std::uint32_t> found;
  std::vector<Place> set(size);
  for (std::size_t i = 0; i < size; ++i) set[i] = static_cast<Place>(i);
  do {
    const auto fresh = static_cast<std::uint32_t>(sets.size());
    const auto at = found.try_emplace(key(set), fresh).first->second;
    if (at == fresh) sets.push_back(0);
    ++sets[at];
    classes.push_back(at);
  } while (next_set(set, cards()));
}

std::vector<CardSets::First> CardSets::firsts(std::size_t size) const {
  std::vector<First> out;
  std::vector<Place> set(size);
  for (std::size_t i = 0; i < size; ++i) set[i] = static_cast<Place>(i);
  std::uint32_t number = 0;
  do {
    const std::uint32_t at = class_of(size, number++);
    if (at == out.size()) out.push_back({set, sets(size, at)});
  } while (next_set(set, cards()));
  return out;
}

SetWith::SetWith(std::span<const Place> set, std::size_t cards) : size_(set.size()) {
  TALLA_CHECK(size_ <= most);
  for (std::size_t i = 0; i < size_; ++i) {
    none_[i + 1] = none_[i] + sets_below(set[i], i + 1);
    one_[i + 1] = one_[i] + sets_below(set[i], i + 2);
    two_[i + 1] = two_[i] + sets_below(set[i], i + 3);
  }
  std::size_t below = 0;
  for (std::size_t place = 0; place < cards; ++place) {
    while (below < size_ && set[below] < place) ++below;
    below_[place] = static_cast<Place>(below);
  }
}

}  // namespace talla::games::poker
