// Values of hands of blackjack by recursion, each card as often as in full decks.
#include "odds/blackjack/play_values.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "odds/blackjack/dealer.hpp"

namespace talla::games::blackjack {

namespace {

/// What a split pair is worth is the limit of so many hands: the rest is below any double.
constexpr int hands_deep = 300;

double plain(const Ratio& ratio) {
  return static_cast<double>(ratio.numerator()) / static_cast<double>(ratio.denominator());
}

}  // namespace

PlayValues::PlayValues(const HandLaw& law) : law_(law) {
  for (std::size_t one = 0; one < classes_count; ++one)
    parts_.at(one) = static_cast<double>(law.shoe.at(one)) / law.cards();
  const int most = law.target + 1;
  TALLA_CHECK(law.target + law.points(ten_class) < static_cast<int>(lows_count));
  for (int low = most + law.points(ten_class) - 1; low > 0; --low) {
    for (const bool many : {true, false}) {
      for (const bool ace : {false, true}) {
        DealerHand hand{.first = 0, .low = low, .ace = ace, .cards = many ? 3U : 2U};
        const int high = low + law.ace_extra;
        const bool soft = ace && high >= law.stands_on && high <= law.target;
        const int total = soft ? high : low;
        Ends& now = dealer_.at(many ? 1 : 0).at(static_cast<std::size_t>(low)).at(ace ? 1 : 0);
        if (blackjack(hand)) {
          now.back() = 1;
        } else if (total >= law.stands_on) {
          now.at(total > law.target ? 0 : static_cast<std::size_t>(total)) = 1;
        } else {
          for (std::size_t one = 0; one < classes_count; ++one) {
            const Ends& next = ends(with(hand, one));
            for (std::size_t i = 0; i < now.size(); ++i) now.at(i) += parts_.at(one) * next.at(i);
          }
        }
      }
    }
  }
  for (std::size_t first = 0; first < classes_count; ++first) {
    const DealerHand hand = with(DealerHand{}, first);
    for (std::size_t one = 0; one < classes_count; ++one) {
      const Ends& next = ends(with(hand, one));
      for (std::size_t i = 0; i < next.size(); ++i)
        dealer_first_.at(first).at(i) += parts_.at(one) * next.at(i);
    }
    later(first);
    for (const bool follows : {false, true}) {
      splits(first, follows);
      first_cards(first, follows);
    }
  }
}

OwnHand PlayValues::with(OwnHand own, std::size_t card) const {
  if (own.doubled && law_.doubled_aces_low) own.ace = false;
  if (own.cards == 0) own.first = card;
  if (own.cards == 1) own.second = card;
  own.low += law_.points(card);
  own.ace = own.ace || card == ace_class;
  ++own.cards;
  own.asked = false;
  own.done = own.doubled;
  return own;
}

DealerHand PlayValues::with(DealerHand dealer, std::size_t card) const {
  if (dealer.cards == 0) dealer.first = card;
  dealer.low += law_.points(card);
  dealer.ace = dealer.ace || card == ace_class;
  ++dealer.cards;
  return dealer;
}

bool PlayValues::blackjack(const DealerHand& dealer) const {
  return dealer.cards == 2 && dealer.ace && dealer.low + law_.ace_extra == law_.target;
}

const PlayValues::Ends& PlayValues::ends(const DealerHand& dealer) const {
  if (dealer.cards == 1) return dealer_first_.at(dealer.first);
  return dealer_.at(dealer.cards > 2 ? 1 : 0)
      .at(static_cast<std::size_t>(dealer.low))
      .at(dealer.ace ? 1 : 0);
}

double PlayValues::standing(int total, Kind kind, const Ends& ends) const {
  const double has = ends.back();
  if (kind == Kind::blackjack) return plain(law_.blackjack) * (law_.blackjack_ties ? 1 - has : 1);
  if (total > law_.target) return -1;
  double out = ends.front();
  for (int other = 1; other <= law_.target; ++other) {
    const double chance = ends.at(static_cast<std::size_t>(other));
    if (other < total) out += chance;
    if (other > total) out -= chance;
  }
  return kind == Kind::split_target && law_.split_target_ties ? out : out - has;
}

double PlayValues::drawn_twice(int low, bool ace, const Ends& ends) const {
  double out = 0;
  for (std::size_t one = 0; one < classes_count; ++one) {
    const int total = best_total(law_, low + law_.points(one), ace || one == ace_class);
    out += parts_.at(one) * standing(total, Kind::plain, ends);
  }
  return out;
}

double PlayValues::twice(std::size_t a, std::size_t b, std::size_t dealer) const {
  const bool ace = !law_.doubled_aces_low && (a == ace_class || b == ace_class);
  return 2 * drawn_twice(law_.points(a) + law_.points(b), ace, dealer_first_.at(dealer));
}

bool PlayValues::may_double(std::size_t a, std::size_t b) const {
  if (!law_.doubles || (a == ace_class && b == ace_class && !law_.doubles_aces)) return false;
  if ((a == ace_class || b == ace_class) && !law_.doubles_soft) return false;
  return !law_.double_totals || law_.double_totals->contains(law_.points(a) + law_.points(b));
}

void PlayValues::later(std::size_t dealer) {
  const Ends& end = dealer_first_.at(dealer);
  for (int low = law_.target; low > 0; --low) {
    for (const std::size_t ace : {0U, 1U}) {
      double hit = 0;
      for (std::size_t one = 0; one < classes_count; ++one) {
        const int now = low + law_.points(one);
        const std::size_t other = one == ace_class ? 1 : ace;
        hit +=
            parts_.at(one) *
            (now > law_.target ? -1
                               : decisions_.at(other).at(static_cast<std::size_t>(now)).at(dealer));
      }
      const double stand = standing(best_total(law_, low, ace > 0), Kind::plain, end);
      hits_.at(ace).at(static_cast<std::size_t>(low)).at(dealer) = hit;
      decisions_.at(ace).at(static_cast<std::size_t>(low)).at(dealer) = std::max(stand, hit);
    }
  }
}

void PlayValues::splits(std::size_t dealer, bool follows) {
  const std::size_t who = follows ? 1 : 0;
  for (std::size_t a = 0; a < classes_count; ++a) {
    double others = 0;  // second cards that are not split again
    double like = 0;    // one that may be, when it is not
    for (std::size_t b = 0; b < classes_count; ++b) {
      const int low = law_.points(a) + law_.points(b);
      const bool ace = a == ace_class || b == ace_class;
      const int total = best_total(law_, low, ace);
      double& now = seconds_.at(who).at(a).at(b).at(dealer);
      now = standing(total, total == law_.target ? Kind::split_target : Kind::plain,
                     dealer_first_.at(dealer));
      if (a != ace_class) {
        now =
            std::max(now, decisions_.at(ace ? 1 : 0).at(static_cast<std::size_t>(low)).at(dealer));
        if (may_double(a, b)) now = std::max(now, twice(a, b, dealer));
      }
      (a == b ? like : others) += parts_.at(b) * now;
    }
    const double alone = like + others;
    double& seed = seeds_.at(who).at(a).at(dealer);
    seed = alone;
    if (!law_.splits || (a == ace_class && !law_.resplits_aces)) continue;
    const auto again = [&] { return follows ? std::max(seed, 2 * seed) : 2 * seed; };
    for (int hands = 0; hands < hands_deep; ++hands)
      seed = others + std::max(like, parts_.at(a) * again());
    double& pair = seconds_.at(who).at(a).at(a).at(dealer);
    pair = std::max(pair, again());
  }
}

void PlayValues::first_cards(std::size_t dealer, bool follows) {
  const std::size_t who = follows ? 1 : 0;
  for (std::size_t a = 0; a < classes_count; ++a) {
    for (std::size_t b = 0; b < classes_count; ++b) {
      const int low = law_.points(a) + law_.points(b);
      const bool ace = a == ace_class || b == ace_class;
      double best = decisions_.at(ace ? 1 : 0).at(static_cast<std::size_t>(low)).at(dealer);
      if (ace && low + law_.ace_extra == law_.target) {
        best = std::max(best, standing(law_.target, Kind::blackjack, dealer_first_.at(dealer)));
        if (law_.even_money && dealer == ace_class) best = std::max(best, plain(*law_.even_money));
      } else {
        if (may_double(a, b)) best = std::max(best, twice(a, b, dealer));
      }
      if (law_.surrender && !law_.no_surrender_against.contains(dealer))
        best = std::max(best, plain(*law_.surrender) - 1);
      if (law_.splits && a == b) {
        const double seed = seeds_.at(who).at(a).at(dealer);
        best = std::max(best, follows ? std::max(seed, 2 * seed) : 2 * seed);
      }
      firsts_.at(who).at(a).at(b).at(dealer) = best;
    }
  }
}

double PlayValues::value(const OwnHand& own, const DealerHand& dealer) const {
  if (own.low > law_.target) return -1;
  const std::size_t who = own.follows ? 1 : 0;
  const int total = best_total(law_, own.low, own.ace);
  if (own.done || dealer.cards > 1) {
    const bool two = own.cards == 2 && total == law_.target;
    return standing(total,
                    !two        ? Kind::plain
                    : own.split ? Kind::split_target
                                : Kind::blackjack,
                    ends(dealer));
  }
  const std::size_t up = dealer.first;
  if (own.cards == 1) return seeds_.at(who).at(own.first).at(up);
  if (own.doubled) return drawn_twice(own.low, own.ace && !law_.doubled_aces_low, ends(dealer));
  const auto low = static_cast<std::size_t>(own.low);
  if (own.asked) return hits_.at(own.ace ? 1 : 0).at(low).at(up);
  if (own.cards == 2)
    return (own.split ? seconds_ : firsts_).at(who).at(own.first).at(own.second).at(up);
  return decisions_.at(own.ace ? 1 : 0).at(low).at(up);
}

}  // namespace talla::games::blackjack
