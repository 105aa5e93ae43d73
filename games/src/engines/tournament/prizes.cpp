#include "engines/tournament/prizes.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace talla::games::tournament {
namespace {

/// What decides between two players; larger is better.
using Rank = std::tuple<bool, std::uint32_t, Units>;

Rank rank_of(const Figures& figures, const Player& one) {
  if (one.stack > 0) return {true, 0, figures.chips_decide ? one.stack : 0};
  return {false, one.out_hand, figures.stack_decides ? one.out_stack : 0};
}

}  // namespace

Fund fund_of(const Figures& figures, const BetBook& bets) {
  Fund out;
  Units entries = 0;
  for (const auto& bet : bets.all()) {
    out.fees += bet.stake;
    if (bet.kind == entry_kind) entries += bet.stake;
  }
  out.kept = (Fraction(figures.kept_of_all ? out.fees : entries) * figures.kept).floor();
  out.prizes = std::max(out.fees - out.kept, figures.guaranteed);
  out.added = out.prizes + out.kept - out.fees;
  return out;
}

std::vector<Place> order_of(const Figures& figures, const std::vector<Player>& players) {
  std::vector<const Player*> all;
  all.reserve(players.size());
  for (const auto& one : players) all.push_back(&one);
  std::stable_sort(all.begin(), all.end(), [&](const Player* a, const Player* b) {
    return rank_of(figures, *a) > rank_of(figures, *b);
  });
  std::vector<Place> out;
  const Player* before = nullptr;
  for (const auto* one : all) {
    if (before == nullptr || rank_of(figures, *before) != rank_of(figures, *one))
      out.emplace_back();
    out.back().seats.push_back(one->seat);
    before = one;
  }
  return out;
}

std::vector<Units> place_prizes(const Figures& figures, Units prizes, std::size_t players) {
  std::vector<Units> out;
  const auto places = std::min(figures.shares.size(), players);
  for (std::size_t i = 0; i < places; ++i) {
    const Fraction exact = Fraction(prizes) * Fraction(figures.shares[i]) / Fraction(share_whole);
    out.push_back(exact.floor());
  }
  if (places == 0) return out;
  const Units left = prizes - std::accumulate(out.begin(), out.end(), Units{0});
  if (!figures.even_remainder) {
    out.front() += left;
    return out;
  }
  const auto count = static_cast<Units>(places);
  for (Units i = 0; i < count; ++i)
    out[static_cast<std::size_t>(i)] += left / count + (i < left % count ? 1 : 0);
  return out;
}

std::vector<Award> awards(const std::vector<Place>& order, const std::vector<Units>& prizes) {
  std::vector<Award> out;
  std::size_t place = 0;
  for (const auto& one : order) {
    Units together = 0;
    for (std::size_t i = 0; i < one.seats.size(); ++i, ++place)
      together += place < prizes.size() ? prizes[place] : 0;
    const auto count = static_cast<Units>(one.seats.size());
    for (Units i = 0; i < count; ++i) {
      out.push_back({one.seats[static_cast<std::size_t>(i)],
                     together / count + (i < together % count ? 1 : 0)});
    }
  }
  return out;
}

}  // namespace talla::games::tournament
