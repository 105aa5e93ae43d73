// Goal: a catalogue file is taken whole and right, or refused with the place of its fault.
// Method: a small valid file and single faults in it; the built-in files must be complete in both
//         languages.
#include "games/catalogue.hpp"

#include <gtest/gtest.h>

#include "games/table.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::games {
namespace {

constexpr std::string_view valid = R"(
[catalogue]
id = "test"
legal_name = "A test order"
territory = "ES"
published = "2000-01-01"
source = "none"
language = "es"
currency = "EUR"

[[game]]
id = "some-wheel"
number = "99"
family = "family-without-engine"
cite = "I"
draw = { kind = "wheel", pockets = ["0", "1", "2"], cite = "II" }
places = [{ id = "here", cite = "II" }]
actions = [{ id = "half", cite = "III" }]
errors = [{ code = "fault", effect = "void-hand", cite = "IV" }]

[[game.bet]]
id = "pleno"
on = "set"
covers = [[0], [1], [2]]
covers_when = [{ parameter = "extra", value = true, covers = [[0, 1]], cite = "V", reading = "A1" }]
payouts = [{ pays = "2:1", cite = "V" }]
cite = "V"

[[game.limit]]
bets = ["pleno"]
max = "30"
scope = "bet"
cite = "VI"

[[game.parameter]]
id = "extra"
type = "bool"
default = false
set_by = "casino"
cite = "VII"

[game.data.block]
cite = "VIII"
figure = 3

[text.es.bet]
pleno = "Pleno"
)";

Result<std::shared_ptr<const Catalogue>> load(std::string_view text) {
  const talla::test::OpenSslHashes hash;
  return load_catalogue(as_bytes(text), hash);
}

std::string valid_with(std::string_view from, std::string_view to) {
  std::string text(valid);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CatalogueLoader, takes_the_valid_file_whole) {
  const auto loaded = load(valid);
  ASSERT_TRUE(loaded) << loaded.error().text();
  const auto& game = (*loaded)->games.at(0);
  EXPECT_EQ(game.bet("pleno")->payout("win")->pays, Fraction(2));
  EXPECT_EQ(game.rule(game.bet("pleno")->cite), "99 V");
  EXPECT_EQ(game.limits.at(0).multiple, Fraction(30));
  EXPECT_EQ(game.data.at("block").value.find("figure")->integer(), 3);
  EXPECT_EQ((*loaded)->text("es", "bet", "pleno"), "Pleno");
  EXPECT_EQ((*loaded)->text("en", "bet", "pleno"), "pleno");
}

struct Fault {
  std::string_view name, from, to;
};
class CatalogueFault : public ::testing::TestWithParam<Fault> {};

TEST_P(CatalogueFault, is_refused) {
  const auto loaded = load(valid_with(GetParam().from, GetParam().to));
  ASSERT_FALSE(loaded);
  EXPECT_TRUE(loaded.error().is(Errc::catalogue_malformed)) << loaded.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    One, CatalogueFault,
    ::testing::Values(
        Fault{"not_toml", "[catalogue]", "[catalogue"},
        Fault{"unknown_header_key", "source =", "sources ="},
        Fault{"unknown_game_key", "number =", "color = 1\nnumber ="},
        Fault{"unknown_bet_key", "on = \"set\"", "on = \"set\"\nfoo = 1"},
        Fault{"payout_without_cite", "{ pays = \"2:1\", cite = \"V\" }", "{ pays = \"2:1\" }"},
        Fault{"limit_without_cite", "scope = \"bet\"\ncite = \"VI\"", "scope = \"bet\""},
        Fault{"parameter_without_cite", "cite = \"VII\"", ""},
        Fault{"data_without_cite", "cite = \"VIII\"", ""},
        Fault{"draw_without_cite", ", cite = \"II\" }\nplaces", " }\nplaces"},
        Fault{"action_without_cite", "{ id = \"half\", cite = \"III\" }", "{ id = \"half\" }"},
        Fault{"float", "figure = 3", "figure = 3.5"},
        Fault{"date", "figure = 3", "figure = 2000-01-01"},
        Fault{"huge_integer", "figure = 3", "figure = 9007199254740993"},
        Fault{"fraction_is_no_fraction", "\"2:1\"", "\"two\""},
        Fault{"fraction_over_zero", "\"2:1\"", "\"2:0\""},
        Fault{"limit_of_unknown_bet", "bets = [\"pleno\"]", "bets = [\"plena\"]"},
        Fault{"limit_with_unknown_parameter", "max = \"30\"", "max_parameter = \"nothing\""},
        Fault{"limit_with_a_truth_as_number", "max = \"30\"", "max_parameter = \"extra\""},
        Fault{"limit_with_two_maxima", "max = \"30\"", "max = \"30\"\nmax_parameter = \"extra\""},
        Fault{"scope_unknown", "scope = \"bet\"", "scope = \"world\""},
        Fault{"condition_on_unknown_parameter", "parameter = \"extra\"", "parameter = \"ultra\""},
        Fault{"condition_that_cannot_hold", "value = true", "value = \"yes\""},
        Fault{"default_of_wrong_type", "default = false", "default = 1"},
        Fault{"covers_not_positions", "covers = [[0], [1], [2]]", "covers = [0, 1, 2]"},
        Fault{"pocket_twice", "[\"0\", \"1\", \"2\"]", "[\"0\", \"1\", \"1\"]"},
        Fault{"text_for_unknown_code", "pleno = \"Pleno\"", "plena = \"Pleno\""},
        Fault{"text_in_unknown_language", "[text.es.bet]", "[text.fr.bet]"},
        Fault{"text_in_unknown_category", "[text.es.bet]", "[text.es.bets]"},
        Fault{"currency_unknown", "\"EUR\"", "\"PTA\""},
        Fault{"id_with_capitals", "\"pleno\"\non", "\"Pleno\"\non"},
        Fault{"set_by_unknown", "\"casino\"", "\"player\""}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(CatalogueLoader, gives_the_sha256_of_the_file_as_digest) {
  const talla::test::OpenSslHashes hash;
  const auto loaded = load(valid);
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)->digest, hash.sha256({as_bytes(valid)}));
}

TEST(CatalogueLoader, knows_the_built_in_files_by_id_and_no_others) {
  const talla::test::OpenSslHashes hash;
  ASSERT_FALSE(embedded_catalogues().empty());
  for (const auto& file : embedded_catalogues()) {
    const auto loaded = load_embedded(file.id, hash);
    EXPECT_TRUE(loaded) << loaded.error().text();
  }
  const auto unknown = load_embedded("es-1492", hash);
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().is(Errc::catalogue_unknown));
}

TEST(CatalogueTexts, are_complete_in_both_languages_in_every_built_in_file) {
  const talla::test::OpenSslHashes hash;
  for (const auto& file : embedded_catalogues()) {
    const auto loaded = load_embedded(file.id, hash);
    ASSERT_TRUE(loaded) << loaded.error().text();
    for (const auto& text : missing_texts(**loaded)) ADD_FAILURE() << file.id << ": " << text;
  }
}

TEST(CatalogueListing, names_all_that_a_scenario_may_use) {
  const auto loaded = load(valid);
  ASSERT_TRUE(loaded);
  const auto listed = describe(**loaded, (*loaded)->games.at(0), "es");
  for (const auto* key :
       {"bets", "limits", "actions", "places", "errors", "parameters", "equipment"}) {
    ASSERT_NE(listed.find(key), nullptr) << key;
    EXPECT_EQ(listed.find(key)->array().size(), 1U) << key;
  }
  EXPECT_EQ(listed.find("bets")->array().at(0).find("text")->string(), "Pleno");
}

TEST(Parameters, of_a_table_are_resolved_with_defaults_and_refused_when_unknown_or_not_allowed) {
  const auto loaded = load(valid);
  ASSERT_TRUE(loaded);
  const auto& game = (*loaded)->games.at(0);
  EXPECT_FALSE(Params::resolve(game, {}, "EUR")->boolean("extra"));
  EXPECT_TRUE(Params::resolve(game, json::Object{{"extra", true}}, "EUR")->boolean("extra"));
  EXPECT_TRUE(Params::resolve(game, json::Object{{"ultra", true}}, "EUR")
                  .error()
                  .is(Errc::parameter_unknown));
  EXPECT_TRUE(Params::resolve(game, json::Object{{"extra", 1}}, "EUR")
                  .error()
                  .is(Errc::parameter_not_allowed));
}

TEST(Parameters, a_word_of_digits_may_come_as_its_number_and_is_one_table) {
  const auto loaded = test::catalogue("es-valencia-2003");
  const auto* craps = loaded->game("craps");
  ASSERT_NE(craps, nullptr);
  for (const json::Value& given : {json::Value(15), json::Value("15")})
    EXPECT_EQ(
        Params::resolve(*craps, json::Object{{"seven_pays", given}}, "EUR")->choice("seven_pays"),
        "15");
  for (const json::Value& given : {json::Value(5), json::Value(-4), json::Value(true)})
    EXPECT_TRUE(Params::resolve(*craps, json::Object{{"seven_pays", given}}, "EUR")
                    .error()
                    .is(Errc::parameter_not_allowed));
}

TEST(Parameters, with_an_amount_need_the_amount_of_the_tables_own_currency) {
  const auto text =
      valid_with("type = \"bool\"\ndefault = false", "type = \"amount\"\ndefault = \"1000 ESP\"");
  const auto free_of_condition = [&] {
    std::string out = text;
    const auto from = out.find("covers_when");
    out.erase(from, out.find('\n', from) - from);
    return out;
  }();
  const auto loaded = load(free_of_condition);
  ASSERT_TRUE(loaded) << loaded.error().text();
  const auto& game = (*loaded)->games.at(0);
  EXPECT_EQ(Params::resolve(game, {}, "ESP")->fraction("extra"), Fraction(1000));
  EXPECT_TRUE(Params::resolve(game, {}, "EUR").error().is(Errc::parameter_missing));
  EXPECT_EQ(Params::resolve(game, json::Object{{"extra", 6}}, "EUR")->fraction("extra"),
            Fraction(6));
}

TEST(Table, refuses_games_it_cannot_play_and_tables_without_sense) {
  const auto loaded = load(valid);
  ASSERT_TRUE(loaded);
  TableConfig config{"some-wheel", {"EUR"}, 5, std::nullopt, {}};
  EXPECT_TRUE(Table::open(*loaded, config).error().is(Errc::game_not_available));
  config.game = "other";
  EXPECT_TRUE(Table::open(*loaded, config).error().is(Errc::game_unknown));
  config.min = 0;
  EXPECT_TRUE(Table::open(*loaded, config).error().is(Errc::table_invalid));
  const auto json = json::parse(R"({"currency":"EUR","min":5,"max":4})");
  EXPECT_TRUE(table_config_from_json("x", *json).error().is(Errc::table_invalid));
}

}  // namespace
}  // namespace talla::games
