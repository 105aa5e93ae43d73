#include "engines/bingo/state.hpp"

#include <algorithm>
#include <set>

#include "engines/shared/state_json.hpp"
#include "shuffle/card.hpp"

namespace talla::games::bingo {
namespace {

constexpr std::int64_t first_card_max = 1'000'000;
constexpr std::int64_t balls_max = 255;

/// Flags are written only when true.
Status read_flag(json::Reader& reader, std::string_view key, bool& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(out, reader.boolean(key));
  return out ? Status() : Status(bad_state(std::string(key) + " is written only when true"));
}

Status read_ids(json::Reader& reader, std::string_view key, std::vector<std::string>& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(const auto* list, reader.array(key));
  if (list->empty())
    return bad_state(std::string(key) + " is written only when it holds something");
  for (const auto& one : *list) {
    if (!one.is_string()) return bad_state(std::string(key) + " lists cards");
    out.push_back(one.string());
  }
  if (std::set<std::string>(out.begin(), out.end()).size() != out.size())
    return bad_state(std::string(key) + " names a card twice");
  return {};
}

template <class T>
Status read_numbers(json::Reader& reader, std::string_view key, std::int64_t max,
                    std::vector<T>& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(const auto* list, reader.array(key));
  if (list->empty())
    return bad_state(std::string(key) + " is written only when it holds something");
  for (const auto& one : *list) {
    if (!one.is_integer() || one.integer() < 1 || one.integer() > max)
      return bad_state(std::string(key) + " lists numbers");
    out.push_back(static_cast<T>(one.integer()));
  }
  if (std::set<T>(out.begin(), out.end()).size() != out.size())
    return bad_state(std::string(key) + " names a number twice");
  return {};
}

Status read_balls(json::Reader& reader, std::vector<Ball>& out) {
  std::vector<std::string> codes;
  TALLA_TRY_STATUS(read_ids(reader, "balls", codes));
  for (const auto& code : codes) {
    TALLA_TRY(const auto ball, shuffle::Card::parse(code));
    if (!ball.is_ball()) return bad_state("balls lists balls");
    out.push_back(static_cast<Ball>(ball.rank()));
  }
  return {};
}

Status read_carried(json::Reader& reader, BingoState& out) {
  TALLA_TRY(const auto first, reader.integer("first_card", 1, first_card_max));
  out.first_card = static_cast<std::uint32_t>(first);
  TALLA_TRY_STATUS(read_flag(reader, "shoe", out.shoe));
  return read_flag(reader, "closing", out.closing);
}

Status read_game(json::Reader& reader, BingoState& out) {
  TALLA_TRY_STATUS(read_flag(reader, "drawing", out.drawing));
  TALLA_TRY_STATUS(read_flag(reader, "round_over", out.round_over));
  if (const auto* cards = reader.optional("cards")) {
    TALLA_TRY(out.cards, BetBook::from_json(*cards));
    if (out.cards.empty()) return bad_state("cards are written only when there are any");
  }
  TALLA_TRY_STATUS(read_balls(reader, out.balls));
  TALLA_TRY_STATUS(read_ids(reader, "line", out.line));
  if (reader.has("line_ball")) {
    TALLA_TRY(const auto ball, reader.integer("line_ball", 1, balls_max));
    out.line_ball = static_cast<std::uint32_t>(ball);
  }
  TALLA_TRY_STATUS(read_ids(reader, "bingo", out.bingo));
  TALLA_TRY_STATUS(read_numbers(reader, "silent", 1'000'000, out.silent));
  return read_ids(reader, "forfeited", out.forfeited);
}

Result<BingoState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  BingoState out;
  TALLA_TRY_STATUS(read_carried(reader, out));
  TALLA_TRY_STATUS(read_game(reader, out));
  if (reader.has("settled")) {
    TALLA_TRY(const auto* list, reader.array("settled"));
    if (list->empty()) return bad_state("settled is written only when it holds something");
    for (const auto& one : *list) {
      TALLA_TRY(auto settlement, settlement_from_json(one));
      out.settled.push_back(std::move(settlement));
    }
  }
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

/// Whatever the reader found wrong is, to the caller, a state that does not fit.
Result<BingoState> as_malformed(Result<BingoState>&& result) {
  if (result) return std::move(result);
  return bad_state(result.error().detail);
}

Result<BingoState> read_carried_state(const json::Value& value) {
  json::Reader reader(value, "carried");
  BingoState out;
  TALLA_TRY_STATUS(read_carried(reader, out));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

template <class T>
json::Array list_of(const std::vector<T>& all) {
  json::Array out;
  for (const auto& one : all) out.emplace_back(one);
  return out;
}

}  // namespace

json::Value BingoState::carried() const {
  json::Object out{{"first_card", first_card}};
  if (shoe) out["shoe"] = true;
  if (closing) out["closing"] = true;
  return out;
}

json::Value BingoState::to_json() const {
  json::Value out = carried();
  if (drawing) out["drawing"] = true;
  if (round_over) out["round_over"] = true;
  if (!cards.empty()) out["cards"] = cards.to_json();
  if (!balls.empty()) {
    json::Array codes;
    for (const auto ball : balls) codes.emplace_back(shuffle::Card::ball(ball).text());
    out["balls"] = std::move(codes);
  }
  if (!line.empty()) out["line"] = list_of(line);
  if (line_ball != 0) out["line_ball"] = line_ball;
  if (!bingo.empty()) out["bingo"] = list_of(bingo);
  if (!silent.empty()) out["silent"] = list_of(silent);
  if (!forfeited.empty()) out["forfeited"] = list_of(forfeited);
  if (!settled.empty()) {
    json::Array all;
    for (const auto& one : settled) all.push_back(games::to_json(one));
    out["settled"] = std::move(all);
  }
  return out;
}

Result<BingoState> BingoState::from_json(const json::Value& value) {
  return as_malformed(read_state(value));
}

Result<BingoState> BingoState::from_carried(const json::Value& value) {
  return as_malformed(read_carried_state(value));
}

}  // namespace talla::games::bingo
