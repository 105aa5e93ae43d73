// Goal: what is ordered for a laboratory has one spelling, and outcomes of its tables follow from
//   their bits by the mapping of play, never by its tape (FORMAT.md section 15).
// Method: texts that are and are not orders; the tape of a draw written out; every game of every
//   catalogue asked for its table.
#include "format/lab_table.hpp"

#include <gtest/gtest.h>

#include "bodies.hpp"
#include "format/call.hpp"
#include "format/errc.hpp"
#include "games/catalogue.hpp"
#include "games/odds.hpp"
#include "shuffle/errors.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs {
namespace {

TEST(LabTable, each_has_one_spelling_and_reads_back) {
  for (const char* text :
       {"lab/es-1977/french-roulette/wheel-37", "lab/es-1977/craps/dice-2x6", "lab/a/b/lots-90",
        "lab/a/b/lots-2-3-4", "lab/es-1977/punto-banco/shoe-french52x6",
        "lab/a/b/shoe-french52-234567x1", "lab/a/b/shoe-balls90x1", "lab/a/b/wheel-1024"}) {
    const auto table = LabTable::parse(text);
    ASSERT_TRUE(table) << text;
    EXPECT_EQ(table->text(), text);
  }
  for (const char* text : {"",
                           "lab",
                           "lab/",
                           "lab//b/wheel-37",
                           "lab/a//wheel-37",
                           "lab/a/b/",
                           "lab/a/b/wheel",
                           "lab/a/b/wheel-",
                           "lab/a/b/wheel-1",
                           "lab/a/b/wheel-1025",
                           "lab/a/b/wheel-037",
                           "lab/a/b/wheel-+37",
                           "lab/a/b/wheel-37 ",
                           "lab/a/b/wheel-37-38",
                           "lab/a/b/dice-2",
                           "lab/a/b/dice-2x6x6",
                           "lab/a/b/dice-9x6",
                           "lab/a/b/dice-2x101",
                           "lab/a/b/lots-1",
                           "lab/a/b/lots--2",
                           "lab/a/b/lots-4294967296",
                           "lab/a/b/shoe-french52x9",
                           "lab/a/b/shoe-french52x08",
                           "lab/a/b/ball-90",
                           "lab/A/b/wheel-37",
                           "lab/a/b/c/wheel-37",
                           "LAB/a/b/wheel-37",
                           "lab/a b/c/wheel-37",
                           "lab/a/b/wheel-37\n"})
    EXPECT_FALSE(LabTable::parse(text)) << text;
  const std::string long_name(65, 'a');
  EXPECT_FALSE(LabTable::parse("lab/" + long_name + "/b/wheel-37"));
}

TEST(LabTable, an_order_has_one_spelling_and_its_bounds) {
  const std::string wheel = "lab/es-1977/french-roulette/wheel-37";
  for (const std::string& text :
       {wheel + ":1:a", wheel + ":80000:urn:of:colons", std::string("bits:64:a"),
        std::string("raw-7:10485760:a"), std::string("lab/a/b/shoe-french52x8:3000:a")}) {
    const auto order = SampleOrder::parse(text);
    ASSERT_TRUE(order) << text;
    EXPECT_EQ(order->text(), text);
  }
  for (const std::string& text :
       {wheel, wheel + ":", wheel + ":0:a", wheel + ":80001:a", wheel + ":01:a", wheel + ":-1:a",
        wheel + ":1:", wheel + "x:1:a", std::string("lab/a/b/shoe-french52x8:3001:a"),
        std::string("bits:63:a"), std::string("raw-8:64:a"), std::string("lab/x:64:a"),
        wheel + ":99999999999999999999:a"})
    EXPECT_FALSE(SampleOrder::parse(text)) << text;
}

TEST(LabTable, a_draw_is_mapped_as_in_play_by_a_tape_of_its_own) {
  const auto table = *LabTable::parse("lab/es-1977/craps/dice-2x6");
  const Digest asked{7};
  std::size_t differs = 0;
  for (std::uint8_t i = 0; i < 100; ++i) {
    Digest bits{};
    bits.front() = i;
    auto tape = shuffle::Tape::from_hmac(hashes, bits, "lab", {asked});
    const auto values = shuffle::draw_values(tape, DiceDraw{2, 6});
    const auto said = lab_outcome(hashes, table, bits, asked);
    ASSERT_TRUE(said && values);
    EXPECT_EQ(*said, std::to_string(values->at(0)) + " " + std::to_string(values->at(1)));
    const auto play = map_draw(hashes, DiceDraw{2, 6}, bits, asked, {});
    ASSERT_TRUE(play);
    if (play->outcome.values != *values) ++differs;
  }
  EXPECT_GT(differs, 80U) << "35 of 36 differ where the tapes do";
}

TEST(LabTable, a_shoe_takes_exactly_its_bits) {
  const auto table = *LabTable::parse("lab/a/b/shoe-spanish40x1");
  Bytes bits(table.outcome_bytes(), 0x5a);
  const auto said = lab_outcome(hashes, table, bits, {});
  ASSERT_TRUE(said) << said.error().text();
  auto tape = shuffle::Tape::borrowed(bits);
  const auto order = shuffle::shuffle_shoe(tape, *table.shoe());
  ASSERT_TRUE(order);
  EXPECT_EQ(said->substr(0, 2), order->front().text());
  bits.resize(bits.size() + sizeof(std::uint64_t));
  EXPECT_TRUE(lab_outcome(hashes, table, bits, {}).error().is(FormatErrc::malformed_specification));
  bits.resize(sizeof(std::uint64_t));
  EXPECT_TRUE(lab_outcome(hashes, table, bits, {}).error().is(shuffle::Errc::tape_exhausted));
  EXPECT_FALSE(lab_outcome(hashes, *LabTable::parse("lab/a/b/wheel-37"), bits, {}));
}

TEST(LabTable, every_game_of_every_catalogue_has_one_by_its_own_settings) {
  std::size_t games_count = 0;
  for (const auto& one : games::embedded_catalogues()) {
    const auto catalogue = games::load_embedded(one.id, hashes);
    ASSERT_TRUE(catalogue);
    for (const auto& game : (*catalogue)->games) {
      const auto table = games::odds_table(*catalogue, game.id, json::Object{});
      if (!table) continue;  // of a family without an engine
      std::size_t own = 0;
      for (const bool shoe : {true, false}) {
        const auto lab = LabTable::of(*table, one.id, shoe);
        if (!lab) continue;
        ++own;
        EXPECT_EQ(LabTable::parse(lab->text())->text(), lab->text());
      }
      EXPECT_TRUE(own > 0 || game.id == "tournament") << one.id << " " << game.id;
      if (own > 0) ++games_count;
    }
  }
  EXPECT_GE(games_count, 65U);
}

}  // namespace
}  // namespace talla::certs
