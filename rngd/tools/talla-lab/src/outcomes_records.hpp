/// \file
/// Results in the project's own records: draws (DRAW, with the specification of their CALL) and
/// shoes whose order is open (SHOE_CLOSE of a public shoe: its tape is mapped again; what is
/// tested is the order committed to, and each dealt card is compared with it through the mix).
/// FORMAT.md sections 6 to 9.
///
/// Nothing is verified here but that dealt cards are those of the order: proofs, signatures and
/// commitments are for `talla verify`. A record met twice (in two bundles) counts once.
/// Errors: what is no record or contradicts another; which sequence number.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "format/mix.hpp"
#include "outcomes.hpp"

namespace talla::lab {

class Records {
 public:
  /// `table`: only draws and shoes of that table; empty: all.
  Records(GameTests& game, std::string table) : game_(game), table_(std::move(table)) {}
  [[nodiscard]] stats::Result<bool> add_record(std::string_view text);
  [[nodiscard]] stats::Result<bool> add_bundle(std::string_view text);
  /// What was not used; shoes that were never closed count as not open.
  [[nodiscard]] LeftOut left_out() const;

 private:
  struct Call {
    std::uint64_t pockets = 0, sides = 0;
    bool wanted = false;
  };
  struct Shoe {
    std::string deck;
    std::uint32_t cards = 0;                     // n
    certs::Mix mix;                              // empty before its SHOE_MIX
    bool wanted = false, again = false;          // recommitted: its order is not one shuffle
    std::map<std::uint64_t, std::string> dealt;  // position, card
  };
  [[nodiscard]] stats::Result<bool> add(const json::Value& record, const std::string& kind);
  [[nodiscard]] bool is_here(const std::string* table) const;
  [[nodiscard]] stats::Result<bool> call(const json::Value& record, const json::Value& body);
  [[nodiscard]] stats::Result<bool> draw(const json::Value& record, const json::Value& body);
  [[nodiscard]] stats::Result<bool> close_shoe(const std::string& id, const json::Value& body);

  GameTests& game_;
  std::string table_;
  bool in_bundle_ = false;  // it may begin behind the opening of a shoe or batch
  LeftOut left_out_;
  std::map<std::string, Call> calls_;             // of draws, by batch and sequence number
  std::map<std::string, certs::CallCore> mixes_;  // of mixes, by shoe and sequence number
  std::map<std::string, Shoe> shoes_;
  std::set<std::pair<std::string, std::int64_t>> seen_;
};

}  // namespace talla::lab
