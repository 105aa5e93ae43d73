// Goal: what must hold of every game of every built-in catalogue, whoever wrote it.
// Method: the embedded files are read as the appliance reads them; outcomes of draws are counted
// exactly (PROTOCOL section 3), texts and readings looked up. Readings are compared with the
// digests of games/catalogues/readings.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "games/engine_registry.hpp"
#include "play_support.hpp"
#include "shuffle/deck.hpp"
#include "support/source_tree.hpp"

namespace talla::games {
namespace {

__extension__ using Count = unsigned __int128;

struct Listed {
  std::shared_ptr<const Catalogue> catalogue;
  const GameRules* game;
};

std::vector<Listed> all_games() {
  std::vector<Listed> out;
  for (const auto& file : embedded_catalogues()) {
    const auto one = test::catalogue(file.id);
    for (const auto& game : one->games) out.push_back({one, &game});
  }
  return out;
}

std::string name_of(const Listed& one) {
  return one.catalogue->id + " " + one.game->id;
}

/// Outcomes of one draw, or nothing when there are 2^128 or more.
std::optional<Count> outcomes(const Draw& draw) {
  if (draw.kind == DrawKind::wheel) return Count{draw.pockets.size()};
  Count total = 1;
  for (std::uint32_t i = 0; i < draw.count; ++i) {
    const Count factor = draw.kind == DrawKind::dice ? draw.faces : draw.faces - i;
    if (factor == 0 || total > ~Count{0} / factor) return std::nullopt;
    total *= factor;
  }
  return total;
}

TEST(Outcomes, are_counted_exactly_up_to_two_to_the_128) {
  EXPECT_EQ(*outcomes({DrawKind::wheel, {"0", "1", "2"}, 1, 0}), 3U);
  EXPECT_EQ(*outcomes({DrawKind::dice, {}, 2, 6}), 36U);
  EXPECT_EQ(*outcomes({DrawKind::balls, {}, 3, 90}), 90U * 89U * 88U);
  EXPECT_TRUE(outcomes({DrawKind::dice, {}, 127, 2}));
  EXPECT_FALSE(outcomes({DrawKind::dice, {}, 128, 2}));
  EXPECT_TRUE(outcomes({DrawKind::balls, {}, 20, 90}));
  EXPECT_FALSE(outcomes({DrawKind::balls, {}, 21, 90}));
  EXPECT_FALSE(outcomes({DrawKind::balls, {}, 90, 90}));
  EXPECT_FALSE(outcomes({DrawKind::lots, {}, 3, 2}));
}

TEST(EveryCatalogue, shows_at_once_only_draws_of_less_than_two_to_the_128_outcomes_PROTOCOL_3) {
  for (const auto& one : all_games()) {
    if (!one.game->draw) continue;
    const auto count = outcomes(*one.game->draw);
    EXPECT_TRUE(count && *count > 1) << name_of(one);
  }
}

TEST(EveryCatalogue, deals_one_by_one_from_a_sealed_shoe_PROTOCOL_3) {
  for (const auto& one : all_games()) {
    EXPECT_TRUE(one.game->shoe || one.game->places.empty())
        << name_of(one) << " has places and no shoe";
    // A tournament only counts chips: its hands are dealt at tables of their game.
    const bool deals = one.game->family != "tournament";
    EXPECT_EQ(one.game->shoe || one.game->draw, deals) << name_of(one) << " has no equipment";
    // Balls drawn one by one would be draws of one ball each; those belong into a shoe.
    const bool single =
        one.game->draw && one.game->draw->count == 1 &&
        (one.game->draw->kind == DrawKind::balls || one.game->draw->kind == DrawKind::lots);
    EXPECT_FALSE(single && one.game->draw->kind == DrawKind::balls) << name_of(one);
    if (!one.game->shoe) continue;
    const auto deck = shuffle::DeckSpec::parse(one.game->shoe->deck);
    ASSERT_TRUE(deck) << name_of(one) << ": " << one.game->shoe->deck;
    EXPECT_EQ(deck->cards_count(), one.game->shoe->cards_count) << name_of(one);
    EXPECT_LT(one.game->shoe->stop_depth, one.game->shoe->cards_count) << name_of(one);
  }
}

TEST(EveryCatalogue, is_played_by_an_engine_in_every_game_of_its_list) {
  for (const auto& one : all_games())
    EXPECT_NE(find_engine(one.game->family), nullptr) << name_of(one);
}

TEST(EveryCatalogue, has_its_texts_in_both_languages_and_none_that_is_empty) {
  for (const auto& file : embedded_catalogues()) {
    const auto one = test::catalogue(file.id);
    for (const auto& missing : missing_texts(*one)) ADD_FAILURE() << file.id << ": " << missing;
    for (const auto* language : {"es", "en"}) {
      ASSERT_TRUE(one->texts.contains(language)) << file.id;
      for (const auto& [category, texts] : one->texts.at(language)) {
        for (const auto& [code, text] : texts) {
          EXPECT_NE(text.find_first_not_of(" \t"), std::string::npos)
              << language << ' ' << category << ' ' << code;
        }
      }
    }
  }
}

// --- readings
// -------------------------------------------------------------------------------------------------

/// Every citation of a game, by where it stands.
void visit(const GameRules& game,
           const std::function<void(const std::string&, const Citation&)>& look) {
  look("game", game.cite);
  if (game.draw_cite) look("draw", *game.draw_cite);
  if (game.shoe_cite) look("shoe", *game.shoe_cite);
  for (const auto& bet : game.bets) {
    look("bet " + bet.id, bet.cite);
    for (const auto& more : bet.covers_when) look("bet " + bet.id, more.cite);
    for (const auto& payout : bet.payouts) look("payout of " + bet.id, payout.cite);
    for (const auto& more : bet.payouts_when) look("payout of " + bet.id, more.payout.cite);
  }
  for (const auto& limit : game.limits) look("limit", limit.cite);
  for (const auto& minimum : game.minimums) look("minimum", minimum.cite);
  for (const auto& rule : game.parameters) look("parameter " + rule.id, rule.cite);
  for (const auto& one : game.actions) look("action " + one.id, one.cite);
  for (const auto& one : game.places) look("place " + one.id, one.cite);
  for (const auto& error : game.errors) look("error " + error.code, error.cite);
  for (const auto& [id, block] : game.data) look("data " + id, block.cite);
}

/// Numbers of the ambiguities that a digest lists at its end.
std::set<int> listed_in(const std::string& digest) {
  const auto path =
      talla::test::source_tree().string() + "/games/catalogues/readings/" + digest + ".md";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no digest " + path);
  std::set<int> out;
  static const std::regex entry("^A?([0-9]+)\\. .*");
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) inside = line.starts_with("## Ambiguities");
    std::smatch found;
    if (inside && std::regex_match(line, found, entry)) out.insert(std::stoi(found[1].str()));
  }
  return out;
}

/// The digest that holds a game of a catalogue: one for each, two for Euskadi (games 01-10, 11-17).
std::string digest_of(const std::string& catalogue, const std::string& number) {
  if (catalogue != "es-euskadi-2010") return catalogue;
  return std::stoi(number) <= 10 ? catalogue + "-a" : catalogue + "-b";
}

/// Ids of the table "Readings of our own" beside the digests.
std::set<std::string> own_readings() {
  std::ifstream file(talla::test::source_tree().string() + "/games/catalogues/readings/own.md");
  std::set<std::string> out;
  static const std::regex row("^\\| (H[1-9][0-9]*) \\|.*");
  for (std::string line; std::getline(file, line);) {
    std::smatch found;
    if (std::regex_match(line, found, row)) out.insert(found[1].str());
  }
  return out;
}

TEST(EveryCatalogue, names_readings_that_its_digest_or_our_own_list_has) {
  static const std::regex form("[AH][1-9][0-9]{0,2}");
  std::map<std::string, std::set<int>> known;
  const auto own = own_readings();
  std::set<std::string> used;
  for (const auto& one : all_games()) {
    visit(*one.game, [&](const std::string& where, const Citation& cite) {
      if (cite.reading.empty()) return;
      ASSERT_TRUE(std::regex_match(cite.reading, form))
          << name_of(one) << ", " << where << ": " << cite.reading;
      if (cite.reading.front() == 'H') {
        used.insert(cite.reading);
        EXPECT_TRUE(own.contains(cite.reading))
            << name_of(one) << ", " << where << ": " << cite.reading;
        return;
      }
      // A figure lent by another catalogue is read as that one's digest says.
      const auto source = cite.inherited.empty() ? one.catalogue->id : cite.inherited;
      const auto digest =
          digest_of(source, cite.inherited.empty() ? one.game->number : cite.number);
      if (!known.contains(digest)) known[digest] = listed_in(digest);
      EXPECT_TRUE(known[digest].contains(std::stoi(cite.reading.substr(1))))
          << name_of(one) << ", " << where << ": " << digest << " lists no " << cite.reading;
    });
  }
  EXPECT_EQ(used, own);
}

TEST(EveryCatalogue, gives_each_choice_of_a_reading_its_id_and_its_default) {
  for (const auto& one : all_games()) {
    for (const auto& rule : one.game->parameters) {
      if (rule.set_by != SetBy::reading) continue;
      const auto name = name_of(one) + " " + rule.id;
      EXPECT_FALSE(rule.cite.reading.empty()) << name << " names no reading";
      EXPECT_TRUE(rule.fallback) << name << " has no recommended default";
      EXPECT_TRUE(rule.allowed.size() > 1 || rule.type == ParameterType::boolean || rule.min ||
                  rule.max)
          << name << " leaves no choice";
    }
  }
}

TEST(Digests, list_what_the_regular_expression_reads_out_of_them) {
  const auto valencia = listed_in("es-valencia-2003");
  EXPECT_EQ(valencia.size(), 63U);
  EXPECT_EQ(*valencia.rbegin(), 63);
  EXPECT_EQ(listed_in("es-aragon-2010").size(), 78U);
  EXPECT_EQ(listed_in("es-1977").size(), 90U);
}

}  // namespace
}  // namespace talla::games
