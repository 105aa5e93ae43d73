/// \file
/// Rounds of blackjack from honest shoes, played by the driver as a test says, and what the law of
/// best play sees of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../../sim/random.hpp"
#include "games/driver.hpp"
#include "games/play_law.hpp"
#include "stats/monitor/excess.hpp"

namespace talla::games::test {

/// A round in front of a player: what is open to him, his hand in turn, the dealer's card.
struct Turn {
  const Decide& decide;
  std::vector<int> hand;  ///< points of the cards of the hand in turn, aces one
  int dealer = 0;
  [[nodiscard]] bool open(std::string_view action) const {
    return std::ranges::any_of(decide.choices,
                               [&](const ActionChoice& one) { return one.action == action; });
  }
  [[nodiscard]] int low() const {
    int sum = 0;
    for (const int one : hand) sum += one;
    return sum;
  }
  [[nodiscard]] bool soft() const {
    return std::ranges::find(hand, 1) != hand.end() && low() + 10 <= 21;
  }
  [[nodiscard]] int total() const { return low() + (soft() ? 10 : 0); }
};
using Strategy = std::function<std::string(const Turn&)>;

/// As is published for several decks, with what a table leaves open of it.
inline std::string best_play(const Turn& turn) {
  const int up = turn.dealer == 1 ? 11 : turn.dealer;
  const int total = turn.total();
  const bool pair = turn.hand.size() == 2 && turn.hand[0] == turn.hand[1];
  if (pair && turn.open("split")) {
    const int of = turn.hand[0];
    const bool splits = of == 1   ? up != 11
                        : of == 8 ? up < 10
                        : of == 9 ? up <= 9 && up != 7
                        : of == 7 ? up <= 7
                        : of == 6 ? up <= 6
                                  : (of == 2 || of == 3) && up <= 7;
    if (splits) return "split";
  }
  if (turn.open("double") && !turn.soft()) {
    if ((total == 11 && up < 10) || (total == 10 && up < 10)) return "double";
    if (total == 9 && up >= 3 && up <= 6) return "double";
  }
  if (!turn.open("hit")) return "stand";
  if (turn.soft()) return total <= 17 || (total == 18 && up >= 9) ? "hit" : "stand";
  if (total >= 17) return "stand";
  if (total >= 13) return up >= 7 ? "hit" : "stand";
  if (total == 12) return up >= 4 && up <= 6 ? "stand" : "hit";
  return "hit";
}

/// One round: what went over the table.
struct BoxRound {
  std::vector<Event> events;
  std::vector<Settlement> settled;
  bool dealer_over = false;  ///< the dealer passed the target
};

class Boxes {
 public:
  Boxes(const Table& table, std::uint64_t seed) : table_(table), random_(seed) {
    count_ = table.engine().shoe(table)->cards_count;
    bet_ = PlayLaw::of(table)->bet();
    shoe();
  }
  void shoe() {
    order_.clear();
    for (std::uint32_t deck = 0; deck < count_ / 52; ++deck) {
      for (const auto suit : {shuffle::Suit::spades, shuffle::Suit::hearts, shuffle::Suit::diamonds,
                              shuffle::Suit::clubs}) {
        for (int rank = 1; rank <= 13; ++rank) order_.push_back(shuffle::Card::of(rank, suit));
      }
    }
    random_.shuffle(order_);
    at_ = 0;
  }
  [[nodiscard]] std::vector<shuffle::Card> gone() const {
    return {order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(at_)};
  }
  /// The stop card would have come.
  [[nodiscard]] bool last() const { return at_ + 75 > order_.size(); }
  /// High-low count of what is left, per deck.
  [[nodiscard]] double count() const {
    int sum = 0;
    for (std::size_t i = 0; i < at_; ++i) {
      const int rank = order_[i].rank();
      sum += rank == 1 || rank >= 10 ? -1 : rank <= 6 ? 1 : 0;
    }
    return sum * 52.0 / static_cast<double>(order_.size() - at_);
  }
  [[nodiscard]] shuffle::Card& ahead(std::size_t index) { return order_.at(at_ + index); }
  [[nodiscard]] sim::Random& random() { return random_; }

  /// Stakes of seats 1, 2, ... on their boxes.
  BoxRound play(const std::vector<Units>& stakes, const Strategy& strategy) {
    Driver driver = *Driver::start(table_, Journal::off);
    BoxRound out;
    must(driver, ShoeOpened{count_, true});
    const auto say = [&](Event event) {
      must(driver, event);
      for (const Settlement& one : driver.settled()) out.settled.push_back(one);
      out.events.push_back(std::move(event));
    };
    Seat seat = 0;
    for (const Units stake : stakes) {
      ++seat;
      PlaceBet bet{"b" + std::to_string(seat), seat, {}, bet_, {}, stake};
      if (table_.rules().bet(bet.kind)->on == OnForm::index) bet.on = {"1"};
      say(bet);
    }
    say(CloseBets{});
    std::vector<shuffle::Card> dealer;
    std::map<std::string, std::vector<int>> hands;
    while (true) {
      if (const auto place = driver.next_card_place()) {
        const auto card = order_.at(at_++);
        if (place->place.starts_with("dealer")) dealer.push_back(card);
        say(CardDealt{place->place, place->face, card});
        continue;
      }
      const Needs needs = driver.needs();
      const Decide* decide = nullptr;
      for (const Need& one : needs) {
        const auto* open = std::get_if<Decide>(&one);
        if (open != nullptr && open->required) decide = open;
      }
      if (decide == nullptr) break;
      Turn turn{*decide, hand_of(driver), std::min(dealer.front().rank(), 10)};
      say(Act{decide->seat, strategy(turn), {}, {}, {}, {}});
    }
    int low = 0;
    bool ace = false;
    for (const auto card : dealer) {
      low += std::min(card.rank(), 10);
      ace = ace || card.rank() == 1;
    }
    out.dealer_over = low > 21;
    return out;
  }

 private:
  /// Points of the hand in turn, as everybody sees it.
  static std::vector<int> hand_of(const Driver& driver) {
    const json::Value view = driver.view({});
    std::vector<int> out;
    const auto* hands = view.find("hands");
    if (hands == nullptr) return out;
    for (const auto& hand : hands->array()) {
      const auto* done = hand.find("done");
      if (done != nullptr && done->boolean()) continue;
      for (const auto& card : hand.find("cards")->array())
        out.push_back(std::min(shuffle::Card::parse(card.string())->rank(), 10));
      break;
    }
    return out;
  }
  static void must(Driver& driver, const Event& event) {
    const auto status = driver.apply(event);
    if (!status) {
      ADD_FAILURE() << event_name(event) << ": " << status.error().text();
      std::abort();
    }
  }
  const Table& table_;
  sim::Random random_;
  std::uint32_t count_ = 0;
  std::string bet_;
  std::vector<shuffle::Card> order_;
  std::size_t at_ = 0;
};

/// What a round is to the e-process: gains beyond the bound, each as much as its first stake.
struct Beyond {
  stats::monitor::Excess::Gains gains{};
  bool foreign = false;
  bool counts = false;
};
inline Beyond beyond(const PlayLaw& law, const std::vector<shuffle::Card>& gone,
                     const BoxRound& round) {
  Beyond out;
  const auto stakes = law.round(gone, round.events, round.settled);
  if (!stakes) {
    ADD_FAILURE() << stakes.error().text();
    return out;
  }
  double all = 0;
  for (const PlayedStake& one : *stakes) {
    const auto first = static_cast<double>(one.first);
    all += first;
    out.gains[0] += first * (one.gain - one.most);
    out.gains[1] += first * (one.gain - one.most_of);
    out.foreign = out.foreign || one.foreign;
  }
  out.counts = all > 0;
  for (double& one : out.gains) one /= out.counts ? all : 1;
  return out;
}

}  // namespace talla::games::test
