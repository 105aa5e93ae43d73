#include "games/bets.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.hpp"
#include "code.hpp"
#include "games/refusal.hpp"
#include "table/bet_index.hpp"

namespace talla::games {
namespace {

constexpr std::size_t bets_max = 4096;

/// The characters of a bet id.
constexpr std::array<bool, 256> id_characters = [] {
  std::array<bool, 256> out{};
  for (const char c :
       std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")) {
    out[static_cast<unsigned char>(c)] = true;
  }
  return out;
}();

bool is_bet_id(std::string_view id) {
  if (id.empty() || id.size() > 32) return false;
  bool good = true;
  for (const char c : id) good = good && id_characters[static_cast<unsigned char>(c)];
  return good;
}

bool fits_amount(const Table& table, Units stake, bool check_chip) {
  const Units chip = table.currency().chip;
  return stake >= 1 && stake <= units_max && (!check_chip || chip == 1 || stake % chip == 0);
}

/// A refusal with the section that says it.
tl::unexpected<Error> refuse_by(const Table& table, const Citation& cite, Errc errc,
                                std::string_view form, const RefusalValues& values) {
  return fail(errc, filled_form(form, values) + " (" + table.rules().rule(cite) + ")");
}

Status check_amount(const Table& table, Units stake, bool check_chip = true) {
  if (stake < 1 || stake > units_max)
    return fail(Errc::amount_invalid, "a stake is at least one unit");
  if (check_chip && stake % table.currency().chip != 0) {
    return refuse(
        Errc::chip_step, "{stake} is no multiple of the chip, {allowed}",
        {{"stake", std::to_string(stake)}, {"allowed", std::to_string(table.currency().chip)}});
  }
  return {};
}

/// "c1/3" is a part of the call bet "c1"; no other id holds a '/'.
bool is_part(std::string_view id, std::string_view call) {
  return id.size() > call.size() && id.starts_with(call) && id[call.size()] == '/';
}

/// The usual case: no minimum of its own, and the table's is reached.
bool reaches_minimum(const Table& table, const IndexedBet& bet, Units stake) {
  return bet.minimum_rule == nullptr && stake >= table.min();
}

Status check_minimum(const Table& table, const IndexedBet& bet, Units stake) {
  const std::string amount = std::to_string(stake);
  if (bet.minimum_rule == nullptr) {
    if (stake >= table.min()) return {};
    return refuse(
        Errc::below_minimum, "{kind}: {stake} is below the table minimum of {allowed}",
        {{"kind", bet.rule->id}, {"stake", amount}, {"allowed", std::to_string(table.min())}});
  }
  const RefusalValues values{
      {"kind", bet.rule->id}, {"stake", amount}, {"allowed", bet.minimum.text()}};
  const auto& cite = bet.minimum_rule->cite;
  if (Fraction(stake) < bet.minimum)
    return refuse_by(table, cite, Errc::below_minimum,
                     "{kind}: {stake} is below its minimum of {allowed}", values);
  if (bet.stepped && !(Fraction(stake) / bet.minimum).is_integer())
    return refuse_by(table, cite, Errc::not_multiple, "{kind}: {stake} is no multiple of {allowed}",
                     values);
  return {};
}

bool fits_seat(const GameRules& rules, const PlaceBet& event) {
  if (event.seat == 0 || (rules.seats_max > 0 && event.seat > rules.seats_max)) return false;
  return !event.box || (*event.box > 0 && *event.box <= rules.boxes_max);
}

Status wrong_seat(const GameRules& rules, const PlaceBet& event) {
  const bool of_box = event.seat > 0 && (rules.seats_max == 0 || event.seat <= rules.seats_max);
  const auto box = std::to_string(event.box.value_or(0));
  if (of_box && rules.boxes_max == 0)
    return refuse(Errc::seat_invalid, "no such box: {box}; this game has no boxes", {{"box", box}});
  if (of_box)
    return refuse(Errc::seat_invalid, "no such box: {box}; boxes are 1 to {allowed}",
                  {{"box", box}, {"allowed", std::to_string(rules.boxes_max)}});
  const auto seat = std::to_string(event.seat);
  if (rules.seats_max == 0)
    return refuse(Errc::seat_invalid, "no such seat: {seat}", {{"seat", seat}});
  return refuse(Errc::seat_invalid, "no such seat: {seat}; seats are 1 to {allowed}",
                {{"seat", seat}, {"allowed", std::to_string(rules.seats_max)}});
}

/// What somebody wrote, as far as a refusal repeats it.
std::string quotable(std::string_view text) {
  return text.empty() ? "''" : std::string(text.substr(0, 48));
}

Status no_such_bet(std::string_view id, std::span<const Bet> all) {
  std::vector<std::string> there;
  for (const auto& bet : all) there.push_back(bet.id);
  if (there.empty()) return refuse(Errc::bet_unknown, "no bet {bet}", {{"bet", quotable(id)}});
  return refuse(Errc::bet_unknown, "no bet {bet} lies on the table; there are: {allowed}",
                {{"bet", quotable(id)}, {"allowed", listed(there)}});
}

bool same_position(const Bet& left, const Bet& right) {
  return same_code(left.kind, right.kind) && same_list(left.on, right.on);
}

/// Whether `other` counts against the same maximum as `added`.
bool shares(LimitScope scope, const LimitRule& limit, const Bet& added, const Bet& other) {
  switch (scope) {
    case LimitScope::bet:
      return other.seat == added.seat && other.box == added.box && same_position(other, added);
    case LimitScope::seat:
      return other.seat == added.seat &&
             std::find(limit.bets.begin(), limit.bets.end(), other.kind) != limit.bets.end();
    case LimitScope::box:
      return other.box == added.box && same_position(other, added);
    case LimitScope::table:
      return same_position(other, added);
  }
  return false;
}

/// The position that `on` names; nullptr for a ticket of numbers, which has its own spelling.
/// Refusals in the words of canonical_position.
Result<const IndexedPosition*> position_named(const Table& table, const IndexedBet& bet,
                                              const std::vector<std::string>& on) {
  if (const auto* position = bet.find(on)) return position;
  auto refused = canonical_position(*bet.rule, table.params(), on);
  if (refused && bet.rule->on == OnForm::numbers) return nullptr;
  TALLA_CHECK(!refused.has_value());
  return fail(Errc::bet_position,
              refused.error().detail + " (" + table.rules().rule(bet.rule->cite) + ")");
}

/// The stake with all those that count against the same maximum.
Int128 sum_of(LimitScope scope, const LimitRule& limit, const Bet& added,
              std::span<const Bet> others) {
  Int128 sum = added.stake;
  for (const auto& other : others) {
    if (shares(scope, limit, added, other)) sum += other.stake;
  }
  return sum;
}

/// The house maximum adds up what the text's own maximum of the bet adds up (a box where that is of
/// the box), and without one all that one seat has on one kind and position of one box, in however
/// many stakes.
Status check_house_maximum(const Table& table, const IndexedBet& indexed, const Bet& added,
                           std::span<const Bet> others) {
  static const LimitRule none;
  const auto& max = table.config().max;
  if (!max) return {};
  Int128 sum = 0;
  for (const auto& limit : indexed.limits)
    sum = std::max(sum, sum_of(limit.scope, *limit.rule, added, others));
  if (indexed.limits.empty()) sum = sum_of(LimitScope::bet, none, added, others);
  if (sum <= *max) return {};
  RefusalValues values{{"kind", added.kind},
                       {"stake", std::to_string(added.stake)},
                       {"allowed", std::to_string(*max)}};
  if (sum == added.stake)
    return refuse(Errc::above_maximum, "{kind}: {stake} passes the table maximum of {allowed}",
                  values);
  values.emplace_back("seat", std::to_string(added.seat));
  values.emplace_back("held", Fraction(sum - added.stake, 1).text());
  return refuse(
      Errc::above_maximum,
      "{kind}: seat {seat} has {held} there, {stake} more pass the table maximum of {allowed}",
      values);
}

/// A maximum that the whole cloth does not reach need not be looked at closer.
bool within_bounds(const Table& table, const IndexedBet& indexed, Int128 all) {
  const auto& max = table.config().max;
  return (!max || all <= *max) &&
         std::all_of(indexed.limits.begin(), indexed.limits.end(),
                     [&](const IndexedLimit& limit) { return all <= limit.floor; });
}

Int128 whole_cloth(const Bet& added, std::span<const Bet> others) {
  Int128 all = added.stake;
  for (const auto& other : others) all += other.stake;
  return all;
}

/// What lies there already, of how much, and whose: "box 3 has 300 of 500".
Status limit_passed(const Table& table, const IndexedLimit& limit, const Bet& added, Int128 held) {
  RefusalValues values{{"kind", added.kind},
                       {"stake", std::to_string(added.stake)},
                       {"allowed", limit.bound.text()},
                       {"held", Fraction(held, 1).text()},
                       {"seat", std::to_string(added.seat)},
                       {"box", std::to_string(added.box.value_or(0))},
                       {"bets", listed(limit.rule->bets)}};
  std::string_view form = "{kind}: at most {allowed}, not {stake}";
  if (held > 0) {
    switch (limit.scope) {
      case LimitScope::bet:
        form = "{kind}: seat {seat} has {held} of {allowed} there, {stake} more are too many";
        break;
      case LimitScope::seat:
        form = "{kind}: seat {seat} has {held} of {allowed} on {bets}, {stake} more are too many";
        break;
      case LimitScope::box:
        form = "{kind}: box {box} has {held} of {allowed}, {stake} more are too many";
        break;
      case LimitScope::table:
        form = "{kind}: the table has {held} of {allowed} there, {stake} more are too many";
        break;
    }
  }
  return refuse_by(table, limit.rule->cite, Errc::above_maximum, form, values);
}

Status check_bounds(const Table& table, const IndexedBet& indexed, const Bet& added,
                    std::span<const Bet> others) {
  const Int128 all = whole_cloth(added, others);
  const auto& max = table.config().max;
  if (max && all > *max) TALLA_TRY_STATUS(check_house_maximum(table, indexed, added, others));
  for (const auto& limit : indexed.limits) {
    if (all <= limit.floor) continue;
    const Int128 sum = sum_of(limit.scope, *limit.rule, added, others);
    if (sum <= limit.floor || Fraction(sum, 1) <= limit.bound) continue;
    return limit_passed(table, limit, added, sum - added.stake);
  }
  return {};
}

}  // namespace

Status BetBook::check_limits(const Table& table, const Bet& added) const {
  const auto* indexed = table.bet_index().find(added.kind);
  if (indexed == nullptr)
    return refuse(Errc::bet_kind_unknown, "{game} has no bet {kind}",
                  {{"game", table.rules().id}, {"kind", quotable(added.kind)}});
  return check_bounds(table, *indexed, added, all());
}

Status BetBook::place(const Table& table, const PlaceBet& event, PlaceOptions options) {
  const auto& rules = table.rules();
  if (!is_bet_id(event.id))
    return fail(Errc::bet_unknown, "a bet id is 1 to 32 letters, digits, '_', '.', '-'");
  if (std::as_const(*this).find(event.id) != nullptr ||
      (table.bet_index().has_calls() && has_parts(event.id))) {
    return fail(Errc::bet_duplicate, "the bet id is taken: " + event.id);
  }
  // Who stakes as in the round before finds all where it was: the slot still knows.
  const auto* indexed = table.bet_index().find(event.kind, bets_.next().hint);
  if (indexed == nullptr)
    return refuse(Errc::bet_kind_unknown, "{game} has no bet {kind}",
                  {{"game", rules.id}, {"kind", quotable(event.kind)}});
  const auto& rule = *indexed->rule;
  if (!indexed->offered) {
    return refuse_by(table, rule.cite, Errc::bet_not_offered,
                     "{kind} is offered only with {parameter} = {allowed}",
                     {{"kind", event.kind},
                      {"parameter", rule.offered_if->parameter},
                      {"allowed", json::canonical(rule.offered_if->value)}});
  }
  return rule.is_call() ? place_call(table, rule, event, options)
                        : place_one(table, *indexed, event, options);
}

Status BetBook::place_call(const Table& table, const BetRule& rule, const PlaceBet& event,
                           PlaceOptions options) {
  TALLA_TRY(const auto parts, parts_of_call(table, rule, event));
  BetBook next = *this;
  for (const auto& part : parts) {
    const auto* ordinary = table.bet_index().find(part.kind);
    TALLA_CHECK(ordinary != nullptr);  // the loader has checked the parts
    TALLA_TRY_STATUS(next.place_one(table, *ordinary, part, options));
  }
  *this = std::move(next);
  return {};
}

Status BetBook::place_one(const Table& table, const IndexedBet& bet, const PlaceBet& event,
                          PlaceOptions options) {
  if (bets_.size() >= bets_max) return fail(Errc::amount_invalid, "too many bets on one table");
  if (!fits_seat(table.rules(), event)) return wrong_seat(table.rules(), event);
  Bet& placed = bets_.next();
  const auto* position = bet.find(event.on, placed.hint);
  if (position == nullptr) {
    TALLA_TRY(position, position_named(table, bet, event.on));
  }
  if (!fits_amount(table, event.stake, options.check_chip)) {
    TALLA_TRY_STATUS(check_amount(table, event.stake, options.check_chip));
  }
  if (event.stake > bet.stake_max)
    return refuse(Errc::amount_invalid, "{kind}: the stake is beyond what can be paid",
                  {{"kind", bet.rule->id}});
  if (options.check_minimum && !reaches_minimum(table, bet, event.stake)) {
    TALLA_TRY_STATUS(check_minimum(table, bet, event.stake));
  }
  placed.id = event.id;
  placed.seat = event.seat;
  placed.box = event.box;
  if (!same_code(placed.kind, event.kind)) placed.kind = event.kind;
  const auto& on = position == nullptr ? event.on : position->on;
  if (!same_list(placed.on, on))
    placed.on = on;  // who stakes as before leaves the words where they are
  placed.stake = event.stake;
  placed.hint = bet.hint(position);
  const auto others = std::as_const(bets_).all();
  if (options.check_limits && !within_bounds(table, bet, whole_cloth(placed, others)))
    TALLA_TRY_STATUS(check_bounds(table, bet, placed, others));
  bets_.take_next();
  return {};
}

Status BetBook::withdraw(const Table& table, const WithdrawBet& event) {
  auto* bet = find(event.bet);
  if (bet == nullptr && has_parts(event.bet)) {
    if (event.amount)
      return fail(Errc::withdrawal_refused, "a call bet goes as a whole, or part by part");
    bets_.update([&](const Bet& one) { return !is_part(one.id, event.bet); });
    return {};
  }
  if (bet == nullptr) return no_such_bet(event.bet, all());
  if (!event.amount || *event.amount == bet->stake) {
    remove(event.bet);
    return {};
  }
  TALLA_TRY_STATUS(check_amount(table, *event.amount));
  if (*event.amount > bet->stake)
    return refuse(Errc::amount_invalid, "more than the stake of {bet}, which is {allowed}",
                  {{"bet", event.bet}, {"allowed", std::to_string(bet->stake)}});
  const Units rest = bet->stake - *event.amount;
  const auto* indexed = table.bet_index().find(bet->kind);
  if (indexed != nullptr && check_minimum(table, *indexed, bet->stake)) {
    auto ok = check_minimum(table, *indexed, rest);
    if (!ok) {
      ok.error().detail = filled_form("what stays: {why}", {{"why", ok.error().detail}});
      return ok;
    }
  }
  bet->stake = rest;
  return {};
}

Status BetBook::check(const Table& table) const {
  for (const auto& bet : all()) {
    const auto* indexed = table.bet_index().find(bet.kind);
    if (indexed == nullptr || indexed->rule->is_call()) {
      return fail(Errc::state_malformed, "a stake on a bet the game does not have");
    }
    const auto position = position_named(table, *indexed, bet.on);
    if (!position || (*position != nullptr && (*position)->on != bet.on))
      return fail(Errc::state_malformed, "a stake on a position the bet does not have");
    if (bet.stake > indexed->stake_max)
      return fail(Errc::state_malformed, "a stake beyond what can be paid");
  }
  return {};
}

bool BetBook::has_parts(std::string_view id) const {
  const auto bets = all();
  return std::any_of(bets.begin(), bets.end(), [&](const Bet& bet) { return is_part(bet.id, id); });
}

const Bet* BetBook::find(std::string_view id) const {
  for (const auto& bet : all()) {
    if (same_code(bet.id, id)) return &bet;
  }
  return nullptr;
}

Bet* BetBook::find(std::string_view id) {
  for (auto& bet : bets_.all()) {
    if (same_code(bet.id, id)) return &bet;
  }
  return nullptr;
}

void BetBook::remove(std::string_view id) {
  bets_.update([&](const Bet& bet) { return bet.id != id; });
}

json::Value to_json(const Bet& bet) {
  json::Object out;  // its members in their order
  if (bet.box) out.emplace("box", *bet.box);
  out.emplace("id", bet.id);
  out.emplace("kind", bet.kind);
  if (!bet.on.empty()) out.emplace("on", json::Array(bet.on.begin(), bet.on.end()));
  out.emplace("seat", bet.seat);
  out.emplace("stake", bet.stake);
  return out;
}

Result<Bet> bet_from_json(const json::Value& value) {
  if (!value.is_object()) return fail(Errc::state_malformed, "a bet is an object");
  json::Object event = value.object();
  event["event"] = "bet";
  TALLA_TRY(auto read, event_from_json(json::Value(std::move(event))));
  auto& placed = std::get<PlaceBet>(read);
  return Bet{std::move(placed.id),   placed.seat,          placed.box,
             std::move(placed.kind), std::move(placed.on), placed.stake};
}

json::Value BetBook::to_json() const {
  json::Array out;
  out.reserve(all().size());
  for (const auto& bet : all()) out.push_back(games::to_json(bet));
  return out;
}

Result<BetBook> BetBook::from_json(const json::Value& value) {
  if (!value.is_array() || value.array().size() > bets_max)
    return fail(Errc::state_malformed, "bets is a list");
  BetBook out;
  for (const auto& one : value.array()) {
    TALLA_TRY(auto bet, bet_from_json(one));
    if (out.find(bet.id) != nullptr) return fail(Errc::state_malformed, "a bet id stands twice");
    out.bets_.next() = std::move(bet);
    out.bets_.take_next();
  }
  return out;
}

}  // namespace talla::games
