/// \file
/// Records as the rules read them: the events of one round, folded through its engine (FORMAT.md
/// section 9).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/parts.hpp"
#include "games/engine.hpp"
#include "games/table.hpp"

namespace talla::certs {

class Replay {
 public:
  /// Opens catalogue and table and restores `state_before`. Errors: rules_unavailable,
  /// wrong_settlement.
  [[nodiscard]] static Result<Replay> open(const Evidence& evidence);
  /// Feeds one record of the round, its shoe or its batch; kinds that are no event change nothing.
  [[nodiscard]] Status step(const Evidence& evidence, const Record& record);
  /// The last round of the session, announced by its ROUND_OPEN.
  [[nodiscard]] Status announce_last(const Record& round_open, const games::LastRound& last) {
    return apply(round_open, last);
  }

  /// Every meter that was read has moved as its METER says. Errors: wrong_settlement.
  [[nodiscard]] Status meters_moved(const Record& claim) const;
  [[nodiscard]] Digest state_digest(const HashSuite& hashes) const;
  /// Everything that was settled since `open`, in order.
  [[nodiscard]] const std::vector<games::Settlement>& settled() const { return settled_; }

 private:
  explicit Replay(games::Table table) : table_(std::move(table)) {}
  Status apply(const Record& record, const games::Event& event);
  Status bets(const Record& record);
  Status action(const Evidence& evidence, const Record& record);
  Status deal(const Evidence& evidence, const Record& record);
  Status reveal(const Record& record);
  Status check_entitled(const Record& record, const CardDealBody& body) const;
  Status draw(const Evidence& evidence, const Record& record);
  Status void_draw(const Evidence& evidence, const Record& record);
  Status misdeal(const Record& record);
  Status confirmed(const Evidence& evidence, const Record& record);
  Status mix(const Evidence& evidence, const Record& record);
  /// Meters that tables share and this round moves run on the table's terms.
  Status check_terms(const Evidence& evidence) const;
  Status meter(const Evidence& evidence, const Record& record);
  Status close_shoe(const Evidence& evidence, const Record& record);

  games::Table table_;
  std::optional<games::State> state_;
  PartCollector<BetsClosedBody> bets_;
  std::vector<MeterBody> meters_;  // read, their bets not settled yet
  std::vector<games::Settlement> settled_;
};

}  // namespace talla::certs
