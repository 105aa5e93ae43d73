#include "engines/shared/payments.hpp"

#include <algorithm>
#include <tuple>

namespace talla::games {
namespace {

/// One settlement's turn.
struct Turn {
  std::uint32_t place = 0;  ///< of its bet in the order; what the text does not name comes behind
  bool lost = false;
  bool grouped = false;  ///< paid with what else its seat has won
  Seat seat = 0;
  std::uint32_t index = 0;
};

bool holds(const std::vector<std::string>& bets, std::string_view bet) {
  return std::find(bets.begin(), bets.end(), bet) != bets.end();
}

std::vector<Turn> turns_of(const PaymentOrder& order, const std::vector<Settlement>& settled) {
  std::vector<Turn> out;
  out.reserve(settled.size());
  for (const auto& one : settled) {
    Turn turn{0, one.result == BetResult::lose, false, one.seat,
              static_cast<std::uint32_t>(out.size())};
    if (!turn.lost) {
      const auto place = std::find(order.bets.begin(), order.bets.end(), one.kind);
      turn.place = static_cast<std::uint32_t>(place - order.bets.begin());
      turn.grouped = order.together && !holds(order.apart, one.kind);
    }
    out.push_back(turn);
  }
  return out;
}

/// Lost stakes first; then the place at which a turn is paid, seat by seat if paid together.
using Key = std::tuple<bool, std::uint32_t, Seat, std::uint32_t, std::uint32_t>;

Key key_of(const std::vector<Turn>& turns, const Turn& turn) {
  if (turn.lost) return {false, 0, 0, 0, turn.index};
  if (!turn.grouped) return {true, turn.place, 0, turn.place, turn.index};
  std::uint32_t first = turn.place;
  for (const auto& other : turns) {
    if (other.grouped && other.seat == turn.seat) first = std::min(first, other.place);
  }
  return {true, first, turn.seat, turn.place, turn.index};
}

}  // namespace

void put_in_payment_order(const GameRules& rules, std::vector<Settlement>& settled) {
  if (!rules.payments || settled.size() < 2) return;
  const auto turns = turns_of(*rules.payments, settled);
  if (std::all_of(turns.begin(), turns.end(), [](const Turn& one) { return one.lost; })) return;
  std::vector<Key> keys;
  keys.reserve(turns.size());
  for (const auto& turn : turns) keys.push_back(key_of(turns, turn));
  if (std::is_sorted(keys.begin(), keys.end())) return;
  std::sort(keys.begin(), keys.end());
  std::vector<Settlement> out;
  out.reserve(settled.size());
  for (const auto& key : keys) out.push_back(std::move(settled.at(std::get<4>(key))));
  settled = std::move(out);
}

}  // namespace talla::games
