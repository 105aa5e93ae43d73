// Decks, random hands and all choices of cards, for the tests of the poker evaluator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "shuffle/card.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::poker::test {

using shuffle::Card;

inline std::vector<Card> deck(std::string_view text) {
  return shuffle::DeckSpec::parse(text).value().cards();
}

/// TALLA_LONG=1: the counts that take minutes.
inline bool long_run() {
  return std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe): one thread
}

/// Hands dealt off the top of a deck that is shuffled as far as needed.
class Dealer {
 public:
  Dealer(std::string_view deck_text, std::uint64_t seed) : deck_(deck(deck_text)), random_(seed) {}
  std::span<const Card> deal(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(deck_[i],
                deck_[std::uniform_int_distribution<std::size_t>(i, deck_.size() - 1)(random_)]);
    }
    return std::span<const Card>(deck_).first(count);
  }

 private:
  std::vector<Card> deck_;
  std::mt19937_64 random_;
};

/// Calls `visit` with every choice of `N` of the cards.
template <std::size_t N, class Visit>
void each_choice(std::span<const Card> cards, Visit&& visit) {
  std::array<std::size_t, N> at{};
  std::array<Card, N> chosen;
  for (std::size_t i = 0; i < N; ++i) at[i] = i;
  if (cards.size() < N) return;
  while (true) {
    for (std::size_t i = 0; i < N; ++i) chosen[i] = cards[at[i]];
    visit(std::span<const Card, N>(chosen));
    std::size_t i = N;
    while (i > 0 && at[i - 1] == cards.size() - N + i - 1) --i;
    if (i == 0) return;
    ++at[i - 1];
    for (; i < N; ++i) at[i] = at[i - 1] + 1;
  }
}

/// The binomial coefficient.
constexpr std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t out = 1;
  for (std::uint64_t i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
  return out;
}

}  // namespace talla::games::poker::test
