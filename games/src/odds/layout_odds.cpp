// Odds of monte: on each kind of layout every card that may come, as the engine's own steps turn
// and settle it. Cards of no rank that lies there are alike: states are told apart by their number.
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "base/check.hpp"
#include "engines/monte/deal.hpp"
#include "games/bets.hpp"
#include "games/driver.hpp"
#include "odds/kinds.hpp"
#include "odds/paid_odds.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

using monte::Phase;
using monte::Relation;
using monte::Rules;

constexpr Seat layout_seat = 1;
constexpr std::size_t ranks_placed = 4;
constexpr int burned_rank = 5;

/// A kind of layout: which further cards of the first and of the second rank lie on them.
struct Layout {
  std::string_view play;
  std::vector<Relation> on_first;
  std::vector<Relation> on_second;
  bool burned = false;
};
const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {
      {"layout-plain", {}, {}},
      {"layout-doubled-camo", {Relation::camo}, {}},
      {"layout-doubled-anti", {Relation::anti}, {}},
      {"layout-doubled-viudo", {Relation::viudo}, {}},
      {"layout-tripled-camo", {Relation::anti, Relation::viudo}, {}},
      {"layout-tripled-anti", {Relation::camo, Relation::viudo}, {}},
      {"layout-tripled-viudo", {Relation::camo, Relation::anti}, {}},
      {"layout-both-doubled", {Relation::camo}, {Relation::camo}},
      {"layout-burned", {}, {}, true}};
  return all;
}

/// One bet on one position, in the round in which it is laid down.
struct Stake {
  const BetRule* rule;
  std::vector<std::string> on;
  bool segundas;
  PaidOdds paid{};
  Ratio offered{};  ///< chance that it is taken
};

using Reached = std::map<std::string, std::pair<monte::State, Ratio>>;

class LayoutSweep {
 public:
  /// `only`: this bet and no other; empty: all.
  LayoutSweep(const Table& table, std::string_view only)
      : table_(table), only_(only), rules_(table.prepared<Rules>()), deck_(deck_of(rules_)) {}

  /// Every stake that the layout takes, followed to its end.
  [[nodiscard]] Result<std::vector<Stake>> follow(const Layout& layout) {
    stakes_.clear();
    segundas_.clear();
    TALLA_TRY(Driver driver, laid(layout));
    place_all(driver, false, 1);
    TALLA_TRY_STATUS(driver.apply(CloseBets{}));
    Reached now;
    TALLA_TRY_STATUS(add(now, driver.state(), 1));
    sweep(std::move(now), &LayoutSweep::every_card);
    Reached second;
    for (const auto& [key, one] : segundas_) TALLA_TRY_STATUS(open_segundas(one, second));
    Reached begun;
    for (auto& [key, one] : second) {
      every_card(one.first, one.second, [&](const monte::State& state, const Ratio& probability) {
        after(state, probability, begun);
      });
    }
    sweep(std::move(begun), &LayoutSweep::next_that_counts);
    return std::move(stakes_);
  }

 private:
  using Visit = std::function<void(const monte::State&, const Ratio&)>;
  using Turn = void (LayoutSweep::*)(const monte::State&, const Ratio&, const Visit&);

  static std::vector<Card> deck_of(const Rules& rules) {
    const auto spec = shuffle::DeckSpec::parse(rules.shoe.deck);
    TALLA_CHECK(spec.has_value());
    return spec->cards();
  }

  /// The card of that rank which stands so to the one in `first`.
  [[nodiscard]] Card related(Card first, Relation relation) const {
    const auto found = std::ranges::find_if(deck_, [&](Card card) {
      return card.rank() == first.rank() && card != first &&
             rules_.relation(first, card) == relation;
    });
    TALLA_CHECK(found != deck_.end());
    return *found;
  }
  [[nodiscard]] Card of_rank(int rank) const {
    const auto found = std::ranges::find_if(deck_, [&](Card card) { return card.rank() == rank; });
    TALLA_CHECK(found != deck_.end());
    return *found;
  }

  /// The table with that layout, bets open.
  [[nodiscard]] Result<Driver> laid(const Layout& layout) const {
    TALLA_TRY(Driver driver, Driver::start(table_, Journal::off));
    TALLA_TRY_STATUS(driver.apply(ShoeOpened{rules_.shoe.cards_count, false}));
    std::vector<Card> cards;
    if (layout.burned) {
      cards.push_back(of_rank(burned_rank));
      cards.push_back(related(cards.back(), Relation::camo));
    }
    const Card first = of_rank(1);
    const Card second = of_rank(2);
    cards.push_back(first);
    cards.push_back(second);
    for (const Relation one : layout.on_first) cards.push_back(related(first, one));
    for (const Relation one : layout.on_second) cards.push_back(related(second, one));
    for (std::size_t rank = 3; rank <= ranks_placed; ++rank)
      cards.push_back(of_rank(static_cast<int>(rank)));
    for (const Card card : cards) TALLA_TRY_STATUS(driver.deal(card));
    return driver;
  }

  /// Lays down every bet that is taken now; each counts with the chance of this state.
  void place_all(Driver& driver, bool segundas, const Ratio& probability) {
    for (const BetRule& rule : table_.rules().bets) {
      if (!only_.empty() && rule.id != only_) continue;
      for (const auto& on : positions(rule, table_.params())) {
        const std::size_t number = number_of(rule, on, segundas);
        if (!driver.apply(PlaceBet{.id = std::to_string(number),
                                   .seat = layout_seat,
                                   .box = {},
                                   .kind = rule.id,
                                   .on = on,
                                   .stake = table_.min()}))
          continue;
        stakes_[number].offered += probability;
      }
    }
  }
  std::size_t number_of(const BetRule& rule, const std::vector<std::string>& on, bool segundas) {
    for (std::size_t i = 0; i < stakes_.size(); ++i) {
      const Stake& one = stakes_[i];
      if (one.rule == &rule && one.on == on && one.segundas == segundas) return i;
    }
    stakes_.push_back({&rule, on, segundas});
    return stakes_.size() - 1;
  }

  [[nodiscard]] Status open_segundas(const std::pair<monte::State, Ratio>& from, Reached& out) {
    TALLA_TRY(const State state, table_.engine().restore(table_, from.first.to_json()));
    auto shoe = ShoeAccount::fresh(rules_.shoe.cards_count, rules_.shoe.stop_depth);
    shoe.dealt = static_cast<std::uint32_t>(from.first.out().size());
    Driver driver(table_, state, shoe, Journal::off);
    place_all(driver, true, from.second);
    TALLA_TRY_STATUS(driver.apply(CloseBets{}));
    return add(out, driver.state(), from.second);
  }

  static Status add(Reached& to, const State& state, const Ratio& probability) {
    TALLA_TRY(monte::State one, monte::State::from_json(state.to_json()));
    merge(to, std::move(one), probability);
    return {};
  }
  static void merge(Reached& to, monte::State state, const Ratio& probability) {
    state.settled.clear();
    std::string key = json::canonical(state.to_json());
    const auto [found, fresh] = to.try_emplace(std::move(key), std::move(state), probability);
    if (!fresh) found->second.second += probability;
  }

  /// Until nothing is in play any more.
  void sweep(Reached now, Turn turn) {
    while (!now.empty()) {
      Reached next;
      for (const auto& [key, one] : now) {
        std::invoke(turn, *this, one.first, one.second,
                    [&](const monte::State& state, const Ratio& probability) {
                      after(state, probability, next);
                    });
      }
      now = std::move(next);
    }
  }

  /// Whether the card may decide something: its rank lies there, face up.
  [[nodiscard]] static bool counts(const monte::State& state, Card card) {
    return std::ranges::any_of(state.layout, [&](const monte::Placed& one) {
      return !one.face_down && one.card.rank() == card.rank();
    });
  }
  [[nodiscard]] std::vector<Card> left_in(const monte::State& state, bool that_counts) const {
    const auto out = state.out();
    std::vector<Card> left;
    for (const Card card : deck_) {
      if (counts(state, card) == that_counts && std::ranges::find(out, card) == out.end())
        left.push_back(card);
    }
    return left;
  }

  /// Each card that counts, and one for all others.
  void every_card(const monte::State& state, const Ratio& probability, const Visit& visit) {
    const auto cards = left_in(state, true);
    const auto others = left_in(state, false);
    const auto left = static_cast<std::int64_t>(cards.size() + others.size());
    for (const Card card : cards) turned(state, card, probability / Ratio(left), visit);
    if (others.empty()) return;
    turned(state, others.front(),
           probability * Ratio(Fraction(static_cast<Int128>(others.size()), left)), visit);
  }

  /// Where nothing depends on how many other cards come between: the next card that counts, each as
  /// likely; when none is left, the rest of the deck.
  void next_that_counts(const monte::State& state, const Ratio& probability, const Visit& visit) {
    const auto cards = left_in(state, true);
    const Ratio each =
        probability / Ratio(static_cast<std::int64_t>(std::max<std::size_t>(cards.size(), 1)));
    for (const Card card : cards) turned(state, card, each, visit);
    if (!cards.empty()) return;
    monte::State last = state;
    const auto others = left_in(state, false);
    TALLA_CHECK(!others.empty());
    last.turned.insert(last.turned.end(), others.begin(), others.end() - 1);
    turned(last, others.back(), probability, visit);
  }

  void turned(const monte::State& state, Card card, const Ratio& probability, const Visit& visit) {
    monte::State next = state;
    next.settled.clear();
    monte::turn_card(table_, next, card);
    if (monte::round_complete(rules_, next)) {
      // What the last card of a round decides is settled with the round.
      monte::settle_round(table_, next);
    }
    for (const Settlement& one : next.settled) {
      Stake& stake = stakes_.at(std::stoul(one.bet));
      stake.paid.add((Fraction(one.returned) + one.remainder) / Fraction(one.stake), probability);
    }
    visit(next, probability);
  }

  /// The state behind a card: of Segundas it waits, of an ended deal nothing is left.
  void after(monte::State state, const Ratio& probability, Reached& next) {
    if (state.phase == Phase::segundas_open) {
      merge(segundas_, in_order(std::move(state)), probability);
    } else if (state.turning() && !state.bets.empty()) {
      const bool last_round = state.phase == Phase::segundas;
      state = in_order(std::move(state));
      if (last_round) forget_others(state);
      merge(next, std::move(state), probability);
    }
  }

  /// The order of what was turned says nothing, nor which of the other cards they were.
  [[nodiscard]] monte::State in_order(monte::State state) const {
    std::vector<Card> kept;
    for (const Card card : state.turned)
      if (counts(state, card)) kept.push_back(card);
    const std::size_t others = state.turned.size() - kept.size();
    std::ranges::sort(kept);
    state.turned = kept;
    const auto free = left_in(state, false);
    TALLA_CHECK(others <= free.size());
    state.turned.insert(state.turned.end(), free.begin(),
                        free.begin() + static_cast<std::ptrdiff_t>(others));
    return state;
  }
  /// In Segundas, behind its first card, nor how many they were.
  static void forget_others(monte::State& state) {
    std::erase_if(state.turned, [&](Card card) { return !counts(state, card); });
    state.turned_here = 1;
  }

  const Table& table_;
  std::string_view only_;
  const Rules& rules_;
  std::vector<Card> deck_;
  std::vector<Stake> stakes_;
  Reached segundas_;
};

void add(std::vector<BetOdds>& bets, const Stake& stake, const Layout& layout) {
  std::vector<std::string> play;
  play.emplace_back(layout.play);
  if (stake.segundas) play.emplace_back("in-segundas");
  const Odds odds = stake.paid.odds(stake.offered);
  for (BetOdds& same : bets) {
    if (same.bet != stake.rule->id || same.odds != odds || same.play != play) continue;
    same.on.push_back(stake.on);
    return;
  }
  bets.push_back({.bet = stake.rule->id,
                  .on = {stake.on},
                  .odds = odds,
                  .method = OddsMethod::count,
                  .play = play});
}

}  // namespace

Result<TableOdds> layout_odds(const Table& table, std::string_view only) {
  std::vector<std::vector<Stake>> all;
  LayoutSweep sweep(table, only);
  for (const Layout& layout : layouts()) {
    TALLA_TRY(auto stakes, sweep.follow(layout));
    all.push_back(std::move(stakes));
  }
  TableOdds out;
  for (const BetRule& rule : table.rules().bets) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const Stake& stake : all[i])
        if (stake.rule == &rule && !stake.offered.is_zero()) add(out.bets, stake, layouts()[i]);
    }
  }
  return out;
}

}  // namespace talla::games
