#include "games/settlement.hpp"

#include <array>

namespace talla::games {

std::string_view bet_result_name(BetResult result) {
  switch (result) {
    case BetResult::win:
      return "win";
    case BetResult::lose:
      return "lose";
    case BetResult::push:
      return "push";
    case BetResult::half:
      return "half";
    case BetResult::prison:
      return "prison";
    case BetResult::freed:
      return "freed";
    case BetResult::void_:
      return "void";
  }
  return "";
}

Result<BetResult> bet_result_from(std::string_view name) {
  for (const auto result : {BetResult::win, BetResult::lose, BetResult::push, BetResult::half,
                            BetResult::prison, BetResult::freed, BetResult::void_}) {
    if (bet_result_name(result) == name) return result;
  }
  return fail(Errc::state_malformed, "unknown result of a bet");
}

json::Value to_json(const Settlement& settlement) {
  json::Object out;  // its members in their order
  out.emplace("bet", settlement.bet);
  out.emplace("kind", settlement.kind);
  if (!settlement.remainder.is_zero()) out.emplace("remainder", settlement.remainder.text());
  out.emplace("result", bet_result_name(settlement.result));
  out.emplace("returned", settlement.returned);
  out.emplace("rule", settlement.rule);
  out.emplace("seat", settlement.seat);
  out.emplace("stake", settlement.stake);
  return out;
}

Result<Settlement> settlement_from_json(const json::Value& value) {
  json::Reader reader(value, "settlement");
  Settlement out;
  TALLA_TRY(out.bet, reader.string("bet"));
  TALLA_TRY(const auto seat, reader.integer("seat", 0, 1'000'000));
  out.seat = static_cast<Seat>(seat);
  TALLA_TRY(out.kind, reader.string("kind"));
  TALLA_TRY(out.stake, reader.integer("stake", 0, units_max));
  TALLA_TRY(const auto result, reader.string("result"));
  TALLA_TRY(out.result, bet_result_from(result));
  TALLA_TRY(out.returned, reader.integer("returned", 0, units_max));
  TALLA_TRY(out.rule, reader.string("rule"));
  if (reader.has("remainder")) {
    TALLA_TRY(const auto remainder, reader.string("remainder"));
    TALLA_TRY(out.remainder, Fraction::parse_canonical(remainder));
  }
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

}  // namespace talla::games
