// Reads how the end of a session is announced from a catalogue file.
#include <algorithm>

#include "catalogue/read.hpp"

namespace talla::games {
namespace {

constexpr std::int64_t end_count_max = 100;

Status read_of(json::Reader& reader, SessionEndRule& out, const std::string& where) {
  TALLA_TRY(const auto name, reader.string("of"));
  for (const auto of : {EndOf::round, EndOf::shoe, EndOf::shooter}) {
    if (name != end_of_name(of)) continue;
    out.of = of;
    TALLA_TRY(const auto count, reader.integer("count", 1, of == EndOf::round ? end_count_max : 1));
    out.count = static_cast<std::uint32_t>(count);
    return {};
  }
  return bad_catalogue(where, "of is round, shoe or shooter");
}

Status give(Catalogue& catalogue, const std::string& id, const SessionEndRule& rule,
            const std::string& where) {
  const auto game = std::find_if(catalogue.games.begin(), catalogue.games.end(),
                                 [&](const GameRules& one) { return one.id == id; });
  if (game == catalogue.games.end()) return bad_catalogue(where, "no game " + id);
  if (rule.of == EndOf::shoe && !game->shoe) return bad_catalogue(where, id + " has no shoe");
  if (rule.when) {
    const auto* parameter = game->parameter(rule.when->parameter);
    if (parameter == nullptr)
      return bad_catalogue(where, id + " has no parameter " + rule.when->parameter);
    const auto& allowed = parameter->allowed;
    if (std::find(allowed.begin(), allowed.end(), rule.when->value) == allowed.end())
      return bad_catalogue(where, rule.when->parameter + " of " + id + " has no such value");
  }
  const auto& before = game->session_ends;
  if (!before.empty() && !before.back().when)
    return bad_catalogue(where, id + " has an end of session already that always holds");
  game->session_ends.push_back(rule);
  return {};
}

Status read_end(const json::Value& value, Catalogue& out, const std::string& where) {
  json::Reader reader(value, where);
  SessionEndRule rule;
  TALLA_TRY_STATUS(read_of(reader, rule, where));
  if (const auto* when = reader.optional("when")) {
    json::Reader inner(*when, where + ".when");
    TALLA_TRY(rule.when, read_condition(inner, where + ".when"));
    TALLA_TRY_STATUS(inner.finish());
  }
  TALLA_TRY(rule.cite, read_citation(reader, where));
  TALLA_TRY(const auto* games, reader.array("games"));
  if (games->empty()) return bad_catalogue(where, "games lists game ids");
  for (const auto& game : *games) {
    if (!game.is_string()) return bad_catalogue(where, "games lists game ids");
    TALLA_TRY_STATUS(give(out, game.string(), rule, where));
  }
  return reader.finish();
}

}  // namespace

Status read_session_ends(const json::Array& ends, Catalogue& out) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    TALLA_TRY_STATUS(read_end(ends[i], out, "session_end " + std::to_string(i + 1)));
  }
  return {};
}

}  // namespace talla::games
