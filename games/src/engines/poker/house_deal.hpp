/// \file
/// Poker against the house: the names of its places and the order in which its cards are dealt.
///
/// Places: own cards of the hand at a box "seat-B-card-K", the bank's "bank-K", both from 1.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/need.hpp"

namespace talla::games::poker::house {

[[nodiscard]] std::string hand_place(Box box, std::size_t card);
[[nodiscard]] std::string bank_place(std::size_t card);

/// What a place name says.
struct NamedPlace {
  Box box = 0;           ///< 0: the bank
  std::size_t card = 0;  ///< from 1
};
/// Reads either name back; nothing when it is none of them.
[[nodiscard]] std::optional<NamedPlace> named_place(std::string_view place);

/// one_by_one: a card to every hand and the bank in each round. blocks: all cards of a hand at once
/// (automatic shoe).
enum class DealMode : std::uint8_t { one_by_one, blocks };

/// A hand that gets cards; the seats may look at them.
struct DealtHand {
  Box box = 0;
  std::vector<Seat> seats{};
};

struct DealPlan {
  std::vector<DealtHand> hands;  ///< from the dealer's left, clockwise
  std::size_t cards = 0;         ///< of each hand
  std::size_t bank_cards = 0;    ///< the bank is last in each round, and last of all in blocks
  std::vector<std::size_t> exposed{};  ///< the bank's cards that are dealt face up, from 1
  DealMode mode = DealMode::one_by_one;
};

inline constexpr std::size_t all_cards = std::numeric_limits<std::size_t>::max();

/// The cards of the opening deal, in order, without the first `from`, and at most `most` of them.
[[nodiscard]] std::vector<DealPlace> deal_order(const DealPlan& plan, std::size_t from = 0,
                                                std::size_t most = all_cards);

}  // namespace talla::games::poker::house
