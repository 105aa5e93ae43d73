// Odds of bets on draws: the engine driven through every outcome and decision.
#include <array>
#include <map>

#include "base/check.hpp"
#include "engines/wheel/state.hpp"
#include "games/bets.hpp"
#include "games/driver.hpp"
#include "odds/chain.hpp"
#include "odds/kinds.hpp"

namespace talla::games {

namespace {

constexpr std::uint64_t outcomes_max = 1'000'000;
constexpr Seat bettor_seat = 1;
/// No code of a catalogue reads like this: a state that has it holds the stake.
constexpr std::string_view stake_id = "the.one.stake";
/// Percentages of the table minimum, one of which every bet takes: many have a minimum or a maximum
/// of their own.
constexpr std::array<Units, 16> stake_percentages = {100, 110, 120, 125, 150, 160,  180,  200,
                                                     220, 250, 300, 400, 500, 1000, 2000, 5000};

/// Behind so many zeros in a row a stake in prison is below every minimum, and each further zero
/// only halves it again: the state of one zero fewer, with half the money.
constexpr std::int64_t zeros_kept = 8;

enum Count : std::size_t { win, lose, other };

/// Takes one zero off a stake that met so many; false: it met fewer.
bool take_zero_off(json::Value& state) {
  if (state.find("prison") == nullptr) return false;
  json::Value& zeros = state["prison"].array().front()[wheel::prison_count];
  if (zeros.integer() <= zeros_kept) return false;
  zeros = zeros.integer() - 1;
  return true;
}

/// All results of a draw, each as likely as the next.
Result<std::vector<DrawResult>> outcomes(const Draw& draw) {
  std::vector<DrawResult> all;
  if (draw.kind == DrawKind::wheel) {
    for (const std::string& pocket : draw.pockets) all.push_back({draw.kind, {pocket}});
    return all;
  }
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < draw.count && count <= outcomes_max; ++i) count *= draw.faces;
  if (draw.kind != DrawKind::dice || count == 0 || count > outcomes_max)
    return fail(Errc::game_not_available, "the odds of this draw are not worked out");
  for (std::uint64_t number = 0; number < count; ++number) {
    DrawResult result{draw.kind, {}};
    std::uint64_t rest = number;
    for (std::uint32_t i = 0; i < draw.count; ++i, rest /= draw.faces)
      result.values.push_back(std::to_string(rest % draw.faces + 1));
    all.push_back(std::move(result));
  }
  return all;
}

/// The chain of one stake.
class Stake {
 public:
  explicit Stake(const Table& table) : table_(table) {}

  /// Errors: the table's refusal of the bet.
  [[nodiscard]] Result<Odds> odds(const std::string& bet, const std::vector<std::string>& on) {
    TALLA_TRY(const Driver placed, place(bet, on));
    TALLA_TRY([[maybe_unused]] const std::size_t first, number_of(placed.state()));
    while (chain_.size() < states_.size()) {
      const State next = states_[chain_.size()];  // a copy: more are found behind it
      TALLA_TRY(auto options, options_of(next));
      chain_.push_back({std::move(options)});
    }
    const auto value = solve_chain(chain_);
    if (!value) return fail(Errc::game_not_available, bet + ": the stake need never be settled");
    const Fraction& paid = value->sums.amount;
    const auto& counts = value->sums.counts;
    return Odds{.win = counts[win],
                .lose = counts[lose],
                .other = counts[other],
                .returned = paid,
                .square = value->square - Fraction(2) * paid + Fraction(1)};
  }

 private:
  [[nodiscard]] Result<Driver> place(const std::string& bet, const std::vector<std::string>& on) {
    std::optional<Error> refused;
    for (const Units percentage : stake_percentages) {
      if (table_.min() * percentage % 100 != 0) continue;
      TALLA_TRY(Driver driver, Driver::start(table_));
      stake_ = table_.min() * percentage / 100;
      PlaceBet event{.id = std::string(stake_id),
                     .seat = bettor_seat,
                     .box = {},
                     .kind = bet,
                     .on = on,
                     .stake = stake_};
      const Status placed = driver.apply(std::move(event));
      if (placed) return driver;
      if (!refused) refused = placed.error();
    }
    TALLA_CHECK(refused.has_value());
    return tl::unexpected<Error>(*refused);
  }

  /// States are the same when their text is, but for what the last event settled.
  [[nodiscard]] Result<std::size_t> number_of(const State& state) {
    json::Value text = state.to_json();
    text.object().erase("settled");
    const auto [found, fresh] = numbers_.try_emplace(json::canonical(text), states_.size());
    if (fresh) states_.push_back(state);
    return found->second;
  }

  [[nodiscard]] Result<std::vector<ChainOption>> options_of(const State& state) {
    const Driver driver(table_, state, {}, Journal::off);
    const Needs needs = driver.needs();
    std::vector<ChainOption> options;
    if (const auto* draw = find_need<Draw>(needs);
        draw != nullptr && find_need<BetsOpen>(needs) == nullptr) {
      TALLA_TRY(const auto results, outcomes(*draw));
      ChainOption option;
      for (const DrawResult& result : results) {
        TALLA_TRY(const auto step,
                  step_behind(state, result, Fraction(1, static_cast<Int128>(results.size()))));
        option.push_back(step);
      }
      options.push_back(std::move(option));
      return options;
    }
    TALLA_TRY_STATUS(add_choices(state, needs, options));
    if (options.empty()) return fail(Errc::game_not_available, "nothing leads on from here");
    return options;
  }

  /// What its owner may do, and, where silence is an answer, nothing.
  [[nodiscard]] Status add_choices(const State& state, const Needs& needs,
                                   std::vector<ChainOption>& options) {
    bool silent = true;
    for (const Need& need : needs) {
      const auto* decide = std::get_if<Decide>(&need);
      if (decide == nullptr) continue;
      silent = silent && !decide->required;
      for (const ActionChoice& choice : decide->choices) {
        if (choice.max > 0) continue;  // more money: another bet, with odds of its own
        Act act{.seat = decide->seat,
                .action = choice.action,
                .bet = {},
                .amount = {},
                .cards = {},
                .to = {}};
        if (!choice.bet.empty()) act.bet = choice.bet;
        TALLA_TRY_STATUS(add_choice(state, act, options));
      }
    }
    const auto* open = find_need<BetsOpen>(needs);
    return silent && open != nullptr && open->can_close ? add_choice(state, CloseBets{}, options)
                                                        : Status();
  }

  [[nodiscard]] Status add_choice(const State& state, const Event& event,
                                  std::vector<ChainOption>& options) {
    TALLA_TRY(const auto step, step_behind(state, event, 1));
    options.push_back({step});
    return {};
  }

  [[nodiscard]] Result<ChainStep> step_behind(const State& state, const Event& event,
                                              const Fraction& probability) {
    Driver driver(table_, state, {}, Journal::off);
    TALLA_TRY_STATUS(driver.apply(event));
    ChainStep step{.to = {}, .probability = probability, .sums = {}};
    const bool stays =
        driver.state().canonical().find('"' + std::string(stake_id) + '"') != std::string::npos;
    for (const Settlement& one : driver.settled()) {
      if (one.result == BetResult::prison) continue;  // it waits
      return settled(one, step);
    }
    if (!stays) return fail(Errc::game_not_available, "the stake is gone without a settlement");
    if (json::Value text = driver.state().to_json(); take_zero_off(text)) {
      step.scale = Fraction(1, 2);
      text.object().erase("settled");
      TALLA_TRY(const State fewer, table_.engine().restore(table_, text));
      TALLA_TRY(step.to, number_of(fewer));
    } else {
      TALLA_TRY(step.to, number_of(driver.state()));
    }
    return step;
  }

  [[nodiscard]] ChainStep settled(const Settlement& one, ChainStep step) const {
    const Fraction paid = (Fraction(one.returned) + one.remainder) / Fraction(stake_);
    step.sums.amount = paid;
    step.sums.counts[paid > Fraction(1) ? win : paid.is_zero() ? lose : other] = 1;
    return step;
  }

  const Table& table_;
  Units stake_ = 0;
  std::map<std::string, std::size_t> numbers_;
  std::vector<State> states_;
  std::vector<ChainState> chain_;
};

using Positions = std::vector<std::vector<std::string>>;

/// What may stand in `on`: nothing, the codes of a set, one index, or two.
Positions places(const BetRule& rule, const Params& params) {
  if (rule.on == OnForm::none || rule.on == OnForm::numbers) return {{}};
  Positions all = positions(rule, params);
  if (rule.on == OnForm::set) return all;
  const std::size_t count = all.size();
  all.clear();
  for (std::size_t i = 1; i <= count; ++i) {
    if (rule.on == OnForm::index) all.push_back({std::to_string(i)});
    for (std::size_t k = i + 1; rule.on == OnForm::pair && k <= count; ++k)
      all.push_back({std::to_string(i), std::to_string(k)});
  }
  return all;
}

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

}  // namespace

Result<TableOdds> draw_odds(const Table& table, const Draw& draw) {
  TALLA_TRY([[maybe_unused]] const auto known, outcomes(draw));
  TableOdds all;
  for (const BetRule& rule : table.rules().bets) {
    if (rule.is_call()) continue;
    std::optional<Error> refused;
    bool found = false;
    for (const auto& on : places(rule, table.params())) {
      const auto odds = Stake(table).odds(rule.id, on);
      if (odds) {
        add(all.bets, rule.id, on, *odds);
        found = true;
      } else if (!refused) {
        refused = odds.error();
      }
    }
    if (!found && refused) all.others.push_back({rule.id, refused->detail});
  }
  return all;
}

}  // namespace talla::games
