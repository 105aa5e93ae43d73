// Goal: every reading that a catalogue names is explained, and the page of all readings is complete
// and up to date.
// Method: the digests read as the program reads them, held against the citations; the page compared
// byte for byte.
#include "games/readings.hpp"

#include <fstream>
#include <iterator>

#include "games/listing.hpp"
#include "play_support.hpp"

namespace talla::games::test {
namespace {

std::vector<std::shared_ptr<const Catalogue>> every_catalogue() {
  std::vector<std::shared_ptr<const Catalogue>> out;
  for (const auto& file : embedded_catalogues()) out.push_back(catalogue(file.id));
  return out;
}

TEST(Readings, of_a_digest_are_numbered_without_a_gap_and_say_something) {
  for (const auto& one : every_catalogue()) {
    const auto all = readings_of(one->id);
    std::map<std::string, std::set<std::string>> ids;
    for (const auto& reading : all) {
      EXPECT_GT(reading.text.size(), 8U) << one->id << ' ' << reading.id << ": " << reading.text;
      EXPECT_TRUE(ids[reading.digest].insert(reading.id).second)
          << one->id << ' ' << reading.id << " twice";
    }
    EXPECT_TRUE(ids.contains("README"));
    EXPECT_GE(ids.size(), 2U) << one->id;
  }
}

TEST(Readings, that_a_catalogue_names_are_all_explained) {
  for (const auto& one : every_catalogue()) {
    for (const auto& game : one->games) {
      for (const auto& line : ambiguities(*one, game, "es")) {
        const auto* reading = line.find("reading");
        if (reading == nullptr) continue;
        const auto* why = line.find("why");
        EXPECT_NE(why, nullptr) << one->id << ' ' << game.id << ' ' << reading->string();
      }
    }
  }
}

TEST(Readings, stand_once_with_a_figure_or_alone) {
  for (const auto& one : every_catalogue()) {
    std::set<std::string> named;
    for (const auto& game : one->games) {
      for (const auto& line : ambiguities(*one, game, "en")) {
        if (const auto* why = line.find("why")) named.insert(why->string());
      }
    }
    for (const auto& line : readings_alone(*one)) {
      EXPECT_FALSE(named.contains(line.find("why")->string())) << line.find("reading")->string();
      named.insert(line.find("why")->string());
    }
    for (const auto& reading : readings_of(one->id)) {
      if (!reading.id.starts_with('A')) continue;
      EXPECT_TRUE(named.contains(reading.text)) << one->id << ' ' << reading.id;
    }
  }
}

TEST(Readings, page_lists_every_reading_and_is_up_to_date) {
  const auto page = readings_page(every_catalogue());
  std::ifstream file(std::string(TALLA_SOURCE_DIR) + "/games/catalogues/READINGS.md",
                     std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(there == page)
      << "write it anew: talla catalogue readings > games/catalogues/READINGS.md";
  for (const auto& one : every_catalogue()) {
    for (const auto& game : one->games) {
      for (const auto& rule : game.parameters) {
        if (rule.cite.reading.empty()) continue;
        EXPECT_NE(page.find("`" + rule.id + "`"), std::string::npos) << one->id << ' ' << rule.id;
      }
    }
  }
}

}  // namespace
}  // namespace talla::games::test
