// Sums by common cards and own ones, in rows.
#include "odds/poker/common_rows.hpp"

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
std::uint32_t changed(std::span<const Place> set, const Suits& suits) {
  std::array<Place, set_cards_max> out{};
  for (std::size_t i = 0; i < set.size(); ++i)
    out[i] = static_cast<Place>(suits[set[i] / ranks_count] * ranks_count + set[i] % ranks_count);
  std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(set.size()));
  return CardSets::number(std::span(out).first(set.size()));
}

}  // namespace

CommonRows::CommonRows(std::size_t common)
    : common_(common), first_of_(sets_below(deck_cards_count, common)) {
  TALLA_CHECK(common == 3 || common == 4);
  const auto orders = all_suit_orders();
  for (const Suits& suits : orders) {
    Image& image = images_.emplace_back();
    std::array<Place, 2> pair{0, 1};
    std::size_t number = 0;
    do image[number++] = static_cast<std::uint16_t>(changed(pair, suits));
    while (next_set(pair, deck_cards_count));
  }
  std::vector<Place> set(common);
  std::iota(set.begin(), set.end(), Place{0});
  std::uint32_t number = 0;
  do {
    std::array<std::uint32_t, suit_orders> made{};
    for (std::size_t i = 0; i < suit_orders; ++i) made[i] = changed(set, orders[i]);
    const auto first = std::ranges::min_element(made);
    First& of = first_of_[number];
    of.order = static_cast<std::uint8_t>(first - made.begin());
    if (*first == number) {  // it is the first of its row; the lower ones were seen
      of.row = static_cast<std::uint32_t>(keeping_.size());
      auto& keeping = keeping_.emplace_back();
      for (std::size_t i = 0; i < suit_orders; ++i)
        if (made[i] == number) keeping.push_back(static_cast<std::uint8_t>(i));
    } else {
      of.row = first_of_[*first].row;
    }
    ++number;
  } while (next_set(set, deck_cards_count));
  sums_.resize(keeping_.size());
  goes_.resize(keeping_.size());
}

void CommonRows::add(std::span<const Place> common, std::span<const std::uint16_t> pairs,
                     std::span<const std::int64_t> gains, std::int64_t deals) {
  const First& first = first_of_[CardSets::number(common)];
  auto& row = sums_[first.row];
  if (row.empty()) row.resize(pairs_count);
  const Image& image = images_[first.order];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Sum& sum = row[image[pairs[i]]];
    sum.gain += gains[i];
    sum.deals += deals;
  }
}

std::vector<CommonRows::Choice> CommonRows::choose(std::int64_t price) {
  std::vector<Choice> out;
  for (std::size_t row = 0; row < sums_.size(); ++row) {
    if (sums_[row].empty()) continue;
    choose_in(row, price, keeping_[row], out);
    sums_[row] = {};
  }
  return out;
}

void CommonRows::choose_in(std::size_t row, std::int64_t price,
                           std::span<const std::uint8_t> orders, std::vector<Choice>& out) {
  auto& sums = sums_[row];
  auto& goes = goes_[row];
  goes.resize(pairs_count);
  std::vector<bool> seen(pairs_count);
  for (std::uint16_t pair = 0; pair < pairs_count; ++pair) {
    if (seen[pair]) continue;
    Choice one{.pair = pair, .sum = {}};
    const auto each = [&](const auto& visit) {
      for (const std::uint8_t order : orders) visit(images_[order][pair]);
    };
    each([&](std::uint16_t alike) {
      if (seen[alike]) return;
      seen[alike] = true;
      one.sum.gain += sums[alike].gain;
      one.sum.deals += sums[alike].deals;
    });
    if (one.sum.deals == 0) continue;
    const bool go = one.sum.gain > -price * one.sum.deals;
    each([&](std::uint16_t alike) { goes[alike] = go ? 1 : 0; });
    out.push_back(one);
  }
}

void CommonRows::mark(std::span<const Place> common, std::span<const std::uint16_t> pairs,
                      unsigned bit, std::span<std::uint16_t> marks) const {
  const First& first = first_of_[CardSets::number(common)];
  const auto& goes = goes_[first.row];
  const Image& image = images_[first.order];
  for (std::size_t i = 0; i < pairs.size(); ++i)
    marks[i] = static_cast<std::uint16_t>(marks[i] | goes[image[pairs[i]]] << bit);
}

}  // namespace talla::games::poker
