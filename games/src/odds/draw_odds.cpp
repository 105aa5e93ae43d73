// Odds of bets on draws: the engine driven through every outcome and decision.
#include <array>
#include <functional>

#include "base/check.hpp"
#include "engines/dice/rules.hpp"
#include "engines/wheel/rules.hpp"
#include "engines/wheel/state.hpp"
#include "games/bets.hpp"
#include "odds/draw_places.hpp"
#include "odds/kinds.hpp"
#include "odds/stake_chain.hpp"

namespace talla::games {

namespace {

/// Each result of the draw that is due.
Result<std::vector<Outcome>> drawn(const Needs& needs) {
  const auto* draw = find_need<Draw>(needs);
  if (draw == nullptr) return fail(Errc::game_not_available, "nothing leads on from here");
  TALLA_TRY(auto results, draw_results(*draw));
  const Fraction each(1, static_cast<Int128>(results.size()));
  std::vector<Outcome> all;
  for (DrawResult& result : results) all.push_back({each, {std::move(result)}});
  return all;
}

/// How this game counts the zeros that a stake in prison met.
Result<PrisonCount> prison_of(const Table& table) {
  PrisonCount out{.member = wheel::prison_count};
  if (table.rules().family != "wheel") return out;
  TALLA_TRY(const auto zero, wheel::zero_rule(table.rules()));
  if (zero && zero->choice && !zero->value_parameter.empty())
    out.halves = table.params().choice(zero->value_parameter) != "whole";
  return out;
}

using Positions = std::vector<std::vector<std::string>>;
using Follow = std::function<Status(const LoneStake&)>;

void add(std::vector<BetOdds>& bets, const std::string& bet, const std::vector<std::string>& on,
         const Odds& odds) {
  for (BetOdds& same : bets) {
    if (same.bet != bet || same.odds != odds) continue;
    same.on.push_back(on);
    return;
  }
  bets.push_back({.bet = bet,
                  .on = on.empty() ? Positions{} : Positions{on},
                  .odds = odds,
                  .method = OddsMethod::chain});
}

constexpr std::array<int, 6> dice_points = {4, 5, 6, 8, 9, 10};

/// A bet of dice that is laid down when others lie there already: what happens before it.
class Accompanied {
 public:
  Accompanied(const Table& table, const ChainGame& game, const Follow& follow)
      : table_(table), game_(game), follow_(follow) {}

  /// How many were followed. None: it is no such bet, or is refused all the same.
  std::size_t all_of(const BetRule& rule) {
    const auto form = dice::form_of(table_.rules(), rule);
    if (!form) return 0;
    if (form->kind == dice::FormKind::come) {
      follow(rule, behind_a_point(dice_points.front()), {}, {});
    } else if (form->kind == dice::FormKind::odds) {
      for (const int point : dice_points) beside(rule, form->with, point);
    }
    return followed_;
  }

 private:
  void beside(const BetRule& rule, const std::string& with, int point) {
    const BetRule* main = table_.rules().bet(with);
    TALLA_CHECK(main != nullptr);
    const auto form = dice::form_of(table_.rules(), *main);
    if (!form) return;
    std::vector<Event> before;
    if (form->kind == dice::FormKind::come)
      before =
          behind_a_point(point == dice_points.front() ? dice_points.back() : dice_points.front());
    lay(before, with, "own");
    before.emplace_back(thrown(point));
    const std::string number = std::to_string(point);
    const bool named = rule.on != OnForm::none;
    follow(rule, std::move(before), named ? Position{number} : Position{}, {number});
  }

  /// A series whose point is that, with some line bet.
  [[nodiscard]] std::vector<Event> behind_a_point(int point) const {
    std::vector<Event> out;
    for (const BetRule& rule : table_.rules().bets) {
      const auto form = dice::form_of(table_.rules(), rule);
      if (!form || form->kind != dice::FormKind::line) continue;
      lay(out, rule.id, "line");
      break;
    }
    out.emplace_back(thrown(point));
    return out;
  }
  void lay(std::vector<Event>& out, const std::string& bet, const std::string& id) const {
    out.emplace_back(
        PlaceBet{.id = id, .seat = 1, .box = {}, .kind = bet, .on = {}, .stake = table_.min()});
    out.emplace_back(CloseBets{});
  }
  [[nodiscard]] static DrawResult thrown(int total) {
    return {DrawKind::dice, {std::to_string(total / 2), std::to_string(total - total / 2)}};
  }

  using Position = std::vector<std::string>;
  void follow(const BetRule& rule, std::vector<Event> before, const Position& on,
              const Position& shown) {
    ChainGame game = game_;
    game.before = std::move(before);
    if (follow_({game, rule.id, on, shown})) ++followed_;
  }

  const Table& table_;
  const ChainGame& game_;
  const Follow& follow_;
  std::size_t followed_ = 0;
};

}  // namespace

Result<Table> lone_table(const Table& table) {
  if (table.rules().family != "dice") return table;
  return table.with_parameter("shooter_stake", "no-shooter");
}

Result<std::vector<BetWithoutOdds>> each_lone_stake(const Table& table, const Draw& draw,
                                                    const Follow& follow) {
  TALLA_TRY([[maybe_unused]] const auto known, draw_results(draw));
  TALLA_TRY(const PrisonCount prison, prison_of(table));
  const ChainGame game{.outcomes = drawn, .prison = prison};
  std::vector<BetWithoutOdds> others;
  for (const BetRule& rule : table.rules().bets) {
    if (rule.is_call()) continue;
    std::optional<Error> refused;
    bool found = false;
    for (const auto& on : places_of(rule, table.params())) {
      const Status followed = follow({game, rule.id, on, on});
      found = found || followed;
      if (!followed && !refused) refused = followed.error();
    }
    if (!found && table.rules().family == "dice")
      found = Accompanied(table, game, follow).all_of(rule) > 0;
    if (!found && refused) others.push_back({rule.id, refused->detail});
  }
  return others;
}

Result<TableOdds> draw_odds(const Table& table, const Draw& draw) {
  TableOdds all;
  TALLA_TRY(const auto alone, lone_table(table));
  const auto follow = [&](const LoneStake& stake) -> Status {
    TALLA_TRY(const auto odds, StakeChain(alone, stake.game).odds(stake.bet, stake.on));
    add(all.bets, stake.bet, stake.shown, odds);
    return {};
  };
  TALLA_TRY(all.others, each_lone_stake(alone, draw, follow));
  return all;
}

}  // namespace talla::games
