// The parts of a call bet, each an ordinary bet.
#include <algorithm>

#include "base/check.hpp"
#include "games/bets.hpp"

namespace talla::games {
namespace {

/// The pocket and its neighbours, in the order of the wheel.
std::vector<Member> around(const Draw& wheel, const Neighbours& rule, const std::string& pocket) {
  const auto& pockets = wheel.pockets;
  const auto found = std::find(pockets.begin(), pockets.end(), pocket);
  TALLA_CHECK(found != pockets.end());  // canonical_position has found it among the pockets
  const auto centre = static_cast<std::size_t>(found - pockets.begin());
  const std::size_t count = 2 * std::size_t{rule.each_side} + 1;
  std::vector<Member> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = (centre + pockets.size() - rule.each_side + i) % pockets.size();
    out.push_back({.bet = rule.bet, .on = {pockets[index]}, .chips = 1});
  }
  return out;
}

}  // namespace

Result<std::vector<PlaceBet>> parts_of_call(const Table& table, const BetRule& rule,
                                            const PlaceBet& event) {
  const auto position = canonical_position(rule, table.params(), event.on);
  if (!position)
    return fail(Errc::bet_position,
                position.error().detail + " (" + table.rules().rule(rule.cite) + ")");
  const auto& on = *position;
  auto members = rule.members;
  if (rule.neighbours) {
    TALLA_CHECK(table.rules().draw.has_value());  // the loader asked for it
    members = around(*table.rules().draw, *rule.neighbours, on.front());
  }
  Units chips = 0;
  for (const auto& member : members) chips += member.chips;
  if (event.stake % chips != 0) {
    return fail(Errc::not_multiple, rule.id + ": the stake is " + std::to_string(chips) +
                                        " equal chips (" + table.rules().rule(rule.cite) + ")");
  }
  std::vector<PlaceBet> parts;
  for (const auto& member : members) {
    PlaceBet part = event;
    part.id = event.id + "/" + std::to_string(parts.size() + 1);
    part.kind = member.bet;
    part.on = member.on;
    part.stake = event.stake / chips * member.chips;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace talla::games
