#include "engines/bingo/game.hpp"

#include <algorithm>
#include <span>

#include "engines/shared/state_json.hpp"

namespace talla::games::bingo {
namespace {

bool lists(const std::vector<std::string>& all, const std::string& id) {
  return std::find(all.begin(), all.end(), id) != all.end();
}

bool is_silent(const BingoState& state, Seat seat) {
  return std::find(state.silent.begin(), state.silent.end(), seat) != state.silent.end();
}

bool line_open(const BingoState& state) {
  return state.line_ball == 0 || state.line_ball == state.balls.size();
}

/// The balls completed a line that wins here.
bool has_line(const Figures& figures, const Bet& card, std::span<const Ball> balls) {
  const auto row = completed_row(numbers_of(card.on), figures.rows, balls);
  return row && (!figures.line_row || *figures.line_row == *row);
}

void end_game(const Figures& figures, BingoState& state) {
  const auto next = state.first_card + state.cards.all().size();
  state.first_card = next > figures.series ? 1 : static_cast<std::uint32_t>(next);
  state.cards.clear();
  state.line.clear();
  state.line_ball = 0;
  state.bingo.clear();
  state.silent.clear();
  state.forfeited.clear();
  state.drawing = false;
  state.shoe = false;
  state.round_over = true;
}

Status check_cards(const Table& table, const Figures& figures, const BingoState& state) {
  TALLA_TRY_STATUS(state.cards.check(table));
  if (state.first_card > figures.series ||
      state.cards.all().size() > figures.series - state.first_card + 1)
    return bad_state("more cards than the series has");
  // Prizes of no cards are paid to nobody.
  if (!state.cards.empty() && !payable(figures, state.cards.all().size()))
    return bad_state("prizes beyond what can be paid");
  for (const auto& card : state.cards.all()) {
    if (card.stake != figures.price) return bad_state("a card at another price");
  }
  return {};
}

Status check_claimed(const Figures& figures, const BingoState& state) {
  const std::span<const Ball> balls(state.balls);
  if (state.line.empty() != (state.line_ball == 0) || state.line_ball > balls.size())
    return bad_state("line and line_ball belong together");
  for (const auto& id : state.line) {
    const auto* card = state.cards.find(id);
    if (card == nullptr || !has_line(figures, *card, balls.first(state.line_ball)))
      return bad_state("a line that is none");
  }
  for (const auto& id : state.bingo) {
    const auto* card = state.cards.find(id);
    if (card == nullptr || !completed_card(numbers_of(card->on), balls))
      return bad_state("a bingo that is none");
  }
  for (const auto& id : state.forfeited) {
    if (state.cards.find(id) == nullptr) return bad_state("forfeited names no card");
  }
  const auto claims = open_claims(figures, state, true);
  for (const auto seat : state.silent) {
    if (std::none_of(claims.begin(), claims.end(),
                     [seat](const Claim& one) { return one.seat == seat; }))
      return bad_state("silent names a seat that had nothing to say");
  }
  return {};
}

}  // namespace

std::vector<Claim> open_claims(const Figures& figures, const BingoState& state, bool all) {
  std::vector<Claim> out;
  if (!state.drawing || state.balls.empty()) return out;
  const auto last = std::to_string(state.balls.back());
  for (const auto& card : state.cards.all()) {
    if (!lists(card.on, last) || (!all && is_silent(state, card.seat))) continue;
    if (line_open(state) && !lists(state.line, card.id) && has_line(figures, card, state.balls))
      out.push_back({card.id, card.seat, true});
    if (!lists(state.bingo, card.id) && completed_card(numbers_of(card.on), state.balls))
      out.push_back({card.id, card.seat, false});
  }
  return out;
}

bool is_decided(const Figures& figures, const BingoState& state, std::size_t balls_count) {
  if (!state.drawing || (state.bingo.empty() && state.balls.size() < balls_count)) return false;
  return open_claims(figures, state).empty();
}

void settle_game(const Table& table, const Figures& figures, BingoState& state) {
  auto prizes = prizes_of(figures, state.cards.all().size());
  if (state.line.empty() && figures.line_to_bingo) prizes.bingo += prizes.line;
  const auto part = [](const Fraction& prize, const std::vector<std::string>& winners) {
    return winners.empty() ? Fraction()
                           : prize / Fraction(static_cast<std::int64_t>(winners.size()));
  };
  const auto line = part(prizes.line, state.line);
  const auto bingo = part(prizes.bingo, state.bingo);
  for (const auto& card : state.cards.all()) {
    Fraction won;
    if (lists(state.line, card.id)) won += line;
    if (lists(state.bingo, card.id)) won += bingo;
    if (!won.is_zero()) {
      state.settled.push_back(
          settle_returned(table, card, BetResult::win, won, figures.prize_cite));
    } else {
      const bool late = lists(state.forfeited, card.id);
      state.settled.push_back(
          settle_lose(table, card, late ? figures.claim_cite : figures.prize_cite));
    }
  }
  end_game(figures, state);
}

void void_game(const Table& table, const Figures& figures, BingoState& state,
               const Citation& cite) {
  for (const auto& card : state.cards.all()) {
    state.settled.push_back(
        settle_returned(table, card, BetResult::void_, Fraction(card.stake), cite));
  }
  end_game(figures, state);
}

Status check_course(const Table& table, const Figures& figures, const BingoState& state) {
  TALLA_TRY_STATUS(check_cards(table, figures, state));
  const auto balls_count = table.rules().shoe->cards_count;
  if (std::any_of(state.balls.begin(), state.balls.end(),
                  [&](Ball ball) { return ball > balls_count; }))
    return bad_state("a ball that does not exist");
  if (state.drawing) {
    if (!state.shoe || state.round_over || state.cards.empty())
      return bad_state("balls are drawn for cards sold");
    TALLA_TRY_STATUS(check_claimed(figures, state));
    return is_decided(figures, state, balls_count) ? Status(bad_state("a decided game is settled"))
                                                   : Status();
  }
  const bool claimed = !state.line.empty() || state.line_ball != 0 || !state.bingo.empty() ||
                       !state.silent.empty() || !state.forfeited.empty();
  if (claimed) return bad_state("claims without a draw");
  if (!state.round_over && !state.balls.empty()) return bad_state("balls before the draw");
  if (state.round_over && !state.cards.empty()) return bad_state("cards of a game that is over");
  if (!state.shoe && !state.cards.empty())
    return bad_state("cards are sold when the balls are in the cage");
  return {};
}

}  // namespace talla::games::bingo
