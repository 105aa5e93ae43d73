#include "shuffle/wheel.hpp"

#include "shuffle/uniform.hpp"

namespace talla::shuffle {

Result<std::uint32_t> spin_wheel(Tape& tape, std::uint32_t pockets_count) {
  constexpr std::uint32_t pockets_end = 1U << 16U;
  if (pockets_count == 0 || pockets_count >= pockets_end) {
    return fail(Errc::count_out_of_range, "a wheel has 1 to 65535 pockets");
  }
  TALLA_TRY(const std::uint64_t index, draw_index(tape, pockets_count));
  return static_cast<std::uint32_t>(index);
}

}  // namespace talla::shuffle
