// The shuffle of cards: Fisher-Yates by the plan of every shoe.
#include "shuffle/permutation.hpp"

#include <string>

#include "shuffle/fisher_yates.hpp"

namespace talla::shuffle {

Status shuffle_cards(Tape& tape, std::span<Card> cards) {
  if (cards.size() > cards_count_max) {
    return fail(Errc::count_out_of_range,
                std::to_string(cards.size()) + " items to shuffle, at most 1024");
  }
  if (!fisher_yates(shuffle_plan, tape, cards)) return tape.status();
  return {};
}

}  // namespace talla::shuffle
