// Goal: every reading that a catalogue names is explained, and the page of all readings is complete
// and up to date.
// Method: the digests read as the program reads them, held against the citations; the page compared
// byte for byte.
#include "games/readings.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "games/listing.hpp"
#include "play_support.hpp"
#include "support/source_tree.hpp"

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
    EXPECT_TRUE(ids.contains("own"));
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
    for (const auto& line : readings_alone(*one, "en")) {
      EXPECT_FALSE(named.contains(line.find("why")->string())) << line.find("reading")->string();
      named.insert(line.find("why")->string());
    }
    for (const auto& reading : readings_of(one->id)) {
      if (!reading.id.starts_with('A')) continue;
      EXPECT_TRUE(named.contains(reading.text)) << one->id << ' ' << reading.id;
    }
  }
}

/// Numbers of three digits and more: lines of the text, amounts.
std::set<std::string> figures_of(const std::string& text) {
  static const std::regex thousands("([0-9])[.,]([0-9]{3})(?![0-9])");
  const auto plain = std::regex_replace(text, thousands, "$1$2");
  static const std::regex figure("[0-9]{3,}");
  std::set<std::string> out;
  for (std::sregex_iterator it(plain.begin(), plain.end(), figure), end; it != end; ++it) {
    if (it->str() != "100") out.insert(it->str());  // "por 100"
  }
  return out;
}

TEST(Readings, say_the_same_in_spanish) {
  for (const auto& one : every_catalogue()) {
    for (const auto& reading : readings_of(one->id)) {
      ASSERT_FALSE(reading.text_es.empty()) << reading.digest << ' ' << reading.id;
      EXPECT_NE(reading.text_es, reading.text) << reading.digest << ' ' << reading.id;
      const auto english = figures_of(reading.text);
      const auto spanish = figures_of(reading.text_es);
      EXPECT_TRUE(std::includes(spanish.begin(), spanish.end(), english.begin(), english.end()))
          << reading.digest << ' ' << reading.id << ": " << reading.text_es;
    }
  }
}

// A name with an underscore is a parameter's: who looks it up in the catalogue finds it.
TEST(Readings, name_parameters_that_the_catalogue_has) {
  static const std::regex name("[a-z]+(_[a-z0-9]+)+");
  for (const auto& one : every_catalogue()) {
    std::set<std::string> known;
    for (const auto& game : one->games) {
      for (const auto& rule : game.parameters) {
        known.insert(rule.id);
        for (const auto& value : rule.allowed) known.insert(plain(value));
      }
    }
    for (const auto& reading : readings_of(one->id)) {
      if (reading.ours()) continue;
      for (const auto& text : {reading.text, reading.text_es}) {
        for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it)
          EXPECT_TRUE(known.contains(it->str()))
              << reading.digest << ' ' << reading.id << " names " << it->str();
      }
    }
  }
}

// Aragón's black jack is lent by the text of 1977: number 21 of that list is on equal black jacks,
// while Aragón's own number 21 is on the side bets of its poker.
TEST(Readings, of_a_figure_that_another_text_lends_are_that_texts) {
  std::size_t lent = 0;
  for (const auto& one : every_catalogue()) {
    const Readings readings(*one);
    for (const auto& game : one->games) {
      for (const auto& rule : game.parameters) {
        if (!rule.cite.reading.starts_with('A')) continue;
        const auto* reading = readings.of(rule.cite, game);
        ASSERT_NE(reading, nullptr) << one->id << ' ' << game.id << ' ' << rule.id;
        const auto& text = rule.cite.inherited.empty() ? one->id : rule.cite.inherited;
        EXPECT_TRUE(reading->digest.starts_with(text)) << game.id << ' ' << rule.id;
        if (!rule.cite.inherited.empty()) ++lent;
      }
    }
  }
  EXPECT_GT(lent, 10U);
  const auto aragon = catalogue("es-aragon-2010");
  for (const auto& line : ambiguities(*aragon, *aragon->game("blackjack"), "en")) {
    if (line.find("id")->string() != "blackjack_tie") continue;
    EXPECT_EQ(line.find("digest")->string(), "es-1977");
    EXPECT_NE(line.find("why")->string().find("push when both have black-jack"), std::string::npos);
    return;
  }
  FAIL() << "no blackjack_tie";
}

std::string page_there(const std::string& name) {
  std::ifstream file(talla::test::source_tree().string() + "/games/catalogues/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Readings, pages_list_every_reading_and_are_up_to_date) {
  for (const auto& [language, name] : {std::pair<std::string, std::string>{"en", "READINGS.md"},
                                       std::pair<std::string, std::string>{"es", "LECTURAS.md"}}) {
    const auto page = readings_page(every_catalogue(), language);
    EXPECT_TRUE(page_there(name) == page) << "write it anew: talla catalogue readings --language "
                                          << language << " > games/catalogues/" << name;
    for (const auto& one : every_catalogue()) {
      for (const auto& game : one->games) {
        for (const auto& rule : game.parameters) {
          if (rule.cite.reading.empty()) continue;
          EXPECT_NE(page.find("`" + rule.id + "`"), std::string::npos) << one->id << ' ' << rule.id;
        }
      }
    }
  }
}

}  // namespace
}  // namespace talla::games::test
