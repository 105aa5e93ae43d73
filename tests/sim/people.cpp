#include "people.hpp"

#include <algorithm>

#include "exceptions.hpp"
#include "failure.hpp"
#include "tables.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

bool offered(const Table& table, const BetRule& rule) {
  return !rule.offered_if || table.params().holds(*rule.offered_if);
}

/// A card that no deck of this game holds.
Card foreign_card(const GameRules& rules) {
  const bool spanish = rules.shoe && rules.shoe->deck.starts_with("spanish");
  return spanish ? Card::of(7, shuffle::Suit::hearts) : Card::of(7, shuffle::Suit::oros);
}

bool seat_decides(const Needs& needs, Seat seat) {
  return std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
    const auto* decide = std::get_if<Decide>(&need);
    return decide != nullptr && decide->seat == seat;
  });
}

}  // namespace

std::string text_of(const Event& event) {
  return json::canonical(to_json(event));
}

People::People(const Table& table, Random& random) : table_(&table), random_(&random) {
  const auto most = table.rules().seats_max > 0 ? table.rules().seats_max : 6;
  seats_ = static_cast<Seat>(1 + random.below(std::min<std::size_t>(most, 5)));
  if (random.once_in(8)) seats_ = most;
  seats_ = std::max(seats_, players_needed(table));
}

Units People::stake(const BetRule& rule) {
  if (!rule.members.empty() && !random_->once_in(8)) {  // equal chips on every part
    Units chips = 0;
    for (const auto& member : rule.members) chips += member.chips;
    const auto* part = table_->rules().bet(rule.members.front().bet);
    require(part != nullptr, [&] { return rule.id + ": a part is no bet"; });
    return chips * stake(*part);
  }
  if (const auto fixed = fixed_stake(*table_, rule); fixed && !random_->once_in(8)) return *fixed;
  const Units chip = table_->currency().chip;
  const Units min = table_->min();
  Units most = min * 20;
  for (const auto& limit : table_->rules().limits) {
    if (std::find(limit.bets.begin(), limit.bets.end(), rule.id) == limit.bets.end()) continue;
    most = std::min(std::max(min, bound_of(limit, *table_).floor()), min * 2000);
  }
  if (const auto& house = table_->config().max) most = std::min(most, *house);
  switch (random_->below(6)) {
    case 0:
      return min;
    case 1:
      return most / chip * chip;
    case 2:
      return (most / chip + 1) * chip;
    default:
      return min + chip * static_cast<Units>(
                              random_->below(static_cast<std::size_t>((most - min) / chip) + 1));
  }
}

/// Random numbers of a ticket. People like company: some tickets share all their numbers.
std::vector<std::string> People::ticket(const BetRule& rule) {
  const auto count = static_cast<std::size_t>(rule.covers.find("count")->integer());
  std::vector<std::string> all;
  for (std::int64_t number = 1; number <= rule.covers.find("highest")->integer(); ++number)
    all.push_back(std::to_string(number));
  if (!random_->once_in(4)) random_->shuffle(all);
  all.resize(count);
  return all;
}

PlaceBet People::bet(const std::vector<LiveBet>& live) {
  const auto& rules = table_->rules();
  require(!rules.bets.empty(), "a game without bets");
  const auto* rule = &random_->pick(rules.bets);
  for (int tries = 0; tries < 4 && !offered(*table_, *rule); ++tries)
    rule = &random_->pick(rules.bets);
  PlaceBet out;
  out.id = "b" + std::to_string(++next_id_);
  out.seat = static_cast<Seat>(1 + random_->below(seats_));
  if (!live.empty() && random_->once_in(2)) out.seat = random_->pick(live).placed.seat;
  if (rules.boxes_max > 0 && !random_->once_in(8)) {
    out.box = random_->once_in(2) && out.seat <= rules.boxes_max
                  ? out.seat
                  : static_cast<Box>(1 + random_->below(rules.boxes_max));
  }
  out.kind = rule->id;
  out.stake = stake(*rule);
  if (rule->on == OnForm::none) return out;
  if (rule->on == OnForm::numbers) {
    out.on = ticket(*rule);
    return out;
  }
  auto& all = positions_[rule->id];
  if (all.empty()) all = positions(*rule, table_->params());
  require(!all.empty(), [&] { return rule->id + " has no position"; });
  if (rule->on == OnForm::set) {
    out.on = random_->pick(all);
    if (random_->once_in(4)) random_->shuffle(out.on);
    return out;
  }
  const std::size_t wanted = rule->on == OnForm::pair ? 2 : 1;
  while (out.on.size() < wanted) {
    auto index = std::to_string(1 + random_->below(all.size()));
    if (out.on.empty() || out.on.front() != index) out.on.push_back(std::move(index));
  }
  return out;
}

PlaceBet People::owed(PlaceBet out) {
  const auto* rule = table_->rules().bet(out.kind);
  require(rule != nullptr, [&] { return "no bet " + out.kind; });
  out.id = "b" + std::to_string(++next_id_);
  out.stake = stake(*rule);
  return out;
}

Act People::act(const Decide& decide, const ActionChoice& choice, Units amount,
                std::vector<std::string> cards) {
  Act out{decide.seat, choice.action, std::nullopt, std::nullopt, std::move(cards), std::nullopt};
  if (!choice.bet.empty()) out.bet = choice.bet;
  if (choice.max > 0) out.amount = amount;
  return out;
}

std::vector<std::string> People::cards(const ActionChoice& choice) {
  auto out = choice.places;
  if (out.empty()) return out;
  require(choice.cards_min <= choice.cards_max && choice.cards_max <= out.size() &&
              choice.cards_max > 0,
          [&] { return choice.action + ": offers no cards"; });
  random_->shuffle(out);
  out.resize(choice.cards_min + random_->below(choice.cards_max - choice.cards_min + 1));
  return out;
}

std::vector<std::vector<std::string>> People::wrong_cards(const ActionChoice& choice) {
  std::vector<std::vector<std::string>> out;
  if (choice.places.empty()) return out;
  const auto first = [&](std::size_t count) {
    return std::vector(choice.places.begin(),
                       choice.places.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (choice.cards_max < choice.places.size()) out.push_back(first(choice.cards_max + 1));
  if (choice.cards_min > 0) out.push_back(first(choice.cards_min - 1));
  const auto least = std::max<std::size_t>(choice.cards_min, 1);
  out.push_back(first(least));
  out.back().back() = "nowhere";
  if (choice.cards_max > 1) {
    const auto count = std::max<std::size_t>(choice.cards_min, 2);
    out.push_back(first(count));
    out.back().back() = out.back().front();
  }
  return out;
}

Units People::amount(const ActionChoice& choice) {
  if (choice.max == 0) return 0;
  require(choice.step > 0 && choice.min <= choice.max,
          [&] { return choice.action + ": offers no amount"; });
  const auto steps = static_cast<std::size_t>((choice.max - choice.min) / choice.step);
  if (random_->once_in(3)) return choice.min;
  if (random_->once_in(2)) return choice.min + choice.step * static_cast<Units>(steps);
  return choice.min + choice.step * static_cast<Units>(random_->below(steps + 1));
}

std::vector<Units> People::wrong_amounts(const ActionChoice& choice) {
  if (choice.max == 0) return {};
  std::vector<Units> out = {choice.max + choice.step};
  if (choice.min > choice.step) out.push_back(choice.min - choice.step);
  if (choice.step > 1) out.push_back(choice.min + 1);
  return out;
}

WithdrawBet People::withdrawal(const std::vector<LiveBet>& live) {
  if (live.empty()) return {"b0", std::nullopt};
  const auto& bet = random_->pick(live);
  WithdrawBet out{bet.placed.id, std::nullopt};
  if (random_->once_in(2)) {
    const Units chip = table_->currency().chip;
    out.amount = chip * static_cast<Units>(
                            1 + random_->below(static_cast<std::size_t>(bet.stake / chip) + 1));
  }
  return out;
}

Event People::wrong_bet(const std::vector<LiveBet>& live) {
  const auto& rules = table_->rules();
  auto out = bet(live);
  switch (random_->below(9)) {
    case 0:
      out.stake = 0;
      break;
    case 1:
      out.stake = -out.stake;
      break;
    case 2:
      out.kind = "no-such-bet";
      break;
    case 3:
      out.seat = rules.seats_max > 0 && random_->once_in(2) ? rules.seats_max + 1 : 0;
      break;
    case 4:
      out.box = rules.boxes_max > 0 && random_->once_in(2) ? rules.boxes_max + 1 : 0;
      break;
    case 5:
      out.on.emplace_back("nowhere");
      break;
    case 6:
      out.id = random_->once_in(2) ? "" : "two words";
      break;
    case 7:
      if (live.empty())
        out.kind = "";
      else
        out.id = random_->pick(live).placed.id;
      break;
    default:
      out.stake = rules.bet(out.kind)->payouts.empty()
                      ? 0
                      : units_max;  // more than any payout leaves room for
  }
  return out;
}

std::optional<Event> People::not_due(const Needs& needs) {
  const auto* deal = find_need<Deal>(needs);
  const auto* open = find_need<BetsOpen>(needs);
  switch (random_->below(9)) {
    case 0:
      if (open == nullptr || !open->can_close) return CloseBets{};
      break;
    case 1:
      if (open == nullptr) return bet({});
      break;
    case 2:
      return CardDealt{"nowhere", Face::open, foreign_card(table_->rules())};
    case 3:
      if (deal != nullptr && deal->cards.front().face == Face::open) {
        return CardDealt{deal->cards.front().place, Face::open, foreign_card(table_->rules())};
      }
      return CardDealt{"nowhere", Face::unseen, std::nullopt};
    case 4:
      if (find_need<ShoeNeed>(needs) == nullptr) return ShoeOpened{52, false};
      return ShoeOpened{find_need<ShoeNeed>(needs)->cards_count + 1, false};
    case 5:
      if (find_need<Draw>(needs) == nullptr) return DrawResult{DrawKind::dice, {"1", "1"}};
      return DrawResult{find_need<Draw>(needs)->kind, {"no-such-value"}};
    case 6:
      if (find_need<Shuffle>(needs) == nullptr) return Shuffled{};
      break;
    case 7:
      if (random_->once_in(2) && find_need<Confirm>(needs) == nullptr) return ConfirmHand{};
      return CardRevealed{"nowhere", Card()};
    default:
      if (find_need<Draw>(needs) == nullptr) return VoidDraw{};
  }
  return std::nullopt;
}

Event People::nonsense(const Needs& needs, const std::vector<LiveBet>& live) {
  const auto& rules = table_->rules();
  if (random_->once_in(2)) return wrong_bet(live);
  if (random_->once_in(2)) {
    if (auto event = not_due(needs)) return *event;
  }
  const auto seat = static_cast<Seat>(1 + random_->below(seats_));
  switch (random_->below(5)) {
    case 0:
      return Act{seat, "no-such-action", std::nullopt, std::nullopt, {}, std::nullopt};
    case 1:
      if (!rules.actions.empty() && !taken_unasked(rules) && !seat_decides(needs, seat)) {
        return Act{seat,        random_->pick(rules.actions).id, std::nullopt, std::nullopt, {},
                   std::nullopt};
      }
      return WithdrawBet{"no-such-bet", std::nullopt};
    case 2:
      if (!seat_decides(needs, seat)) return TimeOut{seat};
      return Misdeal{"no-such-error", std::nullopt};
    case 3:
      return Misdeal{"no-such-error", std::nullopt};
    default:
      return WithdrawBet{"no-such-bet", 1};
  }
}

}  // namespace talla::sim
