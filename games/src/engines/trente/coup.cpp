#include "engines/trente/coup.hpp"

#include <string>
#include <utility>

#include "base/check.hpp"
#include "engines/shared/payments.hpp"

namespace talla::games::trente {
namespace {

struct Outcome {
  CoupEnd end = CoupEnd::annulled;
  bool red_wins = false;      ///< end == decided
  bool first_is_red = false;  ///< end == decided
};

/// Collects what a coup brings, so that a refusal leaves the state alone.
class Coup {
 public:
  Coup(const Table& table, const TrenteState& state, Outcome outcome)
      : table_(table), prepared_(table.prepared<Prepared>()), state_(state), outcome_(outcome) {}

  Status run() {
    for (const auto& stake : state_.prison) TALLA_TRY_STATUS(settle_imprisoned(stake));
    for (const auto& bet : state_.book.all()) {
      if (bet.kind == figures().insurance_bet) {
        settle_premium(bet);
      } else {
        TALLA_TRY_STATUS(settle_fresh(bet));
      }
    }
    return {};
  }
  void write(TrenteState& state) {
    state.settled = std::move(settled_);
    state.prison = std::move(prison_);
    state.book.clear();
  }

 private:
  [[nodiscard]] const Figures& figures() const { return prepared_.figures; }
  [[nodiscard]] bool won(const Bet& bet) const {
    const auto chance = chance_from(bet.kind);
    TALLA_CHECK(chance.has_value());  // check_rules and check_state let no other bet stand
    return wins(*chance, outcome_.red_wins, outcome_.first_is_red);
  }

  void settle_premium(const Bet& bet) {
    const bool kept = prepared_.premium_kept.at(static_cast<std::size_t>(outcome_.end));
    settled_.push_back(kept ? settle_lose(table_, bet, figures().insurance_cite)
                            : settle_returned(table_, bet, BetResult::push, Fraction(bet.stake),
                                              figures().insurance_cite));
  }

  Status settle_fresh(const Bet& bet) {
    const auto* rule = table_.rules().bet(bet.kind);
    TALLA_CHECK(rule != nullptr);
    switch (outcome_.end) {
      case CoupEnd::decided:
        settled_.push_back(won(bet) ? settle_win(table_, bet, *rule->payout("win"))
                                    : settle_lose(table_, bet, rule->cite));
        return {};
      case CoupEnd::tie:
        settled_.push_back(
            settle_returned(table_, bet, figures().tie, Fraction(bet.stake), figures().tie_cite));
        return {};
      case CoupEnd::annulled:
        settled_.push_back(settle_returned(table_, bet, BetResult::void_, Fraction(bet.stake),
                                           figures().stop_cite));
        return {};
      case CoupEnd::refait:
        break;
    }
    if (insurance_of(figures(), state_, bet.seat, bet.kind) != nullptr) {
      settled_.push_back(settle_returned(table_, bet, BetResult::void_, Fraction(bet.stake),
                                         figures().insurance_cite));
      return {};
    }
    return meet_refait({.bet = bet, .times = 1, .chosen = false});
  }

  Status settle_imprisoned(const Imprisoned& stake) {
    switch (outcome_.end) {
      case CoupEnd::decided:
        if (won(stake.bet)) return set_free(stake, figures().refait_cite);
        settled_.push_back(settle_lose(table_, stake.bet, figures().refait_cite));
        return {};
      case CoupEnd::refait:
        return meet_refait({.bet = stake.bet, .times = stake.times + 1, .chosen = false});
      case CoupEnd::tie:
      case CoupEnd::annulled:
        if (prepared_.null_frees) {
          return set_free(stake,
                          outcome_.end == CoupEnd::tie ? figures().tie_cite : figures().stop_cite);
        }
        prison_.push_back(stake);
    }
    return {};
  }

  Status set_free(const Imprisoned& stake, const Citation& cite) {
    std::uint32_t times = stake.times - 1;
    if (prepared_.value == Prepared::Value::whole) times = 0;
    if (prepared_.value == Prepared::Value::literal && stake.times > 1) times = stake.times;
    TALLA_TRY(const auto value, halved(Fraction(stake.bet.stake), times));
    settled_.push_back(settle_returned(table_, stake.bet, BetResult::freed, value, cite));
    return {};
  }

  /// The stake has just met its 31-31 number stake.times.
  Status meet_refait(Imprisoned stake) {
    auto half = half_of(table_, stake);
    if (state_.last) {
      if (!half) return pass(std::move(half));
      settled_.push_back(*std::move(half));
      return {};
    }
    const auto below = prepared_.below_minimum;
    const bool asked = below == Prepared::Below::prison_first ||
                       (below == Prepared::Below::prison && stake.times > 1);
    // Halved beyond what can be written: less than any minimum.
    stake.chosen =
        asked && (!half || Fraction(half->returned) + half->remainder < Fraction(table_.min()));
    settled_.push_back(
        settle_returned(table_, stake.bet, BetResult::prison, Fraction(), figures().refait_cite));
    prison_.push_back(std::move(stake));
    return {};
  }

  const Table& table_;
  const Prepared& prepared_;
  const TrenteState& state_;
  Outcome outcome_;
  std::vector<Settlement> settled_;
  Prison prison_;
};

Outcome outcome_of(const Table& table, const TrenteState& state) {
  const auto& figures = table.prepared<Prepared>().figures;
  const int black = row_total(figures, state.negra);
  const int red = row_total(figures, state.roja);
  Outcome out{CoupEnd::decided, red < black, is_red(state.negra.front())};
  if (black == red) out.end = black == figures.refait ? CoupEnd::refait : CoupEnd::tie;
  return out;
}

/// A null coup does not end the session while a stake waits in prison.
void finish(TrenteState& state, CoupEnd end) {
  const bool counts = end == CoupEnd::decided || end == CoupEnd::refait ||
                      (end == CoupEnd::tie && state.prison.empty());
  state.phase = state.last && counts ? Phase::finished : Phase::over;
}

}  // namespace

Status check_coup(const Table& table, const TrenteState& state) {
  return Coup(table, state, outcome_of(table, state)).run();
}

Status settle_coup(const Table& table, TrenteState& state) {
  const auto outcome = outcome_of(table, state);
  Coup coup(table, state, outcome);
  TALLA_TRY_STATUS(coup.run());
  coup.write(state);
  put_in_payment_order(table.rules(), state.settled);
  finish(state, outcome.end);
  return {};
}

Status annul_coup(const Table& table, TrenteState& state) {
  Coup coup(table, state, {.end = CoupEnd::annulled});
  TALLA_TRY_STATUS(coup.run());
  coup.write(state);
  state.shoe = Shoe::over;
  finish(state, CoupEnd::annulled);
  return {};
}

Result<Settlement> half_of(const Table& table, const Imprisoned& stake) {
  TALLA_TRY(const auto value, halved(Fraction(stake.bet.stake), stake.times));
  return settle_returned(table, stake.bet, BetResult::half, value,
                         table.prepared<Prepared>().figures.refait_cite);
}

Units seat_stakes(const TrenteState& state, Seat seat, std::string_view chance) {
  Units sum = 0;
  for (const auto& bet : state.book.all()) {
    if (bet.seat == seat && bet.kind == chance) sum += bet.stake;
  }
  return sum;
}

const Bet* insurance_of(const Figures& figures, const TrenteState& state, Seat seat,
                        std::string_view chance) {
  for (const auto& bet : state.book.all()) {
    if (bet.seat == seat && bet.kind == figures.insurance_bet && bet.on.front() == chance)
      return &bet;
  }
  return nullptr;
}

Units premium_of(const Table& table, Units stake) {
  return table.round(table.prepared<Prepared>().figures.rate * Fraction(stake)).units;
}

Status check_insurance(const Table& table, const TrenteState& state, Seat seat,
                       std::string_view chance, Units premium) {
  const auto& prepared = table.prepared<Prepared>();
  const auto cite = table.rules().rule(prepared.figures.insurance_cite);
  const std::string on(chance);
  const Units stake = seat_stakes(state, seat, chance);
  if (stake == 0)
    return fail(Errc::bet_not_offered, cite + ": this seat has no stake on " + on + " to insure");
  if (insurance_of(prepared.figures, state, seat, chance) != nullptr)
    return fail(Errc::above_maximum, cite + ": the stake on " + on + " is insured already");
  if (Fraction(stake) < prepared.threshold) {
    return fail(Errc::below_minimum,
                cite + ": stakes of at least " + prepared.threshold.text() + " are insured");
  }
  const Units due = premium_of(table, stake);
  if (premium == due) return {};
  return fail(premium < due ? Errc::below_minimum : Errc::above_maximum,
              cite + ": the premium for " + on + " is " + std::to_string(due));
}

}  // namespace talla::games::trente
