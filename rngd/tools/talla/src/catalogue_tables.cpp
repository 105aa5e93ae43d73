#include "catalogue_tables.hpp"

#include <algorithm>

#include "games/listing.hpp"
#include "games/listing_words.hpp"
#include "games/money.hpp"

namespace talla::cli {
namespace {

using games::plain;
using games::Words;

constexpr std::size_t cell_max = 64;  // characters of a cell's line; longer cells go on below

/// Characters of UTF-8 text.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// Lines of at most cell_max characters, broken at spaces; a longer word stays whole.
std::vector<std::string> wrapped(std::string_view text) {
  std::vector<std::string> out(1);
  while (!text.empty()) {
    const auto end = text.find(' ');
    const auto word = text.substr(0, end);
    auto& line = out.back();
    if (!line.empty() && width(line) + 1 + width(word) > cell_max) {
      out.emplace_back(word);
    } else {
      line += (line.empty() ? "" : " ") + std::string(word);
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
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

/// "7/6" as 7:6, "35" as 35:1.
std::string ratio(std::string text) {
  const auto slash = text.find('/');
  return slash == std::string::npos ? text + ":1" : text.replace(slash, 1, ":");
}

/// What a parameter is when the table says nothing; empty without a default.
std::string default_of(const json::Value& game, const std::string& id) {
  for (const auto& rule : list_at(game, "parameters")) {
    if (member(rule, "id") == id) return member(rule, "default");
  }
  return {};
}

/// What a bet pays in the end: a commission is taken off first.
std::string net_price(const json::Value& payout, const json::Value& game, const Words& words) {
  const auto gross = member(payout, "pays");
  const auto parameter = member(payout, "commission_parameter");
  const auto kept = parameter.empty() ? member(payout, "commission") : default_of(game, parameter);
  const auto pays = games::Fraction::parse(gross);
  const auto commission = games::Fraction::parse(kept);
  if (kept.empty() || !pays || !commission) return ratio(gross);
  const auto percent = (*commission * games::Fraction(100)).text() + " %";
  return ratio((*pays - *commission).text()) + " " + words("net") + " (" + ratio(gross) + " " +
         words("less") + " " + (parameter.empty() ? percent : parameter + ", " + percent) + ")";
}

std::string price(const json::Value& payout, const json::Value& game, const Words& words) {
  const bool plain_win = member(payout, "when") == "win";
  return (plain_win ? "" : member(payout, "text") + " ") + net_price(payout, game, words);
}

std::string prices(const json::Value& bet, const json::Value& game, const Words& words) {
  std::string out;
  for (const auto& one : list_at(bet, "payouts"))
    out += (out.empty() ? "" : ", ") + price(one, game, words);
  for (const auto& one : list_at(bet, "payouts_when"))
    out += "; " + condition(one) + ": " + price(one, game, words);
  for (const auto& one : list_at(bet, "members")) {
    out += (out.empty() ? "" : ", ") + member(one, "chips") + " x " + member(one, "bet") + " " +
           member(one, "on");
  }
  return out;
}

/// The numbers of one set: "1 4 7", a row of three and more that follow one another as "1 - 18".
std::string numbers_of(const json::Value& codes, std::string_view between) {
  if (!codes.is_array()) return plain(codes);
  std::string out;
  const auto& all = codes.array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t end = i;
    while (end + 1 < all.size() && all[end].is_integer() && all[end + 1].is_integer() &&
           all[end + 1].integer() == all[end].integer() + 1)
      ++end;
    out += (out.empty() ? std::string() : std::string(between)) + plain(all[i]);
    if (end < i + 2) continue;
    out += " - " + plain(all[end]);
    i = end;
  }
  return out;
}

/// All sets of a bet: those of an index with their numbers, others as "0-1".
std::string sets_of(const json::Array& covers, bool indexed) {
  std::string out;
  bool single = true;
  for (const auto& one : covers) single = single && one.is_array() && one.array().size() == 1;
  if (single) {
    json::Array all;
    for (const auto& one : covers) all.push_back(one.array().front());
    return numbers_of(json::Value(std::move(all)), " ");
  }
  for (std::size_t i = 0; i < covers.size(); ++i) {
    out += out.empty() ? "" : indexed ? "; " : ", ";
    if (indexed) {
      out += std::to_string(i + 1) + ": " + numbers_of(covers[i], " ");
    } else {
      for (std::size_t k = 0; covers[i].is_array() && k < covers[i].array().size(); ++k)
        out += (k == 0 ? "" : "-") + plain(covers[i].array()[k]);
    }
  }
  return out;
}

std::string position(const json::Value& bet, const Words& words) {
  const auto on = member(bet, "on");
  const auto* covers = bet.find("covers");
  if (covers == nullptr || covers->is_bool()) return {};
  if (const auto said = member(bet, "covers_text"); !said.empty()) return said;
  if (on == "numbers") {
    return member(*covers, "count") + " " + words("numbers of") + " 1 - " +
           member(*covers, "highest");
  }
  if (on == "none" || !covers->is_array()) return numbers_of(*covers, " ");
  std::string out = on == "pair" ? words("two of") + " " : std::string();
  if (on == "set")
    out += std::to_string(covers->array().size()) + " " + words("positions of") + " ";
  out += sets_of(covers->array(), on != "set");
  for (const auto& more : list_at(bet, "covers_when")) {
    const auto* sets = more.find("covers");
    if (sets != nullptr && sets->is_array())
      out += "; " + condition(more) + ": " + sets_of(sets->array(), on != "set");
  }
  return out;
}

/// A figure, or what a parameter gives when the table says nothing, with its name.
std::string chosen(const json::Value& game, const std::string& figure,
                   const std::string& parameter) {
  if (parameter.empty()) return figure;
  const auto usual = default_of(game, parameter);
  return usual.empty() ? parameter : usual + " (" + parameter + ")";
}

/// Whose stakes a maximum adds up.
std::string scope(const json::Value& limit, const json::Value& game, const Words& words) {
  const auto parameter = member(limit, "scope_parameter");
  const auto code = parameter.empty() ? member(limit, "scope") : default_of(game, parameter);
  const bool known = code == "bet" || code == "seat" || code == "box" || code == "table";
  const auto said = !known ? code : code == "table" ? words("of the table") : words("of a " + code);
  return parameter.empty() ? said : said + " (" + parameter + ")";
}

std::string bound(const json::Value& limit, const json::Value& game) {
  auto out = chosen(game, member(limit, "max"), member(limit, "max_parameter"));
  for (const auto& one : list_at(limit, "max_when"))
    out += ", " + condition(one) + ": " + member(one, "max");
  if (const auto of = member(limit, "of"); !of.empty()) out += " x " + of;
  return out;
}

/// What a parameter may be: its values, or its range.
std::string allowed(const json::Value& rule, const Words& words) {
  std::string out;
  for (const auto& one : list_at(rule, "allowed")) out += (out.empty() ? "" : " | ") + plain(one);
  if (out.empty() && member(rule, "type") == "bool") out = "true | false";
  if (member(rule, "type") == "amount") out = words("an amount");
  if (out.empty() && rule.find("min") != nullptr)
    out = member(rule, "min") + " - " + member(rule, "max");
  return out;
}

void heading(const App& app, const std::string& text) {
  app.say("");
  app.say(text);
}

void say_bets(const App& app, const json::Value& game, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& bet : list_at(game, "bets"))
    rows.push_back({member(bet, "id"), member(bet, "text"), position(bet, words),
                    prices(bet, game, words), cited(bet)});
  heading(app, words("bets"));
  say_table(app,
            {words("code"), words("name"), words("position"), words("price"), words("section")},
            rows);
}

void say_limits(const App& app, const json::Value& game, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& limit : list_at(game, "limits")) {
    rows.push_back({member(limit, "bets"), words("at most") + " " + bound(limit, game),
                    scope(limit, game, words), cited(limit)});
  }
  for (const auto& minimum : list_at(game, "minimums")) {
    rows.push_back({member(minimum, "bets"),
                    words("at least") + " " +
                        chosen(game, member(minimum, "min"), member(minimum, "min_parameter")),
                    "", cited(minimum)});
  }
  if (rows.empty()) return;
  heading(app, words("limits") + " (x " + words("minimum") + ")");
  say_table(app, {words("bets"), words("limits"), words("adding up"), words("section")}, rows);
}

void say_parameters(const App& app, const json::Value& game, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& rule : list_at(game, "parameters")) {
    const auto unit = member(rule, "currency");
    rows.push_back({member(rule, "id"), member(rule, "text"), allowed(rule, words),
                    member(rule, "default") + (unit.empty() ? "" : " " + unit),
                    words(member(rule, "set_by")), cited(rule)});
  }
  if (rows.empty()) return;
  heading(app, words("choices"));
  say_table(app,
            {words("parameter"), words("decides"), words("allowed"), words("default"),
             words("set by"), words("section")},
            rows);
}

void say_named(const App& app, const json::Value& game, std::string_view key, std::string_view id,
               const std::string& title, const Words& words) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& one : list_at(game, key))
    rows.push_back({member(one, id), member(one, "text"), member(one, "effect_text"), cited(one)});
  if (rows.empty()) return;
  heading(app, title);
  const bool effects = key == "errors";
  say_table(app, {words("code"), words("name"), effects ? words("effect") : "", words("section")},
            rows);
}

}  // namespace

void say_table(const App& app, const std::vector<std::string>& headings,
               const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return;
  std::vector<std::size_t> widths;
  for (const auto& text : headings) widths.push_back(width(text));
  std::vector<std::vector<std::vector<std::string>>> cells;
  for (const auto& row : rows) {
    auto& lines = cells.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      lines.push_back(wrapped(row[i]));
      for (const auto& line : lines.back()) widths.at(i) = std::max(widths.at(i), width(line));
    }
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
  for (const auto& row : cells) {
    std::size_t height = 0;
    for (const auto& lines : row) height = std::max(height, lines.size());
    for (std::size_t k = 0; k < height; ++k) {
      std::vector<std::string> line;
      for (const auto& lines : row) line.push_back(k < lines.size() ? lines[k] : std::string());
      say(line);
    }
  }
}

void say_games(const App& app, const json::Array& games, std::string_view language) {
  const Words words(language);
  std::vector<std::vector<std::string>> rows;
  for (const auto& game : games) {
    const auto base = member(game, "base");
    const bool served = game.find("served")->boolean();
    const auto decree = member(game, "decree");
    auto state =
        words(served ? "yes" : "not served") + (base.empty() ? "" : " (base " + base + ")");
    if (!decree.empty()) state = words("decree not at hand") + " " + decree;
    rows.push_back(
        {member(game, "section"), member(game, "game"), member(game, "text"), std::move(state)});
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

void say_game(const App& app, const json::Value& described,
              const std::vector<games::RuleLine>& lines, std::string_view language) {
  const Words words(language);
  app.say(member(described, "catalogue") + " " + member(described, "number") + " " +
          member(described, "text") + " (" + member(described, "id") + ", " +
          member(described, "family") + ")");
  const auto say_lines = [&](std::string_view part) {
    for (const auto& line : lines) {
      if (line.part == part && line.id != "places")
        app.say("  " + line.text + " [" + line.rule + "]");
    }
  };
  say_lines("equipment");
  say_bets(app, described, words);
  say_limits(app, described, words);
  say_parameters(app, described, words);
  say_named(app, described, "actions", "id", words("actions"), words);
  say_named(app, described, "places", "id", words("places heading"), words);
  say_named(app, described, "errors", "code", words("errors"), words);
  if (described.find("data") == nullptr) return;
  heading(app, words("figures"));
  say_lines("figures");
}

void say_ambiguities(const App& app, const json::Array& all, std::string_view language) {
  const Words words(language);
  std::vector<std::vector<std::string>> rows, fixed, alone;
  for (const auto& one : all) {
    const auto game = member(one, "game");
    const auto reading = member(one, "reading");
    const auto why = member(one, "why");
    if (member(one, "kind") == "parameter") {
      rows.push_back({game, reading, member(one, "id"), member(one, "decides"), allowed(one, words),
                      member(one, "default"), member(one, "section"), why});
    } else if (member(one, "kind") == "text") {
      alone.push_back({reading, why});
    } else {
      fixed.push_back({game, reading, member(one, "id"), member(one, "section"), why});
    }
  }
  if (all.empty()) return app.say(words("no readings"));
  say_table(app,
            {words("game"), words("reading id"), words("parameter"), words("decides"),
             words("allowed"), words("default"), words("section"), words("why")},
            rows);
  if (!fixed.empty()) {
    heading(app, words("fixed readings"));
    say_table(app,
              {words("game"), words("reading id"), words("code"), words("section"), words("why")},
              fixed);
  }
  if (alone.empty()) return;
  heading(app, words("other readings"));
  say_table(app, {words("reading id"), words("why")}, alone);
}

void say_differences(const App& app, const json::Array& all, const std::string& a,
                     const std::string& b, std::string_view language) {
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
