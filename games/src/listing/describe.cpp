// A game's rules as JSON, whole.
#include "engines/dice/sentence.hpp"
#include "games/catalogue.hpp"
#include "games/engine_registry.hpp"
#include "speech/speech.hpp"

namespace talla::games {
namespace {

void put_citation(json::Object& out, const Citation& cite) {
  out["cite"] = cite.number.empty() ? cite.section : cite.number + " " + cite.section;
  if (!cite.inherited.empty()) {
    out["inherited"] = cite.inherited;
    out["provisional"] = true;
  }
  if (!cite.reading.empty()) out["reading"] = cite.reading;
}

std::string_view on_name(OnForm form) {
  switch (form) {
    case OnForm::none:
      return "none";
    case OnForm::set:
      return "set";
    case OnForm::index:
      return "index";
    case OnForm::pair:
      return "pair";
    case OnForm::numbers:
      return "numbers";
  }
  return "";
}

std::string_view scope_name(LimitScope scope) {
  switch (scope) {
    case LimitScope::bet:
      return "bet";
    case LimitScope::seat:
      return "seat";
    case LimitScope::box:
      return "box";
    case LimitScope::table:
      return "table";
  }
  return "";
}

std::string_view type_name(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "bool";
    case ParameterType::choice:
      return "choice";
    case ParameterType::integer:
      return "integer";
    case ParameterType::fraction:
      return "fraction";
    case ParameterType::amount:
      return "amount";
  }
  return "";
}

std::string_view set_by_name(SetBy set_by) {
  switch (set_by) {
    case SetBy::reading:
      return "reading";
    case SetBy::casino:
      return "casino";
    case SetBy::regulator:
      return "regulator";
  }
  return "";
}

json::Object condition_json(const Condition& condition) {
  return {{"parameter", condition.parameter}, {"value", condition.value}};
}

json::Object payout_json(const Payout& payout, const speech::Speaker& speaker) {
  json::Object out{{"when", payout.when},
                   {"pays", payout.pays.text()},
                   {"text", speaker.word("when", payout.when)}};
  if (!payout.commission.is_zero()) out["commission"] = payout.commission.text();
  if (!payout.commission_parameter.empty())
    out["commission_parameter"] = payout.commission_parameter;
  put_citation(out, payout.cite);
  return out;
}

/// What depends on parameters, and the parts of a call bet.
void put_conditional(json::Object& out, const BetRule& bet, const speech::Speaker& speaker) {
  json::Array covers, payouts, members;
  for (const auto& conditional : bet.covers_when) {
    json::Object one = condition_json(conditional.when);
    one["covers"] = conditional.covers;
    put_citation(one, conditional.cite);
    covers.emplace_back(std::move(one));
  }
  for (const auto& conditional : bet.payouts_when) {
    json::Object one = payout_json(conditional.payout, speaker);
    one.merge(condition_json(conditional.when));
    payouts.emplace_back(std::move(one));
  }
  for (const auto& member : bet.members) {
    json::Object one{{"bet", member.bet}, {"chips", member.chips}};
    if (!member.on.empty()) one["on"] = json::Array(member.on.begin(), member.on.end());
    members.emplace_back(std::move(one));
  }
  if (!covers.empty()) out["covers_when"] = std::move(covers);
  if (!payouts.empty()) out["payouts_when"] = std::move(payouts);
  if (!members.empty()) out["members"] = std::move(members);
  if (bet.neighbours) {
    out["neighbours"] =
        json::Object{{"bet", bet.neighbours->bet}, {"each_side", bet.neighbours->each_side}};
  }
  if (bet.offered_if) out["offered_if"] = condition_json(*bet.offered_if);
}

json::Value bet_json(const BetRule& bet, const std::string& text, const speech::Speaker& speaker) {
  json::Object out{{"id", bet.id}, {"on", on_name(bet.on)}, {"covers", bet.covers}, {"text", text}};
  put_citation(out, bet.cite);
  json::Array payouts;
  for (const auto& payout : bet.payouts) payouts.emplace_back(payout_json(payout, speaker));
  out["payouts"] = std::move(payouts);
  put_conditional(out, bet, speaker);
  if (bet.covers.is_string()) out["covers_text"] = speaker.word("covers", bet.covers.string());
  return out;
}

json::Value limit_json(const LimitRule& limit) {
  json::Object out{{"bets", json::Array(limit.bets.begin(), limit.bets.end())}};
  if (limit.multiple_parameter.empty()) {
    out["max"] = limit.multiple.text();
  } else {
    out["max_parameter"] = limit.multiple_parameter;
  }
  json::Array scales;
  for (const auto& one : limit.multiple_when) {
    json::Object scale = condition_json(one.when);
    scale["max"] = one.multiple.text();
    scales.emplace_back(std::move(scale));
  }
  if (!scales.empty()) out["max_when"] = std::move(scales);
  if (!limit.base_parameter.empty()) out["of"] = limit.base_parameter;
  if (limit.base_when) out["of_when"] = condition_json(*limit.base_when);
  if (limit.scope_parameter.empty()) {
    out["scope"] = scope_name(limit.scope);
  } else {
    out["scope_parameter"] = limit.scope_parameter;
  }
  put_citation(out, limit.cite);
  return out;
}

json::Value minimum_json(const MinimumRule& minimum) {
  json::Object out{{"bets", json::Array(minimum.bets.begin(), minimum.bets.end())}};
  if (minimum.multiple_parameter.empty()) {
    out["min"] = minimum.multiple.text();
  } else {
    out["min_parameter"] = minimum.multiple_parameter;
  }
  if (minimum.stepped_parameter.empty()) {
    out["multiples"] = minimum.stepped;
  } else {
    out["multiples_parameter"] = minimum.stepped_parameter;
  }
  put_citation(out, minimum.cite);
  return out;
}

/// Each of the allowed values in words beside it; figures and codes without words stay as they are.
json::Array allowed_text(const ParameterRule& rule, const speech::Speaker& speaker) {
  json::Array out;
  for (const auto& value : rule.allowed) out.emplace_back(speaker.value(rule.id, value));
  return out;
}

json::Value parameter_json(const ParameterRule& rule, const std::string& text,
                           const speech::Speaker& speaker) {
  json::Object out{{"id", rule.id},
                   {"type", type_name(rule.type)},
                   {"set_by", set_by_name(rule.set_by)},
                   {"text", text}};
  if (rule.fallback) out["default"] = *rule.fallback;
  if (!rule.allowed.empty()) {
    out["allowed"] = json::Array(rule.allowed);
    out["allowed_text"] = allowed_text(rule, speaker);
  }
  if (rule.min) out["min"] = rule.min->text();
  if (rule.max) out["max"] = rule.max->text();
  if (!rule.currency.empty()) out["currency"] = rule.currency;
  put_citation(out, rule.cite);
  return out;
}

void put_equipment(json::Object& out, const GameRules& game) {
  Needs equipment;
  if (game.draw) equipment.emplace_back(*game.draw);
  if (game.shoe) equipment.emplace_back(*game.shoe);
  json::Value listed = to_json(equipment);
  std::size_t index = 0;
  for (const auto& cite : {game.draw_cite, game.shoe_cite}) {
    if (!cite) continue;
    json::Object one = listed.array().at(index).object();
    put_citation(one, *cite);
    listed.array().at(index++) = std::move(one);
  }
  out["equipment"] = std::move(listed);
  if (game.seats_max > 0) out["seats_max"] = game.seats_max;
  if (game.boxes_max > 0) out["boxes_max"] = game.boxes_max;
}

json::Object payments_json(const PaymentOrder& order) {
  json::Object out{{"order", json::Array(order.bets.begin(), order.bets.end())}};
  if (order.together) out["together"] = true;
  if (!order.apart.empty()) out["apart"] = json::Array(order.apart.begin(), order.apart.end());
  put_citation(out, order.cite);
  return out;
}

json::Array session_ends_json(const GameRules& game) {
  json::Array out;
  for (const auto& rule : game.session_ends) {
    json::Object one{{"of", end_of_name(rule.of)}, {"count", rule.count}};
    if (rule.when) one["when"] = condition_json(*rule.when);
    put_citation(one, rule.cite);
    out.emplace_back(std::move(one));
  }
  return out;
}

json::Array named_json(const Catalogue& catalogue, const std::vector<Named>& all,
                       std::string_view language, std::string_view category) {
  json::Array out;
  for (const auto& one : all) {
    json::Object entry{{"id", one.id}, {"text", catalogue.text(language, category, one.id)}};
    put_citation(entry, one.cite);
    out.emplace_back(std::move(entry));
  }
  return out;
}

}  // namespace

json::Value describe(const Catalogue& catalogue, std::string_view language) {
  json::Array games;
  for (const auto& game : catalogue.games) {
    games.emplace_back(json::Object{{"id", game.id},
                                    {"number", game.number},
                                    {"family", game.family},
                                    {"playable", find_engine(game.family) != nullptr},
                                    {"text", catalogue.text(language, "game", game.id)}});
  }
  json::Object out{{"id", catalogue.id},
                   {"legal_name", catalogue.legal_name},
                   {"territory", catalogue.territory},
                   {"published", catalogue.published},
                   {"source", catalogue.source},
                   {"language", catalogue.language},
                   {"currency", catalogue.currency},
                   {"digest", to_hex(catalogue.digest)},
                   {"games", std::move(games)}};
  if (!catalogue.base_decree.empty()) {
    const auto& elsewhere = catalogue.base_games;
    out["base"] = json::Object{{"decree", catalogue.base_decree},
                               {"games", json::Array(elsewhere.begin(), elsewhere.end())}};
  }
  return out;
}

json::Value describe(const Catalogue& catalogue, const GameRules& game, std::string_view language) {
  json::Object out{{"id", game.id},
                   {"number", game.number},
                   {"family", game.family},
                   {"catalogue", catalogue.id},
                   {"playable", find_engine(game.family) != nullptr},
                   {"text", catalogue.text(language, "game", game.id)}};
  put_citation(out, game.cite);
  if (!game.base.empty()) {
    out["base"] =
        json::Object{{"catalogue", game.base}, {"decree", game.base_decree}, {"provisional", true}};
  }
  if (!game.follows.empty()) out["follows"] = game.follows;
  put_equipment(out, game);
  const speech::Speaker speaker(catalogue, game, language);
  json::Array bets, limits, minimums, parameters, errors;
  for (const auto& bet : game.bets) {
    bets.push_back(bet_json(bet, catalogue.text(language, "bet", bet.id), speaker));
    if (game.family == "dice" && bet.covers.is_object())
      bets.back()["covers_text"] = dice::sentence_of(catalogue, game, bet, language);
  }
  for (const auto& limit : game.limits) limits.push_back(limit_json(limit));
  for (const auto& minimum : game.minimums) minimums.push_back(minimum_json(minimum));
  for (const auto& rule : game.parameters) {
    parameters.push_back(
        parameter_json(rule, catalogue.text(language, "parameter", rule.id), speaker));
  }
  for (const auto& error : game.errors) {
    json::Object one{{"code", error.code},
                     {"effect", error.effect},
                     {"effect_text", speaker.word("effect", error.effect)},
                     {"text", catalogue.text(language, "error", error.code)}};
    if (!error.window.empty()) one["window"] = error.window;
    put_citation(one, error.cite);
    errors.emplace_back(std::move(one));
  }
  out["bets"] = std::move(bets);
  out["limits"] = std::move(limits);
  if (!minimums.empty()) out["minimums"] = std::move(minimums);
  out["parameters"] = std::move(parameters);
  out["errors"] = std::move(errors);
  out["actions"] = named_json(catalogue, game.actions, language, "action");
  out["places"] = named_json(catalogue, game.places, language, "place");
  json::Object data;
  for (const auto& [name, block] : game.data) {
    json::Object one = block.value.object();
    put_citation(one, block.cite);
    data[name] = std::move(one);
  }
  if (!data.empty()) out["data"] = std::move(data);
  if (game.payments) out["payments"] = payments_json(*game.payments);
  if (!game.session_ends.empty()) out["session_ends"] = session_ends_json(game);
  return out;
}

}  // namespace talla::games
