#include "engines/dice/throw.hpp"

#include <charconv>
#include <string>
#include <utility>

#include "table/bet_index.hpp"

namespace talla::games::dice {
namespace {

constexpr int seven = 7;

/// On a number: it and 7 decide, everything else goes on.
Verdict on_number(bool right, int number, int total) {
  if (total == number) return right ? Verdict::win : Verdict::lose;
  if (total == seven) return right ? Verdict::lose : Verdict::win;
  return Verdict::stay;
}

Verdict first_throw(const Form& form, int total, bool null_pushes) {
  if (form.win.contains(total)) return Verdict::win;
  if (form.lose.contains(total)) return Verdict::lose;
  if (form.null.contains(total)) return null_pushes ? Verdict::push : Verdict::stay;
  return Verdict::move;
}

}  // namespace

int number_of(const Bet& bet, const Form& form, int point) {
  if (bet.on.empty()) return form.kind == FormKind::odds || form.kind == FormKind::line ? point : 0;
  const auto& code = bet.on.front();
  int number = 0;
  std::from_chars(code.data(), code.data() + code.size(), number);
  return number;
}

Verdict judge(const Form& form, const Bet& bet, int point, Throw thrown, bool null_pushes) {
  const int total = thrown.total();
  const int number = number_of(bet, form, point);
  switch (form.kind) {
    case FormKind::line: {
      if (number != 0) return on_number(form.right, number, total);
      const auto verdict = first_throw(form, total, null_pushes);
      return verdict == Verdict::move ? Verdict::stay : verdict;
    }
    case FormKind::come:
      return number != 0 ? on_number(form.right, number, total)
                         : first_throw(form, total, null_pushes);
    case FormKind::once:
      return form.win.contains(total) ? Verdict::win : Verdict::lose;
    case FormKind::until:
      if (form.win.contains(total))
        return !form.doubles || thrown.is_double() ? Verdict::win : Verdict::lose;
      return form.lose.contains(total) ? Verdict::lose : Verdict::stay;
    case FormKind::odds:
    case FormKind::place:
      return on_number(form.right, number, total);
  }
  return Verdict::stay;
}

int next_point(int point, int total) {
  if (point == 0) return is_point(total) ? total : 0;
  return total == point || total == seven ? 0 : point;
}

Status settle_throw(const Table& table, DiceState& state, Throw thrown) {
  const auto& prepared = table.prepared<Prepared>();
  const int total = thrown.total();
  const auto bets = std::as_const(state.book).all();
  std::vector<Verdict> verdicts;
  verdicts.reserve(bets.size());
  state.settled.reserve(bets.size());
  for (const auto& bet : bets) {
    const auto* indexed = table.bet_index().bet_of(bet);
    if (indexed == nullptr)
      return fail(Errc::state_malformed, "bet of unknown kind '" + bet.kind + "'");
    const auto& known = prepared.bets[indexed->number];
    const auto verdict = judge(known.form, bet, state.point, thrown, prepared.null_pushes);
    verdicts.push_back(verdict);
    if (verdict == Verdict::win) {
      const auto& prize = known.prize(number_of(bet, known.form, state.point), total);
      if (prize.payout == nullptr)
        return fail(Errc::state_malformed, "'" + bet.kind + "' stands on no number");
      add_settlement(state.settled, table, bet, BetResult::win, Fraction(bet.stake) * prize.factor,
                     prize.named_rule);
    } else if (verdict == Verdict::lose) {
      add_settlement(state.settled, table, bet, BetResult::lose, Fraction(0), indexed->named_rule);
    } else if (verdict == Verdict::push) {
      add_settlement(state.settled, table, bet, BetResult::push, Fraction(bet.stake),
                     indexed->named_rule);
    }
  }
  state.book.update([&, at = std::size_t{0}](Bet& bet) mutable {
    const auto verdict = verdicts[at++];
    if (verdict == Verdict::move) bet.on = {std::to_string(total)};
    return verdict == Verdict::stay || verdict == Verdict::move;
  });
  state.point = next_point(state.point, total);
  return {};
}

}  // namespace talla::games::dice
