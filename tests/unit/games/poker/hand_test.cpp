// Goal: hands stand in the order of the official texts, with the tie rules and readings of the
//       digests.
// Method: hands written out from the texts' lists, each list compared pair by pair; every reading
//         with its alternative.
#include <gtest/gtest.h>

#include <algorithm>

#include "games/errc.hpp"
#include "games/poker_hand.hpp"
#include "orders.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

const std::vector<std::string> one_hand_of_each = {
    "AS KS QS JS TS", "KH QH JH TH 9H", "7C 7D 7H 7S 2C", "TC TD TH 4S 4C", "AD JD 8D 5D 3D",
    "9C 8D 7H 6S 5C", "QC QD QH 7S 2C", "AC AD 3H 3S KC", "5C 5D AH KS QC", "AC QD JH 9S 7C"};

TEST(PokerHand_HC5, categories_stand_in_the_order_of_the_text) {
  const Ranker five = ranker(five_card_order());
  expect_descending(five, one_hand_of_each);
  const std::vector<Category> names = {royal_flush, straight_flush, four,     full, flush,
                                       straight,    trio,           two_pair, pair, high_card};
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(is(five, one_hand_of_each[i]), names[i]);
}

TEST(PokerHand_HC5, the_ace_runs_above_the_king_or_below_the_two_and_never_in_the_middle) {
  const Ranker five = ranker(five_card_order());
  EXPECT_EQ(is(five, "AC KD QH JS TC"), straight);
  EXPECT_EQ(is(five, "AC 2D 3H 4S 5C"), straight);
  EXPECT_EQ(is(five, "KC AD 2H 3S 4C"), high_card);
  EXPECT_EQ(is(five, "QC KD AH 2S 3C"), high_card);
  EXPECT_EQ(is(five, "AC 2C 3C 4C 5C"), straight_flush);
  EXPECT_EQ(is(five, "KC AC 2C 3C 4C"), flush);
}

TEST(PokerHand_A15, the_straight_with_the_low_ace_is_the_lowest_one) {
  const Ranker five = ranker(five_card_order());
  expect_descending(five, {"AC KD QH JS TC", "KC QD JH TS 9C", "6C 5D 4H 3S 2C", "5C 4D 3H 2S AC"});
  expect_descending(five, {"AC KC QC JC TC", "KC QC JC TC 9C", "6C 5C 4C 3C 2C", "5C 4C 3C 2C AC"});
  expect_equal(five, {"AC 2D 3H 4S 5C", "AD 2D 3H 4S 5S"});
}

TEST(PokerHand_A25, without_a_low_ace_the_five_are_high_cards_and_suited_a_flush) {
  auto order = five_card_order();
  order.ace_low_straight = false;
  EXPECT_EQ(is(ranker(order), "AC 2D 3H 4S 5C"), high_card);
  EXPECT_EQ(is(ranker(order), "AC 2C 3C 4C 5C"), flush);
}

TEST(PokerHand_HC5,
     ties_go_to_the_ranks_of_the_combination_then_to_the_other_cards_from_high_to_low) {
  const Ranker five = ranker(five_card_order());
  expect_descending(five, {"8C 8D 8H 8S 2C", "7C 7D 7H 7S AC", "7C 7D 7H 7S KC"});
  expect_descending(five, {"9C 9D 9H 2S 2C", "8C 8D 8H AS AC", "8C 8D 8H KS KC"});
  expect_descending(five, {"AD 9D 8D 7D 5D", "KD QD JD TD 8D", "KD QD JD TD 7D", "KD QD JD 9D 8D",
                           "KD QD TD 9D 8D"});
  expect_descending(five, {"9C 9D 9H 3S 2C", "8C 8D 8H AS KC", "8C 8D 8H AS QC", "8C 8D 8H KS QC"});
  expect_descending(five, {"KC KD 3H 3S 2C", "QC QD JH JS AC", "QC QD TH TS AC", "QC QD TH TS KC"});
  expect_descending(five, {"9C 9D 4H 3S 2C", "8C 8D AH KS QC", "8C 8D AH KS JC", "8C 8D AH QS JC",
                           "8C 8D KH QS JC"});
  expect_descending(five, {"AC 9D 8H 7S 6C", "KC QD JH TS 8C", "KC QD JH TS 7C", "KC QD JH 9S 8C",
                           "KC QD TH 9S 8C", "KC JD TH 9S 8C"});
}

TEST(PokerHand_HC5, suits_never_break_ties) {
  const Ranker five = ranker(five_card_order());
  expect_equal(five, {"AS KS QS JS TS", "AC KC QC JC TC", "AH KH QH JH TH"});
  expect_equal(five, {"8C 8D AH KS QC", "8H 8S AC KD QH"});
  expect_equal(five, {"AD JD 8D 5D 3D", "AS JS 8S 5S 3S"});
}

TEST(PokerHand_es_aragon_10_1_A_L263,
     ace_and_king_stand_between_pair_and_nothing_when_the_game_has_them) {
  const Ranker caribbean = ranker(ace_king_order());
  expect_descending(caribbean,
                    {"2C 2D 5H 4S 3C", "AC KD QH JS 9C", "AC KD QH JS 8C", "AC KD QH TS 9C",
                     "AC KD 4H 3S 2C", "AC QD JH TS 9C", "KC QD JH TS 8C"});
  EXPECT_EQ(is(caribbean, "AC KD 4H 3S 2C"), ace_king);
  EXPECT_EQ(is(caribbean, "AC AD KH 3S 2C"), pair);
  EXPECT_EQ(is(caribbean, "AC KD QH JS TC"), straight);
  EXPECT_EQ(is(caribbean, "AC KC QC 4C TC"), flush);
  EXPECT_EQ(is(caribbean, "AC QD JH TS 9C"), high_card);
  EXPECT_EQ(is(ranker(five_card_order()), "AC KD 4H 3S 2C"), high_card);
}

TEST(PokerHand_es_aragon_10_2_L1224, with_fewer_than_52_cards_the_flush_beats_the_full_house) {
  const Ranker stripped = ranker(stripped_order(8));
  expect_descending(stripped,
                    {"8C 8D 8H 8S 9C", "JD TD 9D 8D KD", "AC AD AH KS KC", "QC JD TH 9S 8C"});
  expect_descending(ranker(five_card_order()), {"TC TD TH 9S 9C", "AD JD 9D 8D KD"});
}

TEST(PokerHand_A52, the_ace_runs_below_the_lowest_rank_in_use) {
  expect_descending(ranker(stripped_order(8)),
                    {"QC JD TH 9S 8C", "AC 8D 9H TS JC", "AC AD AH KS QC"});
  expect_descending(ranker(stripped_order(7)),
                    {"JC TD 9H 8S 7C", "AC 7D 8H 9S TC", "AC AD AH KS QC"});
  expect_descending(ranker(stripped_order(6)),
                    {"TC 9D 8H 7S 6C", "AC 6D 7H 8S 9C", "AC AD AH KS QC"});
  expect_descending(ranker(stripped_order(8)),
                    {"QC JC TC 9C 8C", "AC 8C 9C TC JC", "9C 9D 9H 9S KC"});
  EXPECT_EQ(is(ranker(stripped_order(8)), "AC KD QH JS TC"), straight);
  EXPECT_EQ(is(ranker(five_card_order()), "AC 8D 9H TS JC"), high_card);
}

TEST(PokerHand_A53_euskadi_68,
     figuras_beat_two_pair_and_compare_the_highest_pair_then_the_other_cards) {
  const Ranker covered = ranker(with_figuras(five_card_order()));
  expect_descending(covered,
                    {"2C 2D 2H 4S 3C", "AC AD KH QS JC", "KC KD AH QS JC", "KC KD AH JS JC",
                     "KC KD QH QS JC", "JC JD AH KS QC", "AC AD KH KS TC", "AC AD KH QS TC"});
  EXPECT_EQ(is(covered, "KC KD QH QS JC"), figuras);
  EXPECT_EQ(is(covered, "KC KD KH QS JC"), trio);
  EXPECT_EQ(is(covered, "KC KD KH QS QC"), full);
  EXPECT_EQ(is(covered, "KC KD KH KS QC"), four);
  EXPECT_EQ(is(covered, "KC KD QH QS TC"), two_pair);
  EXPECT_EQ(is(ranker(five_card_order()), "KC KD QH QS JC"), two_pair);
}

TEST(PokerHand_euskadi_6_valencia_A22,
     the_literal_reading_of_ties_stops_at_the_cards_that_the_lists_name) {
  const Ranker named = ranker(literal(five_card_order()));
  expect_equal(named, {"8C 8D 8H AS AC", "8C 8D 8H KS KC"});
  expect_equal(named, {"7C 7D 7H 7S AC", "7C 7D 7H 7S KC"});
  expect_equal(named, {"8C 8D 8H AS KC", "8C 8D 8H QS JC"});
  expect_equal(named, {"KD QD JD TD 8D", "KD 5D 4D 3D 2D"});
  expect_equal(named, {"8C 8D AH KS QC", "8C 8D AH 3S 2C"});
  expect_descending(named, {"8C 8D AH 3S 2C", "8C 8D KH QS JC"});
  expect_descending(named, {"QC QD TH TS AC", "QC QD TH TS KC", "QC QD 9H 9S AC"});
  expect_descending(named, {"AC KD 9H 7S 6C", "AC KD 9H 7S 5C"});
  const Ranker covered = ranker(literal(with_figuras(five_card_order())));
  expect_equal(covered, {"KC KD AH QS JC", "KC KD AH JS JD"});
  expect_descending(covered, {"KC KD AH QS JC", "KC KD QH QS JC"});
}

TEST(PokerHand_es_aragon_10_1_D_L737, three_card_hands_stand_in_their_own_order) {
  const Ranker three = ranker(three_card_order());
  expect_descending(
      three, {"AS KS QS", "KH QH JH", "3H 2H AH", "AC AD AH", "2C 2D 2H", "AC KD QH", "4C 3D 2H",
              "3C 2D AH", "AD KD JD", "AD KD TD", "5D 3D 2D", "AC AD KH", "AC AD QH", "2C 2D AH",
              "2C 2D 3H", "AC KD JH", "AC KD TH", "AC QD JH", "5C 3D 2H"});
  EXPECT_EQ(is(three, "AS KS QS"), royal_flush);
  EXPECT_EQ(is(three, "KC AD 2H"), high_card);
  EXPECT_EQ(is(three, "3C 2C AC"), straight_flush);
  expect_equal(three, {"AS KS QS", "AD KD QD"});
  expect_equal(three, {"AC AD KH", "AH AS KC"});
}

TEST(PokerHand_A39, a_game_without_a_royal_flush_counts_it_as_a_straight_flush) {
  auto order = three_card_order();
  order.low_to_high.pop_back();
  EXPECT_EQ(is(ranker(order), "AS KS QS"), straight_flush);
  expect_descending(ranker(order), {"AS KS QS", "KS QS JS", "3S 2S AS", "AC AD AH"});
}

TEST(PokerHand_es_euskadi_14_9084, pai_gow_begins_with_five_aces_and_puts_the_low_ace_second) {
  const Ranker pai_gow = ranker(pai_gow_order());
  expect_descending(pai_gow, {"AC AD AH AS Jk", "AS KS QS JS TS", "AS 2S 3S 4S 5S",
                              "KS QS JS TS 9S", "KC KD KH KS AC"});
  expect_descending(pai_gow, {"AC KD QH JS TC", "AC 2D 3H 4S 5C", "KC QD JH TS 9C",
                              "6C 5D 4H 3S 2C", "AC AD AH KS QC"});
  EXPECT_EQ(is(pai_gow, "AC AD AH AS Jk"), five_aces);
  EXPECT_EQ(is(pai_gow, "AC AD AH AS KC"), four);
}

TEST(PokerHand_A29, the_joker_is_an_ace_or_completes_a_straight_a_flush_or_a_straight_flush) {
  const Ranker pai_gow = ranker(pai_gow_order());
  expect_equal(pai_gow, {"KC KD Jk 7S 2C", "KC KD AH 7S 2C"});  // never a third king
  expect_equal(pai_gow, {"AC Jk KD 7S 2C", "AC AD KD 7S 2C"});
  expect_equal(pai_gow, {"AC AD Jk 7S 7C", "AC AD AH 7S 7C"});
  expect_equal(pai_gow, {"3C 4D 5H 6S Jk", "3C 4D 5H 6S 7C"});
  expect_equal(pai_gow, {"2C 3D 4H 5S Jk", "2C 3D 4H 5S AC"});
  expect_equal(pai_gow, {"TC JD QH KS Jk", "TC JD QH KS AC"});
  expect_equal(pai_gow, {"AC 2D 4H 5S Jk", "AC 2D 3H 4S 5C"});
  expect_equal(pai_gow,
               {"AD JD 8D 5D Jk", "AD KD JD 8D 5D"});  // the highest rank that the flush lacks
  expect_equal(pai_gow, {"KD JD 8D 5D Jk", "AD KD JD 8D 5D"});
  expect_equal(pai_gow, {"9D TD JD QD Jk", "9D TD JD QD KD"});
  expect_equal(pai_gow, {"TD JD QD KD Jk", "TS JS QS KS AS"});
  expect_equal(pai_gow, {"2D 3D 4D 5D Jk", "AD 2D 3D 4D 5D"});
  expect_equal(pai_gow, {"9C 9D 9H Jk 2C", "9C 9D 9H AS 2C"});
  expect_equal(pai_gow, {"QC JD 9H 7S Jk", "AC QD JH 9S 7C"});
}

TEST(PokerHand_A29, read_as_an_ace_only_it_never_stands_for_another_rank) {
  const Ranker pai_gow = ranker(pai_gow_order(JokerMode::ace_only));
  EXPECT_EQ(is(pai_gow, "3C 4D 5H 6S Jk"), high_card);
  EXPECT_EQ(is(pai_gow, "AD JD 8D 5D Jk"), pair);
  EXPECT_EQ(is(pai_gow, "KD JD 8D 5D Jk"), flush);
  EXPECT_EQ(is(pai_gow, "TC JD QH KS Jk"), straight);
  EXPECT_EQ(is(pai_gow, "2C 3C 4C 5C Jk"), straight_flush);
  EXPECT_EQ(is(pai_gow, "AC AD AH AS Jk"), five_aces);
}

TEST(PokerHand_es_aragon_10_1_C_L552,
     the_low_hand_is_a_pair_or_high_cards_and_two_aces_are_its_best) {
  const Ranker pai_gow = ranker(pai_gow_order());
  expect_descending(pai_gow, {"AC AD", "KC KD", "2C 2D", "AC KD", "AC QD", "KC QD", "3C 2D"});
  expect_equal(pai_gow, {"AC AD", "AC Jk"});
  expect_equal(pai_gow, {"KC Jk", "KC AD"});
  EXPECT_EQ(is(pai_gow, "KC Jk"), high_card);
}

TEST(PokerHand, the_best_five_of_six_and_seven_are_found_and_named) {
  const Ranker five = ranker(five_card_order());
  expect_equal(five, {"2C 2D AH KH QH JH TH", "AH KH QH JH TH", "AH KH QH JH TH 9H"});
  expect_equal(five, {"AC AD AH KS KC QD QH", "AC AD AH KS KC"});
  expect_equal(five, {"AC AD KS KC QD QH 2S", "AC AD KS KC QS"});
  expect_equal(five, {"AC AD AH KS KC KD QH", "AC AD AH KS KC"});
  const auto chosen = five.cards_of_best(cards("2C AH 3D KH QH JH TH"));
  EXPECT_EQ(chosen, cards("AH KH QH JH TH"));
  EXPECT_EQ(five.cards_of_best(cards("9C 9D 9H 9S KC KD 2S")), cards("9C 9D 9H 9S KC"));
}

TEST(PokerHand_A77, cards_showing_count_pairs_threes_and_fours_but_no_straights_and_flushes) {
  const Ranker five = ranker(five_card_order());
  const auto showing = [&](const char* text) { return five.showing(cards(text)); };
  EXPECT_GT(showing("2C 2D 2H 2S"), showing("AC AD AH KS"));
  EXPECT_GT(showing("2C 2D 2H 3S"), showing("AC AD KH KS"));
  EXPECT_GT(showing("3C 3D 2H 2S"), showing("AC AD KH QS"));
  EXPECT_GT(showing("2C 2D 4H 3S"), showing("AC KC QC JC"));
  EXPECT_GT(showing("AC 5D 4H 3S"), showing("KC QC JC TC"));
  EXPECT_GT(showing("2C 2D"), showing("AC KD"));
  EXPECT_GT(showing("AC"), showing("KC"));
  EXPECT_EQ(showing("AC KC QC"), showing("AD KH QS"));
  EXPECT_EQ(five.category(showing("AC KC QC")), high_card);
  EXPECT_EQ(five.category(showing("2C 2D 3H 3S")), two_pair);
}

TEST(PokerHand_es_aragon_10_2_B_b_L1623, omaha_takes_exactly_two_own_and_three_common_cards) {
  const Ranker five = ranker(five_card_order());
  const auto omaha = [&](const char* own, const char* common) {
    return five.category(five.best_two_three(cards(own), cards(common)));
  };
  EXPECT_EQ(omaha("AS 2C 3D 4H", "KS QS JS TS 9D"),
            high_card);  // one spade of his own makes no flush, one card no straight
  EXPECT_EQ(omaha("AS 2S 7D 4H", "KS QS JS TS 9D"), flush);
  EXPECT_EQ(omaha("AS KS 7D 4H", "QS JS TS 9D 2H"), royal_flush);
  EXPECT_EQ(omaha("AS AC AD AH", "KS KC QD JH 2H"), two_pair);
  EXPECT_EQ(omaha("9S 8C", "TS TC TD TH 7H"), trio);  // synthetic: both own cards play
  EXPECT_EQ(five.cards_of_best_two_three(cards("2C AS 3D KS"), cards("4H QS JS 9D TS")),
            cards("AS KS QS JS TS"));
}

TEST(PokerHand_euskadi_49,
     the_low_hand_is_ace_to_five_eight_or_better_from_two_own_and_three_common_cards) {
  const auto low = [](const char* own, const char* common) {
    return low_of_two_three(cards(own), cards(common));
  };
  const auto wheel =
      low("AS 2S KD KH", "3S 4S 5S KC QC");  // a straight flush does not count against it
  ASSERT_TRUE(wheel);
  const auto six = low("AS 2S KD KH", "3C 4S 6S KC QC");
  ASSERT_TRUE(six);
  const auto seven_six = low("AS 2S KD KH", "3C 6S 7S KC QC");
  const auto seven_five = low("AS 2S KD KH", "3C 5S 7S KC QC");
  const auto eight = low("7S 6S KD KH", "5C 4S 8S KC QC");
  ASSERT_TRUE(seven_six && seven_five && eight);
  EXPECT_LT(*wheel, *six);
  EXPECT_LT(*six, *seven_five);
  EXPECT_LT(*seven_five, *seven_six);
  EXPECT_LT(*seven_six, *eight);
  EXPECT_FALSE(low("AS 2S 3D 4H", "5C 6S 9S KC QC"));  // only two low common cards
  EXPECT_FALSE(low("AS AC 3D 3H", "AH 3C 5S KC QC"));
  EXPECT_FALSE(low("AS KC QD JH", "2H 3C 5S 6C 7C"));  // only one low card of his own
  EXPECT_TRUE(low("AS 2C KD KH", "AH 3C 5S 8C 2D"));
  EXPECT_EQ(low("AS 2C KD KH", "AH 3C 5S 8C 2D"), low("AD 2S KD KH", "AH 3D 5C 8S 2H"));
}

TEST(PokerHand, names_read_back_and_unknown_ones_are_refused) {
  for (std::size_t i = 0; i < categories_count; ++i) {
    const auto category = static_cast<Category>(i);
    EXPECT_EQ(category_from(category_name(category)).value(), category);
  }
  EXPECT_EQ(category_name(straight_flush), "straight-flush");
  EXPECT_EQ(category_name(trio), "trio");
  const auto unknown = category_from("straight flush");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().is(Errc::catalogue_malformed));
}

TEST(PokerHand, orders_that_say_nothing_sensible_are_refused) {
  const auto refused = [](const HandOrder& order) {
    const auto made = Ranker::create(order);
    return !made && made.error().is(Errc::catalogue_malformed);
  };
  auto order = five_card_order();
  EXPECT_FALSE(refused(order));
  order.low_to_high.push_back(pair);
  EXPECT_TRUE(refused(order));
  order.low_to_high = {};
  EXPECT_TRUE(refused(order));
  order.low_to_high = {pair, high_card};
  EXPECT_TRUE(refused(order));
  EXPECT_TRUE(refused(stripped_order(1)));
  EXPECT_TRUE(refused(stripped_order(11)));
  order = pai_gow_order();
  order.ace_low_straight = false;
  EXPECT_TRUE(refused(order));
}

TEST(PokerHandDeathTest, what_is_no_hand_stops_the_program) {
  const Ranker five = ranker(five_card_order());
  EXPECT_DEATH((void)five.best(cards("AS KS QS JS")), "check failed|best_cards_max|hand_cards_max");
  EXPECT_DEATH((void)five.best(cards("AS KS QS JS Jk")), "joker");
  EXPECT_DEATH((void)five.best(cards("AS KS QS JS 1o")), "french");
  EXPECT_DEATH((void)five.best_two_three(cards("AS"), cards("KS QS JS")), "own");
}

}  // namespace
}  // namespace talla::games::poker
