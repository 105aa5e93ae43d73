/// \file
/// Steps of a scenario as events and as what fills the card queue and the draw.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/driver.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

/// The cards a scenario names, and the one draw that is waiting. A card of which the shoe holds no
/// more is refused when it is dealt, also where it is covered; what is burned unseen stands for any
/// card.
class ScenarioSource final : public CardSource, public DrawSource {
 public:
  [[nodiscard]] Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override;
  [[nodiscard]] Result<Next> next_card(const DealPlace& place) override;
  [[nodiscard]] Result<std::optional<Card>> reveal(const std::string& place) override;
  [[nodiscard]] Result<bool> shuffle(const Shuffle& need) override;
  [[nodiscard]] Result<std::optional<DrawResult>> draw(const Draw& need) override;

  [[nodiscard]] Result<std::optional<Units>> read_meter(const std::string& meter) override;

  void add_card(Card card) { queue_.push_back(card); }
  void drop_queue() { queue_.clear(); }
  void put_at(const std::string& place, Card card) { at_[place] = card; }
  void offer_shoe(bool in_play) { shoe_ = in_play; }
  /// What a shared meter holds when it is read next.
  void put_meter(const std::string& meter, Units value) { meters_[meter] = value; }
  /// Cards at places hold for one round.
  void end_round() {
    at_.clear();
    round_over_ = true;
  }
  /// The cards of this round that lie, or lay, covered where this seat may look: by place.
  [[nodiscard]] json::Object own_cards(Seat seat) const;

 private:
  /// A card goes to that place. Errors: card_invalid.
  [[nodiscard]] Status take(const DealPlace& place, Card card);

  std::optional<shuffle::DeckSpec> deck_;            // of the shoe that is open
  std::vector<std::pair<std::string, Card>> dealt_;  // open or covered from it, and where they lie
  std::deque<Card> queue_;
  std::map<std::string, Card, std::less<>> at_;
  std::map<std::string, Card, std::less<>> covered_;  // covered cards on the table, to be revealed
  std::optional<bool> shoe_;                          // a shoe is offered; true: in play
  std::map<std::string, Units, std::less<>> meters_;
  struct Looked {
    Card card;
    std::vector<Seat> seats;
  };
  std::map<std::string, Looked>
      looked_;  // covered cards that seats may look at, until the next round
  bool round_over_ = false;
};

/// A scenario that breaks the format.
[[nodiscard]] inline tl::unexpected<Error> bad_scenario(const std::string& why) {
  return fail(Errc::scenario_malformed, why);
}

/// A step is an object with one member, whose name is one of the format's. Errors:
/// scenario_malformed.
[[nodiscard]] Status check_step(const json::Value& step);
/// bet, withdraw, close, act, timeout, void, misdeal, confirm, session: the event. Other steps:
/// nothing.
/// Errors: scenario_malformed; seat_invalid and amount_invalid for a number that no table takes.
[[nodiscard]] Result<std::optional<Event>> step_event(const std::string& name,
                                                      const json::Value& value);
/// wheel, dice, balls, lots: the result. Other steps: nothing.
[[nodiscard]] Result<std::optional<DrawResult>> step_draw(const std::string& name,
                                                          const json::Value& value);

}  // namespace talla::games
