#include "games/readings.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "games/listing.hpp"
#include "speech/speech.hpp"

namespace talla::games {
namespace {

constexpr std::string_view own_file = "README";
constexpr std::string_view list_heading = "## Ambiguities and misprints";
constexpr std::string_view fixed_mark = "fixed: ";
constexpr std::string_view own_heading = "## Readings of our own";

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
      out.push_back({std::move(item->first), std::string(name), std::move(item->second)});
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
    out.push_back({cells[0], std::string(own_file),
                   cells[2] + ": " + cells[3] + " Default " + cells[4] + "."});
  }
}

/// Two digits of the game's number: "03", "10.1.A" is 10.
int game_number(const GameRules& game) {
  int out = 0;
  for (std::size_t i = 0; i < digits_at(game.number, 0); ++i)
    out = out * 10 + (game.number[i] - '0');
  return out;
}

/// Cells of a table hold no line ends and no bars.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// All that hangs on one reading in one catalogue.
struct Hanging {
  std::string where;
  std::string decides;
};

class Page {
 public:
  explicit Page(const Catalogue& catalogue)
      : catalogue_(&catalogue), readings_(readings_of(catalogue.id)) {}

  std::string text() {
    for (const auto& game : catalogue_->games) collect(game);
    std::string out = "\n## " + catalogue_->id + "\n\n" + catalogue_->legal_name + " (" +
                      catalogue_->source +
                      ")\n\n| reading | what hangs on it | what the text says, how it is read, why "
                      "|\n|---|---|---|\n";
    for (const auto& reading : readings_) {
      const auto found = hanging_.find(key(reading));
      if (found == hanging_.end() && reading.digest == own_file) continue;  // of another text
      out += "| " + reading.id + " | ";
      out += found == hanging_.end() ? std::string("no choice and no other figure")
                                     : joined(found->second);
      out += " | " + cell(reading.text) + " |\n";
    }
    return out;
  }

 private:
  static std::string key(const Reading& reading) { return reading.digest + " " + reading.id; }

  void hang(const GameRules& game, const std::string& id, std::string decides,
            const std::string& where) {
    const auto* reading = reading_of(readings_, id, game);
    auto& all = hanging_[reading == nullptr ? " " + id : key(*reading)];
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Hanging& one) { return one.decides == decides; });
    if (same == all.end()) {
      all.push_back({game.id + " " + where, std::move(decides)});
    } else {
      same->where += ", " + game.id + " " + where;
    }
  }
  void collect(const GameRules& game) {
    const speech::Speaker speaker(*catalogue_, game, "en");
    for (const auto& line : ambiguities(*catalogue_, game, "en")) {
      const auto& id = line.find("id")->string();
      const auto* reading = line.find("reading");
      if (reading == nullptr) continue;
      const auto& section = line.find("section")->string();
      if (line.find("kind")->string() == "parameter") {
        hang(game, reading->string(), choice(*game.parameter(id), speaker), section);
      } else {
        hang(game, reading->string(), std::string(fixed_mark) + "`" + id + "`", section);
      }
    }
  }
  [[nodiscard]] std::string choice(const ParameterRule& rule,
                                   const speech::Speaker& speaker) const {
    const auto word = [&](const json::Value& value) {
      const auto code = plain(value);
      const auto words = speaker.value(rule.id, value);
      const bool chosen = rule.fallback && same(value, *rule.fallback);
      return (chosen ? "**`" : "`") + code + (chosen ? "`**" : "`") +
             (words == code ? "" : " (" + cell(words) + ")");
    };
    std::string out =
        "`" + rule.id + "`, " + cell(catalogue_->text("en", "parameter", rule.id)) + ": ";
    std::string values;
    for (const auto& value : rule.allowed) values += (values.empty() ? "" : ", ") + word(value);
    if (rule.type == ParameterType::boolean) values = word(true) + ", " + word(false);
    if (values.empty() && rule.min && rule.max) {
      values = rule.min->text() + " to " + rule.max->text();
      values += rule.fallback ? ", default **" + plain(*rule.fallback) + "**" : "";
    }
    return out + values + (rule.fallback ? "" : "; no default");
  }
  static bool same(const json::Value& a, const json::Value& b) {
    return json::canonical(a) == json::canonical(b);
  }
  /// Choices first, one a line; then the figures, those of one place together.
  static std::string joined(std::vector<Hanging> all) {
    std::string out;
    std::vector<Hanging> figures;
    for (auto it = all.begin(); it != all.end();) {
      if (!it->decides.starts_with(fixed_mark)) {
        ++it;
        continue;
      }
      const auto same = std::find_if(figures.begin(), figures.end(),
                                     [&](const Hanging& one) { return one.where == it->where; });
      if (same == figures.end()) {
        figures.push_back(std::move(*it));
      } else {
        same->decides += ", " + it->decides.substr(fixed_mark.size());
      }
      it = all.erase(it);
    }
    all.insert(all.end(), figures.begin(), figures.end());
    for (const auto& one : all)
      out += (out.empty() ? "" : "<br>") + one.decides + " [" + cell(one.where) + "]";
    return out;
  }

  const Catalogue* catalogue_;
  std::vector<Reading> readings_;
  std::map<std::string, std::vector<Hanging>> hanging_;
};

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
  return out;
}

const Reading* reading_of(const std::vector<Reading>& all, std::string_view id,
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

std::string readings_page(const std::vector<std::shared_ptr<const Catalogue>>& catalogues) {
  std::string out =
      "# Readings\n\n"
      "What the official texts leave open, and how each place is read here: the reading's number, "
      "the parameter or "
      "figure that\nhangs on it (values, the default in bold, where it stands), and what the text "
      "says and why it is "
      "read so. Numbers A are\nthose of the digests in [readings](readings/README.md), numbers H "
      "are our own "
      "([README.md](README.md)). `Lnn` is a line of\nthe text's plain form.\n\n"
      "Written by `talla catalogue readings` from the catalogues and the digests; a test says when "
      "this page is not "
      "theirs.\n";
  for (const auto& catalogue : catalogues) out += Page(*catalogue).text();
  return out;
}

}  // namespace talla::games
