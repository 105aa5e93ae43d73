// A result as a record says it, as the settlement of a bet.
#include "settled_bet.hpp"

namespace talla::rngd {

std::optional<games::Settlement> settlement_of(const certs::SettlementResult& result) {
  const auto kind = games::bet_result_from(result.result);
  const auto remainder = result.remainder.empty()
                             ? Result<games::Fraction>(games::Fraction())
                             : games::Fraction::parse_canonical(result.remainder);
  const bool seated = result.seat >= 0 && result.seat <= UINT32_MAX;
  if (!kind || !remainder || !seated || result.stake > games::units_max ||
      result.returned > games::units_max)
    return std::nullopt;
  games::Settlement out;
  out.bet = result.bet;
  out.seat = static_cast<games::Seat>(result.seat);
  out.kind = result.kind;
  out.stake = result.stake;
  out.result = *kind;
  out.returned = result.returned;
  out.remainder = *remainder;
  out.rule = result.rule;
  return out;
}

}  // namespace talla::rngd
