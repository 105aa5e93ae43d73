// The shuffle of cards and of numbers: Fisher-Yates by the plan of every shoe.
#include "shuffle/permutation.hpp"

#include <numeric>
#include <string>

#include "shuffle/fisher_yates.hpp"

namespace talla::shuffle {
namespace {

template <class Item>
Status shuffle_items(Tape& tape, std::span<Item> items) {
  if (items.size() > cards_count_max) {
    return fail(Errc::count_out_of_range,
                std::to_string(items.size()) + " items to shuffle, at most 1024");
  }
  if (!fisher_yates(shuffle_plan, tape, items)) return tape.status();
  return {};
}

}  // namespace

Status shuffle_cards(Tape& tape, std::span<Card> cards) {
  return shuffle_items(tape, cards);
}

Result<std::vector<std::uint16_t>> draw_permutation(Tape& tape, std::size_t n) {
  if (n > cards_count_max) {
    return fail(Errc::count_out_of_range, std::to_string(n) + " items to shuffle, at most 1024");
  }
  std::vector<std::uint16_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
  TALLA_TRY_STATUS(shuffle_items<std::uint16_t>(tape, numbers));
  return numbers;
}

}  // namespace talla::shuffle
