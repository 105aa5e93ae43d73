/// \file
/// How often substrings repeat, from the lengths that neighbours in the sorted order of suffixes have in common.
#pragma once

#include <cstdint>
#include <vector>

namespace talla::stats::sp800_90b {

/// Takes the common lengths one by one in sorted order and keeps, for every length t, the count of the most frequent substring
/// and the number of pairs of places with equal substrings.
class Repeats {
 public:
  /// The next suffix shares its first `common` symbols with the one before it (0 for the first).
  void next(std::uint32_t common) {
    std::uint64_t left = place_++;
    while (stack_.back().length > common) {
      const Group group = stack_.back();
      stack_.pop_back();
      close(group, stack_.back().length > common ? stack_.back().length : common, place_ - 1 - group.first);
      left = group.first;
    }
    if (stack_.back().length < common) stack_.push_back({common, left == place_ - 1 ? left - 1 : left});
  }
  /// After the last suffix. Afterwards the results stand.
  void finish();

  /// The longest repeated substring.
  [[nodiscard]] std::size_t longest() const { return most_.size() - 1; }
  /// Occurrences of the most frequent substring of that length. Precondition: 1 <= length <= longest().
  [[nodiscard]] std::uint64_t most(std::size_t length) const { return most_[length]; }
  /// Pairs of places with the same substring of that length. Precondition: as above.
  [[nodiscard]] std::uint64_t pairs(std::size_t length) const { return pairs_[length]; }

 private:
  /// Suffixes from `first` on share `length` symbols.
  struct Group {
    std::uint32_t length;
    std::uint64_t first;
  };
  /// `count` suffixes share `group.length` symbols, and more of them share only `outer`.
  void close(const Group& group, std::uint32_t outer, std::uint64_t count) {
    if (most_.size() <= group.length) {
      most_.resize(group.length + 1, 0);
      pairs_.resize(group.length + 1, 0);
    }
    if (most_[group.length] < count) most_[group.length] = count;
    const std::uint64_t choose = count * (count - 1) / 2;
    pairs_[group.length] +=
        choose;  // of lengths outer + 1 to group.length: a difference, summed up at the end
    pairs_[outer] -= choose;
  }
  std::vector<Group> stack_{{0, 0}};
  std::uint64_t place_ = 0;
  std::vector<std::uint64_t> most_{0};
  std::vector<std::uint64_t> pairs_{0};
};

}  // namespace talla::stats::sp800_90b
