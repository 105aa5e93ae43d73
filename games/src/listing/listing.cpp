#include "games/listing.hpp"

#include <algorithm>
#include <set>

#include "games/catalogue.hpp"
#include "games/engine_registry.hpp"
#include "games/readings.hpp"
#include "speech/speech.hpp"

namespace talla::games {
namespace {

constexpr std::string_view parameter_kind = "parameter";
constexpr std::string_view figure_kind = "figure";

/// Says of a line which reading it rests on, and why it is read so.
class Explained {
 public:
  Explained(const Readings& readings, std::string_view language)
      : readings_(&readings), language_(language) {}
  void put(json::Object& line, const Citation& cite, const GameRules& game) const {
    if (cite.reading.empty()) return;
    line["reading"] = cite.reading;
    const auto* reading = readings_->of(cite, game);
    if (reading == nullptr) return;
    line["digest"] = reading->digest;
    line["why"] = reading->said(language_);
  }

 private:
  const Readings* readings_;
  std::string_view language_;
};

/// Collects figures that a reading fixed, each place and reading once.
class Fixed {
 public:
  Fixed(const Catalogue& catalogue, const GameRules& game, const Explained& explained)
      : catalogue_(&catalogue), game_(&game), explained_(&explained) {}

  void add(const std::string& id, const Citation& cite) {
    if (cite.reading.empty() || !seen_.insert(id + " " + cite.section + " " + cite.reading).second)
      return;
    json::Object one{{"catalogue", catalogue_->id},
                     {"game", game_->id},
                     {"kind", figure_kind},
                     {"id", id},
                     {"section", game_->rule(cite)}};
    explained_->put(one, cite, *game_);
    out_.emplace_back(std::move(one));
  }
  void add(const BetRule& bet) {
    add(bet.id, bet.cite);
    for (const auto& payout : bet.payouts) add(bet.id, payout.cite);
    for (const auto& more : bet.payouts_when) add(bet.id, more.payout.cite);
    for (const auto& more : bet.covers_when) add(bet.id, more.cite);
  }
  [[nodiscard]] json::Array take() { return std::move(out_); }

 private:
  const Catalogue* catalogue_;
  const GameRules* game_;
  const Explained* explained_;
  std::set<std::string> seen_;
  json::Array out_;
};

json::Array fixed_readings(const Catalogue& catalogue, const GameRules& game,
                           const Explained& explained) {
  Fixed out(catalogue, game, explained);
  out.add(game.id, game.cite);
  if (game.draw_cite) out.add("draw", *game.draw_cite);
  if (game.shoe_cite) out.add("shoe", *game.shoe_cite);
  for (const auto& bet : game.bets) out.add(bet);
  for (const auto& limit : game.limits)
    out.add("max " + (limit.bets.empty() ? "" : limit.bets.front()), limit.cite);
  for (const auto& minimum : game.minimums)
    out.add("min " + (minimum.bets.empty() ? "" : minimum.bets.front()), minimum.cite);
  for (const auto& action : game.actions) out.add(action.id, action.cite);
  for (const auto& place : game.places) out.add(place.id, place.cite);
  for (const auto& error : game.errors) out.add(error.code, error.cite);
  for (const auto& [name, block] : game.data) out.add("data." + name, block.cite);
  return out.take();
}

json::Object ambiguity_json(const Catalogue& catalogue, const GameRules& game,
                            const ParameterRule& rule, std::string_view language,
                            std::string_view type) {
  json::Object out{{"catalogue", catalogue.id},
                   {"game", game.id},
                   {"kind", parameter_kind},
                   {"id", rule.id},
                   {"decides", catalogue.text(language, "parameter", rule.id)},
                   {"type", type},
                   {"section", game.rule(rule.cite)}};
  if (!rule.allowed.empty()) out["allowed"] = json::Array(rule.allowed);
  if (rule.type == ParameterType::boolean) out["allowed"] = json::Array{true, false};
  if (rule.min) out["min"] = rule.min->text();
  if (rule.max) out["max"] = rule.max->text();
  if (rule.fallback) out["default"] = *rule.fallback;
  out["set_by"] = rule.set_by == SetBy::reading  ? "reading"
                  : rule.set_by == SetBy::casino ? "casino"
                                                 : "regulator";
  return out;
}

}  // namespace

json::Array list_games(const Catalogue& catalogue, std::string_view language) {
  json::Array out;
  for (const auto& game : catalogue.games) {
    json::Object one{{"catalogue", catalogue.id},
                     {"game", game.id},
                     {"section", game.number},
                     {"source", catalogue.source},
                     {"served", find_engine(game.family) != nullptr},
                     {"family", game.family},
                     {"text", catalogue.text(language, "game", game.id)}};
    if (!game.base.empty()) one["base"] = game.base;
    out.emplace_back(std::move(one));
  }
  for (const auto& id : catalogue.base_games) {
    out.emplace_back(json::Object{{"catalogue", catalogue.id},
                                  {"game", id},
                                  {"section", ""},
                                  {"source", catalogue.source},
                                  {"served", false},
                                  {"decree", catalogue.base_decree},
                                  {"text", catalogue.text(language, "game", id)}});
  }
  return out;
}

json::Array ambiguities(const Catalogue& catalogue, const GameRules& game,
                        std::string_view language) {
  const Readings readings(catalogue);
  const Explained explained(readings, language);
  json::Array out;
  const auto described = describe(catalogue, game, language);
  const auto& parameters = described.find("parameters")->array();
  for (std::size_t i = 0; i < game.parameters.size(); ++i) {
    const auto& rule = game.parameters[i];
    if (rule.set_by != SetBy::reading && rule.cite.reading.empty()) continue;
    const auto* type = i < parameters.size() ? parameters[i].find("type") : nullptr;
    auto one =
        ambiguity_json(catalogue, game, rule, language, type != nullptr ? type->string() : "");
    explained.put(one, rule.cite, game);
    out.emplace_back(std::move(one));
  }
  auto fixed = fixed_readings(catalogue, game, explained);
  std::move(fixed.begin(), fixed.end(), std::back_inserter(out));
  return out;
}

json::Array readings_alone(const Catalogue& catalogue, std::string_view language) {
  std::set<std::string> named;
  for (const auto& game : catalogue.games) {
    for (const auto& one : ambiguities(catalogue, game, language)) {
      if (const auto* digest = one.find("digest"))
        named.insert(digest->string() + " " + one.find("reading")->string());
    }
  }
  json::Array out;
  for (const auto& one : readings_of(catalogue.id)) {
    if (one.ours() || named.contains(one.digest + " " + one.id)) continue;
    out.emplace_back(json::Object{{"catalogue", catalogue.id},
                                  {"kind", "text"},
                                  {"reading", one.id},
                                  {"digest", one.digest},
                                  {"why", one.said(language)}});
  }
  return out;
}

json::Value to_json(const RuleLine& line) {
  json::Object out{{"part", line.part}, {"text", line.text}, {"rule", line.rule}};
  if (!line.id.empty()) out["id"] = line.id;
  if (!line.reading.empty()) out["reading"] = line.reading;
  return out;
}

bool before(std::string_view a, std::string_view b) {
  const auto number = [](std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (number(a) && number(b) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

std::string value_words(const Catalogue& catalogue, const GameRules& game,
                        const std::string& parameter, const json::Value& value,
                        std::string_view language) {
  return speech::Speaker(catalogue, game, language).value(parameter, value);
}

std::string plain(const json::Value& value) {
  if (value.is_string()) return value.string();
  std::string out;
  const auto nested = [](const json::Value& one) {
    const bool inner = one.is_array() || one.is_object();
    return inner ? "(" + plain(one) + ")" : plain(one);
  };
  if (value.is_array()) {
    for (const auto& one : value.array()) out += (out.empty() ? "" : ", ") + nested(one);
    return out;
  }
  if (value.is_object()) {
    std::vector<std::string> names;
    for (const auto& [name, member] : value.object()) names.push_back(name);
    std::stable_sort(names.begin(), names.end(), before);
    for (const auto& name : names)
      out += (out.empty() ? "" : ", ") + name + "=" + nested(*value.find(name));
    return out;
  }
  return json::canonical(value);
}

}  // namespace talla::games
