// The page of all readings: READINGS.md and LECTURAS.md.
#include <algorithm>

#include "games/listing.hpp"
#include "games/readings.hpp"
#include "speech/speech.hpp"

namespace talla::games {
namespace {

/// What the page says of itself, in one language.
struct PageWords {
  std::string_view language, head, columns, nothing, fixed, to, by_default, no_default;
};

constexpr PageWords english{
    "en",
    "# Readings\n\n"
    "What the official texts leave open, and how each place is read here: the reading's number, "
    "the parameter or figure that\nhangs on it (values, the default in bold, where it stands), "
    "and what the text says and why it is read so. Numbers A are\nthose of the digests in "
    "[readings](readings/README.md), numbers H are our own ([own.md](readings/own.md)); a "
    "text that lends\nfigures stands before its number. `Lnn` is a line of the text's plain form. "
    "[The same in Spanish](LECTURAS.md).\n\n"
    "Written by `talla catalogue readings --language en` from the catalogues and the digests; a "
    "test says when this page is\nnot theirs.\n",
    "| reading | what hangs on it | what the text says, how it is read, why |",
    "no choice and no other figure",
    "fixed: ",
    " to ",
    ", default ",
    "; no default"};
constexpr PageWords spanish{
    "es",
    "# Lecturas\n\n"
    "Lo que los textos oficiales dejan abierto y cómo se lee aquí cada lugar: el número de la "
    "lectura, el parámetro o la cifra\nque depende de ella (valores, en negrita el que vale por "
    "defecto, dónde está), y qué dice el texto y por qué se lee así.\nLos números A son de las "
    "listas de [readings](readings/README.md), los H son propios ([own.md](readings/own.md)); un "
    "texto que\npresta cifras va delante de su número. «L» es la línea del texto. [Lo mismo en "
    "inglés](READINGS.md).\n\n"
    "La escribe `talla catalogue readings --language es` con los catálogos y las listas; una "
    "prueba dice cuándo no es la suya.\n",
    "| lectura | qué depende de ella | qué dice el texto, cómo se lee, por qué |",
    "ninguna elección ni otra cifra",
    "fijo: ",
    " a ",
    ", por defecto ",
    "; sin valor por defecto"};

/// Cells of a table hold no line ends and no bars.
std::string page_cell(std::string_view text) {
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

class ReadingsPage {
 public:
  ReadingsPage(const Catalogue& catalogue, const PageWords& words)
      : catalogue_(&catalogue), words_(&words), readings_(catalogue) {}

  std::string text() {
    for (const auto& game : catalogue_->games) collect(game);
    std::string out = "\n## " + catalogue_->id + "\n\n" + catalogue_->legal_name + " (" +
                      catalogue_->source + ")\n\n" + std::string(words_->columns) +
                      "\n|---|---|---|\n";
    for (const auto& reading : readings_.own()) {
      if (hanging_.contains(key(reading)) || !reading.ours()) out += row(reading, "");
    }
    for (const auto& [lender, all] : readings_.lent()) {
      for (const auto& reading : all) {
        if (hanging_.contains(key(reading))) out += row(reading, lender + " ");
      }
    }
    return out;
  }

 private:
  static std::string key(const Reading& reading) { return reading.digest + " " + reading.id; }

  [[nodiscard]] std::string row(const Reading& reading, const std::string& lender) const {
    const auto found = hanging_.find(key(reading));
    return "| " + lender + reading.id + " | " +
           (found == hanging_.end() ? std::string(words_->nothing) : joined(found->second)) +
           " | " + page_cell(reading.said(words_->language)) + " |\n";
  }
  void hang(const GameRules& game, const std::string& reading, std::string decides,
            const std::string& where) {
    auto& all = hanging_[reading];
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Hanging& one) { return one.decides == decides; });
    if (same == all.end()) {
      all.push_back({game.id + " " + where, std::move(decides)});
    } else {
      same->where += ", " + game.id + " " + where;
    }
  }
  void collect(const GameRules& game) {
    const speech::Speaker speaker(*catalogue_, game, words_->language);
    for (const auto& line : ambiguities(*catalogue_, game, words_->language)) {
      const auto& id = line.find("id")->string();
      const auto* digest = line.find("digest");
      if (digest == nullptr) continue;
      const auto reading = digest->string() + " " + line.find("reading")->string();
      const auto& section = line.find("section")->string();
      if (line.find("kind")->string() == "parameter") {
        hang(game, reading, choice(*game.parameter(id), speaker), section);
      } else {
        hang(game, reading, std::string(words_->fixed) + "`" + id + "`", section);
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
             (words == code ? "" : " (" + page_cell(words) + ")");
    };
    std::string out = "`" + rule.id + "`, " +
                      page_cell(catalogue_->text(words_->language, "parameter", rule.id)) + ": ";
    std::string values;
    for (const auto& value : rule.allowed) values += (values.empty() ? "" : ", ") + word(value);
    if (rule.type == ParameterType::boolean) values = word(true) + ", " + word(false);
    if (values.empty() && rule.min && rule.max) {
      values = rule.min->text() + std::string(words_->to) + rule.max->text();
      values += rule.fallback
                    ? std::string(words_->by_default) + "**" + plain(*rule.fallback) + "**"
                    : "";
    }
    return out + values + (rule.fallback ? std::string() : std::string(words_->no_default));
  }
  static bool same(const json::Value& a, const json::Value& b) {
    return json::canonical(a) == json::canonical(b);
  }
  /// Choices first, one a line; then the figures, those of one place together.
  [[nodiscard]] std::string joined(std::vector<Hanging> all) const {
    std::string out;
    std::vector<Hanging> figures;
    for (auto it = all.begin(); it != all.end();) {
      if (!it->decides.starts_with(words_->fixed)) {
        ++it;
        continue;
      }
      const auto same = std::find_if(figures.begin(), figures.end(),
                                     [&](const Hanging& one) { return one.where == it->where; });
      if (same == figures.end()) {
        figures.push_back(std::move(*it));
      } else {
        same->decides += ", " + it->decides.substr(words_->fixed.size());
      }
      it = all.erase(it);
    }
    all.insert(all.end(), figures.begin(), figures.end());
    for (const auto& one : all)
      out += (out.empty() ? "" : "<br>") + one.decides + " [" + page_cell(one.where) + "]";
    return out;
  }

  const Catalogue* catalogue_;
  const PageWords* words_;
  Readings readings_;
  std::map<std::string, std::vector<Hanging>> hanging_;
};

}  // namespace

std::string readings_page(const std::vector<std::shared_ptr<const Catalogue>>& catalogues,
                          std::string_view language) {
  const auto& words = language == "es" ? spanish : english;
  std::string out(words.head);
  for (const auto& catalogue : catalogues) out += ReadingsPage(*catalogue, words).text();
  return out;
}

}  // namespace talla::games
