// Reads one game of a catalogue file: equipment, actions, errors, payments, data blocks.
#include <algorithm>
#include <set>

#include "catalogue/read.hpp"
#include "shuffle/deck.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {
namespace {

constexpr std::int64_t game_count_max = 1000;

Result<std::uint32_t> read_count(json::Reader& reader, std::string_view key) {
  if (!reader.has(key)) return std::uint32_t{0};
  TALLA_TRY(const auto count, reader.integer(key, 1, game_count_max));
  return static_cast<std::uint32_t>(count);
}

Result<std::string> read_number(json::Reader& reader, const std::string& where) {
  TALLA_TRY(auto number, read_text(reader, "number"));
  if (!is_game_number(number)) {
    return bad_catalogue(
        where, "number is the game's number in the text, of letters, digits, '.' and ' '");
  }
  return number;
}

/// Which game's rules hold besides (take_followed has put them in), and which catalogue lends what
/// a missing text holds.
Status read_sources(json::Reader& reader, GameRules& out, const std::string& where) {
  if (const auto* follows = reader.optional("follows")) {
    const auto* game = follows->find("game");
    if (game == nullptr || !game->is_string()) return bad_catalogue(where, "follows names a game");
    out.follows = game->string();
  }
  if (!reader.has("base")) return {};
  TALLA_TRY(out.base, read_code(reader, "base", where));
  ParameterRule chosen;
  chosen.id = base_parameter;
  chosen.set_by = SetBy::casino;
  chosen.allowed = {json::Value(out.base)};
  chosen.cite = out.cite;
  out.parameters.push_back(std::move(chosen));
  return {};
}

Status read_shoe_need(const json::Value& value, GameRules& out, const std::string& where) {
  json::Reader reader(value, where);
  TALLA_TRY(const auto text, reader.string("deck"));
  auto deck = shuffle::DeckSpec::parse(text);
  if (!deck) return bad_catalogue(where, "deck: " + deck.error().detail);
  ShoeNeed shoe;
  shoe.deck = text;
  shoe.cards_count = static_cast<std::uint32_t>(deck->cards_count());
  TALLA_TRY(const auto depth, reader.integer("stop_depth", 0, shoe.cards_count - 1));
  shoe.stop_depth = static_cast<std::uint32_t>(depth);
  if (reader.has("disclosure")) {
    TALLA_TRY(const auto disclosure, reader.string("disclosure"));
    if (disclosure != "covered" && disclosure != "public")
      return bad_catalogue(where, "disclosure is public or covered");
    shoe.covered = disclosure == "covered";
  }
  TALLA_TRY(out.shoe_cite, read_citation(reader, where));
  out.shoe = std::move(shoe);
  return reader.finish();
}

Status read_draw_need(const json::Value& value, GameRules& out, const std::string& where) {
  json::Reader reader(value, where);
  Draw draw;
  TALLA_TRY(const auto kind, reader.string("kind"));
  auto parsed = draw_kind_from(kind);
  if (!parsed) return bad_catalogue(where, "kind is wheel, dice, balls or lots");
  draw.kind = *parsed;
  if (draw.kind == DrawKind::wheel) {
    TALLA_TRY(const auto* pockets, reader.array("pockets"));
    for (const auto& pocket : *pockets) {
      if (!pocket.is_string() || pocket.string().empty())
        return bad_catalogue(where, "pockets are strings");
      draw.pockets.push_back(pocket.string());
    }
    bool repeated = false;
    if (reader.has("repeated")) {
      TALLA_TRY(repeated, reader.boolean("repeated"));
    }
    const bool distinct = std::set<std::string>(draw.pockets.begin(), draw.pockets.end()).size() ==
                          draw.pockets.size();
    if (!repeated && !distinct)
      return bad_catalogue(where, "a pocket stands twice, and repeated does not say so");
    if (draw.pockets.size() < 2) return bad_catalogue(where, "a wheel has at least two pockets");
  } else {
    TALLA_TRY(draw.count, read_count(reader, "count"));
    TALLA_TRY(draw.faces, read_count(reader, "faces"));
    if (draw.count == 0 || draw.faces < 2) return bad_catalogue(where, "needs count and faces");
    if (draw.kind != DrawKind::dice && draw.count > draw.faces)
      return bad_catalogue(where, "more balls than there are");
  }
  TALLA_TRY(out.draw_cite, read_citation(reader, where));
  out.draw = std::move(draw);
  return reader.finish();
}

Result<Named> read_id_and_cite(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  Named out;
  TALLA_TRY(out.id, read_code(reader, "id", where));
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<ErrorRule> read_error(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  ErrorRule out;
  TALLA_TRY(out.code, read_code(reader, "code", where));
  TALLA_TRY(out.effect, read_code(reader, "effect", where));
  if (reader.has("window")) {
    TALLA_TRY(out.window, read_code(reader, "window", where));
  }
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

/// Reads the array `key`, if it is there, with `read_one`.
template <class T>
Status read_list(json::Reader& reader, std::string_view key, std::vector<T>& out,
                 Result<T> (*read_one)(const json::Value&, const std::string&),
                 const std::string& where) {
  if (!reader.has(key)) return {};
  TALLA_TRY(const auto* array, reader.array(key));
  for (const auto& value : *array) {
    TALLA_TRY(auto one, read_one(value, where + "." + std::string(key)));
    out.push_back(std::move(one));
  }
  return {};
}

Result<std::vector<std::string>> read_bet_ids(json::Reader& reader, std::string_view key,
                                              const GameRules& game, const std::string& where) {
  std::vector<std::string> out;
  if (!reader.has(key)) return out;
  TALLA_TRY(const auto* ids, reader.array(key));
  for (const auto& id : *ids) {
    if (!id.is_string() || game.bet(id.string()) == nullptr)
      return bad_catalogue(where, std::string(key) + " lists bets of the game");
    if (std::find(out.begin(), out.end(), id.string()) != out.end())
      return bad_catalogue(where, id.string() + " stands twice");
    out.push_back(id.string());
  }
  return out;
}

Status read_payments(json::Reader& reader, GameRules& out, const std::string& where_in) {
  const auto* value = reader.optional("payments");
  if (value == nullptr) return {};
  const std::string where = where_in + ".payments";
  json::Reader inner(*value, where);
  PaymentOrder order;
  TALLA_TRY(order.bets, read_bet_ids(inner, "order", out, where));
  if (order.bets.empty()) return bad_catalogue(where, "order lists bets of the game");
  if (inner.has("together")) {
    TALLA_TRY(order.together, inner.boolean("together"));
  }
  TALLA_TRY(order.apart, read_bet_ids(inner, "apart", out, where));
  TALLA_TRY(order.cite, read_citation(inner, where));
  out.payments = std::move(order);
  return inner.finish();
}

Status read_data(json::Reader& reader, GameRules& out, const std::string& where) {
  const auto* data = reader.optional("data");
  if (data == nullptr) return {};
  if (!data->is_object()) return bad_catalogue(where, "data holds named tables");
  for (const auto& [name, value] : data->object()) {
    if (!value.is_object()) return bad_catalogue(where + ".data." + name, "is a table");
    json::Reader inner(value, where + ".data." + name);
    DataBlock block;
    TALLA_TRY(block.cite, read_citation(inner, where + ".data." + name));
    json::Object rest = value.object();
    rest.erase("cite");
    rest.erase("reading");
    rest.erase("inherited");
    block.value = std::move(rest);
    out.data.emplace(name, std::move(block));
  }
  return {};
}

/// A parameter that is, left out, what another says: that one stands before it and has the same
/// type.
Status link_defaults(std::vector<ParameterRule>& all, const std::string& where) {
  for (auto one = all.begin(); one != all.end(); ++one) {
    if (one->fallback_of.empty()) continue;
    const auto other = std::find_if(
        all.begin(), one, [&](const ParameterRule& rule) { return rule.id == one->fallback_of; });
    if (other == one || other->type != one->type || !other->fallback)
      return bad_catalogue(where,
                           one->id + ": default_of names no parameter of its type before it");
    one->fallback = other->fallback;
  }
  return {};
}

}  // namespace

Result<GameRules> read_game(const json::Value& value, const std::string& where_in) {
  json::Reader reader(value, where_in);
  GameRules out;
  TALLA_TRY(out.id, read_code(reader, "id", where_in));
  const std::string& where = out.id;
  TALLA_TRY(out.number, read_number(reader, where));
  TALLA_TRY(out.family, read_code(reader, "family", where));
  TALLA_TRY(out.cite, read_citation(reader, where));
  TALLA_TRY(out.seats_max, read_count(reader, "seats_max"));
  TALLA_TRY(out.boxes_max, read_count(reader, "boxes_max"));
  TALLA_TRY_STATUS(read_sources(reader, out, where));
  if (const auto* shoe = reader.optional("shoe"))
    TALLA_TRY_STATUS(read_shoe_need(*shoe, out, where + ".shoe"));
  if (const auto* draw = reader.optional("draw"))
    TALLA_TRY_STATUS(read_draw_need(*draw, out, where + ".draw"));
  TALLA_TRY_STATUS(read_list(reader, "bet", out.bets, &read_bet_rule, where));
  TALLA_TRY_STATUS(read_list(reader, "limit", out.limits, &read_limit_rule, where));
  TALLA_TRY_STATUS(read_list(reader, "minimum", out.minimums, &read_minimum_rule, where));
  TALLA_TRY_STATUS(read_list(reader, "parameter", out.parameters, &read_parameter_rule, where));
  TALLA_TRY_STATUS(link_defaults(out.parameters, where));
  TALLA_TRY_STATUS(read_list(reader, "actions", out.actions, &read_id_and_cite, where));
  TALLA_TRY_STATUS(read_list(reader, "places", out.places, &read_id_and_cite, where));
  TALLA_TRY_STATUS(read_list(reader, "errors", out.errors, &read_error, where));
  TALLA_TRY_STATUS(read_data(reader, out, where));
  TALLA_TRY_STATUS(read_payments(reader, out, where));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_references(out));
  return out;
}

}  // namespace talla::games
