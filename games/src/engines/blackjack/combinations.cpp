#include "engines/blackjack/combinations.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/check.hpp"
#include "engines/blackjack/boxes.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/patterns.hpp"
#include "engines/blackjack/settle.hpp"

namespace talla::games::blackjack {
namespace {

constexpr std::array<std::string_view, 9> names = {"seven",
                                                   "two-sevens",
                                                   "two-sevens-suited",
                                                   "three-sevens",
                                                   "three-sevens-suited",
                                                   "six-seven-eight",
                                                   "six-seven-eight-suited",
                                                   "blackjack",
                                                   "blackjack-suited"};

bool all_of_rank(std::span<const Card> cards, std::size_t count, int rank) {
  return cards.size() >= count &&
         std::all_of(cards.begin(), cards.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](Card card) { return card.rank() == rank; });
}

bool same_suit(std::span<const Card> cards) {
  return std::all_of(cards.begin(), cards.end(),
                     [&](Card card) { return card.suit() == cards.front().suit(); });
}

bool all_suits_differ(std::span<const Card> three) {
  return three[0].suit() != three[1].suit() && three[0].suit() != three[2].suit() &&
         three[1].suit() != three[2].suit();
}

bool six_seven_eight(std::span<const Card> cards) {
  if (cards.size() < 3) return false;
  std::array<int, 3> ranks = {cards[0].rank(), cards[1].rank(), cards[2].rank()};
  std::sort(ranks.begin(), ranks.end());
  return ranks == std::array<int, 3>{6, 7, 8};
}

const json::Array& rows_of(const Law& law, std::string_view kind) {
  const auto* bet = law.find("combinations", kind);
  TALLA_CHECK(bet != nullptr);
  return bet->find("rows")->array();
}

Units seed_of(const Law& law, std::string_view kind) {
  const auto* bet = law.find("combinations", kind);
  return (law.fraction_of(*bet->find("seed")) * Fraction(law.table().min())).floor();
}

bool has_meter(const Law& law, std::string_view kind) {
  const auto& rows = rows_of(law, kind);
  return std::any_of(rows.begin(), rows.end(),
                     [](const json::Value& row) { return row.find("meter") != nullptr; });
}

struct Prize {
  Fraction exact;    ///< all that goes back
  Units award = 0;   ///< part of it that comes out of the jackpot
  std::string when;  ///< row
};

/// How the winners of one coup share a jackpot. in_order: as they are paid, each its share of what
/// is left. equal: those of one combination divide its share. each: everybody gets it whole, and
/// the house puts in what is lacking.
enum class Winners : std::uint8_t { in_order, equal, each };

Winners winners_rule(const Law& law, std::string_view kind) {
  const auto* bet = law.find("combinations", kind);
  const bool fixed = law.fraction_of(*bet->find("contribution")).is_zero();
  const auto* of_fixed = law.find("combinations", "fixed_winners");
  if (fixed && of_fixed != nullptr && of_fixed->string() == "each") return Winners::each;
  const auto* of_all = law.find("combinations", "winners");
  if (of_all == nullptr || of_all->string() == "in-order") return Winners::in_order;
  return of_all->string() == "equal" ? Winners::equal : Winners::each;
}

Prize prize_of(const Law& law, const json::Value& row, const Bet& bet, const Fraction& meter) {
  Prize out;
  out.when = row.find("when")->string();
  const Fraction stake(bet.stake);
  if (const auto* pays = row.find("pays")) {
    const auto rate = law.fraction_of(*pays);
    if (!rate.is_zero()) out.exact = stake * (Fraction(1) + rate);
    return out;
  }
  out.award = (law.fraction_of(*row.find("meter")) * meter).floor();
  out.exact = Fraction(out.award);
  if (const auto* floor = row.find("floor"))
    out.exact = std::max(out.exact, law.fraction_of(*floor) * stake);
  const auto* back = row.find("stake_returned");
  if (back != nullptr && law.resolve(*back).boolean()) out.exact += stake;
  return out;
}

/// The highest prize of a bet when the jackpot holds that much.
Prize best_prize(const Law& law, const Bet& bet, std::span<const Card> cards,
                 const Fraction& meter) {
  Prize best;
  for (const auto& row : rows_of(law, bet.kind)) {
    if (!holds_combination(row.find("when")->string(), cards, law)) continue;
    const auto prize = prize_of(law, row, bet, meter);
    if (prize.exact > best.exact) best = prize;
  }
  return best;
}

/// A jackpot before its winners of this coup are paid.
struct Coup {
  Winners rule = Winners::in_order;
  Units start = 0;
  std::map<std::string, int> winners;  ///< of a share, by combination
};

std::map<std::string, Coup> coups_of(const Law& law, const State& state) {
  std::map<std::string, Coup> out;
  for (const auto& meter : state.meters)
    out.emplace(meter.id, Coup{winners_rule(law, meter.id), meter.value, {}});
  for (const auto& first : state.firsts) {
    for (const auto& bet : state.bets.all()) {
      const auto coup = out.find(bet.kind);
      if (bet.box != first.box || coup == out.end()) continue;
      const auto best = best_prize(law, bet, first.cards, Fraction(coup->second.start));
      if (best.award > 0) ++coup->second.winners[best.when];
    }
  }
  return out;
}

/// What a bet's share is taken of.
Fraction base_of(const Law& law, const Coup& coup, const Jackpot& meter, const Bet& bet,
                 std::span<const Card> cards) {
  if (coup.rule == Winners::in_order) return meter.value;
  const Fraction start(coup.start);
  if (coup.rule == Winners::each) return start;
  const auto found = coup.winners.find(best_prize(law, bet, cards, start).when);
  return found == coup.winners.end() ? start : start / Fraction(found->second);
}

void settle_bet(const Law& law, State& state, const Bet& bet, std::span<const Card> cards,
                const std::map<std::string, Coup>& coups) {
  auto* meter = named(state.meters, bet.kind);
  Fraction base;
  if (meter != nullptr) base = base_of(law, coups.find(bet.kind)->second, *meter, bet, cards);
  const Prize best = best_prize(law, bet, cards, base);
  const auto& rule = law.bet(bet.kind);
  if (best.exact.is_zero())
    return settle_one(state, settle_lose(law.table(), bet, rule.cite), nullptr);
  if (best.award > 0) {
    if (best.award > meter->value) meter->put_in(best.award - meter->value);  // of the house
    meter->value -= best.award;
    meter->award += best.award;
  }
  const auto& cite = rule.payout(best.when)->cite;
  settle_one(state, settle_returned(law.table(), bet, BetResult::win, best.exact, cite), nullptr);
}

void contribute(const Law& law, State& state) {
  for (auto& meter : state.meters) {
    Fraction stakes;
    for (const auto& bet : state.bets.all()) {
      if (bet.kind == meter.id) stakes += Fraction(bet.stake);
    }
    const auto share = law.fraction_of(*law.find("combinations", meter.id)->find("contribution"));
    const Fraction due = stakes * share + meter.carry;
    meter.put_in(due.floor());
    meter.carry = due - Fraction(due.floor());
  }
}

}  // namespace

bool is_combination(std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds_combination(std::string_view name, std::span<const Card> cards, const Law& law) {
  const auto first = [&](std::size_t count) { return cards.first(std::min(count, cards.size())); };
  if (const auto* pattern = find_pattern(law.rules(), name)) return holds_pattern(*pattern, cards);
  if (name == "seven") return all_of_rank(cards, 1, 7);
  if (name == "two-sevens") return all_of_rank(cards, 2, 7) && !same_suit(first(2));
  if (name == "two-sevens-suited") return all_of_rank(cards, 2, 7) && same_suit(first(2));
  if (name == "three-sevens-suited") return all_of_rank(cards, 3, 7) && same_suit(first(3));
  if (name == "three-sevens") {
    if (!all_of_rank(cards, 3, 7) || same_suit(first(3))) return false;
    return law.is("combinations", "suits", "not-all-same") || all_suits_differ(first(3));
  }
  if (name == "six-seven-eight") return six_seven_eight(cards) && !same_suit(first(3));
  if (name == "six-seven-eight-suited") return six_seven_eight(cards) && same_suit(first(3));
  if (cards.size() < 2 || total(law, first(2)) != law.target()) return false;
  return (name == "blackjack-suited") == same_suit(first(2));
}

bool prizes_fit(const Law& law, std::string_view kind, Units stake) {
  const auto& rows = rows_of(law, kind);
  return std::all_of(rows.begin(), rows.end(), [&](const json::Value& row) {
    const auto* pays = row.find("pays");
    const auto* rate = pays != nullptr ? pays : row.find("floor");
    return rate == nullptr ||
           Fraction(stake) * (law.fraction_of(*rate) + Fraction(1)) <= Fraction(units_max);
  });
}

Fraction combination_paid(const Law& law, std::string_view kind, Units stake,
                          std::span<const Card> cards, const Fraction& meter) {
  Bet bet;
  bet.kind = kind;
  bet.stake = stake;
  return best_prize(law, bet, cards, meter).exact;
}

bool has_prize(const Law& law, std::string_view kind) {
  const auto& rows = rows_of(law, kind);
  return std::any_of(rows.begin(), rows.end(), [&](const json::Value& row) {
    const auto* pays = row.find("pays");
    return !law.fraction_of(pays != nullptr ? *pays : *row.find("meter")).is_zero();
  });
}

std::vector<Jackpot> opening_meters(const Law& law) {
  std::vector<Jackpot> out;
  for (const auto& bet : law.rules().bets) {
    if (law.find("combinations", bet.id) == nullptr || !has_meter(law, bet.id)) continue;
    if (bet.offered_if && !law.table().params().holds(*bet.offered_if)) continue;
    out.push_back({.id = bet.id, .value = seed_of(law, bet.id)});
  }
  return out;
}

std::optional<json::Value> meter_terms(const Law& law, std::string_view kind) {
  const auto all = opening_meters(law);
  const auto* found = named(all, kind);
  if (found == nullptr) return std::nullopt;
  json::Value out = law.resolved(*law.find("combinations", kind));
  out.object().erase("seed");  // `opening` says what it makes
  out["opening"] = found->value;
  if (const auto* stakes = law.find("stakes", kind)) {
    json::Object amounts;
    for (const auto& [key, value] : stakes->object())
      amounts[key] =
          key == "most" ? value
          : key == "exact"
              ? json::Value(std::to_string(law.stake_of(value)))
              : json::Value((law.fraction_of(value) * Fraction(law.table().min())).text());
    out["stake"] = std::move(amounts);
  }
  for (const auto* reading : {"suits", "after_split", "winners", "fixed_winners"}) {
    if (const auto* value = law.find("combinations", reading)) out[reading] = *value;
  }
  return out;
}

std::optional<std::string> unread_meter(const Law& law, const State& state) {
  if (state.firsts.empty()) return std::nullopt;
  for (const auto& meter : state.meters) {
    const auto& bets = state.bets.all();
    const bool staked =
        std::any_of(bets.begin(), bets.end(), [&](const Bet& bet) { return bet.kind == meter.id; });
    if (staked && !meter.read && law.table().shares(meter.id)) return meter.id;
  }
  return std::nullopt;
}

void read_meter(State& state, const std::string& due, Units value) {
  auto* meter = named(state.meters, due);
  TALLA_CHECK(meter != nullptr);
  meter->value = value;
  meter->read = true;
}

void settle_combinations(const Law& law, State& state) {
  if (state.firsts.empty()) return;
  contribute(law, state);
  const auto coups = coups_of(law, state);
  for (auto first = state.firsts.rbegin(); first != state.firsts.rend(); ++first) {
    const auto all = state.bets.all();
    const std::vector<Bet> bets(all.begin(), all.end());
    for (const auto& bet : bets) {
      if (bet.box == first->box && form_of(law, bet) == "combination")
        settle_bet(law, state, bet, first->cards, coups);
    }
  }
  for (auto& meter : state.meters) {
    if (meter.award > 0) meter.put_in(seed_of(law, meter.id));
    meter.read = false;
  }
  state.firsts.clear();
}

}  // namespace talla::games::blackjack
