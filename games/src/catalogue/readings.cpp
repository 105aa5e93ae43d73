// The readings of the built-in catalogues, taken out of their pages.
#include "games/readings.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace talla::games {
namespace {

constexpr std::string_view own_file = "own";
constexpr std::string_view list_heading = "## Ambiguities and misprints";
constexpr std::string_view own_heading = "## Readings of our own";
/// What the file of a digest's readings in Spanish is called before the digest's own name.
constexpr std::string_view spanish_mark = "lecturas-";

std::vector<std::string> lines_after(std::string_view text, std::string_view heading) {
  std::vector<std::string> out;
  auto at = text.find(heading);
  if (at == std::string_view::npos) return out;
  text.remove_prefix(text.find('\n', at) + 1);
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    if (line.starts_with("## ")) break;
    out.emplace_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && text[at + count] >= '0' && text[at + count] <= '9') ++count;
  return count;
}

/// "A11" at the beginning, after emphasis marks.
std::optional<std::string> id_at(std::string_view text) {
  while (text.starts_with('*')) text.remove_prefix(1);
  if (text.empty() || text.front() != 'A') return std::nullopt;
  const auto count = digits_at(text, 1);
  if (count == 0) return std::nullopt;
  return std::string(text.substr(0, count + 1));
}

/// Without emphasis and code marks, and without the id that stands before the sentence.
std::string plain_words(std::string_view text, std::string_view id) {
  std::string out;
  for (const char c : text) {
    if (c != '*' && c != '`') out += c;
  }
  if (!id.empty() && out.starts_with(id)) {
    out.erase(0, id.size());
    for (const std::string_view mark : {" — ", ", ", ". ", ": ", " - ", " "}) {
      if (out.starts_with(mark)) {
        out.erase(0, mark.size());
        break;
      }
    }
  }
  return out;
}

/// An item of the list: "12. A12 — ...", "A12. ...", "12. ...".
std::optional<std::pair<std::string, std::string>> item_in(const std::string& line) {
  if (auto id = id_at(line)) return std::pair(*id, plain_words(line, *id));
  const auto count = digits_at(line, 0);
  if (count == 0 || line.substr(count, 2) != ". ") return std::nullopt;
  const auto rest = line.substr(count + 2);
  if (auto id = id_at(rest)) return std::pair(*id, plain_words(rest, *id));
  return std::pair("A" + line.substr(0, count), plain_words(rest, {}));
}

void read_digest(std::string_view name, std::string_view text, std::vector<Reading>& out) {
  bool open = false;
  for (const auto& line : lines_after(text, list_heading)) {
    if (auto item = item_in(line)) {
      out.push_back({std::move(item->first), std::string(name), std::move(item->second), {}});
      open = true;
    } else if (line.empty() || line.starts_with("**") || line.starts_with('#') ||
               line.starts_with('|')) {
      open = false;
    } else if (open) {
      const auto first = line.find_first_not_of(" \t");
      out.back().text += " " + plain_words(std::string_view(line).substr(first), {});
    }
  }
}

/// "| H1 | `parameter` | where | what | default |"
void read_own(std::string_view text, std::vector<Reading>& out) {
  for (const auto& line : lines_after(text, own_heading)) {
    if (!line.starts_with("| H")) continue;
    std::vector<std::string> cells;
    std::string_view rest = std::string_view(line).substr(1);
    for (auto end = rest.find(" |"); end != std::string_view::npos; end = rest.find(" |")) {
      cells.push_back(
          plain_words(rest.substr(std::min<std::size_t>(1, end), end == 0 ? 0 : end - 1), {}));
      rest.remove_prefix(end + 2);
    }
    if (cells.size() < 5) continue;
    out.push_back({cells[0],
                   std::string(own_file),
                   cells[2] + ": " + cells[3] + " Default " + cells[4] + ".",
                   {}});
  }
}

/// Two digits of the game's number: "03", "10.1.A" is 10.
int game_number(const GameRules& game) {
  int out = 0;
  for (std::size_t i = 0; i < digits_at(game.number, 0); ++i)
    out = out * 10 + (game.number[i] - '0');
  return out;
}

/// "A11. What the text says": the readings of one digest in Spanish, by id.
std::map<std::string, std::string> read_spanish(std::string_view text) {
  std::map<std::string, std::string> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    const auto count = digits_at(line, 1);
    const bool item = (line.starts_with('A') || line.starts_with('H')) && count > 0 &&
                      line.substr(count + 1, 2) == ". ";
    if (item) out.emplace(line.substr(0, count + 1), plain_words(line.substr(count + 3), {}));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

void add_spanish(std::vector<Reading>& all) {
  std::map<std::string, std::map<std::string, std::string>> known;
  for (const auto& file : embedded_readings()) {
    if (!file.id.starts_with(spanish_mark)) continue;
    known.emplace(file.id.substr(spanish_mark.size()), read_spanish(as_text(file.bytes)));
  }
  for (auto& one : all) {
    const auto& words = known[one.digest];
    if (const auto found = words.find(one.id); found != words.end()) one.text_es = found->second;
  }
}

const Reading* found_in(const std::vector<Reading>& all, std::string_view id,
                        const GameRules& game) {
  const Reading* found = nullptr;
  for (const auto& one : all) {
    if (one.id != id) continue;
    // A text in two digests: the first is on its games 1 to 10, the second on those from 11 on.
    const bool second = one.digest.ends_with("-b");
    if (one.digest.ends_with("-a") || second) {
      if (second == (game_number(game) > 10)) return &one;
      continue;
    }
    found = found == nullptr ? &one : found;
  }
  return found;
}

}  // namespace

std::vector<Reading> readings_of(std::string_view catalogue_id) {
  std::vector<Reading> out;
  std::string_view own;
  for (const auto& file : embedded_readings()) {
    const auto text = as_text(file.bytes);
    if (file.id == own_file) own = text;
    const bool part = file.id.starts_with(catalogue_id) && (file.id.size() == catalogue_id.size() ||
                                                            file.id[catalogue_id.size()] == '-');
    if (part) read_digest(file.id, text, out);
  }
  read_own(own, out);
  add_spanish(out);
  return out;
}

Readings::Readings(const Catalogue& catalogue) : own_(readings_of(catalogue.id)) {
  for (const auto& game : catalogue.games) {
    if (game.base.empty() || lent_.contains(game.base)) continue;
    auto all = readings_of(game.base);
    std::erase_if(all, [](const Reading& one) { return one.ours(); });
    lent_.emplace(game.base, std::move(all));
  }
}

const Reading* Readings::of(const Citation& cite, const GameRules& game) const {
  if (!cite.inherited.empty() && cite.reading.starts_with('A')) {
    const auto lender = lent_.find(cite.inherited);
    return lender == lent_.end() ? nullptr : found_in(lender->second, cite.reading, game);
  }
  return found_in(own_, cite.reading, game);
}

}  // namespace talla::games
