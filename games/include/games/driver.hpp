/// \file
/// The one driver: serves an engine's forced needs from sources, one card or draw at a time, and
/// keeps the events it applied. Scenario, daemon, simulator and verifier all run tables through it,
/// so that one code path settles everywhere.
///
/// Two ways to use it:
/// - `advance` pulls from a CardSource and a DrawSource until people must act or a source has
///   nothing;
/// - the daemon asks `next_card_place` (after `pass_stop_card`), deals that card from its sealed
///   shoe and hands it in with `deal`; draws come in as DrawResult events through `apply`.
/// The driver pulls only what a need forces; it never looks ahead.
///
/// Stop card: with a depth d it stands before dealt position n - d, burns included, and comes out
/// (event StopCard) when the card behind it is asked for. The engine says what follows.
/// Errors:  a refused event changes nothing. Threads: one driver belongs to one thread.
/// Secrecy: holds no card that is not dealt; a covered card's value never passes through it.
#pragma once

#include <optional>
#include <vector>

#include "games/engine.hpp"

namespace talla::games {

/// Where cards come from.
class CardSource {
 public:
  CardSource() = default;
  CardSource(const CardSource&) = delete;
  CardSource& operator=(const CardSource&) = delete;
  virtual ~CardSource() = default;
  /// A fresh shoe, or nothing when none is to be had now.
  [[nodiscard]] virtual Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) = 0;
  struct Next {
    bool available = false;
    /// Set when the place is open; ignored for covered and unseen places.
    std::optional<Card> card;
  };
  /// The next card of the shoe, for that place.
  [[nodiscard]] virtual Result<Next> next_card(const DealPlace& place) = 0;
  /// The value of a card dealt covered, or nothing when it cannot be shown now.
  [[nodiscard]] virtual Result<std::optional<Card>> reveal(const std::string& place) = 0;
  /// The cards of these places were put back and shuffled; false when that cannot be done now.
  [[nodiscard]] virtual Result<bool> shuffle(const Shuffle& need) = 0;
};

/// Where results shown at once come from, and what meters hold that tables share.
class DrawSource {
 public:
  DrawSource() = default;
  DrawSource(const DrawSource&) = delete;
  DrawSource& operator=(const DrawSource&) = delete;
  virtual ~DrawSource() = default;
  /// Values of the draw, or nothing when none is to be had now.
  [[nodiscard]] virtual Result<std::optional<DrawResult>> draw(const Draw& need) = 0;
  /// What the shared meter holds, or nothing when it cannot be read now.
  [[nodiscard]] virtual Result<std::optional<Units>> read_meter(const std::string& /*meter*/) {
    return std::optional<Units>();
  }
};

/// The count of one shoe, and where its stop card stands: the one owner of that rule.
struct ShoeAccount {
  std::uint32_t cards_count = 0;
  /// The stop card stands before this dealt position; cards_count: there is none.
  std::uint32_t stop_after = 0;
  std::uint32_t dealt = 0;  ///< cards out, burns included
  bool stop_shown = false;
  std::uint32_t kept = 0;  ///< cards that were out at the last shuffle and did not go back
  bool operator==(const ShoeAccount&) const = default;

  /// A fresh shoe; the stop card stands before its last `stop_depth` cards, 0: there is none.
  [[nodiscard]] static ShoeAccount fresh(std::uint32_t cards_count, std::uint32_t stop_depth);
  /// The stop card comes out before the next card.
  [[nodiscard]] bool stop_due() const {
    return !stop_shown && stop_after < cards_count && dealt >= stop_after;
  }
  /// So many of the cards that are out are back, and the whole is shuffled. The stop card stands
  /// as deep as before. Precondition: no more than `dealt + kept`.
  void shuffled(std::uint32_t back_count);
};

/// Whether a driver keeps what it applied. `off` is for simulators: `take_events` and
/// `take_settlements` give nothing then, and `settled` shows what the last event settled.
enum class Journal : std::uint8_t { keep, off };

/// Plays one table: what it needs next, and what an event does to it.
class Driver {
 public:
  /// A table just opened; or from a state (restored, resumed) with the shoe that is in use. The
  /// table must outlive the driver.
  [[nodiscard]] static Result<Driver> start(const Table& table, Journal journal = Journal::keep);
  Driver(const Table& table, State state, std::optional<ShoeAccount> shoe = {},
         Journal journal = Journal::keep);

  /// Applies one event of people, of a draw, or of the log. A stop card or card that does not fit
  /// the account of the shoe is refused (Errc::not_due), so that a replayed log cannot move it.
  [[nodiscard]] Status apply(const Event& event);
  [[nodiscard]] Status apply(Event&& event);
  /// What `apply` would say to this event now; nothing changes.
  [[nodiscard]] Status would_take(const Event& event) const;
  /// The shoe went away. Rules that have no place for its end (for them only the next shoe matters)
  /// stay as they are; the count of the shoe is over in any case.
  void close_shoe();
  /// Serves forced needs until only people can act or a source has nothing. Stops at the first
  /// error.
  [[nodiscard]] Status advance(CardSource& cards, DrawSource& draws);

  /// The place of the next card that is due, or nothing.
  [[nodiscard]] std::optional<DealPlace> next_card_place() const;
  /// True when the stop card comes before the card that is due.
  [[nodiscard]] bool stop_card_due() const;
  /// Applies StopCard if it is due. Afterwards next_card_place may be nothing: the shoe is over.
  [[nodiscard]] Status pass_stop_card();
  /// The next card went to its place; `card` is given exactly when the place is open.
  /// Errors: not_due (no card is due, or the stop card comes first), cards_exhausted, the engine's.
  [[nodiscard]] Status deal(std::optional<Card> card);

  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] Needs needs() const { return table_->engine().needs(*table_, state_); }
  /// What that viewer may see.
  [[nodiscard]] json::Value view(const Viewer& viewer) const {
    return table_->engine().view(*table_, state_, viewer);
  }
  [[nodiscard]] json::Value carried() const { return table_->engine().carried(*table_, state_); }
  /// All meters of the table, as the last settlement left them.
  [[nodiscard]] std::vector<Meter> meters() const {
    return table_->engine().meters(*table_, state_);
  }
  [[nodiscard]] const std::optional<ShoeAccount>& shoe() const { return shoe_; }
  /// Moves the stop card of the open shoe (scenarios): it stands before this dealt position.
  void set_stop_after(std::uint32_t stop_after);

  /// Events applied and settlements made since the last `take_`.
  [[nodiscard]] std::vector<Event> take_events() { return std::exchange(events_, {}); }
  [[nodiscard]] std::vector<Settlement> take_settlements() {
    return std::exchange(settlements_, {});
  }
  /// What the last applied event settled; valid until the next.
  [[nodiscard]] const std::vector<Settlement>& settled() const {
    return table_->engine().settled(state_);
  }

 private:
  /// All of `apply` but the journal of events.
  [[nodiscard]] Status step(const Event& event);
  /// The same for events that change the account of the shoe.
  [[nodiscard]] Status step_of_shoe(const Event& event);
  [[nodiscard]] Status check_account(const Event& event) const;
  /// `figure` is that of the need before: the stop depth of a shoe, the cards that go back.
  void update_account(const Event& event, std::uint32_t figure);
  /// Takes over what the last event settled.
  void keep_settlements();
  /// One forced need; false when nothing could be served.
  [[nodiscard]] Result<bool> serve(CardSource& cards, DrawSource& draws);
  [[nodiscard]] Result<bool> serve_other(CardSource& cards, DrawSource& draws);
  [[nodiscard]] Result<bool> serve_shoe(const ShoeNeed& need, CardSource& cards);
  [[nodiscard]] Result<bool> serve_card(const DealPlace& place, CardSource& cards);

  const Table* table_;
  State state_;
  std::optional<ShoeAccount> shoe_;
  std::vector<Event> events_;
  std::vector<Settlement> settlements_;
  Journal journal_ = Journal::keep;
};

}  // namespace talla::games
