/// \file
/// Which cards of a shoe everybody has seen up to a record: what the chances of the next coup rest
/// on.
///
/// A shoe is read from its chain when somebody first asks for it, and followed from then on. Cards
/// that go back at a SHOE_RECOMMIT are forgotten.
/// Errors:  nothing for a shoe that was recommitted behind that record, or whose records do not
///          fit. Threads: one. Secrecy: reads committed records alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "certs/ledger.hpp"
#include "shuffle/card.hpp"

namespace talla::rngd {

/// A card shown when it was dealt.
struct ShownCard {
  std::uint64_t seq = 0;
  std::string place;
  shuffle::Card card;
};

/// The shown cards of shoes.
class SeenCards {
 public:
  explicit SeenCards(const certs::Ledger& ledger) : ledger_(ledger) {}
  /// Follows what the record shows of a shoe; other records are left alone.
  void read(const certs::LedgerRecord& record);
  /// The cards shown before the record `before`. `now`: the record that is being read; what stands
  /// behind it in the log comes to `read` later.
  [[nodiscard]] std::optional<std::vector<shuffle::Card>> before(const std::string& shoe,
                                                                 std::uint64_t before,
                                                                 std::uint64_t now);
  /// Those that were dealt open behind the record `after`, in their order. Of a shoe that `before`
  /// has just answered for.
  [[nodiscard]] std::vector<ShownCard> dealt_behind(const std::string& shoe,
                                                    std::uint64_t after) const;

 private:
  struct Seen {
    std::uint64_t seq = 0;
    std::string place;           // where it was dealt; empty: it was turned later
    std::uint32_t root = 0;      // recommits before it was dealt
    std::uint32_t position = 0;  // at which it was dealt
    shuffle::Card card;
  };
  struct Shoe {
    std::vector<Seen> seen;
    std::uint32_t root = 0;
    std::uint64_t mixed = 0;  // seq of the last SHOE_RECOMMIT
    bool damaged = false;
  };
  static void take(Shoe& shoe, const certs::LedgerRecord& record);

  const certs::Ledger& ledger_;
  std::map<std::string, Shoe> shoes_;
};

}  // namespace talla::rngd
