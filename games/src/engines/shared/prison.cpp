#include "engines/shared/prison.hpp"

#include <algorithm>

#include "code.hpp"
#include "engines/shared/state_json.hpp"

namespace talla::games {
namespace {

Result<Imprisoned> read_imprisoned(const json::Value& value, std::string_view count) {
  json::Reader reader(value, "prison");
  Imprisoned out;
  TALLA_TRY(const auto* bet, reader.object("bet"));
  TALLA_TRY(out.bet, bet_from_json(*bet));
  TALLA_TRY(const auto times, reader.integer(count, 1, 1'000'000));
  out.times = static_cast<std::uint32_t>(times);
  if (reader.has("chosen")) {
    TALLA_TRY(out.chosen, reader.boolean("chosen"));
    if (!out.chosen) return bad_state("chosen is written only when true");
  }
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

}  // namespace

Imprisoned* find_imprisoned(Prison& prison, std::string_view id) {
  for (auto& stake : prison) {
    if (same_code(stake.bet.id, id)) return &stake;
  }
  return nullptr;
}

void add_prison_choices(const Prison& prison, Needs& needs) {
  std::vector<Decide> seats;
  for (const auto& stake : prison) {
    if (stake.chosen) continue;
    auto found = std::find_if(seats.begin(), seats.end(),
                              [&](const Decide& one) { return one.seat == stake.bet.seat; });
    if (found == seats.end()) {
      seats.push_back({.seat = stake.bet.seat, .choices = {}, .required = false});
      found = std::prev(seats.end());
    }
    found->choices.push_back(
        {.action = "half", .bet = stake.bet.id, .min = 0, .max = 0, .step = 0});
    found->choices.push_back(
        {.action = "prison", .bet = stake.bet.id, .min = 0, .max = 0, .step = 0});
  }
  std::sort(seats.begin(), seats.end(),
            [](const Decide& a, const Decide& b) { return a.seat < b.seat; });
  for (auto& one : seats) needs.emplace_back(std::move(one));
}

Result<BetBook> with_prison(const BetBook& book, const Prison& prison) {
  json::Array all = book.to_json().array();
  for (const auto& stake : prison) all.push_back(to_json(stake.bet));
  return BetBook::from_json(all);
}

json::Value prison_json(const Prison& prison, std::string_view count) {
  json::Array list;
  for (const auto& one : prison) {
    json::Object entry{{"bet", to_json(one.bet)}};
    entry[std::string(count)] = one.times;
    if (one.chosen) entry["chosen"] = true;
    list.emplace_back(std::move(entry));
  }
  return list;
}

bool read_prison(const json::Value& value, std::string_view count, Prison& out) {
  if (!value.is_array() || value.array().empty()) return false;
  for (const auto& one : value.array()) {
    auto stake = read_imprisoned(one, count);
    if (!stake) return false;
    out.push_back(std::move(*stake));
  }
  return true;
}

}  // namespace talla::games
