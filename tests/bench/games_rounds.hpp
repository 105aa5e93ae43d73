/// \file
/// Whole rounds through the one driver, for the benches: stakes placed as events, cards and draws
/// pulled from prepared sources, settlements read. No journal is kept (a simulator needs none); the
/// path that decides and pays is the appliance's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "games/catalogue.hpp"
#include "games/driver.hpp"

namespace talla_bench {

using talla::games::Table;

[[nodiscard]] Table open_table(const std::string& catalogue, std::string game);

/// Prepared outcomes, handed out in a circle: shoes in fixed random orders, pockets, dice.
class Outcomes final : public talla::games::CardSource, public talla::games::DrawSource {
 public:
  explicit Outcomes(const Table& table);
  talla::Result<std::optional<talla::games::ShoeOpened>> open_shoe(
      const talla::games::ShoeNeed& need) override;
  talla::Result<Next> next_card(const talla::games::DealPlace& place) override;
  talla::Result<std::optional<talla::games::Card>> reveal(const std::string& place) override;
  talla::Result<bool> shuffle(const talla::games::Shuffle& need) override;
  talla::Result<std::optional<talla::games::DrawResult>> draw(
      const talla::games::Draw& need) override;
  /// Whether a fresh shoe is to be had: only between rounds, so that the settlements of the last
  /// hand can be read first.
  void allow_shoe(bool allowed) { shoe_allowed_ = allowed; }
  /// From now on the state before each card and draw is kept until the next one: then no event may
  /// change it in place.
  void look_at(const talla::games::Driver* driver) { seen_of_ = driver; }

 private:
  void look();
  const talla::games::Driver* seen_of_ = nullptr;
  std::optional<talla::games::State> seen_;
  bool shoe_allowed_ = true;
  std::vector<std::vector<talla::games::Card>> shoes_;
  std::size_t shoe_ = 0;
  std::size_t card_ = 0;
  std::vector<talla::games::DrawResult> draws_;
  std::size_t draw_ = 0;
};

/// A table that plays the same stakes round after round. Aborts when anything is refused or a round
/// brings no settlement.
class Rounds {
 public:
  /// `states`: whether somebody keeps the state before each event, so that each is a copy, or
  /// nobody does, so that it is changed in place.
  enum class States : std::uint8_t { in_place, copied };
  Rounds(const Table& table, const std::vector<talla::games::PlaceBet>& stakes,
         States states = States::in_place);
  /// One round; the units that came back.
  talla::games::Units play();

 private:
  void apply(const talla::games::Event& event);
  const Table& table_;
  States states_;
  Outcomes outcomes_;
  talla::games::Driver driver_;
  /// Bets by round in a circle of eight, with ids of their own: a stake in prison keeps its id for
  /// some rounds.
  std::array<std::vector<talla::games::Event>, 8> stakes_;
  std::size_t round_ = 0;
};

[[nodiscard]] std::vector<talla::games::PlaceBet> ten_roulette_bets();
[[nodiscard]] std::vector<talla::games::PlaceBet> ten_craps_bets();
[[nodiscard]] std::vector<talla::games::PlaceBet> two_punto_banco_bets();

}  // namespace talla_bench
