// Counts what lets somebody try again: results, shoes and orders given up, bets left unsettled.
#include "repetitions.hpp"

#include <algorithm>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/parts.hpp"

namespace talla::certs {

Status Repetitions::take(const Record& record, bool replayed) {
  TALLA_TRY(const bool tried, again(record, replayed));
  if (record.kind == Kind::void_call || (dealt_from_ && tried)) ++number_;
  begins_ = false;
  return remember(record);
}

Result<bool> Repetitions::again(const Record& record, bool replayed) const {
  switch (record.kind) {
    case Kind::misdeal:
      return true;
    case Kind::shoe_recommit:
      return !replayed;
    case Kind::round_end:
      return !settled_ || !unsettled_.empty();
    case Kind::shoe_close: {
      TALLA_TRY(const auto body, ShoeCloseBody::from_json(record.body));
      return thrown_away(body, replayed);
    }
    case Kind::table_close: {
      TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
      return body.voided;
    }
    default:
      return false;
  }
}

/// A shoe that could have been played on. Of one from before the gap nobody knows what was left
/// behind its stop card; of one whose end the file begins with, nothing.
bool Repetitions::thrown_away(const ShoeCloseBody& close, bool replayed) const {
  if (closes_early(close.reason)) return true;
  if (replayed || !mixed_ || begins_) return false;
  const bool stopped = close.reason == ShoeCloseReason::stop_card;
  if (!cards_) return !stopped;
  const std::uint64_t left = *cards_ - std::min(close.dealt, *cards_);
  return stopped ? 2 * left > *cards_ : left != 0;
}

Status Repetitions::remember(const Record& record) {
  switch (record.kind) {
    case Kind::shoe_commit: {
      TALLA_TRY(const auto body, ShoeCommitBody::from_json(record.body));
      mixed_ = false;
      cards_ = body.cards;
      break;
    }
    case Kind::shoe_recommit: {
      TALLA_TRY(const auto body, ShoeRecommitBody::from_json(record.body));
      mixed_ = false;
      cards_ = body.commit.cards;
      break;
    }
    case Kind::shoe_mix:
      dealt_from_ = mixed_ = true;
      break;
    case Kind::draw:
      dealt_from_ = true;
      break;
    case Kind::round_open:
    case Kind::round_end:
      settled_ = record.kind == Kind::round_end;
      unsettled_.clear();
      break;
    case Kind::bets_closed: {
      TALLA_TRY(const auto body, BetsClosedBody::from_json(record.body));
      for (const Bet& bet : body.bets) unsettled_.insert(bet.id);
      break;
    }
    case Kind::settlement: {
      TALLA_TRY(const auto body, SettlementBody::from_json(record.body));
      for (const SettlementResult& result : body.results) unsettled_.erase(result.bet);
      settled_ = ends_content(record.body);
      break;
    }
    default:
      break;
  }
  return {};
}

}  // namespace talla::certs
