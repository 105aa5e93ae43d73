#include "engines/dice/state.hpp"

#include <array>

#include "engines/dice/rules.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games::dice {
namespace {

constexpr std::array<std::string_view, 5> phases{"betting", "over", "closed", "rethrow",
                                                 "finished"};

Result<Seat> read_seat(json::Reader& reader, std::string_view key) {
  if (!reader.has(key)) return Seat{0};
  TALLA_TRY(const auto seat, reader.integer(key, 1, seat_max));
  return static_cast<Seat>(seat);
}

Result<std::vector<Seat>> read_refused(json::Reader& reader) {
  std::vector<Seat> out;
  if (!reader.has("refused")) return out;
  TALLA_TRY(const auto* list, reader.array("refused"));
  if (list->empty()) return bad_state("refused is left out when it is empty");
  for (const auto& one : *list) {
    if (!one.is_integer() || one.integer() < 1 || one.integer() > seat_max)
      return bad_state("refused lists seats");
    const auto seat = static_cast<Seat>(one.integer());
    if (!out.empty() && seat <= out.back())
      return bad_state("refused lists each seat once, in order");
    out.push_back(seat);
  }
  return out;
}

Result<Shooter> read_shooter(json::Reader& reader) {
  Shooter out;
  TALLA_TRY(out.seat, read_seat(reader, "shooter"));
  TALLA_TRY(out.before, read_seat(reader, "before"));
  TALLA_TRY(out.refused, read_refused(reader));
  TALLA_TRY(out.last, read_flag(reader, "last"));
  if (out.seat != 0 && !out.refused.empty())
    return bad_state("who has the dice has been offered them");
  return out;
}

Status read_common(json::Reader& reader, DiceState& state) {
  if (reader.has("point")) {
    TALLA_TRY(const auto point, reader.integer("point", 4, 10));
    if (!is_point(static_cast<int>(point))) return fail(Errc::state_malformed, "7 is no point");
    state.point = static_cast<int>(point);
  }
  TALLA_TRY(state.shooter, read_shooter(reader));
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
  TALLA_TRY(const bool finished, read_flag(reader, "finished"));
  if (finished) state.phase = Phase::finished;
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

/// All but the phase and the settlements.
json::Value common_json(const DiceState& state) {
  json::Value value;
  if (state.point != 0) value["point"] = state.point;
  const auto& shooter = state.shooter;
  if (shooter.seat != 0) value["shooter"] = shooter.seat;
  if (shooter.before != 0) value["before"] = shooter.before;
  if (!shooter.refused.empty())
    value["refused"] = json::Array(shooter.refused.begin(), shooter.refused.end());
  if (shooter.last) value["last"] = true;
  put_bets(value, state.book);
  return value;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value DiceState::carried() const {
  json::Value value = common_json(*this);
  if (phase == Phase::finished) value["finished"] = true;
  return value;
}

json::Value DiceState::to_json() const {
  json::Value value = common_json(*this);
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
