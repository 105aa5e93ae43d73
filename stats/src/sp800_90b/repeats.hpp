/// \file
/// How often substrings repeat, from the lengths that neighbours in the sorted order of suffixes
/// have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace talla::stats::sp800_90b {

/// Takes the common lengths one by one in sorted order and keeps, for every length t in its part,
/// the count of the most frequent substring and the number of pairs of places with equal
/// substrings.
///
/// Memory: 12 bytes a length in the part, and 8 for every length that suffixes nest in.
class Repeats {
 public:
  Repeats() = default;
  /// For lengths first + 1 to first + count; room for all of them is made at once.
  Repeats(std::uint32_t first, std::uint32_t count) : first_(first), count_(count) {
    most_.reserve(count + std::size_t{1});
    pairs_.reserve(count + std::size_t{1});
  }

  /// The next suffix shares its first `common` symbols with the one before it (0 for the first).
  void next(std::uint32_t common) {
    common = common <= first_ ? 0 : std::min(common - first_, count_);
    std::uint32_t left = place_++;
    while (stack_.back().length > common) {
      const Group group = stack_.back();
      stack_.pop_back();
      close(group, stack_.back().length > common ? stack_.back().length : common,
            place_ - 1 - group.first);
      left = group.first;
    }
    if (stack_.back().length < common)
      stack_.push_back({common, left == place_ - 1 ? left - 1 : left});
  }
  /// After the last suffix. Afterwards the results stand.
  void finish() {
    next(0);  // closes every group
    for (std::size_t length = most_.size() - 1; length-- > 0;) {
      most_[length] = std::max(most_[length], most_[length + 1]);
      pairs_[length] += pairs_[length + 1];
    }
  }

  /// The lengths that it knows begin behind this one.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// The longest repeated substring in the part; first() when there is none.
  [[nodiscard]] std::size_t longest() const { return first_ + most_.size() - 1; }
  /// Occurrences of the most frequent substring of that length. Precondition: first() < length <=
  /// longest().
  [[nodiscard]] std::uint64_t most(std::size_t length) const { return most_[length - first_]; }
  /// Pairs of places with the same substring of that length. Precondition: as above.
  [[nodiscard]] std::uint64_t pairs(std::size_t length) const { return pairs_[length - first_]; }

 private:
  /// Suffixes from `first` on share `length` symbols.
  struct Group {
    std::uint32_t length;
    std::uint32_t first;
  };
  /// `count` suffixes share `group.length` symbols, and more of them share only `outer`.
  void close(const Group& group, std::uint32_t outer, std::uint32_t count) {
    if (most_.size() <= group.length) {
      most_.resize(group.length + 1, 0);
      pairs_.resize(group.length + 1, 0);
    }
    most_[group.length] = std::max(most_[group.length], count);
    const std::uint64_t choose = std::uint64_t{count} * (count - 1) / 2;
    pairs_[group.length] +=
        choose;  // of lengths outer + 1 to group.length: a difference, summed up at the end
    pairs_[outer] -= choose;
  }
  std::uint32_t first_ = 0, count_ = ~std::uint32_t{0};
  std::vector<Group> stack_{{0, 0}};
  std::uint32_t place_ = 0;
  std::vector<std::uint32_t> most_{0};
  std::vector<std::uint64_t> pairs_{0};
};

}  // namespace talla::stats::sp800_90b
