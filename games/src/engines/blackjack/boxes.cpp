#include "engines/blackjack/boxes.hpp"

#include <algorithm>
#include <set>

#include "engines/blackjack/combinations.hpp"
#include "engines/blackjack/round.hpp"

namespace talla::games::blackjack {
namespace {

/// Ids of bets may be no longer than this, so that those of their split hands and insurance fit as
/// well.
constexpr std::size_t id_size_max = 20;

bool is_main(const Law& law, const Bet& bet) {
  return bet.kind == law.main_bet();
}

bool seated(const Law& law, Seat seat) {
  return seat <= law.boxes();
}

template <class Test>
bool any_bet(const State& state, Test test) {
  const auto& all = state.bets.all();
  return std::any_of(all.begin(), all.end(), test);
}

bool has_main(const Law& law, const State& state, Seat seat, Box box) {
  return any_bet(state, [&](const Bet& bet) {
    return is_main(law, bet) && bet.seat == seat && bet.box == box;
  });
}

/// The stakes of the same kind on the same box.
struct Company {
  std::size_t stakes = 0;  ///< on the same position
  Units own = 0;           ///< of the same seat there, together
  std::set<Seat> seats;    ///< that have any on the box
};

Company company_of(const State& state, const Bet& bet) {
  Company out;
  for (const auto& other : state.bets.all()) {
    if (other.kind != bet.kind || other.box != bet.box) continue;
    out.seats.insert(other.seat);
    if (other.on != bet.on) continue;
    ++out.stakes;
    if (other.seat == bet.seat) out.own += other.stake;
  }
  return out;
}

/// The section that says what a bet is.
std::string cited_bet(const Law& law, const BetRule& bet) {
  return " (" + law.rules().rule(bet.cite) + ")";
}
std::string cited_bet(const Law& law, const Bet& bet) {
  return cited_bet(law, law.bet(bet.kind));
}

/// Own minimum or fixed amount of a side bet, in table minimums; how many of it a box takes.
Status check_own_stake(const Law& law, const State& state, const Bet& bet) {
  const auto* stakes = law.find("stakes", bet.kind);
  if (stakes == nullptr) return {};
  const Fraction min(law.table().min());
  if (const auto* exact = stakes->find("exact")) {
    const Units wanted = law.stake_of(*exact);
    const Units own = company_of(state, bet).own;
    if (bet.stake == wanted && own == wanted) return {};
    const auto code = own < wanted ? Errc::below_minimum : Errc::above_maximum;
    return fail(code, bet.kind + ": the stake of a seat on a box is " + std::to_string(wanted) +
                          ", it would have " + std::to_string(own) + cited_bet(law, bet));
  }
  if (const auto* most = stakes->find("most");
      most != nullptr &&
      company_of(state, bet).stakes > static_cast<std::size_t>(law.resolve(*most).integer())) {
    return fail(Errc::above_maximum, bet.kind + ": box " + std::to_string(bet.box.value_or(0)) +
                                         " has its " +
                                         std::to_string(law.resolve(*most).integer()) +
                                         " stakes already" + cited_bet(law, bet));
  }
  const auto* least = stakes->find("min");
  if (least == nullptr || Fraction(bet.stake) >= law.fraction_of(*least) * min) return {};
  return fail(
      Errc::below_minimum,
      bet.kind + ": at least " + (law.fraction_of(*least) * min).text() + cited_bet(law, bet));
}

Status check_multiples(const Law& law, const Bet& bet) {
  if (!is_main(law, bet) || !law.flag("boxes", "multiples") || bet.stake % law.table().min() == 0)
    return {};
  return fail(Errc::chip_step,
              "a stake is a multiple of the minimum" + law.cited("boxes", "multiples"));
}

Status check_main(const Law& law, const State& state, const Bet& bet) {
  const Box box = bet.box.value_or(0);
  const bool holder = any_bet(state, [&](const Bet& other) {
    return is_main(law, other) && other.box == bet.box && other.id != bet.id &&
           seated(law, other.seat);
  });
  const std::string_view stakes_block = law.has("box_stakes") ? "box_stakes" : "boxes";
  const int most = law.number(stakes_block, "bets_max");
  const auto company = company_of(state, bet);
  if (most > 0 && std::max(company.stakes, company.seats.size()) > static_cast<std::size_t>(most)) {
    return fail(Errc::above_maximum, "box " + std::to_string(box) + " has its " +
                                         std::to_string(most) + " stakes already" +
                                         law.cited(stakes_block));
  }
  if (!seated(law, bet.seat) && !holder) {
    return fail(Errc::seat_invalid,
                "who stands bets on the hand of a seated player" + law.cited("backers"));
  }
  if (bet.seat != box && !law.flag("boxes", "vacant") && !has_main(law, state, box, box)) {
    return fail(Errc::seat_invalid,
                "vacant boxes are not played at this table" + law.cited("boxes"));
  }
  return {};
}

/// Side bets go with a stake of the same player on the same box.
Status check_side(const Law& law, const State& state, const Bet& bet) {
  if (has_main(law, state, bet.seat, bet.box.value_or(0))) return {};
  return fail(Errc::bet_not_offered, bet.kind + " goes with a stake on " + law.main_bet() +
                                         " in the same box" + cited_bet(law, bet));
}

Status check_bet(const Law& law, const State& state, const Bet& bet) {
  TALLA_TRY_STATUS(check_own_stake(law, state, bet));
  TALLA_TRY_STATUS(check_multiples(law, bet));
  return is_main(law, bet) ? check_main(law, state, bet) : check_side(law, state, bet);
}

Result<Box> box_of(const Law& law, const PlaceBet& event) {
  if (!event.box && event.seat > law.boxes()) {
    return fail(Errc::seat_invalid,
                "seat " + std::to_string(event.seat) + " has no box of its own: name one");
  }
  const Box box = event.box.value_or(event.seat);
  if (box == 0 || box > law.boxes())
    return fail(Errc::seat_invalid, "no such box: " + std::to_string(box) + "; boxes are 1 to " +
                                        std::to_string(law.boxes()));
  return box;
}

/// Who decides on a box: its own player, else the first or the largest stake of a seated one.
Seat holder_of(const Law& law, const State& state, Box box) {
  if (has_main(law, state, box, box)) return box;
  std::vector<std::pair<Seat, Units>> seats;  // in order of the first stake
  for (const auto& bet : state.bets.all()) {
    if (!is_main(law, bet) || bet.box != box || !seated(law, bet.seat)) continue;
    const auto known = std::find_if(seats.begin(), seats.end(),
                                    [&](const auto& one) { return one.first == bet.seat; });
    if (known == seats.end()) {
      seats.emplace_back(bet.seat, bet.stake);
    } else {
      known->second += bet.stake;
    }
  }
  if (seats.empty()) return 0;
  if (law.is("boxes", "command", "first")) return seats.front().first;
  const bool low = law.is("boxes", "tie", "lowest-seat");
  const auto before = [&](const auto& a, const auto& b) {
    if (a.second != b.second) return a.second < b.second;
    return low ? a.first > b.first : a.first < b.first;
  };
  return std::max_element(seats.begin(), seats.end(), before)->first;
}

Status check_after_withdrawal(const Law& law, const State& state) {
  for (const auto& bet : state.bets.all()) {
    if (auto fits = check_bet(law, state, bet); !fits) {
      return fail(Errc::withdrawal_refused,
                  "bet " + bet.id + " would stay alone: " + fits.error().detail);
    }
  }
  return {};
}

}  // namespace

const std::string& form_of(const Law& law, const Bet& bet) {
  static const std::string hand = "hand";
  static const std::string insurance = "insurance";
  if (bet.kind == law.main_bet()) return hand;
  return bet.kind == law.insurance_bet() ? insurance : law.bet(bet.kind).covers.string();
}

std::optional<std::string> no_stake_on(const Law& law, const BetRule& bet) {
  if (bet.id == law.insurance_bet()) return "";
  const bool combination = bet.covers.is_string() && bet.covers.string() == "combination";
  if (combination && !has_prize(law, bet.id))
    return "the table states no prize" + law.cited("combinations");
  const auto* stakes = law.find("stakes", bet.id);
  const auto* exact = stakes == nullptr ? nullptr : stakes->find("exact");
  if (exact != nullptr && law.stake_of(*exact) == 0)
    return "its stake of " + law.fraction_of(*exact).text() + " minimums is less than a chip" +
           cited_bet(law, bet);
  return stakes == nullptr ? std::nullopt : std::optional<std::string>("");
}

Status check_open(const State& state) {
  if (state.in_round())
    return fail(Errc::bets_closed, "bets are closed until this round is settled");
  if (state.shoe == ShoeState::over)
    return fail(Errc::shoe_finished, "the stop card is out and the last round played");
  if (!state.shoe_live()) return fail(Errc::no_shoe, "a shoe must be open before bets");
  if (state.waits_for_shuffle()) {
    return fail(Errc::bets_closed, "the cards of the last round go back into the shuffler first");
  }
  if (!state.bets_open()) return fail(Errc::bets_closed, "the session is over");
  return {};
}

Status place_bet(const Law& law, State& state, const PlaceBet& event) {
  TALLA_TRY_STATUS(check_open(state));
  begin_round(state);
  if (event.id.size() > id_size_max || is_derived_id(event.id, law.insurance_bet())) {
    return fail(Errc::bet_unknown,
                "a bet id has at most " + std::to_string(id_size_max) +
                    " characters and not the form of a split hand or an insurance");
  }
  PlaceBet placed = event;
  TALLA_TRY(placed.box, box_of(law, event));
  const auto* own = law.find("stakes", placed.kind);
  TALLA_TRY_STATUS(state.bets.place(law.table(), placed, {.check_minimum = own == nullptr}));
  const Bet bet = *state.bets.find(std::string_view(placed.id));
  if (form_of(law, bet) == "insurance") {
    return fail(Errc::bets_closed, bet.kind + " is taken as an action while the hands are played" +
                                       law.cited("insurance"));
  }
  if (form_of(law, bet) == "combination" && !has_prize(law, bet.kind)) {
    return fail(Errc::bet_not_offered,
                bet.kind + ": the table states no prize" + law.cited("combinations"));
  }
  if (form_of(law, bet) == "combination" && !prizes_fit(law, bet.kind, bet.stake)) {
    return fail(Errc::amount_invalid, bet.kind + ": the stake is beyond what can be paid");
  }
  return check_bet(law, state, bet);
}

Status withdraw_bet(const Law& law, State& state, const WithdrawBet& event) {
  TALLA_TRY_STATUS(check_open(state));
  TALLA_TRY_STATUS(state.bets.withdraw(law.table(), event));
  return check_after_withdrawal(law, state);
}

Status close_bets(const Law& law, State& state) {
  TALLA_TRY_STATUS(check_open(state));
  begin_round(state);
  for (Box box = 1; box <= law.boxes(); ++box) {
    Hand hand;
    hand.box = box;
    bool combination = false;
    for (const auto& bet : state.bets.all()) {
      if (bet.box != box) continue;
      if (is_main(law, bet)) hand.bets.push_back(bet.id);
      combination = combination || form_of(law, bet) == "combination";
    }
    if (hand.bets.empty()) continue;
    hand.seat = holder_of(law, state, box);
    TALLA_CHECK(hand.seat != 0);
    state.hands.push_back(std::move(hand));
    if (combination) state.firsts.push_back({box, {}, false});
  }
  if (state.hands.empty())
    return fail(Errc::not_due, "no hand has a stake: there is nothing to deal");
  state.phase = Phase::dealing;
  return {};
}

}  // namespace talla::games::blackjack
