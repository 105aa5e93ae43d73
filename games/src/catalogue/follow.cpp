// Puts in what a game takes over from another one of the same text, with citations of their own.
#include <algorithm>

#include "catalogue/read.hpp"

namespace talla::games {
namespace {

tl::unexpected<Error> bad_follow(const std::string& game, const std::string& why) {
  return bad_catalogue(game + ".follows", why);
}

const json::Value* member_text(const json::Value& value, std::string_view key,
                               std::string_view text) {
  const auto* found = value.find(key);
  return found != nullptr && found->is_string() && found->string() == text ? &value : nullptr;
}

/// Every citation below `value` names its number from now on.
void number_citations(json::Value& value, const std::string& number) {
  if (value.is_array()) {
    for (auto& one : value.array()) number_citations(one, number);
    return;
  }
  if (!value.is_object()) return;
  for (auto& [key, inner] : value.object()) {
    if (key == "cite" && inner.is_string()) {
      if (inner.string().find(':') == std::string::npos)
        inner = json::Value(number + ":" + inner.string());
    } else {
      number_citations(inner, number);
    }
  }
}

/// The whole member `key`, or, of a list, the entry with that id, or, of a table, the entry of that
/// name.
Result<json::Value> pick(const json::Value& from, const std::string& game, const std::string& key,
                         const std::string& id) {
  const auto* all = from.find(key);
  if (all == nullptr) return bad_follow(game, "the other game has no " + key);
  if (id.empty()) return *all;
  if (all->is_object()) {
    const auto* one = all->find(id);
    if (one != nullptr) return json::Value(json::Object{{id, *one}});
  }
  if (all->is_array()) {
    for (const auto& one : all->array()) {
      if (member_text(one, "id", id) != nullptr) return json::Value(json::Array{one});
    }
  }
  return bad_follow(game, "the other game has no " + key + " " + id);
}

/// Puts what was taken beside what the game says itself: lists before its own, tables and single
/// figures only where it has none.
Status put(json::Object& game, const std::string& id, const std::string& key, json::Value taken) {
  const auto own = game.find(key);
  if (own == game.end()) {
    game.emplace(key, std::move(taken));
    return {};
  }
  if (own->second.is_array() && taken.is_array()) {
    auto& list = taken.array();
    list.insert(list.end(), own->second.array().begin(), own->second.array().end());
    own->second = std::move(taken);
    return {};
  }
  if (!own->second.is_object() || !taken.is_object() || key != "data")
    return bad_follow(id, key + " stands here too");
  for (auto& [name, block] : taken.object()) {
    if (!own->second.object().emplace(name, std::move(block)).second) {
      return bad_follow(id, key + "." + name + " stands here too");
    }
  }
  return {};
}

Status take(json::Object& game, const std::string& id, const json::Value& from,
            const std::string& what) {
  static const std::vector<std::string> allowed = {"draw",   "shoe",   "seats_max", "boxes_max",
                                                   "bet",    "limit",  "minimum",   "actions",
                                                   "places", "errors", "data",      "parameter"};
  const auto dot = what.find('.');
  const std::string key = what.substr(0, dot);
  if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
    return bad_follow(id, "cannot take " + what);
  TALLA_TRY(auto taken,
            pick(from, id, key, dot == std::string::npos ? std::string() : what.substr(dot + 1)));
  number_citations(taken, from.find("number")->string());
  return put(game, id, key, std::move(taken));
}

}  // namespace

bool is_game_number(std::string_view text) {
  const auto ok = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == ' ';
  };
  return !text.empty() && text.size() <= 20 && text.front() != ' ' &&
         std::all_of(text.begin(), text.end(), ok);
}

Result<json::Value> take_followed(const json::Value& game, const json::Array& earlier) {
  const auto* follows = game.find("follows");
  if (follows == nullptr) return game;
  const auto* name = game.find("id");
  const std::string id = name != nullptr && name->is_string() ? name->string() : "game";
  json::Reader reader(*follows, id + ".follows");
  TALLA_TRY(const auto other, read_code(reader, "game", id + ".follows"));
  TALLA_TRY(const auto cite, read_citation(reader, id + ".follows"));
  static_cast<void>(cite);
  TALLA_TRY(const auto* takes, reader.array("takes"));
  TALLA_TRY_STATUS(reader.finish());
  const auto from = std::find_if(earlier.begin(), earlier.end(), [&](const json::Value& one) {
    return member_text(one, "id", other) != nullptr;
  });
  if (from == earlier.end()) return bad_follow(id, "no game " + other + " before it");
  json::Object out = game.object();
  for (auto one = takes->rbegin(); one != takes->rend(); ++one) {
    if (!one->is_string()) return bad_follow(id, "takes lists words");
    TALLA_TRY_STATUS(take(out, id, *from, one->string()));
  }
  return json::Value(std::move(out));
}

}  // namespace talla::games
