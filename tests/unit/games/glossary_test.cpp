// Goal: one Spanish word for one thing in everything the product says: catalogues, commands, pages,
// reports, handbook, refusals.
// Method: rngd/docs/glosario.md is the list; its last column is looked for in every file that holds
// Spanish.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "support/source_tree.hpp"

namespace talla::games::test {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  return talla::test::source_tree();
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(file, line);) out.push_back(line);
  return out;
}

struct Entry {
  std::string english, spanish;
  std::vector<std::string> other;
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    const auto first = part.find_first_not_of(' ');
    out.push_back(first == std::string::npos
                      ? ""
                      : part.substr(first, part.find_last_not_of(' ') - first + 1));
  }
  return out;
}

std::vector<Entry> glossary() {
  std::vector<Entry> out;
  for (const auto& line : lines_of(root() / "rngd/docs/glosario.md")) {
    if (!line.starts_with("| ") || line.starts_with("| en ingl")) continue;
    const auto cells = split(line, '|');
    if (cells.size() < 4) continue;
    Entry entry{cells[1], cells[2], {}};
    if (cells.size() > 4 && !cells[4].empty()) entry.other = split(cells[4], ',');
    out.push_back(std::move(entry));
  }
  return out;
}

/// The lines of a file that are Spanish: all, or those of a catalogue's es texts.
std::vector<std::pair<std::size_t, std::string>> spanish_of(const fs::path& path) {
  std::vector<std::pair<std::size_t, std::string>> out;
  const bool catalogue = path.extension() == ".toml";
  bool inside = !catalogue;
  std::size_t number = 0;
  for (const auto& line : lines_of(path)) {
    ++number;
    if (catalogue && line.starts_with('[')) inside = line.starts_with("[text.es");
    if (inside) out.emplace_back(number, line);
  }
  return out;
}

std::vector<fs::path> sources() {
  std::vector<fs::path> out;
  for (const char* folder : {"games/catalogues", "games/src/speech"}) {
    for (const auto& entry : fs::directory_iterator(root() / folder)) {
      const auto extension = entry.path().extension();
      if (extension == ".toml" || extension == ".cpp") out.push_back(entry.path());
    }
  }
  for (const char* file : {"games/src/listing/words.cpp",
                           "games/src/listing/readings_page.cpp",
                           "games/src/refusal.cpp",
                           "games/src/engines/dice/sentence.cpp",
                           "games/src/engines/poker/shown_hands.cpp",
                           "rngd/appliance/core/src/problem_forms.cpp",
                           "rngd/appliance/core/src/problem_titles.cpp",
                           "rngd/tools/report/src/odds_paper.cpp",
                           "rngd/tools/report/src/report_words.cpp",
                           "rngd/tools/talla-lab/month/src/month_paper.cpp",
                           "rngd/tools/talla-lab/submit/src/field_paper.cpp",
                           "rngd/tools/talla-lab/submit/src/report_paper.cpp",
                           "rngd/tools/talla-lab/submit/src/steps.cpp",
                           "rngd/tools/talla/src/words.cpp",
                           "certs/verify/src/notes.cpp",
                           "certs/verify/src/refusals.cpp",
                           "certs/verify/src/refusal_rules.cpp",
                           "rngd/tools/talla/src/setup.cpp",
                           "rngd/tools/talla/src/setup_files.cpp",
                           "rngd/web/verify_rules.js",
                           "rngd/web/verify/clauses.js",
                           "rngd/web/app/words_es.js",
                           "rngd/web/app/words_es_curves.js",
                           "rngd/web/app/words_es_floor.js",
                           "rngd/web/app/words_es_log.js",
                           "rngd/web/app/words_es_month.js",
                           "rngd/web/contribute/words.js",
                           "rngd/web/invite.html",
                           "rngd/web/play/words.js",
                           "rngd/web/verify_words.js",
                           "rngd/web/verify_codes.js",
                           "rngd/web/verify_games.js",
                           "rngd/web/verify_lines.js",
                           "rngd/docs/operator-es.md",
                           "rngd/docs/guide-es.md",
                           "games/catalogues/LECTURAS.md"})
    out.push_back(root() / file);
  return out;
}

/// Sources that speak Spanish to somebody: a good many lines have its letters.
bool speaks_spanish(const fs::path& path) {
  static const std::regex letters("á|é|í|ó|ú|ñ|¿|¡");
  const auto lines = lines_of(path);
  return std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
           return std::regex_search(line, letters);
         }) > 3;
}

/// What the texts say themselves stands in «...» and is theirs.
std::string without_quotes(const std::string& line) {
  static const std::regex quoted("«[^»]*»");
  return std::regex_replace(line, quoted, "«»");
}

/// Forbidden words that are right somewhere: "archivo" is a sealed archive in the handbook and the
/// pages.
bool allowed(const fs::path& path, const std::string& word, const std::string& line) {
  if (word == "archivo")
    return path.filename() == "operator-es.md" || line.find("rchivo sellado") != std::string::npos;
  // The English word, and the name of a value, have the plural's form.
  if (word == "rol")
    return line.find(" rol ") == std::string::npos && line.find("los roles") == std::string::npos;
  return false;
}

TEST(Glossary, names_each_thing_once) {
  std::set<std::string> seen;
  for (const auto& entry : glossary()) {
    EXPECT_TRUE(seen.insert(entry.spanish).second) << entry.spanish;
    for (const auto& other : entry.other) EXPECT_FALSE(seen.contains(other)) << other;
  }
  for (const char* needed :
       {"asiento", "registro", "fichero", "equipo", "prueba", "tapada", "función", "puesto"})
    EXPECT_TRUE(seen.contains(needed)) << needed;
}

/// The words of places "seat-7-card-4" and "common-2", by their ids.
std::string place_words(const std::smatch& id, bool spanish) {
  static const std::array<std::array<const char*, 7>, 2> ordinals{
      {{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"},
       {"primera", "segunda", "tercera", "cuarta", "quinta", "sexta", "séptima"}}};
  const std::string which = ordinals.at(spanish ? 1 : 0).at(std::stoul(id[3]) - 1);
  if (id[1] != "common-")
    return spanish ? "Jugador " + id[2].str() + ", " + which + " carta"
                   : "Player " + id[2].str() + ", " + which + " card";
  std::string out = which + (spanish ? " carta común" : " common card");
  out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
  return out;
}

TEST(Glossary, names_the_cards_of_players_and_those_in_common_alike_in_every_game) {
  static const std::regex place("(seat-([0-9]+)-card-|common-)([1-7]) = \"(.*)\"");
  std::size_t read = 0;
  for (const auto& entry : fs::directory_iterator(root() / "games/catalogues")) {
    if (entry.path().extension() != ".toml") continue;
    bool spanish = false;
    for (const auto& line : lines_of(entry.path())) {
      if (line.starts_with('[')) spanish = line.starts_with("[text.es");
      std::smatch found;
      if (!std::regex_match(line, found, place)) continue;
      ++read;
      EXPECT_EQ(found[4].str(), place_words(found, spanish)) << entry.path() << ": " << line;
    }
  }
  EXPECT_GT(read, 300U);
}

TEST(Glossary, is_what_every_page_and_command_says) {
  std::size_t read = 0;
  for (const auto& path : sources()) {
    const auto lines = spanish_of(path);
    const bool page = path.filename() == "LECTURAS.md";
    EXPECT_FALSE(lines.empty()) << path;
    for (const auto& entry : glossary()) {
      for (const auto& other : entry.other) {
        const auto first = other.substr(0, 1);
        const std::regex word(
            "(^|[^A-Za-z_áéíóúñ/.-])[" + first +
            std::string(1, static_cast<char>(std::toupper(static_cast<unsigned char>(first[0])))) +
            "]" + other.substr(1) + "(s|es)?($|[^A-Za-z_áéíóúñ-])");
        for (const auto& [number, whole] : lines) {
          ++read;
          const auto line = page ? without_quotes(whole) : whole;
          if (!std::regex_search(line, word) || allowed(path, other, line)) continue;
          ADD_FAILURE() << fs::relative(path, root()).string() << ':' << number << " says " << other
                        << ", the word is " << entry.spanish << ": " << line;
        }
      }
    }
  }
  EXPECT_GT(read, 1000U);
}

// A page or a program that begins to speak Spanish is held by the list as well.
TEST(Glossary, knows_every_source_that_speaks_spanish) {
  std::set<fs::path> known;
  for (const auto& path : sources()) known.insert(path);
  static const std::set<std::string> kinds{".cpp", ".js", ".html", ".py"};
  std::size_t seen = 0;
  for (const char* folder : {"entropy", "shuffle", "games/src", "certs", "stats", "rngd"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
      if (!entry.is_regular_file() || !kinds.contains(entry.path().extension().string())) continue;
      if (!speaks_spanish(entry.path())) continue;
      ++seen;
      EXPECT_TRUE(known.contains(entry.path()))
          << fs::relative(entry.path(), root()).string() << " speaks Spanish unread";
    }
  }
  EXPECT_GT(seen, 15U);
}

}  // namespace
}  // namespace talla::games::test
