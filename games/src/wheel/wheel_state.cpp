#include "wheel/wheel_state.hpp"

#include <array>

#include "state_json.hpp"

namespace talla::games::wheel {
namespace {

constexpr std::array<std::string_view, 5> phases{"betting", "over", "closed", "rethrow", "finished"};

Result<std::vector<Imprisoned>> prison_from(const json::Value& value) {
  if (!value.is_array()) return fail(Errc::state_malformed, "prison is not a list");
  std::vector<Imprisoned> prison;
  for (const auto& entry : value.array()) {
    json::Reader reader(entry, "prison");
    Imprisoned one;
    TALLA_TRY(const auto* bet, reader.object("bet"));
    TALLA_TRY(one.bet, bet_from_json(*bet));
    TALLA_TRY(const auto zeros, reader.integer("zeros", 1, 1'000'000));
    one.zeros = static_cast<std::uint32_t>(zeros);
    if (reader.has("chosen")) {
      TALLA_TRY(one.chosen, reader.boolean("chosen"));
    }
    TALLA_TRY_STATUS(reader.finish());
    prison.push_back(std::move(one));
  }
  return prison;
}

Status read_common(json::Reader& reader, WheelState& state) {
  if (const auto* prison = reader.optional("prison")) {
    TALLA_TRY(state.prison, prison_from(*prison));
  }
  if (reader.has("last")) {
    TALLA_TRY(state.last, reader.boolean("last"));
  }
  return {};
}

Result<WheelState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  WheelState state;
  TALLA_TRY(const auto phase, reader.string("phase"));
  TALLA_TRY(state.phase, phase_named<Phase>(phases, phase));
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
  if (reader.has("finished")) {
    TALLA_TRY(const auto finished, reader.boolean("finished"));
    if (finished) state.phase = Phase::finished;
  }
  TALLA_TRY_STATUS(reader.finish());
  return state;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value prison_json(const std::vector<Imprisoned>& prison) {
  json::Array list;
  for (const auto& one : prison) {
    json::Value entry;
    entry["bet"] = to_json(one.bet);
    entry["zeros"] = one.zeros;
    if (one.chosen) entry["chosen"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

json::Value WheelState::carried() const {
  json::Value value;
  if (!prison.empty()) value["prison"] = prison_json(prison);
  if (last) value["last"] = true;
  if (phase == Phase::finished) value["finished"] = true;
  return value;
}

json::Value WheelState::to_json() const {
  json::Value value;
  value["phase"] = phase_name(phase);
  put_bets(value, book);
  if (!prison.empty()) value["prison"] = prison_json(prison);
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
