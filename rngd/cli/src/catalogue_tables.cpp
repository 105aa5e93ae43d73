#include "catalogue_tables.hpp"

#include <algorithm>

#include "games/listing.hpp"
#include "games/listing_words.hpp"

namespace talla::cli {
namespace {

using games::plain;
using games::Words;

constexpr std::size_t cell_max = 60;  // characters of a cell that only gives an idea

/// Characters of UTF-8 text.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// At most cell_max characters, cut between characters.
std::string shortened(const std::string& text) {
  if (width(text) <= cell_max) return text;
  std::size_t end = 0;
  std::size_t seen = 0;
  while (end < text.size()) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U && ++seen > cell_max) break;
    ++end;
  }
  return text.substr(0, end) + " ...";
}

std::string member(const json::Value& value, std::string_view key) {
  const auto* found = value.find(key);
  return found == nullptr ? std::string() : plain(*found);
}

const json::Array& list_at(const json::Value& value, std::string_view key) {
  static const json::Array none;
  const auto* found = value.find(key);
  return found == nullptr || !found->is_array() ? none : found->array();
}

std::string cited(const json::Value& value) {
  const auto reading = member(value, "reading");
  return member(value, "cite") + (reading.empty() ? "" : ", " + reading);
}

std::string condition(const json::Value& value) {
  return member(value, "parameter") + "=" + member(value, "value");
}

std::string price(const json::Value& payout) {
  const auto when = member(payout, "when");
  auto pays = member(payout, "pays");  // "7/6" as 7:6
  const auto slash = pays.find('/');
  pays = slash == std::string::npos ? pays + ":1" : pays.replace(slash, 1, ":");
  auto out = (when == "win" ? "" : when + " ") + pays;
  if (const auto commission = member(payout, "commission"); !commission.empty()) out += " -" + commission;
  return out;
}

std::string prices(const json::Value& bet) {
  std::string out;
  for (const auto& one : list_at(bet, "payouts")) out += (out.empty() ? "" : ", ") + price(one);
  for (const auto& one : list_at(bet, "payouts_when")) out += "; " + condition(one) + ": " + price(one);
  for (const auto& one : list_at(bet, "members")) {
    out += (out.empty() ? "" : ", ") + member(one, "chips") + " x " + member(one, "bet") + " " +
           member(one, "on");
  }
  return out;
}

std::string position(const json::Value& bet) {
  const auto on = member(bet, "on");
  const auto* covers = bet.find("covers");
  if (covers == nullptr || covers->is_bool()) return on;
  if (on == "none" || on == "numbers") return shortened(plain(*covers));
  return on + " 1/" + std::to_string(covers->array().size());
}

std::string bound(const json::Value& limit) {
  auto out = member(limit, "max") + member(limit, "max_parameter");
  for (const auto& one : list_at(limit, "max_when")) out += ", " + condition(one) + ": " + member(one, "max");
  if (const auto of = member(limit, "of"); !of.empty()) out += " x " + of;
  return out;
}

/// What a parameter may be: its values, or its range.
std::string allowed(const json::Value& rule) {
  std::string out;
  for (const auto& one : list_at(rule, "allowed")) out += (out.empty() ? "" : " | ") + plain(one);
  if (out.empty() && member(rule, "type") == "bool") out = "true | false";
  if (out.empty() && rule.find("min") != nullptr) out = member(rule, "min") + " - " + member(rule, "max");
  return out;
}

void heading(const App& app, const std::string& text) {
  app.say("");
  app.say(text);
}

void say_bets(const App& app, const json::Value& game, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& bet : list_at(game, "bets"))
    rows.push_back({member(bet, "id"), member(bet, "text"), position(bet), prices(bet), cited(bet)});
  heading(app, words("bets"));
  say_table(app, {words("code"), words("name"), words("position"), words("price"), words("section")}, rows);
}

void say_limits(const App& app, const json::Value& game, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& limit : list_at(game, "limits")) {
    rows.push_back({shortened(member(limit, "bets")), words("at most") + " " + bound(limit),
                    member(limit, "scope") + member(limit, "scope_parameter"), cited(limit)});
  }
  for (const auto& minimum : list_at(game, "minimums")) {
    rows.push_back({shortened(member(minimum, "bets")),
                    words("at least") + " " + member(minimum, "min") + member(minimum, "min_parameter"), "",
                    cited(minimum)});
  }
  if (rows.empty()) return;
  heading(app, words("limits") + " (x " + words("minimum") + ")");
  say_table(app, {words("bets"), words("limits"), words("per"), words("section")}, rows);
}

void say_parameters(const App& app, const json::Value& game, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& rule : list_at(game, "parameters")) {
    rows.push_back({member(rule, "id"), member(rule, "text"), allowed(rule), member(rule, "default"),
                    words(member(rule, "set_by")), cited(rule)});
  }
  if (rows.empty()) return;
  heading(app, words("choices"));
  say_table(app,
            {words("parameter"), words("decides"), words("allowed"), words("default"), words("set by"),
             words("section")},
            rows);
}

void say_named(const App& app, const json::Value& game, std::string_view key, std::string_view id,
               const std::string& title, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& one : list_at(game, key))
    rows.push_back({member(one, id), member(one, "text"), member(one, "effect"), cited(one)});
  if (rows.empty()) return;
  heading(app, title);
  say_table(app, {words("code"), words("name"), "", words("section")}, rows);
}

}  // namespace

void say_table(const App& app, const std::vector<std::string>& headings,
               const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return;
  std::vector<std::size_t> widths;
  for (const auto& text : headings) widths.push_back(width(text));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths.at(i) = std::max(widths.at(i), width(row[i]));
  }
  const auto say = [&](const std::vector<std::string>& row) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.at(i) == 0) continue;
      line += " " + row[i] + std::string(widths.at(i) - width(row[i]) + 1, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    app.say(line);
  };
  say(headings);
  for (const auto& row : rows) say(row);
}

void say_games(const App& app, const json::Array& games, std::string_view language) {
  const Words words(language);
  std::vector<std::vector<std::string>> rows;
  for (const auto& game : games) {
    const auto base = member(game, "base");
    const bool served = game.find("served")->boolean();
    rows.push_back({member(game, "section"), member(game, "game"), member(game, "text"),
                    words(served ? "yes" : "not served") + (base.empty() ? "" : " (base " + base + ")")});
  }
  say_table(app, {words("section"), words("game"), words("name"), words("served")}, rows);
}

void say_catalogue(const App& app, const json::Value& described, std::string_view /*language*/) {
  app.say(member(described, "id") + ": " + member(described, "legal_name"));
  app.say("  " + member(described, "territory") + ", " + member(described, "published") + ", " +
          member(described, "source") + ", " + member(described, "currency"));
  app.say("  SHA-256 " + member(described, "digest"));
  if (const auto* base = described.find("base")) app.say("  " + plain(*base));
}

void say_game(const App& app, const json::Value& described, const std::vector<std::string>& equipment,
              std::string_view language) {
  const Words words(language);
  app.say(member(described, "catalogue") + " " + member(described, "number") + " " +
          member(described, "text") + " (" + member(described, "id") + ", " + member(described, "family") +
          ")");
  for (const auto& one : equipment) app.say("  " + one);
  say_bets(app, described, words);
  say_limits(app, described, words);
  say_parameters(app, described, words);
  say_named(app, described, "actions", "id", words("actions"), words);
  say_named(app, described, "places", "id", words("places heading"), words);
  say_named(app, described, "errors", "code", words("errors"), words);
  if (const auto* data = described.find("data")) {
    heading(app, words("figures"));
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, block] : data->object()) {
      json::Object figures = block.object();
      figures.erase("cite");
      figures.erase("reading");
      rows.push_back({name, shortened(plain(json::Value(std::move(figures)))), cited(block)});
    }
    say_table(app, {words("code"), words("figures"), words("section")}, rows);
  }
}

void say_ambiguities(const App& app, const json::Array& all, std::string_view language) {
  const Words words(language);
  std::vector<std::vector<std::string>> rows, fixed;
  for (const auto& one : all) {
    const auto game = member(one, "game");
    const auto reading = member(one, "reading");
    if (member(one, "kind") == "parameter") {
      rows.push_back({game, reading, member(one, "id"), member(one, "decides"), allowed(one),
                      member(one, "default"), member(one, "section")});
    } else {
      fixed.push_back({game, reading, member(one, "id"), member(one, "section")});
    }
  }
  if (all.empty()) return app.say(words("no readings"));
  say_table(app,
            {words("game"), words("reading id"), words("parameter"), words("decides"), words("allowed"),
             words("default"), words("section")},
            rows);
  if (fixed.empty()) return;
  heading(app, words("fixed readings"));
  say_table(app, {words("game"), words("reading id"), words("code"), words("section")}, fixed);
}

void say_differences(const App& app, const json::Array& all, const std::string& a, const std::string& b,
                     std::string_view language) {
  const Words words(language);
  if (all.empty()) return app.say(words("no differences"));
  for (const auto& one : all) {
    const auto* left = one.find("a");
    const auto* right = one.find("b");
    const auto field = member(one, "field");
    auto line = member(one, "game");
    if (member(one, "what") != "game") line += ": " + member(one, "what") + " " + member(one, "id");
    if (!field.empty()) line += ", " + field;
    if (left == nullptr || right == nullptr)
      line += ": " + words("only in") + " " + (left != nullptr ? a : b);
    app.say(line);
    if (left != nullptr) app.say("  " + a + ": " + plain(*left));
    if (right != nullptr) app.say("  " + b + ": " + plain(*right));
  }
}

}  // namespace talla::cli
