#include "engines/wheel/state.hpp"

#include <array>

#include "engines/shared/archive.hpp"

namespace talla::games::wheel {
namespace {

constexpr std::array<std::string_view, 5> phases{"betting", "over", "closed", "rethrow",
                                                 "finished"};

json::Array colours_json(const std::map<Seat, Units>& colours) {
  json::Array list;
  for (const auto& [seat, worth] : colours)
    list.emplace_back(json::Object{{"seat", seat}, {"value", worth}});
  return list;
}

/// Each seat once, in order.
bool read_colours(const json::Value& value, std::map<Seat, Units>& out) {
  if (!value.is_array() || value.array().empty()) return false;
  for (const auto& entry : value.array()) {
    json::Reader one(entry, "colour");
    const auto seat = one.integer("seat", 1, seat_max);
    const auto worth = one.integer("value", 1, units_max);
    if (!seat || !worth || !one.finish()) return false;
    if (!out.empty() && static_cast<Seat>(*seat) <= out.rbegin()->first) return false;
    out.emplace(static_cast<Seat>(*seat), *worth);
  }
  return true;
}

template <class A>
void common_fields(A& a, WheelState& s) {
  a.member(
      "colours", !s.colours.empty(), [&] { return colours_json(s.colours); },
      [&](const json::Value& value) { return read_colours(value, s.colours); });
  prison_field(a, s.prison, prison_count);
  a.flag("last", s.last);
}
template <class A>
void state_fields(A& a, WheelState& s) {
  a.always_name("phase", s.phase, phases);
  common_fields(a, s);
  a.bets("bets", s.book);
  a.settled(s.settled);
}
/// What outlives a spin.
template <class A>
void carried_fields(A& a, WheelState& s) {
  common_fields(a, s);
  bool finished = s.phase == Phase::finished;
  a.flag("finished", finished);
  if constexpr (A::loads) {
    if (finished) s.phase = Phase::finished;
  }
}

}  // namespace

void put_colours(json::Value& value, const std::map<Seat, Units>& colours) {
  if (!colours.empty()) value["colours"] = colours_json(colours);
}

std::string_view phase_name(Phase phase) {
  return phases.at(static_cast<std::size_t>(phase));
}

json::Value WheelState::carried() const {
  return written(*this, [](auto& a, auto& s) { carried_fields(a, s); });
}

json::Value WheelState::to_json() const {
  return written(*this, [](auto& a, auto& s) { state_fields(a, s); });
}

Result<WheelState> WheelState::from_json(const json::Value& value) {
  return loaded<WheelState>(value, "state", [](auto& a, auto& s) { state_fields(a, s); });
}

Result<WheelState> WheelState::from_carried(const json::Value& value) {
  return loaded<WheelState>(value, "carried", [](auto& a, auto& s) { carried_fields(a, s); });
}

}  // namespace talla::games::wheel
