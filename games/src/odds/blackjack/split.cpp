// A pair is split, and each further card of its class that comes as a second card makes one more
// hand, while there may be more. By the symmetry of the order of cards each of the hands has the
// same chances; what has to be known is how many cards of the class are gone to make hands, and
// that the second cards of finished hands are of another class.
#include "odds/blackjack/split.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace talla::games::blackjack {

namespace {

/// The most cards that a dealer draws.
constexpr std::size_t dealers_most = 12;

Wide wide_of(Orders value) {
  return (Wide(static_cast<std::uint64_t>(value >> 64)) << 64) + static_cast<std::uint64_t>(value);
}

WideInt fallen(std::int64_t from, std::size_t factors) {
  WideInt out = 1;
  for (std::size_t i = 0; i < factors; ++i) {
    const std::int64_t one = from - static_cast<std::int64_t>(i);
    out *= one > 0 ? one : 0;
  }
  return out;
}

WideInt choose(std::size_t from, std::size_t some) {
  if (some > from) return 0;
  WideInt out = 1;
  for (std::size_t i = 0; i < some; ++i) out = out * (from - i) / (i + 1);
  return out;
}

/// What one hand brings and how often it doubles, by how many cards of the pair's class and how
/// many in all it and the dealer take.
struct Worth {
  Wide net = 0;
  Wide doubled = 0;
};
using Table2 = std::vector<std::vector<Worth>>;

class Splitting {
 public:
  Splitting(const HandLaw& law, const HandsAgainst& hands, std::size_t pair)
      : law_(law), hands_(hands), pair_(pair), cards_(law.shoe), behind_(law.cards() - 3) {
    cards_.at(pair) = static_cast<std::uint8_t>(cards_.at(pair) - 2);
    --cards_.at(hands.dealer());
    // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): of the cards that are left
    like_ = cards_.at(pair);
    counted_ = std::min(counted_cards, static_cast<std::size_t>(behind_ - like_));
    for (Table2& one : by_) one.assign(counted_cards + 1, std::vector<Worth>(counted_cards + 1));
  }

  [[nodiscard]] SplitWorth worth() {
    play();
    const bool again = pair_ != ace_class || law_.resplits_aces;
    const std::size_t most = !again ? 2 : law_.hands_max == 0 ? like() + 3 : law_.hands_max;
    std::vector<Sums> other;
    std::vector<Sums> any;
    for (std::size_t gone = 0; gone <= like(); ++gone) {
      auto [second, all] = expected(gone);
      other.push_back(std::move(second));
      any.push_back(std::move(all));
    }
    other_ = known_other(std::move(other), most);
    any_ = known_other(std::move(any), most);
    Sums all;
    for (std::size_t more = 0; more + 2 < most && more <= like(); ++more) all.add(ended(more), 1);
    if (most - 2 <= like()) all.add(full(most - 2), 1);
    const WideInt whole = fallen(behind_, like() + counted_);
    return {Ratio(all.net, whole), Ratio(all.staked, whole)};
  }

 private:
  /// Over all orders of the cards that are counted and of all that may make hands.
  struct Sums {
    WideInt net = 0;
    WideInt staked = 0;
    void add(const Sums& other, const WideInt& times) {
      net += other.net * times;
      staked += other.staked * times;
    }
  };

  [[nodiscard]] std::size_t like() const { return static_cast<std::size_t>(like_); }

  /// Every way in which one hand may be played, from its second card on; [0]: that card is of
  /// another class, [1]: of the pair's.
  void play() {
    for (std::size_t second = 0; second < classes_count; ++second) {
      std::map<Counts, Orders> level;
      Counts drawn{};
      ++drawn.at(second);
      level.emplace(drawn, 1);
      for (std::size_t cards = 1; !level.empty(); ++cards) {
        std::map<Counts, Orders> next;
        for (const auto& [own, orders] : level)
          step(own, orders, cards, second == pair_ ? 1 : 0, next);
        level = std::move(next);
      }
    }
  }

  void step(const Counts& drawn, Orders orders, std::size_t cards, std::size_t kind,
            std::map<Counts, Orders>& next) {
    Counts own = drawn;
    ++own.at(pair_);
    int low = 0;
    for (std::size_t one = 0; one < classes_count; ++one) low += own.at(one) * law_.points(one);
    if (low > law_.target) return end(drawn, orders, cards, kind, low, false);
    const Action action = pair_ == ace_class ? Action::stand : hands_.action(own);
    const int total = best_total(law_, low, own[ace_class] > 0);
    if (action == Action::stand) return end(drawn, orders, cards, kind, total, false);
    for (std::size_t one = 0; one < classes_count; ++one) {
      if (drawn.at(one) >= cards_.at(one)) continue;  // there is no such card any more
      Counts more = drawn;
      ++more.at(one);
      if (action == Action::hit) {
        next[more] += orders;
        continue;
      }
      const bool ace = one == ace_class || (!law_.doubled_aces_low && own[ace_class] > 0);
      end(more, orders, cards + 1, kind, best_total(law_, low + law_.points(one), ace), true);
    }
  }

  /// Orders in which cards of other classes than the pair's come; 0: there are not so many.
  [[nodiscard]] Wide others(const Counts& drawn) const {
    Wide out = 1;
    for (std::size_t one = 0; one < classes_count; ++one) {
      for (int i = 0; one != pair_ && i < drawn.at(one); ++i)
        out *= cards_.at(one) > i ? cards_.at(one) - i : 0;
    }
    return out;
  }

  void end(const Counts& drawn, Orders orders, std::size_t cards, std::size_t kind, int total,
           bool twice) {
    const Wide ways = wide_of(orders) * others(drawn);
    if (ways.is_zero()) return;
    const std::size_t like = drawn.at(pair_);
    const int stake = twice ? 2 : 1;
    Table2& by = by_.at(kind);
    if (total > law_.target) {
      Worth& worth = by.at(like).at(cards);
      worth.net -= ways * stake;
      if (twice) worth.doubled += ways;
      return;
    }
    // By how many like cards, and cards in all, the dealer takes: won, lost, tied.
    std::array<std::array<std::array<Orders, 3>, dealers_most + 1>, dealers_most + 1> sums{};
    const bool target_in_two = cards == 1 && total == law_.target;
    Counts left = cards_;
    for (std::size_t one = 0; one < classes_count; ++one)
      left.at(one) = static_cast<std::uint8_t>(
          left.at(one) > drawn.at(one) ? left.at(one) - drawn.at(one) : 0);
    each_end(hands_.dealer_hands(), left, pair_, [&](const DealerEnd& dealer, Orders some) {
      const bool wins = !dealer.blackjack && (dealer.total > law_.target || total > dealer.total);
      const bool ties =
          dealer.blackjack ? target_in_two && law_.split_target_ties : total == dealer.total;
      sums.at(dealer.drawn[pair_]).at(dealer.cards).at(wins ? 0 : ties ? 2 : 1) += some;
    });
    for (std::size_t taken = 0; taken <= dealers_most; ++taken) {
      for (std::size_t count = taken; count <= dealers_most; ++count) {
        const auto& some = sums.at(taken).at(count);
        const Orders any = some[0] + some[1] + some[2];
        if (any == 0) continue;
        TALLA_CHECK(cards + count <= counted_);
        Worth& worth = by.at(like + taken).at(cards + count);
        worth.net += ways * stake * (wide_of(some[0]) - wide_of(some[1]));
        if (twice) worth.doubled += ways * wide_of(any);
      }
    }
  }

  /// Of one hand, where so many given cards are of the pair's class; its second card is none of it,
  /// and: it may be one as well.
  [[nodiscard]] std::pair<Sums, Sums> expected(std::size_t gone) const {
    const std::int64_t from = behind_ - static_cast<std::int64_t>(gone);
    // Orders of the cards counted behind so many.
    std::vector<WideInt> rest(counted_ + 1, 1);
    for (std::size_t cards = counted_; cards-- > 0;)
      rest[cards] = rest[cards + 1] * (from - static_cast<std::int64_t>(cards));
    std::array<WideInt, 2> net;
    std::array<WideInt, 2> doubled;
    for (std::size_t like = 0; like <= counted_; ++like) {
      const WideInt these = fallen(like_ - static_cast<std::int64_t>(gone), like);
      if (these.is_zero()) break;
      for (std::size_t kind = 0; kind < 2; ++kind) {
        WideInt won = 0;
        WideInt twice = 0;
        for (std::size_t cards = like; cards <= counted_; ++cards) {
          const Worth& worth = by_.at(kind).at(like).at(cards);
          if (!worth.net.is_zero()) won += WideInt(worth.net) * rest[cards];
          if (!worth.doubled.is_zero()) twice += WideInt(worth.doubled) * rest[cards];
        }
        net.at(kind) += won * these;
        doubled.at(kind) += twice * these;
      }
    }
    const WideInt times =
        fallen(like_, gone) * fallen(from - static_cast<std::int64_t>(counted_), like() - gone);
    // A second card of another class has its own chance.
    const WideInt second = rest.at(1) * (behind_ - like_);
    return {{net[0] * times, (second + doubled[0]) * times},
            {(net[0] + net[1]) * times, (rest[0] + doubled[0] + doubled[1]) * times}};
  }

  /// [other][gone]: `of[gone]` where so many further second cards are known to be of another class:
  /// what is so with one fewer, less what is so when that one is gone.
  [[nodiscard]] static std::vector<std::vector<Sums>> known_other(std::vector<Sums> of,
                                                                  std::size_t most) {
    std::vector<std::vector<Sums>> out;
    out.push_back(std::move(of));
    while (out.size() <= most) {
      std::vector<Sums> next = out.back();
      for (std::size_t gone = 0; gone + 1 < next.size(); ++gone) {
        next[gone].net -= out.back()[gone + 1].net;
        next[gone].staked -= out.back()[gone + 1].staked;
      }
      out.push_back(std::move(next));
    }
    return out;
  }

  /// So many cards more came to make hands, and then each hand got one of another class.
  [[nodiscard]] Sums ended(std::size_t more) const {
    const std::size_t hands = more + 2;
    Sums out;
    // Orders that end with the last of these hands, not before (the ballot problem).
    const WideInt orders = choose(2 * more + 2, more) * 2 / (2 * more + 2);
    out.add(other_.at(more + 1).at(more), orders * hands);
    return out;
  }

  /// The last card that may make a hand came: hands that wait take any second card.
  [[nodiscard]] Sums full(std::size_t more) const {
    const std::size_t hands = more + 2;
    Sums out;
    if (more == 0) {
      out.add(any_.front().front(), 2);
      return out;
    }
    for (std::size_t served = 0; served <= more; ++served) {
      const std::size_t before = more - 1 + served;
      WideInt orders = choose(before, served);
      if (served >= 2) orders -= choose(before, served - 2);
      if (orders <= 0) continue;
      if (served > 0) out.add(other_.at(served - 1).at(more), orders * served);
      out.add(any_.at(served).at(more), orders * (hands - served));
    }
    return out;
  }

  const HandLaw& law_;
  const HandsAgainst& hands_;
  std::size_t pair_;
  Counts cards_;
  std::int64_t behind_ = 0;  ///< cards behind the pair and the dealer's first
  std::int64_t like_ = 0;    ///< of the pair's class among them
  std::size_t counted_ = 0;  ///< cards counted behind however many made hands
  std::array<Table2, 2> by_;
  std::vector<std::vector<Sums>> other_;  ///< as `known_other`
  std::vector<std::vector<Sums>> any_;
};

}  // namespace

SplitWorth split_worth(const HandLaw& law, const HandsAgainst& hands, std::size_t pair) {
  return Splitting(law, hands, pair).worth();
}

}  // namespace talla::games::blackjack
