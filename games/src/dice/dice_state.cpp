#include "dice/dice_state.hpp"

#include <array>
#include <string>
#include <utility>

#include "dice/dice_rules.hpp"

namespace talla::games::dice {
namespace {

constexpr std::array<std::pair<Phase, std::string_view>, 4> phases{{{Phase::betting, "betting"},
                                                                    {Phase::over, "over"},
                                                                    {Phase::closed, "closed"},
                                                                    {Phase::rethrow, "rethrow"}}};

Result<Phase> phase_from(std::string_view name) {
  for (const auto& [phase, text] : phases) {
    if (text == name) return phase;
  }
  return fail(Errc::state_malformed, "dice phase '" + std::string(name) + "'");
}

Status read_common(json::Reader& reader, DiceState& state) {
  if (reader.has("point")) {
    TALLA_TRY(const auto point, reader.integer("point", 4, 10));
    if (!is_point(static_cast<int>(point))) return fail(Errc::state_malformed, "7 is no point");
    state.point = static_cast<int>(point);
  }
  if (const auto* bets = reader.optional("bets")) {
    TALLA_TRY(state.book, BetBook::from_json(*bets));
  }
  return {};
}

Result<DiceState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  DiceState state;
  TALLA_TRY(const auto phase, reader.string("phase"));
  TALLA_TRY(state.phase, phase_from(phase));
  TALLA_TRY_STATUS(read_common(reader, state));
  if (reader.has("settled")) {
    TALLA_TRY(const auto* settled, reader.array("settled"));
    for (const auto& entry : *settled) {
      TALLA_TRY(auto one, settlement_from_json(entry));
      state.settled.push_back(std::move(one));
    }
  }
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

Result<DiceState> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  DiceState state;
  TALLA_TRY_STATUS(read_common(reader, state));
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

/// Whatever the reader found wrong is, to the caller, a state that does not fit.
Result<DiceState> malformed(Result<DiceState>&& result) {
  if (result) return std::move(result);
  return fail(Errc::state_malformed, result.error().detail);
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase)).second;
}

json::Value DiceState::carried() const {
  json::Value value;
  if (point != 0) value["point"] = point;
  if (!book.empty()) value["bets"] = book.to_json();
  return value;
}

json::Value DiceState::to_json() const {
  json::Value value = carried();
  value["phase"] = phase_name(phase);
  if (!settled.empty()) {
    json::Array list;
    for (const auto& one : settled) list.push_back(games::to_json(one));
    value["settled"] = std::move(list);
  }
  return value;
}

Result<DiceState> DiceState::from_json(const json::Value& value) {
  return malformed(read_state(value));
}

Result<DiceState> DiceState::from_carried(const json::Value& value) {
  return malformed(read_carried(value));
}

}  // namespace talla::games::dice
