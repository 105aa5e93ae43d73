/// \file
/// Records as the rules read them: the events of one round, fed to the driver that every table runs
/// through (FORMAT.md section 9).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/parts.hpp"
#include "games/driver.hpp"
#include "games/table.hpp"

namespace talla::certs {

class Replay {
 public:
  /// Opens catalogue and table, restores `state_before` and counts the shoe that is in play when
  /// the round opens. Errors: rules_unavailable, wrong_settlement.
  [[nodiscard]] static Result<Replay> open(const Evidence& evidence);
  /// Opens the same table as it stands when it is opened, without a shoe. Precondition: it
  /// continues none. Errors: rules_unavailable.
  [[nodiscard]] static Result<Replay> start(const Evidence& evidence);
  /// Feeds one record of the round, its shoe or its batch; kinds that are no event change nothing.
  [[nodiscard]] Status step(const Evidence& evidence, const Record& record);
  /// The last round of the session, announced by its ROUND_OPEN.
  [[nodiscard]] Status announce_last(const Record& round_open, const games::LastRound& last) {
    return apply(round_open, last);
  }

  /// Cards dealt outside rounds are those that the rules burn. Errors: card_undue.
  [[nodiscard]] Status check_burns(const Evidence& evidence) const;
  /// The rules are done with the round: nothing of it is left to do.
  [[nodiscard]] bool over() const;
  /// The same with what the rules keep of `state_before` from round to round and nothing else;
  /// digests of states are not compared then. Errors: also those of rules that cannot go on so.
  [[nodiscard]] static Result<Replay> with_kept(const Evidence& evidence);
  /// Whether stakes stand in the state that the rules do not keep from round to round.
  [[nodiscard]] bool has_stakes() const;
  /// Every meter that was read has moved as its METER says. Errors: wrong_settlement.
  [[nodiscard]] Status meters_moved(const Record& claim) const;
  [[nodiscard]] Digest state_digest(const HashSuite& hashes) const;
  /// Everything that was settled since `open`, in order; afterwards nothing.
  [[nodiscard]] std::vector<games::Settlement> take_settled() { return driver_.take_settlements(); }

 private:
  Replay(std::unique_ptr<games::Table> table, games::State state)
      : table_(std::move(table)), driver_(*table_, std::move(state)) {}
  /// The rules of the bundle's catalogue, with the parameters of TABLE_OPEN.
  [[nodiscard]] static Result<std::unique_ptr<games::Table>> table_of(const Evidence& evidence);
  /// The shoe in play when the round opens, as its records leave it.
  Status take_shoe(const Evidence& evidence);
  /// Refuses a record of a shoe that is not the one in play.
  [[nodiscard]] Status check_in_play(const Record& record) const;
  Status apply(const Record& record, const games::Event& event);
  Status bets(const Record& record);
  Status action(const Evidence& evidence, const Record& record);
  Status deal(const Evidence& evidence, const Record& record);
  Status reveal(const Record& record);
  Status check_entitled(const Record& record, const CardDealBody& body) const;
  Status draw(const Evidence& evidence, const Record& record);
  Status void_call(const Evidence& evidence, const Record& record);
  Status misdeal(const Record& record);
  Status confirmed(const Evidence& evidence, const Record& record);
  Status mix(const Evidence& evidence, const Record& record);
  /// Meters that tables share and this round moves run on the table's terms.
  Status check_terms(const Evidence& evidence) const;
  Status meter(const Evidence& evidence, const Record& record);
  Status close_shoe(const Evidence& evidence, const Record& record);
  [[nodiscard]] Status check_burns_of(const std::vector<const Record*>& chain,
                                      std::uint64_t until) const;

  std::unique_ptr<games::Table> table_;  // where the driver finds it, wherever this value moves
  games::Driver driver_;
  bool compares_ = true;  // digests of states that records name
  std::string shoe_;      // the shoe in play, whose cards the driver counts; empty: none
  PartCollector<BetsClosedBody> bets_;
  std::vector<MeterBody> meters_;  // read, their bets not settled yet
};

}  // namespace talla::certs
