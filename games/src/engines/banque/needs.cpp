#include "engines/banque/needs.hpp"

#include <algorithm>

namespace talla::games::banque {
namespace {

/// The choices of a seat, gathered: at most one Decide each.
class Choices {
 public:
  void add(Seat seat, ActionChoice choice, bool required = false) {
    auto found =
        std::find_if(all_.begin(), all_.end(), [&](const Decide& one) { return one.seat == seat; });
    if (found == all_.end()) {
      all_.push_back({seat, {}, false});
      found = all_.end() - 1;
    }
    found->choices.push_back(std::move(choice));
    found->required = found->required || required;
  }
  void plain(Seat seat, std::string_view action, bool required = false) {
    add(seat, {std::string(action), "", 0, 0, 0}, required);
  }
  void take(Needs& out) {
    for (auto& one : all_) out.emplace_back(std::move(one));
  }

 private:
  std::vector<Decide> all_;
};

Units in_chips(const Table& table, Units amount) {
  const Units chip = table.currency().chip;
  return (amount + chip - 1) / chip * chip;
}

ActionChoice amount(const Table& table, std::string_view action, Units least, Units most) {
  const Units chip = table.currency().chip;
  return {std::string(action), "", in_chips(table, least), most / chip * chip, chip};
}

void award_choices(const Table& table, const State& state, Choices& out) {
  if (state.phase == Phase::offer || state.phase == Phase::forced) {
    const Seat seat = state.award.queue.front();
    const Units most = state.award.fixed_price ? state.award.floor : bank_max(table);
    out.add(seat,
            amount(table, "tomar-banca", state.award.floor, std::max(most, state.award.floor)),
            true);
    out.plain(seat, "pasar-turno", true);
  }
  if (state.phase == Phase::auction) {
    Units least = state.award.floor;
    for (const auto& one : state.award.bids) least = std::max(least, one.amount);
    const Seat seat = next_bidder(state);
    if (least <= std::max(bank_max(table), state.award.floor)) {
      out.add(seat, amount(table, "pujar", least, std::max(bank_max(table), state.award.floor)),
              true);
    }
    out.plain(seat, "pasar-turno", true);
  }
}

void associate_choices(const Table& table, const Law& law, const State& state, Choices& out) {
  const Units most = std::max<Units>(0, bank_max(table) - state.bank());
  const bool matching = law.associates == "matching";
  const Units least = matching ? banco_stake(table, state) : table.currency().chip;
  const Units top = matching ? least : most;
  if (state.proposal || law.associates == "none" || least > most || top <= 0 ||
      state.parts.size() >= 16)
    return;
  for (const auto& player : state.players) {
    const bool part = std::any_of(state.parts.begin(), state.parts.end(),
                                  [&](const Part& one) { return one.seat == player.seat; });
    if (!part) out.add(player.seat, amount(table, "asociarse", least, top));
  }
}

/// Before the first stake the banker may change his bank, or give it up.
void banker_choices(const Table& table, const Law& law, const State& state, Choices& out) {
  const Seat banker = state.banker();
  if (state.proposal) {
    out.plain(banker, "aceptar");
    out.plain(banker, "rechazar");
  }
  if (law.cloths == 2) {
    if (state.dealt) out.plain(banker, "abandonar");
    return;
  }
  const Units chip = table.currency().chip;
  const Units room = bank_max(table) - state.bank();
  if (room >= chip) out.add(banker, amount(table, "aumentar", chip, room));
  const Units garage = garage_max(table, law, state);
  if (garage >= chip) out.add(banker, amount(table, "garage", chip, garage));
  if (law.garage_waiver && table.params().integer(p_bank_max) == 0 && state.garage() > 0)
    out.plain(banker, "todo-va");
  out.plain(banker, "pasar-mano");
  associate_choices(table, law, state, out);
}

/// Free places may be taken, and left by those who have nothing on the table.
void seat_choices(const Table& table, const Law& law, const State& state, Choices& out) {
  for (Seat seat = 1; seat <= places(table, law); ++seat) {
    if (state.player(seat) == nullptr) out.plain(seat, "sentarse");
  }
  for (const auto& player : state.players) {
    const bool part = std::any_of(state.parts.begin(), state.parts.end(),
                                  [&](const Part& one) { return one.seat == player.seat; });
    const auto& bets = state.bets.all();
    const bool stakes = std::any_of(bets.begin(), bets.end(),
                                    [&](const Bet& bet) { return bet.seat == player.seat; });
    if (!part && !stakes) out.plain(player.seat, "levantarse");
  }
}

void hand_needs(const Table& table, const Law& law, const State& state, Needs& out) {
  Due due = hand_due(table, law, state);
  switch (due.kind) {
    case Due::Kind::deal:
      out.emplace_back(Deal{std::move(due.cards)});
      return;
    case Due::Kind::reveal:
      out.emplace_back(Reveal{std::move(due.place)});
      return;
    case Due::Kind::decide:
      out.emplace_back(std::move(due.decide));
      return;
    case Due::Kind::settle:
      if (state.hand->may_draw)
        out.emplace_back(Decide{state.banker(), {ActionChoice{"carta", "", 0, 0, 0}}, false});
      return;
  }
}

Draw lots(std::size_t count) {
  return Draw{DrawKind::lots, {}, 1, static_cast<std::uint32_t>(count)};
}

void between_hands(const Table& table, const Law& law, const State& state, Needs& out) {
  if (state.discards > 0) {
    out.emplace_back(Deal{std::vector<DealPlace>(
        state.discards, DealPlace{std::string(discard_place), Face::unseen})});
  }
  if (state.shoe != ShoeState::in_play) out.emplace_back(*table.rules().shoe);
  if (state.round_over) out.emplace_back(Settled{});
  const bool open = bets_open(state);
  const bool can_close =
      open && !state.bets.empty() && state.discards == 0 && enough_players(table, law, state);
  if (open || state.phase == Phase::vacant) out.emplace_back(BetsOpen{can_close});
  if (state.phase == Phase::lot) out.emplace_back(lots(tied(state).size()));
  Choices choices;
  award_choices(table, state, choices);
  if (state.phase == Phase::betting && state.bets.empty())
    banker_choices(table, law, state, choices);
  if (state.phase == Phase::broken) {
    const auto [least, most] = refill_of(table, law, state);
    choices.add(state.banker(), amount(table, "reponer", least, most), true);
    choices.plain(state.banker(), "abandonar", true);
  }
  if (state.phase == Phase::vacant && law.cloths == 2) {
    for (const auto& player : state.players) {
      const auto& gone = state.left_winning;
      if (std::find(gone.begin(), gone.end(), player.seat) != gone.end()) continue;
      choices.add(player.seat, amount(table, "pujar", bank_min(table), bank_max(table)));
    }
  }
  if (state.phase == Phase::betting || state.phase == Phase::vacant)
    seat_choices(table, law, state, choices);
  choices.take(out);
}

}  // namespace

bool session_over(const State& state) {
  return state.closing && state.round_over;
}

bool bets_open(const State& state) {
  return state.phase == Phase::betting && state.shoe == ShoeState::in_play && !session_over(state);
}

Needs needs_of(const Table& table, const Law& law, const State& state) {
  Needs out;
  if (session_over(state)) return {Settled{}};
  switch (state.phase) {
    case Phase::hand:
      hand_needs(table, law, state, out);
      break;
    case Phase::banco_lot:
    case Phase::stakes_lot:
      out.emplace_back(lots(2));
      break;
    case Phase::claim: {
      Choices choices;
      choices.plain(state.rights.suivi, "banco-seguido", true);
      choices.plain(state.rights.suivi, "pasar-turno", true);
      choices.take(out);
      break;
    }
    default:
      between_hands(table, law, state, out);
  }
  return out;
}

}  // namespace talla::games::banque
