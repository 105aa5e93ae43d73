#include "odds/chain.hpp"

#include <utility>

#include "base/check.hpp"

namespace talla::games {

namespace {

using Policy = std::vector<std::size_t>;  // the option taken in each state

/// One equation: the coefficient of each state's sum, and what stands on the right.
struct Row {
  std::vector<Ratio> of;
  Ratio right;
};

/// What a step adds to the sum, and how much of the next state's sum counts behind it.
struct Term {
  Ratio added;
  Ratio scale;
};

/// Where a walk stands: the chance of each state, and that it is over.
class Walk {
 public:
  Walk(const std::vector<ChainState>& states, const Policy& policy, std::size_t from)
      : states_(states), policy_(policy), at_(states.size()) {
    at_[from] = 1;
    decide();
  }
  /// One step of chance, and all that is decided behind it.
  void draw() {
    move(false);
    decide();
  }
  [[nodiscard]] const Ratio& over() const { return over_; }

 private:
  /// Decisions lead to chance or to the end: a row of them is no longer than there are states.
  void decide() {
    for (std::size_t i = 0; i < states_.size(); ++i) move(true);
  }
  void move(bool decisions) {
    std::vector<Ratio> next(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (at_[i].is_zero()) continue;
      if (states_[i].choices.empty() == decisions) {
        next[i] += at_[i];
        continue;
      }
      for (const ChainStep& step : states_[i].options[policy_[i]])
        (step.to ? next[*step.to] : over_) += at_[i] * step.probability;
    }
    at_ = std::move(next);
  }

  const std::vector<ChainState>& states_;
  const Policy& policy_;
  std::vector<Ratio> at_;
  Ratio over_;
};

/// x = P x + r as (1 - P) x = r.
template <class Pick>
std::vector<Row> equations(const std::vector<ChainState>& states, const Policy& policy, Pick pick) {
  std::vector<Row> rows(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    rows[i].of.resize(states.size());
    rows[i].of[i] = 1;
    for (const ChainStep& step : states[i].options[policy[i]]) {
      const Term term = pick(step);
      if (step.to) rows[i].of[*step.to] += -(step.probability * term.scale);
      rows[i].right += step.probability * term.added;
    }
  }
  return rows;
}

/// `from` times so much, added to `to`: one unknown less.
void take_away(Row& to, const Row& from, const Ratio& times) {
  for (std::size_t i = 0; i < to.of.size(); ++i) {
    if (!from.of[i].is_zero()) to.of[i] += times * from.of[i];
  }
  to.right += times * from.right;
}

/// Gauss and Jordan; nothing when the equations have no single solution.
std::optional<std::vector<Ratio>> solve(std::vector<Row> rows) {
  for (std::size_t at = rows.size();
       at-- > 0;) {  // later states first: most lead to themselves or further on
    std::size_t pivot = at + 1;
    while (pivot > 0 && rows[pivot - 1].of[at].is_zero()) --pivot;
    if (pivot == 0) return std::nullopt;
    std::swap(rows[pivot - 1], rows[at]);
    const Ratio scale = Ratio(1) / rows[at].of[at];
    for (Ratio& one : rows[at].of) one = one * scale;
    rows[at].right = rows[at].right * scale;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (row != at && !rows[row].of[at].is_zero())
        take_away(rows[row], rows[at], -rows[row].of[at]);
    }
  }
  std::vector<Ratio> solution;
  solution.reserve(rows.size());
  for (const Row& row : rows) solution.push_back(row.right);
  return solution;
}

Term amount_of(const ChainStep& step) {
  return {step.sums.amount, step.scale};
}

Ratio worth(const ChainOption& option, const std::vector<Ratio>& amounts) {
  Ratio sum;
  for (const ChainStep& step : option) {
    sum += step.probability * step.sums.amount;
    if (step.to) sum += step.probability * step.scale * amounts[*step.to];
  }
  return sum;
}

/// Takes in each state what is worth more than the option taken now (Howard, Dynamic Programming
/// and Markov Processes, 1960); false: nothing is.
bool improve(Policy& policy, const std::vector<ChainState>& states,
             const std::vector<Ratio>& amounts) {
  bool better = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto& options = states[i].options;
    Ratio best = worth(options[policy[i]], amounts);
    for (std::size_t option = 0; option < options.size(); ++option) {
      const Ratio one = worth(options[option], amounts);
      if (one <= best) continue;
      best = one;
      policy[i] = option;
      better = true;
    }
  }
  return better;
}

}  // namespace

std::optional<ChainValue> solve_chain(const std::vector<ChainState>& states) {
  TALLA_CHECK(!states.empty());
  for (const ChainState& state : states) TALLA_CHECK(!state.options.empty());
  Policy policy(states.size());
  auto amounts = solve(equations(states, policy, amount_of));
  while (amounts && improve(policy, states, *amounts))
    amounts = solve(equations(states, policy, amount_of));
  if (!amounts) return std::nullopt;
  // (a + s x)^2 = a^2 + 2 a s x + s^2 x^2, where x is what comes behind the step.
  const auto squares = solve(equations(states, policy, [&](const ChainStep& step) {
    const Ratio& now = step.sums.amount;
    Ratio added = now * now;
    if (step.to) added += Ratio(2) * now * step.scale * (*amounts)[*step.to];
    return Term{added, step.scale * step.scale};
  }));
  if (!squares) return std::nullopt;
  ChainValue value{.sums = {.counts = {}, .amount = amounts->front()},
                   .square = squares->front(),
                   .policy = policy};
  for (std::size_t k = 0; k < chain_counts; ++k) {
    const auto counts = solve(equations(states, policy, [k](const ChainStep& step) {
      return Term{step.sums.counts[k], 1};
    }));
    if (!counts) return std::nullopt;
    value.sums.counts[k] = counts->front();
  }
  return value;
}

std::optional<ChainLaw> chain_law(const std::vector<ChainState>& states, const Policy& policy,
                                  std::size_t from, std::size_t rounds) {
  ChainLaw out;
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const ChainStep& step : states[i].options[policy[i]])
      if (!step.to) out.ends.try_emplace(step.end);
  for (auto& [end, sums] : out.ends) {
    const auto is = [now = end](const ChainStep& step) { return !step.to && step.end == now; };
    const auto chances = solve(equations(states, policy, [&](const ChainStep& step) {
      return Term{is(step) ? 1 : 0, 1};
    }));
    const auto amounts = solve(equations(states, policy, [&](const ChainStep& step) {
      return Term{is(step) ? step.sums.amount : Ratio(), step.scale};
    }));
    if (!chances || !amounts) return std::nullopt;
    sums = {(*chances)[from], (*amounts)[from]};
  }
  std::erase_if(out.ends, [](const auto& one) { return one.second.probability.is_zero(); });
  std::vector<Row> rows = equations(states, policy, [](const ChainStep&) { return Term{0, 1}; });
  for (std::size_t i = 0; i < states.size(); ++i) rows[i].right = states[i].choices.empty() ? 1 : 0;
  const auto steps = solve(std::move(rows));
  if (!steps) return std::nullopt;
  out.rounds = (*steps)[from];
  Walk walk(states, policy, from);
  for (std::size_t i = 0; i < rounds; ++i) {
    walk.draw();
    out.over.push_back(walk.over());
  }
  return out;
}

}  // namespace talla::games
