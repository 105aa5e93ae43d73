// Rows that sets of cards share which differ only by suits.
#include "odds/poker/suit_rows.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

using Suits = std::array<std::uint8_t, shuffle::suits_count>;

std::vector<Suits> all_suit_orders() {
  std::vector<Suits> out;
  Suits suits{};
  std::iota(suits.begin(), suits.end(), std::uint8_t{0});
  do {
    out.push_back(suits);
  } while (std::next_permutation(suits.begin(), suits.end()));
  return out;
}

/// The number of a set whose suits are changed.
std::uint32_t number_changed(std::span<const Place> set, const Suits& suits, std::size_t ranks) {
  std::array<Place, set_cards_max> changed{};
  const auto out = std::span(changed).first(set.size());
  for (std::size_t i = 0; i < set.size(); ++i)
    out[i] = static_cast<Place>(suits[set[i] / ranks] * ranks + set[i] % ranks);
  std::ranges::sort(out);
  return CardSets::number(out);
}

}  // namespace

SuitRows::SuitRows(std::size_t ranks, std::size_t size) : size_(size) {
  TALLA_CHECK(size <= First().set.size());
  read_pairs(ranks);
  read_sets(ranks);
}

void SuitRows::read_pairs(std::size_t ranks) {
  for (const Suits& suits : all_suit_orders()) {
    Image& image = images_.emplace_back();
    std::array<Place, 2> pair{0, 1};
    std::size_t number = 0;
    do {
      image[number++] = static_cast<std::uint16_t>(number_changed(pair, suits, ranks));
    } while (next_set(pair, ranks * shuffle::suits_count));
  }
}

void SuitRows::read_sets(std::size_t ranks) {
  const auto orders = all_suit_orders();
  const std::size_t cards = ranks * shuffle::suits_count;
  found_.resize(sets_below(cards, size_));
  First first;
  const auto set = std::span(first.set).first(size_);
  std::iota(set.begin(), set.end(), Place{0});
  std::uint32_t number = 0;
  do {
    std::array<std::uint32_t, suit_orders> made{};
    for (std::size_t i = 0; i < suit_orders; ++i) made[i] = number_changed(set, orders[i], ranks);
    const auto least = std::ranges::min_element(made);
    Found& found = found_[number];
    found.order = static_cast<std::uint8_t>(least - made.begin());
    found.row = found_[*least].row;  // lower ones were seen
    if (*least == number) {
      found.row = static_cast<std::uint32_t>(firsts_.size());
      First& fresh = firsts_.emplace_back(first);
      for (std::size_t i = 0; i < suit_orders; ++i)
        if (made[i] == number) fresh.keeping.push_back(static_cast<std::uint8_t>(i));
    }
    ++number;
  } while (next_set(set, cards));
}

}  // namespace talla::games::poker
