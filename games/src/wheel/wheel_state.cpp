#include "wheel/wheel_state.hpp"

#include <array>

#include "state_json.hpp"

namespace talla::games::wheel {
namespace {

constexpr std::array<std::string_view, 5> phases{"betting", "over", "closed", "rethrow", "finished"};

Status read_common(json::Reader& reader, WheelState& state) {
  TALLA_TRY(state.prison, read_prison(reader, prison_count));
  TALLA_TRY(state.last, read_flag(reader, "last"));
  return {};
}

Result<WheelState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  WheelState state;
  TALLA_TRY(state.phase, read_named<Phase>(reader, "phase", phases));
  TALLA_TRY_STATUS(read_common(reader, state));
  TALLA_TRY(state.book, read_bets(reader));
  TALLA_TRY(state.settled, read_settled(reader));
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

Result<WheelState> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  WheelState state;
  TALLA_TRY_STATUS(read_common(reader, state));
  TALLA_TRY(const bool finished, read_flag(reader, "finished"));
  if (finished) state.phase = Phase::finished;
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value WheelState::carried() const {
  json::Value value;
  put_prison(value, prison, prison_count);
  if (last) value["last"] = true;
  if (phase == Phase::finished) value["finished"] = true;
  return value;
}

json::Value WheelState::to_json() const {
  json::Value value;
  value["phase"] = phase_name(phase);
  put_bets(value, book);
  put_prison(value, prison, prison_count);
  if (last) value["last"] = true;
  put_settled(value, settled);
  return value;
}

Result<WheelState> WheelState::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

Result<WheelState> WheelState::from_carried(const json::Value& value) {
  return as_state(read_carried(value));
}

}  // namespace talla::games::wheel
