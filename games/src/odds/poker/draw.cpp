// Draw poker against the house at its best, all cards counted.
#include "odds/poker/draw.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "odds/poker/draw_counters.hpp"

namespace talla::games::poker {
namespace {

using Five = std::array<Place, five_cards>;
constexpr unsigned subsets = 1U << five_cards;
constexpr unsigned situation_bits = 22;

/// Weights of courses, and what they gain, of a player who goes.
struct Gains {
  std::int64_t net = 0;
  std::int64_t win = 0;
  std::int64_t lose = 0;
  std::int64_t square = 0;
  void add(const Gains& other, std::int64_t times) {
    net += other.net * times;
    win += other.win * times;
    lose += other.lose * times;
    square += other.square * times;
  }
};

/// The ranks of each suit of own cards and common ones, and the same number for all that differ
/// only by suits.
class SuitKeys {
 public:
  void put_own(Card card) { put(card, ranks_count); }
  void put_common(Card card) { put(card, 0); }
  /// 64 bits for some millions of cases: that no two fall together shows in their count. Never 0.
  [[nodiscard]] std::uint64_t number() const;

 private:
  void put(Card card, unsigned shift) {
    constexpr unsigned ranks = ranks_count;
    keys_[card.code() / ranks] |= 1U << (card.code() % ranks + shift);
  }
  std::array<std::uint32_t, 4> keys_{};
};
std::uint64_t SuitKeys::number() const {
  auto keys = keys_;
  const auto order = [&keys](std::size_t i, std::size_t j) {
    const std::uint32_t low = std::min(keys[i], keys[j]);
    keys[i] = std::max(keys[i], keys[j]);
    keys[j] = low;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
  std::uint64_t number = 1;
  for (const std::uint32_t key : keys) {
    number = (number ^ key) * 0x9e3779b97f4a7c15ULL;
    number ^= number >> 29U;
  }
  return (number * 0xbf58476d1ce4e5b9ULL) | 1U;
}

/// Gains by the cards that are kept of a hand and those that were given up.
class Kept {
 public:
  struct Sum {
    std::uint64_t key = 0;
    std::int64_t finals = 0;  ///< hands that they became, of all that differ only by suits
    Gains gains;
  };
  Kept() : slots_(std::size_t{1} << situation_bits) {}
  Sum& at(std::uint64_t key) {
    std::size_t at = key >> (64 - situation_bits);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].key == 0) {
      slots_[at].key = key;
      TALLA_CHECK(++used_ * 10 <= slots_.size() * 9);
    }
    return slots_[at];
  }

 private:
  std::vector<Sum> slots_;
  std::size_t used_ = 0;
};

class DrawGame {
 public:
  DrawGame(const Ranker& ranker, std::span<const Card> deck, const DrawLaw& law)
      : ranker_(ranker), deck_(deck), law_(law), counters_(deck.size() / shuffle::suits_count) {
    TALLA_CHECK(law.most < player_changes);
  }

  [[nodiscard]] DrawOdds all(std::span<const Five> asked) {
    read_hands();
    sweep();
    DrawOdds out;
    for (const Hand& hand : hands_) choose(hand, out);
    for (const Five& hand : asked) out.choices.push_back(choices(hand));
    return out;
  }

 private:
  struct Hand {
    Five places{};
    std::int64_t hands = 0;
    HandValue value;
  };
  [[nodiscard]] const CardSets& sets() const { return counters_.sets(); }
  [[nodiscard]] std::size_t others() const { return deck_.size() - five_cards; }

  /// One of each hand that differs in more than suits, the lowest first.
  void read_hands() {
    for (const auto& [set, count] : sets().firsts(five_cards)) {
      Hand hand{.places = {}, .hands = count, .value = {}};
      std::array<Card, five_cards> cards;
      for (std::size_t i = 0; i < five_cards; ++i) {
        hand.places[i] = set[i];
        cards[i] = deck_[set[i]];
      }
      hand.value = ranker_.five(cards);
      hands_.push_back(hand);
    }
    std::ranges::stable_sort(hands_, {}, &Hand::value);
  }

  void sweep() {
    const BankDraws bank(deck_, law_.bank);
    Courses courses;
    const auto add = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        bank.courses(hands_[i].places, courses);
        counters_.add(hands_[i].places, hands_[i].hands, courses);
      }
      counters_.settle();
    };
    std::size_t from = 0;
    while (from < hands_.size() && hands_[from].value < law_.bank_plays_from) ++from;
    add(0, from);
    counters_.pass(false);
    for (std::size_t i = 0; i < from; ++i) follow(hands_[i]);
    while (from < hands_.size()) {
      std::size_t to = from;
      while (to < hands_.size() && hands_[to].value == hands_[from].value) ++to;
      add(from, to);
      for (std::size_t i = from; i < to; ++i) follow(hands_[i]);
      counters_.pass(true);
      from = to;
    }
  }

  /// A final hand against the bank's courses that have neither its cards nor those given up.
  void follow(const Hand& hand) {
    const Category category = ranker_.category(hand.value);
    win_ = 1 + law_.multiple * law_.second_bet.gain(category);
    count_apart(hand);
    keep(hand, 0, {}, gains(0, none_[0]));
    if (law_.most == 0) return;
    for (const Place one : rest_) {
      Standing apart = none_[1];
      apart.add(one_[1][one], -1);
      const Gains gained = gains(1, apart);
      for (std::size_t came = 0; came < five_cards; ++came)
        keep(hand, 1U << came, std::array{one}, gained);
    }
    if (law_.most == 1) return;
    for (std::size_t j = 0; j < rest_.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        Standing apart = none_[2];
        apart.add(one_[2][rest_[i]], -1).add(one_[2][rest_[j]], -1);
        apart.add(two_[sets_below(j, 2) + i], 1);
        pair_gains_[sets_below(j, 2) + i] = gains(2, apart);
      }
    }
    for (unsigned came = 0; came < subsets; ++came) {
      if (std::popcount(came) != 2) continue;
      for (std::size_t j = 0; j < rest_.size(); ++j)
        for (std::size_t i = 0; i < j; ++i)
          keep(hand, came, std::array{rest_[i], rest_[j]}, pair_gains_[sets_below(j, 2) + i]);
    }
  }

  /// Courses with none of the hand's cards: all, those with one further card, with two.
  void count_apart(const Hand& hand) {
    rest_.clear();
    for (std::size_t at = 0; at < deck_.size(); ++at) {
      const auto place = static_cast<Place>(at);
      if (std::ranges::find(hand.places, place) == hand.places.end()) rest_.push_back(place);
    }
    none_ = {};
    one_ = {};
    two_.assign(sets_below(rest_.size(), 2), {});
    Five part{};
    for (unsigned bits = 0; bits < subsets; ++bits) {
      const std::span<const Place> set(part.data(), chosen(hand.places, bits, part));
      const SetWith of(set, deck_.size());
      const std::size_t size = of.size();
      const std::int64_t sign = size % 2 == 0 ? 1 : -1;
      for (std::size_t changes = 0; changes < player_changes; ++changes)
        none_[changes].add(counters_.at(changes, size, of.number()), sign);
      if (law_.most == 0) continue;
      for (const Place one : rest_)
        for (std::size_t changes = 1; changes < player_changes; ++changes)
          one_[changes][one].add(counters_.at(changes, size + 1, of.with(one)), sign);
      if (law_.most == 2) add_pairs(of, set, sign);
    }
  }
  void add_pairs(const SetWith& of, std::span<const Place> set, std::int64_t sign) {
    for (std::size_t j = 0; j < rest_.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        Standing& sum = two_[sets_below(j, 2) + i];
        if (set.size() < five_cards) {
          sum.add(counters_.at(2, set.size() + 2, of.with(rest_[i], rest_[j])), sign);
          continue;
        }
        std::array<Place, five_cards + 2> all{};
        merged(set, std::array{rest_[i], rest_[j]}, all);
        sum.add(counters_.at_seven(all), sign);
      }
    }
  }

  /// Weight of all the bank's courses where the player changes so many cards.
  [[nodiscard]] std::int64_t whole(std::size_t changes) const {
    return counters_.weight(changes) * sets_below(others() - changes, five_cards);
  }
  [[nodiscard]] Gains gains(std::size_t changes, const Standing& bank) const {
    const std::int64_t higher = whole(changes) - bank.out - bank.below - bank.equal;
    TALLA_CHECK(higher >= 0);
    const std::int64_t laid = 1 + law_.multiple;
    return {.net = bank.out + win_ * bank.below - laid * higher,
            .win = bank.out + (win_ > 0 ? bank.below : 0),
            .lose = higher,
            .square = bank.out + win_ * win_ * bank.below + laid * laid * higher};
  }

  void keep(const Hand& hand, unsigned came, std::span<const Place> given_up, const Gains& gained) {
    SuitKeys keys;
    for (std::size_t i = 0; i < five_cards; ++i)
      if ((came >> i & 1U) == 0) keys.put_own(deck_[hand.places[i]]);
    for (const Place place : given_up) keys.put_common(deck_[place]);
    Kept::Sum& sum = kept_.at(keys.number());
    sum.finals += hand.hands;
    sum.gains.add(gained, hand.hands);
  }

  /// What a hand gains on average where these of its cards are given up, as sums over as many
  /// deals whatever is given up.
  struct Going {
    unsigned given_up = 0;
    Int128 net = 0;
    Int128 win = 0;
    Int128 lose = 0;
    Int128 square = 0;
  };
  [[nodiscard]] Going going(const Five& hand, unsigned given_up) {
    SuitKeys keys;
    for (std::size_t i = 0; i < five_cards; ++i) {
      if ((given_up >> i & 1U) == 0) {
        keys.put_own(deck_[hand[i]]);
      } else {
        keys.put_common(deck_[hand[i]]);
      }
    }
    const auto changes = static_cast<std::size_t>(std::popcount(given_up));
    const Kept::Sum& sum = kept_.at(keys.number());
    const std::int64_t finals = sets_below(others(), changes);
    TALLA_CHECK(sum.finals > 0 && sum.finals % finals == 0);
    const std::int64_t alike = sum.finals / finals;
    const Int128 times = deals() / (Int128{finals} * whole(changes));
    TALLA_CHECK(times * finals * whole(changes) == deals());
    const auto part = [&](std::int64_t all) {
      TALLA_CHECK(all % alike == 0);
      return times * (all / alike);
    };
    return {.given_up = given_up,
            .net = part(sum.gains.net),
            .win = part(sum.gains.win),
            .lose = part(sum.gains.lose),
            .square = part(sum.gains.square)};
  }
  /// Of one hand dealt: a number that the deals of every way to play it divide.
  [[nodiscard]] Int128 deals() const {
    const auto left = static_cast<std::int64_t>(others()) - 7;
    return Int128{whole(0)} * left * (left - 1);
  }
  [[nodiscard]] std::vector<Going> ways(const Five& hand) {
    std::vector<Going> out;
    for (unsigned bits = 0; bits < subsets; ++bits)
      if (static_cast<std::size_t>(std::popcount(bits)) <= law_.most)
        out.push_back(going(hand, bits));
    std::ranges::stable_sort(out, [](const Going& a, const Going& b) {
      return a.net != b.net ? a.net > b.net : std::popcount(a.given_up) < std::popcount(b.given_up);
    });
    return out;
  }

  void choose(const Hand& hand, DrawOdds& out) {
    const Going best = ways(hand.places).front();
    const bool goes = best.net > -deals();
    DrawSums& sums = out.best;
    const Int128 times = hand.hands;
    out.goes += goes ? hand.hands : 0;
    sums.deals += times * deals();
    sums.net += times * (goes ? best.net : -deals());
    sums.staked += times * deals() * (goes ? 1 + law_.multiple : 1);
    sums.win += goes ? times * best.win : 0;
    sums.lose += times * (goes ? best.lose : deals());
    sums.square += times * (goes ? best.square : deals());
  }
  [[nodiscard]] std::vector<DrawChoice> choices(const Five& hand) {
    std::vector<DrawChoice> out;
    for (const Going& way : ways(hand)) {
      DrawChoice& one = out.emplace_back();
      one.given_up.resize(five_cards);
      one.given_up.resize(chosen(hand, way.given_up, one.given_up));
      one.gain = Ratio(WideInt(way.net), WideInt(deals()));
    }
    return out;
  }

  const Ranker& ranker_;
  std::span<const Card> deck_;
  const DrawLaw& law_;
  DrawCounters counters_;
  std::vector<Hand> hands_;
  Kept kept_;
  // Of the hand that is followed:
  std::int64_t win_ = 0;
  std::vector<Place> rest_;
  std::array<Standing, player_changes> none_{};
  std::array<std::array<Standing, deck_cards_count>, player_changes> one_{};
  std::vector<Standing> two_;
  std::array<Gains, binomials[deck_cards_count][2]> pair_gains_{};
};

}  // namespace

games::Odds DrawSums::odds() const {
  const auto part = [this](Int128 sum) { return Ratio(WideInt(sum), WideInt(deals)); };
  return {.win = part(win),
          .lose = part(lose),
          .other = part(deals - win - lose),
          .returned = part(staked + net),
          .square = part(square),
          .staked = part(staked)};
}

DrawOdds draw_odds(const Ranker& ranker, std::span<const Card> deck, const DrawLaw& law,
                   std::span<const Five> asked) {
  return DrawGame(ranker, deck, law).all(asked);
}

}  // namespace talla::games::poker
