// The bound on what best play at blackjack may expect, followed card by card through a round.
#include "games/play_law.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engines/blackjack/boxes.hpp"
#include "engines/blackjack/decisions.hpp"
#include "engines/blackjack/hands.hpp"
#include "engines/blackjack/options.hpp"
#include "engines/blackjack/round.hpp"
#include "games/engine.hpp"
#include "games/errc.hpp"
#include "games/payment_law.hpp"
#include "odds/blackjack/play_values.hpp"
#include "odds/kinds.hpp"

namespace talla::games {

namespace {

using blackjack::classes_count;
using blackjack::DealerHand;
using blackjack::HandLaw;
using blackjack::OwnHand;
using blackjack::PlayValues;

/// A table that expects more of a start, or of the cards of one round beside full decks, is no
/// guide: such rounds are left out before their cards, or end where that shows.
constexpr double start_most = 2;
constexpr double moved_most = 1;

std::size_t class_of_card(Card card) {
  return std::min(static_cast<std::size_t>(card.rank()), classes_count) - 1;
}

double to_double(const Ratio& ratio) {
  return static_cast<double>(ratio.numerator()) / static_cast<double>(ratio.denominator());
}

bool is_one_of(std::span<const Paid> ways, const Table& table, const Settlement& settlement) {
  if (settlement.stake <= 0) return false;
  const Fraction exact = Fraction(settlement.returned) + settlement.remainder;
  const Rounded rounded = table.round(exact);
  if (rounded.units != settlement.returned || rounded.remainder != settlement.remainder)
    return false;
  const Paid paid{settlement.result, exact / Fraction(settlement.stake)};
  return std::ranges::find(ways, paid) != ways.end();
}

}  // namespace

/// What is fixed for a table.
struct PlayLaw::Parts {
  explicit Parts(const Table& on) : table(on), law(on) {}

  const Table& table;
  blackjack::Law law;
  HandLaw hand_law;
  /// By the dealer's hand that a stake plays against: the first, or another.
  std::vector<PlayValues> values;
  std::optional<double> insurance;  ///< profit on it
  std::vector<Paid> main_ways;
  std::vector<Paid> insurance_ways;
  std::string bet;
  std::string text;

  [[nodiscard]] const PlayValues& of_stage(int stage) const {
    return stage == 1 ? values.front() : values.back();
  }
  [[nodiscard]] bool is_tie(const Settlement& one) const {
    return one.result == BetResult::void_ && law.is("settle", "tie", "void") &&
           one.rule == table.rules().rule(law.cite("settle"));
  }
  void read_payments();
};

void PlayLaw::Parts::read_payments() {
  const auto& main = law.bet(law.main_bet());
  const auto& params = table.params();
  const Fraction one(1);
  main_ways = {{BetResult::lose, 0},
               {law.is("settle", "tie", "void") ? BetResult::void_ : BetResult::push, 1}};
  if (law.is("settle", "tie", "void")) main_ways.push_back({BetResult::push, 1});
  for (const char* when : {"win", "blackjack", "even-money"}) {
    const Payout* payout = main.payout(when, params);
    if (payout != nullptr) main_ways.push_back({BetResult::win, payout->pays + one});
  }
  if (hand_law.surrender)
    main_ways.push_back({BetResult::half, law.fraction("surrender", "returned")});
  if (law.has("insurance")) {
    const Fraction pays = law.bet(law.insurance_bet()).payout("win", params)->pays;
    insurance = to_double(Ratio(pays));
    insurance_ways = {{BetResult::lose, 0}, {BetResult::win, pays + one}};
  }
  for (const auto& ways : {main_ways, insurance_ways}) {
    for (const Paid& way : ways)
      text += std::string(bet_result_name(way.result)) + " " + way.factor.text() + " ";
    text += "\n";
  }
}

/// Follows one round.
class PlayRound {
 public:
  using Parts = PlayLaw::Parts;
  PlayRound(const Parts& parts, std::span<const Card> gone)
      : parts_(parts), left_(parts.hand_law.shoe) {
    for (const Card card : gone) see(card);
    state_.shoe = blackjack::ShoeState::in_play;
  }

  Status play(std::span<const Event> events) {
    for (const Event& event : events) TALLA_TRY_STATUS(step(event));
    return {};
  }

  /// What the records paid.
  [[nodiscard]] std::vector<PlayedStake> paid(std::span<const Settlement> settled) const;
  [[nodiscard]] bool usable() const { return usable_ && opened_; }

 private:
  /// One first stake on its way through the round.
  struct Followed {
    Bet bet;
    bool follows = false;
    double start = 0;               ///< what the table expects before the cards
    double opened = 0;              ///< and when the first ones lie there
    double moved = 0;               ///< what cards that are left have added
    double over = 0;                ///< net of stakes that are settled, in units
    Units staked = 0;               ///< on its hands, those that are settled too
    std::optional<double> stopped;  ///< the gain at which its round was taken
  };
  using State = blackjack::State;
  using Hand = blackjack::Hand;

  void see(Card card) {
    auto& left = left_.at(class_of_card(card));
    usable_ = usable_ && left > 0;
    if (left > 0) --left;
  }
  [[nodiscard]] double cards_left() const {
    double sum = 0;
    for (const auto one : left_) sum += one;
    return sum;
  }
  [[nodiscard]] std::string origin(std::string_view id) const {
    const std::string_view bet = blackjack::origin_of(id);
    const std::string tail = "." + std::string(parts_.law.insurance_bet());
    const bool insures = parts_.insurance && bet.ends_with(tail);
    return std::string(
        blackjack::origin_of(insures ? bet.substr(0, bet.size() - tail.size()) : bet));
  }
  [[nodiscard]] OwnHand own(const Hand& hand, bool follows) const;
  [[nodiscard]] DealerHand dealer() const;
  /// What the table says of the live stakes of each first one, in units.
  [[nodiscard]] std::map<std::string, double> worth(const State& state) const;
  /// Adds to each stake what one card more is expected to, from those that are left.
  void expect_card();
  void expect_on(const std::string& id, const std::array<double, classes_count>& values);
  Status step(const Event& event);
  Status apply(const Event& event);
  void begin();
  void open();
  void take_settled();

  const Parts& parts_;
  State state_;
  blackjack::Counts left_{};
  std::map<std::string, Followed> stakes_;
  std::map<std::string, Units> laid_;  ///< every stake by its id, as it stood at last
  bool usable_ = true;
  bool opened_ = false;
};

OwnHand PlayRound::own(const Hand& hand, bool follows) const {
  OwnHand out{.split = hand.split, .follows = follows};
  const auto& values = parts_.values.front();
  for (const Card card : hand.cards) {
    out = values.with(out, class_of_card(card));
    out.split = hand.split;
  }
  const bool fixed = hand.doubled && parts_.hand_law.doubled_aces_low;
  if (fixed) {
    out.ace = hand.cards.size() > 2 && blackjack::is_ace(hand.cards.back());
  }
  out.doubled = hand.doubled;
  out.done = hand.done;
  const auto turn = state_.turn();
  out.asked = state_.asked && turn < state_.hands.size() && &state_.hands.at(turn) == &hand;
  return out;
}

DealerHand PlayRound::dealer() const {
  DealerHand out;
  for (const Card card : state_.dealer) out = parts_.values.front().with(out, class_of_card(card));
  return out;
}

std::map<std::string, double> PlayRound::worth(const State& state) const {
  std::map<std::string, double> out;
  const DealerHand now = dealer();
  const DealerHand first = parts_.values.front().with(DealerHand{}, now.first);
  for (const Hand& hand : state.hands) {
    for (const auto& id : hand.bets) {
      const Bet* bet = state.bets.find(std::string_view(id));
      if (bet == nullptr || bet->kind != parts_.bet) continue;
      const int stage = blackjack::stage_of(*bet);
      const OwnHand hand_now = own(hand, bet->seat != hand.seat);
      out[origin(id)] += static_cast<double>(bet->stake) *
                         parts_.of_stage(stage).value(hand_now, stage == state.stage ? now : first);
    }
  }
  if (!parts_.insurance) return out;
  for (const Bet& bet : state.bets.all()) {
    if (bet.kind != parts_.law.insurance_bet()) continue;
    const double tens = parts_.values.front().parts().at(blackjack::ten_class);
    out[origin(bet.id)] += static_cast<double>(bet.stake) * (tens * (*parts_.insurance + 1) - 1);
  }
  return out;
}

void PlayRound::expect_on(const std::string& id, const std::array<double, classes_count>& values) {
  const auto at = stakes_.find(id);
  if (at == stakes_.end() || at->second.stopped) return;
  const auto& parts = parts_.values.front().parts();
  const double all = cards_left();
  double moved = 0;
  for (std::size_t one = 0; one < classes_count; ++one)
    moved += (static_cast<double>(left_.at(one)) / all - parts.at(one)) * values.at(one);
  at->second.moved += moved / static_cast<double>(at->second.bet.stake);
}

void PlayRound::expect_card() {
  const auto owed = blackjack::owed_hand(parts_.law, state_);
  std::map<std::string, std::array<double, classes_count>> by_stake;
  const DealerHand now = dealer();
  const auto each = [&](const Bet& bet, auto value) {
    auto& values = by_stake[origin(bet.id)];
    for (std::size_t one = 0; one < classes_count; ++one)
      values.at(one) += static_cast<double>(bet.stake) * value(one);
  };
  for (std::size_t i = 0; i < state_.hands.size(); ++i) {
    const Hand& hand = state_.hands.at(i);
    if (owed < state_.hands.size() && i != owed) continue;
    for (const auto& id : hand.bets) {
      const Bet& bet = *state_.bets.find(std::string_view(id));
      if (bet.kind != parts_.bet) continue;
      const int stage = blackjack::stage_of(bet);
      const auto& values = parts_.of_stage(stage);
      const OwnHand mine = own(hand, bet.seat != hand.seat);
      if (i == owed) {
        each(bet, [&](std::size_t one) { return values.value(values.with(mine, one), now); });
      } else if (stage == state_.stage) {
        each(bet, [&](std::size_t one) { return values.value(mine, values.with(now, one)); });
      }
    }
  }
  if (owed == state_.hands.size() && parts_.insurance && state_.dealer.size() == 1) {
    for (const Bet& bet : state_.bets.all()) {
      if (bet.kind != parts_.law.insurance_bet() || blackjack::stage_of(bet) != state_.stage)
        continue;
      const auto& values = parts_.values.front();
      each(bet, [&](std::size_t one) {
        return values.blackjack(values.with(now, one)) ? *parts_.insurance : -1.0;
      });
    }
  }
  for (const auto& [id, values] : by_stake) expect_on(id, values);
}

/// What the table expects of first cards from those that are left.
void PlayRound::begin() {
  const double all = cards_left();
  std::map<std::pair<int, bool>, double> starts;
  for (auto& [id, one] : stakes_) {
    const int stage = blackjack::stage_of(one.bet);
    const auto known = starts.find({stage, one.follows});
    if (known != starts.end()) {
      one.start = known->second;
      continue;
    }
    double sum = 0;
    for (std::size_t d = 0; d < classes_count; ++d) {
      for (std::size_t a = 0; a < classes_count; ++a) {
        for (std::size_t b = 0; b < classes_count; ++b) {
          const double second = left_.at(a) - (a == d ? 1 : 0);
          const double third = left_.at(b) - (b == d ? 1 : 0) - (b == a ? 1 : 0);
          if (left_.at(d) == 0 || second <= 0 || third <= 0) continue;
          sum += left_.at(d) * second * third * parts_.of_stage(stage).first(a, b, d, one.follows);
        }
      }
    }
    one.start = sum / (all * (all - 1) * (all - 2));
    starts[{stage, one.follows}] = one.start;
    usable_ = usable_ && std::abs(one.start) <= start_most;
  }
}

void PlayRound::open() {
  opened_ = true;
  for (const auto& [id, units] : worth(state_)) {
    const auto at = stakes_.find(id);
    if (at != stakes_.end()) at->second.opened = units / static_cast<double>(at->second.bet.stake);
  }
}

void PlayRound::take_settled() {
  for (const Settlement& one : state_.settled) {
    laid_[one.bet] = one.stake;
    const auto at = stakes_.find(origin(one.bet));
    const bool own_kind = one.kind == parts_.bet || one.kind == parts_.law.insurance_bet();
    if (at == stakes_.end() || !own_kind) continue;
    at->second.over += static_cast<double>(one.returned - one.stake) +
                       static_cast<double>(one.remainder.numerator()) /
                           static_cast<double>(one.remainder.denominator());
    if (one.kind == parts_.bet) at->second.staked += one.stake;
  }
  state_.settled.clear();
}

Status PlayRound::apply(const Event& event) {
  const auto& law = parts_.law;
  if (const auto* bet = std::get_if<PlaceBet>(&event)) return place_bet(law, state_, *bet);
  if (const auto* card = std::get_if<CardDealt>(&event)) return card_dealt(law, state_, *card);
  if (const auto* one = std::get_if<Act>(&event)) return act(law, state_, *one);
  if (const auto* silent = std::get_if<TimeOut>(&event)) return time_out(law, state_, silent->seat);
  if (std::holds_alternative<CloseBets>(event)) return close_bets(law, state_);
  return fail(Errc::not_due, "a round is bets, cards and decisions");
}

Status PlayRound::step(const Event& event) {
  const auto* card = std::get_if<CardDealt>(&event);
  if (card != nullptr) {
    const bool of_round =
        state_.phase == blackjack::Phase::playing || state_.phase == blackjack::Phase::dealer;
    if (of_round && !state_.removing) expect_card();
  }
  const bool decision = !std::holds_alternative<CardDealt>(event) && opened_;
  const auto before = decision ? worth(state_) : std::map<std::string, double>{};
  const bool dealing = state_.phase == blackjack::Phase::dealing;
  TALLA_TRY_STATUS(apply(event));
  if (card != nullptr && card->card) see(*card->card);
  std::map<std::string, double> over;
  for (const auto& [id, one] : stakes_) over[id] = one.over;
  take_settled();
  if (std::holds_alternative<CloseBets>(event)) {
    for (const Bet& bet : state_.bets.all()) {
      if (bet.kind != parts_.bet) continue;
      const auto hand =
          std::ranges::find_if(state_.hands, [&](const Hand& one) { return one.box == bet.box; });
      const bool follows = hand != state_.hands.end() && hand->seat != bet.seat;
      Followed& one = stakes_[bet.id];
      one.bet = bet;
      one.follows = follows;
    }
    begin();
  }
  // Behind the last first card the state may have gone on by itself: no choice, no card.
  if (dealing && state_.phase != blackjack::Phase::dealing) open();
  std::map<std::string, Units> at_risk;
  for (const Bet& bet : state_.bets.all()) {
    laid_[bet.id] = bet.stake;
    if (bet.kind == parts_.bet) at_risk[origin(bet.id)] += bet.stake;
  }
  for (auto& [id, one] : stakes_) {
    const Units risked = one.staked + at_risk[id];
    const bool beyond = risked > PlayLaw::at_risk_most * one.bet.stake;
    if (one.stopped || !decision) continue;
    if (!beyond && std::abs(one.moved) <= moved_most) continue;
    const auto was = before.find(id);
    const double live = was == before.end() ? 0 : was->second;
    one.stopped = (over[id] + live) / static_cast<double>(one.bet.stake);
  }
  return {};
}

std::vector<PlayedStake> PlayRound::paid(std::span<const Settlement> settled) const {
  std::map<std::string, PlayedStake> out;
  for (const auto& [id, one] : stakes_) {
    PlayedStake& stake = out[id];
    stake.kind = parts_.bet;
    stake.first = one.bet.stake;
    stake.most = one.start + one.moved;
    stake.most_of = one.opened + one.moved;
  }
  std::map<std::string, bool> seen;
  for (const Settlement& one : settled) {
    const bool main = one.kind == parts_.bet;
    if (!main && one.kind != parts_.law.insurance_bet()) continue;
    const auto at = out.find(origin(one.bet));
    if (at == out.end()) {
      // Paid to nobody's bet.
      if (!out.empty()) out.begin()->second.foreign = true;
      continue;
    }
    PlayedStake& stake = at->second;
    const auto laid = laid_.find(one.bet);
    const bool fits = laid != laid_.end() && laid->second == one.stake && !seen[one.bet] &&
                      one.seat == stakes_.at(at->first).bet.seat;
    seen[one.bet] = true;
    const bool lawful =
        is_one_of(main ? parts_.main_ways : parts_.insurance_ways, parts_.table, one);
    stake.foreign = stake.foreign || !fits || !lawful;
    stake.staked += one.stake;
    stake.returned += Ratio(Fraction(one.returned) + one.remainder);
  }
  for (const auto& [id, units] : laid_) {
    const auto at = out.find(origin(id));
    const bool side = at == out.end() || (id != at->first && !id.starts_with(at->first + "."));
    if (!side && !seen.contains(id)) at->second.foreign = true;
  }
  std::vector<PlayedStake> all;
  for (auto& [id, stake] : out) {
    const Followed& one = stakes_.at(id);
    const double net =
        to_double(stake.returned - Ratio(stake.staked)) / static_cast<double>(stake.first);
    stake.gain = one.stopped.value_or(net);
    const double least = std::max(stake.most, stake.most_of) - PlayLaw::below_most;
    stake.gain = std::max(stake.gain, least);
    all.push_back(std::move(stake));
  }
  return all;
}

PlayLaw::PlayLaw(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PlayLaw::PlayLaw(PlayLaw&&) noexcept = default;
PlayLaw& PlayLaw::operator=(PlayLaw&&) noexcept = default;
PlayLaw::~PlayLaw() = default;

Result<PlayLaw> PlayLaw::of(const Table& table) {
  const auto none = [&](std::string_view why) {
    return fail(Errc::game_not_available, table.rules().id + ": " + std::string(why));
  };
  if (table.rules().family != "blackjack")
    return none("its players choose nothing that is bounded");
  auto parts = std::make_unique<Parts>(table);
  const auto shoe = table.engine().shoe(table);
  const auto hand_law =
      blackjack::hand_law(parts->law, shoe ? shoe->cards_count / french_deck_cards : 0);
  if (!shoe || shoe->cards_count % french_deck_cards != 0 || !hand_law)
    return none("its cards have other points");
  parts->hand_law = *hand_law;
  parts->bet = parts->law.main_bet();
  parts->read_payments();
  parts->values.emplace_back(*hand_law);
  const double tens = parts->values.front().parts().at(blackjack::ten_class);
  if (parts->insurance && tens * (*parts->insurance + 1) > 1)
    return none("insurance gains from full decks");
  if (parts->law.stages() > 1 && parts->law.is("stages", "blackjack_rate", "first")) {
    HandLaw other = *hand_law;
    const auto& main = parts->law.bet(parts->bet);
    other.blackjack = Ratio(main.payout("win", table.params())->pays);
    parts->values.emplace_back(other);
  }
  return PlayLaw(std::move(parts));
}

const std::string& PlayLaw::bet() const {
  return parts_->bet;
}

const std::string& PlayLaw::text() const {
  return parts_->text;
}

Result<std::vector<PlayedStake>> PlayLaw::round(std::span<const Card> gone,
                                                std::span<const Event> events,
                                                std::span<const Settlement> settled) const {
  const auto& parts = *parts_;
  for (const Settlement& one : settled) {
    const bool own = one.kind == parts.bet || one.kind == parts.law.insurance_bet();
    if (own && one.result == BetResult::void_ && !parts.is_tie(one))
      return std::vector<PlayedStake>{};
  }
  PlayRound round(parts, gone);
  TALLA_TRY_STATUS(round.play(events));
  if (!round.usable()) return std::vector<PlayedStake>{};
  return round.paid(settled);
}

}  // namespace talla::games
