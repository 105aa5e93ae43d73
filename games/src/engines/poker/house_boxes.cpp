#include "engines/poker/house_boxes.hpp"

#include <algorithm>
#include <set>

namespace talla::games::poker::house {

std::span<const DataKey> box_keys() {
  static const std::vector<DataKey> all = {
      {"boxes", "bet", DataType::text},
      {"boxes", "count", DataType::number, 1, 20},
      {"boxes", "bettors", DataType::number, 0, 20},
      {"boxes", "stakes", DataType::number, 1, 20, {}, false},
      {"boxes", "standing", DataType::flag},
      {"boxes", "vacant", DataType::flag},
      {"boxes", "others", DataType::flag},
      {"boxes", "command", DataType::choice, 0, 0, {"first", "largest"}},
  };
  return all;
}

Result<Box> Boxes::box_of(const PlaceBet& event) const {
  if (!event.box && !seated(event.seat)) {
    return fail(Errc::seat_invalid,
                "seat " + std::to_string(event.seat) + " has no box of its own: name one");
  }
  const Box box = event.box.value_or(event.seat);
  if (box == 0 || box > count())
    return fail(Errc::seat_invalid, "no such box: " + std::to_string(box) + "; boxes are 1 to " +
                                        std::to_string(count()));
  return box;
}

bool Boxes::has_main(Seat seat, Box box) const {
  const auto all = bets_->all();
  return std::any_of(all.begin(), all.end(), [&](const Bet& bet) {
    return is_main(bet) && bet.seat == seat && bet.box == box;
  });
}

Status Boxes::check_main(const Bet& bet) const {
  const Box box = bet.box.value_or(0);
  std::set<Seat> seats;
  std::size_t stakes = 0;
  for (const auto& other : bets_->all()) {
    if (!is_main(other) || other.box != bet.box) continue;
    seats.insert(other.seat);
    ++stakes;
  }
  if (law_->find("boxes", "stakes") != nullptr) {
    const int stakes_most = law_->number("boxes", "stakes");
    if (stakes > static_cast<std::size_t>(stakes_most)) {
      return fail(Errc::above_maximum, "box " + std::to_string(box) + " has its " +
                                           std::to_string(stakes_most) + " stakes already" +
                                           law_->cited("boxes"));
    }
  }
  const int most = law_->number("boxes", "bettors");
  if (most > 0 && seats.size() > static_cast<std::size_t>(most)) {
    return fail(Errc::above_maximum, "box " + std::to_string(box) + " takes the bets of " +
                                         std::to_string(most) + " players at most" +
                                         law_->cited("boxes"));
  }
  const bool held = seats.contains(box);
  if (!seated(bet.seat)) {
    if (!law_->flag("boxes", "standing")) {
      return fail(Errc::seat_invalid, "who stands takes no part" + law_->cited("boxes"));
    }
    if (held) return {};
    return fail(Errc::seat_invalid,
                "who stands bets on the hand of a seated player" + law_->cited("boxes"));
  }
  const bool others = std::any_of(seats.begin(), seats.end(),
                                  [&](Seat seat) { return seat != bet.seat && seated(seat); });
  if (others && !law_->flag("boxes", "others")) {
    return fail(Errc::seat_invalid,
                "a box that a seated player plays is no other's" + law_->cited("boxes"));
  }
  if (bet.seat == box || held || law_->flag("boxes", "vacant")) return {};
  return fail(Errc::seat_invalid,
              "vacant boxes are not played at this table" + law_->cited("boxes"));
}

Status Boxes::check_side(const Bet& bet) const {
  if (has_main(bet.seat, bet.box.value_or(0))) return {};
  return fail(Errc::bet_not_offered, bet.kind + " goes with a stake on " +
                                         law_->text("boxes", "bet") + " in the same box (" +
                                         law_->rules().rule(law_->bet(bet.kind).cite) + ")");
}

std::vector<Box> Boxes::staked() const {
  std::set<Box> out;
  for (const auto& bet : bets_->all()) {
    if (bet.box) out.insert(*bet.box);
  }
  return {out.begin(), out.end()};
}

Seat Boxes::holder(Box box) const {
  if (has_main(box, box)) return box;
  std::vector<std::pair<Seat, Units>> seats;  // in order of the first stake
  for (const auto& bet : bets_->all()) {
    if (!is_main(bet) || bet.box != box || !seated(bet.seat)) continue;
    const auto known = std::find_if(seats.begin(), seats.end(),
                                    [&](const auto& one) { return one.first == bet.seat; });
    if (known == seats.end()) {
      seats.emplace_back(bet.seat, bet.stake);
    } else {
      known->second += bet.stake;
    }
  }
  if (seats.empty()) return 0;
  if (law_->is("boxes", "command", "first")) return seats.front().first;
  const auto before = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(seats.begin(), seats.end(), before)->first;  // of equals the first
}

}  // namespace talla::games::poker::house
