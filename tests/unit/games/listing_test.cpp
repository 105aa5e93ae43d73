// Goal: what readers see of a catalogue is all of it and nothing else: every figure with its
// section, every reading with its values, every difference and no other.
// Method: all games of all built-in catalogues in both languages; catalogues changed in one place.
#include "games/listing.hpp"

#include <algorithm>
#include <set>

#include "games/engine_registry.hpp"
#include "play_support.hpp"

namespace talla::games::test {
namespace {

std::vector<std::shared_ptr<const Catalogue>> all_catalogues() {
  std::vector<std::shared_ptr<const Catalogue>> out;
  for (const auto& file : embedded_catalogues()) out.push_back(catalogue(file.id));
  return out;
}

/// The built-in file with the first `from` replaced.
std::shared_ptr<const Catalogue> changed(std::string_view id, std::string_view from,
                                         std::string_view to) {
  for (const auto& file : embedded_catalogues()) {
    if (file.id != id) continue;
    std::string text(file.bytes.begin(), file.bytes.end());
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    auto loaded = load_catalogue(as_bytes(text), NoHash());
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().text());
    return loaded ? *loaded : nullptr;
  }
  return nullptr;
}

TEST(Listing, names_every_game_once_with_its_number_and_whether_it_is_served) {
  for (const auto& one : all_catalogues()) {
    const auto lines = list_games(*one, "en");
    ASSERT_EQ(lines.size(), one->games.size() + one->base_games.size());
    for (std::size_t i = 0; i < one->base_games.size(); ++i) {
      const auto& line = lines[one->games.size() + i];
      EXPECT_EQ(line.find("game")->string(), one->base_games[i]);
      EXPECT_EQ(line.find("decree")->string(), one->base_decree);
      EXPECT_FALSE(line.find("served")->boolean());
    }
    for (std::size_t i = 0; i < one->games.size(); ++i) {
      const auto& game = one->games[i];
      EXPECT_EQ(lines[i].find("catalogue")->string(), one->id);
      EXPECT_EQ(lines[i].find("game")->string(), game.id);
      EXPECT_EQ(lines[i].find("section")->string(), game.number);
      EXPECT_EQ(lines[i].find("source")->string(), one->source);
      EXPECT_EQ(lines[i].find("served")->boolean(), find_engine(game.family) != nullptr);
    }
  }
}

TEST(RuleLines, speak_of_every_bet_choice_decision_and_error_with_a_section_in_both_languages) {
  for (const auto& one : all_catalogues()) {
    for (const auto& game : one->games) {
      for (const std::string language : {"es", "en"}) {
        const auto lines = rule_lines(*one, game, language);
        std::set<std::string> spoken;
        for (const auto& line : lines) {
          EXPECT_FALSE(line.text.empty()) << game.id;
          EXPECT_NE(line.rule.find(' '), std::string::npos) << game.id << ": " << line.text;
          spoken.insert(line.part + " " + line.id);
        }
        for (const auto& bet : game.bets) EXPECT_TRUE(spoken.contains("bets " + bet.id)) << bet.id;
        for (const auto& rule : game.parameters)
          EXPECT_TRUE(spoken.contains("choices " + rule.id)) << rule.id;
        for (const auto& action : game.actions)
          EXPECT_TRUE(spoken.contains("actions " + action.id)) << action.id;
        for (const auto& error : game.errors)
          EXPECT_TRUE(spoken.contains("errors " + error.code)) << error.code;
        for (const auto& [name, block] : game.data)
          EXPECT_TRUE(spoken.contains("figures " + name)) << name;
        const auto limits = std::count_if(lines.begin(), lines.end(),
                                          [](const auto& x) { return x.part == "limits"; });
        EXPECT_EQ(static_cast<std::size_t>(limits), game.limits.size() + game.minimums.size());
      }
    }
  }
}

TEST(RuleLines, give_prices_as_the_text_speaks_of_them) {
  const auto rules = catalogue("es-valencia-2003");
  std::map<std::string, RuleLine> said;
  for (auto& line : rule_lines(*rules, *rules->game("craps"), "en")) {
    if (line.part == "bets") said[line.id] = line;
  }
  EXPECT_NE(said["craps-12"].text.find("pays 30 to 1"), std::string::npos) << said["craps-12"].text;
  EXPECT_NE(said["right-bet"].text.find("6: pays 7 to 6"), std::string::npos)
      << said["right-bet"].text;
  EXPECT_NE(said["juego-de-7"].text.find(" is: 15 to 1 pays 15 to 1"), std::string::npos)
      << said["juego-de-7"].text;
  EXPECT_NE(said["win"].text.find(
                "first throw: wins with 7, 11; loses with 2, 3, 12; then the point wins, 7 loses"),
            std::string::npos)
      << said["win"].text;
  EXPECT_EQ(said["craps-12"].rule, "09 IV.1.B");
  EXPECT_EQ(said["craps-12"].reading, "A2");
}

TEST(Describe, says_in_words_what_decides_a_bet_on_dice) {
  const auto rules = catalogue("es-1977");
  const auto described = describe(*rules, *rules->game("craps"), "es");
  std::size_t said = 0;
  for (const auto& bet : described.find("bets")->array()) {
    if (!bet.find("covers")->is_object()) continue;
    const auto* text = bet.find("covers_text");
    ASSERT_NE(text, nullptr) << bet.find("id")->string();
    EXPECT_FALSE(text->string().empty()) << bet.find("id")->string();
    EXPECT_EQ(text->string().find('='), std::string::npos) << text->string();
    ++said;
  }
  EXPECT_GT(said, 10U);
}

/// What a page offers to choose from: as many words as values, none of them a code, each once.
TEST(Describe, every_allowed_value_has_words_beside_it) {
  std::size_t codes = 0;
  for (const auto& one : all_catalogues()) {
    for (const auto& game : one->games) {
      for (const auto* language : {"en", "es"}) {
        const auto described = describe(*one, game, language);
        for (const auto& rule : described.find("parameters")->array()) {
          const auto* allowed = rule.find("allowed");
          const auto* words = rule.find("allowed_text");
          ASSERT_EQ(allowed == nullptr, words == nullptr);
          if (allowed == nullptr) continue;
          const std::string where =
              one->id + " " + game.id + " " + rule.find("id")->string() + " " + language;
          ASSERT_EQ(allowed->array().size(), words->array().size()) << where;
          std::set<std::string> said;
          for (std::size_t i = 0; i < words->array().size(); ++i) {
            const std::string text = words->array()[i].string();
            EXPECT_TRUE(said.insert(text).second) << where << ": " << text;
            const std::string code = plain(allowed->array()[i]);
            // Figures, and names that are the same in every language.
            const bool name = code.find_first_not_of("0123456789/%-") == std::string::npos ||
                              code.starts_with("es-") || code.size() == 1;
            // English codes are English words, where they are one.
            const bool plain_word = language == std::string_view("en") && text == code;
            EXPECT_TRUE(name || plain_word || text != code) << where << ": " << code;
            EXPECT_EQ(text.find('_'), std::string::npos) << where << ": " << text;
            codes += name || plain_word ? 0U : 1U;
          }
        }
      }
    }
  }
  EXPECT_GT(codes, 500U);
}

/// Families whose codes are all in the phrase book.
bool speaks(const std::string& family) {
  static const std::set<std::string> all = {
      "wheel", "dice",     "baccarat",     "trente",     "blackjack", "banque",     "monte",
      "bingo", "trijoker", "texas-holdem", "second-bet", "pai-gow",   "tournament", "circle-poker"};
  return all.contains(family);
}

TEST(RuleLines, are_sentences_without_the_codes_of_the_file) {
  for (const auto& one : all_catalogues()) {
    for (const auto& game : one->games) {
      if (!speaks(game.family)) continue;
      for (const std::string language : {"es", "en"}) {
        for (const auto& line : rule_lines(*one, game, language)) {
          for (const std::string_view code : {"=", "{", "}", "parameter", "_"}) {
            if (code == "_" && line.part != "figures" && line.part != "limits") continue;
            EXPECT_EQ(line.text.find(code), std::string::npos)
                << one->id << ' ' << game.id << ": " << line.text;
          }
        }
      }
    }
  }
}

/// What an error does is said in words: the effect's code stands in no line.
TEST(RuleLines, say_what_every_error_does) {
  std::size_t errors = 0;
  for (const auto& one : all_catalogues()) {
    for (const auto& game : one->games) {
      for (const std::string language : {"es", "en"}) {
        for (const auto& line : rule_lines(*one, game, language)) {
          if (line.part != "errors") continue;
          const auto error = std::ranges::find(game.errors, line.id, &ErrorRule::code);
          ASSERT_NE(error, game.errors.end()) << line.text;
          ++errors;
          EXPECT_EQ(line.text.find(": " + error->effect), std::string::npos)
              << one->id << ' ' << game.id << ": " << line.text;
          EXPECT_TRUE(error->window.empty() ||
                      line.text.find("; " + error->window) == std::string::npos)
              << one->id << ' ' << game.id << ": " << line.text;
        }
      }
    }
  }
  EXPECT_GT(errors, 500U);
}

TEST(RuleLines, of_every_family_say_what_the_text_says) {
  struct Said {
    std::string catalogue, game, language, text, rule;
  };
  const std::vector<Said> all = {
      {"es-1977", "french-roulette", "en", "At a zero the owner takes half back", "01 IV.1.B.b"},
      {"es-1977", "american-roulette-single-zero", "es",
       "Con el cero vuelve la mitad de esas posturas; no hay prisión", "02 IV"},
      {"es-1977", "trente-et-quarante", "en", "A row ends on reaching or passing 31 points",
       "05 V.3"},
      {"es-1977", "trente-et-quarante", "es", "El seguro cuesta 1% de la postura", "05 V.1"},
      {"es-1977", "punto-banco", "es",
       "El punto toma una tercera carta con 0, 1, 2, 3, 4, 5 puntos", "07 VI.2"},
      {"es-1977", "chemin-de-fer", "en", "The house keeps 5% of what the bank wins", "08 V"},
      {"es-euskadi-2010", "blackjack", "es",
       "La banca toma cartas hasta 17 puntos, y ahí se planta", "03 V.1.a"},
      {"es-euskadi-2010", "blackjack", "en", "with a blackjack: pays 3 to 2", "03 V.1.a"},
      {"es-valencia-2003", "monte", "en", "The house keeps 10% when the first card wins", "13 V"},
      {"es-valencia-2003", "monte", "es", "no deciden Camo, Viudo del lugar 2 frente al lugar 1",
       "13 VI.4"},
      {"es-1977", "french-roulette", "en", "(default: it stays in prison)", "01 IV.1.B.b"},
      {"es-1977", "french-roulette", "es",
       "como máximo «Máximo del caballo, en mínimos» (por defecto: 60)", "01 IV.2.A.b"},
      {"es-1977", "bingo", "en", "A card has 3 lines", "10 I"},
      {"es-1977", "bingo", "es", "bombo de 90 bolas (balls90x1)", "10 II"},
      {"es-1977", "bingo", "en", "cage of 90 balls (balls90x1)", "10 II"},
      {"es-1977", "trente-et-quarante", "en", "what it was worth before it was last halved",
       "05 V.1"},
      {"es-1977", "blackjack", "en",
       "shoe of 6 French decks of 52 cards (french52x6): 312 cards; stop card", "03 V.3.b"},
      {"es-aragon-2010", "circle-five-card-stud", "en",
       "shoe of 1 French deck of 32 cards (french52-23456x1): 32 cards", "10.2.B.d II"},
      {"es-aragon-2010", "pai-gow-poker", "es",
       "sabot de 1 baraja francesa de 53 cartas, con un comodín (french52+1jx1): 53 cartas",
       "10.1.C II.1"},
      {"es-1977", "trente-et-quarante", "es",
       "(insurance_threshold): un importe; por defecto 1000 ESP;", "05 V.1"},
      {"es-aragon-2010", "three-card-poker", "en",
       "The bank plays with this hand or a higher one: QS, 3H, 2D", "10.1.D VII"},
      {"es-aragon-2010", "caribbean-stud", "es", "La banca recibe descubierta su carta número 1",
       "10.1.A VI.1"},
      {"es-euskadi-2010", "caribbean-stud", "en", "Jackpot, four of a kind: 5% of the jackpot",
       "11 VI.1"},
      {"es-euskadi-2010", "draw-poker-house", "es",
       "La banca, con pareja: de las demás cartas, las menores, cambia 2", "12 7.3"},
      {"es-valencia-2003", "caribbean-stud", "en", "The bank gets its card number 5 face up",
       "11 V.4"},
      {"es-valencia-2003", "blackjack", "es", "se paga lo ganado de derecha a izquierda",
       "03 V.1.a"},
      {"es-1977", "craps", "es", "junto a Don't Win", "06 IV.1.C"},
      {"es-1977", "baccarat-banque-limited", "es", "la mano se rehace por culpa del banquero",
       "09 VIII.2"},
  };
  for (const auto& said : all) {
    const auto rules = catalogue(said.catalogue);
    const auto lines = rule_lines(*rules, *rules->game(said.game), said.language);
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const RuleLine& line) {
      return line.text.find(said.text) != std::string::npos && line.rule == said.rule;
    });
    EXPECT_NE(found, lines.end()) << said.game << ": " << said.text;
  }
}

TEST(Ambiguities, are_all_parameters_with_a_reading_and_their_defaults_are_allowed) {
  for (const auto& one : all_catalogues()) {
    for (const auto& game : one->games) {
      std::set<std::string> listed;
      for (const auto& line : ambiguities(*one, game, "en")) {
        EXPECT_FALSE(line.find("section")->string().empty());
        if (line.find("kind")->string() != "parameter") {
          EXPECT_FALSE(line.find("reading")->string().empty());
          continue;
        }
        listed.insert(line.find("id")->string());
        EXPECT_TRUE(line.find("allowed") != nullptr || line.find("min") != nullptr) << game.id;
        const auto* fallback = line.find("default");
        const auto* allowed = line.find("allowed");
        if (fallback == nullptr || allowed == nullptr) continue;
        const auto& values = allowed->array();
        EXPECT_NE(std::find(values.begin(), values.end(), *fallback), values.end()) << game.id;
      }
      for (const auto& rule : game.parameters) {
        EXPECT_EQ(listed.contains(rule.id),
                  rule.set_by == SetBy::reading || !rule.cite.reading.empty())
            << rule.id;
        EXPECT_TRUE(rule.set_by != SetBy::reading || !rule.cite.reading.empty())
            << game.id << ' ' << rule.id;
      }
    }
  }
}

TEST(Differences, of_a_catalogue_with_itself_are_none_and_sides_change_places) {
  const auto all = all_catalogues();
  for (const auto& a : all) {
    EXPECT_TRUE(differences(*a, *a).empty()) << a->id;
    for (const auto& b : all) {
      std::multiset<std::string> there, back;
      for (const auto& one : differences(*a, *b)) there.insert(json::canonical(one));
      for (const auto& one : differences(*b, *a)) {
        json::Object turned = one.object();
        const auto* left = one.find("a");
        const auto* right = one.find("b");
        turned.erase("a");
        turned.erase("b");
        if (left != nullptr) turned["b"] = *left;
        if (right != nullptr) turned["a"] = *right;
        back.insert(json::canonical(json::Value(std::move(turned))));
      }
      EXPECT_EQ(there, back) << a->id << " " << b->id;
    }
  }
}

TEST(Differences, one_changed_figure_is_one_difference) {
  struct Change {
    std::string_view from, to, wanted;
    std::size_t count = 1;
  };
  const std::vector<Change> changes{
      {R"(payouts = [{ pays = "30:1")", R"(payouts = [{ pays = "29:1")",
       R"({"a":[{"pays":"30","when":"win"}],"b":[{"pays":"29","when":"win"}],"field":"payouts",)"
       R"("game":"craps","id":"craps-2","what":"bet"})"},
      {"id = \"max_simple\"\ntype = \"integer\"\ndefault = 100\nmin = 100",
       "id = \"max_simple\"\ntype = \"integer\"\ndefault = 100\nmin = 50",
       R"({"a":"100","b":"50","field":"min","game":"craps","id":"max_simple","what":"parameter"})"},
      {R"("0", "32", "15")", R"("32", "0", "15")",
       R"("field":"pockets","game":"french-roulette","id":"draw","what":"equipment"})",
       2},  // and of the game that follows it
      {R"(right-bet = { 4 = "1", )", R"(right-bet = { 4 = "2", )",
       R"("field":"right-bet","game":"craps","id":"place_limits","what":"data"})"},
      {R"({ code = "calling-error")", R"({ code = "equipment-error")",
       R"({"a":{"effect":"void-game"},"game":"bingo","id":"calling-error","what":"error"})",
       2},  // one gone, one new
  };
  const auto original = catalogue("es-1977");
  for (const auto& change : changes) {
    auto from = std::string(change.from);
    std::shared_ptr<const Catalogue> other;
    if (from.find("calling-error") != std::string::npos) {  // its text must go with it
      for (const auto& file : embedded_catalogues()) {
        if (file.id != "es-1977") continue;
        std::string text(file.bytes.begin(), file.bytes.end());
        for (auto at = text.find("calling-error"); at != std::string::npos;
             at = text.find("calling-error", at + 1))
          text.replace(at, 13, "equipment-error");
        const auto loaded = load_catalogue(as_bytes(text), NoHash());
        ASSERT_TRUE(loaded);
        other = *loaded;
      }
    } else {
      other = changed("es-1977", change.from, change.to);
    }
    ASSERT_NE(other, nullptr);
    const auto found = differences(*original, *other);
    ASSERT_EQ(found.size(), change.count) << change.wanted;
    EXPECT_NE(json::canonical(found.front()).find(change.wanted), std::string::npos)
        << json::canonical(found.front());
  }
}

TEST(Differences, the_order_of_positions_citations_readings_and_texts_are_none) {
  const auto original = catalogue("es-1977");
  for (const auto& [from, to] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"covers = [[4], [5], [6], [8], [9], [10]]", "covers = [[10], [9], [8], [6], [5], [4]]"},
           {R"(cite = "IV.1.A", reading = "A80")", R"(cite = "IV.1.B", reading = "A81")"},
           {R"(craps = "Dados o craps")", R"(craps = "Dados")"}}) {
    const auto other = changed("es-1977", from, to);
    ASSERT_NE(other, nullptr);
    EXPECT_TRUE(differences(*original, *other).empty()) << to;
  }
}

TEST(Plain, values_read_as_a_person_writes_them) {
  EXPECT_EQ(plain(*json::parse(R"({"form":"line","win":[7,11],"deep":[[1,2],[3]]})")),
            "deep=((1, 2), (3)), form=line, win=(7, 11)");
  EXPECT_EQ(plain(*json::parse(R"({"10":1,"4":2,"x":3})")), "4=2, 10=1, x=3");
  EXPECT_EQ(plain(*json::parse(R"("word")")), "word");
  EXPECT_EQ(plain(*json::parse("true")), "true");
  EXPECT_EQ(plain(*json::parse("[]")), "");
}

}  // namespace
}  // namespace talla::games::test
