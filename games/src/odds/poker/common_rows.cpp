// Sums by common cards and own ones, in rows.
#include "odds/poker/common_rows.hpp"

namespace talla::games::poker {

CommonRows::CommonRows(std::size_t ranks, std::size_t common)
    : rows_(ranks, common), sums_(rows_.rows()), goes_(rows_.rows()) {}

void CommonRows::add(std::span<const Place> common, std::span<const std::uint16_t> pairs,
                     std::span<const std::int64_t> gains, std::int64_t deals) {
  const auto spot = rows_.of(common);
  auto& row = sums_[spot.row];
  if (row.empty()) row.resize(pairs_count);
  const auto& image = *spot.image;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Sum& sum = row[image[pairs[i]]];
    sum.gain += gains[i];
    sum.deals += deals;
  }
}

std::vector<CommonRows::Choice> CommonRows::choose(std::int64_t price) {
  std::vector<Choice> out;
  for (std::uint32_t row = 0; row < sums_.size(); ++row) {
    if (sums_[row].empty()) continue;
    choose_in(row, price, out);
    sums_[row] = {};
  }
  return out;
}

void CommonRows::choose_in(std::uint32_t row, std::int64_t price, std::vector<Choice>& out) {
  const auto& sums = sums_[row];
  auto& goes = goes_[row];
  goes.resize(pairs_count);
  std::vector<bool> seen(pairs_count);
  for (std::uint16_t pair = 0; pair < pairs_count; ++pair) {
    if (seen[pair] || sums[pair].deals == 0) continue;
    Choice one{.pair = pair, .sum = {}};
    rows_.each_alike(row, pair, [&](std::uint16_t alike) {
      seen[alike] = true;
      one.sum.gain += sums[alike].gain;
      one.sum.deals += sums[alike].deals;
    });
    const bool go = one.sum.gain > -price * one.sum.deals;
    rows_.each_alike(row, pair, [&](std::uint16_t alike) { goes[alike] = go ? 1 : 0; });
    out.push_back(one);
  }
}

void CommonRows::mark(std::span<const Place> common, std::span<const std::uint16_t> pairs,
                      unsigned bit, std::span<std::uint16_t> marks) const {
  const auto spot = rows_.of(common);
  const auto& goes = goes_[spot.row];
  const auto& image = *spot.image;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    marks[i] = static_cast<std::uint16_t>(marks[i] | goes[image[pairs[i]]] << bit);
}

bool CommonRows::goes(std::span<const Place> common, std::uint16_t pair) const {
  const auto spot = rows_.of(common);
  return goes_[spot.row].at((*spot.image)[pair]) != 0;
}

}  // namespace talla::games::poker
