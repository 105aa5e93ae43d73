/// \file
/// All hands of one player against one first card of the dealer: what is best for each, and in how
/// many deals it ends how. Private to games.
///
/// Deals:   the same number of cards is counted behind every hand, so that sums are whole numbers:
///          `all()` of them behind the two first cards.
/// Threads: one object belongs to one.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "odds/blackjack/best_play.hpp"
#include "odds/blackjack/dealer.hpp"

namespace talla::games::blackjack {

/// Holds the number of orders of forty cards of eight decks, times what a stake may bring.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    512, 512, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

/// The most cards that are counted behind the two first ones and the dealer's.
inline constexpr std::size_t counted_cards = 40;

/// In how many deals a hand wins, loses, or ties; [1]: with a doubled stake.
struct Ends {
  struct Of {
    Wide win = 0;
    Wide lose = 0;
    Wide tie = 0;
  };
  std::array<Of, 2> of{};
  [[nodiscard]] Wide net() const { return of[0].win - of[0].lose + 2 * (of[1].win - of[1].lose); }
  [[nodiscard]] Wide doubled() const { return of[1].win + of[1].lose + of[1].tie; }
  void add(const Ends& other, unsigned times);
};

/// What somebody does with a hand of so many cards, who does not look for the best; nothing that is
/// not open to it.
using Manner = std::function<Action(const Counts& own, std::size_t cards)>;

class HandsAgainst {
 public:
  /// `manner`: played like that; none: at its best. Precondition: the law outlives it.
  HandsAgainst(const HandLaw& law, std::size_t dealer, Manner manner = {});

  [[nodiscard]] std::size_t dealer() const { return dealer_; }
  [[nodiscard]] const std::vector<DealerEnd>& dealer_hands() const { return dealer_hands_; }
  [[nodiscard]] const Wide& all() const { return orders_.front(); }
  /// What is best for these cards that were not split (stand, hit, twice), and what comes of it.
  /// Precondition: two cards at least, not above the target.
  [[nodiscard]] Action action(const Counts& own) const { return found(own).action; }
  [[nodiscard]] const Ends& best(const Counts& own) const { return found(own).ends; }
  /// What such a hand gains by each choice that is open to it; behind the choice it is played on as
  /// above.
  struct Options {
    Wide all;  ///< deals of the cards behind this hand: those of which the choices gain so many
    Wide stand;
    std::optional<Wide> hit;
    std::optional<Wide> twice;
  };
  [[nodiscard]] Options options(const Counts& own) const;

 private:
  struct Hand {
    Action action = Action::stand;
    Ends ends;
  };
  [[nodiscard]] const Hand& found(const Counts& own) const;
  const Hand& solve(const Counts& own, std::size_t cards, int low);
  [[nodiscard]] Ends standing(const Counts& own, std::size_t drawn, int total, bool twice) const;
  [[nodiscard]] Counts left(const Counts& own) const;
  [[nodiscard]] bool may_double(const Counts& own, int low) const;
  [[nodiscard]] Ends doubled(const Counts& own, int low) const;
  /// Of one more card; `worth` says what comes of the hand with it.
  template <class Worth>
  [[nodiscard]] Ends drawn(const Counts& own, std::size_t cards, int low, Worth worth) const;
  [[nodiscard]] Hand chosen(const Counts& own, std::size_t cards, int low);

  const HandLaw& law_;
  std::size_t dealer_;
  Manner manner_;
  std::vector<DealerEnd> dealer_hands_;
  std::vector<Wide> orders_;  ///< of the cards counted behind so many
  std::map<Counts, Hand> hands_;
};

}  // namespace talla::games::blackjack
