/// \file
/// What rounds of poker against the house have in common: one fresh deck each, the cards that left
/// it and which of them lie open, the stakes, and the frame shoe - bets - round - shoe.
///
/// A card's value is here once it lies open (dealt so, or turned); nothing else about closed cards
/// is.
/// Errors: not_due, bets_closed, no_shoe, place_unknown, card_invalid; state_malformed from
///         reading.
/// Threads: plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/bets.hpp"
#include "games/engine.hpp"

namespace talla::games::poker {

/// A card that left the deck: where it lies, and what it is once it lies open.
struct LaidCard {
  std::string place;
  std::optional<Card> card;
  bool operator==(const LaidCard&) const = default;
};

/// idle: a deck is due. betting: stakes may come. playing: from the close to the settlement. over:
/// settled, a deck is due. finished: the last round of the session is settled.
enum class Stage : std::uint8_t { idle, betting, playing, over, finished };

struct TableRound {
  Stage stage = Stage::idle;
  bool last = false;            ///< the round in progress, or the next, ends the session
  std::vector<LaidCard> cards;  ///< in the order in which they left the deck
  BetBook bets;

  bool operator==(const TableRound&) const = default;
  [[nodiscard]] bool between() const { return stage != Stage::betting && stage != Stage::playing; }

  /// The card at that place, or nullptr. Of several at one place the newest.
  [[nodiscard]] const LaidCard* at(std::string_view place) const;
  [[nodiscard]] bool lies(std::string_view place) const { return at(place) != nullptr; }
  [[nodiscard]] bool is_open(std::string_view place) const;
  /// The open cards of these places. Precondition (checked): they lie open.
  [[nodiscard]] std::vector<Card> open_at(const std::vector<std::string>& places) const;

  /// The next card went to the place that was due. `jokers`: the deck has one.
  [[nodiscard]] Status deal(const DealPlace& due, const CardDealt& event, bool jokers = false);
  /// A closed card is turned. Precondition (checked): it lies closed at `due`.
  [[nodiscard]] Status turn(std::string_view due, const CardRevealed& event, bool jokers = false);

  [[nodiscard]] Status check_betting() const;
  /// Back to an empty table, ready for bets; `last` stays.
  [[nodiscard]] Status open_shoe(const ShoeNeed& need, const ShoeOpened& event);
  [[nodiscard]] Status close_shoe();
  /// The round that is open, or the next, is the last.
  [[nodiscard]] Status announce_last();
  /// Every stake is settled.
  void finish();

  /// What outlives a round, and back. Errors: state_malformed.
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<TableRound> from_carried(const json::Value& value);
  /// What every game asks of a restored round: stakes of this table, none outside of a round, a
  /// deck's cards.
  [[nodiscard]] Status check(const Table& table, bool jokers = false) const;
  /// Deck, bets and the end; the rest is the game's.
  void put_needs(const Table& table, Needs& out, bool can_close) const;

 private:
  [[nodiscard]] Status check_new(Card card, bool jokers) const;
};

/// The game has one fresh covered deck of that text for each round, without stop card. Errors:
/// catalogue_malformed.
[[nodiscard]] Status check_deck(const GameRules& rules, std::string_view deck);
/// Every stake comes back, for `cite`; the round is over.
void void_round(const Table& table, TableRound& round, const Citation& cite,
                std::vector<Settlement>& settled);
/// An action without amount, cards or target.
[[nodiscard]] Status check_plain(const Act& event);
/// The game has that action.
[[nodiscard]] Status check_action(const GameRules& rules, const Act& event);
[[nodiscard]] tl::unexpected<Error> not_due(std::string_view what);

}  // namespace talla::games::poker
