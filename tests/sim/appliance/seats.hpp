/// \file
/// Those who contribute to the calls of one guest's table, as its client sees them: whom it lets
/// in, whom a core names, and the call that waits for them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "seat.hpp"

namespace talla::sim {

class Seats {
 public:
  /// Some, or nobody, for the table that this reply has opened. `random` must outlive it.
  Seats(const json::Value& opened, Random& random);

  [[nodiscard]] const std::vector<std::unique_ptr<Seat>>& all() const { return seats_; }
  /// What the table asks to let the next one in; nothing: all are.
  [[nodiscard]] std::optional<json::Object> invitation() const;
  void let_in();
  /// Of those that the table's view has: whom its next core names.
  [[nodiscard]] json::Array named(const json::Value& view);
  /// The core that it has signed.
  void signed_core(json::Value core) { core_ = std::move(core); }
  /// It stands under this CALL, and waits for those it names; 0: it lapsed.
  void called(std::uint64_t seq);
  /// It had its result at once, with nobody's number in it.
  void alone();
  /// What two persons must order before the table can call again: a round or an object.
  [[nodiscard]] const std::optional<std::string>& order_due() const { return order_due_; }
  void order_is_due();
  void ordered() { order_due_.reset(); }
  /// The call that waits.
  [[nodiscard]] std::optional<std::uint64_t> open_call() const { return open_; }
  /// It has ended, as its view says.
  void ended(const json::Value& view);
  /// What evidence must hold since this was last asked.
  [[nodiscard]] std::vector<Contributed> take_contributed() {
    return std::exchange(contributed_, {});
  }

 private:
  Random* random_;
  std::vector<std::unique_ptr<Seat>> seats_;
  json::Value core_;
  std::optional<std::uint64_t> open_;
  std::optional<std::string> order_due_;
  std::set<std::string> mixed_;  // objects that had a result: a number must be in all of them
  std::vector<Contributed> contributed_;
};

}  // namespace talla::sim
