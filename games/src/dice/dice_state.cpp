#include "dice/dice_state.hpp"

#include <array>

#include "dice/dice_rules.hpp"
#include "state_json.hpp"

namespace talla::games::dice {
namespace {

constexpr std::array<std::string_view, 4> phases{"betting", "over", "closed", "rethrow"};

Status read_common(json::Reader& reader, DiceState& state) {
  if (reader.has("point")) {
    TALLA_TRY(const auto point, reader.integer("point", 4, 10));
    if (!is_point(static_cast<int>(point))) return fail(Errc::state_malformed, "7 is no point");
    state.point = static_cast<int>(point);
  }
  TALLA_TRY(state.book, read_bets(reader));
  return {};
}

Result<DiceState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  DiceState state;
  TALLA_TRY(state.phase, read_named<Phase>(reader, "phase", phases));
  TALLA_TRY_STATUS(read_common(reader, state));
  TALLA_TRY(state.settled, read_settled(reader));
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

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value DiceState::carried() const {
  json::Value value;
  if (point != 0) value["point"] = point;
  put_bets(value, book);
  return value;
}

json::Value DiceState::to_json() const {
  json::Value value = carried();
  value["phase"] = phase_name(phase);
  put_settled(value, settled);
  return value;
}

Result<DiceState> DiceState::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

Result<DiceState> DiceState::from_carried(const json::Value& value) {
  return as_state(read_carried(value));
}

}  // namespace talla::games::dice
