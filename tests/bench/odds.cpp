// Need: who changes a rule of blackjack on a form does not wait: the best play of eight decks
// without splits, in integers, at least twice as fast as a plain recursion in doubles that agrees.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <vector>

#include "engines/blackjack/rules.hpp"
#include "games_rounds.hpp"
#include "odds/blackjack/best_play.hpp"
#include "ratio.hpp"

namespace {

namespace blackjack = talla::games::blackjack;

/// The best play without splits of a shoe, as the recursion is written down: every hand of the
/// dealer behind every hand of the player, chances in doubles. Nine to eleven may be doubled.
class PlainRecursion {
 public:
  explicit PlainRecursion(int decks) {
    for (int points = 1; points <= 10; ++points) left(points) = (points == 10 ? 16 : 4) * decks;
    cards_ = 52 * decks;
  }
  double gain() {
    double out = 0;
    for (int first = 1; first <= 10; ++first) {
      hands_.clear();
      chances_.clear();
      best_.clear();
      std::vector<int> none;
      dealers(none, first, first == 1);
      const double chance = part(first);
      take(first);
      out += chance * against();
      back(first);
    }
    return out;
  }

 private:
  using Own = std::vector<int>;
  /// Over 21, 17 to 21, a blackjack.
  using Ends = std::map<int, double>;

  int& left(int points) { return left_[static_cast<std::size_t>(points)]; }
  double part(int points) { return static_cast<double>(left(points)) / cards_; }
  void take(int points) { --left(points), --cards_; }
  void back(int points) { ++left(points), ++cards_; }
  static int total(int low, bool ace) { return ace && low <= 11 ? low + 10 : low; }
  static Own with(Own own, int card) {
    own.insert(std::ranges::upper_bound(own, card), card);
    return own;
  }
  static int low(const Own& own) {
    int sum = 0;
    for (const int one : own) sum += one;
    return sum;
  }
  static bool has_ace(const Own& own) { return own.front() == 1; }

  void dealers(std::vector<int>& hand, int points, bool ace) {
    for (int card = 1; card <= 10; ++card) {
      const int now = points + card;
      const int best = total(now, ace || card == 1);
      hand.push_back(card);
      if (best < 17) {
        dealers(hand, now, ace || card == 1);
      } else {
        Own sorted = hand;
        std::ranges::sort(sorted);
        const int end = hand.size() == 1 && best == 21 ? 0 : std::min(best, 22);
        ++hands_[{std::move(sorted), end}];
      }
      hand.pop_back();
    }
  }
  const Ends& chances(const Own& own) {
    const auto [at, fresh] = chances_.try_emplace(own);
    if (!fresh) return at->second;
    for (const int card : own) take(card);
    for (const auto& [hand, orders] : hands_) {
      double chance = orders;
      for (const int card : hand.first) {
        chance *= part(card);
        take(card);
      }
      for (const int card : hand.first) back(card);
      at->second[hand.second] += chance;
    }
    for (const int card : own) back(card);
    return at->second;
  }
  /// How often the dealer has a blackjack.
  double tied(const Own& own) {
    const Ends& ends = chances(own);
    const auto has = ends.find(0);
    return has == ends.end() ? 0 : has->second;
  }
  double stand(const Own& own, int points) {
    double out = 0;
    for (const auto& [end, chance] : chances(own)) {
      if (end == 22 || (end != 0 && points > end)) out += chance;
      if (end == 0 || (end != 22 && points < end)) out -= chance;
    }
    return out;
  }
  double each(const Own& own, const std::function<double(const Own&)>& value) {
    std::array<double, 11> parts{};
    for (const int card : own) take(card);
    for (int card = 1; card <= 10; ++card) parts[static_cast<std::size_t>(card)] = part(card);
    for (const int card : own) back(card);
    double out = 0;
    for (int card = 1; card <= 10; ++card)
      out += parts[static_cast<std::size_t>(card)] * value(with(own, card));
    return out;
  }
  double best(const Own& own) {
    if (low(own) > 21) return -1;
    const auto known = best_.find(own);
    if (known != best_.end()) return known->second;
    const int points = total(low(own), has_ace(own));
    double out = stand(own, points);
    if (points < 21) out = std::max(out, each(own, [&](const Own& more) { return best(more); }));
    best_[own] = out;
    return out;
  }
  double against() {
    double out = 0;
    for (int a = 1; a <= 10; ++a) {
      for (int b = a; b <= 10; ++b) {
        double chance = (a == b ? 1 : 2) * part(a);
        take(a);
        chance *= part(b);
        back(a);
        const Own own = {a, b};
        double value = best(own);
        if (a == 1 && b == 10) value = 1.5 * (1 - tied(own));
        if (a + b >= 9 && a + b <= 11 && !(a == 1 && b == 10)) {
          value = std::max(value, each(own, [&](const Own& more) {
                             const int points = total(low(more), has_ace(more));
                             return points > 21 ? -2.0 : 2 * stand(more, points);
                           }));
        }
        out += chance * value;
      }
    }
    return out;
  }

  std::array<int, 11> left_{};
  int cards_ = 0;
  std::map<std::pair<Own, int>, int> hands_;
  std::map<Own, Ends> chances_;
  std::map<Own, double> best_;
};

void blackjack_best_play(benchmark::State& state) {
  const auto table = talla_bench::open_table("es-1977", "blackjack");
  auto law = blackjack::hand_law(blackjack::Law(table), 8).value();
  law.splits = false;  // the same question to both
  const auto best = blackjack::best_play(law);
  const auto exact = best.never_split.returned - best.never_split.staked;
  const double told =
      static_cast<double>(exact.numerator()) / static_cast<double>(exact.denominator());
  const double plain = PlainRecursion(8).gain();
  if (std::abs(plain - told) > 1e-8) {
    state.SkipWithError("the two do not agree");
    std::printf("%.12f %.12f\n", plain, told);
    return;
  }
  talla_bench::compare(
      state,
      {.what = "blackjack, eight decks: best play without splits, exact / plain in doubles",
       .ratio_min = 2,
       .rounds = 3,
       .computes_only = true},
      [&] { benchmark::DoNotOptimize(blackjack::best_play(law)); },
      [&] { benchmark::DoNotOptimize(PlainRecursion(8).gain()); });
}
TALLA_GOAL(blackjack_best_play);

}  // namespace

BENCHMARK_MAIN();
