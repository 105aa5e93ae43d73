#include "core/problem_words.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "games/refusal.hpp"
#include "problem.hpp"
#include "problem_forms.hpp"

namespace talla::core {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Weight of a range, in thousandths: "es;q=0.8" is 800. A weight that cannot be read counts for
/// nothing.
int weight_of(std::string_view parameters) {
  const auto at = parameters.find("q=");
  if (at == std::string_view::npos) return 1000;
  auto text = trimmed(parameters.substr(at + 2));
  if (text.empty() || (text.front() != '0' && text.front() != '1')) return 0;
  int out = (text.front() - '0') * 1000;
  text.remove_prefix(1);
  if (!text.empty() && text.front() == '.') text.remove_prefix(1);
  for (int unit = 100; unit > 0 && !text.empty(); unit /= 10, text.remove_prefix(1)) {
    if (text.front() < '0' || text.front() > '9') return 0;
    out += unit * (text.front() - '0');
  }
  return out;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// "es", "es-ES", "ES-mx": the primary language of the range.
bool speaks(std::string_view range, std::string_view language) {
  if (range.size() < 2 || lower(range[0]) != language[0] || lower(range[1]) != language[1])
    return false;
  return range.size() == 2 || range[2] == '-';
}

}  // namespace

std::string_view language_of(std::string_view accept_language) {
  int spanish = 0;
  int english = 0;
  int any = 0;
  while (!accept_language.empty()) {
    const auto end = accept_language.find(',');
    const auto one = accept_language.substr(0, end);
    const auto semicolon = one.find(';');
    const auto range = trimmed(one.substr(0, semicolon));
    const int weight =
        semicolon == std::string_view::npos ? 1000 : weight_of(one.substr(semicolon + 1));
    if (speaks(range, "es")) spanish = std::max(spanish, weight);
    if (speaks(range, "en")) english = std::max(english, weight);
    if (range == "*") any = std::max(any, weight);
    if (end == std::string_view::npos) break;
    accept_language.remove_prefix(end + 1);
  }
  return spanish > std::max(english, any) ? "es" : "en";
}

std::string problem_text(std::string_view body, std::string_view language) {
  if (language != "es") return std::string(body);
  auto document = json::parse(body);
  if (!document || !document->is_object()) return std::string(body);
  const auto* code = document->find("code");
  const auto* title = document->find("title");
  const auto* detail = document->find("detail");
  if (code == nullptr || !code->is_string() || title == nullptr || !title->is_string())
    return std::string(body);
  json::Object out = document->object();
  out["title"] = games::refusal_text("", title->string(), language, problem_titles());
  if (detail != nullptr && detail->is_string())
    out["detail"] =
        games::refusal_text(code->string(), detail->string(), language, problem_forms());
  return json::canonical(json::Value(std::move(out)));
}

}  // namespace talla::core
