// Draws of wheels, dice and lots: their bounds, and digits as values.
#include "shuffle/draw.hpp"

#include "shuffle/uniform.hpp"

namespace talla::shuffle {
namespace {

/// One bound per uniform integer, in order.
std::vector<std::uint64_t> bounds_of(const DrawSpecification& specification) {
  if (const auto* wheel = std::get_if<WheelDraw>(&specification)) return {wheel->pockets};
  if (const auto* dice = std::get_if<DiceDraw>(&specification))
    return std::vector<std::uint64_t>(dice->count, dice->faces);
  const auto& bounds = std::get<LotsDraw>(specification).bounds;
  return {bounds.begin(), bounds.end()};
}

}  // namespace

Status check_outcome_space(const DrawSpecification& specification) {
  return check_outcome_space(bounds_of(specification));
}

Result<std::vector<std::uint32_t>> draw_values(Tape& tape, const DrawSpecification& specification) {
  TALLA_TRY(const auto digits, draw_indices(tape, bounds_of(specification)));
  const std::uint64_t first = std::holds_alternative<DiceDraw>(specification) ? 1 : 0;
  std::vector<std::uint32_t> values;
  values.reserve(digits.size());
  for (const std::uint64_t digit : digits)
    values.push_back(static_cast<std::uint32_t>(digit + first));
  return values;
}

}  // namespace talla::shuffle
