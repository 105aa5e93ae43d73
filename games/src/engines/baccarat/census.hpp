/// \file
/// Every coup of punto y banca counted: how many of the ordered draws of six cards from full decks
/// (a coup that ends sooner stands for all continuations) end in each way. Exact integers, no
/// floating point.
///
/// Range: cards() up to 416, so that the number of draws (n (n-1) ... (n-5), below 2^53) fits.
///        Threads: a pure function.
#pragma once

#include <array>
#include <cstdint>

#include "engines/baccarat/rules.hpp"

namespace talla::games::baccarat {

/// Draws by winner and winning total; a tie by the total of both.
struct Census {
  std::array<std::uint64_t, 10> punto{};
  std::array<std::uint64_t, 10> banca{};
  std::array<std::uint64_t, 10> tie{};
  [[nodiscard]] std::uint64_t of(Hand winner) const;
  [[nodiscard]] std::uint64_t draws() const {
    return of(Hand::punto) + of(Hand::banca) + of(Hand::tie);
  }
};

/// How many cards of each points value lie in the shoe.
using Values = std::array<std::uint32_t, 10>;
[[nodiscard]] Values values_of_decks(const Figures& figures, std::uint32_t decks);

/// Counts all coups from these cards. Precondition (checked): 6 to 416 cards.
[[nodiscard]] Census count_coups(const Figures& figures, const Values& values);

}  // namespace talla::games::baccarat
