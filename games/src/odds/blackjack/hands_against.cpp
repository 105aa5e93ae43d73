#include "odds/blackjack/hands_against.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace talla::games::blackjack {

namespace {

Wide wide(Orders value) {
  return (Wide(static_cast<std::uint64_t>(value >> 64)) << 64) + static_cast<std::uint64_t>(value);
}

void add_part(Ends::Of& to, const Ends::Of& part, unsigned times) {
  to.win += part.win * times;
  to.lose += part.lose * times;
  to.tie += part.tie * times;
}

}  // namespace

void Ends::add(const Ends& other, unsigned times) {
  for (std::size_t i = 0; i < of.size(); ++i) add_part(of.at(i), other.of.at(i), times);
}

HandsAgainst::HandsAgainst(const HandLaw& law, std::size_t dealer, Manner manner)
    : law_(law),
      dealer_(dealer),
      manner_(std::move(manner)),
      dealer_hands_(dealer_ends(law, dealer)) {
  const int behind = law.cards() - 3;
  orders_.resize(counted_cards + 1);
  orders_.back() = 1;
  for (std::size_t drawn = counted_cards; drawn-- > 0;)
    orders_[drawn] = orders_[drawn + 1] * (behind - static_cast<int>(drawn));
  for (std::size_t a = 0; a < classes_count; ++a) {
    for (std::size_t b = a; b < classes_count; ++b) {
      Counts own{};
      ++own.at(a);
      ++own.at(b);
      solve(own, 2, law.points(a) + law.points(b));
    }
  }
}

const HandsAgainst::Hand& HandsAgainst::found(const Counts& own) const {
  const auto at = hands_.find(own);
  TALLA_CHECK(at != hands_.end());
  return at->second;
}

Counts HandsAgainst::left(const Counts& own) const {
  Counts gone = own;
  ++gone.at(dealer_);
  Counts out = law_.shoe;
  for (std::size_t one = 0; one < classes_count; ++one)
    out.at(one) -= std::min(out.at(one), gone.at(one));  // of cards that are not there none is left
  return out;
}

Ends HandsAgainst::standing(const Counts& own, std::size_t drawn, int total, bool twice) const {
  // By how many cards the dealer draws: in how many orders they come.
  std::array<std::array<Orders, 3>, counted_cards + 1> sums{};
  std::size_t most = 0;
  each_end(dealer_hands_, left(own), classes_count, [&](const DealerEnd& end, Orders ways) {
    const bool wins = !end.blackjack && (end.total > law_.target || total > end.total);
    const bool ties = !end.blackjack && total == end.total;
    sums.at(end.cards).at(wins ? 0 : ties ? 2 : 1) += ways;
    most = std::max<std::size_t>(most, end.cards);
  });
  Ends out;
  TALLA_CHECK(drawn + most <= counted_cards);
  Ends::Of& of = out.of.at(twice ? 1 : 0);
  for (std::size_t count = 1; count <= most; ++count) {
    const Wide& behind = orders_.at(drawn + count);
    of.win += wide(sums.at(count)[0]) * behind;
    of.lose += wide(sums.at(count)[1]) * behind;
    of.tie += wide(sums.at(count)[2]) * behind;
  }
  return out;
}

bool HandsAgainst::may_double(const Counts& own, int low) const {
  if (!law_.doubles || best_total(law_, low, own[ace_class] > 0) == law_.target) return false;
  if (own[ace_class] == 2 && !law_.doubles_aces) return false;
  if (own[ace_class] > 0 && !law_.doubles_soft) return false;
  return !law_.double_totals || law_.double_totals->contains(low);
}

Ends HandsAgainst::doubled(const Counts& own, int low) const {
  Ends out;
  const Counts cards = left(own);
  for (std::size_t one = 0; one < classes_count; ++one) {
    if (cards.at(one) == 0) continue;
    Counts more = own;
    ++more.at(one);
    const bool ace = one == ace_class || (!law_.doubled_aces_low && own[ace_class] > 0);
    const int total = best_total(law_, low + law_.points(one), ace);
    if (total > law_.target) {
      out.of[1].lose += orders_[1] * cards.at(one);
    } else {
      out.add(standing(more, 1, total, true), cards.at(one));
    }
  }
  return out;
}

template <class Worth>
Ends HandsAgainst::drawn(const Counts& own, std::size_t cards, int low, Worth worth) const {
  Ends out;
  const Counts rest = left(own);
  for (std::size_t one = 0; one < classes_count; ++one) {
    if (rest.at(one) == 0) continue;
    const int now = low + law_.points(one);
    if (now > law_.target) {
      out.of[0].lose += orders_[cards - 1] * rest.at(one);
      continue;
    }
    Counts more = own;
    ++more.at(one);
    out.add(worth(more, now), rest.at(one));
  }
  return out;
}

HandsAgainst::Hand HandsAgainst::chosen(const Counts& own, std::size_t cards, int low) {
  const int total = best_total(law_, low, own[ace_class] > 0);
  const bool may_hit = total < law_.target;
  const auto hit = [&] {
    return Hand{Action::hit,
                drawn(own, cards, low, [&](const Counts& more, int now) -> const Ends& {
                  return solve(more, cards + 1, now).ends;
                })};
  };
  const auto stand = [&] { return Hand{Action::stand, standing(own, cards - 2, total, false)}; };
  const auto twice = [&] { return Hand{Action::twice, doubled(own, low)}; };
  if (manner_ && may_hit) {
    const Action told = manner_(own, cards);
    return told == Action::twice ? twice() : told == Action::hit ? hit() : stand();
  }
  Hand best = stand();
  const auto take_better = [&](const Hand& other) {
    if (other.ends.net() > best.ends.net()) best = other;
  };
  if (may_hit) take_better(hit());
  if (cards == 2 && may_double(own, low)) take_better(twice());
  return best;
}

const HandsAgainst::Hand& HandsAgainst::solve(const Counts& own, std::size_t cards, int low) {
  if (const auto known = hands_.find(own); known != hands_.end()) return known->second;
  const Hand hand = chosen(own, cards, low);
  return hands_.emplace(own, hand).first->second;
}

HandsAgainst::Options HandsAgainst::options(const Counts& own) const {
  std::size_t cards = 0;
  int low = 0;
  for (std::size_t one = 0; one < classes_count; ++one) {
    cards += own.at(one);
    low += own.at(one) * law_.points(one);
  }
  const int total = best_total(law_, low, own[ace_class] > 0);
  Options out{.all = orders_.at(cards - 2),
              .stand = standing(own, cards - 2, total, false).net(),
              .hit = std::nullopt,
              .twice = std::nullopt};
  if (total >= law_.target) return out;
  out.hit = drawn(own, cards, low, [&](const Counts& more, int) -> const Ends& {
              return found(more).ends;
            }).net();
  if (cards == 2 && may_double(own, low)) out.twice = doubled(own, low).net();
  return out;
}

}  // namespace talla::games::blackjack
