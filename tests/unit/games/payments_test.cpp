// Goal: settlements stand in the order in which the text has the croupier pay (PaymentOrder).
// Method: one spin or coup with bets placed the other way round; the orders are those of the texts.
#include <gtest/gtest.h>

#include "games/scenario.hpp"
#include "play_support.hpp"

namespace talla::games::test::payments_order {
namespace {

Result<std::shared_ptr<const Catalogue>> lookup(std::string_view id) {
  return catalogue(id);
}

/// The bets in the order in which they are settled.
std::vector<std::string> settled(const std::string& head, const std::vector<std::string>& steps) {
  std::string text = "{" + head + ",\"steps\":[";
  for (std::size_t i = 0; i < steps.size(); ++i) text += (i == 0 ? "" : ",") + steps[i];
  const auto all = read_scenarios(text + "]}");
  TALLA_CHECK(all.size() == 1 && all.front().scenario.has_value());
  const auto outcome = run_scenario(*all.front().scenario, &lookup);
  EXPECT_FALSE(outcome.error) << outcome.error->text();
  std::vector<std::string> out;
  for (const auto& one : outcome.settlements) out.push_back(one.bet);
  return out;
}

std::string bet(const std::string& kind, const std::string& on = "", int seat = 1) {
  return R"({"bet":{"id":")" + kind + std::to_string(seat) + R"(","seat":)" + std::to_string(seat) +
         R"(,"kind":")" + kind + R"(","stake":100)" + (on.empty() ? "" : R"(,"on":)" + on) + "}}";
}
const std::string close_bets = R"({"close":true})";

std::string table(const std::string& catalogue_id, const std::string& game,
                  const std::string& currency) {
  return R"("catalogue":")" + catalogue_id + R"(","game":")" + game + R"(","table":{"currency":")" +
         currency + R"(","unit":1,"min":10})";
}

/// 1: odd, red, falta, first column, first dozen.
const std::vector<std::string> spin_of_one{bet("pleno", "[1]"),
                                           bet("cuadro", "[1,2,4,5]"),
                                           bet("transversal", "[1,2,3]"),
                                           bet("rojo"),
                                           bet("falta"),
                                           bet("docena", "[1]"),
                                           bet("negro"),
                                           bet("impar"),
                                           bet("columna", "[1]"),
                                           close_bets,
                                           R"({"wheel":"1"})"};

using Order = std::vector<std::string>;

// 001 L64 (01 IV.3.c): columns and dozens, simple chances, rows, squares, numbers last; what lost
// is collected before.
TEST(Payments, of_the_french_wheel_go_from_columns_to_numbers) {
  EXPECT_EQ(settled(table("es-1977", "french-roulette", "ESP"), spin_of_one),
            (Order{"negro1", "columna1", "docena1", "rojo1", "impar1", "falta1", "transversal1",
                   "cuadro1", "pleno1"}));
}

// 001 L80 (02 III.b): column, pasa, impar, negro, rojo, par, falta, dozen, row, square, pair,
// number.
TEST(Payments, of_the_american_wheel_go_round_the_cloth) {
  EXPECT_EQ(settled(table("es-1977", "american-roulette-single-zero", "ESP"), spin_of_one),
            (Order{"negro1", "columna1", "impar1", "rojo1", "falta1", "docena1", "transversal1",
                   "cuadro1", "pleno1"}));
}

const std::vector<std::string> spin_of_two_seats{
    bet("pleno", "[1]", 1), bet("rojo", "", 1), bet("docena", "[1]", 2), bet("columna", "[1]", 1),
    bet("pleno", "[1]", 2), close_bets,         R"({"wheel":"1"})"};

// 000 L533 (02 III.b): who has several winning combinations is paid all of them at once.
TEST(Payments, of_one_player_come_together_where_the_text_says_so) {
  EXPECT_EQ(
      settled(table("es-valencia-2003", "american-roulette-single-zero", "EUR"), spin_of_two_seats),
      (Order{"columna1", "rojo1", "pleno1", "docena2", "pleno2"}));
}

// 003 L1084-1090 (02 III.b): all at once but the simple chances.
TEST(Payments, of_simple_chances_are_not_taken_together) {
  EXPECT_EQ(
      settled(table("es-euskadi-2010", "american-roulette-single-zero", "EUR"), spin_of_two_seats),
      (Order{"columna1", "pleno1", "rojo1", "docena2", "pleno2"}));
}

/// Black 36 with a red card first, red 31: red wins, and colour with it.
const std::vector<std::string> coup{
    R"({"shoe":"new"})", R"({"cards":["KD","QD","6D","TD","KS","QS","TS","AS"]})",
    bet("rojo"),         bet("inverso"),
    bet("color"),        bet("negro"),
    close_bets};

// 001 L197 (05 V.3): inverse and black or red and colour; what lost is taken away before.
TEST(Payments, of_trente_et_quarante_go_chance_by_chance) {
  EXPECT_EQ(settled(table("es-1977", "trente-et-quarante", "ESP"), coup),
            (Order{"inverso1", "negro1", "rojo1", "color1"}));
}

// 000 L1047, 003 L2894 (05 V.3): colour or inverse first, then black and red.
TEST(Payments, of_trente_et_quarante_begin_with_colour_in_later_texts) {
  for (const std::string id : {"es-valencia-2003", "es-euskadi-2010"}) {
    EXPECT_EQ(settled(table(id, "trente-et-quarante", "EUR"), coup),
              (Order{"inverso1", "negro1", "color1", "rojo1"}));
  }
}

}  // namespace
}  // namespace talla::games::test::payments_order
