#include "shuffle/uniform.hpp"

#include <string>

namespace talla::shuffle {
namespace {

constexpr Wide product_limit = Wide{1} << product_bits;

Status check_bounds(std::span<const std::uint64_t> bounds) {
  for (const std::uint64_t bound : bounds) {
    if (bound == 0 || bound >= product_limit) {
      return fail(Errc::bound_out_of_range,
                  "a bound is " + std::to_string(bound) + ", not in [1, 2^56)");
    }
  }
  return {};
}

/// How many of the bounds, from the first, share a word; and their product.
struct Prefix {
  std::size_t count = 0;
  Wide product = 1;
};
Prefix batch_prefix(std::span<const std::uint64_t> bounds) {
  Prefix prefix;
  for (const std::uint64_t bound : bounds) {
    if (prefix.product * bound >= product_limit) break;
    prefix.product *= bound;
    ++prefix.count;
  }
  return prefix;
}

}  // namespace

Status check_outcome_space(std::span<const std::uint64_t> bounds) {
  TALLA_TRY_STATUS(check_bounds(bounds));
  constexpr Wide largest = ~Wide{0};
  Wide product = 1;
  for (const std::uint64_t bound : bounds) {
    if (product > largest / bound)
      return fail(Errc::outcome_space_too_large, "the draw has 2^128 or more outcomes");
    product *= bound;
  }
  return {};
}

Result<std::vector<std::uint64_t>> draw_indices(Tape& tape, std::span<const std::uint64_t> bounds) {
  TALLA_TRY_STATUS(check_outcome_space(bounds));
  std::vector<std::uint64_t> digits(bounds.size());
  std::size_t done = 0;
  while (done < bounds.size()) {
    const auto rest = bounds.subspan(done);
    const Prefix batch = batch_prefix(rest);
    const auto bound_at = [rest](std::size_t i) { return rest[i]; };
    const std::uint64_t threshold = rejection_threshold<word_bits>(batch.product);
    if (!draw_batch<word_bits>(tape, batch.count, bound_at, threshold, digits.data() + done)) {
      return pass(tape.status());
    }
    done += batch.count;
  }
  return digits;
}

Result<std::uint64_t> draw_index(Tape& tape, std::uint64_t bound) {
  TALLA_TRY_STATUS(check_bounds({&bound, 1}));
  std::uint64_t digit = 0;
  const auto bound_at = [bound](std::size_t) { return bound; };
  if (!draw_batch<word_bits>(tape, 1, bound_at, rejection_threshold<word_bits>(bound), &digit)) {
    return pass(tape.status());
  }
  return digit;
}

}  // namespace talla::shuffle
