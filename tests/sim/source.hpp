/// \file
/// Cards and draws of a simulated table. It serves one forced need each time it is allowed to, so
/// that every event can be looked at, and remembers which of its cards anybody has seen.
///
/// A `Script` is what one run served; a source made of it serves the same again. In
/// `with_hidden_permuted` the cards that nobody has seen (burned unseen, covered and never shown,
/// undealt) have changed places.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "games/driver.hpp"
#include "random.hpp"

namespace talla::sim {

using games::Card;

/// A card that left the shoe.
struct DealtCard {
  Card card;
  bool opened = false;  ///< dealt open, or shown since
};

/// What lies on the table, by place.
struct Layout {
  std::vector<DealtCard> dealt;  ///< in dealing order, since the layout began
  std::map<std::string, std::vector<std::size_t>, std::less<>> at;  ///< place -> indices into dealt
};

struct Script {
  Layout before;                         ///< the table when the run began
  std::vector<DealtCard> dealt;          ///< cards of the run, in order
  std::vector<games::DrawResult> draws;  ///< draws of the run, in order
  std::vector<Card> undealt;             ///< what stayed in the shoe
};
[[nodiscard]] Script with_hidden_permuted(Script script, Random& random);

class Source final : public games::CardSource, public games::DrawSource {
 public:
  /// Shuffles by itself. `random` must outlive the source.
  explicit Source(Random& random) : random_(&random) {}
  /// Serves a script again; afterwards it has nothing.
  explicit Source(const Script& script);

  /// The next forced need may be served; one only.
  void allow_one() { allowed_ = true; }
  [[nodiscard]] Result<std::optional<games::ShoeOpened>> open_shoe(
      const games::ShoeNeed& need) override;
  [[nodiscard]] Result<Next> next_card(const games::DealPlace& place) override;
  [[nodiscard]] Result<std::optional<Card>> reveal(const std::string& place) override;
  [[nodiscard]] Result<bool> shuffle(const games::Shuffle& need) override;
  [[nodiscard]] Result<std::optional<games::DrawResult>> draw(const games::Draw& need) override;

  /// Starts a new script from what lies on the table.
  void begin_script();
  [[nodiscard]] Script script() const;
  /// Whether anybody has seen a card of this value in this shoe or the one before (its last round
  /// may still lie there).
  [[nodiscard]] bool seen(Card card) const {
    return seen_.contains(card.code()) || seen_before_.contains(card.code());
  }
  [[nodiscard]] const std::vector<Card>& undealt() const { return undealt_; }
  /// Cards of the shoe in use that left it and that nobody has been shown, in dealing order.
  [[nodiscard]] std::vector<Card> hidden() const;

 private:
  [[nodiscard]] bool take() { return std::exchange(allowed_, false); }
  [[nodiscard]] std::optional<Card> pull();
  void open(std::size_t index);
  void forget_old_shoes();

  Random* random_ = nullptr;  // null: scripted
  bool allowed_ = false;
  Layout layout_;
  Layout before_;              // layout_ when the script began
  std::vector<Card> undealt_;  // back is next; scripted: cards of the script, then its undealt ones
  std::vector<games::DrawResult> draws_;
  std::size_t draws_served_ = 0;
  std::size_t shoe_begin_ = 0;  // index in layout_.dealt of the first card of the shoe in use
  bool covered_ = false;        // of the shoe in use: its cards that nobody opened stay private
  std::set<std::uint8_t> seen_;
  std::set<std::uint8_t> seen_before_;
};

}  // namespace talla::sim
