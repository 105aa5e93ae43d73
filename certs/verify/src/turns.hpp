/// \file
/// The turns of one table: its calls count up by one, one is open at a time, and nothing that waits
/// for its result goes on before (FORMAT.md section 8). Whose a call is and what it binds is not
/// looked at here. Private to certs_verify.
///
/// Errors:  turn_gap, turn_open, mix_early, call_none, call_uncited, request_other.
/// Threads: one at a time. Memory: fixed, but for the open call's ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// DRAW, SHOE_MIX, or VOID of a CALL.
[[nodiscard]] bool ends_turn(const Record& record);

class Turns {
 public:
  /// A CALL without its result.
  struct OpenCall {
    std::uint64_t seq = 0;
    std::string object;
    std::optional<Client> client;
    std::string key;
    std::optional<Digest> request;
    std::int64_t time_us = 0;
    bool mixes = false;
    std::string round;  ///< "0": none
  };

  /// TABLE_OPEN: no turn was taken, nothing is open.
  void open();
  /// Records before `begin` are not known: one of them may be an open CALL.
  void forget(std::uint64_t begin);
  /// A CALL, or a VOID with the core of one: the next turn, while none is open.
  [[nodiscard]] Status next(const Record& record);
  /// The CALL has no result yet. Behind `next`.
  void call(const Record& record);
  /// Whether a record of the table may stand while a CALL is open. `mix`: the table's rule.
  [[nodiscard]] Status undisturbed(const Record& record, MixRule mix) const;
  /// The record ends the open CALL, or one that is not known. Changes nothing.
  [[nodiscard]] Status ends(const Record& record) const;
  /// It has ended. Behind `ends`.
  void end();
  /// How many turns were taken at this table, as a record says: they must be those of the chain.
  [[nodiscard]] bool agree(std::uint64_t turns);

  [[nodiscard]] const std::optional<OpenCall>& pending() const { return open_; }

 private:
  std::optional<std::uint64_t> turns_;  // so far; none: not known
  bool known_ = false;                  // else a CALL from before `begin_` may be open
  std::uint64_t begin_ = 0;
  std::optional<OpenCall> open_;
};

}  // namespace talla::certs
