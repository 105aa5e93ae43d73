#include "shuffle/dice.hpp"

#include "shuffle/uniform.hpp"

namespace talla::shuffle {

Result<std::vector<std::uint32_t>> roll_dice(Tape& tape, const DiceSpec& dice) {
  constexpr std::uint32_t dice_max = 127;
  constexpr std::uint32_t faces_end = 1U << 16U;
  if (dice.dice_count == 0 || dice.dice_count > dice_max) {
    return fail(Errc::count_out_of_range, "a roll has 1 to 127 dice");
  }
  if (dice.faces_count == 0 || dice.faces_count >= faces_end) {
    return fail(Errc::count_out_of_range, "a die has 1 to 65535 faces");
  }
  const std::vector<std::uint64_t> bounds(dice.dice_count, dice.faces_count);
  TALLA_TRY(const std::vector<std::uint64_t> digits, draw_indices(tape, bounds));
  std::vector<std::uint32_t> faces;
  faces.reserve(digits.size());
  for (const std::uint64_t digit : digits) faces.push_back(static_cast<std::uint32_t>(digit) + 1);
  return faces;
}

}  // namespace talla::shuffle
