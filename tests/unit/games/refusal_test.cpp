// Goal: a refusal says what was found and what is allowed instead, in Spanish as in English,
// whichever engine refuses.
// Method: refusals of open tables read back into their facts; every sentence that stands in the
// engines' sources is looked for in the book.
#include "games/refusal.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "games/driver.hpp"
#include "play_support.hpp"
#include "speech/refusals.hpp"
#include "support/source_tree.hpp"

namespace talla::games::test {
namespace {

std::string spanish(const Error& error) {
  return refusal_text(error.code, error.detail, "es");
}

Table open(const std::string& id, const std::string& game, Units min, json::Object params = {}) {
  const auto rules = catalogue(id);
  auto table = Table::open(
      rules, {game, {rules->currency}, min, std::nullopt, json::Value(std::move(params))});
  TALLA_CHECK(table.has_value());
  return *std::move(table);
}

Error refused(const Table& table, const std::vector<Event>& before, const Event& event) {
  auto driver = Driver::start(table);
  TALLA_CHECK(driver.has_value());
  for (const auto& one : before) {
    const auto status = driver->apply(one);
    EXPECT_TRUE(status) << status.error().text();
  }
  const auto status = driver->apply(event);
  EXPECT_FALSE(status);
  return status ? Error(Errc::not_due, "") : status.error();
}

PlaceBet bet_on(const std::string& id, Seat seat, const std::string& kind, Units stake,
                std::vector<std::string> on = {}) {
  return {id, seat, std::nullopt, kind, std::move(on), stake};
}

TEST(Refusal, of_an_amount_says_what_lies_there_and_how_much_may) {
  const auto table = open("es-1977", "french-roulette", 25);
  const auto low = refused(table, {}, bet_on("a", 1, "rojo", 10));
  EXPECT_EQ(low.detail, "rojo: 10 is below the table minimum of 25");
  EXPECT_EQ(spanish(low), "rojo: 10 no llega al mínimo de la mesa, que es 25");
  const auto high =
      refused(table, {bet_on("a", 3, "pleno", 500, {"7"})}, bet_on("b", 3, "pleno", 300, {"7"}));
  EXPECT_EQ(high.detail, "pleno: seat 3 has 500 of 750 there, 300 more are too many (01 IV.2.A.b)");
  EXPECT_EQ(spanish(high),
            "pleno: el puesto 3 lleva ya 500 de 750; 300 más no caben (01 IV.2.A.b)");
}

TEST(Refusal, of_a_position_names_those_near_to_it) {
  const auto table = open("es-1977", "french-roulette", 25);
  const auto error = refused(table, {}, bet_on("a", 1, "caballo", 25, {"1", "3"}));
  EXPECT_NE(error.detail.find("caballo: on (1 3) is no position of this bet; near it: "),
            std::string::npos)
      << error.detail;
  EXPECT_NE(error.detail.find("1 2"), std::string::npos) << error.detail;
  EXPECT_NE(spanish(error).find("cerca están"), std::string::npos) << spanish(error);
}

TEST(Refusal, of_an_unknown_word_lists_those_that_there_are) {
  const auto table = open("es-1977", "french-roulette", 25);
  const auto kind = refused(table, {}, bet_on("a", 1, "quiniela", 25));
  EXPECT_NE(kind.detail.find("french-roulette has no bet quiniela; there are: pleno, caballo"),
            std::string::npos)
      << kind.detail;
  EXPECT_NE(spanish(kind).find("no tiene la apuesta quiniela; hay: pleno, caballo"),
            std::string::npos);
  const auto action =
      refused(table, {}, Act{1, "bailar", std::string("a"), std::nullopt, {}, std::nullopt});
  EXPECT_NE(action.detail.find("; there are: half, prison"), std::string::npos) << action.detail;
  const auto rules = catalogue("es-1977");
  const auto game = find_game(*rules, "whist");
  ASSERT_FALSE(game);
  EXPECT_NE(game.error().detail.find("there are: french-roulette"), std::string::npos);
  EXPECT_NE(spanish(game.error()).find("es-1977 no tiene el juego whist; hay: "),
            std::string::npos);
}

TEST(Refusal, of_a_parameter_says_what_the_catalogue_takes) {
  const auto rules = catalogue("es-1977");
  const auto said = [&](const std::string& game, json::Object params) {
    auto table =
        Table::open(rules, {game, {"ESP"}, 100, std::nullopt, json::Value(std::move(params))});
    return table ? Error(Errc::not_due, "") : table.error();
  };
  const auto unknown = said("french-roulette", {{"colour", "blue"}});
  EXPECT_NE(unknown.detail.find("has no parameter colour; there are: "), std::string::npos);
  const auto value = said("french-roulette", {{"zero_combinations", "two"}});
  EXPECT_NE(spanish(value).find("el catálogo admite "), std::string::npos) << spanish(value);
  EXPECT_NE(value.detail.find("not \"two\""), std::string::npos) << value.detail;
}

TEST(Refusal, at_the_wrong_time_says_what_is_due_and_whose_turn_it_is) {
  const auto table = open("es-1977", "french-roulette", 25);
  const auto spin = refused(table, {}, DrawResult{DrawKind::wheel, {"3"}});
  EXPECT_EQ(spin.detail, "the ball is not due: bets are open");
  const auto late =
      refused(table, {bet_on("a", 1, "rojo", 25), CloseBets{}}, bet_on("b", 1, "rojo", 25));
  EXPECT_EQ(late.detail, "bets are closed until this spin is settled; now: a draw is due: wheel");
  EXPECT_EQ(spanish(late),
            "las apuestas están cerradas hasta que se liquide la tirada; ahora: toca la bola");
}

TEST(Refusal, that_begins_with_a_seat_is_not_read_as_what_another_seat_may_do) {
  EXPECT_EQ(refusal_text("action_refused",
                         "seat 9 plays no hand; now: seat 1 decides: recuento, sin-fichas; seat 2 "
                         "decides: recuento",
                         "es"),
            "el puesto 9 no juega ninguna mano; ahora: decide el puesto 1: recuento, sin-fichas; "
            "decide el puesto 2: recuento");
}

TEST(Refusal, book_has_the_warnings_of_a_table_too) {
  const auto said = [](const Table& table) {
    const auto warnings = table.warnings();
    return warnings.size() == 1 ? refusal_text({}, warnings.front(), "es") : std::string("none");
  };
  const auto part = said(open("es-euskadi-2010", "blackjack", 1, {{"acumulada", true}}));
  EXPECT_TRUE(part.starts_with("acumulada no puede jugarse en esta mesa: su importe, "));
  EXPECT_NE(part.find(" mínimos, no llega a una ficha ("), std::string::npos) << part;
  const auto prize = said(open("es-valencia-2003", "blackjack", 10, {{"bonus", true}}));
  EXPECT_TRUE(prize.starts_with("bonus no puede jugarse en esta mesa: la mesa no anuncia premio ("))
      << prize;
  const auto bounds = "pleno cannot be played at this table: its minimum is 50, its maximum 40";
  EXPECT_EQ(refusal_text({}, std::string(bounds) + " (01 IV.2)", "es"),
            "pleno no puede jugarse en esta mesa: su mínimo es 50, y su máximo 40 (01 IV.2)");
}

TEST(Refusal, of_an_error_too_early_says_when_it_can_be_said) {
  EXPECT_EQ(refusal_text("not_due", "7b is said after a bet (01 IV.2)", "es"),
            "7b se dice después de una apuesta (01 IV.2)");
  EXPECT_EQ(refusal_text("action_refused",
                         "01 IV.2: the dice are not seat 3's: they are offered to seat 1", "es"),
            "01 IV.2: los dados no son del puesto 3: se ofrecen al puesto 1");
}

TEST(Refusal, keeps_its_citation_in_every_language) {
  const auto facts = facts_of("blackjack: at most 40 (es-1977 03 IV.2 (provisional))");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->after, "es-1977 03 IV.2 (provisional)");
  ASSERT_EQ(facts->values.size(), 2U);
  EXPECT_EQ(facts->values.front(), (std::pair<std::string_view, std::string>("kind", "blackjack")));
  const auto before = facts_of("05 V.1: an insurance is taken back as a whole");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->before, "05 V.1");
}

TEST(Refusal, that_no_form_says_stays_behind_the_meaning_of_its_code) {
  EXPECT_FALSE(facts_of("the cat sat on the wheel"));
  EXPECT_EQ(refusal_text("not_due", "the cat sat on the wheel", "es"),
            "Ahora no toca (the cat sat on the wheel)");
  EXPECT_EQ(refusal_text("elsewhere", "words of others", "es"), "words of others");
}

TEST(Refusal, every_code_has_words_in_both_languages) {
  for (std::uint16_t number = 300; number < 400; ++number) {
    const auto code = errc_name(static_cast<Errc>(number));
    if (code == "games_unknown_error") continue;
    EXPECT_FALSE(errc_words(code, "es").empty()) << code;
    EXPECT_FALSE(errc_words(code, "en").empty()) << code;
  }
}

TEST(RefusalBook, says_each_thing_once_with_the_same_values_in_both_languages) {
  std::set<std::string> seen;
  const auto slots = [](std::string_view form) {
    std::multiset<std::string> out;
    for (auto at = form.find('{'); at != std::string_view::npos; at = form.find('{', at + 1))
      out.insert(std::string(form.substr(at, form.find('}', at) - at)));
    return out;
  };
  for (const auto& book :
       {speech::stake_refusals(), speech::play_refusals(), speech::table_refusals(),
        speech::circle_refusals(), speech::bank_refusals(), speech::tournament_refusals()}) {
    for (const auto& form : book) {
      EXPECT_TRUE(seen.insert(std::string(form.en)).second) << form.en;
      EXPECT_EQ(slots(form.en), slots(form.es)) << form.en;
      // What is written is read back as the same form.
      const auto names = slots(form.en);
      RefusalValues values;
      for (const auto& slot : names) values.emplace_back(std::string_view(slot).substr(1), "7");
      const auto facts = facts_of(filled_form(form.en, values));
      ASSERT_TRUE(facts) << form.en;
    }
  }
}

// The sentences of the sources.

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Past the string literal that begins at `at`.
std::size_t past_literal(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

/// Arguments of the call whose parenthesis opens at `at`.
std::vector<std::string> arguments(const std::string& text, std::size_t at) {
  std::vector<std::string> out(1);
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      const auto end = past_literal(text, at);
      out.back() += text.substr(at, end - at);
      at = end;
      continue;
    }
    if (c == ')' || c == '}') --depth;
    if (depth == 0 && c == ')') return out;
    if (depth == 1 && c == ',') {
      out.emplace_back();
    } else if (depth > 0) {
      out.back() += c;
    }
    if (c == '(' || c == '{') ++depth;
    ++at;
  }
  return out;
}

/// What the expression may say: its literals, a figure for everything else, a section for a
/// citation.
std::string sample(std::string expression) {
  static const std::regex wrapped(R"re(std::string\(("(?:[^"\\]|\\.)*")\))re");
  expression = std::regex_replace(expression, wrapped, "$1");
  std::string out, other;
  int depth = 0;
  const auto piece = [](const std::string& part) -> std::string {
    if (part.find_first_not_of(" \n") == std::string::npos ||
        part.find("cited") != std::string::npos)
      return "";
    const bool section = part.find("cite") != std::string::npos ||
                         part.find("rule(") != std::string::npos ||
                         part.find("sale_rule") != std::string::npos;
    return section ? "01 IV" : "7";
  };
  const auto flush = [&] {
    std::size_t begin = 0;
    int inside = 0;
    for (std::size_t i = 0; i <= other.size(); ++i) {
      if (i < other.size() && other[i] == '(') ++inside;
      if (i < other.size() && other[i] == ')') --inside;
      if (i < other.size() && (other[i] != '+' || inside > 0)) continue;
      out += piece(other.substr(begin, i - begin));
      begin = i + 1;
    }
    other.clear();
  };
  for (std::size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    if (c == '"') {
      const auto end = past_literal(expression, at);
      if (depth == 0) {
        flush();
        for (auto i = at + 1; i + 1 < end; ++i) {
          if (expression[i] == '\\') ++i;
          out += expression[i];
        }
      }
      at = end;
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')') --depth;
    other += c;
    ++at;
  }
  flush();
  return out;
}

TEST(RefusalBook, holds_every_sentence_that_an_engine_says) {
  static const std::regex call(
      R"(\b(fail|refused|refuse|refuse_decision|refuse_option|not_due|exchange_refused|blind_refused)\()");
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(talla::test::source_tree() / "games/src")) {
    const auto path = entry.path().string();
    if (!entry.is_regular_file() || path.find("/speech/") != std::string::npos) continue;
    const auto text = text_of(entry.path());
    for (auto it = std::sregex_iterator(text.begin(), text.end(), call);
         it != std::sregex_iterator(); ++it) {
      const auto name = (*it)[1].str();
      auto all = arguments(text, static_cast<std::size_t>(it->position() + it->length()) - 1);
      if (all.front().find("catalogue_malformed") != std::string::npos ||
          all.front().find("state_malformed") != std::string::npos)
        continue;
      if (name == "refuse_option") all.erase(all.begin(), all.end() - 1);  // law, block, words
      std::string words;
      for (const auto& one : all) {
        if (one.find('"') != std::string::npos) {
          words = one;
          break;
        }
      }
      const bool choice = words.find(" ? ") != std::string::npos;
      const bool member = words.find("\": \"") != std::string::npos && name == "fail";
      if (words.empty() || choice || member) continue;
      auto said = sample(words);
      if (name == "not_due") said += " is not due now";
      const bool of_values = words.find("{\"") != std::string::npos;  // a form stands elsewhere
      if (of_values || said == "not read" || said.find_first_not_of('7') == std::string::npos)
        continue;
      if (said.starts_with("7 (01")) continue;
      static const std::regex slot(R"(\{[a-z~]+\})");
      EXPECT_TRUE(facts_of(std::regex_replace(said, slot, "7")))
          << std::filesystem::path(path).filename() << " says what the book has not: " << said;
      ++count;
    }
  }
  EXPECT_GT(count, 250U);
}

}  // namespace
}  // namespace talla::games::test
