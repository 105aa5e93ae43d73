// Goal: whoever asks in Spanish reads every refusal in Spanish; codes and members stay.
// Method: titles of all rows, headers of browsers and of liars, and every sentence of the service's
// sources.
#include "core/problem_words.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "base/json.hpp"
#include "core/errc.hpp"
#include "games/refusal.hpp"
#include "support/source_tree.hpp"

namespace talla::core {
namespace {

TEST(AcceptLanguage, chooses_between_spanish_and_english) {
  EXPECT_EQ(language_of(""), "en");
  EXPECT_EQ(language_of("es"), "es");
  EXPECT_EQ(language_of("ES-es, en;q=0.8"), "es");
  EXPECT_EQ(language_of("es-ES,es;q=0.9,en;q=0.8"), "es");
  EXPECT_EQ(language_of("en, es;q=0.9"), "en");
  EXPECT_EQ(language_of("eu, es;q=0.5"), "es");
  EXPECT_EQ(language_of("es;q=0"), "en");
  EXPECT_EQ(language_of("*"), "en");
  EXPECT_EQ(language_of("es;q=0.3, *;q=0.7"), "en");
  EXPECT_EQ(language_of("estonian"), "en");
  for (const char* wrong : {"es;q=x", ",,,;;=", "es;q=", ";q=1", "es;q=2"})
    EXPECT_EQ(language_of(wrong), "en") << wrong;
}

TEST(ProblemText, is_spanish_in_title_and_detail_alone) {
  const std::string body =
      R"({"code":"below_minimum","detail":"rojo: 10 is below the table minimum of 25","retry":"never",)"
      R"("status":422,"title":"Refused by the rules","type":"urn:talla:problem:below_minimum"})";
  EXPECT_EQ(problem_text(body, "en"), body);
  const auto read = json::parse(problem_text(body, "es"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->find("detail")->string(), "rojo: 10 no llega al mínimo de la mesa, que es 25");
  EXPECT_EQ(read->find("title")->string(), "Lo impiden las reglas del juego");
  EXPECT_EQ(read->find("code")->string(), "below_minimum");
  EXPECT_EQ(read->find("type")->string(), "urn:talla:problem:below_minimum");
  for (const char* other : {"", "no json", "[1]", "{}", R"({"code":1,"title":2})"})
    EXPECT_EQ(problem_text(other, "es"), other);
}

std::string source(const char* name) {
  std::ifstream file(talla::test::source_tree().string() + "/rngd/appliance/core/src/" + name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string spanish(const std::string& code, const std::string& title, const std::string& detail) {
  json::Object body{{"code", code}, {"title", title}, {"detail", detail}};
  const auto read = json::parse(problem_text(json::canonical(json::Value(std::move(body))), "es"));
  return read->find("title")->string() + "\n" + read->find("detail")->string();
}

TEST(ProblemText, knows_every_title) {
  const auto text = source("problem.cpp");
  static const std::regex title(R"re(\{E::([a-z_]+),\s*\d+,\s*[A-Za-z:]+,\s*\d+,\s*"([^"]+)"\})re");
  std::size_t count = 0;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), title);
       it != std::sregex_iterator(); ++it) {
    const auto said = spanish("x", (*it)[2], "slow down");
    EXPECT_EQ(said.find((*it)[2].str()), std::string::npos) << said;
    ++count;
  }
  EXPECT_GE(count, 50U);
}

TEST(ProblemText, knows_every_whole_sentence_of_the_service) {
  static const std::regex sentence(
      R"re((?:fail|refuse|Error)\(\s*Errc::([a-z_]+),\s*"([^"\\]+)"\s*[,)])re");
  std::size_t count = 0;
  const auto folder = talla::test::source_tree() / "rngd/appliance/core/src";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto text = source(entry.path().filename().c_str());
    for (auto it = std::sregex_iterator(text.begin(), text.end(), sentence);
         it != std::sregex_iterator(); ++it) {
      if ((*it)[1] == "replay_failed") continue;  // 500: no detail leaves
      const auto said = spanish((*it)[1], "Too many requests", (*it)[2]);
      EXPECT_EQ(said.find((*it)[2].str()), std::string::npos)
          << entry.path().filename() << ": " << (*it)[2];
      ++count;
    }
  }
  EXPECT_GT(count, 100U);
}

}  // namespace
}  // namespace talla::core
