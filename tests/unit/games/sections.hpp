// The sections that a game's rules name, as settlements and refusals write them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "games/rules.hpp"

namespace talla::games::test {

/// Everything in a game's rules that carries a citation, as settlements and refusals write it.
class Sections {
 public:
  explicit Sections(const GameRules& game) : game_(&game) {
    add(game.cite);
    if (game.draw_cite) add(*game.draw_cite);
    if (game.shoe_cite) add(*game.shoe_cite);
    for (const auto& bet : game.bets) {
      add(bet.cite);
      for (const auto& payout : bet.payouts) add(payout.cite);
      for (const auto& more : bet.payouts_when) add(more.payout.cite);
      for (const auto& more : bet.covers_when) add(more.cite);
    }
    for (const auto& limit : game.limits) add(limit.cite);
    for (const auto& minimum : game.minimums) add(minimum.cite);
    for (const auto& rule : game.parameters) add(rule.cite);
    for (const auto& action : game.actions) add(action.cite);
    for (const auto& place : game.places) add(place.cite);
    for (const auto& error : game.errors) add(error.cite);
    if (game.payments) add(game.payments->cite);
    for (const auto& end : game.session_ends) add(end.cite);
    for (const auto& [name, block] : game.data) {
      add(block.cite);
      add_inside(block.value);
    }
  }
  [[nodiscard]] bool has(const std::string& rule) const { return all_.contains(rule); }
  [[nodiscard]] const std::vector<Citation>& citations() const { return citations_; }

 private:
  void add(const Citation& cite) {
    all_.insert(game_->rule(cite));
    citations_.push_back(cite);
  }
  /// Rows of data blocks may have sections of their own.
  void add_inside(const json::Value& value) {
    if (value.is_array()) {
      for (const auto& one : value.array()) add_inside(one);
    } else if (value.is_object()) {
      for (const auto& [name, one] : value.object()) {
        if (name == "cite" && one.is_string()) {
          Citation cite{one.string(), "", {}, {}};
          all_.insert(game_->rule(cite));
        }
        add_inside(one);
      }
    }
  }

  const GameRules* game_;
  std::set<std::string> all_;
  std::vector<Citation> citations_;
};

}  // namespace talla::games::test
