#include "engines/wheel/state.hpp"

#include <array>

#include "engines/shared/state_json.hpp"

namespace talla::games::wheel {
namespace {

constexpr std::array<std::string_view, 5> phases{"betting", "over", "closed", "rethrow",
                                                 "finished"};

Result<std::map<Seat, Units>> read_colours(json::Reader& reader) {
  std::map<Seat, Units> out;
  if (!reader.has("colours")) return out;
  TALLA_TRY(const auto* list, reader.array("colours"));
  if (list->empty()) return bad_state("colours is left out when it is empty");
  for (const auto& value : *list) {
    json::Reader one(value, "colour");
    TALLA_TRY(const auto seat, one.integer("seat", 1, seat_max));
    TALLA_TRY(const auto worth, one.integer("value", 1, units_max));
    TALLA_TRY_STATUS(one.finish());
    if (!out.empty() && static_cast<Seat>(seat) <= out.rbegin()->first)
      return bad_state("colours names each seat once, in order");
    out.emplace(static_cast<Seat>(seat), worth);
  }
  return out;
}

Status read_common(json::Reader& reader, WheelState& state) {
  TALLA_TRY(state.colours, read_colours(reader));
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

void put_colours(json::Value& value, const std::map<Seat, Units>& colours) {
  if (colours.empty()) return;
  json::Array list;
  for (const auto& [seat, worth] : colours)
    list.emplace_back(json::Object{{"seat", seat}, {"value", worth}});
  value["colours"] = std::move(list);
}

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value WheelState::carried() const {
  json::Value value;
  put_prison(value, prison, prison_count);
  put_colours(value, colours);
  if (last) value["last"] = true;
  if (phase == Phase::finished) value["finished"] = true;
  return value;
}

json::Value WheelState::to_json() const {
  json::Value value;
  value["phase"] = phase_name(phase);
  put_bets(value, book);
  put_prison(value, prison, prison_count);
  put_colours(value, colours);
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
