#include "speech/speech.hpp"

#include <algorithm>
#include <array>

#include "games/listing.hpp"

namespace talla::games::speech {
namespace {

/// The id of the parameter that the object {"parameter": ID} stands for.
const std::string* parameter_in(const json::Value& value) {
  if (!value.is_object() || value.object().size() != 1) return nullptr;
  const auto* id = value.find("parameter");
  return id != nullptr && id->is_string() ? &id->string() : nullptr;
}

std::string filled(std::string text, std::string_view hole, const std::string& value) {
  const auto at = text.find(hole);
  if (at != std::string::npos) text.replace(at, hole.size(), value);
  return text;
}

/// "block.NAME.member" as "block.*.member": one phrase for all bets.
std::string for_all(const std::string& path) {
  const auto first = path.find('.');
  if (first == std::string::npos) return path;
  const auto second = path.find('.', first + 1);
  return path.substr(0, first + 1) + "*" + (second == std::string::npos ? "" : path.substr(second));
}

/// The members of an object, 4 before 10.
std::vector<std::pair<std::string, const json::Value*>> in_order(const json::Value& value) {
  std::vector<std::pair<std::string, const json::Value*>> out;
  for (const auto& [name, member] : value.object()) out.emplace_back(name, value.find(name));
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return before(a.first, b.first); });
  return out;
}

/// NAME of "block.NAME.member".
std::string named_in(const std::string& path) {
  const auto first = path.find('.');
  if (first == std::string::npos) return {};
  return path.substr(first + 1, path.find('.', first + 1) - first - 1);
}

}  // namespace

std::optional<std::string> Speaker::phrase(std::string_view key) const {
  const std::array books{value_phrases(),       outcome_phrases(),    wheel_and_row_phrases(),
                         card_phrases(),        bank_phrases(),       monte_phrases(),
                         house_poker_phrases(), second_bet_phrases(), circle_phrases(),
                         tournament_phrases()};
  for (const auto& book : books) {
    const auto found =
        std::find_if(book.begin(), book.end(), [&](const Phrase& one) { return one.key == key; });
    if (found != book.end()) return std::string(language_ == "es" ? found->es : found->en);
  }
  return std::nullopt;
}

std::string Speaker::parameter(const std::string& id) const {
  return "«" + catalogue_->text(language_, "parameter", id) + "»";
}

std::string Speaker::chosen(const std::string& id) const {
  const auto* rule = game_->parameter(id);
  if (rule == nullptr || !rule->fallback) return parameter(id);
  return parameter(id) + (language_ == "es" ? " (por defecto: " : " (default: ") +
         value(id, *rule->fallback) + ")";
}

std::string Speaker::value(const std::string& parameter_id, const json::Value& value) const {
  const auto code = plain(value);
  if (value.is_bool())
    return language_ == "es" ? (value.boolean() ? "sí" : "no") : (value.boolean() ? "yes" : "no");
  return phrase("value/" + parameter_id + "/" + code).value_or(code);
}

std::string Speaker::condition(const Condition& when) const {
  const std::string begin = language_ == "es" ? "si " : "while ";
  const std::string middle = language_ == "es" ? " es: " : " is: ";
  return begin + parameter(when.parameter) + middle + value(when.parameter, when.value);
}

std::string Speaker::bets(const std::vector<std::string>& ids) const {
  std::string out;
  for (const auto& id : ids)
    out += (out.empty() ? "" : ", ") + catalogue_->text(language_, "bet", id);
  return out;
}

std::string Speaker::word(std::string_view kind, const std::string& code) const {
  return phrase(std::string(kind) + "/" + code).value_or(code);
}

/// A value inside a sentence: bets and parameters by their names, lists with commas.
std::string Speaker::spoken(const json::Value& value) const {
  if (const auto* id = parameter_in(value)) return chosen(*id);
  if (value.is_string()) {
    const auto& text = value.string();
    if (const auto outcome = phrase("when/" + text)) return *outcome;
    if (game_->bet(text) != nullptr) return catalogue_->text(language_, "bet", text);
    return game_->parameter(text) != nullptr ? chosen(text) : text;
  }
  std::string out;
  if (value.is_object()) {
    for (const auto& [name, member] : in_order(value))
      out += (out.empty() ? "" : ", ") + name + ": " + spoken(*member);
    return out;
  }
  if (!value.is_array()) return plain(value);
  for (const auto& one : value.array()) out += (out.empty() ? "" : ", ") + spoken(one);
  return out;
}

std::optional<std::string> Speaker::sentence(const std::string& path,
                                             const std::string& end) const {
  const auto family = game_->family + "/";
  auto found = phrase(family + path + end);
  if (!found) found = phrase(family + for_all(path) + end);
  if (!found) return std::nullopt;
  return filled(*std::move(found), "{bet}", catalogue_->text(language_, "bet", named_in(path)));
}

/// A list of objects: a sentence for each member that has one, with the others at hand.
bool Speaker::rows(const std::string& path, const json::Value& value,
                   std::vector<std::string>& out) const {
  bool any = false;
  if (!value.is_array()) return any;
  for (const auto& row : value.array()) {
    if (!row.is_object()) return any;
    for (const auto& [name, unused] : row.object()) {
      auto text = sentence(path, "[" + name + "]");
      if (!text) continue;
      for (const auto& [hole, member] : row.object()) {
        text = filled(*std::move(text), "{" + hole + "}", spoken(member));
      }
      out.push_back(*std::move(text));
      any = true;
    }
  }
  return any;
}

void Speaker::members(const std::string& path, const json::Value& value,
                      std::vector<std::string>& out) const {
  if (const auto exact = sentence(path, "=" + plain(value))) {
    if (!exact->empty()) out.push_back(*exact);
    return;
  }
  if (const auto general = sentence(path, "")) {
    if (!general->empty()) out.push_back(filled(*general, "{}", spoken(value)));
    return;
  }
  if (rows(path, value, out)) return;
  if (!value.is_object() || parameter_in(value) != nullptr) {
    const auto last = path.rfind('.');
    out.push_back(path.substr(last == std::string::npos ? 0 : last + 1) + ": " + spoken(value));
    return;
  }
  for (const auto& [name, member] : in_order(value)) members(path + "." + name, *member, out);
}

std::vector<std::string> Speaker::block(const std::string& name, const json::Value& value) const {
  std::vector<std::string> out;
  if (const auto whole = phrase(game_->family + "/" + name)) out.push_back(*whole);
  if (value.is_object()) {
    for (const auto& [member, inner] : value.object()) members(name + "." + member, inner, out);
  }
  if (out.empty()) out.push_back(name);
  return out;
}

}  // namespace talla::games::speech
