/// \file
/// Results for the outcome tests from a fixed seed, through the house's own mapping; and ways to do
/// it wrong.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "shuffle/fisher_yates.hpp"
#include "shuffle/tape.hpp"
#include "shuffle/uniform.hpp"

namespace outcome_source {

class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed), bytes_(1 << 13) {}

  std::vector<std::uint16_t> spins(std::size_t count, std::uint32_t pockets) {
    std::vector<std::uint16_t> results;
    while (results.size() < count) {
      auto tape = fresh();
      for (int i = 0; i < 900 && results.size() < count; ++i) {
        results.push_back(static_cast<std::uint16_t>(*talla::shuffle::draw_index(tape, pockets)));
      }
    }
    return results;
  }
  /// Faces of a shoe with so many copies of each, in random order.
  std::vector<std::uint16_t> shoe(std::span<const std::uint32_t> copies) {
    auto cards = sorted(copies);
    auto tape = fresh();
    using talla::shuffle::shuffle_plan;
    if (!talla::shuffle::fisher_yates(shuffle_plan, tape, std::span(cards))) std::abort();
    return cards;
  }
  /// Deck by deck, as it comes from the factory.
  static std::vector<std::uint16_t> sorted(std::span<const std::uint32_t> copies) {
    std::vector<std::uint16_t> cards;
    for (std::uint32_t deck = 0;; ++deck) {
      const std::size_t before = cards.size();
      for (std::size_t face = 0; face < copies.size(); ++face) {
        if (deck < copies[face]) cards.push_back(static_cast<std::uint16_t>(face));
      }
      if (cards.size() == before) return cards;
    }
  }
  /// Below n, for what is done wrong on purpose.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::mt19937_64& random() { return random_; }

 private:
  talla::shuffle::Tape fresh() {
    for (std::size_t i = 0; i + 8 <= bytes_.size(); i += 8) {
      const std::uint64_t word = random_();
      std::memcpy(bytes_.data() + i, &word, 8);
    }
    return talla::shuffle::Tape::borrowed(bytes_);
  }
  std::mt19937_64 random_;
  std::vector<std::uint8_t> bytes_;
};

inline std::vector<std::uint8_t> bytes(std::span<const std::uint16_t> values) {
  std::vector<std::uint8_t> out;
  for (const std::uint16_t value : values) out.push_back(static_cast<std::uint8_t>(value));
  return out;
}

}  // namespace outcome_source
