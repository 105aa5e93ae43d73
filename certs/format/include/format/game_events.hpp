/// \file
/// What the records of a round are to the rules: the one place that turns bodies into engine events
/// and back.
///
/// Used by the appliance when it makes a record and by the verifier when it replays one (FORMAT.md
/// section 9, "Replay of a SETTLEMENT"). Seats and boxes of records are wider than those of the
/// rules: bodies with larger ones are refused (FormatErrc::malformed_body), never cut off.
/// Threads: pure functions. Secrecy: a covered or unseen card is not in its body and so not in its
///          event.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "games/engine.hpp"
#include "games/event.hpp"
#include "games/settlement.hpp"
#include "games/table.hpp"

namespace talla::certs {

/// A recorded bet as the rules take it.
[[nodiscard]] Result<games::PlaceBet> place_event(const Bet& bet);
/// act, or time-out of the seat.
[[nodiscard]] Result<games::Event> action_event(const ActionBody& action);
[[nodiscard]] games::Misdeal misdeal_event(const MisdealBody& misdeal);
/// A METER of a meter that tables share: what the round reads.
[[nodiscard]] games::MeterRead meter_event(const MeterBody& meter);
/// Whether the rules moved the meters exactly as these METERs of one round say. `moved`:
/// Engine::meters behind the last.
[[nodiscard]] bool moved_as_said(const std::vector<MeterBody>& said,
                                 const std::vector<games::Meter>& moved);
[[nodiscard]] Result<games::CardDealt> card_event(const CardDealBody& deal);
[[nodiscard]] Result<games::CardRevealed> reveal_event(const CardOpenBody& open);

/// The draw the rules ask for, as CALL specifies it. Errors: FormatErrc::malformed_specification
/// for what is no draw of one result (balls, several lots without replacement): those come from a
/// shoe.
[[nodiscard]] Result<DrawSpecification> specification_of(const games::Draw& draw);
/// The outcome as the rules read it. Precondition (checked): the outcome is of that draw's
/// specification.
[[nodiscard]] games::DrawResult draw_event(const games::Draw& draw, const Outcome& outcome);

/// What the rules came to, as records hold it.
[[nodiscard]] SettlementResult settlement_result(const games::Settlement& settlement);

/// One root's dealt cards by position: where each lies, and whether it has gone back since.
struct LaidCard {
  std::string place;
  bool returned = false;
};
using LaidCards = std::vector<LaidCard>;

/// Which cards a shuffle puts back: the members of SHOE_RECOMMIT.
struct CardsBack {
  std::vector<std::uint32_t> returned;
  std::vector<OlderCards> older;
  bool operator==(const CardsBack&) const = default;
};
/// The cards at the places that the rules name; `roots`: the oldest first, the present one last.
/// Empty when other than `due.cards_count` lie there.
[[nodiscard]] std::optional<CardsBack> cards_back(const games::Shuffle& due,
                                                  std::span<const LaidCards> roots);
/// Marks what goes back and begins the new root. Errors: FormatErrc::malformed_body (a card that
/// was not dealt, or went back before).
[[nodiscard]] Status take_back(std::vector<LaidCards>& roots, const ShoeRecommitBody& body);

/// The face of a card in the words of the other side.
[[nodiscard]] Face face_of(games::Face face);
[[nodiscard]] games::Face face_of(Face face);

/// What TABLE_OPEN fixes, as games::Table::open takes it. Errors: those of games (unit, rounding).
[[nodiscard]] Result<games::TableConfig> table_config(const TableOpenBody& open);

}  // namespace talla::certs
