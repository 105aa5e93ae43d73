// Goal: an appliance that chooses the order it commits to gains nothing by it, as long as the
//       number that mixes the shoe is not its own.
// Method: punto y banca, written here from the rules of the third card alone, over an order that
//         was searched for the bank's sake: under every cut it wins nearly always; mixed with
//         numbers nobody could foresee it wins as often as any shoe.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "crooked_order.hpp"
#include "format/mix.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

struct Coups {
  long bank = 0;
  long decided = 0;
  [[nodiscard]] double share() const {
    return static_cast<double>(bank) / static_cast<double>(decided);
  }
};

/// Points of each card of the crooked order, by leaf.
std::vector<int> points_of_order() {
  std::vector<int> points;
  std::istringstream cards{std::string(crooked_order)};
  for (std::string card; cards >> card;) {
    const auto rank = std::string_view("A23456789").find(card.front());
    points.push_back(rank == std::string_view::npos ? 0 : static_cast<int>(rank) + 1);
  }
  return points;
}

/// Whether the bank draws: punto stood (no third card), or took one of these points.
bool bank_draws(int bank, int third) {
  if (third < 0) return bank <= 5;
  switch (bank) {
    case 3:
      return third != 8;
    case 4:
      return third >= 2 && third <= 7;
    case 5:
      return third >= 4 && third <= 7;
    case 6:
      return third == 6 || third == 7;
    default:
      return bank <= 2;
  }
}

/// Plays a shoe down to its last fourteen cards; `at` gives the points at a dealt position.
template <class At>
void play_shoe(std::size_t cards, const At& at, Coups& coups) {
  constexpr std::size_t behind_the_stop_card = 14;
  std::size_t position = 0;
  const auto next = [&] { return at(position++); };
  // NOLINTNEXTLINE(bugprone-infinite-loop): what is dealt in the body moves it
  while (position + behind_the_stop_card <= cards) {
    int punto = next();
    int bank = next();
    punto = (punto + next()) % 10;
    bank = (bank + next()) % 10;
    if (punto < 8 && bank < 8) {
      const int third = punto <= 5 ? next() : -1;
      if (third >= 0) punto = (punto + third) % 10;
      if (bank_draws(bank, third)) bank = (bank + next()) % 10;
    }
    if (punto == bank) continue;
    ++coups.decided;
    if (bank > punto) ++coups.bank;
  }
}

TEST(CrookedShoe, wins_for_the_bank_under_every_cut) {
  const std::vector<int> points = points_of_order();
  ASSERT_EQ(points.size(), 416U);
  Coups all;
  double least = 1;
  for (std::size_t cut = 0; cut < points.size(); ++cut) {
    Coups one;
    const auto at = [&](std::size_t position) { return points[(position + cut) % points.size()]; };
    play_shoe(points.size(), at, one);
    all.bank += one.bank;
    all.decided += one.decided;
    least = std::min(least, one.share());
  }
  EXPECT_GT(all.share(), 0.99) << "why a shoe is not cut, but mixed";
  EXPECT_GT(least, 0.95);
}

TEST(CrookedShoe, mixed_with_numbers_that_nobody_foresaw_wins_as_often_as_any_shoe) {
  // Banca wins 45.86 of 100 coups and punto 44.62: 50.68 % of those decided. 100,000 shoes have
  // seven million of them: four standard deviations are 0.08 %. The numbers are fixed.
  constexpr std::uint32_t shoes = 100'000;
  const std::vector<int> points = points_of_order();
  Coups coups;
  for (std::uint32_t shoe = 0; shoe < shoes; ++shoe) {
    const Bytes number = ByteWriter().u32(shoe).take();
    const auto made = map_mix(hashes, hashes.sha256({number}), {}, {1, 416});
    ASSERT_TRUE(made);
    play_shoe(
        points.size(), [&](std::size_t at) { return points[made->mix[at]]; }, coups);
  }
  EXPECT_NEAR(coups.share(), 0.5068, 0.001);
}

}  // namespace
}  // namespace talla::certs
