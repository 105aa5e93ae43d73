// Odds of a card of bingo, by how many are sold. The numbers of every card are drawn by lot, each
// card by itself; whoever has a line or the bingo says so in time.
#include <array>
#include <string>

#include "base/check.hpp"
#include "engines/bingo/rules.hpp"
#include "odds/kinds.hpp"
#include "odds/paid_odds.hpp"

namespace talla::games {

namespace {

constexpr std::array<std::size_t, 3> cards_sold = {1, 5, 10};

/// b (b-1) ... (b-k+1); 0 where a factor would be below 1.
WideInt falling(std::size_t from, std::size_t factors) {
  WideInt out = 1;
  for (std::size_t i = 0; i < factors; ++i) out *= from > i ? from - i : 0;
  return out;
}

WideInt binomial(std::size_t from, std::size_t taken) {
  WideInt out = 1;
  for (std::size_t i = 0; i < taken; ++i) out = out * (from - i) / (i + 1);
  return out;
}

/// When the balls called complete a line and the whole of one card, as whole parts of `all()`.
class CardCourse {
 public:
  CardCourse(const bingo::Figures& figures, std::size_t balls)
      : balls_(balls),
        numbers_(figures.numbers),
        line_(figures.numbers / figures.rows),
        lines_(figures.line_row ? 1 : figures.rows) {
    for (std::size_t line = 0; line <= balls; ++line)
      for (std::size_t whole = 0; whole <= balls; ++whole) by_.push_back(both_by(line, whole));
  }
  [[nodiscard]] std::size_t balls() const { return balls_; }
  [[nodiscard]] WideInt all() const { return falling(balls_, numbers_); }
  /// A line at the latest with so many balls, the whole card with so many.
  [[nodiscard]] const WideInt& by(std::size_t line, std::size_t whole) const {
    return by_[line * (balls_ + 1) + whole];
  }
  /// The first line with exactly so many balls, the whole by so many.
  [[nodiscard]] WideInt line_at(std::size_t line, std::size_t whole_by) const {
    return by(line, whole_by) - by(line - 1, whole_by);
  }
  [[nodiscard]] WideInt whole_at(std::size_t line_by, std::size_t whole) const {
    return by(line_by, whole) - by(line_by, whole - 1);
  }

 private:
  /// Any of the lines: so many of them at least, less what is counted twice.
  [[nodiscard]] WideInt both_by(std::size_t line, std::size_t whole) const {
    if (line >= whole) return falling(whole, numbers_);
    WideInt out = 0;
    for (std::size_t some = 1; some <= lines_; ++some) {
      const std::size_t within = some * line_;
      const WideInt term = binomial(lines_, some) * falling(line, within) *
                           falling(whole - std::min(whole, within), numbers_ - within);
      out += some % 2 == 1 ? term : WideInt(-term);
    }
    return out;
  }

  std::size_t balls_;
  std::size_t numbers_;
  std::size_t line_;
  std::size_t lines_;
  std::vector<WideInt> by_;
};

std::vector<WideInt> powers(const WideInt& base, std::size_t most) {
  std::vector<WideInt> out = {1};
  for (std::size_t i = 0; i < most; ++i) out.emplace_back(out.back() * base);
  return out;
}

/// What one of so many cards is paid, by how many cards share each prize with it.
class Shared {
 public:
  Shared(const CardCourse& course, std::size_t sold)
      : course_(course),
        sold_(sold),
        both_((sold + 1) * (sold + 1)),
        line_(sold + 1),
        bingo_(sold + 1) {
    for (std::size_t line = 1; line <= course.balls(); ++line)
      for (std::size_t whole = line; whole <= course.balls(); ++whole) count(line, whole);
  }

  /// Of prizes for a card that costs 1.
  [[nodiscard]] Odds odds(const bingo::Prizes& prizes) const {
    WideInt all = sold_;
    for (std::size_t i = 0; i < sold_; ++i) all *= course_.all();
    PaidOdds paid;
    paid.add(0, Ratio(nothing_, all));
    const auto part = [](const Fraction& prize, std::size_t of) {
      return prize / Fraction(static_cast<std::int64_t>(of));
    };
    for (std::size_t x = 1; x <= sold_; ++x) {
      paid.add(part(prizes.line, x), Ratio(line_[x], all));
      paid.add(part(prizes.bingo, x), Ratio(bingo_[x], all));
      for (std::size_t y = 1; y <= sold_; ++y)
        paid.add(part(prizes.line, x) + part(prizes.bingo, y), Ratio(both_[cell(x, y)], all));
    }
    return paid.odds();
  }

 private:
  [[nodiscard]] std::size_t cell(std::size_t x, std::size_t y) const { return x * (sold_ + 1) + y; }

  /// The first line of all cards falls on ball `line`, the first whole card on ball `whole`: some
  /// cards have both then, some the line alone, some the whole alone, the rest neither.
  void count(std::size_t line, std::size_t whole) {
    const std::size_t end = course_.balls();
    const WideInt in_both = course_.line_at(line, whole) - course_.line_at(line, whole - 1);
    const WideInt in_line = course_.line_at(line, end) - course_.line_at(line, whole);
    const WideInt in_whole = course_.whole_at(end, whole) - course_.whole_at(line, whole);
    const WideInt in_none =
        course_.all() - course_.by(line, end) - course_.by(end, whole) + course_.by(line, whole);
    if (in_both.is_zero() && (in_line.is_zero() || in_whole.is_zero())) return;
    const auto both = powers(in_both, sold_);
    const auto line_only = powers(in_line, sold_);
    const auto whole_only = powers(in_whole, sold_);
    const auto none = powers(in_none, sold_);
    for (std::size_t rest = 0; rest < sold_; ++rest) {  // cards without the line
      for (std::size_t v = 0; v <= rest; ++v) {
        const WideInt behind = whole_only[v] * none[rest - v] * binomial(rest, v);
        const std::size_t lines = sold_ - rest;
        const std::size_t most = in_both.is_zero() ? 0 : lines;
        for (std::size_t z = v == 0 ? 1 : 0; z <= most; ++z) {
          const WideInt ways =
              behind * both[z] * line_only[lines - z] * binomial(sold_, lines) * binomial(lines, z);
          both_[cell(lines, z + v)] += ways * z;
          line_[lines] += ways * (lines - z);
          bingo_[z + v] += ways * v;
          nothing_ += ways * (rest - v);
        }
      }
    }
  }

  const CardCourse& course_;
  std::size_t sold_;
  std::vector<WideInt> both_;   ///< by how many have the line, and how many the whole
  std::vector<WideInt> line_;   ///< of the line alone
  std::vector<WideInt> bingo_;  ///< of the whole alone
  WideInt nothing_ = 0;
};

}  // namespace

Result<TableOdds> called_odds(const Table& table) {
  const auto figures = bingo::figures_of(table);
  TALLA_CHECK(table.rules().shoe.has_value());
  const CardCourse course(figures, table.rules().shoe->cards_count);
  const Fraction price(figures.price);
  TableOdds out;
  for (const std::size_t sold : cards_sold) {
    if (sold > figures.series) continue;
    auto prizes = bingo::prizes_of(figures, sold);
    prizes.line = prizes.line / price;
    prizes.bingo = prizes.bingo / price;
    out.bets.push_back({.bet = figures.kind,
                        .on = {},
                        .odds = Shared(course, sold).odds(prizes),
                        .method = OddsMethod::count,
                        .play = {"sold-" + std::to_string(sold)}});
  }
  return out;
}

}  // namespace talla::games
