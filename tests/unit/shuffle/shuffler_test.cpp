// Goal: what a shuffling machine is told leads to exactly the sealed order, for every order.
// Method: all orders of up to 7 cards through machines that really sort and empty; long orders with
//   copies; bad input.
#include "shuffle/shuffler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "shuffle/permutation.hpp"
#include "shuffle/shoe.hpp"
#include "small_words.hpp"
#include "support/wiped.hpp"

namespace talla::shuffle {
namespace {

std::vector<std::uint32_t> places_of(std::size_t n) {
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

/// Runs the cards through the passes; afterwards the card fed at i lies at the place that is
/// returned for i.
std::vector<std::uint32_t> run(const ShelfMachine& machine, std::span<const std::uint8_t> passes,
                               std::size_t n) {
  std::vector<std::uint32_t> fed = places_of(n);  // index in the first feed
  for (std::size_t at = 0; at < passes.size(); at += n) {
    const auto out = shelf_empty(machine, passes.subspan(at, n)).value();
    std::vector<std::uint32_t> after;
    for (const auto index : out) after.push_back(fed[index]);
    fed = after;
  }
  std::vector<std::uint32_t> places(n);
  for (std::uint32_t place = 0; place < n; ++place) places[fed[place]] = place;
  return places;
}

TEST(Shelf, every_order_of_up_to_seven_cards_comes_out_of_every_small_machine) {
  int orders = 0;
  for (std::size_t n = 1; n <= 7; ++n) {
    auto places = places_of(n);
    do {
      ++orders;
      for (const ShelfMachine machine :
           {ShelfMachine{2}, ShelfMachine{2, true}, ShelfMachine{3}, ShelfMachine{3, true},
            ShelfMachine{7}, ShelfMachine{8, true}}) {
        const auto passes = shelf_compartments(machine, places).value();
        ASSERT_EQ(passes.size(), n * shelf_passes(machine, static_cast<std::uint32_t>(n)).value());
        ASSERT_EQ(run(machine, passes, n), places) << machine.compartments << machine.reverses;
      }
    } while (std::ranges::next_permutation(places).found);
  }
  EXPECT_EQ(orders, 1 + 2 + 6 + 24 + 120 + 720 + 5040);
}

TEST(Shelf, an_eight_deck_shoe_takes_two_passes_of_thirty_and_no_shelf_holds_more_than_thirty) {
  const Bytes bytes = seeded_bytes(7, 8 * 64);
  Tape tape = Tape::borrowed(bytes);
  const auto drawn = draw_permutation(tape, 416).value();
  const std::vector<std::uint32_t> places(drawn.begin(), drawn.end());
  for (const bool reverses : {false, true}) {
    const ShelfMachine machine{30, reverses};
    EXPECT_EQ(shelf_passes(machine, 416).value(), 2U);
    const auto passes = shelf_compartments(machine, places).value();
    EXPECT_EQ(run(machine, passes, 416), places);
    std::map<std::size_t, std::uint32_t> load;
    for (std::size_t i = 0; i < passes.size(); ++i) ++load[(i / 416) * 256 + passes[i]];
    EXPECT_EQ(
        std::ranges::max_element(load, {}, [](const auto& one) { return one.second; })->second,
        30U);
  }
  EXPECT_EQ(shelf_passes({10}, 52).value(), 2U);
  EXPECT_EQ(shelf_passes({2}, 1024).value(), 10U);
  EXPECT_EQ(shelf_passes({256}, 256).value(), 1U);
  EXPECT_EQ(shelf_passes({256}, 257).value(), 2U);
}

TEST(Shelf, machines_of_two_sort_in_as_many_passes_as_the_count_has_bits) {
  const Bytes bytes = seeded_bytes(9, 8 * 64);
  Tape tape = Tape::borrowed(bytes);
  for (const std::size_t n : {9U, 16U, 17U, 33U, 100U}) {
    const auto drawn = draw_permutation(tape, static_cast<std::uint32_t>(n)).value();
    const std::vector<std::uint32_t> places(drawn.begin(), drawn.end());
    for (const ShelfMachine machine : {ShelfMachine{2}, ShelfMachine{2, true}}) {
      const auto passes = shelf_compartments(machine, places).value();
      EXPECT_EQ(passes.size(), n * std::bit_width(n - 1));
      EXPECT_EQ(run(machine, passes, n), places) << n << machine.reverses;
    }
  }
}

TEST(Shelf, machines_and_places_out_of_range_are_refused) {
  EXPECT_TRUE(shelf_passes({1}, 52).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(shelf_passes({257}, 52).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(shelf_passes({4}, 0).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(shelf_passes({4}, 1025).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(shelf_compartments({4}, std::vector<std::uint32_t>{0, 2})
                  .error()
                  .is(Errc::count_out_of_range));
  EXPECT_TRUE(shelf_compartments({4}, std::vector<std::uint32_t>{1, 1})
                  .error()
                  .is(Errc::count_out_of_range));
  EXPECT_TRUE(shelf_compartments({4}, std::vector<std::uint32_t>(3000))
                  .error()
                  .is(Errc::count_out_of_range));
  EXPECT_TRUE(
      shelf_empty({4}, std::vector<std::uint8_t>{0, 4}).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(
      shelf_empty({1}, std::vector<std::uint8_t>{0, 0}).error().is(Errc::count_out_of_range));
}

TEST(Sorting, every_feed_of_a_small_deck_is_sorted_into_every_order) {
  const std::vector<Card> cards{Card::of(1, Suit::clubs), Card::of(1, Suit::clubs),
                                Card::of(7, Suit::hearts), Card::joker(), Card::joker()};
  auto order = cards;
  std::ranges::sort(order);
  int pairs = 0;
  do {
    auto feed = cards;
    std::ranges::sort(feed);
    do {
      ++pairs;
      const auto places = sorting_places(order, feed).value();
      std::vector<Card> out(order.size());
      std::map<std::uint8_t, std::uint32_t> before;
      for (std::size_t i = 0; i < feed.size(); ++i) {
        out[places[i]] = feed[i];
        const auto copy = before.find(feed[i].code());
        if (copy != before.end()) {
          ASSERT_LT(copy->second, places[i]) << "copies ascend";
        }
        before[feed[i].code()] = places[i];
      }
      ASSERT_EQ(out, order);
    } while (std::ranges::next_permutation(feed).found);
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(pairs, 30 * 30) << "5! / (2! 2!) orders and feeds";
}

TEST(Sorting, leaves_no_place_behind_also_where_it_refuses) {
  const std::vector<Card> order{Card::joker(), Card::of(7, Suit::hearts), Card::joker()};
  const std::vector<Card> other{Card::joker(), Card::of(1, Suit::clubs), Card::joker()};
  // Of each of the 256 cards the next place, of each place the next one of its card.
  constexpr std::uint64_t both = 256 * 4 + 32;
  EXPECT_EQ(test::wiped_by([&] { ASSERT_TRUE(sorting_places(order, order)); }), both + 32)
      << "and the places, once they are used";
  EXPECT_EQ(test::wiped_by([&] { ASSERT_FALSE(sorting_places(order, other)); }), both + 32);
}

TEST(Sorting, the_first_card_without_a_place_is_named_and_so_is_a_missing_one) {
  const std::vector<Card> order{Card::of(1, Suit::clubs), Card::of(7, Suit::hearts)};
  const std::vector<Card> twice{order[1], order[1]};
  const std::vector<Card> foreign{Card::of(1, Suit::oros)};
  const std::vector<Card> more{order[0], order[1], order[1]};
  EXPECT_NE(sorting_places(order, twice).error().detail.find("fed card 1 has no place"),
            std::string::npos);
  EXPECT_NE(sorting_places(order, foreign).error().detail.find("fed card 0 has no place"),
            std::string::npos);
  EXPECT_NE(sorting_places(order, more).error().detail.find("fed card 2 has no place"),
            std::string::npos);
  EXPECT_NE(
      sorting_places(order, std::span(order).first(1)).error().detail.find("fed card 1 is missing"),
      std::string::npos);
  EXPECT_TRUE(sorting_places({}, {}).error().is(Errc::count_out_of_range));
  const std::vector<Card> most(1024, Card::joker());
  EXPECT_EQ(sorting_places(most, most).value().size(), 1024U);
  const std::vector<Card> too_many(most.size() + 1, Card::joker());
  EXPECT_TRUE(sorting_places(too_many, too_many).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(sorting_places(order, twice).error().is(Errc::census_mismatch));
}

}  // namespace
}  // namespace talla::shuffle
