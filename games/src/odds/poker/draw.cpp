// Draw poker against the house at its best, all cards counted.
#include "odds/poker/draw.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "odds/poker/draw_counters.hpp"
#include "odds/poker/kept_cards.hpp"

namespace talla::games::poker {
namespace {

using Five = std::array<Place, five_cards>;
constexpr unsigned subsets = 1U << five_cards;

class DrawGame {
 public:
  DrawGame(const Ranker& ranker, std::span<const Card> deck, const DrawLaw& law)
      : ranker_(ranker),
        deck_(deck),
        law_(law),
        counters_(deck.size() / shuffle::suits_count),
        kept_(deck.size() / shuffle::suits_count) {
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
    if (law_.most == 2) follow_pairs(hand);
  }

  /// The same where two cards are given up.
  void follow_pairs(const Hand& hand) {
    pair_gains_.clear();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Standing apart = none_[2];
      apart.add(one_[2][pairs_[i].first], -1).add(one_[2][pairs_[i].second], -1);
      apart.add(two_[i], 1);
      pair_gains_.emplace_back().add(gains(2, apart), hand.hands);
    }
    Five kept{};
    for (unsigned bits = 0; bits < subsets; ++bits) {
      if (std::popcount(bits) != three_kept) continue;
      kept_.add_pairs(std::span(kept).first(chosen(hand.places, bits, kept)), pairs_, pair_gains_);
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
    pairs_.clear();
    for (std::size_t j = 0; j < rest_.size() && law_.most == 2; ++j)
      for (std::size_t i = 0; i < j; ++i) pairs_.emplace_back(rest_[i], rest_[j]);
    two_.assign(pairs_.size(), {});
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
      if (law_.most == 2) counters_.add_with_pairs(set, pairs_, sign, two_);
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
    Five kept{};
    kept_.add(std::span(kept).first(chosen(hand.places, ~came, kept)), given_up, gained,
              hand.hands);
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
    Five kept{};
    Five gone{};
    const auto stays = std::span(kept).first(chosen(hand, ~given_up, kept));
    const auto goes = std::span(gone).first(chosen(hand, given_up, gone));
    const auto changes = static_cast<std::size_t>(std::popcount(given_up));
    const KeptCards::Sum sum = kept_.at(stays, goes);
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
  KeptCards kept_;
  // Of the hand that is followed:
  std::int64_t win_ = 0;
  std::vector<Place> rest_;
  std::array<Standing, player_changes> none_{};
  std::array<std::array<Standing, deck_cards_count>, player_changes> one_{};
  std::vector<PlacePair> pairs_;
  std::vector<Standing> two_;
  std::vector<Gains> pair_gains_;
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
