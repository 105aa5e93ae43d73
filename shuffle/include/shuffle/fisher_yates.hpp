/// \file
/// Fisher-Yates over the batches of a plan: the code behind permutation.hpp, open so that a proof
/// can run it over every word of a small width.
///
/// The bounds of batch g are compile-time constants of the plan; the loop over a batch of K digits
/// is unrolled for each K that occurs, so that no division and no bound check remains at run time.
/// Errors: false when the source has failed; the items are partly mixed then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "shuffle/batch.hpp"
#include "shuffle/uniform.hpp"

namespace talla::shuffle {

/// Draws one batch of `count` bounds from `first` upwards and does its swaps.
template <unsigned L, WordSource Source, class Item>
[[gnu::always_inline]] inline bool swap_batch(Source& source, Item* items, std::size_t first,
                                              std::size_t count, std::uint64_t threshold) {
  std::array<std::uint32_t, batch_digits_max> digits;  // NOLINT: written before it is read
  const auto bound_at = [first](std::size_t i) { return first + i; };
  if (!draw_batch<L>(source, count, bound_at, threshold, digits.data())) return false;
  for (std::size_t i = 0; i < count; ++i) std::swap(items[first + i - 1], items[digits[i]]);
  return true;
}

/// Runs the whole batches of exactly K digits that come next; then those of K - 1, and so on.
template <unsigned L, std::size_t K, class Plan, WordSource Source, class Item>
bool swap_batches(const Plan& plan, Source& source, std::span<Item> items, std::size_t& batch) {
  while (batch < plan.batches_count && plan.batches[batch].count == K) {
    const std::size_t first = plan.batches[batch].first;
    if (first + K - 1 > items.size()) break;
    if (!swap_batch<L>(source, items.data(), first, K, plan.threshold_at[first + K - 1]))
      return false;
    ++batch;
  }
  if constexpr (K > 1) {
    return swap_batches<L, K - 1>(plan, source, items, batch);
  } else {
    return true;
  }
}

/// Shuffles the items in place; at most `Max` of them.
template <unsigned L, unsigned ProductBits, std::size_t Max, WordSource Source, class Item>
[[nodiscard]] bool fisher_yates(const ConsecutivePlan<L, ProductBits, Max>& plan, Source& source,
                                std::span<Item> items) {
  TALLA_CHECK(items.size() <= Max);
  std::size_t batch = 0;
  if (!swap_batches<L, batch_digits_max>(plan, source, items, batch)) return false;
  if (batch == plan.batches_count || plan.batches[batch].first > items.size()) return true;
  const std::size_t first = plan.batches[batch].first;
  return swap_batch<L>(source, items.data(), first, items.size() - first + 1,
                       plan.threshold_at[items.size()]);
}

}  // namespace talla::shuffle
