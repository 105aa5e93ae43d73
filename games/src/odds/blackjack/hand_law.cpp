#include "odds/blackjack/hand_law.hpp"

namespace talla::games::blackjack {

namespace {

constexpr int suits = 4;
constexpr std::array<int, 13> usual_points = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10};

void read_double(const Law& law, HandLaw& out) {
  out.doubles = law.has("double") && law.flag("double", "offered");
  if (!out.doubles) return;
  if (law.find("double", "totals") != nullptr) {
    const auto totals = law.numbers("double", "totals");
    out.double_totals = std::set<int>(totals.begin(), totals.end());
    out.doubles_soft = !law.is("double", "soft", "hard-only");
  }
  out.doubles_aces = law.flag("double", "aces");
  out.doubled_aces_low = law.is("double", "initial_ace", "one");
}

void read_options(const Law& law, HandLaw& out) {
  const auto& main = law.bet(law.main_bet());
  const auto& params = law.table().params();
  if (law.has("even_money")) out.even_money = Ratio(main.payout("even-money", params)->pays);
  if (!law.has("surrender") || !law.flag("surrender", "offered")) return;
  out.surrender = Ratio(law.fraction("surrender", "returned"));
  for (const int rank : law.numbers("surrender", "not_against"))
    out.no_surrender_against.insert(
        static_cast<std::size_t>(std::min<int>(rank, classes_count) - 1));
}

}  // namespace

std::optional<HandLaw> hand_law(const Law& law, std::uint32_t decks) {
  HandLaw out;
  const auto points = law.numbers("cards", "ranks");
  if (!std::ranges::equal(points, usual_points)) return std::nullopt;
  for (const int one : points) {
    const auto now = static_cast<std::size_t>(one - 1);
    const std::uint32_t more = out.shoe.at(now) + suits * decks;
    if (more > UINT8_MAX) return std::nullopt;
    out.shoe.at(now) = static_cast<std::uint8_t>(more);
  }
  out.target = law.target();
  out.ace_extra = law.ace_extra();
  out.stands_on = law.number("dealer", "stands_on");
  out.blackjack = Ratio(law.bet(law.main_bet()).payout("blackjack", law.table().params())->pays);
  out.blackjack_ties = law.is("settle", "blackjack_tie", "push");
  out.split_target_ties = law.is("settle", "split_target", "push");
  read_double(law, out);
  out.splits = law.has("split") && law.flag("split", "offered");
  if (out.splits) {
    out.hands_max = static_cast<std::size_t>(law.number("split", "hands_max"));
    out.resplits_aces = law.flag("split", "resplit_aces");
  }
  read_options(law, out);
  return out;
}

}  // namespace talla::games::blackjack
