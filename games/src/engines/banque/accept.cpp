// Which stakes a hand accepts, and for whom the cloths are played.
#include <algorithm>

#include "engines/banque/play.hpp"

namespace talla::games::banque {
namespace {

std::size_t rank_of(const std::vector<Seat>& order, Seat seat) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), seat) - order.begin());
}

/// The bet of that kind whose player comes first, or nullptr.
const Bet* first_of(const State& state, const std::vector<Seat>& order, std::string_view kind) {
  const Bet* best = nullptr;
  for (const auto& bet : state.bets.all()) {
    if (bet.kind != kind) continue;
    if (best == nullptr || rank_of(order, bet.seat) < rank_of(order, best->seat)) best = &bet;
  }
  return best;
}

/// A stake that covers the whole bank without a word of it, of who has banco seguido; or nullptr.
/// He makes banco again.
const Bet* wordless_banco(const Play& p) {
  if (!p.law.whole_makes_banco || p.state.rights.suivi == 0) return nullptr;
  const Units whole = banco_stake(p.table, p.state);
  for (const auto& bet : p.state.bets.all()) {
    if (bet.seat == p.state.rights.suivi && bet.kind == "punto" && bet.stake >= whole) return &bet;
  }
  return nullptr;
}

/// Who covers the whole bank alone.
const Bet* solo_banco(const Play& p, const std::vector<Seat>& order) {
  const Bet* again = first_of(p.state, order, "banco-seguido");
  if (again == nullptr) again = wordless_banco(p);
  const Bet* banco = first_of(p.state, order, "banco");
  if (again == nullptr || banco == nullptr) return again != nullptr ? again : banco;
  if (p.choice(p_suivi_rank) == "first") return again;
  return rank_of(order, again->seat) < rank_of(order, banco->seat) ? again : banco;
}

/// An association covers the bank when its stakes do.
bool association(const Play& p) {
  Units sum = 0;
  for (const auto& bet : p.state.bets.all()) {
    if (bet.kind == "banco-asociado") sum += bet.stake;
  }
  return sum >= banco_stake(p.table, p.state);
}

/// Bets in the order in which they fill the bank.
std::vector<const Bet*> filling_order(const Play& p, const std::vector<Seat>& order) {
  std::vector<const Bet*> all;
  for (const auto& bet : p.state.bets.all()) all.push_back(&bet);
  if (p.choice(p_excess) == "as-placed") return all;
  std::stable_sort(all.begin(), all.end(), [&](const Bet* a, const Bet* b) {
    return rank_of(order, a->seat) < rank_of(order, b->seat);
  });
  return all;
}

void move_to_front(std::vector<const Bet*>& all, const Bet* bet) {
  const auto found = std::find(all.begin(), all.end(), bet);
  if (found != all.end()) std::rotate(all.begin(), found, found + 1);
}

/// The highest stake of a seated player, else of a standing one; equal ones by priority.
Seat highest_staker(const Play& p, const std::vector<Seat>& order,
                    const std::vector<Seat>& without) {
  for (const bool seated : {true, false}) {
    Seat best = 0;
    Units most = 0;
    for (const auto seat : order) {
      if ((seat <= places(p.table, p.law)) != seated) continue;
      if (std::find(without.begin(), without.end(), seat) != without.end()) continue;
      Units sum = 0;
      for (const auto& bet : p.state.bets.all()) sum += bet.seat == seat ? bet.stake : 0;
      if (sum > most) {
        most = sum;
        best = seat;
      }
    }
    if (best != 0) return best;
  }
  return 0;
}

/// Gives back what does not play.
void drop_idle(Play& p) {
  std::vector<std::string> idle;
  for (const auto& bet : p.state.bets.all()) {
    const auto found = std::find_if(p.state.played.begin(), p.state.played.end(),
                                    [&](const Played& one) { return one.bet == bet.id; });
    if (found == p.state.played.end() || found->units[0] + found->units[1] == 0)
      idle.push_back(bet.id);
  }
  for (const auto& id : idle) free_stake(p, id, BetResult::void_, p.law.stakes_cite);
}

void begin_hand(Play& p, Hand hand) {
  p.state.hand = std::move(hand);
  p.state.phase = Phase::hand;
  run_hand(p);
}

/// Banco con la mesa comes before other stakes and gives the cards, unless somebody completes it.
void accept_table(Play& p, const std::vector<Seat>& order, Hand& hand) {
  auto all = filling_order(p, order);
  const Bet* table = first_of(p.state, order, "con-la-mesa");
  const Bet* rest = table != nullptr ? first_of(p.state, order, "con-la-mesa-completo") : nullptr;
  if (rest != nullptr) move_to_front(all, rest);
  if (table != nullptr) move_to_front(all, table);
  Units left = p.state.bank();
  for (const auto* bet : all) {
    const Units plays = std::min(left, wanted(p, *bet)[0]);
    left -= plays;
    if (plays > 0) p.state.played.push_back({bet->id, {plays, 0}});
  }
  const Seat right = p.state.rights.cards_right;
  const bool has_right = right != 0 && highest_staker(p, {right}, {}) != 0;
  hand.holder[0] = rest != nullptr    ? rest->seat
                   : table != nullptr ? table->seat
                   : has_right        ? right
                                      : highest_staker(p, order, {});
  hand.free = table != nullptr && p.choice(p_banco_freedom) == "with-table";
}

void accept_one_cloth(Play& p) {
  const auto order = priority(p.table, p.law, p.state, 0);
  Hand hand;
  p.state.played.clear();
  if (const auto* solo = solo_banco(p, order)) {
    p.state.played.push_back({solo->id, {std::min(wanted(p, *solo)[0], p.state.bank()), 0}});
    hand.holder[0] = solo->seat;
    hand.banco = true;
    hand.free = p.choice(p_banco_freedom) != "bound";
  } else if (association(p)) {
    Units left = p.state.bank();
    for (const auto* bet : filling_order(p, order)) {
      if (bet->kind != "banco-asociado") continue;
      const Units plays = std::min(left, bet->stake);
      left -= plays;
      if (plays > 0) p.state.played.push_back({bet->id, {plays, 0}});
    }
    hand.holder[0] = first_of(p.state, order, "banco-asociado")->seat;
    hand.free = p.choice(p_banco_freedom) != "bound";
  } else {
    accept_table(p, order, hand);
  }
  drop_idle(p);
  const auto& all = p.state.bets.all();
  const bool alone = std::all_of(all.begin(), all.end(),
                                 [&](const Bet& bet) { return bet.seat == all.front().seat; });
  hand.banco = hand.banco || alone;
  begin_hand(p, std::move(hand));
}

/// How much each cloth may play of a limited bank.
std::array<Units, 2> cloth_limits(const Play& p, std::optional<std::size_t> first) {
  std::array<Units, 2> sums{};
  for (const auto& bet : p.state.bets.all()) {
    const auto plays = wanted(p, bet);
    sums[0] += plays[0];
    sums[1] += plays[1];
  }
  const Units bank = p.state.bank();
  if (first) {
    std::array<Units, 2> out{};
    out.at(*first) = std::min(bank, sums.at(*first));
    out.at(1 - *first) = bank - out.at(*first);
    return out;
  }
  const std::array<Units, 2> half{(bank + 1) / 2, bank / 2};
  return {half[0] + std::max<Units>(0, half[1] - sums[1]),
          half[1] + std::max<Units>(0, half[0] - sums[0])};
}

void fill_as_placed(Play& p) {
  Units left = p.state.bank();
  for (const auto& bet : p.state.bets.all()) {
    auto plays = wanted(p, bet);
    plays[0] = std::min(left, plays[0]);
    plays[1] = std::min(left - plays[0], plays[1]);
    left -= plays[0] + plays[1];
    if (plays[0] + plays[1] > 0) p.state.played.push_back({bet.id, plays});
  }
}

void fill_cloths(Play& p, std::array<Units, 2> left) {
  for (const auto& bet : p.state.bets.all()) p.state.played.push_back({bet.id, {}});
  for (const std::size_t cloth : {std::size_t{0}, std::size_t{1}}) {
    for (const auto* bet : filling_order(p, priority(p.table, p.law, p.state, cloth))) {
      const Units plays = std::min(left.at(cloth), wanted(p, *bet).at(cloth));
      left.at(cloth) -= plays;
      for (auto& one : p.state.played) {
        if (one.bet == bet->id) one.units.at(cloth) = plays;
      }
    }
  }
  std::erase_if(p.state.played, [](const Played& one) { return one.units[0] + one.units[1] == 0; });
}

/// Who has the cards of a cloth: the turn, as long as that seat is there.
Seat turn_holder(const Play& p, std::size_t cloth) {
  const auto order = priority(p.table, p.law, p.state, cloth);
  Seat first = 0;
  for (const auto seat : order) {
    if (cloth_of(p.table, p.law, p.state, seat) != cloth) continue;
    if (first == 0) first = seat;
    if (seat <= places(p.table, p.law) && seat >= p.state.rights.turn.at(cloth)) return seat;
  }
  return first;
}

Hand two_hands(const Play& p) {
  Hand hand;
  hand.holder = {turn_holder(p, 0), turn_holder(p, 1)};
  return hand;
}

void begin_banco(Play& p, const Bet& bet) {
  Hand hand;
  hand.holder = {bet.seat, bet.seat};
  hand.banco = true;
  hand.free = true;
  p.state.played = {{bet.id, wanted(p, bet)}};
  drop_idle(p);
  begin_hand(p, std::move(hand));
}

/// Banco of each cloth's first caller.
std::array<const Bet*, 2> bancos(const Play& p) {
  std::array<const Bet*, 2> out{};
  for (const std::size_t cloth : {std::size_t{0}, std::size_t{1}}) {
    for (const auto seat : priority(p.table, p.law, p.state, cloth)) {
      if (cloth_of(p.table, p.law, p.state, seat) != cloth || out.at(cloth) != nullptr) continue;
      for (const auto& bet : p.state.bets.all()) {
        if (bet.kind == "banco" && bet.seat == seat) out.at(cloth) = &bet;
      }
    }
  }
  return out;
}

Units all_wanted(const Play& p) {
  Units sum = 0;
  for (const auto& bet : p.state.bets.all()) sum += wanted(p, bet)[0] + wanted(p, bet)[1];
  return sum;
}

void begin_two_cloths(Play& p, std::optional<std::size_t> first) {
  p.state.played.clear();
  if (p.law.open_bank) {
    for (const auto& bet : p.state.bets.all()) p.state.played.push_back({bet.id, wanted(p, bet)});
  } else if (p.choice(p_excess) == "as-placed") {
    fill_as_placed(p);
  } else {
    fill_cloths(
        p, cloth_limits(
               p, p.choice(p_excess) == "first-cloth" ? std::optional<std::size_t>(0) : first));
  }
  drop_idle(p);
  begin_hand(p, two_hands(p));
}

void accept_two_cloths(Play& p) {
  const auto calls = bancos(p);
  if (calls[0] != nullptr && calls[1] != nullptr) {
    p.state.phase = Phase::banco_lot;
  } else if (const auto* banco = calls[0] != nullptr ? calls[0] : calls[1]) {
    begin_banco(p, *banco);
  } else if (!p.law.open_bank && p.choice(p_excess) == "lot" && all_wanted(p) > p.state.bank()) {
    p.state.phase = Phase::stakes_lot;
  } else {
    begin_two_cloths(p, std::nullopt);
  }
}

}  // namespace

void accept_stakes(Play& p) {
  if (p.law.cloths == 1) return accept_one_cloth(p);
  accept_two_cloths(p);
}

void accept_by_lot(Play& p, std::size_t cloth) {
  if (p.state.phase == Phase::banco_lot) return begin_banco(p, Bet(*bancos(p).at(cloth)));
  begin_two_cloths(p, cloth);
}

void close_stakes(Play& p) {
  // Who has staked the whole bank has nothing left to call.
  bool called = false;
  Units staked = 0;
  for (const auto& bet : p.state.bets.all()) {
    if (bet.seat != p.state.rights.suivi) continue;
    staked += bet.stake;
    called = called || bet.kind == "banco-seguido" || bet.kind == "banco";
  }
  called = called || (p.law.whole_makes_banco && staked >= banco_stake(p.table, p.state));
  const auto& max = p.table.config().max;
  const bool possible = !max || banco_stake(p.table, p.state) <= *max;
  if (p.law.cloths == 1 && p.state.rights.suivi != 0 &&
      p.state.player(p.state.rights.suivi) != nullptr && !called && possible) {
    p.state.phase = Phase::claim;
    return;
  }
  accept_stakes(p);
}

}  // namespace talla::games::banque
