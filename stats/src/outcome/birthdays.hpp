/// \file
/// Duplicates among keys: equal pairs inside groups of 4,096 keys; the number of pairs is Poisson
/// where matches are rare.
///
/// Memory: 256 KiB whatever the number of keys. Threads: one object belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/outcome/cells.hpp"
#include "stats/outcome/patterns.hpp"

namespace talla::stats::outcome {

class Birthdays {
 public:
  static constexpr std::size_t group = 4096;
  /// Keys of as many draws as make a match rarer than 2^-22, at most `draws_most`; `draws()` is 0
  /// when no number does.
  Birthdays(const Urn& urn, std::size_t draws_most);
  [[nodiscard]] std::size_t draws() const { return draws_; }
  void add(std::uint64_t key);
  /// `outcomes_each`: outcomes that one key takes.
  void row(std::vector<Row>& rows, Title title, std::uint64_t outcomes, double outcomes_each) const;

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t group = 0;
    std::uint32_t count = 0;
  };
  std::size_t draws_ = 0;
  double match_ = 0.0;
  std::vector<Slot> slots_;
  std::uint32_t group_ = 1;
  std::size_t in_group_ = 0;
  std::uint64_t pairs_ = 0;
  double pairs_expected_ = 0.0;
};

}  // namespace talla::stats::outcome
