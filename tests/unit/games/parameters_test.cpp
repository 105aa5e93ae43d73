// Goal: no catalogue has a parameter that changes nothing: what a table states is obeyed.
// Method: the built-in files and the sources of the engines; each parameter is named by a rule of
//         its game (a limit, a figure, a condition) or by the code that reads it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "play_support.hpp"
#include "support/source_tree.hpp"

namespace talla::games {
namespace {

namespace fs = std::filesystem;

/// What reads rules: engines and tables, not the words of listings.
std::string sources_that_read() {
  std::string out;
  for (const char* folder : {"games/src/engines", "games/src/table", "games/include"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(talla::test::source_tree() / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      out.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  return out;
}

/// The blocks of a catalogue file, one for each game.
std::vector<std::string> games_of(const EmbeddedCatalogue& file) {
  const std::string text(file.bytes.begin(), file.bytes.end());
  std::vector<std::string> out;
  constexpr std::string_view head = "\n[[game]]\n";
  for (auto at = text.find(head); at != std::string::npos;) {
    const auto next = text.find(head, at + 1);
    out.push_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return out;
}

bool is_read(const std::string& game, const std::string& sources, const std::string& id) {
  const auto quoted = '"' + id + '"';
  if (sources.find(quoted) != std::string::npos) return true;
  // Names that an engine makes: prize_1 of "prize_", max_win_horn of "max_win_".
  for (auto at = id.rfind('_'); at != std::string::npos && at > 0; at = id.rfind('_', at - 1)) {
    if (sources.find('"' + id.substr(0, at + 1) + '"') != std::string::npos) return true;
  }
  static const std::string named = "id = ";
  for (auto at = game.find(quoted); at != std::string::npos; at = game.find(quoted, at + 1)) {
    if (game.compare(at - named.size(), named.size(), named) != 0) return true;
  }
  return false;
}

TEST(Parameters, are_all_read_by_a_rule_or_by_an_engine) {
  const auto sources = sources_that_read();
  static const std::regex parameter("\\[\\[game\\.parameter\\]\\]\nid = \"([^\"]+)\"");
  std::size_t seen = 0;
  for (const auto& file : embedded_catalogues()) {
    for (const auto& game : games_of(file)) {
      for (auto at = std::sregex_iterator(game.begin(), game.end(), parameter);
           at != std::sregex_iterator(); ++at) {
        const auto id = (*at)[1].str();
        ++seen;
        EXPECT_TRUE(is_read(game, sources, id))
            << file.id << ": nothing reads " << id << " of " << game.substr(10, 40);
      }
    }
  }
  EXPECT_GT(seen, 500U);
}

}  // namespace
}  // namespace talla::games
