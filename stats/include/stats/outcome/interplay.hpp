/// \file
/// Interplay of two series whose results come together: two dice of one throw, a die and the other
/// one of the throw before.
///
/// Test:    chi-square of the table of pairs beyond what the two series show alone: psi-square of
///          the pairs less those of each series, (a - 1)(b - 1) degrees of freedom; and the
///          correlation of the places in the alphabets.
/// Range:   up to 1,024 results on each side. Threads: one object belongs to one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stats/outcome/row.hpp"
#include "stats/outcome/stream.hpp"

namespace talla::stats::outcome {

class Interplay {
 public:
  /// `item` names the pair in the rows.
  Interplay(const Alphabet& first, const Alphabet& second, std::string item);
  /// Results that belong together. Preconditions: as many of each, each below the size of its
  /// alphabet.
  void add(std::span<const std::uint16_t> first, std::span<const std::uint16_t> second);
  void rows(std::vector<Row>& rows) const;

 private:
  std::vector<double> first_, second_;  // probabilities
  std::string item_;
  std::vector<std::uint64_t> table_;
  std::uint64_t n_ = 0;
};

}  // namespace talla::stats::outcome
