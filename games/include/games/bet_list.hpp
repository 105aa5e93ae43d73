/// \file
/// A stake on the cloth, and the list of them.
///
/// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "games/money.hpp"
#include "games/need.hpp"

namespace talla::games {

/// Where a stake was found in the bets of its table when it was put down. It saves the search and
/// is no part of the value; a hint may be wrong: who follows it compares the words (BetIndex).
struct BetHint {
  std::uint32_t bet = 0;       ///< index among the bets of the table
  std::uint32_t position = 0;  ///< index among those of the bet
  bool operator==(const BetHint& /*other*/) const { return true; }
};

/// One bet that stands, with its stake.
struct Bet {
  std::string id;
  Seat seat = 0;
  std::optional<Box> box;
  std::string kind;
  /// Canonical order: as in the catalogue's covers, indices ascending.
  std::vector<std::string> on;
  Units stake = 0;
  BetHint hint{};
  bool operator==(const Bet&) const = default;
};

/// Stakes in order of acceptance. The memory of those that are gone serves those that come: stakes
/// live in slots, the first `size()` of which are the list. Copies and comparisons see the list
/// alone.
class BetList {
 public:
  BetList() = default;
  BetList(const BetList& other)
      : slots_(other.all().begin(), other.all().end()), size_(other.size_) {}
  BetList(BetList&& other) noexcept
      : slots_(std::move(other.slots_)), size_(std::exchange(other.size_, 0)) {}
  BetList& operator=(const BetList& other) {
    if (this != &other) *this = BetList(other);
    return *this;
  }
  BetList& operator=(BetList&& other) noexcept {
    slots_ = std::move(other.slots_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~BetList() = default;

  [[nodiscard]] std::span<const Bet> all() const { return {slots_.data(), size_}; }
  [[nodiscard]] std::span<Bet> all() { return {slots_.data(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The slot behind the list. It holds what an earlier stake left: who takes it sets every member.
  [[nodiscard]] Bet& next() {
    if (size_ == slots_.size()) slots_.emplace_back();
    return slots_[size_];
  }
  /// The slot that `next` gave belongs to the list now.
  void take_next() { ++size_; }
  void clear() { size_ = 0; }
  /// Calls `keep` for each stake, in order; it may change the stake, and those it answers false for
  /// go.
  template <class Keep>
  void update(Keep keep) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < size_; ++from) {
      if (!keep(slots_[from])) continue;
      if (to != from) std::swap(slots_[to], slots_[from]);
      ++to;
    }
    size_ = to;
  }
  bool operator==(const BetList& other) const {
    return std::equal(all().begin(), all().end(), other.all().begin(), other.all().end());
  }

 private:
  std::vector<Bet> slots_;
  std::size_t size_ = 0;
};

}  // namespace talla::games
