// What two games differ in, figure by figure.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "games/catalogue.hpp"
#include "games/listing.hpp"

namespace talla::games {
namespace {

/// Members that say where a figure stands or how it is called, not what it is.
bool is_label(std::string_view key) {
  static constexpr std::array<std::string_view, 9> labels{
      "cite",      "reading",     "text",        "inherited",   "provisional",
      "catalogue", "covers_text", "effect_text", "allowed_text"};
  return std::find(labels.begin(), labels.end(), key) != labels.end();
}

json::Value bare(const json::Value& value) {
  if (value.is_array()) {
    json::Array out;
    for (const auto& one : value.array()) out.push_back(bare(one));
    return out;
  }
  if (!value.is_object()) return value;
  json::Object out;
  for (const auto& [key, member] : value.object()) {
    if (!is_label(key)) out[key] = bare(member);
  }
  return out;
}

/// Positions whose order says nothing, in one order: a set's numbers, a plain bet's pockets.
json::Value in_order(const json::Value& covers) {
  if (!covers.is_array()) return covers;
  std::vector<std::pair<std::string, json::Value>> sorted;
  for (const auto& one : covers.array()) {
    auto ordered = in_order(one);
    sorted.emplace_back(plain(ordered), std::move(ordered));
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& x, const auto& y) { return before(x.first, y.first); });
  json::Array out;
  for (auto& [text, one] : sorted)
    out.push_back(one.is_integer() ? json::Value(text) : std::move(one));
  return out;
}

void order_covers(json::Object& bet) {
  const auto on = bet.find("on");
  const auto covers = bet.find("covers");
  const bool free =
      on != bet.end() && (on->second.string() == "set" || on->second.string() == "none");
  if (free && covers != bet.end()) covers->second = in_order(covers->second);
}

/// Entries of a list by their name, each as its fields.
using Entries = std::map<std::string, json::Object>;

Entries by_member(const json::Value& described, std::string_view list, std::string_view key) {
  Entries out;
  const auto* all = described.find(list);
  if (all == nullptr) return out;
  for (const auto& one : all->array()) {
    json::Object fields = one.object();
    const auto id = fields.find(std::string(key));
    const std::string name = plain(id->second);
    fields.erase(id);
    if (list == "bets") order_covers(fields);
    out[name] = std::move(fields);
  }
  return out;
}

/// Limits and minimums bet by bet: the same bound may stand in one list here and in two there.
Entries by_bet(const json::Value& described, std::string_view list) {
  std::map<std::string, std::set<std::string>> bounds;
  std::map<std::string, json::Array> values;
  const auto* all = described.find(list);
  if (all == nullptr) return {};
  for (const auto& one : all->array()) {
    json::Object bound = one.object();
    const json::Array bets = bound.at("bets").array();
    bound.erase("bets");
    for (const auto& bet : bets) {
      if (bounds[bet.string()].insert(json::canonical(bound)).second)
        values[bet.string()].emplace_back(bound);
    }
  }
  Entries out;
  for (auto& [bet, found] : values) {
    if (found.size() == 1) {
      out[bet] = found.front().object();
    } else {
      out[bet] = json::Object{{"bounds", std::move(found)}};
    }
  }
  return out;
}

Entries data_of(const json::Value& described) {
  Entries out;
  const auto* data = described.find("data");
  if (data == nullptr) return out;
  for (const auto& [name, block] : data->object()) out[name] = block.object();
  return out;
}

Entries equipment_of(const json::Value& described) {
  Entries out = by_member(described, "equipment", "need");
  for (const std::string_view key : {"seats_max", "boxes_max", "family"}) {
    if (const auto* value = described.find(key)) out["table"][std::string(key)] = *value;
  }
  return out;
}

class Differences {
 public:
  Differences(std::string game, json::Array& out) : game_(std::move(game)), out_(&out) {}

  void compare(std::string_view what, const Entries& a, const Entries& b) {
    std::set<std::string> names;
    for (const auto& [name, fields] : a) names.insert(name);
    for (const auto& [name, fields] : b) names.insert(name);
    for (const auto& name : names) {
      const auto in_a = a.find(name);
      const auto in_b = b.find(name);
      if (in_a == a.end() || in_b == b.end()) {
        put(what, name, "", in_a == a.end() ? nullptr : &in_a->second,
            in_b == b.end() ? nullptr : &in_b->second);
      } else {
        compare_fields(what, name, in_a->second, in_b->second);
      }
    }
  }

 private:
  void compare_fields(std::string_view what, const std::string& name, const json::Object& a,
                      const json::Object& b) {
    std::set<std::string> fields;
    for (const auto& [field, value] : a) fields.insert(field);
    for (const auto& [field, value] : b) fields.insert(field);
    for (const auto& field : fields) {
      const auto in_a = a.find(field);
      const auto in_b = b.find(field);
      const bool both = in_a != a.end() && in_b != b.end();
      if (both && in_a->second == in_b->second) continue;
      put(what, name, field, in_a == a.end() ? nullptr : &in_a->second,
          in_b == b.end() ? nullptr : &in_b->second);
    }
  }
  template <class T>
  void put(std::string_view what, const std::string& name, const std::string& field, const T* a,
           const T* b) {
    json::Object one{{"game", game_}, {"what", what}, {"id", name}};
    if (!field.empty()) one["field"] = field;
    if (a != nullptr) one["a"] = json::Value(*a);
    if (b != nullptr) one["b"] = json::Value(*b);
    out_->emplace_back(std::move(one));
  }

  std::string game_;
  json::Array* out_;
};

json::Value one_sided(const Catalogue& catalogue, const GameRules& game, std::string_view side) {
  json::Object out{{"game", game.id}, {"what", "game"}, {"id", game.id}};
  out[std::string(side)] = catalogue.id + " " + game.number;
  return out;
}

}  // namespace

json::Array differences(const Catalogue& a, const Catalogue& b, const GameRules* in_a,
                        const GameRules* in_b) {
  json::Array out;
  if (in_a == nullptr || in_b == nullptr) {
    if (in_a != nullptr) out.push_back(one_sided(a, *in_a, "a"));
    if (in_b != nullptr) out.push_back(one_sided(b, *in_b, "b"));
    return out;
  }
  const auto left = bare(describe(a, *in_a, "es"));
  const auto right = bare(describe(b, *in_b, "es"));
  Differences found(in_a->id, out);
  found.compare("equipment", equipment_of(left), equipment_of(right));
  found.compare("bet", by_member(left, "bets", "id"), by_member(right, "bets", "id"));
  found.compare("limit", by_bet(left, "limits"), by_bet(right, "limits"));
  found.compare("minimum", by_bet(left, "minimums"), by_bet(right, "minimums"));
  found.compare("parameter", by_member(left, "parameters", "id"),
                by_member(right, "parameters", "id"));
  found.compare("action", by_member(left, "actions", "id"), by_member(right, "actions", "id"));
  found.compare("place", by_member(left, "places", "id"), by_member(right, "places", "id"));
  found.compare("error", by_member(left, "errors", "code"), by_member(right, "errors", "code"));
  found.compare("data", data_of(left), data_of(right));
  return out;
}

json::Array differences(const Catalogue& a, const Catalogue& b) {
  json::Array out;
  const auto add = [&out](json::Array more) {
    std::move(more.begin(), more.end(), std::back_inserter(out));
  };
  for (const auto& game : a.games) {
    if (b.game(game.id) == nullptr) add(differences(a, b, &game, nullptr));
  }
  for (const auto& game : b.games) {
    if (a.game(game.id) == nullptr) add(differences(a, b, nullptr, &game));
  }
  for (const auto& game : a.games) {
    if (const auto* other = b.game(game.id)) add(differences(a, b, &game, other));
  }
  return out;
}

}  // namespace talla::games
