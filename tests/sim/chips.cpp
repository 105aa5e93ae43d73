#include "chips.hpp"

#include "failure.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

Units member(const json::Value& object, std::string_view key) {
  const auto* value = object.find(key);
  return value == nullptr ? 0 : value->integer();
}

}  // namespace

void Chips::accepted(const Event& event) {
  if (!counts_) return;
  if (const auto* bet = std::get_if<PlaceBet>(&event)) {
    bought_[bet->id] = bet->stake;
    in_play_ += bet->stake;
  }
  if (const auto* taken = std::get_if<WithdrawBet>(&event)) {
    const auto found = bought_.find(taken->bet);
    require(found != bought_.end(), "chips are taken back that nobody bought");
    const Units amount = taken->amount.value_or(found->second);
    found->second -= amount;
    in_play_ -= amount;
  }
}

void Chips::settled(const Settlement& one) {
  if (!counts_) return;
  if (one.kind != "resto" && one.kind != "reposicion") {
    hand_ += one.stake - one.returned;
    return;
  }
  const auto found = bought_.find(one.bet);
  require(found != bought_.end() && found->second == one.stake,
          "a resto is paid that was not bought so");
  bought_.erase(found);
  in_play_ -= one.returned;
}

void Chips::round_over(const Subject& subject) {
  if (!counts_) return;
  const auto state = subject.state();
  require(hand_ == 0,
          [&] { return "the hand's account does not add up: " + std::to_string(hand_); });
  Units lies = member(state, "house") + member(state, "dead");
  if (const auto* players = state.find("players")) {
    for (const auto& one : players->array()) lies += member(one, "stack");
  }
  require(lies == in_play_, [&] {
    return "of " + std::to_string(in_play_) + " chips " + std::to_string(lies) + " are there";
  });
}

}  // namespace talla::sim
