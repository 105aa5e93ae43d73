/// \file
/// N: how often somebody could try again before the claim, as far as the file shows (FORMAT.md
/// section 9, "Repetitions"). Private to certs_verify.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "evidence.hpp"
#include "format/body_shoe.hpp"

namespace talla::certs {

/// Fed with the records of the table's chain in order, without the claim.
class Repetitions {
 public:
  /// Openings of the place before this one.
  void add(std::uint64_t count) { number_ += count; }
  /// Records were left out before the next one.
  void gap() {
    dealt_from_ = mixed_ = begins_ = true;
    cards_.reset();
  }
  /// `replayed`: the rules are run over this record, so that what they ask for is no choice.
  [[nodiscard]] Status take(const Record& record, bool replayed);
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  [[nodiscard]] Result<bool> again(const Record& record, bool replayed) const;
  [[nodiscard]] bool thrown_away(const ShoeCloseBody& close, bool replayed) const;
  Status remember(const Record& record);

  std::uint64_t number_ = 0;
  bool dealt_from_ = false;  // a SHOE_MIX or DRAW was seen, or may stand in the gap
  bool settled_ = true;      // the open round, as far as it was seen
  std::set<std::string, std::less<>> unsettled_;  // its bets without a result
  bool mixed_ = true;                             // the newest root; also where it is not known
  bool begins_ = false;                           // a gap stands before the next record
  std::optional<std::uint32_t> cards_;            // of that root; not known behind a gap
};

}  // namespace talla::certs
