/// \file
/// What may or must come next at a table. `Engine::needs` returns a set of these: at a zero in
/// roulette the choice about imprisoned stakes and new bets are open together, so that `Decide` and
/// `BetsOpen` both stand in it.
///
/// Who serves which: BetsOpen, Decide and Confirm wait for people; ShoeNeed, Deal, Reveal, Draw,
/// Shuffle and ReadMeter are forced, the driver serves them from its sources as soon as they stand
/// in the set, in the order in which they stand.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "games/money.hpp"

namespace talla::games {

/// Seats and boxes count from 1.
using Seat = std::uint32_t;
using Box = std::uint32_t;

/// Bets may be placed and withdrawn, and betting may be closed.
struct BetsOpen {
  /// False while something else must happen first (a shoe, burns, a forced choice).
  bool can_close = true;
  bool operator==(const BetsOpen&) const = default;
};

/// A fresh shoe. The stop card stands before dealt position cards_count - stop_depth (0: no stop
/// card).
struct ShoeNeed {
  std::string deck;  ///< deck specification of shuffle/, canonical text: "french52x8"
  std::uint32_t cards_count = 0;
  std::uint32_t stop_depth = 0;
  /// Cards that nobody opened stay private when the shoe closes (disclosure `covered`).
  bool covered = false;
  bool operator==(const ShoeNeed&) const = default;
};

/// How a card leaves the shoe: shown to all, closed but perhaps shown later, or never shown
/// (burned).
enum class Face : std::uint8_t { open, covered, unseen };
[[nodiscard]] std::string_view face_name(Face face);
[[nodiscard]] Result<Face> face_from(std::string_view name);

/// One card to a place. Place ids are the catalogue's (`places` of the game), e.g. "punto-1".
struct DealPlace {
  std::string place;
  Face face = Face::open;
  /// Covered cards only: the seats that may look at it now, ascending, each once; empty: nobody.
  std::vector<Seat> seats{};
  bool operator==(const DealPlace&) const = default;
};
/// Cards that come whatever their values are, in this order. The engine takes them one at a time.
struct Deal {
  std::vector<DealPlace> cards;  ///< never empty
  bool operator==(const Deal&) const = default;
};

/// A card dealt covered is to be turned now.
struct Reveal {
  std::string place;
  bool operator==(const Reveal&) const = default;
};

/// What a draw shows; named as in catalogues.
enum class DrawKind : std::uint8_t { wheel, dice, balls, lots };
[[nodiscard]] std::string_view draw_kind_name(DrawKind kind);
[[nodiscard]] Result<DrawKind> draw_kind_from(std::string_view name);

/// One result shown at once. wheel: one of `pockets`, all equally likely. dice: `count` values of
/// 1..faces. balls, lots: `count` different values of 1..faces, in order of drawing.
struct Draw {
  DrawKind kind = DrawKind::wheel;
  std::vector<std::string> pockets;  ///< wheel only, in the order of the wheel
  std::uint32_t count = 1;
  std::uint32_t faces = 0;  ///< 0 for a wheel
  bool operator==(const Draw&) const = default;
};

/// The cards lying at these places go back into the shoe, and all it then holds is shuffled afresh
/// (SHOE_RECOMMIT). Positions count from 0 again; a stop card keeps its distance from the end.
struct Shuffle {
  std::vector<std::string> places;
  std::uint32_t cards_count = 0;  ///< how many cards lie there
  std::string rule{};             ///< game number and section that ask for it
  bool operator==(const Shuffle&) const = default;
};

/// One thing a seat may do. Amount actions have max > 0: amount in [min, max], a multiple of step.
/// Actions that name cards (Act::cards) have places: from cards_min to cards_max of them are named,
/// each once.
struct ActionChoice {
  std::string action;  ///< the catalogue's action id, e.g. "prison"
  std::string bet;     ///< bet id it concerns, empty when it concerns the seat
  Units min = 0;
  Units max = 0;
  Units step = 0;
  /// Where the cards lie that the action may name; empty: it names none.
  std::vector<std::string> places{};
  std::uint32_t cards_min = 0;
  std::uint32_t cards_max = 0;
  bool operator==(const ActionChoice&) const = default;
};
/// A seat may choose. `required`: nothing goes on without it (a time-out decides); otherwise
/// silence is an answer.
struct Decide {
  Seat seat = 0;
  std::vector<ActionChoice> choices;
  bool required = true;
  bool operator==(const Decide&) const = default;
};

/// A meter that tables share (Table::shares) is to be read: what it holds now, before anything else
/// of the round.
struct ReadMeter {
  std::string meter;
  bool operator==(const ReadMeter&) const = default;
};

/// Every card of the hand has come. It stays open to the errors of the catalogue until staff
/// confirm it; then it is settled. Only at tables with `settle_on = "confirmation"`.
struct Confirm {
  bool operator==(const Confirm&) const = default;
};

/// The round is over: every bet of it has its final result, except those the game carries on. Stays
/// in the set until the first event of the next round.
struct Settled {
  bool operator==(const Settled&) const = default;
};

/// What a table waits for.
using Need = std::variant<BetsOpen, ShoeNeed, Deal, Reveal, Draw, Shuffle, Decide, ReadMeter,
                          Confirm, Settled>;
/// At most one of each alternative, except Decide (one for each seat). Never empty.
using Needs = std::vector<Need>;

/// The alternative of that type in the set, or nullptr.
template <class T>
[[nodiscard]] const T* find_need(const Needs& needs) {
  for (const auto& need : needs) {
    if (const auto* found = std::get_if<T>(&need)) return found;
  }
  return nullptr;
}

/// JSON for API and scenario output: [{"need":"bets",..}, {"need":"deal","cards":[..]}, ...].
[[nodiscard]] json::Value to_json(const Needs& needs);

}  // namespace talla::games
