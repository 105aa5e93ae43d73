/// \file
/// One client of the simulated appliance: opens a table of some game and plays it over the API with
/// random legal acts, by what the views say alone. Requests and replies may be lost: it asks again
/// with the same key until it is answered; where it is told to come later it waits, longer each
/// time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/service.hpp"
#include "games/table.hpp"
#include "people.hpp"
#include "random.hpp"
#include "seats.hpp"
#include "tables.hpp"

namespace talla::sim {

class Guest {
 public:
  /// `number`: unlike all others in the world. `random` must outlive it.
  Guest(std::uint64_t number, const GameId& game, Random& random);

  /// What it asks next, the same until `answered`; nothing: it waits a while, one turn less with
  /// each call.
  [[nodiscard]] const core::Request* asks();
  /// The reply to what it asks. Throws Failure at a reply that the rules of the API do not allow.
  void answered(const core::Reply& reply);
  /// The table is closed: nothing is left to ask.
  [[nodiscard]] bool gone() const { return visit_.gone; }
  /// After the round in play the table is closed.
  void leave() { visit_.leaving = true; }
  [[nodiscard]] std::size_t rounds() const { return visit_.rounds; }
  [[nodiscard]] const GameId& game() const { return game_; }
  [[nodiscard]] const std::string& table() const { return table_; }
  /// Those who contribute to its calls; null: the table is not open yet.
  [[nodiscard]] Seats* seats() { return seats_ ? &*seats_ : nullptr; }
  /// What it asks and what it was last refused, for failures.
  [[nodiscard]] std::string told() {
    if (!asked_.request) choose();
    const auto& asked = *asked_.request;
    return asked.method + " " + asked.path + " " + asked.body + " after " + refused_.last;
  }

 private:
  enum class Step {
    open_table,
    let_in,
    look,
    post,
    call,
    wait,
    commit_shoe,
    offer_bet,
    close_bets,
    act,
    deal,
    close_table
  };
  struct Refused {
    std::size_t in_a_row = 0;
    std::string last = "nothing";
  };
  /// The round in play.
  struct Round {
    std::string id;
    bool closed = false;
    std::size_t bets_wanted = 0;
    std::size_t offers = 0;
    std::vector<LiveBet> bets;
    std::optional<games::PlaceBet> offered;
  };
  /// The batch in use.
  struct Batch {
    std::string id, root;
    std::int64_t index = 0, count = 0;
  };
  struct Objects {
    Batch batch;
    std::optional<json::Value> newest;  // the shoe with its newest root
  };
  struct Asked {
    std::optional<core::Request> request;
    Step step = Step::open_table;
    std::uint64_t keys = 0;
    std::size_t later = 0;   ///< times in a row that it was told to come later
    std::size_t sleep = 0;   ///< turns
    bool head_seen = false;  ///< the view's head is as last seen: what a call names
  };
  struct Visit {
    std::size_t rounds = 0;
    std::int64_t last = 0;  ///< number of the newest record that its table's views have told of
    bool leaving = false;
    bool gone = false;
  };
  void post(std::string path, json::Object body, Step step = Step::post);
  void get(std::string path, Step step);
  void choose();
  void choose_needs(const json::Array& needs);
  void begin_round();
  void deal(bool reveal);
  void new_shoe();
  void mix();
  /// Signs this core, with all that the table's view says for it.
  void call(const std::string& path, json::Object wish);
  void draw();
  void bet();
  void close_bets();
  void decide(const json::Value& need);
  void take(const json::Value& reply);
  void take_view(const json::Value& table);
  void take_call(const json::Value& reply);
  void refused(int status, const json::Value& problem);

  GameId game_;
  Random* random_;
  core::Client client_;
  std::optional<games::Table> rules_;
  std::optional<People> people_;
  std::optional<Seats> seats_;
  std::string table_;

  Asked asked_;
  std::optional<json::Value> view_;  // the table, as last seen; nothing: it may have changed since
  Refused refused_;
  Round round_;
  Objects objects_;
  Visit visit_;
};

}  // namespace talla::sim
