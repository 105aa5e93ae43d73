#include "engines/poker/hand_table.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "engines/poker/hand_reading.hpp"
#include "games/errc.hpp"

namespace talla::games::poker {
namespace {

using Copies = std::array<int, ranks_count>;  // of each rank, ace first

/// Calls `visit` with every set of `left` cards by rank, four copies of each at most, and the sum
/// of their rank numbers.
template <class Visit>
void each_set(Copies& copies, std::size_t rank, int left, std::uint64_t sum, Visit& visit) {
  constexpr int copies_max = 4;
  if (left == 0) {
    visit(copies, sum);
    return;
  }
  if (rank == ranks_count) return;
  for (int n = 0; n <= std::min(copies_max, left); ++n) {
    copies[rank] = n;
    each_set(copies, rank + 1, left - n, sum + static_cast<std::uint64_t>(n) * words::of_rank(rank),
             visit);
  }
  copies[rank] = 0;
}

/// Five cards of these ranks in suits of which no five are the same.
HandValue plain_value(const Ranker& ranker, const Copies& copies) {
  std::array<Card, hand_cards_max> cards;
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < ranks_count; ++rank) {
    for (int i = 0; i < copies[rank]; ++i, ++count) {
      cards.at(count) = Card::of(static_cast<int>(rank) + 1, static_cast<shuffle::Suit>(count % 4));
    }
  }
  return ranker.five(cards);
}

HandValue flush_value(const Ranker& ranker, std::size_t mask) {
  std::array<Card, hand_cards_max> cards;
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < ranks_count; ++rank) {
    if ((mask >> rank & 1U) != 0)
      cards.at(count++) = Card::of(static_cast<int>(rank) + 1, shuffle::Suit::clubs);
  }
  return ranker.five(cards);
}

}  // namespace

template <std::size_t N>
struct HandTable<N>::Filling {
  struct Set {
    std::uint64_t sum = 0;
    HandValue value{};
  };
  std::vector<Set> sets;
  std::array<HandValue, flush_masks_count> flushes{};
};

template <std::size_t N>
Result<std::unique_ptr<const HandTable<N>>> HandTable<N>::create(const Ranker& ranker) {
  if (ranker.has_joker())
    return fail(Errc::catalogue_malformed, "hands with a joker are not looked up");
  for (const Category lower :
       {Category::pair, Category::two_pair, Category::trio, Category::straight, Category::figuras,
        Category::ace_king, Category::high_card}) {
    if (!ranker.beats(Category::flush, lower)) {
      return fail(Errc::catalogue_malformed, "hands are looked up only where a flush beats " +
                                                 std::string(category_name(lower)));
    }
  }
  return build(ranker);
}

template <std::size_t N>
std::unique_ptr<const HandTable<N>> HandTable<N>::build(const Ranker& ranker) {
  Filling filling;
  Copies copies{};
  if constexpr (N == 5) {
    const auto visit = [&](const Copies& set, std::uint64_t sum) {
      filling.sets.push_back({sum, plain_value(ranker, set)});
    };
    each_set(copies, 0, N, 0, visit);
    for (std::size_t mask = 0; mask < flush_masks_count; ++mask) {
      if (std::popcount(mask) == N) filling.flushes[mask] = flush_value(ranker, mask);
    }
  } else {
    // The best five of N cards are the best five of some N - 1 of them.
    const auto fewer = HandTable<N - 1>::build(ranker);
    const auto visit = [&](const Copies& set, std::uint64_t sum) {
      std::uint16_t best = 0;
      for (std::size_t rank = 0; rank < ranks_count; ++rank) {
        if (set[rank] > 0) best = std::max(best, fewer->of_ranks(sum - words::of_rank(rank)));
      }
      filling.sets.push_back({sum, fewer->value(best)});
    };
    each_set(copies, 0, N, 0, visit);
    for (std::size_t mask = 0; mask < flush_masks_count; ++mask) {
      const auto size = static_cast<std::size_t>(std::popcount(mask));
      if (size >= hand_cards_max && size < N)
        filling.flushes[mask] = fewer->value(fewer->flush_[mask]);
      if (size != N) continue;
      for (std::size_t rank = 0; rank < ranks_count; ++rank) {
        const std::size_t bit = std::size_t{1} << rank;
        if ((mask & bit) == 0) continue;
        filling.flushes[mask] =
            std::max(filling.flushes[mask], fewer->value(fewer->flush_[mask & ~bit]));
      }
    }
  }
  std::unique_ptr<HandTable> table(new HandTable);
  table->place(filling);
  return table;
}

/// Numbers the values, then finds the displacement of each row, the rows with most sets first: the
/// smallest one that leads all its sets to free slots.
template <std::size_t N>
void HandTable<N>::place(const Filling& filling) {
  for (const auto& set : filling.sets) values_.push_back(set.value);
  for (std::size_t mask = 0; mask < flush_masks_count; ++mask) {
    const auto size = static_cast<std::size_t>(std::popcount(mask));
    if (size >= hand_cards_max && size <= N) values_.push_back(filling.flushes[mask]);
  }
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  const auto level_of = [this](HandValue value) {
    const auto found = std::lower_bound(values_.begin(), values_.end(), value);
    return found == values_.end() ? std::uint16_t{0}
                                  : static_cast<std::uint16_t>(found - values_.begin());
  };
  for (std::size_t mask = 0; mask < flush_masks_count; ++mask)
    flush_[mask] = level_of(filling.flushes[mask]);

  std::vector<std::vector<const typename Filling::Set*>> rows(displacement_.size());
  for (const auto& set : filling.sets) rows[set.sum >> (64 - row_bits)].push_back(&set);
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].size() > rows[b].size(); });
  std::vector<bool> taken(level_.size());
  const auto slot = [](std::uint64_t sum, std::uint64_t shift) {
    return ((sum >> words::rank_number_shift) + shift) & ((std::size_t{1} << slot_bits) - 1);
  };
  for (const std::size_t row : order) {
    std::uint64_t shift = 0;
    const auto collides = [&](const auto* set) { return taken[slot(set->sum, shift)]; };
    while (std::any_of(rows[row].begin(), rows[row].end(), collides)) {
      ++shift;
      TALLA_CHECK(shift < level_.size());
    }
    displacement_[row] = static_cast<std::uint16_t>(shift);
    for (const auto* set : rows[row]) {
      const std::size_t place = slot(set->sum, shift);
      TALLA_CHECK(!taken[place]);
      taken[place] = true;
      level_[place] = level_of(set->value);
    }
  }
}

template class HandTable<5>;
template class HandTable<6>;
template class HandTable<7>;

}  // namespace talla::games::poker
